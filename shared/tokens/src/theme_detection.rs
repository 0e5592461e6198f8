//! Theme detection: the theme, light or dark, that a rule is for.
//!
//! Pages select themes by media query, or by classes and attributes on the root or on a part: `.dark`,
//! `[data-theme=dark]`, `.theme-light`. Names are recognised by their words, since every site has its own.

use limner_style::color::Scheme;
use limner_style::selector::ScopeSelector;
use limner_style::{AuthoredDeclaration, StyleIndex, StyleRuleRef, SubstringSet};
use limner_types::Theme;

/// Returns the theme that a rule is for, by its media query or by its scope.
pub fn rule_theme(index: &StyleIndex<'_>, rule: &StyleRuleRef<'_>) -> Option<Theme> {
    let scheme = index.condition_facts(rule.condition()).scheme;
    scheme.or_else(|| rule.scope_scheme(&|mark| scheme_of_scope(mark, || rule.declarations()))).map(theme)
}

/// Maximum number of selectors for a theme.
pub(crate) const MAX_SCOPES: usize = 4;

/// Returns true if a theme's rule is for the element that has the theme, not for others in it.
pub(crate) fn is_theme_scope(rule: &StyleRuleRef<'_>) -> bool {
    rule.selectors().take(MAX_SCOPES).any(|selector| is_compound(&selector))
}

pub(crate) fn is_compound(selector: &str) -> bool {
    !selector.contains([' ', '>', '~', '+'])
}

/// Returns the scheme of a theme selector around declarations: by its name or, for an attribute about themes, by the
/// `color-scheme` that the declarations set.
pub fn scheme_of_scope<'d, D: Iterator<Item = AuthoredDeclaration<'d>>>(
    mark: ScopeSelector<'_>,
    declarations: impl Fn() -> D,
) -> Option<Scheme> {
    let ScopeSelector::Attribute { name, value: Some(value) } = mark else { return scheme_of_mark(mark) };
    let declared =
        || (is_theme_switch_name(name) && !value.is_empty()).then(|| declared_scheme(declarations())).flatten();
    scheme_of_attribute(name, value).or_else(declared)
}

/// Returns the `color-scheme` that declarations set, if it is exactly one.
pub fn declared_scheme<'d>(declarations: impl Iterator<Item = AuthoredDeclaration<'d>>) -> Option<Scheme> {
    let values = declarations.filter(|own| own.name == "color-scheme").map(|own| own.value);
    values.last().and_then(|value| match (value.contains("light"), value.contains("dark")) {
        (true, false) => Some(Scheme::Light),
        (false, true) => Some(Scheme::Dark),
        _ => None,
    })
}

/// Names of dark themes without the word.
const DARK_NAMES: &[&str] = &["slate", "black", "night", "midnight", "dim"];

/// Returns the scheme of an attribute, by the words of its value or by a known theme name.
pub fn scheme_of_attribute(name: &str, value: &str) -> Option<Scheme> {
    let by_words = scheme_of_mark(ScopeSelector::Attribute { name, value: Some(value) });
    by_words.or_else(|| (DARK_NAMES.contains(&value) && is_theme_switch_name(name)).then_some(Scheme::Dark))
}

/// Returns the theme of a scheme.
pub fn theme(scheme: Scheme) -> Theme {
    if scheme == Scheme::Dark { Theme::Dark } else { Theme::Light }
}

/// Returns the scheme of a class or attribute.
pub fn scheme_of_mark(mark: ScopeSelector<'_>) -> Option<Scheme> {
    match mark {
        ScopeSelector::Class(name) | ScopeSelector::Attribute { name, value: None | Some("" | "true") } => {
            let name = name.strip_prefix("data-").unwrap_or(name);
            scheme_of_name(name, false)
        }
        ScopeSelector::Attribute { name, value: Some(value) } => scheme_of_name(value, is_theme_switch_name(name)),
    }
}

/// Returns true if a name is about themes: `data-theme`, `data-color-mode`.
pub fn is_theme_switch_name(name: &str) -> bool {
    split_words(name).any(|word| THEME_WORDS.contains(&word.as_str()))
}

/// Words in the names of themes, and of attributes about them.
pub(super) static THEME_NEEDLES: SubstringSet =
    SubstringSet::new(&["dark", "light", "night", "day", "theme", "mode", "scheme", "appearance"]);
/// Words in the names of themes.
static SCHEME_NEEDLES: SubstringSet = SubstringSet::new(&["dark", "light", "night", "day"]);
const THEME_WORDS: &[&str] = &["theme", "mode", "scheme", "appearance", "skin"];
/// Words before the theme in the classes by which libraries of components switch themes (`chakra-ui-dark`,
/// `ion-palette-dark`).
const LIBRARY_PREFIXES: &[[&str; 2]] = &[["chakra", "ui"], ["ion", "palette"]];
/// Maximum number of words of a theme's name: a vendor prefix, `theme`, and the theme.
const MAX_WORDS: usize = 4;

/// Returns the scheme of `dark`, `dark-mode`, `theme--dark`, `sl-theme-dark`; not of `dark-mode-toggle` or `btn-dark`,
/// nor of `skin-blue-light`: that is one of many skins, and pages with another skin are not dark because of it. If the
/// name is known to be a theme's (`is_theme`), `dark-blue` and `github-dark` are dark too.
fn scheme_of_name(name: &str, is_theme: bool) -> Option<Scheme> {
    // Most names contain none of the words and are not split.
    if name.len() > 64 || !SCHEME_NEEDLES.is_match(name) {
        return None;
    }
    let words: Vec<String> = split_words(name).collect();
    let scheme_of = |word: &String| match word.as_str() {
        "dark" | "night" | "darkmode" | "darktheme" => Some(Scheme::Dark),
        "light" | "day" | "lightmode" | "lighttheme" => Some(Scheme::Light),
        _ => None,
    };
    let at = words.iter().position(|word| scheme_of(word).is_some())?;
    let scheme = scheme_of(&words[at])?;
    let is_theme_word = |word: &String| THEME_WORDS.contains(&word.as_str());
    let is_whole = words.len() == 1 && !matches!(words[0].as_str(), "day" | "night");
    let ends_well = at + 1 == words.len() || is_theme_word(&words[words.len() - 1]);
    let is_of_many = words.iter().position(|word| word == "skin").is_some_and(|skin| skin + 1 < at);
    let is_of_library = LIBRARY_PREFIXES.iter().any(|prefix| words[..at] == *prefix);
    let names_theme = (words.iter().any(is_theme_word) || is_of_library) && ends_well && !is_of_many;
    let fits = is_whole || is_theme || names_theme;
    (fits && words.len() <= MAX_WORDS).then_some(scheme)
}

/// Returns the words of a name in lower case: `themeDark`, `theme--dark` and `theme_dark` have the same.
fn split_words(name: &str) -> impl Iterator<Item = String> {
    let mut all = vec![String::new()];
    let mut after_lower = false;
    for character in name.chars() {
        let is_break = !character.is_ascii_alphanumeric();
        if is_break || (character.is_ascii_uppercase() && after_lower) {
            all.push(String::new());
        }
        after_lower = character.is_ascii_lowercase();
        if let Some(last) = all.last_mut().filter(|_| !is_break) {
            last.push(character.to_ascii_lowercase());
        }
    }
    all.into_iter().filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theme_names_are_recognised() {
        let (light, dark) = (Some(Scheme::Light), Some(Scheme::Dark));
        for (name, expected) in [
            ("dark", dark),
            ("light", light),
            ("dark-mode", dark),
            ("theme-dark", dark),
            ("theme--light", light),
            ("themeDark", dark),
            ("sl-theme-dark", dark),
            ("chakra-ui-dark", dark),
            ("ion-palette-dark", dark),
            ("color-palette-dark", None),
            ("btn-ui-light", None),
            ("darkmode", dark),
            ("night-mode", dark),
            ("dark-mode-toggle", None),
            ("btn-dark", None),
            ("navbar-light", None),
            ("text-dark", None),
            ("color-scheme-dark", dark),
            ("color--primary-dark", None),
            ("theme-dark-mode", dark),
            ("skin-blue-light", None),
            ("theme-default-dark", dark),
            ("skin-light", light),
            ("night", None),
            ("darken", None),
            ("highlight", None),
        ] {
            assert_eq!(scheme_of_mark(ScopeSelector::Class(name)), expected, ".{name}");
        }
        for (name, value, expected) in [
            ("data-theme", Some("dark"), dark),
            ("data-bs-theme", Some("light"), light),
            ("data-color-mode", Some("dark"), dark),
            ("data-theme", Some("github-dark"), dark),
            ("data-theme", Some("dark-blue"), dark),
            ("theme", Some("ocean"), None),
            ("data-icon", Some("slate"), None),
            ("data-md-color-scheme", Some("slate"), dark),
            ("data-dark", None, dark),
            ("data-icon", Some("dark"), dark),
            ("data-icon", Some("dark-blue"), None),
            ("class", Some("dark"), dark),
            ("disabled", None, None),
        ] {
            let mark = ScopeSelector::Attribute { name, value };
            assert_eq!(scheme_of_scope(mark, std::iter::empty), expected, "[{name}={value:?}]");
        }
    }
}
