//! Collects the text that a page renders in each font: contents of elements, generated content, and
//! text that browsers add (list markers, quotes, labels of form controls).

use super::font_query::FontQuery;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_style::computed::{ContentVisibility, Display};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement;
use limner_style::value::{Component, parse_components};
use limner_style::{ComputedStyle, Environment, StyleIndex, Styles};
use std::collections::{BTreeSet, HashMap};

/// Maximum number of distinct characters per font.
const MAX_CHARACTERS: usize = 30_000;
/// Maximum number of fonts.
const MAX_FONTS: usize = 2_000;
/// Number of characters assumed in the first line.
const LINE_CHARACTERS: usize = 80;
/// Maximum number of text nodes searched for the first letter or line of an element.
const MAX_NODES: usize = 200;

/// Properties that determine which text is rendered, and in which font.
pub(super) const TEXT_LONGHANDS: &[Longhand] = &[
    Longhand::Display,
    Longhand::Content,
    Longhand::ContentVisibility,
    Longhand::ListStyleType,
    Longhand::ListStyleImage,
    Longhand::Quotes,
    Longhand::FontFamily,
    Longhand::FontWeight,
    Longhand::FontStyle,
    Longhand::FontStretch,
    // Animations may override any of these properties.
    Longhand::AnimationName,
    Longhand::AnimationFillMode,
    Longhand::AnimationIterationCount,
    Longhand::AnimationDirection,
    Longhand::AnimationPlayState,
    Longhand::AnimationTimeline,
];

/// Additional properties that container queries depend on.
pub(super) const CONTAINING: &[Longhand] = &[
    Longhand::ContainerType,
    Longhand::ContainerName,
    Longhand::BoxSizing,
    Longhand::Width,
    Longhand::MinWidth,
    Longhand::MaxWidth,
    Longhand::MarginLeft,
    Longhand::MarginRight,
    Longhand::PaddingLeft,
    Longhand::PaddingRight,
    Longhand::BorderLeftWidth,
    Longhand::BorderRightWidth,
];

/// Returns the characters rendered in each font.
pub(super) fn characters_by_font(index: &StyleIndex<'_>, document: &Document) -> HashMap<FontQuery, BTreeSet<u32>> {
    let styles = index.styles(&Environment::default());
    let contents = vec![ContentKind::Set; document.len()];
    let mut texts = TextCollector { index, document, styles, contents, fonts: HashMap::new() };
    for (node, element) in document.elements() {
        texts.element(node, element);
    }
    texts.fonts
}

/// The rendering of the contents of a displayed element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContentKind {
    Set,
    /// A closed `details` shows only its summary.
    Folded,
    Skipped,
}

struct TextCollector<'i> {
    index: &'i StyleIndex<'i>,
    document: &'i Document,
    styles: Styles<'i>,
    contents: Vec<ContentKind>,
    fonts: HashMap<FontQuery, BTreeSet<u32>>,
}

impl TextCollector<'_> {
    fn element(&mut self, node: NodeId, element: &Element) {
        let document = self.document;
        let around = document.parent(node).map_or(ContentKind::Set, |parent| self.contents[parent.index()]);
        let is_summary = || document.parent(node).and_then(|parent| summary(document, parent)) == Some(node);
        if around == ContentKind::Skipped || (around == ContentKind::Folded && !is_summary()) {
            self.contents[node.index()] = ContentKind::Skipped;
            return;
        }
        let Some(style) = self.styles.get(node).filter(|style| !style.is_hidden()) else { return };
        let contents = contents(element, &style);
        self.contents[node.index()] = contents;
        if contents == ContentKind::Skipped {
            return;
        }
        if contents == ContentKind::Set {
            for text in document.children(node).filter_map(|child| document.text(child)) {
                self.add(&style, text);
            }
        }
        if lacks_summary(document, node, element) {
            self.add(&style, "Details");
        }
        if element.in_html() {
            self.control(node, element, &style);
        }
        self.marker(node, &style);
        self.add_first_letter_and_line(node, &style);
        for pseudo in [PseudoElement::Before, PseudoElement::After] {
            if let Some(style) = self.styles.pseudo(node, pseudo) {
                let text = generated(document, node, &style);
                self.add(&style, &text);
            }
        }
    }

    /// Adds the text of a form control.
    fn control(&mut self, node: NodeId, element: &Element, style: &ComputedStyle) {
        let is_area = element.is_html("textarea");
        if !is_area && !element.is_html("input") {
            return;
        }
        let (label, is_field) = if is_area { (String::new(), true) } else { label(element) };
        self.add(style, &label);
        let holds_text = !label.is_empty() || self.document.children(node).next().is_some();
        if let Some(placeholder) = element.attr("placeholder").filter(|_| is_field && !holds_text) {
            let own = self.styles.pseudo(node, PseudoElement::Placeholder);
            self.add(own.as_deref().unwrap_or(style), placeholder);
        }
        if kind(element) == "file" {
            let own = self.styles.pseudo(node, PseudoElement::FileSelectorButton);
            self.add(own.as_deref().unwrap_or(style), "Choose File");
        }
    }

    /// Adds the marker of a list item.
    fn marker(&mut self, node: NodeId, style: &ComputedStyle) {
        let own = self.styles.pseudo(node, PseudoElement::Marker);
        let set = own.as_deref().unwrap_or(style);
        let text = match set.get(Longhand::Content) {
            "none" => return,
            _ if !style.display().is_list_item() => return,
            "normal" => marker_text(style),
            _ => generated(self.document, node, set),
        };
        self.add(set, &text);
    }

    /// Adds the first letter and the first line of a block that has styles for them.
    fn add_first_letter_and_line(&mut self, node: NodeId, style: &ComputedStyle) {
        if !style.display().is_block_container() {
            return;
        }
        let styled = self.index.styled_pseudo_elements(node);
        for (pseudo, most) in [(PseudoElement::FirstLetter, 1), (PseudoElement::FirstLine, LINE_CHARACTERS)] {
            let style = styled.contains(&pseudo).then(|| self.styles.pseudo(node, pseudo)).flatten();
            if let Some(style) = style {
                let inner = self.document.descendants(node).take(MAX_NODES);
                let texts = inner.filter_map(|node| self.document.text(node));
                let text: String = texts.flat_map(str::chars).filter(|c| !c.is_whitespace()).take(most).collect();
                self.add(&style, &text);
            }
        }
    }

    fn add(&mut self, style: &ComputedStyle, text: &str) {
        // White space collapses; a preserved space is rendered like a letter.
        if text.trim_ascii().is_empty() {
            return;
        }
        let font = FontQuery::from_style(style);
        let room = self.fonts.len() < MAX_FONTS;
        let characters = match self.fonts.get_mut(&font) {
            Some(characters) => characters,
            None if room => self.fonts.entry(font).or_default(),
            None => return,
        };
        for character in text.chars().filter(|character| !character.is_control()) {
            if characters.len() < MAX_CHARACTERS {
                characters.insert(u32::from(character));
            }
        }
    }
}

/// Returns the first `summary` of a `details`.
fn summary(document: &Document, details: NodeId) -> Option<NodeId> {
    document.element(details).filter(|element| element.is_html("details"))?;
    document.children(details).find(|child| document.element(*child).is_some_and(|element| element.is_html("summary")))
}

/// Returns true if the browser adds a default summary.
fn lacks_summary(document: &Document, node: NodeId, element: &Element) -> bool {
    element.is_html("details") && summary(document, node).is_none()
}

fn contents(element: &Element, style: &ComputedStyle) -> ContentKind {
    let is_hidden = style.content_visibility() == ContentVisibility::Hidden && style.display() != Display::Inline;
    // The contents of a gauge are fallback for browsers that cannot render it.
    if is_hidden || element.is_html("meter") || element.is_html("progress") {
        return ContentKind::Skipped;
    }
    let is_folded = element.is_html("details") && element.attr("open").is_none();
    if is_folded { ContentKind::Folded } else { ContentKind::Set }
}

/// Returns the type of an `input`, in lower case.
fn kind(element: &Element) -> String {
    if !element.is_html("input") {
        return String::new();
    }
    element.attr("type").unwrap_or("text").trim().to_ascii_lowercase()
}

/// Returns the visible text of an `input`, and true if it is a text field.
fn label(element: &Element) -> (String, bool) {
    let value = element.attr("value").map(str::to_owned);
    let text = |label: Option<String>| (label.unwrap_or_default(), false);
    match kind(element).as_str() {
        "checkbox" | "radio" | "range" | "color" | "hidden" | "image" => text(None),
        "submit" => text(value.or_else(|| Some("Submit".to_owned()))),
        "reset" => text(value.or_else(|| Some("Reset".to_owned()))),
        "button" => text(value),
        "file" => text(Some("No file chosen".to_owned())),
        "date" => text(value.or_else(|| Some("mm/dd/yyyy".to_owned()))),
        "datetime-local" => text(value.or_else(|| Some("mm/dd/yyyy, --:-- --".to_owned()))),
        "time" => text(value.or_else(|| Some("--:-- --".to_owned()))),
        "month" => text(value.or_else(|| Some("--------- ----".to_owned()))),
        "week" => text(value.or_else(|| Some("Week --, ----".to_owned()))),
        "password" => (value.filter(|value| !value.is_empty()).map(|_| "•".to_owned()).unwrap_or_default(), true),
        _ => (value.unwrap_or_default(), true),
    }
}

/// Returns the text of a list item's marker; shapes are drawn without a font.
fn marker_text(style: &ComputedStyle) -> String {
    if style.get(Longhand::ListStyleImage) != "none" {
        return String::new();
    }
    let value = style.get(Longhand::ListStyleType);
    if let Some([Component::String(text)]) = parse_components(value).as_deref() {
        return text.to_string();
    }
    match value {
        "none" | "disc" | "circle" | "square" | "disclosure-open" | "disclosure-closed" => "",
        "lower-alpha" | "lower-latin" => "a.",
        "upper-alpha" | "upper-latin" => "A.",
        "lower-roman" => "i.",
        "upper-roman" => "I.",
        "lower-greek" => "α.",
        _ => "1.",
    }
    .to_owned()
}

/// Returns the text of a computed `content`: its strings, quotes and attributes; a counter counts
/// as a digit.
fn generated(document: &Document, node: NodeId, style: &ComputedStyle) -> String {
    let mut text = String::new();
    for component in parse_components(style.get(Longhand::Content)).unwrap_or_default() {
        match &component {
            Component::String(string) => text.push_str(string),
            // The alternative text follows.
            Component::Slash => break,
            Component::Ident(word) => text.push_str(&quote(word, style.get(Longhand::Quotes))),
            Component::Function { name, arguments } => match (&**name, arguments.first()) {
                ("attr", Some(Component::Ident(name))) => {
                    let value = document.element(node).and_then(|element| element.attr(&name.to_ascii_lowercase()));
                    text.push_str(value.unwrap_or_default());
                }
                ("counter" | "counters", _) => text.push('1'),
                _ => {}
            },
            _ => {}
        }
    }
    text
}

/// Returns the outermost quotation mark of a keyword of `content`.
fn quote(word: &str, quotes: &str) -> String {
    let number = match word {
        "open-quote" => 0,
        "close-quote" => 1,
        _ => return String::new(),
    };
    match (quotes, parse_components(quotes).unwrap_or_default().get(number)) {
        ("none", _) => String::new(),
        (_, Some(Component::String(mark))) => mark.to_string(),
        _ => ["“", "”"][number].to_owned(),
    }
}
