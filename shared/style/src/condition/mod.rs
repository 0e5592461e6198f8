//! Conditions of rules (Conditional 3 to 5, Media Queries 4 and 5).

pub(crate) mod container;
pub(crate) mod expression;
pub(crate) mod media;
pub(crate) mod queried_features;
mod requirements;
pub(crate) mod supports;

pub use requirements::{ConditionRequirements, WidthBound};

use crate::environment::Environment;
use container::ContainerQuery;
use media::MediaQueryList;
use queried_features::{ContainerSizeQuery, QueriedFeatures};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// A condition of an at-rule or a `media` attribute.
#[derive(Debug, Clone)]
pub(crate) enum ConditionTest {
    Media(Arc<MediaQueryList>),
    Supports(bool),
    Container(Arc<ContainerQuery>),
    /// `@starting-style`: holds only at the start of a transition.
    Starting,
}

/// A condition nested in others.
#[derive(Debug, Clone)]
pub(crate) struct ConditionNode {
    pub(crate) parent: ConditionId,
    pub(crate) test: ConditionTest,
    /// Text as written: `@media (width > 40em)`.
    pub(crate) text: Arc<str>,
}

/// A stack of conditions; 0 is the empty one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ConditionId(u32);

/// All conditions of a page.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    nodes: Vec<ConditionNode>,
    /// Parsed conditions by the at-rule's name and prelude: most stylesheets repeat the same ones.
    stated: BTreeMap<&'static str, BTreeMap<Box<str>, (ConditionTest, Arc<str>)>>,
}

/// The result of evaluating a stack of conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Evaluated {
    Always,
    Never,
    /// Depends on the element: a container query decides.
    PerElement,
}

impl Conditions {
    pub(crate) fn push(&mut self, parent: ConditionId, test: ConditionTest, text: Arc<str>) -> ConditionId {
        self.nodes.push(ConditionNode { parent, test, text });
        ConditionId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX))
    }

    /// Adds the condition of an at-rule of that name; `read` parses the prelude, or returns `None`.
    pub(crate) fn state(
        &mut self,
        parent: ConditionId,
        name: &'static str,
        says: &str,
        read: impl FnOnce(&str) -> Option<ConditionTest>,
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

    fn node(&self, id: ConditionId) -> Option<&ConditionNode> {
        self.nodes.get((id.0 as usize).checked_sub(1)?)
    }

    /// Returns every condition with its stack's id, in the order of the stylesheets.
    fn iter(&self) -> impl Iterator<Item = (ConditionId, &ConditionNode)> {
        (1_u32..).map(ConditionId).zip(&self.nodes)
    }

    /// Returns these stacks of conditions with those that contain them.
    pub(crate) fn with_ancestors(&self, ids: &[ConditionId]) -> HashSet<ConditionId> {
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
    pub(crate) fn stack(&self, id: ConditionId) -> impl Iterator<Item = &ConditionNode> {
        std::iter::successors(self.node(id), |node| self.node(node.parent))
    }

    /// Evaluates every stack in an environment; the result is indexed by id.
    pub(crate) fn evaluate(&self, environment: &Environment) -> Vec<Evaluated> {
        let mut all = Vec::with_capacity(self.nodes.len() + 1);
        all.push(Evaluated::Always);
        for node in &self.nodes {
            let outer = all.get(node.parent.0 as usize).copied().unwrap_or(Evaluated::Never);
            let own = match &node.test {
                ConditionTest::Media(list) => {
                    if list.matches(environment) {
                        Evaluated::Always
                    } else {
                        Evaluated::Never
                    }
                }
                ConditionTest::Supports(true) => Evaluated::Always,
                ConditionTest::Supports(false) | ConditionTest::Starting => Evaluated::Never,
                ConditionTest::Container(_) => Evaluated::PerElement,
            };
            all.push(match (outer, own) {
                (Evaluated::Never, _) | (_, Evaluated::Never) => Evaluated::Never,
                (Evaluated::PerElement, _) | (_, Evaluated::PerElement) => Evaluated::PerElement,
                _ => Evaluated::Always,
            });
        }
        all
    }

    pub(crate) fn evaluation_of(answers: &[Evaluated], id: ConditionId) -> Evaluated {
        answers.get(id.0 as usize).copied().unwrap_or(Evaluated::Never)
    }

    /// Adds the features that a stack of conditions queries.
    pub(crate) fn questions(&self, id: ConditionId, questions: &mut QueriedFeatures) {
        for node in self.stack(id) {
            match &node.test {
                ConditionTest::Media(list) => questions.add_media(list),
                ConditionTest::Container(query) => {
                    if query.asks_size && questions.container_sizes.iter().all(|known| known.text != node.text) {
                        let (text, query) = (node.text.clone(), query.clone());
                        questions.container_sizes.push(ContainerSizeQuery { text, query });
                    }
                }
                ConditionTest::Supports(_) | ConditionTest::Starting => {}
            }
        }
    }

    /// Returns the container queries of a stack, with their text.
    pub(crate) fn containers(&self, id: ConditionId) -> impl Iterator<Item = (&ContainerQuery, &str)> {
        self.stack(id).filter_map(|node| match &node.test {
            ConditionTest::Container(query) => Some((&**query, &*node.text)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests;
