//! The root of a component: values that it takes over from its ancestors on the page, and values that are specific to
//! its position on the page and are dropped.

pub(super) mod ancestor_background;
mod box_edges;
pub(super) mod centering_transform;
pub(super) mod containing_block;
pub(super) mod flex_grid_item;
pub(super) mod formatting_context;
pub(super) mod implied_min_width;
mod positioned_background;
pub(super) mod sticky;
mod theme;

use self::ancestor_background::AncestorBackground;
use self::centering_transform::TransformUse;
use self::flex_grid_item::ImpliedHeight;
use self::positioned_background::positioned_backgrounds;
use super::context::SectionContext;
use super::diff::rem_scaling::is_viewport_relative;
use super::diff::style_pair::RequiredValues;
use super::diff::{value_equivalence, value_reader, value_text};
use super::environments::{EnvId, EnvMap};
use super::flow::Flow;
use super::{counters, off_canvas};
use limner_component_model::model::{Child, Element, Namespace, Rule};
use limner_page::NodeId;
use limner_page::dom::QuirksMode;
use limner_style::computed::{BorderCollapse, BoxSizing, Display, Position};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Origin, SpecifiedStyle, SpecifiedValue, Styles};
use limner_types::Theme;

/// Facts about the root on its page.
pub(super) struct RootContext {
    /// Specified values of the ancestors, the nearest first.
    inherited: EnvMap<Vec<SpecifiedStyle>>,
    /// The background behind the section, if it differs from that of an empty page.
    backdrop: EnvMap<AncestorBackground>,
    /// The width of a root that negative margins make wider than its containing block.
    negative_margin_width: EnvMap<Option<String>>,
    /// True if a descendant is painted behind all others, and would be painted behind the section's background, too.
    isolates_background: bool,
    /// The minimum width in pixels that ancestors impose, if the viewport may be narrower.
    min_width: EnvMap<Option<f64>>,
    /// The height between the root's offsets from the viewport's edges, or the height of a row of columns that is as
    /// high as the viewport.
    viewport_height: EnvMap<Option<String>>,
    /// True if the root is narrower than its declared width where there is less room.
    shrinks_to_width: EnvMap<bool>,
    /// The minimum height, if the root fills the viewport or its container gives it a height.
    min_height: EnvMap<Option<String>>,
    /// The `table-layout` of the table of which the root is a row, if the table is as wide as its containing block.
    tables: EnvMap<Option<String>>,
    /// True if the root is absolutely positioned, and within the viewport.
    is_positioned: EnvMap<bool>,
    /// The purpose of the root's transforms other than centring.
    transform_use: TransformUse,
    pub(super) theme: Option<Theme>,
    /// True if the root has `display: none` at every width: a script shows it on the page, and the component has no
    /// script.
    is_hidden: bool,
    /// Counters and their values before the section.
    pub(super) counters: Vec<(String, i64)>,
    has: ContentFlags,
}

/// Features of the contents to which some inherited properties apply.
#[derive(Debug, Clone, Copy, Default)]
struct ContentFlags {
    lists: bool,
    tables: bool,
    svg: bool,
    tabs: bool,
}

impl RootContext {
    /// Determines the facts from the styles of the section and of its ancestors. `page_styles` are those of the page.
    pub(super) fn from_section(context: &SectionContext<'_>, page_styles: &mut EnvMap<Styles<'_>>) -> Self {
        let document = &context.view.document;
        let section = context.tree.origins[0].node;
        let ancestors: Vec<NodeId> =
            document.ancestors(section).filter(|node| document.element(*node).is_some()).collect();
        let mut inherited = Vec::new();
        let mut is_positioned = Vec::new();
        let mut negative_margin_widths = Vec::new();
        let (mut viewport_height, mut shrinks_to_width) = (Vec::new(), Vec::new());
        let mut min_width = Vec::new();
        let mut min_height = Vec::new();
        let mut tables = Vec::new();
        let parent = document.parent(section).into_iter();
        let earlier_siblings: Vec<NodeId> = parent
            .flat_map(|parent| document.child_elements(parent))
            .map(|(node, _)| node)
            .take_while(|node| *node != section)
            .collect();
        let fills_viewport = document.quirks_mode() == QuirksMode::Quirks && document.body() == Some(section);
        for env in context.environments.envs() {
            let base = &context.view.base;
            let styles = &mut page_styles[env];
            let specifications: Vec<SpecifiedStyle> =
                ancestors.iter().filter_map(|node| styles.specified(*node, None, base, &|_| None)).collect();
            negative_margin_widths.push(negative_margin_width(&context.computed[0][env]));
            let own = &context.computed[0][env];
            let height = spanned_height(own).or_else(|| column_height(own, &specifications));
            let container = specifications.first().map(|parent| &*parent.style);
            shrinks_to_width.push(container.is_some_and(|parent| flex_grid_item::shrinks_below_width(own, parent)));
            let fills = filled_height(own).filter(|_| fills_viewport);
            let in_grid = container.is_some_and(|parent| parent.display().is_grid_container());
            let items = earlier_siblings.iter().filter(|_| in_grid).map(|node| styles.get(*node));
            let place = items.into_iter().try_fold(0, |at, style| next_grid_slot(at, style.as_deref()));
            let itself = styles.specified(section, None, base, &|_| None);
            // A column that scrolls in its row already has a height, and no more than that.
            let given = || implied_min_height(itself.as_ref()?, &specifications, place).filter(|_| height.is_none());
            min_height.push(fills.or_else(given));
            viewport_height.push(height);
            let table = table_layout_of_row(&context.computed[0][env], &specifications);
            // A row that becomes a table is as wide as the table it was in.
            let mut ancestor_styles = specifications.iter().map(|ancestor| &*ancestor.style);
            let wide = if table.is_some() { ancestor_styles.find(|ancestor| !is_row(ancestor)) } else { None };
            let wide = wide.unwrap_or(&*context.computed[0][env]);
            min_width.push(implied_min_width::implied_min_width(
                ancestor_styles,
                wide,
                context.environments.narrowest(env),
            ));
            tables.push(table);
            is_positioned.push(context.computed[0][env].is_absolutely_positioned());
            inherited.push(specifications);
        }
        let is_outside = |env: EnvId| {
            off_canvas::is_off_canvas(&context.computed[0][env], context.environments.environment(env).width)
        };
        let outside = context.environments.map(is_outside);
        if outside.contains(&false) {
            is_positioned.iter_mut().zip(&outside).for_each(|(placed, is_outside)| *placed &= !is_outside);
        }
        let inherited: EnvMap<Vec<SpecifiedStyle>> = inherited.into_iter().collect();
        let positioned = positioned_backgrounds(context, &ancestors, &inherited, page_styles);
        let backdrop = ancestor_background::ancestor_backgrounds(context, &ancestors, &inherited, &positioned);
        let theme = theme::theme(context, &inherited, positioned[context.environments.desktop()].as_ref());
        let is_hidden = context.computed[0].iter().all(|style| style.display() == Display::None);
        let mut has = contents(context);
        has.tables |= tables.iter().any(Option::is_some);
        Self {
            inherited,
            backdrop,
            isolates_background: false,
            negative_margin_width: negative_margin_widths.into_iter().collect(),
            min_width: min_width.into_iter().collect(),
            viewport_height: viewport_height.into_iter().collect(),
            shrinks_to_width: shrinks_to_width.into_iter().collect(),
            min_height: min_height.into_iter().collect(),
            tables: tables.into_iter().collect(),
            is_positioned: is_positioned.into_iter().collect(),
            transform_use: TransformUse::None,
            theme,
            is_hidden,
            counters: Vec::new(),
            has,
        }
    }

    /// Iterates over the specified values of the ancestors, in every environment.
    pub(super) fn ancestor_specifications(&self) -> impl Iterator<Item = &SpecifiedStyle> {
        self.inherited.iter().flatten()
    }

    /// Returns the root's value for a longhand that differs from an unstyled root's; `None`: no declaration.
    pub(super) fn value(&self, longhand: Longhand, env: EnvId, own: &SpecifiedStyle) -> Option<String> {
        if self.is_page_specific(longhand, env, own) {
            return None;
        }
        if longhand == Longhand::Position && self.is_positioned[env] {
            return Some("relative".to_owned());
        }
        if let Some(rest) = self.strip_centering(longhand, env, &own.style) {
            return Some(rest).filter(|rest| rest != "none");
        }
        if longhand == Longhand::Display && self.tables[env].is_some() {
            return Some("table".to_owned());
        }
        if let Some(size) = self.fluid_font_size(env, own).filter(|_| longhand == Longhand::FontSize) {
            return Some(size);
        }
        let declared = own.get(longhand).filter(|declared| declared.origin != Origin::UserAgent);
        let is_height = matches!(longhand, Longhand::Height | Longhand::MinHeight | Longhand::MaxHeight);
        if let Some(share) = declared.filter(|own| is_height && own.value.contains('%')) {
            return resolve_height_share(&share.value, percentage_height_chain(&own.style, &self.inherited[env]));
        }
        if let Some(declared) = declared.filter(|declared| declared.value != "inherit") {
            let changed = matches!(longhand, Longhand::Display)
                || (longhand.is_inherited() && !value_text::is_portable(&declared.value));
            let as_declared = || value_text::declared(declared, &own.style);
            return Some(if changed { value_text::computed(&own.style, longhand) } else { as_declared() });
        }
        // Values from the browser's stylesheet for the element itself (a button, for example) are not inherited.
        if longhand.is_inherited() && own.get(longhand).is_none_or(|declared| declared.value == "inherit") {
            return Some(self.inherited(longhand, env, own));
        }
        Some(value_text::computed(&own.style, longhand))
    }

    /// Returns a transform without its centring part; `None` if it has no such part, or has to keep it.
    fn strip_centering(&self, longhand: Longhand, env: EnvId, style: &ComputedStyle) -> Option<String> {
        let is_moving = matches!(longhand, Longhand::Transform | Longhand::Translate);
        if !is_moving || !self.is_positioned[env] || self.transform_use == TransformUse::Later {
            return None;
        }
        let rest = centering_transform::strip_centering(style, longhand)?;
        let holds = self.transform_use == TransformUse::Holds && rest == "none";
        Some(match longhand {
            Longhand::Transform if holds => "translate(0px)".to_owned(),
            _ if holds => "0px".to_owned(),
            _ => rest,
        })
    }

    /// Returns an inherited value as the nearest ancestor that declares it specifies it.
    fn inherited(&self, longhand: Longhand, env: EnvId, own: &SpecifiedStyle) -> String {
        let computed = || value_text::computed(&own.style, longhand);
        for ancestor in &self.inherited[env] {
            let Some(declared) = ancestor.get(longhand) else { continue };
            if declared.value == "inherit" {
                continue;
            }
            let same = ancestor.style.get(longhand) == own.style.get(longhand) || longhand == Longhand::LineHeight;
            let means_the_same = value_text::is_portable(&declared.value)
                || self.tracks_ancestor_font_size(ancestor, declared, env, own);
            let usable = declared.origin != Origin::UserAgent && same && means_the_same;
            return if usable { value_text::declared(declared, &own.style) } else { computed() };
        }
        computed()
    }

    /// Returns true if an ancestor's value is a multiple of its font size, and that font size is the section's as well
    /// and follows the viewport.
    fn tracks_ancestor_font_size(
        &self,
        ancestor: &SpecifiedStyle,
        said: &SpecifiedValue,
        env: EnvId,
        own: &SpecifiedStyle,
    ) -> bool {
        let sizes = std::iter::once(own).chain(&self.inherited[env]).filter_map(|one| one.get(Longhand::FontSize));
        let size = sizes.map(|size| size.value.as_str()).find(|size| *size != "inherit");
        multiple(&said.value).is_some()
            && ancestor.style.get(Longhand::FontSize) == own.style.get(Longhand::FontSize)
            && size.is_some_and(is_viewport_relative)
    }

    /// Returns a font size that is a multiple of an ancestor's font size which follows the viewport.
    fn fluid_font_size(&self, env: EnvId, own: &SpecifiedStyle) -> Option<String> {
        let mut factor = 1.0;
        for element in std::iter::once(own).chain(&self.inherited[env]) {
            let Some(declared) = element.get(Longhand::FontSize).map(|own| own.value.as_str()) else { continue };
            match multiple(declared) {
                _ if declared == "inherit" => {}
                Some(times) => factor *= times,
                None => {
                    let is_fluid = factor != 1.0 && is_viewport_relative(declared) && value_text::is_portable(declared);
                    return is_fluid.then(|| format!("calc({} * {declared})", (factor * 1e6).round() / 1e6));
                }
            }
        }
        None
    }

    /// Returns the style of the section's parent.
    fn container(&self, env: EnvId) -> Option<&ComputedStyle> {
        self.inherited[env].first().map(|parent| &*parent.style)
    }

    /// Returns true if a value is specific to the section's position on the page, or applies to features that the
    /// section does not have.
    fn is_page_specific(&self, longhand: Longhand, env: EnvId, own: &SpecifiedStyle) -> bool {
        use Longhand as L;
        let style = &own.style;
        if self.tables[env].is_some() && does_not_apply_to_rows(longhand, style) {
            return true;
        }
        match longhand {
            L::Float | L::Clear | L::WebkitTapHighlightColor | L::TextSizeAdjust => true,
            L::Top | L::Right | L::Bottom | L::Left => self.is_positioned[env],
            L::Display => self.is_hidden,
            L::JustifySelf => true,
            L::MinWidth | L::MinHeight if style.get(longhand) == "auto" => true,
            L::Width
                if self.container(env).is_some_and(|parent| flex_grid_item::fills_remaining_space(style, parent)) =>
            {
                true
            }
            L::Width if fills_remaining_width(style) => true,
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

    /// Updates the facts that depend on the rules of all elements, and on which white space is preserved. Returns true
    /// if the root's rules have to be computed again.
    pub(super) fn apply_rules(
        &mut self,
        own: &ComputedStyle,
        rules: &[Vec<Rule>],
        elements: &[Element],
        flow: &[Flow],
    ) -> bool {
        let shows_tab = |(element, flow): (&Element, &Flow)| flow.preserves_whitespace && has_tab(element);
        let tabs = self.has.tabs && elements.iter().zip(flow).any(shows_tab);
        let has_tabs_otherwise = std::mem::replace(&mut self.has.tabs, tabs) != tabs;
        let moves = std::mem::replace(&mut self.transform_use, centering_transform::transform_use(rules));
        let is_behind_otherwise = ancestor_background::discard_dynamic(&mut self.backdrop, &rules[0]);
        self.isolates_background = ancestor_background::blocks_background(own, &self.backdrop, rules);
        has_tabs_otherwise
            || is_behind_otherwise
            || self.isolates_background
            || (moves != self.transform_use && self.is_positioned.contains(&true))
    }

    /// Adds the values that reproduce the root's context on the page: backgrounds, counters, widths and heights.
    pub(super) fn adjust(&self, values: &mut RequiredValues) {
        ancestor_background::adjust(&self.backdrop, values);
        if self.isolates_background {
            let isolated = || self.backdrop.filled(Some("isolate".to_owned()));
            values.entry(Longhand::Isolation).or_insert_with(isolated);
        }
        if !self.counters.is_empty() {
            let resets = values.entry(Longhand::CounterReset).or_insert_with(|| self.shrinks_to_width.filled(None));
            for own in resets.iter_mut() {
                *own = Some(counters::reset(own.as_deref(), &self.counters));
            }
        }
        if self.negative_margin_width.iter().any(Option::is_some) {
            let widths = &self.negative_margin_width;
            let limits = widths.iter().map(|width| width.as_ref().map(|_| "100vw".to_owned())).collect();
            values.insert(Longhand::Width, widths.iter().cloned().collect());
            values.insert(Longhand::MaxWidth, limits);
        }
        if self.shrinks_to_width.contains(&true) {
            let limits = values.entry(Longhand::MaxWidth).or_insert_with(|| self.shrinks_to_width.filled(None));
            for (limit, _) in limits.iter_mut().zip(&self.shrinks_to_width).filter(|(_, shrinks)| **shrinks) {
                *limit = Some("100%".to_owned());
            }
        }
        if self.min_width.iter().any(Option::is_some) {
            let widths = values.entry(Longhand::MinWidth).or_insert_with(|| self.min_width.filled(None));
            for (width, px) in widths.iter_mut().zip(&self.min_width) {
                *width = px.map(|px| format!("{}px", rounded(px))).or_else(|| width.take());
            }
        }
        for (env, table) in self.tables.entries() {
            let Some(table) = table else { continue };
            for (longhand, value) in [(Longhand::Width, "100%"), (Longhand::TableLayout, table.as_str())] {
                let values = values.entry(longhand).or_insert_with(|| self.tables.filled(None));
                values[env] = (value != "auto").then(|| value.to_owned());
            }
        }
        for (longhand, heights) in [(Longhand::Height, &self.viewport_height), (Longhand::MinHeight, &self.min_height)]
        {
            if heights.iter().all(Option::is_none) {
                continue;
            }
            let values = values.entry(longhand).or_insert_with(|| heights.filled(None));
            for (value, height) in values.iter_mut().zip(heights).filter(|(_, height)| height.is_some()) {
                value.clone_from(height);
            }
        }
    }
}

/// Parses a multiple of the font size: `1.2em` and `120%` are 1.2.
fn multiple(font_size: &str) -> Option<f64> {
    let em = font_size.strip_suffix("em").and_then(|number| number.parse().ok());
    em.or_else(|| percentage(font_size))
}

/// Parses a percentage: `50%` is 0.5.
fn percentage(value: &str) -> Option<f64> {
    Some(value.strip_suffix('%')?.trim().parse::<f64>().ok()? / 100.0)
}

fn rounded(number: f64) -> f64 {
    (number * 1_000.0).round() / 1_000.0
}

/// Returns the `table-layout` of the table of which the section is a row, if that table is as wide as its containing
/// block. Such a row becomes a table itself. In any document other rows get an anonymous table that is as narrow as
/// they are.
fn table_layout_of_row(row: &ComputedStyle, ancestors: &[SpecifiedStyle]) -> Option<String> {
    let table =
        ancestors.iter().map(|ancestor| &*ancestor.style).filter(|_| is_row(row)).find(|style| !is_row(style))?;
    let is_wide = table.display() == Display::Table && table.get(Longhand::Width) != "auto";
    is_wide.then(|| table.table_layout().as_str().to_owned())
}

fn is_row(style: &ComputedStyle) -> bool {
    use Display as D;
    matches!(style.display(), D::TableRow | D::TableRowGroup | D::TableHeaderGroup | D::TableFooterGroup)
}

/// Returns true for properties that do not apply to rows of a table.
fn does_not_apply_to_rows(longhand: Longhand, style: &ComputedStyle) -> bool {
    let name = longhand.name();
    let is_border = name.starts_with("border-") && (name.ends_with("-width") || name.ends_with("-style"));
    ["padding-", "margin-", "min-", "max-"].iter().any(|start| name.starts_with(start))
        || (is_border && style.border_collapse() == BorderCollapse::Separate)
}

/// Returns true for a computed width that is a percentage of the parent's, other than 100%.
fn is_share(computed: &str) -> bool {
    computed.contains('%')
        && !computed.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '%')).any(|part| part == "100%")
}

/// Returns true for a column next to another one that takes the remaining width: `calc(100% - 240px)`.
fn fills_remaining_width(style: &ComputedStyle) -> bool {
    use Longhand as L;
    let other = style.get(L::Width).strip_prefix("calc(100% - ").and_then(|rest| rest.strip_suffix("px)"));
    style.is_out_of_flow() && other.is_some_and(|px| px.parse::<f64>().is_ok())
}

/// Returns true for a block that is centred in its containing block by its margins: with them it fills the width of any
/// other containing block as well.
fn is_centred(style: &ComputedStyle) -> bool {
    use Longhand as L;
    style.display().is_block_level()
        && style.is_in_flow()
        && style.get(L::MarginLeft) == "auto"
        && style.get(L::MarginRight) == "auto"
}

/// Returns the height of a drawer or a bar that is fixed to the upper and the lower edge of the viewport. Without its
/// offsets it would be as high as its contents.
fn spanned_height(style: &ComputedStyle) -> Option<String> {
    use Longhand as L;
    if style.position() != Position::Fixed || style.get(L::Height) != "auto" {
        return None;
    }
    height_minus("100vh", style, [L::Top, L::Bottom, L::MarginTop, L::MarginBottom])
}

/// Returns the height of a column that scrolls by itself in a row of columns.
fn column_height(style: &ComputedStyle, ancestors: &[SpecifiedStyle]) -> Option<String> {
    use Longhand as L;
    let row = ancestors.first().filter(|row| flex_grid_item::scrolls_in_container(style, &row.style))?;
    let whole = resolve_height_share("100%", ancestors).filter(|_| row.get(L::Height).is_some())?;
    height_minus(&whole, style, [L::MarginTop, L::MarginBottom])
}

/// Returns the minimum height that the section's container gives it. In pixels only where it does not depend on the
/// viewport.
fn implied_min_height(own: &SpecifiedStyle, ancestors: &[SpecifiedStyle], place: Option<usize>) -> Option<String> {
    use Longhand as L;
    let container = ancestors.first()?;
    let follows = |of: &SpecifiedStyle, longhand: L| {
        of.get(longhand).is_some_and(|said| said.value.contains('%') || is_viewport_relative(&said.value))
    };
    let margins = [L::MarginTop, L::MarginBottom];
    match flex_grid_item::implied_height(&own.style, &container.style, place)? {
        ImpliedHeight::SpecifiedHeight(height) => (!follows(own, L::FlexBasis)).then_some(height),
        ImpliedHeight::MarginBoxHeight(_) if follows(container, L::GridTemplateRows) => None,
        ImpliedHeight::MarginBoxHeight(_) if follows(container, L::Height) => {
            let whole = resolve_height_share("100%", ancestors)
                .filter(|_| !flex_grid_item::has_edges_above(&container.style))?;
            height_minus(&whole, &own.style, margins)
        }
        ImpliedHeight::MarginBoxHeight(height) => height_minus(&height, &own.style, margins),
    }
}

/// Returns the next position in a grid after an element, which takes position `at` unless it is out of flow or not
/// rendered. `None` if the element is placed elsewhere.
fn next_grid_slot(at: usize, style: Option<&ComputedStyle>) -> Option<usize> {
    use Longhand as L;
    let Some(style) = style.filter(|style| style.display() != Display::None) else { return Some(at) };
    if style.is_absolutely_positioned() {
        return Some(at);
    }
    let lines = [L::GridRowStart, L::GridRowEnd, L::GridColumnStart, L::GridColumnEnd];
    let is_usual = lines.into_iter().all(|line| style.get(line) == "auto") && style.get(L::Order) == "0";
    (is_usual && style.display() != Display::Contents).then_some(at + 1)
}

/// Returns the ancestors, from the nearest, that a percentage of the section's height may refer to; none for a section
/// that is positioned against the viewport.
fn percentage_height_chain<'s>(style: &ComputedStyle, ancestors: &'s [SpecifiedStyle]) -> &'s [SpecifiedStyle] {
    let holder = match style.position() {
        Position::Fixed => ancestors.iter().position(|ancestor| ancestor.style.is_containing_block_for_fixed()),
        Position::Absolute => ancestors.iter().position(|ancestor| ancestor.style.is_containing_block_for_absolute()),
        _ => Some(0),
    };
    holder.map_or(&[], |at| &ancestors[at..])
}

/// Resolves a percentage of the parent's height when that is a length (CSS Sizing 3 §5.1), or a percentage of a length,
/// up to the viewport's height.
fn resolve_height_share(specified: &str, ancestors: &[SpecifiedStyle]) -> Option<String> {
    let mut share = percentage(specified)?;
    for ancestor in ancestors {
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

/// Returns the minimum height of a body that fills the viewport with its margins (Quirks Mode, "the body element fills
/// the html element quirk").
fn filled_height(style: &ComputedStyle) -> Option<String> {
    use Longhand as L;
    let is_free = style.get(L::Height) == "auto" && style.get(L::MaxHeight) == "none";
    let is_there = !style.is_floating() && matches!(style.position(), Position::Static | Position::Relative);
    let is_block = matches!(style.display(), Display::Block | Display::FlowRoot | Display::Flex | Display::Grid);
    if !is_free || !is_there || !is_block || !matches!(style.get(L::MinHeight), "auto" | "0px") {
        return None;
    }
    let margins = [L::MarginTop, L::MarginBottom].into_iter().filter(|margin| style.get(*margin) != "auto");
    height_minus("100vh", style, margins)
}

/// Subtracts lengths from a height: those in `taken`, and the section's padding and borders if they are not part of its
/// height.
fn height_minus(whole: &str, style: &ComputedStyle, taken: impl IntoIterator<Item = Longhand>) -> Option<String> {
    let edges = flex_grid_item::EDGES_ABOVE.into_iter().filter(|_| style.box_sizing() == BoxSizing::ContentBox);
    let taken =
        taken.into_iter().chain(edges).map(|longhand| value_reader::px(style, longhand)).sum::<Option<f64>>()?;
    Some(if taken == 0.0 { whole.to_owned() } else { format!("calc({whole} - {}px)", rounded(taken)) })
}

/// Returns the width of a block that negative margins make wider than its containing block. The component drops the
/// margins, but can have this width, up to the viewport's.
fn negative_margin_width(style: &ComputedStyle) -> Option<String> {
    use Longhand as L;
    if style.get(L::Width) != "auto" || !box_edges::is_border_box_size(style) {
        return None;
    }
    if value_equivalence::breaks_out(style) {
        return Some("100vw".to_owned());
    }
    if style.get(L::MaxWidth) != "none" {
        return None;
    }
    let margins = [L::MarginLeft, L::MarginRight].into_iter().filter_map(|margin| value_reader::px(style, margin));
    let sum: f64 = margins.filter(|px| *px < 0.0).sum();
    (sum < 0.0 && implied_min_width::fills_container(style)).then(|| format!("calc(100% + {}px)", rounded(-sum)))
}

fn has_tab(element: &Element) -> bool {
    element.children.iter().any(|child| matches!(child, Child::Text(text) if text.contains('\t')))
}

/// Determines the features of the section's contents.
fn contents(context: &SectionContext<'_>) -> ContentFlags {
    let mut found = ContentFlags::default();
    for element in &context.tree.elements {
        found.lists |= matches!(element.tag.as_str(), "li" | "summary" | "ul" | "ol");
        found.tables |= element.tag == "table";
        found.svg |= element.namespace == Namespace::Svg;
        found.tabs |= has_tab(element);
    }
    found
}
