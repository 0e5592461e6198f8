//! The contrast of every text with what is behind it (WCAG 2.2, criteria 1.4.3 and 1.4.6), at rest, under the pointer and
//! with the keyboard's focus, in each scheme.

use super::color::Rgba;
use super::page_regions::RegionFlags;
use super::paint_grid::CellPaint;
use super::rendered_page::{RenderedPage, VisibleElement};
use super::state_styles::{ElementState, StateStyles};
use limner_page::NodeId;
use limner_style::ComputedStyle;
use limner_style::computed::Position;
use limner_style::property::Longhand;
use limner_types::Theme;
use limner_types::result::{ContrastFinding, ContrastReport, ContrastState, TextSize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of pairs in a report.
const MAX_PAIRS: usize = 200;
/// Size from which text is large, in CSS pixels: 18 points, or 14 if bold.
const LARGE: f64 = 24.0;
const LARGE_IF_BOLD: f64 = 14.0 * 96.0 / 72.0;

/// Maximum number of ancestors whose backgrounds are looked at.
const MAX_ANCESTORS: usize = 64;

/// A pair of colours with what the required contrast depends on.
type PairKey = (u8, u8, [u8; 4], [u8; 4], bool);

struct Pair {
    elements: usize,
    characters: usize,
    first: NodeId,
}

/// The colour behind a text.
#[derive(Clone, Copy, PartialEq)]
enum Backdrop {
    Color(Rgba),
    Image,
}

/// Returns the report of a page in its schemes.
pub(super) fn report(pages: &[(Theme, &RenderedPage<'_>)]) -> ContrastReport {
    let mut pairs: BTreeMap<PairKey, Pair> = BTreeMap::new();
    let mut on_images: BTreeSet<NodeId> = BTreeSet::new();
    for (theme, page) in pages {
        let mut reader = PairReader { page, theme: *theme, states: StateStyles::new(page), pairs: &mut pairs };
        let is_text = |seen: &&VisibleElement| seen.characters > 0 && !seen.flags.has_any(RegionFlags::NOT_SITE);
        for seen in page.elements.iter().filter(is_text) {
            if !reader.read(seen) {
                on_images.insert(seen.node);
            }
        }
    }
    let Some((_, page)) = pages.first() else { return ContrastReport::default() };
    let mut findings: Vec<(Rgba, Rgba, PairKey, Pair)> =
        pairs.into_iter().map(|(key, pair)| (Rgba::new(key.2), Rgba::new(key.3), key, pair)).collect();
    let failures = findings.iter().filter(|(text, behind, key, _)| text.contrast(*behind) < required(key.4).0).count();
    let total = findings.len();
    findings.sort_by(|a, b| {
        let rank = |own: &(Rgba, Rgba, PairKey, Pair)| {
            let ratio = own.0.contrast(own.1);
            (ratio >= required(own.2.4).0, ratio)
        };
        let (one, other) = (rank(a), rank(b));
        one.0
            .cmp(&other.0)
            .then(one.1.total_cmp(&other.1))
            .then(b.3.characters.cmp(&a.3.characters))
            .then(a.2.cmp(&b.2))
    });
    findings.truncate(MAX_PAIRS);
    let finding = |(text, behind, key, pair): (Rgba, Rgba, PairKey, Pair)| {
        let (exact, (aa, aaa)) = (text.contrast(behind), required(key.4));
        ContrastFinding {
            text: text.hex(),
            background: behind.hex(),
            ratio: (exact * 100.0 + 1e-9).floor() / 100.0,
            size: if key.4 { TextSize::Large } else { TextSize::Normal },
            aa: exact >= aa,
            aaa: exact >= aaa,
            state: [ContrastState::Rest, ContrastState::Hover, ContrastState::Focus][usize::from(key.1)],
            theme: if key.0 == 0 { Theme::Light } else { Theme::Dark },
            elements: pair.elements,
            characters: pair.characters,
            selector: page.view.document.unique_selector(pair.first),
        }
    };
    ContrastReport { failures, total, on_images: on_images.len(), pairs: findings.into_iter().map(finding).collect() }
}

/// Returns the ratios that levels AA and AAA require.
fn required(is_large: bool) -> (f64, f64) {
    if is_large { (3.0, 4.5) } else { (4.5, 7.0) }
}

struct PairReader<'r, 'i> {
    page: &'r RenderedPage<'i>,
    theme: Theme,
    states: StateStyles<'i>,
    pairs: &'r mut BTreeMap<PairKey, Pair>,
}

impl PairReader<'_, '_> {
    /// Records the pairs of a text; returns false if it is on an image.
    fn read(&mut self, seen: &VisibleElement) -> bool {
        let at_rest = self.backdrop(seen, None);
        let Backdrop::Color(behind) = at_rest else { return false };
        let text = seen.text_color_in(&seen.style);
        if let Some(text) = text {
            self.add(seen, &seen.style.clone(), 0, text, behind);
        }
        for (number, state) in [(1, ElementState::Hover), (2, ElementState::Focus)] {
            if state == ElementState::Focus && self.control_around(seen.node).is_none() {
                continue;
            }
            let Some(style) = self.states.get(seen.node, state) else { continue };
            let Backdrop::Color(under) = self.backdrop(seen, Some(state)) else { continue };
            let own = seen.text_color_in(&style);
            if let Some(own) = own.filter(|own| Some(*own) != text || under != behind) {
                self.add(seen, &style, number, own, under);
            }
        }
        true
    }

    fn add(&mut self, seen: &VisibleElement, style: &ComputedStyle, state: u8, text: Rgba, behind: Rgba) {
        let (size, weight) = (style.font_size(), style.get(Longhand::FontWeight).parse().unwrap_or(400.0_f64));
        let is_large = size >= LARGE || (size >= LARGE_IF_BOLD - 1e-6 && weight >= 700.0);
        let shown = text.composite_over(behind);
        let key = (u8::from(self.theme == Theme::Dark), state, shown.rgba, behind.rgba, is_large);
        let pair = self.pairs.entry(key).or_insert(Pair { elements: 0, characters: 0, first: seen.node });
        pair.elements += 1;
        pair.characters += seen.characters;
    }

    /// Returns what is behind the text of an element: the backgrounds of the element and its ancestors, as far as they
    /// are colours in normal flow; else what is painted there.
    fn backdrop(&mut self, seen: &VisibleElement, state: Option<ElementState>) -> Backdrop {
        let document = &self.page.view.document;
        let control = self.control_around(seen.node);
        let mut translucent: Vec<Rgba> = Vec::new();
        let mut is_below_control = true;
        for node in std::iter::once(seen.node).chain(document.ancestors(seen.node).take(MAX_ANCESTORS)) {
            let Some(own) = self.page.visible_element(node) else { continue };
            // The focus is on a control only; the pointer is on all ancestors as well.
            let in_state = state.filter(|state| *state != ElementState::Focus || is_below_control);
            is_below_control &= control != Some(node);
            let style = match in_state {
                Some(state) => self.states.get(node, state).unwrap_or_else(|| own.style.clone()),
                None => Arc::clone(&own.style),
            };
            if let Some(color) = own.color_in(&style, Longhand::BackgroundColor) {
                if color.rgba[3] == 255 {
                    return if own.layers.is_empty() { composite(&translucent, color) } else { self.painted(seen) };
                }
                translucent.push(color);
            }
            let is_out_of_flow = matches!(own.style.position(), Position::Absolute | Position::Fixed);
            if !own.layers.is_empty() || own.fillings().next().is_some() || is_out_of_flow {
                return self.painted(seen);
            }
        }
        composite(&translucent, self.page.background)
    }

    fn painted(&self, seen: &VisibleElement) -> Backdrop {
        let (x, y) = seen.text_anchor();
        match self.page.canvas.paint_at(x, y) {
            Some(CellPaint::Image(_) | CellPaint::OverlaidImage(_)) => Backdrop::Image,
            Some(paint) => paint.dominant_color().map_or(Backdrop::Image, Backdrop::Color),
            None => Backdrop::Color(self.page.background),
        }
    }

    /// Returns the control that is the node or contains it, which takes the keyboard's focus.
    fn control_around(&self, node: NodeId) -> Option<NodeId> {
        let document = &self.page.view.document;
        std::iter::once(node).chain(document.ancestors(node)).take(6).find(|node| {
            document.element(*node).is_some_and(|element| match element.name() {
                "a" => element.attr("href").is_some(),
                "button" | "input" | "select" | "textarea" | "summary" => true,
                _ => element.attr("tabindex").is_some_and(|index| !index.trim().starts_with('-')),
            })
        })
    }
}

/// Composites translucent colours, the uppermost first, over an opaque one.
fn composite(translucent: &[Rgba], opaque: Rgba) -> Backdrop {
    Backdrop::Color(translucent.iter().rev().fold(opaque, |below, color| color.composite_over(below)))
}
