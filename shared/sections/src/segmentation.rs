//! Splits a page into sections.

use crate::classification::{HEADLINE, has_own_background, is_navigation_sidebar};
use crate::page_stats::{BAND_WIDTH, PageStats, SubtreeCounts};
use crate::sliders;
use limner_page::NodeId;
use limner_page::dom::Element;
use limner_style::Environment;
use limner_style::layout::Rect;
use std::collections::HashMap;

/// Maximum nesting of groups of sections.
const MAX_DEPTH: usize = 48;

/// Returns the sections of a page in document order. Sections do not nest, except in one whose
/// headline is a sibling of the others, since no smaller element contains the headline and its
/// text.
pub(crate) fn sections(stats: &PageStats<'_>) -> Vec<NodeId> {
    let Some(body) = stats.document.body() else { return Vec::new() };
    let mut found = Vec::new();
    split(stats, body, SegmentContext::default(), &mut found);
    if found.is_empty() {
        found.push(body);
    }
    found
}

/// The context of an element while splitting.
#[derive(Debug, Clone, Copy, Default)]
struct SegmentContext {
    depth: usize,
    /// It is the only content of the page's frame.
    is_sole_content: bool,
    /// It is inside a landmark, where repeated elements are parts of one section.
    in_landmark: bool,
}

impl SegmentContext {
    fn nested(self, is_whole: bool) -> Self {
        Self { depth: self.depth + 1, is_sole_content: is_whole, ..self }
    }
}

fn split(stats: &PageStats<'_>, node: NodeId, place: SegmentContext, found: &mut Vec<NodeId>) {
    if sliders::is_slider(stats, node) {
        found.push(node);
        return;
    }
    let children = stats.visible_children(node);
    if let Some(parts) = sliders::parts_of_header(stats, node, &children) {
        found.extend(parts);
        return;
    }
    let is_landmark = is_landmark(stats, node);
    let place = SegmentContext { in_landmark: place.in_landmark || is_landmark, ..place };
    if place.depth < MAX_DEPTH && !is_running_text(stats, node, &children) {
        // The only article of a page is a frame for its contents.
        if let [only] = children.as_slice()
            && (!is_marked_section(stats, node)
                || !stats.may_have_box(node)
                || place.is_sole_content
                || wraps_built_sections(stats, node))
        {
            let first = found.len();
            split(stats, *only, place.nested(place.is_sole_content || is_whole_frame(stats, node)), found);
            if let [inner] = found[first..]
                && stats.may_have_box(node)
                && (is_landmark || absorbs_parent(stats, node, inner))
            {
                found[first] = node;
            }
            return;
        }
        let is_built = is_built_of_sections(stats, node, &children);
        if is_built || is_group(stats, node, place, &children) {
            let has_headline = !is_built && children.iter().any(|child| is_standalone_headline(stats, *child));
            let is_part = |child: &NodeId| !(has_headline && is_stray_text(stats, *child));
            let parts: Vec<NodeId> = children.into_iter().filter(is_part).collect();
            if has_headline {
                found.push(node);
            }
            return parts.into_iter().for_each(|child| split(stats, child, place.nested(false), found));
        }
        if let Some(inner) = main_beside_sidebars(stats, node, place, &children) {
            return children.into_iter().for_each(|child| match child == inner {
                true => split(stats, inner, place.nested(false), found),
                false => found.push(child),
            });
        }
        if let Some(inner) = app_shell(stats, node, &children) {
            let first = found.len();
            split(stats, inner, place.nested(false), found);
            if found.len() > first + 1 {
                let (before, after): (Vec<NodeId>, Vec<NodeId>) =
                    children.into_iter().filter(|child| *child != inner).partition(|child| *child < inner);
                found.splice(first..first, before);
                found.extend(after);
                return;
            }
            found.truncate(first);
        }
    }
    found.push(node);
}

/// Returns the main part of the page if all its siblings are navigation sidebars.
fn main_beside_sidebars(
    stats: &PageStats<'_>,
    node: NodeId,
    place: SegmentContext,
    children: &[NodeId],
) -> Option<NodeId> {
    let own = stats.rect(node)?;
    if place.in_landmark || own.width < 900.0 || own.height < 600.0 {
        return None;
    }
    let mut others = children.iter().copied().filter(|child| !is_navigation_sidebar(stats, *child));
    let (inner, None) = (others.next()?, others.next()) else { return None };
    let is_main = stats.rect(inner).is_some_and(|rect| rect.width * 2.0 >= own.width);
    (is_main && children.len() > 1 && is_substantial(stats, inner)).then_some(inner)
}

/// Returns true if the page or its site builder marks an element as a section.
fn is_marked_section(stats: &PageStats<'_>, node: NodeId) -> bool {
    is_landmark(stats, node) || is_builder_section(stats, node)
}

/// Returns the main part of an application shell, which contains most elements beside bars and
/// drawers.
fn app_shell(stats: &PageStats<'_>, node: NodeId, children: &[NodeId]) -> Option<NodeId> {
    let window = stats.rect(node)?;
    if is_marked_section(stats, node) || window.width < 1_200.0 || window.height < 700.0 {
        return None;
    }
    let all = stats.subtree_counts(node).elements;
    children.iter().copied().find(|child| stats.subtree_counts(*child).elements * 10 > all * 6)
}

/// Returns true if the parent belongs to its section, by its size or background, and is not the
/// page's frame.
fn absorbs_parent(stats: &PageStats<'_>, around: NodeId, section: NodeId) -> bool {
    if is_frame(stats, around) || is_landmark(stats, section) {
        return false;
    }
    match (stats.rect(around), stats.rect(section)) {
        (Some(outer), Some(inner)) => {
            let apart = [outer.x - inner.x, outer.y - inner.y, outer.width - inner.width, outer.height - inner.height];
            stats.is_painted(around) || apart.iter().any(|distance| distance.abs() > 2.0)
        }
        _ => true,
    }
}

fn element<'s>(stats: &PageStats<'s>, node: NodeId) -> Option<&'s Element> {
    stats.document.element(node).filter(|element| element.in_html())
}

/// Returns true for the sectioning elements and landmark roles with which authors divide pages.
fn is_landmark(stats: &PageStats<'_>, node: NodeId) -> bool {
    element(stats, node).is_some_and(|element| {
        matches!(element.name(), "header" | "footer" | "nav" | "section" | "article" | "aside" | "form")
            || element.attr("role").is_some_and(|role| {
                matches!(role, "banner" | "contentinfo" | "navigation" | "region" | "complementary")
            })
    })
}

/// Returns true for elements that contain the other landmarks.
fn is_frame(stats: &PageStats<'_>, node: NodeId) -> bool {
    element(stats, node)
        .is_some_and(|element| matches!(element.name(), "body" | "main") || element.attr_has_token("role", "main"))
}

/// Of so many characters of an element one is its own if they are running text.
const STRAY_SHARE: usize = 20;

/// Returns true if headings, paragraphs and lists follow each other directly: one text of any
/// length.
fn is_running_text(stats: &PageStats<'_>, node: NodeId, children: &[NodeId]) -> bool {
    let divisions = children.iter().filter(|child| is_landmark(stats, **child) && is_substantial(stats, **child));
    let is_divided = divisions.count() >= 2;
    // Between the page's sections such text is a mistake, like the rest of a comment that was not closed.
    if is_divided && is_frame(stats, node) {
        return false;
    }
    let direct = stats.document.children(node).filter_map(|child| stats.document.text(child));
    // A few words between many are the rest of a rule or a comment that was not closed.
    let direct = direct.map(|text| text.trim().len()).sum::<usize>();
    if direct > 0 && direct * STRAY_SHARE >= stats.subtree_counts(node).characters {
        return true;
    }
    if is_divided {
        return false;
    }
    let texts = children.iter().filter(|child| is_text(stats, **child)).count();
    texts * 2 > children.len() || (texts >= 2 && children.len() <= 3 && !is_frame(stats, node))
}

/// Returns true for elements of running text.
fn is_text(stats: &PageStats<'_>, node: NodeId) -> bool {
    let is_block = |(_, child): (NodeId, &Element)| child.in_html() && matches!(child.name(), "div" | "section");
    element(stats, node).is_some_and(|element| {
        if element.name() == "span" {
            return !stats.document.child_elements(node).any(is_block);
        }
        matches!(
            element.name(),
            "p" | "h1"
                | "h2"
                | "h3"
                | "h4"
                | "h5"
                | "h6"
                | "ul"
                | "ol"
                | "dl"
                | "pre"
                | "blockquote"
                | "table"
                | "hr"
                | "figure"
                | "img"
                | "a"
                | "button"
                | "form"
                | "br"
                | "label"
                | "input"
                | "center"
                | "font"
                | "b"
                | "strong"
                | "em"
        )
    })
}

/// Returns true for text beside sections that is no section itself.
fn is_stray_text(stats: &PageStats<'_>, node: NodeId) -> bool {
    is_text(stats, node) && !is_landmark(stats, node)
}

fn is_standalone_headline(stats: &PageStats<'_>, node: NodeId) -> bool {
    element(stats, node).is_some_and(|element| matches!(element.name(), "h1" | "h2"))
}

/// Classes by which site builders mark the sections of a page: Bricks, Breakdance, Oxygen, Elementor, Divi, Squarespace,
/// Shopify, Avada, Beaver Builder, WPBakery, HubSpot, Enfold, BeTheme, SP Page Builder and Themify.
const BUILDER_SECTIONS: &[&str] = &[
    "avia-section",
    "bde-section",
    "brxe-section",
    "ct-section",
    "dnd-section",
    "e-parent",
    "elementor-top-section",
    "et_pb_section",
    "fl-row",
    "fusion-fullwidth",
    "hs_cos_wrapper_type_module",
    "mcb-section",
    "page-section",
    "shopify-section",
    "sppb-section",
    "themify_builder_row",
    "vc_row",
    "vc_section",
    "wpb_row",
];

/// Maximum number of elements between an article and the sections that it consists of.
const MAX_BUILDER_WRAPPERS: usize = 8;

/// The class of rows inside of others, which are no sections.
const BUILDER_INNER_ROW: &str = "vc_inner";

/// Returns true if a site builder has marked the element as a section.
fn is_builder_section(stats: &PageStats<'_>, node: NodeId) -> bool {
    element(stats, node).is_some_and(|element| {
        let classes = element.classes();
        let has = |name: &str| classes.iter().any(|class| **class == *name);
        BUILDER_SECTIONS.iter().any(|name| has(name)) && !has(BUILDER_INNER_ROW)
    })
}

/// Returns true if the element consists of sections of a site builder. Headers and footers have such sections too, but
/// are one part of the page each.
fn is_built_of_sections(stats: &PageStats<'_>, node: NodeId, children: &[NodeId]) -> bool {
    let is_part = |node: NodeId| {
        element(stats, node).is_some_and(|element| {
            let template = element.attr("data-elementor-type").unwrap_or_default();
            let role = element.attr("role").unwrap_or_default();
            matches!(element.name(), "header" | "footer" | "nav" | "aside" | "dialog")
                || matches!(template, "header" | "footer" | "popup")
                || matches!(role, "banner" | "contentinfo" | "navigation" | "dialog")
        })
    };
    let sections = children.iter().filter(|child| is_builder_section(stats, **child)).count();
    sections >= 2
        && !is_builder_section(stats, node)
        && !std::iter::once(node).chain(stats.document.ancestors(node)).any(is_part)
}

/// Returns true if the element, or its only descendants, consist of sections of a site builder.
fn wraps_built_sections(stats: &PageStats<'_>, node: NodeId) -> bool {
    let mut children = stats.visible_children(node);
    let mut around = node;
    for _ in 0..MAX_BUILDER_WRAPPERS {
        let [only] = children.as_slice() else { break };
        around = *only;
        children = stats.visible_children(around);
    }
    is_built_of_sections(stats, around, &children)
}

/// Returns true if an element contains several sections rather than being one.
fn is_group(stats: &PageStats<'_>, node: NodeId, place: SegmentContext, children: &[NodeId]) -> bool {
    if children.len() < 2 {
        return false;
    }
    if is_side_by_side(stats, children) || is_feed(stats, children) || has_backdrop(stats, node, children) {
        return false;
    }
    if is_frame(stats, node)
        || children.iter().any(|child| is_frame(stats, *child) || contains_page_frame(stats, *child))
    {
        return true;
    }
    let parts = children.iter().filter(|child| !is_stray_text(stats, **child)).count();
    let landmarks = children.iter().filter(|child| is_landmark(stats, **child)).count();
    let substantial = children.iter().filter(|child| is_substantial(stats, **child)).count();
    if substantial >= 2 && place.is_sole_content && (!place.in_landmark || are_viewport_sized(stats, children)) {
        return true;
    }
    if substantial >= 2 && landmarks * 2 >= parts {
        return !is_repetition(stats, children) || are_viewport_sized(stats, children);
    }
    let are_bands = || !place.in_landmark && are_viewport_sized(stats, children) && span_viewport(stats, children);
    let are_sections = || are_page_bands(stats, node, children) && (!is_repetition(stats, children) || are_bands());
    substantial >= 2 && (are_sections() || !place.in_landmark && are_containers(stats, node, children))
}

/// Maximum height of an element that is one section because of its backdrop, in CSS pixels.
const MAX_WITH_BACKDROP: f32 = 1_350.0;
/// Minimum share of an element that its backdrop covers.
const BACKDROP: f32 = 0.6;

/// Returns true if a part without words lies behind the others: the picture of a section, as opposed to a loading screen
/// over the page.
fn has_backdrop(stats: &PageStats<'_>, node: NodeId, children: &[NodeId]) -> bool {
    let Some(own) = stats.rect(node).filter(|own| own.height <= MAX_WITH_BACKDROP) else { return false };
    let covers = |child: NodeId| stats.rect(child).is_some_and(|rect| rect.area() >= BACKDROP * own.area());
    let is_backdrop =
        |child: &NodeId| stats.is_out_of_flow(*child) && stats.subtree_counts(*child).characters == 0 && covers(*child);
    is_landmark(stats, node) && children.iter().any(is_backdrop)
}

/// Returns true if all children span the viewport, as sections do and rows of a section do not.
fn span_viewport(stats: &PageStats<'_>, children: &[NodeId]) -> bool {
    let window = Environment::default().width;
    let mut rects = children.iter().filter_map(|child| stats.rect(*child));
    stats.has_boxes() && rects.all(|rect| f64::from(rect.width) >= 0.97 * window)
}

/// Returns true if a child is the main part of the page.
fn contains_page_frame(stats: &PageStats<'_>, node: NodeId) -> bool {
    stats.visible_children(node).into_iter().any(|child| is_frame(stats, child))
}

/// Returns true if a part could be a section of its own.
fn is_substantial(stats: &PageStats<'_>, node: NodeId) -> bool {
    let SubtreeCounts { characters: letters, elements, media, headings, .. } = stats.subtree_counts(node);
    let has_content = letters >= 60 || media >= 3 || (media >= 1 && elements >= 4) || elements >= 20;
    // A headline may be any element. Fewer than 200 characters are few texts, so the search for it is short.
    let is_titled = || headings > 0 || stats.largest_font_size(node) >= HEADLINE;
    if is_landmark(stats, node) && letters > 0 && letters < 200 && has_own_background(stats, node) && is_titled() {
        return true;
    }
    has_content && (letters >= 200 || media >= 3 || is_landmark(stats, node) || is_titled())
}

/// Maximum number of elements around the page's frame beside which sections may stand.
const MAX_FRAME_WRAPPERS: usize = 3;

/// Returns true for the page's frame, unless sections stand beside it: then its only child is one of many.
fn is_whole_frame(stats: &PageStats<'_>, node: NodeId) -> bool {
    let is_section =
        |node: &NodeId| element(stats, *node).is_some_and(|own| own.is_html("section")) && is_substantial(stats, *node);
    let mut around = stats.document.ancestors(node).take(MAX_FRAME_WRAPPERS);
    is_frame(stats, node)
        && !around.any(|around| stats.visible_children(around).into_iter().filter(is_section).count() >= 2)
}

/// Returns true if most children are similar: cards, slides, rows.
fn is_repetition(stats: &PageStats<'_>, children: &[NodeId]) -> bool {
    let key = |node: NodeId| {
        let element = element(stats, node)?;
        Some((element.name(), element.classes().first()))
    };
    let mut counts: HashMap<_, usize> = HashMap::new();
    for child in children {
        *counts.entry(key(*child)).or_default() += 1;
    }
    let most = counts.into_values().max().unwrap_or(0);
    most * 3 > children.len() * 2
}

/// Returns true if most children would fill a large part of the viewport.
fn are_viewport_sized(stats: &PageStats<'_>, children: &[NodeId]) -> bool {
    if stats.shows_hidden {
        return true;
    }
    let large = children.iter().filter(|child| match stats.rect(**child) {
        Some(rect) => rect.height >= 240.0 && rect.width >= 600.0,
        None => {
            let counts = stats.subtree_counts(**child);
            counts.elements >= 12 && (counts.headings >= 1 || counts.characters >= 300)
        }
    });
    large.count() * 2 > children.len()
}

/// Returns true if two boxes do not overlap horizontally.
fn are_side_by_side(a: &Rect, b: &Rect) -> bool {
    b.x >= a.x + a.width - 1.0 || a.x >= b.x + b.width - 1.0
}

/// Returns true if the children are side by side: columns of one section.
fn is_side_by_side(stats: &PageStats<'_>, children: &[NodeId]) -> bool {
    let rects: Vec<_> = children.iter().filter_map(|child| stats.rect(*child)).collect();
    let beside = rects.windows(2).filter(|pair| {
        let shared = (pair[0].y + pair[0].height).min(pair[1].y + pair[1].height) - pair[0].y.max(pair[1].y);
        are_side_by_side(&pair[0], &pair[1]) && shared > 0.5 * pair[0].height.min(pair[1].height)
    });
    rects.len() >= 2 && beside.count() * 2 >= rects.len() - 1 && rects.iter().all(|rect| rect.width < 1_000.0)
}

/// Returns true if the children are similar and arranged in rows; the first may have a row of its
/// own.
fn is_feed(stats: &PageStats<'_>, children: &[NodeId]) -> bool {
    let rects: Vec<_> = children.iter().filter_map(|child| stats.rect(*child)).collect();
    let beside = rects.windows(2).filter(|pair| {
        let shares_row = (pair[0].y - pair[1].y).abs() < 1.0 && pair[0].height > 0.0;
        shares_row && are_side_by_side(&pair[0], &pair[1])
    });
    children.len() >= 3 && is_repetition(stats, children) && beside.count() * 3 >= children.len()
}

/// Returns true if the children are bands of the page: stacked, and as wide as their parent allows.
fn are_page_bands(stats: &PageStats<'_>, node: NodeId, children: &[NodeId]) -> bool {
    if !stats.has_boxes() {
        let counts = stats.subtree_counts(node);
        return counts.elements >= 40 && counts.headings >= 2;
    }
    let Some(own) = stats.rect(node) else { return false };
    let bands = children
        .iter()
        .filter_map(|child| stats.rect(*child))
        .filter(|rect| rect.width >= 0.9 * own.width.min(1_440.0) && rect.height >= 100.0);
    own.height >= 700.0 && bands.count() >= 2
}

/// Classes of elements that only have a width: Bootstrap, Bulma, Tailwind, Webflow.
const CONTAINERS: &[&str] =
    &["container", "container-default", "container-fluid", "container-lg", "container-xl", "w-container"];
/// Minimum height of an element whose containers are sections, in CSS pixels.
const MIN_WITH_CONTAINERS: f32 = 1_800.0;

/// Returns true if the children only give their contents the width of the page's content, which may be anything.
fn are_containers(stats: &PageStats<'_>, node: NodeId, children: &[NodeId]) -> bool {
    let is_container = |child: &NodeId| {
        element(stats, *child)
            .is_some_and(|element| element.classes().iter().any(|class| CONTAINERS.contains(&&**class)))
            && stats.rect(*child).is_some_and(|rect| rect.width >= BAND_WIDTH)
    };
    stats.rect(node).is_some_and(|own| own.height >= MIN_WITH_CONTAINERS) && children.iter().all(is_container)
}
