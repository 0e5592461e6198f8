//! Writes a component as code: one module for each target framework.
//!
//! ```
//! use limner_component_model::model::{Baseline, Component, Condition, Declaration, Element, Rule};
//! use limner_types::{CodeLanguage, Framework};
//!
//! let display = Declaration { name: "display".into(), value: "flex".to_owned(), computed: "flex".to_owned() };
//! let rule = Rule { condition: Condition::default(), state: None, pseudo: None, declarations: vec![display] };
//! let menu = Element { tag: "nav".to_owned(), rules: vec![rule], ..Element::default() };
//! let component = Component { baseline: Baseline::Preflight, elements: vec![menu], ..Component::default() };
//! let emitted = limner_component_emit::emit(&component, Framework::Tailwind, CodeLanguage::Js);
//! assert_eq!(emitted.code, "<nav class=\"flex\"></nav>\n");
//! ```

mod at_rules;
mod elementor;
mod jsx;
mod loops;
mod module;
mod pages;
mod shadow_layers;
mod shopify;
mod tailwind;
mod tailwind_html;
mod theme_isolation;
mod vue;

pub use pages::emit_page;

use limner_component_model::css::class_names::ClassAssignment;
use limner_component_model::html;
use limner_component_model::ir::OutputElement;
use limner_component_model::model::{Component, Emitted, Rule};
use limner_types::{CodeLanguage, Framework};

/// Writes a component. Targets with Tailwind utilities need a component captured against
/// [`limner_component_model::model::Baseline::Preflight`], the other targets one against
/// [`limner_component_model::model::Baseline::Browser`]. `language` is that of the script, for targets that have one.
pub fn emit(component: &Component, framework: Framework, language: CodeLanguage) -> Emitted {
    let plain = || shadow_layers::remove_empty(component);
    let emitted = match framework {
        Framework::Tailwind => tailwind_html::emit(component),
        Framework::Jsx => jsx::emit(component, language),
        Framework::Vue => vue::emit(component, language),
        Framework::Html => Emitted { repeated_groups: repeated_groups(component), ..html::emit(&plain()) },
        Framework::Elementor => Emitted { repeated_groups: repeated_groups(component), ..elementor::emit(&plain()) },
        Framework::Shopify => shopify::emit(&plain()),
    };
    Emitted { setup_hint: setup_hint(component, framework), ..emitted }
}

/// Returns the number of repeated structures of a component that is written with a stylesheet.
fn repeated_groups(component: &Component) -> usize {
    let classes = ClassAssignment::for_each_element(component);
    loops::count_repeated(OutputElement::from_component(component, &classes.names), component)
}

/// Returns the line that a project's stylesheet needs for the code to look as on the page: `dark:` utilities follow the
/// visitor's system, unless the project says by which selector it switches its theme.
fn setup_hint(component: &Component, framework: Framework) -> Option<String> {
    let uses_utilities = matches!(framework, Framework::Tailwind | Framework::Jsx | Framework::Vue);
    let is_dark = |rule: &Rule| rule.condition.dark;
    let mut rules = component.elements.iter().flat_map(|element| &element.rules);
    let switch = component.dark_switch.as_ref().filter(|_| uses_utilities && rules.any(is_dark))?.selector();
    Some(format!(
        "The page switches its dark theme by `{switch}`, so Tailwind needs one line for the `dark:` utilities: \
         `@custom-variant dark (&:where({switch}, {switch} *));`"
    ))
}
