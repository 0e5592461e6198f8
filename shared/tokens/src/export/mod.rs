//! Exports design tokens as files: custom properties, a Tailwind theme, a Design Tokens file.

mod composites;
mod css;
mod design_md;
mod dtcg;
mod tailwind;

pub(super) use composites::write as composites;
pub(super) use css::write as css;
pub(super) use design_md::write as design_md;
pub(super) use dtcg::{write as dtcg, write_resolver as dtcg_resolver};
pub(super) use tailwind::write as tailwind;

use super::ThemeSwitches;
use super::token_names::NamedToken;
use limner_types::result::{ResultHeader, TokenKind};
use std::fmt::Write;

/// A declaration of a custom property, or what stands between declarations.
enum Line<'t> {
    Declaration(String, String),
    /// The kind of the values that follow.
    Kind(&'t str),
    /// The heading before the values that no element of the page has.
    Rest,
}

/// Writes a block of custom properties: `selector { name: value; … }`.
fn block(out: &mut String, indent: &str, selector: &str, lines: &[Line<'_>]) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{indent}{selector} {{");
    for (at, line) in lines.iter().enumerate() {
        let is_after_heading = at.checked_sub(1).is_none_or(|last| matches!(lines[last], Line::Rest));
        let gap = if is_after_heading { "" } else { "\n" };
        let _ = match line {
            Line::Declaration(name, value) => writeln!(out, "{indent}  {name}: {value};"),
            Line::Kind(title) => writeln!(out, "{gap}{indent}  /* {title} */"),
            Line::Rest => writeln!(
                out,
                "{gap}{indent}  /* ---- The rest of the stylesheets: no element of the page has these values ---- */\n"
            ),
        };
    }
    let _ = writeln!(out, "{indent}}}");
}

/// Returns the lines of tokens in their order, with headings; the breakpoints follow the values of the page.
fn lines<'t>(tokens: &[NamedToken<'_>], names: &[Option<String>], breakpoints: Vec<Line<'t>>) -> Vec<Line<'t>> {
    let mut lines = Vec::new();
    let mut breakpoints = Some(breakpoints);
    let mut last = None;
    for (token, name) in tokens.iter().zip(names) {
        let Some(name) = name else { continue };
        if !token.is_of_page
            && let Some(breakpoints) = breakpoints.take()
        {
            lines.extend(breakpoints);
            lines.push(Line::Rest);
            last = None;
        }
        if last.replace(token.kind) != Some(token.kind) {
            lines.push(Line::Kind(title(token.kind)));
        }
        let canonical = token.alias_of.and_then(|of| names[of].as_ref());
        let value = canonical.map_or_else(|| token.value.css.to_owned(), |name| format!("var({name})"));
        lines.push(Line::Declaration(name.clone(), value));
    }
    lines.extend(breakpoints.into_iter().flatten());
    lines
}

/// Returns the lines of the values in light and in dark that differ from the default.
fn themed_lines<'t>(tokens: &[NamedToken<'_>], names: &[Option<String>]) -> [Vec<Line<'t>>; 2] {
    [0, 1].map(|theme| {
        let lines = tokens
            .iter()
            .zip(names)
            .filter_map(|(token, name)| Some(Line::Declaration(name.clone()?, token.themed[theme]?.css.to_owned())));
        lines.collect()
    })
}

/// Writes the values of one theme inside the conditions under which the page switches to it.
fn theme_overrides(out: &mut String, scheme: &str, scopes: &ThemeSwitches, lines: &[Line<'_>]) {
    if lines.is_empty() {
        return;
    }
    if scopes.by_media || scopes.selectors.is_empty() {
        let _ = writeln!(out, "\n@media (prefers-color-scheme: {scheme}) {{");
        block(out, "  ", ":root", lines);
        out.push_str("}\n");
    }
    if !scopes.selectors.is_empty() {
        out.push('\n');
        block(out, "", &scopes.selectors.join(", "), lines);
    }
}

/// Returns the comments at the beginning of a file. A URL can't end them.
fn heading(common: &ResultHeader) -> String {
    let mut text = String::new();
    for line in std::iter::once(format!("Design tokens of {}", common.url)).chain(notes(common)) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "/* {} */", line.replace("*/", "*%2F"));
    }
    text
}

/// Returns the sentences for what a JSON result has in members of its own: a file has no other place for them.
fn notes(common: &ResultHeader) -> impl Iterator<Item = String> {
    let cut = common.truncated.map(|_| "Values are missing: the page exceeds a limit.".to_owned());
    let screenshot = common.screenshot.as_ref().map(|url| format!("Screenshot: {url}"));
    common.hint.clone().into_iter().chain(cut).chain(screenshot)
}

fn title(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Colors => "Colours",
        TokenKind::FontSizes => "Font sizes",
        TokenKind::FontFamilies => "Font families",
        TokenKind::FontWeights => "Font weights",
        TokenKind::LetterSpacings => "Letter spacing",
        TokenKind::LineHeights => "Line heights",
        TokenKind::Spacing => "Spacing",
        TokenKind::BorderRadiuses => "Corner radii",
        TokenKind::BorderWidths => "Border widths",
        TokenKind::BoxShadows => "Shadows",
        TokenKind::TextShadows => "Text shadows",
        TokenKind::Opacities => "Opacities",
        TokenKind::Gradients => "Gradients",
        TokenKind::Durations => "Durations",
        TokenKind::Easings => "Easings",
        TokenKind::ZIndexes => "Stacking",
    }
}
