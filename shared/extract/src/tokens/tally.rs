//! The tally: how often each value is declared, for which longhands, through which variables, in which theme, where.

use super::value::{DesignValue, is_read, values};
use super::variables::{NameId, Resolved, Scope, Variables, is_custom};
use limner_style::AuthoredDeclaration;
use limner_style::property::{Declared, Longhand, Value, expand};
use limner_types::result::{TokenGroup, TokenGroups, TokenKind, TokenUse};
use limner_types::{Choice, Theme};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Most selectors given for a value.
const MAX_SELECTORS: usize = 3;
/// Blocks remembered for a value, of which several may have the same selector.
const MAX_BLOCKS: usize = 8;
/// Most variables given for a value.
const MAX_VARIABLES: usize = 16;
/// Most values of a page.
const MAX_VALUES: usize = 60_000;

/// Number of a value.
type ValueId = u32;

/// Values of one longhand of a declaration.
#[derive(Debug)]
struct Part {
    longhand: Longhand,
    values: Vec<(ValueId, Option<Theme>)>,
}

/// What a declaration with `var()` in it comes to in one theme or variant.
#[derive(Debug)]
struct Reading {
    theme: Option<Theme>,
    parts: Vec<(Part, Vec<NameId>)>,
}

/// What is known of one value.
#[derive(Debug)]
struct Entry {
    kind: TokenKind,
    key: Box<str>,
    /// As first written.
    original: Box<str>,
    count: usize,
    properties: Vec<Longhand>,
    variables: Vec<(NameId, usize)>,
    /// Declared for no theme, for light, for dark.
    themes: [bool; 3],
    blocks: Vec<u32>,
}

/// Counts the values of blocks of declarations. Declarations that say the same are worked out once.
pub(crate) struct Tally<'i> {
    variables: Variables<'i>,
    entries: Vec<Entry>,
    known: HashMap<(TokenKind, Box<str>), ValueId>,
    literal: HashMap<usize, Rc<[Part]>>,
    pending: HashMap<usize, Pending>,
    /// The block in which each longhand was last counted.
    counted: Vec<u32>,
    block: u32,
    truncated: bool,
}

/// What a declaration with `var()` in it comes to, where its own rule sets none of the names.
struct Pending {
    names: Rc<[NameId]>,
    readings: Rc<[Reading]>,
}

impl<'i> Tally<'i> {
    pub(crate) fn new(variables: Variables<'i>) -> Self {
        Self {
            variables,
            entries: Vec::new(),
            known: HashMap::new(),
            literal: HashMap::new(),
            pending: HashMap::new(),
            counted: vec![0; Longhand::ALL.len()],
            block: 0,
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
        let mut won: Vec<Longhand> = Vec::new();
        for declared in longhands.iter().rev() {
            let last = &mut self.counted[declared.longhand as usize];
            if std::mem::replace(last, self.block) != self.block && is_read(declared.longhand) {
                won.push(declared.longhand);
            }
        }
        if won.is_empty() {
            return;
        }
        if !is_pending {
            let parts = self.literal(declaration, longhands);
            for part in parts.iter().filter(|part| won.contains(&part.longhand)) {
                self.count(part, &[], theme, number);
            }
            return;
        }
        let readings = self.readings(declaration, longhands, theme, own);
        for reading in readings.iter() {
            for (part, variables) in reading.parts.iter().filter(|(part, _)| won.contains(&part.longhand)) {
                self.count(part, variables, theme.or(reading.theme), number);
            }
        }
    }

    fn count(&mut self, part: &Part, variables: &[NameId], theme: Option<Theme>, number: u32) {
        for (value, own_theme) in &part.values {
            let entry = &mut self.entries[*value as usize];
            entry.count += 1;
            if !entry.properties.contains(&part.longhand) {
                entry.properties.push(part.longhand);
            }
            if entry.blocks.len() < MAX_BLOCKS && entry.blocks.last() != Some(&number) {
                entry.blocks.push(number);
            }
            match own_theme.or(theme) {
                None => entry.themes[0] = true,
                Some(Theme::Light) => entry.themes[1] = true,
                Some(Theme::Dark) => entry.themes[2] = true,
            }
            for name in variables {
                match entry.variables.iter_mut().find(|(known, _)| known == name) {
                    Some((_, count)) => *count += 1,
                    None => entry.variables.push((*name, 1)),
                }
            }
        }
    }

    /// The values of a declaration without `var()`.
    fn literal(&mut self, declaration: &AuthoredDeclaration<'_>, longhands: &Arc<[Declared]>) -> Rc<[Part]> {
        let address = longhands.as_ptr() as usize;
        if let Some(known) = self.literal.get(&address) {
            return known.clone();
        }
        let parts: Rc<[Part]> = self.parts(longhands, declaration.value).into();
        self.literal.insert(address, parts.clone());
        parts
    }

    fn parts(&mut self, longhands: &[Declared], text: &str) -> Vec<Part> {
        let mut parts = Vec::new();
        for declared in longhands {
            let Value::Components(components) = &declared.value else { continue };
            let found = values(declared.longhand, components);
            if found.is_empty() || is_implied(longhands, &found, text) {
                continue;
            }
            let ids = found.into_iter().filter_map(|value| Some((self.intern(&value)?, value.theme)));
            let ids = ids.collect();
            parts.push(Part { longhand: declared.longhand, values: ids });
        }
        parts
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
            count: 0,
            properties: Vec::new(),
            variables: Vec::new(),
            themes: [false; 3],
            blocks: Vec::new(),
        });
        self.known.insert(key, id);
        Some(id)
    }

    /// What a declaration with `var()` in it comes to, in each theme and variant.
    fn readings(
        &mut self,
        declaration: &AuthoredDeclaration<'_>,
        longhands: &Arc<[Declared]>,
        theme: Option<Theme>,
        own: &[(&str, &str)],
    ) -> Rc<[Reading]> {
        // A rule for one theme is read in that theme alone: few are, so that they need no memory of their own.
        if theme.is_some() {
            return self.resolve(declaration, theme, own).1.into();
        }
        let address = longhands.as_ptr() as usize;
        if !self.pending.contains_key(&address) {
            let (names, readings) = self.resolve(declaration, None, &[]);
            self.pending.insert(address, Pending { names: names.into(), readings: readings.into() });
        }
        let known = &self.pending[&address];
        let sets_own = known.names.iter().any(|id| own.iter().any(|(name, _)| *name == self.variables.name(*id)));
        if sets_own {
            return self.resolve(declaration, None, own).1.into();
        }
        known.readings.clone()
    }

    fn resolve(
        &mut self,
        declaration: &AuthoredDeclaration<'_>,
        theme: Option<Theme>,
        own: &[(&str, &str)],
    ) -> (Vec<NameId>, Vec<Reading>) {
        let base = Scope { theme, own, variant: None };
        let plain = self.variables.resolve(declaration.value, base);
        let names = plain.trace.iter().map(|(id, _)| *id).collect();
        let mut readings = Vec::new();
        readings.extend(self.reading(declaration, &plain, None));
        if theme.is_none() {
            for theme in self.variables.themes(&plain.trace) {
                let themed = self.variables.resolve(declaration.value, Scope { theme: Some(theme), ..base });
                if themed.text != plain.text {
                    readings.extend(self.reading(declaration, &themed, Some(theme)));
                }
            }
            label_default(&mut readings);
        }
        let mut seen = vec![plain.text.clone()];
        for rule in self.variables.variants(&plain.trace) {
            let variant = self.variables.resolve(declaration.value, Scope { variant: Some(rule), ..base });
            if !seen.contains(&variant.text) {
                readings.extend(self.reading(declaration, &variant, None));
                seen.push(variant.text);
            }
        }
        (names, readings)
    }

    fn reading(
        &mut self,
        declaration: &AuthoredDeclaration<'_>,
        resolved: &Resolved,
        theme: Option<Theme>,
    ) -> Option<Reading> {
        let text = resolved.text.as_deref()?;
        let longhands = expand(declaration.name, text)?;
        let parts = self.parts(&longhands, text);
        let kinds: Vec<TokenKind> =
            parts.iter().flat_map(|part| &part.values).map(|(id, _)| self.entries[*id as usize].kind).collect();
        let is_one_kind = kinds.windows(2).all(|pair| pair[0] == pair[1]);
        let parts = parts
            .into_iter()
            .map(|part| {
                let names = if is_one_kind {
                    resolved.trace.iter().map(|(id, _)| *id).collect()
                } else {
                    self.names_of(&part, resolved)
                };
                (part, names)
            })
            .collect();
        Some(Reading { theme, parts })
    }

    /// The variables that a part of a shorthand comes from: those whose text holds the value, or is a part of it.
    fn names_of(&self, part: &Part, resolved: &Resolved) -> Vec<NameId> {
        let originals: Vec<&str> = part.values.iter().map(|(id, _)| &*self.entries[*id as usize].original).collect();
        let related = |text: &str| originals.iter().any(|original| text.contains(original) || original.contains(text));
        let names = resolved.trace.iter().filter(|(_, text)| !text.trim().is_empty() && related(text.trim()));
        names.map(|(id, _)| *id).collect()
    }

    /// Whether a limit cut something short.
    pub(crate) fn is_truncated(&self) -> bool {
        self.truncated || self.variables.is_exhausted()
    }

    /// The groups, ordered by count, then by value. `selector` gives the text of a block's first selector.
    pub(crate) fn groups(&self, selector: &dyn Fn(u32) -> Option<String>) -> TokenGroups {
        let mut groups = TokenGroups::default();
        for kind in TokenKind::ALL {
            let mut entries: Vec<&Entry> = self.entries.iter().filter(|e| e.kind == *kind && e.count > 0).collect();
            entries.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.key.cmp(&b.key)));
            let group = entries.into_iter().map(|entry| (entry.key.to_string(), self.usage(entry, selector)));
            *groups.group_mut(*kind) = TokenGroup(group.collect());
        }
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
            count: entry.count,
            properties,
            variables: variables.into_iter().take(MAX_VARIABLES).map(|(name, _)| name.to_owned()).collect(),
            themes: themes.map(|(_, theme)| theme).collect(),
            selectors,
            original: (*entry.original != *entry.key).then(|| entry.original.to_string()),
        }
    }
}

/// The reading without a theme is that of the other theme, when only one has a reading of its own.
fn label_default(readings: &mut [Reading]) {
    let [plain, themed @ ..] = readings else { return };
    if let [only] = themed {
        plain.theme = match only.theme {
            Some(Theme::Dark) => Some(Theme::Light),
            Some(Theme::Light) => Some(Theme::Dark),
            None => None,
        };
    }
}

/// `background: none` says nothing about a colour: `transparent` is only what is left.
fn is_implied(longhands: &[Declared], found: &[DesignValue], text: &str) -> bool {
    let [only] = found else { return false };
    longhands.len() > 1 && only.original == "transparent" && !text.to_ascii_lowercase().contains("transparent")
}
