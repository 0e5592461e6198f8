//! Custom properties: resolves `var()` in each theme and for each variant of a component, and traces the names.
//!
//! On an element a value is looked up where the cascade finds it. A declaration whose rule matches no element is looked
//! up in the rule itself, on the root in the given theme, then in any rule that defines it: a token is a declaration in
//! a stylesheet, used or not.

mod definition_lookup;
mod element_definitions;
mod on_element;

pub(crate) use element_definitions::{
    ContextId, DeclarationContexts, DependentDeclarations, PAGE_ENVIRONMENTS, ThemedContext, page_environment,
};
pub(crate) use on_element::ElementScope;

use element_definitions::ElementContexts;

use super::theme_detection;
use super::theme_detection::{MAX_SCOPES, is_compound, is_theme_scope};
use foldhash::{HashMap, HashMapExt};
use limner_page::NodeId;
use limner_style::color::Scheme;
use limner_style::property::CssWide;
use limner_style::selector::{ScopeSelector, StateSet};
use limner_style::value::{parse_components, serialize_authored};
use limner_style::{AuthoredDeclaration, Environment, StyleIndex, StyleRuleRef, ValueTemplate};
use limner_types::Theme;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// Maximum length of a chain of references.
const MAX_DEPTH: usize = 48;
/// Maximum number of bytes that substitution may produce for a whole page.
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// Maximum number of references that are followed for a whole page.
const MAX_LOOKUPS: usize = 4_000_000;
/// Maximum number of cached results of each kind: pages must not exhaust the memory.
pub(super) const MAX_CACHED: usize = 10_000;
/// Maximum size of texts with cached templates in bytes: a template takes up to 40 times as many.
const MAX_TEMPLATE_BYTES: usize = 512 * 1024;
/// Maximum number of names that are traced for one value.
const MAX_TRACE: usize = 64;
/// Maximum number of rules that count as variants of one declaration.
const MAX_VARIANTS: usize = 24;

/// Index of a custom property.
pub(super) type NameId = u32;

/// One declaration of a custom property.
#[derive(Debug, Clone, Copy)]
struct Definition<'i> {
    value: &'i str,
    rule: u32,
    theme: Option<Theme>,
    /// True if the rule's selector is the theme scope itself, not an element in it.
    is_scope: bool,
}

/// The values of one custom property.
#[derive(Debug, Default)]
struct CustomProperty<'i> {
    /// In the order of their rules.
    definitions: Vec<Definition<'i>>,
    /// True if any definition is for light, for dark.
    is_themed: [bool; 2],
    /// On the root element: by default, in light, in dark.
    root: [Option<&'i str>; 3],
    /// Likewise on `body`, where site builders declare the custom properties of a whole page.
    body: [Option<&'i str>; 3],
    registered: Option<&'i str>,
    /// True if a registration keeps it from inheriting.
    is_uninherited: bool,
}

impl<'i> CustomProperty<'i> {
    /// Returns the value that a rule sets.
    fn value_in_rule(&self, rule: u32) -> Option<&'i str> {
        let end = self.definitions.partition_point(|definition| definition.rule <= rule);
        let last = self.definitions[..end].last()?;
        (last.rule == rule).then_some(last.value)
    }

    /// Returns true if the root element or `body` sets a value.
    fn is_of_root(&self) -> bool {
        self.page_values().next().is_some()
    }

    /// Returns the value of the page as a whole, by default or declared in a theme: that of `body`, which its elements
    /// inherit, or the root's.
    fn page_value(&self, theme: Option<Theme>) -> Option<&'i str> {
        let slot = theme_slot(theme);
        let inherits = |value: &&str| matches!(wide_keyword(value), Some(keyword) if keyword != CssWide::Initial);
        self.body[slot].filter(|value| !inherits(value)).or(self.root[slot])
    }

    /// Returns all values of the root and of `body`.
    fn page_values(&self) -> impl Iterator<Item = &'i str> {
        self.root.iter().chain(&self.body).flatten().copied()
    }
}

/// The strongest declarations of a property on the root element, or on `body`.
#[derive(Debug, Default)]
struct RootValues<'i> {
    /// The default, with the theme it is for.
    default: Option<StrongestDeclaration<'i, Option<Theme>>>,
    /// For no theme, for light, for dark.
    declared: [Option<StrongestDeclaration<'i, ()>>; 3],
}

#[derive(Debug)]
struct StrongestDeclaration<'i, T> {
    value: &'i str,
    important: bool,
    of: T,
}

impl<'i> RootValues<'i> {
    /// Records the declaration of the next stronger block.
    fn set(&mut self, declaration: &AuthoredDeclaration<'i>, theme: Option<Theme>, by_default: bool) {
        let AuthoredDeclaration { value, important, .. } = *declaration;
        if by_default && (important || !self.default.as_ref().is_some_and(|known| known.important)) {
            self.default = Some(StrongestDeclaration { value, important, of: theme });
        }
        let slot = &mut self.declared[theme_slot(theme)];
        if important || !slot.as_ref().is_some_and(|known| known.important) {
            *slot = Some(StrongestDeclaration { value, important, of: () });
        }
    }

    fn by_theme(self) -> [Option<&'i str>; 3] {
        let [plain, mut light, dark] = self.declared.map(|found| found.map(|strongest| strongest.value));
        // On a page that is dark by default, declarations for no theme are those of light.
        if light.is_none() && self.default.as_ref().is_some_and(|found| found.of == Some(Theme::Dark)) {
            light = plain;
        }
        [self.default.map(|found| found.value).or(plain), light, dark]
    }
}

/// The ways in which a page switches to a theme.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ThemeSwitches {
    /// `@media (prefers-color-scheme: …)`
    pub(crate) by_media: bool,
    /// Theme selectors of the elements that have the theme: `.dark`, `[data-theme=dark]`.
    pub selectors: Vec<String>,
}

/// Custom properties of a page.
pub struct CustomProperties<'i> {
    /// Of light and of dark.
    scopes: [ThemeSwitches; 2],
    names: HashMap<&'i str, NameId>,
    properties: Vec<(&'i str, CustomProperty<'i>)>,
    /// The definitions that apply to elements.
    contexts: ElementContexts<'i>,
    /// The themes of rules that define custom properties for one theme.
    rule_themes: HashMap<u32, Theme>,
    /// Results for rules that set no custom properties.
    resolved: HashMap<ScopeKey, Substituted>,
    /// Results for the current rule, if it sets custom properties.
    resolved_within: HashMap<ScopeKey, Substituted>,
    /// Number of references that were not followed because they are cyclic or too deep.
    truncated: usize,
    /// Number of lookups of names without a value.
    unresolved: usize,
    /// Canonical spellings of texts.
    spellings: HashMap<Arc<str>, Option<Arc<str>>>,
    /// Templates of custom property values, by the address of their text.
    templates: HashMap<Range<*const u8>, Rc<ValueTemplate<'i>>>,
    template_bytes_left: usize,
    bytes_left: usize,
    lookups_left: usize,
}

/// A name, theme, variant and context.
type ScopeKey = (NameId, Option<Theme>, Option<u32>, Option<ContextId>);

/// A value without references, and the names it was resolved from.
#[derive(Debug, Clone, Default)]
pub(super) struct Substituted {
    pub text: Option<Arc<str>>,
    pub(super) trace: Vec<SubstitutionStep>,
    /// True if names without a value were looked up, or the trace is full.
    has_gaps: bool,
}

/// A custom property that a value was resolved from.
#[derive(Debug, Clone)]
pub(super) struct SubstitutionStep {
    pub id: NameId,
    /// Its resolved text.
    text: Arc<str>,
    /// The text in canonical spelling, if it parses.
    pub(super) spelled: Option<Arc<str>>,
    /// True if it is declared without references.
    pub(super) is_literal: bool,
    pub(super) origin: DefinitionOrigin,
}

impl SubstitutionStep {
    /// Returns true if the value is white space.
    pub(super) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// The place where a custom property's value was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DefinitionOrigin {
    /// The page as a whole: the root, or the only definition there is.
    Page,
    /// The element, or the rule that refers to it.
    Own,
    /// One of several rules, and it is unknown which of them applies.
    AnyRule,
}

/// The scope in which references of a declaration are looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct LookupScope<'s, 'i> {
    pub theme: Option<Theme>,
    /// Custom properties that the declaration's rule sets.
    pub(super) rule_variables: &'s [(&'i str, &'i str)],
    /// Another rule whose custom properties apply as well.
    pub variant: Option<u32>,
    /// The definitions that apply to the element.
    pub context: Option<ContextId>,
}

impl<'i> CustomProperties<'i> {
    /// Collects the custom properties of a page.
    pub fn new(index: &'i StyleIndex<'_>) -> Self {
        let mut variables = Self {
            scopes: Default::default(),
            names: HashMap::new(),
            properties: Vec::new(),
            contexts: ElementContexts::default(),
            rule_themes: HashMap::new(),
            resolved: HashMap::new(),
            resolved_within: HashMap::new(),
            truncated: 0,
            unresolved: 0,
            spellings: HashMap::new(),
            templates: HashMap::new(),
            template_bytes_left: MAX_TEMPLATE_BYTES,
            bytes_left: MAX_BYTES,
            lookups_left: MAX_LOOKUPS,
        };
        variables.read_rules(index);
        let document = index.document();
        for (id, values) in document.document_element().map(|root| variables.values_on(index, root)).unwrap_or_default()
        {
            variables.properties[id as usize].1.root = values.by_theme();
        }
        for (id, values) in document.body().map(|body| variables.values_on(index, body)).unwrap_or_default() {
            variables.properties[id as usize].1.body = values.by_theme();
        }
        for rule in index.at_rules().iter().filter(|rule| &*rule.name == "property") {
            variables.intern(rule.prelude.trim());
        }
        for (name, property) in &mut variables.properties {
            property.registered = index.registered_initial_value(name);
            property.is_uninherited = !index.custom_property_inherits(name);
        }
        variables
    }

    fn read_rules(&mut self, index: &'i StyleIndex<'_>) {
        for (number, rule) in index.rules().enumerate() {
            let mut customs = rule.declarations().filter(|declaration| is_custom(declaration)).peekable();
            if customs.peek().is_none() {
                continue;
            }
            let facts = index.condition_facts(rule.condition());
            if facts.print_only || facts.is_never {
                continue;
            }
            let theme = theme_detection::rule_theme(index, &rule);
            let is_scope = self.read_scope(index, &rule, theme);
            let rule = u32::try_from(number).unwrap_or(u32::MAX);
            self.rule_themes.extend(theme.map(|theme| (rule, theme)));
            for declaration in customs {
                let id = self.intern(declaration.name);
                let property = &mut self.properties[id as usize].1;
                property.definitions.push(Definition { value: declaration.value, rule, theme, is_scope });
                if let Some(theme) = theme {
                    property.is_themed[theme_slot(Some(theme)) - 1] = true;
                }
            }
        }
    }

    /// Records the scope of a rule for a theme; returns true if its selector is the theme scope itself.
    fn read_scope(&mut self, index: &StyleIndex<'_>, rule: &StyleRuleRef<'_>, theme: Option<Theme>) -> bool {
        let Some(theme) = theme else { return false };
        let scopes = &mut self.scopes[theme_slot(Some(theme)) - 1];
        if index.condition_facts(rule.condition()).scheme.is_some() {
            scopes.by_media = true;
            return false;
        }
        let is_scope = is_theme_scope(rule);
        for selector in rule.selectors().take(MAX_SCOPES) {
            let is_new = scopes.selectors.len() < MAX_SCOPES && !scopes.selectors.contains(&selector);
            if is_new && selector.len() <= 200 && is_compound(&selector) {
                scopes.selectors.push(selector);
            }
        }
        is_scope
    }

    /// Returns the values that an element sets, by default and in each theme.
    fn values_on(&mut self, index: &'i StyleIndex<'_>, element: NodeId) -> HashMap<NameId, RootValues<'i>> {
        let [light, dark] =
            [Scheme::Light, Scheme::Dark].map(|scheme| Environment { scheme, ..Environment::default() });
        let mut found: HashMap<NameId, RootValues<'i>> = HashMap::new();
        let blocks = index.declarations(element, None);
        for block in blocks.iter().filter(|block| block.matches_under_states(StateSet::NONE)) {
            let mut customs = block.declarations().filter(is_custom).peekable();
            let by_default = customs.peek().is_some() && index.condition_holds(block.condition, &light);
            if !by_default && (customs.peek().is_none() || !index.condition_holds(block.condition, &dark)) {
                continue;
            }
            let scheme = index.condition_facts(block.condition).scheme;
            let of_mark = |mark: ScopeSelector<'_>| theme_detection::scheme_of_scope(mark, || block.declarations());
            let theme = scheme.or_else(|| block.scope_scheme(&of_mark)).map(theme_detection::theme);
            for declaration in customs {
                let id = self.intern(declaration.name);
                found.entry(id).or_default().set(&declaration, theme, by_default);
            }
        }
        found
    }

    fn intern(&mut self, name: &'i str) -> NameId {
        let next = NameId::try_from(self.properties.len()).unwrap_or(NameId::MAX);
        *self.names.entry(name).or_insert_with(|| {
            self.properties.push((name, CustomProperty::default()));
            next
        })
    }

    /// Returns the ways in which the page switches to light and to dark.
    pub(super) fn scopes(&self) -> [ThemeSwitches; 2] {
        self.scopes.clone()
    }

    /// Returns the custom properties that the root element or `body` sets, in order of their first definition.
    pub(super) fn of_root(&self) -> Vec<NameId> {
        (0..).take(self.properties.len()).filter(|id| self.is_of_root(*id)).collect()
    }

    /// Returns true if the root element or `body` sets a custom property.
    pub(super) fn is_of_root(&self, id: NameId) -> bool {
        self.properties[id as usize].1.is_of_root()
    }

    /// Returns true if a custom property's value on the root refers to others.
    pub(super) fn is_reference(&self, id: NameId) -> bool {
        self.properties[id as usize].1.page_value(None).is_some_and(|value| value.contains("var("))
    }

    /// Returns true if a custom property has one value for the whole page.
    pub(super) fn has_single_page_value(&self, id: NameId) -> bool {
        let property = &self.properties[id as usize].1;
        let [first, rest @ ..] = property.definitions.as_slice() else { return false };
        property.is_of_root() || rest.iter().all(|definition| definition.value == first.value)
    }

    /// Returns a custom property's name.
    pub fn name(&self, id: NameId) -> &'i str {
        self.properties[id as usize].0
    }

    /// Returns true if a limit stopped substitution.
    pub(super) fn is_exhausted(&self) -> bool {
        self.bytes_left == 0 || self.lookups_left == 0
    }

    /// Begins the next rule, for which [`Scope::own`] differs.
    pub(super) fn begin_rule(&mut self) {
        self.resolved_within.clear();
    }

    /// Returns a value with its references replaced.
    pub(crate) fn resolve(&mut self, value: &ValueTemplate<'_>, scope: LookupScope<'_, 'i>) -> Substituted {
        let (mut trace, gaps) = (Vec::new(), self.unresolved);
        let text = self.substitute(value, scope, &mut trace, &mut Vec::new());
        let has_gaps = gaps != self.unresolved || trace.len() >= MAX_TRACE;
        Substituted { text, trace, has_gaps }
    }

    fn substitute(
        &mut self,
        value: &ValueTemplate<'_>,
        scope: LookupScope<'_, 'i>,
        trace: &mut Vec<SubstitutionStep>,
        open: &mut Vec<NameId>,
    ) -> Option<Arc<str>> {
        let resolved = value.fill(&mut |name| {
            let found = self.lookup(name, scope, trace, open);
            self.unresolved += usize::from(found.is_none());
            found
        })?;
        self.bytes_left = self.bytes_left.saturating_sub(resolved.len());
        (self.bytes_left > 0).then_some(resolved)
    }
}

/// Returns true if a declaration sets a custom property.
pub(crate) fn is_custom(declaration: &AuthoredDeclaration<'_>) -> bool {
    declaration.longhands().is_none()
}

/// Returns the CSS-wide keyword that a custom property's whole value is.
fn wide_keyword(value: &str) -> Option<CssWide> {
    let value = value.trim();
    if value.len() <= "revert-layer".len() { CssWide::from_keyword(value) } else { None }
}

fn scheme(theme: Theme) -> Scheme {
    if theme == Theme::Dark { Scheme::Dark } else { Scheme::Light }
}

fn theme_slot(theme: Option<Theme>) -> usize {
    match theme {
        None => 0,
        Some(Theme::Light) => 1,
        Some(Theme::Dark) => 2,
    }
}

/// Adds names that are not in the trace yet.
fn extend_trace(trace: &mut Vec<SubstitutionStep>, more: &[SubstitutionStep]) {
    for taken in more {
        if trace.len() < MAX_TRACE && !trace.iter().any(|known| known.id == taken.id) {
            trace.push(taken.clone());
        }
    }
}
