//! One element of the page, and what `/videos` and `/audio` both ask of it.

use super::{MediaKind, address, format};
use crate::PageView;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use url::Url;

/// Words in classes, and names of attributes, by which links open a player on the page.
const PLAYER_WORDS: &[&str] = &["lightbox", "fancybox", "popup", "venobox", "lity", "modal", "video", "play"];
/// How far up a link's own line of text is looked for.
const MOST_INLINE_ANCESTORS: usize = 6;

/// One element.
pub(crate) struct Place<'a> {
    pub(crate) view: &'a PageView<'a>,
    /// The page's document, or the contents of one of its `noscript` elements.
    pub(crate) document: &'a Document,
    pub(crate) node: NodeId,
    pub(crate) element: &'a Element,
    /// Position in the page.
    pub(crate) at: usize,
}

/// Every HTML element in document order. What only visitors without scripts see stands where its `noscript` stands.
pub(crate) fn each(view: &PageView<'_>, mut read: impl FnMut(&Place<'_>)) {
    let mut noscripts = view.document.noscript_contents().into_iter().peekable();
    for (node, element) in view.document.elements() {
        let at = node.index();
        if element.in_html() {
            read(&Place { view, document: &view.document, node, element, at });
        }
        if let Some((_, contents)) = noscripts.next_if(|(noscript, _)| *noscript == node) {
            for (node, element) in contents.elements().filter(|(_, element)| element.in_html()) {
                read(&Place { view, document: &contents, node, element, at });
            }
        }
    }
}

impl Place<'_> {
    /// A non-empty attribute, without white space around it.
    pub(crate) fn attr(&self, name: &str) -> Option<&str> {
        self.element.attr(name).map(str::trim).filter(|value| !value.is_empty())
    }

    /// The absolute address that an attribute holds.
    pub(crate) fn url(&self, attribute: &str) -> Option<Url> {
        address::absolute(self.view, self.attr(attribute)?)
    }

    /// `type`, without parameters.
    pub(crate) fn declared_type(&self) -> Option<String> {
        self.attr("type").and_then(format::essence)
    }

    /// What `type` says the file is.
    pub(crate) fn declared_kind(&self) -> Option<MediaKind> {
        self.declared_type().as_deref().and_then(MediaKind::of_type)
    }

    /// The elements that a media element of this one may be among.
    pub(crate) fn above(&self) -> impl Iterator<Item = &Element> {
        self.document.ancestors(self.node).take(4).filter_map(|node| self.document.element(node))
    }

    /// Whether a link stands among the words of a sentence: such a link refers to something, it does not show it.
    /// A link around a picture, one that says it opens a player, and one that has its line for itself do.
    pub(crate) fn is_in_prose(&self) -> bool {
        !self.holds_picture() && !self.opens_player() && self.has_text_beside()
    }

    fn holds_picture(&self) -> bool {
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

    fn has_text_beside(&self) -> bool {
        let mut node = self.node;
        for parent in self.document.ancestors(self.node).take(MOST_INLINE_ANCESTORS) {
            let siblings = self.document.children(parent).filter(|sibling| *sibling != node);
            if siblings.into_iter().any(|sibling| self.document.text(sibling).is_some_and(has_words)) {
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

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}
