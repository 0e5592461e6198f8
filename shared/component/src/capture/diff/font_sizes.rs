//! Font sizes that are not constant within an environment, and values that are multiples of the font size.

use super::rem_scaling::{as_font_size_multiples, is_viewport_relative};
use super::rule_resolver::RuleResolver;
use super::value_reader::px;
use crate::capture::environments::EnvMap;
use crate::capture::property_key::PropertyKey;
use limner_component_model::model::{ElementId, Rule};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, SpecifiedStyle};
use std::collections::BTreeSet;

impl RuleResolver<'_> {
    /// Returns the values of a property by environment, with as few different values as possible on a page with a
    /// stepped root font size. `styles` are the styles that the values belong to.
    pub(crate) fn normalize_to_font_size<'s>(
        &self,
        place: PropertyKey,
        values: EnvMap<Option<String>>,
        styles: impl Iterator<Item = Option<&'s ComputedStyle>>,
    ) -> EnvMap<Option<String>> {
        let PropertyKey { element, pseudo, longhand } = place;
        let is_size = longhand == Longhand::FontSize;
        if !self.has_stepped_root
            || self.pinned_to_computed.contains(&place)
            || (is_size && (element, pseudo) == (ElementId(0), None))
        {
            return values;
        }
        // Font sizes are relative to the parent's (or, for a pseudo-element, its element's) font size.
        let parent = if pseudo.is_some() { Some(element) } else { self.section.tree.origins[element.0].parent };
        let parent = parent.filter(|_| is_size);
        if self.dynamic_font_size.contains(&parent.unwrap_or(element)) {
            return values;
        }
        let parent = parent.map(|parent| &self.section.computed[parent.0]);
        let size = |style: &ComputedStyle| px(style, Longhand::FontSize);
        let sizes: EnvMap<Option<f64>> = match parent {
            Some(parent) => parent.iter().map(|style| size(style)).collect(),
            None => styles.map(|style| size(style?)).collect(),
        };
        as_font_size_multiples(values, &sizes)
    }

    /// Records an element whose font size, or that of an ancestor, follows the viewport or is animated.
    pub(crate) fn mark_dynamic_font_size<'s>(
        &mut self,
        element: ElementId,
        mut own: impl Iterator<Item = &'s SpecifiedStyle>,
    ) {
        let follows_window = |own: &SpecifiedStyle| {
            let size = own.get(Longhand::FontSize).map_or("", |own| own.value.as_str());
            is_viewport_relative(size) || own.style.get(Longhand::AnimationName) != "none"
        };
        let is_resizing = match self.section.tree.origins[element.0].parent {
            Some(parent) => self.dynamic_font_size.contains(&parent),
            None => self.root.ancestor_specifications().any(follows_window),
        };
        if is_resizing || own.any(follows_window) {
            self.dynamic_font_size.insert(element);
        }
    }

    /// Returns the elements whose font size a state changes, and their descendants.
    pub(crate) fn elements_resized_by_states(&mut self, rules: &[Vec<Rule>]) -> BTreeSet<ElementId> {
        if !self.has_stepped_root {
            return BTreeSet::new();
        }
        let sizes = |rule: &Rule| rule.state.is_some() && rule.declarations.iter().any(|own| own.name == "font-size");
        let mut found = BTreeSet::new();
        for (at, rules) in rules.iter().enumerate() {
            let parent = self.section.tree.origins[at].parent;
            if parent.is_some_and(|parent| found.contains(&parent)) || rules.iter().any(sizes) {
                found.insert(ElementId(at));
            }
        }
        self.dynamic_font_size.extend(&found);
        found
    }
}
