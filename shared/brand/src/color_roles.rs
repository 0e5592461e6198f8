//! Assigns colour roles: primary, accent, background, text.
//!
//! Each use of a colour counts by its share of all uses of that kind, so that ten links cannot outvote the one button
//! that matters. Colours that the site did not choose (the browser's link blue, a framework's default) and colours of
//! status messages count little. Greys are not brand colours, unless the page's buttons are filled with greys only.

use super::color::{MIN_DISTINCT_DISTANCE, Rgba};
use super::color_usage::{ColorUsage, ColorUse};
use super::framework_colors;
use super::page_regions::RegionFlags;
use super::paint_grid::CellPaint;
use super::rendered_page::{RenderedPage, VisibleElement};
use limner_style::ValueSource;
use limner_style::property::Longhand;
use limner_types::result::EvidenceKind;
use std::collections::BTreeMap;

/// A colour with its reasons, strongest first.
#[derive(Debug, Clone)]
pub(super) struct RoleColor {
    pub(super) color: Rgba,
    pub(super) basis: EvidenceKind,
    pub(super) reasons: Vec<String>,
}

#[derive(Debug, Default)]
pub(super) struct ColorRoles {
    pub(super) primary: Option<RoleColor>,
    pub(super) accent: Option<RoleColor>,
    pub(super) background: Option<RoleColor>,
    pub(super) text: Option<RoleColor>,
}

/// The weight of each kind of use as evidence for a brand colour.
const WEIGHTS: &[(ColorUse, f64)] = &[
    (ColorUse::Button, 2.6),
    (ColorUse::BrandVariable, 1.6),
    (ColorUse::Logo, 1.6),
    (ColorUse::StylesheetRule, 1.6),
    (ColorUse::Header, 1.5),
    (ColorUse::ThemeColor, 1.4),
    (ColorUse::Surface, 1.2),
    (ColorUse::Link, 1.1),
    (ColorUse::CurrentLink, 0.9),
    (ColorUse::Heading, 0.8),
    (ColorUse::Selection, 0.6),
    (ColorUse::Text, 0.5),
    (ColorUse::OtherVariable, 0.5),
    (ColorUse::Border, 0.4),
    (ColorUse::Icon, 0.4),
];
/// Minimum score of a primary colour.
const MIN_PRIMARY_SCORE: f64 = 0.55;
/// Score from which a colour leads whatever the buttons are filled with.
const MIN_LEADING_SCORE: f64 = 0.75;
/// Minimum score of the only colour of a page, its share of the scores of all, and the number of elements that show it.
const MIN_ONLY: (f64, f64, usize) = (0.05, 0.8, 3);
/// Chroma from which a grey is a muted colour: sage, taupe, petrol.
const MIN_MUTED_CHROMA: f64 = 0.03;
/// Chroma below which a colour is muted.
const MAX_MUTED_CHROMA: f64 = 0.09;
/// OKLab lightness from which a colour is muted rather than nearly black.
const MIN_MUTED_LIGHTNESS: f64 = 0.3;
/// Minimum contrast of the fill of buttons with the page: of a grey, and of a muted colour.
const MIN_BUTTON_CONTRAST: (f64, f64) = (7.0, 4.5);
/// Minimum score of an accent colour.
const MIN_ACCENT_SCORE: f64 = 0.22;
/// Minimum distance of the accent from the primary.
const ACCENT_DISTANCE: f64 = 0.12;
/// Minimum distance of the accent from the background: a shade of that is a surface.
const SURFACE_DISTANCE: f64 = 0.1;
/// Factor for colours that a framework provides.
const DEFAULT_FACTOR: f64 = 0.4;

/// The background and text colour: chosen first, since they need no comparison of uses.
pub(super) struct BaseColors {
    background: RoleColor,
    text: Option<RoleColor>,
}

impl BaseColors {
    pub(super) fn from_page(page: &RenderedPage<'_>) -> Self {
        let background = background(page);
        let text = text(page, background.color);
        Self { background, text }
    }

    pub(super) fn shades(&self) -> Vec<Rgba> {
        std::iter::once(&self.background).chain(&self.text).map(|chosen| chosen.color).collect()
    }
}

impl ColorRoles {
    /// Assigns the roles among merged colours; a translucent brand colour is replaced with its opaque equivalent.
    pub(super) fn assign(usages: &mut Vec<ColorUsage>, base_colors: BaseColors) -> Self {
        let (primary, accent) = brand_colors(usages, &base_colors);
        let taken = base_colors.shades();
        let mut make_opaque =
            |chosen: Option<RoleColor>| chosen.map(|chosen| opaque_equivalent(usages, chosen, &taken));
        let (primary, accent) = (make_opaque(primary), make_opaque(accent));
        Self { primary, accent, background: Some(base_colors.background), text: base_colors.text }
    }
}

fn brand_colors(usages: &[ColorUsage], base_colors: &BaseColors) -> (Option<RoleColor>, Option<RoleColor>) {
    let scores = ColorScores::from_usages(usages, base_colors.text.as_ref().map(|text| text.color));
    let mut ranked: Vec<(&ColorUsage, f64)> = usages.iter().map(|usage| (usage, scores.score(usage))).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.color.rgba.cmp(&b.0.color.rgba)));
    let found = ranked.first().copied().filter(|(_, score)| *score >= MIN_PRIMARY_SCORE);
    let buttons = scores.neutral_button_color(usages, base_colors.background.color);
    let primary = match found {
        // Words and surfaces in another colour say less than the buttons do.
        Some((usage, _)) if !usage.stands_for_brand() && scores.score(&usage.outside_labels()) < MIN_LEADING_SCORE => {
            buttons.filter(|button| is_muted(button.color)).or(Some(usage))
        }
        Some((usage, _)) => Some(usage),
        None => buttons.or_else(|| only_color(&ranked)),
    };
    let accent = primary.and_then(|primary| {
        let apart = |usage: &ColorUsage| {
            usage.color.distance(primary.color) >= ACCENT_DISTANCE
                && usage.color.distance(base_colors.background.color) >= SURFACE_DISTANCE
                && !usage.color.is_grey()
                && usage.is_painted()
        };
        // The colours of labels tell the state of a thing.
        let found = ranked.iter().filter(|(usage, score)| *score >= MIN_ACCENT_SCORE && apart(usage));
        let outside = found.map(|(usage, _)| usage.outside_labels()).map(|usage| (scores.score(&usage), usage));
        let best = outside.filter(|(score, _)| *score >= MIN_ACCENT_SCORE);
        best.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.color.rgba.cmp(&a.1.color.rgba))).map(|(_, usage)| usage)
    });
    (primary.map(|usage| scores.chosen(usage)), accent.map(|usage| scores.chosen(&usage)))
}

/// Returns true for a colour that is nearly grey, but neither a grey nor nearly black.
fn is_muted(shade: Rgba) -> bool {
    (MIN_MUTED_CHROMA..MAX_MUTED_CHROMA).contains(&shade.chroma()) && shade.lightness() >= MIN_MUTED_LIGHTNESS
}

/// Returns the colour of a page that has only one: that of its icons, of a line below each title.
fn only_color<'t>(ranked: &[(&'t ColorUsage, f64)]) -> Option<&'t ColorUsage> {
    let (min_score, min_share, min_count) = MIN_ONLY;
    let total: f64 = ranked.iter().map(|(_, score)| score).sum();
    let is_chosen = |usage: &ColorUsage| !framework_colors::is_default(usage.color) && !usage.is_mostly_status();
    let (usage, _) = ranked.first().filter(|(_, score)| *score >= min_score.max(total * min_share))?;
    (usage.count >= min_count && is_chosen(usage)).then_some(*usage)
}

/// Returns the opaque equivalent of a translucent brand colour. If the page does not show that, the entry of the
/// translucent colour becomes the opaque one, unless the translucent colour has another role.
fn opaque_equivalent(usages: &mut Vec<ColorUsage>, chosen: RoleColor, taken: &[Rgba]) -> RoleColor {
    let translucent = chosen.color;
    if translucent.rgba[3] == 255 {
        return chosen;
    }
    let shown = usages.iter().map(|usage| usage.color);
    let shown =
        shown.filter(|shade| shade.rgba[3] == 255).find(|shade| shade.distance(translucent) < MIN_DISTINCT_DISTANCE);
    let shade = shown.unwrap_or_else(|| translucent.opaque());
    match usages.iter_mut().find(|usage| usage.color == translucent) {
        _ if shown.is_some() => {}
        Some(own) if !taken.contains(&translucent) => own.color = shade,
        _ => usages.push(ColorUsage::new(shade)),
    }
    RoleColor { color: shade, ..chosen }
}

/// Scores of colours, from the total of each kind of use: a use counts by its share of it.
struct ColorScores {
    totals: BTreeMap<ColorUse, f64>,
    /// The text colour, if it is nearly grey.
    text_color: Option<Rgba>,
}

/// OKLab lightness below which a grey is strong: lighter greys count as backgrounds only.
const STRONG: f64 = 0.9;
/// Minimum weight of the buttons for their grey to be the primary colour: one in the first screen, or two below.
const MIN_NEUTRAL_BUTTONS: f64 = 1.1;
/// Minimum weight of the buttons whose colour is that of the page's calls to action although they are named after a status,
/// for which each counts a fifth: two.
const MIN_STATUS_BUTTONS: f64 = 0.4;
/// Weight of a colour that only a custom property names, and nothing shows.
const UNSEEN_VARIABLE: f64 = 0.3;
/// Chroma below which the text colour is nearly grey, whatever its hue: dark slates and navies.
const NEUTRAL_TEXT_CHROMA: f64 = 0.09;

/// Returns true if a colour's use counts towards the total of its kind. Backgrounds and texts are mostly grey, so greys
/// are left out of those totals: coloured ones are compared among themselves.
fn counts_towards_total(usage: &ColorUsage, kind: ColorUse) -> bool {
    matches!(kind, ColorUse::Button | ColorUse::Link) || !usage.color.is_grey()
}

impl ColorScores {
    fn from_usages(usages: &[ColorUsage], text: Option<Rgba>) -> Self {
        let mut totals: BTreeMap<ColorUse, f64> = BTreeMap::new();
        for usage in usages {
            for (kind, amount) in &usage.uses {
                if counts_towards_total(usage, *kind) {
                    *totals.entry(*kind).or_default() += amount;
                }
            }
        }
        Self { totals, text_color: text.filter(|text| text.chroma() < NEUTRAL_TEXT_CHROMA) }
    }

    /// Returns a colour's share of all uses of a kind.
    fn share(&self, usage: &ColorUsage, kind: ColorUse) -> f64 {
        let amount = usage.amount(kind);
        let others = self.totals.get(&kind).copied().unwrap_or(0.0);
        let total = if counts_towards_total(usage, kind) { others } else { others + amount };
        amount / total.max(f64::MIN_POSITIVE)
    }

    /// Returns true for uses of a nearly grey text colour that only show that text has that colour, or that a background is as
    /// dark as text.
    fn is_neutral(&self, usage: &ColorUsage, kind: ColorUse) -> bool {
        let is_plain = matches!(
            kind,
            ColorUse::Heading
                | ColorUse::Text
                | ColorUse::CurrentLink
                | ColorUse::Surface
                | ColorUse::Border
                | ColorUse::Icon
        );
        is_plain && self.text_color.is_some_and(|text| text.opaque().distance(usage.color) < MIN_DISTINCT_DISTANCE)
    }

    /// Returns the score of one use of a colour, before factors of the colour itself.
    fn usage_score(&self, usage: &ColorUsage, kind: ColorUse) -> f64 {
        let amount = usage.amount(kind);
        if amount <= 0.0 || self.is_neutral(usage, kind) {
            return 0.0;
        }
        let share = self.share(usage, kind);
        match kind {
            ColorUse::BrandVariable | ColorUse::OtherVariable => {
                amount.min(1.0) * if usage.count > 0 { 1.0 } else { UNSEEN_VARIABLE }
            }
            ColorUse::Selection if usage.is_highlight() => 0.0,
            ColorUse::ThemeColor | ColorUse::Selection => amount.min(1.0),
            ColorUse::Highlight => 0.0,
            ColorUse::StylesheetRule => share * (amount / 2.0).min(1.0),
            // One button among hundreds of grey ones is still the call to action.
            ColorUse::Button => share.sqrt() * (amount / 0.8).min(1.0),
            ColorUse::Logo => share.sqrt(),
            // A small area counts less than a large one.
            ColorUse::Header | ColorUse::Surface => share * (amount * 12.0).min(1.0),
            ColorUse::Link | ColorUse::Heading | ColorUse::Text => share * (amount / 40.0).min(1.0),
            ColorUse::Border | ColorUse::Icon | ColorUse::CurrentLink => share * (amount / 4.0).min(1.0),
        }
    }

    fn score(&self, usage: &ColorUsage) -> f64 {
        let shade = usage.color;
        if shade.rgba[3] < 140 || usage.is_user_agent_only() {
            return 0.0;
        }
        let uses: f64 = WEIGHTS.iter().map(|(kind, weight)| weight * self.usage_score(usage, *kind)).sum();
        // What most buttons are filled with is a choice, however muted it is.
        let is_chosen = || {
            !shade.is_grey()
                && usage.amount(ColorUse::Button) >= MIN_NEUTRAL_BUTTONS
                && self.share(usage, ColorUse::Button) >= 0.5
        };
        let coloured = if is_chosen() { 1.0 } else { ((shade.chroma() - 0.04) / 0.05).clamp(0.0, 1.0) };
        // Tints are backgrounds of text, not brand colours; neither are colours that are nearly black.
        let tint = if shade.lightness() > 0.93 && shade.chroma() < 0.09 { 0.2 } else { 1.0 };
        let dark = if shade.lightness() < 0.25 { 0.5 } else { 1.0 };
        // A default that only rules name, and nothing shows, is not the site's choice.
        let default = match framework_colors::is_default(shade) {
            true if usage.count == 0 => 0.0,
            true => DEFAULT_FACTOR,
            false => 1.0,
        };
        let status = if usage.is_mostly_status() && !self.fills_the_buttons(usage) { 0.25 } else { 1.0 };
        uses * coloured * tint * dark * default * status
    }

    /// Returns true if most of the page's buttons have a colour: a class such as `btn-warning` then names its look, not a
    /// status.
    fn fills_the_buttons(&self, usage: &ColorUsage) -> bool {
        usage.amount(ColorUse::Button) >= MIN_STATUS_BUTTONS && self.share(usage, ColorUse::Button) >= 0.5
    }

    /// Returns the grey or muted colour that fills the page's buttons: black on white is a choice, too.
    fn neutral_button_color<'t>(&self, usages: &'t [ColorUsage], background: Rgba) -> Option<&'t ColorUsage> {
        let total = self.totals.get(&ColorUse::Button).copied().filter(|total| *total >= MIN_NEUTRAL_BUTTONS)?;
        let (of_grey, of_muted) = MIN_BUTTON_CONTRAST;
        let min_contrast = |shade: Rgba| if is_muted(shade) { of_muted } else { of_grey };
        let is_strong = |shade: Rgba| shade.lightness() < STRONG && shade.contrast(background) >= min_contrast(shade);
        let stands_out = |usage: &&ColorUsage| is_strong(usage.color) && !usage.is_user_agent_only();
        let is_neutral = |shade: Rgba| shade.is_grey() || is_muted(shade);
        let fills = |usage: &&ColorUsage| usage.properties.contains("background-color") && is_neutral(usage.color);
        let best = usages.iter().filter(stands_out).filter(fills);
        let best = best.max_by(|a, b| a.amount(ColorUse::Button).total_cmp(&b.amount(ColorUse::Button)))?;
        (best.amount(ColorUse::Button) / total >= 0.5).then_some(best)
    }

    fn chosen(&self, usage: &ColorUsage) -> RoleColor {
        let mut parts: Vec<(f64, String)> = WEIGHTS
            .iter()
            .filter_map(|(kind, weight)| {
                let part = weight * self.usage_score(usage, *kind);
                (part >= 0.05).then(|| (part, self.role_reason(usage, *kind)))
            })
            .collect();
        parts.sort_by(|a, b| b.0.total_cmp(&a.0));
        let is_declared = usage.in_metadata.is_some() || usage.amount(ColorUse::BrandVariable) > 0.5;
        let basis = match () {
            () if is_declared && usage.is_painted() => EvidenceKind::Declared,
            () if usage.amount(ColorUse::Button) > 0.0 || usage.amount(ColorUse::Header) > 0.0 || is_declared => {
                EvidenceKind::Observed
            }
            () => EvidenceKind::Inferred,
        };
        RoleColor { color: usage.color, basis, reasons: parts.into_iter().map(|(_, reason)| reason).collect() }
    }

    fn role_reason(&self, usage: &ColorUsage, kind: ColorUse) -> String {
        let share = format!("{:.0} %", self.share(usage, kind) * 100.0);
        match kind {
            ColorUse::Button => format!("{share} of button fill"),
            ColorUse::Link => format!("{share} of link text"),
            ColorUse::CurrentLink => "link to the current page".to_owned(),
            ColorUse::Heading => format!("{share} of coloured headings"),
            ColorUse::Text => format!("{share} of coloured text"),
            ColorUse::Header => "background of the header".to_owned(),
            ColorUse::Surface => format!("{share} of coloured backgrounds"),
            ColorUse::Border => format!("{share} of coloured borders"),
            ColorUse::Icon => format!("{share} of coloured icons"),
            ColorUse::Logo => format!("{share} of the logo"),
            ColorUse::BrandVariable | ColorUse::OtherVariable => usage.variable.clone().unwrap_or_default(),
            ColorUse::ThemeColor => usage.in_metadata.unwrap_or_default().to_owned(),
            ColorUse::Selection => "background of selected text".to_owned(),
            ColorUse::Highlight => "background of highlighted text".to_owned(),
            ColorUse::StylesheetRule => format!("{share} of colours in rules"),
        }
    }
}

/// Minimum share of the page for a colour other than the canvas to be its background.
const MIN_COVERING_SHARE: f64 = 0.5;
/// Maximum share of the canvas that may still show then.
const MAX_VISIBLE_CANVAS: f64 = 0.12;

fn background(page: &RenderedPage<'_>) -> RoleColor {
    let shares = page.canvas.shares();
    let share_of = |shade: Rgba| {
        shares
            .iter()
            .filter(|(other, _)| other.distance(shade) < MIN_DISTINCT_DISTANCE)
            .map(|(_, share)| share)
            .sum::<f64>()
    };
    let percent = |share: f64| format!("{:.0} % of the page", share * 100.0);
    let canvas = page.background;
    let shown = share_of(canvas);
    // The root's canvas surrounds a body with a background of its own.
    let of_body = body_background(page, canvas).filter(|shade| share_of(*shade) >= MIN_COVERING_SHARE);
    if let Some(shade) = of_body {
        let reasons = vec!["background of the body".to_owned(), percent(share_of(shade))];
        return RoleColor { color: shade, basis: EvidenceKind::Declared, reasons };
    }
    let covering = shares.first().filter(|(shade, _)| shade.distance(canvas) >= MIN_DISTINCT_DISTANCE);
    if let Some((shade, _)) =
        covering.filter(|(shade, _)| shown <= MAX_VISIBLE_CANVAS && share_of(*shade) >= MIN_COVERING_SHARE)
    {
        return RoleColor { color: *shade, basis: EvidenceKind::Observed, reasons: vec![percent(share_of(*shade))] };
    }
    let basis = if page.declares_background { EvidenceKind::Declared } else { EvidenceKind::Inferred };
    let from = if page.declares_background { "background of the page" } else { "the browser's canvas" };
    RoleColor { color: canvas, basis, reasons: vec![from.to_owned(), percent(shown)] }
}

/// Returns the body's background colour, if the canvas has another one from the root.
fn body_background(page: &RenderedPage<'_>, canvas: Rgba) -> Option<Rgba> {
    let body = page.visible_element(page.view.document.body()?)?;
    let shade = body.color(Longhand::BackgroundColor)?.composite_over(canvas);
    (shade.distance(canvas) >= MIN_DISTINCT_DISTANCE).then_some(shade)
}

/// Minimum share of characters with which the colour of `body` remains the text colour, if only the browser chose it.
const BODY_SHARE: f64 = 0.12;
/// Minimum share of characters for a colour other than that of `body` to be the text colour.
const TEXT_SHARE: f64 = 0.15;
/// Minimum ratio of legible text in the colour of `body`, if that is illegible on the page background, to text in a
/// colour that is legible on it.
const MIN_LEGIBILITY_RATIO: f64 = 2.0;
/// Minimum contrast of text with the page background.
const READABLE: f64 = 2.0;

/// Usage of a text colour: the amount of text, and the part of it that is legible on the background behind it.
#[derive(Debug, Clone, Copy, Default)]
struct TextColorUsage {
    amount: f64,
    legible: f64,
}

/// The colours of the page's texts.
struct TextColors {
    by_color: BTreeMap<[u8; 4], TextColorUsage>,
    total: f64,
    /// The background of text where it is not known.
    default_background: Rgba,
}

impl TextColors {
    fn from_page(page: &RenderedPage<'_>, background: Rgba) -> Self {
        let mut by_color: BTreeMap<[u8; 4], TextColorUsage> = BTreeMap::new();
        let mut total = 0.0;
        for seen in
            page.elements.iter().filter(|seen| seen.characters > 0 && !seen.flags.has_any(RegionFlags::NOT_SITE))
        {
            let Some(shade) = seen.text_color() else { continue };
            let amount = seen.characters as f64 * if seen.flags.has_any(RegionFlags::LINK) { 0.3 } else { 1.0 };
            let written = by_color.entry(shade.rgba).or_default();
            written.amount += amount;
            written.legible += if is_legible(page, seen, shade, background) { amount } else { 0.0 };
            total += amount;
        }
        // Without text, text would be on the canvas.
        Self { by_color, total, default_background: if total > 0.0 { background } else { page.background } }
    }

    fn usage_of(&self, shade: Rgba) -> TextColorUsage {
        self.by_color.get(&shade.rgba).copied().unwrap_or_default()
    }

    fn share(&self, amount: f64) -> f64 {
        amount / self.total.max(1.0)
    }

    /// Returns true if the colour is legible on the page background.
    fn is_readable(&self, shade: Rgba) -> bool {
        shade.composite_over(self.default_background).contrast(self.default_background) >= READABLE
    }

    /// Returns the colour with the largest measure, if that is a sufficient share of the text.
    fn dominant(&self, measure: impl Fn(Rgba, TextColorUsage) -> f64) -> Option<(Rgba, f64)> {
        let measured = self.by_color.iter().map(|(rgba, written)| (Rgba::new(*rgba), *written));
        let measured = measured.map(|(shade, written)| (shade, measure(shade, written)));
        let most = measured.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.rgba.cmp(&a.0.rgba)));
        most.filter(|(_, amount)| self.share(*amount) >= TEXT_SHARE)
    }

    fn observed(&self, shade: Rgba) -> RoleColor {
        RoleColor { color: shade, basis: EvidenceKind::Observed, reasons: vec![self.percent(shade)] }
    }

    fn percent(&self, shade: Rgba) -> String {
        format!("{:.0} % of characters", self.share(self.usage_of(shade).amount) * 100.0)
    }
}

/// Returns true if a text is legible on the background behind it. All text on images counts as legible.
fn is_legible(page: &RenderedPage<'_>, seen: &VisibleElement, shade: Rgba, background: Rgba) -> bool {
    let (x, y) = seen.text_anchor();
    let below = match page.canvas.paint_at(x, y) {
        Some(CellPaint::Image(_) | CellPaint::OverlaidImage(_)) => return true,
        Some(paint) => paint.dominant_color().unwrap_or(background),
        None => background,
    };
    shade.composite_over(below).contrast(below) >= READABLE
}

/// Chooses the text colour: that of the body, if it is legible on the page background, or if most legible text has it;
/// else that of most text.
fn text(page: &RenderedPage<'_>, background: Rgba) -> Option<RoleColor> {
    let texts = TextColors::from_page(page, background);
    let body = body_color(page);
    let of_body = |(shade, is_declared): (Rgba, bool)| {
        let basis = if is_declared { EvidenceKind::Declared } else { EvidenceKind::Inferred };
        let from = if is_declared { "color of the body" } else { "the browser's text colour" };
        RoleColor { color: shade, basis, reasons: vec![from.to_owned(), texts.percent(shade)] }
    };
    let readable = body.filter(|(shade, _)| texts.is_readable(*shade));
    let is_in_use = |shade: Rgba| texts.share(texts.usage_of(shade).amount) >= BODY_SHARE;
    if let Some(body) = readable.filter(|(shade, is_declared)| *is_declared || is_in_use(*shade)) {
        return Some(of_body(body));
    }
    let on_background = texts.dominant(|shade, written| if texts.is_readable(shade) { written.amount } else { 0.0 });
    let legible = body.map_or(0.0, |(shade, _)| texts.usage_of(shade).legible);
    let is_rival = legible >= on_background.map_or(0.0, |(_, amount)| amount * MIN_LEGIBILITY_RATIO)
        && texts.share(legible) >= TEXT_SHARE;
    if let Some(body) = body.filter(|_| is_rival) {
        return Some(of_body(body));
    }
    let most = on_background.or_else(|| texts.dominant(|_, written| written.legible));
    most.map(|(shade, _)| texts.observed(shade)).or_else(|| {
        let (shade, _) = readable?;
        Some(RoleColor {
            color: shade,
            basis: EvidenceKind::Inferred,
            reasons: vec!["the browser's text colour".to_owned()],
        })
    })
}

/// Returns the text colour of the body, and whether the page declares it.
fn body_color(page: &RenderedPage<'_>) -> Option<(Rgba, bool)> {
    let body = page.view.document.body()?;
    let style = page.index.styles(&page.environment).get(body)?;
    let evidence = style.evidence(page.index, Longhand::Color);
    let is_declared = !matches!(evidence, None | Some(ValueSource::Rule { sheet: 0, .. }));
    Some((Rgba::from_color(&style.color()), is_declared))
}
