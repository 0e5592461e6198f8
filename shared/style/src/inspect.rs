//! Computed styles and boxes of a page as one JSON value.

use crate::computed::Display;
use crate::layout::Layout;
use crate::property::Longhand;
use crate::selector::PseudoElement;
use crate::{ComputedStyle, Environment, StyleIndex};
use foldhash::{HashMap, HashMapExt};
use limner_page::dom::Element;
use limner_page::{Document, NodeId, PageSnapshot};
use serde_json::{Map, Value, json};

/// The properties that are reported for every element.
pub const PROPERTIES: &[Longhand] = &[
    Longhand::Color,
    Longhand::BackgroundColor,
    Longhand::BackgroundImage,
    Longhand::FontSize,
    Longhand::FontFamily,
    Longhand::FontWeight,
    Longhand::FontStyle,
    Longhand::LineHeight,
    Longhand::LetterSpacing,
    Longhand::WordSpacing,
    Longhand::TextAlign,
    Longhand::TextTransform,
    Longhand::TextIndent,
    Longhand::TextDecorationLine,
    Longhand::TextShadow,
    Longhand::WhiteSpaceCollapse,
    Longhand::VerticalAlign,
    Longhand::ListStyleType,
    Longhand::PaddingTop,
    Longhand::PaddingRight,
    Longhand::PaddingBottom,
    Longhand::PaddingLeft,
    Longhand::MarginTop,
    Longhand::MarginRight,
    Longhand::MarginBottom,
    Longhand::MarginLeft,
    Longhand::BorderTopLeftRadius,
    Longhand::BorderBottomRightRadius,
    Longhand::BorderTopWidth,
    Longhand::BorderTopStyle,
    Longhand::BorderTopColor,
    Longhand::BorderBottomWidth,
    Longhand::BorderBottomColor,
    Longhand::OutlineStyle,
    Longhand::BoxShadow,
    Longhand::BoxSizing,
    Longhand::Display,
    Longhand::Position,
    Longhand::Float,
    Longhand::Visibility,
    Longhand::FlexDirection,
    Longhand::FlexWrap,
    Longhand::FlexGrow,
    Longhand::FlexShrink,
    Longhand::JustifyContent,
    Longhand::AlignItems,
    Longhand::AlignSelf,
    Longhand::Order,
    Longhand::RowGap,
    Longhand::ColumnGap,
    Longhand::GridAutoFlow,
    Longhand::Opacity,
    Longhand::MinWidth,
    Longhand::MaxWidth,
    Longhand::ZIndex,
    Longhand::OverflowX,
    Longhand::ObjectFit,
    Longhand::AspectRatio,
    Longhand::BackgroundSize,
    Longhand::BackgroundRepeat,
    Longhand::BackgroundClip,
    Longhand::MixBlendMode,
    Longhand::Filter,
    Longhand::Transform,
    Longhand::TransitionDuration,
    Longhand::TransitionTimingFunction,
    Longhand::AnimationName,
    Longhand::Cursor,
    Longhand::PointerEvents,
    Longhand::Fill,
];

/// Returns the computed values of every element and its `::before` and `::after`, in document order: `{"elements":
/// [{"path", "name", "box", "style", "before", "after"}]}`. `name` is written as a selector (`nav#top.wide`); `path` is
/// the local names from the root, each with its index among its element siblings; `box` is `[x, y, width, height]` from
/// `layout`, or null. Values that depend on boxes are null.
pub fn report(page: &PageSnapshot, environment: &Environment, layout: &dyn Layout) -> Value {
    let document = Document::parse(&page.html);
    let boxes = layout.boxes(page, environment).unwrap_or_default();
    let index = StyleIndex::new(page, &document).with_digit_widths(layout.digit_widths());
    let mut styles = index.styles(environment);
    let mut paths: HashMap<NodeId, String> = HashMap::new();
    // Child elements of each parent so far: counting siblings again for each would take quadratic time.
    let mut places: HashMap<NodeId, usize> = HashMap::new();
    let mut elements = Vec::new();
    let Some(root) = document.document_element() else { return json!({ "elements": [] }) };
    for node in std::iter::once(root).chain(document.light_descendants(root)) {
        let Some(element) = document.element(node) else { continue };
        let parent = document.parent(node).and_then(|parent| Some((paths.get(&parent)?, parent)));
        let path = match parent {
            None => element.name().to_owned(),
            Some((path, parent)) => {
                let place = places.entry(parent).or_default();
                *place += 1;
                format!("{path}/{}{}", *place - 1, element.name())
            }
        };
        let mut row = Map::new();
        row.insert("path".into(), json!(path));
        row.insert("name".into(), json!(name(element)));
        let rect = boxes.get(node).map(|rect| json!([rect.x, rect.y, rect.width, rect.height]));
        row.insert("box".into(), rect.unwrap_or_default());
        row.insert("style".into(), styles.get(node).map_or_else(|| json!({}), |style| values(&style)));
        for (name, pseudo) in [("before", PseudoElement::Before), ("after", PseudoElement::After)] {
            if let Some(style) = styles.pseudo(node, pseudo) {
                let mut own = values(&style);
                own["content"] = json!(style.get(Longhand::Content));
                row.insert(name.into(), own);
            }
        }
        paths.insert(node, path);
        elements.push(Value::Object(row));
    }
    json!({ "elements": elements })
}

/// Returns an element's name as a selector: `nav#top.wide`.
fn name(element: &Element) -> String {
    let mut name = element.name().to_owned();
    if let Some(id) = element.attr("id").filter(|id| !id.is_empty()) {
        name.push('#');
        name.push_str(id);
    }
    for class in element.classes() {
        name.push('.');
        name.push_str(class);
    }
    name
}

fn values(style: &ComputedStyle) -> Value {
    // Transforms do not apply to inline boxes and to elements without a box.
    let boxless = style.display() == Display::Inline || !style.display().generates_box() || style.is_hidden();
    let one = |longhand: &Longhand| {
        let value = style.value(longhand.name()).filter(|value| !needs_layout(*longhand, value));
        let value = value.filter(|_| !(boxless && *longhand == Longhand::Transform));
        (longhand.name().to_owned(), value.map_or(Value::Null, Value::String))
    };
    Value::Object(PROPERTIES.iter().map(one).collect())
}

/// Returns true if `getComputedStyle` returns a value that depends on layout.
fn needs_layout(longhand: Longhand, value: &str) -> bool {
    let relative = value.contains('%') || value.contains("auto") || value.contains("content");
    let by_box = matches!(
        longhand,
        Longhand::PaddingTop
            | Longhand::PaddingRight
            | Longhand::PaddingBottom
            | Longhand::PaddingLeft
            | Longhand::MarginTop
            | Longhand::MarginRight
            | Longhand::MarginBottom
            | Longhand::MarginLeft
    );
    let unresolved = longhand == Longhand::Transform && value != "none" && !value.starts_with("matrix");
    (relative && by_box) || unresolved
}
