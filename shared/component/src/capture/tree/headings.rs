//! Writes headings with the levels that an outline of the section has: a line above a larger heading is no heading itself, no
//! level is left out, and at most one heading has the first level. Pages choose levels by the size of their text. Figures
//! head nothing.
//!
//! Before → after: `<h4>Our work</h4><h2>What we do</h2><h4>Design</h4>` → `<p>`, `<h2>`, `<h3>`; `<h2>98</h2><h2>%</h2>` →
//! `<p>98</p><p>%</p>`.

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

/// Maximum length of a figure with its unit, in characters.
const MAX_FIGURE: usize = 8;

/// Corrects the levels of a section's headings. `is_section` is false for the root of a whole page.
pub(super) fn correct_levels(tree: &mut SectionTree, is_section: bool) {
    let outline = Outline::from_tree(tree);
    let mut lines = outline.lines_above(tree);
    lines.extend(outline.figures());
    for at in &lines {
        let is_text = tree.elements[at + 1..outline.ends[*at]].iter().all(Element::may_be_in_paragraph);
        if is_text { "p" } else { "div" }.clone_into(&mut tree.elements[*at].tag);
    }
    let mut kept: Vec<&Heading> = outline.headings.iter().filter(|own| !lines.contains(&own.at)).collect();
    let mut levels: Vec<u8> = kept.iter().map(|own| own.level).collect();
    demote_further_titles(&kept, &mut levels, is_section);
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

/// Gives the first level to one heading. Titles of a section at one depth are those of slides: none of them is the title of
/// the page, and all have one level. Two with one text are for one breakpoint each.
fn demote_further_titles(headings: &[&Heading], levels: &mut [u8], is_section: bool) {
    let titles = || headings.iter().filter(|own| own.level == 1);
    let Some(first) = titles().next() else { return };
    let count = titles().count();
    let are_alike = titles().all(|own| own.text == first.text);
    if are_alike && count <= 2 {
        return;
    }
    let are_slides = is_section && count > 1 && titles().all(|own| own.depth == first.depth);
    for (heading, level) in headings.iter().zip(levels) {
        if *level == 1 && (are_slides || heading.text != first.text) {
            *level = 2;
        }
    }
}

/// Returns true for a number, a unit, or both: `98`, `K+`, `5.6 %`. A year may head what happened in it.
fn is_figure(text: &str) -> bool {
    const UNITS: &str = "%+°$€£¥kKmMbB";
    let text = text.trim();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_year = digits == 4 && text.len() == 4 && matches!(text.as_bytes()[0], b'1' | b'2');
    let is_unit = digits == 0 && letters < text.chars().count() && text.chars().all(|c| UNITS.contains(c));
    let is_number = digits > 0
        && letters <= 2
        && digits >= letters
        && !text.starts_with(char::is_alphabetic)
        && !text.contains(['(', '[', '{', '=', ';']);
    text.chars().count() <= MAX_FIGURE && !is_year && (is_unit || is_number)
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

    /// Returns the elements of headings that are figures. A page about an error may have one as its title.
    fn figures(&self) -> Vec<usize> {
        let found: Vec<&Heading> = self.headings.iter().filter(|own| is_figure(&own.text)).collect();
        let is_title = found.len() == 1 && found[0].level == 1;
        found.into_iter().filter(|_| !is_title).map(|own| own.at).collect()
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

#[cfg(test)]
mod tests;
