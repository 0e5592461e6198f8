//! Marks up sentences as paragraphs, hides glyphs, and names links and buttons that show an icon only: markup is read by people and by screen readers.
//!
//! Before → after: `<a href="https://www.instagram.com/ada"><svg>…</svg></a>` → `<a … aria-label="Instagram">`.
//!
//! Reads the whole component; changes names of elements and attributes. It stands after `prune-wrappers`, which tells boxes
//! from texts by the elements' names, and would keep an empty element that has a name. It reads nothing of the section,
//! whose elements have other numbers.

mod glyphs;
mod link_names;
mod paragraphs;

use super::{Draft, PassContext};

/// Marks up the contents of a component.
pub(crate) fn mark_up_contents(_: &PassContext<'_, '_>, draft: &mut Draft) {
    paragraphs::mark_paragraphs(&mut draft.component);
    glyphs::hide_glyphs(&mut draft.component);
    link_names::name_links(&mut draft.component);
}
