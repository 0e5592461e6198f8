//! Reads at-rules of the page, and the names in values that refer to them.

use cssparser::{Parser, Token};
use limner_assets::svg::urls::{rewrite_urls, runs_script};
use limner_component_model::model::Declaration;
use limner_style::{AtRule, StyleIndex};
use std::collections::BTreeMap;
use url::Url;

/// Returns the identifiers and strings of a value, and the last identifier of each function.
pub(super) fn identifiers(value: &str) -> Vec<String> {
    let mut parser = Parser::new(value);
    let mut found = Vec::new();
    while let Ok(token) = parser.next() {
        match token {
            Token::Ident(word) | Token::QuotedString(word) => found.push(word.to_string()),
            Token::Function(_) => {
                let inner = parser.parse_nested_block(|inner| {
                    let mut last = None;
                    while let Ok(token) = inner.next() {
                        if let Token::Ident(word) = token {
                            last = Some(word.to_string());
                        }
                    }
                    Ok::<_, cssparser::ParseError<()>>(last)
                });
                found.extend(inner.ok().flatten());
            }
            _ => {}
        }
    }
    found
}

/// Returns the animations that declarations name.
pub(super) fn animations(declarations: &[Declaration]) -> Vec<String> {
    let named = declarations.iter().filter(|own| own.name == "animation-name");
    named.flat_map(|own| identifiers(&own.value)).collect()
}

/// Returns the strongest rule for each name: the last one.
pub(super) fn rules_by_name<'i>(index: &'i StyleIndex<'_>, kind: &[&str]) -> BTreeMap<String, &'i AtRule> {
    let rules = index.at_rules().iter().filter(|rule| kind.contains(&&*rule.name));
    rules.filter_map(|rule| Some((identifiers(&rule.prelude).pop()?, rule))).collect()
}

/// Returns true for `italic` and `oblique 10deg`.
pub(super) fn is_slanted(style: &str) -> bool {
    style.starts_with("italic") || style.starts_with("oblique")
}

/// Returns the base URL of the stylesheet that a rule is in.
pub(super) fn rule_base_url(index: &StyleIndex<'_>, rule: &AtRule) -> Option<Url> {
    Url::parse(&index.sheets().get(rule.sheet as usize)?.base_url).ok()
}

/// Makes the URLs in a value absolute. URLs that run scripts become `#`.
pub(super) fn absolute(value: &str, base: Option<&Url>) -> String {
    rewrite_urls(value, |address| {
        let address = address.trim();
        if address.starts_with('#') || address.is_empty() {
            return None;
        }
        let url = base?.join(address).ok()?;
        Some(if runs_script(url.as_str()) { "#".to_owned() } else { url.into() })
    })
}

/// Parses the selectors and blocks of keyframes.
pub(super) fn frames(body: &str) -> Vec<(String, &str)> {
    let mut parser = Parser::new(body);
    let mut found = Vec::new();
    let mut start = parser.position();
    loop {
        match parser.next() {
            Ok(Token::CurlyBracketBlock) => {}
            Ok(_) => continue,
            Err(_) => return found,
        }
        let prelude = parser.slice_from(start).trim_end_matches('{');
        let block = parser.parse_nested_block(|inner| {
            let from = inner.position();
            while inner.next().is_ok() {}
            Ok::<_, cssparser::ParseError<()>>(inner.slice_from(from))
        });
        let selector: Option<Vec<&str>> =
            prelude.split(',').map(|part| Some(part.trim()).filter(|p| is_offset(p))).collect();
        if let (Some(selector), Ok(block)) = (selector, block) {
            found.push((selector.join(", "), block));
        }
        start = parser.position();
    }
}

fn is_offset(text: &str) -> bool {
    let percentage = text.strip_suffix('%').is_some_and(|number| number.trim().parse::<f64>().is_ok());
    percentage || text.eq_ignore_ascii_case("from") || text.eq_ignore_ascii_case("to")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyframes_of_rules_are_read() {
        let found = frames("from { a: b } 50%, 60% { c: d; } bogus { e: f } to{}");
        let shown: Vec<(&str, &str)> =
            found.iter().map(|(selector, block)| (selector.as_str(), block.trim())).collect();
        assert_eq!(shown, [("from", "a: b"), ("50%, 60%", "c: d;"), ("to", "")]);
    }
}
