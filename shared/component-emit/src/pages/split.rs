//! Splits a page into sections that are complete by themselves, for targets where a section is a file of its own and cannot be in
//! an element of another. Each section gets copies of the elements around it, which have what it inherits and how wide it is:
//!
//! `<main><section>…</section><section>…</section></main>` → `<main><section>…</section></main>` twice.
//!
//! Of what the elements around do before and after their contents (paddings, borders), the first section has the part before and
//! the last one the part after. Elements that arrange their contents in more than one way than below each other stay whole.

use limner_component_model::css::split_list::split_commas;
use limner_component_model::element_relations::ElementRelations;
use limner_component_model::model::{Child, Component, ElementId, PseudoElement, Rule, StateSourceListId, StateTarget};
use limner_component_model::page::Page;
use std::collections::HashSet;

/// Name of a part in which there is no section.
const OTHER: &str = "Content";

/// Elements that may stand around each section by itself.
const BLOCKS: &[&str] = &["article", "aside", "div", "footer", "header", "main", "nav", "section"];

/// Properties with which an element is more than a column of its contents, whatever their values are.
#[rustfmt::skip]
const WHOLE: &[&str] = &[
    "backdrop-filter", "border-bottom-left-radius", "border-bottom-right-radius", "border-top-left-radius", "border-top-right-radius",
    "box-shadow", "clip-path", "column-count", "column-width", "filter", "float", "grid-auto-columns", "grid-template-areas",
    "grid-template-columns", "mask-image", "opacity", "row-gap", "scroll-snap-type", "transform", "writing-mode",
];
/// Properties that the first of several sections, or the last one, has for all.
const BEFORE: &[&str] = &["border-top-color", "border-top-style", "border-top-width", "margin-top", "padding-top"];
const AFTER: &[&str] =
    &["border-bottom-color", "border-bottom-style", "border-bottom-width", "margin-bottom", "padding-bottom"];
/// Properties that are about all sections together.
const TOGETHER: &[&str] = &["grid-template-rows", "height", "max-height", "min-height"];

/// A run of siblings that become one section.
struct Run {
    parent: ElementId,
    children: Vec<Child>,
    /// The first section in it.
    section: Option<usize>,
    is_first: Vec<ElementId>,
    is_last: Vec<ElementId>,
}

/// Returns the sections of a page, in document order.
pub(super) fn split(page: &Page) -> Vec<Component> {
    let splitter = Splitter::new(page);
    let mut runs = Vec::new();
    if splitter.is_column(ElementId(0)) {
        splitter.split_in(ElementId(0), &mut runs);
    }
    if runs.is_empty() {
        return vec![page.component.clone()];
    }
    let mut names = HashSet::new();
    runs.iter().map(|run| splitter.component(run, &mut names)).collect()
}

struct Splitter<'p> {
    page: &'p Page,
    family: ElementRelations,
    /// By element: the first section that it is or contains.
    first_section: Vec<Option<usize>>,
    is_root: Vec<bool>,
}

impl<'p> Splitter<'p> {
    fn new(page: &'p Page) -> Self {
        let family = ElementRelations::from_component(&page.component);
        let count = page.component.elements.len();
        let (mut first_section, mut is_root) = (vec![None; count], vec![false; count]);
        for (at, section) in page.sections.iter().enumerate() {
            is_root[section.root.0] = true;
            for id in std::iter::once(section.root).chain(family.ancestors(section.root)) {
                first_section[id.0] = first_section[id.0].or(Some(at));
            }
        }
        Self { page, family, first_section, is_root }
    }

    /// Adds the runs in an element. Runs of its own are at its ends if their elements are.
    fn split_in(&self, id: ElementId, runs: &mut Vec<Run>) {
        let first = runs.len();
        let mut pending: Vec<Child> = Vec::new();
        for child in &self.page.component.elements[id.0].children {
            let Some(inner) = element(child).filter(|inner| self.first_section[inner.0].is_some()) else {
                pending.push(child.clone());
                continue;
            };
            let is_split = !self.is_root[inner.0] && self.is_column(inner);
            if is_split {
                self.add(id, std::mem::take(&mut pending), None, runs);
                self.split_in(inner, runs);
            } else {
                pending.push(child.clone());
                self.add(id, std::mem::take(&mut pending), self.first_section[inner.0], runs);
            }
        }
        match runs[first..].last_mut() {
            Some(last) if last.parent == id => last.children.append(&mut pending),
            _ => self.add(id, pending, None, runs),
        }
        if let [first, ..] = &mut runs[first..] {
            first.is_first.push(id);
        }
        if let Some(last) = runs[first..].last_mut() {
            last.is_last.push(id);
        }
    }

    /// Adds a run unless it has no elements.
    fn add(&self, parent: ElementId, children: Vec<Child>, section: Option<usize>, runs: &mut Vec<Run>) {
        if children.iter().any(|child| element(child).is_some()) || children.iter().any(is_words) {
            runs.push(Run { parent, children, section, is_first: Vec::new(), is_last: Vec::new() });
        }
    }

    /// Returns true for an element that stacks its contents, and whose parts look like itself.
    fn is_column(&self, id: ElementId) -> bool {
        let element = &self.page.component.elements[id.0];
        let own = || element.rules.iter().filter(|rule| rule.pseudo.is_none()).flat_map(|rule| &rule.declarations);
        let values = |name: &'static str| {
            own().filter(move |declaration| declaration.name == name).map(|own| own.value.as_str())
        };
        let is_stacked = values("display").all(|value| match value {
            "block" | "flow-root" | "contents" | "grid" => true,
            "flex" => values("flex-direction").any(|value| value == "column"),
            _ => false,
        });
        let is_in_flow = values("position").all(|value| matches!(value, "relative" | "static"));
        let is_row = values("flex-direction").any(|value| value != "column");
        let is_plain = BLOCKS.contains(&element.tag.as_str()) || element.tag.contains('-');
        is_plain
            && element.is_block_level
            && is_stacked
            && is_in_flow
            && !is_row
            && !own().any(|declaration| WHOLE.contains(&&*declaration.name))
            && !element.rules.iter().any(|rule| rule.pseudo.is_some())
    }

    /// Returns a run as a component, with the elements around it.
    fn component(&self, run: &Run, names: &mut HashSet<String>) -> Component {
        let page = &self.page.component;
        let mut path: Vec<ElementId> = std::iter::once(run.parent).chain(self.family.ancestors(run.parent)).collect();
        path.reverse();
        let mut ids: Vec<Option<ElementId>> = vec![None; page.elements.len()];
        let mut order = path.clone();
        for child in run.children.iter().filter_map(element) {
            self.collect(child, &mut order);
        }
        for (at, id) in order.iter().enumerate() {
            ids[id.0] = Some(ElementId(at));
        }
        let mut sources = StateSources::new(page, &ids);
        let elements = order.iter().enumerate().map(|(at, id)| {
            let mut element = page.elements[id.0].clone();
            if at < path.len() {
                element.children = match path.get(at + 1) {
                    Some(inner) => vec![Child::Element(*inner)],
                    None => run.children.clone(),
                };
                element.rules = self.rules_around(*id, run);
                if !(run.is_first.contains(id) && run.is_last.contains(id)) {
                    // A page has one `main`, and an identifier names one element.
                    element.tag = "div".to_owned();
                    element.attributes.retain(|attribute| attribute.name != "id" || run.is_first.contains(id));
                }
            }
            for child in &mut element.children {
                if let Child::Element(child) = child {
                    *child = ids[child.0].unwrap_or(*child);
                }
            }
            element.rules.retain_mut(|rule| sources.renumber(rule));
            element
        });
        let elements = elements.collect();
        let section = run.section.map(|at| &self.page.sections[at]);
        let name = unique_name(section.map_or(OTHER, |section| &section.name), names);
        let mut part = Component {
            name,
            role: section.and_then(|section| section.role),
            elements,
            state_sources: sources.lists,
            lang: page.lang.clone(),
            theme: page.theme,
            dark_switch: page.dark_switch.clone(),
            baseline: page.baseline,
            keyframes: page.keyframes.clone(),
            font_faces: page.font_faces.clone(),
            registrations: page.registrations.clone(),
            counter_styles: page.counter_styles.clone(),
            is_border_box: page.is_border_box,
            truncated: page.truncated,
        };
        keep_used(&mut part);
        part
    }

    fn collect(&self, id: ElementId, order: &mut Vec<ElementId>) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            order.push(id);
            open.extend(self.page.component.elements[id.0].children.iter().rev().filter_map(element));
        }
    }

    /// Returns the rules that an element around a run has in it.
    fn rules_around(&self, id: ElementId, run: &Run) -> Vec<Rule> {
        let (is_first, is_last) = (run.is_first.contains(&id), run.is_last.contains(&id));
        let mut rules = self.page.component.elements[id.0].rules.clone();
        for rule in rules.iter_mut().filter(|rule| rule.pseudo.is_none()) {
            rule.declarations.retain(|declaration| {
                let is_of = |names: &[&str]| names.contains(&&*declaration.name);
                (is_first || !is_of(BEFORE))
                    && (is_last || !is_of(AFTER))
                    && (!is_of(TOGETHER) || (is_first && is_last))
            });
        }
        let is_here = |pseudo: PseudoElement| match pseudo {
            PseudoElement::Before => is_first,
            PseudoElement::After => is_last,
            _ => true,
        };
        rules.retain(|rule| !rule.declarations.is_empty() && rule.pseudo.is_none_or(is_here));
        rules
    }
}

/// The lists of state sources of a part, which have other numbers than those of the page.
struct StateSources<'p> {
    page: &'p Component,
    ids: &'p [Option<ElementId>],
    /// By list of the page.
    numbers: Vec<Option<StateSourceListId>>,
    lists: Vec<Vec<ElementId>>,
}

impl<'p> StateSources<'p> {
    fn new(page: &'p Component, ids: &'p [Option<ElementId>]) -> Self {
        Self { page, ids, numbers: vec![None; page.state_sources.len()], lists: Vec::new() }
    }

    /// Renumbers the elements that a rule depends on; returns false if they are in another part.
    fn renumber(&mut self, rule: &mut Rule) -> bool {
        let Some(state) = &mut rule.state else { return true };
        let renumbered = match state.target {
            StateTarget::SelfElement => Some(StateTarget::SelfElement),
            StateTarget::Ancestor(id) => self.ids[id.0].map(StateTarget::Ancestor),
            StateTarget::Sibling(side, list) => self.list(list).map(|list| StateTarget::Sibling(side, list)),
            StateTarget::Descendant(list) => self.list(list).map(StateTarget::Descendant),
            StateTarget::Within(id, list) => {
                self.ids[id.0].and_then(|id| self.list(list).map(|list| StateTarget::Within(id, list)))
            }
        };
        renumbered.is_some_and(|target| {
            state.target = target;
            true
        })
    }

    fn list(&mut self, id: StateSourceListId) -> Option<StateSourceListId> {
        if let Some(known) = self.numbers[id.0] {
            return Some(known);
        }
        let own: Vec<ElementId> = self.page.state_sources[id.0].iter().filter_map(|id| self.ids[id.0]).collect();
        if own.is_empty() {
            return None;
        }
        let number = StateSourceListId(self.lists.len());
        self.lists.push(own);
        self.numbers[id.0] = Some(number);
        Some(number)
    }
}

/// Drops fonts and animations that a part does not use.
fn keep_used(part: &mut Component) {
    let (mut animations, mut families) = (HashSet::new(), HashSet::new());
    for declaration in part.elements.iter().flat_map(|element| &element.rules).flat_map(|rule| &rule.declarations) {
        // The computed value has the names of a custom property.
        let names = [&declaration.value, &declaration.computed].into_iter().flat_map(|value| split_commas(value));
        match &*declaration.name {
            "animation-name" => animations.extend(names.map(str::to_owned)),
            "font-family" => families.extend(names.map(family_key)),
            _ => {}
        }
    }
    part.keyframes.retain(|keyframes| animations.contains(&keyframes.name));
    part.font_faces.retain(|face| families.contains(&family_key(&face.family)));
}

/// Returns a family's name as names are compared: without quotes and in lower case.
fn family_key(name: &str) -> String {
    name.trim_matches(['"', '\'']).to_lowercase()
}

fn element(child: &Child) -> Option<ElementId> {
    match child {
        Child::Element(id) => Some(*id),
        Child::Text(_) => None,
    }
}

fn is_words(child: &Child) -> bool {
    matches!(child, Child::Text(text) if !text.trim_ascii().is_empty())
}

fn unique_name(name: &str, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let free = std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(free.clone());
    free
}
