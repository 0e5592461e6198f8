//! `format=dtcg`: a file of the Design Tokens Format Module 2025.10; `format=dtcg-resolver`: the same tokens as a document of
//! the Resolver Module 2025.10.
//!
//! Lossless: values that the format does not support go into `unrepresented` among the root's extensions, in CSS. If a
//! token is less precise than the CSS value (a gradient has no direction in the format), its extensions contain the CSS
//! value.

mod value;

use super::composites::has_text_style;
use crate::DesignTokens;
use crate::token_names::{NamedToken, TokenValue, named_tokens, quantity, unique, value_slug};
use crate::token_order::OrderKey;
use crate::value_counter::{Border, ElementStyle, Transition};
use limner_style::property::Longhand;
use limner_types::result::{ResultHeader, TokenKind, TokenUsage};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use value::{DtcgToken, border, breakpoint, token, transition, typography};

/// The published schema.
const SCHEMA: &str = "https://www.designtokens.org/schemas/2025.10/format.json";
/// The published schema of the Resolver Module.
const RESOLVER_SCHEMA: &str = "https://www.designtokens.org/schemas/2025.10/resolver.json";
/// The key of our extension data, in reverse domain name notation (section 5.2.3).
const VENDOR: &str = "dev.limner";

/// The tokens of a file.
#[derive(Default)]
struct Groups {
    base: Map<String, Value>,
    /// The overrides of light and of dark, under the same names.
    themes: [Map<String, Value>; 2],
    unrepresented: Vec<Value>,
}

/// Returns the file as a JSON object.
pub(crate) fn write(tokens: &DesignTokens) -> Value {
    let Groups { base, themes, unrepresented } = groups(tokens);
    let mut root = Map::new();
    root.insert("$schema".to_owned(), SCHEMA.into());
    root.insert("$description".to_owned(), description(tokens).into());
    root.insert("$extensions".to_owned(), extensions(tokens, unrepresented));
    root.extend(base);
    for (name, theme) in THEMES.into_iter().zip(themes) {
        if !theme.is_empty() {
            root.insert(name.to_owned(), Value::Object(theme));
        }
    }
    Value::Object(root)
}

/// Returns a document of the Resolver Module: the tokens as a set, and the themes as contexts of a modifier.
pub(crate) fn write_resolver(tokens: &DesignTokens) -> Value {
    let Groups { base, themes, unrepresented } = groups(tokens);
    let mut root = Map::new();
    root.insert("$schema".to_owned(), RESOLVER_SCHEMA.into());
    root.insert("version".to_owned(), "2025.10".into());
    root.insert("description".to_owned(), description(tokens).into());
    root.insert("sets".to_owned(), json!({ "base": { "sources": [base] } }));
    let mut order = vec![json!({ "$ref": "#/sets/base" })];
    if themes.iter().any(|theme| !theme.is_empty()) {
        let sources = themes.map(|theme| {
            let mut theme = Value::Object(theme);
            add_opacities(&mut theme);
            if theme.as_object().is_some_and(Map::is_empty) { json!([]) } else { json!([theme]) }
        });
        let contexts: Map<String, Value> = THEMES.iter().map(|name| (*name).to_owned()).zip(sources).collect();
        root.insert("modifiers".to_owned(), json!({ "theme": { "contexts": contexts, "default": "light" } }));
        order.push(json!({ "$ref": "#/modifiers/theme" }));
    }
    root.insert("resolutionOrder".to_owned(), order.into());
    root.insert("$extensions".to_owned(), extensions(tokens, unrepresented));
    Value::Object(root)
}

/// Returns the extensions of the root: the values that the format does not support, and what a JSON result has besides its
/// values.
fn extensions(tokens: &DesignTokens, unrepresented: Vec<Value>) -> Value {
    let ResultHeader { hint, screenshot, truncated, .. } = &tokens.result.common;
    let mut own = Map::new();
    own.extend(hint.as_deref().map(|hint| ("hint".to_owned(), hint.into())));
    own.extend(truncated.map(|truncated| ("truncated".to_owned(), truncated.into())));
    own.extend(screenshot.as_deref().map(|url| ("screenshot".to_owned(), url.into())));
    own.insert("unrepresented".to_owned(), unrepresented.into());
    json!({ VENDOR: own })
}

/// Writes the opacity of opaque colours: readers that merge values would keep that of the colour that one replaces.
fn add_opacities(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(add_opacities);
            if members.contains_key("colorSpace") && !members.contains_key("alpha") {
                members.insert("alpha".to_owned(), 1.into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(add_opacities),
        _ => {}
    }
}

const THEMES: [&str; 2] = ["light", "dark"];

fn description(tokens: &DesignTokens) -> String {
    format!("Design tokens of {}", tokens.result.common.url)
}

fn groups(tokens: &DesignTokens) -> Groups {
    let mut groups = Groups::default();
    let all = named_tokens(tokens);
    for named in &all {
        let alias = alias(named, &all);
        let [light, dark] = named.themed;
        let Groups { base, themes: [of_light, of_dark], unrepresented } = &mut groups;
        for (target, theme, value) in
            [(base, "", Some(named.value)), (of_light, "light.", light), (of_dark, "dark.", dark)]
        {
            let Some(TokenValue { css, usage }) = value else { continue };
            match token(named.kind, css) {
                Some(token) => {
                    let token = match alias.as_ref().filter(|_| theme.is_empty()) {
                        Some(alias) => token.into_alias(alias),
                        None => token,
                    };
                    drop(group(target, named.kind).insert(named.slug.clone(), token_json(token, named, usage)));
                }
                None => unrepresented.push(unsupported_entry(theme, named, css, usage)),
            }
        }
    }
    let styles = tokens.styles.iter().filter(|style| has_text_style(style));
    let styles = styles.map(|style| (style.part.to_owned(), typography(style), text_style_css(style)));
    add_group(&mut groups, "typography", styles);
    add_composites(&mut groups, tokens, &all);
    let widths = &tokens.result.tokens.breakpoints.0;
    if !widths.is_empty() {
        let entries = widths.iter().filter_map(|(width, usage)| Some((quantity(width), breakpoint(width, usage)?)));
        groups.base.insert("breakpoint".to_owned(), Value::Object(entries.collect()));
    }
    groups
}

/// Returns the declarations of a text style.
fn text_style_css(style: &ElementStyle) -> String {
    const LONGHANDS: [Longhand; 5] =
        [Longhand::FontFamily, Longhand::FontSize, Longhand::FontWeight, Longhand::LineHeight, Longhand::LetterSpacing];
    let declared = LONGHANDS.iter().filter_map(|own| Some(format!("{}: {}", own.name(), style.value(*own)?)));
    declared.collect::<Vec<_>>().join("; ")
}

/// Adds the borders and transitions, by size.
fn add_composites(groups: &mut Groups, tokens: &DesignTokens, all: &[NamedToken<'_>]) {
    let color_name = |css: &str| {
        let own = all.iter().find(|own| own.kind == TokenKind::Colors && own.value.css == css);
        own.map_or_else(|| "other".to_owned(), |own| own.slug.clone())
    };
    let mut borders: Vec<&(Border, usize)> = tokens.composites.borders.iter().collect();
    borders.sort_by_key(|(border, _)| OrderKey::new(TokenKind::BorderWidths, &border.width, None));
    let borders = borders.into_iter().map(|(own, used)| {
        let style = if own.style == "solid" { String::new() } else { format!("{}-", own.style) };
        let name = format!("{}-{style}{}", quantity(&own.width), color_name(&own.color));
        (name, border(own, *used), own.css())
    });
    add_group(groups, "border", borders);
    let mut transitions: Vec<&(Transition, usize)> = tokens.composites.transitions.iter().collect();
    transitions.sort_by_key(|(own, _)| OrderKey::new(TokenKind::Durations, &own.duration, None));
    let transitions = transitions.into_iter().map(|(own, used)| {
        let easing = value_slug(TokenKind::Easings, &own.easing);
        let delay = if own.delay == "0ms" { String::new() } else { format!("-after-{}", quantity(&own.delay)) };
        (format!("{}-{easing}{delay}", quantity(&own.duration)), transition(own, *used), own.css())
    });
    add_group(groups, "transition", transitions);
}

/// Adds tokens with their names; those that the format does not support are listed in CSS.
fn add_group(groups: &mut Groups, group: &str, tokens: impl Iterator<Item = (String, Option<Value>, String)>) {
    let mut taken = HashSet::new();
    let mut members = Map::new();
    for (name, token, css) in tokens {
        let name = unique(name, &mut taken);
        match token {
            Some(token) => drop(members.insert(name, token)),
            None => groups.unrepresented.push(json!({ "group": group, "name": name, "value": css })),
        }
    }
    if !members.is_empty() {
        groups.base.insert(group.to_owned(), Value::Object(members));
    }
}

/// Returns the reference to the token of which a token is another name.
fn alias(named: &NamedToken<'_>, all: &[NamedToken<'_>]) -> Option<String> {
    let canonical = &all[named.alias_of?];
    token(canonical.kind, canonical.value.css)?;
    Some(format!("{{{}.{}}}", group_name(canonical.kind), canonical.slug))
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
        members.extend(usage.used.map(|used| ("used".to_owned(), used.into())));
        members.insert("properties".to_owned(), usage.properties.clone().into());
    }
}
