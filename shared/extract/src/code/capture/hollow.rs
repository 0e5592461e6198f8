//! Elements that do nothing: wrappers that neither look like anything nor arrange what is in them, and empty elements that
//! take no room. What a page's scripts or sheets needed them for does not come along, so they are left out where nothing
//! moves without them. Text keeps the element that marks it up.

use super::resolve::Resolver;
use crate::code::model::{Baseline, Child, Component, Declaration, Element, ElementId, Namespace, StateOf};
use limner_style::property::Longhand;
use std::collections::HashSet;

/// Elements that are nothing but their contents.
const INLINE: &[&str] = &["span", "a", "b", "em", "i", "small", "strong", "u", "font", "abbr", "cite", "label"];

/// `display` values of elements that set blocks one below the other.
const FLOW: &[&str] = &["block", "flow-root", "inline-block", "table-cell", "table-caption", "none"];
/// Of elements that may also set lines.
const LINES: &[&str] = &["inline", "list-item"];

/// Elements that look for something among their children.
const PARTICULAR: &[&str] =
    &["details", "fieldset", "select", "option", "optgroup", "object", "video", "audio", "ruby"];

/// How deep in elements beside each other, and how far among their children, places are compared.
const LEVELS: usize = 4;
const MAX_PLACES: usize = 12;

/// The component without them. Ids of elements are given anew.
pub(super) fn leave_out(resolver: &Resolver<'_>, component: &mut Component) {
    let tree = Hollow::new(resolver, component);
    // From the inside out: of a chain of wrappers each is the only one left when its turn comes.
    let mut is_left_out = vec![false; component.elements.len()];
    for at in (0..component.elements.len()).rev() {
        for id in tree.thin_out(component, ElementId(at)) {
            is_left_out[id.0] = true;
        }
    }
    if is_left_out.contains(&true) {
        renumber(component, &is_left_out);
    }
}

struct Hollow {
    /// By element: a rule is about its state, or about where it stands.
    is_followed: Vec<bool>,
    /// By element: a rule is about which of its children stand beside each other.
    keeps_order: Vec<bool>,
    /// By element: it sets blocks one below the other, in every environment and state.
    sets_blocks: Vec<bool>,
    /// By element: it does that, or sets lines.
    sets_lines: Vec<bool>,
    /// By element: one like it has several wrappers in it, which group what is in each.
    is_grouped: Vec<bool>,
    /// By element: others that stand where it does have more in them.
    has_fuller: Vec<bool>,
    /// Keyframes change a share of a height.
    animates_shares: bool,
    has_margins: bool,
}

impl Hollow {
    fn new(resolver: &Resolver<'_>, component: &Component) -> Self {
        let count = component.elements.len();
        let (mut is_followed, mut keeps_order) = (vec![false; count], vec![false; count]);
        let parents: Vec<_> = resolver.skeleton.bones.iter().map(|bone| bone.parent).collect();
        for id in component.followed.iter().flatten() {
            is_followed[id.0] = true;
        }
        for state in component.elements.iter().flat_map(|element| &element.rules).filter_map(|rule| rule.state.as_ref())
        {
            match state.of {
                StateOf::Ancestor(id) | StateOf::Within(id, _) => is_followed[id.0] = true,
                StateOf::Sibling(_, list) => {
                    for parent in component.followed[list.0].iter().filter_map(|id| parents[id.0]) {
                        keeps_order[parent.0] = true;
                    }
                }
                StateOf::Itself | StateOf::Descendant(_) => {}
            }
        }
        let displays = |at: usize, known: &[&[&str]]| {
            let is_known = |display: &str| known.iter().any(|values| values.contains(&display));
            let element = &component.elements[at];
            element.namespace == Namespace::Html
                && !PARTICULAR.contains(&element.tag.as_str())
                && resolver.computed[at].iter().all(|style| is_known(style.get(Longhand::Display)))
                && declared(element, "display").all(is_known)
        };
        let mut animated =
            component.keyframes.iter().flat_map(|keyframes| &keyframes.frames).flat_map(|(_, frame)| frame);
        let mut hollow = Self {
            animates_shares: animated.any(|(name, value)| is_share(name, value)),
            is_followed,
            keeps_order,
            is_grouped: Vec::new(),
            has_fuller: vec![false; count],
            sets_blocks: (0..count).map(|at| displays(at, &[FLOW])).collect(),
            sets_lines: (0..count).map(|at| displays(at, &[FLOW, LINES])).collect(),
            has_margins: component.baseline == Baseline::Browser,
        };
        hollow.is_grouped = hollow.grouped(component, &parents);
        for element in &component.elements {
            let children: Vec<ElementId> = element.children.iter().filter_map(element_of).collect();
            hollow.compare(component, &children, LEVELS);
        }
        hollow
    }

    /// What is alike stays alike, for it is written as a loop: a card with one group has it as others have their two.
    fn grouped(&self, component: &Component, parents: &[Option<ElementId>]) -> Vec<bool> {
        let is_group = |id: &ElementId| component.elements[id.0].tag == "div" && self.is_bare(component, *id);
        let has_groups =
            |element: &Element| element.children.iter().filter_map(element_of).filter(is_group).count() > 1;
        let mut groups = HashSet::new();
        for (element, parent) in component.elements.iter().zip(parents) {
            if has_groups(element) {
                groups.insert((*parent, element.tag.as_str()));
            }
        }
        let elements = component.elements.iter().zip(parents);
        elements.map(|(element, parent)| groups.contains(&(*parent, element.tag.as_str()))).collect()
    }

    /// Of wrappers that stand at the same place in elements beside each other, those with one child stay where others have
    /// several, for the same reason: the answers to questions are all in one.
    fn compare(&mut self, component: &Component, beside: &[ElementId], levels: usize) {
        let tag_of = |id: &ElementId| component.elements[id.0].tag.as_str();
        let is_alike = beside.len() > 1 && beside.iter().all(|id| tag_of(id) == tag_of(&beside[0]));
        if !is_alike || levels == 0 {
            return;
        }
        let nth = |id: &ElementId, at: usize| component.elements[id.0].children.iter().filter_map(element_of).nth(at);
        for at in 0..MAX_PLACES {
            let place: Vec<ElementId> = beside.iter().filter_map(|id| nth(id, at)).collect();
            if place.len() < 2 {
                return;
            }
            let count = |id: &ElementId| component.elements[id.0].children.len();
            let are_wrappers = place.iter().all(|id| tag_of(id) == "div" && self.is_bare(component, *id));
            if are_wrappers && place.iter().any(|id| count(id) > 1) {
                place.iter().for_each(|id| self.has_fuller[id.0] |= count(id) == 1);
            }
            self.compare(component, &place, levels - 1);
        }
    }

    /// Takes those out of an element's children that do nothing, and names them.
    fn thin_out(&self, component: &mut Component, around: ElementId) -> Vec<ElementId> {
        let mut left_out = Vec::new();
        if self.keeps_order[around.0] || !self.sets_lines[around.0] {
            return left_out;
        }
        replace(component, around, &mut left_out, |component, id, _| self.is_empty(component, around, id));
        replace(component, around, &mut left_out, |component, id, is_only| {
            self.is_wrapper(component, around, id, is_only)
        });
        left_out
    }

    /// An element without contents that is not seen, and does not keep what is beside it apart.
    fn is_empty(&self, component: &Component, around: ElementId, id: ElementId) -> bool {
        let (element, parent) = (&component.elements[id.0], &component.elements[around.0]);
        if !self.is_bare(component, id) || !element.children.is_empty() {
            return false;
        }
        let is_block = element.tag == "div" || (element.tag == "p" && !self.has_margins);
        INLINE.contains(&element.tag.as_str()) || (is_block && self.sets_blocks[around.0] && parent.free_space)
    }

    /// An element around others, whose place its contents can take.
    fn is_wrapper(&self, component: &Component, around: ElementId, id: ElementId, is_only: bool) -> bool {
        let (element, parent) = (&component.elements[id.0], &component.elements[around.0]);
        let has_text = || element.children.iter().any(|child| matches!(child, Child::Text(text) if text != " "));
        if !self.is_bare(component, id) || element.children.is_empty() || has_text() || self.has_fuller[id.0] {
            return false;
        }
        let mut inside = element.children.iter().filter_map(element_of).map(|id| &component.elements[id.0]);
        // A parser ends a heading where another one begins in it.
        if is_heading(parent) && inside.clone().any(is_heading) {
            return false;
        }
        let is_single = element.children.len() == 1;
        let gives_way = match element.tag.as_str() {
            "span" => is_single && inside.all(|child| !child.breaks_lines && is_in_line(child)),
            "div" if !self.sets_blocks[around.0] || !parent.free_space => false,
            // In lines of its own an element is what it was in those of the wrapper.
            "div" if is_only => {
                let own = ["text-overflow", "unicode-bidi"].iter().all(|name| declared(parent, name).next().is_none());
                own && parent.free_ends && !self.is_grouped[around.0]
            }
            "div" => is_single && inside.all(|child| child.breaks_lines),
            _ => false,
        };
        gives_way && !self.depends(component, element)
    }

    /// Whether the place or size of something in an element follows from that of the element.
    fn depends(&self, component: &Component, element: &Element) -> bool {
        let mut open: Vec<ElementId> = element.children.iter().filter_map(element_of).collect();
        let follows = |declaration: &Declaration| match (&*declaration.name, declaration.value.as_str()) {
            ("position", value) => value.contains("sticky"),
            ("animation-name", _) => self.animates_shares,
            (name, value) => is_share(name, value),
        };
        while let Some(id) = open.pop() {
            let child = &component.elements[id.0];
            let rules = child.rules.iter().filter(|rule| rule.pseudo.is_none() || !child.breaks_lines);
            if rules.flat_map(|rule| &rule.declarations).any(follows)
                || child.attribute("height").is_some_and(|height| is_share("height", height))
            {
                return true;
            }
            // What stands in lines has its block around it, however deep.
            if !child.breaks_lines {
                open.extend(child.children.iter().filter_map(element_of));
            }
        }
        false
    }

    /// Nothing is said of it: neither how it looks nor what it means.
    fn is_bare(&self, component: &Component, id: ElementId) -> bool {
        let element = &component.elements[id.0];
        element.namespace == Namespace::Html
            && element.attributes.is_empty()
            && element.rules.is_empty()
            && !self.is_followed[id.0]
            && !self.keeps_order[id.0]
    }
}

/// Puts the contents of those children in their places.
fn replace(
    component: &mut Component,
    around: ElementId,
    left_out: &mut Vec<ElementId>,
    does_nothing: impl Fn(&Component, ElementId, bool) -> bool,
) {
    let children = &component.elements[around.0].children;
    let is_only = children.len() == 1;
    let is_found = |id: &ElementId| does_nothing(component, *id, is_only);
    let found: Vec<_> = children.iter().map(|child| element_of(child).filter(is_found)).collect();
    if found.iter().all(Option::is_none) {
        return;
    }
    let mut kept = Vec::with_capacity(found.len());
    for (child, found) in std::mem::take(&mut component.elements[around.0].children).into_iter().zip(found) {
        let Some(id) = found else {
            kept.push(child);
            continue;
        };
        left_out.push(id);
        let contents = std::mem::take(&mut component.elements[id.0].children);
        if is_only && !contents.is_empty() {
            component.elements[around.0].free_space = component.elements[id.0].free_space;
        }
        kept.extend(contents);
    }
    let own = &mut component.elements[around.0];
    if own.preserves_space {
        own.children = joined(kept, |_| false);
    } else {
        own.children = joined(kept, |before| before.ends_with(' '));
        settle_space(component, around);
    }
}

/// White space shows nothing at the ends of a block, nor between blocks once nothing stands in lines any more.
fn settle_space(component: &mut Component, around: ElementId) {
    let own = &component.elements[around.0];
    let is_apart = |child: &Child| match child {
        Child::Element(id) => component.elements[id.0].breaks_lines && component.elements[id.0].tag != "br",
        Child::Text(text) => text == " ",
    };
    if !own.free_ends {
        return;
    }
    let is_apart = own.children.iter().all(is_apart);
    let own = &mut component.elements[around.0];
    own.free_space |= is_apart;
    if let Some(Child::Text(first)) = own.children.first_mut() {
        first.drain(..first.len() - first.trim_start_matches(' ').len());
    }
    if let Some(Child::Text(last)) = own.children.last_mut() {
        last.truncate(last.trim_end_matches(' ').len());
    }
    own.children.retain(|child| !matches!(child, Child::Text(text) if text.is_empty() || (is_apart && text == " ")));
}

/// A share of the height of the block around.
fn is_share(name: &str, value: &str) -> bool {
    matches!(name, "height" | "min-height" | "max-height" | "top" | "bottom")
        && (value.contains('%') || value.contains("stretch") || value.contains("available"))
}

fn is_heading(element: &Element) -> bool {
    matches!(element.tag.as_str(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

fn is_in_line(element: &Element) -> bool {
    declared(element, "float").all(|value| value == "none")
        && declared(element, "position").all(|value| value == "relative")
}

/// What is declared for a property of the element itself, in any environment and state.
fn declared<'e>(element: &'e Element, name: &'e str) -> impl Iterator<Item = &'e str> {
    let own = element.rules.iter().filter(|rule| rule.pseudo.is_none()).flat_map(|rule| &rule.declarations);
    own.filter(move |declaration| declaration.name == name).map(|declaration| declaration.value.as_str())
}

fn element_of(child: &Child) -> Option<ElementId> {
    match child {
        Child::Element(id) => Some(*id),
        Child::Text(_) => None,
    }
}

/// Texts that an element was between are one; a space is left out after what ends in one.
fn joined(children: Vec<Child>, ends_in_space: impl Fn(&str) -> bool) -> Vec<Child> {
    let mut out: Vec<Child> = Vec::with_capacity(children.len());
    for child in children {
        match (out.last_mut(), child) {
            (Some(Child::Text(before)), Child::Text(text)) => {
                before.push_str(if ends_in_space(before) { text.trim_start_matches(' ') } else { &text });
            }
            (_, child) => out.push(child),
        }
    }
    out
}

/// Drops elements that nothing leads to any more.
fn renumber(component: &mut Component, is_left_out: &[bool]) {
    let mut next = 0;
    let ids: Vec<ElementId> = is_left_out
        .iter()
        .map(|is_left_out| {
            let id = ElementId(next);
            next += usize::from(!is_left_out);
            id
        })
        .collect();
    let mut at = 0;
    component.elements.retain(|_| {
        at += 1;
        !is_left_out[at - 1]
    });
    for element in &mut component.elements {
        for child in &mut element.children {
            if let Child::Element(id) = child {
                *id = ids[id.0];
            }
        }
        for state in element.rules.iter_mut().filter_map(|rule| rule.state.as_mut()) {
            if let StateOf::Ancestor(id) | StateOf::Within(id, _) = &mut state.of {
                *id = ids[id.0];
            }
        }
    }
    for id in component.followed.iter_mut().flatten() {
        *id = ids[id.0];
    }
}
