//! Counts the values that a section uses, where the cascade decides: not all values that declarations may have.

use super::variable_origins;
use super::{Occurrence, Provenance, ValueCounter, ValueId};
use crate::custom_properties::ElementScope;
use limner_style::AuthoredDeclaration;
use limner_style::color::Scheme;
use limner_style::property::{DeclaredValue, Longhand};
use limner_types::Theme;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A set of themes of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ThemeSet {
    /// The light theme.
    pub light: bool,
    /// The dark theme.
    pub dark: bool,
}

impl ThemeSet {
    fn is_none(self) -> bool {
        !self.light && !self.dark
    }

    fn union(self, other: Self) -> Self {
        Self { light: self.light || other.light, dark: self.dark || other.dark }
    }
}

/// A declaration of a section's rules.
pub struct UsedDeclaration<'u, 'i> {
    /// Identifies its block; blocks are counted in this order.
    pub block: (u32, u32),
    /// Identifies the block in [`ValueCounter::groups`].
    pub number: u32,
    /// Index in the block.
    pub position: usize,
    /// The theme that the block is for.
    pub theme: Option<Theme>,
    /// The declaration.
    pub declaration: AuthoredDeclaration<'i>,
    /// The custom properties of the element that it applies to.
    pub on: ElementScope<'u>,
    /// Returns the themes in which a longhand has the declared value, or the value for one theme.
    pub has: &'u dyn Fn(Longhand, Option<Theme>) -> ThemeSet,
}

type DeclarationKey = ((u32, u32), Reverse<usize>, Longhand);

/// The use of a declaration's longhand, by value.
#[derive(Default)]
struct LonghandUsage {
    themes: ThemeSet,
    theme: Option<Theme>,
    number: u32,
    values: BTreeMap<ValueId, ValueUsage>,
}

struct ValueUsage {
    themes: ThemeSet,
    occurrence: Occurrence,
    /// True if it comes from custom properties that differ in dark.
    is_themed: bool,
}

/// The values that a section uses, before they are counted: several elements may use different values of one
/// declaration.
#[derive(Default)]
pub struct SectionUsage(BTreeMap<DeclarationKey, LonghandUsage>);

impl<'i> ValueCounter<'i> {
    /// Records the values of a declaration.
    pub fn record_usage(&mut self, uses: &mut SectionUsage, used: &UsedDeclaration<'_, 'i>) {
        let Some(longhands) = used.declaration.longhands() else { return };
        let is_pending = longhands.first().is_some_and(|declared| declared.value == DeclaredValue::Pending);
        let (occurrences, is_themed) =
            if is_pending { self.values_on_element(used) } else { (self.literal(&used.declaration, longhands), false) };
        for occurrence in occurrences.iter() {
            let themes = (used.has)(occurrence.longhand, occurrence.theme);
            if themes.is_none() {
                continue;
            }
            let key = (used.block, Reverse(used.position), occurrence.longhand);
            let of_longhand = uses.0.entry(key).or_default();
            of_longhand.themes = of_longhand.themes.union(themes);
            (of_longhand.theme, of_longhand.number) = (used.theme, used.number);
            let is_themed = is_themed || occurrence.theme.is_some();
            let new = || ValueUsage { themes, occurrence: occurrence.clone(), is_themed };
            let value = of_longhand.values.entry(occurrence.value).or_insert_with(new);
            value.themes = value.themes.union(themes);
        }
    }

    fn values_on_element(&mut self, used: &UsedDeclaration<'_, 'i>) -> (Rc<[Occurrence]>, bool) {
        let resolved = self.variables.resolve_on(used.declaration.value, used.on);
        let Some(text) = &resolved.text else { return (Rc::from([]), false) };
        let found = self.design_values_of(used.declaration.name, text);
        let trace: Vec<_> =
            resolved.trace.iter().filter_map(|taken| Some((taken, taken.spelled.as_deref()?))).collect();
        let variables = variable_origins(&found, &trace, &resolved.trace);
        let occurrences = found.iter().zip(variables).map(|(value, variables)| Occurrence {
            longhand: value.longhand,
            value: value.id,
            theme: value.theme,
            variables,
            provenance: super::provenance_of_part(value.is_part, Provenance::Declared),
            is_entire_value: false,
            is_certain: true,
        });
        (occurrences.collect(), self.variables.are_themed(&resolved.trace))
    }

    /// Counts the recorded values, for a component that is built in a theme.
    pub fn count_uses(&mut self, uses: SectionUsage, made_for: Scheme) {
        let mut last = None;
        for ((block, position, _), of_longhand) in uses.0 {
            if last.replace((block, position)) != Some((block, position)) {
                self.declaration += 1;
            }
            let is_otherwise = |value: &ValueUsage| of_longhand.themes.light && !value.themes.light;
            for mut value in of_longhand.values.into_values() {
                if is_otherwise(&value) && value.occurrence.provenance == Provenance::Declared {
                    value.occurrence.provenance = Provenance::OtherTheme;
                }
                let ThemeSet { light, dark } = value.themes;
                let own = match made_for {
                    Scheme::Dark => value.is_themed.then_some(Theme::Dark),
                    Scheme::Light if !light => Some(Theme::Dark),
                    Scheme::Light if !dark && of_longhand.themes.dark => Some(Theme::Light),
                    Scheme::Light => None,
                };
                value.occurrence.theme = None;
                self.count(&value.occurrence, of_longhand.theme.or(own), of_longhand.number);
            }
        }
    }
}
