//! Pages as values: the document, its stylesheets and subresources, and the URLs that a page refers to.
//!
//! The fetcher and the renderer produce a [`PageSnapshot`]; all further steps are pure functions of it. This crate
//! never does I/O, never reads a clock and gives the same result for the same bytes.
//!
//! ```
//! use limner_page::Document;
//!
//! let document = Document::parse("<!doctype html><main><p>A <b>round</b> lamp</main>");
//! let (paragraph, element) = document.elements_named("p").next().unwrap();
//! assert_eq!(element.name(), "p");
//! assert_eq!(document.text_content(paragraph), "A round lamp");
//! assert_eq!(document.unique_selector(paragraph), "body > main > p");
//! ```

pub mod character_references;
pub mod charset;
pub mod data_url;
pub mod dimension;
mod document_base;
pub mod dom;
pub mod media_type;
pub mod page_health;
pub mod references;
pub mod site;
pub mod snapshot;
pub mod target_url;
pub mod work_budget;
pub mod xhtml;

pub use crate::document_base::DocumentBase;
pub use crate::target_url::TargetUrl;
pub use crate::work_budget::WorkBudget;
pub use dom::{Document, NodeId};
pub use snapshot::{Degradation, PageSnapshot, ReadMethod, Resource, SheetOwner, Stylesheet};
