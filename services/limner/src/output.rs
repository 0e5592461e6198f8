//! Standard output and standard error. All texts for people go through here, so that a page's text never reaches a
//! terminal as a control sequence: control characters and bidirectional formatting characters are shown as `�`.

use anyhow::Context;
use serde_json::Value;
use std::borrow::Cow;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

/// Start (ECMA-48 §5.4) and end (§8.3.117) of our own sequences for emphasis and colours.
const STYLE: (&str, char) = ("\x1b[", 'm');

/// Writes a text for people and a line break. A closed pipe (`| head`) is not an error.
pub(crate) fn print(text: &str) -> io::Result<()> {
    print_exactly(&without_controls(text))
}

/// Like [`print()`], for unmodified JSON: its strings have their own escapes.
pub(crate) fn print_json(value: &Value) -> io::Result<()> {
    print_exactly(&format!("{value:#}"))
}

/// Like [`print()`], for the unmodified text of a file, which other programs read.
pub(crate) fn print_file(text: &str) -> io::Result<()> {
    if !io::stdout().is_terminal() {
        return print_exactly(text);
    }
    // A file has no styles of ours: those in it are a page's.
    let fit = |c: char| if is_command(c) && !matches!(c, '\n' | '\t') { char::REPLACEMENT_CHARACTER } else { c };
    print_exactly(&text.chars().map(fit).collect::<String>())
}

/// Writes a file, and the directories above it that are missing.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let parent = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    parent.and_then(|()| std::fs::write(path, bytes)).with_context(|| format!("writing {}", path.display()))
}

/// Returns true if standard error is a terminal: errors are sentences there, and JSON elsewhere.
pub(crate) fn errors_are_read_by_people() -> bool {
    io::stderr().is_terminal()
}

/// Writes a text for people to standard error, with a line break.
pub(crate) fn complain(text: &str) {
    eprintln!("{}", without_controls(text));
}

/// Like [`print()`], without any change: for JSON, for example.
pub(crate) fn print_exactly(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.write_all(b"\n")).and_then(|()| stdout.flush()) {
        Err(cause) if cause.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prepares a result for its view: every text on one line, even without the sequences that views create themselves.
pub(crate) fn fit_for_views(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.chars().map(fit_for_lines).collect()),
        Value::Array(items) => items.iter().map(fit_for_views).collect(),
        Value::Object(members) => {
            let fit =
                |(name, value): (&String, &Value)| (name.chars().map(fit_for_lines).collect(), fit_for_views(value));
            Value::Object(members.iter().map(fit).collect())
        }
        other => other.clone(),
    }
}

fn fit_for_lines(character: char) -> char {
    match character {
        '\n' | '\r' | '\t' => ' ',
        character if is_command(character) => char::REPLACEMENT_CHARACTER,
        character => character,
    }
}

/// Returns true for characters that control a terminal: C0, DEL and C1, line separators, and bidirectional marks,
/// embeddings, overrides and isolates (UAX #9), which make a text look like another.
fn is_command(character: char) -> bool {
    let turns_direction = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    character.is_control() || turns_direction
}

/// Returns the text with its line breaks, tabs and styles, and no other control sequence.
fn without_controls(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|character| is_command(character) && character != '\n') {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let style = style_at(rest);
        let length = if style > 0 { style } else { character.len_utf8() };
        let (head, tail) = rest.split_at(length);
        if style == 0 && is_command(character) && !matches!(character, '\n' | '\t') {
            shown.push(char::REPLACEMENT_CHARACTER);
        } else {
            shown.push_str(head);
        }
        rest = tail;
    }
    Cow::Owned(shown)
}

/// Returns the length in bytes of the style sequence that a text starts with; 0 if there is none.
fn style_at(text: &str) -> usize {
    let Some(parameters) = text.strip_prefix(STYLE.0) else { return 0 };
    let digits = parameters.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    if parameters[digits..].starts_with(STYLE.1) { STYLE.0.len() + digits + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_for_people_contain_only_line_and_style_controls() {
        for (text, shown) in [
            ("a\n\tb é 漢 🎨", "a\n\tb é 漢 🎨"),
            ("\x1b[1mbold\x1b[0m \x1b[38;2;1;2;3mred\x1b[39m", "\x1b[1mbold\x1b[0m \x1b[38;2;1;2;3mred\x1b[39m"),
            ("\x1b]0;title\x07", "�]0;title�"),
            ("\x1b]8;;https://a.test\x1b\\link", "�]8;;https://a.test�\\link"),
            ("\x1b[2J\x1b[H", "�[2J�[H"),
            ("\x1b[?1049h\x1b[6n", "�[?1049h�[6n"),
            ("\x1bP+q\x1b\\ \x1bc", "�P+q�\\ �c"),
            ("\x1b[1", "�[1"),
            ("\u{9b}2J\u{9d}0;x\u{9c}", "�2J�0;x�"),
            ("a\rb\x08\x7f\0\x0b", "a�b����"),
            ("\u{202e}gpj.exe\u{2066}\u{200f}\u{2028}", "�gpj.exe���"),
        ] {
            assert_eq!(without_controls(text), shown, "{text:?}");
        }
    }

    #[test]
    fn results_lose_even_styles_before_they_are_viewed() {
        let result = json!({ "t\x1b[8m": ["a\x1b[31mb\nc", { "x": "\u{9b}m\u{202e}" }, 1, null, true] });
        let fit = json!({ "t�[8m": ["a�[31mb c", { "x": "�m�" }, 1, null, true] });
        assert_eq!(fit_for_views(&result), fit);
    }
}
