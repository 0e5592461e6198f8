//! Token names: the author's custom properties first, then names made from the value.

use super::DesignTokens;
use super::value_counter::{TokenVariable, VariableValue};
use limner_types::WireEnum;
use limner_types::result::{TokenKind, TokenUsage};
use std::collections::{HashMap, HashSet};

/// A value with a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NamedToken<'t> {
    pub kind: TokenKind,
    /// The name without leading dashes: `primary`, `16px`.
    pub slug: String,
    /// The author's custom property, with its dashes.
    pub variable: Option<&'t str>,
    /// True if the custom property holds the channels of the colour only.
    pub is_channels: bool,
    /// The default value.
    pub value: TokenValue<'t>,
    /// Different values in light and dark.
    pub themed: [Option<TokenValue<'t>>; 2],
}

/// A value and its usage; values that a limit left out have none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TokenValue<'t> {
    /// The value in its own colour spaces.
    pub css: &'t str,
    pub usage: Option<&'t TokenUsage>,
}

/// Returns all values of the groups, by kind in the order of [`TokenKind`]: first those with author names, then the
/// others, each in the order of its group. Names are unique within a kind.
pub(super) fn named_tokens(tokens: &DesignTokens) -> Vec<NamedToken<'_>> {
    let mut all = Vec::new();
    for kind in TokenKind::ALL {
        let group = tokens.result.tokens.group(*kind);
        let known: HashMap<&str, (usize, &TokenUsage)> =
            group.0.iter().enumerate().map(|(at, (key, usage))| (key.as_str(), (at, usage))).collect();
        let place = |own: &TokenVariable| Some(known.get(own.value()?.key.as_str())?.0);
        let mut taken = HashSet::new();
        let mut covered: HashSet<&str> = HashSet::new();
        let of_kind = tokens.variables.iter().filter(|own| own.kind == *kind);
        let mut own: Vec<(usize, &TokenVariable)> = of_kind.filter_map(|own| Some((place(own)?, own))).collect();
        own.sort_by_key(|(place, own)| (*place, &own.name, own.is_channels));
        for (_, own) in own {
            let used = |value| token_value(value, &known);
            let Some(value) = own.value() else { continue };
            let themed = own.themed();
            covered.insert(&value.key);
            covered.extend(themed.iter().flatten().map(|value| value.key.as_str()));
            all.push(NamedToken {
                kind: *kind,
                slug: unique(author_slug(own.stem()), &mut taken),
                variable: Some(&own.name),
                is_channels: own.is_channels,
                value: used(value),
                themed: themed.map(|value| value.map(used)),
            });
        }
        for (key, usage) in group.0.iter().filter(|(key, _)| !covered.contains(key.as_str())) {
            let slug = unique(value_slug(*kind, key), &mut taken);
            let css = tokens.exact_values.get(kind).and_then(|exact| exact.get(key)).unwrap_or(key);
            let value = TokenValue { css, usage: Some(usage) };
            all.push(NamedToken { kind: *kind, slug, variable: None, is_channels: false, value, themed: [None; 2] });
        }
    }
    all
}

fn token_value<'t>(value: &'t VariableValue, known: &HashMap<&str, (usize, &'t TokenUsage)>) -> TokenValue<'t> {
    TokenValue { css: &value.css, usage: known.get(value.key.as_str()).map(|(_, usage)| *usage) }
}

/// Returns true for custom properties that utility classes use among themselves: `--tw-ring-color` is no name of a token.
pub(crate) fn is_plumbing(variable: &str) -> bool {
    ["--tw-", "--un-"].iter().any(|prefix| variable.starts_with(prefix))
}

/// Returns the name, with a number appended if it is taken.
pub(crate) fn unique(name: String, taken: &mut HashSet<String>) -> String {
    if taken.insert(name.clone()) {
        return name;
    }
    let mut number = 2_usize;
    loop {
        let numbered = format!("{name}-{number}");
        if taken.insert(numbered.clone()) {
            return numbered;
        }
        number += 1;
    }
}

/// Returns a custom property's name without its dashes.
fn author_slug(variable: &str) -> String {
    let slug = slug(variable.trim_start_matches('-'));
    if slug.is_empty() { "unnamed".to_owned() } else { slug }
}

/// Returns letters and digits with single dashes between them.
pub(crate) fn slug(text: &str) -> String {
    let mut name = String::new();
    for character in text.chars() {
        match character {
            c if c.is_ascii_alphanumeric() || c == '_' => name.push(c),
            _ if name.ends_with('-') || name.is_empty() => {}
            _ => name.push('-'),
        }
    }
    name.truncate(name.trim_end_matches('-').len());
    name.truncate(64);
    name
}

/// Returns a name made from a value.
fn value_slug(kind: TokenKind, value: &str) -> String {
    match kind {
        TokenKind::Colors => super::palette_names::name(value),
        TokenKind::FontFamilies => family(value),
        TokenKind::FontWeights => weight(value),
        TokenKind::Opacities => value
            .parse::<f64>()
            .map_or_else(|_| "fluid".to_owned(), |number| quantity(&format!("{}", (number * 1e5).round() / 1e3))),
        TokenKind::BoxShadows | TokenKind::TextShadows => {
            if value.ends_with(" inset") { "inset" } else { "shadow" }.to_owned()
        }
        TokenKind::Gradients => value
            .split('(')
            .next()
            .map_or_else(|| "gradient".to_owned(), |name| slug(name.trim_end_matches("-gradient"))),
        TokenKind::Easings => easing(value),
        _ => quantity(value),
    }
}

/// Returns the name of a quantity: `1.5rem` is `1_5rem`, `-8px` is `neg-8px`, `50%` is `50pct`; functions are `fluid`.
pub(super) fn quantity(value: &str) -> String {
    if value.contains('(') {
        return "fluid".to_owned();
    }
    let (sign, number) = value.strip_prefix('-').map_or(("", value), |rest| ("neg-", rest));
    slug(&format!("{sign}{}", number.replace('.', "_").replace('%', "pct").replace('+', "")))
}

/// Returns the first family of a stack.
fn family(stack: &str) -> String {
    let first = stack.split(',').next().unwrap_or_default();
    let name = slug(&first.to_ascii_lowercase());
    if name.is_empty() { "family".to_owned() } else { name }
}

fn weight(value: &str) -> String {
    let name = match value {
        "100" => "thin",
        "200" => "extralight",
        "300" => "light",
        "400" => "normal",
        "500" => "medium",
        "600" => "semibold",
        "700" => "bold",
        "800" => "extrabold",
        "900" => "black",
        other => return quantity(other),
    };
    name.to_owned()
}

fn easing(value: &str) -> String {
    match value.split_once('(') {
        None => value.to_owned(),
        Some(("cubic-bezier", _)) => "curve".to_owned(),
        Some(("steps", rest)) => slug(&format!("steps-{rest}")),
        Some((name, _)) => slug(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_made_from_values() {
        for (kind, value, expected) in [
            (TokenKind::Spacing, "1.5rem", "1_5rem"),
            (TokenKind::Spacing, "-8px", "neg-8px"),
            (TokenKind::Spacing, "50%", "50pct"),
            (TokenKind::Spacing, "calc(100% - 1rem)", "fluid"),
            (TokenKind::Spacing, "0", "0"),
            (TokenKind::FontFamilies, "\"Open Sans\", serif", "open-sans"),
            (TokenKind::FontFamilies, "\"游ゴシック\"", "family"),
            (TokenKind::FontWeights, "600", "semibold"),
            (TokenKind::FontWeights, "450", "450"),
            (TokenKind::Opacities, "0.075", "7_5"),
            (TokenKind::Opacities, "1", "100"),
            (TokenKind::Gradients, "repeating-linear-gradient(#000000, #ffffff)", "repeating-linear"),
            (TokenKind::Easings, "ease-in-out", "ease-in-out"),
            (TokenKind::Easings, "steps(4, start)", "steps-4-start"),
            (TokenKind::Easings, "cubic-bezier(0.4, 0, 0.2, 1)", "curve"),
            (TokenKind::Durations, "300ms", "300ms"),
        ] {
            assert_eq!(value_slug(kind, value), expected, "{value}");
        }
        assert_eq!(author_slug("--Brand--primary 50"), "Brand-primary-50");
        assert_eq!(author_slug("--ä"), "unnamed");
        let mut taken = HashSet::new();
        let names: Vec<String> = ["a", "a", "a-2", "a"].map(|name| unique(name.to_owned(), &mut taken)).into();
        assert_eq!(names, ["a", "a-2", "a-2-2", "a-3"]);
    }
}
