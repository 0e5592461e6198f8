//! Resolves values on an element with known custom properties.

use super::{CustomProperties, DefinitionOrigin, MAX_TRACE, MAX_VARIANTS, NameId, Substituted, SubstitutionStep};
use limner_style::ValueTemplate;
use std::sync::Arc;

/// Looks up the values of custom properties on an element.
pub(crate) type ElementScope<'o> = &'o dyn Fn(&str) -> Option<Arc<str>>;

impl<'i> CustomProperties<'i> {
    /// Replaces a value's references with their values on an element; the trace contains the names that were looked up,
    /// and those that their definitions refer to.
    pub(crate) fn resolve_on(&mut self, value: &'i str, on: ElementScope<'_>) -> Substituted {
        let template = self.template(value);
        let (text, names) = filled(&template, on);
        let mut trace = Vec::new();
        for name in &names {
            self.resolve_variable(name, on, &mut trace);
        }
        self.bytes_left = self.bytes_left.saturating_sub(text.as_ref().map_or(0, |text| text.len()));
        Substituted { text: text.filter(|_| self.bytes_left > 0), trace, has_gaps: false }
    }

    /// Returns true if any of these names has a value for dark only.
    pub(crate) fn are_themed(&self, trace: &[SubstitutionStep]) -> bool {
        self.themes(trace).contains(&limner_types::Theme::Dark)
    }

    fn resolve_variable(&mut self, name: &str, on: ElementScope<'_>, trace: &mut Vec<SubstitutionStep>) {
        self.lookups_left = self.lookups_left.saturating_sub(1);
        let Some(id) = self.names.get(name).copied().filter(|_| self.lookups_left > 0) else { return };
        if trace.len() >= MAX_TRACE || trace.iter().any(|taken| taken.id == id) {
            return;
        }
        let Some(text) = on(name) else { return };
        let (is_literal, inner) = self.defined_as(id, &text, on);
        let spelled = self.canonical_text(&text);
        trace.push(SubstitutionStep { id, text, spelled, is_literal, origin: DefinitionOrigin::Own });
        for name in &inner {
            self.resolve_variable(name, on, trace);
        }
    }

    /// Returns true if a definition of the custom property equals its text; otherwise the names that the definition
    /// refers to.
    fn defined_as(&mut self, id: NameId, text: &str, on: ElementScope<'_>) -> (bool, Vec<Box<str>>) {
        let property = &self.properties[id as usize].1;
        let defined = property.definitions.iter().rev().map(|definition| definition.value).take(MAX_VARIANTS);
        let values: Vec<&'i str> = defined.chain(property.page_values()).collect();
        if values.iter().any(|value| value.trim() == text.trim()) {
            return (true, Vec::new());
        }
        for value in values.into_iter().filter(|value| value.contains('(')) {
            let template = self.template(value);
            let (found, names) = filled(&template, on);
            if !names.is_empty() && found.is_some_and(|found| found.trim() == text.trim()) {
                return (false, names);
            }
        }
        (false, Vec::new())
    }
}

/// Fills in a value on an element; returns the names that were looked up as well.
fn filled(value: &ValueTemplate<'_>, on: ElementScope<'_>) -> (Option<Arc<str>>, Vec<Box<str>>) {
    let mut names: Vec<Box<str>> = Vec::new();
    let text = value.fill(&mut |name| {
        let value = on(name);
        if value.is_some() && names.len() < MAX_TRACE && !names.iter().any(|known| **known == *name) {
            names.push(name.into());
        }
        value
    });
    (text, names)
}
