//! Defines what the operations share: the parsed page they read, and the result they return.
//!
//! ```
//! use limner_page::PageSnapshot;
//! use limner_page_view::{Extraction, PageView};
//!
//! let html = "<base href='/shop/'><img src='lamp.png'>".to_owned();
//! let page = PageSnapshot { url: "https://example.com/".to_owned(), html, ..PageSnapshot::default() };
//! let view = PageView::new(&page);
//! assert_eq!(view.resolve("lamp.png").unwrap().as_str(), "https://example.com/shop/lamp.png");
//! assert_eq!(Extraction::json(&view.common()).unwrap().body, br#"{"url":"https://example.com/"}"#);
//! ```

mod extraction;
pub mod inner_documents;
pub mod omitted_elements;
mod page_view;
pub mod size_budget;

pub use extraction::{ExtractError, Extraction};
pub use page_view::PageView;
