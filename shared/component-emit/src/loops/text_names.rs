//! Names the fields of texts and of other contents.

use super::usable_words::{is_field, is_generic};
use limner_component_model::ir::OutputElement;

/// Usual names of texts, as the last word of a class or an id: `stat-value`, `author-name`.
const TEXTS: &[&str] = &[
    "name",
    "title",
    "subtitle",
    "headline",
    "label",
    "description",
    "caption",
    "excerpt",
    "summary",
    "message",
    "quote",
    "author",
    "role",
    "position",
    "company",
    "username",
    "handle",
    "email",
    "phone",
    "address",
    "location",
    "date",
    "time",
    "year",
    "month",
    "day",
    "duration",
    "period",
    "price",
    "amount",
    "total",
    "discount",
    "currency",
    "unit",
    "value",
    "number",
    "count",
    "percentage",
    "quantity",
    "badge",
    "tag",
    "category",
    "status",
    "rating",
    "version",
    "question",
    "answer",
    "eyebrow",
    "kicker",
    "initials",
];

/// The field of a text of which nothing else is known.
pub(super) const PLAIN_TEXT: &str = "text";

/// Returns true for the field of a text of which nothing is known, with or without a number.
pub(super) fn is_plain_text(name: &str) -> bool {
    name.strip_prefix(PLAIN_TEXT).is_some_and(|number| number.chars().all(|c| c.is_ascii_digit()))
}

/// Returns the field name of a text in an element.
pub(super) fn text_field_name(tag: &OutputElement, text: &str) -> &'static str {
    let text = text.trim();
    let is_money = text.len() <= 12
        && text.chars().any(|c| c.is_ascii_digit())
        && text.chars().any(|c| matches!(c, '$' | '€' | '£' | '¥' | '₹'));
    if is_money {
        return "price";
    }
    let last = tag.semantic_name.rsplit('-').next().unwrap_or_default();
    // A class name that every `span` may have carries no meaning.
    let is_own =
        tag.semantic_name != "label" && matches!(tag.name.as_str(), "p" | "div" | "span" | "small" | "em" | "i" | "td");
    if let Some(named) = TEXTS.iter().find(|text| is_own && **text == last) {
        return named;
    }
    match tag.name.as_str() {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "summary" | "dt" => "title",
        "a" | "button" | "label" | "option" => "label",
        "time" => "date",
        "cite" => "author",
        "code" | "pre" => "code",
        "strong" | "b" => "name",
        "title" => "title",
        _ => PLAIN_TEXT,
    }
}

/// Returns the last word of an element's semantic name, if it says more than the text's appearance.
pub(super) fn content_word(word: &str) -> Option<String> {
    const APPEARANCE_WORDS: &[&str] =
        &["big", "bold", "copy", "label", "large", "lead", "light", "muted", "small", "sub", "title", "value"];
    let last = word.rsplit('-').next().unwrap_or_default();
    // Icon fonts name the element of a glyph `icons`.
    let last = if last == "icons" { "icon" } else { last };
    (!is_generic(last) && last.len() <= 16 && !APPEARANCE_WORDS.contains(&last) && is_field(last))
        .then(|| last.to_owned())
}

/// Returns the field name of an element's content of any kind: `answer`.
pub(super) fn content_field_name(tag: &OutputElement) -> String {
    let last = tag.semantic_name.rsplit('-').next().unwrap_or_default();
    let known = TEXTS.contains(&last).then(|| last.to_owned());
    known.or_else(|| content_word(&tag.semantic_name)).unwrap_or_else(|| "content".to_owned())
}
