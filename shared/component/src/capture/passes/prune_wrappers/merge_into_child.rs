//! Decides which wrappers their only child can stand for, and moves their declarations to it: the child is then as large
//! and in the same place as it was inside of the wrapper.
//!
//! `<div class="mb-4"><h2>…</h2></div>` → `<h2 class="mb-4">…</h2>`.

use super::{child_element, declared, is_heading};
use crate::capture::environments::EnvMap;
use limner_component_model::model::{Baseline, Child, Component, Declaration, Element, ElementId, Namespace, Rule};
use limner_style::ComputedStyle;
use limner_style::computed::Display;
use limner_style::property::Longhand;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Elements that fill the width of a block container, without styles of their own in either baseline.
const PLAIN: &[&str] = &["article", "aside", "div", "footer", "form", "header", "main", "nav", "section"];
/// Elements that preflight leaves without styles of their own, except for those of lists.
#[rustfmt::skip]
const RESET: &[&str] =
    &["a", "blockquote", "dl", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hgroup", "label", "ol", "p", "span", "ul"];

/// A group of properties that move to the child under the same conditions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Inherited,
    BlockMargin,
    InlineMargin,
    Width,
    Padding,
    /// The element's place in a flex or grid container.
    Placement,
    Position,
    /// Background, borders and shadow of the element's box.
    Paint,
    Clip,
    /// Effects on the box with its contents.
    Effect,
    Display,
}

impl Group {
    /// Returns the group of a property; `None` for those that never move.
    fn of_property(name: &str) -> Option<Self> {
        Some(match name {
            "margin-top" | "margin-bottom" => Self::BlockMargin,
            "margin-left" | "margin-right" => Self::InlineMargin,
            "width" | "min-width" | "max-width" => Self::Width,
            "padding-top" | "padding-right" | "padding-bottom" | "padding-left" => Self::Padding,
            "position" | "z-index" => Self::Position,
            "opacity" => Self::Effect,
            "display" => Self::Display,
            "overflow-x" | "overflow-y" => Self::Clip,
            "box-shadow" => Self::Paint,
            "flex-grow" | "flex-shrink" | "flex-basis" | "order" | "align-self" | "justify-self" => Self::Placement,
            "cursor" | "direction" | "pointer-events" | "visibility" | "writing-mode" => return None,
            name if name.starts_with("animation-") => Self::Effect,
            name if name.starts_with("grid-column-") || name.starts_with("grid-row-") => Self::Placement,
            name if ["-webkit-background-", "background-", "border-"].iter().any(|start| name.starts_with(start)) => {
                let is_of_tables = matches!(name, "border-collapse" | "border-spacing");
                return (!is_of_tables).then_some(Self::Paint);
            }
            name => return Longhand::from_name(name)?.is_inherited().then_some(Self::Inherited),
        })
    }
}

/// Facts about all elements of a section that decide which wrappers move into their child.
pub(super) struct WrapperMerger<'c> {
    /// Styles on the page, by element.
    computed: &'c [EnvMap<Arc<ComputedStyle>>],
    /// Containers of the page that are blocks in the component.
    blocks: &'c BTreeSet<ElementId>,
    /// By element: true if it and its counterparts in similar elements all have one child element and nothing else.
    is_single: Vec<bool>,
}

impl<'c> WrapperMerger<'c> {
    /// Reads a component without redundant elements.
    pub(super) fn new(
        component: &Component,
        computed: &'c [EnvMap<Arc<ComputedStyle>>],
        blocks: &'c BTreeSet<ElementId>,
    ) -> Self {
        Self { computed, blocks, is_single: mark_single(component) }
    }

    /// Returns the `display` values of an element in the component.
    fn displays(&self, id: ElementId) -> impl Iterator<Item = Display> + '_ {
        let is_block = self.blocks.contains(&id);
        self.computed[id.0].iter().map(move |style| match style.display() {
            Display::None => Display::None,
            _ if is_block => Display::Block,
            display => display,
        })
    }

    /// Returns the only child of an element of a container, if it can take over the element's declarations.
    pub(super) fn mergeable_child(
        &self,
        component: &Component,
        container: ElementId,
        id: ElementId,
        is_referenced: &dyn Fn(ElementId) -> bool,
    ) -> Option<ElementId> {
        let [parent, wrapper] = [container, id].map(|id| &component.elements[id.0]);
        let [Child::Element(only)] = wrapper.children[..] else { return None };
        let child = &component.elements[only.0];
        let is_plain = |element: &Element| element.namespace == Namespace::Html;
        let may_hold = is_plain(parent) && !super::SPECIAL_ELEMENTS.contains(&parent.tag.as_str());
        let is_candidate = self.is_single[id.0]
            && matches!(wrapper.tag.as_str(), "div" | "span")
            && [wrapper, child].into_iter().all(is_plain)
            && may_hold
            && wrapper.attributes.is_empty()
            && !is_referenced(id)
            && !(is_heading(parent) && is_heading(child))
            && wrapper.rules.iter().all(|rule| rule.state.is_none() && rule.pseudo.is_none());
        if !is_candidate {
            return None;
        }
        if child.tag == "a" && self.computed[only.0].iter().all(|style| style.display() == Display::Inline) {
            let is_item = self.computed[container.0]
                .iter()
                .all(|style| style.is_flex_or_grid_container() && !style.display().is_legacy_flex_container());
            return (is_item && is_text_of_wrapper(wrapper, child)).then_some(only);
        }
        if wrapper.tag != "div" {
            return None;
        }
        let has_only_lines =
            child.children.iter().filter_map(child_element).all(|id| !component.elements[id.0].is_block_level);
        let has_reset = component.baseline == Baseline::Preflight;
        let pair = Pair { wrapper, child, has_reset, has_only_lines };
        let moved: Option<BTreeSet<Group>> = declarations(wrapper).map(|own| Group::of_property(&own.name)).collect();
        let moved = moved?;
        let fits = pair.displays(self.displays(id), self.displays(only), &moved)
            && pair.is_free_for(&moved, component.is_border_box, is_referenced(only))
            && self.fits_containers(parent, [container, id, only], &pair, &moved, is_referenced(only));
        fits.then_some(only)
    }

    /// Returns true if the child takes the place of its wrapper in the container, whatever that is in an environment.
    fn fits_containers(
        &self,
        parent: &Element,
        [container, id, only]: [ElementId; 3],
        pair: &Pair<'_>,
        moved: &BTreeSet<Group>,
        is_source: bool,
    ) -> bool {
        let is_fixed = parent.rules.iter().filter(|rule| rule.state.is_some());
        if is_fixed.flat_map(|rule| &rule.declarations).any(|own| own.name == "display") {
            return false;
        }
        // Columns that float on the page are items in the component.
        let has_row = declared(parent, "display").any(|value| value == "flex");
        if has_row && !self.computed[container.0].iter().any(|style| style.is_flex_or_grid_container()) {
            return false;
        }
        let is_block = self.displays(only).any(|display| display == Display::Block);
        let styles = self.computed[container.0].iter().zip(self.computed[id.0].iter());
        styles.zip(self.displays(container)).all(|((around, wrapper), display)| {
            if display == Display::None || super::FLOW.contains(&display) || display == Display::ListItem {
                return true;
            }
            display.is_flex_or_grid_container()
                && !display.is_legacy_flex_container()
                && pair.is_item(is_block, moved)
                && (!is_stretched(wrapper, around, pair.wrapper) || pair.hides_its_height(is_source))
                && !(is_row(around) && pair.child_declares("width"))
        })
    }
}

/// A wrapper and its only child.
struct Pair<'e> {
    wrapper: &'e Element,
    child: &'e Element,
    /// The baseline resets the styles that browsers give to elements.
    has_reset: bool,
    /// No block is in the child, whose margins could meet those of the child.
    has_only_lines: bool,
}

impl Pair<'_> {
    /// Returns true if the wrapper is a block and the child one that fills it.
    fn displays(
        &self,
        mut wrapper: impl Iterator<Item = Display>,
        mut child: impl Iterator<Item = Display>,
        moved: &BTreeSet<Group>,
    ) -> bool {
        let tag = self.child.tag.as_str();
        let toggles = moved.contains(&Group::Display);
        let inside: &[Display] = match toggles {
            true => &[Display::Block],
            false => &[Display::Block, Display::FlowRoot, Display::Flex, Display::Grid],
        };
        let outside = |display: Display| matches!(display, Display::Block | Display::None);
        let all = |element: &Element, is_known: &dyn Fn(Display) -> bool| {
            declared(element, "display").all(|value| Display::parse(value).is_some_and(is_known))
        };
        (PLAIN.contains(&tag) || (self.has_reset && RESET.contains(&tag)))
            && !(toggles && matches!(tag, "a" | "label" | "span"))
            && wrapper.all(outside)
            && child.all(|display| inside.contains(&display))
            && all(self.wrapper, &outside)
            && all(self.child, &|display| inside.contains(&display))
    }

    /// Returns true if nothing that the child declares stands against what moves to it.
    fn is_free_for(&self, moved: &BTreeSet<Group>, is_border_box: bool, is_source: bool) -> bool {
        let has = |group: Group| moved.contains(&group);
        let lacks = |groups: &[Group]| {
            let own = declarations(self.child).filter_map(|own| Group::of_property(&own.name));
            own.into_iter().all(|own| !groups.contains(&own))
        };
        let has_margins = || !lacks(&[Group::BlockMargin, Group::InlineMargin]);
        let has_vertical_edge = self.edges_meet_margins() || has(Group::Clip);
        let has_inline_size = has(Group::Width) || has(Group::InlineMargin) || self.pads_inline();
        let conflicts = declarations(self.wrapper).any(|own| self.child_declares(&own.name) && own.name != "position");
        let is_positioned = self.child_declares("position");
        let is_in_place = declared(self.child, "float").all(|value| value == "none")
            && declared(self.child, "position").all(|value| matches!(value, "relative" | "static"))
            && ["box-sizing", "aspect-ratio"].iter().all(|name| declared(self.wrapper, name).next().is_none());
        let may_be_clipped = || !has_margins() && self.is_unseen() && !is_positioned && lacks(&[Group::Width]);
        let may_be_placed = || self.may_be_positioned(is_positioned, has_margins(), lacks(&[Group::Width]));
        // True for each kind of declaration that does not move, and for those for which the child is ready.
        let margins_fit = !has_vertical_edge || lacks(&[Group::BlockMargin]);
        let widths_fit = !has_inline_size || (lacks(&[Group::Width, Group::InlineMargin]) && !self.has_shares());
        let edges_fit = is_border_box || !has(Group::Width) || self.has_no_inline_edges();
        let padding_fits =
            !has(Group::Padding) || (!is_source && self.is_unseen() && !is_positioned && !self.has_size());
        let paint_fits = !has(Group::Paint) || (may_be_clipped() && !self.has_size());
        let clip_fits = !has(Group::Clip) || may_be_clipped();
        let effect_fits = !has(Group::Effect)
            || (!has_margins() && lacks(&[Group::Width, Group::Effect]) && !self.child_transforms());
        let position_fits = !has(Group::Position) || may_be_placed();
        !conflicts
            && is_in_place
            && self.keeps_values(moved)
            && [margins_fit, widths_fit, edges_fit, padding_fits, paint_fits, clip_fits, effect_fits, position_fits]
                .into_iter()
                .all(|fits| fits)
    }

    /// Returns true if values mean the same on the child: lengths in `em`, alignments of blocks, styles of lists.
    fn keeps_values(&self, moved: &BTreeSet<Group>) -> bool {
        let tag = self.child.tag.as_str();
        let is_inherited_at_once = !moved.contains(&Group::Inherited) || self.has_reset || PLAIN.contains(&tag);
        let has_own_font = self.child_declares("font-size");
        let changes = |own: &Declaration| {
            let is_relative = has_font_unit(&own.value) || (own.name == "line-height" && own.value.contains('%'));
            (has_own_font && is_relative)
                || own.value.starts_with("-webkit-")
                || (own.name.starts_with("list-style") && matches!(tag, "ol" | "ul"))
                || (own.name == "position" && own.value != "relative" && own.value != "static")
        };
        is_inherited_at_once && !declarations(self.wrapper).any(changes)
    }

    /// Returns true if a padding or border of the wrapper separates its margins from those of the child.
    fn edges_meet_margins(&self) -> bool {
        let is_edge = |name: &str| {
            matches!(name, "padding-top" | "padding-bottom" | "border-top-width" | "border-bottom-width" | "display")
        };
        declarations(self.wrapper).any(|own| is_edge(&own.name))
    }

    fn pads_inline(&self) -> bool {
        let is_edge =
            |name: &str| matches!(name, "padding-left" | "padding-right" | "border-left-width" | "border-right-width");
        declarations(self.wrapper).any(|own| is_edge(&own.name))
    }

    /// Returns true if neither has a padding or a border at its sides.
    fn has_no_inline_edges(&self) -> bool {
        let is_edge = |name: &str| {
            matches!(name, "padding-left" | "padding-right" | "border-left-width" | "border-right-width" | "box-sizing")
        };
        !declarations(self.wrapper).chain(declarations(self.child)).any(|own| is_edge(&own.name))
    }

    /// Returns true if a length of the child is a share of the wrapper's width.
    fn has_shares(&self) -> bool {
        let is_share = |own: &Declaration| {
            own.value.contains('%')
                && matches!(
                    Group::of_property(&own.name),
                    Some(Group::BlockMargin | Group::InlineMargin | Group::Width | Group::Padding)
                )
        };
        declarations(self.child).any(is_share)
    }

    /// Returns true if nobody sees how large the child's box is.
    fn is_unseen(&self) -> bool {
        let shows = |own: &Declaration| {
            matches!(Group::of_property(&own.name), Some(Group::Paint | Group::Clip))
                || ["outline-", "mask-", "clip-", "filter", "backdrop-", "mix-blend-", "container-", "resize"]
                    .iter()
                    .any(|start| own.name.starts_with(start))
        };
        !declarations(self.child).any(shows) && !self.child_transforms()
    }

    fn child_transforms(&self) -> bool {
        let transforms = |name: &str| {
            matches!(name, "transform" | "translate" | "rotate" | "scale" | "perspective" | "will-change" | "filter")
                || name.starts_with("transition-")
                || name.starts_with("animation-")
        };
        declarations(self.child).any(|own| transforms(&own.name))
    }

    /// Returns true if the child has a height of its own.
    fn has_size(&self) -> bool {
        ["height", "min-height", "max-height", "aspect-ratio", "box-sizing"]
            .iter()
            .any(|name| self.child_declares(name))
    }

    /// Returns true if the child's box is the one that positioned descendants refer to already, or can become it.
    fn may_be_positioned(&self, is_positioned: bool, has_margins: bool, is_as_wide: bool) -> bool {
        let has_offsets = ["top", "right", "bottom", "left", "inset"].iter().any(|name| self.child_declares(name));
        let has_border =
            declarations(self.child).any(|own| own.name.starts_with("border-") && own.name.ends_with("-width"));
        let is_always = self.child.rules.first().is_some_and(|rule| {
            rule.condition.is_empty()
                && rule.state.is_none()
                && rule.pseudo.is_none()
                && rule.declarations.iter().any(|own| own.name == "position" && own.value == "relative")
        });
        let is_of_wrapper = declared(self.wrapper, "z-index").next().is_some();
        if is_positioned {
            return is_always
                && declared(self.child, "position").count() == 1
                && !(is_of_wrapper && (has_offsets || self.child_declares("z-index")));
        }
        !has_offsets && !has_border && !has_margins && is_as_wide && !self.child_declares("z-index")
    }

    /// Returns true if the child is as wide in a flex or grid container as it was in a block.
    fn is_item(&self, is_flow: bool, moved: &BTreeSet<Group>) -> bool {
        let is_known = |own: &Declaration| match Group::of_property(&own.name) {
            Some(Group::BlockMargin) => (!is_flow || self.has_only_lines) && !own.value.contains('%'),
            Some(Group::InlineMargin) => own.value != "auto" && !own.value.contains('%'),
            Some(Group::Width | Group::Padding) => !own.value.contains('%'),
            Some(Group::Clip | Group::Placement) => false,
            _ => true,
        };
        let is_positioned = moved.contains(&Group::Position);
        declarations(self.child).all(|own| is_known(own) && !(is_positioned && own.name.starts_with("margin-")))
    }

    /// Returns true if the child may become taller than its contents.
    fn hides_its_height(&self, is_source: bool) -> bool {
        let is_clicked = matches!(self.child.tag.as_str(), "a" | "label") || is_source;
        let has_states = self.child.rules.iter().any(|rule| rule.state.is_some());
        let is_block = declared(self.child, "display").all(|value| matches!(value, "block" | "none"));
        let is_painted = declarations(self.wrapper).any(|own| Group::of_property(&own.name) == Some(Group::Paint));
        (is_painted || self.is_unseen())
            && is_block
            && !is_clicked
            && !has_states
            && !self.child_declares("position")
            && !self.has_size()
    }

    /// Returns true if the child itself declares a property, in any environment and state.
    fn child_declares(&self, name: &str) -> bool {
        declared(self.child, name).next().is_some()
    }
}

/// Moves the declarations of a wrapper to its child, and returns their names.
pub(super) fn move_declarations(component: &mut Component, wrapper: ElementId, child: ElementId) -> Vec<String> {
    let rules = std::mem::take(&mut component.elements[wrapper.0].rules);
    let keeps_position = declared(&component.elements[child.0], "position").next().is_some();
    // Items of flex and grid containers compute these in their own way.
    let mut names: Vec<String> = ["display", "min-height", "min-width"].map(str::to_owned).into();
    for mut rule in rules {
        rule.declarations.retain(|own| !(keeps_position && own.name == "position"));
        names.extend(rule.declarations.iter().map(|own| own.name.to_string()));
        if !rule.declarations.is_empty() {
            insert(&mut component.elements[child.0].rules, rule);
        }
    }
    names
}

/// Inserts a rule of the element itself, without a state, in the order of the normal form.
pub(super) fn insert(rules: &mut Vec<Rule>, mut rule: Rule) {
    let is_alike = |own: &&mut Rule| own.pseudo.is_none() && own.state.is_none() && own.condition == rule.condition;
    if let Some(own) = rules.iter_mut().find(is_alike) {
        own.declarations.append(&mut rule.declarations);
        own.declarations.sort_by(|one, other| one.name.cmp(&other.name));
        return;
    }
    let rank = rule.condition.rank();
    let is_later = |own: &Rule| own.state.is_some() || (own.pseudo.is_none() && own.condition.rank() > rank);
    let at = rules.iter().position(is_later).unwrap_or(rules.len());
    rules.insert(at, rule);
}

/// Marks elements that have one child element and nothing else, as all their counterparts in similar elements have:
/// similar elements stay similar, because they are emitted as a loop.
fn mark_single(component: &Component) -> Vec<bool> {
    let mut groups = vec![0; component.elements.len()];
    let mut known: HashMap<(usize, u64), usize> = HashMap::new();
    let mut is_single = vec![true];
    for at in 0..component.elements.len() {
        let element = &component.elements[at];
        is_single[groups[at]] &= matches!(element.children[..], [Child::Element(_)]);
        let children: Vec<ElementId> = element.children.iter().filter_map(child_element).collect();
        let kinds: Vec<u64> = children.iter().map(|id| kind(&component.elements[id.0])).collect();
        let mut counts: HashMap<u64, usize> = HashMap::new();
        kinds.iter().for_each(|own| *counts.entry(*own).or_default() += 1);
        for (place, (id, kind)) in children.iter().zip(&kinds).enumerate() {
            let key = if counts[kind] > 1 { *kind } else { place as u64 };
            groups[id.0] = *known.entry((groups[at], key)).or_insert_with(|| {
                is_single.push(true);
                is_single.len() - 1
            });
        }
    }
    groups.into_iter().map(|group| is_single[group]).collect()
}

/// Semantic names of elements whose author gave them none.
const GENERIC: &[&str] = &["box", "container", "col", "div", "grid", "inner", "row", "wrap", "wrapper"];

/// Returns a number that similar siblings share: of their tag and their author's name, or else of their rules.
fn kind(element: &Element) -> u64 {
    let mut hasher = DefaultHasher::new();
    element.tag.hash(&mut hasher);
    if GENERIC.contains(&element.semantic_name.as_str()) {
        let rest = element.rules.iter().filter(|rule| rule.state.is_none());
        rest.for_each(|rule| (&rule.condition, rule.pseudo, &rule.declarations).hash(&mut hasher));
    } else {
        element.semantic_name.hash(&mut hasher);
    }
    hasher.finish()
}

/// Returns true if a length is a multiple of the element's font size.
fn has_font_unit(value: &str) -> bool {
    const UNITS: &[&str] = &["cap", "ch", "em", "ex", "ic", "lh"];
    let mut rest = value;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let number = &rest[start..];
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        let unit = &number[end..];
        let length = unit.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(unit.len());
        if UNITS.contains(&unit[..length].to_ascii_lowercase().as_str()) {
            return true;
        }
        rest = &unit[length..];
    }
    false
}

/// Returns true for a property that changes a text and its decoration, but no box and no line.
fn is_of_text(own: &Declaration) -> bool {
    let is_of_line =
        own.name.starts_with("font") || matches!(&*own.name, "line-height" | "text-align" | "white-space-collapse");
    let is_aside = ["text-decoration-", "transition-", "outline-"].iter().any(|start| own.name.starts_with(start));
    is_aside || own.name == "cursor" || (!is_of_line && Group::of_property(&own.name) == Some(Group::Inherited))
}

/// Returns true if an empty link shows nothing.
pub(super) fn is_invisible_link(element: &Element) -> bool {
    element.tag == "a"
        && element.rules.iter().all(|rule| rule.pseudo.is_none())
        && declarations(element).all(is_of_text)
}

/// Returns true if the line of an inline child is as high as one of its wrapper, and nothing shows how large either is.
fn is_text_of_wrapper(wrapper: &Element, child: &Element) -> bool {
    let moves = |own: &Declaration| Group::of_property(&own.name) == Some(Group::Inherited);
    let is_inherited = |own: &Declaration| moves(own) && declared(child, &own.name).next().is_none();
    let has_parts = child.rules.iter().any(|rule| rule.pseudo.is_some());
    !has_parts && declarations(child).all(is_of_text) && declarations(wrapper).all(is_inherited)
}

/// Returns true if an empty box is out of flow and paints nothing, whatever its size.
pub(super) fn is_unseen_out_of_flow(element: &Element) -> bool {
    #[rustfmt::skip]
    const UNSEEN: &[&str] = &[
        "aspect-ratio", "bottom", "box-sizing", "cursor", "display", "height", "left", "max-height", "min-height", "opacity",
        "overflow-x", "overflow-y", "perspective", "pointer-events", "position", "right", "rotate", "scale", "top", "transform",
        "transform-origin", "transform-style", "translate", "visibility", "will-change", "z-index",
    ];
    let is_unseen = |own: &Declaration| {
        UNSEEN.contains(&&*own.name)
            || own.name.starts_with("transition-")
            || own.name.ends_with("-radius")
            || matches!(
                Group::of_property(&own.name),
                Some(Group::Inherited | Group::InlineMargin | Group::BlockMargin | Group::Width | Group::Padding)
            )
    };
    let is_base = |rule: &Rule| rule.condition.is_empty() && rule.state.is_none() && rule.pseudo.is_none();
    let is_placed = |own: &Declaration| own.name == "position" && matches!(own.value.as_str(), "absolute" | "fixed");
    element.tag == "div"
        && element.rules.iter().any(|rule| is_base(rule) && rule.declarations.iter().any(is_placed))
        && declared(element, "position").all(|value| matches!(value, "absolute" | "fixed"))
        && element.rules.iter().all(|rule| rule.pseudo.is_none() && rule.declarations.iter().all(is_unseen))
}

/// Returns true if an empty inline box changes neither the height of its line nor what is in it.
pub(super) fn is_unseen_in_line(element: &Element) -> bool {
    !element.rules.is_empty()
        && element.rules.iter().all(|rule| rule.pseudo.is_none() && rule.declarations.iter().all(is_of_text))
}

/// Returns true if an empty block with these rules takes no room and shows nothing.
pub(super) fn is_invisible_when_empty(element: &Element) -> bool {
    let is_flat = |own: &Declaration| match &*own.name {
        "padding-left" | "padding-right" => true,
        // The columns of old grids are a pixel high.
        "min-height" => matches!(own.value.as_str(), "0" | "0px" | "1px"),
        "position" => own.value == "relative",
        name => matches!(Group::of_property(name), Some(Group::Inherited | Group::InlineMargin | Group::Width)),
    };
    element.rules.iter().all(|rule| rule.pseudo.is_none() && rule.declarations.iter().all(is_flat))
}

/// Iterates over the declarations of an element itself, in any environment and state.
fn declarations(element: &Element) -> impl Iterator<Item = &Declaration> {
    element.rules.iter().filter(|rule| rule.pseudo.is_none()).flat_map(|rule| &rule.declarations)
}

fn is_row(container: &ComputedStyle) -> bool {
    container.display().is_flex_container() && container.flex_direction().is_row()
}

/// Returns true if the container may make an item taller than its contents.
fn is_stretched(item: &ComputedStyle, container: &ComputedStyle, element: &Element) -> bool {
    if container.display().is_flex_container() && !is_row(container) {
        return ["flex-grow", "flex-basis"].iter().any(|name| declared(element, name).next().is_some());
    }
    let stretches = |align: &str| matches!(align, "normal" | "stretch");
    let own = item.get(Longhand::AlignSelf);
    stretches(own) || (own == "auto" && stretches(container.get(Longhand::AlignItems)))
}

#[cfg(test)]
mod tests;
