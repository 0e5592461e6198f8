//! Writes utilities for one value of one property on a scale: spacing, colours, numbers, times.

use super::arbitrary::arbitrary;
use super::color;
use super::parse_value::{
    integer, is_integer, is_recognizable_length, milliseconds, negated, number, percent, plain, px,
};
use super::theme::{self, CONTAINERS, TOLERANCE, step};
use super::utility::Utility;

/// Lengths beyond this many pixels become arbitrary values: `w-500` is less clear than
/// `w-[2000px]`.
const SPACING_LIMIT: f64 = 2000.0;

/// Conversion of a property's values to the suffix of a utility.
enum Scale {
    /// Multiples of 0.25rem, fractions, and these keywords.
    Length { keywords: Keywords, fractions: bool, containers: bool, negative: bool },
    /// Colours.
    Color,
    /// Integers, and these keywords.
    Integer { keywords: Keywords, negative: bool },
    /// Integer pixels without unit, and these keywords.
    Pixels { keywords: Keywords, negative: bool },
    /// Times in milliseconds without unit.
    Time,
    /// A number as a percentage without sign: 0.5 is `50`.
    Percentage,
    /// Steps of the theme, and these keywords.
    Steps { steps: &'static [(&'static str, f64)], keywords: Keywords },
    /// Only these keywords.
    Words(Keywords),
}

type Keywords = &'static [(&'static str, &'static str)];

const fn length(keywords: Keywords, fractions: bool) -> Scale {
    Scale::Length { keywords, fractions, containers: false, negative: false }
}

const SIZING: Keywords = &[
    ("auto", "auto"),
    ("min-content", "min"),
    ("max-content", "max"),
    ("fit-content", "fit"),
    ("100dvw", "dvw"),
    ("100dvh", "dvh"),
    ("100lvw", "lvw"),
    ("100lvh", "lvh"),
    ("100svw", "svw"),
    ("100svh", "svh"),
    ("1lh", "lh"),
];

/// The keywords of `max-width` and `max-height`: [`SIZING`] without `auto`.
const LIMITS: Keywords = SIZING.split_at(1).1;

/// Properties, the root of their utilities, and their scale.
#[rustfmt::skip]
const SCALES: &[(&str, &str, Scale)] = &[
    ("width", "w", Scale::Length { keywords: SIZING, fractions: true, containers: true, negative: false }),
    ("min-width", "min-w", Scale::Length { keywords: SIZING, fractions: true, containers: true, negative: false }),
    ("max-width", "max-w", Scale::Length { keywords: LIMITS, fractions: true, containers: true, negative: false }),
    ("height", "h", length(SIZING, true)),
    ("min-height", "min-h", length(SIZING, true)),
    ("max-height", "max-h", length(LIMITS, true)),
    ("flex-basis", "basis", Scale::Length { keywords: &[("auto", "auto")], fractions: true, containers: true, negative: false }),
    ("row-gap", "gap-y", length(&[], false)),
    ("column-gap", "gap-x", length(&[], false)),
    ("text-indent", "indent", Scale::Length { keywords: &[], fractions: false, containers: false, negative: true }),
    ("color", "text", Scale::Color),
    ("background-color", "bg", Scale::Color),
    ("caret-color", "caret", Scale::Color),
    ("accent-color", "accent", Scale::Color),
    ("outline-color", "outline", Scale::Color),
    ("text-decoration-color", "decoration", Scale::Color),
    ("fill", "fill", Scale::Color),
    ("stroke", "stroke", Scale::Color),
    ("z-index", "z", Scale::Integer { keywords: &[("auto", "auto")], negative: true }),
    ("order", "order", Scale::Integer { keywords: &[("-9999", "first"), ("9999", "last")], negative: true }),
    ("flex-grow", "grow", Scale::Integer { keywords: &[("1", "")], negative: false }),
    ("flex-shrink", "shrink", Scale::Integer { keywords: &[("1", "")], negative: false }),
    ("grid-column-start", "col-start", Scale::Integer { keywords: &[("auto", "auto")], negative: true }),
    ("grid-column-end", "col-end", Scale::Integer { keywords: &[("auto", "auto")], negative: true }),
    ("grid-row-start", "row-start", Scale::Integer { keywords: &[("auto", "auto")], negative: true }),
    ("grid-row-end", "row-end", Scale::Integer { keywords: &[("auto", "auto")], negative: true }),
    ("tab-size", "tab", Scale::Integer { keywords: &[], negative: false }),
    ("stroke-width", "stroke", Scale::Pixels { keywords: &[], negative: false }),
    ("outline-offset", "outline-offset", Scale::Pixels { keywords: &[], negative: true }),
    ("text-underline-offset", "underline-offset", Scale::Pixels { keywords: &[("auto", "auto")], negative: true }),
    ("text-decoration-thickness", "decoration", Scale::Pixels { keywords: &[("auto", "auto"), ("from-font", "from-font")], negative: false }),
    ("transition-delay", "delay", Scale::Time),
    ("transition-duration", "duration", Scale::Time),
    ("opacity", "opacity", Scale::Percentage),
    ("zoom", "zoom", Scale::Percentage),
    ("perspective", "perspective", Scale::Steps { steps: theme::PERSPECTIVES, keywords: &[("none", "none")] }),
    ("perspective-origin", "perspective-origin", Scale::Words(&[])),
    ("letter-spacing", "tracking", Scale::Words(&[])),
    ("vertical-align", "align", Scale::Words(&[])),
    ("list-style-type", "list", Scale::Words(&[])),
    ("list-style-image", "list-image", Scale::Words(&[])),
    ("grid-template-columns", "grid-cols", Scale::Words(&[("none", "none"), ("subgrid", "subgrid")])),
    ("grid-template-rows", "grid-rows", Scale::Words(&[("none", "none"), ("subgrid", "subgrid")])),
    ("grid-auto-columns", "auto-cols", Scale::Words(&[("auto", "auto"), ("min-content", "min"), ("max-content", "max")])),
    ("grid-auto-rows", "auto-rows", Scale::Words(&[("auto", "auto"), ("min-content", "min"), ("max-content", "max")])),
    ("will-change", "will-change", Scale::Words(&[("auto", "auto"), ("scroll-position", "scroll"), ("contents", "contents"), ("transform", "transform")])),
    ("cursor", "cursor", Scale::Words(CURSORS)),
    ("transition-timing-function", "ease", Scale::Words(&[])),
    ("background-size", "bg-size", Scale::Words(&[])),
    ("mask-size", "mask-size", Scale::Words(&[])),
    ("font-feature-settings", "font-features", Scale::Words(&[])),
    ("font-stretch", "font-stretch", Scale::Words(STRETCHES)),
    ("contain", "contain", Scale::Words(&[])),
    ("transition-behavior", "transition", Scale::Words(&[("allow-discrete", "discrete"), ("normal", "normal")])),
    ("transform", "transform", Scale::Words(&[])),
    ("filter", "filter", Scale::Words(&[("none", "none")])),
    ("backdrop-filter", "backdrop-filter", Scale::Words(&[("none", "none")])),
    ("content", "content", Scale::Words(&[("none", "none")])),
];

#[rustfmt::skip]
const STRETCHES: Keywords = &[
    ("ultra-condensed", "ultra-condensed"), ("extra-condensed", "extra-condensed"), ("condensed", "condensed"), ("semi-condensed", "semi-condensed"),
    ("normal", "normal"), ("semi-expanded", "semi-expanded"), ("expanded", "expanded"), ("extra-expanded", "extra-expanded"), ("ultra-expanded", "ultra-expanded"),
];

#[rustfmt::skip]
const CURSORS: Keywords = &[
    ("auto", "auto"), ("default", "default"), ("pointer", "pointer"), ("wait", "wait"), ("text", "text"), ("move", "move"), ("help", "help"),
    ("not-allowed", "not-allowed"), ("none", "none"), ("context-menu", "context-menu"), ("progress", "progress"), ("cell", "cell"),
    ("crosshair", "crosshair"), ("vertical-text", "vertical-text"), ("alias", "alias"), ("copy", "copy"), ("no-drop", "no-drop"), ("grab", "grab"),
    ("grabbing", "grabbing"), ("all-scroll", "all-scroll"), ("col-resize", "col-resize"), ("row-resize", "row-resize"), ("n-resize", "n-resize"),
    ("e-resize", "e-resize"), ("s-resize", "s-resize"), ("w-resize", "w-resize"), ("ne-resize", "ne-resize"), ("nw-resize", "nw-resize"),
    ("se-resize", "se-resize"), ("sw-resize", "sw-resize"), ("ew-resize", "ew-resize"), ("ns-resize", "ns-resize"), ("nesw-resize", "nesw-resize"),
    ("nwse-resize", "nwse-resize"), ("zoom-in", "zoom-in"), ("zoom-out", "zoom-out"),
];

/// Returns the utility of a single declaration: a keyword, else a value on a scale, else an
/// arbitrary value, else an arbitrary property. `None` if the value cannot be part of a class.
pub(super) fn utility(property: &str, value: &str) -> Option<Utility> {
    keyword(property, value)
        .or_else(|| scaled(property, value))
        .or_else(|| Utility::arbitrary_property(property, value))
}

fn keyword(property: &str, value: &str) -> Option<Utility> {
    let value = value.to_ascii_lowercase();
    let (name, keywords) = super::keywords::KEYWORDS.iter().find(|(name, _)| *name == property)?;
    let (_, class) = keywords.iter().find(|(keyword, _)| *keyword == value)?;
    Some(utility_for_property((*class).to_owned(), name))
}

/// Properties whose utilities declare further properties.
const COMPANION_PROPERTIES: &[(&str, &[&str])] = &[
    ("hyphens", &["-webkit-hyphens", "hyphens"]),
    ("box-decoration-break", &["-webkit-box-decoration-break", "box-decoration-break"]),
    ("user-select", &["-webkit-user-select", "user-select"]),
    ("-webkit-font-smoothing", &["-webkit-font-smoothing", "-moz-osx-font-smoothing"]),
    ("backdrop-filter", &["-webkit-backdrop-filter", "backdrop-filter"]),
    ("content", &["--tw-content", "content"]),
    ("transition-duration", &["--tw-duration", "transition-duration"]),
    ("transition-timing-function", &["--tw-ease", "transition-timing-function"]),
    ("letter-spacing", &["--tw-tracking", "letter-spacing"]),
];

fn utility_for_property(class: String, property: &'static str) -> Utility {
    match COMPANION_PROPERTIES.iter().find(|(name, _)| *name == property) {
        Some((_, all)) => Utility::new(class, all),
        None => Utility::new(class, &[property]),
    }
}

fn scaled(property: &str, value: &str) -> Option<Utility> {
    let (name, root, scale) = SCALES.iter().find(|(name, ..)| *name == property)?;
    if is_css_wide(value) && !matches!(scale, Scale::Color) {
        // For a root that several properties share, `[inherit]` would be ambiguous.
        return is_unambiguous(root).then(|| utility_for_property(format!("{root}-[{value}]"), name));
    }
    let class = match scale {
        Scale::Color if matches!((*root, value), ("fill" | "stroke", "none") | ("accent", "auto")) => {
            format!("{root}-{value}")
        }
        Scale::Color if matches!(value, "none" | "auto") => return None,
        Scale::Color => format!("{root}-{}", color::suffix(value)?),
        scale => special(property, root, value)
            .or_else(|| scale_step(root, scale, value))
            .or_else(|| bracketed(property, root, value))?,
    };
    Some(utility_for_property(class, name))
}

/// Returns names of values that a single property has.
fn special(property: &str, root: &str, value: &str) -> Option<String> {
    let suffix = match property {
        "width" | "min-width" | "max-width" if value == "100vw" => "screen".to_owned(),
        "height" | "min-height" | "max-height" if value == "100vh" => "screen".to_owned(),
        "max-width" | "max-height" if value == "none" => "none".to_owned(),
        "max-width" if value == "65ch" => "prose".to_owned(),
        "letter-spacing" => tracking(value)?.to_owned(),
        "grid-template-columns" | "grid-template-rows" => equal_tracks(value)?,
        "grid-auto-columns" | "grid-auto-rows" if is_fraction_track(value) => "fr".to_owned(),
        "transition-timing-function" => match value {
            // The theme's curves of these names are close enough to those of CSS that nobody writes the latter.
            "ease-in" => "in".to_owned(),
            "ease-out" => "out".to_owned(),
            "ease-in-out" => "in-out".to_owned(),
            curve => theme::text_step(theme::EASINGS, &curve.replace(", ", ","))?.to_owned(),
        },
        "font-stretch" => {
            percent(value).filter(|share| is_integer(*share)).map(|share| format!("{}%", plain(share)))?
        }
        "perspective-origin" => position_keyword(value)?.to_owned(),
        "stroke-width" => number(value).or_else(|| px(value)).filter(|n| is_integer(*n) && *n >= 0.0).map(plain)?,
        _ => return None,
    };
    Some(format!("{root}-{suffix}"))
}

fn tracking(value: &str) -> Option<&'static str> {
    if value == "normal" || px(value) == Some(0.0) {
        return Some("normal");
    }
    let (em, unit) = super::parse_value::dimension(value)?;
    if unit == "em" { step(theme::TRACKING, em) } else { None }
}

/// Returns the number of equal tracks: `3` for `repeat(3, minmax(0, 1fr))`.
fn equal_tracks(value: &str) -> Option<String> {
    let compact: String = value.chars().filter(|c| !c.is_whitespace()).collect();
    let inside = compact.strip_prefix("repeat(")?.strip_suffix(')')?;
    let (count, track) = inside.split_once(',')?;
    (is_fraction_track(track) && integer(count)? > 0).then(|| count.to_owned())
}

fn is_fraction_track(track: &str) -> bool {
    let compact: String = track.chars().filter(|c| !c.is_whitespace()).collect();
    matches!(compact.as_str(), "minmax(0,1fr)" | "minmax(0px,1fr)")
}

/// Returns the keyword position: `center`, `top-left`.
pub(super) fn position_keyword(value: &str) -> Option<&'static str> {
    let parts: Vec<String> = value.split_whitespace().map(str::to_ascii_lowercase).collect();
    let axis = |part: &str| match part {
        "left" | "top" => Some(0),
        "right" | "bottom" => Some(2),
        "center" => Some(1),
        other => match percent(other).or_else(|| px(other).filter(|zero| *zero == 0.0)) {
            Some(0.0) => Some(0),
            Some(50.0) => Some(1),
            Some(100.0) => Some(2),
            _ => None,
        },
    };
    let (x, y) = match parts.as_slice() {
        [one] if one == "top" || one == "bottom" => (1, axis(one)?),
        [one] => (axis(one)?, 1),
        [y, x] if matches!(y.as_str(), "top" | "bottom") || matches!(x.as_str(), "left" | "right") => {
            (axis(x)?, axis(y)?)
        }
        [x, y] => (axis(x)?, axis(y)?),
        _ => return None,
    };
    const NAMES: [[&str; 3]; 3] =
        [["top-left", "top", "top-right"], ["left", "center", "right"], ["bottom-left", "bottom", "bottom-right"]];
    Some(NAMES[y][x])
}

fn scale_step(root: &str, scale: &Scale, value: &str) -> Option<String> {
    let keywords = match scale {
        Scale::Length { keywords, .. } | Scale::Integer { keywords, .. } | Scale::Pixels { keywords, .. } => *keywords,
        Scale::Steps { keywords, .. } | Scale::Words(keywords) => *keywords,
        Scale::Color | Scale::Time | Scale::Percentage => &[],
    };
    if let Some((_, suffix)) = keywords.iter().find(|(keyword, _)| value.eq_ignore_ascii_case(keyword)) {
        return Some(if suffix.is_empty() { root.to_owned() } else { format!("{root}-{suffix}") });
    }
    match scale {
        Scale::Length { fractions, containers, negative, .. } => {
            let container = px(value).filter(|_| *containers).and_then(|px| container(root, px));
            // A wider box may push the next one to another line.
            let may_grow = !matches!(root, "w" | "min-w" | "max-w" | "basis");
            let suffix = if may_grow || !rounds_up(value) { near_length_suffix } else { length_suffix };
            let named = container.or_else(|| suffix(value, *fractions))?;
            match named.strip_prefix('-') {
                Some(suffix) => negative.then(|| format!("-{root}-{suffix}")),
                None => Some(format!("{root}-{named}")),
            }
        }
        Scale::Integer { negative, .. } => signed(root, integer(value)? as f64, *negative),
        Scale::Pixels { negative, .. } => signed(root, px(value).filter(|n| is_integer(*n))?, *negative),
        Scale::Time => signed(root, milliseconds(value).filter(|n| is_integer(*n))?, false),
        Scale::Percentage => {
            let value = percent(value).or_else(|| number(value).map(|number| number * 100.0))?;
            signed(root, if root == "zoom" && !is_integer(value) { return None } else { value }, false)
                .filter(|_| is_integer(value * 4.0))
        }
        Scale::Steps { steps, .. } => step(steps, px(value)?).map(|step| format!("{root}-{step}")),
        Scale::Color | Scale::Words(_) => None,
    }
}

fn signed(root: &str, value: f64, negative: bool) -> Option<String> {
    match value {
        value if value >= 0.0 => Some(format!("{root}-{}", plain(value))),
        value if negative => Some(format!("-{root}-{}", plain(-value))),
        _ => None,
    }
}

/// Returns the container name of a length. Names stand for lengths that are large numbers on the
/// spacing scale; up to 384 px the number is more familiar, except for `max-width`.
fn container(root: &str, px: f64) -> Option<String> {
    let is_spacing = px <= 384.0 && root != "max-w";
    step(CONTAINERS, px).filter(|_| !is_spacing).map(str::to_owned)
}

/// Returns the suffix of a length on the spacing scale or a fraction of the container; negative
/// ones start with `-`.
pub(super) fn length_suffix(value: &str, fractions: bool) -> Option<String> {
    if let Some(px) = px(value) {
        return spacing(px);
    }
    let percent = percent(value).filter(|_| fractions)?;
    let sign = if percent < 0.0 { "-" } else { "" };
    fraction(percent.abs()).map(|fraction| format!("{sign}{fraction}"))
}

/// Like [`length_suffix`], but lengths near a step have its name.
pub(super) fn near_length_suffix(value: &str, fractions: bool) -> Option<String> {
    let near = px(value).filter(|px| is_near_spacing_step(*px));
    near.and_then(|px| spacing(px.round())).or_else(|| length_suffix(value, fractions))
}

/// Returns true if a length in pixels is at or near a step of the spacing scale on which pages are designed. Every whole
/// pixel has a name, but lengths that are merely near one (`0.67em` of a heading) add up to what the eye can tell.
pub(super) fn is_near_spacing_step(px: f64) -> bool {
    let step = px.round();
    let spacing = match step.abs() {
        ..=14.0 => 2.0,
        ..=48.0 => 4.0,
        _ => 16.0,
    };
    step != 0.0 && step % spacing == 0.0 && (px - step).abs() <= TOLERANCE
}

fn rounds_up(value: &str) -> bool {
    px(value).is_some_and(|px| px.round() > px)
}

fn spacing(px: f64) -> Option<String> {
    let (sign, length) = if px < 0.0 { ("-", -px) } else { ("", px) };
    if length == 1.0 {
        return Some(format!("{sign}px"));
    }
    (is_integer(length) && length < SPACING_LIMIT).then(|| format!("{sign}{}", plain(length / 4.0)))
}

/// Returns the fraction within a hundredth of a percent: `1/3` for 33.333%.
fn fraction(percent: f64) -> Option<String> {
    if percent == 100.0 {
        return Some("full".into());
    }
    [2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 20.0].into_iter().find_map(|parts| {
        let count = (percent / 100.0 * parts).round();
        let fits = (count * 100.0 / parts - percent).abs() < 0.005 && count > 0.0 && count < parts;
        fits.then(|| format!("{count}/{parts}"))
    })
}

/// Returns `root-[value]`, if Tailwind infers the right property from the root and the value.
fn bracketed(property: &str, root: &str, value: &str) -> Option<String> {
    let value = arbitrary(value)?;
    let is_meant = match property {
        // Tailwind would read other values as a colour.
        "stroke-width" | "text-decoration-thickness" => is_recognizable_length(&value),
        "font-stretch" | "transition-behavior" => false,
        _ => true,
    };
    let has_opposite =
        matches!(property, "outline-offset" | "letter-spacing" | "text-indent" | "text-underline-offset");
    if let Some(inner) = negated(&value).filter(|_| has_opposite) {
        return Some(format!("-{root}-[{inner}]"));
    }
    is_meant.then(|| format!("{root}-[{value}]"))
}

fn is_unambiguous(root: &str) -> bool {
    !matches!(root, "stroke" | "decoration" | "outline" | "list" | "bg-size" | "transform" | "transition")
}

/// Returns true for the CSS-wide keywords.
pub(super) fn is_css_wide(value: &str) -> bool {
    ["inherit", "initial", "unset", "revert", "revert-layer"].iter().any(|keyword| value.eq_ignore_ascii_case(keyword))
}
