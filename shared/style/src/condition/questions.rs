//! What conditions ask about, so that a caller can visit every case.

use super::media::measure;
use super::query::{Comparison, Feature};
use crate::environment::Environment;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a set of conditions asks about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Questions {
    /// The smallest whole widths of the viewport, in CSS pixels, from which on an answer about the width is another.
    pub widths: BTreeSet<u32>,
    /// Height, aspect ratio or orientation of the viewport.
    pub shape: bool,
    /// `prefers-color-scheme`
    pub scheme: bool,
    /// `prefers-reduced-motion`
    pub reduced_motion: bool,
    /// Containers.
    pub containers: bool,
    /// The queries about the size of a container, as written: `@container card (min-width: 400px)`.
    pub container_sizes: Vec<Arc<str>>,
}

/// Wider viewports are not told apart.
const MAX_WIDTH: f64 = 10_000.0;

impl Questions {
    pub(super) fn add(&mut self, feature: &Feature) {
        match &*feature.name {
            "width" | "device-width" => self.add_widths(feature),
            "height" | "device-height" | "aspect-ratio" | "device-aspect-ratio" | "orientation" => self.shape = true,
            "prefers-color-scheme" => self.scheme = true,
            "prefers-reduced-motion" => self.reduced_motion = true,
            _ => {}
        }
    }

    fn add_widths(&mut self, feature: &Feature) {
        for (comparison, value) in &feature.bounds {
            let Some(px) = measure("width", value, &Environment::default()) else { continue };
            let from = px.ceil();
            let after = px.floor() + 1.0;
            let turns: &[f64] = match comparison {
                Comparison::GreaterOrEqual | Comparison::Less => &[from],
                Comparison::Greater | Comparison::LessOrEqual => &[after],
                Comparison::Equal => &[from, after],
            };
            for turn in turns.iter().filter(|turn| (1.0..=MAX_WIDTH).contains(*turn)) {
                // In range, so nothing is lost.
                self.widths.insert(*turn as u32);
            }
        }
    }
}
