//! Shares the parts of `/videos` and `/audio`: media types, providers and their players, Open Graph
//! structures, URLs in attributes.
//!
//! The operations decide which findings they report.

pub(crate) mod address;
pub(crate) mod duration;
pub(crate) mod format;
pub(crate) mod place;
pub(crate) mod provider;
pub(crate) mod scan;
pub(crate) mod tags;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod text;
pub(crate) mod unique;

pub(crate) use format::MediaKind;
