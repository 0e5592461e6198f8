//! The environments in which a section is inspected: every range of widths that its rules distinguish, in every variant
//! (themes, reduced motion, container queries).
//!
//! Container queries about containers in the section itself are kept in the component: in the base variant none of them
//! holds, and each has a variant in which it alone holds. Where the container is an ancestor of the section, they are
//! evaluated by the width of the viewport, and their turns are boundaries.

use super::request::CaptureRequest;
use limner_component_model::model::Condition;
use limner_page::NodeId;
use limner_page_view::PageView;
use limner_style::color::Scheme;
use limner_style::property::Longhand;
use limner_style::{AssumedContainers, ContainerSizeQuery, Environment, QueriedFeatures, StyleIndex, Styles};
use std::ops::{Index, IndexMut, Range};
use std::sync::Arc;

/// Maximum number of widths at which a component may change.
const MAX_BOUNDARIES: usize = 15;

/// Maximum number of container queries with a variant of their own.
const MAX_CONTAINER_QUERIES: usize = 6;

/// Viewport widths at which sections with many container queries are inspected.
const CONTAINER_STEPS: [u32; 5] = [480, 640, 768, 1024, 1280];

/// Viewport widths between which container queries may turn.
const CONTAINER_SAMPLES: [u32; 9] = [320, 480, 640, 768, 900, 1024, 1280, 1440, 1920];

/// Width of a phone's viewport.
const PHONE: u32 = 390;

/// The variant of an environment: differences other than the width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EnvironmentVariant {
    /// The theme that forms the component.
    Base,
    /// The dark theme, in addition to the theme that forms the component.
    Dark,
    /// The base theme under `prefers-reduced-motion: reduce`.
    ReducedMotion,
    /// The base theme where a container query holds, by its index.
    Container(usize),
}

/// An environment: its index in the [`EnvironmentMatrix`]. The default is the narrowest one, without a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(super) struct EnvId(usize);

/// The environments of a variant, by interval of widths.
#[derive(Debug, Clone)]
pub(super) struct VariantEnvs(Range<usize>);

impl VariantEnvs {
    /// Returns the environment of an interval.
    pub(super) fn env(&self, interval: usize) -> EnvId {
        EnvId(self.0.start + interval)
    }
}

/// A value for each environment of a matrix, in their order; or none at all.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct EnvMap<T>(Vec<T>);

impl<T> Default for EnvMap<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> EnvMap<T> {
    /// Returns the value of an environment; `None` if there are no values.
    pub(super) fn get(&self, env: EnvId) -> Option<&T> {
        self.0.get(env.0)
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    pub(super) fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }

    /// Returns the values with their environments.
    pub(super) fn entries(&self) -> impl Iterator<Item = (EnvId, &T)> {
        self.0.iter().enumerate().map(|(at, value)| (EnvId(at), value))
    }

    /// Returns the values with their environments.
    pub(super) fn entries_mut(&mut self) -> impl Iterator<Item = (EnvId, &mut T)> {
        self.0.iter_mut().enumerate().map(|(at, value)| (EnvId(at), value))
    }

    /// Returns the values of a variant, by interval of widths.
    pub(super) fn of_variant(&self, envs: &VariantEnvs) -> &[T] {
        &self.0[envs.0.clone()]
    }

    /// Returns the values of [`EnvironmentVariant::Base`], by interval of widths.
    pub(super) fn of_base(&self, matrix: &EnvironmentMatrix) -> &[T] {
        &self.0[..matrix.intervals()]
    }

    /// Returns the same value for each of its environments.
    pub(super) fn filled<U: Clone>(&self, value: U) -> EnvMap<U> {
        EnvMap(vec![value; self.0.len()])
    }
}

impl<T: PartialEq> EnvMap<T> {
    pub(super) fn contains(&self, value: &T) -> bool {
        self.0.contains(value)
    }
}

impl<T> Index<EnvId> for EnvMap<T> {
    type Output = T;

    fn index(&self, env: EnvId) -> &T {
        &self.0[env.0]
    }
}

impl<T> IndexMut<EnvId> for EnvMap<T> {
    fn index_mut(&mut self, env: EnvId) -> &mut T {
        &mut self.0[env.0]
    }
}

/// Collects values that come from another map, in the order of the environments.
impl<T> FromIterator<T> for EnvMap<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl<T> IntoIterator for EnvMap<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'m, T> IntoIterator for &'m EnvMap<T> {
    type Item = &'m T;
    type IntoIter = std::slice::Iter<'m, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// Number of words for the maximum number of environments: sixteen intervals of widths in nine variants.
const BIT_SET_WORDS: usize = 3;

/// A set of environments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct EnvSet([u64; BIT_SET_WORDS]);

impl EnvSet {
    pub(super) fn insert(&mut self, env: EnvId) {
        if let Some(word) = self.0.get_mut(env.0 / 64) {
            *word |= 1 << (env.0 % 64);
        }
    }

    pub(super) fn contains(self, env: EnvId) -> bool {
        self.0.get(env.0 / 64).is_some_and(|word| word & (1 << (env.0 % 64)) != 0)
    }

    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }

    pub(super) fn intersection(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    pub(super) fn difference(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    pub(super) fn iter(self) -> impl Iterator<Item = EnvId> {
        (0..BIT_SET_WORDS * 64).filter(move |at| self.0[at / 64] & (1 << (at % 64)) != 0).map(EnvId)
    }
}

impl FromIterator<EnvId> for EnvSet {
    fn from_iter<I: IntoIterator<Item = EnvId>>(envs: I) -> Self {
        let mut all = Self::default();
        envs.into_iter().for_each(|env| all.insert(env));
        all
    }
}

/// The matrix of environments, by variant and by interval of widths.
#[derive(Debug, Clone)]
pub(super) struct EnvironmentMatrix {
    /// The lower bounds of all intervals but the first.
    boundaries: Vec<u32>,
    /// The variants; the first is always [`EnvironmentVariant::Base`]. The index of an environment is `variant * intervals +
    /// interval`.
    modes: Vec<EnvironmentVariant>,
    /// The container queries that are kept in the component, as written.
    containers: Vec<Arc<str>>,
    /// The parent of the section on its page.
    around: Option<NodeId>,
    base: Scheme,
    /// True if the answers of container queries are estimated from the viewport's width.
    assumes_containers: bool,
}

impl EnvironmentMatrix {
    /// Returns the environments that the section's rules tell apart.
    pub(super) fn for_section(view: &PageView<'_>, request: &CaptureRequest<'_>) -> Self {
        let document = &view.document;
        let mut questions = QueriedFeatures::default();
        let ancestors = document.ancestors(request.section).filter(|node| document.element(*node).is_some());
        let inside = || std::iter::once(request.section).chain(document.descendants(request.section));
        // Rules that only the dark theme has may depend on the width as well.
        let indexes = || std::iter::once(request.index).chain(request.dark);
        for node in ancestors.chain(inside()) {
            indexes().for_each(|index| index.add_queried_features(node, &mut questions));
        }
        let has_queries = !questions.container_sizes.is_empty();
        let mut styles = request.index.styles(&Environment::default());
        let mut names: Vec<String> = Vec::new();
        for style in inside().filter(|_| has_queries).filter_map(|node| styles.get(node)) {
            if style.get(Longhand::ContainerType).contains("size") {
                names.push(style.get(Longhand::ContainerName).to_owned());
            }
        }
        let is_inside = |query: &&ContainerSizeQuery| names.iter().any(|names| query.may_be_about(names));
        let inside = questions.container_sizes.iter().filter(is_inside).map(|query| query.text.clone()).collect();
        let around = document.parent(request.section).filter(|node| document.element(*node).is_some());
        let mut depends_on_container = false;
        if let Some(node) = around.filter(|node| has_queries && styles.has_size_container(*node)) {
            let turns = container_turns(request.index, node, &questions.container_sizes);
            depends_on_container = !turns.is_empty();
            questions.widths.extend(turns);
        }
        let matrix = Self::new(&questions, request.scheme, request.dark.is_some(), inside);
        Self { around, assumes_containers: matrix.assumes_containers || depends_on_container, ..matrix }
    }

    /// Returns true if container queries are answered by the width of the viewport.
    pub(super) fn assumes_containers(&self) -> bool {
        self.assumes_containers
    }

    /// Returns the page's rules under the theme of an environment.
    pub(super) fn index<'a>(&self, request: &CaptureRequest<'a>, env: EnvId) -> &'a StyleIndex<'a> {
        match self.variant(env) {
            EnvironmentVariant::Dark => request.dark.unwrap_or(request.index),
            EnvironmentVariant::Base | EnvironmentVariant::ReducedMotion | EnvironmentVariant::Container(_) => {
                request.index
            }
        }
    }

    /// Returns the page's styles in an environment.
    pub(super) fn page_styles<'a>(&self, request: &CaptureRequest<'a>, env: EnvId) -> Styles<'a> {
        self.styles_around(self.index(request, env), env, self.around)
    }

    /// Builds the matrix. `inside`: the queries about containers that the section contains.
    fn new(questions: &QueriedFeatures, base: Scheme, has_dark: bool, inside: Vec<Arc<str>>) -> Self {
        let are_estimated = inside.len() > MAX_CONTAINER_QUERIES;
        let containers = if are_estimated { Vec::new() } else { inside };
        let mut boundaries: Vec<u32> =
            questions.widths.iter().copied().filter(|px| (200..4_000).contains(px)).collect();
        if questions.shape {
            // The sampled viewports are in portrait below this width, and in landscape from it on.
            boundaries.push(845);
        }
        if are_estimated {
            // The width of a container depends on that of the viewport, but the viewport widths that matter are
            // unknown.
            boundaries.extend(CONTAINER_STEPS);
        }
        boundaries.sort_unstable();
        boundaries.dedup();
        reduce_boundaries(&mut boundaries);
        let dark = has_dark.then_some(EnvironmentVariant::Dark);
        let still = questions.reduced_motion.then_some(EnvironmentVariant::ReducedMotion);
        let modes = std::iter::once(EnvironmentVariant::Base).chain(dark).chain(still);
        let modes = modes.chain((0..containers.len()).map(EnvironmentVariant::Container)).collect();
        Self { boundaries, modes, containers, around: None, base, assumes_containers: are_estimated }
    }

    /// Returns the number of intervals.
    pub(super) fn intervals(&self) -> usize {
        self.boundaries.len() + 1
    }

    /// Returns the environments.
    pub(super) fn envs(&self) -> impl Iterator<Item = EnvId> + use<> {
        (0..self.modes.len() * self.intervals()).map(EnvId)
    }

    /// Computes a value for each environment.
    pub(super) fn map<T>(&self, value: impl FnMut(EnvId) -> T) -> EnvMap<T> {
        EnvMap(self.envs().map(value).collect())
    }

    /// Returns the variants with their environments; the first is [`EnvironmentVariant::Base`].
    pub(super) fn variants(&self) -> impl Iterator<Item = (EnvironmentVariant, VariantEnvs)> {
        let intervals = self.intervals();
        let envs = move |number: usize| VariantEnvs(number * intervals..(number + 1) * intervals);
        self.modes.iter().enumerate().map(move |(number, variant)| (*variant, envs(number)))
    }

    /// Returns the variant of an environment.
    pub(super) fn variant(&self, env: EnvId) -> EnvironmentVariant {
        self.modes[env.0 / self.intervals()]
    }

    /// Returns the interval of widths of an environment.
    pub(super) fn interval(&self, env: EnvId) -> usize {
        env.0 % self.intervals()
    }

    /// Returns the interval of an ordinary desktop viewport.
    pub(super) fn desktop_interval(&self) -> usize {
        self.boundaries.iter().filter(|boundary| **boundary <= 1440).count()
    }

    /// Returns the environment of an ordinary desktop viewport, without a variant.
    pub(super) fn desktop(&self) -> EnvId {
        EnvId(self.desktop_interval())
    }

    /// Returns the environment of the narrowest viewports.
    pub(super) fn phone(&self) -> EnvId {
        EnvId(0)
    }

    pub(super) fn environment(&self, env: EnvId) -> Environment {
        let width = self.sample(self.interval(env));
        let variant = self.variant(env);
        let scheme = if variant == EnvironmentVariant::Dark { Scheme::Dark } else { self.base };
        let height = if width < 600 { 844.0 } else { 900.0 };
        let reduced_motion = variant == EnvironmentVariant::ReducedMotion;
        Environment { width: f64::from(width), height, scheme, reduced_motion, ..Environment::default() }
    }

    /// Returns the width of the narrowest viewport in an environment, but no less than that of a phone.
    pub(super) fn narrowest(&self, env: EnvId) -> f64 {
        let interval = self.interval(env);
        let low = interval.checked_sub(1).map_or(0, |before| self.boundaries[before]);
        f64::from(low.max(PHONE))
    }

    /// Returns the width that all viewports of an environment are narrower than, if there is one.
    pub(super) fn upper_bound(&self, env: EnvId) -> Option<u32> {
        self.boundaries.get(self.interval(env)).copied()
    }

    /// Returns the styles of a document of the component in an environment.
    pub(super) fn styles<'i>(&self, index: &'i StyleIndex<'_>, env: EnvId) -> Styles<'i> {
        self.styles_around(index, env, None)
    }

    fn styles_around<'i>(&self, index: &'i StyleIndex<'_>, env: EnvId, around: Option<NodeId>) -> Styles<'i> {
        let holding = match self.variant(env) {
            EnvironmentVariant::Container(number) => self.containers.get(number),
            EnvironmentVariant::Base | EnvironmentVariant::Dark | EnvironmentVariant::ReducedMotion => None,
        };
        let results = self.containers.iter().map(|query| (query.clone(), Some(query) == holding)).collect();
        index.styles_with_containers(&self.environment(env), AssumedContainers { around, results })
    }

    /// Returns a sample width of an interval: that of a common viewport if there is one in it.
    fn sample(&self, interval: usize) -> u32 {
        let low = interval.checked_sub(1).map_or(320, |before| self.boundaries[before]);
        let high = self.boundaries.get(interval).copied().unwrap_or(u32::MAX);
        let common = [1440, 390, 768, 1024, 1280].into_iter().find(|width| (low..high).contains(width));
        common.unwrap_or(if low < high { low } else { high.saturating_sub(1) })
    }

    /// Returns the environments in which a condition may hold; nothing for a condition with at-rules.
    pub(super) fn envs_of(&self, condition: &Condition) -> Option<EnvSet> {
        let holds = |env: &EnvId| {
            let interval = self.interval(*env);
            let low = interval.checked_sub(1).map_or(0, |before| self.boundaries[before]);
            let high = self.boundaries.get(interval).copied().unwrap_or(u32::MAX);
            let variant = self.variant(*env);
            let is_variant = (!condition.dark || variant == EnvironmentVariant::Dark)
                && (!condition.reduced_motion || variant == EnvironmentVariant::ReducedMotion);
            is_variant
                && condition.min_width.is_none_or(|min| min < high)
                && condition.max_width_exclusive.is_none_or(|max| max > low)
        };
        condition.at_rules.is_empty().then(|| self.envs().filter(holds).collect())
    }

    /// Returns the condition for a range of intervals.
    pub(super) fn condition(&self, variant: EnvironmentVariant, intervals: &Range<usize>) -> Condition {
        let query = match variant {
            EnvironmentVariant::Container(number) => self.containers.get(number),
            EnvironmentVariant::Base | EnvironmentVariant::Dark | EnvironmentVariant::ReducedMotion => None,
        };
        Condition {
            min_width: intervals.start.checked_sub(1).map(|before| self.boundaries[before]),
            max_width_exclusive: self.boundaries.get(intervals.end - 1).copied(),
            dark: variant == EnvironmentVariant::Dark,
            reduced_motion: variant == EnvironmentVariant::ReducedMotion,
            at_rules: query.map(ToString::to_string).into_iter().collect(),
        }
    }
}

/// Returns the widths of the viewport from which on a query about a container around the section has another result.
fn container_turns(index: &StyleIndex<'_>, node: NodeId, queries: &[ContainerSizeQuery]) -> Vec<u32> {
    let results = |width: u32| {
        let environment = Environment { width: f64::from(width), ..Environment::default() };
        index.styles(&environment).container_query_results(node, queries)
    };
    let samples: Vec<(u32, Vec<bool>)> = CONTAINER_SAMPLES.into_iter().map(|width| (width, results(width))).collect();
    let (mut turns, mut open) = (Vec::new(), Vec::new());
    open.extend(samples.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())));
    while let Some((low, high)) = open.pop() {
        if low.1 == high.1 {
            continue;
        }
        if high.0 - low.0 <= 1 {
            turns.push(high.0);
            continue;
        }
        let middle = low.0.midpoint(high.0);
        let middle = (middle, results(middle));
        open.extend([(low, middle.clone()), (middle, high)]);
    }
    turns
}

/// Drops boundaries that are nearest to their predecessors until few enough are left.
fn reduce_boundaries(boundaries: &mut Vec<u32>) {
    while boundaries.len() > MAX_BOUNDARIES {
        let gaps = boundaries.windows(2).map(|pair| pair[1] - pair[0]);
        let Some((nearest, _)) = gaps.enumerate().min_by_key(|(_, gap)| *gap) else { return };
        boundaries.remove(nearest + 1);
    }
}
