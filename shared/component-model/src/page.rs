//! A page: a component whose sections are components of their own.
//!
//! The page is captured as one component, so that its styles are computed once and its sections inherit from what is around
//! them as they do on the page. Emitters cut the sections out and write each by itself.

use crate::element_relations::ElementRelations;
use crate::model::{Component, ElementId, Emitted};
use limner_types::SectionRole;

/// A captured page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    /// The whole page.
    pub component: Component,
    /// Its sections in document order. One may contain others, which follow it.
    pub sections: Vec<PageSection>,
}

/// A section of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageSection {
    /// Its outermost element.
    pub root: ElementId,
    /// In PascalCase; no other section of the page and not the page itself has the same.
    pub name: String,
    /// The purpose of the section.
    pub role: Option<SectionRole>,
}

/// A page as code: what composes it, and its other files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmittedPage {
    /// The page itself, with the counts of all files.
    pub page: Emitted,
    /// The files that it consists of: path and content.
    pub files: Vec<(String, String)>,
}

impl Page {
    /// Returns the innermost section that each element is in, by its index in [`Page::sections`].
    pub fn sections_by_element(&self) -> Vec<Option<usize>> {
        let family = ElementRelations::from_component(&self.component);
        let mut sections = vec![None; self.component.elements.len()];
        for (at, section) in self.sections.iter().enumerate() {
            sections[section.root.0] = Some(at);
        }
        for at in 0..sections.len() {
            let around = family.parent(ElementId(at)).and_then(|parent| sections[parent.0]);
            sections[at] = sections[at].or(around);
        }
        sections
    }
}
