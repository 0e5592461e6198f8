//! Records the uses of each colour on the page and their amounts, the evidence for colour roles.

use super::background_layers::{BackgroundLayer, LayerFill};
use super::call_to_action::{button_weight, is_icon};
use super::color::{Rgba, colors_in};
use super::framework_colors;
use super::metadata::DeclaredColor;
use super::page_regions::RegionFlags;
use super::platform_buttons::is_platform_button;
use super::rendered_page::{RenderedPage, VisibleElement};
use super::status_pills::is_pill;
use super::variable_colors::{variable_color, variable_weight};
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A use of a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ColorUse {
    /// Fills a call to action, or outlines it.
    Button,
    /// Text of a link inside running text.
    Link,
    /// Text of the navigation's link to the page shown.
    CurrentLink,
    /// Text of a heading.
    Heading,
    /// Any other text.
    Text,
    /// The background of the site's header.
    Header,
    /// The background of another element.
    Surface,
    Border,
    /// A small inline SVG.
    Icon,
    Logo,
    /// A custom property named brand or primary.
    BrandVariable,
    /// A custom property named accent, theme, link or similar.
    OtherVariable,
    /// `meta name=theme-color`, the manifest's `theme_color`, the colour of a mask icon or tile.
    ThemeColor,
    /// The background of selected text (`::selection`).
    Selection,
    /// The background of highlighted text (`mark`), which says nothing about the brand.
    Highlight,
    /// Set by the rules of a client-rendered page.
    StylesheetRule,
}

impl ColorUse {
    /// Returns the word in `palette[].roles`.
    pub(super) fn role_name(self) -> Option<&'static str> {
        Some(match self {
            Self::Button => "button",
            Self::Link | Self::CurrentLink => "link",
            Self::Heading => "heading",
            Self::Text => "text",
            Self::Header | Self::Surface | Self::Highlight => "surface",
            Self::Border => "border",
            Self::Icon => "icon",
            Self::Logo => "logo",
            Self::ThemeColor => "theme-color",
            Self::BrandVariable | Self::OtherVariable | Self::Selection | Self::StylesheetRule => return None,
        })
    }
}

/// A colour and its recorded uses.
#[derive(Debug, Clone)]
pub(super) struct ColorUsage {
    pub(super) color: Rgba,
    /// Number of elements that show it.
    pub(super) count: usize,
    /// Share of the page's area.
    pub(super) area: f64,
    /// Amount of each use, in a unit that depends on the use.
    pub(super) uses: BTreeMap<ColorUse, f64>,
    pub(super) properties: BTreeSet<&'static str>,
    /// The custom property with the most specific name for it.
    pub(super) variable: Option<String>,
    /// The declaration of it in metadata with the largest weight, in words.
    pub(super) in_metadata: Option<&'static str>,
    /// Number of uses in status messages: errors, success.
    states: usize,
    /// Number of uses that only the user agent's stylesheet makes.
    unauthored: usize,
    /// Amount of each use in status pills and highlighted text.
    in_labels: BTreeMap<ColorUse, f64>,
}

impl ColorUsage {
    pub(super) fn new(color: Rgba) -> Self {
        Self {
            color,
            count: 0,
            area: 0.0,
            uses: BTreeMap::new(),
            properties: BTreeSet::new(),
            variable: None,
            in_metadata: None,
            states: 0,
            unauthored: 0,
            in_labels: BTreeMap::new(),
        }
    }

    pub(super) fn amount(&self, kind: ColorUse) -> f64 {
        self.uses.get(&kind).copied().unwrap_or(0.0)
    }

    pub(super) fn is_painted(&self) -> bool {
        self.count > 0 || self.area > 0.0
    }

    /// Returns true if most of its uses are in status messages.
    pub(super) fn is_mostly_status(&self) -> bool {
        self.states * 2 > self.count
    }

    /// Returns true if a use of it shows a brand rather than a part of the page: on a button, in the logo, in metadata.
    pub(super) fn stands_for_brand(&self) -> bool {
        const OF_BRAND: &[ColorUse] =
            &[ColorUse::Button, ColorUse::Header, ColorUse::Logo, ColorUse::BrandVariable, ColorUse::ThemeColor];
        OF_BRAND.iter().any(|kind| self.amount(*kind) > 0.0)
    }

    /// Returns true if it only marks words of a text.
    pub(super) fn is_highlight(&self) -> bool {
        let marks = |kind: &ColorUse| matches!(kind, ColorUse::Selection | ColorUse::Highlight);
        self.uses.contains_key(&ColorUse::Highlight) && self.uses.keys().all(marks)
    }

    /// Returns true if only the browser chose it.
    pub(super) fn is_user_agent_only(&self) -> bool {
        self.count > 0 && self.unauthored == self.count && self.variable.is_none() && self.in_metadata.is_none()
    }

    /// Returns the colour without its uses in status pills and highlighted text.
    pub(super) fn outside_labels(&self) -> Self {
        let mut outside = self.clone();
        for (kind, amount) in &self.in_labels {
            if let Some(own) = outside.uses.get_mut(kind) {
                *own = (*own - amount).max(0.0);
            }
        }
        outside.uses.retain(|_, amount| *amount > 1e-9);
        outside
    }

    /// Merges another colour that looks the same.
    pub(super) fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.area += other.area;
        self.states += other.states;
        self.unauthored += other.unauthored;
        self.in_metadata = self.in_metadata.or(other.in_metadata);
        self.properties.extend(other.properties);
        self.variable = self.variable.take().or(other.variable);
        for (kind, amount) in other.uses {
            *self.uses.entry(kind).or_default() += amount;
        }
        for (kind, amount) in other.in_labels {
            *self.in_labels.entry(kind).or_default() += amount;
        }
    }
}

/// Maximum number of gradient colours counted for one page, each once for every box that shows it.
const MAX_COLOR_SHARES: usize = 100_000;

/// Colours of the page by their exact value.
pub(super) struct ColorUsages {
    by_color: BTreeMap<[u8; 4], ColorUsage>,
    /// Number of gradient colours that may still be counted.
    color_shares_left: usize,
    /// Status pills and highlighted text so far.
    labels: HashSet<NodeId>,
}

impl ColorUsages {
    pub(super) fn from_page(page: &RenderedPage<'_>) -> Self {
        let (by_color, labels) = (BTreeMap::new(), HashSet::new());
        let mut signals = Self { by_color, color_shares_left: MAX_COLOR_SHARES, labels };
        for seen in page.elements.iter().filter(|seen| !seen.flags.has_any(RegionFlags::NOT_SITE)) {
            let Some(element) = page.view.document.element(seen.node) else { continue };
            if seen.flags.has_any(RegionFlags::LINK) && is_platform_button(page, seen) {
                continue;
            }
            let is_inside =
                || page.view.document.parent(seen.node).is_some_and(|parent| signals.labels.contains(&parent));
            if element.is_html("mark") || is_pill(page, seen, element) || is_inside() {
                signals.labels.insert(seen.node);
            }
            if seen.flags.has_any(RegionFlags::SVG) {
                signals.drawing(seen);
            } else {
                signals.element(page, seen, element);
            }
        }
        for (shade, share) in page.canvas.shares() {
            if let Some(usage) = signals.by_color.get_mut(&shade.rgba) {
                usage.area = share;
            }
        }
        // The page background shows wherever no element covers it, even if no element declares it.
        signals.usage(page.background).count += 1;
        let background = page.background;
        let share =
            page.canvas.shares().into_iter().find(|(shade, _)| *shade == background).map_or(0.0, |(_, share)| share);
        let usage = signals.usage(background);
        usage.area = share;
        usage.properties.insert("background-color");
        *usage.uses.entry(ColorUse::Surface).or_default() += share;
        signals.variables(page);
        signals.selection(page);
        signals
    }

    /// Returns the colours in order of their value.
    pub(super) fn into_usages(self) -> Vec<ColorUsage> {
        self.by_color.into_values().collect()
    }

    fn usage(&mut self, shade: Rgba) -> &mut ColorUsage {
        self.by_color.entry(shade.rgba).or_insert_with(|| ColorUsage::new(shade))
    }

    fn add(
        &mut self,
        seen: &VisibleElement,
        shade: Rgba,
        kind: ColorUse,
        amount: f64,
        property: &'static str,
        authored: bool,
    ) {
        let is_status = seen.flags.has_any(RegionFlags::STATE);
        let is_in_label = self.labels.contains(&seen.node);
        let usage = self.usage(shade);
        usage.count += 1;
        usage.states += usize::from(is_status);
        usage.unauthored += usize::from(!authored);
        usage.properties.insert(property);
        let amount = if is_status { amount * 0.2 } else { amount };
        *usage.uses.entry(kind).or_default() += amount;
        if is_in_label {
            *usage.in_labels.entry(kind).or_default() += amount;
        }
    }

    /// Records a colour that metadata declares.
    pub(super) fn add_declared(&mut self, declared: &DeclaredColor) {
        let usage = self.usage(declared.color.opaque());
        let amount = usage.uses.entry(ColorUse::ThemeColor).or_default();
        if declared.weight > *amount {
            *amount = declared.weight;
            usage.in_metadata = Some(declared.source);
        }
    }

    /// Records a colour that the page's rules set, with its weight.
    pub(super) fn add_rule(&mut self, shade: Rgba, amount: f64) {
        *self.usage(shade.opaque()).uses.entry(ColorUse::StylesheetRule).or_default() += amount;
    }

    /// Records the background of selected text, if the page sets one.
    fn selection(&mut self, page: &RenderedPage<'_>) {
        let mut styles = page.index.styles(&page.environment);
        let document = &page.view.document;
        for node in [document.body(), document.document_element()].into_iter().flatten() {
            let Some(style) = styles.pseudo(node, PseudoElement::Selection) else { continue };
            let Some(shade) = Rgba::parse(style.get(Longhand::BackgroundColor)).filter(|s| s.rgba[3] > 140) else {
                continue;
            };
            let usage = self.usage(shade);
            usage.properties.insert("background-color");
            usage.uses.insert(ColorUse::Selection, 1.0);
            return;
        }
    }

    /// Records a colour of the logo with its share of the painted area.
    pub(super) fn add_logo(&mut self, shade: Rgba, share: f64) {
        let usage = self.usage(shade.opaque());
        usage.count += 1;
        *usage.uses.entry(ColorUse::Logo).or_default() += share;
    }

    fn element(&mut self, page: &RenderedPage<'_>, seen: &VisibleElement, element: &Element) {
        let button = button_weight(page, seen, element);
        self.record_background(page, seen, element, button);
        self.text(page, seen, element, button);
        self.borders(seen, button);
    }

    fn record_background(&mut self, page: &RenderedPage<'_>, seen: &VisibleElement, element: &Element, button: f64) {
        let share = f64::from(seen.area.area()) / 1_296_000.0;
        let kind = match () {
            () if button > 0.0 => ColorUse::Button,
            () if element.is_html("mark") => ColorUse::Highlight,
            () if seen.flags.has_any(RegionFlags::HEADER) => ColorUse::Header,
            () => ColorUse::Surface,
        };
        let amount = if button > 0.0 { button } else { share.min(4.0) };
        self.generated(seen, kind, amount);
        let is_hidden = seen.fillings().any(|filling| filling.color.is_some_and(|shade| shade.rgba[3] > 200));
        if button > 0.0 && is_hidden {
            return;
        }
        let color = seen.color(Longhand::BackgroundColor).filter(|shade| shade.rgba[3] > 100);
        if let Some(shade) = color {
            let authored = seen.is_authored(page.index, Longhand::BackgroundColor);
            self.add(seen, shade, kind, amount, "background-color", authored);
        }
        if seen.style.clips_background_to_text() {
            self.record_text_clip(page, seen);
        }
        self.layers(seen, &seen.layers, kind, amount);
    }

    /// Records pseudo-element boxes: one that fills a button counts as its fill; boxes of other elements count as
    /// separate backgrounds.
    fn generated(&mut self, seen: &VisibleElement, kind: ColorUse, amount: f64) {
        for generated in &seen.generated {
            let share = f64::from(generated.area.area()) / 1_296_000.0;
            let amount = match kind {
                ColorUse::Button if generated.fills(seen.area) => amount,
                ColorUse::Button => continue,
                _ => share.min(4.0),
            };
            if let Some(shade) = generated.color.filter(|shade| shade.rgba[3] > 100) {
                self.add(seen, shade, kind, amount, "background-color", true);
            }
            self.layers(seen, &generated.layers, kind, amount);
        }
    }

    /// Records the colours of gradients by their visible share.
    fn layers(&mut self, seen: &VisibleElement, layers: &[BackgroundLayer], kind: ColorUse, amount: f64) {
        for layer in layers {
            let LayerFill::Colors(color_shares) = &layer.fill else { continue };
            if color_shares.len() > self.color_shares_left {
                return;
            }
            self.color_shares_left -= color_shares.len();
            let part = layer.area_share(seen.area);
            let shown: Vec<(Rgba, f64)> = color_shares
                .iter()
                .map(|(shade, share)| (*shade, share * part))
                .filter(|(shade, _)| shade.rgba[3] > 127)
                .collect();
            let whole: f64 = shown.iter().map(|(_, share)| share).sum();
            // However many colours the fill of a button has, it is one call to action.
            let most = if kind == ColorUse::Button { 2 } else { shown.len() };
            let even = whole / shown.len().clamp(1, most.max(1)) as f64;
            for (number, (shade, share)) in shown.into_iter().enumerate() {
                // Of equal colours the first one named counts more; a thin line does not count as equal.
                let part = even.min(share * 2.0) * if number == 0 { 1.0 } else { 0.9 };
                self.add(seen, shade, kind, amount * part, "background-image", true);
            }
        }
    }

    /// Records the colours of a gradient that is clipped to text, each with its part of the text.
    fn record_text_clip(&mut self, page: &RenderedPage<'_>, seen: &VisibleElement) {
        let image = seen.style.get(Longhand::BackgroundImage);
        let stops: Vec<Rgba> = colors_in(image).into_iter().filter(|stop| stop.rgba[3] > 127).collect();
        let kind = if heading_level(page, seen).is_some() { ColorUse::Heading } else { ColorUse::Text };
        let amount = text_amount(seen) / stops.len().max(1) as f64;
        for (number, stop) in stops.into_iter().enumerate() {
            let part = if number == 0 { amount } else { amount * 0.9 };
            self.add(seen, stop, kind, part, "background-image", true);
        }
    }

    fn text(&mut self, page: &RenderedPage<'_>, seen: &VisibleElement, element: &Element, button: f64) {
        if seen.characters == 0 {
            return;
        }
        let Some(shade) = seen.text_color() else { return };
        let is_heading = heading_level(page, seen).is_some();
        let in_bar = seen.flags.has_any(RegionFlags::NAV)
            || seen.flags.has_any(RegionFlags::HEADER)
            || seen.flags.has_any(RegionFlags::FOOTER);
        let kind = match () {
            () if is_heading => ColorUse::Heading,
            () if in_bar && is_in_current_entry(&page.view.document, seen.node) => ColorUse::CurrentLink,
            () if seen.flags.has_any(RegionFlags::LINK) && button == 0.0 && !in_bar && !is_icon(element) => {
                ColorUse::Link
            }
            () => ColorUse::Text,
        };
        let authored = seen.is_authored(page.index, Longhand::Color);
        self.add(seen, shade, kind, text_amount(seen), "color", authored);
    }

    fn borders(&mut self, seen: &VisibleElement, button: f64) {
        const SIDES: [(Longhand, Longhand, Longhand, &str); 4] = [
            (Longhand::BorderTopWidth, Longhand::BorderTopStyle, Longhand::BorderTopColor, "border-top-color"),
            (Longhand::BorderRightWidth, Longhand::BorderRightStyle, Longhand::BorderRightColor, "border-right-color"),
            (
                Longhand::BorderBottomWidth,
                Longhand::BorderBottomStyle,
                Longhand::BorderBottomColor,
                "border-bottom-color",
            ),
            (Longhand::BorderLeftWidth, Longhand::BorderLeftStyle, Longhand::BorderLeftColor, "border-left-color"),
        ];
        for (width, style, color, property) in SIDES {
            let width = seen.style.get(width).trim_end_matches("px").parse().unwrap_or(0.0_f64);
            if width <= 0.0 || matches!(seen.style.get(style), "none" | "hidden") {
                continue;
            }
            let Some(shade) = seen.color(color).filter(|shade| shade.rgba[3] > 60) else { continue };
            let kind = if button > 0.0 { ColorUse::Button } else { ColorUse::Border };
            let amount = if button > 0.0 { button * 0.1 } else { width.min(8.0) };
            self.add(seen, shade, kind, amount, property, true);
        }
    }

    fn drawing(&mut self, seen: &VisibleElement) {
        for (longhand, property) in [(Longhand::Fill, "fill"), (Longhand::Stroke, "stroke")] {
            let value = seen.style.get(longhand);
            // Black is the initial value of `fill`.
            if matches!(value, "none" | "rgb(0, 0, 0)") {
                continue;
            }
            let Some(shade) = seen.color(longhand) else { continue };
            let kind = if seen.flags.has_any(RegionFlags::LOGO) { ColorUse::Logo } else { ColorUse::Icon };
            self.add(seen, shade, kind, 0.2, property, true);
        }
    }

    /// Records colours in custom properties of the root and body.
    fn variables(&mut self, page: &RenderedPage<'_>) {
        let document = &page.view.document;
        for node in [document.document_element(), document.body()].into_iter().flatten() {
            let Some(seen) = page.visible_element(node) else { continue };
            let mut names = BTreeSet::new();
            for block in page.index.declarations(node, None) {
                names.extend(
                    block.declarations().map(|d| d.name).filter(|name| name.starts_with("--")).map(str::to_owned),
                );
            }
            for name in names.into_iter().take(3_000) {
                let value = seen.style.custom_property(&name);
                let Some(shade) = value.and_then(|value| variable_color(&name, value)) else { continue };
                self.variable(&name, shade);
            }
        }
    }

    fn variable(&mut self, name: &str, shade: Rgba) {
        let weight = variable_weight(name);
        // A builder writes its own colours under the names that the site's would have.
        let is_foreign = framework_colors::is_framework_variable(name) || framework_colors::is_default(shade);
        let kind = if weight >= 1.0 { ColorUse::BrandVariable } else { ColorUse::OtherVariable };
        let named = self.by_color.contains_key(&shade.rgba);
        if !named && (weight == 0.0 || is_foreign) {
            return;
        }
        let usage = self.usage(shade);
        if usage.variable.as_deref().is_none_or(|known| variable_weight(known) < weight) {
            usage.variable = Some(name.to_owned());
        }
        if weight > 0.0 {
            let amount = usage.uses.entry(kind).or_default();
            *amount = amount.max(if is_foreign { weight * 0.3 } else { weight });
        }
    }
}

/// Maximum number of elements from the text of a link to the entry of the navigation that it is in.
const LEVELS_TO_ENTRY: usize = 3;

/// Returns true for text in an entry that is marked as that of the page shown.
fn is_in_current_entry(document: &Document, node: NodeId) -> bool {
    const CURRENT: &[&str] = &["current-menu-item", "current_page_item", "w--current", "router-link-exact-active"];
    let near = std::iter::once(node).chain(document.ancestors(node)).take(LEVELS_TO_ENTRY);
    let is_marked = |element: &Element| {
        element.attr("aria-current").is_some_and(|value| !matches!(value.trim(), "" | "false"))
            || element.classes().iter().any(|class| CURRENT.contains(&&**class))
    };
    near.filter_map(|node| document.element(node)).any(is_marked)
}

/// Returns the amount of an element's own text: its characters, of which large ones count more.
fn text_amount(seen: &VisibleElement) -> f64 {
    seen.characters as f64 * (seen.style.font_size() / 16.0).clamp(0.5, 4.0)
}

/// Returns the level of a heading that is the element or contains it.
fn heading_level(page: &RenderedPage<'_>, seen: &VisibleElement) -> Option<u8> {
    let document = &page.view.document;
    let near = std::iter::once(seen.node).chain(document.ancestors(seen.node)).take(4);
    near.filter_map(|node| document.element(node)).find_map(|element| match element.name() {
        "h1" => Some(1),
        "h2" => Some(2),
        "h3" => Some(3),
        "h4" | "h5" | "h6" => Some(4),
        _ => None,
    })
}
