//! Selects the requested section of a page.

use super::capture::is_omitted;
use limner_page::dom::NodeKind;
use limner_page::{Document, NodeId};
use limner_page_view::{ExtractError, PageView};
use limner_sections::Section;
use limner_sections::component_names::{name_component, naming_role};
use limner_style::selector::Matcher;
use limner_types::{CodeOptions, SectionRole};

/// The selected section.
pub(super) struct SelectedSection {
    pub(super) node: NodeId,
    /// A selector that matches it.
    pub(super) selector: String,
    pub(super) auto_detected: bool,
    /// The default name of its component.
    pub(super) name: String,
    /// The role of the section.
    pub(super) role: Option<SectionRole>,
    pub(super) hints: Vec<String>,
}

/// Returns the section that `selector` or `section` requests, or else the hero.
pub(super) fn section(
    view: &PageView<'_>,
    options: &CodeOptions,
    sections: &[Section],
) -> Result<SelectedSection, ExtractError> {
    if let Some(selector) = &options.selector {
        let node = find_by_selector(view, selector).ok_or_else(|| {
            not_found(
                &format!("The selector `{}` matches nothing that could be extracted.", excerpt(selector)),
                sections,
            )
        })?;
        let known = sections.iter().find(|section| section.node == node);
        let ignored =
            options.section.map(|section| format!("`section={section}` was ignored because `selector` is given."));
        let whole = outermost_foreign_ancestor(&view.document, node);
        let part = || format!("The selector `{}` matches a part of a picture: this is the whole.", excerpt(selector));
        let hints = ignored.into_iter().chain((whole != node).then(part)).collect();
        let node = whole;
        let role = known.and_then(|section| section.role);
        let name = name_component(&view.document, node, known.and_then(naming_role), known);
        return Ok(SelectedSection { node, selector: selector.clone(), auto_detected: false, name, role, hints });
    }
    let wanted = options.section.unwrap_or(SectionRole::Hero);
    let is = |role: Option<SectionRole>| role == Some(wanted);
    let by_role = sections.iter().find(|section| is(section.role));
    let found = by_role.or_else(|| sections.iter().find(|section| is(section.secondary_role)));
    let Some(section) = found.or_else(|| sections.first().filter(|_| options.section.is_none())) else {
        return Err(not_found(&format!("This page has no `{wanted}` section."), sections));
    };
    let role = options.section.or(section.role);
    Ok(SelectedSection {
        node: section.node,
        selector: section.reference.selector.clone(),
        auto_detected: true,
        name: name_component(
            &view.document,
            section.node,
            options.section.or_else(|| naming_role(section)),
            Some(section),
        ),
        role,
        hints: Vec::new(),
    })
}

/// Returns the first match that can be rendered; `html` stands for the whole page.
fn find_by_selector(view: &PageView<'_>, selector: &str) -> Option<NodeId> {
    let document = &view.document;
    let matches = Matcher::parse(selector).ok()?.select(document);
    let shows = |node: &NodeId| {
        let chain = std::iter::once(*node).chain(document.ancestors(*node));
        let left_out = chain.filter_map(|node| document.element(node)).any(is_omitted);
        let in_template =
            document.ancestors(*node).any(|node| matches!(document.kind(node), NodeKind::TemplateContents));
        // The body of a frameset page contains nothing else.
        let is_page = Some(*node) == document.body();
        is_page || (!left_out && !in_template)
    };
    let found = matches.into_iter().find(shows)?;
    if Some(found) == document.document_element() { document.body() } else { Some(found) }
}

/// Returns the outermost SVG or MathML element around an element, which could not be rendered
/// without it, or the element itself.
fn outermost_foreign_ancestor(document: &Document, node: NodeId) -> NodeId {
    let is_foreign = |node: &NodeId| document.element(*node).is_some_and(|element| !element.in_html());
    let parts = std::iter::once(node).chain(document.ancestors(node)).take_while(is_foreign);
    parts.last().unwrap_or(node)
}

fn excerpt(selector: &str) -> String {
    selector.chars().take(200).collect()
}

fn not_found(what: &str, sections: &[Section]) -> ExtractError {
    let named = sections.iter().map(|section| {
        let reference = &section.reference;
        format!("`{}` ({})", reference.selector, reference.label)
    });
    let list = named.collect::<Vec<_>>().join(", ");
    let message = format!("{what} Sections of this page: {list}.");
    ExtractError::NotFound { message, sections: sections.iter().map(|section| section.reference.clone()).collect() }
}
