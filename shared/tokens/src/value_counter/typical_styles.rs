//! The styles that most headings, paragraphs and buttons of a page have, on a desktop in light.

use super::ValueId;
use super::element_usage::Style;
use limner_page::dom::Element;
use limner_style::property::Longhand;
use std::collections::BTreeMap;

/// The longhands of a style, in the order of [`ElementStyle::values`].
const LONGHANDS: [Longhand; 10] = [
    Longhand::FontFamily,
    Longhand::FontSize,
    Longhand::FontWeight,
    Longhand::LineHeight,
    Longhand::LetterSpacing,
    Longhand::Color,
    Longhand::BackgroundColor,
    Longhand::BorderTopLeftRadius,
    Longhand::PaddingTop,
    Longhand::PaddingLeft,
];

/// Parts of a design, in the order of files.
const PARTS: [&str; 8] = ["h1", "h2", "h3", "h4", "h5", "h6", "body", "button"];

/// The style that most elements of one part of a design have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ElementStyle {
    /// `h1`, `body`, `button`, …
    pub(crate) part: &'static str,
    /// Number of elements with it.
    pub(crate) elements: usize,
    values: [Option<String>; LONGHANDS.len()],
}

impl ElementStyle {
    /// Returns the value of a longhand, in CSS.
    pub(crate) fn value(&self, longhand: Longhand) -> Option<&str> {
        let at = LONGHANDS.iter().position(|own| *own == longhand)?;
        self.values[at].as_deref()
    }
}

/// Counts the styles of each part.
#[derive(Default)]
pub(super) struct TypicalStyles(BTreeMap<(usize, [Option<ValueId>; LONGHANDS.len()]), usize>);

impl TypicalStyles {
    pub(super) fn add(&mut self, part: usize, style: &Style) {
        *self.0.entry((part, LONGHANDS.map(|longhand| style.value(longhand)))).or_default() += 1;
    }

    /// Returns the most frequent style of each part. `css` returns the text of a value.
    pub(super) fn styles(self, css: impl Fn(ValueId) -> String) -> Vec<ElementStyle> {
        let mut best: BTreeMap<usize, ([Option<ValueId>; LONGHANDS.len()], usize)> = BTreeMap::new();
        for ((part, values), elements) in self.0 {
            let known = best.entry(part).or_insert((values, 0));
            if elements > known.1 {
                *known = (values, elements);
            }
        }
        let style = |(part, (values, elements)): (usize, ([Option<ValueId>; LONGHANDS.len()], usize))| ElementStyle {
            part: PARTS[part],
            elements,
            values: values.map(|value| value.map(&css)),
        };
        best.into_iter().map(style).collect()
    }
}

/// Returns the part of a design that an element is; `body` stands for running text.
pub(super) fn part_of_design(element: &Element) -> Option<usize> {
    let name = element.name();
    let is_button = || {
        let mut classes = element.classes().iter();
        name == "button" || name == "a" && classes.any(|class| class.contains("btn") || class.contains("button"))
    };
    let part = match name {
        "p" | "body" => "body",
        _ if is_button() => "button",
        other => other,
    };
    PARTS.iter().position(|own| *own == part)
}
