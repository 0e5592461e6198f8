//! Verifies the component after all passes: it is written, parsed and styled again, and its computed values are compared
//! with those on the page. Properties that differ are declared and compared again; those that still differ lower the
//! coverage. Elements that a pass removed are not compared, nor are the properties that others took over from them.

use super::baseline::baseline_sheet;
use super::diff::rule_resolver::RuleResolver;
use super::diff::value_equivalence;
use super::environments::{EnvId, EnvMap, EnvironmentMatrix, EnvironmentVariant};
use super::passes::Draft;
use super::property_key::PropertyKey;
use limner_component_model::html;
use limner_component_model::html_syntax::escape_attribute;
use limner_component_model::model::{Component, Element, PseudoElement};
use limner_component_model::second_reader;
use limner_component_model::theme_selector::ThemeSelector;
use limner_page::{Document, NodeId, PageSnapshot, SheetOwner, Stylesheet};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement as Pseudo;
use limner_style::{ComputedStyle, StyleIndex, Styles};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Properties that determine how an element looks, except for results of layout.
#[rustfmt::skip]
const COMPARED: &[&str] = &[
    "display", "position", "float", "clear", "visibility", "opacity", "color", "background-color", "background-image",
    "background-size", "background-position-x", "background-position-y", "background-repeat", "background-clip",
    "font-family", "font-size", "font-weight", "font-style", "line-height", "letter-spacing", "word-spacing",
    "text-align", "text-transform", "text-decoration-line", "text-decoration-color", "text-indent", "text-overflow",
    "text-shadow", "white-space-collapse", "text-wrap-mode", "vertical-align", "list-style-type", "list-style-position",
    "width", "height", "min-width", "min-height", "max-width", "max-height", "box-sizing", "aspect-ratio", "padding-top",
    "padding-right", "padding-bottom", "padding-left", "margin-top", "margin-right", "margin-bottom", "margin-left",
    "border-top-width", "border-right-width", "border-bottom-width", "border-left-width", "border-top-style",
    "border-right-style", "border-bottom-style", "border-left-style", "border-top-color", "border-right-color",
    "border-bottom-color", "border-left-color", "border-top-left-radius", "border-top-right-radius",
    "border-bottom-right-radius", "border-bottom-left-radius", "box-shadow", "filter", "backdrop-filter",
    "mix-blend-mode", "transform", "transform-origin", "overflow-x", "overflow-y", "z-index", "top", "right", "bottom",
    "left", "flex-direction", "flex-wrap", "flex-grow", "flex-shrink", "flex-basis", "order", "align-items", "align-self",
    "align-content", "justify-content", "justify-items", "justify-self", "row-gap", "column-gap", "grid-template-columns",
    "grid-template-rows", "grid-auto-flow", "grid-column-start", "grid-column-end", "grid-row-start", "grid-row-end",
    "object-fit", "object-position", "cursor", "fill", "stroke", "stroke-width", "clip-path",
];

/// The result of the comparison.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    equal: usize,
    total: usize,
    /// Properties whose value differs in the component.
    pub(super) missing: BTreeSet<PropertyKey>,
}

impl Comparison {
    /// Returns the share of equal values in percent.
    pub(super) fn coverage(&self) -> f64 {
        if self.total == 0 { 100.0 } else { (1_000.0 * self.equal as f64 / self.total as f64).floor() / 10.0 }
    }

    fn add_equal(&mut self, count: usize) {
        self.total += count;
        self.equal += count;
    }

    fn add(&mut self, place: PropertyKey, is_equal: bool) {
        self.total += 1;
        self.equal += usize::from(is_equal);
        if !is_equal {
            self.missing.insert(place);
        }
    }
}

/// Compares the computed values of the written component with those of the section on its page: in each variant, in the
/// desktop's and in the narrowest interval of widths. The root is left out, because its values also depend on the
/// context of the component.
pub(super) fn compare(resolver: &mut RuleResolver<'_>, draft: &Draft) -> Comparison {
    // The resolver has computed the styles of the page, and is asked about them.
    let mut styles = std::mem::take(&mut resolver.styles);
    let found = compare_with(resolver, &mut styles, draft);
    resolver.styles = styles;
    found
}

fn compare_with(resolver: &RuleResolver<'_>, page_styles: &mut EnvMap<Styles<'_>>, draft: &Draft) -> Comparison {
    let component = &draft.component;
    let themes: &[bool] = if component.dark_switch.is_some() { &[false, true] } else { &[false] };
    let pages: Vec<PageSnapshot> = themes.iter().map(|dark| component_page(component, *dark)).collect();
    let budget = resolver.section.view.document.work_budget();
    let documents: Vec<Document> = pages.iter().map(|page| Document::parse(&page.html).with_budget(budget)).collect();
    let written: Vec<_> =
        pages.iter().zip(&documents).map(|(page, document)| StyleIndex::new(page, document)).collect();
    let nodes = component_elements(&documents[0]);
    let properties: Vec<Longhand> = COMPARED.iter().filter_map(|name| Longhand::from_name(name)).collect();
    let environments = resolver.section.environments;
    let mut found = Comparison::default();
    for env in compared_envs(environments) {
        let theme = if environments.variant(env) == EnvironmentVariant::Dark { written.len() - 1 } else { 0 };
        let mut in_component = environments.styles(&written[theme], env);
        // Elements that share a style on the page mostly share one in the component. The styles of both live as long as
        // these addresses.
        let mut differences: HashMap<_, Vec<Longhand>> = HashMap::new();
        for (at, element) in draft.origins.iter().copied().enumerate().skip(1) {
            let origin = resolver.section.tree.origins[element.0];
            if origin.source != 0 || origin.is_copy {
                continue;
            }
            let parts = pseudo_elements(&component.elements[at]);
            for pseudo in std::iter::once(None).chain(parts.map(Some)) {
                let style = |styles: &mut Styles<'_>, node: NodeId| match pseudo {
                    Some(pseudo) => styles.pseudo(node, pseudo),
                    None => styles.get(node),
                };
                let node = resolver.section.tree.styled_node(element, env);
                let Some(original) = style(&mut page_styles[env], node) else { continue };
                let copy = nodes.get(at).and_then(|node| style(&mut in_component, *node));
                let differing = differences.entry((Arc::as_ptr(&original), copy.as_ref().map(Arc::as_ptr)));
                let differing = differing.or_insert_with(|| {
                    let differs = |longhand: &Longhand| !agree(&original, copy.as_deref(), *longhand);
                    properties.iter().copied().filter(differs).collect()
                });
                found.add_equal(properties.len() - differing.len());
                for longhand in differing.iter().copied() {
                    let place = PropertyKey::new(element, pseudo, longhand);
                    if pseudo.is_none() && draft.moved.contains(&(element, longhand)) {
                        found.add(place, true);
                        continue;
                    }
                    let meant = || resolver.replacement_value(place, env, &original);
                    let is_meant =
                        || copy.as_ref().is_some_and(|copy| meant().is_some_and(|value| value == copy.get(longhand)));
                    let is_unseen = resolver.is_hidden(place, env) || !resolver.is_visible(place, env, &original);
                    found.add(place, is_unseen || is_meant());
                }
            }
        }
    }
    found
}

/// Returns the pseudo-elements that an element generates.
fn pseudo_elements(element: &Element) -> impl Iterator<Item = Pseudo> {
    let has = |pseudo| element.rules.iter().any(|rule| rule.pseudo == Some(pseudo));
    let before = has(PseudoElement::Before).then_some(Pseudo::Before);
    let after = has(PseudoElement::After).then_some(Pseudo::After);
    before.into_iter().chain(after)
}

/// Returns the desktop and the narrowest environment of each variant.
fn compared_envs(environments: &EnvironmentMatrix) -> Vec<EnvId> {
    let mut envs = Vec::new();
    for (_, variant) in environments.variants() {
        envs.push(variant.env(environments.desktop_interval()));
        if environments.desktop_interval() > 0 {
            envs.push(variant.env(0));
        }
    }
    envs
}

/// Returns true if two values are equal, apart from URLs, which became absolute, and borders that nobody sees.
fn agree(original: &ComputedStyle, copy: Option<&ComputedStyle>, longhand: Longhand) -> bool {
    copy.is_some_and(|copy| {
        are_equal(original, copy, longhand)
            || value_equivalence::is_equivalent(longhand, original, copy)
            || value_equivalence::is_empty_border(longhand, original, copy)
    })
}

fn are_equal(original: &ComputedStyle, copy: &ComputedStyle, longhand: Longhand) -> bool {
    let follows = |style: &ComputedStyle| style.line_height_factor().is_some();
    if longhand == Longhand::LineHeight && follows(original) != follows(copy) {
        return false;
    }
    let (original, copy) = (original.get(longhand), copy.get(longhand));
    original == copy || (original.contains("url(") && copy.contains("url(")) || are_as_long(original, copy)
}

/// Returns true if two lengths are equal to a thousandth of a pixel: written lengths are rounded.
fn are_as_long(one: &str, other: &str) -> bool {
    let px = |length: &str| length.strip_suffix("px").and_then(|number| number.parse::<f64>().ok());
    px(one).zip(px(other)).is_some_and(|(one, other)| (one - other).abs() < 1e-3)
}

/// Returns a page with the component, switched to its dark theme or not.
fn component_page(component: &Component, dark: bool) -> PageSnapshot {
    let switch = component.dark_switch.as_ref().filter(|_| dark).map(ThemeSelector::attribute);
    let root = switch.map(|(name, value)| format!(" {name}=\"{}\"", escape_attribute(value))).unwrap_or_default();
    let (markup, css) = html::markup_and_sheet(component);
    debug_assert_eq!(second_reader::difference(component, &markup), None);
    let own = Stylesheet { owner: SheetOwner::Adopted, text: Some(css), ..Stylesheet::default() };
    let sheets = baseline_sheet(component.baseline).into_iter().chain([own]).collect();
    PageSnapshot { html: format!("<!doctype html><html{root}><body>{markup}"), sheets, ..PageSnapshot::default() }
}

/// Returns the elements of the component in document order, which is the order of their ids.
fn component_elements(document: &Document) -> Vec<NodeId> {
    let Some(body) = document.body() else { return Vec::new() };
    document.descendants(body).filter(|node| document.element(*node).is_some()).collect()
}
