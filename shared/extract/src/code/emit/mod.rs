//! From the component model to code: one module for each framework.

mod markup;
mod print;
mod tree;

use super::model::{Component, Emitted};
use limner_types::Framework;

/// Writes a component. Frameworks that write Tailwind utilities get one that was captured against
/// [`super::model::Baseline::Preflight`], the others one against [`super::model::Baseline::Browser`].
pub(crate) fn emit(_component: &Component, _framework: Framework) -> Emitted {
    Emitted::default()
}
