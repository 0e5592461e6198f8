//! `format=css`: a `:root` block of custom properties, with overrides for the themes the page declares.

use super::{Line, block, heading, lines, theme_overrides, themed_lines};
use crate::DesignTokens;
use crate::token_names::{NamedToken, named_tokens, quantity, unique};
use limner_types::result::TokenKind;
use std::collections::HashSet;

/// Writes the file.
pub(crate) fn write(tokens: &DesignTokens) -> String {
    let values = named_tokens(tokens);
    let mut used = UsedNames::default();
    let names = names(&values, &mut used);
    let mut breakpoints = Vec::new();
    for (at, (value, _)) in tokens.result.tokens.breakpoints.0.iter().enumerate() {
        if at == 0 {
            breakpoints.push(Line::Kind("Breakpoints"));
        }
        let name = used.generated_name("breakpoint", &quantity(value));
        breakpoints.push(Line::Declaration(name, value.clone()));
    }
    let mut text = heading(&tokens.result.common);
    block(&mut text, "", ":root", &lines(&values, &names, breakpoints));
    let themed = themed_lines(&values, &names);
    for ((scheme, scopes), lines) in ["light", "dark"].into_iter().zip(&tokens.scopes).zip(&themed) {
        theme_overrides(&mut text, scheme, scopes, lines);
    }
    text
}

/// Returns the name of each token. The author's names come first, so that no generated name takes one. A variable that
/// holds channels keeps its meaning: the colour has a name of its own.
fn names(values: &[NamedToken<'_>], used: &mut UsedNames) -> Vec<Option<String>> {
    let channels = values.iter().filter(|value| value.is_channels).filter_map(|value| value.variable);
    used.0.extend(channels.map(str::to_owned));
    let is_own = |value: &NamedToken<'_>| !value.is_channels && value.variable.is_some_and(is_plain);
    let own: Vec<Option<String>> =
        values.iter().map(|value| if is_own(value) { used.author_name(value) } else { None }).collect();
    let made = values.iter().zip(own).map(|(value, name)| {
        if is_own(value) { name } else { Some(used.generated_name(prefix(value.kind), &value.slug)) }
    });
    made.collect()
}

/// Names in use.
#[derive(Default)]
struct UsedNames(HashSet<String>);

impl UsedNames {
    /// Returns the author's name; `None` if it was already written for another kind.
    fn author_name(&mut self, value: &NamedToken<'_>) -> Option<String> {
        let name = value.variable?.to_owned();
        self.0.insert(name.clone()).then_some(name)
    }

    fn generated_name(&mut self, prefix: &str, slug: &str) -> String {
        unique(format!("--{prefix}-{slug}"), &mut self.0)
    }
}

/// Returns true if a name needs no escapes.
fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii();
    name.len() > 2 && name.len() <= 128 && name.chars().all(|c| plain(c) && !c.is_control() && !c.is_whitespace())
}

fn prefix(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Colors => "color",
        TokenKind::FontSizes => "font-size",
        TokenKind::FontFamilies => "font-family",
        TokenKind::FontWeights => "font-weight",
        TokenKind::LetterSpacings => "letter-spacing",
        TokenKind::LineHeights => "line-height",
        TokenKind::Spacing => "spacing",
        TokenKind::BorderRadiuses => "radius",
        TokenKind::BorderWidths => "border-width",
        TokenKind::BoxShadows => "shadow",
        TokenKind::TextShadows => "text-shadow",
        TokenKind::Opacities => "opacity",
        TokenKind::Gradients => "gradient",
        TokenKind::Durations => "duration",
        TokenKind::Easings => "easing",
        TokenKind::ZIndexes => "z-index",
    }
}
