//! Removes redundant wrappers and empty elements: wrappers that neither look like anything nor lay out their contents,
//! and empty elements that take no room. The page's scripts or stylesheets that needed them are not part of the
//! component, so they are removed where this moves nothing. Text keeps the element that marks it up.
//!
//! Before → after: `<section><div><h2>…</h2></div></section>` → `<section><h2>…</h2></section>`. Declarations of a wrapper
//! that look the same on its only child move there ([`merge_into_child`]).
//!
//! Reads everything that makes an element more than a wrapper, and changes the tree. It stands after `flex-to-block` and
//! `declare-variables`, because an element is redundant once it has neither rules nor attributes, and before
//! `mark-up-contents` alone, because it renumbers elements: for the passes before it, an [`ElementId`] is an index of the
//! section's tree as well.

mod absorb_spacers;
mod aspect_ratios;
mod base_declaration;
mod bold_headings;
mod hidden_alternatives;
mod merge_into_child;
mod never_shown;
mod remove_elements;
mod split_text;

use crate::capture::passes::{Draft, PassContext};
use limner_component_model::model::{
    Attribute, Baseline, Child, Component, Declaration, Element, ElementId, Namespace, Rule, StateTarget,
};
use limner_style::computed::Display;
use limner_style::property::Longhand;
use merge_into_child::{
    WrapperMerger, is_invisible_link, is_invisible_when_empty, is_unseen_in_line, is_unseen_out_of_flow,
    move_declarations,
};
use remove_elements::{renumber, splice_children};
use std::collections::{BTreeSet, HashSet};

/// Inline elements that render nothing but their contents.
const INLINE: &[&str] = &["span", "a", "b", "em", "i", "small", "strong", "u", "font", "abbr", "cite", "label"];

/// Attributes that only say where a link leads.
const LINKS: &[&str] = &["href", "rel", "target"];

/// Elements that mark up a text of their own: a paragraph in them says no more.
const LABELS: &[&str] = &["a", "button", "label", "summary"];

/// `display` values of elements that stack blocks vertically.
const FLOW: &[Display] = &[
    Display::Block,
    Display::FlowRoot,
    Display::InlineBlock,
    Display::TableCell,
    Display::TableCaption,
    Display::None,
];
/// `display` values of elements that may also contain lines.
const LINES: &[Display] = &[Display::Inline, Display::ListItem];

/// Elements that have special children.
const SPECIAL_ELEMENTS: &[&str] =
    &["details", "fieldset", "select", "option", "optgroup", "object", "video", "audio", "ruby"];

/// Maximum depth at which the descendants of siblings are compared.
const LEVELS: usize = 4;
/// Maximum number of children that are compared at each level.
const MAX_COMPARED_CHILDREN: usize = 12;

/// Removes redundant elements from a component and renumbers the others.
pub(crate) fn prune_wrappers(context: &PassContext<'_, '_>, draft: &mut Draft) {
    let component = &mut draft.component;
    let pruner = WrapperPruner::new(context, component, &draft.blocks);
    let bold = bold_headings::bold_headings(component, &context.section.computed, &|element, id| {
        pruner.is_anonymous(element, id)
    });
    // From the inside out: in a chain of wrappers, each is the only child when its turn comes.
    let mut is_left_out = vec![false; component.elements.len()];
    for (at, origin) in context.section.tree.origins.iter().enumerate() {
        let parent = origin.parent.map_or(0, |parent| parent.0);
        is_left_out[at] = pruner.is_never_shown[parent] || is_left_out[parent];
        if pruner.is_never_shown[at] {
            component.elements[at].children.clear();
        }
    }
    draft.left_out_alternatives = pruner.alternatives;
    for (id, spacer) in aspect_ratios::write_ratios(context, component, &|element, id| pruner.is_free(element, id)) {
        spacer.into_iter().for_each(|id| is_left_out[id.0] = true);
        draft.moved.insert((id, Longhand::AspectRatio));
    }
    for (heading, strong, weight) in bold {
        is_left_out[strong.0] = true;
        let contents = std::mem::take(&mut component.elements[strong.0].children);
        component.elements[heading.0].children = contents;
        let mut own = context.section.computed[heading.0].iter();
        if own.any(|style| style.get(Longhand::FontWeight) != weight) {
            bold_headings::set_weight(&mut component.elements[heading.0], &weight);
            draft.moved.insert((heading, Longhand::FontWeight));
        }
    }
    for at in (0..component.elements.len()).rev() {
        pruner.prune_children(component, ElementId(at)).into_iter().for_each(|id| is_left_out[id.0] = true);
        for (spacer, before) in pruner.absorb_spacers(context, component, ElementId(at)) {
            is_left_out[spacer.0] = true;
            draft.moved.insert((before, Longhand::MarginBottom));
        }
    }
    let merger = WrapperMerger::new(component, &context.section.computed, &draft.blocks);
    for at in (0..component.elements.len()).rev().filter(|at| !is_left_out[*at]).collect::<Vec<_>>() {
        for (id, child, names) in pruner.merge_children(&merger, component, ElementId(at)) {
            let longhands = names.iter().filter_map(|name| Longhand::from_name(name));
            draft.moved.extend(longhands.map(|longhand| (child, longhand)));
            is_left_out[id.0] = true;
        }
    }
    if is_left_out.contains(&true) {
        renumber(component, &is_left_out);
        let mut left_out = is_left_out.iter();
        draft.origins.retain(|_| left_out.next() != Some(&true));
        drop_unused_keyframes(component);
    }
}

/// Drops the animations of elements that are gone.
fn drop_unused_keyframes(component: &mut Component) {
    let rules = component.elements.iter().flat_map(|element| &element.rules);
    let refers = |own: &&Declaration| own.name == "animation-name" || own.name.starts_with("--");
    let declared = rules.flat_map(|rule| &rule.declarations).filter(refers);
    let used: HashSet<&str> = declared.flat_map(|own| own.value.split([',', ' '])).collect();
    let is_kept: Vec<bool> = component.keyframes.iter().map(|own| used.contains(own.name.as_str())).collect();
    let mut is_kept = is_kept.into_iter();
    component.keyframes.retain(|_| is_kept.next() != Some(false));
}

/// Facts about all elements that decide which of them are redundant.
struct WrapperPruner {
    /// By element: true if a rule depends on its state, or on its position, or if the caller asks for it.
    is_referenced: Vec<bool>,
    /// By element: true if a rule depends on which of its children are siblings.
    keeps_order: Vec<bool>,
    /// By element: true if it is a block container that stacks blocks, in every environment and state.
    is_block_container: Vec<bool>,
    /// By element: true if it is that, or an inline box, in every environment and state.
    is_flow_layout: Vec<bool>,
    /// By element: true if it, or a sibling with the same tag, has several wrappers which group its contents.
    is_grouped: Vec<bool>,
    /// By element: true if wrappers at the same position in sibling elements have more children.
    has_fuller_counterpart: Vec<bool>,
    /// By element: true if it is hidden under all conditions.
    is_never_shown: Vec<bool>,
    /// The number of elements among them that stand beside a shown one of their kind.
    alternatives: usize,
    /// True if keyframes animate a percentage of a height.
    animates_shares: bool,
    has_margins: bool,
}

impl WrapperPruner {
    fn new(context: &PassContext<'_, '_>, component: &Component, blocks: &BTreeSet<ElementId>) -> Self {
        let count = component.elements.len();
        let (mut is_referenced, mut keeps_order) = (vec![false; count], vec![false; count]);
        let parents: Vec<_> = context.section.tree.origins.iter().map(|origin| origin.parent).collect();
        let mut used_lists: BTreeSet<usize> = BTreeSet::new();
        let kept = context.section.request.kept;
        for (at, origin) in context.section.tree.origins.iter().enumerate().filter(|_| !kept.is_empty()) {
            is_referenced[at] |= origin.source == 0 && kept.contains(&origin.node);
        }
        for state in component.elements.iter().flat_map(|element| &element.rules).filter_map(|rule| rule.state.as_ref())
        {
            match state.target {
                StateTarget::Ancestor(id) => is_referenced[id.0] = true,
                StateTarget::Within(id, list) => {
                    is_referenced[id.0] = true;
                    used_lists.insert(list.0);
                }
                StateTarget::Descendant(list) => drop(used_lists.insert(list.0)),
                StateTarget::Sibling(_, list) => {
                    used_lists.insert(list.0);
                    for parent in component.state_sources[list.0].iter().filter_map(|id| parents[id.0]) {
                        keeps_order[parent.0] = true;
                    }
                }
                StateTarget::SelfElement => {}
            }
        }
        // Rules about the states of other lists are gone.
        for id in used_lists.into_iter().flat_map(|list| &component.state_sources[list]) {
            is_referenced[id.0] = true;
        }
        let displays = |at: usize, known: &[&[Display]]| {
            let is_known = |display: Display| known.iter().any(|values| values.contains(&display));
            let element = &component.elements[at];
            element.namespace == Namespace::Html
                && !SPECIAL_ELEMENTS.contains(&element.tag.as_str())
                && (blocks.contains(&ElementId(at))
                    || context.section.computed[at].iter().all(|style| is_known(style.display())))
                && declared(element, "display").all(|declared| Display::parse(declared).is_some_and(is_known))
        };
        let mut animated =
            component.keyframes.iter().flat_map(|keyframes| &keyframes.frames).flat_map(|(_, frame)| frame);
        let mut is_never_shown = never_shown::never_shown(component, &is_referenced);
        let alternatives = hidden_alternatives::hidden_alternatives(context.section, component, &is_referenced);
        alternatives.iter().for_each(|id| is_never_shown[id.0] = true);
        let mut pruner = Self {
            animates_shares: animated.any(|(name, value)| is_share(name, value)),
            is_never_shown,
            alternatives: alternatives.len(),
            is_referenced,
            keeps_order,
            is_grouped: Vec::new(),
            has_fuller_counterpart: vec![false; count],
            is_block_container: (0..count).map(|at| displays(at, &[FLOW])).collect(),
            is_flow_layout: (0..count).map(|at| displays(at, &[FLOW, LINES])).collect(),
            has_margins: component.baseline == Baseline::Browser,
        };
        pruner.is_grouped = pruner.mark_grouping_wrappers(component, &parents);
        for element in &component.elements {
            let children: Vec<ElementId> = element.children.iter().filter_map(child_element).collect();
            pruner.mark_parallel_wrappers(component, &children, LEVELS);
        }
        pruner
    }

    /// Marks elements whose similar siblings group their contents. Similar elements stay similar, because they are
    /// emitted as a loop: a card with one group keeps its wrapper as other cards keep their two.
    fn mark_grouping_wrappers(&self, component: &Component, parents: &[Option<ElementId>]) -> Vec<bool> {
        let is_group = |id: &ElementId| component.elements[id.0].tag == "div" && self.is_unstyled(component, *id);
        let has_groups =
            |element: &Element| element.children.iter().filter_map(child_element).filter(is_group).count() > 1;
        let mut groups = HashSet::new();
        for (element, parent) in component.elements.iter().zip(parents) {
            if has_groups(element) {
                groups.insert((*parent, element.tag.as_str()));
            }
        }
        let elements = component.elements.iter().zip(parents);
        elements.map(|(element, parent)| groups.contains(&(*parent, element.tag.as_str()))).collect()
    }

    /// Marks wrappers with one child whose counterparts, at the same position in sibling elements, have several, for
    /// the same reason: the answers to all questions of a list keep their wrapper.
    fn mark_parallel_wrappers(&mut self, component: &Component, siblings: &[ElementId], levels: usize) {
        let tag_of = |id: &ElementId| component.elements[id.0].tag.as_str();
        let is_alike = siblings.len() > 1 && siblings.iter().all(|id| tag_of(id) == tag_of(&siblings[0]));
        if !is_alike || levels == 0 {
            return;
        }
        let nth =
            |id: &ElementId, at: usize| component.elements[id.0].children.iter().filter_map(child_element).nth(at);
        for at in 0..MAX_COMPARED_CHILDREN {
            let place: Vec<ElementId> = siblings.iter().filter_map(|id| nth(id, at)).collect();
            if place.len() < 2 {
                return;
            }
            let count = |id: &ElementId| component.elements[id.0].children.len();
            let are_wrappers = place.iter().all(|id| tag_of(id) == "div" && self.is_unstyled(component, *id));
            if are_wrappers && place.iter().any(|id| count(id) > 1) {
                place.iter().for_each(|id| self.has_fuller_counterpart[id.0] |= count(id) == 1);
            }
            self.mark_parallel_wrappers(component, &place, levels - 1);
        }
    }

    /// Removes redundant elements from an element's children, and returns them.
    fn prune_children(&self, component: &mut Component, container: ElementId) -> Vec<ElementId> {
        let mut left_out = Vec::new();
        if component.elements[container.0].namespace == Namespace::Svg {
            splice_children(component, container, &mut left_out, |component, id, is_only| {
                self.is_same_viewport(component, container, id, is_only)
            });
            return left_out;
        }
        if self.keeps_order[container.0] {
            return left_out;
        }
        splice_children(component, container, &mut left_out, |_, id, _| self.is_never_shown[id.0]);
        if !self.is_flow_layout[container.0] {
            return left_out;
        }
        if split_text::is_split(component, container, &|element, id| self.is_anonymous(element, id)) {
            splice_children(component, container, &mut left_out, |_, _, _| true);
        }
        splice_children(component, container, &mut left_out, |component, id, _| {
            self.is_empty(component, container, id)
        });
        splice_children(component, container, &mut left_out, |component, id, is_only| {
            self.is_wrapper(component, container, id, is_only)
        });
        left_out
    }

    /// Replaces spacers among an element's children by margins, if it is a block.
    fn absorb_spacers(
        &self,
        context: &PassContext<'_, '_>,
        component: &mut Component,
        container: ElementId,
    ) -> Vec<(ElementId, ElementId)> {
        let own = &component.elements[container.0];
        if self.keeps_order[container.0] || !self.is_block_container[container.0] || !own.whitespace_insignificant {
            return Vec::new();
        }
        absorb_spacers::absorb_spacers(context, component, container, &|element, id| self.is_free(element, id))
    }

    /// Moves the declarations of wrappers among an element's children to their only children, which take their places.
    /// Returns the wrappers, these children, and the properties.
    fn merge_children(
        &self,
        merger: &WrapperMerger<'_>,
        component: &mut Component,
        container: ElementId,
    ) -> Vec<(ElementId, ElementId, Vec<String>)> {
        if self.keeps_order[container.0] {
            return Vec::new();
        }
        let is_referenced = |id: ElementId| self.is_referenced[id.0] || self.keeps_order[id.0];
        let mut merged = Vec::new();
        for at in 0..component.elements[container.0].children.len() {
            let Some(id) = child_element(&component.elements[container.0].children[at]) else { continue };
            let Some(child) = merger.mergeable_child(component, container, id, &is_referenced) else { continue };
            let is_fixed =
                [id, child].iter().any(|id| self.depends_on_parent_size(component, &component.elements[id.0]));
            if is_fixed {
                continue;
            }
            component.elements[container.0].children[at] = Child::Element(child);
            component.elements[id.0].children.clear();
            merged.push((id, child, move_declarations(component, id, child)));
        }
        merged
    }

    /// Returns true for an element without contents that is invisible and does not separate its neighbours.
    fn is_empty(&self, component: &Component, container: ElementId, id: ElementId) -> bool {
        let (element, parent) = (&component.elements[id.0], &component.elements[container.0]);
        // A sprite whose symbols are written where they are used.
        if element.tag == "svg" && element.children.is_empty() && self.is_free_drawing(element, id) {
            return true;
        }
        let is_link =
            is_invisible_link(element) && element.attributes.iter().all(|own| LINKS.contains(&own.name.as_str()));
        if !element.children.is_empty() || !(self.is_anonymous(element, id) || (is_link && self.is_free(element, id))) {
            return false;
        }
        if is_link || has_no_box(element) {
            return true;
        }
        if is_unseen_out_of_flow(element) || (INLINE.contains(&element.tag.as_str()) && is_unseen_in_line(element)) {
            return true;
        }
        let is_flat = element.tag == "div"
            && self.is_block_container[id.0]
            && declared(element, "display").next().is_none()
            && is_invisible_when_empty(element);
        if !element.rules.is_empty() {
            return is_flat && self.is_block_container[container.0] && parent.whitespace_insignificant;
        }
        let is_block = element.tag == "div" || (element.tag == "p" && !self.has_margins);
        INLINE.contains(&element.tag.as_str())
            || (is_block && self.is_block_container[container.0] && parent.whitespace_insignificant)
    }

    /// Returns true for a drawing that takes no room, and on which no rule depends.
    fn is_free_drawing(&self, element: &Element, id: ElementId) -> bool {
        let is_hidden = |own: &Declaration| match &*own.name {
            "display" => own.value == "none",
            "position" => matches!(own.value.as_str(), "absolute" | "fixed"),
            _ => false,
        };
        let mut base = element.rules.iter().filter(|rule| rule.condition.is_empty() && rule.state.is_none());
        !self.is_referenced[id.0]
            && !self.keeps_order[id.0]
            && base.any(|rule| rule.declarations.iter().any(is_hidden))
            && element.rules.iter().all(|rule| rule.state.is_none() && rule.condition.is_empty())
    }

    /// Returns true for an `svg` alone in another one that has the same coordinates, as libraries of icons write it, and
    /// for a group that says nothing.
    fn is_same_viewport(&self, component: &Component, container: ElementId, id: ElementId, is_only: bool) -> bool {
        let (element, parent) = (&component.elements[id.0], &component.elements[container.0]);
        let is_free = element.namespace == Namespace::Svg
            && element.rules.is_empty()
            && !self.is_referenced[id.0]
            && !self.keeps_order[id.0]
            && !self.keeps_order[container.0];
        let is_default = |name: &str, value: &str| match name {
            "viewBox" => value.starts_with("0 0 ") && parent.attribute("viewBox") == Some(value),
            "width" | "height" => value == "100%",
            "xmlns" => true,
            _ => false,
        };
        let shows_whole = || {
            let is_known = |own: &Attribute| is_default(&own.name, &own.value);
            let mut around = parent.attributes.iter();
            element.attribute("viewBox").is_some()
                && element.attributes.iter().all(is_known)
                && around.all(|own| own.name != "preserveAspectRatio")
        };
        is_free
            && match (parent.tag.as_str(), element.tag.as_str()) {
                ("svg", "svg") => is_only && shows_whole(),
                ("svg" | "g", "g") => element.attributes.is_empty() && !element.children.is_empty(),
                _ => false,
            }
    }

    /// Returns true for an element that can be removed, with its contents in its place.
    fn is_wrapper(&self, component: &Component, container: ElementId, id: ElementId, is_only: bool) -> bool {
        let (element, parent) = (&component.elements[id.0], &component.elements[container.0]);
        let is_paragraph = element.tag == "p" && !self.has_margins && LABELS.contains(&parent.tag.as_str());
        // Text keeps the element that marks it up, which the only box in another one does not.
        let has_name = is_heading(parent) || matches!(parent.tag.as_str(), "p" | "span");
        let is_label = element.tag == "span" && (has_name || LABELS.contains(&parent.tag.as_str()));
        let marks_up = !(is_paragraph || is_only && (element.tag == "div" || is_label));
        let has_text =
            || marks_up && element.children.iter().any(|child| matches!(child, Child::Text(text) if text != " "));
        if !self.is_unstyled(component, id)
            || element.children.is_empty()
            || has_text()
            || self.has_fuller_counterpart[id.0]
        {
            return false;
        }
        let mut inside = element.children.iter().filter_map(child_element).map(|id| &component.elements[id.0]);
        // The HTML parser ends a heading where another one begins inside of it.
        if is_heading(parent) && inside.clone().any(is_heading) {
            return false;
        }
        let is_single = element.children.len() == 1;
        let gives_way = match element.tag.as_str() {
            "span" => is_single && inside.all(|child| !child.is_block_level && is_in_line(child)),
            "div" if !self.is_block_container[container.0] || !parent.whitespace_insignificant => false,
            "p" if !is_paragraph || !is_only || !self.is_block_container[container.0] => false,
            // Lines directly in the parent are the same as in its only child.
            "div" | "p" if is_only => {
                let own = ["text-overflow", "unicode-bidi"].iter().all(|name| declared(parent, name).next().is_none());
                own && parent.edge_whitespace_insignificant && !self.is_grouped[container.0]
            }
            "div" => is_single && inside.all(|child| child.is_block_level),
            _ => false,
        };
        gives_way && !self.depends_on_parent_size(component, element)
    }

    /// Returns true if the position or size of a descendant depends on that of the element.
    fn depends_on_parent_size(&self, component: &Component, element: &Element) -> bool {
        let mut open: Vec<ElementId> = element.children.iter().filter_map(child_element).collect();
        let follows = |declaration: &Declaration| match (&*declaration.name, declaration.value.as_str()) {
            ("position", value) => value.contains("sticky"),
            ("animation-name", _) => self.animates_shares,
            (name, value) => is_share(name, value),
        };
        while let Some(id) = open.pop() {
            let child = &component.elements[id.0];
            let rules = child.rules.iter().filter(|rule| rule.pseudo.is_none() || !child.is_block_level);
            if rules.flat_map(|rule| &rule.declarations).any(follows)
                || child.attribute("height").is_some_and(|height| is_share("height", height))
            {
                return true;
            }
            // A descendant in a line has the element as its containing block, however deep.
            if !child.is_block_level {
                open.extend(child.children.iter().filter_map(child_element));
            }
        }
        false
    }

    /// Returns true if an element has neither rules nor attributes, and no rule depends on it.
    fn is_unstyled(&self, component: &Component, id: ElementId) -> bool {
        let element = &component.elements[id.0];
        element.rules.is_empty() && self.is_anonymous(element, id)
    }

    /// Returns true if an element has no attributes, and no rule depends on it.
    fn is_anonymous(&self, element: &Element, id: ElementId) -> bool {
        element.attributes.is_empty() && self.is_free(element, id)
    }

    /// Returns true for an element of HTML on which no rule depends.
    fn is_free(&self, element: &Element, id: ElementId) -> bool {
        element.namespace == Namespace::Html && !self.is_referenced[id.0] && !self.keeps_order[id.0]
    }
}

/// Returns true for a percentage of the containing block's height.
fn is_share(name: &str, value: &str) -> bool {
    matches!(name, "height" | "min-height" | "max-height" | "top" | "bottom")
        && (value.contains('%') || value.contains("stretch") || value.contains("available"))
}

/// Returns true for an element that has no box in any case, and generates none.
fn has_no_box(element: &Element) -> bool {
    let is_base = |rule: &Rule| rule.condition.is_empty() && rule.state.is_none() && rule.pseudo.is_none();
    element.rules.iter().all(|rule| rule.pseudo.is_none())
        && element.rules.iter().any(|rule| is_base(rule) && rule.declarations.iter().any(|own| own.name == "display"))
        && declared(element, "display").all(|value| Display::parse(value) == Some(Display::Contents))
}

fn is_heading(element: &Element) -> bool {
    matches!(element.tag.as_str(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

fn is_in_line(element: &Element) -> bool {
    declared(element, "float").all(|value| value == "none")
        && declared(element, "position").all(|value| value == "relative")
}

/// Iterates over the values declared for a property of the element itself, in any environment and state.
fn declared<'e>(element: &'e Element, name: &'e str) -> impl Iterator<Item = &'e str> {
    let own = element.rules.iter().filter(|rule| rule.pseudo.is_none()).flat_map(|rule| &rule.declarations);
    own.filter(move |declaration| declaration.name == name).map(|declaration| declaration.value.as_str())
}

fn child_element(child: &Child) -> Option<ElementId> {
    match child {
        Child::Element(id) => Some(*id),
        Child::Text(_) => None,
    }
}
