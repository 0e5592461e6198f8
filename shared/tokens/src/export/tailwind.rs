//! `format=tailwind`: a Tailwind CSS v4 theme. Every variable is in a namespace that generates utilities.

use super::{block, heading, theme_overrides};
use crate::DesignTokens;
use crate::token_names::{NamedToken, named_tokens, quantity, slug, unique};
use limner_types::result::{RangeEnd, TokenKind};
use std::collections::HashSet;
use std::fmt::Write;

/// Writes the file.
pub(crate) fn write(tokens: &DesignTokens) -> String {
    let groups = &tokens.result.tokens;
    let mut taken = HashSet::new();
    let mut lines: Vec<(String, &str)> = Vec::new();
    let mut themed: [Vec<(String, &str)>; 2] = Default::default();
    for value in named_tokens(tokens) {
        let (namespace, _) = namespace(value.kind);
        let name = unique(format!("--{namespace}-{}", utility_name(&value)), &mut taken);
        for (lines, other) in themed.iter_mut().zip(value.themed) {
            lines.extend(other.map(|other| (name.clone(), other.css)));
        }
        lines.push((name, value.value.css));
    }
    // Container queries have a separate namespace: `md:` reads `--breakpoint-md`, `@md:` reads `--container-md`.
    let minimums = groups.breakpoints.0.iter().filter(|(_, usage)| usage.bound == RangeEnd::Min);
    let (containers, windows): (Vec<_>, Vec<_>) =
        minimums.partition(|(_, usage)| usage.query.starts_with("@container"));
    if !windows.is_empty() {
        // Tailwind sorts breakpoints by number: its defaults are in another unit.
        lines.push(("--breakpoint-*".to_owned(), "initial"));
    }
    for (namespace, widths) in [("breakpoint", windows), ("container", containers)] {
        lines.extend(widths.iter().map(|(value, _)| (format!("--{namespace}-{}", quantity(value)), value.as_str())));
    }
    let mut text = heading(&tokens.result.common.url);
    text.push_str("@import \"tailwindcss\";\n");
    if let Some(selector) = tokens.scopes[1].selectors.first().filter(|_| !tokens.scopes[1].by_media) {
        let _ = writeln!(text, "@custom-variant dark (&:where({selector}, {selector} *));");
    }
    text.push('\n');
    block(&mut text, "", "@theme", &lines);
    for ((scheme, scopes), lines) in ["light", "dark"].into_iter().zip(&tokens.scopes).zip(&themed) {
        theme_overrides(&mut text, scheme, scopes, lines);
    }
    text
}

/// Returns the namespace of a kind, and common prefixes of author variables of that kind.
fn namespace(kind: TokenKind) -> (&'static str, &'static [&'static str]) {
    match kind {
        TokenKind::Colors => ("color", &["color", "colour", "colors", "clr"]),
        TokenKind::FontSizes => ("text", &["font-size", "font-sizes", "fontsize", "text-size", "text", "fs"]),
        TokenKind::FontFamilies => ("font", &["font-family", "fontfamily", "font", "ff", "family"]),
        TokenKind::FontWeights => ("font-weight", &["font-weight", "fontweight", "weight", "fw"]),
        TokenKind::LetterSpacings => ("tracking", &["letter-spacing", "tracking", "ls"]),
        TokenKind::LineHeights => ("leading", &["line-height", "lineheight", "leading", "lh"]),
        TokenKind::Spacing => ("spacing", &["spacing", "space", "spacer", "gap"]),
        TokenKind::BorderRadiuses => ("radius", &["border-radius", "radius", "rounded"]),
        TokenKind::BorderWidths => ("border-width", &["border-width", "border"]),
        TokenKind::BoxShadows => ("shadow", &["box-shadow", "shadow", "elevation"]),
        TokenKind::TextShadows => ("text-shadow", &["text-shadow"]),
        TokenKind::Opacities => ("opacity", &["opacity"]),
        TokenKind::Gradients => ("background-image", &["background-image", "gradient"]),
        TokenKind::Durations => ("transition-duration", &["transition-duration", "duration"]),
        TokenKind::Easings => ("ease", &["easing", "ease"]),
        TokenKind::ZIndexes => ("z-index", &["z-index", "zindex", "z"]),
    }
}

/// Returns the name after the namespace: `--space-4` is `--spacing-4`, `--bs-primary` is `--color-bs-primary`.
fn utility_name(value: &NamedToken<'_>) -> String {
    let (namespace, beginnings) = namespace(value.kind);
    let lower = value.slug.to_ascii_lowercase();
    let begins = |beginning: &&&str| {
        let rest = lower.strip_prefix(**beginning);
        // A name made from a value only has the prefix if it is a keyword: `ease-in`.
        rest.is_some_and(|rest| rest.starts_with('-') || (rest.is_empty() && value.variable.is_some()))
    };
    let beginning = beginnings.iter().find(begins).map_or(0, |beginning| beginning.len());
    let name = slug(&value.slug[beginning..]);
    // `--text-shadow-…` and `--font-weight-…` are other namespaces.
    let nested = match namespace {
        "text" => name.starts_with("shadow"),
        "font" => name.starts_with("weight"),
        _ => false,
    };
    match name.as_str() {
        "" => "base".to_owned(),
        _ if nested => format!("own-{name}"),
        _ => name,
    }
}
