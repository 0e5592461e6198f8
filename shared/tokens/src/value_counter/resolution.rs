//! Values of declarations with `var()`: on elements, in each theme, and for the variants of a component.

use super::{
    Block, DesignValue, NameId, Occurrence, PendingDeclaration, Provenance, ResolvedValue, SubstitutionStep,
    ValueCounter, design_values, opposite_theme, provenance_of_part, variable_origins,
};
use crate::custom_properties::{DefinitionOrigin, LookupScope, MAX_CACHED, Substituted};
use crate::value::holds_design_values;
use limner_style::property::{ExpandedLonghand, expand};
use limner_style::{AuthoredDeclaration, ValueTemplate};
use limner_types::Theme;
use std::rc::Rc;
use std::sync::Arc;

impl<'i> ValueCounter<'i> {
    /// Returns the values of a declaration with `var()`.
    pub(super) fn pending(
        &mut self,
        declaration: &AuthoredDeclaration<'i>,
        longhands: &Arc<[ExpandedLonghand]>,
        block: Block<'_, 'i>,
    ) -> Rc<[Occurrence]> {
        let address = longhands.as_ptr() as usize;
        let anywhere = self.anywhere(declaration, address, block);
        if block.contexts.is_empty() { anywhere } else { self.on_elements(declaration, address, block, &anywhere) }
    }

    /// Returns the values of a declaration wherever it applies.
    fn anywhere(
        &mut self,
        declaration: &AuthoredDeclaration<'i>,
        address: usize,
        block: Block<'_, 'i>,
    ) -> Rc<[Occurrence]> {
        // A rule for a theme is evaluated in that theme only. Such rules are few, so their results are not cached.
        if block.theme.is_some() {
            return self.resolve(declaration, block.theme, block.own).1.into();
        }
        if !self.pending.contains_key(&address) {
            let (names, occurrences) = self.resolve(declaration, None, &[]);
            self.pending.insert(address, PendingDeclaration { names: names.into(), occurrences: occurrences.into() });
        }
        let known = &self.pending[&address];
        let sets_own = known.names.iter().any(|id| block.own.iter().any(|(name, _)| *name == self.variables.name(*id)));
        if sets_own {
            return self.resolve(declaration, None, block.own).1.into();
        }
        known.occurrences.clone()
    }

    /// Returns the values of a declaration on the elements that it applies to, and those that custom properties contain
    /// as a whole, whether an element has them or not.
    fn on_elements(
        &mut self,
        declaration: &AuthoredDeclaration<'i>,
        address: usize,
        block: Block<'_, 'i>,
        anywhere: &[Occurrence],
    ) -> Rc<[Occurrence]> {
        let mut all: Vec<Occurrence> = Vec::new();
        let mut add = |found: &[Occurrence]| {
            let new = found.iter().filter(|own| !own.is_contained_in(&all)).cloned().collect::<Vec<_>>();
            all.extend(new);
        };
        for (context, of) in block.contexts {
            let theme = block.theme.or(*of);
            let key = (address, *context, theme);
            let found = match self.on_elements.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let scope = LookupScope { theme, rule_variables: &[], variant: None, context: Some(*context) };
                    let mut found = self.in_themes(declaration, scope).1;
                    if of.is_some() && block.theme.is_none() {
                        let declared = found.iter_mut().filter(|own| own.provenance == Provenance::Declared);
                        declared.for_each(|own| own.provenance = Provenance::OtherTheme);
                    }
                    let found: Rc<[Occurrence]> = found.into();
                    if self.on_elements.len() < MAX_CACHED {
                        self.on_elements.insert(key, found.clone());
                    }
                    found
                }
            };
            add(&found);
        }
        let mut declared: Vec<Occurrence> = anywhere.iter().filter(|own| own.is_entire_value).cloned().collect();
        for own in declared.iter_mut().filter(|own| own.provenance == Provenance::Declared) {
            own.provenance = Provenance::Variant(block.number);
        }
        add(&declared);
        all.into()
    }

    /// Returns the values of a declaration by default and in the themes and variants of the stylesheets, and the names
    /// they were resolved from.
    fn resolve(
        &mut self,
        declaration: &AuthoredDeclaration<'i>,
        theme: Option<Theme>,
        own: &[(&'i str, &'i str)],
    ) -> (Vec<NameId>, Vec<Occurrence>) {
        let scope = LookupScope { theme, rule_variables: own, variant: None, context: None };
        let template = ValueTemplate::new(declaration.value);
        let (plain, mut default) = self.in_themes(declaration, scope);
        let names = plain.trace.iter().map(|taken| taken.id).collect();
        let mut others = Vec::new();
        let variants = self.variables.variants(&plain.trace).into_iter();
        let variants: Vec<(u32, Option<Theme>)> =
            variants.filter(|(rule, _)| !self.variables.equals_default_for(*rule, &plain)).collect();
        for (rule, of) in variants.into_iter().filter(|(_, of)| of.is_none() || theme.is_none() || *of == theme) {
            let scope = LookupScope { variant: Some(rule), theme: of.or(theme), ..scope };
            let variant = self.variables.resolve(&template, scope);
            if variant.text != plain.text {
                others.extend(self.occurrences(declaration, &variant, of, Provenance::Variant(rule)));
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
            let counts = other.is_entire_value || other.provenance == Provenance::PageWide;
            counts && !other.is_contained_in(&default)
        });
        default.extend(others);
        default.retain(|own| own.is_entire_value || own.is_certain);
        (names, default)
    }

    /// Returns the values of a declaration in a scope, by default and in the other themes of the stylesheets.
    fn in_themes(
        &mut self,
        declaration: &AuthoredDeclaration<'i>,
        scope: LookupScope<'_, 'i>,
    ) -> (Substituted, Vec<Occurrence>) {
        let template = ValueTemplate::new(declaration.value);
        let plain = self.variables.resolve(&template, scope);
        let mut default = self.occurrences(declaration, &plain, scope.theme, Provenance::Declared);
        let mut others = Vec::new();
        let themes = if scope.theme.is_none() { self.variables.themes(&plain.trace) } else { Vec::new() };
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
        others.retain(|other| (other.is_entire_value || other.is_certain) && !other.is_contained_in(&default));
        default.extend(others);
        (plain, default)
    }

    /// Returns the values of a declaration after substitution.
    fn occurrences(
        &mut self,
        declaration: &AuthoredDeclaration<'i>,
        resolved: &Substituted,
        theme: Option<Theme>,
        provenance: Provenance,
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
        // Of the values for variants only those that a variable contains as a whole are kept.
        let is_kept = !matches!(provenance, Provenance::Variant(_)) || found.iter().any(is_whole);
        let variables = if is_kept { variable_origins(&found, &trace, &resolved.trace) } else { Vec::new() };
        let uncertain: Vec<NameId> = resolved
            .trace
            .iter()
            .filter(|taken| taken.origin == DefinitionOrigin::AnyRule)
            .map(|taken| taken.id)
            .collect();
        let mut occurrences = Vec::with_capacity(found.len());
        for (at, value) in found.iter().enumerate() {
            if matches!(provenance, Provenance::Declared | Provenance::OtherTheme) {
                self.record_token_variables(&trace, value, theme);
            }
            let variables = variables.get(at).unwrap_or(&self.none).clone();
            occurrences.push(Occurrence {
                longhand: value.longhand,
                value: value.id,
                theme: value.theme.or(theme),
                is_certain: !variables.iter().any(|id| uncertain.contains(id)),
                variables,
                provenance: provenance_of_part(value.is_part, provenance),
                is_entire_value: is_whole(value),
            });
        }
        occurrences
    }

    /// Returns the design values of a property's text without references.
    pub(super) fn design_values_of(&mut self, property: &str, text: &Arc<str>) -> Rc<[ResolvedValue]> {
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
                value.remove_invisible_layers();
                let Some(id) = self.intern(&value) else { continue };
                let DesignValue { kind, key, original, css, is_part, theme } = value;
                found.push(ResolvedValue {
                    longhand: declared.longhand,
                    id,
                    kind,
                    original: original.into(),
                    css: css.unwrap_or(key).into(),
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
}
