//! Widths of icons in icon fonts, which are not fetched. Most are square; those of Font Awesome, which is used more
//! than all others together, are as wide as their glyph.

use crate::fonts::family_names;
use std::collections::HashMap;
use std::sync::LazyLock;

const TABLE: &str = include_str!("icons.txt");

/// A version of Font Awesome by its family name, and the width of most of its icons in em.
const FAMILIES: &[(&str, u32, f64)] = &[
    ("fontawesome", 4, 0.8571),
    ("font awesome 5", 5, 1.0),
    ("font awesome 6", 6, 1.0),
    // Redrawn in the same proportions.
    ("font awesome 7", 6, 1.0),
];

/// Returns the width of a text of icons in a computed `font-family`, in em.
pub(crate) fn width(families: &str, text: &str) -> f64 {
    let family = family_names(families).into_iter().next().unwrap_or_default().to_lowercase();
    let known = FAMILIES.iter().find(|(name, ..)| family.starts_with(name));
    let icons = text.trim().chars();
    match known {
        Some((_, version, usual)) => icons.map(|icon| listed_width(*version, icon).unwrap_or(*usual)).sum(),
        None => icons.map(|_| 1.0).sum(),
    }
}

/// Returns the width of an icon that differs from most.
fn listed_width(version: u32, icon: char) -> Option<f64> {
    static WIDTHS: LazyLock<HashMap<(u32, char), f64>> = LazyLock::new(|| TABLE.lines().flat_map(row).collect());
    WIDTHS.get(&(version, icon)).copied()
}

/// Parses a row of the table: version, width in 1/10,000 em, code points and ranges of them.
fn row(line: &str) -> Vec<((u32, char), f64)> {
    let mut words = line.split(' ');
    let (Some(Ok(version)), Some(Ok(width))) = (words.next().map(str::parse), words.next().map(str::parse::<f64>))
    else {
        return Vec::new();
    };
    let icons = words.flat_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let code = |text: &str| u32::from_str_radix(text, 16).unwrap_or_default();
        (code(first)..=code(last)).filter_map(char::from_u32)
    });
    icons.map(|icon| ((version, icon), width / 10_000.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icon_widths_equal_the_advances_of_their_font() {
        for (families, text, em) in [
            ("FontAwesome", "\u{f002}", 0.9286),
            ("FontAwesome, serif", "\u{f060}", 0.8571),
            ("\"Font Awesome 5 Free\"", "\u{f0eb}", 0.6875),
            ("\"Font Awesome 5 Brands\"", "\u{f39e} ", 0.625),
            ("\"Font Awesome 6 Pro\"", "\u{f0c9}", 0.875),
            ("bootstrap-icons", "\u{f101}\u{f102}", 2.0),
            ("", "\u{e001}", 1.0),
        ] {
            assert!((width(families, text) - em).abs() < 1e-9, "{families} {text}: {}", width(families, text));
        }
    }

    #[test]
    fn every_row_of_the_table_is_read() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let icons = row(line);
            assert!(
                !icons.is_empty() && icons.iter().all(|((_, icon), width)| *icon > '\u{e000}' && *width > 0.1),
                "{line}"
            );
        }
    }
}
