//! What is in each part of a page, counted once so that any part can be asked about.

use crate::code::capture::{embedded, is_left_out};
use crate::code::ground::is_clear;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_style::layout::{Boxes, Rect};
use limner_style::property::Longhand;
use limner_style::{Environment, StyleIndex};

/// Counts over the visible elements of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Tally {
    /// Letters that show.
    pub(super) letters: usize,
    /// Letters inside links.
    pub(super) linked: usize,
    pub(super) elements: usize,
    pub(super) headings: usize,
    /// Pictures, videos, drawings.
    pub(super) media: usize,
    pub(super) links: usize,
    /// Buttons, and links that look like one.
    pub(super) buttons: usize,
    pub(super) fields: usize,
    pub(super) paragraphs: usize,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.letters += other.letters;
        self.linked += other.linked;
        self.elements += other.elements;
        self.headings += other.headings;
        self.media += other.media;
        self.links += other.links;
        self.buttons += other.buttons;
        self.fields += other.fields;
        self.paragraphs += other.paragraphs;
    }

    fn minus(&self, other: &Self) -> Self {
        Self {
            letters: self.letters - other.letters,
            linked: self.linked - other.linked,
            elements: self.elements - other.elements,
            headings: self.headings - other.headings,
            media: self.media - other.media,
            links: self.links - other.links,
            buttons: self.buttons - other.buttons,
            fields: self.fields - other.fields,
            paragraphs: self.paragraphs - other.paragraphs,
        }
    }
}

/// The survey of a page.
pub(super) struct Survey<'s> {
    pub(super) document: &'s Document,
    /// By node: the sum over all nodes before it.
    before: Vec<Tally>,
    visible: Vec<bool>,
    /// By node: the computed font size of visible headings.
    font_size: Vec<f32>,
    /// By node: the computed font size of texts with words in them.
    text_size: Vec<f32>,
    /// By node: it has a ground or a border of its own.
    painted: Vec<bool>,
    /// By node: what is outside of its box does not show.
    clips: Vec<bool>,
    boxes: Option<Boxes>,
    /// What is hidden counts as shown: scripts bring it into view, one part at a time.
    pub(super) shows_hidden: bool,
}

/// Text that a page must have before its absence from view means anything, in letters.
const SOME_TEXT: usize = 60;

/// What reaches no further into the page than this is off it, in CSS pixels: no line of text shows in as much.
const GLIMPSE: f32 = 8.0;

impl<'s> Survey<'s> {
    pub(super) fn new(document: &'s Document, index: &StyleIndex<'_>, boxes: Option<Boxes>) -> Self {
        let survey = Self::of(document, index, boxes, false);
        if survey.waits_for_scripts() { Self::of(document, index, None, true) } else { survey }
    }

    /// Whether nearly all text is hidden: slides, transitions and the like, which scripts bring into view.
    fn waits_for_scripts(&self) -> bool {
        let Some(body) = self.document.body() else { return false };
        let is_read = |node: NodeId| {
            let parent = self.document.parent(node).and_then(|parent| self.document.element(parent));
            parent.is_some_and(|parent| !crate::code::capture::is_left_out(parent) && parent.name() != "noscript")
        };
        let texts = self.document.light_descendants(body).filter(|node| is_read(*node));
        let all: usize = texts.filter_map(|node| self.document.text(node)).map(letters).sum();
        all >= SOME_TEXT && self.tally(body).letters * 20 < all
    }

    /// `shows_hidden`: takes what is hidden for shown. Nothing is known of where that is.
    fn of(document: &'s Document, index: &StyleIndex<'_>, boxes: Option<Boxes>, shows_hidden: bool) -> Self {
        let mut styles = index.styles(&Environment::default());
        let count = document.len();
        let mut survey = Self {
            document,
            before: Vec::with_capacity(count + 1),
            visible: vec![false; count],
            font_size: vec![0.0; count],
            text_size: vec![0.0; count],
            painted: vec![false; count],
            clips: vec![false; count],
            boxes,
            shows_hidden,
        };
        let mut own = vec![Tally::default(); count];
        let mut links_end = 0;
        let mut clipped_end = 0;
        for node in document.light_descendants(document.root()) {
            let at = node.index();
            if let Some(text) = document.text(node) {
                let shown = document.parent(node).filter(|parent| survey.visible[parent.index()]);
                if let Some(parent) = shown {
                    let letters = letters(text);
                    own[at].letters = letters;
                    own[at].linked = if at < links_end { letters } else { 0 };
                    let style = styles.get(parent).filter(|_| letters >= 3);
                    survey.text_size[at] = style.map_or(0.0, |style| style.font_size() as f32);
                }
                continue;
            }
            let Some(element) = document.element(node) else { continue };
            // Of a picture nothing is shown that stands for it.
            let is_words = embedded::is_picture(element);
            if is_words || is_left_out(element) {
                continue;
            }
            let Some(style) = styles.get(node) else { continue };
            let is_hidden = style.is_hidden() || style.get(Longhand::Visibility) == "hidden";
            if at < clipped_end || is_hidden && !shows_hidden {
                continue;
            }
            // A heading says what a section is, to whom it may.
            if is_clipped_away(&style) && !is_heading(element) {
                clipped_end = document.subtree_end(node);
                continue;
            }
            survey.visible[at] = true;
            survey.painted[at] = is_painted(&style);
            survey.clips[at] = style.get(Longhand::OverflowX) != "visible";
            let tally = &mut own[at];
            tally.elements = 1;
            match element.name() {
                _ if is_heading(element) => {
                    tally.headings = 1;
                    survey.font_size[at] = style.font_size() as f32;
                }
                "img" | "video" | "canvas" | "iframe" | "audio" if element.in_html() => tally.media = 1,
                "svg" => tally.media = 1,
                "a" if element.in_html() => {
                    tally.links = 1;
                    tally.buttons = usize::from(looks_like_button(&style) || is_called_button(element));
                    links_end = links_end.max(document.subtree_end(node));
                }
                "button" => tally.buttons = 1,
                "input" if element.attr_has_token("type", "submit") => tally.buttons = 1,
                "input" | "select" | "textarea" => tally.fields = 1,
                "p" | "blockquote" => tally.paragraphs = 1,
                _ => {}
            }
        }
        let mut sum = Tally::default();
        for tally in &own {
            survey.before.push(sum);
            sum.add(tally);
        }
        survey.before.push(sum);
        survey
    }

    pub(super) fn is_visible(&self, node: NodeId) -> bool {
        self.visible[node.index()]
    }

    /// What is in an element, itself included.
    pub(super) fn tally(&self, node: NodeId) -> Tally {
        self.before[self.document.subtree_end(node)].minus(&self.before[node.index()])
    }

    /// Whether there is anything in an element that a visitor sees.
    pub(super) fn shows(&self, node: NodeId) -> bool {
        let tally = self.tally(node);
        self.is_visible(node)
            && (tally.letters > 0 || tally.media > 0 || tally.fields > 0 || tally.buttons > 0)
            && self.rect(node).is_none_or(|rect| match rect.width > 1.0 && rect.height > 1.0 {
                true => rect.x + rect.width > GLIMPSE && rect.y + rect.height > GLIMPSE,
                false => !self.clips[node.index()] && self.lets_out(node),
            })
    }

    /// Whether an element without room of its own has children that are placed elsewhere.
    fn lets_out(&self, node: NodeId) -> bool {
        self.document.child_elements(node).any(|(child, _)| self.shows(child))
    }

    /// The size of a heading's letters; 0 for what is no visible heading.
    pub(super) fn heading_size(&self, node: NodeId) -> f32 {
        self.font_size[node.index()]
    }

    /// The size of the largest text in an element.
    pub(super) fn largest_text(&self, node: NodeId) -> f32 {
        let sizes = &self.text_size[node.index()..self.document.subtree_end(node)];
        sizes.iter().copied().fold(0.0, f32::max)
    }

    /// Whether an element has a ground or a border of its own.
    pub(super) fn is_painted(&self, node: NodeId) -> bool {
        self.painted[node.index()]
    }

    pub(super) fn has_boxes(&self) -> bool {
        self.boxes.is_some()
    }

    pub(super) fn rect(&self, node: NodeId) -> Option<Rect> {
        self.boxes.as_ref()?.get(node)
    }

    /// Child elements in which a visitor sees something.
    pub(super) fn shown_children(&self, node: NodeId) -> Vec<NodeId> {
        self.document.child_elements(node).map(|(child, _)| child).filter(|child| self.shows(*child)).collect()
    }

    /// The text of an element as it shows, its white space collapsed, at most `limit` characters.
    pub(super) fn text(&self, node: NodeId, limit: usize) -> String {
        let mut words: Vec<&str> = Vec::new();
        let mut length = 0;
        for inner in self.document.light_descendants(node) {
            let Some(text) = self.document.text(inner) else { continue };
            if !self.document.parent(inner).is_some_and(|parent| self.is_visible(parent)) {
                continue;
            }
            for word in text.split_whitespace() {
                length += word.chars().count() + 1;
                words.push(word);
            }
            if length > limit {
                break;
            }
        }
        shortened(&words.join(" "), limit)
    }

    /// What stands for the pictures in an element where they can not be seen, at most `limit` characters.
    pub(super) fn words_for_pictures(&self, node: NodeId, limit: usize) -> String {
        let inside = self.document.light_descendants(node).filter(|inner| self.is_visible(*inner));
        let alternatives = inside.filter_map(|inner| self.document.element(inner)?.attr("alt")).map(str::trim);
        let mut words: Vec<&str> = Vec::new();
        for one in alternatives.filter(|words| words.contains(char::is_alphanumeric)).take(limit) {
            // The logos of an endless band are there several times.
            if !words.contains(&one) {
                words.push(one);
            }
        }
        shortened(&words.join(", "), limit)
    }
}

/// A text without the words that are too much.
fn shortened(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let cut: String = text.chars().take(limit.saturating_sub(1)).collect();
    let whole = cut.rfind(' ').map_or(cut.as_str(), |space| &cut[..space]);
    format!("{}…", whole.trim_end())
}

fn is_heading(element: &Element) -> bool {
    element.in_html() && matches!(element.name(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

fn is_painted(style: &limner_style::ComputedStyle) -> bool {
    !is_clear(style.get(Longhand::BackgroundColor))
        || style.get(Longhand::BackgroundImage) != "none"
        || style.get(Longhand::BorderTopWidth) != "0px" && style.get(Longhand::BorderLeftWidth) != "0px"
}

/// A link with a ground or a border, and room around its words.
fn looks_like_button(style: &limner_style::ComputedStyle) -> bool {
    let pixels = |longhand| style.get(longhand).strip_suffix("px").and_then(|px| px.parse::<f64>().ok());
    let padded = |longhand| pixels(longhand).is_some_and(|px| px >= 4.0);
    let is_box = !matches!(style.get(Longhand::Display), "inline" | "contents");
    let is_centred = style.get(Longhand::TextAlign) == "center" || style.get(Longhand::JustifyContent) == "center";
    let is_roomy = is_centred && pixels(Longhand::Height).is_some_and(|px| (24.0..=96.0).contains(&px));
    let has_room = padded(Longhand::PaddingLeft) && (is_box || padded(Longhand::PaddingTop)) || is_box && is_roomy;
    has_room && is_painted(style)
}

/// Whether a link's classes call it a button.
fn is_called_button(element: &Element) -> bool {
    let mut words = element.classes().iter().flat_map(|class| class.split(['-', '_']));
    words.any(|word| ["btn", "button", "cta"].iter().any(|name| word.eq_ignore_ascii_case(name)))
}

/// Whether nothing of an element shows, though it has a box: what is for screen readers alone.
fn is_clipped_away(style: &limner_style::ComputedStyle) -> bool {
    let is_placed = matches!(style.get(Longhand::Position), "absolute" | "fixed");
    is_placed && is_nothing(style.get(Longhand::Clip)) || style.get(Longhand::ClipPath) == "inset(50%)"
}

/// Whether a `clip` is a rectangle without area: from a point to the same point, or to what is before it.
fn is_nothing(clip: &str) -> bool {
    let Some(edges) = clip.strip_prefix("rect(").and_then(|rest| rest.strip_suffix(')')) else { return false };
    let edges: Option<Vec<f64>> = edges
        .split([',', ' '])
        .filter(|edge| !edge.is_empty())
        .map(|edge| edge.trim_end_matches("px").parse().ok())
        .collect();
    matches!(edges.as_deref(), Some([top, right, bottom, left]) if bottom - top <= 1.0 && right - left <= 1.0)
}
