//! CSS without a browser: selectors, conditions, the cascade and computed values.
//!
//! ```
//! use limner_page::{Document, PageSnapshot};
//! use limner_style::{Environment, StyleIndex, property::Longhand};
//!
//! let page = PageSnapshot { html: "<p style='color: #fff'>Hello".into(), ..PageSnapshot::default() };
//! let document = Document::parse(&page.html);
//! let index = StyleIndex::new(&page, &document);
//! let (paragraph, _) = document.elements_named("p").next().unwrap();
//! let mut styles = index.styles(&Environment::default());
//! assert_eq!(styles.get(paragraph).unwrap().get(Longhand::Color), "rgb(255, 255, 255)");
//! ```
//!
//! Everything here is a pure function of a page's text. This crate never fetches, never reads a clock, never lays a
//! page out, and never panics on a page's contents: nesting, rule counts, selector complexity and substitution are
//! capped. Work that multiplies in spite of the caps (selectors by elements, elements by environments) is charged to
//! the document's budget, see [`limner_page::work`]. Once the budget is spent, no selector matches any more.

mod authored;
mod bucket;
mod candidates;
mod cascade;
pub mod color;
pub mod computed;
mod condition;
mod declared;
mod digits;
mod environment;
mod index;
pub mod inspect;
pub mod layout;
mod matcher;
pub mod pictures;
pub mod property;
pub mod selector;
mod sheet;
mod ua;
pub mod value;
mod words;

pub use authored::{Looks, StateBlock, StateProbe, declarations_in};
pub use candidates::Candidate;
pub use cascade::{ComputedStyle, Evidence, Specification, SpecifiedValue, Styles, Template};
pub use condition::questions::Questions;
pub use condition::{ConditionFacts, ConditionId, WidthBound};
pub use declared::{AuthoredDeclaration, SheetRule};
pub use digits::DigitWidths;
pub use environment::Environment;
pub use index::{MatchedBlock, StyleIndex};
pub use sheet::{AtRule, Origin, SheetInfo, with_at_rules_alone};
pub use words::Words;
