//! The files that a result lists: their names, and their download through netguard within limits.
//!
//! A result of `/images` lists URLs, each with what the page says about it; [`list`] gives each file its names
//! (`a-lamp`, `a-lamp-2x`, `1f3a`), and [`download`] reads it and takes the first name that is free (`images/a-lamp.png`).
//! URLs and names come from a page: names are safe on every system, and connections are those that the egress policy of
//! the client allows.

mod download;
mod file_names;
mod list;

pub use download::{DownloadLimits, DownloadedFile, download};
pub use file_names::{FileNames, slug};
pub use list::{ListedFile, directory, list};
