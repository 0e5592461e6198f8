//! The tally: how often each value is declared, for which longhands, through which variables, in which theme, where.

use super::value::{DesignValue, is_read, values};
use super::variables::{NameId, Resolved, Scope, Scopes, Taken, Variables, is_custom};
use limner_style::AuthoredDeclaration;
use limner_style::property::{Declared, Longhand, Value, expand};
use limner_style::value::{parse_components, serialize};
use limner_types::result::{TokenGroup, TokenGroups, TokenKind, TokenUse};
use limner_types::{Choice, Theme};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

/// Most selectors given for a value.
const MAX_SELECTORS: usize = 3;
/// Blocks remembered for a value, of which several may have the same selector.
const MAX_BLOCKS: usize = 8;
/// Most variables given for a value.
const MAX_VARIABLES: usize = 16;
/// Most values that are told apart on a page.
const MAX_VALUES: usize = 60_000;
/// Most values of one kind that are given.
const MAX_GIVEN: usize = 2_000;
/// Bytes of text that the values of one kind may have together.
const MAX_GIVEN_BYTES: usize = 256 * 1024;

/// Number of a value.
type ValueId = u32;

/// A value that a declaration sets a longhand to.
#[derive(Debug, Clone)]
struct Occurrence {
    longhand: Longhand,
    value: ValueId,
    theme: Option<Theme>,
    variables: Rc<[NameId]>,
    standing: Standing,
    /// Whether a custom property holds it as a whole.
    is_whole: bool,
}

impl Occurrence {
    /// Whether a list has the value for the longhand.
    fn is_among(&self, list: &[Self]) -> bool {
        list.iter().any(|other| other.longhand == self.longhand && other.value == self.value)
    }
}

/// How a declaration comes to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It is what the declaration says.
    Declared,
    /// It is what the declaration says in another theme.
    OtherTheme,
    /// It is what the declaration says for a variant, which this rule sets.
    Variant(u32),
    /// It is what the declaration would say, did its own rule not set the variables.
    PageWide,
    /// It is a colour in the shadow or gradient that the declaration says.
    Part,
}

/// What is known of one value.
#[derive(Debug)]
struct Entry {
    kind: TokenKind,
    key: Box<str>,
    /// As first written.
    original: Box<str>,
    /// Declarations that say it.
    declared: usize,
    /// Declarations that may say it.
    alternative: usize,
    properties: Vec<Longhand>,
    variables: Vec<(NameId, usize)>,
    /// Declared for no theme, for light, for dark.
    themes: [bool; 3],
    blocks: Vec<u32>,
}

impl Entry {
    /// Every longhand of every rule counts once, for what it says by default. A value that only another theme or a
    /// variant of a component has counts the declarations that may come to it, a colour in nothing but shadows and
    /// gradients counts these.
    fn count(&self) -> usize {
        if self.declared > 0 { self.declared } else { self.alternative }
    }
}

/// A custom property of the page as a whole that holds a design value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Holder {
    /// With its dashes.
    pub(super) name: String,
    pub(super) kind: TokenKind,
    /// By default, in light, in dark.
    values: [Option<String>; 3],
}

impl Holder {
    /// What it holds by default.
    pub(super) fn value(&self) -> &str {
        self.values.iter().flatten().next().map_or("", String::as_str)
    }

    /// What it holds in light and in dark, where that is something else.
    pub(super) fn themed(&self) -> [Option<&str>; 2] {
        let [_, light, dark] = &self.values;
        [light, dark].map(|value| value.as_deref().filter(|value| *value != self.value()))
    }
}

/// Counts the values of blocks of declarations. Declarations that say the same are worked out once.
pub(crate) struct Tally<'i> {
    variables: Variables<'i>,
    entries: Vec<Entry>,
    known: HashMap<(TokenKind, Box<str>), ValueId>,
    literal: HashMap<usize, Rc<[Occurrence]>>,
    pending: HashMap<usize, Pending>,
    /// The block in which each longhand was last counted, first by its own name, then by that of a flow-relative property:
    /// to the object model these are two, whichever of them the cascade takes in the end.
    counted: Vec<u32>,
    block: u32,
    /// What custom properties hold by default, in light and in dark.
    held: BTreeMap<(NameId, TokenKind), [Option<ValueId>; 3]>,
    truncated: bool,
}

/// What a declaration with `var()` in it comes to, where its own rule sets none of the names.
struct Pending {
    names: Rc<[NameId]>,
    occurrences: Rc<[Occurrence]>,
}

impl<'i> Tally<'i> {
    pub(crate) fn new(variables: Variables<'i>) -> Self {
        Self {
            variables,
            entries: Vec::new(),
            known: HashMap::new(),
            literal: HashMap::new(),
            pending: HashMap::new(),
            counted: vec![0; 2 * Longhand::ALL.len()],
            block: 0,
            held: BTreeMap::new(),
            truncated: false,
        }
    }

    /// Counts a block of declarations: of each longhand the one that wins in the block. `number` stands for the block in
    /// [`Tally::groups`].
    pub(crate) fn add(&mut self, number: u32, theme: Option<Theme>, declarations: &[AuthoredDeclaration<'_>]) {
        self.block += 1;
        let own: Vec<(&str, &str)> = declarations.iter().filter(|d| is_custom(d)).map(|d| (d.name, d.value)).collect();
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
        declaration: &AuthoredDeclaration<'_>,
        longhands: &Arc<[Declared]>,
        own: &[(&str, &str)],
    ) {
        let is_pending = longhands.first().is_some_and(|declared| declared.value == Value::Pending);
        let by_name = if is_flow_relative(declaration.name) { Longhand::ALL.len() } else { 0 };
        let mut won: Vec<Longhand> = Vec::new();
        for declared in longhands.iter().rev() {
            let last = &mut self.counted[declared.longhand as usize + by_name];
            if std::mem::replace(last, self.block) != self.block && is_read(declared.longhand) {
                won.push(declared.longhand);
            }
        }
        if won.is_empty() {
            return;
        }
        let occurrences = if is_pending {
            self.pending(declaration, longhands, theme, own)
        } else {
            self.literal(declaration, longhands)
        };
        for occurrence in occurrences.iter().filter(|occurrence| won.contains(&occurrence.longhand)) {
            self.count(occurrence, theme, number);
        }
    }

    fn count(&mut self, occurrence: &Occurrence, theme: Option<Theme>, number: u32) {
        let entry = &mut self.entries[occurrence.value as usize];
        let mut block = number;
        match occurrence.standing {
            Standing::Declared => entry.declared += 1,
            Standing::OtherTheme | Standing::Part => entry.alternative += 1,
            Standing::Variant(rule) => {
                entry.alternative += 1;
                block = rule;
            }
            Standing::PageWide => entry.alternative = entry.alternative.max(1),
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

    /// The values of a declaration without `var()`.
    fn literal(&mut self, declaration: &AuthoredDeclaration<'_>, longhands: &Arc<[Declared]>) -> Rc<[Occurrence]> {
        let address = longhands.as_ptr() as usize;
        if let Some(known) = self.literal.get(&address) {
            return known.clone();
        }
        let none: Rc<[NameId]> = Rc::from([]);
        let mut found = Vec::new();
        for (longhand, value) in design_values(longhands, declaration.value) {
            let Some(id) = self.intern(&value) else { continue };
            let (theme, variables, standing) = (value.theme, none.clone(), standing(&value, Standing::Declared));
            found.push(Occurrence { longhand, value: id, theme, variables, standing, is_whole: false });
        }
        let found: Rc<[Occurrence]> = found.into();
        self.literal.insert(address, found.clone());
        found
    }

    fn intern(&mut self, value: &DesignValue) -> Option<ValueId> {
        let key = (value.kind, value.key.as_str().into());
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        if self.entries.len() >= MAX_VALUES {
            self.truncated = true;
            return None;
        }
        let id = ValueId::try_from(self.entries.len()).ok()?;
        self.entries.push(Entry {
            kind: value.kind,
            key: key.1.clone(),
            original: value.original.as_str().into(),
            declared: 0,
            alternative: 0,
            properties: Vec::new(),
            variables: Vec::new(),
            themes: [false; 3],
            blocks: Vec::new(),
        });
        self.known.insert(key, id);
        Some(id)
    }

    /// The values of a declaration with `var()` in it.
    fn pending(
        &mut self,
        declaration: &AuthoredDeclaration<'_>,
        longhands: &Arc<[Declared]>,
        theme: Option<Theme>,
        own: &[(&str, &str)],
    ) -> Rc<[Occurrence]> {
        // A rule for one theme is read in that theme alone: few are, so that they need no memory of their own.
        if theme.is_some() {
            return self.resolve(declaration, theme, own).1.into();
        }
        let address = longhands.as_ptr() as usize;
        if !self.pending.contains_key(&address) {
            let (names, occurrences) = self.resolve(declaration, None, &[]);
            self.pending.insert(address, Pending { names: names.into(), occurrences: occurrences.into() });
        }
        let known = &self.pending[&address];
        let sets_own = known.names.iter().any(|id| own.iter().any(|(name, _)| *name == self.variables.name(*id)));
        if sets_own {
            return self.resolve(declaration, None, own).1.into();
        }
        known.occurrences.clone()
    }

    /// What a declaration comes to by default and in whatever else the sheets provide for, and the names it takes.
    fn resolve(
        &mut self,
        declaration: &AuthoredDeclaration<'_>,
        theme: Option<Theme>,
        own: &[(&str, &str)],
    ) -> (Vec<NameId>, Vec<Occurrence>) {
        let scope = Scope { theme, own, variant: None };
        let plain = self.variables.resolve(declaration.value, scope);
        let names = plain.trace.iter().map(|taken| taken.id).collect();
        let mut default = self.occurrences(declaration, &plain, theme, Standing::Declared);
        let mut others = Vec::new();
        let themes = if theme.is_none() { self.variables.themes(&plain.trace) } else { Vec::new() };
        for theme in themes {
            let themed = self.variables.resolve(declaration.value, Scope { theme: Some(theme), ..scope });
            if themed.text == plain.text {
                continue;
            }
            let found = self.occurrences(declaration, &themed, Some(theme), Standing::OtherTheme);
            for occurrence in default.iter_mut().filter(|occurrence| !occurrence.is_among(&found)) {
                // What is not so in dark is so in light, unless light has a value of its own too.
                occurrence.theme = if occurrence.theme.is_none() { Some(other(theme)) } else { None };
            }
            others.extend(found);
        }
        for rule in self.variables.variants(&plain.trace) {
            let variant = self.variables.resolve(declaration.value, Scope { variant: Some(rule), ..scope });
            if variant.text != plain.text {
                others.extend(self.occurrences(declaration, &variant, None, Standing::Variant(rule)));
            }
        }
        if self.variables.are_page_wide(own) {
            let wide = self.variables.resolve(declaration.value, Scope { own: &[], ..scope });
            if wide.text != plain.text {
                others.extend(self.occurrences(declaration, &wide, None, Standing::PageWide));
            }
        }
        // Of combinations nobody can tell whether they come up.
        others.retain(|other| {
            let counts = other.is_whole || other.standing == Standing::PageWide;
            counts && !other.is_among(&default)
        });
        default.extend(others);
        (names, default)
    }

    /// The values of a declaration whose references are replaced.
    fn occurrences(
        &mut self,
        declaration: &AuthoredDeclaration<'_>,
        resolved: &Resolved,
        theme: Option<Theme>,
        standing: Standing,
    ) -> Vec<Occurrence> {
        let Some(text) = resolved.text.as_deref() else { return Vec::new() };
        let Some(longhands) = expand(declaration.name, text) else { return Vec::new() };
        let found = design_values(&longhands, text);
        let spelled_trace: Vec<(&Taken, String)> =
            resolved.trace.iter().filter_map(|taken| Some((taken, spelled(&taken.text)?))).collect();
        let names: Vec<Rc<[NameId]>> = found.iter().map(|(_, value)| names_of(value, &spelled_trace)).collect();
        // What was computed from variables does not show them any more.
        let is_told = names.iter().any(|names| !names.is_empty());
        let all: Rc<[NameId]> = resolved.trace.iter().map(|taken| taken.id).collect();
        let mut occurrences = Vec::new();
        for ((longhand, mut value), own) in found.into_iter().zip(names) {
            let variables = if is_told { own } else { all.clone() };
            let is_whole = spelled_trace.iter().any(|(taken, text)| taken.is_literal && *text == value.original);
            value.without_invisible_layers();
            let Some(id) = self.intern(&value) else { continue };
            if matches!(standing, Standing::Declared | Standing::OtherTheme) {
                self.note_holders(&spelled_trace, &value, id, theme);
            }
            let theme = value.theme.or(theme);
            let standing = self::standing(&value, standing);
            occurrences.push(Occurrence { longhand, value: id, theme, variables, standing, is_whole });
        }
        occurrences
    }

    /// Notes which custom properties hold a value as a whole.
    fn note_holders(&mut self, trace: &[(&Taken, String)], value: &DesignValue, id: ValueId, theme: Option<Theme>) {
        let slot = match value.theme.or(theme) {
            None => 0,
            Some(Theme::Light) => 1,
            Some(Theme::Dark) => 2,
        };
        for (taken, _) in trace.iter().filter(|(_, text)| *text == value.original) {
            self.held.entry((taken.id, value.kind)).or_default()[slot].get_or_insert(id);
        }
    }

    /// Custom properties of the page as a whole with the design values they hold, by name.
    pub(super) fn holders(&self) -> Vec<Holder> {
        let wide = self.held.iter().filter(|((id, _), _)| self.variables.is_page_wide(*id));
        let mut holders: Vec<Holder> = wide
            .map(|((id, kind), values)| {
                let values = values.map(|value| Some(self.entries[value? as usize].key.to_string()));
                Holder { name: self.variables.name(*id).to_owned(), kind: *kind, values }
            })
            .collect();
        holders.sort_by(|a, b| a.name.cmp(&b.name).then(a.kind.cmp(&b.kind)));
        holders
    }

    /// How the page switches to light and to dark.
    pub(super) fn scopes(&self) -> [Scopes; 2] {
        self.variables.scopes()
    }

    /// Whether a limit cut something short.
    pub(crate) fn is_truncated(&self) -> bool {
        self.truncated || self.variables.is_exhausted()
    }

    /// The groups, ordered by count, then by value. `selector` gives the text of a block's first selector.
    pub(crate) fn groups(&mut self, selector: &dyn Fn(u32) -> Option<String>) -> TokenGroups {
        let mut groups = TokenGroups::default();
        let mut truncated = false;
        for kind in TokenKind::ALL {
            let mut entries: Vec<&Entry> = self.entries.iter().filter(|e| e.kind == *kind && e.count() > 0).collect();
            entries.sort_by(|a, b| b.count().cmp(&a.count()).then_with(|| a.key.cmp(&b.key)));
            let all = entries.len();
            let mut left = MAX_GIVEN_BYTES;
            let mut group = Vec::new();
            for entry in entries.into_iter().take(MAX_GIVEN) {
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

    fn usage(&self, entry: &Entry, selector: &dyn Fn(u32) -> Option<String>) -> TokenUse {
        let mut properties: Vec<String> = entry.properties.iter().map(|property| property.name().to_owned()).collect();
        properties.sort_unstable();
        let mut variables: Vec<(&str, usize)> =
            entry.variables.iter().map(|(id, count)| (self.variables.name(*id), *count)).collect();
        variables.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let mut selectors: Vec<String> = Vec::new();
        for text in entry.blocks.iter().filter_map(|number| selector(*number)) {
            if selectors.len() < MAX_SELECTORS && !selectors.contains(&text) {
                selectors.push(text);
            }
        }
        // What is declared for no theme holds in all of them.
        let themes = [(1, Theme::Light), (2, Theme::Dark)];
        let themes = themes.into_iter().filter(|(at, _)| entry.themes[*at] && !entry.themes[0]);
        TokenUse {
            count: entry.count(),
            properties,
            variables: variables.into_iter().take(MAX_VARIABLES).map(|(name, _)| name.to_owned()).collect(),
            themes: themes.map(|(_, theme)| theme).collect(),
            selectors,
            original: (*entry.original != *entry.key).then(|| entry.original.to_string()),
        }
    }
}

/// About how long a usage is.
fn text_bytes(usage: &TokenUse) -> usize {
    let texts = usage.properties.iter().chain(&usage.variables).chain(&usage.selectors).chain(&usage.original);
    texts.map(String::len).sum()
}

/// The design values of a declaration's longhands.
fn design_values(longhands: &[Declared], text: &str) -> Vec<(Longhand, DesignValue)> {
    let mut all = Vec::new();
    for declared in longhands.iter().filter(|declared| is_read(declared.longhand)) {
        let Value::Components(components) = &declared.value else { continue };
        let found = values(declared.longhand, components);
        if !is_implied(longhands, &found, text) {
            all.extend(found.into_iter().map(|value| (declared.longhand, value)));
        }
    }
    all
}

/// `background: none` says nothing about a colour: `transparent` is only what is left.
fn is_implied(longhands: &[Declared], found: &[DesignValue], text: &str) -> bool {
    let [only] = found else { return false };
    longhands.len() > 1 && only.original == "transparent" && !text.to_ascii_lowercase().contains("transparent")
}

/// The standing of a value, given that of its declaration.
fn standing(value: &DesignValue, declaration: Standing) -> Standing {
    if value.is_part && declaration == Standing::Declared { Standing::Part } else { declaration }
}

/// A custom property's text as values are spelled.
fn spelled(text: &str) -> Option<String> {
    parse_components(text).map(|components| serialize(&components))
}

/// The variables that one value comes from: those whose text holds the value, or is a part of it.
fn names_of(value: &DesignValue, trace: &[(&Taken, String)]) -> Rc<[NameId]> {
    let related = |text: &str| holds(text, &value.original) || holds(&value.original, text);
    trace.iter().filter(|(_, text)| related(text.trim())).map(|(taken, _)| taken.id).collect()
}

/// Whether a text has another in it that is not a piece of a word: `11px` does not hold `1px`.
fn holds(text: &str, part: &str) -> bool {
    let goes_on = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '#' | '-' | '%' | '_');
    !part.is_empty()
        && text.match_indices(part).any(|(at, found)| {
            let (before, after) = (&text[..at], &text[at + found.len()..]);
            !before.ends_with(goes_on) && !after.starts_with(goes_on)
        })
}

fn other(theme: Theme) -> Theme {
    if theme == Theme::Dark { Theme::Light } else { Theme::Dark }
}

/// Whether a property names sides by the direction of text (Logical Properties 1, section 4).
fn is_flow_relative(name: &str) -> bool {
    let is_old =
        name.starts_with("-webkit-") && ["-start", "-end", "-before", "-after"].iter().any(|end| name.ends_with(end));
    is_old || name.contains("-inline") || name.contains("-block")
}
