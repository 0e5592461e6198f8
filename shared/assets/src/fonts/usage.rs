//! Determines which faces render text of the page on a desktop screen, from the computed fonts and
//! the characters of its elements.
//!
//! A font stack is resolved as in browsers (CSS Fonts 4, section 5.2): in each family that the page
//! defines, the faces nearest in style and weight are used whose `unicode-range` contains some of
//! the remaining characters. Other families are assumed to be missing on the visitor's machine.
//!
//! <https://drafts.csswg.org/css-fonts-4/#font-matching-algorithm>

use super::descriptors::{DescriptorRange, FontStyle};
use super::font_face_rules::FontFaceRule;
use super::font_query::FontQuery;
use super::rendered_text;
use super::rendered_text::{CONTAINING, TEXT_LONGHANDS};
use limner_page_view::PageView;
use limner_style::StyleIndex;
use limner_style::value::{Component, parse_components, split_commas};
use std::collections::{BTreeSet, HashMap};

/// Generic families that always exist, so that the rest of the stack is unused. `ui-serif`,
/// `-apple-system` and the like exist on some systems only; the rest of the stack is used on the
/// others.
const GENERIC: &[&str] = &["serif", "sans-serif", "cursive", "fantasy", "monospace", "system-ui", "math"];

/// Returns for each face whether it is used.
pub(super) fn used_faces(view: &PageView<'_>, faces: &[FontFaceRule]) -> Vec<bool> {
    let mut used = vec![false; faces.len()];
    let mut by_family: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, face) in faces.iter().enumerate().filter(|(_, face)| face.applies) {
        by_family.entry(face.family.to_lowercase()).or_default().push(index);
    }
    if by_family.is_empty() {
        return used;
    }
    let chosen_by =
        if may_use_container_queries(view) { [TEXT_LONGHANDS, CONTAINING].concat() } else { TEXT_LONGHANDS.to_vec() };
    let index = StyleIndex::for_properties(view.page, &view.document, &chosen_by);
    for (font, characters) in rendered_text::characters_by_font(&index, &view.document) {
        mark(&font, &characters, faces, &by_family, &mut used);
    }
    used
}

/// Returns true if a stylesheet may contain container queries; only then the widths of elements
/// matter.
fn may_use_container_queries(view: &PageView<'_>) -> bool {
    let own = view.page.sheets.iter().filter_map(|sheet| sheet.text.as_deref());
    let imported = view.page.imports.values().map(|sheet| sheet.text.as_str());
    own.chain(imported).any(|text| text.contains("@container"))
}

/// Marks the faces that render these characters in a font.
fn mark(
    font: &FontQuery,
    characters: &BTreeSet<u32>,
    faces: &[FontFaceRule],
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
        // Of faces with the same characters, the one defined last is used (section 5.3).
        for index in closest_faces(font, family, faces).into_iter().rev() {
            let face = &faces[index];
            used[index] |= has_any(face, &left);
            // A local font may be missing.
            if face.urls().next().is_some() {
                left.retain(|character| !covers_character(face, *character));
            }
        }
        if left.is_empty() {
            return;
        }
    }
}

/// Returns the faces of a family that match a font best: those of the nearest width, of these the
/// nearest style, and of these the nearest weight. Several faces remain if they differ only in
/// their characters.
fn closest_faces(font: &FontQuery, family: &[usize], faces: &[FontFaceRule]) -> Vec<usize> {
    let wanted: f32 = font.weight.parse().unwrap_or(400.0);
    let width = percentage(&font.stretch);
    let best_of = |indexes: Vec<usize>, distance: &dyn Fn(&FontFaceRule) -> (u8, i32)| -> Vec<usize> {
        let best = indexes.iter().map(|index| distance(&faces[*index])).min();
        indexes.into_iter().filter(|index| Some(distance(&faces[*index])) == best).collect()
    };
    let wide = best_of(family.to_vec(), &|face| stretch_distance(width, face.stretch.as_ref()));
    let styled = best_of(wide, &|face| (style_distance(&font.style, &face.style), 0));
    best_of(styled, &|face| weight_distance(wanted, &face.weight))
}

/// Returns a font width in percent: `condensed`, `75%`.
fn percentage(stretch: &str) -> f32 {
    match stretch {
        "ultra-condensed" => 50.0,
        "extra-condensed" => 62.5,
        "condensed" => 75.0,
        "semi-condensed" => 87.5,
        "semi-expanded" => 112.5,
        "expanded" => 125.0,
        "extra-expanded" => 150.0,
        "ultra-expanded" => 200.0,
        other => other.trim_end_matches('%').parse().unwrap_or(100.0),
    }
}

/// Returns the distance between a face's width and the requested one: up to the normal width
/// narrower faces are preferred, above it wider ones.
fn stretch_distance(wanted: f32, face: Option<&DescriptorRange>) -> (u8, i32) {
    let (low, high) = match face {
        None | Some(DescriptorRange::Keyword("auto")) => (100.0, 100.0),
        Some(DescriptorRange::Keyword(word)) => (percentage(word), percentage(word)),
        Some(DescriptorRange::Value(value, _)) => (*value, *value),
        Some(DescriptorRange::Range(low, high, _)) => (*low, *high),
    };
    if low <= wanted && wanted <= high {
        return (0, 0);
    }
    let wider = low > wanted;
    let gap = if wider { low - wanted } else { wanted - high };
    let is_first = wider == (wanted > 100.0);
    (if is_first { 1 } else { 2 }, (gap * 100.0) as i32)
}

/// Returns the distance between a face's style and the requested one: italic and oblique substitute
/// for each other.
fn style_distance(wanted: &str, face: &FontStyle) -> u8 {
    let face = match face {
        FontStyle::Keyword("italic") => "italic",
        FontStyle::Keyword("normal") => "normal",
        FontStyle::Keyword(_) => return 0,
        FontStyle::Oblique(_) => "oblique",
    };
    let order = match wanted.split(' ').next() {
        Some("italic") => ["italic", "oblique", "normal"],
        Some("oblique") => ["oblique", "italic", "normal"],
        _ => ["normal", "oblique", "italic"],
    };
    order.iter().position(|style| *style == face).map_or(3, |at| at as u8)
}

/// Returns the distance between a face's weight and the requested one: the rank of its direction in
/// the specification, and the distance in that direction.
fn weight_distance(wanted: f32, face: &DescriptorRange) -> (u8, i32) {
    let (low, high) = match face {
        DescriptorRange::Keyword(_) => return (0, 0),
        DescriptorRange::Value(value, _) => (*value, *value),
        DescriptorRange::Range(low, high, _) => (*low, *high),
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

/// Returns true if a face contains a character.
fn covers_character(face: &FontFaceRule, character: u32) -> bool {
    face.unicode_range.as_ref().is_none_or(|ranges| ranges.iter().any(|r| (r.start..=r.end).contains(&character)))
}

/// Returns true if a face contains any of these (sorted) characters.
fn has_any(face: &FontFaceRule, text: &[u32]) -> bool {
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
            let nearest =
                faces.iter().min_by_key(|weight| weight_distance(wanted, &DescriptorRange::Value(**weight, "")));
            assert_eq!(nearest, Some(&expected), "{wanted} of {faces:?}");
        }
        assert_eq!(weight_distance(550.0, &DescriptorRange::Range(100.0, 900.0, "")), (0, 0));
    }
}
