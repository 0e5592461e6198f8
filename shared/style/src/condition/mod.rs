//! Conditions of rules (Conditional 3 to 5, Media Queries 4 and 5).

pub(crate) mod container;
mod facts;
pub(crate) mod media;
pub(crate) mod query;
pub(crate) mod questions;
pub(crate) mod supports;

pub use facts::{ConditionFacts, WidthBound};

use crate::environment::Environment;
use container::ContainerQuery;
use media::MediaQueryList;
use questions::Questions;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// A condition of an at-rule or a `media` attribute.
#[derive(Debug, Clone)]
pub(crate) enum Test {
    Media(Arc<MediaQueryList>),
    Supports(bool),
    Container(Arc<ContainerQuery>),
    /// `@starting-style`: holds only at the start of a transition.
    Starting,
}

/// A condition nested in others.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) parent: ConditionId,
    pub(crate) test: Test,
    /// Text as written: `@media (width > 40em)`.
    pub(crate) text: Arc<str>,
}

/// A stack of conditions; 0 is the empty one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ConditionId(u32);

/// All conditions of a page.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    nodes: Vec<Node>,
    /// Parsed conditions by the at-rule's name and prelude: most stylesheets repeat the same ones.
    stated: BTreeMap<&'static str, BTreeMap<Box<str>, (Test, Arc<str>)>>,
}

/// The result of evaluating a stack of conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    Always,
    Never,
    /// Depends on the element: a container query decides.
    PerElement,
}

impl Conditions {
    pub(crate) fn push(&mut self, parent: ConditionId, test: Test, text: Arc<str>) -> ConditionId {
        self.nodes.push(Node { parent, test, text });
        ConditionId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX))
    }

    /// Adds the condition of an at-rule of that name; `read` parses the prelude, or returns `None`.
    pub(crate) fn state(
        &mut self,
        parent: ConditionId,
        name: &'static str,
        says: &str,
        read: impl FnOnce(&str) -> Option<Test>,
    ) -> Option<ConditionId> {
        // Any other white space is part of a name (CSS Syntax 3 §4.2).
        let says = says.trim_ascii();
        let known = self.stated.entry(name).or_default();
        let (test, text) = match known.get(says) {
            Some(known) => known.clone(),
            None => {
                let new = (read(says)?, Arc::from(format!("@{name} {says}")));
                known.insert(says.into(), new.clone());
                new
            }
        };
        Some(self.push(parent, test, text))
    }

    fn node(&self, id: ConditionId) -> Option<&Node> {
        self.nodes.get((id.0 as usize).checked_sub(1)?)
    }

    /// Returns every condition with its stack's id, in the order of the stylesheets.
    fn all(&self) -> impl Iterator<Item = (ConditionId, &Node)> {
        (1_u32..).map(ConditionId).zip(&self.nodes)
    }

    /// Returns these stacks of conditions with those that contain them.
    pub(crate) fn with_outer(&self, ids: &[ConditionId]) -> HashSet<ConditionId> {
        let mut all = HashSet::new();
        for id in ids {
            let mut at = *id;
            while let Some(node) = self.node(at).filter(|_| all.insert(at)) {
                at = node.parent;
            }
        }
        all
    }

    /// Returns the conditions of a stack from the innermost to the outermost.
    pub(crate) fn stack(&self, id: ConditionId) -> impl Iterator<Item = &Node> {
        std::iter::successors(self.node(id), |node| self.node(node.parent))
    }

    /// Evaluates every stack in an environment; the result is indexed by id. `container` answers container queries by
    /// their text; where it returns `None`, the elements' containers decide.
    pub(crate) fn evaluate(&self, environment: &Environment, container: &dyn Fn(&str) -> Option<bool>) -> Vec<Holds> {
        let mut all = Vec::with_capacity(self.nodes.len() + 1);
        all.push(Holds::Always);
        for node in &self.nodes {
            let outer = all.get(node.parent.0 as usize).copied().unwrap_or(Holds::Never);
            let own = match &node.test {
                Test::Media(list) => {
                    if list.matches(environment) {
                        Holds::Always
                    } else {
                        Holds::Never
                    }
                }
                Test::Supports(true) => Holds::Always,
                Test::Supports(false) | Test::Starting => Holds::Never,
                Test::Container(_) => match container(&node.text) {
                    Some(true) => Holds::Always,
                    Some(false) => Holds::Never,
                    None => Holds::PerElement,
                },
            };
            all.push(match (outer, own) {
                (Holds::Never, _) | (_, Holds::Never) => Holds::Never,
                (Holds::PerElement, _) | (_, Holds::PerElement) => Holds::PerElement,
                _ => Holds::Always,
            });
        }
        all
    }

    pub(crate) fn holds(answers: &[Holds], id: ConditionId) -> Holds {
        answers.get(id.0 as usize).copied().unwrap_or(Holds::Never)
    }

    /// Adds the features that a stack of conditions queries.
    pub(crate) fn questions(&self, id: ConditionId, questions: &mut Questions) {
        for node in self.stack(id) {
            match &node.test {
                Test::Media(list) => list.each_feature(&mut |feature, _| questions.add(feature)),
                Test::Container(query) => {
                    questions.containers = true;
                    if query.asks_size && !questions.container_sizes.contains(&node.text) {
                        questions.container_sizes.push(node.text.clone());
                    }
                }
                Test::Supports(_) | Test::Starting => {}
            }
        }
    }

    /// Returns the container queries of a stack.
    pub(crate) fn containers(&self, id: ConditionId) -> impl Iterator<Item = &ContainerQuery> {
        self.stack(id).filter_map(|node| match &node.test {
            Test::Container(query) => Some(&**query),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests;
