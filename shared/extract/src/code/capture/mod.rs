//! From a section of a page to a [`Component`].
//!
//! The section's [skeleton] is parsed again on its own, as it will be where it is pasted. In every environment that the
//! section's rules tell apart ([grid]), each element is computed twice: as it is on its page, and as an unstyled element
//! of the skeleton would be below the same parent. What differs has to be declared ([resolve]), as the author specified
//! it where the author did, and as few declarations as will do ([encode]).

mod acts;
mod alike;
mod at_first;
mod at_once;
mod at_rules;
mod attributes;
mod backdrop;
mod carried;
mod collector;
mod contained;
mod counters;
mod definitions;
pub(super) mod embedded;
mod enclosure;
mod encode;
mod flow;
mod followed;
mod grid;
mod held_open;
mod hollow;
mod inert;
mod item;
mod keyframes;
mod lone;
mod native;
mod off_canvas;
mod offset;
mod placement;
mod presentation;
mod pseudo;
mod quirky;
mod registered;
mod resolve;
mod root;
mod scheme;
mod sheltered;
mod sized;
mod skeleton;
mod space;
mod states;
mod steps;
mod sticking;
mod strut;
mod surroundings;
mod tags;
mod tokens;
mod transforms;
mod transitions;
mod triggers;
mod unhide;
mod value;
mod verify;
mod white_space;
mod windows;
mod words;

pub(super) use skeleton::is_left_out;
pub(super) use words::chosen_words;

use super::model::{Attribute, Baseline, Component, Element, ElementId, Namespace};
use super::root_theme::RootTheme;
use super::themes::RootMark;
use crate::PageView;
use crate::svg::library::Library;
use grid::Grid;
use limner_page::{Document, NodeId, PageSnapshot, Sheet, SheetOwner};
use limner_style::color::Scheme;
use limner_style::property::Longhand;
use limner_style::{Environment, Questions, StyleIndex};
use limner_types::result::TokenGroups;
use limner_types::{SectionRole, Theme};
use resolve::{Resolved, Resolver};

/// What of a page becomes a component, and how.
pub(super) struct Order<'a> {
    /// The root of the section.
    pub(super) section: NodeId,
    /// What the component is pasted into.
    pub(super) baseline: Baseline,
    /// Its name.
    pub(super) name: String,
    /// What the section is for.
    pub(super) role: Option<SectionRole>,
    /// The rules of the page under the theme that forms the component.
    pub(super) index: &'a StyleIndex<'a>,
    /// That theme.
    pub(super) scheme: Scheme,
    /// What the root of the page says of it.
    pub(super) root_theme: RootTheme,
    /// The rules of the page under its dark theme, when that rides along.
    pub(super) dark: Option<&'a StyleIndex<'a>>,
    /// What alone switches the page to that.
    pub(super) dark_switch: Option<RootMark>,
}

/// Tailwind v4's preflight, as far as it says anything about elements (tailwindcss 4, `preflight.css`).
const PREFLIGHT: &str = include_str!("preflight.css");

/// A section as a component.
pub(super) struct Captured {
    pub(super) component: Component,
    /// How much of the section the component has, in percent of computed values.
    pub(super) coverage: f64,
    /// The design tokens of what it is made of.
    pub(super) tokens: TokenGroups,
}

/// Captures a section.
pub(super) fn capture(view: &PageView<'_>, library: &Library<'_>, order: &Order<'_>) -> Captured {
    let path = table_path(&view.document, order.section);
    let mut skeleton = skeleton::build(view, library, order.index, order.section, &path);
    if is_right_to_left(&view.document, order.section) {
        write_right_to_left(&mut skeleton.elements[0]);
    }
    let grid = grid_of(view, order);
    if order.baseline == Baseline::Preflight {
        unhide::unhide(&mut skeleton, order, &grid);
    }
    let bare_page = bare_page(&skeleton, order.baseline);
    let bare_document = Document::parse(&bare_page.html).with_budget(view.document.work());
    let bare = StyleIndex::new(&bare_page, &bare_document);
    let mut resolver = Resolver::new(view, order, &skeleton, &grid, &bare);
    let (mut component, coverage) = verified(&mut resolver);
    let tokens = tokens::of(&mut resolver, &component);
    at_first::turn_round(&mut resolver, &mut component);
    hollow::leave_out(&resolver, &mut component);
    Captured { component, coverage, tokens }
}

/// The component, held against the page until it is the same or does not become so, and how much of it is.
fn verified(resolver: &mut Resolver<'_>) -> (Component, f64) {
    let order = resolver.order;
    let mut resolved = resolver.resolve();
    let component = assemble(resolver, &resolved);
    let mut found = verify::compare(order, resolver, &component);
    found.missing.append(&mut resolver.sheltered(&resolved.rules));
    if found.missing.is_empty() {
        return (component, found.coverage());
    }
    resolver.mend(&mut resolved, std::mem::take(&mut found.missing));
    let component = assemble(resolver, &resolved);
    let found = verify::compare(order, resolver, &component);
    if found.missing.is_empty() {
        return (component, found.coverage());
    }
    let before = (found.missing.len(), found.coverage());
    resolver.settle(&mut resolved, found.missing);
    let settled = assemble(resolver, &resolved);
    let found = verify::compare(order, resolver, &settled);
    if found.missing.len() < before.0 { (settled, found.coverage()) } else { (component, before.1) }
}

fn assemble(resolver: &Resolver<'_>, resolved: &Resolved) -> Component {
    let (view, order, skeleton) = (resolver.view, resolver.order, resolver.skeleton);
    let mut elements = skeleton.elements.clone();
    for (element, rules) in elements.iter_mut().zip(&resolved.rules) {
        element.rules.clone_from(rules);
    }
    if let Some(ElementId(at)) = skeleton.definitions {
        elements[at].rules = definitions::out_of_the_way();
    }
    space::settle(&mut elements, &resolved.flow);
    scheme::settle_sources(&mut elements, order.scheme);
    let used = at_rules::used(order.index, &elements, resolved);
    let (mut keyframes, taken) = keyframes::of(resolver, resolved, &elements, &used.animations);
    let registrations = registered::settle(&resolver.registered, &mut elements, &mut keyframes);
    keyframes::declare(resolver, &mut elements, &taken);
    keyframes::rename(&mut keyframes, &mut elements);
    transitions::settle(&mut elements, &registrations);
    transforms::settle(&mut elements);
    presentation::settle(&mut elements);
    Component {
        name: order.name.clone(),
        role: order.role,
        lang: language(&view.document, order.section),
        theme: resolved.theme,
        dark_switch: order.dark_switch.clone(),
        baseline: order.baseline,
        elements,
        followed: resolver.followed.lists(),
        keyframes,
        font_faces: used.font_faces,
        registrations,
        counter_styles: used.counter_styles,
        truncated: skeleton.truncated,
    }
}

/// The environments that matter to a section.
fn grid_of(view: &PageView<'_>, order: &Order<'_>) -> Grid {
    let document = &view.document;
    let mut questions = Questions::default();
    let around = document.ancestors(order.section).filter(|node| document.element(*node).is_some());
    let inside = || std::iter::once(order.section).chain(document.descendants(order.section));
    // What only the dark theme says may depend on the width as well.
    let indexes = || std::iter::once(order.index).chain(order.dark);
    for node in around.chain(inside()) {
        indexes().for_each(|index| index.questions_about(node, &mut questions));
    }
    let mut styles = order.index.styles(&Environment::default());
    let mut is_container =
        |node| styles.get(node).is_some_and(|style| style.get(Longhand::ContainerType).contains("size"));
    let has_containers = !questions.container_sizes.is_empty() && inside().any(&mut is_container);
    Grid::new(&questions, order.scheme, order.dark.is_some(), has_containers)
}

/// The elements that must stand around a part of a table, from the outermost.
fn table_path(document: &Document, section: NodeId) -> Vec<NodeId> {
    let is_part = |node: NodeId| {
        document.element(node).is_some_and(|element| {
            element.in_html()
                && matches!(
                    element.name(),
                    "caption" | "col" | "colgroup" | "tbody" | "td" | "tfoot" | "th" | "thead" | "tr"
                )
        })
    };
    let mut path = Vec::new();
    let mut at = section;
    while is_part(at) {
        let Some(parent) = document.parent(at).filter(|parent| document.element(*parent).is_some()) else { break };
        path.push(parent);
        at = parent;
    }
    path.reverse();
    path
}

/// The skeleton as a page of its own, with nothing but what is there before the component's own rules. Each element has
/// the class `e` and its number.
fn bare_page(skeleton: &skeleton::Skeleton, baseline: Baseline) -> PageSnapshot {
    let sheet = Sheet { owner: SheetOwner::Adopted, text: Some(PREFLIGHT.to_owned()), ..Sheet::default() };
    PageSnapshot {
        html: skeleton::markup(&skeleton.elements),
        sheets: if baseline == Baseline::Preflight { vec![sheet] } else { Vec::new() },
        ..PageSnapshot::default()
    }
}

/// The language that a section inherits.
fn language(document: &Document, section: NodeId) -> Option<String> {
    let own = document.element(section).and_then(|element| element.attr("lang"));
    if own.is_some() {
        return None;
    }
    let mut around = document.ancestors(section).filter_map(|node| document.element(node)?.attr("lang"));
    around.next().map(str::trim).filter(|lang| !lang.is_empty()).map(str::to_owned)
}

/// Whether a section inherits from an attribute that its text runs from right to left.
fn is_right_to_left(document: &Document, section: NodeId) -> bool {
    let dir = |node| document.element(node)?.attr("dir");
    dir(section).is_none()
        && document.ancestors(section).find_map(dir).is_some_and(|dir| dir.trim().eq_ignore_ascii_case("rtl"))
}

/// Says so on the root, as the page does: browsers follow the attribute further than the property, into fields and
/// `:dir()`. It isolates the text from what is around it, as blocks do anyway.
fn write_right_to_left(root: &mut Element) {
    const BLOCKS: [&str; 16] = [
        "div",
        "section",
        "header",
        "footer",
        "main",
        "nav",
        "article",
        "aside",
        "ul",
        "ol",
        "dl",
        "form",
        "figure",
        "p",
        "blockquote",
        "table",
    ];
    if root.namespace == Namespace::Html && BLOCKS.contains(&root.tag.as_str()) {
        root.attributes.push(Attribute { name: "dir".to_owned(), value: "rtl".to_owned() });
    }
}

/// The theme of a scheme.
pub(super) fn theme_of(scheme: Scheme) -> Theme {
    if scheme == Scheme::Dark { Theme::Dark } else { Theme::Light }
}
