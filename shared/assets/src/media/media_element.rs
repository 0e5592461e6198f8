//! Provides an element in its context, with the queries that `/videos` and `/audio` share.

use super::{MediaKind, format, urls};
use limner_page::dom::Element;
use limner_page::{Document, DocumentBase, NodeId};
use limner_page_view::PageView;
use url::Url;

/// Words in classes, and attribute names, of links that open a player on the page.
const PLAYER_WORDS: &[&str] = &["lightbox", "fancybox", "popup", "venobox", "lity", "modal", "video", "play"];
/// Maximum number of ancestors searched for the block-level line of a link.
const MAX_INLINE_ANCESTORS: usize = 6;

/// An element in its context.
pub(crate) struct MediaElement<'a> {
    pub(crate) view: &'a PageView<'a>,
    /// The page's document, or an inner document.
    pub(crate) document: &'a Document,
    pub(crate) node: NodeId,
    pub(crate) element: &'a Element,
    /// The position in document order.
    pub(crate) position: usize,
    /// The base of the document's URLs.
    pub(crate) base: &'a DocumentBase,
}

/// Visits every HTML element in document order. Those of an inner document have the position of its
/// owner.
pub(crate) fn visit_elements(view: &PageView<'_>, mut read: impl FnMut(&MediaElement<'_>)) {
    let mut inner_documents = view.inner_documents().iter().peekable();
    for (node, element) in view.document.elements() {
        let at = node.index();
        if element.in_html() {
            read(&MediaElement { view, document: &view.document, node, element, position: at, base: &view.base });
        }
        while let Some(inner) = inner_documents.next_if(|inner| inner.owner == node) {
            let (document, base) = (&inner.document, &inner.base);
            for (node, element) in document.elements().filter(|(_, element)| element.in_html()) {
                read(&MediaElement { view, document, node, element, position: at, base });
            }
        }
    }
}

impl MediaElement<'_> {
    /// Returns a non-empty attribute value, trimmed.
    pub(crate) fn attr(&self, name: &str) -> Option<&str> {
        self.element.attr(name).map(str::trim).filter(|value| !value.is_empty())
    }

    /// Returns the absolute URL in an attribute.
    pub(crate) fn url(&self, attribute: &str) -> Option<Url> {
        self.absolute(self.attr(attribute)?)
    }

    /// Returns the absolute URL of a media file or player.
    pub(crate) fn absolute(&self, reference: &str) -> Option<Url> {
        urls::absolute_from(self.base, reference).filter(|url| url.as_str() != self.view.page.url)
    }

    /// Returns the URLs from which a frame is loaded, at once or by a script that loads it lazily
    /// or after consent (`data-src`, `data-lazy-src`, `data-cookieblock-src` …).
    pub(crate) fn frame_urls(&self, attribute: &str) -> Vec<Url> {
        let is_source = |name: &str| name == attribute || (name.starts_with("data-") && name.ends_with("src"));
        let sources = self.element.attributes().iter().filter(|found| is_source(&found.name.local));
        sources.filter_map(|source| self.absolute(&source.value)).collect()
    }

    /// Returns `type` without parameters.
    pub(crate) fn declared_type(&self) -> Option<String> {
        self.attr("type").and_then(format::essence)
    }

    /// Returns the media kind of `type`.
    pub(crate) fn declared_kind(&self) -> Option<MediaKind> {
        self.declared_type().as_deref().and_then(MediaKind::from_media_type)
    }

    /// Returns the ancestors among which an enclosing media element may be.
    pub(crate) fn media_ancestors(&self) -> impl Iterator<Item = &Element> {
        self.document.ancestors(self.node).take(4).filter_map(|node| self.document.element(node))
    }

    /// Returns true if a link is part of a sentence and therefore only refers to its target. Links
    /// around an image, links that open a player, and links on a line of their own display it.
    pub(crate) fn is_in_prose(&self) -> bool {
        !self.contains_image() && !self.opens_player() && self.has_adjacent_text()
    }

    fn contains_image(&self) -> bool {
        let mut inside = self.document.descendants(self.node).filter_map(|node| self.document.element(node));
        inside.any(|element| matches!(element.name(), "img" | "picture" | "svg" | "video"))
    }

    fn opens_player(&self) -> bool {
        let has_word = |name: &str| {
            let name = name.to_ascii_lowercase();
            PLAYER_WORDS.iter().any(|word| name.contains(word))
        };
        self.element.classes().iter().any(|class| has_word(class))
            || self.element.attributes().iter().any(|attribute| {
                let name = &attribute.name.local;
                name.starts_with("data-") && (has_word(name) || has_word(&attribute.value))
                    || &**name == "rel" && has_word(&attribute.value)
            })
    }

    fn has_adjacent_text(&self) -> bool {
        let mut node = self.node;
        for parent in self.document.ancestors(self.node).take(MAX_INLINE_ANCESTORS) {
            let siblings = self.document.children(parent).filter(|sibling| *sibling != node);
            if siblings.into_iter().any(|sibling| self.document.text(sibling).is_some_and(has_text)) {
                return true;
            }
            let is_inline = |element: &Element| {
                matches!(element.name(), "em" | "strong" | "b" | "i" | "u" | "span" | "small" | "cite" | "q" | "mark")
            };
            if !self.document.element(parent).is_some_and(is_inline) {
                return false;
            }
            node = parent;
        }
        false
    }
}

fn has_text(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}
