//! Finds URLs in attribute values: plain, in lists, in JSON.

/// Maximum length of an attribute value, in bytes.
const MAX_VALUE_BYTES: usize = 64 * 1024;
/// Maximum number of URLs per value.
const MAX_URLS: usize = 50;
/// Labels of formats that players expect before a URL (`mp4: movie.mp4, webm: movie.webm`).
const LABELS: &[&str] = &["mp4", "webm", "ogv", "ogg", "mov", "hls", "dash", "m3u8", "mpd", "mp3", "poster"];

/// Returns all parts of an attribute value that may be URLs: the value itself, the entries of a
/// comma-separated list, or the strings of JSON. Relative URLs are included; the caller decides
/// which ones refer to media.
pub(crate) fn addresses(value: &str) -> Vec<String> {
    let value = value.trim();
    if value.is_empty() || value.len() > MAX_VALUE_BYTES {
        return Vec::new();
    }
    let is_code = value.contains(['{', '[', '"', '\'', '<']);
    let pieces: Vec<&str> = if is_code { value.split(is_code_separator).collect() } else { list_entries(value) };
    let cleaned = pieces.into_iter().map(clean).filter(|piece| piece.contains(['.', '/']));
    cleaned.take(MAX_URLS).collect()
}

fn is_code_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '{' | '}' | '[' | ']' | '<' | '>' | '`' | '(' | ')')
}

/// Splits a list at commas and semicolons that precede another URL or label; URLs may contain both
/// characters.
fn list_entries(value: &str) -> Vec<&str> {
    let mut entries = Vec::new();
    let mut start = 0;
    for (at, _) in value.match_indices([',', ';']) {
        if starts_entry(value[at + 1..].trim_start()) {
            entries.push(&value[start..at]);
            start = at + 1;
        }
    }
    entries.push(&value[start..]);
    entries
}

fn starts_entry(rest: &str) -> bool {
    let prefixes = ["http:", "https:", "//", "/", "./", "../"];
    prefixes.iter().any(|prefix| rest.starts_with(prefix)) || label(rest).is_some()
}

/// Returns the rest after a label such as `mp4:`; a scheme is followed by `//`.
fn label(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once(':')?;
    let named = LABELS.iter().any(|label| name.trim().eq_ignore_ascii_case(label));
    (named && !rest.starts_with("//")).then_some(rest)
}

fn clean(piece: &str) -> String {
    let piece = piece.trim().trim_matches([',', ';']);
    let piece = label(piece).unwrap_or(piece).trim();
    // JSON in attributes: `https:\/\/host\/path` and `\u0026`.
    if piece.contains('\\') { piece.replace("\\/", "/").replace("\\u0026", "&") } else { piece.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_in_attribute_values_are_found() {
        for (value, expected) in [
            ("a.mp4", vec!["a.mp4"]),
            ("https://a.test/w_1,h_2/v.mp4", vec!["https://a.test/w_1,h_2/v.mp4"]),
            ("https://a.test/a.mp4,https://a.test/a.webm", vec!["https://a.test/a.mp4", "https://a.test/a.webm"]),
            ("mp4: video/a, webm: video/b.webm, poster: p.jpg", vec!["video/a", "video/b.webm", "p.jpg"]),
            ("mp4:./a.mp4", vec!["./a.mp4"]),
            (r#"{"src":"https:\/\/a.test\/a.mp4?x\u0026y","n":1}"#, vec!["https://a.test/a.mp4?x&y"]),
            (r#"[{'file':'/a.mp4'}]"#, vec!["/a.mp4"]),
            ("<iframe src=\"//p.test/e/1\">", vec!["//p.test/e/1"]),
            ("word", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(addresses(value), expected, "{value}");
        }
        assert!(addresses(&"/,".repeat(40_000)).is_empty());
        assert_eq!(addresses(&"/a.mp4,".repeat(1_000)).len(), MAX_URLS);
    }
}
