//! View models for the templates.

pub(crate) mod agents;
pub(crate) mod chart;
pub(crate) mod color;
pub(crate) mod demo_results;
pub(crate) mod errors;
pub(crate) mod markdown;
pub(crate) mod prices;
pub(crate) mod results;
