//! Form controls: the boxes that Chromium draws for them.

use crate::fonts::Fonts;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_style::ComputedStyle;
use limner_style::property::Longhand;

/// The content of a control inside its padding.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ControlContent {
    /// An empty area, in CSS pixels.
    Area(f32, f32),
    /// An empty area of a control that scrolls.
    Scrolled(f32, f32),
    /// A line of text, with extra space beside and above it.
    Text { text: String, beside: f32, above: f32 },
}

impl ControlContent {
    /// Returns the content without width: the minimum contribution of a control whose width is a percentage (Sizing 3,
    /// section 5.2.2).
    pub(crate) fn compressed(self) -> Self {
        match self {
            Self::Area(_, height) => Self::Area(0.0, height),
            Self::Scrolled(_, height) => Self::Scrolled(0.0, height),
            Self::Text { above, .. } => Self::Text { text: String::new(), beside: 0.0, above },
        }
    }
}

/// Returns the content of an `input`, `textarea` or `select`; `None` for other elements and for buttons, which contain
/// their children.
pub(crate) fn control_content(
    document: &Document,
    node: NodeId,
    element: &Element,
    style: &ComputedStyle,
    fonts: &mut Fonts,
) -> Option<ControlContent> {
    if !element.in_html() {
        return None;
    }
    match element.name() {
        "input" => Some(input(element, style, fonts)),
        "textarea" => Some(text_area(element, style, fonts)),
        "select" => Some(select(document, node, element, style, fonts)),
        "progress" | "meter" => Some(ControlContent::Scrolled(0.0, 0.0)),
        _ => None,
    }
}

/// Returns true for controls, which are as wide as their contents even where a block would fill its container.
pub(crate) fn shrinks_to_fit(element: &Element) -> bool {
    element.in_html() && matches!(element.name(), "button" | "input" | "select" | "textarea" | "legend")
}

/// Returns true for a button with children.
pub(crate) fn is_button(element: &Element) -> bool {
    element.is_html("button")
}

fn number(element: &Element, name: &str, default: f32) -> f32 {
    let given = element.attr(name).and_then(|text| text.trim().parse::<u16>().ok()).filter(|number| *number > 0);
    given.map_or(default, f32::from)
}

/// Returns the control's font size.
#[allow(clippy::cast_possible_truncation, reason = "font sizes are at most 10,000")]
fn font_size(style: &ComputedStyle) -> f32 {
    style.font_size() as f32
}

fn input(element: &Element, style: &ComputedStyle, fonts: &mut Fonts) -> ControlContent {
    let kind = element.attr("type").unwrap_or("text").to_ascii_lowercase();
    let em = font_size(style);
    let line = |width: f32| ControlContent::Text { text: String::new(), beside: width, above: 0.0 };
    match kind.as_str() {
        "checkbox" | "radio" => ControlContent::Area(13.0, 13.0),
        "range" => ControlContent::Area(129.0, 16.0),
        "color" => ControlContent::Area(0.0, 0.0),
        "submit" => label(element, "Submit"),
        "reset" => label(element, "Reset"),
        "button" => label(element, ""),
        "image" => {
            ControlContent::Text { text: element.attr("alt").unwrap_or("Submit").to_owned(), beside: 0.0, above: 0.0 }
        }
        "file" => {
            // It contains a button in the same font.
            let above = (1.17 * em).round() + 6.0 - line_height(style).round();
            ControlContent::Text { text: String::new(), beside: 21.7 * em, above: above.max(0.0) }
        }
        "date" => line(8.9 * em),
        "time" => line(7.3 * em),
        "month" => line(11.1 * em),
        "week" => line(10.5 * em),
        "datetime-local" => line(15.3 * em),
        _ => {
            let widths = fonts.character_widths(style.get(Longhand::FontFamily));
            let characters = number(element, "size", 20.0);
            line((em * (widths.average * characters + (widths.max - widths.average).max(0.0))).ceil())
        }
    }
}

fn label(element: &Element, default: &str) -> ControlContent {
    let text = element.attr("value").unwrap_or(default).to_owned();
    ControlContent::Text { text, beside: 0.0, above: 0.0 }
}

/// Width of a scroll bar.
const SCROLL_BAR: f32 = 15.0;

fn text_area(element: &Element, style: &ComputedStyle, fonts: &mut Fonts) -> ControlContent {
    let widths = fonts.character_widths(style.get(Longhand::FontFamily));
    let width = (font_size(style) * widths.average * number(element, "cols", 20.0)).ceil() + SCROLL_BAR;
    let line =
        if style.get(Longhand::LineHeight) == "normal" { line_height(style).round() } else { line_height(style) };
    ControlContent::Scrolled(width, line * number(element, "rows", 2.0))
}

#[allow(clippy::cast_possible_truncation, reason = "a length in CSS pixels")]
fn line_height(style: &ComputedStyle) -> f32 {
    style.line_height() as f32
}

/// The indent of an option in a group.
const GROUP_INDENT: &str = "\u{a0}\u{a0}\u{a0}\u{a0}";

fn select(
    document: &Document,
    node: NodeId,
    element: &Element,
    style: &ComputedStyle,
    fonts: &mut Fonts,
) -> ControlContent {
    let options = document.descendants(node).filter_map(|option| {
        let element = document.element(option).filter(|element| element.is_html("option"))?;
        let label = element.attr("label").filter(|label| !label.is_empty()).map(str::to_owned);
        let text = label.unwrap_or_else(|| document.text_content(option));
        let in_group = document
            .ancestors(option)
            .take_while(|around| *around != node)
            .any(|around| document.element(around).is_some_and(|element| element.is_html("optgroup")));
        let indent = if in_group { GROUP_INDENT } else { "" };
        Some(indent.to_owned() + &text.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
    });
    let options = options.collect::<Vec<String>>().into_iter();
    let family = style.get(Longhand::FontFamily);
    let widest = options.max_by(|a, b| fonts.text_width(family, a).total_cmp(&fonts.text_width(family, b)));
    let widest = widest.unwrap_or_default();
    let multiple = element.attr("multiple").is_some();
    let rows = number(element, "size", if multiple { 4.0 } else { 1.0 });
    if multiple || rows > 1.0 {
        let row = line_height(style) + 2.0;
        return ControlContent::Text { text: widest, beside: 4.0, above: row * rows - line_height(style) };
    }
    let drawn = style.get(Longhand::Appearance) != "none";
    let (beside, above) = if drawn { (20.0, 2.0) } else { (0.0, 0.0) };
    ControlContent::Text { text: widest, beside, above }
}
