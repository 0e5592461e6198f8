//! Colour names: the nearest in OKLab of the xkcd colour survey (`xkcd.txt`).

use super::shade::Shade;
use std::sync::OnceLock;

const SURVEY: &str = include_str!("xkcd.txt");

struct Named {
    name: String,
    shade: Shade,
}

static NAMES: OnceLock<Vec<Named>> = OnceLock::new();

fn names() -> &'static [Named] {
    NAMES.get_or_init(|| SURVEY.lines().filter_map(read).collect())
}

/// Parses a line `acc2d9 cloudy blue`; returns `None` for comments.
fn read(line: &str) -> Option<Named> {
    let (hex, name) = line.split_once(' ')?;
    let rgb = u32::from_str_radix(hex, 16).ok()?.to_be_bytes();
    Some(Named { name: title_case(name), shade: Shade::opaque([rgb[1], rgb[2], rgb[3]]) })
}

fn title_case(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    name.split(' ').map(capital).collect::<Vec<_>>().join(" ")
}

/// Returns the name of the nearest named colour, of a grey the nearest grey; opacity is ignored.
pub(super) fn name(shade: Shade) -> String {
    let fitting = names().iter().filter(|named| !shade.is_grey() || named.shade.is_grey());
    let nearest = fitting.min_by(|a, b| a.shade.distance(shade).total_cmp(&b.shade.distance(shade)));
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
            assert_eq!(name(Shade::parse(hex).unwrap()), expected, "{hex}");
        }
    }

    #[test]
    fn every_line_of_the_list_is_read() {
        let lines = SURVEY.lines().filter(|line| !line.starts_with('#')).count();
        assert!(lines > 700);
        assert_eq!(names().len(), lines);
    }
}
