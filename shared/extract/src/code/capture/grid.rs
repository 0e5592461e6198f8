//! The environments that a section is looked at in: every range of widths that its rules tell apart, in every mode.
//!
//! Queries about containers in the section itself travel with it: without them holding is the base, and each of them
//! holding alone is a mode. Others are about what is around the section, and are answered by the width of the window.

use crate::code::model::Condition;
use limner_style::color::Scheme;
use limner_style::{Environment, Questions, StyleIndex, Styles};
use std::ops::Range;
use std::sync::Arc;

/// Most widths at which a component may change.
const MAX_BOUNDARIES: usize = 15;

/// Most container queries that are looked at one by one.
const MAX_CONTAINER_QUERIES: usize = 6;

/// Widths of windows at which sections with container queries are looked at anew.
const CONTAINER_STEPS: [u32; 5] = [480, 640, 768, 1024, 1280];

/// Width of the window of a phone.
const PHONE: u32 = 390;

/// What else than the width differs between environments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// The theme that forms the component.
    Base,
    /// The dark theme, riding along.
    Dark,
    /// The base theme for visitors who want little motion.
    ReducedMotion,
    /// The base theme where a container query holds, by its number.
    Container(usize),
}

/// Environments by mode and by interval of widths.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    /// The first widths of the intervals after the first.
    boundaries: Vec<u32>,
    /// The modes; the first is always [`Mode::Base`].
    pub(super) modes: Vec<Mode>,
    /// The container queries that travel with the section, as written.
    containers: Vec<Arc<str>>,
    base: Scheme,
}

impl Grid {
    /// `has_containers`: the section brings the containers along that its rules ask about.
    pub(super) fn new(questions: &Questions, base: Scheme, has_dark: bool, has_containers: bool) -> Self {
        let travels = has_containers && questions.container_sizes.len() <= MAX_CONTAINER_QUERIES;
        let containers = if travels { questions.container_sizes.clone() } else { Vec::new() };
        let mut boundaries: Vec<u32> =
            questions.widths.iter().copied().filter(|px| (200..4_000).contains(px)).collect();
        if questions.shape {
            // Where the sampled viewports turn from portrait to landscape.
            boundaries.push(845);
        }
        if questions.containers && containers.is_empty() {
            // How wide a container is follows from how wide the window is, but not at which widths it matters.
            boundaries.extend(CONTAINER_STEPS);
        }
        boundaries.sort_unstable();
        boundaries.dedup();
        thin_out(&mut boundaries);
        let dark = has_dark.then_some(Mode::Dark);
        let still = questions.reduced_motion.then_some(Mode::ReducedMotion);
        let modes = std::iter::once(Mode::Base).chain(dark).chain(still);
        let modes = modes.chain((0..containers.len()).map(Mode::Container)).collect();
        Self { boundaries, modes, containers, base }
    }

    /// Number of intervals.
    pub(super) fn intervals(&self) -> usize {
        self.boundaries.len() + 1
    }

    /// Number of environments; cell `mode * intervals + interval`.
    pub(super) fn len(&self) -> usize {
        self.modes.len() * self.intervals()
    }

    /// The cells of a mode.
    pub(super) fn cells(&self, mode: usize) -> Range<usize> {
        mode * self.intervals()..(mode + 1) * self.intervals()
    }

    /// The mode of a cell.
    pub(super) fn mode_of(&self, cell: usize) -> Mode {
        self.modes[cell / self.intervals()]
    }

    /// The interval that an ordinary desktop window is in.
    pub(super) fn desktop(&self) -> usize {
        self.boundaries.iter().filter(|boundary| **boundary <= 1440).count()
    }

    pub(super) fn environment(&self, cell: usize) -> Environment {
        let interval = cell % self.intervals();
        let width = self.sample(interval);
        let mode = self.mode_of(cell);
        let scheme = if mode == Mode::Dark { Scheme::Dark } else { self.base };
        let height = if width < 600 { 844.0 } else { 900.0 };
        let reduced_motion = mode == Mode::ReducedMotion;
        Environment { width: f64::from(width), height, scheme, reduced_motion, ..Environment::default() }
    }

    /// The narrowest window of a cell, phones included and no smaller ones.
    pub(super) fn narrowest(&self, cell: usize) -> f64 {
        let interval = cell % self.intervals();
        let low = interval.checked_sub(1).map_or(0, |before| self.boundaries[before]);
        f64::from(low.max(PHONE))
    }

    /// Styles in a cell.
    pub(super) fn styles<'i>(&self, index: &'i StyleIndex<'_>, cell: usize) -> Styles<'i> {
        let holding = match self.mode_of(cell) {
            Mode::Container(number) => self.containers.get(number),
            Mode::Base | Mode::Dark | Mode::ReducedMotion => None,
        };
        let assumed = |query: &str| {
            let travels = self.containers.iter().any(|known| **known == *query);
            travels.then(|| holding.is_some_and(|holding| **holding == *query))
        };
        index.styles_assuming(&self.environment(cell), &assumed)
    }

    /// A width of the interval: that of a common window, when one is in it.
    fn sample(&self, interval: usize) -> u32 {
        let low = interval.checked_sub(1).map_or(320, |before| self.boundaries[before]);
        let high = self.boundaries.get(interval).copied().unwrap_or(u32::MAX);
        let common = [1440, 390, 768, 1024, 1280].into_iter().find(|width| (low..high).contains(width));
        common.unwrap_or(if low < high { low } else { high.saturating_sub(1) })
    }

    /// The condition that a range of intervals is.
    pub(super) fn condition(&self, mode: Mode, intervals: &Range<usize>) -> Condition {
        let query = match mode {
            Mode::Container(number) => self.containers.get(number),
            Mode::Base | Mode::Dark | Mode::ReducedMotion => None,
        };
        Condition {
            min_width: intervals.start.checked_sub(1).map(|before| self.boundaries[before]),
            below_width: self.boundaries.get(intervals.end - 1).copied(),
            dark: mode == Mode::Dark,
            reduced_motion: mode == Mode::ReducedMotion,
            within: query.map(ToString::to_string).into_iter().collect(),
        }
    }
}

/// Drops the boundaries that are nearest to their neighbours until few enough are left.
fn thin_out(boundaries: &mut Vec<u32>) {
    while boundaries.len() > MAX_BOUNDARIES {
        let gaps = boundaries.windows(2).map(|pair| pair[1] - pair[0]);
        let Some((nearest, _)) = gaps.enumerate().min_by_key(|(_, gap)| *gap) else { return };
        boundaries.remove(nearest + 1);
    }
}
