//! Conditions: what must hold for a rule to apply (Conditional 3 to 5, Media Queries 4 and 5).

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

/// A condition as an at-rule or a `media` attribute states it.
#[derive(Debug, Clone)]
pub(crate) enum Test {
    Media(MediaQueryList),
    Supports(bool),
    Container(ContainerQuery),
    /// `@starting-style`: only where a transition starts.
    Starting,
}

/// A condition inside others.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) parent: ConditionId,
    pub(crate) test: Test,
    /// As written: `@media (width > 40em)`.
    pub(crate) text: Box<str>,
}

/// A stack of conditions; 0 is the empty one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ConditionId(u32);

/// All conditions of a page.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    nodes: Vec<Node>,
}

/// Whether a stack of conditions holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    Always,
    Never,
    /// For some elements: a container query decides.
    PerElement,
}

impl Conditions {
    pub(crate) fn push(&mut self, parent: ConditionId, test: Test, text: String) -> ConditionId {
        self.nodes.push(Node { parent, test, text: text.into() });
        ConditionId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX))
    }

    fn node(&self, id: ConditionId) -> Option<&Node> {
        self.nodes.get((id.0 as usize).checked_sub(1)?)
    }

    /// From the innermost to the outermost.
    pub(crate) fn stack(&self, id: ConditionId) -> impl Iterator<Item = &Node> {
        std::iter::successors(self.node(id), |node| self.node(node.parent))
    }

    /// Every stack's answer in an environment, by index of its id. `container` answers container queries, by their text,
    /// where that is not for the elements to say.
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

    /// Adds what a stack of conditions asks about.
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

    /// The container queries of a stack.
    pub(crate) fn containers(&self, id: ConditionId) -> impl Iterator<Item = &ContainerQuery> {
        self.stack(id).filter_map(|node| match &node.test {
            Test::Container(query) => Some(query),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests;
