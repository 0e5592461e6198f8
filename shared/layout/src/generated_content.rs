//! The text of generated content: `content` of pseudo-elements, and inside list markers.

use limner_page::dom::Element;
use limner_style::ComputedStyle;
use limner_style::computed::{Display, ListStylePosition};
use limner_style::property::Longhand;

/// Maximum length of the text generated for one pseudo-element.
const MAX_TEXT: usize = 4_096;

/// Returns the text of a computed `content`. Counters, whose values are not computed here, count as one digit; images
/// have no text.
pub(crate) fn content(computed: &str, element: &Element) -> String {
    let mut parser = cssparser::Parser::new(computed);
    let mut text = String::new();
    while let Ok(token) = parser.next().cloned() {
        match token {
            cssparser::Token::QuotedString(string) => text.push_str(&string),
            cssparser::Token::Ident(word) => match &*word {
                "open-quote" => text.push('\u{201c}'),
                "close-quote" => text.push('\u{201d}'),
                _ => {}
            },
            cssparser::Token::Function(name) => {
                let argument = parser.parse_nested_block(|inner| {
                    let name = inner.expect_ident().map(|name| name.to_string());
                    Ok::<String, cssparser::ParseError<()>>(name.unwrap_or_default())
                });
                let argument = argument.unwrap_or_default();
                match &*name {
                    "counter" | "counters" => text.push('1'),
                    "attr" => text.push_str(element.attr(&argument).unwrap_or_default()),
                    _ => {}
                }
            }
            // Alternative text follows, which is not shown.
            cssparser::Token::Delim('/') => break,
            _ => {}
        }
        if text.len() > MAX_TEXT {
            break;
        }
    }
    text
}

/// Returns true if a text is drawn by an icon font: a few private-use characters.
pub(crate) fn are_icons(text: &str) -> bool {
    let private = |c: char| matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10fffd}');
    let text = text.trim();
    !text.is_empty() && text.chars().count() <= 4 && text.chars().all(private)
}

/// Returns true if an icon font may have a ligature for that word: `arrow_back`.
pub(crate) fn is_icon_name(text: &str) -> bool {
    let text = text.trim();
    (1..=40).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns the marker of a list item, if it takes up space in the first line.
pub(crate) fn inside_marker(style: &ComputedStyle) -> Option<&'static str> {
    if !style.display().is_list_item() || style.list_style_position() != ListStylePosition::Inside {
        return None;
    }
    match style.get(Longhand::ListStyleType) {
        "none" => None,
        "disc" | "circle" | "square" | "disclosure-open" | "disclosure-closed" => Some("\u{2022}\u{2002}"),
        _ => Some("1. "),
    }
}

/// Returns true if a list item has an outside marker.
pub(crate) fn has_outside_marker(style: &ComputedStyle) -> bool {
    let is_item = matches!(style.display(), Display::ListItem | Display::FlowRootListItem);
    let is_shown = style.get(Longhand::ListStyleType) != "none" || style.get(Longhand::ListStyleImage) != "none";
    is_item && is_shown && style.list_style_position() == ListStylePosition::Outside
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_page::Document;

    #[test]
    fn css_content_3_section_2_content_becomes_text() {
        let document = Document::parse("<i data-x=attribute>");
        let (_, element) = document.elements_named("i").next().unwrap();
        for (computed, text) in [
            ("\"a\" \"b\"", "ab"),
            ("\"\\f101\"", "\u{f101}"),
            ("open-quote \"x\" close-quote", "\u{201c}x\u{201d}"),
            ("attr(data-x)", "attribute"),
            ("attr(none)", ""),
            ("counter(section) \". \"", "1. "),
            ("url(\"a.png\")", ""),
            ("\"seen\" / \"heard\"", "seen"),
            ("none", ""),
            ("", ""),
        ] {
            assert_eq!(content(computed, element), text, "{computed}");
        }
    }
}
