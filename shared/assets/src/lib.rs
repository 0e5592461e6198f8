//! Implements the operations that list files and drawings of a page: images, SVG, videos, audio, Lottie, fonts.
//!
//! Each has a directory with two entry functions, `extract` and `required_subresources`. The other modules are what they,
//! brands and components share.
//!
//! ```
//! use limner_page::PageSnapshot;
//! use limner_page_view::PageView;
//! use limner_types::{Operation, request};
//!
//! let html = "<video src='tour.mp4'></video>".to_owned();
//! let page = PageSnapshot { url: "https://example.com/".to_owned(), html, ..PageSnapshot::default() };
//! let request = request::parse(Operation::Videos, &[("url".to_owned(), page.url.clone())]).unwrap().request;
//! let extraction = limner_assets::videos::extract(&PageView::new(&page), &request).unwrap();
//! let result = String::from_utf8(extraction.body).unwrap();
//! assert!(result.contains(r#""url":"https://example.com/tour.mp4""#), "{result}");
//! ```

pub mod audio;
mod css_urls;
mod empty_list_hints;
mod feed;
pub mod fonts;
pub mod image_references;
pub mod images;
mod js_literals;
pub mod json_ld;
pub mod lottie;
pub mod media;
pub mod svg;
#[cfg(test)]
mod test_support;
pub mod videos;
