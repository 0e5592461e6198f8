//! The counted values as the groups of a result.

use super::{TokenVariable, ValueCounter, ValueStats};
use crate::custom_properties::ThemeSwitches;
use crate::token_names::is_plumbing;
use limner_types::result::{ThemeTokens, ThemeUsage, TokenGroup, TokenGroups, TokenKind, TokenUsage};
use limner_types::{Theme, TokenScope, WireEnum};
use std::collections::HashMap;

/// Maximum number of selectors in the result for a value.
const MAX_SELECTORS: usize = 3;
/// Maximum number of variables in the result for a value.
const MAX_VARIABLES: usize = 64;
/// Maximum number of values of one kind in the result.
const MAX_LISTED: usize = 2_000;
/// Maximum size of the values of one kind together, in bytes.
const MAX_LISTED_BYTES: usize = 256 * 1024;

impl ValueCounter<'_> {
    /// Returns the ways in which the page switches to light and to dark.
    pub(crate) fn scopes(&self) -> [ThemeSwitches; 2] {
        self.variables.scopes()
    }

    /// Returns true if a limit cut the result short.
    pub(crate) fn is_truncated(&self) -> bool {
        self.truncated || self.variables.is_exhausted()
    }

    /// Returns the values whose keys are less exact than they are, in their own colour spaces, by kind and key.
    pub(crate) fn exact_values(&self) -> HashMap<TokenKind, HashMap<String, String>> {
        let mut exact: HashMap<TokenKind, HashMap<String, String>> = HashMap::new();
        for entry in &self.entries {
            if let Some(css) = &entry.css {
                exact.entry(entry.kind).or_default().insert(entry.key.to_string(), css.to_string());
            }
        }
        exact
    }

    /// Returns the names that utility classes give values, by kind and key.
    pub(crate) fn class_names(&self) -> HashMap<TokenKind, HashMap<String, String>> {
        let mut names: HashMap<TokenKind, HashMap<String, String>> = HashMap::new();
        for entry in &self.entries {
            if let Some(class) = &entry.class {
                names.entry(entry.kind).or_default().insert(entry.key.to_string(), class.to_string());
            }
        }
        names
    }

    /// Returns the groups, ordered by count, then by value. `selector` returns the text of a block's first selector.
    pub fn groups(&mut self, selector: &dyn Fn(u32) -> Option<String>) -> TokenGroups {
        self.groups_in(TokenScope::Sheet, selector)
    }

    /// Like [`Self::groups`], for the values in a scope.
    pub(crate) fn groups_in(&mut self, scope: TokenScope, selector: &dyn Fn(u32) -> Option<String>) -> TokenGroups {
        let mut groups = TokenGroups::default();
        let mut truncated = false;
        for kind in TokenKind::ALL {
            let mut entries: Vec<&ValueStats> =
                self.entries.iter().filter(|e| e.kind == *kind && e.is_listed(scope)).collect();
            entries.sort_by(|a, b| b.count().cmp(&a.count()).then_with(|| a.key.cmp(&b.key)));
            let all = entries.len();
            let mut left = MAX_LISTED_BYTES;
            let mut group = Vec::new();
            for entry in entries.into_iter().take(MAX_LISTED) {
                let usage = self.usage(entry, selector);
                let Some(rest) = left.checked_sub(entry.key.len() + text_bytes(&usage)) else { break };
                left = rest;
                group.push((entry.key.to_string(), usage));
            }
            truncated |= group.len() < all;
            *groups.group_mut(*kind) = TokenGroup(group);
        }
        self.truncated |= truncated;
        groups
    }

    /// Returns the values of the groups whose elements or custom properties are others in light than in dark.
    pub(crate) fn theme_tokens(&self, groups: &TokenGroups, variables: &[TokenVariable]) -> ThemeTokens {
        let mut names: [HashMap<(TokenKind, &str), Vec<String>>; 2] = Default::default();
        for own in variables {
            let [light, dark] = own.in_themes();
            if light != dark {
                for (names, value) in names.iter_mut().zip([light, dark]) {
                    let Some(value) = value else { continue };
                    names.entry((own.kind, value.key.as_str())).or_default().push(own.name.clone());
                }
            }
        }
        let mut tokens = ThemeTokens::default();
        for kind in TokenKind::ALL {
            let mut of_kind: [Vec<(String, ThemeUsage)>; 2] = Default::default();
            for (key, _) in &groups.group(*kind).0 {
                let id = self.ids.get(kind).and_then(|of_kind| of_kind.get(key.as_str()));
                let Some(entry) = id.and_then(|id| self.entries.get(*id as usize)) else { continue };
                for (theme, of_theme) in of_kind.iter_mut().enumerate() {
                    let variables = names[theme].remove(&(*kind, key.as_str())).unwrap_or_default();
                    let is_other = entry.used_in[0] != entry.used_in[1] && entry.used_in[theme] > 0;
                    if is_other || !variables.is_empty() {
                        of_theme.push((key.clone(), ThemeUsage { used: entry.used_in[theme], variables }));
                    }
                }
            }
            let ThemeTokens { light, dark } = &mut tokens;
            for (theme, of_theme) in [light, dark].into_iter().zip(of_kind) {
                if !of_theme.is_empty() {
                    theme.insert(kind.to_string(), TokenGroup(of_theme));
                }
            }
        }
        tokens
    }

    fn usage(&self, entry: &ValueStats, selector: &dyn Fn(u32) -> Option<String>) -> TokenUsage {
        let mut properties: Vec<String> = entry.properties.iter().map(|property| property.name().to_owned()).collect();
        properties.sort_unstable();
        let named = entry.variables.iter().map(|own| (self.variables.name(own.id), own.count));
        let mut variables: Vec<(&str, usize)> = named.filter(|(name, _)| !is_plumbing(name)).collect();
        variables.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let mut selectors: Vec<String> = Vec::new();
        for text in entry.blocks.iter().filter_map(|number| selector(*number)) {
            if !selectors.contains(&text) {
                selectors.push(text);
            }
            if selectors.len() == MAX_SELECTORS {
                break;
            }
        }
        // Values declared for no theme apply in all of them.
        let themes = [(1, Theme::Light), (2, Theme::Dark)];
        let themes = themes.into_iter().filter(|(at, _)| entry.themes[*at] && !entry.themes[0]);
        TokenUsage {
            count: entry.count(),
            used: self.knows_elements.then_some(entry.used),
            properties,
            variables: variables.into_iter().take(MAX_VARIABLES).map(|(name, _)| name.to_owned()).collect(),
            themes: themes.map(|(_, theme)| theme).collect(),
            selectors,
            original: (*entry.original != *entry.key).then(|| entry.original.to_string()),
        }
    }
}

impl ValueStats {
    /// Returns true if the value is in the groups of a scope.
    fn is_listed(&self, scope: TokenScope) -> bool {
        let is_declared = self.root_token.is_some_and(|own| own == scope || own == TokenScope::Page);
        is_declared || self.count() > 0 && (scope == TokenScope::Sheet || self.used > 0)
    }
}

/// Returns the approximate size of a usage in bytes.
fn text_bytes(usage: &TokenUsage) -> usize {
    let texts = usage.properties.iter().chain(&usage.variables).chain(&usage.selectors).chain(&usage.original);
    texts.map(String::len).sum()
}
