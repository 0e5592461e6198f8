//! The passes over a component: they turn the tree with its rules into what is written. [`super::PASSES`] is the list.
//!
//! A pass reads what was captured ([`PassContext`]) and changes the component ([`Draft`]). The parts that it reads and
//! changes are named in the list; tests check that it reads these parts of its fixture and changes no other, and that the order
//! is the one that the headers of the files name.

pub(super) mod collapse_white_space;
pub(super) mod collect_at_rules;
pub(super) mod collect_keyframes;
pub(super) mod declare_keyframe_variables;
pub(super) mod declare_variables;
pub(super) mod drop_identity_transforms;
pub(super) mod drop_presentation_attributes;
pub(super) mod flex_to_block;
pub(super) mod mark_up_contents;
pub(super) mod normalize_initial_states;
pub(super) mod prune_transitions;
pub(super) mod prune_wrappers;
pub(super) mod register_properties;
pub(super) mod rename_keyframes;
pub(super) mod resolve_source_media;
#[cfg(test)]
mod tests;

use super::baseline::BaselineDocument;
use super::context::SectionContext;
use super::diff::registered_properties::RegisteredProperty;
use super::diff::rule_resolver::ResolvedRules;
use super::tree::{SectionTree, language, svg_defs};
use collect_keyframes::UnresolvedVars;
use limner_component_model::model::{Component, ElementId};
use limner_style::computed::BoxSizing;
use limner_style::property::Longhand;
use std::collections::BTreeSet;

/// A step from the tree with its rules to the component that is written.
#[derive(Clone, Copy)]
pub(super) struct Pass {
    /// Its name: that of its file, with hyphens.
    pub(super) name: &'static str,
    pub(super) run: fn(&PassContext<'_, '_>, &mut Draft),
    /// The parts that decide what it does.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests hold the passes to it"))]
    pub(super) reads: &'static [Part],
    /// The parts that it may change.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests hold the passes to it"))]
    pub(super) writes: &'static [Part],
}

impl Pass {
    pub(super) const fn new(
        name: &'static str,
        run: fn(&PassContext<'_, '_>, &mut Draft),
        reads: &'static [Part],
        writes: &'static [Part],
    ) -> Self {
        Self { name, run, reads, writes }
    }
}

/// A part of a [`Draft`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// The elements. All other parts name elements by their index.
    Tree,
    /// Texts, and the facts about the white space around them.
    Text,
    Attributes,
    Rules,
    /// The names of animations, and the custom properties to which their keyframes refer: passed on, not written.
    Animations,
    Keyframes,
    Registrations,
    FontFaces,
    CounterStyles,
}

/// The captured section, which passes read and none changes.
pub(super) struct PassContext<'c, 'r> {
    pub(super) section: &'c SectionContext<'r>,
    pub(super) baseline: &'c BaselineDocument<'r>,
    /// Custom properties that keyframes animate.
    pub(super) registered: &'c [RegisteredProperty],
    pub(super) resolved: &'c ResolvedRules,
}

/// A component between two passes.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) component: Component,
    /// The elements of the section's tree that the component's elements are copies of. They are the same until
    /// [`prune_wrappers`].
    pub(super) origins: Vec<ElementId>,
    /// The names of the animations.
    pub(super) animations: BTreeSet<String>,
    /// The custom properties to which keyframes refer.
    pub(super) unresolved_vars: UnresolvedVars,
    /// Properties that an element of the section's tree has taken over from a removed wrapper: it has other values than
    /// on the page.
    pub(super) moved: BTreeSet<(ElementId, Longhand)>,
    /// Flex and grid containers of the page that are blocks in the component.
    pub(super) blocks: BTreeSet<ElementId>,
    /// The number of slides and panels that only a script shows, and that are left out.
    pub(super) left_out_alternatives: usize,
}

impl Draft {
    /// Puts the tree and its rules together.
    pub(super) fn new(context: &PassContext<'_, '_>, state_sources: Vec<Vec<ElementId>>) -> Self {
        let SectionContext { view, request, tree, .. } = context.section;
        let resolved = context.resolved;
        let mut elements = tree.elements.clone();
        for (element, rules) in elements.iter_mut().zip(&resolved.rules) {
            element.rules.clone_from(rules);
        }
        if let Some(ElementId(at)) = tree.definitions {
            elements[at].rules = svg_defs::hidden_svg_rules();
        }
        let mut styles = context.section.computed.iter().flatten();
        let component = Component {
            is_border_box: styles.all(|style| style.box_sizing() == BoxSizing::BorderBox),
            name: request.name.clone(),
            role: request.role,
            lang: language::language(&view.document, request.section),
            theme: resolved.theme,
            dark_switch: request.dark_switch.clone(),
            baseline: request.baseline,
            state_sources,
            truncated: tree.truncated,
            elements,
            ..Component::default()
        };
        Self {
            origins: (0..component.elements.len()).map(ElementId).collect(),
            component,
            animations: BTreeSet::new(),
            unresolved_vars: UnresolvedVars::new(),
            moved: BTreeSet::new(),
            blocks: BTreeSet::new(),
            left_out_alternatives: 0,
        }
    }

    /// Returns the elements of the component by element of the section's tree; `None` for removed elements.
    pub(super) fn copies(&self, tree: &SectionTree) -> Vec<Option<ElementId>> {
        let mut copies = vec![None; tree.elements.len()];
        for (at, origin) in self.origins.iter().enumerate() {
            copies[origin.0] = Some(ElementId(at));
        }
        copies
    }
}
