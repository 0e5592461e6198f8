//! Marks up what is left for those who read the markup or hear it: sentences are paragraphs, and links with an icon only have a
//! name.
//!
//! Before → after: `<a href="https://www.instagram.com/ada"><svg>…</svg></a>` → `<a … aria-label="Instagram">`.
//!
//! It follows the removal of wrappers, which tells boxes from texts by the elements' names, and of empty elements, which a name
//! would keep. It reads nothing of the section, whose elements have other numbers.

mod link_names;
mod paragraphs;

use super::{Draft, PassContext};

/// Marks up the contents of a component.
pub(crate) fn mark_up_contents(_: &PassContext<'_, '_>, draft: &mut Draft) {
    paragraphs::mark_paragraphs(&mut draft.component);
    link_names::name_links(&mut draft.component);
}
