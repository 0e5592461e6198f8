//! The paint that the stylesheets of a page give an inline SVG, which it would lack as a file of its own: what rules
//! declare, `var()` in attributes, and what the root inherits.

use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_page_view::PageView;
use limner_style::color;
use limner_style::color::Scheme;
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Environment, StyleIndex, Styles, ValueSource};
use std::cell::RefCell;

/// The properties that paint shapes.
const PAINT: &[Longhand] = &[
    Longhand::Color,
    Longhand::Fill,
    Longhand::FillOpacity,
    Longhand::FillRule,
    Longhand::ClipRule,
    Longhand::Stroke,
    Longhand::StrokeWidth,
    Longhand::StrokeOpacity,
    Longhand::StrokeLinecap,
    Longhand::StrokeLinejoin,
    Longhand::StrokeMiterlimit,
    Longhand::StrokeDasharray,
    Longhand::StrokeDashoffset,
    Longhand::StopColor,
    Longhand::StopOpacity,
    Longhand::FloodColor,
    Longhand::FloodOpacity,
    Longhand::PaintOrder,
    Longhand::VectorEffect,
    Longhand::ClipPath,
    Longhand::Filter,
];

/// The properties that a text needs besides.
const TEXT: &[Longhand] = &[
    Longhand::FontFamily,
    Longhand::FontSize,
    Longhand::FontWeight,
    Longhand::FontStyle,
    Longhand::LetterSpacing,
    Longhand::TextAnchor,
    Longhand::DominantBaseline,
];

/// The properties of parts, which say nothing about the root: it may be hidden or faded until the page shows it.
const OF_PARTS: &[Longhand] = &[Longhand::Display, Longhand::Visibility, Longhand::Opacity];

/// Creates the index of a page's rules that paint.
pub(super) fn paint_index<'v>(view: &'v PageView<'_>) -> StyleIndex<'v> {
    let wanted = [PAINT, TEXT, OF_PARTS].concat();
    StyleIndex::for_properties(view.page, &view.document, &wanted)
}

/// Returns the styles by which the page is painted on a desktop screen.
pub(super) fn paint_styles<'i>(index: &'i StyleIndex<'_>) -> RefCell<Styles<'i>> {
    RefCell::new(index.styles(&Environment::default()))
}

/// Reads the paint of one SVG of the page.
pub(super) struct PagePaint<'p, 'i, 'd> {
    index: &'i StyleIndex<'d>,
    /// The styles of the page, shared by its drawings.
    styles: &'p RefCell<Styles<'i>>,
    root: NodeId,
    has_text: bool,
    uses_current_color: bool,
}

impl<'p, 'i, 'd> PagePaint<'p, 'i, 'd> {
    /// Creates the paint of the `svg` element `root`, whose markup is `code`.
    pub(super) fn new(
        index: &'i StyleIndex<'d>,
        styles: &'p RefCell<Styles<'i>>,
        (root, code): (NodeId, &str),
    ) -> Self {
        let has_text = code.contains("<text");
        let mut own = Self { index, styles, root, has_text, uses_current_color: false };
        own.uses_current_color = code.to_ascii_lowercase().contains("currentcolor") || own.paints_with_current_color();
        own
    }

    fn document(&self) -> &'d Document {
        self.index.document()
    }

    /// Returns true if a rule fills or strokes a part with the colour of its text.
    fn paints_with_current_color(&self) -> bool {
        let mut styles = self.styles.borrow_mut();
        let document = self.document();
        let mut parts = std::iter::once(self.root).chain(document.descendants(self.root));
        parts.any(|node| {
            let style = document.element(node).and_then(|_| styles.get(node));
            style.is_some_and(|style| {
                [Longhand::Fill, Longhand::Stroke].iter().any(|longhand| style.get(*longhand) == "currentcolor")
            })
        })
    }

    /// Returns the declarations that give an element the paint it has on the page.
    pub(super) fn declarations(&self, node: NodeId, element: &Element) -> String {
        let mut styles = self.styles.borrow_mut();
        let Some(style) = styles.get(node) else { return String::new() };
        let around = self.document().parent(node).and_then(|parent| styles.get(parent));
        let is_root = node == self.root;
        let texts = if self.has_text { TEXT } else { &[] };
        let parts = if is_root { &[] } else { OF_PARTS };
        let longhands = PAINT.iter().chain(texts).chain(parts).copied();
        let written = longhands.filter_map(|longhand| {
            let around = around.as_deref().filter(|_| !is_root);
            let value = self.lacking_value(&style, around, element, (node, longhand))?;
            Some(format!("{}:{value}", longhand.name()))
        });
        written.collect::<Vec<_>>().join(";")
    }

    /// Returns the value of a longhand if the element lacks it without the page's stylesheets.
    fn lacking_value(
        &self,
        style: &ComputedStyle,
        around: Option<&ComputedStyle>,
        element: &Element,
        (node, longhand): (NodeId, Longhand),
    ) -> Option<String> {
        if longhand == Longhand::Color && !self.uses_current_color {
            return None;
        }
        let source = style.evidence(self.index, longhand)?;
        let refers =
            |names: &[&str]| names.iter().any(|name| element.attr(name).is_some_and(|own| own.contains("var(")));
        let is_lacking = match source {
            ValueSource::Inline(of) if of == node => refers(&["style"]),
            ValueSource::Attribute(of) if of == node => refers(&[longhand.name()]),
            // The browser's own rules apply anywhere, but what is inherited from a link is not.
            ValueSource::Rule { sheet: 0, .. } => longhand.is_inherited() && around.is_none(),
            ValueSource::Rule { .. } => true,
            ValueSource::Inline(_) | ValueSource::Attribute(_) | ValueSource::Keyframes => around.is_none(),
        };
        let is_inherited = around.is_some_and(|around| {
            longhand.is_inherited()
                && around.evidence(self.index, longhand) == Some(source)
                && around.get(longhand) == style.get(longhand)
        });
        let value = style.get(longhand);
        let is_shown = longhand == Longhand::Display && value != "none";
        (is_lacking && !is_inherited && !is_shown).then(|| with_plain_color(value))
    }
}

/// Converts colours to hex, which every SVG reader supports.
fn with_plain_color(value: &str) -> String {
    let is_word = value.chars().all(|letter| letter.is_ascii_lowercase());
    match color::parse(value, Scheme::Light).filter(|_| !is_word) {
        Some(color) => color.to_hex(),
        None => value.to_owned(),
    }
}
