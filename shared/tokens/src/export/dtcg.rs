//! `format=dtcg`: a file of the Design Tokens Format Module 2025.10.
//!
//! Lossless: values that the format does not support go into `unrepresented` among the root's extensions, in CSS. If a
//! token is less precise than the CSS value (a gradient has no direction in the format), its extensions contain the CSS
//! value.

mod value;

use crate::DesignTokens;
use crate::token_names::{NamedToken, TokenValue, named_tokens, quantity};
use limner_types::result::{TokenKind, TokenUsage};
use serde_json::{Map, Value, json};
use value::{DtcgToken, breakpoint, token};

/// The published schema.
const SCHEMA: &str = "https://www.designtokens.org/schemas/2025.10/format.json";
/// The key of our extension data.
const VENDOR: &str = "limner";

/// Returns the file as a JSON object.
pub(crate) fn write(tokens: &DesignTokens) -> Value {
    let groups = &tokens.result.tokens;
    let mut unrepresented = Vec::new();
    let (mut file, mut light, mut dark) = (Map::new(), Map::new(), Map::new());
    for named in named_tokens(tokens) {
        let [other_light, other_dark] = named.themed;
        for (target, theme, value) in
            [(&mut file, "", Some(named.value)), (&mut light, "light.", other_light), (&mut dark, "dark.", other_dark)]
        {
            let Some(TokenValue { css, usage }) = value else { continue };
            match token(named.kind, css) {
                Some(token) => {
                    drop(group(target, named.kind).insert(named.slug.clone(), token_json(token, &named, usage)))
                }
                None => unrepresented.push(unsupported_entry(theme, &named, css, usage)),
            }
        }
    }
    if !groups.breakpoints.0.is_empty() {
        let entries = groups.breakpoints.0.iter();
        let entries = entries.filter_map(|(width, usage)| Some((quantity(width), breakpoint(width, usage)?)));
        file.insert("breakpoint".to_owned(), Value::Object(entries.collect()));
    }
    // The overrides of a theme are a separate group, under the same names.
    for (name, theme) in [("light", light), ("dark", dark)] {
        if !theme.is_empty() {
            file.insert(name.to_owned(), Value::Object(theme));
        }
    }
    let mut root = Map::new();
    root.insert("$schema".to_owned(), SCHEMA.into());
    root.insert("$description".to_owned(), format!("Design tokens of {}", tokens.result.common.url).into());
    root.insert("$extensions".to_owned(), json!({ "unrepresented": unrepresented }));
    root.extend(file);
    Value::Object(root)
}

fn group(file: &mut Map<String, Value>, kind: TokenKind) -> &mut Map<String, Value> {
    let entry = file.entry(group_name(kind)).or_insert_with(|| Value::Object(Map::new()));
    match entry {
        Value::Object(members) => members,
        // Groups are only created in this function.
        _ => unreachable!("a group is an object"),
    }
}

fn group_name(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Colors => "color",
        TokenKind::FontSizes => "fontSize",
        TokenKind::FontFamilies => "fontFamily",
        TokenKind::FontWeights => "fontWeight",
        TokenKind::LetterSpacings => "letterSpacing",
        TokenKind::LineHeights => "lineHeight",
        TokenKind::Spacing => "spacing",
        TokenKind::BorderRadiuses => "borderRadius",
        TokenKind::BorderWidths => "borderWidth",
        TokenKind::BoxShadows => "boxShadow",
        TokenKind::TextShadows => "textShadow",
        TokenKind::Opacities => "opacity",
        TokenKind::Gradients => "gradient",
        TokenKind::Durations => "duration",
        TokenKind::Easings => "easing",
        TokenKind::ZIndexes => "zIndex",
    }
}

/// Returns the token with its usage.
fn token_json(token: DtcgToken, named: &NamedToken<'_>, usage: Option<&TokenUsage>) -> Value {
    let mut own = Map::new();
    // Readers look for references in every text.
    if let Some(variable) = named.variable.filter(|name| !name.contains('{')) {
        own.insert("variable".to_owned(), variable.into());
    }
    add_usage(&mut own, usage);
    if let Some(usage) = usage.filter(|usage| !usage.themes.is_empty()) {
        own.insert("themes".to_owned(), json!(usage.themes));
    }
    token.into_value(own)
}

/// Returns the entry of a value that the format does not support.
fn unsupported_entry(theme: &str, named: &NamedToken<'_>, value: &str, usage: Option<&TokenUsage>) -> Value {
    let mut entry = Map::new();
    entry.insert("group".to_owned(), format!("{theme}{}", group_name(named.kind)).into());
    entry.insert("name".to_owned(), named.slug.clone().into());
    entry.insert("value".to_owned(), value.into());
    add_usage(&mut entry, usage);
    Value::Object(entry)
}

fn add_usage(members: &mut Map<String, Value>, usage: Option<&TokenUsage>) {
    if let Some(usage) = usage {
        members.insert("count".to_owned(), usage.count.into());
        members.insert("properties".to_owned(), usage.properties.clone().into());
    }
}
