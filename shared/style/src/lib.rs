//! CSS without a browser: selectors, conditions, the cascade and computed values. Values, colours and the table of
//! properties are those of `limner-css-values`, which this crate re-exports.
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
//! the document's budget, see [`limner_page::work_budget`]. Once the budget is spent, no selector matches any more.

mod ancestor_names;
mod applicable_declarations;
mod authored_rules;
mod cascade;
pub mod computed;
mod condition;
pub mod effective_background;
mod environment;
pub mod image_source;
mod index;
pub mod inspect;
pub mod layout;
mod matcher;
mod name_paths;
mod radio_groups;
mod scope_matching;
pub mod selector;
mod selector_map;
mod sheet;
mod sibling_counts;
mod sibling_matching;
mod start_state;
mod state_blocks;
mod substring_search;
mod ua;
mod unread_declarations;
mod value_features;
mod zero_advance;

pub use crate::applicable_declarations::ApplicableDeclaration;
pub use crate::authored_rules::{AuthoredDeclaration, StyleRuleRef};
pub use crate::condition::queried_features::{ContainerSizeQuery, QueriedFeatures};
pub use crate::start_state::{StartEvidence, StartState, is_lazy_background};
pub use crate::state_blocks::{HasScope, StateDependentBlock, StateProbe, declarations_in};
pub use crate::substring_search::SubstringSet;
pub use crate::unread_declarations::UnreadDeclaration;
pub use crate::zero_advance::ZeroAdvances;
pub use cascade::{
    AssumedContainers, ComputedStyle, SpecifiedStyle, SpecifiedValue, Styles, ValueSource, ValueTemplate, Variable,
    VariableKind,
};
pub use condition::{ConditionId, ConditionRequirements, WidthBound};
pub use environment::Environment;
pub use index::{MatchedBlock, StyleIndex};
pub use limner_css_values::{color, property, value};
pub use sheet::{AtRule, Origin, SheetInfo, keep_at_rule};
