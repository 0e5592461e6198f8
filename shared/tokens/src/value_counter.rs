//! The value counter: counts the declarations of each value, with longhands, variables, themes and selectors.

mod groups;
mod section_usage;
mod variable_origins;

use super::custom_properties::{
    CustomProperties, LookupScope, MAX_CACHED, NameId, Substituted, SubstitutionStep, is_custom,
};
use super::value::{DesignValue, hold_same_values, holds_design_values, values};
use foldhash::{HashMap, HashMapExt};
use limner_style::property::{DeclaredValue, ExpandedLonghand, Longhand, expand};
use limner_style::{AuthoredDeclaration, ValueTemplate};
use limner_types::Theme;
use limner_types::result::TokenKind;
pub use section_usage::{SectionUsage, ThemeSet, UsedDeclaration};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use variable_origins::variable_origins;

/// Maximum number of blocks recorded for a value; several may have the same selector.
const MAX_BLOCKS: usize = 8;
/// Maximum number of distinct values on a page.
const MAX_VALUES: usize = 60_000;

/// Index of a value.
type ValueId = u32;

/// A value that a declaration sets a longhand to.
#[derive(Debug, Clone)]
struct Occurrence {
    longhand: Longhand,
    value: ValueId,
    theme: Option<Theme>,
    variables: Rc<[NameId]>,
    standing: Provenance,
    /// True if a custom property contains the whole value.
    is_entire_value: bool,
}

impl Occurrence {
    /// Returns true if a list has the same value for the longhand.
    fn is_contained_in(&self, list: &[Self]) -> bool {
        list.iter().any(|other| other.longhand == self.longhand && other.value == self.value)
    }
}

/// The provenance of a declaration's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Provenance {
    /// The declared value.
    Declared,
    /// The value in another theme.
    OtherTheme,
    /// The value for a variant, which this rule sets.
    Variant(u32),
    /// The value that would apply if the declaration's rule did not set the variables.
    PageWide,
    /// A colour in the declared shadow or gradient.
    Component,
}

/// The statistics of one value.
#[derive(Debug)]
struct ValueStats {
    kind: TokenKind,
    key: Box<str>,
    /// Text as first written.
    original: Box<str>,
    /// Number of declarations with the value.
    declared: usize,
    /// Number of declarations that may have the value.
    alternative: usize,
    properties: Vec<Longhand>,
    variables: Vec<(NameId, usize)>,
    /// True if it is declared for no theme, for light, for dark.
    themes: [bool; 3],
    blocks: Vec<u32>,
}

impl ValueStats {
    /// Returns the count. Every longhand of every rule counts once, for its default value. A value that only occurs in
    /// another theme or in a variant counts the declarations that may have it; a colour that only occurs in shadows and
    /// gradients counts those.
    fn count(&self) -> usize {
        if self.declared > 0 { self.declared } else { self.alternative }
    }
}

/// A page-wide custom property that contains a design value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TokenVariable {
    /// With its dashes.
    pub name: String,
    pub kind: TokenKind,
    /// By default, in light, in dark.
    values: [Option<String>; 3],
}

impl TokenVariable {
    /// Returns the default value.
    pub(crate) fn value(&self) -> &str {
        self.values.iter().flatten().next().map_or("", String::as_str)
    }

    /// Returns the values in light and in dark that differ from the default.
    pub(crate) fn themed(&self) -> [Option<&str>; 2] {
        let [_, light, dark] = &self.values;
        [light, dark].map(|value| value.as_deref().filter(|value| *value != self.value()))
    }
}

/// Counts the values in declaration blocks. Equal declarations are evaluated once.
pub struct ValueCounter<'i> {
    variables: CustomProperties<'i>,
    entries: Vec<ValueStats>,
    ids: HashMap<TokenKind, HashMap<Box<str>, ValueId>>,
    literal: HashMap<usize, Rc<[Occurrence]>>,
    pending: HashMap<usize, PendingDeclaration>,
    none: Rc<[NameId]>,
    /// Design values by property and text without references.
    replaced: HashMap<Box<str>, HashMap<Arc<str>, Rc<[ResolvedValue]>>>,
    /// The block in which each longhand was last counted, first by physical, then by flow-relative property names: in
    /// the CSSOM these are two properties, whichever of them wins the cascade.
    counted: Vec<u32>,
    /// Longhands of the current declaration that count.
    won: Vec<Longhand>,
    block: u32,
    /// Values of custom properties: by default, in light and in dark.
    defaults: BTreeMap<(NameId, TokenKind), [Option<ValueId>; 3]>,
    truncated: bool,
}

/// A design value of a longhand after substitution.
struct ResolvedValue {
    longhand: Longhand,
    id: ValueId,
    kind: TokenKind,
    /// Text as written.
    original: Box<str>,
    /// True for a colour in a shadow or gradient.
    is_part: bool,
    /// The theme it is for, if the value itself has one.
    theme: Option<Theme>,
}

/// The values of a declaration with `var()` whose rule sets none of the names.
struct PendingDeclaration {
    names: Rc<[NameId]>,
    occurrences: Rc<[Occurrence]>,
}

impl<'i> ValueCounter<'i> {
    /// Creates a counter without values.
    pub fn new(variables: CustomProperties<'i>) -> Self {
        Self {
            variables,
            entries: Vec::new(),
            ids: HashMap::new(),
            literal: HashMap::new(),
            pending: HashMap::new(),
            none: Rc::from([]),
            replaced: HashMap::new(),
            counted: vec![0; 2 * Longhand::ALL.len()],
            won: Vec::new(),
            block: 0,
            defaults: BTreeMap::new(),
            truncated: false,
        }
    }

    /// Counts a declaration block: for each longhand the declaration that wins in the block. `number` identifies the
    /// block in [`Tally::groups`].
    pub fn add(&mut self, number: u32, theme: Option<Theme>, declarations: &[AuthoredDeclaration<'i>]) {
        self.block += 1;
        self.variables.begin_rule();
        let own: Vec<(&'i str, &'i str)> =
            declarations.iter().filter(|d| is_custom(d)).map(|d| (d.name, d.value)).collect();
        for important in [true, false] {
            for declaration in declarations.iter().rev().filter(|d| d.important == important) {
                if let Some(longhands) = declaration.longhands() {
                    self.declaration(number, theme, declaration, longhands, &own);
                }
            }
        }
    }

    fn declaration(
        &mut self,
        number: u32,
        theme: Option<Theme>,
        declaration: &AuthoredDeclaration<'i>,
        longhands: &Arc<[ExpandedLonghand]>,
        own: &[(&'i str, &'i str)],
    ) {
        let is_pending = longhands.first().is_some_and(|declared| declared.value == DeclaredValue::Pending);
        let by_name = if is_flow_relative(declaration.name) { Longhand::ALL.len() } else { 0 };
        self.won.clear();
        for declared in longhands.iter().rev() {
            let last = &mut self.counted[declared.longhand as usize + by_name];
            if std::mem::replace(last, self.block) != self.block && holds_design_values(declared.longhand) {
                self.won.push(declared.longhand);
            }
        }
        if self.won.is_empty() {
            return;
        }
        let occurrences = if is_pending {
            self.pending(declaration, longhands, theme, own)
        } else {
            self.literal(declaration, longhands)
        };
        for occurrence in occurrences.iter() {
            if self.won.contains(&occurrence.longhand) {
                self.count(occurrence, theme, number);
            }
        }
    }

    fn count(&mut self, occurrence: &Occurrence, theme: Option<Theme>, number: u32) {
        let entry = &mut self.entries[occurrence.value as usize];
        let mut block = number;
        match occurrence.standing {
            Provenance::Declared => entry.declared += 1,
            Provenance::OtherTheme | Provenance::Component => entry.alternative += 1,
            Provenance::Variant(rule) => {
                entry.alternative += 1;
                block = rule;
            }
            Provenance::PageWide => entry.alternative = entry.alternative.max(1),
        }
        if !entry.properties.contains(&occurrence.longhand) {
            entry.properties.push(occurrence.longhand);
        }
        if entry.blocks.len() < MAX_BLOCKS && entry.blocks.last() != Some(&block) {
            entry.blocks.push(block);
        }
        entry.themes[match theme.or(occurrence.theme) {
            None => 0,
            Some(Theme::Light) => 1,
            Some(Theme::Dark) => 2,
        }] = true;
        for name in occurrence.variables.iter() {
            match entry.variables.iter_mut().find(|(known, _)| known == name) {
                Some((_, count)) => *count += 1,
                None => entry.variables.push((*name, 1)),
            }
        }
    }

    /// Returns the values of a declaration without `var()`.
    fn literal(
        &mut self,
        declaration: &AuthoredDeclaration<'i>,
        longhands: &Arc<[ExpandedLonghand]>,
    ) -> Rc<[Occurrence]> {
        let address = longhands.as_ptr() as usize;
        if let Some(known) = self.literal.get(&address) {
            return known.clone();
        }
        let mut found: Vec<Occurrence> = Vec::new();
        // Sides usually have equal values.
        let mut last: Option<(&ExpandedLonghand, usize)> = None;
        for declared in longhands.iter().filter(|declared| holds_design_values(declared.longhand)) {
            let from = found.len();
            if let Some((_, start)) = last.filter(|(last, _)| covers_longhand(last, declared)) {
                found.extend_from_within(start..from);
                found[from..].iter_mut().for_each(|occurrence| occurrence.longhand = declared.longhand);
            } else {
                for value in design_values(longhands, declared, declaration.value) {
                    found.extend(self.occurrence(declared.longhand, &value));
                }
            }
            last = Some((declared, from));
        }
        let found: Rc<[Occurrence]> = found.into();
        self.literal.insert(address, found.clone());
        found
    }

    fn occurrence(&mut self, longhand: Longhand, value: &DesignValue) -> Option<Occurrence> {
        let id = self.intern(value)?;
        let standing = provenance(value.is_part, Provenance::Declared);
        Some(Occurrence {
            longhand,
            value: id,
            theme: value.theme,
            variables: self.none.clone(),
            standing,
            is_entire_value: false,
        })
    }

    fn intern(&mut self, value: &DesignValue) -> Option<ValueId> {
        let of_kind = self.ids.entry(value.kind).or_default();
        if let Some(known) = of_kind.get(value.key.as_str()) {
            return Some(*known);
        }
        if self.entries.len() >= MAX_VALUES {
            self.truncated = true;
            return None;
        }
        let id = ValueId::try_from(self.entries.len()).ok()?;
        self.entries.push(ValueStats {
            kind: value.kind,
            key: value.key.as_str().into(),
            original: value.original.as_str().into(),
            declared: 0,
            alternative: 0,
            properties: Vec::new(),
            variables: Vec::new(),
            themes: [false; 3],
            blocks: Vec::new(),
        });
        of_kind.insert(value.key.as_str().into(), id);
        Some(id)
    }

    /// Returns the values of a declaration with `var()`.
    fn pending(
        &mut self,
        declaration: &AuthoredDeclaration<'i>,
        longhands: &Arc<[ExpandedLonghand]>,
        theme: Option<Theme>,
        own: &[(&'i str, &'i str)],
    ) -> Rc<[Occurrence]> {
        // A rule for a theme is evaluated in that theme only. Such rules are few, so their results are not cached.
        if theme.is_some() {
            return self.resolve(declaration, theme, own).1.into();
        }
        let address = longhands.as_ptr() as usize;
        if !self.pending.contains_key(&address) {
            let (names, occurrences) = self.resolve(declaration, None, &[]);
            self.pending.insert(address, PendingDeclaration { names: names.into(), occurrences: occurrences.into() });
        }
        let known = &self.pending[&address];
        let sets_own = known.names.iter().any(|id| own.iter().any(|(name, _)| *name == self.variables.name(*id)));
        if sets_own {
            return self.resolve(declaration, None, own).1.into();
        }
        known.occurrences.clone()
    }

    /// Returns the values of a declaration by default and in the themes and variants of the stylesheets, and the names
    /// they were resolved from.
    fn resolve(
        &mut self,
        declaration: &AuthoredDeclaration<'i>,
        theme: Option<Theme>,
        own: &[(&'i str, &'i str)],
    ) -> (Vec<NameId>, Vec<Occurrence>) {
        let scope = LookupScope { theme, rule_variables: own, variant: None };
        let template = ValueTemplate::new(declaration.value);
        let plain = self.variables.resolve(&template, scope);
        let names = plain.trace.iter().map(|taken| taken.id).collect();
        let mut default = self.occurrences(declaration, &plain, theme, Provenance::Declared);
        let mut others = Vec::new();
        let themes = if theme.is_none() { self.variables.themes(&plain.trace) } else { Vec::new() };
        for theme in themes {
            let themed = self.variables.resolve(&template, LookupScope { theme: Some(theme), ..scope });
            if themed.text == plain.text {
                continue;
            }
            let found = self.occurrences(declaration, &themed, Some(theme), Provenance::OtherTheme);
            for occurrence in default.iter_mut().filter(|occurrence| !occurrence.is_contained_in(&found)) {
                // A value that differs in dark is for light, unless light has a different value too.
                occurrence.theme = if occurrence.theme.is_none() { Some(opposite_theme(theme)) } else { None };
            }
            others.extend(found);
        }
        let variants = self.variables.variants(&plain.trace).into_iter();
        let variants: Vec<u32> = variants.filter(|rule| !self.variables.equals_default_for(*rule, &plain)).collect();
        for rule in variants {
            let variant = self.variables.resolve(&template, LookupScope { variant: Some(rule), ..scope });
            if variant.text != plain.text {
                others.extend(self.occurrences(declaration, &variant, None, Provenance::Variant(rule)));
            }
        }
        if self.variables.have_page_values(own) {
            let wide = self.variables.resolve(&template, LookupScope { rule_variables: &[], ..scope });
            if wide.text != plain.text {
                others.extend(self.occurrences(declaration, &wide, None, Provenance::PageWide));
            }
        }
        // It is unknown which combinations of variables occur.
        others.retain(|other| {
            let counts = other.is_entire_value || other.standing == Provenance::PageWide;
            counts && !other.is_contained_in(&default)
        });
        default.extend(others);
        (names, default)
    }

    /// Returns the values of a declaration after substitution.
    fn occurrences(
        &mut self,
        declaration: &AuthoredDeclaration<'i>,
        resolved: &Substituted,
        theme: Option<Theme>,
        standing: Provenance,
    ) -> Vec<Occurrence> {
        let Some(text) = &resolved.text else { return Vec::new() };
        let found = self.design_values_of(declaration.name, text);
        if found.is_empty() {
            return Vec::new();
        }
        let trace: Vec<(&SubstitutionStep, &str)> =
            resolved.trace.iter().filter_map(|taken| Some((taken, taken.spelled.as_deref()?))).collect();
        let is_whole =
            |value: &ResolvedValue| trace.iter().any(|(taken, text)| taken.is_literal && **text == *value.original);
        // Of alternative values only those that a variable contains as a whole are kept.
        let is_kept = matches!(standing, Provenance::Declared | Provenance::PageWide) || found.iter().any(is_whole);
        let variables = if is_kept { variable_origins(&found, &trace, &resolved.trace) } else { Vec::new() };
        let mut occurrences = Vec::with_capacity(found.len());
        for (at, value) in found.iter().enumerate() {
            if matches!(standing, Provenance::Declared | Provenance::OtherTheme) {
                self.record_token_variables(&trace, value, theme);
            }
            occurrences.push(Occurrence {
                longhand: value.longhand,
                value: value.id,
                theme: value.theme.or(theme),
                variables: variables.get(at).unwrap_or(&self.none).clone(),
                standing: self::provenance(value.is_part, standing),
                is_entire_value: is_whole(value),
            });
        }
        occurrences
    }

    /// Returns the design values of a property's text without references.
    fn design_values_of(&mut self, property: &str, text: &Arc<str>) -> Rc<[ResolvedValue]> {
        let known = self.replaced.get(property);
        if let Some(known) = known.and_then(|texts| texts.get(text)) {
            return known.clone();
        }
        let has_room = known.is_none_or(|texts| texts.len() < MAX_CACHED);
        let longhands = expand(property, text);
        let mut found = Vec::new();
        let longhands = longhands.as_deref().unwrap_or_default();
        for declared in longhands.iter().filter(|declared| holds_design_values(declared.longhand)) {
            for mut value in design_values(longhands, declared, text) {
                value.without_invisible_layers();
                let Some(id) = self.intern(&value) else { continue };
                let DesignValue { kind, original, is_part, theme, .. } = value;
                found.push(ResolvedValue {
                    longhand: declared.longhand,
                    id,
                    kind,
                    original: original.into(),
                    is_part,
                    theme,
                });
            }
        }
        let found: Rc<[ResolvedValue]> = found.into();
        if has_room {
            self.replaced.entry(property.into()).or_default().insert(text.clone(), found.clone());
        }
        found
    }

    /// Records the custom properties that contain the whole value.
    fn record_token_variables(
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
        for (taken, _) in trace.iter().filter(|(_, text)| **text == *value.original) {
            self.defaults.entry((taken.id, value.kind)).or_default()[slot].get_or_insert(value.id);
        }
    }
}

/// Returns the design values of one of a declaration's longhands.
fn design_values(longhands: &[ExpandedLonghand], declared: &ExpandedLonghand, text: &str) -> Vec<DesignValue> {
    let DeclaredValue::Components(components) = &declared.value else { return Vec::new() };
    let mut found = values(declared.longhand, components);
    if is_implied_by_none(longhands, &found, text) {
        found.clear();
    }
    found
}

/// Returns true if two longhands contain the same design values.
fn covers_longhand(one: &ExpandedLonghand, other: &ExpandedLonghand) -> bool {
    hold_same_values(one.longhand, other.longhand) && one.value == other.value
}

/// Returns true if a colour is only implied: in `background: none` the colour `transparent` is just the initial value.
fn is_implied_by_none(longhands: &[ExpandedLonghand], found: &[DesignValue], text: &str) -> bool {
    let [only] = found else { return false };
    longhands.len() > 1 && only.original == "transparent" && !text.to_ascii_lowercase().contains("transparent")
}

/// Returns the provenance of a value, given that of its declaration.
fn provenance(is_part: bool, declaration: Provenance) -> Provenance {
    if is_part && declaration == Provenance::Declared { Provenance::Component } else { declaration }
}

fn opposite_theme(theme: Theme) -> Theme {
    if theme == Theme::Dark { Theme::Light } else { Theme::Dark }
}

/// Returns true for flow-relative property names (Logical Properties 1, section 4).
fn is_flow_relative(name: &str) -> bool {
    let is_old =
        name.starts_with("-webkit-") && ["-start", "-end", "-before", "-after"].iter().any(|end| name.ends_with(end));
    let bytes = name.as_bytes();
    let names_axis = |rest: &[u8]| rest.starts_with(b"-inline") || rest.starts_with(b"-block");
    is_old || (0..bytes.len()).any(|at| bytes[at] == b'-' && names_axis(&bytes[at..]))
}
