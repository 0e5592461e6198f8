//! Writes code from the component model: one module for each target framework.

mod alike;
mod at_rules;
mod classes;
mod crowds;
mod elementor;
mod family;
mod html;
mod jsx;
mod markup;
mod places;
mod print;
mod react;
mod repeat;
mod scope;
mod script;
mod sheet;
mod shopify;
mod shorthand;
mod tailwind;
mod tidy;
mod tree;
mod utilities;
mod vue;

pub(super) use html::markup_and_sheet;
pub(super) use markup::{escape_attribute, escape_text};

use super::model::{Component, Emitted};
use limner_types::Framework;

/// Writes a component. Targets with Tailwind utilities need a component captured against
/// [`super::model::Baseline::Preflight`], the other targets one against
/// [`super::model::Baseline::Browser`].
pub(crate) fn emit(component: &Component, framework: Framework) -> Emitted {
    match framework {
        Framework::Tailwind => utilities::emit(component),
        Framework::Jsx => jsx::emit(component),
        Framework::Vue => vue::emit(component),
        Framework::Html => html::emit(component),
        Framework::Elementor => elementor::emit(component),
        Framework::Shopify => shopify::emit(component),
    }
}
