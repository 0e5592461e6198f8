//! Transforms, transitions, animations.

use super::arbitrary::arbitrary;
use super::block::Block;
use super::scale::{is_css_wide, length_suffix, utility};
use super::value::{degrees, function, is_whole, milliseconds, number, percent, plain, px, split_commas, split_spaces};

/// Everything that moves.
pub(super) fn all(block: &mut Block<'_>) {
    translate(block);
    scale(block);
    rotate(block);
    transition_property(block);
    uniform_times(block);
    animation(block);
}

/// Values of the transform properties.
pub(super) struct Decomposed {
    pub(super) translate: Option<String>,
    pub(super) rotate: Option<String>,
    pub(super) scale: Option<String>,
}

/// A `transform` as `translate`, `rotate` and `scale`, which are applied in that order. `None` when it is in another
/// order or has other functions.
pub(super) fn decompose(transform: &str) -> Option<Decomposed> {
    let mut parts = Decomposed { translate: None, rotate: None, scale: None };
    if transform == "none" {
        return Some(parts);
    }
    let mut last = 0;
    for text in split_spaces(transform) {
        let (name, inside) = function(text)?;
        let arguments = split_commas(inside);
        let (order, value) = match (name, arguments.as_slice()) {
            ("translate", [x]) => (1, (*x).to_owned()),
            ("translate", [x, y]) => (1, format!("{x} {y}")),
            ("rotate", [angle]) => (2, (*angle).to_owned()),
            ("scale", [both]) => (3, (*both).to_owned()),
            ("scale", [x, y]) => (3, format!("{x} {y}")),
            _ => return None,
        };
        if order <= last {
            return None;
        }
        last = order;
        match order {
            1 => parts.translate = Some(value),
            2 => parts.rotate = Some(value),
            _ => parts.scale = Some(value),
        }
    }
    Some(parts)
}

fn translate(block: &mut Block<'_>) {
    let Some(value) = block.get("translate").filter(|value| !is_css_wide(value)) else { return };
    if value == "none" {
        block.take("translate");
        return block.add("translate-none", &["translate"]);
    }
    let (x, y) = match split_spaces(value).as_slice() {
        [x] => ((*x).to_owned(), "0".to_owned()),
        [x, y] => ((*x).to_owned(), (*y).to_owned()),
        _ => return,
    };
    let suffix =
        |value: &str| length_suffix(value, true).or_else(|| arbitrary(value).map(|value| format!("[{value}]")));
    let (Some(x), Some(y)) = (suffix(&x), suffix(&y)) else { return };
    block.take("translate");
    let class = |root: &str, suffix: &str| match suffix.strip_prefix('-') {
        Some(rest) => format!("-{root}-{rest}"),
        None => format!("{root}-{suffix}"),
    };
    if x == y {
        return block.add(class("translate", &x), &["translate", "--tw-translate-x", "--tw-translate-y"]);
    }
    // The other axis is where it is anyway outside of conditions, and where nothing moves along it.
    let [moves_x, moves_y] = block.facts.moves;
    if x != "0" || (!block.facts.unconditional && moves_x) {
        block.add(class("translate-x", &x), &["translate", "--tw-translate-x"]);
    }
    if y != "0" || (!block.facts.unconditional && moves_y) {
        block.add(class("translate-y", &y), &["translate", "--tw-translate-y"]);
    }
}

fn scale(block: &mut Block<'_>) {
    let Some(value) = block.get("scale").filter(|value| !is_css_wide(value)) else { return };
    if value == "none" {
        block.take("scale");
        return block.add("scale-none", &["scale"]);
    }
    let parts = split_spaces(value);
    let whole = |part: &str| {
        let share = percent(part).or_else(|| number(part).map(|number| number * 100.0))?;
        is_whole(share).then_some(share.round())
    };
    let class = |root: &str, share: f64| {
        if share < 0.0 { format!("-{root}-{}", plain(-share)) } else { format!("{root}-{}", plain(share)) }
    };
    let shares: Option<Vec<f64>> = parts.iter().map(|part| whole(part)).collect();
    let (x, y) = match shares.as_deref() {
        Some([both]) => (*both, *both),
        Some([x, y]) => (*x, *y),
        _ => {
            if let Some(value) = arbitrary(value) {
                block.take("scale");
                block.add(format!("scale-[{value}]"), &["scale"]);
            }
            return;
        }
    };
    block.take("scale");
    if x == y {
        return block.add(class("scale", x), &["scale", "--tw-scale-x", "--tw-scale-y", "--tw-scale-z"]);
    }
    if x != 100.0 || !block.facts.unconditional {
        block.add(class("scale-x", x), &["scale", "--tw-scale-x"]);
    }
    if y != 100.0 || !block.facts.unconditional {
        block.add(class("scale-y", y), &["scale", "--tw-scale-y"]);
    }
}

fn rotate(block: &mut Block<'_>) {
    let Some(value) = block.get("rotate").filter(|value| !is_css_wide(value)) else { return };
    let class = match degrees(value).filter(|degrees| is_whole(*degrees)) {
        Some(degrees) if degrees < 0.0 => format!("-rotate-{}", plain(-degrees)),
        Some(degrees) => format!("rotate-{}", plain(degrees)),
        None if value == "none" => "rotate-none".to_owned(),
        None => match arbitrary(value) {
            Some(value) => format!("rotate-[{value}]"),
            None => return,
        },
    };
    block.take("rotate");
    block.add(class, &["rotate"]);
}

/// The lists behind `transition-colors` and `transition`, in version 3 and in version 4 of Tailwind.
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

fn transition_property(block: &mut Block<'_>) {
    let Some(value) = block.get("transition-property").filter(|value| !is_css_wide(value)) else { return };
    let names = split_commas(value);
    let colors = names.iter().filter(|name| COLORS.contains(name)).count();
    let defaults = names.iter().filter(|name| DEFAULT.contains(name)).count();
    let is_transform = |name: &&str| matches!(*name, "transform" | "translate" | "scale" | "rotate");
    let class = match names.as_slice() {
        ["none"] => "transition-none".to_owned(),
        ["all"] => "transition-all".to_owned(),
        ["opacity"] => "transition-opacity".to_owned(),
        ["box-shadow"] => "transition-shadow".to_owned(),
        // Shorter lists are what an author meant; these come from Tailwind itself.
        _ if colors == names.len() && colors >= 6 => "transition-colors".to_owned(),
        _ if colors >= 6 && defaults >= 4 && colors + defaults == names.len() => "transition".to_owned(),
        names if names.contains(&"transform") && names.iter().all(is_transform) => "transition-transform".to_owned(),
        _ => match arbitrary(value) {
            Some(value) => format!("transition-[{value}]"),
            None => return,
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

/// Whether a duration, or each of a list, is the one that comes with utilities for what is transitioned.
pub(super) fn is_usual_time(value: &str) -> bool {
    split_commas(value).into_iter().all(|time| milliseconds(time) == Some(150.0))
}

/// The same of easings.
pub(super) fn is_usual_easing(value: &str) -> bool {
    split_commas(value).into_iter().all(|easing| easing.replace(' ', "") == "cubic-bezier(0.4,0,0.2,1)")
}

/// Whether a `translate` moves along each of the axes; what is no two lengths may.
pub(super) fn axes(value: &str) -> [bool; 2] {
    let moves = |part: &str| px(part) != Some(0.0) && percent(part) != Some(0.0);
    match split_spaces(value).as_slice() {
        ["none"] => [false; 2],
        [x] if !is_css_wide(x) => [moves(x), false],
        [x, y] => [moves(x), moves(y)],
        _ => [true; 2],
    }
}

/// Lists that say the same time or easing again and again.
fn uniform_times(block: &mut Block<'_>) {
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

/// `animate-[fade_1s_ease-out]`, when the longhands can be one shorthand.
fn animation(block: &mut Block<'_>) {
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
                // A shorter list is repeated (Animations 1, section 4.2).
                list.get(at % list.len().max(1)).copied().unwrap_or(initial)
            };
            let is_delayed = value("animation-delay", "0s") != "0s";
            for (property, initial) in &LONGHANDS[1..] {
                let value = value(property, initial);
                // Of two times the first is the duration; what follows scrolling takes as long as that, unless it has one.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transformations_are_taken_apart_in_the_order_they_apply() {
        for (transform, expected) in [
            ("none", Some([None, None, None])),
            ("translate(-50%)", Some([Some("-50%"), None, None])),
            ("translate(4px, 2px) rotate(3deg) scale(-1, 1)", Some([Some("4px 2px"), Some("3deg"), Some("-1 1")])),
            ("translate(-50%) translate(1px)", None),
            ("scale(2) translate(1px)", None),
            // What is along one axis only keeps its name.
            ("translateX(-50%)", None),
            ("skewX(3deg)", None),
        ] {
            let expected = expected.map(|parts| parts.map(|part| part.map(str::to_owned)));
            let found = decompose(transform).map(|parts| [parts.translate, parts.rotate, parts.scale]);
            assert_eq!(found, expected, "{transform}");
        }
    }
}
