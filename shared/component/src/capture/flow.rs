//! Determines how elements take part in layout, and thereby where white space between them is rendered.

use super::context::SectionContext;
use super::diff::style_pair::StylePair;
use super::environments::{EnvId, EnvMap};
use limner_component_model::model::{Element, ElementId, Namespace};
use limner_style::computed::{Display, WhiteSpaceCollapse};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement as Pseudo;
use limner_style::{ComputedStyle, Styles};
use std::sync::Arc;

/// Layout facts about an element, in all environments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flow {
    /// White space in the element is preserved.
    pub(super) preserves_whitespace: bool,
    /// In every environment the contents are not in the lines of the element's parent.
    pub(super) is_block: bool,
    /// White space between the children is never rendered: they are flex or grid items, table parts, or parts of an
    /// SVG, a choice or a media element.
    pub(super) arranges_items: bool,
    /// In some environment the element is in its parent's lines.
    pub(super) is_in_line: bool,
    /// In every environment the element is an inline box in its parent's lines.
    pub(super) is_inline: bool,
    /// In every environment the parent's line ends before the element.
    pub(super) is_in_flow_block: bool,
    /// In some environment content is generated in the element's first line, before its contents.
    pub(super) has_before: bool,
    /// In some environment content is generated in the element's last line, after its contents.
    pub(super) has_after: bool,
}

impl Flow {
    /// Determines the facts from an element's name and its styles in every environment.
    pub(super) fn from_styles(element: &Element, styles: &EnvMap<Arc<ComputedStyle>>) -> Self {
        let tag = element.tag.as_str();
        let in_svg = element.namespace == Namespace::Svg;
        let is_text = matches!(tag, "text" | "tspan" | "textPath");
        Self {
            preserves_whitespace: tag == "textarea"
                || (!is_choice(tag)
                    && !styles.iter().all(|style| is_table_structure(style))
                    && styles.iter().any(|style| preserves_whitespace(style))),
            is_block: styles.iter().all(|style| !is_in_lines_of_parent(style.display())),
            arranges_items: (in_svg && !is_text)
                || (is_choice(tag) && tag != "option")
                || matches!(tag, "picture" | "video" | "audio")
                || arranges_items(styles),
            is_in_line: tag == "br" || styles.iter().any(|style| is_in_line(style)),
            is_inline: styles.iter().all(|style| style.display() == Display::Inline && !style.is_out_of_flow()),
            is_in_flow_block: tag == "br" || styles.iter().all(|style| is_in_flow_block(style)),
            has_before: false,
            has_after: false,
        }
    }
}

/// Returns true if a `display` is `block` in every environment where the box would be blockified without it, because it
/// is out of flow.
pub(super) fn is_blockified(longhand: Longhand, wanted: &EnvMap<Option<String>>, seen: &EnvMap<StylePair>) -> bool {
    let becomes_block = |display: Display| matches!(display, Display::Inline | Display::InlineBlock);
    longhand == Longhand::Display
        && wanted.iter().all(|value| value.as_deref() == Some("block"))
        && seen.iter().all(|seen| seen.specification.style.is_out_of_flow() && becomes_block(seen.baseline.display()))
}

/// Returns true if a pseudo-element generates content in an element's lines, in one environment.
pub(super) fn generates(
    context: &SectionContext<'_>,
    (element, pseudo): (ElementId, Pseudo),
    env: EnvId,
    styles: &mut Styles<'_>,
) -> bool {
    let Some(node) = context.tree.node(element) else { return false };
    let styled = context.environments.index(context.request, env).styled_pseudo_elements(node);
    styled.contains(&pseudo)
        && styles
            .pseudo(node, pseudo)
            .is_some_and(|style| !matches!(style.get(Longhand::Content), "none" | "normal") && is_in_line(&style))
}

/// Returns true for replaced elements and form controls, which have a size of their own.
pub(super) fn has_own_size(element: &Element) -> bool {
    let is_control = matches!(element.tag.as_str(), "input" | "select" | "textarea" | "button" | "meter" | "progress");
    is_control || element.is_replaced()
}

/// Returns true for tables and table parts that contain rows or cells: white space between these is not rendered, even
/// if it is preserved.
fn is_table_structure(style: &ComputedStyle) -> bool {
    let display = style.display();
    let is_leaf = matches!(display, Display::TableCell | Display::TableColumn);
    display.is_table() || (display.is_internal_table() && !is_leaf)
}

/// Returns true for elements of a choice: their white space is not rendered, whatever their style is (HTML, "the option
/// element").
fn is_choice(tag: &str) -> bool {
    matches!(tag, "select" | "datalist" | "optgroup" | "option")
}

/// Returns true if the children are items or parts of a table wherever they are rendered.
fn arranges_items(styles: &EnvMap<Arc<ComputedStyle>>) -> bool {
    styles.iter().any(|style| is_item_or_row_container(style))
        && styles.iter().all(|style| style.display() == Display::None || is_item_or_row_container(style))
}

fn preserves_whitespace(style: &ComputedStyle) -> bool {
    style.white_space_collapse() != WhiteSpaceCollapse::Collapse
}

fn is_item_or_row_container(style: &ComputedStyle) -> bool {
    is_table_structure(style) || has_items(style)
}

/// Returns true if the children are flex or grid items. Legacy flexboxes that clamp lines contain lines instead.
pub(super) fn has_items(style: &ComputedStyle) -> bool {
    let clamps_lines =
        || style.get(Longhand::WebkitLineClamp) != "none" && style.get(Longhand::WebkitBoxOrient) == "vertical";
    style.is_flex_or_grid_container() || (style.display().is_legacy_flex_container() && !clamps_lines())
}

/// Returns true for inline-level boxes, and for elements whose contents are in the lines of the parent.
pub(super) fn holds_in_line(display: Display) -> bool {
    display.is_inline_level() || is_in_lines_of_parent(display)
}

/// Returns true if an element's contents are in the lines of its parent: it is an inline box, or has no box.
fn is_in_lines_of_parent(display: Display) -> bool {
    use Display as D;
    matches!(display, D::Inline | D::InlineListItem | D::Contents | D::Ruby | D::RubyText)
}

fn is_in_line(style: &ComputedStyle) -> bool {
    holds_in_line(style.display()) && !style.is_out_of_flow()
}

fn is_in_flow_block(style: &ComputedStyle) -> bool {
    !is_in_line(style) && style.is_in_flow()
}
