//! Looks up the definitions that references stand for.

use super::element_definitions::ROOT;
use super::*;

impl<'i> CustomProperties<'i> {
    pub(super) fn lookup(
        &mut self,
        name: &str,
        scope: LookupScope<'_, 'i>,
        trace: &mut Vec<SubstitutionStep>,
        open: &mut Vec<NameId>,
    ) -> Option<Arc<str>> {
        self.lookups_left = self.lookups_left.saturating_sub(1);
        let id = *self.names.get(name)?;
        if self.lookups_left == 0 || open.len() >= MAX_DEPTH || open.contains(&id) {
            self.truncated += 1;
            return None;
        }
        let key = (id, scope.theme, scope.variant, scope.context);
        if let Some(known) = self.cache_of(scope).get(&key) {
            extend_trace(trace, &known.trace);
            let (text, has_gaps) = (known.text.clone(), known.has_gaps);
            self.unresolved += usize::from(has_gaps);
            return text;
        }
        let (cuts, gaps) = (self.truncated, self.unresolved);
        let FoundDefinition { value, scope: inner_scope, origin } = self.definition(id, scope)?;
        let mut inner = Vec::new();
        open.push(id);
        let template = self.template(value);
        let text = self.substitute(&template, inner_scope, &mut inner, open);
        open.pop();
        if let Some(text) = &text {
            let is_literal = inner.is_empty() && **text == *value;
            let spelled = self.canonical_text(text);
            inner.insert(0, SubstitutionStep { id, text: text.clone(), spelled, is_literal, origin });
        }
        extend_trace(trace, &inner);
        // A result that was cut short inside a cycle does not hold elsewhere.
        if cuts == self.truncated && self.cache_of(scope).len() < MAX_CACHED {
            let has_gaps = gaps != self.unresolved || inner.len() >= MAX_TRACE;
            self.cache_of(scope).insert(key, Substituted { text: text.clone(), trace: inner, has_gaps });
        }
        text
    }

    /// Returns the parsed value of a custom property, which is looked up in many scopes.
    pub(super) fn template(&mut self, value: &'i str) -> Rc<ValueTemplate<'i>> {
        let place = value.as_bytes().as_ptr_range();
        if let Some(known) = self.templates.get(&place) {
            return known.clone();
        }
        let template = Rc::new(ValueTemplate::new(value));
        if let Some(left) =
            self.template_bytes_left.checked_sub(value.len()).filter(|_| self.templates.len() < MAX_CACHED)
        {
            self.template_bytes_left = left;
            self.templates.insert(place, template.clone());
        }
        template
    }

    /// Returns the cache for a scope.
    fn cache_of(&mut self, scope: LookupScope<'_, 'i>) -> &mut HashMap<ScopeKey, Substituted> {
        if scope.rule_variables.is_empty() { &mut self.resolved } else { &mut self.resolved_within }
    }

    /// Returns a custom property's text in canonical spelling.
    pub(super) fn canonical_text(&mut self, text: &Arc<str>) -> Option<Arc<str>> {
        if let Some(known) = self.spellings.get(text) {
            return known.clone();
        }
        let spelled: Option<Arc<str>> = parse_components(text).map(|components| serialize_authored(&components).into());
        if self.spellings.len() < MAX_CACHED {
            self.spellings.insert(text.clone(), spelled.clone());
        }
        spelled
    }

    /// Returns the definition that a reference stands for; `None` if there is none, or if it makes the custom property
    /// invalid.
    fn definition<'s>(&self, id: NameId, scope: LookupScope<'s, 'i>) -> Option<FoundDefinition<'s, 'i>> {
        let (name, property) = &self.properties[id as usize];
        let variant = scope.variant.and_then(|variant| property.value_in_rule(variant));
        let own = || scope.rule_variables.iter().rev().find(|(own, _)| own == name).map(|(_, value)| *value);
        if let Some(value) = variant.or_else(own) {
            match wide_keyword(value) {
                None => return Some(FoundDefinition { value, scope, origin: DefinitionOrigin::Own }),
                Some(CssWide::Initial) => return self.registered(id, scope),
                // The value is that of an outer element.
                Some(_) => {}
            }
        }
        if let Some(context) = scope.context {
            return self.definition_on_element(id, context, scope);
        }
        let of_page = property.page_value(None).and_then(wide_keyword);
        let is_initial = || property.is_uninherited || of_page == Some(CssWide::Initial);
        self.definition_on_root(id, scope).or_else(|| match is_initial() {
            true => self.registered(id, scope),
            false => self.definition_anywhere(id, scope),
        })
    }

    /// Returns the definition that applies to an element.
    fn definition_on_element<'s>(
        &self,
        id: NameId,
        context: ContextId,
        scope: LookupScope<'s, 'i>,
    ) -> Option<FoundDefinition<'s, 'i>> {
        let property = &self.properties[id as usize].1;
        let Some(own) = self.contexts.find(context, id) else {
            if property.is_uninherited && context != ROOT {
                return self.registered(id, scope);
            }
            return self.definition_on_root(id, scope).or_else(|| self.registered(id, scope));
        };
        // Definitions for the page or for the other theme do not apply in a theme that has a definition.
        let is_replaced = scope.theme.is_some_and(|theme| own.theme.is_some_and(|of| of != theme) || own.is_of_body);
        if is_replaced && let Some(themed) = self.definition_in_theme(id, scope) {
            return Some(themed);
        }
        let context = Some(own.declared_in.unwrap_or(context));
        let scope = LookupScope { rule_variables: &[], variant: None, context, ..scope };
        Some(FoundDefinition { value: own.value?, scope, origin: DefinitionOrigin::Own })
    }

    /// Returns the definition on the root, in the scope's theme or by default. Away from elements `body` counts as the
    /// root; on an element, what `body` sets is in the context.
    fn definition_on_root<'s>(&self, id: NameId, scope: LookupScope<'s, 'i>) -> Option<FoundDefinition<'s, 'i>> {
        let property = &self.properties[id as usize].1;
        self.definition_in_theme(id, scope).or_else(|| {
            let value = if scope.context.is_some() { property.root[0] } else { property.page_value(None) };
            let value = value.filter(|value| wide_keyword(value).is_none())?;
            let scope = LookupScope { rule_variables: &[], variant: None, ..scope }.of_root();
            Some(FoundDefinition { value, scope, origin: DefinitionOrigin::Page })
        })
    }

    fn definition_in_theme<'s>(&self, id: NameId, scope: LookupScope<'s, 'i>) -> Option<FoundDefinition<'s, 'i>> {
        let theme = scope.theme?;
        let property = &self.properties[id as usize].1;
        let on_root = LookupScope { rule_variables: &[], variant: None, ..scope }.of_root();
        if let Some(value) = property.page_value(Some(theme)).filter(|value| wide_keyword(value).is_none()) {
            return Some(FoundDefinition { value, scope: on_root, origin: DefinitionOrigin::Page });
        }
        let themed = || property.definitions.iter().rev().filter(|own| own.theme == Some(theme) && own.is_value());
        let found = themed().find(|definition| definition.is_scope).or_else(|| themed().next())?;
        let origin = if found.is_scope { DefinitionOrigin::Page } else { DefinitionOrigin::AnyRule };
        let scope = LookupScope { variant: Some(found.rule), ..on_root };
        Some(FoundDefinition { value: found.value, scope, origin })
    }

    /// Returns the first definition of any rule.
    fn definition_anywhere<'s>(&self, id: NameId, scope: LookupScope<'s, 'i>) -> Option<FoundDefinition<'s, 'i>> {
        let list = &self.properties[id as usize].1.definitions;
        let values = || list.iter().filter(|own| own.is_value());
        let found = values().find(|definition| definition.theme.is_none()).or_else(|| values().next());
        let Some(found) = found else { return self.registered(id, scope) };
        let is_only = values().all(|other| other.value == found.value);
        let origin = if is_only { DefinitionOrigin::Page } else { DefinitionOrigin::AnyRule };
        let scope = LookupScope { rule_variables: &[], variant: Some(found.rule), ..scope };
        Some(FoundDefinition { value: found.value, scope, origin })
    }

    fn registered<'s>(&self, id: NameId, scope: LookupScope<'s, 'i>) -> Option<FoundDefinition<'s, 'i>> {
        let value = self.properties[id as usize].1.registered?;
        let scope = LookupScope { rule_variables: &[], variant: None, ..scope };
        Some(FoundDefinition { value, scope, origin: DefinitionOrigin::Page })
    }

    /// Returns the themes in which some of these names have different values.
    pub(crate) fn themes(&self, trace: &[SubstitutionStep]) -> Vec<Theme> {
        let has = |theme: Theme| {
            trace.iter().any(|taken| {
                let property = &self.properties[taken.id as usize].1;
                property.page_value(Some(theme)).is_some() || property.is_themed[theme_slot(Some(theme)) - 1]
            })
        };
        [Theme::Light, Theme::Dark].into_iter().filter(|theme| has(*theme)).collect()
    }

    /// Returns true if the page as a whole has a value for any custom property that a rule sets.
    pub(crate) fn have_page_values(&self, own: &[(&str, &str)]) -> bool {
        own.iter().filter_map(|(name, _)| self.names.get(name)).any(|id| {
            let property = &self.properties[*id as usize].1;
            property.page_value(None).is_some() || property.registered.is_some()
        })
    }

    /// Returns true if a value is the same for a variant: the variant sets the same texts.
    pub(crate) fn equals_default_for(&self, variant: u32, plain: &Substituted) -> bool {
        let is_same = |taken: &SubstitutionStep| {
            let value = self.properties[taken.id as usize].1.value_in_rule(variant);
            value.is_none_or(|value| taken.is_literal && *value == *taken.text)
        };
        !plain.has_gaps && plain.trace.iter().all(is_same)
    }

    /// Returns rules that set some of these names for a variant of a component: `.button-primary { --background: … }`,
    /// with their themes. Names that the root or `body` sets are left out, since those values apply.
    pub(crate) fn variants(&self, trace: &[SubstitutionStep]) -> Vec<(u32, Option<Theme>)> {
        let mut rules: Vec<(u32, Option<Theme>)> = Vec::new();
        for taken in trace {
            let property = &self.properties[taken.id as usize].1;
            if property.page_value(None).is_some() || property.registered.is_some() || property.definitions.len() < 2 {
                continue;
            }
            let inner = property.definitions.iter().filter(|own| own.theme.is_none() || !own.is_scope);
            for rule in inner.map(|own| (own.rule, own.theme)).take(MAX_VARIANTS) {
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

/// A definition, the scope in which its references are looked up (a custom property is computed where it is declared,
/// not where it is used), and its origin.
struct FoundDefinition<'s, 'i> {
    value: &'i str,
    scope: LookupScope<'s, 'i>,
    origin: DefinitionOrigin,
}

impl LookupScope<'_, '_> {
    /// Returns the scope of definitions on the root: on an element's behalf that of the root's context.
    fn of_root(self) -> Self {
        Self { context: self.context.map(|_| ROOT), ..self }
    }
}

impl Definition<'_> {
    /// Returns true if the definition sets a value, and no CSS-wide keyword.
    fn is_value(&self) -> bool {
        wide_keyword(self.value).is_none()
    }
}
