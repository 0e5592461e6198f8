//! Custom properties: what `var()` stands for, in each theme and for each variant of a component, with the names kept.
//!
//! A value is looked for where the cascade would most likely find it: in the rule itself, on the root in the theme at
//! hand, then in whatever rules define it. Nothing is matched against the page: a token is what the sheets declare.

use super::theme;
use limner_style::{AuthoredDeclaration, Environment, StyleIndex, substitute_with};
use limner_types::Theme;
use std::collections::HashMap;
use std::sync::Arc;

/// Longest chain of references.
const MAX_DEPTH: usize = 48;
/// Bytes that substitution may produce for a whole page.
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// References that may be followed for a whole page.
const MAX_LOOKUPS: usize = 4_000_000;
/// Most rules that are told apart as variants of one declaration.
const MAX_VARIANTS: usize = 24;

/// A custom property's number.
pub(super) type NameId = u32;

/// One declaration of a custom property.
#[derive(Debug, Clone, Copy)]
struct Definition<'i> {
    value: &'i str,
    rule: u32,
    theme: Option<Theme>,
    /// Whether the rule is about a theme as a whole, not about something in it.
    is_scope: bool,
}

/// What is known of one custom property.
#[derive(Debug, Default)]
struct Property<'i> {
    definitions: Vec<Definition<'i>>,
    /// On the root element: whatever the theme, in light, in dark.
    root: [Option<&'i str>; 3],
    registered: Option<&'i str>,
}

/// Custom properties of a page.
pub(crate) struct Variables<'i> {
    names: HashMap<&'i str, NameId>,
    properties: Vec<(&'i str, Property<'i>)>,
    resolved: HashMap<(NameId, Option<Theme>), Resolved>,
    bytes_left: usize,
    lookups_left: usize,
}

/// A value without references, and the names it took.
#[derive(Debug, Clone, Default)]
pub(super) struct Resolved {
    pub(super) text: Option<Arc<str>>,
    /// With each name's own text.
    pub(super) trace: Vec<(NameId, Arc<str>)>,
}

/// From where a declaration is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'s> {
    pub(super) theme: Option<Theme>,
    /// Custom properties that the declaration's own rule sets.
    pub(super) own: &'s [(&'s str, &'s str)],
    /// Another rule whose custom properties are set as well.
    pub(super) variant: Option<u32>,
}

impl<'i> Variables<'i> {
    pub(crate) fn new(index: &'i StyleIndex<'_>) -> Self {
        let mut variables = Self {
            names: HashMap::new(),
            properties: Vec::new(),
            resolved: HashMap::new(),
            bytes_left: MAX_BYTES,
            lookups_left: MAX_LOOKUPS,
        };
        variables.read_rules(index);
        variables.read_root(index);
        for (name, property) in &mut variables.properties {
            property.registered = index.registered_initial_value(name);
        }
        variables
    }

    fn read_rules(&mut self, index: &'i StyleIndex<'_>) {
        for (number, rule) in index.rules().enumerate() {
            let mut customs = rule.declarations().filter(|declaration| is_custom(declaration)).peekable();
            if customs.peek().is_none() || index.condition_facts(rule.condition()).print_only {
                continue;
            }
            let theme = theme::of_rule(index, &rule);
            let is_scope =
                theme.is_some() && rule.selectors().next().is_some_and(|text| !text.contains([' ', '>', '~', '+']));
            let rule = u32::try_from(number).unwrap_or(u32::MAX);
            for declaration in customs {
                let id = self.intern(declaration.name);
                let definition = Definition { value: declaration.value, rule, theme, is_scope };
                self.properties[id as usize].1.definitions.push(definition);
            }
        }
    }

    /// What the root element has in each theme, the strongest declaration last.
    fn read_root(&mut self, index: &'i StyleIndex<'_>) {
        let Some(root) = index.document().document_element() else { return };
        let blocks = index.declarations(root, None);
        let environments = [limner_style::color::Scheme::Light, limner_style::color::Scheme::Dark]
            .map(|scheme| Environment { scheme, ..Environment::default() });
        let mut important: HashMap<(NameId, usize), bool> = HashMap::new();
        for block in blocks.iter().filter(|block| block.matches_in(limner_style::selector::StateSet::NONE)) {
            let holds = |environment| index.condition_holds(block.condition, environment);
            let mut customs = block.declarations().filter(is_custom).peekable();
            if customs.peek().is_none() || !environments.iter().any(holds) {
                continue;
            }
            let scheme = index.condition_facts(block.condition).scheme;
            let scheme = scheme.or_else(|| block.scope_scheme(&theme::scheme_of_mark));
            let slot = slot(scheme.map(theme::theme));
            for declaration in customs {
                let id = self.intern(declaration.name);
                let stronger = important.entry((id, slot)).or_default();
                if declaration.important || !*stronger {
                    self.properties[id as usize].1.root[slot] = Some(declaration.value);
                    *stronger |= declaration.important;
                }
            }
        }
    }

    fn intern(&mut self, name: &'i str) -> NameId {
        let next = NameId::try_from(self.properties.len()).unwrap_or(NameId::MAX);
        *self.names.entry(name).or_insert_with(|| {
            self.properties.push((name, Property::default()));
            next
        })
    }

    /// A custom property's name.
    pub(super) fn name(&self, id: NameId) -> &'i str {
        self.properties[id as usize].0
    }

    /// Whether a limit stopped substitution.
    pub(super) fn is_exhausted(&self) -> bool {
        self.bytes_left == 0 || self.lookups_left == 0
    }

    /// A value with its references replaced.
    pub(super) fn resolve(&mut self, text: &str, scope: Scope<'_>) -> Resolved {
        let mut trace = Vec::new();
        let resolved = self.substitute(text, scope, &mut trace, &mut Vec::new());
        Resolved { text: resolved.map(Arc::from), trace }
    }

    fn substitute(
        &mut self,
        text: &str,
        scope: Scope<'_>,
        trace: &mut Vec<(NameId, Arc<str>)>,
        open: &mut Vec<NameId>,
    ) -> Option<String> {
        let resolved = substitute_with(text, &mut |name| self.lookup(name, scope, trace, open))?;
        self.bytes_left = self.bytes_left.saturating_sub(resolved.len());
        (self.bytes_left > 0).then_some(resolved)
    }

    fn lookup(
        &mut self,
        name: &str,
        scope: Scope<'_>,
        trace: &mut Vec<(NameId, Arc<str>)>,
        open: &mut Vec<NameId>,
    ) -> Option<Arc<str>> {
        self.lookups_left = self.lookups_left.saturating_sub(1);
        let id = *self.names.get(name)?;
        if self.lookups_left == 0 || open.len() >= MAX_DEPTH || open.contains(&id) {
            return None;
        }
        let is_shared = scope.own.is_empty() && scope.variant.is_none();
        if let Some(known) = self.resolved.get(&(id, scope.theme)).filter(|_| is_shared) {
            note(trace, &known.trace);
            return known.text.clone();
        }
        let value = self.definition(id, scope)?;
        let mut inner = Vec::new();
        open.push(id);
        let text: Option<Arc<str>> = self.substitute(value, scope, &mut inner, open).map(Arc::from);
        open.pop();
        if let Some(text) = &text {
            inner.insert(0, (id, text.clone()));
        }
        note(trace, &inner);
        // What was cut short inside a cycle is not what the property is elsewhere.
        if is_shared && open.is_empty() {
            self.resolved.insert((id, scope.theme), Resolved { text: text.clone(), trace: inner });
        }
        text
    }

    /// The value as declared.
    fn definition<'s>(&self, id: NameId, scope: Scope<'s>) -> Option<&'s str>
    where
        'i: 's,
    {
        let (name, property) = &self.properties[id as usize];
        let list = &property.definitions;
        if let Some(variant) = scope.variant
            && let Some(found) = list.iter().rev().find(|definition| definition.rule == variant)
        {
            return Some(found.value);
        }
        if let Some((_, value)) = scope.own.iter().rev().find(|(own, _)| own == name) {
            return Some(value);
        }
        if let Some(theme) = scope.theme {
            let themed = || list.iter().rev().filter(|definition| definition.theme == Some(theme));
            let found = themed().find(|definition| definition.is_scope).or_else(|| themed().next());
            if let Some(value) = property.root[slot(Some(theme))].or(found.map(|found| found.value)) {
                return Some(value);
            }
        }
        let plain = || list.iter().find(|definition| definition.theme.is_none()).or(list.first());
        property.root[0].or_else(|| plain().map(|found| found.value)).or(property.registered)
    }

    /// The themes in which some of these names have values of their own.
    pub(super) fn themes(&self, trace: &[(NameId, Arc<str>)]) -> Vec<Theme> {
        let has = |theme: Theme| {
            trace.iter().any(|(id, _)| {
                let property = &self.properties[*id as usize].1;
                property.root[slot(Some(theme))].is_some()
                    || property.definitions.iter().any(|definition| definition.theme == Some(theme))
            })
        };
        [Theme::Light, Theme::Dark].into_iter().filter(|theme| has(*theme)).collect()
    }

    /// Rules that set some of these names for a variant of a component: `.button-primary { --background: … }`. Names that
    /// the root sets are no such names: what is set there is what holds.
    pub(super) fn variants(&self, trace: &[(NameId, Arc<str>)]) -> Vec<u32> {
        let mut rules: Vec<u32> = Vec::new();
        for (id, _) in trace {
            let property = &self.properties[*id as usize].1;
            if property.root[0].is_some() || property.registered.is_some() || property.definitions.len() < 2 {
                continue;
            }
            let plain = property.definitions.iter().filter(|definition| definition.theme.is_none());
            for rule in plain.map(|definition| definition.rule).take(MAX_VARIANTS) {
                if !rules.contains(&rule) {
                    rules.push(rule);
                }
            }
        }
        rules.sort_unstable();
        rules.truncate(MAX_VARIANTS);
        rules
    }
}

/// Whether a declaration is one of a custom property.
pub(super) fn is_custom(declaration: &AuthoredDeclaration<'_>) -> bool {
    declaration.longhands().is_none()
}

fn slot(theme: Option<Theme>) -> usize {
    match theme {
        None => 0,
        Some(Theme::Light) => 1,
        Some(Theme::Dark) => 2,
    }
}

/// Adds names that are not there yet.
fn note(trace: &mut Vec<(NameId, Arc<str>)>, more: &[(NameId, Arc<str>)]) {
    /// Most names that are kept as evidence.
    const MOST: usize = 64;
    for (id, text) in more {
        if trace.len() < MOST && !trace.iter().any(|(known, _)| known == id) {
            trace.push((*id, text.clone()));
        }
    }
}
