//! The design tokens of a component: the values of its declarations, as `/extract` counts them.
//!
//! In every environment the declarations that win the cascade count; those under states and on pseudo-elements count if
//! the component has them. Values that the section inherits from its ancestors, and backgrounds that show through it,
//! count as well. Elements with the same rules are processed once, so that the time is proportional to that of
//! capturing.

mod cascaded;
mod groups;

use super::diff::rule_builder::model_pseudo;
use super::diff::rule_resolver::RuleResolver;
use super::environments::{EnvId, EnvMap, EnvSet, EnvironmentVariant};
use super::passes::Draft;
use super::property_key::PropertyKey;
use cascaded::{CascadedDeclaration, CascadedDeclarations};
use limner_component_model::model::{Component, ElementId, Namespace, Rule};
use limner_page::NodeId;
use limner_style::color::{Scheme, is_transparent};
use limner_style::effective_background::ColorLayer;
use limner_style::property::{Flow, Longhand};
use limner_style::selector::PseudoElement as Pseudo;
use limner_style::{ApplicableDeclaration, ConditionId, StyleIndex};
use limner_types::Theme;
use limner_types::result::TokenGroups;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Returns the token groups of `/extract` for a component.
pub(super) fn collect_tokens(resolver: &mut RuleResolver<'_>, draft: &Draft) -> TokenGroups {
    let mut collector = TokenCollector::new(resolver, draft);
    for pass in 0..collector.passes.len() {
        // Elements that were removed from the component have their effect on its others.
        for at in 0..collector.copies.len() {
            collector.element(pass, ElementId(at));
        }
        collector.record_ancestors(pass);
    }
    collector.groups()
}

/// The environments in which the same rules match.
struct EnvGroup<'r> {
    index: &'r StyleIndex<'r>,
    envs: EnvSet,
    holding: HashMap<ConditionId, (EnvSet, EnvSet)>,
}

/// The identity of a declaration, in the order of the stylesheets: its rule, or its element, and its position there.
type DeclarationId = ((u32, u32), usize);

/// A declaration of which the component uses some longhands.
struct DeclarationUse<'r> {
    candidate: ApplicableDeclaration<'r>,
    theme: Option<Theme>,
    /// The element or pseudo-element whose custom properties it uses, in one of the environments.
    on: (NodeId, Option<Pseudo>, EnvId),
    /// By longhand: the environments in which the element uses the light scheme, and those in which it uses the dark
    /// one.
    has: BTreeMap<Longhand, [EnvSet; 2]>,
}

/// Cache key: the same rules match elements for which these values are equal.
type RuleSetKey = (usize, u32, Option<NodeId>, Option<Pseudo>, Flow);

/// The custom properties and the scheme of an element, on which `var()` and `light-dark()` depend.
type TokenContext = EnvMap<(usize, Scheme)>;

/// Collects the declarations that a component uses.
struct TokenCollector<'s, 'r> {
    resolver: &'s mut RuleResolver<'r>,
    component: &'s Component,
    /// The elements of the component, by element of the section's tree.
    copies: Vec<Option<ElementId>>,
    passes: Vec<EnvGroup<'r>>,
    /// The environments of the dark theme.
    dark: EnvSet,
    winners: HashMap<RuleSetKey, Rc<CascadedDeclarations<'r>>>,
    /// The uses by declaration and substituted text; `None` for declarations that mean the same on every element.
    uses: BTreeMap<(DeclarationId, Option<Arc<str>>), DeclarationUse<'r>>,
    /// Declarations that have been evaluated, with their context and their longhands.
    evaluated: HashSet<(DeclarationId, usize, Vec<(Longhand, EnvSet)>)>,
    numbers: HashMap<TokenContext, usize>,
    /// The element that was evaluated last, with the index of its context.
    last: Option<((NodeId, Option<Pseudo>), usize)>,
    conditions: BTreeSet<ConditionId>,
    conditional: BTreeSet<(&'r str, ConditionId)>,
    selectors: HashMap<u32, (u32, String)>,
}

impl<'s, 'r> TokenCollector<'s, 'r> {
    fn new(resolver: &'s mut RuleResolver<'r>, draft: &'s Draft) -> Self {
        let mut passes: Vec<EnvGroup<'r>> = Vec::new();
        let (environments, request) = (resolver.section.environments, resolver.section.request);
        for env in environments.envs() {
            let index = environments.index(request, env);
            match passes.iter_mut().find(|pass| std::ptr::eq(pass.index, index)) {
                Some(pass) => pass.envs.insert(env),
                None => passes.push(EnvGroup { index, envs: EnvSet::from_iter([env]), holding: HashMap::new() }),
            }
        }
        let is_dark =
            |env: &EnvId| request.scheme == Scheme::Dark || environments.variant(*env) == EnvironmentVariant::Dark;
        let dark = environments.envs().filter(is_dark).collect();
        Self {
            copies: draft.copies(resolver.section.tree),
            resolver,
            component: &draft.component,
            passes,
            dark,
            winners: HashMap::new(),
            uses: BTreeMap::new(),
            evaluated: HashSet::new(),
            numbers: HashMap::new(),
            last: None,
            conditions: BTreeSet::new(),
            conditional: BTreeSet::new(),
            selectors: HashMap::new(),
        }
    }

    /// Records the declarations that an element of the component and its pseudo-elements use.
    fn element(&mut self, pass: usize, element: ElementId) {
        let Some(node) = self.resolver.section.tree.node(element) else { return };
        let pseudos = self.resolver.section.pseudo_elements(element).into_iter().map(Some);
        for pseudo in std::iter::once(None).chain(pseudos) {
            if pseudo.is_some_and(|pseudo| !self.has_pseudo(element, pseudo)) {
                continue;
            }
            let winners = self.cascaded_declarations(pass, node, pseudo);
            for winner in &winners.declarations {
                let longhands = self.effective_longhands(winner, element, pseudo);
                self.record_use(self.passes[pass].index, winner, &longhands, (node, pseudo));
            }
            self.conditional.extend(winners.conditional.iter().copied());
        }
    }

    fn has_pseudo(&self, element: ElementId, pseudo: Pseudo) -> bool {
        let pseudo = Some(model_pseudo(pseudo));
        self.rules(element).iter().any(|rule| rule.pseudo == pseudo)
    }

    /// Returns the rules of an element in the component; none for an element that was removed.
    fn rules(&self, element: ElementId) -> &'s [Rule] {
        self.copies[element.0].map(|copy| self.component.elements[copy.0].rules.as_slice()).unwrap_or_default()
    }

    /// Returns the longhands of a declaration that have an effect. Under a state they are those that the component
    /// declares.
    fn effective_longhands(
        &self,
        winner: &CascadedDeclaration<'r>,
        element: ElementId,
        pseudo: Option<Pseudo>,
    ) -> Vec<(Longhand, EnvSet)> {
        let rules = self.rules(element);
        let own = pseudo.map(model_pseudo);
        let is_shown = |(longhand, envs): &&(Longhand, EnvSet)| {
            if !winner.candidate.is_at_rest() {
                let mut under_states = rules.iter().filter(|rule| rule.state.is_some() && rule.pseudo == own);
                return under_states.any(|rule| rule.declarations.iter().any(|own| own.name == longhand.name()));
            }
            let computed = &self.resolver.section.computed[element.0];
            let place = PropertyKey::new(element, None, *longhand);
            pseudo.is_some() || envs.iter().any(|env| self.resolver.is_visible(place, env, &computed[env]))
        };
        winner.longhands.iter().filter(is_shown).copied().collect()
    }

    /// Returns the result of the cascade for an element or pseudo-element, cached for elements with the same rules.
    fn cascaded_declarations(
        &mut self,
        pass: usize,
        node: NodeId,
        pseudo: Option<Pseudo>,
    ) -> Rc<CascadedDeclarations<'r>> {
        let index = self.passes[pass].index;
        let first = self.passes[pass].envs.iter().next().unwrap_or_default();
        let style = self.resolver.styles[first].get(node);
        let flow = style.as_ref().map_or_else(Flow::default, |style| style.flow());
        let own = index.has_attribute_declarations(node).then_some(node);
        let key = (pass, index.rule_list_id(node), own, pseudo, flow);
        if let Some(known) = self.winners.get(&key) {
            return known.clone();
        }
        let EnvGroup { envs, holding, .. } = &mut self.passes[pass];
        let styles = &self.resolver.styles;
        let mut holding = |condition| {
            *holding.entry(condition).or_insert_with(|| {
                let holds = |env: EnvId| styles[env].condition_holds(condition);
                let may = envs.iter().filter(|env| holds(*env) != Some(false)).collect();
                (may, envs.iter().filter(|env| holds(*env) == Some(true)).collect())
            })
        };
        let winners = Rc::new(CascadedDeclarations::evaluate(index, (node, pseudo), flow, &mut holding));
        self.winners.insert(key, winners.clone());
        winners
    }

    /// Records the declarations of ancestors that affect the section in the environments of a pass.
    fn record_ancestors(&mut self, pass: usize) {
        let Some(section) = self.resolver.section.tree.node(ElementId(0)) else { return };
        let index = self.passes[pass].index;
        let mut own = self.cascaded_declarations(pass, section, None).non_inherited_envs.clone();
        let painters = [false, true].map(|is_dark| self.painter(pass, is_dark, section));
        let mut at = section;
        while let Some(parent) = index.flat_tree().parent(index.document(), at) {
            at = parent;
            let winners = self.cascaded_declarations(pass, at, None);
            for winner in winners.declarations.iter().filter(|winner| winner.candidate.is_at_rest()) {
                let mut given = Vec::new();
                for (longhand, envs) in &winner.longhands {
                    let left = envs.difference(own.get(longhand).copied().unwrap_or_default());
                    let is_given =
                        longhand.is_inherited() && !left.is_empty() && self.is_inherited_from_outside(*longhand, left);
                    if is_given {
                        given.push((*longhand, left));
                    }
                    for (is_dark, painter) in [false, true].into_iter().zip(painters) {
                        if painter == Some(at) && self.comes_from_ancestor_background(is_dark, *longhand) {
                            given.push((*longhand, envs.intersection(self.envs_of_theme(pass, is_dark))));
                        }
                    }
                }
                self.record_use(index, winner, &given, (at, None));
            }
            for (longhand, envs) in &winners.non_inherited_envs {
                let known = own.entry(*longhand).or_default();
                *known = known.union(*envs);
            }
            self.conditional.extend(winners.conditional.iter().copied());
        }
    }

    /// Returns true if an inherited value of the section differs from the initial one.
    fn is_inherited_from_outside(&self, longhand: Longhand, envs: EnvSet) -> bool {
        let drawings = || self.component.elements.iter().any(|element| element.namespace == Namespace::Svg);
        if matches!(longhand, Longhand::Fill | Longhand::Stroke) && !drawings() {
            return false;
        }
        let initial = match longhand {
            Longhand::Color => "rgb(0, 0, 0)",
            Longhand::FontSize => "16px",
            Longhand::FontWeight => "400",
            _ => longhand.initial(),
        };
        envs.iter().any(|env| self.resolver.section.computed[0][env].get(longhand) != initial)
    }

    /// Returns the environments of a pass that are of a theme.
    fn envs_of_theme(&self, pass: usize, is_dark: bool) -> EnvSet {
        let envs = self.passes[pass].envs;
        if is_dark { envs.intersection(self.dark) } else { envs.difference(self.dark) }
    }

    /// Returns the nearest ancestor that paints a background in a theme, if it shows through the section.
    fn painter(&mut self, pass: usize, is_dark: bool, section: NodeId) -> Option<NodeId> {
        let index = self.passes[pass].index;
        let environments = self.resolver.section.environments;
        let env = self
            .envs_of_theme(pass, is_dark)
            .iter()
            .find(|env| environments.interval(*env) == environments.desktop_interval())?;
        if !is_transparent(self.resolver.section.computed[0][env].get(Longhand::BackgroundColor)) {
            return None;
        }
        let mut at = section;
        while let Some(parent) = index.flat_tree().parent(index.document(), at) {
            at = parent;
            let style = self.resolver.styles[env].get(at)?;
            if let Some(layer) = ColorLayer::from_style(&style) {
                // Of colours that are composited with others, none is left as declared.
                return (layer.is_opaque() && ColorLayer::from_background_color(&style).is_some()).then_some(at);
            }
        }
        None
    }

    /// Returns true if the root of the component declares this property because of the background behind the section.
    fn comes_from_ancestor_background(&self, is_dark: bool, longhand: Longhand) -> bool {
        if !matches!(longhand, Longhand::BackgroundColor | Longhand::BackgroundImage) {
            return false;
        }
        let rides_along = is_dark && self.resolver.section.request.scheme != Scheme::Dark;
        let rules = self.rules(ElementId(0)).iter();
        let mut own = rules.filter(|rule| rule.state.is_none() && rule.pseudo.is_none());
        own.any(|rule| {
            rule.condition.dark == rides_along && rule.declarations.iter().any(|own| own.name == longhand.name())
        })
    }
}
