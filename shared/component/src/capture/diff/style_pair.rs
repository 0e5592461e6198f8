//! The two styles of a box that are compared.

use crate::capture::environments::EnvMap;
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, SpecifiedStyle};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The styles of an element or of one of its pseudo-elements, in one environment.
pub(crate) struct StylePair {
    pub(crate) specification: SpecifiedStyle,
    /// The style of the same box without declarations.
    pub(crate) baseline: Arc<ComputedStyle>,
}

/// The required values by longhand; `None` where the unstyled element is right.
pub(crate) type RequiredValues = BTreeMap<Longhand, EnvMap<Option<String>>>;
