//! The rules and declarations of a page's stylesheets as written, including rules that match no element.

use crate::color::Scheme;
use crate::condition::{ConditionId, ConditionRequirements, WidthBound};
use crate::index::{MatchedBlock, StyleIndex};
use crate::property::ExpandedLonghand;
use crate::selector::{ScopeSelector, State, StyleSelectorImpl, mentioned_states, scope_scheme};
use crate::sheet::{Declaration, DeclarationMeaning, Origin, Rule};
use limner_page::NodeId;
use selectors::parser::Selector;
use std::sync::Arc;

/// A declaration as its author wrote it.
#[derive(Debug, Clone, Copy)]
pub struct AuthoredDeclaration<'i> {
    /// Lower case, except for custom properties.
    pub name: &'i str,
    /// Without `!important`.
    pub value: &'i str,
    /// True if it is `!important`.
    pub important: bool,
    /// Line in its stylesheet or attribute, from 1.
    pub line: u32,
    longhands: Option<&'i Arc<[ExpandedLonghand]>>,
}

impl<'i> AuthoredDeclaration<'i> {
    /// Returns the longhands that the declaration sets; `None` for custom properties. Equal declarations share one
    /// list, so callers may cache what they derive from it by its address.
    pub fn longhands(&self) -> Option<&'i Arc<[ExpandedLonghand]>> {
        self.longhands
    }
}

/// Returns the declarations that a browser keeps.
pub(crate) fn valid(list: &[Declaration]) -> impl Iterator<Item = AuthoredDeclaration<'_>> + use<'_> {
    list.iter().filter_map(|declaration| {
        let longhands = match &declaration.effect {
            DeclarationMeaning::Custom(_) => None,
            DeclarationMeaning::Longhands(list) => Some(list),
            DeclarationMeaning::Invalid => return None,
        };
        let Declaration { name, value, important, line, .. } = declaration;
        Some(AuthoredDeclaration { name, value, important: *important, line: *line, longhands })
    })
}

/// A style rule of the page's stylesheets. Declarations after a nested rule form a separate rule, as in the CSSOM.
#[derive(Clone, Copy)]
pub struct StyleRuleRef<'i> {
    rule: &'i Rule,
    declarations: &'i [Declaration],
}

impl<'i> StyleRuleRef<'i> {
    /// Returns the selectors of the rule's list; in nested ones `&` is replaced with the parent's selectors.
    pub fn selectors(&self) -> impl Iterator<Item = String> + use<'i> {
        self.rule.selectors.texts()
    }

    /// Returns the class that the rule's selector consists of (`.rounded-lg`); `None` for other selectors.
    pub fn only_class(&self) -> Option<&'i str> {
        self.rule.selectors.only_class()
    }

    /// Returns the colour scheme of the scope that all selectors agree on, by the classes and attributes for which
    /// `scheme_of` returns one: `.dark .card`, `[data-theme=dark]`, `:root:not(.light)`. A theme selector among others
    /// on the subject itself (`.button.dark`) is no scope. In [`StyleIndex::for_root_only`] only rules whose prelude contains
    /// one of its words can have a scope.
    pub fn scope_scheme(&self, scheme_of: &dyn Fn(ScopeSelector<'_>) -> Option<Scheme>) -> Option<Scheme> {
        if !self.rule.is_marked {
            return None;
        }
        let selectors = &self.rule.selectors;
        if selectors
            .classes_if_only()
            .is_some_and(|mut names| names.all(|name| scheme_of(ScopeSelector::Class(name)).is_none()))
        {
            return None;
        }
        // A control that switches the theme (`:root:has(input[value=dark]:checked), [data-theme=dark]`) counts as the
        // scheme of the other selectors.
        let is_switched = |selector: &&Selector<StyleSelectorImpl>| mentioned_states(selector).contains(State::Checked);
        let (switched, others): (Vec<_>, Vec<_>) = selectors.slice().iter().partition(is_switched);
        let asked = if others.is_empty() { switched } else { others };
        let mut schemes = asked.into_iter().map(|selector| scope_scheme(selector, scheme_of));
        let first = schemes.next()??;
        schemes.all(|scheme| scheme == Some(first)).then_some(first)
    }

    /// Returns the conditions that wrap the rule.
    pub fn condition(&self) -> ConditionId {
        self.rule.condition
    }

    /// Index into [`StyleIndex::sheets`].
    pub fn sheet(&self) -> u32 {
        self.rule.sheet
    }

    /// Returns the declarations in order, without those that a browser drops.
    pub fn declarations(&self) -> impl Iterator<Item = AuthoredDeclaration<'i>> + use<'i> {
        valid(self.declarations)
    }
}

impl<'i> MatchedBlock<'i> {
    /// Returns the declarations as written; those that a browser drops are left out.
    pub fn declarations(&self) -> impl Iterator<Item = AuthoredDeclaration<'i>> + use<'i> {
        valid(self.declarations)
    }
}

impl StyleIndex<'_> {
    /// Returns every style rule of the page's stylesheets, in cascade order of the stylesheets, under any condition. An
    /// index of some properties has only the rules that set one of them.
    pub fn rules(&self) -> impl Iterator<Item = StyleRuleRef<'_>> {
        let own = self.sheets.rules.iter().filter(|rule| rule.origin == Origin::Author);
        own.map(|rule| StyleRuleRef { rule, declarations: self.rule_declarations(rule) })
    }

    /// Returns the declarations of each `style` attribute, in document order.
    pub fn style_attributes(&self) -> impl Iterator<Item = (NodeId, Vec<AuthoredDeclaration<'_>>)> {
        let elements = self.document.elements().map(|(node, _)| node);
        elements.filter_map(|node| Some((node, valid(self.inline.get(&node)?).collect())))
    }

    /// Returns what a stack of conditions requires of the environment.
    pub fn condition_facts(&self, condition: ConditionId) -> ConditionRequirements {
        self.sheets.conditions.facts(condition)
    }

    /// Returns the width bounds in media and container queries of the page's stylesheets, one entry for each query, in
    /// stylesheet order.
    pub fn width_bounds(&self) -> Vec<WidthBound> {
        self.sheets.conditions.width_bounds(&|_| true)
    }

    /// Like [`Self::width_bounds`], for these conditions and the ones that wrap them.
    pub fn width_bounds_of(&self, conditions: &[ConditionId]) -> Vec<WidthBound> {
        let conditions = self.sheets.conditions.with_ancestors(conditions);
        self.sheets.conditions.width_bounds(&|condition| conditions.contains(&condition))
    }

    /// Returns the initial value of a custom property that an `@property` rule registers.
    pub fn registered_initial_value(&self, name: &str) -> Option<&str> {
        self.sheets.registrations.get(&crate::selector::Atom::from(name))?.initial.as_deref()
    }

    /// Returns true if a custom property inherits; all do that no `@property` rule registers otherwise.
    pub fn custom_property_inherits(&self, name: &str) -> bool {
        self.sheets.registrations.get(&crate::selector::Atom::from(name)).is_none_or(|own| own.inherits)
    }
}
