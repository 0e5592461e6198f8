//! Recognises rows of profiles that no name marks as such: links to several platforms beside each other and nothing else,
//! in the document or, since builders place each icon on its own, on the page.
//!
//! Cards of people have such rows as well. They differ in that a page has several of them, with different profiles on
//! the same platforms, or that they contain a person's page.

use super::ProfileCandidate;
use limner_page::{Document, NodeId};
use limner_style::layout::{Boxes, Rect};
use std::collections::{BTreeMap, BTreeSet};

/// Points for a link in a row.
const POINTS: i32 = 3;
/// Number of ancestors in which a row is searched.
const LEVELS: usize = 4;
/// Maximum number of links of a row.
const MAX_ROW_LINKS: usize = 12;
/// Maximum number of nodes in a row.
const MAX_ROW_NODES: usize = 400;
/// Maximum number of candidates that are examined.
const MAX_CANDIDATES: usize = 1_000;

/// Minimum number of links of a row that only their boxes form.
const MIN_PLACED: usize = 3;
/// Sizes of the links of such a row in CSS pixels, the space between two of them, and the difference of their heights.
const PLACED_SIZES: std::ops::RangeInclusive<f32> = 8.0..=80.0;
const MAX_SPACE: f32 = 64.0;
const MAX_OFFSET: f32 = 4.0;

/// Raises the score of links in the page's only row of profiles; copies of it count as well.
pub(super) fn raise_rows(document: &Document, boxes: &Boxes, candidates: &mut [ProfileCandidate]) {
    let by_node: BTreeMap<NodeId, usize> = candidates
        .iter()
        .enumerate()
        .take(MAX_CANDIDATES)
        .filter(|(_, candidate)| candidate.may_be_in_row)
        .filter_map(|(index, candidate)| Some((candidate.node?, index)))
        .collect();
    let in_document = by_node.keys().filter_map(|node| row(document, *node, &by_node, candidates));
    let on_page = rows_on_page(boxes, &by_node, candidates);
    let members: BTreeSet<usize> = in_document.chain(on_page).flatten().collect();
    let mut urls: BTreeMap<&str, &str> = BTreeMap::new();
    let is_unique = members.iter().all(|index| {
        let profile = &candidates[*index].profile;
        *urls.entry(profile.slug).or_insert(&profile.identity) == profile.identity
    });
    let is_of_person = members.iter().any(|index| is_person(&candidates[*index]));
    if !is_unique || is_of_person {
        return;
    }
    for index in members {
        candidates[index].weight += POINTS;
    }
}

fn is_person(candidate: &ProfileCandidate) -> bool {
    candidate.profile.slug == "linkedin" && candidate.profile.url.contains("/in/")
}

/// Returns the candidates of the row that contains a link: an element all of whose links lead to different platforms.
fn row(
    document: &Document,
    link: NodeId,
    by_node: &BTreeMap<NodeId, usize>,
    candidates: &[ProfileCandidate],
) -> Option<Vec<usize>> {
    let is_part = |node: &NodeId| {
        document.element(*node).is_some_and(|element| !matches!(element.name(), "body" | "html" | "main"))
    };
    document.ancestors(link).take(LEVELS).take_while(is_part).find_map(|block| {
        let mut members = Vec::new();
        let mut platforms = BTreeSet::new();
        for (number, node) in document.descendants(block).enumerate() {
            let is_link = document.element(node).is_some_and(|e| e.is_html("a") && e.attr("href").is_some());
            if !is_link {
                continue;
            }
            let index = *by_node.get(&node)?;
            members.push(index);
            let is_new = platforms.insert(candidates[index].profile.slug);
            if !is_new || members.len() > MAX_ROW_LINKS || number > MAX_ROW_NODES {
                return None;
            }
        }
        (members.len() >= 2).then_some(members)
    })
}

/// Returns the candidates of rows that boxes form: links of one size beside each other, to different platforms.
fn rows_on_page(boxes: &Boxes, by_node: &BTreeMap<NodeId, usize>, candidates: &[ProfileCandidate]) -> Vec<Vec<usize>> {
    let is_small = |area: &Rect| PLACED_SIZES.contains(&area.width) && PLACED_SIZES.contains(&area.height);
    let place = |(node, index): (&NodeId, &usize)| Some((boxes.get(*node).filter(is_small)?, *index));
    let mut places: Vec<(Rect, usize)> = by_node.iter().filter_map(place).collect();
    places.sort_by(|(a, _), (b, _)| a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x)));
    let mut rows = Vec::new();
    for line in places.chunk_by_mut(|(a, _), (b, _)| b.y - a.y <= MAX_OFFSET) {
        line.sort_by(|(a, _), (b, _)| a.x.total_cmp(&b.x));
        let is_next = |(a, _): &(Rect, usize), (b, _): &(Rect, usize)| {
            let space = b.x - a.x - a.width;
            (a.height - b.height).abs() <= MAX_OFFSET && (-MAX_OFFSET..=MAX_SPACE).contains(&space)
        };
        rows.extend(line.chunk_by(is_next).map(|row| row.iter().map(|(_, index)| *index).collect::<Vec<usize>>()));
    }
    rows.retain(|row| {
        let platforms: BTreeSet<&str> = row.iter().map(|index| candidates[*index].profile.slug).collect();
        (MIN_PLACED..=MAX_ROW_LINKS).contains(&row.len()) && platforms.len() == row.len()
    });
    rows
}
