//! Decides which fonts of a page a component declares: the fonts in which its texts are drawn, and the faces that a browser
//! would load for them.

pub(super) mod build_names;
pub(super) mod font_faces;
pub(super) mod used_fonts;
