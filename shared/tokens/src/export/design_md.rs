//! `format=design-md`: a DESIGN.md file, with design tokens as front matter and the evidence for each value as text.
//!
//! Only values that elements of the page have, and custom properties of the root, are in it. The format knows lengths in
//! `px`, `rem` and `em`.

use super::notes;
use crate::DesignTokens;
use crate::token_names::{NamedToken, named_tokens};
use crate::value_counter::ElementStyle;
use limner_style::color::{self, Scheme, Space};
use limner_style::property::Longhand;
use limner_types::result::TokenKind;
use std::borrow::Cow;
use std::fmt::Write;

/// Maximum number of values of a kind.
const MAX_VALUES: usize = 32;
/// Maximum number of properties and selectors that are named as evidence.
const MAX_EVIDENCE: usize = 3;

/// The tokens of a file by section.
struct DesignFile<'t> {
    url: &'t str,
    /// Sentences about the read.
    notes: Vec<String>,
    colors: Vec<&'t NamedToken<'t>>,
    primary: Option<&'t NamedToken<'t>>,
    rounded: Vec<&'t NamedToken<'t>>,
    spacing: Vec<&'t NamedToken<'t>>,
    shadows: Vec<&'t NamedToken<'t>>,
    styles: &'t [ElementStyle],
    breakpoints: Vec<&'t str>,
}

/// Writes the file.
pub(crate) fn write(tokens: &DesignTokens) -> String {
    let all = named_tokens(tokens);
    let of_kind = |kind: TokenKind, is_fit: &dyn Fn(&str) -> bool| -> Vec<&NamedToken<'_>> {
        let own = all.iter().filter(|own| own.kind == kind && own.is_of_page && own.alias_of.is_none());
        let mut found: Vec<&NamedToken<'_>> = own.filter(|own| is_fit(own.value.css)).collect();
        // The most used ones, in the order of all files.
        let mut uses: Vec<usize> = found.iter().map(|own| weight(own)).collect();
        uses.sort_unstable_by(|a, b| b.cmp(a));
        let least = uses.get(MAX_VALUES - 1).copied().unwrap_or(0);
        found.retain(|own| weight(own) >= least);
        found.truncate(MAX_VALUES);
        found
    };
    let colors = of_kind(TokenKind::Colors, &|_| true);
    let file = DesignFile {
        url: &tokens.result.common.url,
        notes: notes(&tokens.result.common).collect(),
        primary: primary(&all, &colors, &tokens.styles),
        rounded: of_kind(TokenKind::BorderRadiuses, &is_dimension),
        spacing: of_kind(TokenKind::Spacing, &|css| is_dimension(css) && !css.starts_with('-')),
        shadows: of_kind(TokenKind::BoxShadows, &|_| true),
        styles: &tokens.styles,
        breakpoints: tokens.result.tokens.breakpoints.0.iter().map(|(width, _)| width.as_str()).collect(),
        colors,
    };
    let mut text = String::new();
    file.front_matter(&mut text);
    file.sections(&mut text);
    text
}

/// Returns a colour as the format has it: `color()`, which it lacks, is the same colour in OKLCH.
fn color_text(css: &str) -> Cow<'_, str> {
    let Some(color) = css.starts_with("color(").then(|| color::parse(css, Scheme::Light)).flatten() else {
        return Cow::Borrowed(css);
    };
    let [lightness, chroma, hue] = color.to_space(Space::Oklch).components();
    let alpha = if color.alpha() < 1.0 { format!(" / {}", rounded(color.alpha())) } else { String::new() };
    Cow::Owned(format!("oklch({} {} {}{alpha})", rounded(lightness), rounded(chroma), rounded(hue)))
}

/// Returns a number with five decimals at most.
fn rounded(number: f64) -> f64 {
    (number * 1e5).round() / 1e5
}

/// Returns the weight of a token: what the root declares comes first.
fn weight(token: &NamedToken<'_>) -> usize {
    let used = token.value.usage.and_then(|usage| usage.used).unwrap_or(0);
    if token.variable.is_some() { used.saturating_add(1_000_000) } else { used }
}

/// Returns the style of most buttons.
fn button_style(styles: &[ElementStyle]) -> Option<&ElementStyle> {
    styles.iter().find(|style| style.part == "button")
}

/// Returns the main colour: the author's by its name, which may be another name of a value, or that of most buttons.
fn primary<'t>(
    all: &'t [NamedToken<'t>],
    colors: &[&'t NamedToken<'t>],
    styles: &[ElementStyle],
) -> Option<&'t NamedToken<'t>> {
    let named = ["primary", "brand", "brand-primary", "bs-primary", "accent"];
    let is_of_author = |own: &NamedToken<'_>| own.kind == TokenKind::Colors && own.is_of_page && own.variable.is_some();
    let by_name = named.iter().find_map(|name| all.iter().find(|own| own.slug == *name && is_of_author(own)));
    let by_name = by_name.map(|own| own.alias_of.and_then(|at| all.get(at)).unwrap_or(own));
    let button = button_style(styles);
    let ground = button.and_then(|button| button.value(Longhand::BackgroundColor));
    by_name.or_else(|| colors.iter().copied().find(|own| Some(own.value.css) == ground))
}

impl DesignFile<'_> {
    fn front_matter(&self, out: &mut String) {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "---\nversion: alpha\nname: {}", quoted(host(self.url)));
        let _ = writeln!(out, "description: {}", quoted(&format!("Design tokens of {}", self.url)));
        let is_primary = |own: &&&NamedToken<'_>| own.slug == "primary";
        let primary = self.primary.filter(|_| !self.colors.iter().any(|own| is_primary(&own)));
        let main = primary.map(|primary| ("primary", color_text(primary.value.css)));
        let colors = self.colors.iter().map(|own| (own.slug.as_str(), color_text(own.value.css)));
        let colors: Vec<(&str, Cow<'_, str>)> = main.into_iter().chain(colors).collect();
        map(out, "colors", colors.iter().map(|(name, color)| (*name, color.as_ref())));
        let styles: Vec<&ElementStyle> = self.text_styles().collect();
        if !styles.is_empty() {
            out.push_str("typography:\n");
        }
        for style in styles {
            let _ = writeln!(out, "  {}:", style.part);
            for (name, value) in text_properties(style) {
                let _ = writeln!(out, "    {name}: {}", quoted_unless_number(&value));
            }
        }
        map(out, "rounded", self.rounded.iter().map(|own| (own.slug.as_str(), own.value.css)));
        map(out, "spacing", self.spacing.iter().map(|own| (own.slug.as_str(), own.value.css)));
        let button: Vec<(&str, String)> = self.button().collect();
        if !button.is_empty() {
            out.push_str("components:\n  button:\n");
        }
        for (name, value) in button {
            let _ = writeln!(out, "    {name}: {}", quoted(&value));
        }
        out.push_str("---\n");
    }

    fn text_styles(&self) -> impl Iterator<Item = &ElementStyle> {
        self.styles.iter().filter(|style| !text_properties(style).is_empty())
    }

    /// Returns the properties of most buttons, as references to tokens where there are any.
    fn button(&self) -> impl Iterator<Item = (&'static str, String)> {
        let style = button_style(self.styles);
        let reference = |group: &str, list: &[&NamedToken<'_>], longhand: Longhand| {
            let css = style?.value(longhand)?;
            // A token that differs in a theme need not be the one that the button has.
            let token = list.iter().find(|own| own.value.css == css && own.themed.iter().all(Option::is_none));
            Some(token.map_or_else(|| color_text(css).into_owned(), |token| format!("{{{group}.{}}}", token.slug)))
        };
        let padding = || {
            let of = |longhand| dimension(style?.value(longhand)?);
            Some(format!("{} {}", of(Longhand::PaddingTop)?, of(Longhand::PaddingLeft)?))
        };
        let found = [
            ("backgroundColor", reference("colors", &self.colors, Longhand::BackgroundColor)),
            ("textColor", reference("colors", &self.colors, Longhand::Color)),
            (
                "rounded",
                reference("rounded", &self.rounded, Longhand::BorderTopLeftRadius).filter(|own| own.starts_with('{')),
            ),
            ("padding", padding()),
        ];
        found.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }

    fn sections(&self, out: &mut String) {
        let _ = writeln!(
            out,
            "\n## Overview\n\nThe design tokens of {}, as its stylesheets declare them and its elements have them. Each value is \
             followed by its evidence: the custom property, the number of elements, properties and selectors.",
            plain(self.url)
        );
        for note in &self.notes {
            let _ = writeln!(out, "\n{}", plain(note));
        }
        section(out, "Colors", &self.colors);
        if self.text_styles().next().is_some() {
            out.push_str("\n## Typography\n\n");
        }
        for style in self.text_styles() {
            let values: Vec<String> = text_properties(style).into_iter().map(|(_, value)| plain(&value)).collect();
            let _ = writeln!(out, "- **{}**: {}. {}.", style.part, values.join(", "), elements(style.elements));
        }
        section(out, "Layout", &self.spacing);
        if !self.breakpoints.is_empty() {
            if self.spacing.is_empty() {
                out.push_str("\n## Layout\n");
            }
            let _ = writeln!(out, "\nThe layout changes at {}.", self.breakpoints.join(", "));
        }
        section(out, "Elevation & Depth", &self.shadows);
        section(out, "Shapes", &self.rounded);
        let buttons = button_style(self.styles).map_or(0, |style| style.elements);
        let button: Vec<String> = self.button().map(|(name, value)| format!("{name} `{}`", plain(&value))).collect();
        if !button.is_empty() {
            let _ = writeln!(out, "\n## Components\n\n- **button**: {}. {}.", button.join(", "), elements(buttons));
        }
    }
}

/// Writes a section with the evidence for each token.
fn section(out: &mut String, title: &str, tokens: &[&NamedToken<'_>]) {
    if tokens.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n## {title}\n");
    for token in tokens {
        let _ = writeln!(out, "- **{}** `{}`: {}", token.slug, plain(token.value.css), evidence(token));
    }
}

fn evidence(token: &NamedToken<'_>) -> String {
    let mut parts: Vec<String> = token.variable.iter().map(|variable| format!("`{}`", plain(variable))).collect();
    for (theme, value) in ["light", "dark"].iter().zip(token.themed) {
        parts.extend(value.map(|value| format!("`{}` in {theme}", plain(value.css))));
    }
    if let Some(usage) = token.value.usage {
        parts.push(elements(usage.used.unwrap_or(0)));
        parts.extend(listed("as", &usage.properties));
        parts.extend(listed("in", &usage.selectors));
    }
    parts.join(", ") + "."
}

fn listed(word: &str, names: &[String]) -> Option<String> {
    let shown: Vec<String> = names.iter().take(MAX_EVIDENCE).map(|name| format!("`{}`", plain(name))).collect();
    (!shown.is_empty()).then(|| format!("{word} {}", shown.join(", ")))
}

fn elements(number: usize) -> String {
    match number {
        0 => "no element at rest".to_owned(),
        1 => "1 element".to_owned(),
        _ => format!("{number} elements"),
    }
}

/// Returns the properties of a text style that the format knows.
fn text_properties(style: &ElementStyle) -> Vec<(&'static str, String)> {
    let value = |longhand| style.value(longhand);
    let height = |css: &str| if css.parse::<f64>().is_ok() { Some(css.to_owned()) } else { dimension(css) };
    let found = [
        ("fontFamily", value(Longhand::FontFamily).map(str::to_owned)),
        ("fontSize", value(Longhand::FontSize).and_then(dimension)),
        ("fontWeight", value(Longhand::FontWeight).filter(|css| css.parse::<f64>().is_ok()).map(str::to_owned)),
        ("lineHeight", value(Longhand::LineHeight).and_then(height)),
        ("letterSpacing", value(Longhand::LetterSpacing).and_then(dimension)),
    ];
    // A style is one only with a family or a size.
    let is_style = found.iter().take(2).any(|(_, value)| value.is_some());
    found.into_iter().filter(|_| is_style).filter_map(|(name, value)| Some((name, value?))).collect()
}

fn map<'m>(out: &mut String, name: &str, entries: impl Iterator<Item = (&'m str, &'m str)>) {
    let mut entries = entries.peekable();
    if entries.peek().is_some() {
        let _ = writeln!(out, "{name}:");
    }
    for (key, value) in entries {
        let value = dimension(value).unwrap_or_else(|| value.to_owned());
        let _ = writeln!(out, "  {}: {}", quoted(key), quoted(&value));
    }
}

/// Returns a length in a unit that the format knows.
fn dimension(css: &str) -> Option<String> {
    match css {
        "0" => Some("0px".to_owned()),
        css => is_dimension(css).then(|| css.to_owned()),
    }
}

fn is_dimension(css: &str) -> bool {
    let number = ["px", "rem", "em"].iter().find_map(|unit| css.strip_suffix(unit));
    css == "0" || number.is_some_and(|number| number.parse::<f64>().is_ok())
}

/// Returns a YAML string: those of JSON are.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn quoted_unless_number(text: &str) -> String {
    if text.parse::<f64>().is_ok() { text.to_owned() } else { quoted(text) }
}

/// Returns text that ends neither a line nor code, and starts no element.
fn plain(text: &str) -> String {
    let is_markup = |c: char| c.is_control() || matches!(c, '`' | '<' | '[' | ']');
    text.chars().filter(|c| !is_markup(*c)).collect()
}

fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_of_the_color_function_are_the_same_in_oklch() {
        for css in ["color(display-p3 1 0.5 0)", "color(srgb 0.2 0.4 0.6 / 0.5)", "color(rec2020 0.1 0.9 0.3)"] {
            let written = color_text(css);
            assert!(written.starts_with("oklch("), "{written}");
            let [before, after] = [css, &*written].map(|text| color::parse(text, Scheme::Light).unwrap());
            let (before, after) = (before.to_space(Space::Oklab), after.to_space(Space::Oklab));
            let apart = [0, 1, 2].map(|at| (before.components()[at] - after.components()[at]).abs());
            assert!(
                apart.iter().all(|difference| *difference < 1e-4) && (before.alpha() - after.alpha()).abs() < 1e-4,
                "{css} {written}"
            );
        }
        assert_eq!(color_text("rgb(0 0 0 / 0.06)"), "rgb(0 0 0 / 0.06)");
    }
}
