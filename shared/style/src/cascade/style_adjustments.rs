//! Adjustments of computed values by each other and by the element: blockification, appearance, overflow, list lengths.

use super::computed_style::{ComputedStyle, LineHeight};
use super::container;
use crate::computed::{Display, Overflow};
use crate::property::{BACKGROUND_LISTS, Longhand, MASK_LISTS};
use crate::selector::PseudoElement;
use limner_page::{Document, NodeId};

pub(super) fn adjust(
    style: &mut ComputedStyle,
    document: &Document,
    node: NodeId,
    parent: Option<&ComputedStyle>,
    pseudo: Option<PseudoElement>,
) {
    display(style, document, node, parent, pseudo);
    style.lays_out_items = match style.display() {
        // Display 3, section 2.5: its children are laid out as children of the parent.
        Display::Contents => parent.is_some_and(|parent| parent.lays_out_items),
        display => display.is_flex_or_grid_container(),
    };
    if pseudo.is_none() {
        check_mark(style, document, node);
        table(style, document, node);
    }
    borders(style);
    layers(style);
    overflow(style);
    style.hidden = parent.is_some_and(|parent| parent.hidden) || style.display() == Display::None;
    minimum(style, parent);
    if pseudo.is_none() && is_drop_down(document, node) && style.get(Longhand::Appearance) != "none" {
        style.line_height = LineHeight::Normal;
        put(style, Longhand::LineHeight, "normal");
    }
    let available = parent.map_or(style.width_estimate, |parent| parent.width_estimate);
    container::establish(style, available);
}

fn put(style: &mut ComputedStyle, longhand: Longhand, value: &str) {
    style.put(longhand, value.into(), None);
}

/// Resets the `-webkit-` alignment of a `center` element, which centres tables but not their contents.
fn table(style: &mut ComputedStyle, document: &Document, node: NodeId) {
    let is_table = document.element(node).is_some_and(|element| element.is_html("table"));
    if is_table && style.get(Longhand::TextAlign).starts_with("-webkit-") {
        put(style, Longhand::TextAlign, "start");
    }
}

/// Returns true for a drop-down list, whose line height Chromium sets itself.
fn is_drop_down(document: &Document, node: NodeId) -> bool {
    let select = document.element(node).filter(|element| element.is_html("select"));
    let rows = |size: &str| size.trim().parse::<u32>().unwrap_or(0);
    select.is_some_and(|select| {
        let rows = select.attr("size").map_or(0, rows);
        rows == 1 || (rows == 0 && select.attr("multiple").is_none())
    })
}

/// Removes padding and border from checkboxes and radio buttons, whatever is declared: Chromium draws them itself as
/// long as they have their native appearance.
fn check_mark(style: &mut ComputedStyle, document: &Document, node: NodeId) {
    use Longhand as L;
    const EDGES: [Longhand; 12] = [
        L::BorderTopStyle,
        L::BorderRightStyle,
        L::BorderBottomStyle,
        L::BorderLeftStyle,
        L::BorderTopColor,
        L::BorderRightColor,
        L::BorderBottomColor,
        L::BorderLeftColor,
        L::PaddingTop,
        L::PaddingRight,
        L::PaddingBottom,
        L::PaddingLeft,
    ];
    const CORNERS: [Longhand; 4] =
        [L::BorderTopLeftRadius, L::BorderTopRightRadius, L::BorderBottomRightRadius, L::BorderBottomLeftRadius];
    let Some(input) = document.element(node).filter(|element| element.is_html("input")) else { return };
    let is_radio = input.attr("type").is_some_and(|kind| kind.eq_ignore_ascii_case("radio"));
    let is_box = is_radio || input.attr("type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"));
    if !is_box || style.get(L::Appearance) == "none" {
        return;
    }
    for edge in EDGES {
        style.put_initial(edge);
    }
    for corner in CORNERS {
        put(style, corner, if is_radio { "50%" } else { "0px" });
    }
}

fn is_item_of(parent: Option<&ComputedStyle>) -> bool {
    parent.is_some_and(|parent| parent.lays_out_items)
}

/// Blockifies out-of-flow and floating boxes, flex and grid items, and the root (Display 3, section 2.7).
fn display(
    style: &mut ComputedStyle,
    document: &Document,
    node: NodeId,
    parent: Option<&ComputedStyle>,
    pseudo: Option<PseudoElement>,
) {
    let absolute = style.is_absolutely_positioned();
    if absolute && style.is_floating() {
        put(style, Longhand::Float, "none");
    }
    let is_root = parent.is_none() && pseudo.is_none();
    let in_svg =
        pseudo.is_none() && document.element(node).is_some_and(|element| element.in_svg() && element.name() != "svg");
    let element = document.element(node);
    if pseudo.is_none() && element.is_some_and(|element| element.is_html("br") || element.is_html("wbr")) {
        return;
    }
    let is_control =
        element.is_some_and(|e| e.in_html() && matches!(e.name(), "button" | "input" | "select" | "textarea"));
    if pseudo.is_none() && is_control && style.display() == Display::Inline {
        put(style, Longhand::Display, "inline-block");
    }
    if style.get(Longhand::Appearance) != "none" {
        with_appearance(style);
    }
    if !(absolute || style.is_floating() || is_root || is_item_of(parent)) || in_svg {
        return;
    }
    let display = style.display();
    let block = if is_root && display == Display::Contents { Display::Block } else { display.blockified() };
    if block != display {
        put(style, Longhand::Display, block.as_str());
    }
}

/// Makes an element with native appearance `block` or `inline-block`, since Chromium draws controls as a whole.
fn with_appearance(style: &mut ComputedStyle) {
    match style.display() {
        Display::Table => put(style, Longhand::Display, "block"),
        Display::Inline | Display::InlineTable => put(style, Longhand::Display, "inline-block"),
        display if display.is_layout_internal() => put(style, Longhand::Display, "inline-block"),
        _ => {}
    }
}

fn borders(style: &mut ComputedStyle) {
    for (line, width) in [
        (Longhand::BorderTopStyle, Longhand::BorderTopWidth),
        (Longhand::BorderRightStyle, Longhand::BorderRightWidth),
        (Longhand::BorderBottomStyle, Longhand::BorderBottomWidth),
        (Longhand::BorderLeftStyle, Longhand::BorderLeftWidth),
    ] {
        let hidden = matches!(style.get(line), "none" | "hidden");
        if hidden {
            style.put_initial(width);
        } else if !style.is_non_initial(width) {
            put(style, width, "3px");
        }
    }
}

/// Repeats or cuts lists to one value for each image (Backgrounds 3, section 2.3).
fn layers(style: &mut ComputedStyle) {
    for (image, lists) in [(Longhand::BackgroundImage, BACKGROUND_LISTS), (Longhand::MaskImage, MASK_LISTS)] {
        let count = parts(style.get(image)).count();
        for list in lists {
            if count == 1 && !style.is_non_initial(*list) {
                continue;
            }
            let own = style.get(*list);
            if parts(own).count() != count {
                let repeated: Vec<&str> = parts(own).cycle().take(count).collect();
                let repeated = repeated.join(", ");
                style.replace(*list, repeated.into());
            }
        }
    }
}

/// Splits at the commas outside of brackets.
fn parts(value: &str) -> impl Iterator<Item = &str> + Clone {
    let mut depth = 0_usize;
    let is_between = move |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    };
    value.split(is_between).map(str::trim_start)
}

/// Makes the other axis scroll if one does (Overflow 3, section 3.1).
fn overflow(style: &mut ComputedStyle) {
    let beside = |own: Overflow, other: Overflow| match own {
        Overflow::Visible if other.scrolls() => Overflow::Auto,
        Overflow::Clip if other.scrolls() => Overflow::Hidden,
        own => own,
    };
    let (x, y) = (style.overflow_x(), style.overflow_y());
    for (longhand, value) in [(Longhand::OverflowX, beside(x, y)), (Longhand::OverflowY, beside(y, x))] {
        if style.get(longhand) != value.as_str() {
            put(style, longhand, value.as_str());
        }
    }
}

/// Resets `min-width: auto` and `min-height: auto`, which only apply to flex and grid items.
fn minimum(style: &mut ComputedStyle, parent: Option<&ComputedStyle>) {
    let item = is_item_of(parent)
        && !style.is_absolutely_positioned()
        && !style.hidden
        && style.display() != Display::Contents;
    for longhand in [Longhand::MinWidth, Longhand::MinHeight] {
        if item && !style.is_non_initial(longhand) {
            put(style, longhand, "auto");
        } else if !item && style.get(longhand) == "auto" {
            style.put_initial(longhand);
        }
    }
}
