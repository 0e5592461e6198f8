//! Marks up what the contents of a component are, see [`limner_component_model::mark_up_contents`].
//!
//! Before → after: `<a href="https://www.instagram.com/ada"><svg>…</svg></a>` → `<a … aria-label="Instagram">`.
//!
//! Reads the whole component; changes names of elements and attributes. It stands after `prune-wrappers`, which tells boxes
//! from texts by the elements' names, and would keep an empty element that has a name. It reads nothing of the section,
//! whose elements have other numbers.

use super::{Draft, PassContext};

/// Marks up the contents of a component.
pub(crate) fn mark_up_contents(_: &PassContext<'_, '_>, draft: &mut Draft) {
    limner_component_model::mark_up_contents::mark_up_contents(&mut draft.component);
}
