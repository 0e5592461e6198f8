//! The cascade: from matching rules to computed values (Cascade 5).

mod background_layers;
pub(crate) mod cascade_order;
mod component_values;
mod compute;
mod compute_context;
mod computed_style;
mod container;
mod container_chain;
mod custom_functions;
mod custom_properties;
mod custom_property_map;
mod element_values;
mod filled_animations;
mod fluid_rem;
mod fonts;
mod gradient;
mod initial_values;
mod list_values;
mod position;
mod specified;
mod string_interner;
mod style_adjustments;
mod style_computation;
mod style_sharing;
mod substitution;
mod transform;
mod value_source;
mod variable_references;
mod winners;

pub use computed_style::ComputedStyle;
pub use container::AssumedContainers;
pub(crate) use custom_functions::CustomFunctions;
pub(crate) use filled_animations::Keyframes;
pub use specified::{SpecifiedStyle, SpecifiedValue};
pub use substitution::ValueTemplate;
pub use value_source::ValueSource;
pub use variable_references::{Variable, VariableKind};

use crate::condition::{Conditions, Evaluated};
use crate::environment::Environment;
use crate::index::{Entry, Match, StyleIndex};
use crate::property::Longhand;
use crate::selector::{Atom, PseudoElement};
use crate::sheet::{DeclarationMeaning, Layers, Origin};
use crate::value::{parse_components, serialize_exact};
use crate::value_features;
use cascade_order::CascadeKey;
pub(crate) use cascade_order::{AppliedDeclaration, DeclarationBlock, DeclarationSource, ordered};
use element_values::ElementValues;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use limner_page::NodeId;
use std::sync::Arc;
use string_interner::StringInterner;
use style_computation::{CascadeOutcome, PendingCache, StyleComputation};
use style_sharing::StyleSharingCache;

/// Styles of a document in one environment, computed on demand and cached.
pub struct Styles<'i> {
    index: &'i StyleIndex<'i>,
    environment: Environment,
    pub(crate) holds: Vec<Evaluated>,
    assumed: AssumedContainers,
    computed: Vec<Option<Arc<ComputedStyle>>>,
    pseudo: HashMap<(NodeId, PseudoElement), Option<Arc<ComputedStyle>>>,
    /// Elements with the same parent style and the same rules share one style.
    shared: HashMap<MatchSharingKey, Arc<ComputedStyle>>,
    specifications: StyleSharingCache<SpecifiedStyle>,
    /// Computed styles below another parent than the document's.
    reparented: StyleSharingCache<Arc<ComputedStyle>>,
    texts: StringInterner,
    root: Option<Arc<ComputedStyle>>,
    /// Custom properties that specified values keep as `var()`, with placeholders for the time of computing.
    preserved: Vec<(Atom, Arc<str>)>,
    /// Custom properties to which specified values refer.
    variables: Vec<variable_references::VariableReference>,
    /// The root's font size, if it depends on the viewport.
    fluid_root: std::cell::OnceCell<Option<crate::value::component::Component>>,
}

/// By index in the node's list of matches: whether a selector matches; `None` leaves it to the environment's states.
type MatchOverrides<'o> = &'o dyn Fn(usize) -> Option<bool>;

type MatchSharingKey = (usize, u32, markup5ever::LocalName, bool);

impl<'i> Styles<'i> {
    pub(crate) fn new(index: &'i StyleIndex<'i>, environment: &Environment, assumed: AssumedContainers) -> Self {
        Self {
            index,
            environment: environment.clone(),
            holds: index.sheets.conditions.evaluate(environment),
            assumed,
            computed: Vec::new(),
            pseudo: HashMap::new(),
            shared: HashMap::new(),
            specifications: StyleSharingCache::default(),
            reparented: StyleSharingCache::default(),
            texts: StringInterner::new(index.document.work_budget()),
            root: None,
            preserved: Vec::new(),
            variables: Vec::new(),
            fluid_root: std::cell::OnceCell::new(),
        }
    }

    pub(crate) fn index(&self) -> &'i StyleIndex<'i> {
        self.index
    }

    /// The environment.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Returns an element's computed style; `None` for nodes that are no elements, and for elements outside the flat
    /// tree (fallback content of `video`, unslotted children of a shadow host).
    pub fn get(&mut self, node: NodeId) -> Option<Arc<ComputedStyle>> {
        self.index.document.element(node)?;
        // Not before the first style: some callers only want to know which conditions hold.
        if self.computed.is_empty() {
            self.computed.resize(self.index.document.len(), None);
        }
        if let Some(known) = &self.computed[node.index()] {
            return Some(known.clone());
        }
        let mut chain = vec![node];
        let mut at = node;
        loop {
            if is_outside_flat_tree(self.index, at) {
                return None;
            }
            let Some(parent) = self.index.flat.parent(self.index.document, at) else { break };
            if self.computed[parent.index()].is_some() {
                break;
            }
            chain.push(parent);
            at = parent;
        }
        for node in chain.into_iter().rev() {
            let style = self.element(node);
            self.computed[node.index()] = Some(style);
        }
        self.computed[node.index()].clone()
    }

    /// Returns the computed style of a pseudo-element; `None` if it generates no box (`::before` without content).
    pub fn pseudo(&mut self, node: NodeId, pseudo: PseudoElement) -> Option<Arc<ComputedStyle>> {
        if let Some(known) = self.pseudo.get(&(node, pseudo)) {
            return known.clone();
        }
        let element = self.get(node)?;
        let is_possible = if is_generated(pseudo) {
            self.index.may_generate_content(node, pseudo)
        } else {
            self.index.matches_for(node).iter().any(|m| self.index.entries[m.entry as usize].pseudo == Some(pseudo))
        };
        // Most elements have none, which is not worth caching.
        if !is_possible {
            return None;
        }
        let style = self.pseudo_style(node, pseudo, &element);
        self.pseudo.insert((node, pseudo), style.clone());
        style
    }

    fn pseudo_style(
        &self,
        node: NodeId,
        pseudo: PseudoElement,
        element: &Arc<ComputedStyle>,
    ) -> Option<Arc<ComputedStyle>> {
        let style = self.compute(node, Some(element), Some(pseudo), &|_| None);
        let content = style.get(Longhand::Content);
        self.index.document.work_budget().reserve_bytes(style.unshared_bytes(Some(element)));
        (!is_generated(pseudo) || !matches!(content, "none" | "normal")).then(|| Arc::new(style))
    }

    fn element(&mut self, node: NodeId) -> Arc<ComputedStyle> {
        let document = self.index.document;
        let parent = self.index.flat.parent(document, node).and_then(|parent| self.computed[parent.index()].clone());
        let list = self.index.list_of[node.index()];
        let own = self.index.inline.contains_key(&node)
            || self.index.hints.contains_key(&node)
            || self.index.start_states.contains(node)
            || self.index.value_features.by_element;
        let Some(element) = document.element(node) else {
            return Arc::new(ComputedStyle::initial(&self.environment, &self.index.digits));
        };
        let parent_key = parent.as_ref().map_or(0, |parent| Arc::as_ptr(parent) as usize);
        let key = (parent_key, list, element.local_name().clone(), element.in_html());
        if !own && let Some(shared) = self.shared.get(&key) {
            return shared.clone();
        }
        let style = Arc::new(self.compute(node, parent.as_ref(), None, &|_| None));
        document.work_budget().reserve_bytes(style.unshared_bytes(parent.as_deref()));
        if !own {
            self.shared.insert(key, style.clone());
        }
        if self.root.is_none() && parent.is_none() {
            self.root = Some(style.clone());
        }
        style
    }

    fn compute(
        &self,
        node: NodeId,
        parent: Option<&Arc<ComputedStyle>>,
        pseudo: Option<PseudoElement>,
        holds: MatchOverrides<'_>,
    ) -> ComputedStyle {
        self.compute_blocks(node, parent, pseudo, self.blocks(node, parent, pseudo, holds))
    }

    /// Computes a style from its blocks, weakest first.
    fn compute_blocks<'b>(
        &'b self,
        node: NodeId,
        parent: Option<&Arc<ComputedStyle>>,
        pseudo: Option<PseudoElement>,
        mut blocks: Vec<DeclarationBlock<'b>>,
    ) -> ComputedStyle {
        let style = self.computing(node, parent, pseudo, &blocks, |computing| computing.compute(&mut HashMap::new()));
        let frames = self.index.keyframes.end_frames(&style, &self.holds);
        if frames.is_empty() {
            return style;
        }
        blocks.extend(frames.into_iter().map(DeclarationBlock::from_keyframe));
        self.computing(node, parent, pseudo, &blocks, |computing| computing.compute(&mut HashMap::new()))
    }

    /// Prepares the computation of a style from its blocks, weakest first, and passes it to `then`.
    fn computing<T>(
        &self,
        node: NodeId,
        parent: Option<&Arc<ComputedStyle>>,
        pseudo: Option<PseudoElement>,
        blocks: &[DeclarationBlock<'_>],
        then: impl FnOnce(&mut StyleComputation<'_>) -> T,
    ) -> T {
        let applied = ordered(blocks);
        self.index.document.work_budget().spend(WORK_PER_STYLE + applied.iter().map(declaration_cost).sum::<u64>());
        let initial;
        let inherited = match parent {
            Some(parent) => &**parent,
            None => {
                initial = ComputedStyle::initial(&self.environment, &self.index.digits);
                &initial
            }
        };
        let custom = custom_properties::resolve(
            &applied,
            inherited,
            &self.index.sheets.registrations,
            &self.texts,
            self.element_values(node),
        );
        then(&mut StyleComputation { styles: self, node, parent, inherited, pseudo, custom, applied: &applied })
    }

    /// Returns the blocks that apply, weakest first.
    fn blocks(
        &self,
        node: NodeId,
        parent: Option<&Arc<ComputedStyle>>,
        pseudo: Option<PseudoElement>,
        holds: MatchOverrides<'_>,
    ) -> Vec<DeclarationBlock<'_>> {
        let index = self.index;
        let mut blocks: Vec<DeclarationBlock<'_>> = Vec::new();
        for (number, found) in index.matches_for(node).iter().enumerate() {
            if let Some(block) = self.block(*found, parent, pseudo, holds(number)) {
                blocks.push(block);
            }
        }
        if pseudo.is_none() {
            blocks.extend(index.attribute_blocks(node));
            if let Some(added) = index.start_states.added(node) {
                blocks.push(DeclarationBlock::from_keyframe(added));
                blocks.extend(DeclarationBlock::important(added));
            }
        }
        blocks.sort_by_key(|block| block.key);
        // A rule counts once, with the strongest of its matching selectors.
        let mut seen = HashSet::with_capacity(blocks.len());
        let mut kept: Vec<DeclarationBlock<'_>> =
            blocks.into_iter().rev().filter(|block| block.rule().is_none_or(|rule| seen.insert(rule))).collect();
        kept.reverse();
        kept
    }

    fn block(
        &self,
        found: Match,
        parent: Option<&Arc<ComputedStyle>>,
        pseudo: Option<PseudoElement>,
        holds: Option<bool>,
    ) -> Option<DeclarationBlock<'_>> {
        let index = self.index;
        let entry = &index.entries[found.entry as usize];
        if entry.pseudo != pseudo {
            return None;
        }
        if !holds.unwrap_or_else(|| found.matches_under(entry.mentioned(), self.environment.states)) {
            return None;
        }
        let rule = &index.sheets.rules[entry.rule as usize];
        match Conditions::evaluation_of(&self.holds, rule.condition) {
            Evaluated::Never => return None,
            Evaluated::Always => {}
            Evaluated::PerElement => {
                if !self.container_queries_hold(rule.condition, parent) {
                    return None;
                }
            }
        }
        Some(index.rule_block(entry, found))
    }
}

impl Styles<'_> {
    /// Returns what values of an element refer to.
    fn element_values(&self, node: NodeId) -> ElementValues<'_> {
        let document = self.index.document;
        ElementValues {
            environment: &self.environment,
            element: document.element(node),
            functions: &self.index.functions,
            holds: &self.holds,
            budget: document.work_budget(),
            mode: document.quirks_mode(),
        }
    }

    /// Replaces `sibling-index()` and `sibling-count()` in a value.
    fn with_tree_counts(&self, value: Arc<str>, node: NodeId) -> Arc<str> {
        if !self.index.value_features.by_element || !value_features::contains(&value, "sibling-") {
            return value;
        }
        let Some(components) = parse_components(&value) else { return value };
        let (index, count) = self.index.sibling_place(node);
        let counted: Vec<_> = components.iter().map(|own| element_values::with_counts(own, index, count)).collect();
        serialize_exact(&counted).into()
    }
}

impl StyleIndex<'_> {
    /// Returns the styles in one environment, computed on demand.
    pub fn styles(&self, environment: &Environment) -> Styles<'_> {
        Styles::new(self, environment, AssumedContainers::default())
    }

    /// Like [`StyleIndex::styles`], with assumed results of container queries.
    pub fn styles_with_containers(&self, environment: &Environment, assumed: AssumedContainers) -> Styles<'_> {
        Styles::new(self, environment, assumed)
    }

    /// Returns the declaration block of a matching selector's rule.
    pub(crate) fn rule_block(&self, entry: &Entry, found: Match) -> DeclarationBlock<'_> {
        let rule = &self.sheets.rules[entry.rule as usize];
        let key = CascadeKey {
            origin: rule.origin,
            context: found.context,
            layer: Layers::rank(&self.layer_ranks, rule.layer),
            inline: false,
            specificity: entry.specificity,
            nearness: u16::MAX - found.proximity,
            order: entry.rule,
        };
        let source = DeclarationSource::Rule { rule: entry.rule, selector: entry.selector };
        DeclarationBlock { key, declarations: self.rule_declarations(rule), source }
    }

    /// Returns the declaration blocks of an element's attributes.
    pub(crate) fn attribute_blocks(&self, node: NodeId) -> Vec<DeclarationBlock<'_>> {
        let mut blocks = Vec::new();
        if self.document.work_budget().is_exhausted() {
            return blocks;
        }
        if let Some(hints) = self.hints.get(&node) {
            let key = CascadeKey { origin: Origin::Hint, ..CascadeKey::default() };
            blocks.push(DeclarationBlock { key, declarations: hints, source: DeclarationSource::Hint(node) });
        }
        if let Some(inline) = self.inline.get(&node) {
            let key = CascadeKey { origin: Origin::Author, inline: true, ..CascadeKey::default() };
            blocks.push(DeclarationBlock { key, declarations: inline, source: DeclarationSource::Inline(node) });
        }
        blocks
    }
}

/// Fixed cost of computing a style, besides its declarations.
const WORK_PER_STYLE: u64 = 64;

/// Returns the cost of a declaration that applies.
fn declaration_cost(applied: &AppliedDeclaration<'_>) -> u64 {
    match &applied.declaration.effect {
        DeclarationMeaning::Custom(_) => 16,
        DeclarationMeaning::Longhands(list) => 8 + 4 * list.len() as u64,
        DeclarationMeaning::Invalid => 1,
    }
}

/// Returns true if an element's parent renders something else instead of this child.
fn is_outside_flat_tree(index: &StyleIndex<'_>, node: NodeId) -> bool {
    let parent = index.document.parent(node).and_then(|parent| index.document.element(parent));
    parent.is_some_and(|parent| parent.is_html("video") || parent.is_html("audio"))
        || index.flat.is_unslotted(index.document, node)
}

/// Returns true for pseudo-elements that exist only if they have content.
fn is_generated(pseudo: PseudoElement) -> bool {
    matches!(pseudo, PseudoElement::Before | PseudoElement::After)
}

#[cfg(test)]
mod tests;
