//! Shadows, layer by layer.

use super::Spelling;
use super::color::ColorWriter;
use super::length::length;
use limner_style::color::Scheme;
use limner_style::value::{Component, split_commas};

/// Returns each layer with x, y, blur, (for boxes) spread, colour and `inset`: `0 1px 2px 0 #0000001a inset`.
pub(super) fn spelling(value: &[Component], scheme: Scheme, has_spread: bool) -> Option<Spelling> {
    ColorWriter::spelling(scheme, false, |colors| {
        let layers = split_commas(value).into_iter().map(|part| layer(part, colors, has_spread));
        Some(layers.collect::<Option<Vec<String>>>()?.join(", "))
    })
}

fn layer(part: &[Component], colors: &ColorWriter, has_spread: bool) -> Option<String> {
    let mut lengths = Vec::new();
    let mut paint = None;
    let mut is_inset = false;
    for component in part {
        if component.is_ident("inset") {
            is_inset = true;
        } else if component.is_ident("none") {
            return None;
        } else if let Some(found) = length(component) {
            lengths.push(found);
        } else {
            // A shadow without a colour has that of the text.
            paint = Some(colors.text(component).unwrap_or_else(|| "currentcolor".to_owned()));
        }
    }
    if lengths.len() < 2 {
        return None;
    }
    lengths.resize(if has_spread { 4 } else { 3 }, "0".to_owned());
    lengths.push(paint.unwrap_or_else(|| "currentcolor".to_owned()));
    if is_inset {
        lengths.push("inset".to_owned());
    }
    Some(lengths.join(" "))
}

/// Returns the indices of the layers of a canonical shadow that paint something; `None` if none does. A layer of a box
/// that is neither moved nor blurred nor spread lies under the box; it counts if there is no other.
pub(super) fn visible_layers(shadow: &str, has_spread: bool) -> Option<Vec<usize>> {
    let is_transparent =
        |layer: &str| layer.split(' ').any(|word| word.len() == 9 && word.starts_with('#') && word.ends_with("00"));
    let mut visible: Vec<(usize, &str)> =
        shadow.split(", ").enumerate().filter(|(_, layer)| !is_transparent(layer)).collect();
    let is_covered = |layer: &str| has_spread && layer.starts_with("0 0 0 0 ");
    if visible.iter().any(|(_, layer)| !is_covered(layer)) {
        visible.retain(|(_, layer)| !is_covered(layer));
    }
    Some(visible.into_iter().map(|(at, _)| at).collect::<Vec<usize>>()).filter(|visible| !visible.is_empty())
}

/// Returns some layers of a canonical shadow.
pub(super) fn layers_at(shadow: &str, numbers: &[usize]) -> String {
    let layers = shadow.split(", ").enumerate().filter(|(at, _)| numbers.contains(at));
    layers.map(|(_, layer)| layer).collect::<Vec<&str>>().join(", ")
}
