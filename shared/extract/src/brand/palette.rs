//! Builds the palette: merges colours that look alike, the most important first.

use super::names;
use super::region::Marks;
use super::roles::{Chosen, Roles};
use super::shade::{SAME, Shade};
use super::signals::{Tally, Use};
use super::survey::Survey;
use limner_types::result::{ContrastLevel, ContrastPair, PaletteColor};
use std::collections::BTreeMap;

/// Maximum number of colours of a palette.
const MOST_COLORS: usize = 24;
/// Maximum number of colours that are compared with each other; the rest is noise.
const MOST_COMPARED: usize = 400;
/// Maximum number of contrast pairs.
const MOST_PAIRS: usize = 12;

/// Merges near-duplicates: each colour joins the most used one that looks the same. Colours that already have a role
/// come first, used or not, so that similar colours join them.
pub(super) fn merged(mut tallies: Vec<Tally>, with_roles: &[Shade]) -> Vec<Tally> {
    tallies.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(a.shade.rgba.cmp(&b.shade.rgba)));
    let mut kept: Vec<Tally> = Vec::new();
    for shade in with_roles {
        let known = tallies.iter().position(|tally| tally.shade.rgba == shade.rgba).map(|at| tallies.remove(at));
        if !kept.iter().any(|tally| tally.shade.rgba == shade.rgba) {
            kept.push(known.unwrap_or_else(|| Tally::new(*shade)));
        }
    }
    tallies.truncate(MOST_COMPARED);
    for tally in tallies {
        let is_same = |other: &&mut Tally| {
            let opacity = i16::from(other.shade.rgba[3]).abs_diff(i16::from(tally.shade.rgba[3]));
            opacity < 26 && other.shade.distance(tally.shade) < SAME
        };
        match kept.iter_mut().find(is_same) {
            Some(same) => same.absorb(tally),
            None => kept.push(tally),
        }
    }
    kept
}

/// Returns the weight of a colour on the page.
fn weight(tally: &Tally) -> f64 {
    let calls = tally.amount(Use::Button).min(5.0) + tally.amount(Use::Logo) + tally.amount(Use::ThemeColor);
    let text = (tally.amount(Use::Text) + tally.amount(Use::Link) + tally.amount(Use::Heading)) / 2_000.0;
    tally.area * 10.0 + calls + text.min(5.0) + (tally.count as f64).ln_1p() * 0.5 + tally.amount(Use::BrandVariable)
}

/// Returns the palette of merged colours.
pub(super) fn palette(tallies: &[Tally], roles: &Roles) -> Vec<PaletteColor> {
    let named = [
        ("primary", &roles.primary),
        ("accent", &roles.accent),
        ("background", &roles.background),
        ("text", &roles.text),
    ];
    let role_of = |shade: Shade| {
        let is_it = move |chosen: &Chosen| chosen.shade.rgba == shade.rgba;
        named.iter().filter(move |(_, chosen)| chosen.as_ref().is_some_and(is_it)).map(|(name, _)| *name)
    };
    let mut ranked: Vec<(bool, f64, &Tally)> = tallies
        .iter()
        .map(|tally| (role_of(tally.shade).next().is_some(), weight(tally), tally))
        .filter(|(has_role, _, tally)| *has_role || tally.is_painted() || tally.in_metadata)
        .collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.shade.rgba.cmp(&b.2.shade.rgba)));
    ranked.truncate(MOST_COLORS);
    let color = |tally: &Tally| {
        let mut words: Vec<String> = role_of(tally.shade).map(str::to_owned).collect();
        for word in tally.uses.keys().filter_map(|usage| usage.word()) {
            if !words.iter().any(|known| known == word) {
                words.push(word.to_owned());
            }
        }
        PaletteColor {
            hex: tally.shade.hex(),
            name: names::name(tally.shade),
            count: tally.count,
            area: (tally.area > 0.0).then(|| (tally.area * 10_000.0).round() / 10_000.0),
            roles: words,
            properties: tally.properties.iter().map(|property| (*property).to_owned()).collect(),
            declared: tally.variable.is_some() || tally.in_metadata,
            variable: tally.variable.clone(),
        }
    };
    ranked.into_iter().map(|(_, _, tally)| color(tally)).collect()
}

/// Returns text colours with the backgrounds behind them.
pub(super) fn contrast(survey: &Survey<'_>) -> Vec<ContrastPair> {
    let mut pairs: BTreeMap<([u8; 4], [u8; 4]), (Shade, Shade, usize)> = BTreeMap::new();
    for seen in survey.seen.iter().filter(|seen| seen.characters > 0 && !seen.marks.has_any(Marks::ALIEN)) {
        let (Some(text), Some(ground)) = (seen.text_color(), survey.ground_of(seen)) else { continue };
        let shown = text.over(ground);
        pairs.entry((shown.rgba, ground.rgba)).or_insert((shown, ground, 0)).2 += seen.characters;
    }
    let mut pairs: Vec<(Shade, Shade, usize)> = pairs.into_values().collect();
    pairs.sort_by(|a, b| b.2.cmp(&a.2).then(a.0.rgba.cmp(&b.0.rgba)).then(a.1.rgba.cmp(&b.1.rgba)));
    pairs.truncate(MOST_PAIRS);
    let pair = |(text, ground, characters): (Shade, Shade, usize)| {
        let exact = text.contrast(ground);
        let level = match exact {
            ratio if ratio >= 7.0 => ContrastLevel::Aaa,
            ratio if ratio >= 4.5 => ContrastLevel::Aa,
            ratio if ratio >= 3.0 => ContrastLevel::AaLarge,
            _ => ContrastLevel::Fail,
        };
        let ratio = (exact * 100.0 + 1e-9).floor() / 100.0;
        ContrastPair { text: text.hex(), background: ground.hex(), ratio, level, characters }
    };
    pairs.into_iter().map(pair).collect()
}
