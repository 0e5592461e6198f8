//! Groups the declarations of a component as tokens.

use super::cascaded::CascadedDeclaration;
use super::{DeclarationUse, TokenCollector};
use crate::capture::environments::{EnvId, EnvSet};
use limner_page::NodeId;
use limner_style::color::Scheme;
use limner_style::property::{DeclaredValue, Longhand};
use limner_style::selector::{PseudoElement as Pseudo, ScopeSelector};
use limner_style::{ApplicableDeclaration, ComputedStyle, ConditionId, StyleIndex, ValueTemplate};
use limner_tokens::{
    CustomProperties, SectionUsage, ThemeSet, UsedDeclaration, ValueCounter, breakpoints, theme_detection,
    truncate_selector, value,
};
use limner_types::Theme;
use limner_types::result::TokenGroups;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl<'r> TokenCollector<'_, 'r> {
    /// Records the longhands of a declaration that an element or pseudo-element uses.
    pub(super) fn record_use(
        &mut self,
        index: &StyleIndex<'_>,
        winner: &CascadedDeclaration<'r>,
        longhands: &[(Longhand, EnvSet)],
        (node, pseudo): (NodeId, Option<Pseudo>),
    ) {
        let candidate = winner.candidate;
        if !longhands.is_empty() && candidate.condition != ConditionId::default() {
            self.conditions.insert(candidate.condition);
        }
        let read: Vec<(Longhand, EnvSet)> =
            longhands.iter().filter(|(longhand, _)| value::holds_design_values(*longhand)).copied().collect();
        if read.is_empty() {
            return;
        }
        let of_element = u32::try_from(node.index()).unwrap_or(u32::MAX);
        let place = (candidate.rule.map_or((u32::MAX, of_element), |rule| (rule, 0)), candidate.position);
        self.record_selector(&candidate);
        let new = |env| DeclarationUse {
            candidate,
            theme: rule_theme(index, &candidate),
            on: (node, pseudo, env),
            has: BTreeMap::new(),
        };
        if !depends_on_context(&candidate) {
            let known = self.uses.entry((place, None)).or_insert_with(|| new(EnvId::default()));
            read.into_iter().for_each(|(longhand, envs)| known.add(longhand, [envs, EnvSet::default()]));
            return;
        }
        let number = self.context_index(node, pseudo);
        if !self.evaluated.insert((place, number, read.clone())) {
            return;
        }
        for (text, envs) in self.texts(&candidate, &read, (node, pseudo)) {
            let dark: EnvSet = envs.iter().filter(|env| self.scheme(node, *env) == Scheme::Dark).collect();
            let env = envs.iter().next().unwrap_or_default();
            let known = self.uses.entry((place, text)).or_insert_with(|| new(env));
            for (longhand, own) in &read {
                known.add(*longhand, [own.intersection(envs.difference(dark)), own.intersection(dark)]);
            }
        }
    }

    /// Returns the substituted texts of a declaration on an element, with the environments of each. The key `None`
    /// stands for a declaration without references.
    fn texts(
        &mut self,
        candidate: &ApplicableDeclaration<'r>,
        longhands: &[(Longhand, EnvSet)],
        (node, pseudo): (NodeId, Option<Pseudo>),
    ) -> BTreeMap<Option<Arc<str>>, EnvSet> {
        let envs = longhands.iter().fold(EnvSet::default(), |all, (_, envs)| all.union(*envs));
        if !is_pending(candidate) {
            return BTreeMap::from([(None, envs)]);
        }
        let template = ValueTemplate::new(candidate.declaration.value);
        let mut texts: BTreeMap<Option<Arc<str>>, EnvSet> = BTreeMap::new();
        for env in envs.iter() {
            let Some(style) = self.style(node, pseudo, env) else { continue };
            let text = template.fill(&mut |name| style.custom_property(name).map(Arc::from));
            if text.is_some() {
                texts.entry(text).or_default().insert(env);
            }
        }
        texts
    }

    fn style(&mut self, node: NodeId, pseudo: Option<Pseudo>, env: EnvId) -> Option<Arc<ComputedStyle>> {
        let styles = &mut self.resolver.styles[env];
        let own = pseudo.and_then(|pseudo| styles.pseudo(node, pseudo));
        own.or_else(|| styles.get(node))
    }

    fn scheme(&mut self, node: NodeId, env: EnvId) -> Scheme {
        self.resolver.styles[env].get(node).map_or(Scheme::Light, |style| style.scheme())
    }

    /// Returns the index of an element's context, which is the same for elements on which all context-dependent values
    /// are equal.
    fn context_index(&mut self, node: NodeId, pseudo: Option<Pseudo>) -> usize {
        if let Some((_, number)) = self.last.filter(|(last, _)| *last == (node, pseudo)) {
            return number;
        }
        let context = self.resolver.section.environments.map(|env| {
            let style = self.style(node, pseudo, env);
            style.map_or((0, Scheme::Light), |style| (style.custom_properties_number(), style.scheme()))
        });
        let next = self.numbers.len();
        let number = *self.numbers.entry(context).or_insert(next);
        self.last = Some(((node, pseudo), number));
        number
    }

    /// Records the first selector of a rule that matches something.
    fn record_selector(&mut self, candidate: &ApplicableDeclaration<'r>) {
        let Some(rule) = candidate.rule else { return };
        let number = candidate.selector_number;
        if self.selectors.get(&rule).is_none_or(|(known, _)| number < *known)
            && let Some(selector) = candidate.selector()
        {
            self.selectors.insert(rule, (number, truncate_selector(selector)));
        }
    }

    /// Counts the recorded declarations and groups them as tokens.
    pub(super) fn groups(mut self) -> TokenGroups {
        let request = self.resolver.section.request;
        let mut tally = ValueCounter::new(CustomProperties::new(request.index));
        let mut uses = SectionUsage::default();
        let asked: RefCell<BTreeSet<String>> = RefCell::default();
        let mut all: Vec<_> = std::mem::take(&mut self.uses).into_iter().collect();
        // In the order of `/extract`: in a block, the last declaration counts first.
        all.sort_by_key(|(((block, position), _), _)| (*block, Reverse(*position)));
        for (((block, position), _), own) in &all {
            let (node, pseudo, env) = own.on;
            let Some(style) = self.style(node, pseudo, env) else { continue };
            let on = |name: &str| {
                let value = style.custom_property(name).map(Arc::from);
                asked.borrow_mut().insert(name.to_owned());
                value
            };
            let has = |longhand, theme| own.themes_with_value(longhand, theme, self.dark);
            let ApplicableDeclaration { declaration, rule, .. } = own.candidate;
            let number = rule.unwrap_or(u32::MAX);
            let (block, position, theme) = (*block, *position, own.theme);
            tally.record_usage(
                &mut uses,
                &UsedDeclaration { block, number, position, theme, declaration, on: &on, has: &has },
            );
        }
        tally.count_uses(uses, request.scheme);
        let mut groups = tally.groups(&|number| self.selectors.get(&number).map(|(_, selector)| selector.clone()));
        let asked = asked.into_inner();
        let of_variables = self.conditional.iter().filter(|(name, _)| asked.contains(*name));
        self.conditions.extend(of_variables.map(|(_, condition)| *condition));
        let conditions: Vec<ConditionId> = self.conditions.into_iter().collect();
        groups.breakpoints = breakpoints::group(request.index.width_bounds_of(&conditions));
        groups
    }
}

impl DeclarationUse<'_> {
    fn add(&mut self, longhand: Longhand, envs: [EnvSet; 2]) {
        let known = self.has.entry(longhand).or_default();
        *known = [known[0].union(envs[0]), known[1].union(envs[1])];
    }

    /// Returns the themes of the component in which a longhand has the declared value, or the value that is declared
    /// for one theme.
    fn themes_with_value(&self, longhand: Longhand, theme: Option<Theme>, dark: EnvSet) -> ThemeSet {
        let [in_light, in_dark] = self.has.get(&longhand).copied().unwrap_or_default();
        let envs = match theme {
            None => in_light.union(in_dark),
            Some(Theme::Light) => in_light,
            Some(Theme::Dark) => in_dark,
        };
        ThemeSet { light: !envs.difference(dark).is_empty(), dark: !envs.intersection(dark).is_empty() }
    }
}

/// Returns the theme that a rule is for, determined as in `/extract`.
fn rule_theme(index: &StyleIndex<'_>, candidate: &ApplicableDeclaration<'_>) -> Option<Theme> {
    let scheme = index.condition_facts(candidate.condition).scheme;
    let of_mark = |mark: ScopeSelector<'_>| theme_detection::scheme_of_scope(mark, std::iter::empty);
    scheme.or_else(|| candidate.scope_scheme(&of_mark)).map(theme_detection::theme)
}

/// Returns true if a declaration refers to custom properties.
fn is_pending(candidate: &ApplicableDeclaration<'_>) -> bool {
    let first = candidate.declaration.longhands().and_then(|longhands| longhands.first());
    first.is_some_and(|declared| declared.value == DeclaredValue::Pending)
}

/// Returns true if a declaration depends on custom properties or on the scheme.
fn depends_on_context(candidate: &ApplicableDeclaration<'_>) -> bool {
    is_pending(candidate) || candidate.declaration.value.to_ascii_lowercase().contains("light-dark(")
}
