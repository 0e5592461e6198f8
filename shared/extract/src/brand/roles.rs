//! Assigns colour roles: primary, accent, background, text.
//!
//! Each use of a colour counts by its share of all uses of that kind, so that ten links cannot outvote the one button
//! that matters. Colours that the site did not choose (the browser's link blue, a framework's default) and colours of
//! status messages count little. Greys are not brand colours, unless the page's buttons are filled with greys only.

use super::canvas::Paint;
use super::defaults;
use super::region::Marks;
use super::shade::{SAME, Shade};
use super::signals::{Tally, Use};
use super::survey::{Seen, Survey};
use limner_style::property::Longhand;
use limner_style::{Environment, Evidence};
use limner_types::result::Basis;
use std::collections::BTreeMap;

/// A colour with its reasons, strongest first.
#[derive(Debug, Clone)]
pub(super) struct Chosen {
    pub(super) shade: Shade,
    pub(super) basis: Basis,
    pub(super) reasons: Vec<String>,
}

#[derive(Debug, Default)]
pub(super) struct Roles {
    pub(super) primary: Option<Chosen>,
    pub(super) accent: Option<Chosen>,
    pub(super) background: Option<Chosen>,
    pub(super) text: Option<Chosen>,
}

/// The weight of each kind of use as evidence for a brand colour.
const WEIGHTS: &[(Use, f64)] = &[
    (Use::Button, 2.6),
    (Use::BrandVariable, 1.6),
    (Use::Logo, 1.6),
    (Use::Rule, 1.6),
    (Use::Header, 1.5),
    (Use::ThemeColor, 1.4),
    (Use::Surface, 1.2),
    (Use::Link, 1.1),
    (Use::Heading, 0.8),
    (Use::Selection, 0.6),
    (Use::Text, 0.5),
    (Use::OtherVariable, 0.5),
    (Use::Border, 0.4),
    (Use::Icon, 0.4),
];
/// Minimum score of a primary colour.
const LEAST_PRIMARY: f64 = 0.55;
/// Minimum score of an accent colour.
const LEAST_ACCENT: f64 = 0.22;
/// Minimum distance of the accent from the primary.
const ACCENT_DISTANCE: f64 = 0.12;
/// Factor for colours that a framework provides.
const DEFAULT_FACTOR: f64 = 0.4;

/// The background and text colour: chosen first, since they need no comparison of uses.
pub(super) struct Grounds {
    background: Chosen,
    text: Option<Chosen>,
}

impl Grounds {
    pub(super) fn of(survey: &Survey<'_>) -> Self {
        let background = background(survey);
        let text = text(survey, background.shade);
        Self { background, text }
    }

    pub(super) fn shades(&self) -> Vec<Shade> {
        std::iter::once(&self.background).chain(&self.text).map(|chosen| chosen.shade).collect()
    }
}

impl Roles {
    /// Assigns the roles among merged colours; a translucent brand colour is replaced with its opaque equivalent.
    pub(super) fn of(tallies: &mut Vec<Tally>, grounds: Grounds) -> Self {
        let (primary, accent) = brand_colors(tallies, &grounds);
        let taken = grounds.shades();
        let mut pigment = |chosen: Option<Chosen>| chosen.map(|chosen| pigment(tallies, chosen, &taken));
        let (primary, accent) = (pigment(primary), pigment(accent));
        Self { primary, accent, background: Some(grounds.background), text: grounds.text }
    }
}

fn brand_colors(tallies: &[Tally], grounds: &Grounds) -> (Option<Chosen>, Option<Chosen>) {
    let scores = Scores::of(tallies, grounds.text.as_ref().map(|text| text.shade));
    let mut ranked: Vec<(&Tally, f64)> = tallies.iter().map(|tally| (tally, scores.score(tally))).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.shade.rgba.cmp(&b.0.shade.rgba)));
    let primary = ranked.iter().find(|(_, score)| *score >= LEAST_PRIMARY).map(|(tally, _)| *tally);
    let primary = primary.or_else(|| scores.grey_button(tallies, grounds.background.shade));
    let accent = primary.and_then(|primary| {
        let apart = |tally: &Tally| {
            tally.shade.distance(primary.shade) >= ACCENT_DISTANCE && !tally.shade.is_grey() && tally.is_painted()
        };
        ranked.iter().find(|(tally, score)| *score >= LEAST_ACCENT && apart(tally)).map(|(tally, _)| *tally)
    });
    let chosen = |tally: &Tally| scores.chosen(tally);
    (primary.map(chosen), accent.map(chosen))
}

/// Returns the opaque equivalent of a translucent brand colour. If the page does not show that, the entry of the
/// translucent colour becomes the opaque one, unless the translucent colour has another role.
fn pigment(tallies: &mut Vec<Tally>, chosen: Chosen, taken: &[Shade]) -> Chosen {
    let coat = chosen.shade;
    if coat.rgba[3] == 255 {
        return chosen;
    }
    let shown = tallies.iter().map(|tally| tally.shade);
    let shown = shown.filter(|shade| shade.rgba[3] == 255).find(|shade| shade.distance(coat) < SAME);
    let shade = shown.unwrap_or_else(|| coat.solid());
    match tallies.iter_mut().find(|tally| tally.shade == coat) {
        _ if shown.is_some() => {}
        Some(own) if !taken.contains(&coat) => own.shade = shade,
        _ => tallies.push(Tally::new(shade)),
    }
    Chosen { shade, ..chosen }
}

/// Total uses of each kind, to compute shares.
struct Scores {
    totals: BTreeMap<Use, f64>,
    /// The text colour, if it is nearly grey.
    ink: Option<Shade>,
}

/// OKLab lightness below which a grey is strong: lighter greys count as paper on any background.
const STRONG: f64 = 0.9;
/// Chroma below which text counts as ink, whatever its hue: dark slates and navies.
const INK: f64 = 0.09;

/// Returns true if a colour's use counts towards the total of its kind. Backgrounds and texts are mostly grey, so greys
/// are left out of those totals: coloured ones are compared among themselves.
fn is_counted(tally: &Tally, usage: Use) -> bool {
    matches!(usage, Use::Button | Use::Link) || !tally.shade.is_grey()
}

impl Scores {
    fn of(tallies: &[Tally], text: Option<Shade>) -> Self {
        let mut totals: BTreeMap<Use, f64> = BTreeMap::new();
        for tally in tallies {
            for (usage, amount) in &tally.uses {
                if is_counted(tally, *usage) {
                    *totals.entry(*usage).or_default() += amount;
                }
            }
        }
        Self { totals, ink: text.filter(|text| text.chroma() < INK) }
    }

    /// Returns a colour's share of all uses of a kind.
    fn share(&self, tally: &Tally, usage: Use) -> f64 {
        let amount = tally.amount(usage);
        let counted = self.totals.get(&usage).copied().unwrap_or(0.0);
        let total = if is_counted(tally, usage) { counted } else { counted + amount };
        amount / total.max(f64::MIN_POSITIVE)
    }

    /// Returns true for uses of the ink colour that only show that text has that colour, or that a background is as
    /// dark as text.
    fn is_neutral(&self, tally: &Tally, usage: Use) -> bool {
        let is_plain = matches!(usage, Use::Heading | Use::Text | Use::Surface | Use::Border | Use::Icon);
        is_plain && self.ink.is_some_and(|ink| ink.solid().distance(tally.shade) < SAME)
    }

    /// Returns the score of one use of a colour, before factors of the colour itself.
    fn part(&self, tally: &Tally, usage: Use) -> f64 {
        let amount = tally.amount(usage);
        if amount <= 0.0 || self.is_neutral(tally, usage) {
            return 0.0;
        }
        let share = self.share(tally, usage);
        match usage {
            Use::BrandVariable | Use::OtherVariable => amount.min(1.0) * if tally.count > 0 { 1.0 } else { 0.4 },
            Use::ThemeColor | Use::Selection => amount.min(1.0),
            Use::Rule => share * (amount / 2.0).min(1.0),
            // One button among hundreds of grey ones is still the call to action.
            Use::Button => share.sqrt() * (amount / 0.8).min(1.0),
            Use::Logo => share.sqrt(),
            // A small area counts less than a large one.
            Use::Header | Use::Surface => share * (amount * 12.0).min(1.0),
            Use::Link | Use::Heading | Use::Text => share * (amount / 40.0).min(1.0),
            Use::Border | Use::Icon => share * (amount / 4.0).min(1.0),
        }
    }

    fn score(&self, tally: &Tally) -> f64 {
        let shade = tally.shade;
        if shade.rgba[3] < 140 || tally.is_unauthored() {
            return 0.0;
        }
        let uses: f64 = WEIGHTS.iter().map(|(usage, weight)| weight * self.part(tally, *usage)).sum();
        let coloured = ((shade.chroma() - 0.04) / 0.05).clamp(0.0, 1.0);
        // Tints are backgrounds of text, not brand colours; neither are colours that are nearly black.
        let tint = if shade.lightness() > 0.93 && shade.chroma() < 0.09 { 0.2 } else { 1.0 };
        let dark = if shade.lightness() < 0.25 { 0.5 } else { 1.0 };
        let default = if defaults::is_default(shade) { DEFAULT_FACTOR } else { 1.0 };
        let state = if tally.is_state() { 0.25 } else { 1.0 };
        uses * coloured * tint * dark * default * state
    }

    /// Returns the grey that fills the page's buttons, on pages without a colour: black on white is a choice, too.
    fn grey_button<'t>(&self, tallies: &'t [Tally], background: Shade) -> Option<&'t Tally> {
        let total = self.totals.get(&Use::Button).copied().filter(|total| *total >= 1.0)?;
        let is_strong = |shade: Shade| shade.lightness() < STRONG && shade.contrast(background) >= 7.0;
        let stands_out = |tally: &&Tally| is_strong(tally.shade) && !tally.is_unauthored();
        let fills = |tally: &&Tally| tally.properties.contains("background-color") && tally.shade.is_grey();
        let best = tallies.iter().filter(stands_out).filter(fills);
        let best = best.max_by(|a, b| a.amount(Use::Button).total_cmp(&b.amount(Use::Button)))?;
        (best.amount(Use::Button) / total >= 0.5).then_some(best)
    }

    fn chosen(&self, tally: &Tally) -> Chosen {
        let mut parts: Vec<(f64, String)> = WEIGHTS
            .iter()
            .filter_map(|(usage, weight)| {
                let part = weight * self.part(tally, *usage);
                (part >= 0.05).then(|| (part, self.reason(tally, *usage)))
            })
            .collect();
        parts.sort_by(|a, b| b.0.total_cmp(&a.0));
        let is_declared = tally.in_metadata || tally.amount(Use::BrandVariable) > 0.5;
        let basis = match () {
            () if is_declared && tally.is_painted() => Basis::Declared,
            () if tally.amount(Use::Button) > 0.0 || tally.amount(Use::Header) > 0.0 || is_declared => Basis::Observed,
            () => Basis::Inferred,
        };
        Chosen { shade: tally.shade, basis, reasons: parts.into_iter().map(|(_, reason)| reason).collect() }
    }

    fn reason(&self, tally: &Tally, usage: Use) -> String {
        let share = format!("{:.0} %", self.share(tally, usage) * 100.0);
        match usage {
            Use::Button => format!("{share} of button fill"),
            Use::Link => format!("{share} of link text"),
            Use::Heading => format!("{share} of coloured headings"),
            Use::Text => format!("{share} of coloured text"),
            Use::Header => "ground of the header".to_owned(),
            Use::Surface => format!("{share} of coloured ground"),
            Use::Border => format!("{share} of coloured borders"),
            Use::Icon => format!("{share} of coloured icons"),
            Use::Logo => format!("{share} of the logo"),
            Use::BrandVariable | Use::OtherVariable => tally.variable.clone().unwrap_or_default(),
            Use::ThemeColor => "theme colour in metadata".to_owned(),
            Use::Selection => "ground of selected text".to_owned(),
            Use::Rule => format!("{share} of colours in rules"),
        }
    }
}

/// Minimum share of the page for a colour other than the canvas to be its background.
const COVERS: f64 = 0.5;
/// Maximum share of the canvas that may still show then.
const STILL_SHOWS: f64 = 0.12;

fn background(survey: &Survey<'_>) -> Chosen {
    let shares = survey.canvas.shares();
    let share_of = |shade: Shade| {
        shares.iter().filter(|(other, _)| other.distance(shade) < SAME).map(|(_, share)| share).sum::<f64>()
    };
    let percent = |share: f64| format!("{:.0} % of the page", share * 100.0);
    let canvas = survey.ground;
    let shown = share_of(canvas);
    // The root's canvas surrounds a body with a background of its own.
    let of_body = body_ground(survey, canvas).filter(|shade| share_of(*shade) >= COVERS);
    if let Some(shade) = of_body {
        let reasons = vec!["background of the body".to_owned(), percent(share_of(shade))];
        return Chosen { shade, basis: Basis::Declared, reasons };
    }
    let covering = shares.first().filter(|(shade, _)| shade.distance(canvas) >= SAME);
    if let Some((shade, _)) = covering.filter(|(shade, _)| shown <= STILL_SHOWS && share_of(*shade) >= COVERS) {
        return Chosen { shade: *shade, basis: Basis::Observed, reasons: vec![percent(share_of(*shade))] };
    }
    let basis = if survey.declares_ground { Basis::Declared } else { Basis::Inferred };
    let from = if survey.declares_ground { "background of the page" } else { "the browser's canvas" };
    Chosen { shade: canvas, basis, reasons: vec![from.to_owned(), percent(shown)] }
}

/// Returns the body's background colour, if the canvas has another one from the root.
fn body_ground(survey: &Survey<'_>, canvas: Shade) -> Option<Shade> {
    let body = survey.seen_at(survey.view.document.body()?)?;
    let shade = body.color(Longhand::BackgroundColor)?.over(canvas);
    (shade.distance(canvas) >= SAME).then_some(shade)
}

/// Minimum share of characters with which the colour of `body` remains the text colour, if only the browser chose it.
const BODY_SHARE: f64 = 0.12;
/// Minimum share of characters for a colour other than that of `body` to be the text colour.
const TEXT_SHARE: f64 = 0.15;
/// Minimum ratio of legible text in the colour of `body`, if that is illegible on the page background, to text in a
/// colour that is legible on it.
const OUTWEIGHS: f64 = 2.0;
/// Minimum contrast of text with the page background.
const READABLE: f64 = 2.0;

/// Usage of a text colour: the amount of text, and the part of it that is legible on the background behind it.
#[derive(Debug, Clone, Copy, Default)]
struct Written {
    amount: f64,
    legible: f64,
}

/// The colours of the page's texts.
struct Texts {
    by_color: BTreeMap<[u8; 4], Written>,
    total: f64,
    /// The background of text where it is not known.
    ground: Shade,
}

impl Texts {
    fn of(survey: &Survey<'_>, ground: Shade) -> Self {
        let mut by_color: BTreeMap<[u8; 4], Written> = BTreeMap::new();
        let mut total = 0.0;
        for seen in survey.seen.iter().filter(|seen| seen.characters > 0 && !seen.marks.has_any(Marks::ALIEN)) {
            let Some(shade) = seen.text_color() else { continue };
            let amount = seen.characters as f64 * if seen.marks.has_any(Marks::LINK) { 0.3 } else { 1.0 };
            let written = by_color.entry(shade.rgba).or_default();
            written.amount += amount;
            written.legible += if is_legible(survey, seen, shade, ground) { amount } else { 0.0 };
            total += amount;
        }
        // Without text, text would be on the canvas.
        Self { by_color, total, ground: if total > 0.0 { ground } else { survey.ground } }
    }

    fn written(&self, shade: Shade) -> Written {
        self.by_color.get(&shade.rgba).copied().unwrap_or_default()
    }

    fn share(&self, amount: f64) -> f64 {
        amount / self.total.max(1.0)
    }

    /// Returns true if the colour is legible on the page background.
    fn is_readable(&self, shade: Shade) -> bool {
        shade.over(self.ground).contrast(self.ground) >= READABLE
    }

    /// Returns the colour with the largest measure, if that is a sufficient share of the text.
    fn most(&self, measure: impl Fn(Shade, Written) -> f64) -> Option<(Shade, f64)> {
        let measured = self.by_color.iter().map(|(rgba, written)| (Shade::new(*rgba), *written));
        let measured = measured.map(|(shade, written)| (shade, measure(shade, written)));
        let most = measured.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.rgba.cmp(&a.0.rgba)));
        most.filter(|(_, amount)| self.share(*amount) >= TEXT_SHARE)
    }

    fn observed(&self, shade: Shade) -> Chosen {
        Chosen { shade, basis: Basis::Observed, reasons: vec![self.percent(shade)] }
    }

    fn percent(&self, shade: Shade) -> String {
        format!("{:.0} % of characters", self.share(self.written(shade).amount) * 100.0)
    }
}

/// Returns true if a text is legible on the background behind it. All text on images counts as legible.
fn is_legible(survey: &Survey<'_>, seen: &Seen, shade: Shade, ground: Shade) -> bool {
    let (x, y) = seen.text_point();
    let below = match survey.canvas.at(x, y) {
        Some(Paint::Picture | Paint::Veiled(_)) => return true,
        Some(paint) => paint.main_shade().unwrap_or(ground),
        None => ground,
    };
    shade.over(below).contrast(below) >= READABLE
}

/// Chooses the text colour: that of the body, if it is legible on the page background, or if most legible text has it;
/// else that of most text.
fn text(survey: &Survey<'_>, ground: Shade) -> Option<Chosen> {
    let texts = Texts::of(survey, ground);
    let body = body_color(survey);
    let of_body = |(shade, is_declared): (Shade, bool)| {
        let basis = if is_declared { Basis::Declared } else { Basis::Inferred };
        let from = if is_declared { "color of the body" } else { "the browser's text colour" };
        Chosen { shade, basis, reasons: vec![from.to_owned(), texts.percent(shade)] }
    };
    let readable = body.filter(|(shade, _)| texts.is_readable(*shade));
    let is_in_use = |shade: Shade| texts.share(texts.written(shade).amount) >= BODY_SHARE;
    if let Some(body) = readable.filter(|(shade, is_declared)| *is_declared || is_in_use(*shade)) {
        return Some(of_body(body));
    }
    let on_ground = texts.most(|shade, written| if texts.is_readable(shade) { written.amount } else { 0.0 });
    let legible = body.map_or(0.0, |(shade, _)| texts.written(shade).legible);
    let is_rival =
        legible >= on_ground.map_or(0.0, |(_, amount)| amount * OUTWEIGHS) && texts.share(legible) >= TEXT_SHARE;
    if let Some(body) = body.filter(|_| is_rival) {
        return Some(of_body(body));
    }
    let most = on_ground.or_else(|| texts.most(|_, written| written.legible));
    most.map(|(shade, _)| texts.observed(shade)).or_else(|| {
        let (shade, _) = readable?;
        Some(Chosen { shade, basis: Basis::Inferred, reasons: vec!["the browser's text colour".to_owned()] })
    })
}

/// Returns the text colour of the body, and whether the page declares it.
fn body_color(survey: &Survey<'_>) -> Option<(Shade, bool)> {
    let body = survey.view.document.body()?;
    let style = survey.index.styles(&Environment::default()).get(body)?;
    let evidence = style.evidence(survey.index, Longhand::Color);
    let is_declared = !matches!(evidence, None | Some(Evidence::Rule { sheet: 0, .. }));
    Some((Shade::of(&style.color()), is_declared))
}
