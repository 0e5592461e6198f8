//! Writes `html`: markup and a stylesheet.

use super::classes::Classes;
use super::markup;
use super::sheet::write;
use super::tree::Tag;
use crate::code::model::{Component, Emitted};

/// Writes a component as HTML with a stylesheet.
pub(super) fn emit(component: &Component) -> Emitted {
    let (code, css) = markup_and_sheet(component);
    Emitted { code, css: Some(css), ..Emitted::default() }
}

/// Returns the markup of a component and its stylesheet.
pub(in crate::code) fn markup_and_sheet(component: &Component) -> (String, String) {
    let classes = Classes::of(component);
    let tree = Tag::of(component, &classes.names);
    (markup::html(&tree), write(component, &classes))
}
