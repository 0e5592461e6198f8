//! Finds the colour schemes that a page declares.

use super::ThemedRule;
use limner_page::Document;
use limner_style::{Environment, StyleIndex, StyleRuleRef, SubstringSet};
use limner_types::Theme;

/// Returns `[light]`, or `[light, dark]` if the page declares anything for dark: a media query, `light-dark()`, a
/// scope, the `color-scheme` property or the `color-scheme` metadata.
pub(crate) fn declared(index: &StyleIndex<'_>, rules: &[ThemedRule<'_>], document: &Document) -> Vec<Theme> {
    let is_dark = index.supported_schemes().dark || rules.iter().any(is_for_dark) || root_is_dark(index, document);
    if is_dark { vec![Theme::Light, Theme::Dark] } else { vec![Theme::Light] }
}

fn mentions_dark(words: &str) -> bool {
    words.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("dark"))
}

fn is_for_dark(ThemedRule { rule, theme }: &ThemedRule<'_>) -> bool {
    static NEEDLES: SubstringSet = SubstringSet::new(&["light-dark("]);
    let mut declarations = rule.declarations().peekable();
    if declarations.peek().is_none() {
        return false;
    }
    *theme == Some(Theme::Dark) && !is_for_dark_editor(rule)
        || declarations.any(|declaration| NEEDLES.is_match(declaration.value))
}

fn root_is_dark(index: &StyleIndex<'_>, document: &Document) -> bool {
    let root = document.document_element();
    let style = root.and_then(|root| index.styles(&Environment::default()).get(root));
    style.is_some_and(|style| mentions_dark(style.get(limner_style::property::Longhand::ColorScheme)))
}

/// Returns true for rules like `.is-dark-theme .wp-block-image figcaption`: the block editor of WordPress gives its canvas
/// this class if the theme is dark, and every page that has the block library has the rules.
fn is_for_dark_editor(rule: &StyleRuleRef<'_>) -> bool {
    static NEEDLES: SubstringSet = SubstringSet::new(&[".is-dark-theme "]);
    rule.selectors().all(|selector| NEEDLES.is_match(&selector))
}
