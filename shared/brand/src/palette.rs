//! Builds the palette: merges colours that look alike, the most important first.

use super::color::{MIN_DISTINCT_DISTANCE, Rgba};
use super::color_names;
use super::color_roles::{ColorRoles, RoleColor};
use super::color_usage::{ColorUsage, ColorUse};
use super::page_regions::RegionFlags;
use super::rendered_page::RenderedPage;
use limner_types::result::{ContrastLevel, ContrastPair, PaletteColor};
use std::collections::BTreeMap;

/// Maximum number of colours of a palette.
const MAX_PALETTE_COLORS: usize = 24;
/// Maximum number of colours that are compared with each other; the rest is noise.
const MAX_USAGES_COMPARED: usize = 400;
/// Maximum number of contrast pairs.
const MAX_CONTRAST_PAIRS: usize = 12;

/// Merges near-duplicates: each colour joins the most used one that looks the same. Colours that already have a role
/// come first, used or not, so that similar colours join them.
pub(super) fn merged(mut usages: Vec<ColorUsage>, with_roles: &[Rgba]) -> Vec<ColorUsage> {
    usages.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(a.color.rgba.cmp(&b.color.rgba)));
    let mut kept: Vec<ColorUsage> = Vec::new();
    for shade in with_roles {
        let known = usages.iter().position(|usage| usage.color.rgba == shade.rgba).map(|at| usages.remove(at));
        if !kept.iter().any(|usage| usage.color.rgba == shade.rgba) {
            kept.push(known.unwrap_or_else(|| ColorUsage::new(*shade)));
        }
    }
    usages.truncate(MAX_USAGES_COMPARED);
    for usage in usages {
        let is_same = |other: &&mut ColorUsage| {
            let opacity = i16::from(other.color.rgba[3]).abs_diff(i16::from(usage.color.rgba[3]));
            opacity < 26 && other.color.distance(usage.color) < MIN_DISTINCT_DISTANCE
        };
        match kept.iter_mut().find(is_same) {
            Some(same) => same.merge(usage),
            None => kept.push(usage),
        }
    }
    kept
}

/// Returns the weight of a colour on the page.
fn weight(usage: &ColorUsage) -> f64 {
    let calls =
        usage.amount(ColorUse::Button).min(5.0) + usage.amount(ColorUse::Logo) + usage.amount(ColorUse::ThemeColor);
    let text =
        (usage.amount(ColorUse::Text) + usage.amount(ColorUse::Link) + usage.amount(ColorUse::Heading)) / 2_000.0;
    usage.area * 10.0
        + calls
        + text.min(5.0)
        + (usage.count as f64).ln_1p() * 0.5
        + usage.amount(ColorUse::BrandVariable)
}

/// Returns the palette of merged colours.
pub(super) fn palette(usages: &[ColorUsage], roles: &ColorRoles) -> Vec<PaletteColor> {
    let named = [
        ("primary", &roles.primary),
        ("accent", &roles.accent),
        ("background", &roles.background),
        ("text", &roles.text),
    ];
    let role_of = |shade: Rgba| {
        let is_it = move |chosen: &RoleColor| chosen.color.rgba == shade.rgba;
        named.iter().filter(move |(_, chosen)| chosen.as_ref().is_some_and(is_it)).map(|(name, _)| *name)
    };
    let mut ranked: Vec<(bool, f64, &ColorUsage)> = usages
        .iter()
        .map(|usage| (role_of(usage.color).next().is_some(), weight(usage), usage))
        .filter(|(has_role, _, usage)| *has_role || usage.is_painted() || usage.in_metadata.is_some())
        .collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.color.rgba.cmp(&b.2.color.rgba)));
    ranked.truncate(MAX_PALETTE_COLORS);
    let names = color_names::names_of(&ranked.iter().map(|(_, _, usage)| usage.color).collect::<Vec<_>>());
    let color = |usage: &ColorUsage, name: String| {
        let mut words: Vec<String> = role_of(usage.color).map(str::to_owned).collect();
        for word in usage.uses.keys().filter_map(|kind| kind.role_name()) {
            if !words.iter().any(|known| known == word) {
                words.push(word.to_owned());
            }
        }
        PaletteColor {
            hex: usage.color.hex(),
            name,
            count: usage.count,
            area: (usage.area > 0.0).then(|| (usage.area * 10_000.0).round() / 10_000.0),
            roles: words,
            properties: usage.properties.iter().map(|property| (*property).to_owned()).collect(),
            declared: usage.variable.is_some() || usage.in_metadata.is_some(),
            variable: usage.variable.clone(),
        }
    };
    ranked.into_iter().zip(names).map(|((_, _, usage), name)| color(usage, name)).collect()
}

/// Returns text colours with the backgrounds behind them.
pub(super) fn contrast(page: &RenderedPage<'_>) -> Vec<ContrastPair> {
    let mut pairs: BTreeMap<([u8; 4], [u8; 4]), (Rgba, Rgba, usize)> = BTreeMap::new();
    for seen in page.elements.iter().filter(|seen| seen.characters > 0 && !seen.flags.has_any(RegionFlags::NOT_SITE)) {
        let (Some(text), Some(background)) = (seen.text_color(), page.background_under(seen)) else { continue };
        let shown = text.composite_over(background);
        pairs.entry((shown.rgba, background.rgba)).or_insert((shown, background, 0)).2 += seen.characters;
    }
    let mut pairs: Vec<(Rgba, Rgba, usize)> = pairs.into_values().collect();
    pairs.sort_by(|a, b| b.2.cmp(&a.2).then(a.0.rgba.cmp(&b.0.rgba)).then(a.1.rgba.cmp(&b.1.rgba)));
    pairs.truncate(MAX_CONTRAST_PAIRS);
    let pair = |(text, background, characters): (Rgba, Rgba, usize)| {
        let exact = text.contrast(background);
        let level = match exact {
            ratio if ratio >= 7.0 => ContrastLevel::Aaa,
            ratio if ratio >= 4.5 => ContrastLevel::Aa,
            ratio if ratio >= 3.0 => ContrastLevel::AaLarge,
            _ => ContrastLevel::Fail,
        };
        let ratio = (exact * 100.0 + 1e-9).floor() / 100.0;
        ContrastPair { text: text.hex(), background: background.hex(), ratio, level, characters }
    };
    pairs.into_iter().map(pair).collect()
}
