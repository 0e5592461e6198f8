//! The root of a component: values that it takes over from its ancestors on the page, and values that are specific to
//! its position on the page and are dropped.

pub(super) mod ancestor_background;
mod box_edges;
pub(super) mod centering_transform;
pub(super) mod containing_block;
pub(super) mod flex_grid_item;
pub(super) mod formatting_context;
pub(super) mod implied_min_width;
mod implied_sizes;
mod positioned_background;
pub(super) mod sticky;
mod theme;

use self::ancestor_background::AncestorBackground;
use self::centering_transform::TransformUse;
use self::implied_sizes::{
    ImpliedSizes, Neighbours, percentage, percentage_height_chain, resolve_height_share, rounded,
};
use self::positioned_background::positioned_backgrounds;
use super::context::SectionContext;
use super::diff::rem_scaling::is_viewport_relative;
use super::diff::style_pair::RequiredValues;
use super::diff::value_text;
use super::environments::{EnvId, EnvMap};
use super::flow::Flow;
use super::{counters, off_canvas};
use limner_component_model::model::{Child, Element, Namespace, Rule};
use limner_page::NodeId;
use limner_style::computed::{BorderCollapse, Display};
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
        let neighbours = Neighbours::of_section(context, &ancestors);
        let implied = |env| ImpliedSizes::from_ancestors(context, &mut page_styles[env], &neighbours, env);
        let (sizes, inherited): (Vec<_>, Vec<_>) = context.environments.envs().map(implied).unzip();
        let inherited: EnvMap<Vec<SpecifiedStyle>> = inherited.into_iter().collect();
        let mut is_positioned: EnvMap<bool> =
            context.computed[0].iter().map(|style| style.is_absolutely_positioned()).collect();
        let is_outside = |env: EnvId| {
            off_canvas::is_off_canvas(&context.computed[0][env], context.environments.environment(env).width)
        };
        let outside = context.environments.map(is_outside);
        if outside.contains(&false) {
            is_positioned.iter_mut().zip(&outside).for_each(|(placed, is_outside)| *placed &= !is_outside);
        }
        let positioned = positioned_backgrounds(context, &ancestors, &inherited, page_styles);
        let backdrop = ancestor_background::ancestor_backgrounds(context, &ancestors, &inherited, &positioned);
        let theme = theme::theme(context, &inherited, positioned[context.environments.desktop()].as_ref());
        let is_hidden = context.computed[0].iter().all(|style| style.display() == Display::None);
        let mut has = contents(context);
        has.tables |= sizes.iter().any(|own| own.table.is_some());
        Self {
            inherited,
            backdrop,
            isolates_background: false,
            negative_margin_width: sizes.iter().map(|own| own.negative_margin_width.clone()).collect(),
            min_width: sizes.iter().map(|own| own.min_width).collect(),
            viewport_height: sizes.iter().map(|own| own.viewport_height.clone()).collect(),
            shrinks_to_width: sizes.iter().map(|own| own.shrinks_to_width).collect(),
            min_height: sizes.iter().map(|own| own.min_height.clone()).collect(),
            tables: sizes.into_iter().map(|own| own.table).collect(),
            is_positioned,
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
