//! Writes a component as code: one module for each target framework.
//!
//! ```
//! use limner_component_model::model::{Baseline, Component, Condition, Declaration, Element, Rule};
//! use limner_types::Framework;
//!
//! let display = Declaration { name: "display".into(), value: "flex".to_owned(), computed: "flex".to_owned() };
//! let rule = Rule { condition: Condition::default(), state: None, pseudo: None, declarations: vec![display] };
//! let menu = Element { tag: "nav".to_owned(), rules: vec![rule], ..Element::default() };
//! let component = Component { baseline: Baseline::Preflight, elements: vec![menu], ..Component::default() };
//! assert_eq!(limner_component_emit::emit(&component, Framework::Tailwind).code, "<nav class=\"flex\"></nav>\n");
//! ```

mod at_rules;
mod elementor;
mod jsx;
mod loops;
mod shopify;
mod tailwind;
mod tailwind_html;
mod theme_isolation;
mod vue;

use limner_component_model::html;
use limner_component_model::model::{Component, Emitted};
use limner_types::Framework;

/// Writes a component. Targets with Tailwind utilities need a component captured against
/// [`limner_component_model::model::Baseline::Preflight`], the other targets one against
/// [`limner_component_model::model::Baseline::Browser`].
pub fn emit(component: &Component, framework: Framework) -> Emitted {
    match framework {
        Framework::Tailwind => tailwind_html::emit(component),
        Framework::Jsx => jsx::emit(component),
        Framework::Vue => vue::emit(component),
        Framework::Html => html::emit(component),
        Framework::Elementor => elementor::emit(component),
        Framework::Shopify => shopify::emit(component),
    }
}
