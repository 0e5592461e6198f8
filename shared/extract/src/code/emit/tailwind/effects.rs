//! Filters.

use super::arbitrary::arbitrary;
use super::block::Block;
use super::scale::is_css_wide;
use super::shadow;
use super::theme::{BLURS, DROP_SHADOWS, step};
use super::value::{degrees, function, is_whole, number, percent, plain, px};

/// What is done to everything that is painted, and to what is behind it.
pub(super) fn all(block: &mut Block<'_>) {
    filter(block, "filter", "", &["filter"]);
    filter(block, "backdrop-filter", "backdrop-", &["-webkit-backdrop-filter", "backdrop-filter"]);
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
        "drop-shadow" => (format!("drop-shadow-{}", shadow::suffix(argument, DROP_SHADOWS)?), "--tw-drop-shadow"),
        _ => return None,
    })
}
