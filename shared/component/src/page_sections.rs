//! The sections of a page that is returned as a whole: their elements in the captured page, and their names.

use super::page_ground::{self, RootBackground};
use super::select_section::SelectedSection;
use limner_component_model::model::{Component, ElementId};
use limner_component_model::page::{Page, PageSection};
use limner_page::{Document, NodeId};
use limner_page_view::{ExtractError, PageView};
use limner_sections::component_names::{candidate_names, naming_role};
use limner_sections::{MAX_SECTIONS, Section};
use std::collections::{HashMap, HashSet};

/// Name of the component of a page.
const PAGE: &str = "Page";

/// Names that components cannot have besides others: globals that code needs, and components of Vue itself.
const TAKEN: &[&str] = &["Component", "KeepAlive", "Slot", "String", "Suspense", "Teleport", "Template", "Transition"];

/// Selects the whole page, of whose sections `left_out` are no components.
pub(super) fn select_page(view: &PageView<'_>, left_out: usize) -> Result<SelectedSection, ExtractError> {
    let document = &view.document;
    let Some(node) = document.body().or_else(|| document.document_element()) else {
        return Err(ExtractError::Unprocessable("This page has no content.".to_owned()));
    };
    let most =
        || format!("Only {MAX_SECTIONS} sections are components of their own. The page has the others in itself.");
    Ok(SelectedSection {
        node,
        selector: document.unique_selector(node),
        auto_detected: false,
        name: PAGE.to_owned(),
        role: None,
        hints: (left_out > 0).then(most).into_iter().collect(),
    })
}

/// Returns the elements that are roots of sections.
pub(super) fn section_nodes(sections: &[Section]) -> Vec<NodeId> {
    sections.iter().map(|section| section.node).collect()
}

/// Returns a captured page with its sections in document order. `nodes` are the page's nodes of the component's elements.
pub(super) fn page(
    document: &Document,
    sections: &[Section],
    mut component: Component,
    mut nodes: Vec<Option<NodeId>>,
    behind: RootBackground,
) -> Page {
    let whole = nodes.first().copied().flatten();
    if page_ground::cover_canvas(&mut component, behind) {
        nodes.insert(0, None);
    }
    let elements: HashMap<NodeId, ElementId> =
        nodes.iter().enumerate().filter_map(|(at, node)| Some(((*node)?, ElementId(at)))).collect();
    let mut found: Vec<(ElementId, &Section)> = sections
        .iter()
        .filter(|section| Some(section.node) != whole)
        .filter_map(|section| Some((*elements.get(&section.node)?, section)))
        .collect();
    found.sort_by_key(|(element, _)| *element);
    let mut names: HashSet<String> = TAKEN.iter().map(|name| (*name).to_owned()).collect();
    names.extend([PAGE.to_owned(), component.name.clone()]);
    let parts = found
        .into_iter()
        .map(|(root, section)| {
            let candidates = candidate_names(document, section.node, naming_role(section), Some(section));
            let name = unique_name(&candidates, &names);
            names.insert(name.clone());
            PageSection { root, name, role: section.role }
        })
        .collect();
    Page { component, sections: parts }
}

/// Returns the first of the names that is free, or else the first one with a number.
fn unique_name(candidates: &[String], taken: &HashSet<String>) -> String {
    let first = candidates.first().map_or("Section", String::as_str);
    let is_reserved = TAKEN.contains(&first) || first == PAGE;
    let longer = is_reserved.then(|| format!("{first}Section"));
    let numbered = (2..).map(|number| format!("{first}{number}"));
    let mut all = candidates.iter().cloned().chain(longer).chain(numbered);
    all.find(|name| !taken.contains(name)).unwrap_or_default()
}
