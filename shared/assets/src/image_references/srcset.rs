//! Parses the `srcset` attribute (HTML, "parse a srcset attribute").
//!
//! <https://html.spec.whatwg.org/multipage/images.html#parse-a-srcset-attribute>

/// An image candidate string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SrcsetCandidate<'a> {
    /// The URL as written.
    pub url: &'a str,
    /// `2x` or `640w` as written; `None` if there is none, which means `1x`.
    pub descriptor: Option<String>,
}

/// Returns the candidates in order. A candidate whose descriptors are a parse error is dropped.
pub fn parse(input: &str) -> Vec<SrcsetCandidate<'_>> {
    let mut candidates = Vec::new();
    let mut rest = input;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            return candidates;
        }
        let url_end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(url_end);
        let url = word.trim_end_matches(',');
        if url.len() < word.len() {
            candidates.push(SrcsetCandidate { url, descriptor: None });
            rest = after;
            continue;
        }
        let (descriptors, after) = split_descriptors(after);
        if let Some(descriptor) = read_descriptors(descriptors) {
            candidates.push(SrcsetCandidate { url, descriptor });
        }
        rest = after;
    }
}

/// Splits at the next comma outside of parentheses.
fn split_descriptors(text: &str) -> (&str, &str) {
    let mut inside = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => inside = true,
            b')' => inside = false,
            b',' if !inside => return (&text[..at], &text[at + 1..]),
            _ => {}
        }
    }
    (text, "")
}

/// Returns the descriptor to report; `None` if the descriptors are a parse error.
fn read_descriptors(text: &str) -> Option<Option<String>> {
    let (mut width, mut density, mut height) = (None, None, None);
    for word in text.split_ascii_whitespace() {
        let (number, unit) = word.split_at(word.len() - word.chars().next_back().map_or(0, char::len_utf8));
        match unit {
            "w" if width.is_none() && density.is_none() && is_positive_integer(number) => width = Some(word),
            "x" if width.is_none() && density.is_none() && height.is_none() && is_density(number) => {
                density = Some(word);
            }
            "h" if height.is_none() && density.is_none() && is_positive_integer(number) => height = Some(word),
            _ => return None,
        }
    }
    if height.is_some() && width.is_none() {
        return None;
    }
    Some(width.or(density).map(str::to_owned))
}

fn is_positive_integer(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) && text.bytes().any(|b| b != b'0')
}

/// Returns true for a non-negative "valid floating-point number" (HTML).
fn is_density(text: &str) -> bool {
    let looks_valid = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'-' | b'+'));
    looks_valid && !text.starts_with('+') && text.parse::<f64>().is_ok_and(|density| density >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_parsed_as_specified() {
        let table: &[(&str, &[(&str, Option<&str>)])] = &[
            ("", &[]),
            (" , ,, ", &[]),
            ("a.png", &[("a.png", None)]),
            ("a.png 1x, b.png 2x", &[("a.png", Some("1x")), ("b.png", Some("2x"))]),
            ("a.png 320w,b.png 640w", &[("a.png", Some("320w")), ("b.png", Some("640w"))]),
            ("a.png, b.png 1.5x", &[("a.png", None), ("b.png", Some("1.5x"))]),
            ("a.png,b.png 2x", &[("a.png,b.png", Some("2x"))]),
            ("a,,, b", &[("a", None), ("b", None)]),
            ("a\n\t1x\n,\n b  2x ", &[("a", Some("1x")), ("b", Some("2x"))]),
            ("data:image/png;base64,AAAA 2x, b", &[("data:image/png;base64,AAAA", Some("2x")), ("b", None)]),
            ("a 2x 3x, b", &[("b", None)]),
            ("a 100w 2x, b", &[("b", None)]),
            ("a 100w 50h, b", &[("a", Some("100w")), ("b", None)]),
            ("a 50h, b", &[("b", None)]),
            ("a 0w, b -1x, c 1e3x, d .5x, e +1x", &[("c", Some("1e3x")), ("d", Some(".5x"))]),
            ("a foo(1,2), b", &[("b", None)]),
            ("a 2é, b", &[("b", None)]),
            ("https://cdn.x/w_300,h_200/a.jpg 300w", &[("https://cdn.x/w_300,h_200/a.jpg", Some("300w"))]),
        ];
        for (input, expected) in table {
            let parsed = parse(input);
            let shown: Vec<_> = parsed.iter().map(|c| (c.url, c.descriptor.as_deref())).collect();
            assert_eq!(shown, *expected, "{input:?}");
        }
    }
}
