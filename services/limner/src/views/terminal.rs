//! Terminal styling, if the terminal supports it, and truncation of texts.

use owo_colors::{OwoColorize, Stream};

pub(crate) fn bold(text: &str) -> String {
    text.if_supports_color(Stream::Stdout, |text| text.bold()).to_string()
}

pub(crate) fn dim(text: &str) -> String {
    text.if_supports_color(Stream::Stdout, |text| text.dimmed()).to_string()
}

/// Returns one line of at most `most` characters. A URL is cut in the middle, so that host and file stay readable.
pub(crate) fn ellipsize(text: &str, most: usize) -> String {
    let line: Vec<char> = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
    if line.len() <= most {
        return line.into_iter().collect();
    }
    let is_url = text.contains("://");
    let tail = if is_url { most / 3 } else { 0 };
    let head = most - tail - 1;
    line[..head].iter().chain(['…'].iter()).chain(&line[line.len() - tail..]).collect()
}

/// Returns two blocks in the colour; over white and over black if it is not opaque.
pub(crate) fn swatch(hex: &str) -> String {
    let Some((rgb, alpha)) = channels(hex) else { return "    ".to_owned() };
    let over = |ground: f64| painted("██", rgb.map(|channel| channel * alpha + ground * (1.0 - alpha)));
    format!("{}{}", over(255.0), over(0.0))
}

/// Parses a hex colour into red, green, blue (0 to 255) and opacity (0 to 1).
pub(super) fn channels(hex: &str) -> Option<([f64; 3], f64)> {
    let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok().map(f64::from);
    let alpha = if hex.len() == 9 { byte(7)? / 255.0 } else { 1.0 };
    Some(([byte(1)?, byte(3)?, byte(5)?], alpha))
}

pub(super) fn painted(text: &str, rgb: [f64; 3]) -> String {
    let [r, g, b] = rgb.map(|channel| channel.round().clamp(0.0, 255.0) as u8);
    text.if_supports_color(Stream::Stdout, |text| text.truecolor(r, g, b)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(ellipsize("abcdefgh", 5), "abcd…");
        assert_eq!(ellipsize("http://a/bcdefghijkl", 12), "http://…ijkl");
        assert_eq!(ellipsize("a\n b", 12), "a b");
        assert_eq!(ellipsize(&format!("data:,{}", "x".repeat(100_000)), 20).chars().count(), 20);
    }
}
