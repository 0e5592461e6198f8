//! Resolves values on an element with known custom properties.

use super::{MAX_TRACE, MAX_VARIANTS, NameId, Resolved, Taken, Variables};
use limner_style::Template;
use std::sync::Arc;

/// Looks up the values of custom properties on an element.
pub(crate) type On<'o> = &'o dyn Fn(&str) -> Option<Arc<str>>;

impl<'i> Variables<'i> {
    /// Replaces a value's references with their values on an element; the trace contains the names that were looked up,
    /// and those that their definitions refer to.
    pub(in crate::tokens) fn resolve_on(&mut self, value: &'i str, on: On<'_>) -> Resolved {
        let template = self.template(value);
        let (text, names) = filled(&template, on);
        let mut trace = Vec::new();
        for name in &names {
            self.take(name, on, &mut trace);
        }
        self.bytes_left = self.bytes_left.saturating_sub(text.as_ref().map_or(0, |text| text.len()));
        Resolved { text: text.filter(|_| self.bytes_left > 0), trace, has_gaps: false }
    }

    /// Returns true if any of these names has a value for dark only.
    pub(in crate::tokens) fn are_themed(&self, trace: &[Taken]) -> bool {
        self.themes(trace).contains(&limner_types::Theme::Dark)
    }

    fn take(&mut self, name: &str, on: On<'_>, trace: &mut Vec<Taken>) {
        self.lookups_left = self.lookups_left.saturating_sub(1);
        let Some(id) = self.names.get(name).copied().filter(|_| self.lookups_left > 0) else { return };
        if trace.len() >= MAX_TRACE || trace.iter().any(|taken| taken.id == id) {
            return;
        }
        let Some(text) = on(name) else { return };
        let (is_literal, inner) = self.defined_as(id, &text, on);
        let spelled = self.spelled(&text);
        trace.push(Taken { id, text, spelled, is_literal });
        for name in &inner {
            self.take(name, on, trace);
        }
    }

    /// Returns true if a definition of the custom property equals its text; otherwise the names that the definition
    /// refers to.
    fn defined_as(&mut self, id: NameId, text: &str, on: On<'_>) -> (bool, Vec<Box<str>>) {
        let property = &self.properties[id as usize].1;
        let defined = property.definitions.iter().rev().map(|definition| definition.value).take(MAX_VARIANTS);
        let values: Vec<&'i str> = defined.chain(property.root.iter().flatten().copied()).collect();
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
fn filled(value: &Template<'_>, on: On<'_>) -> (Option<Arc<str>>, Vec<Box<str>>) {
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
