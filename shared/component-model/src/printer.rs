//! Pretty-prints markup: block-level elements get lines of their own, running text is filled up to
//! a width, and no significant white space is added. A [`TargetSyntax`] writes the tags, texts and loops
//! of a framework.

use super::ir::{Loop, Node, OutputElement, Value};
use crate::model::Namespace;

/// The width to which lines are filled; parts that cannot be broken may exceed it.
const WIDTH: usize = 110;

/// The maximum width of an unbroken element: [`WIDTH`] without its indentation, and this including
/// it.
const MAX_UNBROKEN_WIDTH: usize = 160;

/// Maximum depth of indentation.
const MAX_INDENT: usize = 40;

/// The syntax of a target framework.
pub trait TargetSyntax {
    /// Returns a start tag; `self_closing` if the element is empty and the framework has a single
    /// tag for it.
    fn start(&self, tag: &OutputElement, self_closing: bool) -> String;
    /// Returns an end tag.
    fn end(&self, tag: &OutputElement) -> String {
        format!("</{}>", tag.name)
    }
    /// Returns true if an empty element is a single tag (`<br>`, `<path />`).
    fn is_self_closing(&self, tag: &OutputElement) -> bool;
    /// Returns escaped text.
    fn text(&self, text: &str) -> String;
    /// Returns escaped text whose white space is preserved.
    fn verbatim(&self, text: &str) -> String;
    /// Returns the text that replaces a space between two elements at the end of a line, if a line
    /// may end there. A non-empty text means that a line break is no space in this syntax.
    fn space_at_end(&self) -> Option<&'static str> {
        Some("")
    }
    /// Returns the text of an expression.
    fn field(&self, expression: &str) -> String;
    /// Returns the markup of an expression.
    fn slot(&self, expression: &str) -> String;
    /// Returns the text before and after an element in a loop, unless the loop is an attribute.
    fn loop_wrapper(&self, each: &Loop) -> Option<(String, String)>;
    /// Returns the expression before the element that separates items by a space, if the loop needs
    /// one.
    fn space_between(&self, _each: &Loop) -> Option<String> {
        None
    }
    /// Returns the text before and after a conditional element, unless the condition is an
    /// attribute.
    fn condition_wrapper(&self, expression: &str) -> Option<(String, String)>;
}

/// Writes an element as a block, indented by `depth` steps of two spaces, with a final line break.
pub fn print(syntax: &impl TargetSyntax, tag: &OutputElement, depth: usize) -> String {
    let mut printer = Printer::new(syntax);
    printer.block(tag, depth);
    printer.out
}

/// Writes an element on one line.
pub fn print_inline(syntax: &impl TargetSyntax, tag: &OutputElement) -> String {
    let mut printer = Printer::new(syntax);
    printer.flat(tag);
    printer.out
}

/// Writes the contents of an element on one line. White space between the shapes of an icon is
/// dropped.
pub fn print_inside(syntax: &impl TargetSyntax, tag: &OutputElement) -> String {
    let mut printer = Printer::new(syntax);
    let shows = |child: &&Node| tag.namespace != Namespace::Svg || !is_blank(child);
    printer.flat_nodes(tag.children.iter().filter(shows), tag.preserves_whitespace);
    printer.out
}

struct Printer<'s, S> {
    syntax: &'s S,
    out: String,
    /// Number of characters in the current line.
    column: usize,
    /// Write a single line up to this column.
    limit: Option<usize>,
    /// The limit was exceeded.
    failed: bool,
}

impl<'s, S: TargetSyntax> Printer<'s, S> {
    fn new(syntax: &'s S) -> Self {
        Self { syntax, out: String::new(), column: 0, limit: None, failed: false }
    }

    fn push(&mut self, text: &str) {
        let is_too_much = |limit: usize| text.contains('\n') || self.column + text.chars().count() > limit;
        self.failed |= self.limit.is_some_and(is_too_much);
        if self.failed {
            return;
        }
        self.out.push_str(text);
        match text.rfind('\n') {
            Some(at) => self.column = text[at + 1..].chars().count(),
            None => self.column += text.chars().count(),
        }
    }

    fn indent(&mut self, depth: usize) {
        self.push(&"  ".repeat(depth.min(MAX_INDENT)));
    }

    fn line_break(&mut self, depth: usize) {
        self.push("\n");
        self.indent(depth);
    }

    /// Returns the texts before and after an element, outermost first.
    fn wrappers(&self, tag: &OutputElement) -> Vec<(String, String)> {
        let when = tag.condition.as_deref().and_then(|when| self.syntax.condition_wrapper(when));
        let each = tag.repeat.as_ref().and_then(|each| self.syntax.loop_wrapper(each));
        when.into_iter().chain(each).collect()
    }

    /// Writes an element on lines of its own.
    fn block(&mut self, tag: &OutputElement, depth: usize) {
        self.print_on_own_lines(tag, depth);
        self.push("\n");
    }

    /// Writes an element on lines of its own, without the final line break.
    fn print_on_own_lines(&mut self, tag: &OutputElement, depth: usize) {
        let wrappers = self.wrappers(tag);
        let inner = depth + wrappers.len();
        for (at, (before, _)) in wrappers.iter().enumerate() {
            self.indent(depth + at);
            self.push(before);
            self.push("\n");
        }
        self.indent(inner);
        self.item(tag, inner);
        for (at, (_, after)) in wrappers.iter().enumerate().rev() {
            self.line_break(depth + at);
            self.push(after);
        }
    }

    /// Writes an element at the current column; its further lines are indented by `depth`.
    fn element(&mut self, tag: &OutputElement, depth: usize) {
        let is_in_line = !tag.is_block_level && tag.repeat.is_none() && tag.condition.is_none();
        self.failed |= self.limit.is_some() && !is_in_line;
        if self.failed {
            return;
        }
        if tag.children.is_empty() {
            return self.empty(tag);
        }
        self.push(&self.syntax.start(tag, false));
        if tag.preserves_whitespace {
            self.flat_children(tag);
        } else if tag.whitespace_insignificant {
            if !self.fits_on_line(tag, depth) {
                self.lines(&tag.children, depth + 1);
                self.indent(depth);
            }
        } else if tag.edge_whitespace_insignificant {
            self.print_trimmed_children(tag, depth);
        } else {
            self.print_preserving_whitespace(&tag.children, depth);
        }
        self.end(tag);
    }

    fn empty(&mut self, tag: &OutputElement) {
        let single = self.syntax.is_self_closing(tag);
        self.push(&self.syntax.start(tag, single));
        if !single {
            self.end(tag);
        }
    }

    fn end(&mut self, tag: &OutputElement) {
        self.push(&self.syntax.end(tag));
    }

    /// Writes children with insignificant white space on the line of the start tag; returns false
    /// if they do not fit.
    fn fits_on_line(&mut self, tag: &OutputElement, depth: usize) -> bool {
        let end = tag.name.len() + 3;
        match tag.children.as_slice() {
            [Node::Text(_) | Node::Slot(_)] => {
                let own = self.inline_node(&tag.children[0]);
                let own = own.trim_ascii();
                let fits = own.is_empty() || self.column + own.chars().count() + end <= room(depth);
                if fits {
                    self.push(own);
                }
                fits
            }
            [Node::Tag(child)] if self.limit.is_some() => {
                self.element(child, depth);
                true
            }
            // A trial stops at the limit, so its cost is bounded by the length of a line.
            [Node::Tag(child)] => {
                let (column, limit) = (self.column, Some(room(depth).saturating_sub(end)));
                let mut line = Printer { column, limit, ..Printer::new(self.syntax) };
                line.element(child, depth);
                if !line.failed {
                    self.push(&line.out);
                }
                !line.failed
            }
            _ => false,
        }
    }

    /// Writes children on lines of their own after a start tag.
    fn lines(&mut self, children: &[Node], depth: usize) {
        self.push("\n");
        for child in children {
            if let Node::Tag(tag) = child {
                self.block(tag, depth);
                continue;
            }
            let text = self.inline_node(child);
            if text.trim_ascii().is_empty() {
                continue;
            }
            self.indent(depth);
            self.fill(text.trim_ascii(), depth);
            self.push("\n");
        }
    }

    /// Writes children with significant white space between some of them but not at the ends.
    fn print_trimmed_children(&mut self, tag: &OutputElement, depth: usize) {
        let alone = whitespace_insensitive_children(&tag.children);
        if alone.contains(&true) {
            self.mixed(&tag.children, &alone, depth + 1);
            self.indent(depth);
        } else if self.limit.is_none() && self.is_long(tag, depth + 1) {
            self.broken(&tag.children, depth);
        } else {
            self.print_preserving_whitespace(&tag.children, depth);
        }
    }

    /// Writes blocks and the inline content between them on lines of their own after a start tag.
    fn mixed(&mut self, children: &[Node], alone: &[bool], depth: usize) {
        self.push("\n");
        let mut at = 0;
        for part in alone.chunk_by(|one, next| !one && !next) {
            let nodes = &children[at..at + part.len()];
            at += part.len();
            match nodes {
                [Node::Tag(tag)] if part[0] => self.block(tag, depth),
                in_line => self.row(in_line, depth),
            }
        }
    }

    /// Writes children on lines of their own after a start tag, unless they are a single line that
    /// cannot be broken.
    fn broken(&mut self, children: &[Node], depth: usize) {
        let mut printer = Printer::new(self.syntax);
        printer.row(children, depth + 1);
        let line = printer.out.trim_end_matches('\n');
        if !line.contains('\n') {
            return self.push(line.trim_start_matches(' '));
        }
        self.push("\n");
        self.push(&printer.out);
        self.indent(depth);
    }

    /// Returns true if the contents of an element need more than one line.
    fn is_long(&self, tag: &OutputElement, depth: usize) -> bool {
        let mut room = room(depth).saturating_sub(2 * depth.min(MAX_INDENT));
        !tag.children.iter().all(|child| self.fits(child, &mut room))
    }

    /// Subtracts the width of a node on a line from `room`; returns false if it does not fit.
    fn fits(&self, node: &Node, room: &mut usize) -> bool {
        let (own, children): (usize, &[Node]) = match node {
            Node::Tag(tag) => (self.syntax.start(tag, false).chars().count(), &tag.children),
            other => (self.inline_node(other).chars().count(), &[]),
        };
        let left = room.checked_sub(own);
        *room = left.unwrap_or(0);
        left.is_some() && children.iter().all(|child| self.fits(child, room))
    }

    /// Writes inline content. If it has only elements, it is broken at the spaces between them.
    fn row(&mut self, children: &[Node], depth: usize) {
        let is_of_elements = children.iter().all(|child| child.tag().is_some() || child.is_space());
        let space = self.syntax.space_at_end().filter(|_| is_of_elements);
        if let Some(space) = space.filter(|space| !space.is_empty()) {
            return self.elements(children, space, depth);
        }
        let lines = children.split(|child| space.is_some() && child.is_space());
        let last = lines.clone().count() - 1;
        for (at, line) in lines.enumerate() {
            self.indent(depth);
            self.print_preserving_whitespace(line, depth - 1);
            if at < last {
                self.push(space.unwrap_or_default());
            }
            self.push("\n");
        }
    }

    /// Writes elements on lines of their own where a line break is no space; each space is written
    /// after its element.
    fn elements(&mut self, children: &[Node], space: &str, depth: usize) {
        let mut is_open = false;
        for child in children {
            if is_open && child.tag().is_some() {
                self.push("\n");
            }
            match child {
                Node::Tag(tag) => self.print_on_own_lines(tag, depth),
                _ if is_open => self.push(space),
                _ => {
                    self.indent(depth);
                    self.push(space);
                }
            }
            is_open = true;
        }
        self.push("\n");
    }

    /// Writes children with significant white space, without adding any.
    fn print_preserving_whitespace(&mut self, children: &[Node], depth: usize) {
        for child in children {
            if self.failed {
                return;
            }
            match child {
                Node::Text(_) | Node::Slot(_) => {
                    let text = self.inline_node(child);
                    self.fill(&text, depth + 1);
                }
                Node::Tag(tag) => self.print_in_current_line(tag, depth + 1),
            }
        }
    }

    /// Writes an element with its wrappers at the current column.
    fn print_in_current_line(&mut self, tag: &OutputElement, depth: usize) {
        let wrappers = self.wrappers(tag);
        for (before, _) in &wrappers {
            self.push(before);
        }
        if self.space_between(tag).is_some() {
            // Lines in an expression may end anywhere.
            self.line_break(depth + 1);
            self.item(tag, depth + 1);
            self.line_break(depth);
        } else {
            self.element(tag, depth);
        }
        for (_, after) in wrappers.iter().rev() {
            self.push(after);
        }
    }

    /// Writes an element after the space that separates it from the previous item.
    fn item(&mut self, tag: &OutputElement, depth: usize) {
        let Some(space) = self.space_between(tag) else { return self.element(tag, depth) };
        self.push(&space);
        self.line_break(depth);
        self.element(tag, depth);
        self.push(",");
    }

    fn space_between(&self, tag: &OutputElement) -> Option<String> {
        tag.repeat.as_ref().filter(|each| each.is_space_separated).and_then(|each| self.syntax.space_between(each))
    }

    fn inline_node(&self, node: &Node) -> String {
        match node {
            Node::Text(Value::Fixed(text)) => self.syntax.text(text),
            Node::Text(Value::Field(field) | Value::FixedAndField(_, field)) => self.syntax.field(field),
            Node::Text(Value::Conditional(_)) => unreachable!("texts are no classes"),
            Node::Slot(slot) => self.syntax.slot(slot),
            Node::Tag(tag) => print_inline(self.syntax, tag),
        }
    }

    /// Writes text, broken between words where a line is full. Texts up to the length of a line are
    /// never broken, so that headlines and labels can be found by a text search.
    fn fill(&mut self, text: &str, depth: usize) {
        if text.trim_ascii().chars().count() <= WIDTH {
            return self.push(text);
        }
        let last = text.trim_end_matches(' ').len();
        let mut at = 0;
        for (start, word) in words(text) {
            let gap = &text[at..start];
            // A break next to a tag would add a space or, in JSX, remove one.
            let breakable = at > 0 && gap == " " && start < last;
            if breakable && self.column + 1 + word.chars().count() > WIDTH {
                self.line_break(depth);
            } else {
                self.push(gap);
            }
            self.push(word);
            at = start + word.len();
        }
        self.push(&text[at..]);
    }

    /// Writes an element with all its contents on one line.
    fn flat(&mut self, tag: &OutputElement) {
        let wrappers = self.wrappers(tag);
        for (before, _) in &wrappers {
            self.push(before);
        }
        if let Some(space) = self.space_between(tag) {
            self.push(&space);
            self.push(" ");
        }
        if tag.children.is_empty() {
            self.empty(tag);
        } else {
            self.push(&self.syntax.start(tag, false));
            self.flat_children(tag);
            self.end(tag);
        }
        for (_, after) in wrappers.iter().rev() {
            self.push(after);
        }
    }

    fn flat_children(&mut self, tag: &OutputElement) {
        self.flat_nodes(tag.children.iter(), tag.preserves_whitespace);
    }

    fn flat_nodes<'n>(&mut self, nodes: impl Iterator<Item = &'n Node>, preserves_whitespace: bool) {
        for child in nodes {
            if self.failed {
                return;
            }
            match child {
                Node::Tag(child) => self.flat(child),
                Node::Text(Value::Fixed(text)) if preserves_whitespace => self.push(&self.syntax.verbatim(text)),
                other => {
                    let text = self.inline_node(other);
                    self.push(&text);
                }
            }
        }
    }
}

fn is_blank(node: &Node) -> bool {
    matches!(node, Node::Text(Value::Fixed(text)) if text.trim_ascii().is_empty())
}

/// Returns the maximum width of a line with this indentation.
fn room(depth: usize) -> usize {
    (WIDTH + 2 * depth.min(MAX_INDENT)).min(MAX_UNBROKEN_WIDTH)
}

/// Returns which children may have white space next to them without effect. An optional element
/// leaves its neighbours adjacent when it is absent, so one of these must be a block, or there must
/// be none.
fn whitespace_insensitive_children(children: &[Node]) -> Vec<bool> {
    let is_block = |node: &Node| node.tag().is_some_and(|tag| tag.is_block_level && tag.name != "br");
    let is_optional = |node: &Node| node.tag().is_some_and(|tag| tag.condition.is_some());
    let mut alone: Vec<bool> = children.iter().map(|child| is_block(child) && !is_optional(child)).collect();
    let mut at = 0;
    for part in children.chunk_by(|one, next| [one, next].into_iter().all(|node| is_block(node) && is_optional(node))) {
        let end = at + part.len();
        if is_block(&part[0]) && is_optional(&part[0]) {
            let is_free = at == 0 || end == children.len() || alone[at - 1] || alone[end];
            alone[at..end].fill(is_free);
        }
        at = end;
    }
    alone
}

/// Splits text into words with their start. Only spaces separate words; an expression in braces is
/// one word.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut braces = 0_usize;
    let between = move |c: char| {
        match c {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            _ => {}
        }
        c == ' ' && braces == 0
    };
    text.split(between)
        .scan(0, |at, word| {
            let start = *at;
            *at += word.len() + 1;
            Some((start, word))
        })
        .filter(|(_, word)| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_one_word() {
        for (text, expected) in [
            ("a  bc ", vec![(0, "a"), (3, "bc")]),
            ("{' '}", vec![(0, "{' '}")]),
            ("x {{ plan.title }} y", vec![(0, "x"), (2, "{{ plan.title }}"), (19, "y")]),
            ("} a", vec![(0, "}"), (2, "a")]),
        ] {
            assert_eq!(words(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
