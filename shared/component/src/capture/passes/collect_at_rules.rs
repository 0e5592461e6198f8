//! Collects the at-rules that a component's declarations name: fonts and counter styles, and the names of animations.
//!
//! Before → after: `font-family: Inter` → the same, and `@font-face { font-family: Inter; … }`.
//!
//! Reads the rules, texts and attributes, because a font face is needed for its characters; adds the at-rules. It stands
//! after `collapse-white-space`, which changes texts, and before the passes about keyframes, which read the names.

use crate::capture::at_rules::{absolute, identifiers, is_slanted, rule_base_url, rules_by_name};
use crate::capture::passes::{Draft, PassContext};
use cssparser::{Parser, Token};
use limner_assets::fonts::src_descriptor::supported;
use limner_component_model::model::{Child, DescriptorAtRule, Element, FontFace};
use limner_style::{StyleIndex, declarations_in};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;
use url::Url;

/// Maximum number of `@font-face` rules that a component declares.
const MAX_FACES: usize = 60;

/// Collects the at-rules that the rules name.
pub(crate) fn collect_at_rules(context: &PassContext<'_, '_>, draft: &mut Draft) {
    let index = context.section.request.index;
    let elements = &draft.component.elements;
    let (weights, slants) = (context.resolved.weights.clone(), context.resolved.slants.clone());
    let mut named = NamesInValues { weights, slants, ..NamesInValues::default() };
    elements.iter().flat_map(|element| &element.rules).flat_map(|rule| &rule.declarations).for_each(|declaration| {
        let value = declaration.value.as_str();
        match &*declaration.name {
            "animation-name" => named.animations.extend(identifiers(value)),
            // The computed value has the families of a custom property.
            "font-family" if value.contains("var(") => named.families.extend(families(&declaration.computed)),
            "font-family" => named.families.extend(families(value)),
            "font-weight" => named.weights.extend(declaration.computed.parse::<f64>().ok().map(|weight| weight as u32)),
            "font-style" => {
                named.slants.insert(is_slanted(&declaration.computed));
            }
            "list-style-type" | "content" => named.counter_styles.extend(identifiers(value)),
            _ => {}
        }
    });
    named.characters = letters(elements);
    draft.component.font_faces = font_faces(index, &named);
    draft.component.counter_styles = counter_styles(index, &named.counter_styles);
    draft.animations = named.animations;
}

/// The names and font properties in the declarations of a component.
#[derive(Debug, Default)]
struct NamesInValues {
    animations: BTreeSet<String>,
    families: BTreeSet<String>,
    weights: BTreeSet<u32>,
    /// `false` if some text is upright, `true` if some is slanted.
    slants: BTreeSet<bool>,
    counter_styles: BTreeSet<String>,
    characters: BTreeSet<u32>,
}

/// Returns the families of a list in lower case, their names unquoted.
fn families(value: &str) -> Vec<String> {
    let mut parser = Parser::new(value);
    let mut found = Vec::new();
    let mut current: Vec<String> = Vec::new();
    loop {
        match parser.next() {
            Ok(Token::Ident(word) | Token::QuotedString(word)) => current.push(word.to_ascii_lowercase()),
            Ok(Token::Comma) => found.push(std::mem::take(&mut current).join(" ")),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    found.push(current.join(" "));
    found
}

/// Returns the code points of the texts (as written and in upper case), of field values and of generated content. The
/// space is always included: in a line with only images, the face that has the space determines the line's height (CSS
/// 2.1 §10.8.1, "strut"; Fonts 4, "first available font").
fn letters(elements: &[Element]) -> BTreeSet<u32> {
    let mut found = BTreeSet::from([u32::from(' ')]);
    for element in elements {
        for child in &element.children {
            if let Child::Text(text) = child {
                found.extend(text.chars().flat_map(|c| c.to_uppercase().chain(std::iter::once(c))).map(u32::from));
            }
        }
        let attributes = element.attributes.iter().filter(|a| matches!(a.name.as_str(), "placeholder" | "value"));
        found.extend(attributes.flat_map(|attribute| attribute.value.chars()).map(u32::from));
        let contents = element.rules.iter().flat_map(|rule| &rule.declarations).filter(|d| d.name == "content");
        for declaration in contents {
            found.extend(identifiers(&declaration.value).iter().flat_map(|word| word.chars()).map(u32::from));
        }
    }
    found
}

/// Returns true for the descriptors of `@font-face` (CSS Fonts 4 and 5, section 11.1): pages write other names there,
/// too.
fn is_descriptor(name: &str) -> bool {
    const DESCRIPTORS: &[&str] = &[
        "ascent-override",
        "descent-override",
        "font-display",
        "font-family",
        "font-feature-settings",
        "font-language-override",
        "font-stretch",
        "font-style",
        "font-variation-settings",
        "font-weight",
        "font-width",
        "line-gap-override",
        "size-adjust",
        "src",
        "unicode-range",
    ];
    DESCRIPTORS.contains(&name)
}

fn font_faces(index: &StyleIndex<'_>, named: &NamesInValues) -> Vec<FontFace> {
    let mut found: Vec<(FontFace, Option<RangeInclusive<u32>>)> = Vec::new();
    let mut seen: HashSet<FontFace> = HashSet::new();
    for rule in index.at_rules().iter().filter(|rule| &*rule.name == "font-face") {
        let base = rule_base_url(index, rule);
        let written = declarations_in(&rule.body).into_iter();
        let written = written.map(|(name, value)| (name.to_ascii_lowercase(), absolute(&value, base.as_ref())));
        let written = written.filter(|(name, _)| is_descriptor(name));
        let descriptors = with_supported_sources(written);
        let get =
            |name: &str| descriptors.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let (Some(family), Some(_)) =
            (get("font-family").and_then(|value| identifiers(value).into_iter().reduce(join_with_space)), get("src"))
        else {
            continue;
        };
        let shows = get("unicode-range").is_none_or(|ranges| covers(ranges, &named.characters));
        if !shows || !named.families.contains(&family.to_ascii_lowercase()) {
            continue;
        }
        let weight = get("font-weight").map_or(Some(400..=400), weights);
        let sheet = index.sheets().get(rule.sheet as usize);
        let service = sheet.and_then(|sheet| sheet.href.as_deref()).filter(|link| is_font_service(link));
        let face = FontFace { family, descriptors, service: service.map(str::to_owned) };
        if seen.insert(face.clone()) {
            found.push((face, weight));
        }
    }
    let slant = |face: &FontFace| {
        face.descriptors.iter().rev().find(|(name, _)| name == "font-style").is_some_and(|(_, value)| is_slanted(value))
    };
    let style = |face: &FontFace| (face.family.to_ascii_lowercase(), slant(face));
    let mut siblings: HashMap<(String, bool), Vec<RangeInclusive<u32>>> = HashMap::new();
    for (face, weight) in &found {
        siblings.entry(style(face)).or_default().extend(weight.clone());
    }
    let nearest: HashMap<(String, bool), Vec<Distance>> =
        siblings.into_iter().map(|(style, weights)| (style, nearest_distances(&weights, &named.weights))).collect();
    found.retain(|(face, weight)| {
        let (family, is_slanted) = style(face);
        // Without a face of the required slant, browsers use one of the other slant.
        let other_way = nearest.contains_key(&(family.clone(), !is_slanted));
        if other_way && !named.slants.contains(&is_slanted) {
            return false;
        }
        let nearest = nearest.get(&(family, is_slanted)).map(Vec::as_slice).unwrap_or_default();
        let Some(weight) = weight else { return true };
        named.weights.iter().zip(nearest).any(|(wanted, best)| distance(weight, *wanted) == *best)
    });
    found.into_iter().map(|(face, _)| face).take(MAX_FACES).collect()
}

/// Returns the descriptors with at most one `src`: the last one that browsers support, reduced to the sources that they
/// would load.
fn with_supported_sources(all: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
    let mut sources = None;
    let mut kept: Vec<(String, String)> = Vec::new();
    for (name, value) in all {
        if name == "src" {
            sources = supported(&value).or(sources);
        } else {
            kept.push((name, value));
        }
    }
    kept.extend(sources.map(|value| ("src".to_owned(), value)));
    kept
}

/// Returns true for the stylesheet of a service that declares fonts for the pages that link it.
fn is_font_service(link: &str) -> bool {
    const HOSTS: &[&str] =
        &["api.fontshare.com", "fonts.bunny.net", "fonts.googleapis.com", "rsms.me", "use.typekit.net"];
    let host = Url::parse(link).ok().and_then(|url| url.host_str().map(str::to_owned));
    host.is_some_and(|host| HOSTS.contains(&host.as_str()))
}

fn join_with_space(a: String, b: String) -> String {
    format!("{a} {b}")
}

/// Parses `400`, `bold` or `100 900`.
fn weights(value: &str) -> Option<RangeInclusive<u32>> {
    let numbers: Option<Vec<u32>> = value
        .split_ascii_whitespace()
        .map(|word| match word {
            "normal" => Some(400),
            "bold" => Some(700),
            number => number.parse::<f64>().ok().map(|number| number as u32),
        })
        .collect();
    match numbers?.as_slice() {
        [one] => Some(*one..=*one),
        [from, to] => Some(*from.min(to)..=*from.max(to)),
        _ => None,
    }
}

/// Distance of a face from a required weight (Fonts 4, "font style matching"): true for faces on the wrong side, which
/// come last; then the difference.
type Distance = (bool, u32);

fn distance(face: &RangeInclusive<u32>, wanted: u32) -> Distance {
    let nearest = wanted.clamp(*face.start(), *face.end());
    let is_heavier = nearest > wanted;
    // Below 500 browsers look for lighter faces first, above for bolder ones.
    let is_medium = (400..=500).contains(&wanted) && (400..=500).contains(&nearest);
    let wrong_way = nearest != wanted && ((wanted <= 500) == is_heavier) && !is_medium;
    (wrong_way, nearest.abs_diff(wanted))
}

/// Returns, for each weight in use, the distance of the face that a browser chooses; empty if there are no faces.
fn nearest_distances(faces: &[RangeInclusive<u32>], wanted: &BTreeSet<u32>) -> Vec<Distance> {
    wanted.iter().filter_map(|wanted| faces.iter().map(|face| distance(face, *wanted)).min()).collect()
}

/// Returns true if any of the code points is in `ranges` (`U+0000-00FF, U+0131, U+4??`), or if a range is invalid.
fn covers(ranges: &str, letters: &BTreeSet<u32>) -> bool {
    ranges.split(',').any(|range| {
        let Some(text) = range.trim().strip_prefix(['U', 'u']).and_then(|rest| rest.strip_prefix('+')) else {
            return true;
        };
        let (from, to) = text.split_once('-').map_or_else(
            || (text.replace('?', "0"), text.replace('?', "F")),
            |(from, to)| (from.to_owned(), to.to_owned()),
        );
        match (u32::from_str_radix(from.trim(), 16), u32::from_str_radix(to.trim(), 16)) {
            (Ok(from), Ok(to)) => from <= to && letters.range(from..=to).next().is_some(),
            _ => true,
        }
    })
}

fn counter_styles(index: &StyleIndex<'_>, names: &BTreeSet<String>) -> Vec<DescriptorAtRule> {
    let rules = rules_by_name(index, &["counter-style"]);
    let wanted = names.iter().filter_map(|name| Some((name, *rules.get(name)?)));
    let read = wanted.map(|(name, rule)| {
        let base = rule_base_url(index, rule);
        let descriptors =
            declarations_in(&rule.body).into_iter().map(|(name, value)| (name, absolute(&value, base.as_ref())));
        DescriptorAtRule { prelude: limner_page::dom::escape_identifier(name), descriptors: descriptors.collect() }
    });
    read.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_chosen_by_weight() {
        let siblings: Vec<RangeInclusive<u32>> = vec![300..=300, 400..=400, 600..=600, 800..=800];
        for (wanted, chosen) in [(400, 400), (700, 800), (900, 800), (100, 300), (500, 400)] {
            let nearest = nearest_distances(&siblings, &BTreeSet::from([wanted]));
            let is_chosen = |own: &&RangeInclusive<u32>| distance(own, wanted) == nearest[0];
            let found: Vec<u32> = siblings.iter().filter(is_chosen).map(|own| *own.start()).collect();
            assert_eq!(found, [chosen], "{wanted}");
        }
    }

    #[test]
    fn sheets_of_font_services_are_recognized() {
        assert!(is_font_service("https://fonts.googleapis.com/css2?family=Inter"));
        assert!(!is_font_service("https://a.test/fonts.googleapis.com/fonts.css"));
    }

    #[test]
    fn unicode_range_covers_its_code_points() {
        let letters = BTreeSet::from([0x41, 0x416]);
        for (ranges, expected) in [("U+0-7F", true), ("u+4??", true), ("U+100-3FF, U+416", true), ("U+500-5ff", false)]
        {
            assert_eq!(covers(ranges, &letters), expected, "{ranges}");
        }
    }
}
