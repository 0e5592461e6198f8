//! Collects the at-rules that a component's declarations name: fonts and counter styles, and the names of animations.
//!
//! Before → after: `font-family: Inter` → the same, and `@font-face { font-family: Inter; … }`.
//!
//! Reads the rules, texts and attributes, because a font face is needed for its characters; adds the at-rules. It stands
//! after `collapse-white-space`, which changes texts, and before the passes about keyframes, which read the names.

use crate::capture::at_rules::{absolute, identifiers, rule_base_url, rules_by_name};
use crate::capture::fonts::font_faces;
use crate::capture::fonts::used_fonts::UsedFonts;
use crate::capture::passes::{Draft, PassContext};
use limner_component_model::model::DescriptorAtRule;
use limner_style::{StyleIndex, declarations_in};
use std::collections::BTreeSet;

/// Collects the at-rules that the rules name.
pub(crate) fn collect_at_rules(context: &PassContext<'_, '_>, draft: &mut Draft) {
    let index = context.section.request.index;
    let elements = &draft.component.elements;
    let mut named = NamesInValues::default();
    elements.iter().flat_map(|element| &element.rules).flat_map(|rule| &rule.declarations).for_each(|declaration| {
        let value = declaration.value.as_str();
        match &*declaration.name {
            "animation-name" => named.animations.extend(identifiers(value)),
            "list-style-type" | "content" => named.counter_styles.extend(identifiers(value)),
            _ => {}
        }
    });
    draft.component.font_faces = font_faces::font_faces(index, &UsedFonts::from_draft(context, draft));
    draft.component.counter_styles = counter_styles(index, &named.counter_styles);
    draft.animations = named.animations;
}

/// The names of at-rules in the declarations of a component.
#[derive(Debug, Default)]
struct NamesInValues {
    animations: BTreeSet<String>,
    counter_styles: BTreeSet<String>,
}

fn counter_styles(index: &StyleIndex<'_>, names: &BTreeSet<String>) -> Vec<DescriptorAtRule> {
    let rules = rules_by_name(index, &["counter-style"]);
    let wanted = names.iter().filter_map(|name| Some((name, *rules.get(name)?)));
    let read = wanted.map(|(name, rule)| {
        let base = rule_base_url(index, rule);
        let descriptors =
            declarations_in(&rule.body).into_iter().map(|(name, value)| (name, absolute(&value, base.as_ref())));
        DescriptorAtRule { prelude: limner_page::dom::escape_identifier(name), descriptors: descriptors.collect() }
    });
    read.collect()
}
