//! `format=css`: a `:root` block of custom properties, with overrides for the themes the page declares.

use super::{block, heading, theme_overrides};
use crate::DesignTokens;
use crate::token_names::{NamedToken, named_tokens, quantity, unique};
use limner_types::result::TokenKind;
use std::collections::HashSet;

/// Writes the file.
pub(crate) fn write(tokens: &DesignTokens) -> String {
    let groups = &tokens.result.tokens;
    let mut names = UsedNames::default();
    let values = named_tokens(tokens);
    let mut lines: Vec<(String, &str)> = Vec::new();
    let mut themed: [Vec<(String, &str)>; 2] = Default::default();
    // The author's names come first, so that no generated name takes one. A variable that holds channels keeps its
    // meaning: the colour has a name of its own.
    names
        .0
        .extend(values.iter().filter(|value| value.is_channels).filter_map(|value| value.variable).map(str::to_owned));
    let (own, made): (Vec<&NamedToken<'_>>, Vec<&NamedToken<'_>>) =
        values.iter().partition(|value| !value.is_channels && value.variable.is_some_and(is_plain));
    let own = own.into_iter().filter_map(|value| Some((names.author_name(value)?, value)));
    let mut named: Vec<(String, &NamedToken<'_>)> = own.collect();
    for value in made {
        let prefix = prefix(value.kind);
        let own = value.slug.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('-'));
        let slug = own.filter(|_| value.is_channels).unwrap_or(&value.slug);
        named.push((names.generated_name(prefix, slug), value));
    }
    for (name, value) in named {
        for (lines, other) in themed.iter_mut().zip(value.themed) {
            lines.extend(other.map(|other| (name.clone(), other.css)));
        }
        lines.push((name, value.value.css));
    }
    for (value, _) in &groups.breakpoints.0 {
        let name = names.generated_name("breakpoint", &quantity(value));
        lines.push((name, value));
    }
    let mut text = heading(&tokens.result.common.url);
    block(&mut text, "", ":root", &lines);
    for ((scheme, scopes), lines) in ["light", "dark"].into_iter().zip(&tokens.scopes).zip(&themed) {
        theme_overrides(&mut text, scheme, scopes, lines);
    }
    text
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
