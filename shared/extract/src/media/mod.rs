//! What `/videos` and `/audio` share: media types by name and by declaration, providers and their players, Open Graph
//! structures, addresses hidden in attributes.
//!
//! Only reads; which of the findings an operation reports is the operation's business.

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
