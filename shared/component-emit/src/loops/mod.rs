//! Detects repeated structures and writes them as loops: siblings of the same shape become one
//! element in a loop, and their differences (texts, URLs, icons, classes) become the fields of a
//! list. Loops nest.
//!
//! `<li>One</li><li>Two</li><li>Three</li>` → the template `<li>{item}</li>` and the list
//! `["One", "Two", "Three"]`.

mod align;
mod attribute_names;
mod class_fields;
mod conditional_classes;
mod dedup_lists;
mod field_renaming;
mod field_roles;
mod field_table;
mod fixed_text;
mod hoist_constants;
mod hoist_whitespace;
mod item_contents;
mod naming;
mod nested_lists;
mod numbered_names;
mod position_variants;
mod readability;
mod similarity;
mod table_headings;
mod template;
mod text_names;
mod usable_words;
mod visit_values;

use field_table::FieldTable;
use limner_component_model::ir::{Loop, Node, OutputAttribute, OutputElement, Value};
use limner_component_model::model::Component;
use limner_types::SectionRole;
use naming::NameScope;
use position_variants::ListPlace;

/// The data of the loops of a component.
#[derive(Debug, Default)]
pub(super) struct LoopData {
    /// In the order in which loops use them.
    pub(super) lists: Vec<LoopList>,
}

/// A named list of items.
#[derive(Debug, PartialEq)]
pub(super) struct LoopList {
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
    Markup(Box<OutputElement>),
    /// A nested list.
    Rows(Vec<Row>),
}

/// Names that depend on the target framework and the section.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoopSyntax {
    /// The name of fields that contain classes.
    pub(super) class: &'static str,
    /// The name of the section's items, if the page does not give one.
    pub(super) item_name: Option<&'static str>,
    /// The lists are data of a script, with utilities as classes: people read them.
    pub(super) for_scripts: bool,
}

impl LoopSyntax {
    /// Names the fields of the items and returns the expression of their key. `None` if a person would not write them as
    /// data at their `place`, which is not asked of a trial.
    fn name_fields(
        self,
        template: &mut OutputElement,
        table: &mut FieldTable,
        item: &str,
        place: Option<ListPlace>,
    ) -> Option<String> {
        table.name_numbered(template, item, self.class);
        if !place.is_none_or(|place| self.is_readable(template, table, item, place)) {
            return None;
        }
        // Classes are no key, whatever their field is called.
        let key = table.key(item);
        table.name_classes(template, item);
        Some(key)
    }

    /// Returns true if a person would write the items as data, once variants of utilities say what depends on their
    /// `place`.
    fn is_readable(self, template: &mut OutputElement, table: &mut FieldTable, item: &str, place: ListPlace) -> bool {
        if self.for_scripts {
            position_variants::write_variants(template, place);
            position_variants::write_places(table, template, item, place);
        }
        !self.for_scripts || table.reads_as_data(template, item)
    }

    /// Returns the name of an item's parts, if the page does not give one.
    fn part(self, part: &OutputElement) -> Option<&'static str> {
        (self.item_name == Some(PLAN) && part.name == "li").then_some("feature")
    }
}

/// The items of a pricing table.
const PLAN: &str = "plan";
/// The items of a section of quotes.
const TESTIMONIAL: &str = "testimonial";

/// Returns the name of the items that a section of this role repeats.
pub(super) fn item_name_for_role(role: Option<SectionRole>) -> Option<&'static str> {
    match role? {
        SectionRole::Pricing => Some(PLAN),
        SectionRole::Testimonials => Some(TESTIMONIAL),
        SectionRole::Faq => Some("question"),
        SectionRole::Features => Some("feature"),
        // The content of others (links, logos, posts) depends on the page.
        SectionRole::Header | SectionRole::Hero | SectionRole::Cta | SectionRole::Footer => None,
    }
}

/// Returns the number of repeated structures of a component whose elements have these classes, for targets without loops.
pub(super) fn count_repeated(mut root: OutputElement, component: &Component) -> usize {
    let dialect = LoopSyntax { class: "className", item_name: item_name_for_role(component.role), for_scripts: true };
    collapse(&mut root, dialect, &[&component.name]).lists.len()
}

/// Replaces repetition in a tree with loops. Names of lists avoid `reserved` ones.
pub(super) fn collapse(root: &mut OutputElement, dialect: LoopSyntax, reserved: &[&str]) -> LoopData {
    let names = NameScope::new(reserved, elements(root));
    let mut collapse = LoopDetector { names, dialect, lists: LoopData::default(), heads: Vec::new() };
    collapse.collapse_in(root);
    dedup_lists::merge(&mut collapse.lists.lists, root);
    root.name_index_variables(0, Loop::INDEX);
    collapse.lists
}

/// A run of similar siblings.
#[derive(Clone, Copy)]
struct SiblingRun {
    /// The index after the last of them.
    end: usize,
    /// A space separates each two.
    is_space_separated: bool,
}

/// A run of siblings that is no list, and how often a part of it was tried.
#[derive(Default)]
struct RefusedRun {
    end: usize,
    tries: usize,
}

impl RefusedRun {
    /// Minimum number of items of a list that is part of a run.
    const MIN_PART: usize = 3;
    /// Maximum number of parts that are tried: each costs as much as the run is long.
    const MAX_TRIES: usize = 3;

    /// Returns true if a list may start here.
    fn may_try(&self, at: usize) -> bool {
        at >= self.end || self.tries < Self::MAX_TRIES
    }

    /// Returns true if a run from here is long enough.
    fn is_worth(&self, at: usize, end: usize) -> bool {
        end >= at + if at < self.end { Self::MIN_PART } else { 2 }
    }

    fn extend(&mut self, run: Option<SiblingRun>) {
        let Some(run) = run else { return };
        self.tries = if run.end > self.end { 1 } else { self.tries + 1 };
        self.end = self.end.max(run.end);
    }
}

/// Minimum number of items in a line: the space before each but the first reads worse than a few of them do.
const MIN_SPACED_ITEMS: usize = 5;

/// Minimum number of items in a block that is there twice.
const MIN_COPIED_ITEMS: usize = 3;

/// Minimum number of cells for a single table row to be written as a loop.
const MIN_CELLS_FOR_LOOP: usize = 7;

struct LoopDetector {
    names: NameScope,
    dialect: LoopSyntax,
    lists: LoopData,
    /// The column headings of the enclosing table.
    heads: Vec<String>,
}

impl LoopDetector {
    fn collapse_in(&mut self, tag: &mut OutputElement) {
        if tag.name == "table" {
            let around = std::mem::replace(&mut self.heads, table_headings::heading_field_names(tag));
            self.children(tag);
            self.heads = around;
        } else {
            self.children(tag);
        }
    }

    fn children(&mut self, tag: &mut OutputElement) {
        let is_listing = similarity::is_listing(tag);
        let (mut at, mut collapsed) = (0, Vec::new());
        let mut refused = RefusedRun::default();
        let outer_heading = self.names.heading.clone();
        let outer_label = self.names.label.clone();
        while at < tag.children.len() {
            let is_tried = !is_listing && refused.may_try(at);
            let run = is_tried.then(|| self.find_run(tag, at)).filter(|run| refused.is_worth(at, run.end));
            let before = self.names.mark();
            let template = run.and_then(|run| Some((self.group(tag, at, run)?, run.end)));
            if let Some((template, end)) = template {
                tag.children[at] = Node::Tag(template);
                collapsed.push(at + 1..end);
                at = end;
                continue;
            }
            self.names.restore(before);
            refused.extend(run);
            if let Some(Node::Tag(child)) = tag.children.get_mut(at) {
                if similarity::TITLES.contains(&child.name.as_str()) {
                    self.names.heading = naming::heading_name(&table_headings::text(child));
                    if matches!(child.name.as_str(), "h1" | "h2") {
                        self.names.title = self.names.heading.clone();
                    }
                }
                self.collapse_in(child);
                if let Some(label) = similarity::only_label(child) {
                    self.names.label = naming::heading_name(&table_headings::text(label));
                }
            }
            at += 1;
        }
        self.names.heading = outer_heading;
        self.names.label = outer_label;
        let mut collapsed = collapsed.into_iter().flatten().peekable();
        let mut place = 0..;
        tag.children.retain(|_| collapsed.next_if_eq(&place.next().unwrap_or_default()).is_none());
    }

    /// Returns the run of siblings similar to the one at `start`. Text ends the run, except that
    /// inline-level siblings may be separated by one space each.
    fn find_run(&mut self, parent: &OutputElement, start: usize) -> SiblingRun {
        let mut run = SiblingRun { end: start + 1, is_space_separated: false };
        let Some(Node::Tag(first)) = parent.children.get(start) else { return run };
        let mut follows_space = false;
        for (at, child) in parent.children.iter().enumerate().skip(start + 1) {
            match child {
                Node::Text(Value::Fixed(text)) if parent.whitespace_insignificant && text.trim_ascii().is_empty() => {}
                text if text.is_space() && !follows_space && !parent.preserves_whitespace && !first.is_block_level => {
                    follows_space = true;
                }
                Node::Tag(tag)
                    if (run.end == start + 1 || follows_space == run.is_space_separated)
                        && tag.name == first.name
                        && !(similarity::is_prose(first) || similarity::is_prose(tag))
                        && (!follows_space || similarity::is_similar_inline(first, tag))
                        && template::can_unify(first, tag, &mut self.names) =>
                {
                    run = SiblingRun { end: at + 1, is_space_separated: follows_space };
                    follows_space = false;
                }
                _ => break,
            }
        }
        run
    }

    /// Writes two equal blocks of items, such as the track of a marquee and its copy, as one block.
    fn copies(&mut self, parent: &OutputElement, mut block: OutputElement) -> OutputElement {
        let (list, item) = self.names.numbered_names("copy");
        let is_animated = |tag: &OutputElement| {
            tag.attribute("class").and_then(fixed_text::fixed).is_some_and(|classes| classes.contains("animate-"))
        };
        let has_controls = similarity::has_any(&block, &["a", "button", "input", "select", "textarea", "iframe"]);
        if (is_animated(parent) || is_animated(&block)) && !has_controls && block.attribute("aria-hidden").is_none() {
            // What a copy shows has been read.
            let value = Value::Field(format!("{item} > 1"));
            block.attributes.push(OutputAttribute { name: "aria-hidden".to_owned(), value });
        }
        self.lists.lists.push(LoopList { name: list.clone(), rows: field_table::numbers(2) });
        self.collapse_in(&mut block);
        let index = Loop::INDEX.to_owned();
        let each = Loop { list, key: item.clone(), item, is_space_separated: false, uses_index: false, index };
        block.repeat = Some(Box::new(each));
        block
    }

    /// Writes the run as one element in a loop, if that is shorter.
    fn group(
        &mut self,
        parent: &OutputElement,
        start: usize,
        SiblingRun { end, is_space_separated }: SiblingRun,
    ) -> Option<OutputElement> {
        let tags: Vec<&OutputElement> = parent.children[start..end].iter().filter_map(Node::tag).collect();
        if self.dialect.for_scripts && is_space_separated && tags.len() < MIN_SPACED_ITEMS {
            return None;
        }
        let has = |names: &[&str]| similarity::has_any(tags[0], names);
        let is_thing = |thing: &&str| match *thing {
            PLAN => has(similarity::TITLES) && has(&["li"]),
            TESTIMONIAL => has(similarity::TITLES) || has(&["img", "p", "q", "cite"]),
            _ => has(similarity::TITLES),
        };
        let thing = self.dialect.item_name.filter(is_thing);
        let (list, item) = self.names.list_and_item_names(parent, tags[0], thing);
        let is_tag = |node: &Node| node.tag().is_some();
        let place = ListPlace {
            is_first: !parent.children[..start].iter().any(is_tag),
            is_last: !parent.children[end..].iter().any(is_tag),
            items: tags.len(),
        };
        let (mut template, mut table) = FieldTable::from_elements(&tags, &item, self.dialect, &mut self.names)?;
        let are_equal = table.is_empty();
        if self.dialect.for_scripts && template.name == "source" {
            // Files for several widths are not data: they are read beside the image that they stand for.
            return None;
        }
        if are_equal && tags.len() == 2 && self.dialect.for_scripts && has_items(&template) {
            return Some(self.copies(parent, template));
        }
        if are_equal {
            (template, table) = FieldTable::from_equal_elements(&tags, &item, self.dialect, &mut self.names)?;
        }
        table.name_by_headings(&mut template, &item, &self.heads);
        table.name_by_role(&mut template, &item);
        let key = self.dialect.name_fields(&mut template, &mut table, &item, Some(place))?;
        let rows = table.rows();
        let before: usize = tags.iter().map(|tag| size(tag)).sum();
        let after = size(&template) + rows.iter().map(row_size).sum::<usize>();
        let elements = tags.len() * elements(&template);
        // Two items must become clearly shorter. With more, a person would write a loop.
        let worth = match tags.len() {
            // The cells of a single row are not items.
            count if template.name == "td" && count < MIN_CELLS_FOR_LOOP && elements == tags.len() => false,
            _ if are_equal => tags.len() > 2 && after < before && elements > tags.len(),
            2 => after * 10 < before * 9 && elements >= 4,
            _ => after * 10 < before * 13,
        };
        if !worth {
            return None;
        }
        let asks_place = conditional_classes::name_list(&mut template, &list);
        template.repeat = Some(Box::new(Loop {
            list: list.clone(),
            key,
            item,
            is_space_separated,
            uses_index: asks_place,
            index: Loop::INDEX.to_owned(),
        }));
        self.names.reserve(&list);
        self.lists.lists.push(LoopList { name: list, rows });
        // The template itself may contain repetition.
        self.collapse_in(&mut template);
        Some(template)
    }
}

/// Returns true if an element with list-like contents is in a block: several children with the same name and classes.
fn has_items(block: &OutputElement) -> bool {
    let mut tags = block.tags();
    let Some(first) = tags.next() else { return false };
    let rest: Vec<&OutputElement> = tags.collect();
    let is_alike = |tag: &&OutputElement| tag.name == first.name && tag.attribute("class") == first.attribute("class");
    (rest.len() + 1 >= MIN_COPIED_ITEMS && first.attribute("class").is_some() && rest.iter().all(is_alike))
        || block.tags().any(has_items)
}

fn elements(tag: &OutputElement) -> usize {
    1 + tag.tags().map(elements).sum::<usize>()
}

/// Estimates the number of characters of an element.
fn size(tag: &OutputElement) -> usize {
    let value = |value: &Value| match value {
        Value::Fixed(text) | Value::Field(text) => text.len(),
        Value::FixedAndField(fixed, field) => fixed.len() + field.len() + 4,
        Value::Conditional(switch) => switch.fixed.len() + switch.if_true.len() + switch.if_false.len() + 24,
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
mod inline_tests;
#[cfg(test)]
mod tests;
