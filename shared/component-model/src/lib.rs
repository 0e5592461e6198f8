//! Defines the component model, and writes it in its plain form: HTML with a stylesheet.
//!
//! Components are captured into the [`model`] by one crate and written as code by another; neither depends on the other.
//! The plain form is here because both need it: capturing verifies a component by reading it back.
//!
//! ```
//! use limner_component_model::html;
//! use limner_component_model::model::{Child, Component, Element};
//!
//! let heading = Element { tag: "h1".to_owned(), children: vec![Child::Text("A & B".to_owned())], ..Element::default() };
//! let component = Component { elements: vec![heading], ..Component::default() };
//! let (markup, stylesheet) = html::markup_and_sheet(&component);
//! assert_eq!((markup.as_str(), stylesheet.as_str()), ("<h1>A &amp; B</h1>\n", ""));
//! ```

pub mod assistance;
mod background_shorthand;
pub mod calc_simplify;
pub mod css;
mod declaration_order;
pub mod element_relations;
pub mod html;
pub mod html_syntax;
pub mod ir;
pub mod mark_up_contents;
pub mod model;
pub mod page;
pub mod printer;
pub mod second_reader;
pub mod shared_selectors;
pub mod shorthand;
pub mod theme_selector;
mod undeclared;
