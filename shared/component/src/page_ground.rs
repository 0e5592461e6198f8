//! The ground of a page. A browser paints the background of the body on the whole canvas (CSS Backgrounds 3 §2.11.2), below
//! contents with a negative `z-index`, and around a body that is narrower or shorter than the viewport. A component's root
//! paints its own box only.
//!
//! Before → after: `<div class="page">` with a background and `max-width` → the same in a `<div>` with the background.

use limner_component_model::model::{Child, Component, Condition, Declaration, Element, ElementId, Rule, StateTarget};
use limner_page_view::PageView;
use limner_style::color::{Scheme, is_transparent};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Environment, StyleIndex};

/// Properties of a body whose box may not be that of the canvas.
const BOX: &[&str] = &[
    "border-bottom-width",
    "border-left-width",
    "border-right-width",
    "border-top-width",
    "display",
    "float",
    "height",
    "margin-bottom",
    "margin-left",
    "margin-right",
    "margin-top",
    "max-height",
    "max-width",
    "min-height",
    "min-width",
    "overflow-x",
    "overflow-y",
    "padding-bottom",
    "padding-top",
    "position",
    "width",
];

/// Declarations of an element that paints a canvas: contents with a negative `z-index` and floats are in it.
const CANVAS: [(&str, &str); 3] = [("display", "flow-root"), ("isolation", "isolate"), ("min-height", "100vh")];

/// The backgrounds of a body and of the root element around it, which alone is that of the canvas if both have one.
#[derive(Debug, Default)]
pub(super) struct RootBackground {
    /// Rules of the root element; empty if the body's background is that of the canvas.
    rules: Vec<Rule>,
}

impl RootBackground {
    /// Determines the background of the root element under the theme of `index`, and under the dark one.
    pub(super) fn detect(
        view: &PageView<'_>,
        index: &StyleIndex<'_>,
        scheme: Scheme,
        dark: Option<&StyleIndex<'_>>,
    ) -> Self {
        let base = backgrounds(view, index, scheme);
        let mut rules = Vec::new();
        if let Some(dark) = dark.map(|dark| backgrounds(view, dark, Scheme::Dark)).filter(|dark| *dark != base) {
            let condition = Condition { dark: true, ..Condition::default() };
            rules.push(Rule { condition, state: None, pseudo: None, declarations: dark });
        }
        rules.insert(0, Rule { condition: Condition::default(), state: None, pseudo: None, declarations: base });
        rules.retain(|rule| !rule.declarations.is_empty());
        Self { rules }
    }
}

/// Returns the declared backgrounds of the root element, if it and the body both paint one.
fn backgrounds(view: &PageView<'_>, index: &StyleIndex<'_>, scheme: Scheme) -> Vec<Declaration> {
    let document = index.document();
    let mut styles = index.styles(&Environment { scheme, ..Environment::default() });
    let paints = |style: &ComputedStyle| {
        !is_transparent(style.get(Longhand::BackgroundColor)) || style.get(Longhand::BackgroundImage) != "none"
    };
    let Some((root, body)) = document.document_element().zip(document.body()) else { return Vec::new() };
    if !styles.get(body).is_some_and(|body| paints(&body)) {
        return Vec::new();
    }
    let Some(root) = styles.specified(root, None, &view.base, &|_| None).filter(|root| paints(&root.style)) else {
        return Vec::new();
    };
    let declared = root.values.iter().filter(|own| is_background(own.longhand.name()) && own.value != "initial");
    let declared = declared.map(|own| Declaration {
        name: own.longhand.name().into(),
        value: own.value.clone(),
        computed: root.style.get(own.longhand).to_owned(),
    });
    let mut declared: Vec<Declaration> = declared.filter(|own| own.value != "inherit").collect();
    declared.sort_by(|a, b| a.name.cmp(&b.name));
    declared
}

/// Lets the root of a page paint its background as a canvas. Returns true if there is a new root around it.
pub(super) fn cover_canvas(page: &mut Component, behind: RootBackground) -> bool {
    let Some(root) = page.elements.first_mut() else { return false };
    let own = |rule: &&Rule| rule.state.is_none() && rule.pseudo.is_none();
    if !behind.rules.is_empty() {
        root.semantic_name = "body".to_owned();
        insert_root(page, canvas(behind.rules));
        return true;
    }
    let declared = || root.rules.iter().filter(own).flat_map(|rule| &rule.declarations);
    if !declared().any(|own| is_background(&own.name)) {
        return false;
    }
    let is_canvas = |own: &Declaration| {
        CANVAS.iter().any(|(name, value)| own.name == *name && own.value == *value)
            || (own.name == "display" && own.value == "block")
    };
    if !declared().any(|own| BOX.contains(&&*own.name) && !is_canvas(own)) {
        declare_canvas(&mut root.rules);
        return false;
    }
    // Custom properties move with what refers to them: the root declares them. Registered ones need not inherit.
    let registered = &page.registrations;
    let is_moved = |name: &str| {
        is_background(name) || (name.starts_with("--") && !registered.iter().any(|own| own.prelude == name))
    };
    let mut rules: Vec<Rule> = Vec::new();
    for rule in root.rules.iter_mut().filter(|rule| rule.state.is_none() && rule.pseudo.is_none()) {
        let (moved, kept) = rule.declarations.drain(..).partition(|own| is_moved(&own.name));
        rule.declarations = kept;
        let moved: Vec<Declaration> = moved;
        if !moved.is_empty() {
            rules.push(Rule { condition: rule.condition.clone(), state: None, pseudo: None, declarations: moved });
        }
    }
    root.rules.retain(|rule| !rule.declarations.is_empty());
    root.semantic_name = "body".to_owned();
    insert_root(page, canvas(rules));
    true
}

/// Returns an element that paints a canvas.
fn canvas(mut rules: Vec<Rule>) -> Element {
    declare_canvas(&mut rules);
    Element {
        tag: "div".to_owned(),
        rules,
        semantic_name: "page".to_owned(),
        whitespace_insignificant: true,
        edge_whitespace_insignificant: true,
        is_block_level: true,
        ..Element::default()
    }
}

fn is_background(name: &str) -> bool {
    name.starts_with("background-")
}

fn declare_canvas(rules: &mut Vec<Rule>) {
    let is_base = |rule: &Rule| rule.condition.is_empty() && rule.state.is_none() && rule.pseudo.is_none();
    let at = rules.iter().position(is_base).unwrap_or_else(|| {
        rules.insert(0, Rule { condition: Condition::default(), state: None, pseudo: None, declarations: Vec::new() });
        0
    });
    let declarations = &mut rules[at].declarations;
    declarations.retain(|own| CANVAS.iter().all(|(name, _)| own.name != *name));
    for (name, value) in CANVAS {
        declarations.push(Declaration { name: name.into(), value: value.to_owned(), computed: value.to_owned() });
    }
    declarations.sort_by(|a, b| a.name.cmp(&b.name));
}

/// Inserts a new root before all elements, which are renumbered.
fn insert_root(page: &mut Component, root: Element) {
    page.elements.insert(0, root);
    for (at, element) in page.elements.iter_mut().enumerate() {
        for child in element.children.iter_mut().filter(|_| at > 0) {
            if let Child::Element(id) = child {
                id.0 += 1;
            }
        }
        for state in element.rules.iter_mut().filter_map(|rule| rule.state.as_mut()) {
            if let StateTarget::Ancestor(id) | StateTarget::Within(id, _) = &mut state.target {
                id.0 += 1;
            }
        }
    }
    page.elements[0].children = vec![Child::Element(ElementId(1))];
    page.state_sources.iter_mut().flatten().for_each(|id| id.0 += 1);
}
