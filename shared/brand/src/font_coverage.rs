//! Determines which families of a stack can draw a text, from the characters that their faces declare.

use limner_page::{Document, NodeId};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, StyleIndex, declarations_in};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Maximum number of letters of an element that are looked at.
const MAX_LETTERS: usize = 200;

/// The characters of families whose faces all declare a `unicode-range`; other families draw any text.
pub(super) struct FontCoverage {
    ranges: BTreeMap<String, Vec<RangeInclusive<u32>>>,
    /// The faces of each family, by index in [`StyleIndex::at_rules`].
    faces: BTreeMap<String, Vec<usize>>,
}

impl FontCoverage {
    pub(super) fn from_page(index: &StyleIndex<'_>) -> Self {
        let mut families: BTreeMap<String, Option<Vec<RangeInclusive<u32>>>> = BTreeMap::new();
        let mut faces: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let rules = index.at_rules().iter().enumerate();
        for (number, face) in rules.filter(|(_, rule)| &*rule.name == "font-face") {
            let descriptors = declarations_in(&face.body);
            let find = |name: &str| {
                let own = descriptors.iter().rev().find(|(own, _)| own.eq_ignore_ascii_case(name));
                own.map(|(_, value)| value.as_str())
            };
            let Some(family) = find("font-family") else { continue };
            let family = family.trim().trim_matches(['"', '\'']).to_lowercase();
            faces.entry(family.clone()).or_default().push(number);
            let known = families.entry(family).or_insert_with(|| Some(Vec::new()));
            match (find("unicode-range"), &mut *known) {
                (Some(ranges), Some(known)) => known.extend(ranges.split(',').filter_map(unicode_range)),
                _ => *known = None,
            }
        }
        let ranges = families.into_iter().filter_map(|(family, ranges)| Some((family, ranges?))).collect();
        Self { ranges, faces }
    }

    /// Returns the faces of a family, by index in [`StyleIndex::at_rules`].
    pub(super) fn faces_of(&self, family: &str) -> &[usize] {
        self.faces.get(&family.to_lowercase()).map_or(&[], Vec::as_slice)
    }

    /// Returns the letters of an element's own text as they are shown, as far as they decide about a font.
    pub(super) fn letters_of(&self, document: &Document, node: NodeId, style: &ComputedStyle) -> Vec<u32> {
        if self.ranges.is_empty() {
            return Vec::new();
        }
        let texts = document.children(node).filter_map(|child| document.text(child));
        let letters = texts.flat_map(str::chars).filter(|letter| letter.is_alphabetic()).take(MAX_LETTERS);
        match style.get(Longhand::TextTransform) {
            "uppercase" => letters.flat_map(char::to_uppercase).map(u32::from).collect(),
            "lowercase" => letters.flat_map(char::to_lowercase).map(u32::from).collect(),
            _ => letters.map(u32::from).collect(),
        }
    }

    /// Returns true if a family draws most of these letters.
    pub(super) fn draws(&self, family: &str, letters: &[u32]) -> bool {
        let Some(ranges) = self.ranges.get(&family.to_lowercase()) else { return true };
        let drawn = letters.iter().filter(|letter| ranges.iter().any(|range| range.contains(letter))).count();
        letters.is_empty() || drawn * 2 > letters.len()
    }
}

/// Parses `U+26`, `U+0-7F` or `U+4??`.
fn unicode_range(text: &str) -> Option<RangeInclusive<u32>> {
    let text = text.trim();
    let digits = text.strip_prefix("U+").or_else(|| text.strip_prefix("u+"))?;
    let number = |digits: &str| u32::from_str_radix(digits, 16).ok();
    match digits.split_once('-') {
        Some((first, last)) => Some(number(first)?..=number(last)?),
        None => Some(number(&digits.replace('?', "0"))?..=number(&digits.replace('?', "F"))?),
    }
}
