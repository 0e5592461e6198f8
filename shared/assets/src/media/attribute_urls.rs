//! Finds URLs in attribute values: plain, in lists, in JSON, in markup.

use crate::js_literals::{self, NamedString};
use limner_page::Document;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// Maximum length of an attribute value, in bytes.
const MAX_VALUE_BYTES: usize = 64 * 1024;
/// Maximum number of URLs per value.
const MAX_URLS: usize = 50;
/// The same limits for settings, which may describe a whole gallery or shop.
const MAX_SETTINGS_BYTES: usize = 1024 * 1024;
const MAX_SETTINGS_URLS: usize = 500;
/// Maximum depth of settings within strings of settings.
const MAX_NESTING: usize = 3;
/// Labels of formats that players expect before a URL (`mp4: movie.mp4, webm: movie.webm`).
const LABELS: &[&str] = &["mp4", "webm", "ogv", "ogg", "mov", "hls", "dash", "m3u8", "mpd", "mp3", "poster"];
/// Members of settings that are texts, whatever they look like.
const TEXT_MEMBERS: &[&str] =
    &["title", "alt", "caption", "name", "label", "description", "text", "content", "filename", "id", "class", "type"];

/// Returns all parts of an attribute value that may be URLs: the value itself, the entries of a
/// comma-separated list, the strings of JSON or of an object literal, or the sources in markup.
/// Relative URLs are included; the caller decides which ones refer to media.
pub(crate) fn addresses(value: &str) -> Vec<String> {
    named_addresses(value).into_iter().map(|string| string.value).collect()
}

/// Like [`addresses`], each with the name of the member that holds it, which is empty outside of
/// settings.
pub(crate) fn named_addresses(value: &str) -> Vec<NamedString> {
    let mut found = Vec::new();
    collect("", value, MAX_NESTING, &mut found);
    found
}

fn collect(name: &str, value: &str, depth: usize, found: &mut Vec<NamedString>) {
    let value = decode_settings(value.trim());
    if value.len() > MAX_SETTINGS_BYTES || found.len() >= MAX_SETTINGS_URLS {
        return;
    }
    let has_settings = is_settings(&value);
    if depth > 0 && value.contains('<') && !has_settings {
        return sources_in_markup(name, &value, found);
    }
    if depth > 0 && has_settings {
        for NamedString { name, value } in js_literals::strings(&value) {
            if !TEXT_MEMBERS.iter().any(|text| name.eq_ignore_ascii_case(text)) {
                collect(&name, &value, depth - 1, found);
            }
        }
        return;
    }
    if value.len() > MAX_VALUE_BYTES {
        return;
    }
    let pieces = list_entries(&value).into_iter().map(clean).filter(|piece| piece.contains(['.', '/']));
    found.extend(pieces.take(MAX_URLS).map(|piece| NamedString { name: name.to_owned(), value: piece.to_owned() }));
}

/// Returns true for JSON, an object literal, or the members of one without its braces
/// (`src: 'a.mp4', loop: true`).
fn is_settings(value: &str) -> bool {
    value.starts_with(['{', '[', '(', '"'])
        || [": '", ":'", ": \"", ":\"", "('", "(\""].iter().any(|start| value.contains(start))
}

/// Decodes settings that were escaped once more than their attribute needs: percent-encoded, or as
/// markup.
fn decode_settings(value: &str) -> Cow<'_, str> {
    if ["%7B", "%7b", "%5B", "%5b"].iter().any(|start| value.starts_with(start)) {
        percent_decode_str(value).decode_utf8_lossy()
    } else if value.starts_with(['{', '[']) && value.contains("&quot;") && !value.contains('"') {
        Cow::Owned(value.replace("&quot;", "\"").replace("&amp;", "&"))
    } else {
        Cow::Borrowed(value)
    }
}

/// Adds the sources of the elements in markup.
fn sources_in_markup(name: &str, markup: &str, found: &mut Vec<NamedString>) {
    let document = Document::parse_fragment(markup);
    for (_, element) in document.elements() {
        for value in ["src", "data-src", "href", "data"].iter().filter_map(|attribute| element.attr(attribute)) {
            let value = value.trim();
            if !value.is_empty() && found.len() < MAX_SETTINGS_URLS {
                found.push(NamedString { name: name.to_owned(), value: value.to_owned() });
            }
        }
    }
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

fn clean(piece: &str) -> &str {
    let piece = piece.trim().trim_matches([',', ';']);
    label(piece).unwrap_or(piece).trim()
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

    #[test]
    fn file_names_keep_their_spaces_brackets_and_apostrophes() {
        for (value, expected) in [
            ("/v/my film.mp4", vec!["/v/my film.mp4"]),
            ("/v/it's.mp4", vec!["/v/it's.mp4"]),
            ("Film (1).webm", vec!["Film (1).webm"]),
            (
                r#"{"sources":[{"src":"/v/my film.mp4"},{"src":"/v/Film (1).webm"}]}"#,
                vec!["/v/my film.mp4", "/v/Film (1).webm"],
            ),
            (r#"{"link":"/v/It\u0027s [on].mp4"}"#, vec!["/v/It's [on].mp4"]),
            ("{file: '/v/my film.mp4', title: 'a.mp4'}", vec!["/v/my film.mp4"]),
            ("src: '/v/my film.mp4', loop: true", vec!["/v/my film.mp4"]),
            ("%7B%22src%22%3A%22%2Fv%2Fa%20b.mp4%22%7D", vec!["/v/a b.mp4"]),
            ("{&quot;src&quot;:&quot;/v/a b.mp4&quot;}", vec!["/v/a b.mp4"]),
            (r#"{"html":"<video src=\"/v/a b.mp4\"></video>"}"#, vec!["/v/a b.mp4"]),
            (r#"{"settings":"{\"src\":\"/v/a b.mp4\"}"}"#, vec!["/v/a b.mp4"]),
            (r#"{"/v/no.mp4":1,"list":"/a.mp4, /b.mp4"}"#, vec!["/a.mp4", "/b.mp4"]),
        ] {
            assert_eq!(addresses(value), expected, "{value}");
        }
        let members: Vec<String> =
            named_addresses(r#"{"poster":"/p.jpg","sources":["/a.mp4"]}"#).into_iter().map(|s| s.name).collect();
        assert_eq!(members, ["poster", "sources"]);
    }
}
