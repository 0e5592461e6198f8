//! Token names: the author's custom properties first, then utility classes, then names made from the value.
//!
//! A value has one canonical name; other custom properties with the same value are aliases of it.

use super::DesignTokens;
use super::token_order::OrderKey;
use super::value_counter::VariableValue;
use limner_types::result::{TokenKind, TokenUsage};
use limner_types::{Theme, TokenScope, WireEnum};
use std::collections::{HashMap, HashSet};

/// A value with a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NamedToken<'t> {
    pub kind: TokenKind,
    /// The name without leading dashes and without the word of its kind: `primary`, `16px`.
    pub slug: String,
    /// The author's custom property, with its dashes.
    pub variable: Option<&'t str>,
    /// True if the custom property holds the channels of the colour only.
    pub is_channels: bool,
    /// The default value.
    pub value: TokenValue<'t>,
    /// Different values in light and dark.
    pub themed: [Option<TokenValue<'t>>; 2],
    /// The index of the token that has its default value in every theme, of which this is another name.
    pub alias_of: Option<usize>,
    /// True if elements of the page have the value, or the root element has the custom property.
    pub is_of_page: bool,
}

/// A value and its usage; values that a limit left out have none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TokenValue<'t> {
    /// The value in its own colour spaces.
    pub css: &'t str,
    pub usage: Option<&'t TokenUsage>,
}

/// The values of a group by their keys.
type Known<'t> = HashMap<&'t str, &'t TokenUsage>;

/// Returns all values of the groups: first those of the page, then the rest of the stylesheets; of each, by kind in the
/// order of [`TokenKind`], by size or lightness, and aliases after the token that they are names of. Names are unique
/// within a kind. With [`TokenScope::Page`] the rest is left out.
pub(super) fn named_tokens(tokens: &DesignTokens) -> Vec<NamedToken<'_>> {
    let mut all: Vec<NamedToken<'_>> = Vec::new();
    for kind in TokenKind::ALL {
        add_kind(tokens, *kind, &mut all);
    }
    sorted(all)
}

fn add_kind<'t>(tokens: &'t DesignTokens, kind: TokenKind, all: &mut Vec<NamedToken<'t>>) {
    let group = tokens.result.tokens.group(kind);
    let known: Known<'t> = group.0.iter().map(|(key, usage)| (key.as_str(), usage)).collect();
    let mut taken = HashSet::new();
    let mut covered: HashSet<&str> = HashSet::new();
    let mut named = tokens
        .variables
        .iter()
        .filter(|own| own.kind == kind)
        // One that differs in a theme carries the theme, whatever its name.
        .filter(|own| !is_generated(&own.name) || own.themed().iter().any(Option::is_some))
        .filter_map(|own| {
            let usage = *known.get(own.value()?.key.as_str())?;
            Some((own, usage))
        })
        .collect::<Vec<_>>();
    // The canonical name of a value comes before its aliases.
    named.sort_by_key(|(own, usage)| {
        let uses = usage.variables.iter().position(|name| *name == own.name).unwrap_or(usize::MAX);
        (!own.is_of_root, own.is_reference, own.is_channels, uses, own.name.len(), &own.name)
    });
    // A custom property of a component is the name of a value if the page as a whole has none.
    let of_root: HashSet<&str> =
        named.iter().filter(|(own, _)| own.is_of_root).filter_map(|(own, _)| Some(own.value()?.key.as_str())).collect();
    let mut canonical: HashMap<[Option<&VariableValue>; 3], usize> = HashMap::new();
    let mut named_keys: HashSet<&str> = HashSet::new();
    for (own, usage) in named {
        let Some(value) = own.value() else { continue };
        let themed = own.themed();
        let is_first = named_keys.insert(&value.key);
        let is_of_page =
            own.is_of_root || is_first && usage.used.unwrap_or(0) > 0 && !of_root.contains(value.key.as_str());
        covered.insert(&value.key);
        covered.extend(only_in_themes(themed, &known));
        if !is_of_page && tokens.scope == TokenScope::Page {
            continue;
        }
        let same = canonical.get(&[Some(value), themed[0], themed[1]]).copied();
        let alias_of = same.or_else(|| canonical.get(&[Some(value), None, None]).copied());
        canonical.entry([Some(value), themed[0], themed[1]]).or_insert(all.len());
        // Values in themes are those of the token that it is a name of.
        let themed = if same.is_some() { [None; 2] } else { themed };
        let used = |value| token_value(value, &known);
        all.push(NamedToken {
            kind,
            slug: unique(author_slug(own.stem(), kind), &mut taken),
            variable: Some(&own.name),
            is_channels: own.is_channels,
            value: used(value),
            themed: themed.map(|value| value.map(used)),
            alias_of,
            is_of_page,
        });
    }
    let is_used = |usage: &TokenUsage| usage.used.unwrap_or(0) > 0;
    let unnamed = || group.0.iter().filter(|(key, _)| !covered.contains(key.as_str()));
    // The page's values have the first choice of names.
    let of_page = unnamed().filter(|(_, usage)| is_used(usage));
    for (key, usage) in of_page.chain(unnamed().filter(|(_, usage)| !is_used(usage))) {
        let class = tokens.class_names.get(&kind).and_then(|names| names.get(key)).cloned();
        let slug = unique(class.unwrap_or_else(|| value_slug(kind, key)), &mut taken);
        let css = tokens.exact_values.get(&kind).and_then(|exact| exact.get(key)).unwrap_or(key);
        let value = TokenValue { css, usage: Some(usage) };
        all.push(NamedToken {
            kind,
            slug,
            variable: None,
            is_channels: false,
            value,
            themed: [None; 2],
            alias_of: None,
            is_of_page: is_used(usage),
        });
    }
}

/// Returns the tokens in the order of files.
fn sorted(all: Vec<NamedToken<'_>>) -> Vec<NamedToken<'_>> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_cached_key(|at| {
        let own = &all[*at];
        let canonical = own.alias_of.unwrap_or(*at);
        let TokenValue { css, usage } = all[canonical].value;
        let of_value = OrderKey::new(own.kind, css, usage);
        (!own.is_of_page, own.kind, of_value, canonical, own.alias_of.is_some(), own.slug.clone())
    });
    let mut place = vec![0; all.len()];
    order.iter().enumerate().for_each(|(new, old)| place[*old] = new);
    order
        .iter()
        .map(|old| NamedToken { alias_of: all[*old].alias_of.map(|of| place[of]), ..all[*old].clone() })
        .collect()
}

/// Returns the values in themes that apply in no other theme: a value that also applies elsewhere has a name of its own.
fn only_in_themes<'t>(themed: [Option<&'t VariableValue>; 2], known: &Known<'t>) -> impl Iterator<Item = &'t str> {
    let themes = [Theme::Light, Theme::Dark].into_iter().zip(themed);
    let keys = themes.filter_map(|(theme, value)| {
        let key = value?.key.as_str();
        let is_only_there = known.get(key).is_none_or(|usage| usage.themes == [theme]);
        is_only_there.then_some(key)
    });
    keys.collect::<Vec<_>>().into_iter()
}

fn token_value<'t>(value: &'t VariableValue, known: &Known<'t>) -> TokenValue<'t> {
    TokenValue { css: &value.css, usage: known.get(value.key.as_str()).copied() }
}

/// Returns true for custom properties that utility classes use among themselves: `--tw-ring-color` is no name of a token.
pub(crate) fn is_plumbing(variable: &str) -> bool {
    ["--tw-", "--un-"].iter().any(|prefix| variable.starts_with(prefix))
}

/// Returns true for custom properties that a site builder names by the identifier of the value in its editor, which no
/// author has chosen: `--token-7d46519b-7ae3-4c0a-9383-88033d4deee8` (Framer), `--e-global-color-75ddf03` (Elementor),
/// `--bricks-color-000e8e` (Bricks).
fn is_generated(variable: &str) -> bool {
    let is_hex = |text: &str, length: usize| text.len() == length && text.bytes().all(|b| b.is_ascii_hexdigit());
    let is_id = |text: &str, length: usize| is_hex(text, length) && text.bytes().any(|b| b.is_ascii_digit());
    let is_uuid = |text: &str| {
        let parts: Vec<&str> = text.split('-').collect();
        parts.len() == 5 && parts.iter().zip([8, 4, 4, 4, 12]).all(|(part, length)| is_hex(part, length))
    };
    let id_after = |prefix: &str, length: usize| {
        let id = variable.strip_prefix(prefix).and_then(|rest| rest.split('-').next());
        id.is_some_and(|id| is_id(id, length))
    };
    variable.strip_prefix("--token-").is_some_and(is_uuid)
        || ["--e-global-color-", "--e-global-typography-"].iter().any(|prefix| id_after(prefix, 7))
        || id_after("--bricks-color-", 6)
}

/// Returns the name, with a number appended if it is taken. Names that differ in case only would be one variable in what
/// other tools write of them.
pub(crate) fn unique(name: String, taken: &mut HashSet<String>) -> String {
    if taken.insert(name.to_lowercase()) {
        return name;
    }
    let mut number = 2_usize;
    loop {
        let numbered = format!("{name}-{number}");
        if taken.insert(numbered.to_lowercase()) {
            return numbered;
        }
        number += 1;
    }
}

/// Returns a custom property's name without its dashes and without the word of its kind: `--color-brand` and
/// `--brand-color` are both `brand`.
fn author_slug(variable: &str, kind: TokenKind) -> String {
    // Webflow keeps variables that are deleted but in use: `--accent\<deleted\|variable-1a2b\>`.
    let kept = variable.split("<deleted").next().unwrap_or_default();
    let whole = slug(kept.trim_start_matches(['-', '_']));
    let lower = whole.to_ascii_lowercase();
    let words = kind_words(kind);
    let begins = |word: &&&str| lower.strip_prefix(**word).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    let ends = |word: &&&str| lower.strip_suffix(**word).is_some_and(|rest| rest.len() > 1 && rest.ends_with('-'));
    let name = match (words.iter().find(begins), words.iter().find(ends)) {
        (Some(word), _) => slug(&whole[word.len()..]),
        (None, Some(word)) if kind == TokenKind::Colors => slug(&whole[..whole.len() - word.len()]),
        _ => return if whole.is_empty() { "unnamed".to_owned() } else { whole },
    };
    if name.is_empty() { "base".to_owned() } else { name }
}

/// Returns the words with which the names of a kind's custom properties begin.
fn kind_words(kind: TokenKind) -> &'static [&'static str] {
    match kind {
        TokenKind::Colors => &["color", "colour", "colors", "clr"],
        TokenKind::FontSizes => &["font-size", "font-sizes", "fontsize", "text-size", "text", "fs"],
        TokenKind::FontFamilies => &["font-family", "fontfamily", "font", "ff", "family"],
        TokenKind::FontWeights => &["font-weight", "fontweight", "weight", "fw"],
        TokenKind::LetterSpacings => &["letter-spacing", "tracking", "ls"],
        TokenKind::LineHeights => &["line-height", "lineheight", "leading", "lh"],
        TokenKind::Spacing => &["spacing", "space", "spacer", "gap"],
        TokenKind::BorderRadiuses => &["border-radius", "radius", "rounded"],
        TokenKind::BorderWidths => &["border-width", "border"],
        TokenKind::BoxShadows => &["box-shadow", "shadow", "elevation"],
        TokenKind::TextShadows => &["text-shadow"],
        TokenKind::Opacities => &["opacity"],
        TokenKind::Gradients => &["background-image", "gradient"],
        TokenKind::Durations => &["transition-duration", "duration"],
        TokenKind::Easings => &["easing", "ease"],
        TokenKind::ZIndexes => &["z-index", "zindex", "z"],
    }
}

/// Returns the name that a utility class gives a value of a kind: `slate-700` for `bg-slate-700`, `base` for `shadow`;
/// `None` for other classes, and for those that spell the value out (`p-[3px]`).
pub(crate) fn class_name(kind: TokenKind, class: &str) -> Option<String> {
    let stems: &[&str] = match kind {
        TokenKind::Colors => &["bg", "text", "border", "fill", "stroke", "ring", "outline", "accent", "caret"],
        TokenKind::FontSizes => &["text", "fs", "font-size"],
        TokenKind::FontFamilies => &["font", "ff"],
        TokenKind::FontWeights => &["font-weight", "font", "fw"],
        TokenKind::LetterSpacings => &["tracking"],
        TokenKind::LineHeights => &["leading", "lh"],
        TokenKind::Spacing => &[
            "p", "px", "py", "pt", "pr", "pb", "pl", "ps", "pe", "m", "mx", "my", "mt", "mr", "mb", "ml", "ms", "me",
            "gap", "gap-x", "gap-y",
        ],
        TokenKind::BorderRadiuses => &["rounded", "radius"],
        TokenKind::BorderWidths => &["border"],
        TokenKind::BoxShadows => &["shadow"],
        TokenKind::TextShadows => &["text-shadow"],
        TokenKind::Opacities => &["opacity"],
        TokenKind::Gradients => &["bg-gradient"],
        TokenKind::Durations => &["duration"],
        TokenKind::Easings => &["ease"],
        TokenKind::ZIndexes => &["z"],
    };
    let (stem, rest) = stems.iter().find_map(|stem| {
        let rest = class.strip_prefix(stem)?;
        let rest = if rest.is_empty() { Some("") } else { rest.strip_prefix('-').filter(|rest| !rest.is_empty()) };
        Some((*stem, rest?))
    })?;
    let rest = if matches!(stem, "border" | "rounded" | "radius") { without_side(rest) } else { rest };
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let is_fit = match kind {
        TokenKind::Colors => rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest != "none",
        TokenKind::BorderRadiuses | TokenKind::BoxShadows => true,
        _ => !rest.is_empty() && rest != "auto",
    };
    (is_fit && rest.chars().all(is_name)).then(|| match rest {
        "" => "base".to_owned(),
        rest => slug(&rest.replace('.', "_")),
    })
}

/// Returns the rest of a utility class without the side that it is for: `lg` of `t-lg`.
fn without_side(rest: &str) -> &str {
    const SIDES: &[&str] = &[
        "t", "r", "b", "l", "x", "y", "s", "e", "tl", "tr", "bl", "br", "ss", "se", "es", "ee", "top", "right",
        "bottom", "left", "start", "end",
    ];
    match rest.split_once('-') {
        Some((side, rest)) if SIDES.contains(&side) => rest,
        None if SIDES.contains(&rest) => "",
        _ => rest,
    }
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
pub(crate) fn value_slug(kind: TokenKind, value: &str) -> String {
    match kind {
        TokenKind::Colors => super::palette_names::name(value),
        TokenKind::FontFamilies => family(value),
        TokenKind::FontWeights => weight(value),
        TokenKind::Opacities => value
            .parse::<f64>()
            .map_or_else(|_| "fluid".to_owned(), |number| quantity(&format!("{}", (number * 1e5).round() / 1e3))),
        TokenKind::BoxShadows | TokenKind::TextShadows => shadow(value).to_owned(),
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

/// Returns the kind of a shadow: `ring` if it only spreads, `glow` if it is not moved.
fn shadow(value: &str) -> &'static str {
    let mut words = value.split([' ', ',']);
    match [words.next(), words.next(), words.next()] {
        _ if value.ends_with(" inset") => "inset",
        [Some("0"), Some("0"), Some("0")] => "ring",
        [Some("0"), Some("0"), _] => "glow",
        _ => "drop",
    }
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
    fn names_do_not_repeat_their_kind() {
        for (kind, variable, expected) in [
            (TokenKind::Colors, "--color-brand", "brand"),
            (TokenKind::Colors, "--brand-color", "brand"),
            (TokenKind::Colors, "--color", "base"),
            (TokenKind::Colors, "--colorful", "colorful"),
            (TokenKind::Colors, "--bs-primary", "bs-primary"),
            (TokenKind::Spacing, "--space-8", "8"),
            (TokenKind::FontFamilies, "--font-sans", "sans"),
            (TokenKind::BorderRadiuses, "--radius-md", "md"),
            (TokenKind::BoxShadows, "--shadow-card", "card"),
            (TokenKind::FontSizes, "--fs-300", "300"),
            (TokenKind::Colors, "--_brand---blue--dark", "brand-blue-dark"),
            (TokenKind::Colors, "--base--black<deleted|variable-1a2b>", "base-black"),
            (TokenKind::Colors, "--base--black\\<deleted\\|variable-1a2b\\>", "base-black"),
        ] {
            assert_eq!(author_slug(variable, kind), expected, "{variable}");
        }
    }

    #[test]
    fn generated_names_are_recognized() {
        for (variable, expected) in [
            ("--token-7d46519b-7ae3-4c0a-9383-88033d4deee8", true),
            ("--token-7d46519b", false),
            ("--e-global-color-75ddf03", true),
            ("--e-global-color-primary", false),
            ("--e-global-color-effaced", false),
            ("--e-global-typography-769b246-font-size", true),
            ("--bricks-color-000e8e", true),
            ("--bricks-color-accent", false),
            ("--brand-000e8e", false),
        ] {
            assert_eq!(is_generated(variable), expected, "{variable}");
        }
    }

    #[test]
    fn utility_classes_name_values() {
        for (kind, class, expected) in [
            (TokenKind::FontSizes, "text-xs", Some("xs")),
            (TokenKind::Colors, "text-xs", Some("xs")),
            (TokenKind::Colors, "bg-slate-700", Some("slate-700")),
            (TokenKind::BorderRadiuses, "rounded-lg", Some("lg")),
            (TokenKind::BorderRadiuses, "rounded", Some("base")),
            (TokenKind::BorderRadiuses, "rounded-t", Some("base")),
            (TokenKind::BorderRadiuses, "rounded-tl-lg", Some("lg")),
            (TokenKind::BorderWidths, "border-t", None),
            (TokenKind::BorderWidths, "border-x-0", Some("0")),
            (TokenKind::Colors, "border-t-red-500", Some("red-500")),
            (TokenKind::BoxShadows, "shadow-md", Some("md")),
            (TokenKind::FontWeights, "fw-bold", Some("bold")),
            (TokenKind::Spacing, "p-4", Some("4")),
            (TokenKind::Spacing, "p-0.5", Some("0_5")),
            (TokenKind::Spacing, "p-[3px]", None),
            (TokenKind::Spacing, "page-4", None),
            (TokenKind::Spacing, "md:p-4", None),
            (TokenKind::Spacing, "mx-auto", None),
            (TokenKind::Colors, "border-2", None),
            (TokenKind::Colors, "border", None),
            (TokenKind::Colors, "border-none", None),
            (TokenKind::ZIndexes, "z-50", Some("50")),
        ] {
            assert_eq!(class_name(kind, class).as_deref(), expected, "{class}");
        }
    }

    #[test]
    fn unnamed_tokens_are_named_after_their_values() {
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
            (TokenKind::BoxShadows, "0 0 0 2px #ff0000", "ring"),
            (TokenKind::BoxShadows, "0 0 8px 0 #ff0000", "glow"),
            (TokenKind::BoxShadows, "0 1px 2px 0 #ff0000, 0 0 0 1px #ff0000", "drop"),
            (TokenKind::BoxShadows, "0 1px 2px 0 #ff0000 inset", "inset"),
            (TokenKind::TextShadows, "0 1px 0 #ff0000", "drop"),
            (TokenKind::Easings, "ease-in-out", "ease-in-out"),
            (TokenKind::Easings, "steps(4, start)", "steps-4-start"),
            (TokenKind::Easings, "cubic-bezier(0.4, 0, 0.2, 1)", "curve"),
            (TokenKind::Durations, "300ms", "300ms"),
        ] {
            assert_eq!(value_slug(kind, value), expected, "{value}");
        }
        assert_eq!(author_slug("--Brand--primary 50", TokenKind::Colors), "Brand-primary-50");
        assert_eq!(author_slug("--ä", TokenKind::Colors), "unnamed");
        let mut taken = HashSet::new();
        let names: Vec<String> = ["a", "a", "a-2", "a", "A"].map(|name| unique(name.to_owned(), &mut taken)).into();
        assert_eq!(names, ["a", "a-2", "a-2-2", "a-3", "A-4"]);
    }
}
