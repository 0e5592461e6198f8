//! `/extract`: the design tokens of a page, as its stylesheets declare them.
//!
//! Rules are not matched against elements (except for the root, whose custom properties everything refers to): a token
//! is what the author declared, used on this page or not.

pub(crate) mod breakpoints;
mod hues;
mod names;
mod schemes;
mod tally;
pub(crate) mod theme;
pub(crate) mod value;
mod variables;
mod write;

use tally::Holder;
pub(crate) use tally::{InThemes, Tally, Used, Uses};
pub(crate) use variables::{Scopes, Variables};

use crate::{ExtractError, Extraction, PageView};
use limner_page::PageSnapshot;
use limner_style::{SheetRule, StyleIndex};
use limner_types::result::TokensResult;
use limner_types::{OperationOptions, Request, Theme, TokenFormat};

/// Computes the result of `/extract`.
pub(crate) fn extract(view: &PageView<'_>, request: &Request) -> Result<Extraction, ExtractError> {
    let tokens = read(view);
    let format = format(request);
    let text = match format {
        TokenFormat::Json => return Extraction::json(&tokens.result),
        TokenFormat::Dtcg => return Extraction::json(&write::dtcg(&tokens)),
        TokenFormat::Css => write::css(&tokens),
        TokenFormat::Tailwind => write::tailwind(&tokens),
    };
    Ok(Extraction { body: text.into_bytes(), content_type: format.content_type() })
}

/// Returns no subresources: only the page and its stylesheets are read.
pub(crate) fn needs(_: &PageSnapshot) -> Vec<String> {
    Vec::new()
}

fn format(request: &Request) -> TokenFormat {
    match request.options {
        OperationOptions::Extract { format } => format,
        _ => TokenFormat::Json,
    }
}

/// The design tokens of a page, with the data that export formats need.
struct DesignTokens {
    result: TokensResult,
    holders: Vec<Holder>,
    /// The ways in which the page switches to light and to dark.
    scopes: [Scopes; 2],
}

fn read(view: &PageView<'_>) -> DesignTokens {
    let index = StyleIndex::of_root(view.page, &view.document, &value::all_read(), &theme::MARKS);
    let rules: Vec<ThemedRule<'_>> =
        index.rules().map(|rule| ThemedRule { rule, theme: theme::of_rule(&index, &rule) }).collect();
    let mut tally = tally(&index, &rules);
    let selector = |number: u32| rules.get(number as usize)?.rule.selectors().next().map(shortened);
    let mut tokens = tally.groups(&selector);
    tokens.breakpoints = breakpoints::group(index.width_bounds());
    let mut common = view.common();
    common.truncated = (tally.is_truncated() || index.truncated()).then_some(true);
    let color_schemes = schemes::declared(&index, &rules, &view.document);
    let result = TokensResult { common, tokens, color_schemes };
    DesignTokens { result, holders: tally.holders(), scopes: tally.scopes() }
}

/// A rule and the theme it is for.
struct ThemedRule<'i> {
    rule: SheetRule<'i>,
    theme: Option<Theme>,
}

/// Counts all rules and `style` attributes.
fn tally<'i>(index: &'i StyleIndex<'_>, rules: &[ThemedRule<'i>]) -> Tally<'i> {
    let mut tally = Tally::new(Variables::new(index));
    let mut declarations = Vec::new();
    for (number, ThemedRule { rule, theme }) in rules.iter().enumerate() {
        declarations.clear();
        declarations.extend(rule.declarations());
        if declarations.is_empty() || index.condition_facts(rule.condition()).print_only {
            continue;
        }
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        tally.add(number, *theme, &declarations);
    }
    for (_, declarations) in index.style_attributes() {
        tally.add(u32::MAX, None, &declarations);
    }
    tally
}

/// Truncates a selector that would fill a page.
pub(crate) fn shortened(selector: String) -> String {
    /// Maximum length of a selector in characters.
    const MOST: usize = 200;
    match selector.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &selector[..at]),
        None => selector,
    }
}

#[cfg(test)]
mod tests;
