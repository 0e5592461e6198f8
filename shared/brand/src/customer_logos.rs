//! Finds customer logo lists: several images after a short text such as "Trusted by".
//!
//! Only the elements that contain the images are such a list, not their surroundings: the word "partners" may occur
//! anywhere on a page.

use limner_page::{Document, NodeId};
use std::ops::Range;

/// Headings of logo lists, word for word.
const HEADINGS: &[&str] = &["sponsors", "partners", "clients", "customers"];
/// Phrases with which the headings of logo lists begin or end.
const PHRASES: &[&str] = &[
    "trusted by",
    "our customers",
    "our clients",
    "our partners",
    "our sponsors",
    "loved by",
    "used by",
    "as seen in",
    "as seen on",
    "as featured in",
    "featured in",
    "backed by",
    "who's using",
    "who is using",
    "in the press",
    "powering",
    "customers include",
    "working with",
    "trusted at",
    "sponsored by",
    "supported by",
    "chosen by",
    "companies using",
    "companies that",
    "teams at",
    "join thousands",
    "join hundreds",
    "join over",
    "join the companies",
    "join the teams",
    "join the best",
];
/// Words that may precede a phrase: "We are trusted by".
const OPENERS: &[&str] =
    &["we", "we're", "we\u{2019}re", "proudly", "already", "some", "of", "meet", "the", "a", "few"];
/// Maximum length of a heading, in bytes.
const MAX_HEADING_BYTES: usize = 90;
/// Maximum number of nodes of an element that is read as one text.
const MAX_TEXT_NODES: usize = 24;
/// Minimum number of logos in a list.
const MIN_CUSTOMER_LOGOS: usize = 3;
/// Number of ancestors of the heading in which the list is searched.
const LEVELS: usize = 5;
/// Maximum number of bytes of text between a heading and the first logo: a line below the heading, not another section.
const MAX_TEXT_BETWEEN_BYTES: usize = 160;
/// Maximum number of links that begin there: one for all customers, and the link of the first logo.
const MAX_LINKS_BETWEEN: usize = 2;
/// Maximum number of bytes of text for each logo: a caption.
const MAX_CAPTION_BYTES: usize = 80;

/// Returns the elements that contain the images of logo lists, sorted.
pub(super) fn customer_walls(document: &Document) -> Vec<NodeId> {
    let contents = DocumentCounts::from_document(document);
    let mut walls = Vec::new();
    for node in document.descendants(document.root()) {
        if is_heading(document, node) {
            walls.extend(contents.customer_logos_after(document, node));
        }
    }
    walls.sort_unstable();
    walls.dedup();
    walls
}

/// Returns true if a text node is part of the heading of a logo list.
fn is_heading(document: &Document, node: NodeId) -> bool {
    let is_short = |text: &&str| (5..MAX_HEADING_BYTES).contains(&text.trim().len());
    let Some(text) = document.text(node).filter(is_short) else { return false };
    // The words may be spread over the elements of one line; most texts contain none of them.
    let lower = text.to_lowercase();
    if !HEADINGS.iter().chain(PHRASES).any(|phrase| lower.contains(phrase)) {
        return false;
    }
    is_customer_heading(&line(document, node).unwrap_or_else(|| text.to_owned()))
}

/// Returns the text of the outermost element that contains a text node and is part of its line.
fn line(document: &Document, node: NodeId) -> Option<String> {
    let is_inline = |node: &NodeId| {
        let element = document.element(*node);
        element.is_some_and(|e| matches!(e.name(), "span" | "b" | "strong" | "em" | "i" | "a" | "mark" | "small" | "u"))
    };
    let mut around = document.ancestors(node);
    let block = around.find(|node| !is_inline(node))?;
    let is_small = document.subtree_end(block) - block.index() <= MAX_TEXT_NODES;
    let element = document.element(block).filter(|element| element.in_html())?;
    let is_text = is_small && !matches!(element.name(), "body" | "script" | "style");
    let has_blocks = document.child_elements(block).any(|(child, _)| !is_inline(&child));
    (is_text && !has_blocks).then(|| document.text_content(block))
}

/// Returns true if a text is such a heading: it is one of the words, or begins or ends with one of the phrases.
fn is_customer_heading(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    // "Acme is trusted by": a name of three words at most.
    let verb = words.iter().take(4).position(|word| matches!(*word, "is" | "are"));
    let begins = verb.map_or(0, |verb| verb + 1);
    let rest = words[begins..].iter().skip_while(|word| OPENERS.contains(*word));
    let joined = rest.copied().collect::<Vec<_>>().join(" ");
    let plain = joined.trim_matches(|letter: char| !letter.is_alphanumeric());
    let at_edge = |phrase: &str| {
        let begins = plain.strip_prefix(phrase).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        begins || plain.strip_suffix(phrase).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    };
    plain.len() < MAX_HEADING_BYTES && (HEADINGS.contains(&plain) || PHRASES.iter().any(|phrase| at_edge(phrase)))
}

/// Counts of the content before a node.
#[derive(Debug, Clone, Copy, Default)]
struct PrefixCounts {
    /// `h1` to `h6`.
    headings: usize,
    /// Landmarks of a page: `h1`, `header`, `nav`, `main`, `footer`.
    landmarks: usize,
    links: usize,
    /// Bytes of text.
    text: usize,
}

/// Prefix counts of a document's content.
struct DocumentCounts {
    /// For each node; one more entry for the end.
    prefix_counts: Vec<PrefixCounts>,
    /// Node indexes of images in document order.
    images: Vec<usize>,
}

impl DocumentCounts {
    fn from_document(document: &Document) -> Self {
        let mut prefix_counts = vec![PrefixCounts::default(); document.len() + 1];
        let mut images = Vec::new();
        for node in document.descendants(document.root()) {
            let entry = &mut prefix_counts[node.index() + 1];
            if let Some(element) = document.element(node) {
                let name = element.name();
                if element.is_html("img") || element.is_svg("svg") {
                    images.push(node.index());
                }
                entry.headings = usize::from(matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6"));
                entry.landmarks = usize::from(matches!(name, "h1" | "header" | "nav" | "main" | "footer" | "body"));
                entry.links = usize::from(element.is_html("a"));
            } else if let Some(text) = document.text(node) {
                let around = document.parent(node).and_then(|parent| document.element(parent));
                let is_read = around.is_none_or(|e| e.in_html() && !matches!(e.name(), "script" | "style"));
                entry.text = if is_read { text.trim().len() } else { 0 };
            }
        }
        let mut total = PrefixCounts::default();
        for entry in &mut prefix_counts {
            total.headings += entry.headings;
            total.landmarks += entry.landmarks;
            total.links += entry.links;
            total.text += entry.text;
            *entry = total;
        }
        Self { prefix_counts, images }
    }

    /// Returns one of the counts for a range of nodes.
    fn count(&self, range: Range<usize>, what: impl Fn(&PrefixCounts) -> usize) -> usize {
        what(&self.prefix_counts[range.end]).saturating_sub(what(&self.prefix_counts[range.start]))
    }

    fn images_in(&self, range: &Range<usize>) -> &[usize] {
        let at = |place: usize| self.images.partition_point(|picture| *picture < place);
        &self.images[at(range.start)..at(range.end)]
    }

    /// Returns the elements that contain the logo list below a heading, if there is one.
    fn customer_logos_after(&self, document: &Document, heading: NodeId) -> Vec<NodeId> {
        let after = heading.index() + 1;
        let next = self.images_in(&(after..document.len()));
        let (Some(first), Some(last)) = (next.first(), next.get(MIN_CUSTOMER_LOGOS - 1)) else { return Vec::new() };
        let is_near = self.count(after..*first, |before| before.headings) == 0
            && self.count(after..*first, |before| before.text) <= MAX_TEXT_BETWEEN_BYTES
            && self.count(after..*first, |before| before.links) <= MAX_LINKS_BETWEEN
            && self.count(*first..*last, |before| before.text) <= MIN_CUSTOMER_LOGOS * MAX_CAPTION_BYTES
            && self.count(after..*last, |before| before.landmarks) == 0;
        if !is_near {
            return Vec::new();
        }
        let mut branch = heading;
        for container in document.ancestors(heading).take(LEVELS) {
            if document.subtree_end(container) > *last {
                return self.following_logo_siblings(document, branch);
            }
            branch = container;
        }
        Vec::new()
    }

    /// Returns the following siblings that contain images with no more than captions, up to other content.
    fn following_logo_siblings(&self, document: &Document, branch: NodeId) -> Vec<NodeId> {
        let following = std::iter::successors(document.next_sibling(branch), |node| document.next_sibling(*node));
        let mut holders = Vec::new();
        let mut held = 0;
        for node in following {
            let all = node.index()..document.subtree_end(node);
            let pictures = self.images_in(&all);
            let begins = pictures.first().map_or(all.end, |first| *first);
            let is_other = self.count(all.clone(), |before| before.landmarks) > 0
                || self.count(all.start..begins, |before| before.headings) > 0;
            if is_other {
                break;
            }
            if pictures.is_empty() {
                continue;
            }
            if self.count(all, |before| before.text) > pictures.len() * MAX_CAPTION_BYTES {
                break;
            }
            holders.push(node);
            held += pictures.len();
        }
        if held >= MIN_CUSTOMER_LOGOS { holders } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_logo_lists_are_recognised() {
        for (text, expected) in [
            ("Trusted by", true),
            ("  Trusted by the best\n product teams in the world ", true),
            ("We\u{2019}re proudly trusted by 4,000 teams.", true),
            ("Acme is trusted by 4,000 teams.", true),
            ("Partners:", true),
            ("Our customers", true),
            ("The people who already trust us, as seen in", true),
            ("Join the companies that ship", true),
            ("Designer working with museums and a bakery.", false),
            ("Join the community", false),
            ("Partners help", false),
            ("Unused bytes", false),
            ("Used bytes", false),
        ] {
            assert_eq!(is_customer_heading(text), expected, "{text}");
        }
    }

    #[test]
    fn logo_lists_are_the_elements_with_images_only() {
        let logos = "<img><img><img>";
        for (html, expected) in [
            (format!("<section><h2>Trusted by</h2><div id=a>{logos}</div></section>"), "a"),
            ("<p>Used by <img id=a><img id=b><img id=c></p>".to_owned(), "a b c"),
            (
                format!(
                    "<div><div><h2><span>Our</span> <b>clients</b></h2></div><p>All of them</p><ul id=a>{logos}</ul></div>"
                ),
                "a",
            ),
            (format!("<main><h1>Acme</h1><p>Loved by</p><div id=a>{logos}</div><a href=/x>Start</a></main>"), "a"),
            (format!("<footer><h3>Partners</h3><div id=a>{logos}</div></footer>"), "a"),
            // Before it, below another heading, in the next column, on the page itself.
            (format!("<div>{logos}<h3>Partners</h3></div>"), ""),
            (format!("<h3>Partners</h3><h3>Places</h3><div>{logos}</div>"), ""),
            (format!("<div><p>Partners</p><a>One</a><a>Two</a><a>Three</a></div><div>{logos}</div>"), ""),
            (format!("<p>Partners</p><div><main>{logos}</main></div>"), ""),
            (format!("<p>Partners</p><div>{logos}<h1>Acme</h1></div>"), ""),
            (format!("<p>Designer <b>working with</b> museums</p><div>{logos}</div>"), ""),
            ("<h2>Partners</h2><img><img>".to_owned(), ""),
        ] {
            let document = Document::parse(&format!("<!doctype html><body>{html}</body>"));
            let id = |node: NodeId| document.element(node)?.attr("id");
            let found: Vec<&str> = customer_walls(&document).into_iter().filter_map(id).collect();
            assert_eq!(found.join(" "), expected, "{html}");
        }
    }
}
