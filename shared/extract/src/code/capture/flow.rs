//! How elements take part in layout: where white space between them counts.

use super::lone;
use super::resolve::{Resolver, Seen, index_of};
use crate::code::model::{Element, ElementId, Namespace};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement as Pseudo;
use limner_style::{ComputedStyle, Styles};
use std::sync::Arc;

/// How an element takes part in layout, in every environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flow {
    /// White space in it is kept.
    pub(super) preserves_space: bool,
    /// It is never laid out in its parent's lines.
    pub(super) is_block: bool,
    /// It arranges its children as items or table parts.
    pub(super) arranges_items: bool,
    /// Somewhere it is laid out in its parent's lines.
    pub(super) is_in_line: bool,
    /// It is always nothing but what is in it, in its parent's lines.
    pub(super) is_inline: bool,
    /// Lines of its parent always end before it.
    pub(super) breaks_lines: bool,
    /// Somewhere something is generated in its first line, before its contents.
    pub(super) has_before: bool,
    /// The same in its last line, after them.
    pub(super) has_after: bool,
}

impl Flow {
    /// Of an element with that name, from its styles in every environment.
    pub(super) fn of(element: &Element, styles: &[Arc<ComputedStyle>]) -> Self {
        let tag = element.tag.as_str();
        let in_svg = element.namespace == Namespace::Svg;
        let is_text = matches!(tag, "text" | "tspan" | "textPath");
        Self {
            preserves_space: tag == "textarea"
                || (!is_choice(tag)
                    && !styles.iter().all(|style| lays_out_rows(style))
                    && styles.iter().any(|style| preserves_space(style))),
            is_block: styles
                .iter()
                .all(|style| !matches!(style.get(Longhand::Display), "inline" | "contents" | "ruby" | "ruby-text")),
            arranges_items: (in_svg && !is_text)
                || (is_choice(tag) && tag != "option")
                || matches!(tag, "picture" | "video" | "audio")
                || styles.iter().all(|style| arranges_items(style)),
            is_in_line: tag == "br" || styles.iter().any(|style| is_in_line(style)),
            is_inline: styles.iter().all(|style| style.get(Longhand::Display) == "inline" && !is_out_of_flow(style)),
            breaks_lines: tag == "br" || styles.iter().all(|style| breaks_lines(style)),
            has_before: false,
            has_after: false,
        }
    }
}

/// Whether a `display` says in every cell what being taken out of the flow does: what would be in a line is a block then.
pub(super) fn is_block_anyway(longhand: Longhand, wanted: &[Option<String>], seen: &[Seen]) -> bool {
    let is = |style: &ComputedStyle, longhand: Longhand, values: &[&str]| values.contains(&style.get(longhand));
    let is_out = |style: &ComputedStyle| {
        is(style, Longhand::Position, &["absolute", "fixed"]) || !is(style, Longhand::Float, &["none"])
    };
    longhand == Longhand::Display
        && wanted.iter().all(|value| value.as_deref() == Some("block"))
        && seen
            .iter()
            .all(|seen| is_out(&seen.specification.style) && is(&seen.bare, longhand, &["inline", "inline-block"]))
}

/// Whether something is generated in an element's lines, in one cell.
pub(super) fn generates(
    resolver: &Resolver<'_>,
    (element, pseudo): (ElementId, Pseudo),
    cell: usize,
    styles: &mut Styles<'_>,
) -> bool {
    let Some(node) = resolver.skeleton.node(element) else { return false };
    let styled = index_of(resolver.order, resolver.grid, cell).styled_pseudo_elements(node);
    styled.contains(&pseudo)
        && styles
            .pseudo(node, pseudo)
            .is_some_and(|style| !matches!(style.get(Longhand::Content), "none" | "normal") && is_in_line(&style))
}

/// Whether an element is replaced by something with a size of its own.
pub(super) fn is_replaced(element: &Element) -> bool {
    lone::is_picture(element)
        || matches!(element.tag.as_str(), "audio" | "input" | "select" | "textarea" | "button" | "meter" | "progress")
}

/// Tables, and what of them holds rows and cells: white space between these shows nothing, preserved or not.
fn lays_out_rows(style: &ComputedStyle) -> bool {
    matches!(
        style.get(Longhand::Display),
        "table"
            | "inline-table"
            | "table-row"
            | "table-row-group"
            | "table-header-group"
            | "table-footer-group"
            | "table-column-group"
    )
}

/// Elements of a choice: of their white space nothing shows, whatever is said of it (HTML, "the option element").
fn is_choice(tag: &str) -> bool {
    matches!(tag, "select" | "datalist" | "optgroup" | "option")
}

fn preserves_space(style: &ComputedStyle) -> bool {
    style.get(Longhand::WhiteSpaceCollapse) != "collapse"
}

fn arranges_items(style: &ComputedStyle) -> bool {
    lays_out_rows(style) || has_items(style)
}

/// Whether what is in it are items of a flex container or of a grid. Old flex boxes that clamp lines have lines.
pub(super) fn has_items(style: &ComputedStyle) -> bool {
    match style.get(Longhand::Display) {
        "-webkit-box" | "-webkit-inline-box" => {
            style.get(Longhand::WebkitLineClamp) == "none" || style.get(Longhand::WebkitBoxOrient) != "vertical"
        }
        display => matches!(display, "flex" | "inline-flex" | "grid" | "inline-grid"),
    }
}

/// What has no box of its own is where its contents are.
fn is_out_of_flow(style: &ComputedStyle) -> bool {
    let is_taken_out =
        matches!(style.get(Longhand::Position), "absolute" | "fixed") || style.get(Longhand::Float) != "none";
    is_taken_out && style.get(Longhand::Display) != "contents"
}

fn is_in_line(style: &ComputedStyle) -> bool {
    let display = style.get(Longhand::Display);
    let is_inline =
        display.starts_with("inline") || matches!(display, "contents" | "ruby" | "ruby-text" | "-webkit-inline-box");
    is_inline && !is_out_of_flow(style)
}

fn breaks_lines(style: &ComputedStyle) -> bool {
    !is_in_line(style) && !is_out_of_flow(style) && style.get(Longhand::Display) != "none"
}
