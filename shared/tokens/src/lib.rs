//! `/extract`: the design tokens of a page, as its stylesheets declare them.
//!
//! A token is what the author declared, used on this page or not. Rules are matched against elements for two reasons:
//! values that are built from custom properties of other rules are those that elements have, and each value is given
//! with the number of elements that have it.
//!
//! ```
//! use limner_page::PageSnapshot;
//! use limner_page_view::PageView;
//! use limner_types::{Operation, request};
//!
//! let html = "<p style='color: #0055ff'>Hello".to_owned();
//! let page = PageSnapshot { url: "https://example.com/".to_owned(), html, ..PageSnapshot::default() };
//! let request = request::parse(Operation::Extract, &[("url".to_owned(), page.url.clone())]).unwrap().request;
//! let extraction = limner_tokens::extract(&PageView::new(&page), &request).unwrap();
//! let result = String::from_utf8(extraction.body).unwrap();
//! assert!(result.contains(r##""colors":{"#0055ff""##), "{result}");
//! ```

pub mod breakpoints;
mod color_schemes;
mod custom_properties;
mod export;
mod palette_names;
mod platform_defaults;
pub mod theme_detection;
mod theme_document;
mod token_names;
mod token_order;
pub mod value;
mod value_counter;

pub use custom_properties::CustomProperties;
use custom_properties::{DeclarationContexts, DependentDeclarations, ThemeSwitches};
pub use theme_document::find_dark_document;
use value_counter::{BORDER_STYLES, Composites, CountedElements, ElementStyle, TokenVariable};
pub use value_counter::{SectionUsage, ThemeSet, UsedDeclaration, ValueCounter};

use limner_page::{PageSnapshot, WorkBudget};
use limner_page_view::{ExtractError, Extraction, PageView};
use limner_style::{ConditionId, StyleIndex, StyleRuleRef};
use limner_types::result::{TokenKind, TokensResult};
use limner_types::{OperationOptions, OperationRequest, Theme, TokenFormat, TokenScope};
use std::cell::OnceCell;
use std::collections::HashMap;

/// Computes the result of `/extract`.
///
/// # Errors
/// Returns [`ExtractError::Serialise`] if the result cannot be serialized.
pub fn extract(view: &PageView<'_>, request: &OperationRequest) -> Result<Extraction, ExtractError> {
    let (format, scope) = options(request);
    let tokens = extract_tokens(view, scope);
    let text = match format {
        TokenFormat::Json => return Extraction::json(&tokens.result),
        TokenFormat::Dtcg => return Extraction::json(&export::dtcg(&tokens)),
        TokenFormat::DtcgResolver => return Extraction::json(&export::dtcg_resolver(&tokens)),
        TokenFormat::DesignMd => export::design_md(&tokens),
        TokenFormat::Css => export::css(&tokens),
        TokenFormat::Tailwind => export::tailwind(&tokens),
    };
    Ok(Extraction { body: text.into_bytes(), content_type: format.content_type() })
}

/// Returns no subresources: only the page and its stylesheets are read.
pub fn required_subresources(_: &PageSnapshot, _: &WorkBudget) -> Vec<String> {
    Vec::new()
}

fn options(request: &OperationRequest) -> (TokenFormat, TokenScope) {
    match request.options {
        OperationOptions::Extract { format, scope } => (format, scope),
        _ => (TokenFormat::Json, TokenScope::Sheet),
    }
}

/// The design tokens of a page, with the data that export formats need.
struct DesignTokens {
    result: TokensResult,
    variables: Vec<TokenVariable>,
    /// The values that are more exact than their keys, by kind and key.
    exact_values: HashMap<TokenKind, HashMap<String, String>>,
    /// Names from utility classes, by kind and key.
    class_names: HashMap<TokenKind, HashMap<String, String>>,
    /// The usual styles of headings, text and buttons.
    styles: Vec<ElementStyle>,
    composites: Composites,
    scope: TokenScope,
    /// The ways in which the page switches to light and to dark.
    scopes: [ThemeSwitches; 2],
}

fn extract_tokens(view: &PageView<'_>, scope: TokenScope) -> DesignTokens {
    let themed = OnceCell::new();
    let wanted = [value::design_value_longhands(), BORDER_STYLES.to_vec()].concat();
    let mut index = StyleIndex::for_root_only(view.page, &view.document, &wanted, &theme_detection::THEME_NEEDLES);
    let dependent = DependentDeclarations::find(&index);
    index.match_rules();
    if let Some((document, rules)) = theme_document::dark(&index) {
        index.match_rules_in_theme(themed.get_or_init(|| document), &rules);
    }
    let rules: Vec<ThemedRule<'_>> =
        index.rules().map(|rule| ThemedRule { rule, theme: theme_detection::rule_theme(&index, &rule) }).collect();
    let color_schemes = color_schemes::declared(&index, &rules, &view.document);
    let (mut tally, contexts) = tally(&index, &rules, &dependent);
    tally.add_root_tokens();
    let has_dark = color_schemes.contains(&Theme::Dark);
    let CountedElements { conditions, styles, composites } = tally.count_elements(&index, &contexts, has_dark);
    let selector = |number: u32| rules.get(number as usize)?.rule.selectors().next().map(truncate_selector);
    let mut tokens = tally.groups_in(scope, &selector);
    tokens.breakpoints = breakpoints::group(match scope {
        TokenScope::Sheet => index.width_bounds(),
        TokenScope::Page => index.width_bounds_of(&conditions),
    });
    let mut common = view.common();
    common.truncated = (tally.is_truncated() || index.truncated()).then_some(true);
    let (variables, exact_values, class_names) = (tally.holders(), tally.exact_values(), tally.class_names());
    let themes = has_dark.then(|| tally.theme_tokens(&tokens, &variables));
    let composites_json = export::composites(&styles, &composites);
    let result = TokensResult { common, tokens, color_schemes, themes, composites: composites_json };
    DesignTokens { result, variables, exact_values, class_names, styles, composites, scope, scopes: tally.scopes() }
}

/// A rule and the theme it is for.
struct ThemedRule<'i> {
    rule: StyleRuleRef<'i>,
    theme: Option<Theme>,
}

/// Counts all rules and `style` attributes.
fn tally<'i>(
    index: &'i StyleIndex<'_>,
    rules: &[ThemedRule<'i>],
    dependent: &DependentDeclarations,
) -> (ValueCounter<'i>, DeclarationContexts) {
    let mut variables = CustomProperties::new(index);
    let contexts = variables.read_elements(index, dependent);
    let mut tally = ValueCounter::new(variables);
    let mut declarations = Vec::new();
    for (number, ThemedRule { rule, theme }) in rules.iter().enumerate() {
        declarations.clear();
        declarations.extend(rule.declarations());
        if declarations.is_empty() || index.condition_facts(rule.condition()).print_only {
            continue;
        }
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        tally.add(number, *theme, &declarations, contexts.of_rule(number));
        let is_plain = theme.is_none() && rule.condition() == ConditionId::default();
        if let Some(class) = rule.only_class().filter(|_| is_plain) {
            tally.name_by_class(class, &declarations);
        }
    }
    for (node, declarations) in index.style_attributes() {
        tally.add(u32::MAX, None, &declarations, contexts.of_attribute(node));
    }
    (tally, contexts)
}

/// Truncates a selector that would fill a page.
pub fn truncate_selector(selector: String) -> String {
    /// Maximum length of a selector in characters.
    const MAX_CHARACTERS: usize = 200;
    match selector.char_indices().nth(MAX_CHARACTERS) {
        Some((at, _)) => format!("{}…", &selector[..at]),
        None => selector,
    }
}

#[cfg(test)]
mod tests;
