//! The order of tokens in files: by size, by lightness, or by use where neither applies.

use super::palette_names;
use limner_types::result::{TokenKind, TokenUsage};
use std::cmp::Ordering;

/// The place of a value among those of its kind.
#[derive(Debug, Clone)]
pub(super) struct OrderKey {
    /// Values with different units, and colours of different hues, are not compared by number.
    bucket: u32,
    number: f64,
    text: String,
}

impl OrderKey {
    pub(super) fn new(kind: TokenKind, css: &str, usage: Option<&TokenUsage>) -> Self {
        let by_use = || (0, -(usage.map_or(0, |usage| usage.used.unwrap_or(0)) as f64));
        let (bucket, number) = match kind {
            TokenKind::Colors => palette_names::place(css),
            TokenKind::FontFamilies | TokenKind::Gradients | TokenKind::Easings => by_use(),
            TokenKind::BoxShadows | TokenKind::TextShadows => extent(css),
            _ => quantity(css),
        };
        Self { bucket, number, text: css.to_owned() }
    }
}

impl PartialEq for OrderKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for OrderKey {}

impl PartialOrd for OrderKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OrderKey {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_number = self.bucket.cmp(&other.bucket).then_with(|| self.number.total_cmp(&other.number));
        by_number.then_with(|| self.text.cmp(&other.text))
    }
}

/// Returns a number with its unit: lengths that do not depend on the viewport are compared in pixels.
fn quantity(css: &str) -> (u32, f64) {
    let digits = css.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))).unwrap_or(css.len());
    let (number, unit) = css.split_at(digits);
    let Ok(number) = number.parse::<f64>() else { return (9, 0.0) };
    match unit {
        "" if number == 0.0 => (0, 0.0),
        "px" | "ms" => (0, number),
        "rem" | "em" => (0, number * 16.0),
        "" => (1, number),
        "%" => (2, number),
        _ => (3, number),
    }
}

/// Returns how far the first layer of a shadow reaches; those inside a box come last.
fn extent(shadow: &str) -> (u32, f64) {
    let layer = shadow.split(", ").next().unwrap_or_default();
    let lengths = layer.split(' ').map(quantity).take_while(|(bucket, _)| *bucket < 9);
    (u32::from(shadow.ends_with(" inset")), lengths.map(|(_, number)| number.abs()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_ascend_and_colors_darken() {
        for (kind, expected) in [
            (TokenKind::Spacing, vec!["-4px", "0", "2px", "0.25rem", "12px", "1rem", "5%", "3vw", "calc(1px + 2%)"]),
            (TokenKind::FontWeights, vec!["100", "400", "700"]),
            (TokenKind::Durations, vec!["80ms", "200ms", "1000ms"]),
            (
                TokenKind::Colors,
                vec!["#ffffff", "#888888", "#000000", "#ffc9c9", "#c92a2a", "#a5d8ff", "#1864ab", "#00000080"],
            ),
            (TokenKind::BoxShadows, vec!["0 1px 2px 0 #000000", "0 4px 12px 0 #000000", "0 1px 0 0 #000000 inset"]),
        ] {
            let mut values = expected.clone();
            values.reverse();
            values.sort_by_key(|value| OrderKey::new(kind, value, None));
            assert_eq!(values, expected);
        }
    }
}
