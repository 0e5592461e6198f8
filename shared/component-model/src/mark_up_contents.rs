//! Marks up sentences as paragraphs, hides glyphs, and names links and buttons that show an icon only: markup is read by people
//! and by screen readers.
//!
//! Before → after: `<a href="https://www.instagram.com/ada"><svg>…</svg></a>` → `<a … aria-label="Instagram">`.

mod glyphs;
mod link_names;
mod paragraphs;

use crate::model::Component;

/// Marks up the contents of a component.
pub fn mark_up_contents(component: &mut Component) {
    paragraphs::mark_paragraphs(component);
    glyphs::hide_glyphs(component);
    link_names::name_links(component);
}
