//! Writes backgrounds, masks, object positions and outlines.

use super::arbitrary::arbitrary;
use super::declaration_block::DeclarationBlock;
use super::gradient;
use super::normalize::GuardedDeclarations;
use super::parse_value::{px, split_commas};
use super::scale::{is_css_wide, position_keyword, utility};
use std::collections::BTreeMap;

/// Takes the properties of painting in and around a box, except shadows and filters.
pub(super) fn take_backgrounds(block: &mut DeclarationBlock<'_>) {
    background_image(block);
    background_position(block);
    position(block, "object-position", "object");
    position(block, "transform-origin", "origin");
    position(block, "mask-position", "mask");
    mask_image(block);
    outline(block);
    corner_shape(block);
    repeats(block);
}

fn background_image(block: &mut DeclarationBlock<'_>) {
    if block.facts.has_one_image
        && let Some(utilities) = block.get("background-image").and_then(gradient::utilities)
    {
        block.take("background-image");
        return utilities.into_iter().for_each(|utility| block.push(utility));
    }
    image(block, "background-image", "bg");
}

fn mask_image(block: &mut DeclarationBlock<'_>) {
    image(block, "mask-image", "mask");
}

fn image(block: &mut DeclarationBlock<'_>, property: &'static str, root: &str) {
    let Some(value) = block.get(property).filter(|value| *value != "none" && !is_css_wide(value)) else { return };
    // Tailwind infers the type of an image from its first characters.
    let is_image = |layer: &str| {
        let start = layer.to_ascii_lowercase();
        [
            "url(",
            "linear-gradient(",
            "radial-gradient(",
            "conic-gradient(",
            "repeating-",
            "image-set(",
            "-webkit-image-set(",
        ]
        .iter()
        .any(|function| start.starts_with(function))
    };
    if !split_commas(value).iter().all(|layer| is_image(layer)) {
        return;
    }
    if let Some(value) = arbitrary(value) {
        block.take(property);
        block.add(format!("{root}-[{value}]"), &[property]);
    }
}

fn background_position(block: &mut DeclarationBlock<'_>) {
    let (Some(x), Some(y)) = (block.get("background-position-x"), block.get("background-position-y")) else { return };
    let (xs, ys) = (split_commas(x), split_commas(y));
    if xs.len() != ys.len() || is_css_wide(x) || is_css_wide(y) {
        return;
    }
    let layers: Vec<String> = xs.iter().zip(&ys).map(|(x, y)| format!("{x} {y}")).collect();
    let suffix = match layers.as_slice() {
        [one] => position_keyword(one).map(|keyword| format!("bg-{keyword}")),
        _ => None,
    };
    let class = suffix.or_else(|| arbitrary(&layers.join(", ")).map(|value| format!("bg-position-[{value}]")));
    let Some(class) = class else { return };
    block.take("background-position-x");
    block.take("background-position-y");
    block.add(class, &["background-position"]);
}

/// Writes a position; the nine keyword positions have names.
fn position(block: &mut DeclarationBlock<'_>, property: &'static str, root: &str) {
    let Some(value) = block.get(property).filter(|value| !is_css_wide(value)) else { return };
    let class = match position_keyword(value) {
        Some(keyword) => Some(format!("{root}-{keyword}")),
        // A leading number distinguishes a position from an image.
        None if root == "mask" && !value.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
            arbitrary(value).map(|value| format!("mask-position-[{value}]"))
        }
        None => arbitrary(value).map(|value| format!("{root}-[{value}]")),
    };
    if let Some(class) = class {
        block.take(property);
        block.add(class, &[property]);
    }
}

/// The declarations of Tailwind's `outline-hidden`: invisible, but shown in forced-colors mode.
const HIDDEN_OUTLINE: [(&str, &str); 4] =
    [("outline-style", "solid"), ("outline-width", "2px"), ("outline-color", "transparent"), ("outline-offset", "2px")];

/// Returns true if every block that declares an outline hides it like `outline-hidden`. A visible
/// outline would take its style and width from the arbitrary declarations.
pub(super) fn outlines_are_only_hidden(blocks: &[GuardedDeclarations]) -> bool {
    let says = |declared: &&BTreeMap<String, String>| declared.keys().any(|property| property.starts_with("outline-"));
    let has = |declared: &BTreeMap<String, String>, (property, value): &(&str, &str)| {
        declared.get(*property).is_some_and(|own| own == value)
    };
    let mut saying = blocks.iter().map(|(_, declared)| declared).filter(says);
    saying.all(|declared| HIDDEN_OUTLINE.iter().all(|own| has(declared, own)))
}

/// Writes the outline. With `outline-style: none`, its width and colour have no effect.
fn outline(block: &mut DeclarationBlock<'_>) {
    if block.facts.only_hides_outline && block.take_all(&HIDDEN_OUTLINE) {
        return block.add("outline-hidden", &["--tw-outline-style", "outline-style"]);
    }
    let style = block.get("outline-style").map(str::to_ascii_lowercase);
    if style.as_deref() == Some("none") {
        block.forget(&["outline-style", "outline-width", "outline-color"]);
        return block.add("outline-none", &["--tw-outline-style", "outline-style"]);
    }
    let width = block.get("outline-width").map(|value| match value {
        "thin" => "1px",
        "medium" => "3px",
        "thick" => "5px",
        other => other,
    });
    if style.as_deref() == Some("auto") {
        return focus_ring(block, width);
    }
    let suffix = match width.and_then(px) {
        Some(1.0) => Some("outline".to_owned()),
        Some(px) if px.fract() == 0.0 && px >= 0.0 => Some(format!("outline-{px}")),
        _ => width
            .filter(|width| width.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
            .and_then(arbitrary)
            .map(|width| format!("outline-[{width}]")),
    };
    let has_width = suffix.is_some();
    if let Some(class) = suffix {
        block.take("outline-width");
        block.add(class, &["outline-style", "outline-width"]);
    }
    let Some(style) = style else { return };
    let is_named = matches!(style.as_str(), "solid" | "dashed" | "dotted" | "double");
    if is_named {
        block.take("outline-style");
        if style != "solid" || !has_width || block.facts.hides_outline {
            block.add(format!("outline-{style}"), &["--tw-outline-style", "outline-style"]);
        }
    }
}

/// Writes the browser's default focus ring as one arbitrary property; there is no utility for it.
fn focus_ring(block: &mut DeclarationBlock<'_>, width: Option<&str>) {
    // Browsers choose the width of the ring themselves: if no block declares a width, there is none
    // to reset.
    let has_rest = width.is_some() || !block.facts.says_outline_width;
    let class = block.get("outline-color").filter(|_| has_rest).and_then(|color| {
        let ring = width.into_iter().chain(["auto", color]).collect::<Vec<_>>().join(" ");
        arbitrary(&ring).map(|ring| format!("[outline:{ring}]"))
    });
    if let Some(class) = class {
        block.forget(&["outline-style", "outline-width", "outline-color"]);
        block.add(class, &["outline"]);
    }
}

/// Merges four equal corner shapes into `corner-shape`.
fn corner_shape(block: &mut DeclarationBlock<'_>) {
    const CORNERS: [&str; 4] =
        ["corner-top-left-shape", "corner-top-right-shape", "corner-bottom-right-shape", "corner-bottom-left-shape"];
    let Some(shape) = block.get(CORNERS[0]) else { return };
    if CORNERS.iter().all(|corner| block.has_value(corner, shape))
        && let Some(shape) = arbitrary(shape)
    {
        block.forget(&CORNERS);
        block.add(format!("[corner-shape:{shape}]"), &["corner-shape"]);
    }
}

/// Simplifies two equal repetitions: `no-repeat no-repeat` → `no-repeat`.
fn repeats(block: &mut DeclarationBlock<'_>) {
    for property in ["background-repeat", "mask-repeat"] {
        let Some(value) = block.get(property) else { continue };
        let parts: Vec<&str> = value.split_whitespace().collect();
        let plain = match parts.as_slice() {
            ["repeat", "no-repeat"] => "repeat-x",
            ["no-repeat", "repeat"] => "repeat-y",
            [x, y] if x == y => x,
            _ => continue,
        };
        if let Some(utility) = utility(property, plain) {
            block.take(property);
            block.push(utility);
        }
    }
}
