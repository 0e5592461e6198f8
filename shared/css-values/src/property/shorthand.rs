//! Shorthands: their longhands, and the values that these are set to.

use super::fonts::{self, FONT, FONT_VARIANT};
use super::grid::{self, GRID, GRID_TEMPLATE};
use super::layered_shorthands;
use super::longhand_values::{LonghandValue, flow_relative_grammar, ident, initial, initials, prefix, split_slash};
use crate::value::types::Type;
use crate::value::{Component, split_commas};

/// The way a shorthand's value is distributed to its longhands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ShorthandKind {
    /// One to four values: top, right, bottom, left.
    Sides,
    /// One or two values.
    Pair,
    /// Values in any order, distinguished by their types.
    AnyOrder,
    /// By a function for this shorthand.
    Special,
}

macro_rules! sides {
    ($($prefix:literal $suffix:literal),*) => { [$(
        concat!($prefix, "top", $suffix), concat!($prefix, "right", $suffix),
        concat!($prefix, "bottom", $suffix), concat!($prefix, "left", $suffix),
    )*] };
}

/// From the upper left corner clockwise (Borders 4 §"corner-shape").
const CORNERS: &[&str] =
    &["corner-top-left-shape", "corner-top-right-shape", "corner-bottom-right-shape", "corner-bottom-left-shape"];

const BORDER: &[&str] = &[
    "border-top-width",
    "border-right-width",
    "border-bottom-width",
    "border-left-width",
    "border-top-style",
    "border-right-style",
    "border-bottom-style",
    "border-left-style",
    "border-top-color",
    "border-right-color",
    "border-bottom-color",
    "border-left-color",
    "border-image-source",
    "border-image-slice",
    "border-image-width",
    "border-image-outset",
    "border-image-repeat",
];
const RADII: &[&str] =
    &["border-top-left-radius", "border-top-right-radius", "border-bottom-right-radius", "border-bottom-left-radius"];
/// Name, kind and longhands; sorted by name.
const SHORTHANDS: &[(&str, ShorthandKind, &[&str])] = &[
    ("-webkit-text-stroke", ShorthandKind::AnyOrder, &["-webkit-text-stroke-width", "-webkit-text-stroke-color"]),
    ("all", ShorthandKind::Special, &[]),
    ("animation", ShorthandKind::Special, layered_shorthands::ANIMATION),
    ("animation-range", ShorthandKind::Special, &["animation-range-start", "animation-range-end"]),
    ("background", ShorthandKind::Special, layered_shorthands::BACKGROUND),
    ("background-position", ShorthandKind::Special, &["background-position-x", "background-position-y"]),
    ("border", ShorthandKind::Special, BORDER),
    (
        "border-block",
        ShorthandKind::Special,
        &[
            "border-block-start-width",
            "border-block-end-width",
            "border-block-start-style",
            "border-block-end-style",
            "border-block-start-color",
            "border-block-end-color",
        ],
    ),
    ("border-block-color", ShorthandKind::Pair, &["border-block-start-color", "border-block-end-color"]),
    (
        "border-block-end",
        ShorthandKind::AnyOrder,
        &["border-block-end-width", "border-block-end-style", "border-block-end-color"],
    ),
    (
        "border-block-start",
        ShorthandKind::AnyOrder,
        &["border-block-start-width", "border-block-start-style", "border-block-start-color"],
    ),
    ("border-block-style", ShorthandKind::Pair, &["border-block-start-style", "border-block-end-style"]),
    ("border-block-width", ShorthandKind::Pair, &["border-block-start-width", "border-block-end-width"]),
    ("border-bottom", ShorthandKind::AnyOrder, &["border-bottom-width", "border-bottom-style", "border-bottom-color"]),
    ("border-color", ShorthandKind::Sides, &sides!("border-" "-color")),
    (
        "border-image",
        ShorthandKind::Special,
        &[
            "border-image-source",
            "border-image-slice",
            "border-image-width",
            "border-image-outset",
            "border-image-repeat",
        ],
    ),
    (
        "border-inline",
        ShorthandKind::Special,
        &[
            "border-inline-start-width",
            "border-inline-end-width",
            "border-inline-start-style",
            "border-inline-end-style",
            "border-inline-start-color",
            "border-inline-end-color",
        ],
    ),
    ("border-inline-color", ShorthandKind::Pair, &["border-inline-start-color", "border-inline-end-color"]),
    (
        "border-inline-end",
        ShorthandKind::AnyOrder,
        &["border-inline-end-width", "border-inline-end-style", "border-inline-end-color"],
    ),
    (
        "border-inline-start",
        ShorthandKind::AnyOrder,
        &["border-inline-start-width", "border-inline-start-style", "border-inline-start-color"],
    ),
    ("border-inline-style", ShorthandKind::Pair, &["border-inline-start-style", "border-inline-end-style"]),
    ("border-inline-width", ShorthandKind::Pair, &["border-inline-start-width", "border-inline-end-width"]),
    ("border-left", ShorthandKind::AnyOrder, &["border-left-width", "border-left-style", "border-left-color"]),
    ("border-radius", ShorthandKind::Special, RADII),
    ("border-right", ShorthandKind::AnyOrder, &["border-right-width", "border-right-style", "border-right-color"]),
    ("border-style", ShorthandKind::Sides, &sides!("border-" "-style")),
    ("border-top", ShorthandKind::AnyOrder, &["border-top-width", "border-top-style", "border-top-color"]),
    ("border-width", ShorthandKind::Sides, &sides!("border-" "-width")),
    ("column-rule", ShorthandKind::Special, &["column-rule-width", "column-rule-style", "column-rule-color"]),
    ("columns", ShorthandKind::AnyOrder, &["column-width", "column-count"]),
    ("contain-intrinsic-size", ShorthandKind::Special, &["contain-intrinsic-width", "contain-intrinsic-height"]),
    ("container", ShorthandKind::Special, &["container-name", "container-type"]),
    ("corner-shape", ShorthandKind::Sides, CORNERS),
    ("flex", ShorthandKind::Special, &["flex-grow", "flex-shrink", "flex-basis"]),
    ("flex-flow", ShorthandKind::AnyOrder, &["flex-direction", "flex-wrap"]),
    ("font", ShorthandKind::Special, FONT),
    (
        "font-synthesis",
        ShorthandKind::Special,
        &["font-synthesis-weight", "font-synthesis-style", "font-synthesis-small-caps"],
    ),
    ("font-variant", ShorthandKind::Special, FONT_VARIANT),
    ("gap", ShorthandKind::Pair, &["row-gap", "column-gap"]),
    ("grid", ShorthandKind::Special, GRID),
    ("grid-area", ShorthandKind::Special, &["grid-row-start", "grid-column-start", "grid-row-end", "grid-column-end"]),
    ("grid-column", ShorthandKind::Special, &["grid-column-start", "grid-column-end"]),
    ("grid-row", ShorthandKind::Special, &["grid-row-start", "grid-row-end"]),
    ("grid-template", ShorthandKind::Special, GRID_TEMPLATE),
    ("inset", ShorthandKind::Sides, &["top", "right", "bottom", "left"]),
    ("inset-block", ShorthandKind::Pair, &["inset-block-start", "inset-block-end"]),
    ("inset-inline", ShorthandKind::Pair, &["inset-inline-start", "inset-inline-end"]),
    ("list-style", ShorthandKind::Special, &["list-style-position", "list-style-image", "list-style-type"]),
    ("margin", ShorthandKind::Sides, &sides!("margin-" "")),
    ("margin-block", ShorthandKind::Pair, &["margin-block-start", "margin-block-end"]),
    ("margin-inline", ShorthandKind::Pair, &["margin-inline-start", "margin-inline-end"]),
    ("marker", ShorthandKind::Special, &["marker-start", "marker-mid", "marker-end"]),
    ("mask", ShorthandKind::Special, layered_shorthands::MASK),
    (
        "offset",
        ShorthandKind::Special,
        &["offset-path", "offset-distance", "offset-rotate", "offset-anchor", "offset-position"],
    ),
    ("outline", ShorthandKind::AnyOrder, &["outline-color", "outline-style", "outline-width"]),
    ("overflow", ShorthandKind::Pair, &["overflow-x", "overflow-y"]),
    ("overscroll-behavior", ShorthandKind::Pair, &["overscroll-behavior-x", "overscroll-behavior-y"]),
    ("padding", ShorthandKind::Sides, &sides!("padding-" "")),
    ("padding-block", ShorthandKind::Pair, &["padding-block-start", "padding-block-end"]),
    ("padding-inline", ShorthandKind::Pair, &["padding-inline-start", "padding-inline-end"]),
    ("place-content", ShorthandKind::Special, &["align-content", "justify-content"]),
    ("place-items", ShorthandKind::Special, &["align-items", "justify-items"]),
    ("place-self", ShorthandKind::Special, &["align-self", "justify-self"]),
    ("position-try", ShorthandKind::AnyOrder, &["position-try-order", "position-try-fallbacks"]),
    ("row-rule", ShorthandKind::Special, &["row-rule-width", "row-rule-style", "row-rule-color"]),
    (
        "rule",
        ShorthandKind::Special,
        &[
            "column-rule-width",
            "column-rule-style",
            "column-rule-color",
            "row-rule-width",
            "row-rule-style",
            "row-rule-color",
        ],
    ),
    ("rule-break", ShorthandKind::Special, &["column-rule-break", "row-rule-break"]),
    ("rule-color", ShorthandKind::Special, &["column-rule-color", "row-rule-color"]),
    ("rule-style", ShorthandKind::Special, &["column-rule-style", "row-rule-style"]),
    ("rule-visibility-items", ShorthandKind::Special, &["column-rule-visibility-items", "row-rule-visibility-items"]),
    ("rule-width", ShorthandKind::Special, &["column-rule-width", "row-rule-width"]),
    ("scroll-margin", ShorthandKind::Sides, &sides!("scroll-margin-" "")),
    ("scroll-margin-block", ShorthandKind::Pair, &["scroll-margin-block-start", "scroll-margin-block-end"]),
    ("scroll-margin-inline", ShorthandKind::Pair, &["scroll-margin-inline-start", "scroll-margin-inline-end"]),
    ("scroll-padding", ShorthandKind::Sides, &sides!("scroll-padding-" "")),
    ("scroll-padding-block", ShorthandKind::Pair, &["scroll-padding-block-start", "scroll-padding-block-end"]),
    ("scroll-padding-inline", ShorthandKind::Pair, &["scroll-padding-inline-start", "scroll-padding-inline-end"]),
    ("scroll-timeline", ShorthandKind::AnyOrder, &["scroll-timeline-axis", "scroll-timeline-name"]),
    ("text-box", ShorthandKind::AnyOrder, &["text-box-trim", "text-box-edge"]),
    (
        "text-decoration",
        ShorthandKind::AnyOrder,
        &["text-decoration-line", "text-decoration-thickness", "text-decoration-style", "text-decoration-color"],
    ),
    ("text-emphasis", ShorthandKind::AnyOrder, &["text-emphasis-style", "text-emphasis-color"]),
    ("text-wrap", ShorthandKind::AnyOrder, &["text-wrap-mode", "text-wrap-style"]),
    ("transition", ShorthandKind::Special, layered_shorthands::TRANSITION),
    ("view-timeline", ShorthandKind::AnyOrder, &["view-timeline-axis", "view-timeline-name"]),
    ("white-space", ShorthandKind::Special, &["white-space-collapse", "text-wrap-mode"]),
];

fn find(name: &str) -> Option<&'static (&'static str, ShorthandKind, &'static [&'static str])> {
    let index = SHORTHANDS.binary_search_by(|(known, _, _)| (*known).cmp(name)).ok()?;
    Some(&SHORTHANDS[index])
}

/// Returns the static name of a shorthand; `None` if it is not one.
pub(super) fn static_name(name: &str) -> Option<&'static str> {
    find(name).map(|(name, _, _)| *name)
}

/// Returns the longhands of a shorthand.
pub(super) fn longhands(name: &str) -> Option<&'static [&'static str]> {
    find(name).map(|(_, _, parts)| *parts)
}

/// Returns the values that a shorthand sets. The caller checks them with the longhands' grammars.
pub(super) fn expand(name: &str, value: &[Component]) -> Option<Vec<LonghandValue>> {
    let (name, kind, parts) = find(name)?;
    match kind {
        ShorthandKind::Sides => sides(value, parts),
        ShorthandKind::Pair => pair(value, parts),
        ShorthandKind::AnyOrder => split_any_order(value, parts),
        ShorthandKind::Special => special(name, value, parts),
    }
}

fn special(name: &str, value: &[Component], parts: &'static [&'static str]) -> Option<Vec<LonghandValue>> {
    match name {
        "animation" => layered_shorthands::animation(value),
        "animation-range" => layered_shorthands::animation_range(value),
        "background" => layered_shorthands::background(value),
        "background-position" => layered_shorthands::background_position(value),
        "mask" => layered_shorthands::mask(value),
        "transition" => layered_shorthands::transition(value),
        "border" => border(value),
        "border-block" | "border-inline" => {
            let one = split_any_order(value, &["border-top-width", "border-top-style", "border-top-color"])?;
            Some(parts.chunks(2).zip(one).flat_map(|(two, (_, v))| [(two[0], v.clone()), (two[1], v)]).collect())
        }
        "border-image" => border_image(value),
        "border-radius" => radius(value),
        "container" => {
            let (names, kind) = split_slash(value);
            let kind = kind.map_or_else(|| ident("normal"), <[_]>::to_vec);
            Some(vec![("container-name", names.to_vec()), ("container-type", kind)])
        }
        "contain-intrinsic-size" => {
            // `auto` belongs to the size after it.
            let first = if value.first()?.is_ident("auto") { 2 } else { 1 };
            let (width, height) = value.split_at_checked(first)?;
            let height = if height.is_empty() { width } else { height };
            Some(vec![("contain-intrinsic-width", width.to_vec()), ("contain-intrinsic-height", height.to_vec())])
        }
        "flex" => flex(value),
        "font" => fonts::font(value),
        "font-variant" => fonts::font_variant(value),
        "font-synthesis" => Some(fonts::font_synthesis(value, parts)),
        "grid" => grid::grid(value),
        "grid-template" => grid::grid_template(value),
        "grid-area" | "grid-column" | "grid-row" => grid::grid_lines(value, parts),
        "list-style" => list_style(value),
        "column-rule" | "row-rule" | "rule" => gap_rules(value, parts),
        "marker" | "rule-break" | "rule-color" | "rule-style" | "rule-visibility-items" | "rule-width" => {
            Some(parts.iter().map(|part| (*part, value.to_vec())).collect())
        }
        "offset" => {
            let mut all = initials(parts);
            all[0].1 = value.to_vec();
            Some(all)
        }
        "place-content" | "place-items" | "place-self" => place(value, parts),
        "white-space" => white_space(value),
        _ => None,
    }
}

/// Expands a list of rules between columns or rows: width, style and colour of each (Gap Decorations 1, section 3).
fn gap_rules(value: &[Component], parts: &[&'static str]) -> Option<Vec<LonghandValue>> {
    let mut lists: [Vec<Component>; 3] = Default::default();
    for rule in split_commas(value) {
        let one = split_any_order(rule, &["column-rule-width", "column-rule-style", "column-rule-color"])?;
        for (list, (_, part)) in lists.iter_mut().zip(one) {
            list.extend((!list.is_empty()).then_some(Component::Comma).into_iter().chain(part));
        }
    }
    Some(parts.iter().enumerate().map(|(at, part)| (*part, lists[at % 3].clone())).collect())
}

fn sides(value: &[Component], parts: &[&'static str]) -> Option<Vec<LonghandValue>> {
    let one = |component: &Component| vec![component.clone()];
    let [top, right, bottom, left] = four(value)?;
    Some(vec![(parts[0], one(top)), (parts[1], one(right)), (parts[2], one(bottom)), (parts[3], one(left))])
}

/// Expands one to four values as for margins.
fn four<T>(values: &[T]) -> Option<[&T; 4]> {
    Some(match values {
        [a] => [a, a, a, a],
        [a, b] => [a, b, a, b],
        [a, b, c] => [a, b, c, b],
        [a, b, c, d] => [a, b, c, d],
        _ => return None,
    })
}

fn pair(value: &[Component], parts: &[&'static str]) -> Option<Vec<LonghandValue>> {
    let (a, b) = match value {
        [a] => (a, a),
        [a, b] => (a, b),
        _ => return None,
    };
    Some(vec![(parts[0], vec![a.clone()]), (parts[1], vec![b.clone()])])
}

fn split_any_order(value: &[Component], parts: &[&'static str]) -> Option<Vec<LonghandValue>> {
    let mut found: Vec<Option<Vec<Component>>> = vec![None; parts.len()];
    let mut rest = value;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let open = parts.iter().enumerate().filter(|(index, _)| found[*index].is_none());
        let (index, taken) = open.filter_map(|(index, part)| Some((index, prefix(part, rest)?))).next()?;
        found[index] = Some(rest[..taken].to_vec());
        rest = &rest[taken..];
    }
    let fill = |(part, value): (&&'static str, Option<Vec<Component>>)| {
        let value = value.unwrap_or_else(|| flow_relative_grammar(part).map_or_else(Vec::new, |l| initial(l.name())));
        (*part, value)
    };
    Some(parts.iter().zip(found).map(fill).collect())
}

fn border(value: &[Component]) -> Option<Vec<LonghandValue>> {
    let one = split_any_order(value, &["border-top-width", "border-top-style", "border-top-color"])?;
    let mut all: Vec<LonghandValue> = BORDER[..12]
        .chunks(4)
        .zip(&one)
        .flat_map(|(four, (_, v))| four.iter().map(|part| (*part, v.clone())))
        .collect();
    all.extend(initials(&BORDER[12..]));
    Some(all)
}

fn radius(value: &[Component]) -> Option<Vec<LonghandValue>> {
    let (horizontal, vertical) = split_slash(value);
    let horizontal = four(horizontal)?;
    let vertical = match vertical {
        Some(vertical) => Some(four(vertical)?),
        None => None,
    };
    let corner = |index: usize| {
        let mut radii = vec![horizontal[index].clone()];
        radii.extend(vertical.map(|vertical| vertical[index].clone()));
        radii
    };
    Some(RADII.iter().enumerate().map(|(index, part)| (*part, corner(index))).collect())
}

fn border_image(value: &[Component]) -> Option<Vec<LonghandValue>> {
    let parts = &["border-image-source", "border-image-slice", "border-image-repeat"];
    let sections: Vec<&[Component]> = value.split(|component| *component == Component::Slash).collect();
    let (last, middle) = sections.split_last()?;
    let mut plain = middle.first().map_or_else(Vec::new, |first| first.to_vec());
    // After slashes come width and outset; the rest follows them.
    let sizes = |section: &[Component]| {
        let size = |c: &Component| {
            Type::LengthPercentage.matches(c, true) || Type::Number.matches(c, true) || c.is_ident("auto")
        };
        section.iter().take_while(|c| size(c)).count()
    };
    let (mut width, mut outset) = (initial("border-image-width"), initial("border-image-outset"));
    if middle.is_empty() {
        plain = last.to_vec();
    } else {
        let taken = sizes(last);
        plain.extend(last[taken..].iter().cloned());
        let mut given = middle[1..].iter().map(|section| section.to_vec()).collect::<Vec<_>>();
        given.push(last[..taken].to_vec());
        if let Some(first) = given.first().filter(|first| !first.is_empty()) {
            width.clone_from(first);
        }
        if let Some(second) = given.get(1) {
            outset.clone_from(second);
        }
    }
    let mut all = split_any_order(&plain, parts)?;
    all.push(("border-image-width", width));
    all.push(("border-image-outset", outset));
    Some(all)
}

fn flex(value: &[Component]) -> Option<Vec<LonghandValue>> {
    let set = |grow: f64, shrink: f64, basis: Vec<Component>| {
        Some(vec![
            ("flex-grow", vec![Component::number(grow)]),
            ("flex-shrink", vec![Component::number(shrink)]),
            ("flex-basis", basis),
        ])
    };
    if let [only] = value {
        match only.as_ident().map(str::to_ascii_lowercase).as_deref() {
            Some("none") => return set(0.0, 0.0, ident("auto")),
            Some("auto") => return set(1.0, 1.0, ident("auto")),
            _ => {}
        }
    }
    let (mut grow, mut shrink, mut basis): (Option<&Component>, Option<&Component>, Option<&Component>) =
        (None, None, None);
    for component in value {
        if Type::Number.matches(component, true)
            && shrink.is_none()
            && !(grow.is_some() && basis.is_some() && shrink.is_some())
        {
            if grow.is_none() {
                grow = Some(component);
            } else {
                shrink = Some(component);
            }
        } else if basis.is_none() {
            basis = Some(component);
        } else {
            return None;
        }
    }
    if grow.is_none() && basis.is_none() {
        return None;
    }
    let number = |component: Option<&Component>| component.cloned().unwrap_or(Component::number(1.0));
    let basis = basis.cloned().unwrap_or(Component::Percentage(0.0));
    Some(vec![("flex-grow", vec![number(grow)]), ("flex-shrink", vec![number(shrink)]), ("flex-basis", vec![basis])])
}

fn list_style(value: &[Component]) -> Option<Vec<LonghandValue>> {
    let nones = value.iter().filter(|component| component.is_ident("none")).count();
    let rest: Vec<Component> = value.iter().filter(|component| !component.is_ident("none")).cloned().collect();
    let parts = &["list-style-position", "list-style-image", "list-style-type"];
    let mut all = if rest.is_empty() { initials(parts) } else { split_any_order(&rest, parts)? };
    let given = |index: usize| all[index].1 != initial(parts[index]);
    match (nones, given(1), given(2)) {
        (0, _, _) => {}
        (1, _, false) => all[2].1 = ident("none"),
        (1, false, true) => {}
        (2, false, false) => all[2].1 = ident("none"),
        _ => return None,
    }
    Some(all)
}

fn place(value: &[Component], parts: &[&'static str]) -> Option<Vec<LonghandValue>> {
    let taken = prefix(parts[0], value)?;
    let (first, rest) = value.split_at(taken);
    let baseline = first.iter().any(|component| component.is_ident("baseline"));
    let second = match rest {
        [] if baseline && parts[1] == "justify-content" => ident("start"),
        [] => first.to_vec(),
        rest => rest.to_vec(),
    };
    Some(vec![(parts[0], first.to_vec()), (parts[1], second)])
}

fn white_space(value: &[Component]) -> Option<Vec<LonghandValue>> {
    let set = |collapse: &str, wrap: &str| {
        Some(vec![("white-space-collapse", ident(collapse)), ("text-wrap-mode", ident(wrap))])
    };
    if let [Component::Ident(keyword)] = value {
        match &*keyword.to_ascii_lowercase() {
            "normal" => return set("collapse", "wrap"),
            "nowrap" | "-webkit-nowrap" => return set("collapse", "nowrap"),
            "pre" => return set("preserve", "nowrap"),
            "pre-wrap" => return set("preserve", "wrap"),
            "pre-line" => return set("preserve-breaks", "wrap"),
            "break-spaces" => return set("break-spaces", "wrap"),
            _ => {}
        }
    }
    split_any_order(value, &["white-space-collapse", "text-wrap-mode"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorthands_are_sorted() {
        assert!(SHORTHANDS.is_sorted_by_key(|(name, _, _)| *name));
    }
}
