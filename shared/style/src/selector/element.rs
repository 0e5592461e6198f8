//! Implements the element interface of the `selectors` crate for elements of a [`Document`].

mod form_controls;

use super::StyleSelectorImpl;
use super::atom::{Atom, AttributeValue, NamespaceUrl};
use super::pseudo::{PseudoClass, PseudoName};
use super::state::{State, StateSet};
use crate::sibling_matching::Assumed;
use form_controls::is_text_like;
use limner_page::dom::{Element, NodeKind};
use limner_page::{Document, NodeId, WorkBudget};
use markup5ever::{LocalName, Namespace, ns};
use selectors::OpaqueElement;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::matching::{ElementSelectorFlags, MatchingContext};
use std::cell::Cell;
use std::fmt;

/// The state of a run of matches: the assumed states and the cost of matching.
#[derive(Debug)]
pub(crate) struct MatchState {
    states: Cell<StateSet>,
    /// The one element for which the states hold; `None` for every element.
    only_element: Cell<Option<NodeId>>,
    /// States that hold for another element at the same time.
    other_element: Cell<Option<(StateSet, NodeId)>>,
    /// The radio button that is unchecked because another one of its group is checked.
    unchecked: Cell<Option<NodeId>>,
    /// Number of steps from element to element so far.
    steps: Cell<u64>,
    /// Cost of matching since it was last charged: elements and simple selectors visited.
    work: Cell<u64>,
    /// Maximum cost until it is next charged.
    max_work: Cell<u64>,
    /// Number of cache lookups of elements by the `selectors` crate.
    lookups: Cell<u64>,
}

impl MatchState {
    /// Creates a state whose matches cost at most what is left of a budget.
    pub(crate) fn new(budget: &WorkBudget) -> Self {
        let (states, only_element, max_work) = (Cell::new(StateSet::NONE), Cell::new(None), Cell::new(budget.steps()));
        let (other_element, unchecked) = (Cell::default(), Cell::default());
        let (steps, work, lookups) = (Cell::default(), Cell::default(), Cell::default());
        Self { states, only_element, other_element, unchecked, steps, work, max_work, lookups }
    }

    /// Assumes these states from now on.
    pub(crate) fn assume(&self, states: StateSet) {
        self.states.set(states);
    }

    /// Assumes the states for this element alone, or for every element again.
    pub(crate) fn assume_only_for(&self, at: Option<NodeId>) {
        self.only_element.set(at);
    }

    /// Assumes states for another element as well.
    pub(crate) fn assume_for_other(&self, acted: Option<(StateSet, NodeId)>) {
        self.other_element.set(acted);
    }

    /// Assumes that a radio button is unchecked, or none.
    pub(crate) fn assume_unchecked(&self, at: Option<NodeId>) {
        self.unchecked.set(at);
    }

    /// Returns the elements for which the states are assumed while a selector is matched against `subject`; `None` if what
    /// earlier siblings see depends on more.
    pub(crate) fn assumed_for(&self, subject: NodeId, contains_has: bool) -> Option<Assumed> {
        match self.only_element.get() {
            None => Some(Assumed::Everywhere),
            // Inside of `:has()`, an earlier sibling sees the subject.
            Some(at) if at == subject => (!contains_has).then_some(Assumed::AtSubject),
            Some(at) => Some(Assumed::At(at)),
        }
    }

    /// Returns true if `state` holds for `node`. Hover, active and focus-within also hold for all ancestors of an
    /// element in that state (Selectors 4, section 9).
    fn is_in_state(&self, state: State, node: NodeId, document: &Document) -> bool {
        let spreads = matches!(state, State::Hover | State::Active | State::FocusWithin);
        let is_at = |at: NodeId| at == node || (spreads && document.is_inclusive_descendant(at, node));
        self.states.get().contains(state) && self.only_element.get().is_none_or(is_at)
            || self.other_element.get().is_some_and(|(states, at)| states.contains(state) && is_at(at))
            || (state == State::Checked && self.unchecked.get() == Some(node))
    }

    /// Returns the number of steps from element to element of all matches so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Counts a step to another element; returns `None` if the budget is exceeded. A match that fails for this reason is no
    /// answer: charging the cost then exhausts the budget of the page, which the extraction reports.
    pub(crate) fn step(&self) -> Option<()> {
        self.count(1);
        self.steps.set(self.steps.get() + 1);
        (!self.exceeds_max_cost()).then_some(())
    }

    /// Adds to the cost of matching.
    pub(crate) fn count(&self, work: usize) {
        self.work.set(self.work.get() + work as u64);
    }

    /// Returns true if the cost has reached its maximum.
    pub(crate) fn exceeds_max_cost(&self) -> bool {
        self.work.get() >= self.max_work.get()
    }

    /// Charges the cost of matching to a budget, and limits later matches to what is left of it.
    pub(crate) fn charge(&self, budget: &WorkBudget) {
        budget.spend(self.work.replace(0));
        self.max_work.set(budget.steps());
    }

    /// Returns the number of lookups, and resets it.
    pub(crate) fn reset_lookups(&self) -> u64 {
        self.lookups.replace(0)
    }
}

/// An element in its document.
#[derive(Clone, Copy)]
pub(crate) struct ElementRef<'a> {
    document: &'a Document,
    node: NodeId,
    element: &'a Element,
    walk: &'a MatchState,
}

impl fmt::Debug for ElementRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} #{}>", self.element.name(), self.node.index())
    }
}

impl<'a> ElementRef<'a> {
    pub(crate) fn new(document: &'a Document, node: NodeId, walk: &'a MatchState) -> Option<Self> {
        Some(Self { document, node, element: document.element(node)?, walk })
    }

    fn element_at(&self, node: NodeId) -> Option<Self> {
        self.walk.step()?;
        Self::new(self.document, node, self.walk)
    }

    pub(crate) fn node(&self) -> NodeId {
        self.node
    }

    fn name(&self) -> &'a str {
        self.element.name()
    }

    /// Returns true if an element of a page at rest is in a state that markup expresses; `None` if it can never be in
    /// it.
    pub(crate) fn is_in_state_at_rest(&self, state: State) -> Option<bool> {
        match state {
            State::Checked => self.has_state(state).then(|| self.is_checked()),
            State::Disabled => self.is_form_control().then(|| self.is_disabled()),
            State::Open => self.has_state(state).then(|| self.is_open()),
            State::PlaceholderShown => self.has_placeholder().then(|| self.placeholder_shown()),
            State::Valid => self.validity().filter(|_| self.has_state(state)),
            _ => None,
        }
    }

    /// Returns the ancestors, from the inside out, and counts each.
    fn ancestors(&self) -> impl Iterator<Item = NodeId> + 'a {
        let walk = self.walk;
        self.document.ancestors(self.node).inspect(|_| walk.count(1))
    }

    /// Returns the descendants of a node, and counts each.
    fn descendants(&self, of: NodeId) -> impl Iterator<Item = NodeId> + 'a {
        let walk = self.walk;
        self.document.descendants(of).inspect(|_| walk.count(1))
    }

    /// Returns the next element in a direction.
    fn next_element(&self, next: impl Fn(&Document, NodeId) -> Option<NodeId>) -> Option<Self> {
        let mut node = self.node;
        loop {
            node = next(self.document, node)?;
            self.walk.step()?;
            if let Some(found) = Self::new(self.document, node, self.walk) {
                return Some(found);
            }
        }
    }

    fn has_attribute(&self, attribute: &str) -> bool {
        self.walk.count(1 + self.element.attributes().len() / 16);
        self.element.attr(attribute).is_some()
    }

    /// Returns true if the attribute of a state is present, or absent while the assumed states invert it.
    fn is_set(&self, state: State) -> bool {
        self.has_attribute(state.name()) != self.is_inverted_by_states(state)
    }

    /// Returns true if an element can be in a state that markup expresses.
    fn has_state(&self, state: State) -> bool {
        match state {
            State::Checked => self.name() == "input" && matches!(self.input_type().as_str(), "checkbox" | "radio"),
            State::Disabled => self.is_form_control(),
            State::Open => matches!(self.name(), "details" | "dialog"),
            State::PlaceholderShown => self.has_placeholder(),
            State::Valid => matches!(self.name(), "input" | "select" | "textarea"),
            _ => false,
        }
    }

    fn is_form_control(&self) -> bool {
        self.element.in_html()
            && matches!(self.name(), "button" | "input" | "select" | "textarea" | "optgroup" | "option" | "fieldset")
    }

    /// HTML, "concept-fe-disabled".
    fn is_disabled(&self) -> bool {
        if !self.is_form_control() {
            return false;
        }
        if self.is_set(State::Disabled) {
            return true;
        }
        let ancestors = || self.ancestors().filter_map(|n| Some((n, self.document.element(n)?)));
        if self.name() == "option" {
            let group = self.document.parent(self.node).and_then(|parent| self.document.element(parent));
            return group.is_some_and(|group| group.is_html("optgroup") && group.attr("disabled").is_some());
        }
        let mut fieldsets = ancestors().filter(|(_, e)| e.is_html("fieldset") && e.attr("disabled").is_some());
        fieldsets.any(|(fieldset, _)| !self.is_in_first_legend(fieldset))
    }

    fn is_in_first_legend(&self, fieldset: NodeId) -> bool {
        let legend = self.document.child_elements(fieldset).find(|(_, e)| e.is_html("legend"));
        legend.is_some_and(|(legend, _)| self.document.is_inclusive_descendant(self.node, legend))
    }

    fn input_type(&self) -> String {
        self.element.attr("type").unwrap_or("text").to_ascii_lowercase()
    }

    fn is_read_write(&self) -> bool {
        let editable = || {
            let own = std::iter::once(self.node).chain(self.ancestors());
            let mut values = own.filter_map(|n| self.document.element(n)?.attr("contenteditable"));
            values.next().is_some_and(|value| !value.eq_ignore_ascii_case("false"))
        };
        match self.name() {
            "textarea" => !self.has_attribute("readonly") && !self.is_disabled(),
            "input" => is_text_like(&self.input_type()) && !self.has_attribute("readonly") && !self.is_disabled(),
            _ => editable(),
        }
    }

    fn is_checked(&self) -> bool {
        match self.name() {
            "input" => self.has_state(State::Checked) && self.is_set(State::Checked),
            "option" => self.has_attribute("selected") || self.is_first_option(),
            _ => false,
        }
    }

    /// Returns true for the first option of a drop-down list, which shows it if none is selected.
    fn is_first_option(&self) -> bool {
        let parent = self.ancestors().find(|n| self.document.element(*n).is_some_and(|e| e.is_html("select")));
        let Some(select) = parent else { return false };
        let shows_list =
            self.document.element(select).is_some_and(|e| e.attr("multiple").is_some() || e.attr("size").is_some());
        if shows_list {
            return false;
        }
        let options = || {
            let nodes = self.descendants(select).take(1_000);
            nodes.filter_map(|n| Some((n, self.document.element(n)?))).filter(|(_, e)| e.is_html("option"))
        };
        let selected = options().any(|(_, option)| option.attr("selected").is_some());
        !selected && options().next().is_some_and(|(first, _)| first == self.node)
    }

    fn is_indeterminate(&self) -> bool {
        self.element.is_html("progress") && !self.has_attribute("value")
    }

    /// Returns true if the assumed states invert the state in the markup.
    fn is_inverted_by_states(&self, state: State) -> bool {
        self.has_state(state) && self.walk.is_in_state(state, self.node, self.document)
    }

    fn language_matches(&self, ranges: &[Box<str>]) -> bool {
        let own = std::iter::once(self.node).chain(self.ancestors());
        let mut declared = own.filter_map(|n| self.document.element(n)).filter_map(|e| {
            let xml =
                || e.attributes().iter().find(|a| a.name.ns == ns!(xml) && &*a.name.local == "lang").map(|a| &*a.value);
            xml().or_else(|| e.attr("lang"))
        });
        let Some(language) = declared.next() else { return false };
        ranges.iter().any(|range| extended_filter(range, language))
    }

    fn direction(&self) -> &'static str {
        let own = std::iter::once(self.node).chain(self.ancestors());
        for element in own.filter_map(|n| self.document.element(n)) {
            match element.attr("dir").map(str::to_ascii_lowercase).as_deref() {
                Some("rtl") => return "rtl",
                Some("ltr") => return "ltr",
                _ => {}
            }
        }
        "ltr"
    }

    fn is_open(&self) -> bool {
        self.has_state(State::Open) && self.is_set(State::Open)
    }

    /// Returns false for custom elements (a hyphen in the name, or `is`), which stay undefined without scripts.
    fn is_defined(&self) -> bool {
        let is_custom = (self.element.in_html() && self.name().contains('-')) || self.has_attribute("is");
        !is_custom
    }

    fn shadow_host(&self) -> Option<NodeId> {
        let root = self.ancestors().find(|n| matches!(self.document.kind(*n), NodeKind::ShadowRoot))?;
        self.document.parent(root)
    }
}

/// RFC 4647, extended filtering.
fn extended_filter(range: &str, language: &str) -> bool {
    if range.is_empty() {
        return language.is_empty();
    }
    let mut subtags = language.split('-');
    let mut wanted = range.split('-').peekable();
    let first = wanted.next().unwrap_or_default();
    let Some(primary) = subtags.next() else { return false };
    if first != "*" && !first.eq_ignore_ascii_case(primary) {
        return false;
    }
    while let Some(want) = wanted.peek() {
        if *want == "*" {
            wanted.next();
            continue;
        }
        match subtags.next() {
            None => return false,
            Some(subtag) if subtag.eq_ignore_ascii_case(want) => {
                wanted.next();
            }
            Some(subtag) if subtag.len() == 1 => return false,
            Some(_) => {}
        }
    }
    true
}

impl<'a> selectors::Element for ElementRef<'a> {
    type Impl = StyleSelectorImpl;

    fn opaque(&self) -> OpaqueElement {
        self.walk.lookups.set(self.walk.lookups.get() + 1);
        self.walk.count(2);
        OpaqueElement::new(self.element)
    }

    fn parent_element(&self) -> Option<Self> {
        let parent = self.document.parent(self.node)?;
        self.element_at(parent)
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        self.document.parent(self.node).is_some_and(|n| matches!(self.document.kind(n), NodeKind::ShadowRoot))
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        self.element_at(self.shadow_host()?)
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.next_element(Document::previous_sibling)
    }

    fn next_sibling_element(&self) -> Option<Self> {
        self.next_element(Document::next_sibling)
    }

    fn first_element_child(&self) -> Option<Self> {
        let mut children = self.document.children(self.node).inspect(|_| self.walk.count(1));
        self.element_at(children.find(|child| self.document.element(*child).is_some())?)
    }

    fn is_html_element_in_html_document(&self) -> bool {
        self.element.in_html()
    }

    fn has_local_name(&self, name: &LocalName) -> bool {
        self.walk.count(1);
        self.element.local_name() == name
    }

    fn has_namespace(&self, namespace: &Namespace) -> bool {
        self.element.namespace() == namespace
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.element.local_name() == other.element.local_name() && self.element.namespace() == other.element.namespace()
    }

    fn attr_matches(
        &self,
        namespace: &NamespaceConstraint<&NamespaceUrl>,
        name: &Atom,
        operation: &AttrSelectorOperation<&AttributeValue>,
    ) -> bool {
        if matches!(operation, AttrSelectorOperation::Exists)
            && let Some(state) = State::from_attribute(&name.0)
        {
            return self.is_set(state);
        }
        self.walk.count(1 + self.element.attributes().len() / 16);
        self.element.attributes().iter().any(|attribute| {
            let in_namespace = match namespace {
                NamespaceConstraint::Any => true,
                NamespaceConstraint::Specific(wanted) => attribute.name.ns == wanted.0,
            };
            let is_meant = in_namespace && attribute.name.local == name.0;
            self.walk.count(if is_meant { attribute.value.len() / 64 } else { 0 });
            is_meant && operation.eval_str(&attribute.value)
        })
    }

    fn match_non_ts_pseudo_class(&self, class: &PseudoClass, context: &mut MatchingContext<StyleSelectorImpl>) -> bool {
        let _ = context;
        self.walk.count(2);
        match class {
            PseudoClass::State(state) => {
                let needs_link = *state == super::State::Visited;
                self.walk.is_in_state(*state, self.node, self.document) && (!needs_link || self.is_link())
            }
            PseudoClass::Link(name) => {
                let visited = self.walk.is_in_state(State::Visited, self.node, self.document);
                self.is_link() && !(visited && *name == "link")
            }
            PseudoClass::Checked => self.is_checked(),
            PseudoClass::Disabled => self.is_disabled(),
            PseudoClass::Enabled => self.is_form_control() && !self.is_disabled(),
            PseudoClass::Required => self.supports_required() && self.has_attribute("required"),
            PseudoClass::Optional => self.supports_required() && !self.has_attribute("required"),
            PseudoClass::ReadWrite => self.is_read_write(),
            PseudoClass::ReadOnly => !self.is_read_write(),
            PseudoClass::PlaceholderShown => self.placeholder_shown(),
            PseudoClass::Indeterminate => self.is_indeterminate(),
            PseudoClass::Default => self.is_default(),
            PseudoClass::Valid => self.validity() == Some(true),
            PseudoClass::Invalid => self.validity() == Some(false),
            PseudoClass::InRange => self.range() == Some(true),
            PseudoClass::OutOfRange => self.range() == Some(false),
            PseudoClass::Defined => self.is_defined(),
            PseudoClass::Open => self.is_open(),
            PseudoClass::Lang(ranges) => self.language_matches(ranges),
            PseudoClass::Dir(direction) => &**direction == self.direction(),
            PseudoClass::Heading => {
                self.element.in_html() && matches!(self.name(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
            }
            PseudoClass::Muted => matches!(self.name(), "audio" | "video") && self.has_attribute("muted"),
            PseudoClass::HostContext(_) | PseudoClass::CustomState(_) | PseudoClass::Never(_) => false,
        }
    }

    fn match_pseudo_element(&self, _: &PseudoName, _: &mut MatchingContext<StyleSelectorImpl>) -> bool {
        false
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        let links = matches!(self.name(), "a" | "area") && (self.element.in_html() || self.element.in_svg());
        links && self.element.href().is_some()
    }

    fn is_html_slot_element(&self) -> bool {
        self.element.is_html("slot")
    }

    fn assigned_slot(&self) -> Option<Self> {
        let host = self.document.parent(self.node)?;
        let root = self.document.shadow_root(host)?;
        let wanted = self.element.attr("slot").unwrap_or_default();
        let slot = self.document.light_descendants(root).inspect(|_| self.walk.count(1)).find(|node| {
            let slot = self.document.element(*node).filter(|e| e.is_html("slot"));
            slot.is_some_and(|slot| slot.attr("name").unwrap_or_default() == wanted)
        })?;
        self.element_at(slot)
    }

    fn has_id(&self, id: &Atom, case: CaseSensitivity) -> bool {
        self.walk.count(1);
        self.element.id().is_some_and(|own| case.eq(own.as_bytes(), id.as_str().as_bytes()))
    }

    fn has_class(&self, class: &Atom, case: CaseSensitivity) -> bool {
        self.walk.count(1 + self.element.classes().len() / 16);
        match case {
            CaseSensitivity::CaseSensitive => self.element.classes().contains(&class.0),
            CaseSensitivity::AsciiCaseInsensitive => {
                self.element.classes().iter().any(|own| own.eq_ignore_ascii_case(&class.0))
            }
        }
    }

    fn has_custom_state(&self, _: &Atom) -> bool {
        false
    }

    fn imported_part(&self, _: &Atom) -> Option<Atom> {
        None
    }

    fn is_part(&self, name: &Atom) -> bool {
        let parts = self.element.attr("part").unwrap_or_default();
        self.walk.count(1 + parts.len() / 8);
        parts.split_ascii_whitespace().any(|part| part == name.as_str())
    }

    fn is_empty(&self) -> bool {
        self.document.children(self.node).inspect(|_| self.walk.count(1)).all(|child| match self.document.kind(child) {
            NodeKind::Element(_) => false,
            NodeKind::Text(text) => text.is_empty(),
            _ => true,
        })
    }

    fn is_root(&self) -> bool {
        self.document.parent(self.node).is_some_and(|parent| parent == self.document.root())
    }

    fn add_element_unique_hashes(&self, filter: &mut BloomFilter) -> bool {
        add_hashes(self.element, |hash| filter.insert_hash(hash & selectors::bloom::BLOOM_HASH_MASK));
        true
    }
}

/// Passes the hashes of an element for the ancestor Bloom filter to `add`.
pub(crate) fn add_hashes(element: &Element, mut add: impl FnMut(u32)) {
    use precomputed_hash::PrecomputedHash;
    add(element.local_name().precomputed_hash());
    add(element.namespace().precomputed_hash());
    if let Some(id) = element.id() {
        add(id.precomputed_hash());
    }
    for class in element.classes() {
        add(class.precomputed_hash());
    }
}
