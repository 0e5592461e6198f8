//! Colour names: the nearest in OKLab of the xkcd colour page (`xkcd.txt`).

use super::color::Rgba;
use std::sync::OnceLock;

const XKCD_SURVEY: &str = include_str!("xkcd.txt");

struct NamedColor {
    name: String,
    color: Rgba,
}

static NAMES: OnceLock<Vec<NamedColor>> = OnceLock::new();

fn names() -> &'static [NamedColor] {
    NAMES.get_or_init(|| XKCD_SURVEY.lines().filter_map(parse_line).collect())
}

/// Parses a line `acc2d9 cloudy blue`; returns `None` for comments.
fn parse_line(line: &str) -> Option<NamedColor> {
    let (hex, name) = line.split_once(' ')?;
    let rgb = u32::from_str_radix(hex, 16).ok()?.to_be_bytes();
    Some(NamedColor { name: title_case(name), color: Rgba::from_rgb([rgb[1], rgb[2], rgb[3]]) })
}

fn title_case(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    name.split(' ').map(capital).collect::<Vec<_>>().join(" ")
}

/// Returns the name of the nearest named colour, of a grey the nearest grey; opacity is ignored.
pub(super) fn name(shade: Rgba) -> String {
    let fitting = names().iter().filter(|named| !shade.is_grey() || named.color.is_grey());
    let nearest = fitting.min_by(|a, b| a.color.distance(shade).total_cmp(&b.color.distance(shade)));
    nearest.map(|named| named.name.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_have_the_nearest_survey_name() {
        for (hex, expected) in [
            ("#ffffff", "White"),
            ("#000000", "Black"),
            ("#e50000", "Red"),
            ("#c79fef", "Lavender"),
            ("#0343df", "Blue"),
            ("#029386", "Teal"),
            ("#222222", "Dark Grey"),
        ] {
            assert_eq!(name(Rgba::parse(hex).unwrap()), expected, "{hex}");
        }
    }

    #[test]
    fn every_line_of_the_list_is_read() {
        let lines = XKCD_SURVEY.lines().filter(|line| !line.starts_with('#')).count();
        assert!(lines > 700);
        assert_eq!(names().len(), lines);
    }
}
