//! Colours in the page's stylesheet rules: the evidence for a client-rendered page, which shows nothing until its
//! scripts have run.
//!
//! Rules are not matched against the document. The weight of a colour depends on the property (a background counts more
//! than a border) and on the selector: buttons, headers and titles count most.

use super::color::Rgba;
use super::name_tokens::{contains_any, split_words};
use super::page_regions::is_third_party;
use super::rendered_page::RenderedPage;
use limner_page::Degradation;
use limner_style::property::{DeclaredValue, Longhand, expand};
use limner_style::value::serialize;
use limner_style::{AuthoredDeclaration, ComputedStyle, ValueTemplate};
use limner_tokens::theme_detection;
use limner_types::Theme;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of rules.
const MAX_RULES: usize = 20_000;
/// Number of characters below which a page shows no design.
const MIN_CHARACTERS: usize = 200;

/// Returns true if the page is client-rendered.
pub(super) fn is_client_rendered(page: &RenderedPage<'_>) -> bool {
    let shown: usize = page.elements.iter().map(|seen| seen.characters).sum();
    let has_scripts = page.view.document.elements_named("script").next().is_some();
    page.view.page.degradation == Some(Degradation::ClientRendered) || (has_scripts && shown < MIN_CHARACTERS)
}

/// Returns colours with their weights, in order of their value.
pub(super) fn colors(page: &RenderedPage<'_>) -> Vec<(Rgba, f64)> {
    let mut amounts: BTreeMap<[u8; 4], (Rgba, f64)> = BTreeMap::new();
    let mut styles = page.index.styles(&page.environment);
    let root = page.view.document.document_element().and_then(|root| styles.get(root));
    for rule in page.index.rules().take(MAX_RULES) {
        let is_print = page.index.condition_facts(rule.condition()).print_only;
        if is_print || theme_detection::rule_theme(page.index, &rule) == Some(Theme::Dark) {
            continue;
        }
        let mut weight = None;
        for declaration in rule.declarations() {
            for (longhand, shade) in painted(&declaration, root.as_deref()) {
                let by =
                    *weight.get_or_insert_with(|| rule.selectors().map(|s| selector_weight(&s)).fold(0.0, f64::max));
                amounts.entry(shade.rgba).or_insert((shade, 0.0)).1 += by * longhand_weight(longhand);
            }
        }
    }
    amounts.into_values().filter(|(_, amount)| *amount > 0.0).collect()
}

/// Returns the colours that a declaration paints; `var()` is replaced with the root's value.
fn painted(declaration: &AuthoredDeclaration<'_>, root: Option<&ComputedStyle>) -> Vec<(Longhand, Rgba)> {
    let name = declaration.name;
    let is_paint =
        name.starts_with("background") || name.starts_with("border") || matches!(name, "color" | "fill" | "stroke");
    if !is_paint || name.starts_with("--") {
        return Vec::new();
    }
    let mut lookup = |name: &str| root?.custom_property(name).map(Arc::from);
    let Some(text) = ValueTemplate::new(declaration.value).fill(&mut lookup) else { return Vec::new() };
    let longhands = expand(name, &text).unwrap_or_default();
    let shade = |value: &DeclaredValue| match value {
        DeclaredValue::Components(components) => Rgba::parse(&serialize(components)),
        _ => None,
    };
    let painting = longhands.iter().filter(|declared| longhand_weight(declared.longhand) > 0.0);
    painting
        .filter_map(|declared| Some((declared.longhand, shade(&declared.value)?)))
        .filter(|(_, shade)| shade.rgba[3] > 140)
        .collect()
}

fn longhand_weight(longhand: Longhand) -> f64 {
    match longhand {
        Longhand::BackgroundColor | Longhand::Color => 1.0,
        Longhand::Fill | Longhand::Stroke | Longhand::BorderTopColor => 0.5,
        _ => 0.0,
    }
}

/// Returns the weight of a selector's target for the site's design.
fn selector_weight(selector: &str) -> f64 {
    const LEADING: &[&str] = &[
        "h1", "title", "logo", "brand", "header", "topbar", "navbar", "masthead", "appbar", "hero", "primary", "cta",
        "btn", "button", "accent",
    ];
    let words: Vec<String> =
        selector.split([' ', '>', '+', '~', '.', '#', ':', '[', ']', '(', ')']).flat_map(split_words).collect();
    if is_third_party(&words) {
        return 0.0;
    }
    let leading = if contains_any(&words, LEADING) { 3.0 } else { 1.0 };
    let passing = contains_any(&words, &["hover", "focus", "active", "visited", "disabled"]);
    if passing { leading * 0.3 } else { leading }
}
