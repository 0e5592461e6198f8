//! Writes code from the component model: one module for each target framework.

mod at_rules;
mod css;
mod element_relations;
mod elementor;
mod html;
mod html_syntax;
mod ir;
mod jsx;
mod loops;
mod printer;
mod shared_selectors;
mod shopify;
mod shorthand;
mod tailwind;
mod tailwind_html;
mod vue;

pub(super) use html::markup_and_sheet;
pub(super) use html_syntax::{escape_attribute, escape_text};

use super::model::{Component, Emitted};
use limner_types::Framework;

/// Writes a component. Targets with Tailwind utilities need a component captured against
/// [`super::model::Baseline::Preflight`], the other targets one against
/// [`super::model::Baseline::Browser`].
pub(crate) fn emit(component: &Component, framework: Framework) -> Emitted {
    match framework {
        Framework::Tailwind => tailwind_html::emit(component),
        Framework::Jsx => jsx::emit(component),
        Framework::Vue => vue::emit(component),
        Framework::Html => html::emit(component),
        Framework::Elementor => elementor::emit(component),
        Framework::Shopify => shopify::emit(component),
    }
}
