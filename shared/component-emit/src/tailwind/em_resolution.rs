//! Resolves `em` to pixels. Where a font size is the same under all conditions and in all states,
//! lengths in `em` are constant, and lengths in pixels have names: `p-4` instead of `p-[1em]`.

use super::parse_value::{dimension, is_integer, percent, plain, px};
use super::scale::is_near_spacing_step;
use super::theme::{RADII, near_step};
use limner_component_model::element_relations::ElementRelations;
use limner_component_model::model::{Component, Element, ElementId, PseudoElement, Rule};

/// The difference in pixels at which spacing in `em` takes the name of a step.
const MAX_EM_SHIFT: f64 = 1.0 / 32.0;

/// The font size that the root inherits, in pixels: the browser's default, which preflight does not
/// change.
const INITIAL: f64 = 16.0;

/// Returns the font size of every element in pixels. `None` if it varies or is unknown.
pub(super) fn font_sizes(component: &Component, family: &ElementRelations) -> Vec<Option<f64>> {
    let mut sizes: Vec<Option<f64>> = Vec::with_capacity(component.elements.len());
    let mut animated = component.keyframes.iter().flat_map(|keyframes| &keyframes.frames).flat_map(|(_, frame)| frame);
    if animated.any(|(property, _)| property.starts_with("font")) {
        return vec![None; component.elements.len()];
    }
    for (at, element) in component.elements.iter().enumerate() {
        // Parents precede their children.
        let around = family.parent(ElementId(at)).map_or(Some(INITIAL), |parent| sizes[parent.0]);
        sizes.push(size(&element.rules, None, around.and_then(|around| default_font_size(element, around)), around));
    }
    sizes
}

/// Returns the font size of a pseudo-element, which inherits it from the element.
pub(super) fn pseudo_font_size(element: &Element, pseudo: Option<PseudoElement>, own: Option<f64>) -> Option<f64> {
    if pseudo.is_some() { size(&element.rules, pseudo, own, own) } else { own }
}

fn size(rules: &[Rule], pseudo: Option<PseudoElement>, bare: Option<f64>, around: Option<f64>) -> Option<f64> {
    let mut declared = rules.iter().filter(|rule| rule.pseudo == pseudo).flat_map(|rule| {
        let is_open = rule.state.is_none() && rule.condition == Default::default();
        rule.declarations.iter().filter(|own| own.name == "font-size").map(move |own| (is_open, own.value.as_str()))
    });
    match (declared.next(), declared.next()) {
        (None, _) => bare,
        (Some((true, value)), None) => absolute(value, around),
        _ => None,
    }
}

fn absolute(size: &str, around: Option<f64>) -> Option<f64> {
    px(size).or_else(|| {
        let factor = percent(size).map(|share| share / 100.0);
        Some(factor.or_else(|| dimension(size).filter(|(_, unit)| *unit == "em").map(|(factor, _)| factor))? * around?)
    })
}

/// Returns the font size of an element without a declaration, under preflight.
fn default_font_size(element: &Element, around: f64) -> Option<f64> {
    match element.tag.as_str() {
        "small" => Some(around * 0.8),
        "sub" | "sup" => Some(around * 0.75),
        "rt" | "big" | "font" => None,
        _ => Some(around),
    }
}

/// Returns the length in pixels of a value in `em`, if there is a utility name for it.
pub(super) fn named_length(property: &str, value: &str, em: Option<f64>) -> Option<String> {
    let (factor, _) = dimension(value).filter(|(_, unit)| *unit == "em")?;
    // Browsers store lengths in 64ths of a pixel and truncate: 0.6666 × 24 px is less than 16 px.
    let length = f64::from(((factor * em?) as f32 * 64.0).trunc()) / 64.0;
    // Spacing in em recurs in running text and lists, where differences that do not show add up to some that do.
    let is_near =
        is_integer(length) || (is_near_spacing_step(length) && (length - length.round()).abs() < MAX_EM_SHIFT);
    let has_name = match property {
        "line-height" => is_integer(length),
        "row-gap" | "column-gap" | "top" | "right" | "bottom" | "left" => is_near,
        _ if property.starts_with("margin-") || property.starts_with("padding-") => is_near,
        _ if property.ends_with("-radius") => near_step(RADII, length).is_some(),
        _ => false,
    };
    has_name.then(|| format!("{}px", plain(length)))
}
