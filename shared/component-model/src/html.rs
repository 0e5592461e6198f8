//! Writes `html`: markup and a stylesheet.

use super::css::class_names::ClassAssignment;
use super::css::stylesheet::write;
use super::html_syntax;
use super::ir::OutputElement;
use crate::model::{Component, Emitted};
use crate::page::{EmittedPage, Page};

/// Writes a component as HTML with a stylesheet.
pub fn emit(component: &Component) -> Emitted {
    let (code, css) = markup_and_sheet(component);
    Emitted { code, css: Some(css), ..Emitted::default() }
}

/// Writes a page as HTML with a stylesheet, each rule of which is written once. It includes the one rule that a page has for
/// what is around it.
pub fn emit_page(page: &Page) -> EmittedPage {
    let classes = ClassAssignment::from_page(page);
    let tree = OutputElement::from_component(&page.component, &classes.names);
    let css = format!("body {{\n  margin: 0;\n}}\n\n{}", write(&page.component, &classes));
    let page = Emitted { code: html_syntax::html(&tree), css: Some(css), ..Emitted::default() };
    EmittedPage { page, files: Vec::new() }
}

/// Returns the markup of a component and its stylesheet.
pub fn markup_and_sheet(component: &Component) -> (String, String) {
    let classes = ClassAssignment::from_component(component);
    let tree = OutputElement::from_component(component, &classes.names);
    (html_syntax::html(&tree), write(component, &classes))
}
