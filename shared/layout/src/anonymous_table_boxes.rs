//! Anonymous table objects (CSS 2, section 17.2.1).

use blitz_traits::node_id::NodeId as EngineNode;
use limner_style::computed::Display;

/// The role of a child in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TablePart {
    Column,
    Group,
    Row,
    Cell,
    Caption,
    /// White space that collapses.
    Space,
    /// Out of flow: it does not affect the others.
    Aside,
    /// Spans all columns of a multi-column container.
    Spanner,
    Other,
}

/// A box of the engine's tree and its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BoxChild {
    pub(crate) node: EngineNode,
    pub(crate) part: TablePart,
}

impl TablePart {
    /// Returns the role of a computed `display`.
    pub(crate) fn from_display(display: Display) -> Self {
        match display {
            Display::TableColumn | Display::TableColumnGroup => Self::Column,
            Display::TableRowGroup | Display::TableHeaderGroup | Display::TableFooterGroup => Self::Group,
            Display::TableRow => Self::Row,
            Display::TableCell => Self::Cell,
            Display::TableCaption => Self::Caption,
            _ => Self::Other,
        }
    }

    pub(crate) fn is_internal(self) -> bool {
        matches!(self, Self::Column | Self::Group | Self::Row | Self::Cell | Self::Caption)
    }
}

/// Creates an anonymous box with that `display` around some children.
pub(crate) trait AnonymousBoxBuilder {
    fn wrap(&mut self, display: &'static str, children: &[EngineNode]) -> EngineNode;
}

/// Completes the children of a box with that computed `display`: adds missing anonymous table objects.
pub(crate) fn complete(
    display: Display,
    children: Vec<BoxChild>,
    maker: &mut dyn AnonymousBoxBuilder,
) -> Vec<BoxChild> {
    match display {
        Display::Table | Display::InlineTable => {
            let kept = without_space(children);
            let kept = wrap_runs(
                kept,
                |part| matches!(part, TablePart::Cell | TablePart::Other),
                |run| {
                    let cells = complete_row(run, maker);
                    BoxChild { node: maker.wrap("table-row", &nodes(&cells)), part: TablePart::Row }
                },
            );
            kept.into_iter().filter(|child| child.part != TablePart::Space).collect()
        }
        Display::TableRowGroup | Display::TableHeaderGroup | Display::TableFooterGroup => {
            let kept = without_space(children);
            wrap_runs(
                kept,
                |part| !matches!(part, TablePart::Row | TablePart::Aside),
                |run| {
                    let cells = complete_row(run, maker);
                    BoxChild { node: maker.wrap("table-row", &nodes(&cells)), part: TablePart::Row }
                },
            )
        }
        Display::TableRow => complete_row(without_space(children), maker),
        _ if children.iter().any(|child| child.part.is_internal()) => {
            wrap_runs(children, TablePart::is_internal, |run| {
                let inner = complete(Display::Table, run, maker);
                BoxChild { node: maker.wrap("table", &nodes(&inner)), part: TablePart::Other }
            })
        }
        _ => children,
    }
}

fn complete_row(children: Vec<BoxChild>, maker: &mut dyn AnonymousBoxBuilder) -> Vec<BoxChild> {
    wrap_runs(
        children,
        |part| !matches!(part, TablePart::Cell | TablePart::Aside),
        |run| BoxChild { node: maker.wrap("table-cell", &nodes(&run)), part: TablePart::Cell },
    )
}

pub(crate) fn nodes(children: &[BoxChild]) -> Vec<EngineNode> {
    children.iter().map(|child| child.node).collect()
}

/// Removes white space next to parts of tables, which generates no boxes.
fn without_space(children: Vec<BoxChild>) -> Vec<BoxChild> {
    let is_text = |child: Option<&BoxChild>| child.is_some_and(|child| child.part == TablePart::Other);
    let keep: Vec<bool> = (0..children.len())
        .map(|at| {
            let beside_text = is_text(at.checked_sub(1).and_then(|i| children.get(i))) && is_text(children.get(at + 1));
            children[at].part != TablePart::Space || beside_text
        })
        .collect();
    let kept = children.into_iter().zip(keep).filter_map(|(child, keep)| keep.then_some(child));
    kept.map(|child| if child.part == TablePart::Space { BoxChild { part: TablePart::Other, ..child } } else { child })
        .collect()
}

/// Wraps every run of children that `belongs` in one box, including white space between two of them.
fn wrap_runs(
    children: Vec<BoxChild>,
    belongs: impl Fn(TablePart) -> bool,
    mut wrap: impl FnMut(Vec<BoxChild>) -> BoxChild,
) -> Vec<BoxChild> {
    let mut result = Vec::with_capacity(children.len());
    let mut run: Vec<BoxChild> = Vec::new();
    for child in children {
        if belongs(child.part) || (child.part == TablePart::Space && !run.is_empty()) {
            run.push(child);
            continue;
        }
        flush(&mut run, &mut result, &mut wrap);
        result.push(child);
    }
    flush(&mut run, &mut result, &mut wrap);
    result
}

fn flush(run: &mut Vec<BoxChild>, result: &mut Vec<BoxChild>, wrap: &mut impl FnMut(Vec<BoxChild>) -> BoxChild) {
    if run.is_empty() {
        return;
    }
    let end = run.iter().rposition(|child| child.part != TablePart::Space).map_or(0, |last| last + 1);
    let after = run.split_off(end);
    let own = std::mem::take(run);
    if !own.is_empty() {
        result.push(wrap(own));
    }
    result.extend(after);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records boxes as text instead of creating them.
    #[derive(Default)]
    struct RecordingBuilder(Vec<String>);

    impl RecordingBuilder {
        fn node(&mut self, text: String) -> EngineNode {
            self.0.push(text);
            EngineNode::from_u64(self.0.len() as u64)
        }

        fn text(&self, node: EngineNode) -> &str {
            &self.0[usize::try_from(node.as_u64()).unwrap() - 1]
        }
    }

    impl AnonymousBoxBuilder for RecordingBuilder {
        fn wrap(&mut self, display: &'static str, children: &[EngineNode]) -> EngineNode {
            let inner: Vec<&str> = children.iter().map(|child| self.text(*child)).collect();
            let text = format!("{}({})", display.trim_start_matches("table-"), inner.join(" "));
            self.node(text)
        }
    }

    #[test]
    fn css_2_section_17_2_1_anonymous_table_objects() {
        let part = |letter: char| match letter {
            'l' => TablePart::Column,
            'g' => TablePart::Group,
            'r' => TablePart::Row,
            'c' => TablePart::Cell,
            'p' => TablePart::Caption,
            '_' => TablePart::Space,
            'a' => TablePart::Aside,
            _ => TablePart::Other,
        };
        for (display, children, completed) in [
            (Display::Table, "grr", "g r r"),
            (Display::Table, "_l_r_", "l r"),
            (Display::Table, "cc", "row(c c)"),
            (Display::Table, "c_x_c", "row(c cell(x) c)"),
            (Display::Table, "x_x", "row(cell(x _ x))"),
            (Display::Table, "pcr", "p row(c) r"),
            (Display::TableRowGroup, "rcr", "r row(c) r"),
            (Display::TableRowGroup, "xg", "row(cell(x g))"),
            (Display::TableRow, "c_xc", "c cell(x) c"),
            (Display::TableRow, "ac", "a c"),
            (Display::Block, "x_x", "x _ x"),
            (Display::Block, "xc_cx", "x table(row(c c)) x"),
            (Display::Flex, "r_g", "table(r g)"),
            (Display::Inline, "_c_", "_ table(row(c)) _"),
        ] {
            let mut written = RecordingBuilder::default();
            let children =
                children.chars().map(|c| BoxChild { node: written.node(c.to_string()), part: part(c) }).collect();
            let result = complete(display, children, &mut written);
            let text: Vec<&str> = result.iter().map(|child| written.text(child.node)).collect();
            assert_eq!(text.join(" "), completed, "{display:?}");
        }
    }
}
