//! Determines the axes of variable fonts from the page's declarations.

use super::descriptors::{DescriptorRange, FontStyle};
use super::font_face_rules::FontFaceRule;
use limner_types::result::{VariableFont, VariationAxis};
use url::Url;

/// Returns the axes of a face: its declared ranges, its variation settings, and the ranges
/// requested in the URL of a Google Fonts stylesheet. `None` if nothing declares the font as
/// variable.
pub(super) fn variable_font(face: &FontFaceRule, sheet: Option<&str>) -> Option<VariableFont> {
    let mut axes = Vec::new();
    if let Some((min, max)) = face.weight.range() {
        push(&mut axes, "wght", min.into(), max.into());
    }
    if let Some((min, max)) = face.stretch.as_ref().and_then(DescriptorRange::range) {
        push(&mut axes, "wdth", min.into(), max.into());
    }
    if let FontStyle::Oblique(angles) = &face.style
        && let Some((min, max)) = angles.range()
    {
        // The axis is counter-clockwise, the descriptor clockwise.
        push(&mut axes, "slnt", -f64::from(max), -f64::from(min));
    }
    for (tag, min, max) in sheet.map(|sheet| google_fonts_axis_ranges(sheet, &face.family)).unwrap_or_default() {
        push(&mut axes, &tag, min, max);
    }
    for (tag, value) in &face.variations {
        push(&mut axes, tag, f64::from(*value), f64::from(*value));
    }
    let declared = face.src.iter().any(|src| src.tech.iter().any(|tech| tech == "variations"));
    (declared || !axes.is_empty()).then_some(VariableFont { axes })
}

/// Adds an axis unless it is already known: the first source wins.
fn push(axes: &mut Vec<VariationAxis>, tag: &str, min: f64, max: f64) {
    if !axes.iter().any(|axis| axis.tag == tag) {
        // Adding 0 turns -0 into 0.
        axes.push(VariationAxis { tag: tag.to_owned(), min: min + 0.0, max: max + 0.0 });
    }
}

/// Returns the ranges of a family in `family=Inter:ital,opsz,wght@0,14..32,100..900`.
fn google_fonts_axis_ranges(sheet: &str, family: &str) -> Vec<(String, f64, f64)> {
    let Some(url) = Url::parse(sheet).ok().filter(|url| url.host_str() == Some("fonts.googleapis.com")) else {
        return Vec::new();
    };
    let mut axes = Vec::new();
    for (_, asked) in url.query_pairs().filter(|(key, _)| key == "family").take(100) {
        let Some((name, rest)) = asked.split_once(':') else { continue };
        let Some((tags, tuples)) = rest.split_once('@') else { continue };
        if !name.eq_ignore_ascii_case(family) {
            continue;
        }
        for tuple in tuples.split(';').take(100) {
            for (tag, value) in tags.split(',').zip(tuple.split(',')) {
                let range = value.split_once("..").and_then(|(min, max)| Some((min.parse().ok()?, max.parse().ok()?)));
                if let Some((min, max)) = range.filter(|(min, max): &(f64, f64)| min < max && tag.len() == 4) {
                    axes.push((tag.to_owned(), min, max));
                }
            }
        }
    }
    axes
}
