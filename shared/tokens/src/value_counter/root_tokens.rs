//! Custom properties of the root and of `body` as tokens, whether a declaration refers to them or not.

use super::{NameId, PageValue, ResolvedValue, ValueCounter, VariableCount};
use crate::custom_properties::LookupScope;
use crate::platform_defaults::is_platform_default;
use crate::token_names::is_plumbing;
use crate::value::values;
use limner_style::ValueTemplate;
use limner_style::property::Longhand;
use limner_style::value::{Component, parse_components};
use limner_types::result::TokenKind;
use limner_types::{Theme, TokenScope};
use std::collections::BTreeSet;

/// Maximum number of custom properties that are read besides those that declarations refer to.
const MAX_UNREAD: usize = 4_000;

impl ValueCounter<'_> {
    /// Adds the values of custom properties on the root or `body` that no declaration refers to, where name and value show what
    /// they are for, and marks the values of all custom properties there. A platform's defaults are not the page's.
    pub(crate) fn add_root_tokens(&mut self) {
        let read: BTreeSet<NameId> = self.defaults.keys().map(|(id, ..)| *id).collect();
        let of_root = self.variables.of_root().into_iter();
        let unread: Vec<NameId> =
            of_root.filter(|id| !read.contains(id) && !is_plumbing(self.variables.name(*id))).collect();
        for id in unread.into_iter().take(MAX_UNREAD) {
            self.add_unread(id);
        }
        for ((id, ..), values) in self.defaults.iter().filter(|((id, ..), _)| self.variables.is_of_root(*id)) {
            let is_default = is_platform_default(self.variables.name(*id));
            for value in values.iter().flatten() {
                let known = &mut self.entries[value.id as usize].root_token;
                if !is_default {
                    *known = Some(TokenScope::Page);
                } else if known.is_none() {
                    *known = Some(TokenScope::Sheet);
                }
            }
        }
    }

    fn add_unread(&mut self, id: NameId) {
        let Some((kind, default)) = self.root_value(id, None) else { return };
        let mut found = [Some(default), None, None];
        for (slot, theme) in [(1, Theme::Light), (2, Theme::Dark)] {
            let themed =
                self.root_value(id, Some(theme)).filter(|(of, value)| *of == kind && found[0].as_ref() != Some(value));
            found[slot] = themed.map(|(_, value)| value);
        }
        // A value that differs in one theme is for the other, unless that has another value too.
        let of_default = match &found {
            [_, None, None] | [_, Some(_), Some(_)] => 0,
            [_, None, Some(_)] => 1,
            [_, Some(_), None] => 2,
        };
        for (value, theme) in found.iter().zip([of_default, 1, 2]) {
            let Some(value) = value else { continue };
            self.entries[value.id as usize].themes[theme] = true;
        }
        for value in found.iter().flatten() {
            let entry = &mut self.entries[value.id as usize];
            if !entry.variables.iter().any(|known| known.id == id) {
                entry.variables.push(VariableCount { id, count: 0, counted_in: 0 });
            }
        }
        self.defaults.insert((id, kind, false), found);
    }

    /// Returns the design value that a custom property of the root is, in a theme.
    fn root_value(&mut self, id: NameId, theme: Option<Theme>) -> Option<(TokenKind, PageValue)> {
        let name = self.variables.name(id);
        let reference = format!("var({name})");
        let scope = LookupScope { theme, rule_variables: &[], variant: None, context: None };
        let text = self.variables.resolve(&ValueTemplate::new(&reference), scope).text?;
        let property = property_for(name, &parse_components(&text)?)?;
        let found = self.design_values_of(property, &text);
        let mut whole = found.iter().filter(|value| !value.is_part);
        let ResolvedValue { id, kind, css, .. } = whole.next()?;
        let is_only = whole.all(|other| other.id == *id);
        is_only.then(|| (*kind, PageValue { id: *id, css: css.clone() }))
    }
}

/// Returns a property that a custom property is for, by its value and, where many have such values, by its name.
fn property_for(name: &str, value: &[Component]) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |all: &[&str]| words.iter().any(|word| all.contains(word));
    match value {
        [Component::Dimension { unit, .. }] if matches!(&**unit, "s" | "ms") => return Some("transition-duration"),
        [Component::Dimension { .. } | Component::Percentage(_)] => return property_for_length(&words),
        [Component::Number { value, .. }] => {
            return match () {
                () if has(&["weight", "fw"]) => Some("font-weight"),
                () if has(&["leading", "lineheight", "lh"]) || follows(&words, "line", "height") => Some("line-height"),
                () if has(&["opacity"]) => Some("opacity"),
                () if has(&["z", "zindex"]) => Some("z-index"),
                () if *value == 0.0 => property_for_length(&words),
                () => None,
            };
        }
        [Component::Ident(_)] if has(&["ease", "easing", "timing"]) => return Some("transition-timing-function"),
        [Component::Function { name, .. }] if name.contains("gradient") => return Some("background-image"),
        [Component::Function { name, .. }] if matches!(&**name, "cubic-bezier" | "steps" | "linear") => {
            return Some("transition-timing-function");
        }
        _ => {}
    }
    if matches!(value, [_]) && !values(Longhand::Color, value).is_empty() {
        return Some("color");
    }
    if has(&["shadow", "elevation"]) {
        return Some(if words.first() == Some(&"text") { "text-shadow" } else { "box-shadow" });
    }
    let is_named =
        |component: &Component| matches!(component, Component::Ident(_) | Component::String(_) | Component::Comma);
    let is_family = has(&["font", "family", "typeface"]) && !has(&["weight", "size", "style", "features", "settings"]);
    (is_family && value.iter().all(is_named)).then_some("font-family")
}

fn property_for_length(words: &[&str]) -> Option<&'static str> {
    let has = |all: &[&str]| words.iter().any(|word| all.contains(word));
    if has(&["radius", "radii", "rounded", "corner"]) {
        Some("border-top-left-radius")
    } else if has(&["tracking"]) || follows(words, "letter", "spacing") {
        Some("letter-spacing")
    } else if has(&["leading", "lineheight", "lh"]) || follows(words, "line", "height") {
        Some("line-height")
    } else if has(&["fs", "fontsize"]) || follows(words, "font", "size") || words.first() == Some(&"text") {
        Some("font-size")
    } else if has(&["border", "stroke", "outline"]) && has(&["width", "size", "thickness"]) {
        Some("border-top-width")
    } else if has(&["space", "spacing", "spacer", "gap", "gutter", "gutters", "padding", "margin"]) {
        Some("padding-top")
    } else {
        None
    }
}

/// Returns true if two words follow each other.
fn follows(words: &[&str], first: &str, second: &str) -> bool {
    words.windows(2).any(|pair| pair == [first, second])
}
