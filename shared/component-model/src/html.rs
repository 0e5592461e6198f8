//! Writes `html`: markup and a stylesheet.

use super::css::class_names::ClassAssignment;
use super::css::stylesheet::write;
use super::html_syntax;
use super::ir::OutputElement;
use crate::model::{Component, Emitted};

/// Writes a component as HTML with a stylesheet.
pub fn emit(component: &Component) -> Emitted {
    let (code, css) = markup_and_sheet(component);
    Emitted { code, css: Some(css), ..Emitted::default() }
}

/// Returns the markup of a component and its stylesheet.
pub fn markup_and_sheet(component: &Component) -> (String, String) {
    let classes = ClassAssignment::from_component(component);
    let tree = OutputElement::from_component(component, &classes.names);
    (html_syntax::html(&tree), write(component, &classes))
}
