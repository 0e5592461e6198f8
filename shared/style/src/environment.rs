//! Environments: all facts about the visitor that conditions can query, as data.

use crate::color::Scheme;
use crate::selector::StateSet;
use serde::{Deserialize, Serialize};

/// The visitor's viewport, preferences, device and assumed interaction states.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// Width of the viewport in CSS pixels.
    pub width: f64,
    /// Height of the viewport in CSS pixels.
    pub height: f64,
    /// Preferred colour scheme.
    pub scheme: Scheme,
    /// `prefers-reduced-motion: reduce`
    pub reduced_motion: bool,
    /// Device pixels for each CSS pixel.
    pub resolution: f64,
    /// True if the media type is `print` instead of `screen`.
    pub print: bool,
    /// True if scripts run (`scripting`).
    pub scripting: bool,
    /// True if the primary pointer is a finger: coarse, without hover.
    pub touch: bool,
    /// States that hold for every element.
    pub states: StateSet,
}

impl Default for Environment {
    /// A desktop browser: 1440 × 900, light, with a mouse and scripts.
    fn default() -> Self {
        Self {
            width: 1440.0,
            height: 900.0,
            scheme: Scheme::Light,
            reduced_motion: false,
            resolution: 1.0,
            print: false,
            scripting: true,
            touch: false,
            states: StateSet::NONE,
        }
    }
}
