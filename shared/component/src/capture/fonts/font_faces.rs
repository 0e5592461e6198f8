//! Selects the `@font-face` rules of a page that a component needs.

use super::used_fonts::{FontStyle, UsedFonts, weight_of};
use crate::capture::at_rules::{absolute, identifiers, is_slanted, rule_base_url};
use limner_assets::fonts::src_descriptor::supported;
use limner_component_model::model::FontFace;
use limner_style::{StyleIndex, declarations_in};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;
use url::Url;

/// Maximum number of `@font-face` rules that a component declares.
const MAX_FACES: usize = 60;

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

/// Returns the faces that the texts of a component need.
pub(crate) fn font_faces(index: &StyleIndex<'_>, used: &UsedFonts) -> Vec<FontFace> {
    let mut found: Vec<Face> = Vec::new();
    let mut seen: HashSet<FontFace> = HashSet::new();
    for rule in index.at_rules().iter().filter(|rule| &*rule.name == "font-face") {
        let base = rule_base_url(index, rule);
        let written = declarations_in(&rule.body).into_iter();
        let written = written.map(|(name, value)| {
            (name.to_ascii_lowercase(), with_one_kind_of_quotes(absolute(&without_comments(&value), base.as_ref())))
        });
        let written = written.filter(|(name, _)| is_descriptor(name));
        let sheet = index.sheets().get(rule.sheet as usize);
        let service = sheet.and_then(|sheet| sheet.href.as_deref()).filter(|link| is_font_service(link));
        let Some(face) = Face::from_descriptors(with_supported_sources(written), service) else { continue };
        let shows = face.descriptor("unicode-range").is_none_or(|ranges| covers(ranges, &used.characters));
        // Pages link one family of a font service more than once.
        if shows && seen.insert(FontFace { service: None, ..face.written.clone() }) {
            found.push(face);
        }
    }
    retain_loaded(&mut found, used);
    found.truncate(MAX_FACES);
    drop_needless_descriptors(&mut found, used);
    drop_former_faces(&mut found);
    merge_weights(&mut found);
    found.into_iter().map(|face| face.written).collect()
}

/// A face of the page, and what a browser chooses it by.
struct Face {
    written: FontFace,
    style: FontStyle,
    /// `None` if they are in none of the known notations.
    weights: Option<RangeInclusive<u32>>,
}

impl Face {
    /// Reads a face; `None` if it has no family or source.
    fn from_descriptors(descriptors: Vec<(String, String)>, service: Option<&str>) -> Option<Self> {
        let family = identifiers(last(&descriptors, "font-family")?).into_iter().reduce(join_with_space)?;
        last(&descriptors, "src")?;
        let is_slanted = last(&descriptors, "font-style").is_some_and(is_slanted);
        let weights = last(&descriptors, "font-weight").map_or(Some(400..=400), weights);
        let style = FontStyle { family: family.to_ascii_lowercase(), is_slanted };
        let written = FontFace { family, descriptors, service: service.map(str::to_owned) };
        Some(Self { written, style, weights })
    }

    fn descriptor(&self, name: &str) -> Option<&str> {
        last(&self.written.descriptors, name)
    }
}

/// Writes the strings of a value in double quotes, if none of them contains one: faces that differ in nothing else are equal.
fn with_one_kind_of_quotes(value: String) -> String {
    if value.contains('"') || value.contains('\\') { value } else { value.replace('\'', "\"") }
}

/// Removes the comments of a value: those of a tool that saved the page have the addresses that the fonts had.
fn without_comments(value: &str) -> String {
    if !value.contains("/*") {
        return value.to_owned();
    }
    let mut out = String::with_capacity(value.len());
    let (mut rest, mut end) = (value, None);
    while let Some(c) = rest.chars().next() {
        if end.is_none() && rest.starts_with("/*") {
            rest = rest.split_once("*/").map_or("", |(_, after)| after);
            out.push(' ');
            continue;
        }
        end = match end {
            Some(last) if last == c => None,
            None if matches!(c, '"' | '\'') => Some(c),
            None if c == '(' && out.len() >= 3 && out.as_bytes()[out.len() - 3..].eq_ignore_ascii_case(b"url") => {
                Some(')')
            }
            known => known,
        };
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a descriptor; of several with one name the last one counts.
fn last<'d>(descriptors: &'d [(String, String)], name: &str) -> Option<&'d str> {
    descriptors.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Removes the faces that a browser would not load for the texts.
fn retain_loaded(found: &mut Vec<Face>, used: &UsedFonts) {
    let mut siblings: HashMap<FontStyle, Vec<RangeInclusive<u32>>> = HashMap::new();
    for face in found.iter() {
        siblings.entry(face.style.clone()).or_default().extend(face.weights.clone());
    }
    let mut wanted: HashMap<FontStyle, BTreeSet<u32>> = HashMap::new();
    for (style, weights) in &used.weights {
        for is_slanted in used.any_slants.iter().copied().chain([style.is_slanted]) {
            // Without a face of the required slant, browsers use one of the other slant.
            let slants = [is_slanted, !is_slanted].into_iter();
            let mut styles = slants.map(|is_slanted| FontStyle { family: style.family.clone(), is_slanted });
            if let Some(found) = styles.find(|style| siblings.contains_key(style)) {
                wanted.entry(found).or_default().extend(weights.iter().chain(&used.any_weights));
            }
        }
    }
    let nearest: HashMap<&FontStyle, Vec<Distance>> = wanted
        .iter()
        .filter_map(|(style, weights)| Some((style, nearest_distances(siblings.get(style)?, weights))))
        .collect();
    found.retain(|face| {
        let (Some(wanted), Some(nearest)) = (wanted.get(&face.style), nearest.get(&face.style)) else { return false };
        let Some(own) = &face.weights else { return true };
        wanted.iter().zip(nearest).any(|(wanted, best)| distance(own, *wanted) == *best)
    });
}

/// Drops the descriptors that change nothing: initial values, and the ranges of families whose faces all have the same one,
/// with all letters of the texts.
fn drop_needless_descriptors(faces: &mut [Face], used: &UsedFonts) {
    let letters = || used.characters.iter().copied().filter(|letter| !PRIVATE_USE.contains(letter));
    let mut ranges: HashMap<String, Vec<Option<String>>> = HashMap::new();
    for face in faces.iter() {
        let own = face.descriptor("unicode-range").map(str::to_owned);
        ranges.entry(face.style.family.clone()).or_default().push(own);
    }
    let says_nothing = |own: &[Option<String>]| {
        let first = own[0].as_deref();
        own.iter().all(|own| own.as_deref() == first) && first.is_some_and(|first| covers_all(first, letters()))
    };
    let needless: HashSet<String> =
        ranges.into_iter().filter(|(_, own)| says_nothing(own)).map(|(family, _)| family).collect();
    for face in faces {
        let is_alike = needless.contains(&face.style.family);
        // Of descriptors with one name the last counts.
        let mut initial = vec!["font-stretch", "font-style", "font-weight"];
        initial.retain(|name| face.descriptor(name) == Some("normal"));
        face.written
            .descriptors
            .retain(|(name, _)| !(initial.contains(&name.as_str()) || is_alike && name == "unicode-range"));
    }
}

/// Drops faces of which another one says the same with a file in the format that all browsers read, and all but the last of
/// several such: that one is used (<https://drafts.csswg.org/css-fonts-4/#composite-fonts>).
fn drop_former_faces(faces: &mut Vec<Face>) {
    let described = |face: &Face| {
        let mut own = face.written.descriptors.clone();
        own.retain(|(name, _)| !matches!(name.as_str(), "src" | "font-display"));
        own.sort();
        own
    };
    let is_common = |face: &Face| face.descriptor("src").unwrap_or_default().contains("woff2");
    let known: HashSet<_> = faces.iter().filter(|face| is_common(face)).map(described).collect();
    faces.retain(|face| is_common(face) || !known.contains(&described(face)));
    let mut last: HashMap<Vec<(String, String)>, String> = HashMap::new();
    let mut is_kept: Vec<bool> = faces
        .iter()
        .rev()
        .map(|face| {
            let source = face.descriptor("src").unwrap_or_default();
            let later = last.get(&described(face));
            let is_former = later.is_some_and(|later| later.contains("woff2") || later == source);
            last.insert(described(face), source.to_owned());
            !is_former
        })
        .collect();
    is_kept.reverse();
    let mut kept = is_kept.into_iter();
    faces.retain(|_| kept.next() == Some(true));
}

/// Merges faces of one file that differ by their weight: `font-weight: 400`, `500` and `700` → `font-weight: 400 700`. A file
/// that has no other weights looks the same.
fn merge_weights(faces: &mut Vec<Face>) {
    let mut files: HashMap<FontFace, Vec<usize>> = HashMap::new();
    for (at, face) in faces.iter().enumerate().filter(|(_, face)| face.weights.is_some()) {
        let mut file = FontFace { service: None, ..face.written.clone() };
        file.descriptors.retain(|(name, _)| name != "font-weight");
        files.entry(file).or_default().push(at);
    }
    let mut merged: BTreeSet<usize> = BTreeSet::new();
    for same in files.into_values().filter(|same| same.len() > 1) {
        let own = |at: &usize| faces[*at].weights.clone();
        let Some(span) = same.iter().filter_map(own).reduce(|a, b| *a.start().min(b.start())..=*a.end().max(b.end()))
        else {
            continue;
        };
        let crosses = |(at, other): (usize, &Face)| {
            let is_between =
                other.weights.as_ref().is_none_or(|own| own.start() <= span.end() && own.end() >= span.start());
            !same.contains(&at) && other.style == faces[same[0]].style && is_between
        };
        if faces.iter().enumerate().any(crosses) {
            continue;
        }
        let face = &mut faces[same[0]];
        let own = &mut face.written.descriptors;
        let place = |name: &str| own.iter().position(|(known, _)| known == name);
        let at = place("font-weight").or_else(|| place("src")).unwrap_or(own.len());
        own.retain(|(name, _)| name != "font-weight");
        own.insert(at.min(own.len()), ("font-weight".to_owned(), format!("{} {}", span.start(), span.end())));
        merged.extend(&same[1..]);
    }
    let mut at = 0..;
    faces.retain(|_| at.next().is_none_or(|at| !merged.contains(&at)));
}

/// Code points without a meaning of their own: the pictures of icon fonts.
const PRIVATE_USE: RangeInclusive<u32> = 0xE000..=0xF8FF;

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
            number => weight_of(number),
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
        code_points(range).is_none_or(|(from, to)| from <= to && letters.range(from..=to).next().is_some())
    })
}

/// Returns true if all of the code points, which rise, are in `ranges`.
fn covers_all(ranges: &str, mut letters: impl Iterator<Item = u32>) -> bool {
    let Some(mut ranges) = ranges.split(',').map(code_points).collect::<Option<Vec<_>>>() else { return false };
    ranges.sort_unstable();
    let mut ranges = ranges.into_iter().peekable();
    let mut end = None;
    letters.all(|letter| {
        while let Some((_, to)) = ranges.next_if(|(from, _)| *from <= letter) {
            end = end.max(Some(to));
        }
        end.is_some_and(|end| letter <= end)
    })
}

/// Parses `U+0000-00FF`, `U+0131` or `U+4??`.
fn code_points(range: &str) -> Option<(u32, u32)> {
    let text = range.trim().strip_prefix(['U', 'u']).and_then(|rest| rest.strip_prefix('+'))?;
    let (from, to) = text.split_once('-').map_or_else(
        || (text.replace('?', "0"), text.replace('?', "F")),
        |(from, to)| (from.to_owned(), to.to_owned()),
    );
    Some((u32::from_str_radix(from.trim(), 16).ok()?, u32::from_str_radix(to.trim(), 16).ok()?))
}

#[cfg(test)]
mod tests;
