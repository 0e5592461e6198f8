//! Counts the contents of a page once, in prefix sums over its nodes, so that any part can be
//! queried.

use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_page_view::omitted_elements::{is_embedded_image, is_omitted};
use limner_style::color::is_transparent;
use limner_style::computed::{Display, Overflow, Position};
use limner_style::layout::{Boxes, Rect};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Environment, StyleIndex};

/// Counts over visible elements.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct SubtreeCounts {
    /// Characters of visible text.
    pub(crate) characters: usize,
    /// Characters inside links.
    pub(crate) linked: usize,
    pub(crate) elements: usize,
    pub(crate) headings: usize,
    /// Images, videos, inline SVG.
    pub(crate) media: usize,
    pub(crate) links: usize,
    /// Buttons, and links that look like one.
    pub(crate) buttons: usize,
    pub(crate) fields: usize,
    pub(crate) paragraphs: usize,
    /// Pictures in backgrounds that are bands of the page.
    bands: usize,
}

impl SubtreeCounts {
    fn add(&mut self, other: &Self) {
        self.characters += other.characters;
        self.linked += other.linked;
        self.elements += other.elements;
        self.headings += other.headings;
        self.media += other.media;
        self.links += other.links;
        self.buttons += other.buttons;
        self.fields += other.fields;
        self.paragraphs += other.paragraphs;
        self.bands += other.bands;
    }

    fn subtract(&self, other: &Self) -> Self {
        Self {
            characters: self.characters - other.characters,
            linked: self.linked - other.linked,
            elements: self.elements - other.elements,
            headings: self.headings - other.headings,
            media: self.media - other.media,
            links: self.links - other.links,
            buttons: self.buttons - other.buttons,
            fields: self.fields - other.fields,
            paragraphs: self.paragraphs - other.paragraphs,
            bands: self.bands - other.bands,
        }
    }
}

/// A text with words.
struct TextStats {
    /// The index of its node.
    at: usize,
    /// Computed, in CSS pixels.
    font_size: f32,
    is_linked: bool,
}

/// The statistics of a page.
pub(crate) struct PageStats<'s> {
    pub(crate) document: &'s Document,
    /// By node: the sum over all preceding nodes.
    prefix_counts: Vec<SubtreeCounts>,
    visible: Vec<bool>,
    /// By node: the computed font size of visible headings.
    font_size: Vec<f32>,
    /// Texts with words, in document order.
    texts: Vec<TextStats>,
    /// By node: it has its own background or border.
    painted: Vec<bool>,
    /// By node: it has a picture in its background.
    pictured: Vec<bool>,
    /// By node: it is no part of the page's flow.
    placed: Vec<bool>,
    /// By node: it clips overflow.
    clips: Vec<bool>,
    boxes: Option<Boxes>,
    /// Hidden elements count as visible, since scripts show one of them at a time.
    pub(crate) shows_hidden: bool,
}

/// Minimum number of characters of text for a page whose text is hidden to be considered waiting
/// for scripts.
const MIN_HIDDEN_TEXT: usize = 60;

/// Minimum width of a picture that is a band of the page, in CSS pixels.
pub(crate) const BAND_WIDTH: f32 = 1_000.0;
/// Minimum height of a picture that is a band of the page, in CSS pixels.
pub(crate) const BAND_HEIGHT: f32 = 300.0;

/// Minimum extent inside the page for an element to be visible, in CSS pixels; a line of text needs
/// more.
const MIN_VISIBLE_EXTENT: f32 = 8.0;

impl<'s> PageStats<'s> {
    pub(crate) fn new(document: &'s Document, index: &StyleIndex<'_>, boxes: Option<Boxes>) -> Self {
        let stats = Self::collect(document, index, boxes, false);
        if stats.hides_text_until_scripts() { Self::collect(document, index, None, true) } else { stats }
    }

    /// Returns true if nearly all text is hidden, as in slides and transitions that scripts show.
    fn hides_text_until_scripts(&self) -> bool {
        let Some(body) = self.document.body() else { return false };
        let is_read = |node: NodeId| {
            let parent = self.document.parent(node).and_then(|parent| self.document.element(parent));
            parent.is_some_and(|parent| !is_omitted(parent) && parent.name() != "noscript")
        };
        let texts = self.document.light_descendants(body).filter(|node| is_read(*node));
        let all: usize = texts.filter_map(|node| self.document.text(node)).map(letters).sum();
        all >= MIN_HIDDEN_TEXT && self.subtree_counts(body).characters * 20 < all
    }

    /// Collects the statistics. `shows_hidden` treats hidden elements as visible; their boxes are
    /// unknown.
    fn collect(document: &'s Document, index: &StyleIndex<'_>, boxes: Option<Boxes>, shows_hidden: bool) -> Self {
        let mut styles = index.styles(&Environment::default());
        let count = document.len();
        let mut stats = Self {
            document,
            prefix_counts: Vec::with_capacity(count + 1),
            visible: vec![false; count],
            font_size: vec![0.0; count],
            texts: Vec::new(),
            painted: vec![false; count],
            pictured: vec![false; count],
            placed: vec![false; count],
            clips: vec![false; count],
            boxes,
            shows_hidden,
        };
        let mut own = vec![SubtreeCounts::default(); count];
        let mut links_end = 0;
        let mut clipped_end = 0;
        for node in document.light_descendants(document.root()) {
            let at = node.index();
            if let Some(text) = document.text(node) {
                let shown = document.parent(node).filter(|parent| stats.visible[parent.index()]);
                if let Some(parent) = shown {
                    let letters = letters(text);
                    own[at].characters = letters;
                    own[at].linked = if at < links_end { letters } else { 0 };
                    let style = styles.get(parent).filter(|_| letters >= 3);
                    stats.texts.extend(style.map(|style| TextStats {
                        at,
                        font_size: style.font_size() as f32,
                        is_linked: at < links_end,
                    }));
                }
                continue;
            }
            let Some(element) = document.element(node) else { continue };
            // The fallback content of an embedded image is not rendered.
            let is_words = is_embedded_image(element);
            if is_words || is_omitted(element) {
                continue;
            }
            let Some(style) = styles.get(node) else { continue };
            let is_hidden = style.is_hidden() || !style.is_visible();
            if at < clipped_end || is_hidden && !shows_hidden {
                continue;
            }
            // A visually hidden heading counts, since it still titles the section.
            if (is_clipped_away(&style) && !is_heading(element)) || stats.is_drawer_beside_page(node, &style) {
                clipped_end = document.subtree_end(node);
                continue;
            }
            stats.visible[at] = true;
            stats.painted[at] = is_painted(&style);
            stats.pictured[at] = style.get(Longhand::BackgroundImage).contains("url(");
            stats.placed[at] = style.is_absolutely_positioned();
            stats.clips[at] = style.overflow_x() != Overflow::Visible;
            let subtree_counts = &mut own[at];
            subtree_counts.elements = 1;
            subtree_counts.bands = usize::from(stats.pictured[at] && stats.is_band(node));
            match element.name() {
                _ if is_heading(element) => {
                    subtree_counts.headings = 1;
                    stats.font_size[at] = style.font_size() as f32;
                }
                "img" | "video" | "canvas" | "iframe" | "audio" if element.in_html() => subtree_counts.media = 1,
                "svg" => subtree_counts.media = 1,
                "a" if element.in_html() => {
                    subtree_counts.links = 1;
                    subtree_counts.buttons = usize::from(looks_like_button(&style) || has_button_class(element));
                    links_end = links_end.max(document.subtree_end(node));
                }
                "button" => subtree_counts.buttons = 1,
                "input" if element.attr_has_token("type", "submit") => subtree_counts.buttons = 1,
                "input" | "select" | "textarea" => subtree_counts.fields = 1,
                "p" | "blockquote" => subtree_counts.paragraphs = 1,
                _ => {}
            }
        }
        let mut sum = SubtreeCounts::default();
        for subtree_counts in &own {
            stats.prefix_counts.push(sum);
            sum.add(subtree_counts);
        }
        stats.prefix_counts.push(sum);
        stats
    }

    /// Returns true for a drawer to the right of the page. Slides that wait there are parts of their slider.
    fn is_drawer_beside_page(&self, node: NodeId, style: &ComputedStyle) -> bool {
        style.position() == Position::Fixed
            && self.rect(node).is_some_and(|rect| rect.x >= Environment::default().width as f32 - MIN_VISIBLE_EXTENT)
    }

    pub(crate) fn is_visible(&self, node: NodeId) -> bool {
        self.visible[node.index()]
    }

    /// Returns the counts of an element, including itself.
    pub(crate) fn subtree_counts(&self, node: NodeId) -> SubtreeCounts {
        self.prefix_counts[self.document.subtree_end(node)].subtract(&self.prefix_counts[node.index()])
    }

    /// Returns true if an element has visible contents.
    pub(crate) fn has_visible_content(&self, node: NodeId) -> bool {
        let subtree_counts = self.subtree_counts(node);
        self.is_visible(node)
            && (subtree_counts.characters > 0
                || subtree_counts.media > 0
                || subtree_counts.fields > 0
                || subtree_counts.buttons > 0
                || self.shows_picture_band(node))
            && self.rect(node).is_none_or(|rect| match rect.width > 1.0 && rect.height > 1.0 {
                true => rect.x + rect.width > MIN_VISIBLE_EXTENT && rect.y + rect.height > MIN_VISIBLE_EXTENT,
                false => !self.clips[node.index()] && self.overflows_itself(node),
            })
    }

    /// Returns true for a part of the page's flow that shows a picture in the background of a band.
    fn shows_picture_band(&self, node: NodeId) -> bool {
        !self.is_out_of_flow(node) && self.subtree_counts(node).bands > 0
    }

    /// Returns true if an element is as wide and as high as a band of the page.
    fn is_band(&self, node: NodeId) -> bool {
        self.rect(node).is_some_and(|rect| rect.width >= BAND_WIDTH && rect.height >= BAND_HEIGHT)
    }

    pub(crate) fn is_out_of_flow(&self, node: NodeId) -> bool {
        self.placed[node.index()]
    }

    pub(crate) fn has_background_picture(&self, node: NodeId) -> bool {
        self.pictured[node.index()]
    }

    /// Returns true if an element without extent has visible children outside of its box.
    fn overflows_itself(&self, node: NodeId) -> bool {
        self.document.child_elements(node).any(|(child, _)| self.has_visible_content(child))
    }

    /// Returns the font size of a visible heading, or else 0.
    pub(crate) fn heading_size(&self, node: NodeId) -> f32 {
        self.font_size[node.index()]
    }

    /// Returns the largest font size in an element.
    pub(crate) fn largest_font_size(&self, node: NodeId) -> f32 {
        self.texts_in(node).iter().map(|text| text.font_size).fold(0.0, f32::max)
    }

    /// Returns the largest font size of text outside of links in an element.
    pub(crate) fn largest_unlinked_font_size(&self, node: NodeId) -> f32 {
        let unlinked = self.texts_in(node).iter().filter(|text| !text.is_linked);
        unlinked.map(|text| text.font_size).fold(0.0, f32::max)
    }

    fn texts_in(&self, node: NodeId) -> &[TextStats] {
        let texts_before = |at: usize| self.texts.partition_point(|text| text.at < at);
        &self.texts[texts_before(node.index())..texts_before(self.document.subtree_end(node))]
    }

    /// Returns true if an element has its own background or border.
    pub(crate) fn is_painted(&self, node: NodeId) -> bool {
        self.painted[node.index()]
    }

    pub(crate) fn has_boxes(&self) -> bool {
        self.boxes.is_some()
    }

    /// Returns false for an element without a box, as with `display: contents`.
    pub(crate) fn may_have_box(&self, node: NodeId) -> bool {
        !self.has_boxes() || self.rect(node).is_some()
    }

    pub(crate) fn rect(&self, node: NodeId) -> Option<Rect> {
        self.boxes.as_ref()?.get(node)
    }

    /// Returns the child elements with visible contents.
    pub(crate) fn visible_children(&self, node: NodeId) -> Vec<NodeId> {
        self.document
            .child_elements(node)
            .map(|(child, _)| child)
            .filter(|child| self.has_visible_content(*child))
            .collect()
    }

    /// Returns the visible text of an element with collapsed white space, at most `limit`
    /// characters.
    pub(crate) fn text(&self, node: NodeId, limit: usize) -> String {
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
        truncate_at_word(&words.join(" "), limit)
    }

    /// Returns the alternative texts of the images in an element, at most `limit` characters.
    pub(crate) fn image_alt_text(&self, node: NodeId, limit: usize) -> String {
        let inside = self.document.light_descendants(node).filter(|inner| self.is_visible(*inner));
        let alternatives = inside.filter_map(|inner| self.document.element(inner)?.attr("alt")).map(str::trim);
        let mut words: Vec<&str> = Vec::new();
        for one in alternatives.filter(|words| words.contains(char::is_alphanumeric)).take(limit) {
            // Infinite carousels repeat their logos.
            if !words.contains(&one) {
                words.push(one);
            }
        }
        truncate_at_word(&words.join(", "), limit)
    }
}

/// Truncates a text at a word boundary.
fn truncate_at_word(text: &str, limit: usize) -> String {
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
    !is_transparent(style.get(Longhand::BackgroundColor))
        || style.get(Longhand::BackgroundImage) != "none"
        || style.get(Longhand::BorderTopWidth) != "0px" && style.get(Longhand::BorderLeftWidth) != "0px"
}

/// Returns true for a link with a background or border and with padding.
fn looks_like_button(style: &limner_style::ComputedStyle) -> bool {
    let pixels = |longhand| style.get(longhand).strip_suffix("px").and_then(|px| px.parse::<f64>().ok());
    let padded = |longhand| pixels(longhand).is_some_and(|px| px >= 4.0);
    let is_box = !matches!(style.display(), Display::Inline | Display::Contents);
    let is_centred = style.get(Longhand::TextAlign) == "center" || style.get(Longhand::JustifyContent) == "center";
    let is_roomy = is_centred && pixels(Longhand::Height).is_some_and(|px| (24.0..=96.0).contains(&px));
    let has_room = padded(Longhand::PaddingLeft) && (is_box || padded(Longhand::PaddingTop)) || is_box && is_roomy;
    has_room && is_painted(style)
}

/// Returns true if a link's classes name it a button.
fn has_button_class(element: &Element) -> bool {
    let mut words = element.classes().iter().flat_map(|class| class.split(['-', '_']));
    words.any(|word| ["btn", "button", "cta"].iter().any(|name| word.eq_ignore_ascii_case(name)))
}

/// Returns true if an element is visually hidden by clipping, for screen readers only.
fn is_clipped_away(style: &limner_style::ComputedStyle) -> bool {
    style.is_absolutely_positioned() && is_empty_clip(style.get(Longhand::Clip))
        || style.get(Longhand::ClipPath) == "inset(50%)"
}

/// Returns true if a `clip` rectangle is empty: at most a pixel wide and high.
fn is_empty_clip(clip: &str) -> bool {
    let Some(edges) = clip.strip_prefix("rect(").and_then(|rest| rest.strip_suffix(')')) else { return false };
    let edges: Option<Vec<f64>> = edges
        .split([',', ' '])
        .filter(|edge| !edge.is_empty())
        .map(|edge| edge.trim_end_matches("px").parse().ok())
        .collect();
    matches!(edges.as_deref(), Some([top, right, bottom, left]) if bottom - top <= 1.0 && right - left <= 1.0)
}
