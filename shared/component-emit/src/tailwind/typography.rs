//! Writes typography: size with line height, font, decoration, white space.

use super::arbitrary::arbitrary;
use super::declaration_block::DeclarationBlock;
use super::normalize::GuardedDeclarations;
use super::parse_value::variable_name;
use super::parse_value::{number, percent, plain, px, split_commas};
use super::scale::{is_css_wide, length_suffix};
use super::theme::{LEADING, TEXT, TEXT_SHADOWS, WEIGHTS, step};
use super::{font_stack, shadow};
use cssparser::serialize_string;
use limner_component_model::css::keywords::is_reserved_family;
use limner_css_values::value::{Component, parse_components};

/// Takes the properties of text.
pub(super) fn take_typography(block: &mut DeclarationBlock<'_>) {
    clamp(block);
    truncate(block);
    white_space(block);
    size_and_leading(block);
    family(block);
    weight(block);
    numeric(block);
    text_shadow(block);
    word_break(block);
    content(block);
}

/// Writes `line-clamp-3`.
fn clamp(block: &mut DeclarationBlock<'_>) {
    let Some(lines) = block.get("-webkit-line-clamp") else { return };
    let known = number(lines).is_some_and(|lines| lines.fract() == 0.0 && lines > 0.0);
    let others = [
        ("display", "-webkit-box"),
        ("-webkit-box-orient", "vertical"),
        ("overflow-x", "hidden"),
        ("overflow-y", "hidden"),
    ];
    if known && block.take_all(&others) {
        block.take("-webkit-line-clamp");
        block.add(format!("line-clamp-{lines}"), &["overflow", "display", "-webkit-box-orient", "-webkit-line-clamp"]);
    }
}

/// Writes `truncate`.
fn truncate(block: &mut DeclarationBlock<'_>) {
    let parts = [
        ("overflow-x", "hidden"),
        ("overflow-y", "hidden"),
        ("text-overflow", "ellipsis"),
        ("text-wrap-mode", "nowrap"),
    ];
    let collapses =
        block.get("white-space-collapse").map_or(!block.facts.preserves_whitespace, |value| value == "collapse");
    if collapses && block.take_all(&parts) {
        block.take("white-space-collapse");
        block.add("truncate", &["overflow", "text-overflow", "white-space"]);
    }
}

fn white_space(block: &mut DeclarationBlock<'_>) {
    let style = block.get("text-wrap-style").map(str::to_ascii_lowercase);
    let mode = block.get("text-wrap-mode").map(str::to_ascii_lowercase);
    if let Some(style @ ("balance" | "pretty")) = style.as_deref()
        && mode.as_deref().is_none_or(|mode| mode == "wrap")
    {
        block.take("text-wrap-style");
        let keeps_space = block.get("white-space-collapse").is_some_and(|value| value != "collapse");
        block.take("text-wrap-mode");
        if !keeps_space {
            block.take("white-space-collapse");
        }
        return block.add(format!("text-{style}"), &["text-wrap"]);
    }
    let Some(mode) = mode else { return };
    let collapse = block.get("white-space-collapse").map(str::to_ascii_lowercase);
    let class = match (collapse.as_deref(), mode.as_str()) {
        (Some("collapse"), "wrap") => "whitespace-normal",
        (Some("collapse"), "nowrap") => "whitespace-nowrap",
        (Some("preserve"), "nowrap") => "whitespace-pre",
        (Some("preserve"), "wrap") => "whitespace-pre-wrap",
        (Some("preserve-breaks"), "wrap") => "whitespace-pre-line",
        (Some("break-spaces"), "wrap") => "whitespace-break-spaces",
        (None, "wrap") => "text-wrap",
        (None, "nowrap") if block.facts.preserves_whitespace => "text-nowrap",
        // White space that already collapses needs no declaration: authors write only `nowrap`.
        (None, "nowrap") => "whitespace-nowrap",
        _ => return,
    };
    block.take("text-wrap-mode");
    block.take("white-space-collapse");
    if style.as_deref() == Some("auto") {
        block.take("text-wrap-style");
    }
    block.add(class, if class.starts_with("text-") { &["text-wrap"] } else { &["white-space"] });
}

fn size_and_leading(block: &mut DeclarationBlock<'_>) {
    let leading = block.get("line-height").and_then(|height| {
        // Descendants with another font size would inherit a length.
        let multiple = multiple_of_size(height).filter(|_| !block.facts.has_font_size_changes);
        let named = multiple.as_deref().and_then(leading_suffix);
        named.or_else(|| leading_suffix(height))
    });
    let size = block.get("font-size").filter(|size| !is_css_wide(size));
    let Some(size) = size else { return write_line_height(block, leading) };
    let leading = leading.map(|leading| spacing_step(block, size, &leading).unwrap_or(leading));
    let theme = px(size).and_then(text_size);
    let Some(size_suffix) = theme.map(|(name, ..)| (*name).to_owned()).or_else(|| bracketed_size(size)) else {
        return write_line_height(block, leading);
    };
    block.take("font-size");
    if let Some((name, ..)) = theme.filter(|_| block.facts.uses_size_line_heights) {
        block.take("line-height");
        return block.add(format!("text-{name}"), &["font-size", "line-height"]);
    }
    let is_split = block.facts.splits_leading;
    let class = match (&leading, theme) {
        (Some(_), Some((name, size, ratio))) if !is_split && is_default_line_height(block, *size, *ratio) => {
            block.take("line-height");
            format!("text-{name}")
        }
        (Some(leading), _) if !is_split => {
            block.take("line-height");
            // `leading-px` is a utility, but the slash modifier has no such step.
            let leading = if leading == "px" { "[1px]" } else { leading };
            format!("text-{size_suffix}/{leading}")
        }
        (_, Some(_)) if block.facts.takes_leading => format!("text-[{size}]"),
        // A theme size sets its line height too, unless `leading-*` overrides it.
        (_, Some((name, ..))) if leading.is_some() || block.facts.has_leading => format!("text-{name}"),
        (_, Some((name, ..))) => match block.facts.inherited_leading.as_deref().and_then(leading_suffix) {
            Some(step) if step != "px" => format!("text-{name}/{step}"),
            _ => format!("text-[{size}]"),
        },
        (_, None) => format!("text-{size_suffix}"),
    };
    let has_leading = class.contains('/') || !class.contains('[');
    block.add(class, if has_leading { &["font-size", "line-height"] } else { &["font-size"] });
    let leading = leading.filter(|_| block.get("line-height").is_some());
    write_line_height(block, leading);
}

/// Returns a line height in percent as a multiple of the font size. Browsers compute both in one way, but cut off a fraction of
/// a pixel of a length in `em`.
fn multiple_of_size(height: &str) -> Option<String> {
    let multiple = percent(height)? / 100.0;
    (multiple > 0.0).then(|| plain(multiple))
}

/// Returns the theme's font size. A difference adds up over a line, so it is at most 1 in 200.
fn text_size(px: f64) -> Option<&'static (&'static str, f64, f64)> {
    TEXT.iter().find(|(_, step, _)| (step - px).abs() <= step / 200.0)
}

/// Returns true if all font sizes are theme sizes whose default line height is the one declared
/// unconditionally.
pub(super) fn uses_size_line_heights(blocks: &[GuardedDeclarations]) -> bool {
    let all = |property: &'static str| blocks.iter().filter_map(move |(_, declared)| declared.get(property));
    let is_stated = blocks.iter().any(|(guard, declared)| {
        guard.is_open() && declared.contains_key("font-size") && declared.contains_key("line-height")
    });
    let Some(leading) = all("line-height").next().and_then(|leading| number(leading)).filter(|_| is_stated) else {
        return false;
    };
    let ratio = |size: &String| px(size).and_then(text_size);
    all("line-height").all(|own| number(own) == Some(leading))
        && all("font-size").all(|size| ratio(size).is_some_and(|(_, _, ratio)| (ratio - leading).abs() < 1e-3))
}

/// Returns the spacing step of a line height whose multiple has no name: 28 px for 1.47368 × 19 px.
/// Only if nothing would inherit the multiple for another font size.
fn spacing_step(block: &DeclarationBlock<'_>, size: &str, leading: &str) -> Option<String> {
    if block.facts.has_font_size_changes || block.facts.splits_leading || !leading.starts_with('[') {
        return None;
    }
    let height = px(size)? * number(block.get("line-height")?)?;
    let whole = height.round();
    // A quotient that the page rounded up to five places leaves an excess of less than 0.001 px.
    // One that was rounded down would lose a fraction of a pixel, since browsers truncate.
    length_suffix(&format!("{whole}px"), false).filter(|_| whole > 1.0 && (0.0..1e-3).contains(&(height - whole)))
}

fn write_line_height(block: &mut DeclarationBlock<'_>, leading: Option<String>) {
    if let Some(leading) = leading {
        block.take("line-height");
        block.add(format!("leading-{leading}"), &["--tw-leading", "line-height"]);
    }
}

/// Returns true if the declared line height is the default of the theme size. A length counts only
/// if no child could inherit it.
fn is_default_line_height(block: &DeclarationBlock<'_>, size: f64, ratio: f64) -> bool {
    let Some(leading) = block.get("line-height") else { return false };
    match number(leading) {
        Some(multiple) => (multiple - ratio).abs() < 1e-3,
        None => !block.facts.has_children && px(leading).is_some_and(|px| (px - size * ratio).abs() < 0.01),
    }
}

/// Returns the suffix after `leading-`, which is also the modifier after the slash of a size.
fn leading_suffix(value: &str) -> Option<String> {
    if is_css_wide(value) {
        return Some(format!("[{value}]"));
    }
    let named = match number(value) {
        Some(0.0) => Some("0".to_owned()),
        Some(multiple) => step(LEADING, multiple).map(str::to_owned),
        None => length_suffix(value, false).filter(|suffix| !suffix.starts_with('-')),
    };
    named.or_else(|| arbitrary(value).map(|value| format!("[{value}]")))
}

fn bracketed_size(size: &str) -> Option<String> {
    // Tailwind reads `text-[0]` as a colour; a unit makes it a length.
    arbitrary(if size == "0" { "0px" } else { size }).map(|size| format!("[{size}]"))
}

fn family(block: &mut DeclarationBlock<'_>) {
    let Some(value) = block.get("font-family") else { return };
    if let Some(name) = variable_name(value) {
        // Without its type, the value would be a weight.
        let class = format!("font-(family-name:{name})");
        block.take("font-family");
        return block.add(class, &["font-family"]);
    }
    let families: Vec<String> = split_commas(value).into_iter().map(unquoted).collect();
    let class = match font_stack::system_stack(value) {
        Some(step) => format!("font-{step}"),
        None => {
            let Some(stack) = arbitrary(&font_stack::named_families(&families).join(", ")) else { return };
            format!("font-[{stack}]")
        }
    };
    block.take("font-family");
    block.add(class, &["font-family"]);
}

/// Removes the quotes from a family that needs none. Names of several words keep them, since spaces
/// are easily lost.
fn unquoted(family: &str) -> String {
    let bare = family.trim_matches(['"', '\'']);
    let is_word = bare.starts_with(|c: char| c.is_ascii_alphabetic())
        && bare.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if let Some(name) = escaped_name(family) {
        return name;
    }
    let was_quoted = bare.len() != family.len();
    if was_quoted && is_word && !is_reserved_family(bare) {
        return bare.to_owned();
    }
    if was_quoted || !bare.contains(' ') { family.to_owned() } else { format!("'{bare}'") }
}

/// Returns a name that needs escapes in CSS, in quotes: `\.SFNSText-Regular`.
fn escaped_name(family: &str) -> Option<String> {
    let words: Option<Vec<String>> = parse_components(family.contains('\\').then_some(family)?)?
        .iter()
        .map(|component| match component {
            Component::Ident(word) => Some(word.to_string()),
            _ => None,
        })
        .collect();
    let mut name = String::new();
    serialize_string(&words?.join(" "), &mut name).ok()?;
    Some(name)
}

fn weight(block: &mut DeclarationBlock<'_>) {
    let Some(value) = block.get("font-weight") else { return };
    let weight = match value {
        "normal" => Some(400.0),
        "bold" => Some(700.0),
        other => number(other),
    };
    let Some(weight) = weight else { return };
    let class = match step(WEIGHTS, weight) {
        Some(step) => format!("font-{step}"),
        None => format!("font-[{weight}]"),
    };
    block.take("font-weight");
    block.add(class, &["--tw-font-weight", "font-weight"]);
}

/// Writes `font-variant-numeric`: `tabular-nums`.
fn numeric(block: &mut DeclarationBlock<'_>) {
    let Some(value) = block.get("font-variant-numeric") else { return };
    let known = |word: &str| match word {
        "ordinal" => Some(("ordinal", "--tw-ordinal")),
        "slashed-zero" => Some(("slashed-zero", "--tw-slashed-zero")),
        "lining-nums" => Some(("lining-nums", "--tw-numeric-figure")),
        "oldstyle-nums" => Some(("oldstyle-nums", "--tw-numeric-figure")),
        "proportional-nums" => Some(("proportional-nums", "--tw-numeric-spacing")),
        "tabular-nums" => Some(("tabular-nums", "--tw-numeric-spacing")),
        "diagonal-fractions" => Some(("diagonal-fractions", "--tw-numeric-fraction")),
        "stacked-fractions" => Some(("stacked-fractions", "--tw-numeric-fraction")),
        _ => None,
    };
    let words: Option<Vec<_>> = value.split_whitespace().map(known).collect();
    let Some(words) = words.filter(|words| !words.is_empty() && block.facts.unconditional) else { return };
    block.take("font-variant-numeric");
    for (class, property) in words {
        block.add(class, &[property, "font-variant-numeric"]);
    }
}

fn text_shadow(block: &mut DeclarationBlock<'_>) {
    let Some(value) = block.get("text-shadow").filter(|value| !is_css_wide(value)) else { return };
    let Some(suffix) = shadow::suffix(value, TEXT_SHADOWS) else { return };
    block.take("text-shadow");
    block.add(format!("text-shadow-{suffix}"), &["text-shadow"]);
}

/// Writes `break-normal`, which declares two properties.
fn word_break(block: &mut DeclarationBlock<'_>) {
    if block.take_all(&[("word-break", "normal"), ("overflow-wrap", "normal")]) {
        block.add("break-normal", &["overflow-wrap", "word-break"]);
    }
}

/// Drops an empty `content` that the other utilities of the pseudo-element declare as well.
fn content(block: &mut DeclarationBlock<'_>) {
    let is_empty = |value: &str| matches!(value, "\"\"" | "''");
    if block.facts.implies_content && block.get("content").is_some_and(is_empty) && block.has_other_than("content") {
        block.take("content");
    }
}
