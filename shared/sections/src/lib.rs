//! Finds the sections of a page, their roles, and the hero.
//!
//! ```
//! use limner_page::PageSnapshot;
//! use limner_page_view::PageView;
//! use limner_style::StyleIndex;
//! use limner_types::SectionRole;
//!
//! let html = "<main><section><h1>Ship it today</h1><p>Everything that a team needs.</section></main><footer>© Us</footer>".to_owned();
//! let page = PageSnapshot { url: "https://example.com/".to_owned(), html, ..PageSnapshot::default() };
//! let view = PageView::new(&page);
//! let found = limner_sections::find(&view, &StyleIndex::new(&page, &view.document));
//! assert_eq!(found.sections[0].role, Some(SectionRole::Hero));
//! assert_eq!(found.sections[0].reference.label, "Ship it today");
//! ```

mod classification;
pub mod component_names;
mod page_stats;
mod role_keywords;
pub mod script_hints;
mod segmentation;
pub mod semantic_names;
mod sliders;
pub mod translated_titles;
pub mod unread_parts;

use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_page_view::PageView;
use limner_style::layout::Boxes;
use limner_style::{Environment, StyleIndex};
use limner_types::{SectionRef, SectionRole, WireEnum};
use page_stats::PageStats;

/// Maximum number of sections in a result.
pub const MAX_SECTIONS: usize = 60;
/// Maximum length of a preview, in characters.
const PREVIEW: usize = 120;
/// Maximum length of a label, in characters.
const LABEL: usize = 60;

/// Maximum height of a line of text, in CSS pixels.
const LINE: f32 = 32.0;

/// A section of a page.
#[derive(Debug, Clone)]
pub struct Section {
    /// Its element.
    pub node: NodeId,
    /// Its role; `None` if nothing tells it.
    pub role: Option<SectionRole>,
    /// The role that the hero would have otherwise.
    pub secondary_role: Option<SectionRole>,
    /// The label is a heading or the accessible name.
    pub has_title: bool,
    /// Its entry in a result.
    pub reference: SectionRef,
}

/// The sections of a page.
pub struct FoundSections {
    /// The hero, then the others in document order, then headers and footers; at most [`MAX_SECTIONS`].
    pub sections: Vec<Section>,
    /// Number of the sections beyond that.
    pub left_out: usize,
}

/// Returns the sections of a page.
pub fn find(view: &PageView<'_>, index: &StyleIndex<'_>) -> FoundSections {
    let boxes = view.boxes(&Environment::default());
    find_sections(&view.document, index, boxes)
}

fn find_sections(document: &Document, index: &StyleIndex<'_>, boxes: Option<Boxes>) -> FoundSections {
    let stats = PageStats::new(document, index, boxes);
    let mut nodes = segmentation::sections(&stats);
    let is_part = |node: &NodeId| !is_single_button(&stats, *node) && !classification::is_consent_banner(&stats, *node);
    if nodes.iter().any(is_part) {
        nodes.retain(is_part);
    }
    let mut roles = classification::roles(&stats, &nodes);
    let is_worth = |(node, role): &(NodeId, Option<SectionRole>)| role.is_some() || !is_trivial(&stats, *node);
    if roles.contains(&Some(SectionRole::Hero)) {
        (nodes, roles) = nodes.into_iter().zip(roles).filter(is_worth).unzip();
    }
    if let Some(bar) = classification::header_in_hero(&stats, &nodes, &roles) {
        nodes.insert(0, bar);
        roles.insert(0, Some(SectionRole::Header));
    }
    let last = nodes.last().copied();
    let mut sections: Vec<Section> = nodes
        .into_iter()
        .zip(roles)
        .map(|(node, role)| {
            let is_hero = role == Some(SectionRole::Hero);
            let besides = is_hero.then(|| classification::secondary_role(&stats, node, last == Some(node))).flatten();
            Section { secondary_role: besides, ..section(&stats, node, role) }
        })
        .collect();
    sections.sort_by_key(|section| match section.role {
        Some(SectionRole::Hero) => 0,
        Some(SectionRole::Header | SectionRole::Footer) => 2,
        _ => 1,
    });
    let left_out = sections.len().saturating_sub(MAX_SECTIONS);
    sections.truncate(MAX_SECTIONS);
    FoundSections { sections, left_out }
}

/// Returns true for a lone button or button-like link, which belongs to another section.
fn is_single_button(stats: &PageStats<'_>, node: NodeId) -> bool {
    let element = stats.document.element(node);
    let is_link = |element: &Element| element.is_html("a") && stats.subtree_counts(node).buttons > 0;
    element.is_some_and(|element| element.is_html("button") || is_link(element))
}

/// Returns true for a line of words or links between sections: a breadcrumb, a pager, a heading
/// without its text. With a background of its own such a line is a bar.
fn is_trivial(stats: &PageStats<'_>, node: NodeId) -> bool {
    if stats.heading_size(node) > 0.0 {
        return true;
    }
    let Some(rect) = stats.rect(node) else { return false };
    let counts = stats.subtree_counts(node);
    if rect.height <= 1.0 {
        // A box without height contains only out-of-flow content. A skip link that is shown on
        // focus is no more than that.
        return counts.headings == 0 && counts.media == 0 && counts.fields == 0 && counts.characters < 60;
    }
    let has_substance = counts.headings > 0 || counts.fields > 0 || counts.media > 0 && rect.width > 10.0 * LINE;
    !has_substance && rect.height.min(rect.width) <= if stats.is_painted(node) { LINE } else { 1.5 * LINE }
}

fn section(stats: &PageStats<'_>, node: NodeId, role: Option<SectionRole>) -> Section {
    let reference = SectionRef {
        selector: stats.document.unique_selector(node),
        label: label(stats, node, role),
        elements: stats.subtree_counts(node).elements.max(1),
        preview: stats.text(node, PREVIEW),
        role: Some(role.map_or("section", WireEnum::as_str).to_owned()),
    };
    Section { node, role, secondary_role: None, has_title: title(stats, node).is_some(), reference }
}

/// Returns the label of a section: header or footer, its title, its text, or the alternative texts
/// of its images.
fn label(stats: &PageStats<'_>, node: NodeId, role: Option<SectionRole>) -> String {
    let frame = match role {
        Some(SectionRole::Header) => Some("Header".to_owned()),
        Some(SectionRole::Footer) => Some("Footer".to_owned()),
        _ => None,
    };
    let by_text = || Some(stats.text(node, LABEL)).filter(|text| !text.is_empty());
    let by_pictures = || Some(stats.image_alt_text(node, LABEL)).filter(|words| !words.is_empty());
    frame.or_else(|| title(stats, node)).or_else(by_text).or_else(by_pictures).unwrap_or_else(|| "Section".to_owned())
}

/// Returns the accessible name of a section, or else its heading.
fn title(stats: &PageStats<'_>, node: NodeId) -> Option<String> {
    let document = stats.document;
    let named = document.element(node).and_then(|element| element.attr("aria-label")).map(str::trim);
    let named = named.filter(|name| !name.is_empty()).map(|name| name.chars().take(LABEL).collect());
    let text = |heading: NodeId| Some(stats.text(heading, LABEL)).filter(|text| !text.is_empty() && !is_price(text));
    let in_order = || document.light_descendants(node).filter(|inner| stats.heading_size(*inner) > 0.0).find_map(text);
    named.or_else(|| classification::main_heading(stats, node).and_then(text)).or_else(in_order)
}

/// Returns true for a price, which is often larger than the heading of what it is for.
fn is_price(text: &str) -> bool {
    text.starts_with(['$', '€', '£', '¥']) || text.ends_with(['€', '£'])
}

#[cfg(test)]
mod tests;
