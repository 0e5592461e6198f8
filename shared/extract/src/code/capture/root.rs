//! The root of a component: what it has from around it on its page, and what it leaves behind there.

use super::backdrop::{self, Backdrop, canvas_scheme, ground};
use super::flow::Flow;
use super::item::Given;
use super::offset::{self, Moves};
use super::resolve::Resolver;
use super::steps::follows_window;
use super::{counters, held_open, item, off_canvas, theme_of, value};
use crate::code::ground::Layer;
use crate::code::model::{Child, Element, Namespace, Rule};
use limner_page::NodeId;
use limner_page::dom::QuirksMode;
use limner_style::color::SupportedSchemes;
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Origin, Specification, SpecifiedValue};
use limner_types::Theme;
use std::collections::BTreeMap;

/// What the surroundings of the root give it, by cell.
pub(super) struct Root {
    /// By cell: specified values of ancestors, the nearest first.
    inherited: Vec<Vec<Specification>>,
    /// By cell: what is behind the section, when it is not what an empty page has.
    backdrop: Vec<Backdrop>,
    /// By cell: how much wider its margins make it than what it is in, in pixels.
    pulled_out: Vec<Option<f64>>,
    /// Something in it lies behind everything else, and would lie behind the backdrop, too.
    holds_behind: bool,
    /// By cell: the width in pixels that what is around it gives it at least, when a window may be narrower.
    held_open: Vec<Option<f64>>,
    /// By cell: the height that the window gives it between its offsets, or a row of columns as high as the window.
    spanned: Vec<Option<String>>,
    /// By cell: it is narrower than it asks for where there is less room.
    shrinks: Vec<bool>,
    /// By cell: the height that it has at least, because it fills the window, or what it is in gives it one.
    filled: Vec<Option<String>>,
    /// By cell: how the table that it is a row of lays out its columns, when that is as wide as what it is in.
    tables: Vec<Option<String>>,
    /// By cell: it is placed against something around it, and shows.
    placed: Vec<bool>,
    /// What its transformations are for besides.
    moves: Moves,
    pub(super) theme: Option<Theme>,
    /// At every width: a script brings it into view, and none comes along.
    is_hidden: bool,
    /// What was counted before it.
    pub(super) counted: Vec<(String, i64)>,
    has: Contents,
}

/// What is in a section, as far as inherited properties are about it.
#[derive(Debug, Clone, Copy, Default)]
struct Contents {
    lists: bool,
    tables: bool,
    svg: bool,
    tabs: bool,
}

impl Root {
    pub(super) fn of(resolver: &mut Resolver<'_>) -> Self {
        let document = &resolver.view.document;
        let section = resolver.skeleton.bones[0].node;
        let around: Vec<NodeId> =
            document.ancestors(section).filter(|node| document.element(*node).is_some()).collect();
        let mut inherited = Vec::new();
        let mut placed = Vec::new();
        let mut pulled_out = Vec::new();
        let (mut spanned, mut shrinks) = (Vec::new(), Vec::new());
        let mut held_open = Vec::new();
        let mut filled = Vec::new();
        let mut tables = Vec::new();
        let parent = document.parent(section).into_iter();
        let beside: Vec<NodeId> = parent
            .flat_map(|parent| document.child_elements(parent))
            .map(|(node, _)| node)
            .take_while(|node| *node != section)
            .collect();
        let fills_window = document.quirks_mode() == QuirksMode::Quirks && document.body() == Some(section);
        for cell in 0..resolver.grid.len() {
            let base = &resolver.view.base;
            let styles = &mut resolver.styles[cell];
            let specifications: Vec<Specification> =
                around.iter().filter_map(|node| styles.specified(*node, None, base, &|_| None)).collect();
            pulled_out.push(pulled_out_by(&resolver.computed[0][cell]));
            let own = &resolver.computed[0][cell];
            spanned.push(spanned_height(own).or_else(|| column_height(own, &specifications)));
            let container = specifications.first().map(|around| &*around.style);
            shrinks.push(container.is_some_and(|around| item::shrinks_from_width(own, around)));
            let fills = filled_height(own).filter(|_| fills_window);
            let in_grid = container.is_some_and(|around| around.get(Longhand::Display).ends_with("grid"));
            let items = beside.iter().filter(|_| in_grid).map(|node| styles.get(*node));
            let place = items.into_iter().try_fold(0, |at, style| place_after(at, style.as_deref()));
            let itself = styles.specified(section, None, base, &|_| None);
            // What scrolls in its row has a height that is no more than that.
            let given = || given_height(itself.as_ref()?, &specifications, place).filter(|_| spanned[cell].is_none());
            filled.push(fills.or_else(given));
            tables.push(table_of(&resolver.computed[0][cell], &specifications));
            // A row that is a table by itself is as wide as its table.
            let mut around = specifications.iter().map(|around| &*around.style);
            let wide = if tables[cell].is_some() { around.find(|around| !is_row(around)) } else { None };
            let wide = wide.unwrap_or(&*resolver.computed[0][cell]);
            held_open.push(held_open::held_open(around, wide, resolver.grid.narrowest(cell)));
            placed.push(matches!(resolver.computed[0][cell].get(Longhand::Position), "absolute" | "fixed"));
            inherited.push(specifications);
        }
        let beside =
            |cell: usize| off_canvas::is_beside(&resolver.computed[0][cell], resolver.grid.environment(cell).width);
        let beside: Vec<bool> = (0..resolver.grid.len()).map(beside).collect();
        if beside.contains(&false) {
            placed.iter_mut().zip(&beside).for_each(|(placed, is_beside)| *placed &= !is_beside);
        }
        let backdrop = backdrop::of(resolver, &around, &inherited);
        let theme = theme(resolver, &inherited);
        let is_hidden = resolver.computed[0].iter().all(|style| style.get(Longhand::Display) == "none");
        let mut has = contents(resolver);
        has.tables |= tables.iter().any(Option::is_some);
        Self {
            inherited,
            backdrop,
            holds_behind: false,
            pulled_out,
            held_open,
            spanned,
            shrinks,
            filled,
            tables,
            placed,
            moves: Moves::None,
            theme,
            is_hidden,
            counted: Vec::new(),
            has,
        }
    }

    /// What is specified for the elements around it, in every cell.
    pub(super) fn around(&self) -> impl Iterator<Item = &Specification> {
        self.inherited.iter().flatten()
    }

    /// What the root declares for a longhand that differs from an unstyled root's; `None`: nothing.
    pub(super) fn value(&self, longhand: Longhand, cell: usize, own: &Specification) -> Option<String> {
        if self.is_left_behind(longhand, cell, own) {
            return None;
        }
        if longhand == Longhand::Position && self.placed[cell] {
            return Some("relative".to_owned());
        }
        if let Some(rest) = self.uncentred(longhand, cell, &own.style) {
            return Some(rest).filter(|rest| rest != "none");
        }
        if longhand == Longhand::Display && self.tables[cell].is_some() {
            return Some("table".to_owned());
        }
        if let Some(size) = self.fluid_font_size(cell, own).filter(|_| longhand == Longhand::FontSize) {
            return Some(size);
        }
        let declared = own.get(longhand).filter(|declared| declared.origin != Origin::UserAgent);
        let is_height = matches!(longhand, Longhand::Height | Longhand::MinHeight | Longhand::MaxHeight);
        if let Some(share) = declared.filter(|own| is_height && own.value.contains('%')) {
            return share_of_height(&share.value, placed_against(&own.style, &self.inherited[cell]));
        }
        if let Some(declared) = declared.filter(|declared| declared.value != "inherit") {
            let changed = matches!(longhand, Longhand::Display)
                || (longhand.is_inherited() && !value::is_portable(&declared.value));
            let as_declared = || value::declared(declared, &own.style);
            return Some(if changed { value::computed(&own.style, longhand) } else { as_declared() });
        }
        // What the browser says of the element itself, of buttons for one, is inherited from nowhere.
        if longhand.is_inherited() && own.get(longhand).is_none_or(|declared| declared.value == "inherit") {
            return Some(self.inherited(longhand, cell, own));
        }
        Some(value::computed(&own.style, longhand))
    }

    /// A transformation without what is about the place; `None`: nothing is, or it has to stay.
    fn uncentred(&self, longhand: Longhand, cell: usize, style: &ComputedStyle) -> Option<String> {
        let is_moving = matches!(longhand, Longhand::Transform | Longhand::Translate);
        if !is_moving || !self.placed[cell] || self.moves == Moves::Later {
            return None;
        }
        let rest = offset::without_centring(style, longhand)?;
        let holds = self.moves == Moves::Holds && rest == "none";
        Some(match longhand {
            Longhand::Transform if holds => "translate(0px)".to_owned(),
            _ if holds => "0px".to_owned(),
            _ => rest,
        })
    }

    /// An inherited value, as the nearest ancestor that declares it has it.
    fn inherited(&self, longhand: Longhand, cell: usize, own: &Specification) -> String {
        let computed = || value::computed(&own.style, longhand);
        for ancestor in &self.inherited[cell] {
            let Some(declared) = ancestor.get(longhand) else { continue };
            if declared.value == "inherit" {
                continue;
            }
            let same = ancestor.style.get(longhand) == own.style.get(longhand) || longhand == Longhand::LineHeight;
            let means_the_same =
                value::is_portable(&declared.value) || self.follows_with(ancestor, declared, cell, own);
            let usable = declared.origin != Origin::UserAgent && same && means_the_same;
            return if usable { value::declared(declared, &own.style) } else { computed() };
        }
        computed()
    }

    /// Whether what an ancestor says is a multiple of its font size, which is the section's as well and follows the window.
    fn follows_with(&self, ancestor: &Specification, said: &SpecifiedValue, cell: usize, own: &Specification) -> bool {
        let sizes = std::iter::once(own).chain(&self.inherited[cell]).filter_map(|one| one.get(Longhand::FontSize));
        let size = sizes.map(|size| size.value.as_str()).find(|size| *size != "inherit");
        multiple(&said.value).is_some()
            && ancestor.style.get(Longhand::FontSize) == own.style.get(Longhand::FontSize)
            && size.is_some_and(follows_window)
    }

    /// A font size that is a multiple of one around it which follows the window.
    fn fluid_font_size(&self, cell: usize, own: &Specification) -> Option<String> {
        let mut factor = 1.0;
        for element in std::iter::once(own).chain(&self.inherited[cell]) {
            let Some(declared) = element.get(Longhand::FontSize).map(|own| own.value.as_str()) else { continue };
            match multiple(declared) {
                _ if declared == "inherit" => {}
                Some(times) => factor *= times,
                None => {
                    let is_fluid = factor != 1.0 && follows_window(declared) && value::is_portable(declared);
                    return is_fluid.then(|| format!("calc({} * {declared})", (factor * 1e6).round() / 1e6));
                }
            }
        }
        None
    }

    /// What the section is in.
    fn container(&self, cell: usize) -> Option<&ComputedStyle> {
        self.inherited[cell].first().map(|around| &*around.style)
    }

    /// Whether a value is about the place in the page, or about things that the section has none of.
    fn is_left_behind(&self, longhand: Longhand, cell: usize, own: &Specification) -> bool {
        use Longhand as L;
        let style = &own.style;
        if self.tables[cell].is_some() && is_of_no_row(longhand, style) {
            return true;
        }
        match longhand {
            L::Float | L::Clear | L::WebkitTapHighlightColor | L::TextSizeAdjust => true,
            L::Top | L::Right | L::Bottom | L::Left => self.placed[cell],
            L::Display => self.is_hidden,
            L::JustifySelf => true,
            L::MinWidth | L::MinHeight if style.get(longhand) == "auto" => true,
            L::Width if self.container(cell).is_some_and(|around| item::fills_what_is_left(style, around)) => true,
            L::Width if is_rest(style) => true,
            L::Width | L::MinWidth | L::MaxWidth => is_share(style.get(longhand)) && !is_centred(style),
            L::ListStyleType | L::ListStylePosition | L::ListStyleImage => !self.has.lists,
            L::TabSize => !self.has.tabs,
            L::BorderCollapse | L::BorderSpacing | L::CaptionSide | L::EmptyCells => !self.has.tables,
            L::Fill
            | L::FillOpacity
            | L::FillRule
            | L::Stroke
            | L::StrokeWidth
            | L::StrokeOpacity
            | L::StrokeLinecap
            | L::StrokeLinejoin
            | L::StrokeMiterlimit
            | L::StrokeDasharray
            | L::StrokeDashoffset => !self.has.svg,
            _ => false,
        }
    }

    /// Whether what was said of the root had to change, by everyone's rules and by which spaces show.
    pub(super) fn settle(
        &mut self,
        own: &ComputedStyle,
        rules: &[Vec<Rule>],
        elements: &[Element],
        flow: &[Flow],
    ) -> bool {
        let shows_tab = |(element, flow): (&Element, &Flow)| flow.preserves_space && has_tab(element);
        let tabs = self.has.tabs && elements.iter().zip(flow).any(shows_tab);
        let has_tabs_otherwise = std::mem::replace(&mut self.has.tabs, tabs) != tabs;
        let moves = std::mem::replace(&mut self.moves, offset::moves(rules));
        let is_behind_otherwise = backdrop::settle(&mut self.backdrop, &rules[0]);
        self.holds_behind = backdrop::is_in_the_way(own, &self.backdrop, rules);
        has_tabs_otherwise
            || is_behind_otherwise
            || self.holds_behind
            || (moves != self.moves && self.placed.contains(&true))
    }

    /// Adds what the section has behind it on its page.
    pub(super) fn adjust(&self, values: &mut BTreeMap<Longhand, Vec<Option<String>>>) {
        backdrop::adjust(&self.backdrop, values);
        if self.holds_behind {
            let isolated = || vec![Some("isolate".to_owned()); self.backdrop.len()];
            values.entry(Longhand::Isolation).or_insert_with(isolated);
        }
        if !self.counted.is_empty() {
            let resets = values.entry(Longhand::CounterReset).or_insert_with(|| vec![None; self.shrinks.len()]);
            for own in resets {
                *own = Some(counters::reset(own.as_deref(), &self.counted));
            }
        }
        if self.pulled_out.iter().any(Option::is_some) {
            let widths: Vec<Option<String>> =
                self.pulled_out.iter().map(|px| px.map(|px| format!("calc(100% + {}px)", rounded(px)))).collect();
            let limits = widths.iter().map(|width| width.as_ref().map(|_| "100vw".to_owned())).collect();
            values.insert(Longhand::Width, widths);
            values.insert(Longhand::MaxWidth, limits);
        }
        if self.shrinks.contains(&true) {
            let limits = values.entry(Longhand::MaxWidth).or_insert_with(|| vec![None; self.shrinks.len()]);
            for (limit, _) in limits.iter_mut().zip(&self.shrinks).filter(|(_, shrinks)| **shrinks) {
                *limit = Some("100%".to_owned());
            }
        }
        if self.held_open.iter().any(Option::is_some) {
            let cells = values.entry(Longhand::MinWidth).or_insert_with(|| vec![None; self.held_open.len()]);
            for (cell, px) in cells.iter_mut().zip(&self.held_open) {
                *cell = px.map(|px| format!("{}px", rounded(px))).or_else(|| cell.take());
            }
        }
        for (cell, table) in self.tables.iter().enumerate() {
            let Some(table) = table else { continue };
            for (longhand, value) in [(Longhand::Width, "100%"), (Longhand::TableLayout, table.as_str())] {
                let cells = values.entry(longhand).or_insert_with(|| vec![None; self.tables.len()]);
                cells[cell] = (value != "auto").then(|| value.to_owned());
            }
        }
        for (longhand, heights) in [(Longhand::Height, &self.spanned), (Longhand::MinHeight, &self.filled)] {
            if heights.iter().all(Option::is_none) {
                continue;
            }
            let cells = values.entry(longhand).or_insert_with(|| vec![None; heights.len()]);
            for (cell, height) in cells.iter_mut().zip(heights).filter(|(_, height)| height.is_some()) {
                cell.clone_from(height);
            }
        }
    }
}

/// `1.2em` and `120%` are 1.2.
fn multiple(font_size: &str) -> Option<f64> {
    let em = font_size.strip_suffix("em").and_then(|number| number.parse().ok());
    em.or_else(|| percentage(font_size))
}

/// `50%` is 0.5.
fn percentage(value: &str) -> Option<f64> {
    Some(value.strip_suffix('%')?.trim().parse::<f64>().ok()? / 100.0)
}

fn rounded(number: f64) -> f64 {
    (number * 1_000.0).round() / 1_000.0
}

/// How the table lays out its columns of which a section is a row, when the table is as wide as what it is in. Such a row
/// is a table by itself; other rows are in one that is as narrow as they are, wherever they are.
fn table_of(row: &ComputedStyle, around: &[Specification]) -> Option<String> {
    let table = around.iter().map(|around| &*around.style).filter(|_| is_row(row)).find(|style| !is_row(style))?;
    let is_wide = table.get(Longhand::Display) == "table" && table.get(Longhand::Width) != "auto";
    is_wide.then(|| table.get(Longhand::TableLayout).to_owned())
}

fn is_row(style: &ComputedStyle) -> bool {
    matches!(
        style.get(Longhand::Display),
        "table-row" | "table-row-group" | "table-header-group" | "table-footer-group"
    )
}

/// What rows of a table have no use for.
fn is_of_no_row(longhand: Longhand, style: &ComputedStyle) -> bool {
    let name = longhand.name();
    let is_border = name.starts_with("border-") && (name.ends_with("-width") || name.ends_with("-style"));
    ["padding-", "margin-", "min-", "max-"].iter().any(|start| name.starts_with(start))
        || (is_border && style.get(Longhand::BorderCollapse) == "separate")
}

/// A computed width that is a share of the parent's.
fn is_share(computed: &str) -> bool {
    computed.contains('%')
        && !computed.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '%')).any(|part| part == "100%")
}

/// Whether a column that is put beside another is as wide as that leaves room for: `calc(100% - 240px)`.
fn is_rest(style: &ComputedStyle) -> bool {
    use Longhand as L;
    let is_beside = style.get(L::Float) != "none" || matches!(style.get(L::Position), "absolute" | "fixed");
    let other = style.get(L::Width).strip_prefix("calc(100% - ").and_then(|rest| rest.strip_suffix("px)"));
    is_beside && other.is_some_and(|px| px.parse::<f64>().is_ok())
}

/// In the middle of what it is in, whatever that is: with its margins it takes all the room, as it will elsewhere.
fn is_centred(style: &ComputedStyle) -> bool {
    use Longhand as L;
    let is_block = matches!(style.get(L::Display), "block" | "flow-root" | "flex" | "grid" | "list-item" | "table");
    is_block
        && style.get(L::Float) == "none"
        && matches!(style.get(L::Position), "static" | "relative" | "sticky")
        && style.get(L::MarginLeft) == "auto"
        && style.get(L::MarginRight) == "auto"
}

/// The height of a drawer or a bar that is fixed to the upper and the lower edge of the window. Without its offsets it
/// would be as high as its contents.
fn spanned_height(style: &ComputedStyle) -> Option<String> {
    use Longhand as L;
    if style.get(L::Position) != "fixed" || style.get(L::Height) != "auto" {
        return None;
    }
    height_but("100vh", style, [L::Top, L::Bottom, L::MarginTop, L::MarginBottom])
}

/// The height of a column that scrolls by itself, in a row of them.
fn column_height(style: &ComputedStyle, around: &[Specification]) -> Option<String> {
    use Longhand as L;
    let row = around.first().filter(|row| item::scrolls_within(style, &row.style))?;
    let whole = share_of_height("100%", around).filter(|_| row.get(L::Height).is_some())?;
    height_but(&whole, style, [L::MarginTop, L::MarginBottom])
}

/// The height that a section has at least as an item of what it is in. In pixels only where no window changes it.
fn given_height(own: &Specification, around: &[Specification], place: Option<usize>) -> Option<String> {
    use Longhand as L;
    let container = around.first()?;
    let follows = |of: &Specification, longhand: L| {
        of.get(longhand).is_some_and(|said| said.value.contains('%') || follows_window(&said.value))
    };
    let margins = [L::MarginTop, L::MarginBottom];
    match item::given_height(&own.style, &container.style, place)? {
        Given::Own(height) => (!follows(own, L::FlexBasis)).then_some(height),
        Given::Whole(_) if follows(container, L::GridTemplateRows) => None,
        Given::Whole(_) if follows(container, L::Height) => {
            let whole = share_of_height("100%", around).filter(|_| !item::has_edges_above(&container.style))?;
            height_but(&whole, &own.style, margins)
        }
        Given::Whole(height) => height_but(&height, &own.style, margins),
    }
}

/// The next place in a grid after an element, which takes the one at `at` if any. `None` where it is put elsewhere.
fn place_after(at: usize, style: Option<&ComputedStyle>) -> Option<usize> {
    use Longhand as L;
    let Some(style) = style.filter(|style| style.get(L::Display) != "none") else { return Some(at) };
    if matches!(style.get(L::Position), "absolute" | "fixed") {
        return Some(at);
    }
    let lines = [L::GridRowStart, L::GridRowEnd, L::GridColumnStart, L::GridColumnEnd];
    let is_usual = lines.into_iter().all(|line| style.get(line) == "auto") && style.get(L::Order) == "0";
    (is_usual && style.get(L::Display) != "contents").then_some(at + 1)
}

/// What the height of a section is a share of the heights of, from the nearest: nothing but the window for what is placed
/// against that.
fn placed_against<'s>(style: &ComputedStyle, around: &'s [Specification]) -> &'s [Specification] {
    let holds = |around: &Specification| around.style.get(Longhand::Position) != "static";
    match style.get(Longhand::Position) {
        "fixed" => &[],
        "absolute" => around.iter().position(holds).map_or(&[], |at| &around[at..]),
        _ => around,
    }
}

/// A share of the height around the section, when that is a length (CSS Sizing 3 §5.1): up to the window's own.
fn share_of_height(specified: &str, around: &[Specification]) -> Option<String> {
    let mut share = percentage(specified)?;
    for ancestor in around {
        let height = ancestor.get(Longhand::Height).map_or("auto", |height| height.value.as_str());
        match percentage(height) {
            Some(of_next) => share *= of_next,
            None => {
                let unit = height.find(|c: char| c.is_ascii_alphabetic())?;
                let number: f64 = height[..unit].parse().ok()?;
                return Some(format!("{}{}", rounded(number * share), &height[unit..]));
            }
        }
    }
    Some(format!("{}vh", rounded(100.0 * share)))
}

/// The least height of a body that fills the window with its margins (Quirks Mode, "the body element fills the html element quirk").
fn filled_height(style: &ComputedStyle) -> Option<String> {
    use Longhand as L;
    let is_free = style.get(L::Height) == "auto" && style.get(L::MaxHeight) == "none";
    let is_there = style.get(L::Float) == "none" && matches!(style.get(L::Position), "static" | "relative");
    let is_block = matches!(style.get(L::Display), "block" | "flow-root" | "flex" | "grid");
    if !is_free || !is_there || !is_block || !matches!(style.get(L::MinHeight), "auto" | "0px") {
        return None;
    }
    let margins = [L::MarginTop, L::MarginBottom].into_iter().filter(|margin| style.get(*margin) != "auto");
    height_but("100vh", style, margins)
}

/// A height, but for what takes up some of it: these lengths, and the section's own edges where they come on top.
fn height_but(whole: &str, style: &ComputedStyle, taken: impl IntoIterator<Item = Longhand>) -> Option<String> {
    use Longhand as L;
    let edges = item::EDGES_ABOVE.into_iter().filter(|_| style.get(L::BoxSizing) == "content-box");
    let taken = taken.into_iter().chain(edges).map(|longhand| value::px(style, longhand)).sum::<Option<f64>>()?;
    Some(if taken == 0.0 { whole.to_owned() } else { format!("calc({whole} - {}px)", rounded(taken)) })
}

/// How much wider than its container a block is because of negative margins. Without them it begins where the container
/// does; the width can be had all the same, up to that of the window.
fn pulled_out_by(style: &ComputedStyle) -> Option<f64> {
    use Longhand as L;
    let margins = [L::MarginLeft, L::MarginRight].into_iter().filter_map(|margin| value::px(style, margin));
    let sum: f64 = margins.filter(|px| *px < 0.0).sum();
    let fills = style.get(L::Width) == "auto" && style.get(L::MaxWidth) == "none" && held_open::is_wide(style);
    (sum < 0.0 && fills && held_open::is_whole(style)).then_some(-sum)
}

/// Whether the section reads light or dark: by the theme that the page's root declares, else by what is behind its text,
/// else by what the section itself declares.
fn theme(resolver: &Resolver<'_>, inherited: &[Vec<Specification>]) -> Option<Theme> {
    let cell = resolver.grid.desktop();
    let order = resolver.order;
    let own = &resolver.computed[0][cell];
    let metadata = order.index.supported_schemes();
    let root = inherited[cell].last().map_or("normal", |root| root.style.get(Longhand::ColorScheme));
    if let Some(declared) = order.root_theme.declared(root, metadata, order.scheme) {
        return Some(theme_of(declared));
    }
    let canvas = canvas_scheme(&inherited[cell], own);
    let around = inherited[cell].iter().map(|ancestor| &*ancestor.style);
    if let Some(ground) = ground(std::iter::once(&**own).chain(around)) {
        let seen = ground.over(Layer::canvas(canvas));
        return Some(if seen.lightness() < 0.5 { Theme::Dark } else { Theme::Light });
    }
    let declares = own.get(Longhand::ColorScheme) != "normal" || metadata != SupportedSchemes::default();
    let unpainted = order.root_theme.unpainted(root, metadata);
    unpainted.or(declares.then_some(canvas)).map(theme_of)
}

fn has_tab(element: &Element) -> bool {
    element.children.iter().any(|child| matches!(child, Child::Text(text) if text.contains('\t')))
}

fn contents(resolver: &Resolver<'_>) -> Contents {
    let mut found = Contents::default();
    for element in &resolver.skeleton.elements {
        found.lists |= matches!(element.tag.as_str(), "li" | "summary" | "ul" | "ol");
        found.tables |= element.tag == "table";
        found.svg |= element.namespace == Namespace::Svg;
        found.tabs |= has_tab(element);
    }
    found
}
