//! Collects the keyframes that a component's animations name. A custom property in a keyframe is substituted if it has
//! the same value on all animated elements; otherwise the keyframe keeps the reference.
//!
//! Before → after: `animation-name: fade` → the same, and `@keyframes fade { … }`.
//!
//! Reads the rules and the names that `collect-at-rules` found; adds the keyframes. It stands after `collect-at-rules`
//! and before `declare-keyframe-variables`, to which it passes on which references it kept.

use crate::capture::at_rules::{absolute, animations, frames, rule_base_url, rules_by_name};
use crate::capture::passes::{Draft, PassContext};
use cssparser::{Parser, Token};
use limner_component_model::calc_simplify;
use limner_component_model::calc_simplify::RemArithmetic;
use limner_component_model::model::{Element, Keyframes};
use limner_page::dom::escape_identifier;
use limner_style::{AtRule, ValueTemplate, declarations_in};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of custom properties that an animation may refer to.
const MAX_VARIABLES: usize = 16;

/// The custom properties, by animation, to which its keyframes keep referring.
pub(crate) type UnresolvedVars = BTreeMap<String, BTreeSet<String>>;

/// Collects the keyframes of the animations, and the custom properties to which they refer.
pub(crate) fn collect_keyframes(context: &PassContext<'_, '_>, draft: &mut Draft) {
    let index = context.section.request.index;
    let mut rules = rules_by_name(index, &["-webkit-keyframes"]);
    rules.extend(rules_by_name(index, &["keyframes"]));
    let mut users = users(&draft.component.elements);
    for name in &draft.animations {
        let Some(rule) = rules.get(name) else { continue };
        let users = users.remove(name).unwrap_or_default();
        let mut reader =
            KeyframeParser { context, users, rule, variables: BTreeSet::new(), constant_variables: BTreeMap::new() };
        let frames: Vec<_> = frames(&rule.body)
            .into_iter()
            .map(|(selector, block)| (selector, reader.declarations(block)))
            .filter(|(_, declarations)| !declarations.is_empty())
            .collect();
        if !frames.is_empty() {
            draft.unresolved_vars.insert(name.clone(), reader.variables);
            draft.component.keyframes.push(Keyframes { name: escape_identifier(name), frames });
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

/// Reads the frames of one animation.
struct KeyframeParser<'k, 'c, 'r> {
    context: &'k PassContext<'c, 'r>,
    /// The animated elements.
    users: Vec<usize>,
    rule: &'k AtRule,
    variables: BTreeSet<String>,
    /// Custom properties looked up so far, and true for those with the same value on all animated elements.
    constant_variables: BTreeMap<String, bool>,
}

impl KeyframeParser<'_, '_, '_> {
    /// Returns the declarations of a frame, independent of the page: with URLs absolute and `rem` in pixels.
    fn declarations(&mut self, block: &str) -> Vec<(String, String)> {
        let base = rule_base_url(self.context.section.request.index, self.rule);
        let mut read = Vec::new();
        for (name, value) in declarations_in(block) {
            let Some(value) = self.value(&value).filter(|_| self.is_retained(&name)) else { continue };
            let name = if name.starts_with("--") { name } else { name.to_ascii_lowercase() };
            let value = absolute(&self.context.resolved.root.rem_in_pixels(&value), base.as_ref());
            let simple = calc_simplify::simplified(&name, &value, RemArithmetic::Symbolic);
            read.push((name, simple.unwrap_or(value)));
        }
        // Drops prefixed properties that are also declared without their prefix.
        let plain: BTreeSet<String> = read.iter().map(|(name, _)| name.clone()).collect();
        read.retain(|(name, _)| name.strip_prefix("-webkit-").is_none_or(|own| !plain.contains(own)));
        read
    }

    fn is_retained(&self, name: &str) -> bool {
        !name.starts_with("--") || self.context.registered.iter().any(|property| property.name == name)
    }

    /// Substitutes the references in a value, or keeps them if they have different values on several elements.
    fn value(&mut self, value: &str) -> Option<String> {
        let named = references(value);
        if named.iter().all(|name| self.is_constant(name)) {
            let users = self
                .users
                .first()
                .map(|at| &self.context.section.computed[*at][self.context.section.environments.desktop()]);
            let style = users.unwrap_or(&self.context.resolved.root);
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
        let styles = self.users.iter().flat_map(|at| &self.context.section.computed[*at]);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_found_in_fallbacks_and_blocks() {
        let found = references("translate(calc(var(--a) * 2), VAR( --b , (var(--c)))) --d var(red)");
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), ["--a", "--b", "--c", "red"]);
        let deep = format!("{}var(--a){}", "(".repeat(200_000), ")".repeat(200_000));
        assert!(references(&deep).is_empty(), "deep nesting terminates");
    }
}
