//! The interaction states that a selector depends on, and the anchors of its `:has()`.

use super::pseudo::PseudoClass;
use super::{Atom, State, StateSet, StyleSelectorImpl};
use limner_page::dom::Element;
use selectors::parser::{Combinator, Component, Selector};

/// Returns every state mentioned anywhere in a selector.
pub(crate) fn mentioned_states(selector: &Selector<StyleSelectorImpl>) -> StateSet {
    let mut found = StateDependencies::default();
    collect(selector, false, &mut found);
    found.required_states.iter().chain(found.excluded.iter()).collect()
}

/// Returns true if one element must be in a state that another must not be in: `ul:hover li:not(:hover)`.
pub(crate) fn distinguishes_elements(selector: &Selector<StyleSelectorImpl>) -> bool {
    let mut found = StateDependencies::default();
    collect(selector, false, &mut found);
    found.required_states.iter().any(|state| found.excluded.contains(state))
}

#[derive(Default)]
struct StateDependencies {
    required_states: StateSet,
    /// States inside of `:not()`.
    excluded: StateSet,
}

/// Collects the states of a selector. Parsing caps the nesting, so the recursion is bounded.
fn collect(selector: &Selector<StyleSelectorImpl>, is_excluded: bool, found: &mut StateDependencies) {
    let states = if is_excluded { &mut found.excluded } else { &mut found.required_states };
    for state in selector.iter_raw_match_order().filter_map(state_dependency) {
        *states = states.with(state);
    }
    for component in selector.iter_raw_match_order() {
        let is_excluded = is_excluded != matches!(component, Component::Negation(_));
        argument_selectors(component).for_each(|inner| collect(inner, is_excluded, found));
    }
}

/// Returns the state that a simple selector depends on.
fn state_dependency(component: &Component<StyleSelectorImpl>) -> Option<State> {
    match component {
        Component::NonTSPseudoClass(PseudoClass::State(state)) => Some(*state),
        Component::NonTSPseudoClass(PseudoClass::Link("link")) => Some(State::Visited),
        Component::NonTSPseudoClass(PseudoClass::Checked) => Some(State::Checked),
        Component::NonTSPseudoClass(PseudoClass::Disabled | PseudoClass::Enabled) => Some(State::Disabled),
        Component::NonTSPseudoClass(PseudoClass::Open) => Some(State::Open),
        Component::NonTSPseudoClass(PseudoClass::PlaceholderShown) => Some(State::PlaceholderShown),
        Component::NonTSPseudoClass(PseudoClass::Valid | PseudoClass::Invalid) => Some(State::Valid),
        Component::AttributeInNoNamespaceExists { local_name, .. } => State::from_attribute(&local_name.0),
        _ => None,
    }
}

/// A prefilter for elements whose state counts: name, id and classes of a compound selector.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CompoundPrefilter {
    name: Option<Atom>,
    id: Option<Atom>,
    classes: Vec<Atom>,
    /// True if the compound mentions a state.
    has_state: bool,
}

impl CompoundPrefilter {
    /// Returns true if an element may match; comparison ignores case.
    pub(crate) fn may_match(&self, element: &Element) -> bool {
        let is = |own: &str, wanted: &Atom| own.eq_ignore_ascii_case(wanted.as_str());
        self.name.as_ref().is_none_or(|name| is(element.name(), name))
            && self.id.as_ref().is_none_or(|id| element.id().is_some_and(|own| is(own, id)))
            && self.classes.iter().all(|class| element.classes().iter().any(|own| is(own, class)))
    }

    /// Adds a simple selector; `has_state`: it mentions a state, possibly inside its arguments.
    fn add(&mut self, component: &Component<StyleSelectorImpl>, has_state: bool) {
        self.has_state |= has_state;
        match component {
            Component::LocalName(name) => self.name = Some(name.lower_name.clone()),
            Component::ID(id) => self.id = Some(id.clone()),
            Component::Class(class) => self.classes.push(class.clone()),
            _ => {}
        }
    }
}

/// Returns the compounds inside of `:has()` that mention states.
pub(crate) fn has_argument_compounds(selector: &Selector<StyleSelectorImpl>) -> Vec<CompoundPrefilter> {
    let mut found = Vec::new();
    collect_has_compounds(selector, false, &mut found);
    found
}

/// Returns true if there is a `:has()` anywhere in a selector.
pub(crate) fn contains_has(selector: &Selector<StyleSelectorImpl>) -> bool {
    let mut components = selector.iter_raw_match_order();
    components
        .any(|component| matches!(component, Component::Has(_)) || argument_selectors(component).any(contains_has))
}

/// Returns true if there is a `:scope` anywhere in a selector, written or implied.
pub(crate) fn refers_to_scope(selector: &Selector<StyleSelectorImpl>) -> bool {
    selector.iter_raw_match_order().any(|component| {
        matches!(component, Component::Scope | Component::ImplicitScope | Component::ParentSelector)
            || argument_selectors(component).any(refers_to_scope)
    })
}

/// The anchor of the state-dependent `:has()` in a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HasScopeSelector {
    /// The selector has no such `:has()`.
    Nowhere,
    /// The element itself: its descendants and later siblings are searched.
    Itself,
    /// An ancestor of the element, which must pass one of these prefilters.
    Ancestor(Box<[CompoundPrefilter]>),
    /// Siblings too.
    Anywhere,
}

/// Returns the anchor of the state-dependent `:has()` in a selector.
pub(crate) fn has_scope(selector: &Selector<StyleSelectorImpl>) -> HasScopeSelector {
    let (mut compound, mut looks) = (CompoundPrefilter::default(), false);
    let (mut around, mut from_itself, mut is_first, mut over_siblings) = (Vec::new(), false, true, false);
    let end = std::iter::once(None);
    for component in selector.iter_raw_match_order().map(Some).chain(end) {
        if let Some(component) = component.filter(|own| !matches!(own, Component::Combinator(_))) {
            let mut inner = Vec::new();
            let has_state = collect_component_compounds(component, false, &mut inner);
            compound.add(component, has_state);
            looks |= !inner.is_empty();
            continue;
        }
        let own = std::mem::take(&mut compound);
        if std::mem::take(&mut looks) {
            if over_siblings {
                return HasScopeSelector::Anywhere;
            }
            from_itself |= is_first;
            around.extend((!is_first).then_some(own));
        }
        is_first &= component.is_some_and(|own| matches!(own, Component::Combinator(Combinator::PseudoElement)));
        over_siblings |= component.is_some_and(|own| matches!(own, Component::Combinator(joint) if joint.is_sibling()));
    }
    match (from_itself, around.is_empty()) {
        (false, true) => HasScopeSelector::Nowhere,
        (true, true) => HasScopeSelector::Itself,
        (false, false) => HasScopeSelector::Ancestor(around.into()),
        (true, false) => HasScopeSelector::Anywhere,
    }
}

/// Adds the compounds inside of `:has()` that mention states; returns true if the selector mentions any state. Parsing
/// caps the nesting, so the recursion is bounded.
fn collect_has_compounds(
    selector: &Selector<StyleSelectorImpl>,
    is_inside: bool,
    found: &mut Vec<CompoundPrefilter>,
) -> bool {
    let (mut compound, mut has_state) = (CompoundPrefilter::default(), false);
    let mut end = |compound: &mut CompoundPrefilter, found: &mut Vec<CompoundPrefilter>| {
        has_state |= compound.has_state;
        found.extend(Some(std::mem::take(compound)).filter(|own| is_inside && own.has_state));
    };
    for component in selector.iter_raw_match_order() {
        if matches!(component, Component::Combinator(_)) {
            end(&mut compound, found);
        } else {
            let has_state = collect_component_compounds(component, is_inside, found);
            compound.add(component, has_state);
        }
    }
    end(&mut compound, found);
    has_state
}

/// Does the same for a simple selector.
fn collect_component_compounds(
    component: &Component<StyleSelectorImpl>,
    is_inside: bool,
    found: &mut Vec<CompoundPrefilter>,
) -> bool {
    let enters = matches!(component, Component::Has(_));
    let mut has_state = state_dependency(component).is_some();
    for inner in argument_selectors(component) {
        // An argument without combinators belongs to the surrounding compound, which is added as a whole.
        let is_other = enters || inner.iter_raw_match_order().any(|own| matches!(own, Component::Combinator(_)));
        has_state |= collect_has_compounds(inner, enters || (is_inside && is_other), found);
    }
    has_state
}

/// Returns the selectors in the arguments of a functional pseudo-class.
fn argument_selectors(
    component: &Component<StyleSelectorImpl>,
) -> Box<dyn Iterator<Item = &Selector<StyleSelectorImpl>> + '_> {
    match component {
        Component::Is(list) | Component::Where(list) | Component::Negation(list) => Box::new(list.slice().iter()),
        Component::Has(list) => Box::new(list.iter().map(|inner| &inner.selector)),
        Component::NthOf(nth) => Box::new(nth.selectors().iter()),
        Component::Slotted(inner) | Component::Host(Some(inner)) => Box::new(std::iter::once(inner)),
        _ => Box::new(std::iter::empty()),
    }
}
