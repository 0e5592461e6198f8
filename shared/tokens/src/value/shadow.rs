//! Shadows, layer by layer.

use super::color;
use super::length::length;
use limner_style::color::Scheme;
use limner_style::value::{Component, split_commas};

/// Returns each layer with x, y, blur, (for boxes) spread, colour and `inset`: `0 1px 2px 0 #0000001a inset`.
pub(crate) fn normal(value: &[Component], scheme: Scheme, has_spread: bool) -> Option<String> {
    let layers: Vec<String> =
        split_commas(value).into_iter().map(|part| layer(part, scheme, has_spread)).collect::<Option<_>>()?;
    Some(layers.join(", "))
}

fn layer(part: &[Component], scheme: Scheme, has_spread: bool) -> Option<String> {
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
            paint = Some(color::hex(component, scheme).unwrap_or_else(|| "currentcolor".to_owned()));
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

/// Returns the layers of a canonical shadow that paint something; all of them if none does.
pub(super) fn visible_layers(shadow: &str) -> String {
    let is_visible =
        |layer: &&str| !layer.split(' ').any(|word| word.len() == 9 && word.starts_with('#') && word.ends_with("00"));
    let visible: Vec<&str> = shadow.split(", ").filter(is_visible).collect();
    if visible.is_empty() { shadow.to_owned() } else { visible.join(", ") }
}
