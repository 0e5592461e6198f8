//! The features that conditions query, so that a caller can visit every combination.

use super::container::ContainerQuery;
use super::expression::{Comparison, Feature};
use super::media::{MediaQueryList, measure, media_of_function};
use crate::environment::Environment;
use crate::value::{Component, parse_components};
use crate::value_features::contains_conditional;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The features that a set of conditions queries.
#[derive(Debug, Clone, Default)]
pub struct QueriedFeatures {
    /// The smallest whole widths of the viewport, in CSS pixels, from which on a query about the width has another
    /// result.
    pub widths: BTreeSet<u32>,
    /// True if the height, aspect ratio or orientation of the viewport is queried.
    pub shape: bool,
    /// `prefers-color-scheme`
    pub scheme: bool,
    /// `prefers-reduced-motion`
    pub reduced_motion: bool,
    /// The container size queries.
    pub container_sizes: Vec<ContainerSizeQuery>,
}

/// A query about the size of a container.
#[derive(Debug, Clone)]
pub struct ContainerSizeQuery {
    /// As written: `@container card (min-width: 400px)`.
    pub text: Arc<str>,
    pub(crate) query: Arc<ContainerQuery>,
}

impl ContainerSizeQuery {
    /// Returns true if a size container with these names (the value of `container-name`) can be the one that is meant.
    pub fn may_be_about(&self, names: &str) -> bool {
        self.query.name.as_deref().is_none_or(|name| names.split(' ').any(|own| own == name))
    }
}

/// Maximum width; wider viewports are not distinguished.
const MAX_WIDTH: f64 = 10_000.0;

impl QueriedFeatures {
    pub(super) fn add(&mut self, feature: &Feature) {
        match &*feature.name {
            "width" | "device-width" => self.add_widths(feature),
            "height" | "device-height" | "aspect-ratio" | "device-aspect-ratio" | "orientation" => self.shape = true,
            "prefers-color-scheme" => self.scheme = true,
            "prefers-reduced-motion" => self.reduced_motion = true,
            _ => {}
        }
    }

    /// Adds the features of media queries.
    pub(crate) fn add_media(&mut self, list: &MediaQueryList) {
        list.visit_features(&mut |feature, _| self.add(feature));
    }

    /// Adds the features that the media queries in `if()` query.
    pub(crate) fn add_features_in_value(&mut self, value: &str) {
        if contains_conditional(value) {
            parse_components(value).iter().flatten().for_each(|component| self.add_features_in(component));
        }
    }

    /// Parsing caps the nesting, so the recursion is bounded.
    fn add_features_in(&mut self, component: &Component) {
        let (Component::Function { arguments: inner, .. } | Component::Block(_, inner)) = component else { return };
        match component {
            Component::Function { name, .. } if &**name == "media" => {
                self.add_media(&MediaQueryList::parse(&media_of_function(inner)));
            }
            _ => inner.iter().for_each(|component| self.add_features_in(component)),
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
                // In range, so the conversion is exact.
                self.widths.insert(*turn as u32);
            }
        }
    }
}
