//! Which faces the page sets text in: those that the computed fonts of its elements choose for their characters, on a
//! desktop screen.
//!
//! A stack is walked as a browser would (CSS Fonts 4, section 5.2): in each family that the page defines the faces
//! nearest in style and weight, by `unicode-range` those that have some of the characters left. Families the page does
//! not define are taken to be missing from the visitor's machine.

use super::descriptors::{Span, Style};
use super::sheet::Face;
use crate::PageView;
use limner_page::{Document, NodeId};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement;
use limner_style::value::{Component, parse_components, split_commas};
use limner_style::{ComputedStyle, Environment, StyleIndex, Styles};
use std::collections::{BTreeSet, HashMap};

/// Distinct characters looked at for one font.
const MOST_CHARACTERS: usize = 30_000;
/// Different fonts told apart.
const MOST_FONTS: usize = 2_000;

/// Families that are always there, so that nothing after them is used. `ui-serif`, `-apple-system` and their like exist
/// on some systems only: what follows them counts on the others.
const GENERIC: &[&str] = &["serif", "sans-serif", "cursive", "fantasy", "monospace", "system-ui", "math"];

/// What decides which text is set, and in which font.
const CHOOSING: &[Longhand] = &[
    Longhand::Display,
    Longhand::Content,
    Longhand::FontFamily,
    Longhand::FontWeight,
    Longhand::FontStyle,
    // Animations may have the last word on any of them.
    Longhand::AnimationName,
    Longhand::AnimationFillMode,
    Longhand::AnimationIterationCount,
    Longhand::AnimationDirection,
    Longhand::AnimationPlayState,
    Longhand::AnimationTimeline,
];

/// For each face, whether it is used.
pub(super) fn used_faces(view: &PageView<'_>, faces: &[Face]) -> Vec<bool> {
    let mut used = vec![false; faces.len()];
    let mut by_family: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, face) in faces.iter().enumerate().filter(|(_, face)| face.applies) {
        by_family.entry(face.family.to_lowercase()).or_default().push(index);
    }
    if by_family.is_empty() {
        return used;
    }
    let index = StyleIndex::of_properties(view.page, &view.document, CHOOSING);
    let mut texts =
        Texts { document: &view.document, styles: index.styles(&Environment::default()), fonts: HashMap::new() };
    for (node, _) in view.document.elements() {
        texts.element(node);
    }
    for (font, characters) in texts.fonts {
        mark(&font, &characters, faces, &by_family, &mut used);
    }
    used
}

/// What chooses a face.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Font {
    /// The computed `font-family`.
    families: String,
    /// The computed `font-weight`.
    weight: String,
    /// The computed `font-style`.
    style: String,
}

/// The characters set in each font.
struct Texts<'i> {
    document: &'i Document,
    styles: Styles<'i>,
    fonts: HashMap<Font, BTreeSet<u32>>,
}

impl Texts<'_> {
    fn element(&mut self, node: NodeId) {
        let Some(style) = self.styles.get(node).filter(|style| !style.is_hidden()) else { return };
        let document = self.document;
        let own = document.children(node).filter_map(|child| document.text(child));
        let said = document.element(node).into_iter().filter(|element| element.in_html());
        let said = said.flat_map(|element| ["value", "placeholder"].into_iter().filter_map(|name| element.attr(name)));
        for text in own.chain(said).filter(|text| !text.trim().is_empty()) {
            self.add(&style, text);
        }
        for pseudo in [PseudoElement::Before, PseudoElement::After, PseudoElement::Marker] {
            if let Some(style) = self.styles.pseudo(node, pseudo) {
                let text = generated(document, node, style.get(Longhand::Content));
                self.add(&style, &text);
            }
        }
    }

    fn add(&mut self, style: &ComputedStyle, text: &str) {
        if text.is_empty() {
            return;
        }
        let of = |longhand| style.get(longhand).to_owned();
        let (families, weight) = (of(Longhand::FontFamily), of(Longhand::FontWeight));
        let font = Font { families, weight, style: of(Longhand::FontStyle) };
        let room = self.fonts.len() < MOST_FONTS;
        let characters = match self.fonts.get_mut(&font) {
            Some(characters) => characters,
            None if room => self.fonts.entry(font).or_default(),
            None => return,
        };
        for character in text.chars().filter(|character| !character.is_control()) {
            if characters.len() < MOST_CHARACTERS {
                characters.insert(u32::from(character));
            }
        }
    }
}

/// The text of a computed `content`: its strings and attributes; a counter counts as a digit.
fn generated(document: &Document, node: NodeId, content: &str) -> String {
    let mut text = String::new();
    for component in parse_components(content).unwrap_or_default() {
        match &component {
            Component::String(string) => text.push_str(string),
            // What follows is the text for those who can't see.
            Component::Slash => break,
            Component::Function { name, arguments } => match (&**name, arguments.first()) {
                ("attr", Some(Component::Ident(name))) => {
                    let value = document.element(node).and_then(|element| element.attr(&name.to_ascii_lowercase()));
                    text.push_str(value.unwrap_or_default());
                }
                ("counter" | "counters", _) => text.push('1'),
                _ => {}
            },
            _ => {}
        }
    }
    text
}

/// Marks the faces that text in this font is set in.
fn mark(
    font: &Font,
    characters: &BTreeSet<u32>,
    faces: &[Face],
    by_family: &HashMap<String, Vec<usize>>,
    used: &mut [bool],
) {
    let mut left: Vec<u32> = characters.iter().copied().collect();
    for part in split_commas(&parse_components(&font.families).unwrap_or_default()) {
        let name = match part {
            [Component::Ident(name)] if GENERIC.contains(&name.to_ascii_lowercase().as_str()) => return,
            [Component::String(name)] => name.to_lowercase(),
            words => words.iter().filter_map(Component::as_ident).collect::<Vec<_>>().join(" ").to_lowercase(),
        };
        let Some(family) = by_family.get(&name) else { continue };
        let chosen = nearest(font, family, faces);
        for index in &chosen {
            used[*index] |= has_any(&faces[*index], &left);
        }
        // A name on the visitor's machine may lead nowhere.
        let has_file = |index: &&usize| faces[**index].urls().next().is_some();
        let sure: Vec<&Face> = chosen.iter().filter(has_file).map(|index| &faces[*index]).collect();
        left.retain(|character| !sure.iter().any(|face| has(face, *character)));
        if left.is_empty() {
            return;
        }
    }
}

/// The faces of a family that match a font best: those of the nearest style, of them those of the nearest weight. Faces
/// that differ in nothing but their characters are all among them.
fn nearest(font: &Font, family: &[usize], faces: &[Face]) -> Vec<usize> {
    let wanted: f32 = font.weight.parse().unwrap_or(400.0);
    let best_of = |indexes: Vec<usize>, distance: &dyn Fn(&Face) -> (u8, i32)| -> Vec<usize> {
        let best = indexes.iter().map(|index| distance(&faces[*index])).min();
        indexes.into_iter().filter(|index| Some(distance(&faces[*index])) == best).collect()
    };
    let styled = best_of(family.to_vec(), &|face| (style_distance(&font.style, &face.style), 0));
    best_of(styled, &|face| weight_distance(wanted, &face.weight))
}

/// How far a face's style is from the one wanted: italic stands in for oblique and the other way round.
fn style_distance(wanted: &str, face: &Style) -> u8 {
    let face = match face {
        Style::Word("italic") => "italic",
        Style::Word("normal") => "normal",
        Style::Word(_) => return 0,
        Style::Oblique(_) => "oblique",
    };
    let order = match wanted.split(' ').next() {
        Some("italic") => ["italic", "oblique", "normal"],
        Some("oblique") => ["oblique", "italic", "normal"],
        _ => ["normal", "oblique", "italic"],
    };
    order.iter().position(|style| *style == face).map_or(3, |at| at as u8)
}

/// How far a face's weight is from the one wanted: in which of the directions of the specification, and how far there.
fn weight_distance(wanted: f32, face: &Span) -> (u8, i32) {
    let (low, high) = match face {
        Span::Word(_) => return (0, 0),
        Span::Value(value, _) => (*value, *value),
        Span::Range(low, high, _) => (*low, *high),
    };
    if low <= wanted && wanted <= high {
        return (0, 0);
    }
    let heavier = low > wanted;
    let gap = if heavier { low - wanted } else { wanted - high };
    let direction = match wanted {
        400.0..=500.0 if heavier && low <= 500.0 => 1,
        400.0..=500.0 => {
            if heavier {
                3
            } else {
                2
            }
        }
        weight if weight < 400.0 => {
            if heavier {
                2
            } else {
                1
            }
        }
        _ => {
            if heavier {
                1
            } else {
                2
            }
        }
    };
    (direction, gap as i32)
}

/// Whether a face has a character.
fn has(face: &Face, character: u32) -> bool {
    face.unicode_range.as_ref().is_none_or(|ranges| ranges.iter().any(|r| (r.start..=r.end).contains(&character)))
}

/// Whether a face has any of these (sorted) characters.
fn has_any(face: &Face, text: &[u32]) -> bool {
    let Some(ranges) = &face.unicode_range else { return !text.is_empty() };
    ranges.iter().any(|range| {
        let first = text.partition_point(|character| *character < range.start);
        text.get(first).is_some_and(|character| *character <= range.end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn css_fonts_4_section_5_2_weights() {
        for (wanted, faces, expected) in [
            (400.0, vec![300.0, 500.0, 700.0], 500.0),
            (400.0, vec![300.0, 600.0], 300.0),
            (400.0, vec![600.0, 700.0], 600.0),
            (500.0, vec![400.0, 600.0], 400.0),
            (300.0, vec![100.0, 400.0], 100.0),
            (300.0, vec![400.0, 700.0], 400.0),
            (600.0, vec![400.0, 900.0], 900.0),
            (900.0, vec![400.0, 700.0], 700.0),
        ] {
            let nearest = faces.iter().min_by_key(|weight| weight_distance(wanted, &Span::Value(**weight, "")));
            assert_eq!(nearest, Some(&expected), "{wanted} of {faces:?}");
        }
        assert_eq!(weight_distance(550.0, &Span::Range(100.0, 900.0, "")), (0, 0));
    }
}
