//! Finds the scoping roots of `@scope` rules (<https://drafts.csswg.org/css-cascade-6/#scope-scope>).

use crate::selector::{ElementRef, MatchState, StateSet, StyleSelectorImpl};
use crate::sheet::Scope;
use foldhash::HashMap;
use limner_page::{Document, NodeId};
use selectors::matching::{MatchingContext, matches_selector};
use selectors::parser::SelectorList;

/// Maximum number of elements whose roots are remembered.
const MAX_REMEMBERED: usize = 1 << 18;

/// A scope whose roots are searched.
#[derive(Clone, Copy)]
pub(crate) struct ScopeQuery<'a> {
    pub(crate) scope: &'a Scope,
    pub(crate) document: &'a Document,
    pub(crate) walk: &'a MatchState,
}

/// The number of a scope, and the states that are assumed.
type ScopeKey = (u32, StateSet);

type Context<'a> = MatchingContext<'a, StyleSelectorImpl>;

/// The nearest scoping roots found so far. Neighbours share their ancestors, and rules their scopes: without a memory,
/// each rule would walk to the root of the document for each element.
#[derive(Default)]
pub(crate) struct ScopeRoots {
    nearest: HashMap<(ScopeKey, NodeId), Option<NodeId>>,
}

impl ScopeRoots {
    pub(crate) fn clear(&mut self) {
        self.nearest.clear();
    }

    /// Returns the number of steps from an element to the nearest root whose scope contains the element and for which
    /// `matches` holds; `is_relative`: the answer of `matches` depends on the root.
    pub(crate) fn find(
        &mut self,
        key: ScopeKey,
        query: ScopeQuery<'_>,
        node: NodeId,
        is_relative: bool,
        context: &mut Context<'_>,
        matches: impl Fn(&mut Context<'_>) -> bool,
    ) -> Option<u16> {
        if !is_relative && !matches(context) {
            return None;
        }
        let mut from = Some(node);
        while let Some(root) = from.and_then(|from| self.root_of(key, query, node, from, context)) {
            let root_element = ElementRef::new(query.document, root, query.walk)?;
            let opaque = selectors::Element::opaque(&root_element);
            if !is_relative || context.nest_for_scope(Some(opaque), &matches) {
                return Some(query.distance(node, root));
            }
            let is_end = !query.scope.end_refers_to_root && query.is_end(root, context);
            from = query.document.parent(root).filter(|_| !is_end);
        }
        None
    }

    /// Returns the nearest root at `from` or above it whose scope contains `node`.
    fn root_of(
        &mut self,
        key: ScopeKey,
        query: ScopeQuery<'_>,
        node: NodeId,
        from: NodeId,
        context: &mut Context<'_>,
    ) -> Option<NodeId> {
        match query.scope.end_refers_to_root {
            true => query.search_each_root(node, from, context),
            false => self.nearest_root(key, query, from, context),
        }
    }

    /// Returns the nearest root at an element or above it, if the scope does not end between them.
    fn nearest_root(
        &mut self,
        key: ScopeKey,
        query: ScopeQuery<'_>,
        from: NodeId,
        context: &mut Context<'_>,
    ) -> Option<NodeId> {
        let mut passed = Vec::new();
        let mut root = None;
        for at in std::iter::once(from).chain(query.document.ancestors(from)) {
            if let Some(known) = self.nearest.get(&(key, at)) {
                root = *known;
                break;
            }
            passed.push(at);
            if query.is_root(at, context) {
                root = Some(at);
                break;
            }
            if query.is_end(at, context) {
                break;
            }
        }
        if self.nearest.len() + passed.len() > MAX_REMEMBERED {
            self.nearest.clear();
        }
        self.nearest.extend(passed.into_iter().map(|at| ((key, at), root)));
        root
    }
}

impl ScopeQuery<'_> {
    /// Returns true if the element starts the scope.
    fn is_root(self, node: NodeId, context: &mut Context<'_>) -> bool {
        match &self.scope.start {
            Some(start) => context.nest_for_scope_condition(None, |context| self.is_one_of(start, node, context)),
            None => {
                let is_element = self.document.element(node).is_some();
                is_element && self.scope.implicit_root.is_none_or(|implicit| implicit == node)
            }
        }
    }

    /// Returns true if the element ends the scope.
    fn is_end(self, node: NodeId, context: &mut Context<'_>) -> bool {
        self.scope.end.as_ref().is_some_and(|end| self.is_one_of(end, node, context))
    }

    fn is_one_of(self, list: &SelectorList<StyleSelectorImpl>, node: NodeId, context: &mut Context<'_>) -> bool {
        let Some(element) = ElementRef::new(self.document, node, self.walk) else { return false };
        self.walk.count(1);
        list.slice().iter().any(|selector| matches_selector(selector, 0, None, &element, context))
    }

    /// Returns the nearest root at `from` or above it, trying the end of the scope anew for each.
    fn search_each_root(self, node: NodeId, from: NodeId, context: &mut Context<'_>) -> Option<NodeId> {
        let mut roots = std::iter::once(from).chain(self.document.ancestors(from));
        roots.find(|root| {
            let Some(element) = ElementRef::new(self.document, *root, self.walk) else { return false };
            let opaque = selectors::Element::opaque(&element);
            self.is_root(*root, context)
                && context.nest_for_scope(Some(opaque), |context| {
                    let mut between =
                        std::iter::once(node).chain(self.document.ancestors(node)).take_while(|at| at != root);
                    !between.any(|at| self.is_end(at, context))
                })
        })
    }

    /// Returns the number of steps from an element to an ancestor, at most `u16::MAX - 1`.
    fn distance(self, node: NodeId, root: NodeId) -> u16 {
        let mut steps = std::iter::once(node).chain(self.document.ancestors(node));
        u16::try_from(steps.position(|at| at == root).unwrap_or_default())
            .map_or(u16::MAX - 1, |it| it.min(u16::MAX - 1))
    }
}
