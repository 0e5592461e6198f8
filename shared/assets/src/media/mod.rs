//! Shares the parts of `/videos` and `/audio`: media types, providers and their players, Open Graph
//! structures, URLs in attributes.
//!
//! The operations decide which findings they report.

pub mod attribute_text;
pub(crate) mod attribute_urls;
pub(crate) mod dedup;
pub(crate) mod duration;
pub(crate) mod format;
pub(crate) mod media_element;
pub(crate) mod named_players;
pub(crate) mod open_graph;
pub(crate) mod player_frames;
pub(crate) mod provider;
pub(crate) mod script_players;
pub mod urls;

pub(crate) use format::MediaKind;
