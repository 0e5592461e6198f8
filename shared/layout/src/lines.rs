//! Runs of inline boxes of which no line comes (CSS 2, section 9.4.2): between blocks they would keep margins apart.

use crate::tables::{Child, Part};
use limner_style::ComputedStyle;
use limner_style::property::Longhand;

/// Whether no line comes of these boxes.
pub(crate) fn is_nothing(children: &[Child]) -> bool {
    children.iter().all(|child| child.part == Part::Space)
}

/// Whether a box stands on its own in a block, between lines.
pub(crate) fn is_block(style: &ComputedStyle) -> bool {
    let display = style.get(Longhand::Display);
    matches!(display, "block" | "list-item" | "flow-root" | "flex" | "grid" | "table" | "-webkit-box")
        && style.get(Longhand::Float) == "none"
        && !matches!(style.get(Longhand::Position), "absolute" | "fixed")
}

/// The children without runs in which nothing makes a line. `blocks` are the places of those that are blocks, rising;
/// without any, all is one run that stays.
pub(crate) fn without_empty_runs(children: Vec<Child>, blocks: &[usize]) -> Vec<Child> {
    if blocks.is_empty() {
        return children;
    }
    let mut kept = Vec::with_capacity(children.len());
    let mut start = 0;
    for end in blocks.iter().copied().chain([children.len()]) {
        let run = &children[start..end];
        let makes_line = run.iter().any(|child| !matches!(child.part, Part::Space | Part::Aside));
        kept.extend(run.iter().filter(|child| makes_line || child.part != Part::Space));
        kept.extend(children.get(end));
        start = (end + 1).min(children.len());
    }
    kept
}

/// Whether a box without anything inside has no height: of lines with nothing else the engine makes none.
pub(crate) fn is_flat(style: &ComputedStyle) -> bool {
    let is_nothing = |longhand: &Longhand| matches!(style.get(*longhand), "0px" | "auto" | "none");
    style.get(Longhand::Display) == "inline-block" && UPRIGHT.iter().all(is_nothing)
}

/// What makes a box higher than its contents.
const UPRIGHT: &[Longhand] = &[
    Longhand::Height,
    Longhand::MinHeight,
    Longhand::PaddingTop,
    Longhand::PaddingBottom,
    Longhand::BorderTopWidth,
    Longhand::BorderBottomWidth,
    Longhand::AspectRatio,
];

/// Declarations that take away margins which an inline box has above and below to no effect.
pub(crate) fn without_upright_margins(style: &ComputedStyle) -> &'static str {
    let is_none = |longhand| style.get(longhand) == "0px";
    if is_none(Longhand::MarginTop) && is_none(Longhand::MarginBottom) { "" } else { "margin-top:0;margin-bottom:0;" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blitz_traits::node_id::NodeId;

    #[test]
    fn runs_without_a_line() {
        // Numbered from 1; blocks are `b`, lines `o`, what is out of flow `a`, and space `s`.
        for (children, kept) in [
            ("sbs", "2"),
            ("sobsb", "1 2 3 5"),
            ("bsasb", "1 3 5"),
            ("ss", "1 2"),
            ("bb", "1 2"),
            ("bso", "1 2 3"),
            ("", ""),
        ] {
            let part = |letter| match letter {
                's' => Part::Space,
                'a' => Part::Aside,
                _ => Part::Other,
            };
            let boxes =
                children.chars().zip(1..).map(|(letter, n)| Child { node: NodeId::from_u64(n), part: part(letter) });
            let blocks: Vec<usize> = children.match_indices('b').map(|(at, _)| at).collect();
            let left = without_empty_runs(boxes.collect(), &blocks);
            let left: Vec<String> = left.iter().map(|child| child.node.as_u64().to_string()).collect();
            assert_eq!(left.join(" "), kept, "{children}");
        }
    }
}
