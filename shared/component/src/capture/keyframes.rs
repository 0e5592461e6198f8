//! Collects the keyframes that a component's animations name. A custom property in a keyframe is substituted if it has
//! the same value on all animated elements; otherwise the keyframe keeps the reference, and these elements declare the
//! custom property.

use super::at_rules::{absolute, identifiers, rule_base_url, rules_by_name};
use super::diff::rule_resolver::{ResolvedRules, RuleResolver};
use cssparser::{Parser, Token};
use limner_component_model::calc_simplify;
use limner_component_model::calc_simplify::Lengths;
use limner_component_model::model::{Declaration, Element, Keyframes};
use limner_style::{AtRule, ValueTemplate, declarations_in};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of custom properties that an animation may refer to.
const MAX_VARIABLES: usize = 16;

/// The custom properties, by animation, to which its keyframes keep referring.
pub(super) type UnresolvedVars = BTreeMap<String, BTreeSet<String>>;

/// Returns the keyframes of these names, and the custom properties to which they refer.
pub(super) fn collect_keyframes(
    resolver: &RuleResolver<'_>,
    resolved: &ResolvedRules,
    elements: &[Element],
    names: &BTreeSet<String>,
) -> (Vec<Keyframes>, UnresolvedVars) {
    let index = resolver.order.index;
    let mut rules = rules_by_name(index, &["-webkit-keyframes"]);
    rules.extend(rules_by_name(index, &["keyframes"]));
    let mut users = users(elements);
    let mut taken = UnresolvedVars::new();
    let mut found = Vec::new();
    for name in names {
        let Some(rule) = rules.get(name) else { continue };
        let users = users.remove(name).unwrap_or_default();
        let mut reader = KeyframeParser {
            resolver,
            resolved,
            users,
            rule,
            variables: BTreeSet::new(),
            constant_variables: BTreeMap::new(),
        };
        let frames: Vec<_> = frames(&rule.body)
            .into_iter()
            .map(|(selector, block)| (selector, reader.declarations(block)))
            .filter(|(_, declarations)| !declarations.is_empty())
            .collect();
        if !frames.is_empty() {
            taken.insert(name.clone(), reader.variables);
            found.push(Keyframes { name: limner_page::dom::escape_identifier(name), frames });
        }
    }
    (found, taken)
}

/// Renames keyframes whose name needs escaping, because Tailwind's classes cannot contain it.
pub(super) fn rename(keyframes: &mut [Keyframes], elements: &mut [Element]) {
    let mut names: BTreeSet<String> = keyframes.iter().map(|own| own.name.clone()).collect();
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    for own in keyframes.iter_mut().filter(|own| own.name.contains('\\')) {
        let name = plain_name(&own.name, &names, renamed.len());
        names.insert(name.clone());
        renamed.insert(std::mem::replace(&mut own.name, name.clone()), name);
    }
    if renamed.is_empty() {
        return;
    }
    let rules = elements.iter_mut().flat_map(|element| &mut element.rules);
    for own in rules.flat_map(|rule| &mut rule.declarations).filter(|own| own.name == "animation-name") {
        let all = identifiers(&own.value).into_iter().map(|word| {
            let written = limner_page::dom::escape_identifier(&word);
            renamed.get(&written).cloned().unwrap_or(written)
        });
        own.value = all.collect::<Vec<_>>().join(", ");
    }
}

/// Returns a name that needs no escaping. `count` is the number of keyframes renamed so far.
fn plain_name(escaped: &str, taken: &BTreeSet<String>, count: usize) -> String {
    let plain: String =
        identifiers(escaped).concat().chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect();
    let name = format!("animation-{}", plain.trim_matches('-'));
    let numbered = (count + 1..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(name)
}

/// Declares the custom properties that keyframes refer to, on the elements that they animate.
pub(super) fn declare(resolver: &RuleResolver<'_>, elements: &mut [Element], taken: &UnresolvedVars) {
    if taken.values().all(BTreeSet::is_empty) {
        return;
    }
    let desktop = resolver.grid.desktop();
    for (at, element) in elements.iter_mut().enumerate() {
        let style = &resolver.computed[at][desktop];
        for rule in &mut element.rules {
            let animations = animations(&rule.declarations);
            let names: BTreeSet<&String> = animations.iter().filter_map(|name| taken.get(name)).flatten().collect();
            for name in names {
                let known = rule.declarations.iter().any(|own| own.name == *name);
                let Some(value) = style.custom_property(name).filter(|_| !known) else { continue };
                let (value, computed) = (value.trim().to_owned(), value.trim().to_owned());
                rule.declarations.push(Declaration { name: Cow::Owned(name.clone()), value, computed });
            }
            rule.declarations.sort_by(|a, b| a.name.cmp(&b.name));
        }
    }
}

/// Returns the elements that have each animation.
fn users(elements: &[Element]) -> BTreeMap<String, Vec<usize>> {
    let mut users: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, element) in elements.iter().enumerate() {
        let names: BTreeSet<String> = element.rules.iter().flat_map(|rule| animations(&rule.declarations)).collect();
        names.into_iter().for_each(|name| users.entry(name).or_default().push(at));
    }
    users
}

/// Returns the animations that declarations name.
fn animations(declarations: &[Declaration]) -> Vec<String> {
    let named = declarations.iter().filter(|own| own.name == "animation-name");
    named.flat_map(|own| identifiers(&own.value)).collect()
}

/// Reads the frames of one animation.
struct KeyframeParser<'k, 'r> {
    resolver: &'k RuleResolver<'r>,
    resolved: &'k ResolvedRules,
    /// The animated elements.
    users: Vec<usize>,
    rule: &'k AtRule,
    variables: BTreeSet<String>,
    /// Custom properties looked up so far, and true for those with the same value on all animated elements.
    constant_variables: BTreeMap<String, bool>,
}

impl KeyframeParser<'_, '_> {
    /// Returns the declarations of a frame, independent of the page: with URLs absolute and `rem` in pixels.
    fn declarations(&mut self, block: &str) -> Vec<(String, String)> {
        let base = rule_base_url(self.resolver.order.index, self.rule);
        let mut read = Vec::new();
        for (name, value) in declarations_in(block) {
            let Some(value) = self.value(&value).filter(|_| self.is_retained(&name)) else { continue };
            let name = if name.starts_with("--") { name } else { name.to_ascii_lowercase() };
            let value = absolute(&self.resolved.root.rem_in_pixels(&value), base.as_ref());
            let simple = calc_simplify::simplified(&name, &value, Lengths::Symbolic);
            read.push((name, simple.unwrap_or(value)));
        }
        // Drops prefixed properties that are also declared without their prefix.
        let plain: BTreeSet<String> = read.iter().map(|(name, _)| name.clone()).collect();
        read.retain(|(name, _)| name.strip_prefix("-webkit-").is_none_or(|own| !plain.contains(own)));
        read
    }

    fn is_retained(&self, name: &str) -> bool {
        !name.starts_with("--") || self.resolver.registered.iter().any(|property| property.name == name)
    }

    /// Substitutes the references in a value, or keeps them if they have different values on several elements.
    fn value(&mut self, value: &str) -> Option<String> {
        let named = references(value);
        if named.iter().all(|name| self.is_constant(name)) {
            let users = self.users.first().map(|at| &self.resolver.computed[*at][self.resolver.grid.desktop()]);
            let style = users.unwrap_or(&self.resolved.root);
            let filled = ValueTemplate::new(value).fill(&mut |name| style.custom_property(name).map(Arc::from));
            return filled.map(|filled| filled.to_string());
        }
        self.variables.extend(named);
        (self.variables.len() <= MAX_VARIABLES).then(|| value.to_owned())
    }

    /// Returns true if a custom property has the same value on all animated elements, in every environment.
    fn is_constant(&mut self, name: &str) -> bool {
        if let Some(known) = self.constant_variables.get(name) {
            return *known;
        }
        let styles = self.users.iter().flat_map(|at| &self.resolver.computed[*at]);
        let mut values = styles.map(|style| style.custom_property(name));
        let first = values.next();
        let is_the_same = values.all(|value| Some(value) == first);
        self.constant_variables.insert(name.to_owned(), is_the_same);
        is_the_same
    }
}

/// Maximum nesting of brackets in which references are found: pages may nest them without limit.
const MAX_DEPTH: usize = 48;

/// Returns the custom properties that a value refers to, including those in fallbacks.
fn references(value: &str) -> BTreeSet<String> {
    fn gather(parser: &mut Parser<'_>, in_var: bool, depth: usize, found: &mut BTreeSet<String>) {
        let mut is_first = in_var;
        while let Ok(token) = parser.next() {
            let is_var = matches!(token, Token::Function(name) if name.eq_ignore_ascii_case("var"));
            match token {
                Token::Ident(name) if is_first => {
                    found.insert(name.to_string());
                }
                Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock
                    if depth < MAX_DEPTH =>
                {
                    let _ = parser.parse_nested_block(|inner| {
                        gather(inner, is_var, depth + 1, found);
                        Ok::<_, cssparser::ParseError<()>>(())
                    });
                }
                _ => {}
            }
            is_first = false;
        }
    }
    let mut found = BTreeSet::new();
    if value.contains("--") {
        gather(&mut Parser::new(value), false, 0, &mut found);
    }
    found
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
    fn frames_are_read() {
        let found = frames("from { a: b } 50%, 60% { c: d; } bogus { e: f } to{}");
        let shown: Vec<(&str, &str)> =
            found.iter().map(|(selector, block)| (selector.as_str(), block.trim())).collect();
        assert_eq!(shown, [("from", "a: b"), ("50%, 60%", "c: d;"), ("to", "")]);
    }

    #[test]
    fn references_are_found_in_fallbacks_and_blocks() {
        let found = references("translate(calc(var(--a) * 2), VAR( --b , (var(--c)))) --d var(red)");
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), ["--a", "--b", "--c", "red"]);
        let deep = format!("{}var(--a){}", "(".repeat(200_000), ")".repeat(200_000));
        assert!(references(&deep).is_empty(), "deep nesting terminates");
    }
}
