//! Inline runs between blocks: removes boxes that generate no line box (CSS 2, section 9.4.2), and works around
//! differences of the engine.

use crate::anonymous_table_boxes::{BoxChild, TablePart};
use limner_style::ComputedStyle;
use limner_style::computed::{Display, FlexWrap};
use limner_style::property::Longhand;

/// Returns true if these boxes generate no line.
pub(crate) fn makes_no_line(children: &[BoxChild]) -> bool {
    children.iter().all(|child| child.part == TablePart::Space)
}

/// Positions of children on lines or between them, ascending.
#[derive(Debug, Default)]
pub(crate) struct ChildPositions {
    /// Block-level boxes, between lines.
    blocks: Vec<usize>,
    floats: Vec<usize>,
    /// Atomic inline boxes.
    atomic: Vec<usize>,
    /// Text of white space only.
    spaces: Vec<usize>,
    /// True if a height is a percentage of the container's.
    has_shares: bool,
}

/// The content between two blocks, and the block after it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InlineRun {
    pub(crate) children: Vec<BoxChild>,
    pub(crate) block: Option<BoxChild>,
    /// True if a float follows content that generates a line.
    pub(crate) has_late_float: bool,
    pub(crate) begins_with_atomic: bool,
}

impl ChildPositions {
    /// Records a box at that position.
    pub(crate) fn add(&mut self, at: usize, style: &ComputedStyle) {
        self.has_shares |= style.get(Longhand::Height).contains('%');
        if style.is_absolutely_positioned() {
            return;
        }
        if style.is_floating() {
            self.floats.push(at);
        } else if style.display().is_block_level() {
            self.blocks.push(at);
        } else if style.display().is_atomic_inline() {
            self.atomic.push(at);
        }
    }

    pub(crate) fn add_space(&mut self, at: usize) {
        self.spaces.push(at);
    }

    /// Returns true if a run can be wrapped in a block: the container has blocks, or will have one since it contains
    /// floats, and no height in it is a percentage of the container's.
    pub(crate) fn can_wrap_runs(&self, contains: bool) -> bool {
        (contains || !self.blocks.is_empty()) && !self.has_shares
    }

    /// Splits the children into runs. White space at either end of a run collapses (CSS Text 3, section 4.1.2) and is
    /// dropped, as is content that generates no line in runs without a line. Without blocks there is one run.
    pub(crate) fn runs(&self, children: &[BoxChild]) -> Vec<InlineRun> {
        let mut start = 0;
        let ends = self.blocks.iter().copied().chain([children.len()]);
        ends.map(|end| {
            let run = self.run_from(start, &children[start..end]);
            start = (end + 1).min(children.len());
            InlineRun { block: children.get(end).copied(), ..run }
        })
        .collect()
    }

    fn run_from(&self, start: usize, children: &[BoxChild]) -> InlineRun {
        let is_in = |places: &[usize], at: usize| places.binary_search(&(start + at)).is_ok();
        let is_aside = |at: usize| children[at].part == TablePart::Aside || is_in(&self.floats, at);
        let is_text_space = |at: &usize| is_in(&self.spaces, *at);
        let has_line = children.iter().any(|child| !matches!(child.part, TablePart::Space | TablePart::Aside));
        let makes_line = has_line || self.blocks.is_empty();
        let first = (0..children.len()).find(|at| !is_text_space(at)).unwrap_or(children.len());
        let last = (0..children.len()).rfind(|at| !is_text_space(at)).map_or(first, |at| at + 1);
        let on_line = |at: &usize| children[*at].part != TablePart::Space && !is_aside(*at);
        let first_on_line = (first..last).find(on_line);
        let kept = (first..last).filter(|at| makes_line || children[*at].part != TablePart::Space);
        InlineRun {
            children: kept.map(|at| children[at]).collect(),
            block: None,
            has_late_float: first_on_line.is_some_and(|from| (from..last).any(|at| is_in(&self.floats, at))),
            begins_with_atomic: first_on_line == Some(first) && is_in(&self.atomic, first),
        }
    }
}

/// Returns true if a box without content has no height: the engine makes no line for lines of such boxes only.
pub(crate) fn has_zero_height(style: &ComputedStyle) -> bool {
    let is_nothing = |longhand: &Longhand| matches!(style.get(*longhand), "0px" | "auto" | "none");
    style.display() == Display::InlineBlock && UPRIGHT.iter().all(is_nothing)
}

/// Properties that make a box higher than its contents.
const UPRIGHT: &[Longhand] = &[
    Longhand::Height,
    Longhand::MinHeight,
    Longhand::PaddingTop,
    Longhand::PaddingBottom,
    Longhand::BorderTopWidth,
    Longhand::BorderBottomWidth,
    Longhand::AspectRatio,
];

/// Returns true for a wrapping flex column without a height to wrap at. The engine makes the items of such columns as
/// wide as their contents.
pub(crate) fn has_unbounded_cross_size(style: &ComputedStyle, parent: Option<Display>) -> bool {
    let is = |longhand, values: &[&str]| values.contains(&style.get(longhand));
    style.display() == Display::Flex
        && style.flex_direction().is_column()
        && style.flex_wrap() == FlexWrap::Wrap
        && is(Longhand::AlignContent, &["normal", "stretch"])
        && is(Longhand::Height, &["auto"])
        && is(Longhand::MaxHeight, &["none"])
        && is(Longhand::AspectRatio, &["auto"])
        && !style.is_absolutely_positioned()
        && parent.is_some_and(Display::is_block_container)
}

/// Returns declarations that remove the vertical margins of an inline box, which have no effect.
pub(crate) fn without_upright_margins(style: &ComputedStyle) -> &'static str {
    let is_none = |longhand| style.get(longhand) == "0px";
    if is_none(Longhand::MarginTop) && is_none(Longhand::MarginBottom) { "" } else { "margin-top:0;margin-bottom:0;" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blitz_traits::node_id::NodeId;

    /// Builds runs from letters, numbered from 1: `b` blocks, `o` atomic inline boxes, `f` floats, `a` out-of-flow
    /// boxes, `n` boxes without a line, and `s` space.
    fn runs(children: &str) -> Vec<InlineRun> {
        let mut places = ChildPositions::default();
        let boxes = children.chars().enumerate().map(|(at, letter)| {
            let part = match letter {
                's' | 'n' => TablePart::Space,
                'a' => TablePart::Aside,
                _ => TablePart::Other,
            };
            match letter {
                'b' => places.blocks.push(at),
                'f' => places.floats.push(at),
                'o' => places.atomic.push(at),
                's' => places.spaces.push(at),
                _ => {}
            }
            BoxChild { node: NodeId::from_u64(at as u64 + 1), part }
        });
        let boxes: Vec<BoxChild> = boxes.collect();
        places.runs(&boxes)
    }

    #[test]
    fn runs_without_a_line_are_recognized() {
        for (children, kept) in [
            ("sbs", "2"),
            ("sobsb", "2 3 5"),
            ("bsasb", "1 3 5"),
            ("bnob", "1 2 3 4"),
            ("bnb", "1 3"),
            ("ss", ""),
            ("sosos", "2 3 4"),
            ("snos", "2 3"),
            ("bb", "1 2"),
            ("bso", "1 3"),
            ("", ""),
        ] {
            let left = runs(children).into_iter().flat_map(|run| run.children.into_iter().chain(run.block));
            let left: Vec<String> = left.map(|child| child.node.as_u64().to_string()).collect();
            assert_eq!(left.join(" "), kept, "{children}");
        }
    }

    #[test]
    fn runs_with_floats_and_boxes_are_classified() {
        for (children, late, atomic) in [
            ("ofb", true, true),
            ("fob", false, false),
            ("sofb", true, true),
            ("nafob", false, false),
            ("asofs", true, false),
        ] {
            let run = &runs(children)[0];
            assert_eq!((run.has_late_float, run.begins_with_atomic), (late, atomic), "{children}");
        }
    }
}
