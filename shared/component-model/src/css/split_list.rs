//! Splits the text of a value at commas or spaces outside of brackets and strings.

/// Splits at commas outside of brackets and strings; the parts are trimmed.
pub fn split_commas(text: &str) -> Vec<&str> {
    split(text, |c| c == ',')
}

/// Splits at white space outside of brackets and strings; empty parts are left out.
pub fn split_spaces(text: &str) -> Vec<&str> {
    split(text, char::is_whitespace).into_iter().filter(|part| !part.is_empty()).collect()
}

fn split(text: &str, separates: impl Fn(char) -> bool) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote, mut escaped) = (Vec::new(), 0, 0_usize, None, false);
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
            continue;
        }
        match (c, quote) {
            ('\\', _) => escaped = true,
            (c, Some(open)) => quote = (c != open).then_some(open),
            ('"' | '\'', None) => quote = Some(c),
            ('(' | '[', None) => depth += 1,
            (')' | ']', None) => depth = depth.saturating_sub(1),
            (c, None) if depth == 0 && separates(c) => {
                parts.push(text[start..at].trim());
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::{split_commas, split_spaces};

    #[test]
    fn brackets_and_strings_are_not_split() {
        for (text, expected) in [
            ("a, b", &["a", "b"][..]),
            ("f(a, b) , c", &["f(a, b)", "c"]),
            ("[a, b], 'c, d'", &["[a, b]", "'c, d'"]),
            ("'a\\', b', c", &["'a\\', b'", "c"]),
            ("a\\,b,", &["a\\,b", ""]),
            ("a(b, c), \"d, \\\" e\", f", &["a(b, c)", "\"d, \\\" e\"", "f"]),
            ("", &[""]),
        ] {
            assert_eq!(split_commas(text), expected, "{text}");
        }
        assert_eq!(split_spaces(" 1px  calc(2px + 3px) \"a b\""), ["1px", "calc(2px + 3px)", "\"a b\""]);
    }
}
