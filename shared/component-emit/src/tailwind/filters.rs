//! Writes filters.

use super::arbitrary::arbitrary;
use super::declaration_block::DeclarationBlock;
use super::parse_value::{degrees, function, is_integer, number, percent, plain, px, split_spaces};
use super::scale::is_css_wide;
use super::shadow;
use super::theme::{BLURS, DROP_SHADOWS, step};

/// Takes `filter` and `backdrop-filter`.
pub(super) fn take_filters(block: &mut DeclarationBlock<'_>) {
    filter(block, "filter", "", &["filter"]);
    filter(block, "backdrop-filter", "backdrop-", &["-webkit-backdrop-filter", "backdrop-filter"]);
}

/// Writes filter functions as utilities. Tailwind applies them in a fixed order, and one that a
/// block sets carries over to the blocks that do not, so all blocks must use the same functions.
fn filter(block: &mut DeclarationBlock<'_>, property: &'static str, prefix: &str, properties: &[&'static str]) {
    let Some(value) = block.get(property).filter(|value| *value != "none" && !is_css_wide(value)) else { return };
    let functions: Option<Vec<_>> = split_spaces(value).into_iter().map(function).collect();
    let named = functions.filter(|_| block.facts.has_uniform_filters).and_then(|functions| {
        let all = functions.into_iter().map(|(name, argument)| filter_class(name, argument, !prefix.is_empty()));
        all.collect::<Option<Vec<_>>>()
    });
    let place = |variable: &str| FILTERS.iter().position(|known| *known == variable);
    let Some(named) = named.filter(|own| own.is_sorted_by(|a, b| place(a.1) < place(b.1))) else { return };
    block.take(property);
    for (class, variable) in named {
        let mut all = vec![variable];
        all.extend_from_slice(properties);
        block.add(format!("{}{prefix}{}", sign(&class), class.trim_start_matches('-')), &all);
    }
}

/// In the order in which Tailwind applies them.
const FILTERS: [&str; 10] = [
    "--tw-blur",
    "--tw-brightness",
    "--tw-contrast",
    "--tw-grayscale",
    "--tw-hue-rotate",
    "--tw-invert",
    "--tw-backdrop-opacity",
    "--tw-saturate",
    "--tw-sepia",
    "--tw-drop-shadow",
];

fn sign(class: &str) -> &'static str {
    if class.starts_with('-') { "-" } else { "" }
}

fn filter_class(name: &str, argument: &str, is_behind: bool) -> Option<(String, &'static str)> {
    let share = |default: f64| match argument.trim() {
        "" => Some(default),
        other => percent(other).or_else(|| number(other).map(|number| number * 100.0)),
    };
    let whole = |root: &str, full: bool| {
        let share = share(100.0).filter(|share| is_integer(*share) && *share >= 0.0)?;
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
            let class = match degrees(argument).filter(|degrees| is_integer(*degrees)) {
                Some(degrees) if degrees < 0.0 => format!("-hue-rotate-{}", plain(-degrees)),
                Some(degrees) => format!("hue-rotate-{}", plain(degrees)),
                None => bracketed("hue-rotate")?,
            };
            (class, "--tw-hue-rotate")
        }
        "opacity" if is_behind => (whole("opacity", false).or_else(|| bracketed("opacity"))?, "--tw-backdrop-opacity"),
        "drop-shadow" if !is_behind => {
            (format!("drop-shadow-{}", shadow::suffix(argument, DROP_SHADOWS)?), "--tw-drop-shadow")
        }
        _ => return None,
    })
}
