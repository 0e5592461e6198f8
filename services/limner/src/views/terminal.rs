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
