//! `format=tailwind`: a Tailwind CSS v4 theme. Every variable is in a namespace that generates utilities.

use super::{Line, block, heading, lines, theme_overrides, themed_lines};
use crate::DesignTokens;
use crate::token_names::{NamedToken, named_tokens, quantity, unique};
use limner_types::result::{RangeEnd, TokenGroups, TokenKind};
use std::collections::HashSet;
use std::fmt::Write;

/// Writes the file.
pub(crate) fn write(tokens: &DesignTokens) -> String {
    let values = named_tokens(tokens);
    let mut taken = HashSet::new();
    let names: Vec<Option<String>> = values
        .iter()
        .map(|value| Some(unique(format!("--{}-{}", namespace(value.kind), utility_name(value)), &mut taken)))
        .collect();
    let mut text = heading(&tokens.result.common);
    text.push_str("@import \"tailwindcss\";\n");
    if let Some(selector) = tokens.scopes[1].selectors.first().filter(|_| !tokens.scopes[1].by_media) {
        let _ = writeln!(text, "@custom-variant dark (&:where({selector}, {selector} *));");
    }
    text.push('\n');
    block(&mut text, "", "@theme", &lines(&values, &names, breakpoints(&tokens.result.tokens)));
    let themed = themed_lines(&values, &names);
    for ((scheme, scopes), lines) in ["light", "dark"].into_iter().zip(&tokens.scopes).zip(&themed) {
        theme_overrides(&mut text, scheme, scopes, lines);
    }
    text
}

/// Returns the lines of the breakpoints. Container queries have a separate namespace: `md:` reads `--breakpoint-md`,
/// `@md:` reads `--container-md`.
fn breakpoints(groups: &TokenGroups) -> Vec<Line<'static>> {
    let minimums = groups.breakpoints.0.iter().filter(|(_, usage)| usage.bound == RangeEnd::Min);
    let (containers, windows): (Vec<_>, Vec<_>) =
        minimums.partition(|(_, usage)| usage.query.starts_with("@container"));
    let mut lines = Vec::new();
    if !windows.is_empty() || !containers.is_empty() {
        lines.push(Line::Kind("Breakpoints"));
    }
    if !windows.is_empty() {
        // Tailwind sorts breakpoints by number: its defaults are in another unit.
        lines.push(Line::Declaration("--breakpoint-*".to_owned(), "initial".to_owned()));
    }
    for (namespace, widths) in [("breakpoint", windows), ("container", containers)] {
        let of_widths = widths
            .iter()
            .map(|(value, _)| Line::Declaration(format!("--{namespace}-{}", quantity(value)), value.clone()));
        lines.extend(of_widths);
    }
    lines
}

/// Returns the namespace of a kind.
fn namespace(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Colors => "color",
        TokenKind::FontSizes => "text",
        TokenKind::FontFamilies => "font",
        TokenKind::FontWeights => "font-weight",
        TokenKind::LetterSpacings => "tracking",
        TokenKind::LineHeights => "leading",
        TokenKind::Spacing => "spacing",
        TokenKind::BorderRadiuses => "radius",
        TokenKind::BorderWidths => "border-width",
        TokenKind::BoxShadows => "shadow",
        TokenKind::TextShadows => "text-shadow",
        TokenKind::Opacities => "opacity",
        TokenKind::Gradients => "background-image",
        TokenKind::Durations => "transition-duration",
        TokenKind::Easings => "ease",
        TokenKind::ZIndexes => "z-index",
    }
}

/// Returns the name after the namespace: `--space-4` is `--spacing-4`, `--bs-primary` is `--color-bs-primary`.
fn utility_name(value: &NamedToken<'_>) -> String {
    // `--text-shadow-…` and `--font-weight-…` are other namespaces.
    let is_nested = match value.kind {
        TokenKind::FontSizes => value.slug.starts_with("shadow"),
        TokenKind::FontFamilies => value.slug.starts_with("weight"),
        _ => false,
    };
    // Tailwind's own `bg-linear-2` is an angle, and `bg-radial` begins a gradient.
    if value.kind == TokenKind::Gradients && ["linear", "radial", "conic"].iter().any(|own| value.slug.starts_with(own))
    {
        return format!("gradient-{}", value.slug);
    }
    let is_keyword = value.kind == TokenKind::Easings && value.variable.is_none();
    match value.slug.strip_prefix("ease-").filter(|_| is_keyword) {
        Some(rest) => rest.to_owned(),
        None if is_nested => format!("own-{}", value.slug),
        None => value.slug.clone(),
    }
}
