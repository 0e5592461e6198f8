//! Layout without a browser: computes the boxes of elements.
//!
//! The [cascade](limner_style) decides every value; this crate passes the computed values to Taffy and Parley through
//! `blitz-dom` and reads the positions back. No stylesheet of a page, no attribute and no element name reaches the
//! engine: it sees `div`s with one class for each distinct style, replaced elements as empty boxes of their natural
//! size, pseudo-elements and list markers as children. There is thus a single cascade, and a page can only affect the
//! engine by nesting, repetition and extreme sizes.
//!
//! Its files import each other in circles, which other crates' may not (`tests/architecture`): a block contains lines, a line
//! contains inline blocks, tables and floats, and these contain blocks again (<https://drafts.csswg.org/css-display-4/#layout-model>).
//!
//! These are still enough to make it panic, exhaust the stack or run for ever. There are two implementations:
//!
//! * [`BlitzLayout`] works in this process, on threads with large stacks. Panics and timeouts return `None`. An
//!   exhausted stack or memory ends the process: use it for trusted pages, in tests and benches.
//! * [`ProcessLayout`] works in child processes with limits, which fail separately. Services use it.
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
//! Fonts are those of the system, found through fontconfig if its library is installed, else in the usual folders. Web
//! fonts are never fetched: text is laid out in the nearest installed font, adjusted to the web font's width and height
//! if that is among the most used families. Boxes are therefore the same for the same input on machines with the same
//! fonts. [`fonts`] maps font names to installed fonts. Images have the size that the first bytes in the snapshot tell.

mod anonymous_table_boxes;
mod baselines;
mod child_process;
mod collapsed_borders;
mod engine_stylesheet;
mod engine_tree;
pub mod fonts;
mod form_controls;
mod generated_content;
mod icon_font_widths;
mod in_process;
mod inline_runs;
pub mod layout_child;
mod layout_page;
mod line_breaking;
mod measure;
mod multicol;
mod multicol_tree;
mod natural_size;
mod protocol;
mod read_boxes;
mod replaced;
mod shrink_to_fit;
mod table_grid;
mod table_widths;
mod web_font_metrics;

pub use crate::child_process::{LaidOut, LayoutUnavailable, ProcessLayout, ProcessLayoutConfig};
pub use crate::in_process::BlitzLayout;
