//! Shadows and filters.

use super::arbitrary::arbitrary;
use super::block::Block;
use super::scale::is_css_wide;
use super::theme::{BLURS, DROP_SHADOWS, INSET_SHADOWS, SHADOWS, step, text_step};
use super::value::{degrees, function, is_whole, number, percent, plain, px, split_commas, split_spaces};
use limner_style::color::{self, Scheme};

/// Everything that is drawn on top of, or out of, what is painted.
pub(super) fn all(block: &mut Block<'_>) {
    box_shadow(block);
    filter(block, "filter", "", &["filter"]);
    filter(block, "backdrop-filter", "backdrop-", &["-webkit-backdrop-filter", "backdrop-filter"]);
}

fn box_shadow(block: &mut Block<'_>) {
    let Some(value) = block.get("box-shadow").filter(|value| !is_css_wide(value)) else { return };
    let value = &visible_layers(value);
    let inset = shadow_key(value).and_then(|key| text_step(INSET_SHADOWS, &key));
    let class = match inset.filter(|_| block.facts.unconditional) {
        Some(step) => format!("inset-shadow-{step}"),
        None => match shadow_suffix(value, SHADOWS) {
            Some(suffix) => format!("shadow-{suffix}"),
            None => return,
        },
    };
    block.take("box-shadow");
    let variable = if class.starts_with("inset") { "--tw-inset-shadow" } else { "--tw-shadow" };
    block.add(class, &[variable, "box-shadow"]);
}

/// A shadow without the layers that utilities of older Tailwind versions leave empty (`0 0 #0000`).
fn visible_layers(value: &str) -> String {
    let is_empty =
        |layer: &&str| layer_key(layer).is_some_and(|key| key.ends_with(",0") && key.starts_with("0 0 0 0 "));
    let layers: Vec<&str> = split_commas(value).into_iter().filter(|layer| !is_empty(layer)).collect();
    if layers.is_empty() { "none".to_owned() } else { layers.join(", ") }
}

/// What follows `shadow-` and `text-shadow-`.
pub(super) fn shadow_suffix(value: &str, scale: &'static [(&'static str, &'static str)]) -> Option<String> {
    if value == "none" {
        return Some("none".into());
    }
    match shadow_key(value).and_then(|key| text_step(scale, &key)) {
        Some(step) => Some(step.to_owned()),
        None => arbitrary(value).map(|value| format!("[{value}]")),
    }
}

/// Shadows in one spelling: lengths in pixels, colour in bytes with opacity. `None` when one depends on its place.
pub(super) fn shadow_key(value: &str) -> Option<String> {
    let layers: Option<Vec<String>> = split_commas(value).into_iter().map(layer_key).collect();
    layers.map(|layers| layers.join("|"))
}

fn layer_key(layer: &str) -> Option<String> {
    let (mut inset, mut lengths, mut color) = (false, Vec::new(), None);
    for part in split_spaces(layer) {
        if part.eq_ignore_ascii_case("inset") {
            inset = true;
        } else if let Some(px) = px(part) {
            lengths.push(px);
        } else {
            color = Some(color::parse(part, Scheme::Light)?);
        }
    }
    if !(2..=4).contains(&lengths.len()) {
        return None;
    }
    lengths.resize(4, 0.0);
    let ([r, g, b], alpha) = color?.to_rgba();
    let lengths: Vec<String> = lengths.into_iter().map(plain).collect();
    let alpha = plain((alpha * 1000.0).round() / 1000.0);
    Some(format!("{}{} {r},{g},{b},{alpha}", if inset { "inset " } else { "" }, lengths.join(" ")))
}

/// One filter function has a utility of its own. Several are written as they are, since Tailwind would order them, and
/// so is one in a condition, since it would be added to those outside of it.
fn filter(block: &mut Block<'_>, property: &'static str, prefix: &str, properties: &[&'static str]) {
    let Some(value) = block.get(property).filter(|value| *value != "none" && !is_css_wide(value)) else { return };
    let named = function(value)
        .filter(|_| block.facts.single_filters)
        .and_then(|(name, argument)| filter_class(name, argument));
    if let Some((class, variable)) = named {
        block.take(property);
        let mut all = vec![variable];
        all.extend_from_slice(properties);
        block.add(format!("{}{prefix}{}", sign(&class), class.trim_start_matches('-')), &all);
    }
}

fn sign(class: &str) -> &'static str {
    if class.starts_with('-') { "-" } else { "" }
}

fn filter_class(name: &str, argument: &str) -> Option<(String, &'static str)> {
    let share = |default: f64| match argument.trim() {
        "" => Some(default),
        other => percent(other).or_else(|| number(other).map(|number| number * 100.0)),
    };
    let whole = |root: &str, full: bool| {
        let share = share(100.0).filter(|share| is_whole(*share) && *share >= 0.0)?;
        Some(if full && share == 100.0 { root.to_owned() } else { format!("{root}-{}", plain(share)) })
    };
    let bracketed = |root: &str| arbitrary(argument).map(|value| format!("{root}-[{value}]"));
    Some(match name {
        "blur" => {
            let class = match px(argument).and_then(|px| step(BLURS, px)) {
                Some(step) => format!("blur-{step}"),
                None => bracketed("blur")?,
            };
            (class, "--tw-blur")
        }
        "brightness" => (whole("brightness", false).or_else(|| bracketed("brightness"))?, "--tw-brightness"),
        "contrast" => (whole("contrast", false).or_else(|| bracketed("contrast"))?, "--tw-contrast"),
        "saturate" => (whole("saturate", false).or_else(|| bracketed("saturate"))?, "--tw-saturate"),
        "grayscale" => (whole("grayscale", true).or_else(|| bracketed("grayscale"))?, "--tw-grayscale"),
        "invert" => (whole("invert", true).or_else(|| bracketed("invert"))?, "--tw-invert"),
        "sepia" => (whole("sepia", true).or_else(|| bracketed("sepia"))?, "--tw-sepia"),
        "hue-rotate" => {
            let class = match degrees(argument).filter(|degrees| is_whole(*degrees)) {
                Some(degrees) if degrees < 0.0 => format!("-hue-rotate-{}", plain(-degrees)),
                Some(degrees) => format!("hue-rotate-{}", plain(degrees)),
                None => bracketed("hue-rotate")?,
            };
            (class, "--tw-hue-rotate")
        }
        "drop-shadow" => {
            let class = match shadow_key(argument).and_then(|key| text_step(DROP_SHADOWS, &key)) {
                Some(step) => format!("drop-shadow-{step}"),
                None => bracketed("drop-shadow")?,
            };
            (class, "--tw-drop-shadow")
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_layers_are_left_out() {
        for (value, expected) in [
            ("0 0 #0000, 0 0 #0000, 0 1px 2px 0 rgba(0, 0, 0, 0.05)", "0 1px 2px 0 rgba(0, 0, 0, 0.05)"),
            ("0 0 0 rgba(0, 0, 0, 0)", "none"),
            ("0 0 0 3px #0000", "0 0 0 3px #0000"),
            ("none", "none"),
            ("inset 0 0 #000", "inset 0 0 #000"),
        ] {
            assert_eq!(visible_layers(value), expected, "{value}");
        }
    }
}
