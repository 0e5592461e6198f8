//! `/extract`: the design tokens of a page, as its style sheets declare them.
//!
//! Never asks which element a rule matches (but for the root, whose custom properties everything refers to): a token is
//! what the author declared, used on this page or not.

mod breakpoints;
mod schemes;
mod tally;
pub(crate) mod theme;
pub(crate) mod value;
mod variables;

pub(crate) use tally::Tally;
pub(crate) use variables::Variables;

use crate::{ExtractError, Extraction, PageView};
use limner_page::{NodeId, PageSnapshot};
use limner_style::{SheetRule, StyleIndex};
use limner_types::result::{TokenGroups, TokensResult};
use limner_types::{OperationOptions, Request, TokenFormat};

/// The result of `/extract`.
pub(crate) fn extract(view: &PageView<'_>, request: &Request) -> Result<Extraction, ExtractError> {
    let tokens = read(view);
    match format(request) {
        TokenFormat::Json => Extraction::json(&tokens),
        other => Err(ExtractError::Unprocessable(format!("`format={other}` is not written yet"))),
    }
}

/// The page and its sheets are all that is read.
pub(crate) fn needs(_: &PageSnapshot) -> Vec<String> {
    Vec::new()
}

fn format(request: &Request) -> TokenFormat {
    match request.options {
        OperationOptions::Extract { format } => format,
        _ => TokenFormat::Json,
    }
}

fn read(view: &PageView<'_>) -> TokensResult {
    let index = StyleIndex::of_root(view.page, &view.document);
    let rules: Vec<SheetRule<'_>> = index.rules().collect();
    let (mut tokens, truncated) = groups(&index, &rules);
    tokens.breakpoints = breakpoints::group(index.width_bounds());
    let mut common = view.common();
    common.truncated = (truncated || index.truncated()).then_some(true);
    TokensResult { common, tokens, color_schemes: schemes::declared(&index, &rules, &view.document) }
}

/// The groups of all rules and `style` attributes, and whether a limit cut them short.
fn groups(index: &StyleIndex<'_>, rules: &[SheetRule<'_>]) -> (TokenGroups, bool) {
    let mut tally = Tally::new(Variables::new(index));
    let mut declarations = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        declarations.clear();
        declarations.extend(rule.declarations());
        if declarations.is_empty() || index.condition_facts(rule.condition()).print_only {
            continue;
        }
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        tally.add(number, theme::of_rule(index, rule), &declarations);
    }
    for (_, declarations) in attributes(index) {
        tally.add(u32::MAX, None, &declarations);
    }
    let selector = |number: u32| rules.get(number as usize)?.selectors().next().map(shortened);
    (tally.groups(&selector), tally.is_truncated())
}

fn attributes<'i>(
    index: &'i StyleIndex<'_>,
) -> impl Iterator<Item = (NodeId, Vec<limner_style::AuthoredDeclaration<'i>>)> {
    index.style_attributes()
}

/// A selector that would fill a page is cut.
fn shortened(selector: String) -> String {
    /// Longest selector that is given as it is, in characters.
    const MOST: usize = 200;
    match selector.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &selector[..at]),
        None => selector,
    }
}

#[cfg(test)]
mod tests;
