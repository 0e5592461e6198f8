//! The files that a result lists: their names, and their download through netguard within limits.
//!
//! A result of `/images` lists URLs, each with what the page says about it; [`list`] gives each file its names
//! (`a-lamp`, `a-lamp-2x`, `1f3a`), and [`download`] reads it and takes the first name that is free (`images/a-lamp.png`).
//! URLs and names come from a page: names are safe on every system, and connections are those that the egress policy of
//! the client allows.
//!
//! ```
//! use limner_types::Operation;
//!
//! let result = serde_json::json!({ "images": [{ "url": "https://example.com/1f3a.png", "alt": "A lamp" }] });
//! let files = limner_listed_files::list(Operation::Images, &result);
//! assert_eq!((&*files[0].url, &*files[0].names[0]), ("https://example.com/1f3a.png", "a-lamp"));
//! ```

mod download;
mod file_names;
mod list;

pub use download::{DownloadLimits, DownloadedFile, download};
pub use file_names::{FileNames, slug};
pub use list::{ListedFile, directory, list};
