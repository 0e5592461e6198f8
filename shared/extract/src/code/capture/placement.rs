//! Descendants that are placed against something outside of the section: there the root takes over, with their offsets
//! measured from itself, and it keeps together what is painted behind its texts.

use super::resolve::Place;
use super::resolve::Resolver;
use super::{enclosure, lone, quirky, sticking, strut};
use crate::code::model::ElementId;
use limner_page::NodeId;
use limner_style::ComputedStyle;
use limner_style::layout::{Boxes, Rect};
use limner_style::property::Longhand as L;
use std::collections::{BTreeMap, BTreeSet};

/// What the root has to do for its descendants.
#[derive(Debug, Default)]
pub(super) struct Placement {
    /// Descendants whose containing block is around the section.
    outside: BTreeSet<ElementId>,
    /// By cell: how far the root's edges are inside of that containing block, from the top clockwise.
    insets: Vec<Option<[f64; 4]>>,
    /// By cell: what sticks to the upper edge of the window, and how far below it. Where the section is, that is below what
    /// the page has above it.
    sticking: Vec<BTreeMap<ElementId, f64>>,
    /// By cell: the root encloses its contents on its page, and an ordinary block would not.
    encloses: Vec<bool>,
    /// By cell: descendants whose upper margin would pull the root out of sight.
    pulling_up: Vec<BTreeSet<ElementId>>,
    /// By cell: pictures whose line is no higher than they are.
    lone: Vec<BTreeSet<ElementId>>,
    /// By cell: what has no text in its lines, and no say in how high these are.
    strutless: Vec<BTreeSet<ElementId>>,
    /// What has to say how high its own lines are for that.
    within_strutless: BTreeSet<Place>,
    /// By cell: margins of the browser's own that its layout leaves out.
    quirky: Vec<BTreeSet<quirky::Margin>>,
    /// By cell: table cells with a line of pictures that is not broken.
    unbroken: Vec<BTreeSet<ElementId>>,
}

impl Placement {
    pub(super) fn of(resolver: &Resolver<'_>) -> Self {
        let outside = outside(resolver);
        let insets = if outside.is_empty() { Vec::new() } else { insets(resolver) };
        let sticking = sticking::of(resolver);
        let (encloses, pulling_up) = (enclosure::of(resolver), enclosure::pulling_up(resolver));
        let lone = lone::of(resolver);
        let strutless = strut::of(resolver, &lone);
        let within_strutless = strut::within(resolver, &strutless);
        let (quirky, unbroken) = (quirky::of(resolver), quirky::unbroken(resolver));
        Self { outside, insets, sticking, encloses, pulling_up, lone, strutless, within_strutless, quirky, unbroken }
    }

    /// The elements whose rules are about it: the root among them.
    pub(super) fn elements(&self) -> BTreeSet<ElementId> {
        let has_insets = self.insets.iter().any(Option::is_some);
        let placed = self.outside.iter().copied().filter(|_| has_insets);
        let encloses = self.encloses.contains(&true);
        let root = (has_insets || encloses).then_some(ElementId(0));
        let within = self.within_strutless.iter().map(|(element, ..)| *element);
        let quirky = self.quirky.iter().flatten().map(|(element, _)| *element);
        let others = self
            .pulling_up
            .iter()
            .chain(&self.lone)
            .chain(&self.unbroken)
            .flatten()
            .copied()
            .chain(within)
            .chain(quirky)
            .chain(self.sticking.iter().flat_map(BTreeMap::keys).copied());
        root.into_iter().chain(placed).chain(others).collect()
    }

    /// What has to be declared although an unstyled element has what it has on its page.
    pub(super) fn forced(&self) -> impl Iterator<Item = Place> {
        let lone = self.lone.iter().flatten().map(|element| (*element, None, L::VerticalAlign));
        let quirky = self.quirky.iter().flatten().map(|(element, margin)| (*element, None, *margin));
        let unbroken = self.unbroken.iter().flatten().map(|element| (*element, None, L::TextWrapMode));
        lone.chain(self.within_strutless.iter().copied()).chain(quirky).chain(unbroken)
    }

    /// What an element has in place of what it has on its page: offsets from the root or from the element before it, the
    /// edge of its line that it stands on.
    pub(super) fn instead(&self, element: ElementId, longhand: L, cell: usize, computed: &str) -> Option<String> {
        if self.is_quirky(element, longhand, cell) {
            return Some("0px".to_owned());
        }
        let side = match longhand {
            L::MarginTop => return self.pulling_up.get(cell)?.contains(&element).then(|| "0px".to_owned()),
            L::LineHeight => return self.strutless.get(cell)?.contains(&element).then(|| "0px".to_owned()),
            L::TextWrapMode => return self.unbroken.get(cell)?.contains(&element).then(|| "nowrap".to_owned()),
            L::VerticalAlign => return self.lone.get(cell)?.contains(&element).then(|| "bottom".to_owned()),
            L::Top if self.sticking.get(cell).is_some_and(|own| own.contains_key(&element)) => {
                return Some(format!("{}px", self.sticking[cell][&element]));
            }
            L::Top => 0,
            L::Right => 1,
            L::Bottom => 2,
            L::Left => 3,
            _ => return None,
        };
        let inset = (*self.insets.get(cell)?)?[side];
        let px: f64 = computed.strip_suffix("px").filter(|_| self.outside.contains(&element))?.parse().ok()?;
        Some(format!("{}px", ((px - inset) * 100.0).round() / 100.0))
    }

    /// Whether browsers lay out a margin as none on the page.
    pub(super) fn is_quirky(&self, element: ElementId, margin: L, cell: usize) -> bool {
        self.quirky.get(cell).is_some_and(|margins| margins.contains(&(element, margin)))
    }

    /// Adds what the root declares.
    pub(super) fn adjust(&self, cells: usize, values: &mut BTreeMap<L, Vec<Option<String>>>) {
        if self.insets.iter().any(Option::is_some) {
            let positions = values.entry(L::Position).or_insert_with(|| vec![None; cells]);
            for (position, _) in positions.iter_mut().zip(&self.insets).filter(|(_, inset)| inset.is_some()) {
                *position = Some("relative".to_owned());
            }
        }
        if self.encloses.contains(&true) {
            let displays = values.entry(L::Display).or_insert_with(|| vec![None; cells]);
            for (display, _) in displays.iter_mut().zip(&self.encloses).filter(|(_, encloses)| **encloses) {
                *display = Some("flow-root".to_owned());
            }
        }
    }
}

/// Whether an element is the containing block of what is placed absolutely inside.
fn holds_placed(style: &ComputedStyle) -> bool {
    style.get(L::Position) != "static"
        || [L::Transform, L::Translate, L::Scale, L::Rotate, L::Filter, L::Perspective]
            .into_iter()
            .any(|longhand| style.get(longhand) != "none")
}

fn outside(resolver: &Resolver<'_>) -> BTreeSet<ElementId> {
    let bones = &resolver.skeleton.bones;
    let cell = resolver.grid.desktop();
    // By element: whether it, or one around it inside of the section, holds what is placed.
    let mut holds: Vec<bool> = Vec::with_capacity(bones.len());
    let mut found = BTreeSet::new();
    for (at, bone) in bones.iter().enumerate() {
        let style = &resolver.computed[at][cell];
        let is_held = bone.parent.is_some_and(|parent| holds[parent.0]);
        let sides = [L::Top, L::Right, L::Bottom, L::Left];
        let is_placed = sides.into_iter().any(|side| style.get(side) != "auto");
        if at > 0 && !is_held && is_placed && style.get(L::Position) == "absolute" {
            found.insert(ElementId(at));
        }
        holds.push(is_held || holds_placed(style));
    }
    found
}

fn insets(resolver: &Resolver<'_>) -> Vec<Option<[f64; 4]>> {
    (0..resolver.grid.len()).map(|cell| inset(resolver, cell, resolver.boxes(cell)?)).collect()
}

fn inset(resolver: &Resolver<'_>, cell: usize, boxes: &Boxes) -> Option<[f64; 4]> {
    let document = &resolver.view.document;
    let section = resolver.skeleton.bones[0].node;
    let environment = resolver.grid.environment(cell);
    let holder: Option<NodeId> = document.ancestors(section).find(|node| {
        let style = resolver.style_of(*node, cell);
        style.is_some_and(|style| holds_placed(&style))
    });
    let window = Rect { x: 0.0, y: 0.0, width: environment.width as f32, height: environment.height as f32 };
    let around = holder.map_or(Some(window), |node| boxes.get(node))?;
    let root = boxes.get(section)?;
    let (right, bottom) = (root.x + root.width, root.y + root.height);
    let insets =
        [root.y - around.y, around.x + around.width - right, around.y + around.height - bottom, root.x - around.x];
    Some(insets.map(f64::from))
}
