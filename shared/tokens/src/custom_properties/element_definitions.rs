//! Finds the definitions of custom properties that apply to the elements of the page.
//!
//! Utility classes build values from custom properties that other rules set (`.ring` sets a shadow, `.shadow` another,
//! and each declares the list of both), so a declaration only has a value on an element. Elements on which the same
//! definitions apply share one context.

use super::{CustomProperties, NameId, is_custom, theme_slot, wide_keyword};
use crate::theme_detection;
use crate::theme_detection::is_theme_scope;
use crate::theme_document::only_theme;
use foldhash::{HashMap, HashMapExt, HashSet};
use limner_page::NodeId;
use limner_style::property::{CssWide, DeclaredValue};
use limner_style::selector::{PseudoElement, State, StateSet};
use limner_style::{ApplicableDeclaration, AuthoredDeclaration, ConditionId, Environment, StyleIndex, Styles};
use limner_types::Theme;
use std::rc::Rc;

/// Index of the definitions that apply to an element.
pub(crate) type ContextId = u32;
/// The root element.
pub(super) const ROOT: ContextId = 0;
/// Other elements without definitions of their own.
const PLAIN: ContextId = 1;

/// Maximum number of contexts; elements with further ones are left out.
const MAX_CONTEXTS: usize = 4_096;
/// Maximum number of contexts in which one rule's declarations are resolved.
const MAX_CONTEXTS_OF_RULE: usize = 64;
/// Maximum number of combinations of environments and states.
const MAX_SITUATIONS: usize = 24;

/// A definition that applies to an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ElementDefinition<'i> {
    /// `None` if it makes the custom property invalid.
    pub(super) value: Option<&'i str>,
    /// The context in which its references are looked up; `None` for the one that contains the definition.
    pub(super) declared_in: Option<ContextId>,
    /// The theme of its rule.
    pub(super) theme: Option<Theme>,
    /// True if it is declared on the body, as most page-wide definitions that are not on the root.
    pub(super) is_of_body: bool,
}

type Definitions<'i> = Rc<[(NameId, ElementDefinition<'i>)]>;

/// The definitions of all contexts, where they differ from those of the root.
#[derive(Debug, Default)]
pub(super) struct ElementContexts<'i> {
    lists: Vec<Definitions<'i>>,
    ids: HashMap<Definitions<'i>, ContextId>,
}

impl<'i> ElementContexts<'i> {
    pub(super) fn find(&self, context: ContextId, id: NameId) -> Option<ElementDefinition<'i>> {
        let list = self.lists.get(context as usize)?;
        list.binary_search_by_key(&id, |(own, _)| *own).ok().map(|at| list[at].1)
    }

    fn list(&self, context: ContextId) -> Definitions<'i> {
        self.lists.get(context as usize).cloned().unwrap_or_else(|| Rc::from([]))
    }

    fn intern(&mut self, list: Vec<(NameId, ElementDefinition<'i>)>, is_root: bool) -> Option<ContextId> {
        if self.lists.is_empty() {
            self.lists = vec![Rc::from([]); 2];
        }
        if list.is_empty() {
            return Some(if is_root { ROOT } else { PLAIN });
        }
        if let Some(known) = self.ids.get(list.as_slice()) {
            return Some(*known);
        }
        let next = ContextId::try_from(self.lists.len()).ok().filter(|_| self.lists.len() < MAX_CONTEXTS)?;
        let list: Definitions<'i> = list.into();
        self.lists.push(list.clone());
        self.ids.insert(list, next);
        Some(next)
    }
}

/// The declarations whose values depend on the element, because rules for other elements than the root set custom
/// properties that they refer to.
#[derive(Debug, Default)]
pub(crate) struct DependentDeclarations {
    names: HashSet<Box<str>>,
}

impl DependentDeclarations {
    /// Finds the names of the custom properties that they refer to.
    pub(crate) fn find(index: &StyleIndex<'_>) -> Self {
        Self { names: names_set_below_root(index) }
    }

    /// Returns true if the value of a declaration depends on the element.
    pub(crate) fn contains(&self, declaration: &AuthoredDeclaration<'_>) -> bool {
        let is_pending = || {
            declaration.longhands().and_then(|own| own.first()).is_some_and(|own| own.value == DeclaredValue::Pending)
        };
        !self.names.is_empty() && is_pending() && references(declaration.value).any(|name| self.names.contains(name))
    }
}

/// Returns the custom properties that rules and `style` attributes set on other elements than the root. What a theme's
/// selector sets counts as set on the root, which usually has it.
fn names_set_below_root(index: &StyleIndex<'_>) -> HashSet<Box<str>> {
    let root = index.document().document_element();
    let of_root = root.map_or_else(Vec::new, |root| index.candidates(root, None));
    let of_root: HashSet<u32> = of_root.iter().filter_map(|own| own.rule).collect();
    let mut names: HashSet<Box<str>> = HashSet::default();
    let mut add = |own: &AuthoredDeclaration<'_>| {
        if is_custom(own) && !names.contains(own.name) {
            names.insert(own.name.into());
        }
    };
    for (number, rule) in index.rules().enumerate() {
        let is_of_root = u32::try_from(number).is_ok_and(|own| of_root.contains(&own));
        if is_of_root || !rule.declarations().any(|own| is_custom(&own)) {
            continue;
        }
        let facts = index.condition_facts(rule.condition());
        let is_themed = || facts.scheme.is_none() && theme_detection::rule_theme(index, &rule).is_some();
        let is_scope = || is_themed() && is_theme_scope(&rule);
        if !facts.print_only && !facts.is_never && !is_scope() {
            rule.declarations().for_each(|own| add(&own));
        }
    }
    let of_others = index.style_attributes().filter(|(node, _)| Some(*node) != root);
    of_others.for_each(|(_, declarations)| declarations.iter().for_each(&mut add));
    names
}

/// Returns everything in a value that looks like the name of a custom property.
fn references(value: &str) -> impl Iterator<Item = &str> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii();
    value.split(move |c: char| !is_of_name(c)).filter(|word| word.len() > 2 && word.starts_with("--"))
}

/// The contexts in which declarations apply.
#[derive(Debug, Default)]
pub(crate) struct DeclarationContexts {
    of_rules: HashMap<u32, Vec<ThemedContext>>,
    of_attributes: HashMap<NodeId, Vec<ThemedContext>>,
    /// The contexts of elements and pseudo-elements at rest in [`PAGE_ENVIRONMENTS`], if there are any but the root's.
    of_elements: HashMap<(NodeId, Option<PseudoElement>), [Option<ContextId>; PAGE_ENVIRONMENTS.len()]>,
}

/// A context, and the theme that it is for, if it only applies in that.
pub(crate) type ThemedContext = (ContextId, Option<Theme>);

impl DeclarationContexts {
    /// Returns the contexts of the elements that a rule matches; none if it has no declarations that depend on them.
    pub(crate) fn of_rule(&self, rule: u32) -> &[ThemedContext] {
        self.of_rules.get(&rule).map_or(&[], Vec::as_slice)
    }

    /// Returns the contexts of an element with a `style` attribute.
    pub(crate) fn of_attribute(&self, node: NodeId) -> &[ThemedContext] {
        self.of_attributes.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Returns the context of an element or pseudo-element at rest in one of [`PAGE_ENVIRONMENTS`].
    pub(crate) fn of_element(&self, node: NodeId, pseudo: Option<PseudoElement>, environment: usize) -> ContextId {
        self.of_elements.get(&(node, pseudo)).and_then(|known| known[environment]).unwrap_or(PLAIN)
    }

    fn add(&mut self, user: User, node: NodeId, context: ThemedContext) {
        let list = match user {
            User::Rule(rule) => self.of_rules.entry(rule).or_default(),
            User::Attribute => self.of_attributes.entry(node).or_default(),
        };
        if list.len() < MAX_CONTEXTS_OF_RULE && !list.iter().any(|(known, _)| *known == context.0) {
            list.push(context);
        }
    }
}

impl<'i> CustomProperties<'i> {
    /// Finds the contexts in which the dependent declarations apply.
    pub(crate) fn read_elements(
        &mut self,
        index: &'i StyleIndex<'_>,
        dependent: &DependentDeclarations,
    ) -> DeclarationContexts {
        let mut found = DeclarationContexts::default();
        if dependent.names.is_empty() {
            return found;
        }
        let mut reader = ContextReader::new(self, index, dependent);
        reader.read_at_rest(&mut found);
        for (node, _) in index.document().elements() {
            let pseudos = index.styled_pseudo_elements(node);
            for pseudo in std::iter::once(None).chain(pseudos.into_iter().map(Some)) {
                reader.add_uses(node, pseudo, &mut found);
            }
        }
        found
    }
}

/// A declaration's rule, or the element's attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum User {
    Rule(u32),
    Attribute,
}

/// The declarations that can apply to elements with the same matches.
struct MatchedDeclarations<'i> {
    /// The strongest last.
    definitions: Vec<CustomDeclaration<'i>>,
    /// Those with dependent declarations: conditions and states under which they apply.
    users: Vec<(User, ConditionId, StateSet)>,
}

/// A declaration of a custom property that can apply to an element.
#[derive(Clone, Copy)]
struct CustomDeclaration<'i> {
    id: NameId,
    declaration: ApplicableDeclaration<'i>,
    /// The only theme it applies in.
    theme: Option<Theme>,
    keyword: Option<CssWide>,
}

/// An environment, and states that hold for every element.
type Situation = (usize, StateSet);

/// The environments in which declarations are looked at, by priority: desktop, phone, tablet, large screen, and the
/// first two in dark.
const ENVIRONMENTS: [(f64, Theme); 6] = [
    (1440.0, Theme::Light),
    (390.0, Theme::Light),
    (768.0, Theme::Light),
    (1920.0, Theme::Light),
    (1440.0, Theme::Dark),
    (390.0, Theme::Dark),
];

/// The first environment in dark.
const DARK: usize = 4;

/// The environments in which elements are counted, as indexes of [`ENVIRONMENTS`]: desktop and phone, light and dark.
pub(crate) const PAGE_ENVIRONMENTS: [usize; 4] = [0, 1, 4, 5];

/// Returns one of [`PAGE_ENVIRONMENTS`], and its theme.
pub(crate) fn page_environment(number: usize) -> (Environment, Theme) {
    let (width, theme) = ENVIRONMENTS[PAGE_ENVIRONMENTS[number]];
    (Environment { width, scheme: super::scheme(theme), ..Environment::default() }, theme)
}

/// By the custom property, each once.
type Winners<'i> = Rc<[CustomDeclaration<'i>]>;
/// The custom property, rule and value of each of them.
type WinnersKey = Vec<(NameId, Option<u32>, usize)>;

struct ContextReader<'r, 'i> {
    variables: &'r mut CustomProperties<'i>,
    index: &'i StyleIndex<'i>,
    dependent: &'r DependentDeclarations,
    environments: Vec<Styles<'i>>,
    /// Elements with a `style` attribute that sets custom properties or depends on them.
    with_attribute: HashSet<NodeId>,
    matched: HashMap<((u32, u32), Option<NodeId>, Option<PseudoElement>), Rc<MatchedDeclarations<'i>>>,
    winners: HashMap<(usize, Situation), Winners<'i>>,
    /// Equal ones are shared, so that their address tells them apart.
    shared_winners: HashMap<WinnersKey, Winners<'i>>,
    children: HashMap<(ContextId, usize, bool), Option<ContextId>>,
    /// The contexts of elements in each situation.
    known: Vec<(Situation, Vec<Option<ContextId>>)>,
}

impl<'r, 'i> ContextReader<'r, 'i> {
    fn new(
        variables: &'r mut CustomProperties<'i>,
        index: &'i StyleIndex<'_>,
        dependent: &'r DependentDeclarations,
    ) -> Self {
        let styles = |(width, theme): (f64, Theme)| {
            let scheme = super::scheme(theme);
            index.styles(&Environment { width, scheme, ..Environment::default() })
        };
        let matters = |own: &AuthoredDeclaration<'_>| is_custom(own) || dependent.contains(own);
        let attributes = index.style_attributes().filter(|(_, declarations)| declarations.iter().any(matters));
        Self {
            with_attribute: attributes.map(|(node, _)| node).collect(),
            variables,
            index,
            dependent,
            environments: ENVIRONMENTS.map(styles).into(),
            matched: HashMap::new(),
            winners: HashMap::new(),
            shared_winners: HashMap::new(),
            children: HashMap::new(),
            known: Vec::new(),
        }
    }

    /// Records the contexts of all elements and their generated content at rest.
    fn read_at_rest(&mut self, found: &mut DeclarationContexts) {
        let index = self.index;
        for (node, _) in index.document().elements() {
            let of_element = PAGE_ENVIRONMENTS.map(|environment| self.context(node, (environment, StateSet::NONE)));
            if of_element.iter().any(|context| *context != Some(PLAIN)) {
                found.of_elements.insert((node, None), of_element);
            }
            let pseudos = index.styled_pseudo_elements(node).into_iter();
            for pseudo in pseudos.filter(|own| matches!(own, PseudoElement::Before | PseudoElement::After)) {
                let matched = self.matched(node, Some(pseudo));
                let mut contexts = of_element;
                for (context, environment) in contexts.iter_mut().zip(PAGE_ENVIRONMENTS) {
                    *context =
                        context.and_then(|context| self.child(context, &matched, (environment, StateSet::NONE), node));
                }
                found.of_elements.insert((node, Some(pseudo)), contexts);
            }
        }
    }

    /// Adds the contexts in which the dependent declarations of an element or pseudo-element apply.
    fn add_uses(&mut self, node: NodeId, pseudo: Option<PseudoElement>, found: &mut DeclarationContexts) {
        let matched = self.matched(node, pseudo);
        for (user, condition, states) in &matched.users {
            for (environment, theme) in self.environments_of(*condition) {
                let Some(context) = self.context(node, (environment, *states)) else { continue };
                let context = match pseudo {
                    None => Some(context),
                    Some(_) => self.child(context, &matched, (environment, *states), node),
                };
                context.into_iter().for_each(|context| found.add(*user, node, (context, theme)));
            }
        }
    }

    /// Returns the environments in which declarations under a condition are looked at, with the theme of those besides
    /// the usual ones.
    fn environments_of(&self, condition: ConditionId) -> Vec<(usize, Option<Theme>)> {
        let holds = |number: &usize| self.environments[*number].condition_holds(condition) != Some(false);
        let mut chosen: Vec<(usize, Option<Theme>)> = (0..2).filter(holds).map(|usual| (usual, None)).collect();
        if chosen.is_empty() {
            chosen.extend((2..ENVIRONMENTS.len()).find(holds).map(|other| (other, None)));
        } else if self.variables.follows_preference() {
            chosen.extend((DARK..ENVIRONMENTS.len()).find(holds).map(|dark| (dark, Some(Theme::Dark))));
        }
        chosen
    }

    fn matched(&mut self, node: NodeId, pseudo: Option<PseudoElement>) -> Rc<MatchedDeclarations<'i>> {
        let own = Some(node).filter(|node| pseudo.is_none() && self.with_attribute.contains(node));
        let key = (self.index.rule_list_id_with_theme(node), own, pseudo);
        if let Some(known) = self.matched.get(&key) {
            return known.clone();
        }
        let mut new = MatchedDeclarations { definitions: Vec::new(), users: Vec::new() };
        let document = self.index.document();
        let is_root = Some(node) == document.document_element() || Some(node) == document.body();
        for candidate in self.index.candidates_with_theme(node, pseudo) {
            if is_custom(&candidate.declaration) {
                // What a theme's selector sets on the root is a default of the theme.
                if !(is_root && candidate.is_in_theme) {
                    let theme = only_theme(self.index, &candidate);
                    let id = self.variables.intern(candidate.declaration.name);
                    let keyword = wide_keyword(candidate.declaration.value);
                    new.definitions.push(CustomDeclaration { id, declaration: candidate, theme, keyword });
                }
            } else if !candidate.is_in_theme && self.dependent.contains(&candidate.declaration) {
                let user = candidate.rule.map_or(User::Attribute, User::Rule);
                let states = states_of(&candidate);
                let new_user = (user, candidate.condition, states);
                if !new.users.contains(&new_user) {
                    new.users.push(new_user);
                }
            }
        }
        let new = Rc::new(new);
        self.matched.insert(key, new.clone());
        new
    }

    /// Returns the place of a situation in `known`; `None` if there are too many.
    fn number_of(&mut self, situation: Situation) -> Option<usize> {
        let known = self.known.iter().position(|(known, _)| *known == situation);
        if known.is_none() && self.known.len() < MAX_SITUATIONS {
            self.known.push((situation, vec![None; self.index.document().len()]));
            return Some(self.known.len() - 1);
        }
        known
    }

    /// Returns the context of an element.
    fn context(&mut self, node: NodeId, situation: Situation) -> Option<ContextId> {
        let number = self.number_of(situation)?;
        if let Some(known) = self.known[number].1[node.index()] {
            return Some(known);
        }
        let (document, flat) = (self.index.document(), self.index.flat_tree());
        let mut chain = vec![node];
        let mut context = None;
        while let Some(parent) = chain.last().and_then(|at| flat.parent(document, *at)) {
            context = self.known[number].1[parent.index()];
            if context.is_some() {
                break;
            }
            chain.push(parent);
        }
        for node in chain.into_iter().rev() {
            let matched = self.matched(node, None);
            let own = match context {
                Some(parent) => self.child(parent, &matched, situation, node)?,
                None => self.first(&matched, situation)?,
            };
            context = Some(own);
            self.known[number].1[node.index()] = context;
        }
        context
    }

    /// Returns the context of the root element.
    fn first(&mut self, matched: &Rc<MatchedDeclarations<'i>>, situation: Situation) -> Option<ContextId> {
        let winners = self.winners(matched, situation);
        self.inherit(ROOT, &winners, true, false)
    }

    /// Returns the context of an element or pseudo-element, given that of its parent.
    fn child(
        &mut self,
        parent: ContextId,
        matched: &Rc<MatchedDeclarations<'i>>,
        situation: Situation,
        node: NodeId,
    ) -> Option<ContextId> {
        let winners = self.winners(matched, situation);
        let is_body = self.index.document().body() == Some(node);
        let key = (parent, Rc::as_ptr(&winners).cast::<u8>() as usize, is_body);
        if let Some(known) = self.children.get(&key) {
            return *known;
        }
        let context = self.inherit(parent, &winners, false, is_body);
        self.children.insert(key, context);
        context
    }

    /// Returns the definitions that win on elements with the same matches.
    fn winners(&mut self, matched: &Rc<MatchedDeclarations<'i>>, situation: Situation) -> Winners<'i> {
        let key = (Rc::as_ptr(matched).cast::<u8>() as usize, situation);
        if let Some(known) = self.winners.get(&key) {
            return known.clone();
        }
        let (environment, states) = situation;
        let applies = |own: &&CustomDeclaration<'i>| {
            let is_of_theme = own.theme.is_none_or(|theme| theme == ENVIRONMENTS[environment].1);
            let is_rolled_back = matches!(own.keyword, Some(CssWide::Revert | CssWide::RevertLayer));
            let holds = || self.environments[environment].condition_holds(own.declaration.condition) != Some(false);
            is_of_theme && !is_rolled_back && own.declaration.matches_under_states(states) && holds()
        };
        // The sort keeps the order of equal ones: the strongest comes first.
        let mut strongest: Vec<CustomDeclaration<'i>> =
            matched.definitions.iter().rev().filter(applies).copied().collect();
        strongest.sort_by_key(|own| own.id);
        strongest.dedup_by_key(|own| own.id);
        let winners = self.share(strongest);
        self.winners.insert(key, winners.clone());
        winners
    }

    fn share(&mut self, winners: Vec<CustomDeclaration<'i>>) -> Winners<'i> {
        let parts = |own: &CustomDeclaration<'i>| {
            (own.id, own.declaration.rule, own.declaration.declaration.value.as_ptr() as usize)
        };
        self.shared_winners.entry(winners.iter().map(parts).collect()).or_insert_with(|| winners.into()).clone()
    }

    /// Returns the context that results from definitions on a child of elements with another context.
    fn inherit(&mut self, parent: ContextId, winners: &Winners<'i>, is_root: bool, is_body: bool) -> Option<ContextId> {
        let of_parent = self.variables.contexts.list(parent);
        let declared = |own: &ElementDefinition<'i>| own.declared_in.or(Some(parent));
        let of_parent =
            of_parent.iter().map(|(id, own)| (*id, ElementDefinition { declared_in: declared(own), ..*own }));
        let mut of_parent = of_parent.peekable();
        let mut list = Vec::with_capacity(of_parent.len() + winners.len());
        // Both are sorted.
        for CustomDeclaration { id, declaration, keyword, .. } in winners.iter() {
            while let Some(other) = of_parent.next_if(|(other, _)| other < id) {
                list.extend(Some(other).filter(|(other, _)| self.variables.inherits(*other)));
            }
            let inherited = of_parent.next_if(|(other, _)| other == id);
            let defined = match keyword {
                Some(CssWide::Inherit) => inherited.map(|(_, own)| own),
                Some(CssWide::Initial) => Some(self.variables.initial_definition(*id)),
                Some(_) if self.variables.inherits(*id) => {
                    list.extend(inherited);
                    continue;
                }
                Some(_) => None,
                None => Some(self.variables.definition_of(declaration, is_body)),
            };
            let defined = defined.filter(|own| !self.variables.is_default(*id, own, is_root));
            list.extend(defined.map(|own| (*id, own)));
        }
        list.extend(of_parent.filter(|(id, _)| self.variables.inherits(*id)));
        self.variables.contexts.intern(list, is_root)
    }
}

impl<'i> CustomProperties<'i> {
    /// Returns true if custom properties depend on the visitor's preference for dark.
    fn follows_preference(&self) -> bool {
        self.scopes[theme_slot(Some(Theme::Dark)) - 1].by_media
    }

    /// Returns true if a custom property inherits.
    pub(super) fn inherits(&self, id: NameId) -> bool {
        !self.properties[id as usize].1.is_uninherited
    }

    fn initial_definition(&self, id: NameId) -> ElementDefinition<'i> {
        let value = self.properties[id as usize].1.registered;
        ElementDefinition { value, declared_in: Some(ROOT), theme: None, is_of_body: false }
    }

    fn definition_of(&self, candidate: &ApplicableDeclaration<'i>, is_of_body: bool) -> ElementDefinition<'i> {
        let value = candidate.declaration.value;
        let declared_in = if value.contains('(') { None } else { Some(ROOT) };
        let theme = candidate.rule.and_then(|rule| self.rule_themes.get(&rule).copied());
        ElementDefinition { value: Some(value), declared_in, theme, is_of_body }
    }

    /// Returns true if a custom property has the same value without the definition.
    fn is_default(&self, id: NameId, own: &ElementDefinition<'i>, is_root: bool) -> bool {
        let property = &self.properties[id as usize].1;
        let default = if is_root || !property.is_uninherited {
            property.root[0].or(property.registered)
        } else {
            property.registered
        };
        let default = default.filter(|value| wide_keyword(value).is_none());
        own.value == default && (is_root || own.declared_in.is_some())
    }
}

/// Returns states under which a declaration applies.
fn states_of(candidate: &ApplicableDeclaration<'_>) -> StateSet {
    let mentioned = candidate.states();
    let alone = mentioned.iter().map(|state| StateSet::NONE.with(state));
    let mut tried = [StateSet::NONE, with_implied(mentioned)].into_iter().chain(alone);
    tried.find(|states| candidate.matches_under_states(*states)).unwrap_or(StateSet::NONE)
}

/// Adds the states that always come along: what has the keyboard's focus has the focus.
fn with_implied(states: StateSet) -> StateSet {
    if states.contains(State::FocusVisible) { states.with(State::Focus).with(State::FocusWithin) } else { states }
}
