//! Finds consent banners without a name: a box that floats over the page and says that the page uses cookies.

use super::name_tokens::split_words;
use limner_page::{Document, NodeId};
use limner_style::Styles;
use limner_style::computed::Position;

/// Maximum number of texts that mention cookies.
const MAX_TEXTS: usize = 64;
/// Minimum number of letters of such a text: a sentence, not the link to a policy.
const MIN_LETTERS: usize = 15;
/// Maximum number of ancestors among which the banner is searched.
const LEVELS: usize = 12;
/// Maximum number of nodes of a banner with its settings.
const MAX_NODES: usize = 600;

/// Returns the elements that are such banners, sorted.
pub(super) fn consent_banners(document: &Document, styles: &mut Styles<'_>) -> Vec<NodeId> {
    let mut banners = Vec::new();
    let texts = document.descendants(document.root()).filter(|node| speaks_of_cookies(document, *node));
    for text in texts.take(MAX_TEXTS) {
        let around = document.ancestors(text).take(LEVELS).take_while(|node| may_be_banner(document, *node));
        // The outermost, since the box that floats may be in another one that does.
        banners.extend(around.filter(|node| floats(document, styles, *node)).last());
    }
    banners.sort_unstable();
    banners.dedup();
    banners
}

fn speaks_of_cookies(document: &Document, node: NodeId) -> bool {
    let Some(text) = document.text(node) else { return false };
    let around = document.parent(node).and_then(|parent| document.element(parent));
    let is_read = around.is_some_and(|e| e.in_html() && !matches!(e.name(), "a" | "script" | "style" | "noscript"));
    let is_sentence =
        || text.chars().filter(|letter| letter.is_alphanumeric()).take(MIN_LETTERS).count() >= MIN_LETTERS;
    is_read
        && text.len() < 4_000
        && is_sentence()
        && split_words(text).iter().any(|word| matches!(word.as_str(), "cookie" | "cookies"))
}

/// Returns true for a small part of the page without a landmark.
fn may_be_banner(document: &Document, node: NodeId) -> bool {
    let is_small = document.subtree_end(node) - node.index() <= MAX_NODES;
    let is_part = |name: &str| !matches!(name, "html" | "body" | "main" | "header" | "footer" | "nav");
    is_small
        && document.element(node).is_some_and(|element| is_part(element.name()))
        && !document
            .descendants(node)
            .filter_map(|inner| document.element(inner))
            .any(|inner| matches!(inner.name(), "h1" | "main" | "header" | "nav" | "footer"))
}

fn floats(document: &Document, styles: &mut Styles<'_>, node: NodeId) -> bool {
    let is_dialog = document.element(node).is_some_and(|element| {
        let role = element.attr("role").unwrap_or_default();
        element.is_html("dialog") || matches!(role.trim(), "dialog" | "alertdialog")
    });
    is_dialog || styles.get(node).is_some_and(|style| style.position() == Position::Fixed)
}
