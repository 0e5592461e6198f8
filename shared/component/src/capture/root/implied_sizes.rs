//! The sizes that a root has on its page because of its ancestors and siblings, and that it keeps without them.
//!
//! Before → after: a column of `flex: 1` in a row of `height: 100vh` → the same with `min-height: 100vh`.

use super::flex_grid_item::ImpliedHeight;
use super::{box_edges, flex_grid_item, implied_min_width};
use crate::capture::context::SectionContext;
use crate::capture::diff::rem_scaling::is_viewport_relative;
use crate::capture::diff::{value_equivalence, value_reader};
use crate::capture::environments::EnvId;
use limner_page::NodeId;
use limner_page::dom::QuirksMode;
use limner_style::computed::{BoxSizing, Display, Position};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, SpecifiedStyle, Styles};

/// The elements of the page around a section.
pub(super) struct Neighbours<'a> {
    section: NodeId,
    /// The nearest first.
    ancestors: &'a [NodeId],
    earlier_siblings: Vec<NodeId>,
    /// True if the section is the body of a page in quirks mode, which is as high as the viewport.
    fills_viewport: bool,
}

impl<'a> Neighbours<'a> {
    pub(super) fn of_section(context: &SectionContext<'_>, ancestors: &'a [NodeId]) -> Self {
        let (document, section) = (&context.view.document, context.tree.origins[0].node);
        let parent = document.parent(section).into_iter();
        let siblings = parent.flat_map(|parent| document.child_elements(parent)).map(|(node, _)| node);
        let fills_viewport = document.quirks_mode() == QuirksMode::Quirks && document.body() == Some(section);
        Self {
            section,
            ancestors,
            earlier_siblings: siblings.take_while(|node| *node != section).collect(),
            fills_viewport,
        }
    }
}

/// The sizes in one environment. See [`super::RootContext`].
pub(super) struct ImpliedSizes {
    pub(super) negative_margin_width: Option<String>,
    pub(super) min_width: Option<f64>,
    pub(super) viewport_height: Option<String>,
    pub(super) shrinks_to_width: bool,
    pub(super) min_height: Option<String>,
    pub(super) table: Option<String>,
}

impl ImpliedSizes {
    /// Determines the sizes, and returns them with the specified values of the ancestors.
    pub(super) fn from_ancestors(
        context: &SectionContext<'_>,
        styles: &mut Styles<'_>,
        around: &Neighbours<'_>,
        env: EnvId,
    ) -> (Self, Vec<SpecifiedStyle>) {
        let (base, own) = (&context.view.base, &*context.computed[0][env]);
        let nodes = around.ancestors.iter();
        let ancestors: Vec<SpecifiedStyle> =
            nodes.filter_map(|node| styles.specified(*node, None, base, &|_| None)).collect();
        let viewport_height = spanned_height(own).or_else(|| column_height(own, &ancestors));
        let container = ancestors.first().map(|parent| &*parent.style);
        let fills = filled_height(own).filter(|_| around.fills_viewport);
        let in_grid = container.is_some_and(|parent| parent.display().is_grid_container());
        let items = around.earlier_siblings.iter().filter(|_| in_grid).map(|node| styles.get(*node));
        let place = items.into_iter().try_fold(0, |at, style| next_grid_slot(at, style.as_deref()));
        let itself = styles.specified(around.section, None, base, &|_| None);
        // A column that scrolls in its row already has a height, and no more than that.
        let given = || implied_min_height(itself.as_ref()?, &ancestors, place).filter(|_| viewport_height.is_none());
        let min_height = fills.or_else(given);
        let table = table_layout_of_row(own, &ancestors);
        // A row that becomes a table is as wide as the table it was in.
        let mut ancestor_styles = ancestors.iter().map(|ancestor| &*ancestor.style);
        let wide = if table.is_some() { ancestor_styles.find(|ancestor| !is_row(ancestor)) } else { None };
        let narrowest = context.environments.narrowest(env);
        let min_width = implied_min_width::implied_min_width(ancestor_styles, wide.unwrap_or(own), narrowest);
        let sizes = Self {
            negative_margin_width: negative_margin_width(own),
            min_width,
            shrinks_to_width: container.is_some_and(|parent| flex_grid_item::shrinks_below_width(own, parent)),
            viewport_height,
            min_height,
            table,
        };
        (sizes, ancestors)
    }
}

/// Parses a percentage: `50%` is 0.5.
pub(super) fn percentage(value: &str) -> Option<f64> {
    Some(value.strip_suffix('%')?.trim().parse::<f64>().ok()? / 100.0)
}

pub(super) fn rounded(number: f64) -> f64 {
    (number * 1_000.0).round() / 1_000.0
}

/// Returns the `table-layout` of the table of which the section is a row, if that table is as wide as its containing
/// block. Such a row becomes a table itself. In any document other rows get an anonymous table that is as narrow as
/// they are.
fn table_layout_of_row(row: &ComputedStyle, ancestors: &[SpecifiedStyle]) -> Option<String> {
    let table =
        ancestors.iter().map(|ancestor| &*ancestor.style).filter(|_| is_row(row)).find(|style| !is_row(style))?;
    let is_wide = table.display() == Display::Table && table.get(Longhand::Width) != "auto";
    is_wide.then(|| table.table_layout().as_str().to_owned())
}

fn is_row(style: &ComputedStyle) -> bool {
    use Display as D;
    matches!(style.display(), D::TableRow | D::TableRowGroup | D::TableHeaderGroup | D::TableFooterGroup)
}

/// Returns the height of a drawer or a bar that is fixed to the upper and the lower edge of the viewport. Without its
/// offsets it would be as high as its contents.
fn spanned_height(style: &ComputedStyle) -> Option<String> {
    use Longhand as L;
    if style.position() != Position::Fixed || style.get(L::Height) != "auto" {
        return None;
    }
    height_minus("100vh", style, [L::Top, L::Bottom, L::MarginTop, L::MarginBottom])
}

/// Returns the height of a column that scrolls by itself in a row of columns.
fn column_height(style: &ComputedStyle, ancestors: &[SpecifiedStyle]) -> Option<String> {
    use Longhand as L;
    let row = ancestors.first().filter(|row| flex_grid_item::scrolls_in_container(style, &row.style))?;
    let whole = resolve_height_share("100%", ancestors).filter(|_| row.get(L::Height).is_some())?;
    height_minus(&whole, style, [L::MarginTop, L::MarginBottom])
}

/// Returns the minimum height that the section's container gives it. In pixels only where it does not depend on the
/// viewport.
fn implied_min_height(own: &SpecifiedStyle, ancestors: &[SpecifiedStyle], place: Option<usize>) -> Option<String> {
    use Longhand as L;
    let container = ancestors.first()?;
    let follows = |of: &SpecifiedStyle, longhand: L| {
        of.get(longhand).is_some_and(|said| said.value.contains('%') || is_viewport_relative(&said.value))
    };
    let margins = [L::MarginTop, L::MarginBottom];
    match flex_grid_item::implied_height(&own.style, &container.style, place)? {
        ImpliedHeight::SpecifiedHeight(height) => (!follows(own, L::FlexBasis)).then_some(height),
        ImpliedHeight::MarginBoxHeight(_) if follows(container, L::GridTemplateRows) => None,
        ImpliedHeight::MarginBoxHeight(_) if follows(container, L::Height) => {
            let whole = resolve_height_share("100%", ancestors)
                .filter(|_| !flex_grid_item::has_edges_above(&container.style))?;
            height_minus(&whole, &own.style, margins)
        }
        ImpliedHeight::MarginBoxHeight(height) => height_minus(&height, &own.style, margins),
    }
}

/// Returns the next position in a grid after an element, which takes position `at` unless it is out of flow or not
/// rendered. `None` if the element is placed elsewhere.
fn next_grid_slot(at: usize, style: Option<&ComputedStyle>) -> Option<usize> {
    use Longhand as L;
    let Some(style) = style.filter(|style| style.display() != Display::None) else { return Some(at) };
    if style.is_absolutely_positioned() {
        return Some(at);
    }
    let lines = [L::GridRowStart, L::GridRowEnd, L::GridColumnStart, L::GridColumnEnd];
    let is_usual = lines.into_iter().all(|line| style.get(line) == "auto") && style.get(L::Order) == "0";
    (is_usual && style.display() != Display::Contents).then_some(at + 1)
}

/// Returns the ancestors, from the nearest, that a percentage of the section's height may refer to; none for a section
/// that is positioned against the viewport.
pub(super) fn percentage_height_chain<'s>(
    style: &ComputedStyle,
    ancestors: &'s [SpecifiedStyle],
) -> &'s [SpecifiedStyle] {
    let holder = match style.position() {
        Position::Fixed => ancestors.iter().position(|ancestor| ancestor.style.is_containing_block_for_fixed()),
        Position::Absolute => ancestors.iter().position(|ancestor| ancestor.style.is_containing_block_for_absolute()),
        _ => Some(0),
    };
    holder.map_or(&[], |at| &ancestors[at..])
}

/// Resolves a percentage of the parent's height when that is a length (CSS Sizing 3 §5.1), or a percentage of a length,
/// up to the viewport's height.
pub(super) fn resolve_height_share(specified: &str, ancestors: &[SpecifiedStyle]) -> Option<String> {
    let mut share = percentage(specified)?;
    for ancestor in ancestors {
        let height = ancestor.get(Longhand::Height).map_or("auto", |height| height.value.as_str());
        match percentage(height) {
            Some(of_next) => share *= of_next,
            None => {
                let unit = height.find(|c: char| c.is_ascii_alphabetic())?;
                let number: f64 = height[..unit].parse().ok()?;
                return Some(format!("{}{}", rounded(number * share), &height[unit..]));
            }
        }
    }
    Some(format!("{}vh", rounded(100.0 * share)))
}

/// Returns the minimum height of a body that fills the viewport with its margins (Quirks Mode, "the body element fills
/// the html element quirk").
fn filled_height(style: &ComputedStyle) -> Option<String> {
    use Longhand as L;
    let is_free = style.get(L::Height) == "auto" && style.get(L::MaxHeight) == "none";
    let is_there = !style.is_floating() && matches!(style.position(), Position::Static | Position::Relative);
    let is_block = matches!(style.display(), Display::Block | Display::FlowRoot | Display::Flex | Display::Grid);
    if !is_free || !is_there || !is_block || !matches!(style.get(L::MinHeight), "auto" | "0px") {
        return None;
    }
    let margins = [L::MarginTop, L::MarginBottom].into_iter().filter(|margin| style.get(*margin) != "auto");
    height_minus("100vh", style, margins)
}

/// Subtracts lengths from a height: those in `taken`, and the section's padding and borders if they are not part of its
/// height.
fn height_minus(whole: &str, style: &ComputedStyle, taken: impl IntoIterator<Item = Longhand>) -> Option<String> {
    let edges = flex_grid_item::EDGES_ABOVE.into_iter().filter(|_| style.box_sizing() == BoxSizing::ContentBox);
    let taken =
        taken.into_iter().chain(edges).map(|longhand| value_reader::px(style, longhand)).sum::<Option<f64>>()?;
    Some(if taken == 0.0 { whole.to_owned() } else { format!("calc({whole} - {}px)", rounded(taken)) })
}

/// Returns the width of a block that negative margins make wider than its containing block. The component drops the
/// margins, but can have this width, up to the viewport's.
fn negative_margin_width(style: &ComputedStyle) -> Option<String> {
    use Longhand as L;
    if style.get(L::Width) != "auto" || !box_edges::is_border_box_size(style) {
        return None;
    }
    if value_equivalence::breaks_out(style) {
        return Some("100vw".to_owned());
    }
    if style.get(L::MaxWidth) != "none" {
        return None;
    }
    let margins = [L::MarginLeft, L::MarginRight].into_iter().filter_map(|margin| value_reader::px(style, margin));
    let sum: f64 = margins.filter(|px| *px < 0.0).sum();
    (sum < 0.0 && implied_min_width::fills_container(style)).then(|| format!("calc(100% + {}px)", rounded(-sum)))
}
