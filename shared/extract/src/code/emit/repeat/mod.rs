//! Detects repeated structures and writes them as loops: siblings of the same shape become one
//! element in a loop, and their differences (texts, URLs, icons, classes) become the fields of a
//! list. Loops nest.
//!
//! `<li>One</li><li>Two</li><li>Three</li>` → the template `<li>{item}</li>` and the list
//! `["One", "Two", "Three"]`.

mod align;
mod constant;
mod heads;
mod inner;
mod kind;
mod name;
mod rename;
mod shared;
mod spaces;
mod switch;
mod unify;

use super::tree::{Each, Node, Tag, Value};
use limner_types::SectionRole;
use name::Names;
use unify::Table;

/// The data of the loops of a component.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// In the order in which loops use them.
    pub(super) lists: Vec<List>,
}

/// A named list of items.
#[derive(Debug, PartialEq)]
pub(super) struct List {
    /// The variable name: `plans`.
    pub(super) name: String,
    /// The items.
    pub(super) rows: Vec<Row>,
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Row {
    /// The items do not differ; the number, from 1, only identifies this one.
    Number(usize),
    /// The item is a text.
    Text(String),
    /// The item has fields.
    Fields(Vec<(String, Cell)>),
}

/// The value of a field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    /// A text, a URL or classes.
    Text(String),
    /// True: an element is present or a condition holds for this item.
    Flag,
    /// A number or boolean literal.
    Literal(String),
    /// Markup whose shape differs between items.
    Markup(Box<Tag>),
    /// A nested list.
    Rows(Vec<Row>),
}

/// Names that depend on the target framework and the section.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dialect {
    /// The name of fields that contain classes.
    pub(super) class: &'static str,
    /// The name of the section's items, if the page does not give one.
    pub(super) thing: Option<&'static str>,
}

impl Dialect {
    /// Returns the name of an item's parts, if the page does not give one.
    fn part(self, part: &Tag) -> Option<&'static str> {
        (self.thing == Some(PLAN) && part.name == "li").then_some("feature")
    }
}

/// The items of a pricing table.
const PLAN: &str = "plan";

/// Returns the name of the items that a section of this role repeats.
pub(super) fn thing_in(role: Option<SectionRole>) -> Option<&'static str> {
    match role? {
        SectionRole::Pricing => Some(PLAN),
        SectionRole::Testimonials => Some("testimonial"),
        SectionRole::Faq => Some("question"),
        // The content of cards (people, products, posts) depends on the page.
        SectionRole::Features | SectionRole::Header | SectionRole::Hero | SectionRole::Cta | SectionRole::Footer => {
            None
        }
    }
}

/// Replaces repetition in a tree with loops. Names of lists avoid `reserved` ones.
pub(super) fn collapse(root: &mut Tag, dialect: Dialect, reserved: &[&str]) -> Lists {
    let names = Names::new(reserved, elements(root));
    let mut collapse = Collapse { names, dialect, lists: Lists::default(), heads: Vec::new() };
    collapse.inside(root);
    shared::merge(&mut collapse.lists.lists, root);
    root.number_places(0, Each::INDEX);
    collapse.lists
}

/// A run of similar siblings.
#[derive(Clone, Copy)]
struct Run {
    /// The index after the last of them.
    end: usize,
    /// A space separates each two.
    is_spaced: bool,
}

/// Minimum number of cells for a single table row to be written as a loop.
const MANY_CELLS: usize = 7;

struct Collapse {
    names: Names,
    dialect: Dialect,
    lists: Lists,
    /// The column headings of the enclosing table.
    heads: Vec<String>,
}

impl Collapse {
    fn inside(&mut self, tag: &mut Tag) {
        if tag.name == "table" {
            let around = std::mem::replace(&mut self.heads, heads::of(tag));
            self.children(tag);
            self.heads = around;
        } else {
            self.children(tag);
        }
    }

    fn children(&mut self, tag: &mut Tag) {
        let is_listing = kind::is_listing(tag);
        let (mut at, mut collapsed) = (0, Vec::new());
        while at < tag.children.len() {
            let run = if is_listing { None } else { Some(self.run(tag, at)).filter(|run| run.end > at + 1) };
            let before = self.names.mark();
            let template = run.and_then(|run| Some((self.group(tag, at, run)?, run.end)));
            if let Some((template, end)) = template {
                tag.children[at] = Node::Tag(template);
                collapsed.push(at + 1..end);
                at = end;
                continue;
            }
            self.names.restore(before);
            if let Some(Node::Tag(child)) = tag.children.get_mut(at) {
                self.inside(child);
            }
            at += 1;
        }
        let mut collapsed = collapsed.into_iter().flatten().peekable();
        let mut place = 0..;
        tag.children.retain(|_| collapsed.next_if_eq(&place.next().unwrap_or_default()).is_none());
    }

    /// Returns the run of siblings similar to the one at `start`. Text ends the run, except that
    /// inline-level siblings may be separated by one space each.
    fn run(&mut self, parent: &Tag, start: usize) -> Run {
        let mut run = Run { end: start + 1, is_spaced: false };
        let Some(Node::Tag(first)) = parent.children.get(start) else { return run };
        let mut follows_space = false;
        for (at, child) in parent.children.iter().enumerate().skip(start + 1) {
            match child {
                Node::Text(Value::Fixed(text)) if parent.free_space && text.trim_ascii().is_empty() => {}
                text if text.is_space() && !follows_space && !parent.preserves_space && !first.breaks_lines => {
                    follows_space = true;
                }
                Node::Tag(tag)
                    if (run.end == start + 1 || follows_space == run.is_spaced)
                        && tag.name == first.name
                        && !(kind::is_prose(first) || kind::is_prose(tag))
                        && (!follows_space || kind::is_of_one_look(first, tag))
                        && unify::alike(first, tag, &mut self.names) =>
                {
                    run = Run { end: at + 1, is_spaced: follows_space };
                    follows_space = false;
                }
                _ => break,
            }
        }
        run
    }

    /// Writes the run as one element in a loop, if that is shorter.
    fn group(&mut self, parent: &Tag, start: usize, Run { end, is_spaced }: Run) -> Option<Tag> {
        let tags: Vec<&Tag> = parent.children[start..end].iter().filter_map(Node::tag).collect();
        let has = |names: &[&str]| kind::has_any(tags[0], names);
        let is_thing = |thing: &&str| has(kind::TITLES) && (*thing != PLAN || has(&["li"]));
        let thing = self.dialect.thing.filter(is_thing);
        let (list, item) = self.names.of_list(parent, tags[0], thing);
        let (mut template, mut table) = Table::of(&tags, &item, self.dialect, &mut self.names)?;
        let are_equal = table.is_empty();
        if are_equal {
            (template, table) = Table::of_equal(&tags, &item, self.dialect, &mut self.names)?;
        }
        table.name_by_heads(&mut template, &item, &self.heads);
        let rows = table.rows();
        let before: usize = tags.iter().map(|tag| size(tag)).sum();
        let after = size(&template) + rows.iter().map(row_size).sum::<usize>();
        let elements = tags.len() * elements(&template);
        // Two items must become clearly shorter. With more, a person would write a loop.
        let worth = match tags.len() {
            // The cells of a single row are not items.
            count if template.name == "td" && count < MANY_CELLS && elements == tags.len() => false,
            _ if are_equal => tags.len() > 2 && after < before && elements > tags.len(),
            2 => after * 10 < before * 9 && elements >= 4,
            _ => after * 10 < before * 13,
        };
        if !worth {
            return None;
        }
        let asks_place = switch::name_list(&mut template, &list);
        template.each = Some(Box::new(Each {
            list: list.clone(),
            key: table.key(&item),
            item,
            is_spaced,
            asks_place,
            index: Each::INDEX.to_owned(),
        }));
        self.names.take(&list);
        self.lists.lists.push(List { name: list, rows });
        // The template itself may contain repetition.
        self.inside(&mut template);
        Some(template)
    }
}

fn elements(tag: &Tag) -> usize {
    1 + tag.tags().map(elements).sum::<usize>()
}

/// Estimates the number of characters of an element.
fn size(tag: &Tag) -> usize {
    let value = |value: &Value| match value {
        Value::Fixed(text) | Value::Field(text) => text.len(),
        Value::FixedAndField(fixed, field) => fixed.len() + field.len() + 4,
        Value::Switch(switch) => switch.fixed.len() + switch.then.len() + switch.otherwise.len() + 24,
    };
    let attributes: usize =
        tag.attributes.iter().map(|attribute| attribute.name.len() + 4 + value(&attribute.value)).sum();
    let children: usize = tag
        .children
        .iter()
        .map(|child| match child {
            Node::Tag(tag) => size(tag),
            Node::Text(text) => value(text),
            Node::Slot(slot) => slot.len(),
        })
        .sum();
    2 * tag.name.len() + 13 + attributes + children
}

fn row_size(row: &Row) -> usize {
    match row {
        Row::Number(_) => 3,
        Row::Text(text) => text.len() + 6,
        Row::Fields(fields) => 6 + fields.iter().map(|(name, cell)| name.len() + 4 + cell_size(cell)).sum::<usize>(),
    }
}

fn cell_size(cell: &Cell) -> usize {
    match cell {
        Cell::Text(text) => text.len() + 2,
        Cell::Literal(literal) => literal.len(),
        Cell::Flag => 4,
        Cell::Markup(tag) => size(tag),
        Cell::Rows(rows) => rows.iter().map(row_size).sum(),
    }
}

#[cfg(test)]
mod tests;
