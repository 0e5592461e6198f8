//! Page-wide custom properties that contain design values, and are the author's names for them.

use super::{NameId, ResolvedValue, SubstitutionStep, ValueCounter, ValueId};
use crate::custom_properties::DefinitionOrigin;
use crate::token_names::is_plumbing;
use limner_types::Theme;
use limner_types::result::TokenKind;
use std::collections::HashSet;

/// A custom property and the kind of its values; the flag is true if it holds the channels of a colour.
pub(super) type VariableKey = (NameId, TokenKind, bool);

/// The value of a custom property in one theme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PageValue {
    pub(super) id: ValueId,
    pub(super) css: Box<str>,
}

/// A page-wide custom property that contains a design value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TokenVariable {
    /// With its dashes.
    pub(crate) name: String,
    pub(crate) kind: TokenKind,
    /// True if it holds the channels of a colour only, for `rgb(var(--primary))`.
    pub(crate) is_channels: bool,
    /// True if the root element has it.
    pub(crate) is_of_root: bool,
    /// True if its value refers to other custom properties.
    pub(crate) is_reference: bool,
    /// By default, in light, in dark.
    values: [Option<VariableValue>; 3],
}

/// The value of a custom property: the key of its group, and the value in its own colour spaces.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct VariableValue {
    pub(crate) key: String,
    pub(crate) css: String,
}

impl TokenVariable {
    /// Returns the default value.
    pub(crate) fn value(&self) -> Option<&VariableValue> {
        self.values.iter().flatten().next()
    }

    /// Returns the values in light and in dark that differ from the default.
    pub(crate) fn themed(&self) -> [Option<&VariableValue>; 2] {
        let [_, light, dark] = &self.values;
        [light, dark].map(|value| value.as_ref().filter(|value| Some(*value) != self.value()))
    }

    /// Returns the values in light and in dark.
    pub(crate) fn in_themes(&self) -> [Option<&VariableValue>; 2] {
        let [default, light, dark] = &self.values;
        [light, dark].map(|value| value.as_ref().or(default.as_ref()))
    }

    /// Returns the name; without the ending that says that the variable holds channels.
    pub(crate) fn stem(&self) -> &str {
        const ENDS: [&str; 8] = ["-rgb", "-hsl", "-oklch", "-lch", "-channels", "-channel", "-triplet", "-values"];
        let stem = ENDS.iter().find_map(|end| self.name.strip_suffix(end)).filter(|_| self.is_channels);
        stem.filter(|stem| stem.len() > 2).unwrap_or(&self.name)
    }
}

impl ValueCounter<'_> {
    /// Returns page-wide custom properties with their design values, by name.
    pub(crate) fn holders(&self) -> Vec<TokenVariable> {
        let wide = self.defaults.iter().filter(|((id, ..), _)| {
            self.variables.has_single_page_value(*id) && !is_plumbing(self.variables.name(*id))
        });
        let mut holders: Vec<TokenVariable> = wide
            .map(|((id, kind, is_channels), values)| {
                let value = |value: &Option<PageValue>| {
                    let PageValue { id, css } = value.as_ref()?;
                    let key = self.entries[*id as usize].key.to_string();
                    Some(VariableValue { key, css: css.to_string() })
                };
                let (name, kind, is_channels) = (self.variables.name(*id).to_owned(), *kind, *is_channels);
                let values = values.each_ref().map(value);
                let (is_of_root, is_reference) = (self.variables.is_of_root(*id), self.variables.is_reference(*id));
                TokenVariable { name, kind, is_channels, is_of_root, is_reference, values }
            })
            .collect();
        // `--primary-rgb` is no colour of its own next to `--primary`.
        let whole: HashSet<String> =
            holders.iter().filter(|own| !own.is_channels).map(|own| own.name.clone()).collect();
        holders.retain(|own| !own.is_channels || !whole.contains(own.stem()));
        holders.sort_by(|a, b| (&a.name, a.kind, a.is_channels).cmp(&(&b.name, b.kind, b.is_channels)));
        holders
    }

    /// Records the page-wide custom properties that contain the whole value, or the channels of a colour.
    pub(super) fn record_token_variables(
        &mut self,
        trace: &[(&SubstitutionStep, &str)],
        value: &ResolvedValue,
        theme: Option<Theme>,
    ) {
        let slot = match value.theme.or(theme) {
            None => 0,
            Some(Theme::Light) => 1,
            Some(Theme::Dark) => 2,
        };
        let channels = if value.kind == TokenKind::Colors { channels_of(&value.original) } else { None };
        for (taken, text) in trace.iter().filter(|(taken, _)| taken.origin == DefinitionOrigin::Page) {
            let is_whole = **text == *value.original;
            if is_whole || channels == Some(*text) {
                let known = self.defaults.entry((taken.id, value.kind, !is_whole)).or_default();
                known[slot].get_or_insert_with(|| PageValue { id: value.id, css: value.css.clone() });
            }
        }
    }
}

/// Returns what an opaque colour function contains: `222 47% 11%` of `hsl(222 47% 11% / 1)`.
fn channels_of(color: &str) -> Option<&str> {
    let (name, rest) = color.split_once('(')?;
    let inner = rest.strip_suffix(')').filter(|inner| !inner.contains('('))?;
    if !["rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch"].contains(&name) {
        return None;
    }
    let is_one = |alpha: &str| matches!(alpha.trim(), "1" | "100%" | "1.0");
    if let Some((channels, alpha)) = inner.split_once('/') {
        return is_one(alpha).then(|| channels.trim());
    }
    match inner.rsplit_once(',') {
        Some((channels, alpha)) if inner.matches(',').count() == 3 => is_one(alpha).then(|| channels.trim()),
        _ => Some(inner.trim()),
    }
}
