//! Compares the looks of a section: the declarations of its component's stylesheet.

use super::comparison::{Difference, Tolerance, compare_named};
use serde_json::Value;
use std::collections::BTreeMap;

/// The declarations of a style rule, by the conditions and selector of the rule.
type Rules = BTreeMap<String, BTreeMap<String, String>>;

/// Compares two results of `/code` with `framework=html`, rule by rule.
pub(super) fn compare(before: &Value, after: &Value, tolerance: Tolerance) -> Vec<Difference> {
    let sheet = |result: &Value| parse(result["css"].as_str().unwrap_or_default());
    let (one, other) = (sheet(before), sheet(after));
    let mut names: Vec<&String> = one.keys().chain(other.keys()).collect();
    names.sort();
    names.dedup();
    let none = BTreeMap::new();
    let rule = |rules: &Rules, name: &String| rules.get(name).unwrap_or(&none).clone();
    names.into_iter().flat_map(|name| compare_named(name, &rule(&one, name), &rule(&other, name), tolerance)).collect()
}

/// Parses a stylesheet of this program: rules, and rules in conditions such as `@media`.
fn parse(css: &str) -> Rules {
    let mut rules = Rules::new();
    let mut open: Vec<String> = Vec::new();
    for (statement, end) in statements(css) {
        match end {
            '{' => open.push(statement),
            _ => {
                if let Some((property, value)) = statement.split_once(':').filter(|_| !open.is_empty()) {
                    let rule = rules.entry(open.join(" ")).or_default();
                    rule.insert(property.trim().to_owned(), value.trim().to_owned());
                }
                if end == '}' {
                    open.pop();
                }
            }
        }
    }
    rules
}

/// Splits a stylesheet at `{`, `}` and `;` outside of strings, parentheses and comments.
fn statements(css: &str) -> Vec<(String, char)> {
    let mut statements = Vec::new();
    let (mut text, mut quote, mut depth) = (String::new(), None, 0_usize);
    let mut chars = css.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', _) => {
                text.push(c);
                text.extend(chars.next());
                continue;
            }
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => quote = Some(c),
            ('(', None) => depth += 1,
            (')', None) => depth = depth.saturating_sub(1),
            ('/', None) if chars.peek() == Some(&'*') => {
                let mut before = ' ';
                chars.by_ref().skip(1).find(|c| {
                    *c == '/' && std::mem::replace(&mut before, *c) == '*' || {
                        before = *c;
                        false
                    }
                });
                continue;
            }
            ('{' | '}' | ';', None) if depth == 0 => {
                let words: Vec<&str> = text.split_whitespace().collect();
                statements.push((words.join(" "), c));
                text.clear();
                continue;
            }
            _ => {}
        }
        text.push(c);
    }
    statements
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rules_are_compared_declaration_by_declaration() {
        let before = json!({ "css": ".hero {\n  color: #d9622b;\n  background: url(\"a;b}.png\");\n}\n\
            @media (min-width: 60em) {\n  .hero {\n    gap: 1rem;\n  }\n}\n/* x { y: z } */\n.a::after { content: \"\\\"{\" }\n" });
        let after = json!({ "css": ".hero {\n  color: #d9632b;\n  background: url(\"a;b}.png\");\n  margin: 0;\n}\n\
            @media (min-width: 60em) {\n  .hero {\n    gap: 2rem;\n  }\n}\n" });
        let differences = compare(&before, &after, Tolerance(1.0));
        let shown: Vec<String> = differences
            .iter()
            .map(|difference| format!("{} {} {}", difference.change(), difference.group, difference.name))
            .collect();
        assert_eq!(
            shown,
            ["removed .a::after content", "added .hero margin", "changed @media (min-width: 60em) .hero gap"]
        );
        assert_eq!(differences[0].before.as_deref(), Some("\"\\\"{\""));
        assert!(compare(&before, &before, Tolerance(0.0)).is_empty());
    }
}
