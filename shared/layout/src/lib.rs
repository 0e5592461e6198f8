//! Boxes without a browser.
//!
//! The [cascade](limner_style) decides every value; this crate hands the computed values to Taffy and Parley through
//! `blitz-dom` and reads back where things are. No style sheet of a page, no attribute and no element name reaches the
//! engine: it sees `div`s with one class for each distinct style, replaced elements as empty boxes of their natural
//! size, pseudo-elements and list markers as children. So there is one cascade, and little that a page can do to the
//! engine but nest, repeat and ask for absurd sizes.
//!
//! That is still enough to make it panic, exhaust the stack or run for ever. There are two ways of use:
//!
//! - [`BlitzLayout`] works in this process, on threads of its own with large stacks. Panics and slowness end with `None`.
//!   An exhausted stack or memory ends the process: use it for pages that are trusted, in tests and benches.
//! - [`ProcessLayout`] works in child processes with limits, which end alone. Services use it.
//!
//! Both are [`limner_style::layout::Layout`]. In a test:
//!
//! ```
//! use limner_layout::BlitzLayout;
//! use limner_page::{Document, PageSnapshot};
//! use limner_style::{Environment, layout::Layout};
//!
//! let layout = BlitzLayout::new(1);
//! let html = "<!doctype html><body style='margin: 0'><main style='width: 50%; height: 100px'></main>";
//! let page = PageSnapshot { html: html.into(), ..PageSnapshot::default() };
//! let boxes = layout.boxes(&page, &Environment::default()).unwrap();
//! let (main, _) = Document::parse(html).elements_named("main").next().map(|(node, e)| (node, e.name().to_owned())).unwrap();
//! assert_eq!(boxes.get(main).unwrap().width, 720.0);
//! ```
//!
//! Fonts are those of the system, found through fontconfig when its library is there and in the usual folders when not;
//! web fonts are never fetched, so text is set in the nearest font that is installed, as wide and as high as in its own
//! where that is among the families that the Web uses most. Boxes are therefore the same for the same input on machines
//! with the same fonts. [`fonts`] says which font stands for which name. Pictures are as large as the first bytes that
//! came with the page say.

mod baselines;
mod boxes;
mod breaks;
mod collapse;
mod columns;
mod controls;
mod floats;
pub mod fonts;
mod generated;
mod icons;
mod in_columns;
mod lines;
mod message;
mod multicol;
mod natural;
mod page;
mod process;
mod replaced;
mod rules;
mod table_grid;
mod table_widths;
mod tables;
mod threads;
mod tree;
mod web_fonts;
pub mod worker;

pub use process::{LaidOut, LayoutUnavailable, ProcessLayout, ProcessLayoutConfig};
pub use threads::BlitzLayout;
