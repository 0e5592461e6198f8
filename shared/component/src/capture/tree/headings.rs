//! Writes headings with the levels that an outline of the section has: a line above a larger heading is no heading itself, no
//! level is left out, and one heading has the first level. Pages choose levels by the size of their text.
//!
//! Before → after: `<h4>Our work</h4><h2>What we do</h2><h4>Design</h4>` → `<p>`, `<h2>`, `<h3>`.

use super::SectionTree;
use limner_component_model::model::{Child, Element, Namespace};
use std::collections::BTreeSet;

/// Maximum length of a line above a heading, in bytes.
const MAX_LINE: usize = 80;

/// A heading of the section.
struct Heading {
    at: usize,
    level: u8,
    text: String,
    depth: usize,
    /// No text is between it and the heading before it.
    follows_heading: bool,
}

/// Corrects the levels of a section's headings.
pub(super) fn correct_levels(tree: &mut SectionTree) {
    let outline = Outline::from_tree(tree);
    let lines = outline.lines_above(tree);
    for at in &lines {
        "p".clone_into(&mut tree.elements[*at].tag);
    }
    let mut kept: Vec<&Heading> = outline.headings.iter().filter(|own| !lines.contains(&own.at)).collect();
    let mut levels: Vec<u8> = kept.iter().map(|own| own.level).collect();
    demote_further_titles(&kept, &mut levels);
    let used: BTreeSet<u8> = levels.iter().copied().collect();
    let first = used.first().copied().unwrap_or_default();
    let mut written = [0; 7];
    for (next, level) in (first..).zip(used) {
        written[usize::from(level)] = next;
    }
    for (heading, level) in kept.drain(..).zip(levels) {
        let level = written[usize::from(level)];
        if level != heading.level {
            tree.elements[heading.at].tag = format!("h{level}");
        }
    }
}

/// Gives the first level to one heading. Titles at one depth are those of slides or of one breakpoint each.
fn demote_further_titles(headings: &[&Heading], levels: &mut [u8]) {
    let titles = || headings.iter().filter(|own| own.level == 1);
    let Some(first) = titles().next() else { return };
    if titles().all(|own| own.depth == first.depth) {
        return;
    }
    for (heading, level) in headings.iter().zip(levels) {
        if *level == 1 && heading.text != first.text {
            *level = 2;
        }
    }
}

/// A step of a walk through the tree in document order.
enum Step<'t> {
    Open { at: usize, heading: Option<usize> },
    Text { at: usize, text: &'t str, heading: Option<usize> },
    Close { at: usize },
}

/// The headings of a section and where they are.
struct Outline {
    headings: Vec<Heading>,
    /// By element: the number of headings and of texts outside of them in it.
    contents: Vec<usize>,
    /// By element: the index after its last descendant.
    ends: Vec<usize>,
}

impl Outline {
    fn from_tree(tree: &SectionTree) -> Self {
        let count = tree.elements.len();
        let (mut headings, mut contents): (Vec<Heading>, _) = (Vec::new(), vec![0; count]);
        let mut ends: Vec<usize> = (1..=count).collect();
        let mut depths = vec![0; count];
        let mut is_after_heading = false;
        let mut steps = vec![Step::Open { at: 0, heading: None }];
        while let Some(step) = steps.pop() {
            match step {
                Step::Open { at, heading: around } => {
                    let level = around.is_none().then(|| level(tree, at)).flatten();
                    let heading = around.or_else(|| level.map(|_| headings.len()));
                    if let Some(level) = level {
                        let (depth, follows_heading) = (depths[at], is_after_heading);
                        headings.push(Heading { at, level, text: String::new(), depth, follows_heading });
                        contents[at] += 1;
                        is_after_heading = true;
                    }
                    steps.push(Step::Close { at });
                    for child in tree.elements[at].children.iter().rev() {
                        steps.push(match child {
                            Child::Element(child) => {
                                depths[child.0] = depths[at] + 1;
                                Step::Open { at: child.0, heading }
                            }
                            Child::Text(text) => Step::Text { at, text, heading },
                        });
                    }
                }
                Step::Text { at, text, heading } => match heading {
                    Some(heading) => headings[heading].text.push_str(text.trim()),
                    None if !text.trim().is_empty() => {
                        contents[at] += 1;
                        is_after_heading = false;
                    }
                    None => {}
                },
                Step::Close { at } => {
                    if let Some(parent) = tree.origins[at].parent {
                        contents[parent.0] += contents[at];
                        ends[parent.0] = ends[parent.0].max(ends[at]);
                    }
                }
            }
        }
        Self { headings, contents, ends }
    }

    /// Returns the elements of headings that are a line above a larger one, if all headings of their level are.
    fn lines_above(&self, tree: &SectionTree) -> BTreeSet<usize> {
        let pairs = self.headings.windows(2);
        let is_line = |own: &&[Heading]| {
            let [line, heading] = own else { return false };
            heading.follows_heading
                && heading.level < line.level
                && (1..=MAX_LINE).contains(&line.text.len())
                && !heading.text.is_empty()
                && self.is_beside(tree, line.at, heading.at)
                && tree.elements[line.at + 1..self.ends[line.at]].iter().all(Element::may_be_in_paragraph)
        };
        let found: Vec<&Heading> = pairs.filter(is_line).map(|own| &own[0]).collect();
        let mut all = [0; 7];
        self.headings.iter().for_each(|own| all[usize::from(own.level)] += 1);
        found.iter().for_each(|own| all[usize::from(own.level)] -= 1);
        found.into_iter().filter(|own| all[usize::from(own.level)] == 0).map(|own| own.at).collect()
    }

    /// Returns true if nothing but the two headings is between them, whatever is around each of them alone.
    fn is_beside(&self, tree: &SectionTree, line: usize, heading: usize) -> bool {
        let parent = |at: usize| tree.origins[at].parent.map(|parent| parent.0);
        let alone = std::iter::successors(parent(line), |at| parent(*at)).find(|at| self.contents[*at] != 1);
        alone.is_some_and(|around| heading < self.ends[around])
    }
}

fn level(tree: &SectionTree, at: usize) -> Option<u8> {
    let element = &tree.elements[at];
    let digit = element.tag.strip_prefix('h').filter(|_| element.namespace == Namespace::Html)?;
    digit.parse().ok().filter(|level| (1..=6).contains(level))
}
