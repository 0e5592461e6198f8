//! Writes transitions and animations.

use super::arbitrary::arbitrary;
use super::declaration_block::DeclarationBlock;
use super::parse_value::{milliseconds, split_commas};
use super::scale::{is_css_wide, utility};
use limner_component_model::css::property_names::is_or_begins;

/// Takes transitions and animations.
pub(super) fn take_transitions(block: &mut DeclarationBlock<'_>) {
    transition_property(block);
    uniform_times(block);
    animation(block);
}

/// The property lists of `transition-colors` and `transition`, in Tailwind v3 and v4.
const COLORS: &[&str] = &[
    "color",
    "background-color",
    "border-color",
    "outline-color",
    "text-decoration-color",
    "fill",
    "stroke",
    "--tw-gradient-from",
    "--tw-gradient-via",
    "--tw-gradient-to",
];
const DEFAULT: &[&str] = &[
    "opacity",
    "box-shadow",
    "transform",
    "translate",
    "scale",
    "rotate",
    "filter",
    "-webkit-backdrop-filter",
    "backdrop-filter",
    "display",
    "content-visibility",
    "overlay",
    "pointer-events",
];
/// Properties that lists of other versions of Tailwind have besides.
const FORMER: &[&str] = &["visibility"];

fn transition_property(block: &mut DeclarationBlock<'_>) {
    let Some(value) = block.get("transition-property").filter(|value| !is_css_wide(value)) else { return };
    let names = split_commas(value);
    let colors = names.iter().filter(|name| COLORS.contains(name)).count();
    let defaults = names.iter().filter(|name| DEFAULT.contains(name)).count();
    let former = names.iter().filter(|name| FORMER.contains(name)).count();
    let is_transform = |name: &&str| matches!(*name, "transform" | "translate" | "scale" | "rotate");
    let class = match names.as_slice() {
        ["none"] => "transition-none".to_owned(),
        ["all"] => "transition-all".to_owned(),
        ["opacity"] => "transition-opacity".to_owned(),
        ["box-shadow"] => "transition-shadow".to_owned(),
        names if names.contains(&"transform") && names.iter().all(is_transform) => "transition-transform".to_owned(),
        names => match named_list(names, block) {
            Some(class) => class.to_owned(),
            // Short lists are the author's choice; longer ones come from Tailwind.
            _ if colors == names.len() && colors >= 6 => "transition-colors".to_owned(),
            _ if colors >= 6 && defaults >= 4 && colors + defaults + former == names.len() => "transition".to_owned(),
            _ => match arbitrary(value) {
                Some(value) => format!("transition-[{value}]"),
                None => return,
            },
        },
    };
    block.take("transition-property");
    if class != "transition-none" && block.facts.has_usual_times {
        block.take("transition-duration");
    }
    if class != "transition-none" && block.facts.has_usual_easing {
        block.take("transition-timing-function");
    }
    let properties: &[&'static str] = match class.as_str() {
        "transition-none" => &["transition-property"],
        _ => &["transition-property", "transition-timing-function", "transition-duration"],
    };
    block.add(class, properties);
}

/// Returns the utility whose list animates the same changes of the element as these properties do.
fn named_list(names: &[&str], block: &DeclarationBlock<'_>) -> Option<&'static str> {
    let is_uniform = ["transition-duration", "transition-delay", "transition-timing-function"]
        .iter()
        .all(|times| block.get(times).is_none_or(|value| split_commas(value).windows(2).all(|two| two[0] == two[1])));
    if !is_uniform {
        return None;
    }
    let changing = &block.facts.changing;
    let is_same = |list: &[&[&str]]| {
        let listed = |property: &str| list.iter().copied().flatten().any(|own| sets(own, property));
        let is_known = |name: &&str| list.iter().copied().flatten().any(|own| sets(name, own) || sets(own, name));
        let stays = |property: &String| names.iter().any(|name| sets(name, property)) == listed(property);
        names.iter().all(is_known) && changing.iter().all(stays)
    };
    if is_same(&[COLORS]) {
        return Some("transition-colors");
    }
    (names.len() > 1 && is_same(&[COLORS, DEFAULT])).then_some("transition")
}

/// Returns true if a property is, or is a shorthand of, another one.
fn sets(name: &str, property: &str) -> bool {
    is_or_begins(property, name)
        || (name == "border-color" && property.starts_with("border-") && property.ends_with("-color"))
}

/// Returns true if the duration, or each of a list, is the default of Tailwind's `transition-*`
/// utilities.
pub(super) fn is_default_duration(value: &str) -> bool {
    split_commas(value).into_iter().all(|time| milliseconds(time) == Some(150.0))
}

/// Returns true if the easing, or each of a list, is the default of Tailwind's `transition-*`
/// utilities, or that of CSS, for which nobody writes a utility beside them.
pub(super) fn is_default_easing(value: &str) -> bool {
    split_commas(value)
        .into_iter()
        .all(|easing| easing == "ease" || easing.replace(' ', "") == "cubic-bezier(0.4,0,0.2,1)")
}

/// Reduces lists of one repeated time or easing to a single value.
fn uniform_times(block: &mut DeclarationBlock<'_>) {
    for property in ["transition-duration", "transition-delay", "transition-timing-function"] {
        let Some(value) = block.get(property) else { continue };
        let parts = split_commas(value);
        let uniform = match property {
            "transition-timing-function" => parts.iter().all(|part| *part == parts[0]),
            _ => parts.iter().all(|part| milliseconds(part).is_some() && milliseconds(part) == milliseconds(parts[0])),
        };
        if parts.len() > 1
            && uniform
            && let Some(utility) = utility(property, parts[0])
        {
            block.take(property);
            block.push(utility);
        }
    }
}

/// Writes `animate-[fade_1s_ease-out]`, if the longhands fit into one shorthand.
fn animation(block: &mut DeclarationBlock<'_>) {
    let Some(names) = block.get("animation-name").filter(|value| !is_css_wide(value)) else { return };
    const LONGHANDS: [(&str, &str); 8] = [
        ("animation-name", ""),
        ("animation-duration", "0s"),
        ("animation-timing-function", "ease"),
        ("animation-delay", "0s"),
        ("animation-iteration-count", "1"),
        ("animation-direction", "normal"),
        ("animation-fill-mode", "none"),
        ("animation-play-state", "running"),
    ];
    if names == "none" {
        block.forget(&LONGHANDS.map(|(name, _)| name));
        return block.add("animate-none", &["animation"]);
    }
    let animations: Vec<String> = split_commas(names)
        .into_iter()
        .enumerate()
        .map(|(at, name)| {
            let mut parts = vec![name.to_owned()];
            let value = |property: &str, initial| {
                let list = block.get(property).map(split_commas).unwrap_or_default();
                // A shorter list is repeated (CSS Animations 1, section 4.2).
                list.get(at % list.len().max(1)).copied().unwrap_or(initial)
            };
            let is_delayed = value("animation-delay", "0s") != "0s";
            for (property, initial) in &LONGHANDS[1..] {
                let value = value(property, initial);
                // The first of two times is the duration. A scroll-driven animation without a
                // duration has `auto`.
                let is_duration = *property == "animation-duration";
                let follows = is_duration && is_delayed && block.get("animation-timeline").is_some();
                if follows && value == *initial {
                    parts.push("auto".to_owned());
                } else if (value != *initial && !(is_duration && value == "auto")) || (is_duration && is_delayed) {
                    parts.push(value.to_owned());
                }
            }
            parts.join(" ")
        })
        .collect();
    let Some(value) = arbitrary(&animations.join(", ")) else { return };
    block.forget(&LONGHANDS.map(|(name, _)| name));
    let class = match value.as_str() {
        "spin_1s_linear_infinite" => "animate-spin".to_owned(),
        "ping_1s_cubic-bezier(0,0,0.2,1)_infinite" => "animate-ping".to_owned(),
        "pulse_2s_cubic-bezier(0.4,0,0.6,1)_infinite" => "animate-pulse".to_owned(),
        "bounce_1s_infinite" => "animate-bounce".to_owned(),
        _ => format!("animate-[{value}]"),
    };
    block.add(class, &["animation"]);
}
