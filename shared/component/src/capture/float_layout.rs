//! Lays out what floats in columns, and what contains floats, as flex rows and block formatting contexts do: grids of the time
//! before `display: flex` are made of floats and clearfixes.
//!
//! Before → after: two columns with `float: left; width: 50%` in a row with a clearfix → `display: flex` on the row. A clearfix
//! that keeps the margins of its contents → `display: flow-root`.
//!
//! A row is laid out anew only if all of its boxes are where they were: columns are beside each other and fill at most the
//! row, or below each other.

use super::context::SectionContext;
use super::environments::{EnvId, EnvMap};
use super::idle_styles::is_empty_part;
use super::root::formatting_context::{Edge, leaks_margin};
use limner_component_model::model::{Child, ElementId, Namespace, PseudoElement, Rule};
use limner_style::ComputedStyle;
use limner_style::computed::{BoxSizing, Display, Float, Overflow, Position};
use limner_style::property::Longhand as L;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Elements that are blocks without a declaration.
#[rustfmt::skip]
const BLOCKS: &[&str] = &[
    "article", "aside", "blockquote", "div", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "main",
    "nav", "ol", "p", "section", "ul",
];
/// The share of a row that columns may take beyond it by rounding, in percent.
const TOLERANCE: f64 = 0.011;

/// Floats and clearfixes of a section that something else stands for.
#[derive(Debug, Default)]
pub(super) struct FloatLayout {
    /// By container and environment: its `display`; `None` for that of the page.
    displays: BTreeMap<ElementId, EnvMap<Option<&'static str>>>,
    /// Containers whose items must not be stretched.
    packed: BTreeSet<ElementId>,
    /// Containers of several rows.
    wrapping: BTreeSet<ElementId>,
    /// Boxes that no longer float.
    columns: BTreeSet<ElementId>,
    /// Containers without their clearfix.
    freed: BTreeSet<ElementId>,
    /// Empty boxes that only cleared floats.
    clearers: BTreeSet<ElementId>,
}

/// The arrangement of the boxes of a container in one environment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrangement {
    /// Nothing floats.
    Flow,
    /// Each box is below the one before.
    Stack,
    /// All boxes are beside each other.
    Row,
    /// Boxes are beside each other in several rows.
    Rows,
}

impl FloatLayout {
    /// Finds what can be laid out anew, from the styles of all elements and their rules.
    pub(super) fn from_rules(context: &SectionContext<'_>, rules: &[Vec<Rule>]) -> Self {
        let mut layout = Self::default();
        // By element: true if something in it still floats.
        let mut has_floats = vec![false; rules.len()];
        // By element: the number of its children that float.
        let mut floating = vec![0; rules.len()];
        for (origin, styles) in context.tree.origins.iter().zip(&context.computed) {
            if let Some(parent) = origin.parent.filter(|_| styles.iter().any(|style| style.is_floating())) {
                floating[parent.0] += 1;
            }
        }
        // Same for those that no box around them contains.
        let mut leaks_floats = vec![false; rules.len()];
        for at in (0..rules.len()).rev() {
            let id = ElementId(at);
            let view = View { context, rules, id };
            let floats = |child: &ElementId| {
                context.computed[child.0].iter().any(|style| style.is_floating())
                    && !context.computed[at].iter().all(|style| style.is_flex_or_grid_container())
            };
            let children: Vec<ElementId> = view.children().collect();
            let inside = children.iter().any(|child| has_floats[child.0]);
            let is_row = children.iter().any(floats);
            let arranged = (is_row && !inside).then(|| view.arrangements()).flatten();
            has_floats[at] = inside || (is_row && arranged.is_none());
            match arranged {
                Some(arranged) => layout.convert(&view, &arranged),
                None => {
                    let leaks = is_row || children.iter().any(|child| leaks_floats[child.0]);
                    layout.replace_clearfix(&view, leaks, &floating);
                    let contains = |env| view.holds(env) || view.clearfix(PseudoElement::After);
                    leaks_floats[at] = leaks && !context.environments.envs().all(contains);
                    if !has_floats[at] {
                        layout.drop_clearers(&view);
                    }
                }
            }
        }
        layout
    }

    /// Returns the value that takes the place of the page's; `None` if that stays.
    pub(super) fn replacement(&self, element: ElementId, longhand: L, env: EnvId) -> Option<&'static str> {
        let display = || self.displays.get(&element)?.get(env).copied().flatten();
        let is_row = || display() == Some("flex");
        match longhand {
            L::Display => display(),
            L::AlignItems => (self.packed.contains(&element) && is_row()).then_some("flex-start"),
            L::FlexWrap => (self.wrapping.contains(&element) && is_row()).then_some("wrap"),
            L::Float | L::Clear => self.columns.contains(&element).then_some("none"),
            _ => None,
        }
    }

    /// Returns true if a property has another value than on the page in some environments.
    pub(super) fn concerns(&self, element: ElementId, longhand: L) -> bool {
        match longhand {
            L::Display => self.displays.contains_key(&element),
            L::AlignItems => self.packed.contains(&element),
            L::FlexWrap => self.wrapping.contains(&element),
            L::Float => self.columns.contains(&element),
            _ => false,
        }
    }

    /// Returns the properties that have other values than on the page.
    pub(super) fn properties(&self) -> impl Iterator<Item = (ElementId, L)> + '_ {
        let displays = self.displays.keys().map(|id| (*id, L::Display));
        let packed = self.packed.iter().map(|id| (*id, L::AlignItems));
        let wrapping = self.wrapping.iter().map(|id| (*id, L::FlexWrap));
        displays.chain(packed).chain(wrapping).chain(self.columns.iter().map(|id| (*id, L::Float)))
    }

    /// Returns true for a box that floats no longer.
    pub(super) fn is_column(&self, element: ElementId) -> bool {
        self.columns.contains(&element)
    }

    /// Returns true for a container that needs no clearfix.
    pub(super) fn is_freed(&self, element: ElementId) -> bool {
        self.freed.contains(&element)
    }

    /// Returns true for an empty box that did nothing but clear.
    pub(super) fn is_clearer(&self, element: ElementId) -> bool {
        self.clearers.contains(&element)
    }

    fn convert(&mut self, view: &View<'_, '_>, arranged: &EnvMap<(Arrangement, bool)>) {
        let display = |(arrangement, holds): &(Arrangement, bool)| match arrangement {
            Arrangement::Flow => None,
            Arrangement::Stack => (!holds).then_some("flow-root"),
            Arrangement::Row | Arrangement::Rows => Some("flex"),
        };
        if arranged.iter().any(|(arrangement, _)| *arrangement == Arrangement::Rows) {
            self.wrapping.insert(view.id);
        }
        let displays: EnvMap<Option<&'static str>> = arranged.iter().map(display).collect();
        if displays.iter().any(Option::is_some) {
            self.displays.insert(view.id, displays);
        }
        let is_row = arranged.iter().any(|(own, _)| matches!(own, Arrangement::Row | Arrangement::Rows));
        if is_row && view.columns().any(|child| view.shows_height(child)) {
            self.packed.insert(view.id);
        }
        self.freed.insert(view.id);
        self.columns.extend(view.columns());
        self.clearers.extend(view.children().filter(|child| view.is_clearer(*child)));
    }

    /// Drops empty boxes that clear nothing, unless they keep margins apart.
    fn drop_clearers(&mut self, view: &View<'_, '_>) {
        let clearers: Vec<ElementId> = view.children().filter(|child| view.is_clearer(*child)).collect();
        if clearers.is_empty() {
            return;
        }
        let is_free = |env: EnvId| {
            let is_shown = |child: &ElementId| view.style(*child, env).is_in_flow();
            let shown: Vec<ElementId> = view.columns().filter(is_shown).collect();
            let is_flow = view.style(view.id, env).display() == Display::Block;
            let known = view.margins(&shown, env);
            is_flow && known.is_some_and(|(are_apart, meets_edge)| are_apart && (!meets_edge || view.has_edges(env)))
        };
        if view.context.environments.envs().all(is_free) {
            self.clearers.extend(clearers);
        }
    }

    /// Replaces a clearfix by a block formatting context, unless it does nothing.
    fn replace_clearfix(&mut self, view: &View<'_, '_>, has_floats: bool, floating: &[usize]) {
        let has = |pseudo| view.clearfix(pseudo);
        let (before, after) = (has(PseudoElement::Before), has(PseudoElement::After));
        if !(before || after) {
            return;
        }
        let styles = &view.context.computed[view.id.0];
        let is_of_items = |style: &ComputedStyle| {
            let has_no_gap = [L::RowGap, L::ColumnGap].iter().all(|gap| matches!(style.get(*gap), "normal" | "0px"));
            style.display() == Display::Flex && has_no_gap && !style.get(L::JustifyContent).starts_with("space")
        };
        let is_block = |style: &ComputedStyle| style.display() == Display::Block;
        if !styles.iter().all(|style| is_block(style) || is_of_items(style) || style.display() == Display::None) {
            return;
        }
        let mut is_needed = has_floats && styles.iter().any(|style| is_block(style));
        for env in view.context.environments.envs().filter(|env| is_block(&styles[*env])) {
            let leaks = |edge: Edge| leaks_margin(view.context, view.id, env, edge);
            if (leaks(Edge::Top) && !before && !view.holds(env)) || (leaks(Edge::Bottom) && !after && !view.holds(env))
            {
                return;
            }
            is_needed |= (leaks(Edge::Top) || leaks(Edge::Bottom)) && !view.holds(env);
        }
        if is_needed && view.may_be_beside_floats(floating) {
            return;
        }
        self.freed.insert(view.id);
        if is_needed {
            let displays = styles.iter().map(|style| is_block(style).then_some("flow-root"));
            self.displays.insert(view.id, displays.collect());
        }
    }
}

/// A container with its contents.
struct View<'v, 'r> {
    context: &'v SectionContext<'r>,
    rules: &'v [Vec<Rule>],
    id: ElementId,
}

impl View<'_, '_> {
    fn style(&self, id: ElementId, env: EnvId) -> &ComputedStyle {
        &self.context.computed[id.0][env]
    }

    fn children(&self) -> impl Iterator<Item = ElementId> + '_ {
        self.context.tree.elements[self.id.0].children.iter().filter_map(|child| match child {
            Child::Element(id) => Some(*id),
            Child::Text(_) => None,
        })
    }

    /// Returns the children that are no mere clearance.
    fn columns(&self) -> impl Iterator<Item = ElementId> + '_ {
        self.children().filter(|child| !self.is_clearer(*child))
    }

    /// Returns true if an element has a pseudo-element that clears floats, keeps margins apart, or both, and shows nothing.
    fn clearfix(&self, pseudo: PseudoElement) -> bool {
        is_empty_part(&self.rules[self.id.0], pseudo)
    }

    /// Returns true for an empty box without a size.
    fn is_clearer(&self, id: ElementId) -> bool {
        const ZERO: [L; 8] = [
            L::MarginTop,
            L::MarginBottom,
            L::PaddingTop,
            L::PaddingBottom,
            L::BorderTopWidth,
            L::BorderBottomWidth,
            L::MinHeight,
            L::Height,
        ];
        let element = &self.context.tree.elements[id.0];
        let is_empty =
            element.children.iter().all(|child| matches!(child, Child::Text(text) if text.trim().is_empty()));
        let is_flat = |style: &ComputedStyle| {
            style.get(L::Clear) != "none"
                && !style.is_floating()
                && ZERO.iter().all(|longhand| matches!(style.get(*longhand), "0px" | "auto"))
        };
        element.tag == "div"
            && is_empty
            && element.attributes.is_empty()
            && self.rules[id.0].iter().all(|rule| rule.state.is_none() && rule.pseudo.is_none())
            && self.context.computed[id.0].iter().all(|style| is_flat(style))
    }

    /// Returns true if the container keeps the margins of its contents without a clearfix.
    fn holds(&self, env: EnvId) -> bool {
        let style = self.style(self.id, env);
        let parent = self.context.tree.origins[self.id.0].parent.map(|parent| self.style(parent, env));
        parent.is_some() && style.establishes_block_formatting_context(parent) && !style.is_floating()
    }

    /// Returns true if the container ends below its floats, or is all that is in one that does.
    fn contains_floats(&self, env: EnvId) -> bool {
        /// Maximum number of wrappers around a row.
        const MAX_WRAPPERS: usize = 3;
        let mut view = View { context: self.context, rules: self.rules, id: self.id };
        for _ in 0..=MAX_WRAPPERS {
            let style = view.style(view.id, env);
            let contains = view.clearfix(PseudoElement::After)
                || view.children().last().is_some_and(|last| view.is_clearer(last))
                || view.holds(env)
                || style.is_floating();
            if contains {
                return true;
            }
            let Some(parent) = self.context.tree.origins[view.id.0].parent else { return false };
            let around = View { context: self.context, rules: self.rules, id: parent };
            let mut in_flow = self.context.tree.elements[parent.0].children.iter().filter(|child| match child {
                Child::Element(id) => self.style(*id, env).display() != Display::None && !around.is_clearer(*id),
                Child::Text(text) => !text.trim().is_empty(),
            });
            let is_only = in_flow.next().is_some() && in_flow.next().is_none();
            let is_plain = [Edge::Top, Edge::Bottom]
                .into_iter()
                .all(|edge| edge.is_edge_open(style) && matches!(style.get(edge.margin()), "0px" | "auto"));
            if !is_only || !is_plain || style.get(L::Height) != "auto" {
                return false;
            }
            view = around;
        }
        false
    }

    /// Returns true if a padding or border keeps the margins of the contents inside at both edges.
    fn has_edges(&self, env: EnvId) -> bool {
        let style = self.style(self.id, env);
        let has = |sides: [L; 2]| sides.into_iter().any(|side| style.get(side) != "0px");
        self.holds(env) || (has([L::PaddingTop, L::BorderTopWidth]) && has([L::PaddingBottom, L::BorderBottomWidth]))
    }

    /// Returns true if a box beside the container floats, around which its contents may flow.
    fn may_be_beside_floats(&self, floating: &[usize]) -> bool {
        let Some(parent) = self.context.tree.origins[self.id.0].parent else { return true };
        let floats = |style: &Arc<ComputedStyle>| style.is_floating();
        let own = &self.context.computed[self.id.0];
        !own.iter().all(floats) && floating[parent.0] > usize::from(own.iter().any(floats))
    }

    /// Returns true if one can see how high a column is.
    fn shows_height(&self, id: ElementId) -> bool {
        let shows = |style: &ComputedStyle| {
            let widths = [L::BorderTopWidth, L::BorderRightWidth, L::BorderBottomWidth, L::BorderLeftWidth];
            style.get(L::BackgroundImage) != "none"
                || !limner_style::color::is_transparent(style.get(L::BackgroundColor))
                || style.get(L::BoxShadow) != "none"
                || style.overflow_y() != Overflow::Visible
                || widths.into_iter().any(|width| style.get(width) != "0px")
                || style.display() != Display::Block
                || style.is_positioned()
        };
        let has_parts = self.rules[id.0].iter().any(|rule| rule.pseudo.is_some());
        let is_share = |child: &Child| match child {
            Child::Element(child) => {
                self.context.computed[child.0].iter().any(|style| style.get(L::Height).contains('%'))
            }
            Child::Text(_) => false,
        };
        has_parts
            || self.context.computed[id.0].iter().any(|style| shows(style))
            || self.context.tree.elements[id.0].children.iter().any(is_share)
    }

    /// Returns how the boxes of the container are arranged, and if it keeps their margins by itself. `None` if floats are
    /// needed.
    fn arrangements(&self) -> Option<EnvMap<(Arrangement, bool)>> {
        let element = &self.context.tree.elements[self.id.0];
        let has_text =
            element.children.iter().any(|child| matches!(child, Child::Text(text) if !text.trim().is_empty()));
        let has_parts = [PseudoElement::Before, PseudoElement::After].into_iter().any(|pseudo| {
            self.rules[self.id.0].iter().any(|rule| rule.pseudo == Some(pseudo)) && !self.clearfix(pseudo)
        });
        let is_block = |id: ElementId| {
            let element = &self.context.tree.elements[id.0];
            element.namespace == Namespace::Html && BLOCKS.contains(&element.tag.as_str())
        };
        let changes = |id: ElementId| {
            let of_states = self.rules[id.0].iter().filter(|rule| rule.state.is_some() && rule.pseudo.is_none());
            of_states.flat_map(|rule| &rule.declarations).any(|own| matches!(&*own.name, "display" | "float" | "width"))
        };
        let is_known = !has_text
            && !has_parts
            && is_block(self.id)
            && self.columns().all(is_block)
            && !self.columns().any(changes)
            && !changes(self.id);
        if !is_known {
            return None;
        }
        let mut arranged = Vec::new();
        for env in self.context.environments.envs() {
            arranged.push(self.arrangement(env)?);
        }
        Some(arranged.into_iter().collect())
    }

    fn arrangement(&self, env: EnvId) -> Option<(Arrangement, bool)> {
        let style = self.style(self.id, env);
        if style.display() == Display::None {
            return Some((Arrangement::Flow, true));
        }
        let shown: Vec<ElementId> =
            self.columns().filter(|child| self.style(*child, env).display() != Display::None).collect();
        let in_flow = shown.iter().all(|child| {
            let own = self.style(*child, env);
            matches!(own.position(), Position::Static | Position::Relative)
                && matches!(own.display(), Display::Block | Display::Flex | Display::Grid)
                && own.get(L::WritingMode) == "horizontal-tb"
        });
        if style.display() != Display::Block || !in_flow {
            return None;
        }
        let floats = shown.iter().filter(|child| self.style(**child, env).is_floating()).count();
        if floats == 0 {
            return Some((Arrangement::Flow, true));
        }
        let contains = self.contains_floats(env);
        if floats != shown.len() || !contains {
            return None;
        }
        let rows = self.rows(&shown, env);
        let is_stack = shown.iter().all(|child| self.is_line(*child, env))
            || (shown.len() == 1 && self.is_sized(shown[0], env))
            || rows.as_ref().is_some_and(|rows| rows.iter().all(|row| *row == 1));
        if is_stack {
            let (are_apart, meets_edge) = self.margins(&shown, env)?;
            return are_apart.then_some((Arrangement::Stack, self.has_edges(env) || !meets_edge));
        }
        Some((if rows?.len() == 1 { Arrangement::Row } else { Arrangement::Rows }, true))
    }

    /// Returns the number of columns in each row. `None` if a column may be beside one of the row above, which is higher than
    /// others there.
    fn rows(&self, shown: &[ElementId], env: EnvId) -> Option<Vec<usize>> {
        let mut rows = Vec::new();
        let mut sum = 0.0;
        for child in shown {
            let share = self.share(*child, env).filter(|share| *share > 0.0)?;
            sum += share;
            let clears = self.style(*child, env).get(L::Clear) != "none";
            match rows.last_mut() {
                Some(row) if sum <= 100.0 + TOLERANCE && !clears => *row += 1,
                // What does not fit beside a single column is below it, but beside the longest of several ones.
                Some(row) if *row > 1 && !clears => return None,
                _ => {
                    rows.push(1);
                    sum = share;
                }
            }
        }
        // A row that ends early would be filled in a flex container.
        let fits_more = |at: usize, row: &usize| {
            let start: usize = rows[..at].iter().sum();
            let own: f64 = shown[start..start + row].iter().filter_map(|child| self.share(*child, env)).sum();
            let next = shown.get(start + row).and_then(|child| self.share(*child, env));
            next.is_some_and(|next| own + next <= 100.0 + TOLERANCE)
        };
        let is_even = rows.iter().all(|row| *row == 1) || !rows.iter().enumerate().any(|(at, row)| fits_more(at, row));
        is_even.then_some(rows)
    }

    /// Returns true for a float that fills a line.
    fn is_line(&self, id: ElementId, env: EnvId) -> bool {
        let style = self.style(id, env);
        style.get(L::Width) == "100%"
            && [L::MarginLeft, L::MarginRight].into_iter().all(|margin| style.get(margin) == "0px")
            && self.is_border_box(style)
            && matches!(style.get(L::MaxWidth), "none" | "100%")
    }

    /// Returns true for a float at the left with a width of its own.
    fn is_sized(&self, id: ElementId, env: EnvId) -> bool {
        let style = self.style(id, env);
        let is_length = |longhand: L| style.get(longhand).ends_with(['%', 'x']);
        matches!(style.float(), Float::Left)
            && is_length(L::Width)
            && [L::MarginLeft, L::MarginRight].into_iter().all(is_length)
    }

    fn is_border_box(&self, style: &ComputedStyle) -> bool {
        const EDGES: [L; 4] = [L::PaddingLeft, L::PaddingRight, L::BorderLeftWidth, L::BorderRightWidth];
        style.box_sizing() == BoxSizing::BorderBox
            || EDGES.into_iter().all(|edge| matches!(style.get(edge), "0px" | "0%"))
    }

    /// Returns the share of the row that a column takes with its margins, in percent; `None` if it is not constant.
    fn share(&self, id: ElementId, env: EnvId) -> Option<f64> {
        let style = self.style(id, env);
        let share = |longhand: L| match style.get(longhand) {
            "0px" => Some(0.0),
            value => value.strip_suffix('%')?.parse::<f64>().ok().filter(|share| *share >= 0.0),
        };
        let is_plain = style.float() == Float::Left
            && self.is_border_box(style)
            && matches!(style.get(L::MaxWidth), "none" | "100%")
            && matches!(style.get(L::MinWidth), "auto" | "0px");
        let [width, left, right] = [L::Width, L::MarginLeft, L::MarginRight].map(share);
        is_plain.then_some(width? + left? + right?)
    }

    /// Returns true twice: if no margins between boxes below each other would collapse, and if one meets an edge. `None` if a
    /// margin is not known.
    fn margins(&self, shown: &[ElementId], env: EnvId) -> Option<(bool, bool)> {
        let mut known = Vec::with_capacity(shown.len());
        for child in shown {
            let margin = |edge: Edge| -> Option<bool> {
                let length = self.style(*child, env).get(edge.margin()).strip_suffix("px")?.parse::<f64>().ok()?;
                let leaks = leaks_margin(self.context, *child, env, edge);
                (length >= 0.0 && !(leaks && length > 0.0)).then_some(leaks || length > 0.0)
            };
            known.push((margin(Edge::Top)?, margin(Edge::Bottom)?));
        }
        let are_apart = known.windows(2).all(|two| !(two[0].1 && two[1].0));
        let meets = known.first().is_some_and(|own| own.0) || known.last().is_some_and(|own| own.1);
        Some((are_apart, meets))
    }
}
