//! Writes properties of four sides or corners, merged where they agree.

use super::arbitrary::arbitrary;
use super::color;
use super::declaration_block::DeclarationBlock;
use super::normalize::GuardedDeclarations;
use super::parse_value::{dimension, is_recognizable_length, negated, percent, px, split_spaces};
use super::scale::{is_css_wide, near_length_suffix};
use super::theme::{RADII, near_step};
use super::utility::Utility;
use limner_component_model::model::{Element, PseudoElement};

/// The names of a property of four sides.
struct Sides {
    /// Longhands: top, right, bottom, left.
    longhands: [&'static str; 4],
    /// Roots of utilities: all sides, inline, block, then each side.
    roots: [&'static str; 7],
    /// The properties that the utilities declare.
    properties: [&'static str; 7],
    /// Converts a value to the suffix.
    suffix: fn(&str) -> Option<String>,
}

const PADDING: Sides = Sides {
    longhands: ["padding-top", "padding-right", "padding-bottom", "padding-left"],
    roots: ["p", "px", "py", "pt", "pr", "pb", "pl"],
    properties: [
        "padding",
        "padding-inline",
        "padding-block",
        "padding-top",
        "padding-right",
        "padding-bottom",
        "padding-left",
    ],
    suffix: spacing,
};

const MARGIN: Sides = Sides {
    longhands: ["margin-top", "margin-right", "margin-bottom", "margin-left"],
    roots: ["m", "mx", "my", "mt", "mr", "mb", "ml"],
    properties: [
        "margin",
        "margin-inline",
        "margin-block",
        "margin-top",
        "margin-right",
        "margin-bottom",
        "margin-left",
    ],
    suffix: spacing_or_auto,
};

const INSET: Sides = Sides {
    longhands: ["top", "right", "bottom", "left"],
    roots: ["inset", "inset-x", "inset-y", "top", "right", "bottom", "left"],
    properties: ["inset", "inset-inline", "inset-block", "top", "right", "bottom", "left"],
    suffix: inset,
};

const SCROLL_MARGIN: Sides = Sides {
    longhands: ["scroll-margin-top", "scroll-margin-right", "scroll-margin-bottom", "scroll-margin-left"],
    roots: ["scroll-m", "scroll-mx", "scroll-my", "scroll-mt", "scroll-mr", "scroll-mb", "scroll-ml"],
    properties: [
        "scroll-margin",
        "scroll-margin-inline",
        "scroll-margin-block",
        "scroll-margin-top",
        "scroll-margin-right",
        "scroll-margin-bottom",
        "scroll-margin-left",
    ],
    suffix: spacing,
};

const SCROLL_PADDING: Sides = Sides {
    longhands: ["scroll-padding-top", "scroll-padding-right", "scroll-padding-bottom", "scroll-padding-left"],
    roots: ["scroll-p", "scroll-px", "scroll-py", "scroll-pt", "scroll-pr", "scroll-pb", "scroll-pl"],
    properties: [
        "scroll-padding",
        "scroll-padding-inline",
        "scroll-padding-block",
        "scroll-padding-top",
        "scroll-padding-right",
        "scroll-padding-bottom",
        "scroll-padding-left",
    ],
    suffix: spacing,
};

const BORDER_COLOR: Sides = Sides {
    longhands: ["border-top-color", "border-right-color", "border-bottom-color", "border-left-color"],
    roots: ["border", "border-x", "border-y", "border-t", "border-r", "border-b", "border-l"],
    properties: [
        "border-color",
        "border-inline-color",
        "border-block-color",
        "border-top-color",
        "border-right-color",
        "border-bottom-color",
        "border-left-color",
    ],
    suffix: color::suffix,
};

const BORDER_WIDTH: Sides = Sides {
    longhands: ["border-top-width", "border-right-width", "border-bottom-width", "border-left-width"],
    roots: BORDER_COLOR.roots,
    properties: [
        "border-width",
        "border-inline-width",
        "border-block-width",
        "border-top-width",
        "border-right-width",
        "border-bottom-width",
        "border-left-width",
    ],
    suffix: line_width,
};

/// The styles that the utilities of [`BORDER_WIDTH`] declare as well.
const BORDER_STYLES: [&str; 7] = [
    "border-style",
    "border-inline-style",
    "border-block-style",
    "border-top-style",
    "border-right-style",
    "border-bottom-style",
    "border-left-style",
];

fn spacing(value: &str) -> Option<String> {
    let bracketed = |value: String| match negated(&value) {
        Some(inner) => format!("-[{inner}]"),
        None => format!("[{value}]"),
    };
    near_length_suffix(value, false).or_else(|| arbitrary(value).map(bracketed))
}

fn spacing_or_auto(value: &str) -> Option<String> {
    if value == "auto" { Some("auto".into()) } else { spacing(value) }
}

fn inset(value: &str) -> Option<String> {
    if value == "auto" {
        return Some("auto".into());
    }
    if percent(value) == Some(0.0) {
        return Some("0".into());
    }
    near_length_suffix(value, true).or_else(|| spacing(value))
}

fn line_width(value: &str) -> Option<String> {
    let value = match value {
        "thin" => "1px",
        "medium" => "3px",
        "thick" => "5px",
        other => other,
    };
    match px(value) {
        Some(1.0) => Some(String::new()),
        Some(px) if px.fract() == 0.0 && px >= 0.0 => Some(format!("{px}")),
        _ if is_recognizable_length(value) => arbitrary(value).map(|value| format!("[{value}]")),
        _ => arbitrary(value).map(|value| format!("[length:{value}]")),
    }
}

/// Returns `root-suffix`, with the sign in front.
fn class(root: &str, suffix: &str) -> String {
    match suffix.strip_prefix('-') {
        _ if suffix.is_empty() => root.to_owned(),
        Some(rest) => format!("-{root}-{rest}"),
        None => format!("{root}-{suffix}"),
    }
}

/// Takes paddings, margins, insets and their scroll variants.
pub(super) fn boxes(block: &mut DeclarationBlock<'_>) {
    for sides in [&INSET, &MARGIN, &PADDING, &SCROLL_MARGIN, &SCROLL_PADDING] {
        for (at, suffix) in equal_sides(block, sides) {
            block.push(Utility::new(class(sides.roots[at], &suffix), &[sides.properties[at]]));
        }
    }
}

/// Takes the sides and returns suffixes by their index in [`Sides::roots`]. Values that cannot be
/// part of a class stay.
fn equal_sides(block: &mut DeclarationBlock<'_>, sides: &Sides) -> Vec<(usize, String)> {
    let is_width = sides.properties[0] == "border-width";
    let suffixes: Vec<Option<String>> = sides
        .longhands
        .iter()
        .map(|name| {
            // Tailwind would read a width keyword as a colour.
            let value = block.get(name).filter(|value| !(is_width && is_css_wide(value)))?;
            (sides.suffix)(value)
        })
        .collect();
    for (name, suffix) in sides.longhands.iter().zip(&suffixes) {
        if suffix.is_some() {
            block.take(name);
        }
    }
    combine_sides(&suffixes, block.facts.is_vertical)
}

/// Chooses among all, inline, block, top, right, bottom, left to express these four. Utilities of an axis declare
/// flow-relative properties, which mean other sides where lines are vertical.
fn combine_sides(suffixes: &[Option<String>], is_vertical: bool) -> Vec<(usize, String)> {
    let [top, right, bottom, left] = suffixes else { return Vec::new() };
    let same = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
    let (inline, block) = (same(right, left), same(top, bottom));
    if inline && block && same(top, right) {
        return top.iter().map(|suffix| (0, suffix.clone())).collect();
    }
    let (inline, block) = (inline && !is_vertical, block && !is_vertical);
    let mut out = Vec::new();
    if inline {
        out.extend(right.iter().map(|suffix| (1, suffix.clone())));
    }
    if block {
        out.extend(top.iter().map(|suffix| (2, suffix.clone())));
    }
    for (at, suffix, merged) in [(3, top, block), (4, right, inline), (5, bottom, block), (6, left, inline)] {
        if !merged {
            out.extend(suffix.iter().map(|suffix| (at, suffix.clone())));
        }
    }
    out
}

/// Takes border widths, styles and colours. Width utilities also declare the style: solid, unless a
/// style utility says otherwise.
pub(super) fn borders(block: &mut DeclarationBlock<'_>) {
    const STYLES: [&str; 4] = ["border-top-style", "border-right-style", "border-bottom-style", "border-left-style"];
    reverted(block, STYLES);
    let has_width: Vec<bool> = BORDER_WIDTH.longhands.iter().map(|name| block.get(name).is_some()).collect();
    for (at, suffix) in equal_sides(block, &BORDER_WIDTH) {
        block.push(Utility::new(
            class(BORDER_WIDTH.roots[at], &suffix),
            &[BORDER_STYLES[at], BORDER_WIDTH.properties[at]],
        ));
    }
    border_styles(block, STYLES, &has_width);
    if let Some(color) = common_border_color(block) {
        block.forget(&BORDER_COLOR.longhands);
        return block.push(Utility::new(class("border", &color), &["border-color"]));
    }
    for (at, suffix) in equal_sides(block, &BORDER_COLOR) {
        block.push(Utility::new(class(BORDER_COLOR.roots[at], &suffix), &[BORDER_COLOR.properties[at]]));
    }
}

/// Returns the sides that have a border under some condition. Preflight gives `hr` a top border.
pub(super) fn drawn_borders(blocks: &[GuardedDeclarations], is_rule: bool) -> [bool; 4] {
    let has_width = |value: &String| !matches!(value.as_str(), "0" | "0px");
    let says_width = |side: &str| blocks.iter().any(|(_, said)| said.get(side).is_some_and(has_width));
    let [top, right, bottom, left] = BORDER_WIDTH.longhands.map(says_width);
    [top || is_rule, right, bottom, left]
}

/// Returns the colour that all drawn borders share. It can be declared for all sides, since the
/// others do not show.
fn common_border_color(block: &DeclarationBlock<'_>) -> Option<String> {
    let mut drawn = BORDER_COLOR.longhands.iter().zip(block.facts.draws_borders).filter(|(_, is_drawn)| *is_drawn);
    let color = block.get(drawn.next()?.0)?;
    drawn.all(|(side, _)| block.get(side) == Some(color)).then(|| color::suffix(color))?
}

/// Writes borders that are reverted to the browser's stylesheet.
fn reverted(block: &mut DeclarationBlock<'_>, styles: [&'static str; 4]) {
    let borders = [&BORDER_WIDTH.longhands, &styles, &BORDER_COLOR.longhands];
    let names: Vec<&str> = borders.into_iter().flatten().copied().collect();
    let all: Vec<(&str, &str)> = names.iter().map(|name| (*name, "revert")).collect();
    if block.take_all(&all) {
        block.push(Utility::new("[border:revert]", &["border-width", "border-style", "border-color"]));
    }
}

fn border_styles(block: &mut DeclarationBlock<'_>, names: [&'static str; 4], has_width: &[bool]) {
    const STYLES_WITH_UTILITY: &[&str] = &["solid", "dashed", "dotted", "double", "hidden", "none"];
    let declared: Vec<(usize, String)> =
        names.iter().enumerate().filter_map(|(at, name)| Some((at, block.get(name)?.to_ascii_lowercase()))).collect();
    let Some((_, first)) = declared.first() else { return };
    let first = first.clone();
    let agree = declared.iter().all(|(_, style)| *style == first) && STYLES_WITH_UTILITY.contains(&first.as_str());
    // One style for all sides: sides without width show none. Where only some sides are declared,
    // the others are solid.
    let is_declared = |side: usize| declared.iter().any(|(at, _)| *at == side);
    let others_show = (0..4).any(|side| !is_declared(side) && block.facts.draws_borders[side]);
    let stands_for_all = first != "none" && declared.iter().all(|(at, _)| has_width[*at]);
    if agree && (declared.len() == 4 || (stands_for_all && (first == "solid" || !others_show))) {
        block.forget(&names);
        let is_default =
            first == "solid" && declared.iter().all(|(at, _)| has_width[*at]) && !block.facts.styles_borders;
        if !is_default {
            block.push(Utility::new(format!("border-{first}"), &["--tw-border-style", "border-style"]));
        }
        return;
    }
    if declared.len() == 4
        && declared.iter().all(|(_, style)| *style == first)
        && matches!(first.as_str(), "groove" | "inset" | "outset" | "ridge")
    {
        block.forget(&names);
        return block.push(Utility::new(format!("[border-style:{first}]"), &["border-style"]));
    }
    for (at, style) in declared {
        if style == "solid" && has_width[at] && !block.facts.styles_borders {
            block.take(names[at]);
        }
    }
}

/// Corner radii.
pub(super) fn radii(block: &mut DeclarationBlock<'_>) {
    const CORNERS: [&str; 4] = [
        "border-top-left-radius",
        "border-top-right-radius",
        "border-bottom-right-radius",
        "border-bottom-left-radius",
    ];
    let values: Vec<Option<String>> = CORNERS.iter().map(|name| block.get(name).map(str::to_owned)).collect();
    if rounds_fully(&values, block.facts.is_square) {
        block.forget(&CORNERS);
        return block.add("rounded-full", &["border-radius"]);
    }
    let suffixes: Vec<Option<String>> = values.iter().map(|value| radius(value.as_deref()?)).collect();
    for (name, suffix) in CORNERS.iter().zip(&suffixes) {
        if suffix.is_some() {
            block.take(name);
        }
    }
    let [tl, tr, br, bl] = suffixes.as_slice() else { return };
    let same = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
    let mut push = |root: &str, suffix: &Option<String>, properties: &[&'static str]| {
        if let Some(suffix) = suffix {
            block.push(Utility::new(format!("{root}-{suffix}"), properties));
        }
    };
    let [n_tl, n_tr, n_br, n_bl] = CORNERS;
    match (same(tl, tr), same(br, bl), same(tl, bl), same(tr, br)) {
        (true, true, true, _) => match tl.as_ref().and_then(|suffix| elliptic(suffix)) {
            Some(both) => push("rounded", &Some(both), &["border-radius"]),
            None => push("rounded", tl, &["border-radius"]),
        },
        (true, bottom, ..) if bottom || (br.is_none() && bl.is_none()) || !same(tl, bl) && !same(tr, br) => {
            push("rounded-t", tl, &[n_tl, n_tr]);
            if bottom {
                push("rounded-b", br, &[n_br, n_bl]);
            } else {
                push("rounded-br", br, &[n_br]);
                push("rounded-bl", bl, &[n_bl]);
            }
        }
        (_, true, false, false) => {
            push("rounded-b", br, &[n_br, n_bl]);
            push("rounded-tl", tl, &[n_tl]);
            push("rounded-tr", tr, &[n_tr]);
        }
        (_, _, left, right) => {
            if left {
                push("rounded-l", tl, &[n_tl, n_bl]);
            } else {
                push("rounded-tl", tl, &[n_tl]);
                push("rounded-bl", bl, &[n_bl]);
            }
            if right {
                push("rounded-r", tr, &[n_tr, n_br]);
            } else {
                push("rounded-tr", tr, &[n_tr]);
                push("rounded-br", br, &[n_br]);
            }
        }
    }
}

/// Returns true if four equal radii are at least half of the box: a length beyond every box, or half of a square.
fn rounds_fully(corners: &[Option<String>], is_square: bool) -> bool {
    const BEYOND_EVERY_BOX: f64 = 500.0;
    let Some(Some(first)) = corners.first() else { return false };
    let is_long = px(first).is_some_and(|px| px >= BEYOND_EVERY_BOX)
        || dimension(first).is_some_and(|(factor, unit)| unit == "em" && factor * 16.0 >= BEYOND_EVERY_BOX);
    let is_half = is_square && percent(first).is_some_and(|share| share >= 50.0);
    (is_long || is_half) && corners.iter().all(|corner| corner.as_ref() == Some(first))
}

/// Returns true if the border box of an element or pseudo-element is a square under all conditions.
pub(super) fn is_square(blocks: &[GuardedDeclarations], element: &Element, pseudo: Option<PseudoElement>) -> bool {
    let says = |property: &str| blocks.iter().any(|(_, declared)| declared.contains_key(property));
    // Only round corners ask.
    if !says("border-bottom-left-radius") {
        return false;
    }
    let is_length = |size: &String| dimension(size).is_some_and(|(length, unit)| length > 0.0 && unit != "%");
    let is_even = |sides: &[Option<&String>; 2]| sides[0] == sides[1] && sides[0].is_some_and(is_length);
    let are_limits_even = [["min-width", "min-height"], ["max-width", "max-height"]].into_iter().all(|names| {
        let is_limit = |value: &&String| !matches!(value.as_str(), "none" | "auto" | "0" | "0px");
        let mut limits = blocks.iter().map(|(_, declared)| names.map(|name| declared.get(name).filter(is_limit)));
        limits.all(|sides| sides == [None, None] || is_even(&sides))
    });
    if !are_limits_even {
        return false;
    }
    let is_content_box =
        blocks.iter().any(|(_, declared)| declared.get("box-sizing").is_some_and(|own| own == "content-box"));
    if is_content_box && PADDING.longhands.into_iter().chain(BORDER_WIDTH.longhands).any(says) {
        return false;
    }
    let sizes: Vec<(bool, [Option<&String>; 2])> = blocks
        .iter()
        .map(|(guard, declared)| (guard.is_open(), ["width", "height"].map(|side| declared.get(side))))
        .filter(|(_, sides)| sides.iter().any(Option::is_some))
        .collect();
    if sizes.is_empty() {
        // The ratio of an image follows from its attributes.
        let [width, height] = ["width", "height"].map(|side| element.attribute(side));
        return pseudo.is_none() && element.is_replaced() && width.is_some() && width == height;
    }
    sizes.iter().any(|(is_open, _)| *is_open) && sizes.iter().all(|(_, sides)| is_even(sides))
}

fn radius(value: &str) -> Option<String> {
    let is_full = value.contains("infinity") || px(value).is_some_and(|px| px >= 9999.0);
    if is_full {
        return Some("full".into());
    }
    match px(value).and_then(|px| near_step(RADII, px)) {
        Some(step) => Some(step.to_owned()),
        None => arbitrary(value).map(|value| format!("[{value}]")),
    }
}

/// Returns two radii of one corner in the syntax of the `border-radius` shorthand.
fn elliptic(suffix: &str) -> Option<String> {
    let inside = suffix.strip_prefix('[')?.strip_suffix(']')?;
    let spaced = inside.replace('_', " ");
    match split_spaces(&spaced).as_slice() {
        [x, y] => Some(format!("[{x}/{y}]")),
        _ => None,
    }
}
