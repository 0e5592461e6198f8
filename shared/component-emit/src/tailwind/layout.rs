//! Writes layout: sizes, gaps, alignment, flex and grid items, overflow, containers, columns.

use super::arbitrary::arbitrary;
use super::declaration_block::DeclarationBlock;
use super::equal_columns;
use super::parse_value::{integer, number, percent, px, split_spaces};
use super::scale;
use super::theme::{CONTAINERS, step};
use super::utility::Utility;

/// Takes the properties of boxes and their layout.
pub(super) fn take_layout(block: &mut DeclarationBlock<'_>) {
    size(block);
    gap(block);
    overflow(block);
    alignment(block);
    flex_item(block);
    grid_area(block);
    grid_item(block, ["grid-column-start", "grid-column-end"], "col", "grid-column");
    grid_item(block, ["grid-row-start", "grid-row-end"], "row", "grid-row");
    equal_columns::take_equal_columns(block);
    container(block);
    columns(block);
    aspect_ratio(block);
    snap(block);
    border_spacing(block);
}

/// Takes the declarations of text for screen readers only: `sr-only`. Older pages use `clip`, which
/// has the same effect.
pub(super) fn take_sr_only(block: &mut DeclarationBlock<'_>) {
    let is_dot = |value: Option<&str>| value.and_then(px).is_some_and(|px| px <= 1.0);
    let clips = block.get("clip-path").is_some_and(|value| value.replace(' ', "").contains("inset(50%)"))
        || block.get("clip").is_some_and(|value| {
            let compact = value.replace([' ', ','], "").replace("px", "");
            matches!(compact.as_str(), "rect(0000)" | "rect(1111)")
        });
    let hidden = clips
        && block.has_value("position", "absolute")
        && block.has_value("overflow-x", "hidden")
        && is_dot(block.get("width"))
        && is_dot(block.get("height"));
    if !hidden {
        return;
    }
    const VISUALLY_HIDDEN_PROPERTIES: &[&str] = &[
        "position",
        "width",
        "height",
        "top",
        "right",
        "bottom",
        "left",
        "padding-top",
        "padding-right",
        "padding-bottom",
        "padding-left",
        "margin-top",
        "margin-right",
        "margin-bottom",
        "margin-left",
        "overflow-x",
        "overflow-y",
        "clip",
        "clip-path",
        "text-wrap-mode",
        "white-space-collapse",
        "border-top-width",
        "border-right-width",
        "border-bottom-width",
        "border-left-width",
        "border-top-style",
        "border-right-style",
        "border-bottom-style",
        "border-left-style",
    ];
    block.forget(VISUALLY_HIDDEN_PROPERTIES);
    block.add(
        "sr-only",
        &["position", "width", "height", "padding", "margin", "overflow", "clip-path", "white-space", "border-width"],
    );
}

fn size(block: &mut DeclarationBlock<'_>) {
    let (Some(width), Some(height)) = (block.get("width"), block.get("height")) else { return };
    let last = |property: &str, value: &str| {
        let utility = scale::utility(property, value)?;
        utility.class.split_once('-').map(|(_, suffix)| suffix.to_owned())
    };
    let (Some(w), Some(h)) = (last("width", width), last("height", height)) else { return };
    // For a width on the container scale, `h` has the same length as a number.
    let same = w == h || (px(width).is_some() && px(width) == px(height));
    if same && !matches!(h.as_str(), "screen" | "lh") {
        block.take("width");
        block.take("height");
        block.add(format!("size-{h}"), &["width", "height"]);
    }
}

fn gap(block: &mut DeclarationBlock<'_>) {
    let (Some(row), Some(column)) = (block.get("row-gap"), block.get("column-gap")) else { return };
    let suffix =
        |value| scale::near_length_suffix(value, false).or_else(|| arbitrary(value).map(|value| format!("[{value}]")));
    let (row, column) = (suffix(row), suffix(column));
    if let Some(gap) = row.filter(|row| Some(row) == column.as_ref()) {
        block.take("row-gap");
        block.take("column-gap");
        block.add(format!("gap-{gap}"), &["gap"]);
    }
}

fn overflow(block: &mut DeclarationBlock<'_>) {
    for (property, root) in [("overflow", "overflow"), ("overscroll-behavior", "overscroll")] {
        let names = [format!("{property}-x"), format!("{property}-y")];
        let [x, y] = names.each_ref().map(|name| block.get(name).map(normal_overflow));
        let known: fn(&str) -> bool = match root {
            "overflow" => |value| matches!(value, "auto" | "hidden" | "clip" | "visible" | "scroll"),
            _ => |value| matches!(value, "auto" | "contain" | "none"),
        };
        let single: [&'static str; 2] = match root {
            "overflow" => ["overflow-x", "overflow-y"],
            _ => ["overscroll-behavior-x", "overscroll-behavior-y"],
        };
        if let Some(both) = x.filter(|x| known(x) && Some(*x) == y) {
            block.forget(&names);
            block.add(format!("{root}-{both}"), &[if root == "overflow" { "overflow" } else { "overscroll-behavior" }]);
            continue;
        }
        for (at, value) in [x, y].into_iter().enumerate() {
            if let Some(value) = value.filter(|value| known(value)) {
                block.take(&names[at]);
                block.add(format!("{root}-{}-{value}", ["x", "y"][at]), &[single[at]]);
            }
        }
    }
}

/// Replaces `overlay`, the legacy name of `auto`.
fn normal_overflow(value: &str) -> &str {
    if value == "overlay" { "auto" } else { value }
}

/// Writes `place-*` where both axes agree; `start` and `end` get the names that Tailwind has for
/// them.
fn alignment(block: &mut DeclarationBlock<'_>) {
    let reversed = block.get("flex-direction").is_some_and(|value| value.ends_with("reverse"));
    let pairs: [(&'static str, &'static str, &'static str, &str); 3] = [
        ("align-content", "justify-content", "place-content", "place-content"),
        ("align-items", "justify-items", "place-items", "place-items"),
        ("align-self", "justify-self", "place-self", "place-self"),
    ];
    for (align, justify, both, root) in pairs {
        let [a, j] = [align, justify].map(|name| block.get(name).map(|value| plain_alignment(name, value, reversed)));
        if let (Some(a), Some(j)) = (&a, &j)
            && let Some(suffix) = place_keyword(both, a, j)
        {
            block.take(align);
            block.take(justify);
            block.add(format!("{root}-{suffix}"), &[both]);
            continue;
        }
        for (name, value) in [(align, a), (justify, j)] {
            let Some(value) = value else { continue };
            if let Some(utility) = scale::utility(name, &value) {
                block.take(name);
                block.push(utility);
            }
        }
    }
}

/// Returns the spelling of the keyword tables. `start` and `flex-start` differ only in a reversed
/// flex container.
fn plain_alignment(property: &str, value: &str, reversed: bool) -> String {
    let value = value.to_ascii_lowercase();
    let (safety, position) = match value.split_once(' ') {
        Some(("safe", position)) => ("safe ", position),
        Some(("unsafe", position)) => ("", position),
        Some(("first", position)) => ("", position),
        _ => ("", value.as_str()),
    };
    let logical = property == "justify-items";
    let position = match position {
        "start" | "left" | "self-start" if !reversed && !logical && position_is_logical(property, position) => {
            "flex-start"
        }
        "end" | "right" | "self-end" if !reversed && !logical && position_is_logical(property, position) => "flex-end",
        "flex-start" | "self-start" if logical => "start",
        "flex-end" | "self-end" if logical => "end",
        other => other,
    };
    format!("{safety}{position}")
}

/// Returns true if `position` is logical: `left` means `start` only on the inline axis.
fn position_is_logical(property: &str, position: &str) -> bool {
    property.starts_with("justify-") || !matches!(position, "left" | "right")
}

fn place_keyword(both: &str, align: &str, justify: &str) -> Option<&'static str> {
    let plain = |value: &str| value.replace("flex-", "");
    if plain(align) != plain(justify) {
        return None;
    }
    let words: &[(&str, &'static str)] = match both {
        "place-content" => &[
            ("center", "center"),
            ("start", "start"),
            ("end", "end"),
            ("space-between", "between"),
            ("space-around", "around"),
            ("space-evenly", "evenly"),
            ("baseline", "baseline"),
            ("stretch", "stretch"),
        ],
        "place-items" => &[
            ("center", "center"),
            ("start", "start"),
            ("end", "end"),
            ("baseline", "baseline"),
            ("stretch", "stretch"),
        ],
        _ => &[("auto", "auto"), ("center", "center"), ("start", "start"), ("end", "end"), ("stretch", "stretch")],
    };
    words.iter().find(|(word, _)| *word == plain(align)).map(|(_, suffix)| *suffix)
}

fn flex_item(block: &mut DeclarationBlock<'_>) {
    // Without a declaration in any block, `flex-shrink` is 1.
    let shrink = block.get("flex-shrink").or_else(|| (!block.facts.says_shrink).then_some("1"));
    let (Some(grow), Some(shrink), Some(basis)) = (block.get("flex-grow"), shrink, block.get("flex-basis")) else {
        return;
    };
    let (Some(grow), Some(shrink)) = (number(grow), number(shrink)) else { return };
    let is_zero = percent(basis) == Some(0.0) || basis == "0";
    let class = if is_zero && shrink == 1.0 && grow > 0.0 && grow.fract() == 0.0 {
        format!("flex-{grow}")
    } else if basis == "auto" && shrink == 1.0 && grow == 1.0 {
        "flex-auto".to_owned()
    } else if basis == "auto" && shrink == 0.0 && grow == 0.0 {
        "flex-none".to_owned()
    } else if basis == "auto" && shrink == 1.0 && grow == 0.0 {
        "flex-initial".to_owned()
    } else {
        return;
    };
    block.forget(&["flex-grow", "flex-shrink", "flex-basis"]);
    block.add(class, &["flex"]);
}

/// Writes `[grid-area:cover]` for an element in a named area.
fn grid_area(block: &mut DeclarationBlock<'_>) {
    const LINES: [&str; 4] = ["grid-column-start", "grid-column-end", "grid-row-start", "grid-row-end"];
    let Some(area) = block.get(LINES[0]).map(str::to_owned) else { return };
    let is_name = area.starts_with(|c: char| c.is_ascii_alphabetic())
        && area.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        && area != "auto"
        && area != "span"
        && !scale::is_css_wide(&area);
    if !is_name || !LINES.iter().all(|line| block.has_value(line, &area)) {
        return;
    }
    if let Some(utility) = Utility::arbitrary_property("grid-area", &area) {
        for line in LINES {
            block.take(line);
        }
        block.push(utility);
    }
}

fn grid_item(block: &mut DeclarationBlock<'_>, [start, end]: [&'static str; 2], root: &str, shorthand: &'static str) {
    // Under no condition the other line is `auto` unless it is declared.
    let other = block.get(end).or(block.facts.unconditional.then_some("auto"));
    let (Some(from), Some(to)) = (block.get(start), other) else { return };
    let span = |value: &str| match split_spaces(value).as_slice() {
        ["span", count] | [count, "span"] => integer(count),
        _ => None,
    };
    let class = match (span(from), span(to)) {
        _ if from == "1" && to == "-1" => format!("{root}-span-full"),
        (Some(count), Some(same)) if count == same => format!("{root}-span-{count}"),
        (Some(count), None) if to == "auto" => format!("{root}-span-{count}"),
        _ if from == "auto" && to == "auto" && block.get(end).is_some() => format!("{root}-auto"),
        _ => return,
    };
    block.take(start);
    block.take(end);
    block.add(class, &[shorthand]);
}

/// Writes `@container/card`.
fn container(block: &mut DeclarationBlock<'_>) {
    let name = block.get("container-name").filter(|name| *name != "none");
    let root = match block.get("container-type") {
        Some("inline-size") => "@container",
        Some("normal") => "@container-normal",
        Some("size") => "@container-size",
        _ => return,
    };
    let is_word = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let class = match name {
        Some(name) if is_word(name) => format!("{root}/{name}"),
        Some(_) => return,
        None => root.to_owned(),
    };
    block.take("container-type");
    block.take("container-name");
    let named = class.contains('/');
    block.add(class, if named { &["container-type", "container-name"] } else { &["container-type"] });
}

fn columns(block: &mut DeclarationBlock<'_>) {
    let count = block.get("column-count");
    let width = block.get("column-width");
    let suffix = match (count, width) {
        (None, None) => return,
        (Some("auto"), None | Some("auto")) | (None, Some("auto")) => "auto".to_owned(),
        (Some(count), None | Some("auto")) if integer(count).is_some() => count.to_owned(),
        (None | Some("auto"), Some(width)) => match px(width).and_then(|px| step(CONTAINERS, px)) {
            Some(step) => step.to_owned(),
            None => match arbitrary(width) {
                Some(width) => format!("[{width}]"),
                None => return,
            },
        },
        (Some(count), Some(width)) => match arbitrary(&format!("{count} {width}")) {
            Some(both) => format!("[{both}]"),
            None => return,
        },
        _ => return,
    };
    block.take("column-count");
    block.take("column-width");
    block.add(format!("columns-{suffix}"), &["columns"]);
}

fn aspect_ratio(block: &mut DeclarationBlock<'_>) {
    let Some(value) = block.get("aspect-ratio") else { return };
    let parts: Vec<&str> = value.split('/').map(str::trim).collect();
    let class = match parts.as_slice() {
        ["auto"] => "aspect-auto".to_owned(),
        ["1"] => "aspect-square".to_owned(),
        [width, height] => match (integer(width), integer(height)) {
            (Some(width), Some(height)) if width == height && width > 0 => "aspect-square".to_owned(),
            (Some(16), Some(9)) => "aspect-video".to_owned(),
            (Some(width), Some(height)) if width > 0 && height > 0 => format!("aspect-{width}/{height}"),
            _ => return bracketed_ratio(block, value),
        },
        _ => return bracketed_ratio(block, value),
    };
    block.take("aspect-ratio");
    block.add(class, &["aspect-ratio"]);
}

fn bracketed_ratio(block: &mut DeclarationBlock<'_>, value: &str) {
    if let Some(value) = arbitrary(value) {
        block.take("aspect-ratio");
        block.add(format!("aspect-[{value}]"), &["aspect-ratio"]);
    }
}

/// Writes `snap-x snap-mandatory`.
fn snap(block: &mut DeclarationBlock<'_>) {
    let Some(value) = block.get("scroll-snap-type") else { return };
    let (axis, strictness) = match split_spaces(value).as_slice() {
        ["none"] => {
            block.take("scroll-snap-type");
            return block.add("snap-none", &["scroll-snap-type"]);
        }
        [axis @ ("x" | "y" | "both")] => (*axis, "proximity"),
        [axis @ ("x" | "y" | "both"), strictness @ ("mandatory" | "proximity")] => (*axis, *strictness),
        _ => return,
    };
    block.take("scroll-snap-type");
    block.add(format!("snap-{axis}"), &["scroll-snap-type"]);
    if strictness == "mandatory" || !block.facts.unconditional {
        block.add(format!("snap-{strictness}"), &["--tw-scroll-snap-strictness"]);
    }
}

fn border_spacing(block: &mut DeclarationBlock<'_>) {
    let Some(value) = block.get("border-spacing") else { return };
    let suffix =
        |value: &str| scale::length_suffix(value, false).or_else(|| arbitrary(value).map(|value| format!("[{value}]")));
    let parts: Option<Vec<String>> = split_spaces(value).into_iter().map(suffix).collect();
    let Some(parts) = parts else { return };
    match parts.as_slice() {
        [both] | [both, _] if parts.iter().all(|part| part == both) => {
            block.take("border-spacing");
            block.add(
                format!("border-spacing-{both}"),
                &["--tw-border-spacing-x", "--tw-border-spacing-y", "border-spacing"],
            );
        }
        [x, y] => {
            block.take("border-spacing");
            block.add(format!("border-spacing-x-{x}"), &["--tw-border-spacing-x", "border-spacing"]);
            block.add(format!("border-spacing-y-{y}"), &["--tw-border-spacing-y", "border-spacing"]);
        }
        _ => {}
    }
}
