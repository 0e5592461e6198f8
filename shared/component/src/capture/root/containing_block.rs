//! The root as a containing block. Descendants that are absolutely positioned against an ancestor of the section are
//! positioned against the root instead, with their offsets adapted. Collects the other layout facts about descendants
//! that require replacement values, too: sticky offsets, escaping margins, and quirks.

use super::{formatting_context, sticky};
use crate::capture::context::SectionContext;
use crate::capture::diff::style_pair::RequiredValues;
use crate::capture::environments::{EnvId, EnvMap};
use crate::capture::property_key::PropertyKey;
use crate::capture::quirks::{collapsed_margins, image_only_lines, line_height};
use limner_component_model::model::ElementId;
use limner_page::NodeId;
use limner_style::computed::Position;
use limner_style::layout::{Boxes, Rect};
use limner_style::property::Longhand as L;
use std::collections::{BTreeMap, BTreeSet};

/// Values that the root and its descendants need in place of those on the page.
#[derive(Debug, Default)]
pub(crate) struct ContainingBlock {
    /// Descendants whose containing block is outside of the section.
    outside: BTreeSet<ElementId>,
    /// By environment: distances of the root's edges from those of that containing block, from the top clockwise.
    insets: EnvMap<Option<[f64; 4]>>,
    /// By environment: sticky elements, with their distance in pixels from the upper edge of the viewport in the
    /// component, which lacks the page's contents above the section.
    sticking: EnvMap<BTreeMap<ElementId, f64>>,
    /// By environment: true if the root establishes a block formatting context on its page, and an ordinary block would
    /// not.
    encloses: EnvMap<bool>,
    /// By environment: descendants whose negative upper margin would pull the root out of sight.
    pulling_up: EnvMap<BTreeSet<ElementId>>,
    /// By environment: images whose line is no higher than they are.
    lone_images: EnvMap<BTreeSet<ElementId>>,
    /// By environment: blocks and inline boxes that have no text in their lines, and do not affect the height of these.
    strutless: EnvMap<BTreeSet<ElementId>>,
    /// Boxes inside of them that have to declare their own line height for that reason.
    own_line_height_boxes: BTreeSet<PropertyKey>,
    /// By environment: margins of the browser's stylesheet that its quirks-mode layout ignores.
    quirky: EnvMap<BTreeSet<collapsed_margins::QuirkMargin>>,
    /// By environment: table cells with a line of images that does not wrap.
    unbroken: EnvMap<BTreeSet<ElementId>>,
}

impl ContainingBlock {
    /// Determines the values from the layout of the page. Requires the styles of all elements.
    pub(crate) fn from_section(context: &SectionContext<'_>) -> Self {
        let outside = outside(context);
        let insets = if outside.is_empty() { EnvMap::default() } else { insets(context) };
        let sticking = sticky::sticky_offsets(context);
        let (encloses, pulling_up) = (
            formatting_context::needs_formatting_context(context),
            formatting_context::margins_escaping_upward(context),
        );
        let lone_images = image_only_lines::find_image_only_lines(context);
        let strutless = line_height::find_strutless_blocks(context, &lone_images);
        let own_line_height_boxes = line_height::boxes_declaring_line_height(context, &strutless);
        let (quirky, unbroken) =
            (collapsed_margins::find_quirk_margins(context), collapsed_margins::unbreakable_cells(context));
        Self {
            outside,
            insets,
            sticking,
            encloses,
            pulling_up,
            lone_images,
            strutless,
            own_line_height_boxes,
            quirky,
            unbroken,
        }
    }

    /// Returns the elements whose rules depend on these facts, possibly the root among them.
    pub(crate) fn elements(&self) -> BTreeSet<ElementId> {
        let has_insets = self.insets.iter().any(Option::is_some);
        let placed = self.outside.iter().copied().filter(|_| has_insets);
        let encloses = self.encloses.contains(&true);
        let root = (has_insets || encloses).then_some(ElementId(0));
        let within = self.own_line_height_boxes.iter().map(|key| key.element);
        let quirky = self.quirky.iter().flatten().map(|(element, _)| *element);
        let others = self
            .pulling_up
            .iter()
            .chain(&self.lone_images)
            .chain(&self.unbroken)
            .flatten()
            .copied()
            .chain(within)
            .chain(quirky)
            .chain(self.sticking.iter().flat_map(BTreeMap::keys).copied());
        root.into_iter().chain(placed).chain(others).collect()
    }

    /// Returns the properties to declare although an unstyled element has the page's value.
    pub(crate) fn pinned_properties(&self) -> impl Iterator<Item = PropertyKey> {
        let lone = self.lone_images.iter().flatten().map(|element| PropertyKey::new(*element, None, L::VerticalAlign));
        let quirky = self.quirky.iter().flatten().map(|(element, margin)| PropertyKey::new(*element, None, *margin));
        let unbroken = self.unbroken.iter().flatten().map(|element| PropertyKey::new(*element, None, L::TextWrapMode));
        lone.chain(self.own_line_height_boxes.iter().copied()).chain(quirky).chain(unbroken)
    }

    /// Returns the value of a property that replaces the page's: an offset from the root or in the component, no
    /// margin, no line height, an alignment within the line.
    pub(crate) fn replacement_value(
        &self,
        element: ElementId,
        longhand: L,
        env: EnvId,
        computed: &str,
    ) -> Option<String> {
        if self.is_quirky(element, longhand, env) {
            return Some("0px".to_owned());
        }
        let side = match longhand {
            L::MarginTop => return self.pulling_up.get(env)?.contains(&element).then(|| "0px".to_owned()),
            L::LineHeight => return self.strutless.get(env)?.contains(&element).then(|| "0px".to_owned()),
            L::TextWrapMode => return self.unbroken.get(env)?.contains(&element).then(|| "nowrap".to_owned()),
            L::VerticalAlign => return self.lone_images.get(env)?.contains(&element).then(|| "bottom".to_owned()),
            L::Top if self.sticking.get(env).is_some_and(|own| own.contains_key(&element)) => {
                return Some(format!("{}px", self.sticking[env][&element]));
            }
            L::Top => 0,
            L::Right => 1,
            L::Bottom => 2,
            L::Left => 3,
            _ => return None,
        };
        let inset = (*self.insets.get(env)?)?[side];
        let px: f64 = computed.strip_suffix("px").filter(|_| self.outside.contains(&element))?.parse().ok()?;
        Some(format!("{}px", ((px - inset) * 100.0).round() / 100.0))
    }

    /// Returns true if browsers ignore a margin on the page.
    pub(crate) fn is_quirky(&self, element: ElementId, margin: L, env: EnvId) -> bool {
        self.quirky.get(env).is_some_and(|margins| margins.contains(&(element, margin)))
    }

    /// Adds the root's own declarations.
    pub(crate) fn adjust(&self, values: &mut RequiredValues) {
        if self.insets.iter().any(Option::is_some) {
            let positions = values.entry(L::Position).or_insert_with(|| self.encloses.filled(None));
            for (position, _) in positions.iter_mut().zip(&self.insets).filter(|(_, inset)| inset.is_some()) {
                *position = Some("relative".to_owned());
            }
        }
        if self.encloses.contains(&true) {
            let displays = values.entry(L::Display).or_insert_with(|| self.encloses.filled(None));
            for (display, _) in displays.iter_mut().zip(&self.encloses).filter(|(_, encloses)| **encloses) {
                *display = Some("flow-root".to_owned());
            }
        }
    }
}

/// Returns the descendants that are absolutely positioned against an ancestor of the section.
fn outside(context: &SectionContext<'_>) -> BTreeSet<ElementId> {
    let origins = &context.tree.origins;
    let env = context.environments.desktop();
    // By element: true if it, or an ancestor of it inside of the section, is such a containing block.
    let mut holds: Vec<bool> = Vec::with_capacity(origins.len());
    let mut found = BTreeSet::new();
    for (at, origin) in origins.iter().enumerate() {
        let style = &context.computed[at][env];
        let is_held = origin.parent.is_some_and(|parent| holds[parent.0]);
        let sides = [L::Top, L::Right, L::Bottom, L::Left];
        let is_placed = sides.into_iter().any(|side| style.get(side) != "auto");
        if at > 0 && !is_held && is_placed && style.position() == Position::Absolute {
            found.insert(ElementId(at));
        }
        holds.push(is_held || style.is_containing_block_for_absolute());
    }
    found
}

/// Returns the insets by environment.
fn insets(context: &SectionContext<'_>) -> EnvMap<Option<[f64; 4]>> {
    context.environments.map(|env| inset(context, env, &context.boxes(env)?))
}

/// Returns the insets in one environment; `None` if the layout of a box is unknown.
fn inset(context: &SectionContext<'_>, env: EnvId, boxes: &Boxes) -> Option<[f64; 4]> {
    let document = &context.view.document;
    let section = context.tree.origins[0].node;
    let environment = context.environments.environment(env);
    let holder: Option<NodeId> = document.ancestors(section).find(|node| {
        let style = context.computed_style(*node, env);
        style.is_some_and(|style| style.is_containing_block_for_absolute())
    });
    let viewport = Rect { x: 0.0, y: 0.0, width: environment.width as f32, height: environment.height as f32 };
    let containing_block = holder.map_or(Some(viewport), |node| boxes.get(node))?;
    let root = boxes.get(section)?;
    let (right, bottom) = (root.x + root.width, root.y + root.height);
    let insets = [
        root.y - containing_block.y,
        containing_block.x + containing_block.width - right,
        containing_block.y + containing_block.height - bottom,
        root.x - containing_block.x,
    ];
    Some(insets.map(f64::from))
}
