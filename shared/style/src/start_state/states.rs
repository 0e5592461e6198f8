//! Start states as data: elements, evidence, and the declarations of start and end.

use crate::cascade::cascade_order::DeclarationSource;
use crate::property::Longhand;
use crate::sheet::{Declaration, DeclarationInterner, Inline, parse_inline};
use foldhash::HashMap;
use limner_page::NodeId;
use std::collections::hash_map::Entry;

/// The reason why an element counts as waiting for a script or an animation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartEvidence {
    /// An animation library finds the element by its class or attribute (`data-aos`, `elementor-invisible`).
    LibraryMark,
    /// The `style` attribute hides the element in flow, or hides and moves it, as animation libraries write it on the server.
    InlineStyle,
    /// Content in flow is hidden and nothing takes its place: a visitor would see a gap.
    Gap,
    /// The page's headline is hidden.
    Headline,
    /// An image or a video fades in once it is loaded.
    FadingMedia,
    /// A slider, or a slide of one that shows its first.
    Slider,
    /// A script makes the row as wide as the window.
    WideRow,
    /// A script sets a height of the window, or the width of a video.
    ScriptSize,
    /// An overlay covers the viewport while the page loads.
    LoadingOverlay,
    /// A script sets the background, or lifts the rule that holds it back.
    LazyBackground,
    /// A framework removes the attribute once it has started (`v-cloak`).
    Cloak,
}

/// An element in its start state, and the state it ends in.
#[derive(Debug)]
pub struct StartState {
    /// The element.
    pub node: NodeId,
    /// The reason.
    pub evidence: StartEvidence,
    /// Declarations that only the start has.
    pub(super) dropped: Vec<(DeclarationSource, Longhand)>,
    /// Declarations that only the end has.
    pub(super) added: Inline,
}

impl StartState {
    /// Returns the start state of an element that ends with some declarations more.
    pub(super) fn with_added(
        node: NodeId,
        evidence: StartEvidence,
        declarations: &str,
        interner: &mut DeclarationInterner,
    ) -> Self {
        Self { node, evidence, dropped: Vec::new(), added: parse_inline(declarations, interner) }
    }
}

/// The start states of a page, by element.
#[derive(Debug, Default)]
pub(crate) struct StartStates(HashMap<NodeId, StartState>);

impl StartStates {
    /// Adds a state; an element that waits for several things has the evidence of the first that is not assumed.
    pub(super) fn insert(&mut self, state: StartState) {
        if state.dropped.is_empty() && state.added.is_empty() {
            return;
        }
        match self.0.entry(state.node) {
            Entry::Occupied(mut known) => {
                if known.get().evidence.is_assumed() {
                    known.get_mut().evidence = state.evidence;
                }
                known.get_mut().dropped.extend(state.dropped);
                known.get_mut().added.extend(state.added);
            }
            Entry::Vacant(place) => {
                place.insert(state);
            }
        }
    }

    pub(crate) fn contains(&self, node: NodeId) -> bool {
        self.0.contains_key(&node)
    }

    /// Returns true if a declaration of a longhand belongs to the start of an element.
    pub(crate) fn drops(&self, node: NodeId, source: DeclarationSource, longhand: Longhand) -> bool {
        self.0.get(&node).is_some_and(|state| state.dropped.contains(&(source, longhand)))
    }

    /// Returns the declarations that belong to the end of an element.
    pub(crate) fn added(&self, node: NodeId) -> Option<&[Declaration]> {
        self.0.get(&node).map(|state| state.added.as_slice()).filter(|added| !added.is_empty())
    }

    /// Returns the start states in document order.
    pub(super) fn all(&self) -> Vec<&StartState> {
        let mut all: Vec<&StartState> = self.0.values().collect();
        all.sort_by_key(|state| state.node);
        all
    }
}
