//! Boxes of a section's elements where the page is laid out: on a desktop and on a phone. They tell whether boxes that could
//! overlap do.

use super::context::SectionContext;
use super::environments::EnvId;
use limner_style::computed::Overflow;
use limner_style::layout::Rect;

/// Maximum number of boxes that are compared with all others.
const MAX_LAYERS: usize = 64;
/// Overlaps in pixels that rounding explains.
const TOLERANCE: f32 = 0.5;

/// A box that may be painted over others.
pub(super) struct Layer {
    pub(super) element: usize,
    /// The element generates it, and it may be painted over the element's contents.
    pub(super) generates: bool,
    /// It is within the element's box.
    pub(super) is_bound: bool,
}

/// The boxes in each of the viewports.
pub(super) struct MeasuredBoxes {
    /// By element: the index after its last descendant.
    ends: Vec<usize>,
    parents: Vec<Option<usize>>,
    /// By viewport and element: the box with everything that is in it; none if it is not rendered.
    viewports: Vec<Vec<Option<Rect>>>,
}

impl MeasuredBoxes {
    /// Lays the page out; returns nothing if there is no layout engine.
    pub(super) fn new(context: &SectionContext<'_>) -> Option<Self> {
        let parents: Vec<Option<usize>> =
            context.tree.origins.iter().map(|origin| origin.parent.map(|parent| parent.0)).collect();
        let mut ends: Vec<usize> = (1..=parents.len()).collect();
        for at in (0..parents.len()).rev() {
            if let Some(parent) = parents[at] {
                ends[parent] = ends[parent].max(ends[at]);
            }
        }
        let mut envs = vec![context.environments.desktop(), EnvId::default()];
        envs.dedup();
        let viewports: Option<Vec<_>> = envs.into_iter().map(|env| whole_boxes(context, &parents, env)).collect();
        Some(Self { ends, parents, viewports: viewports? })
    }

    /// Returns true if no box that negative margins move overlaps what is beside it, or beside an element around it.
    pub(super) fn are_apart_from_siblings(&self, pulled: &[usize]) -> bool {
        pulled.len() <= MAX_LAYERS && pulled.iter().all(|at| self.is_apart_from_siblings(*at))
    }

    fn is_apart_from_siblings(&self, pulled: usize) -> bool {
        self.viewports.iter().all(|boxes| {
            let Some(own) = boxes[pulled] else { return true };
            // Neither in it nor around it.
            let mut others = (0..boxes.len()).filter(|at| !self.are_related(*at, pulled));
            // What is in a box beside it is within that one's whole box.
            others.all(|at| {
                let is_outermost = self.parents[at].is_none_or(|parent| self.are_related(parent, pulled));
                !is_outermost || boxes[at].is_none_or(|other| !intersect(own, other))
            })
        })
    }

    /// Iterates over those elements that no layer overlaps.
    pub(super) fn apart_from<'m>(
        &'m self,
        elements: &'m [usize],
        layers: &'m [Layer],
    ) -> impl Iterator<Item = usize> + 'm {
        let is_known = layers.len() <= MAX_LAYERS;
        elements.iter().copied().filter(move |at| is_known && layers.iter().all(|layer| self.is_apart(*at, layer)))
    }

    fn is_apart(&self, at: usize, layer: &Layer) -> bool {
        if self.are_related(at, layer.element) {
            return at < layer.element || !layer.generates;
        }
        self.viewports.iter().all(|boxes| match (boxes[at], boxes[layer.element]) {
            (Some(own), Some(over)) => layer.is_bound && !intersect(own, over),
            _ => true,
        })
    }

    /// Returns true if one element is in the other, or if they are the same.
    fn are_related(&self, one: usize, other: usize) -> bool {
        let (outer, inner) = (one.min(other), one.max(other));
        inner < self.ends[outer]
    }
}

/// Returns the boxes of all elements, each with those in it, unless it clips them.
fn whole_boxes(context: &SectionContext<'_>, parents: &[Option<usize>], env: EnvId) -> Option<Vec<Option<Rect>>> {
    let boxes = context.boxes(env)?;
    let own = |at: usize| {
        let element = limner_component_model::model::ElementId(at);
        context.tree.node(element).and_then(|_| boxes.get(context.tree.styled_node(element, env)))
    };
    let mut whole: Vec<Option<Rect>> = (0..parents.len()).map(own).collect();
    for at in (0..parents.len()).rev() {
        let Some((inner, parent)) = whole[at].zip(parents[at]) else { continue };
        let style = &context.computed[parent][env];
        let is_clipped = style.overflow_x() != Overflow::Visible && style.overflow_y() != Overflow::Visible;
        whole[parent] = match whole[parent] {
            Some(outer) if is_clipped => Some(outer),
            Some(outer) => Some(union(outer, inner)),
            None => Some(inner),
        };
    }
    Some(whole)
}

fn union(one: Rect, other: Rect) -> Rect {
    let (x, y) = (one.x.min(other.x), one.y.min(other.y));
    let right = (one.x + one.width).max(other.x + other.width);
    let bottom = (one.y + one.height).max(other.y + other.height);
    Rect { x, y, width: right - x, height: bottom - y }
}

/// Returns true if two boxes have more than an edge in common.
fn intersect(one: Rect, other: Rect) -> bool {
    let is_within = |start: f32, end: f32, other_start: f32, other_end: f32| {
        start + TOLERANCE < other_end && other_start + TOLERANCE < end
    };
    is_within(one.x, one.x + one.width, other.x, other.x + other.width)
        && is_within(one.y, one.y + one.height, other.y, other.y + other.height)
}
