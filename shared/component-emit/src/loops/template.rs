//! Builds one template for elements of the same shape and the table of their differences
//! (anti-unification).
//!
//! `<a href="/1">One</a>` and `<a href="/2">Two</a>` → `<a href={item.href}>{item.label}</a>` with
//! two rows.

use super::align;
use super::align::ChildSequence;
use super::attribute_names::attribute_field_name;
use super::conditional_classes::RowPositions;
use super::field_renaming::is_repeating;
use super::field_table::{Field, FieldTable, unique_field_name};
use super::fixed_text::fixed;
use super::naming::NameScope;
use super::similarity::{are_similar, contains_prose, is_uniform_template};
use super::text_names::{PLAIN_TEXT, content_field_name, content_word, text_field_name};
use super::{Cell, LoopSyntax};
use crate::jsx::react_attributes;
use limner_component_model::ir::{Node, OutputAttribute, OutputElement, Value};
use limner_component_model::model::Namespace;
use std::collections::{BTreeMap, HashSet};

/// Maximum number of columns; elements with more differences are no repetition.
const MAX_COLUMNS: usize = 24;
/// Maximum number of optional parts of an item, and of a table row: the cells of a comparison table
/// have a mark or none.
const MAX_OPTIONAL: usize = 3;
const MAX_OPTIONAL_IN_ROW: usize = 8;

/// The kinds of values of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldKind {
    Classes,
    VisibleText,
    Other,
}

/// An element with its row.
pub(super) type Instance<'t> = (usize, &'t OutputElement);

/// Returns true if two elements could be instances of one template.
pub(super) fn can_unify(a: &OutputElement, b: &OutputElement, names: &mut NameScope) -> bool {
    if !are_similar(a, b) {
        return false;
    }
    let before = names.mark();
    let dialect = LoopSyntax { class: "class", item_name: None, for_scripts: false };
    let mut builder = TemplateBuilder::new("item", 2, dialect, names);
    builder.is_trial = true;
    let alike = builder.tag(&[(0, a), (1, b)]).is_some_and(|template| is_uniform_template(&template, 2));
    names.restore(before);
    alike
}

impl FieldTable {
    /// Builds the template and the table of elements. `None` if they have no common shape.
    pub(super) fn from_elements(
        tags: &[&OutputElement],
        item: &str,
        dialect: LoopSyntax,
        names: &mut NameScope,
    ) -> Option<(OutputElement, Self)> {
        Self::from_lists(tags, &[tags.len()], item, dialect, names)
    }

    /// Like [`Self::of`], for consecutive lists of these lengths.
    pub(super) fn from_lists(
        tags: &[&OutputElement],
        lengths: &[usize],
        item: &str,
        dialect: LoopSyntax,
        names: &mut NameScope,
    ) -> Option<(OutputElement, Self)> {
        Self::built(tags, lengths, TemplateBuilder::new(item, tags.len(), dialect, names))
    }

    /// Like [`Self::of`], for equal elements: the values that an author would edit, texts and URLs,
    /// become fields.
    pub(super) fn from_equal_elements(
        tags: &[&OutputElement],
        item: &str,
        dialect: LoopSyntax,
        names: &mut NameScope,
    ) -> Option<(OutputElement, Self)> {
        let mut builder = TemplateBuilder::new(item, tags.len(), dialect, names);
        (builder.names_texts, builder.includes_equal_urls) = (true, true);
        Self::built(tags, &[tags.len()], builder)
    }

    fn built(
        tags: &[&OutputElement],
        lengths: &[usize],
        mut builder: TemplateBuilder<'_>,
    ) -> Option<(OutputElement, Self)> {
        let instances: Vec<Instance<'_>> = tags.iter().copied().enumerate().collect();
        if !tags.iter().all(|tag| are_similar(tags[0], tag)) {
            return None;
        }
        // With two items, neither is the exception.
        let times = if tags.len() > 2 { 2 } else { 1 };
        let mut template = builder.tag(&instances).filter(|template| is_uniform_template(template, times))?;
        let (columns, item) = (builder.columns, builder.item);
        let mut table = Self { columns, rows: tags.len(), scalar: false };
        for (from, to) in &builder.better_names {
            table.rename(&mut template, &item, from, to);
        }
        table.name_by_semantics(&mut template, &item, &builder.semantic_names);
        table.switch(&mut template, &item, &RowPositions { tags, lengths });
        table.hoist_spaces(&mut template, &item);
        table.simplify(&mut template, &item);
        Some((template, table))
    }
}

pub(super) struct TemplateBuilder<'n> {
    /// The loop variable of an item.
    pub(super) item: String,
    rows: usize,
    pub(super) columns: Vec<Field>,
    optional: usize,
    /// Make texts fields even if they are equal: one of them decides about the presence of the
    /// element.
    names_texts: bool,
    /// Make `href`, `src` and `alt` fields even if they are equal.
    includes_equal_urls: bool,
    /// Only tests whether two of the elements fit, without building fields for markup.
    pub(super) is_trial: bool,
    /// Depth in the item; the item itself has depth 1.
    depth: usize,
    /// The items are table rows.
    is_table_rows: bool,
    /// Number of enclosing headings.
    headings: usize,
    pub(super) dialect: LoopSyntax,
    pub(super) names: &'n mut NameScope,
    /// By field of an attribute: the field name for a text with the same values.
    better_names: BTreeMap<String, String>,
    /// By generically named field: the author's name for the text.
    semantic_names: BTreeMap<String, String>,
}

impl<'n> TemplateBuilder<'n> {
    fn new(item: &str, rows: usize, dialect: LoopSyntax, names: &'n mut NameScope) -> Self {
        Self {
            item: item.to_owned(),
            rows,
            columns: Vec::new(),
            optional: 0,
            names_texts: false,
            includes_equal_urls: false,
            is_trial: false,
            depth: 0,
            is_table_rows: false,
            headings: 0,
            dialect,
            names,
            better_names: BTreeMap::new(),
            semantic_names: BTreeMap::new(),
        }
    }

    fn tag(&mut self, instances: &[Instance<'_>]) -> Option<OutputElement> {
        let (_, first) = instances.first()?;
        self.names.spend_comparison()?;
        self.is_table_rows |= self.depth == 0 && first.name == "tr";
        let same = |tag: &OutputElement| {
            tag.name == first.name
                && tag.namespace == first.namespace
                && tag.repeat.is_none()
                && tag.condition.is_none()
        };
        if !instances.iter().all(|(_, tag)| same(tag)) {
            return None;
        }
        let attributes = self.attributes(instances)?;
        let is_heading = matches!(first.name.as_str(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
        self.depth += 1;
        self.headings += usize::from(is_heading);
        let children = self.children(instances);
        self.headings -= usize::from(is_heading);
        self.depth -= 1;
        let children = children?;
        Some(OutputElement {
            name: first.name.clone(),
            namespace: first.namespace,
            attributes,
            children,
            whitespace_insignificant: instances.iter().all(|(_, tag)| tag.whitespace_insignificant),
            edge_whitespace_insignificant: instances.iter().all(|(_, tag)| tag.edge_whitespace_insignificant),
            is_block_level: instances.iter().all(|(_, tag)| tag.is_block_level),
            preserves_whitespace: instances.iter().any(|(_, tag)| tag.preserves_whitespace),
            semantic_name: first.semantic_name.clone(),
            modifiers: Vec::new(),
            repeat: None,
            condition: None,
        })
    }

    /// Drops all fields but the first ones.
    pub(super) fn truncate_fields(&mut self, columns: usize) {
        self.columns.truncate(columns);
        let kept = &self.columns;
        let is_kept = |name: &String, _: &mut String| kept.iter().any(|column| column.name == *name);
        self.better_names.retain(is_kept);
        self.semantic_names.retain(is_kept);
    }

    /// Adds a field with these values and returns its expression.
    pub(super) fn field(&mut self, name: &str, cells: Vec<(usize, Cell)>) -> Option<String> {
        self.field_of_kind(name, FieldKind::Other, cells)
    }

    /// Like [`Self::field`], for values of this kind.
    pub(super) fn field_of_kind(&mut self, name: &str, kind: FieldKind, cells: Vec<(usize, Cell)>) -> Option<String> {
        if self.columns.len() >= MAX_COLUMNS {
            return None;
        }
        let mut column =
            Field { name: name.to_owned(), is_class: kind == FieldKind::Classes, cells: vec![None; self.rows] };
        for (row, cell) in cells {
            column.cells[row] = Some(cell);
        }
        // Equal values in two places (a label and its tooltip) share a field.
        let is_of_kind = |own: &Field| own.is_class == column.is_class;
        if let Some(known) = self.columns.iter().find(|own| own.cells == column.cells && is_of_kind(own)) {
            if kind == FieldKind::VisibleText && is_repeating(&known.name) && !is_repeating(name) {
                self.better_names.insert(known.name.clone(), name.to_owned());
            }
            return Some(format!("{}.{}", self.item, known.name));
        }
        column.name = unique_field_name(name, &self.columns)?;
        let expression = format!("{}.{}", self.item, column.name);
        self.columns.push(column);
        Some(expression)
    }

    fn attributes(&mut self, instances: &[Instance<'_>]) -> Option<Vec<OutputAttribute>> {
        let mut names: Vec<&str> = Vec::new();
        for (_, tag) in instances {
            for attribute in &tag.attributes {
                if !names.contains(&attribute.name.as_str()) {
                    names.push(&attribute.name);
                }
            }
        }
        names.into_iter().map(|name| self.attribute(instances, name)).collect()
    }

    fn attribute(&mut self, instances: &[Instance<'_>], name: &str) -> Option<OutputAttribute> {
        let written = |tag: &OutputElement| tag.attribute(name).is_some_and(|value| fixed(value).is_none());
        if instances.iter().any(|(_, tag)| written(tag)) {
            // Already an expression: the options of a `select`.
            return None;
        }
        let values: Vec<(usize, Option<&str>)> =
            instances.iter().map(|(row, tag)| (*row, tag.attribute(name).and_then(fixed))).collect();
        let first = values[0].1;
        let is_named = self.includes_equal_urls && matches!(name, "href" | "src" | "alt") && first != Some("");
        let is_fixed = !is_named && values.iter().all(|(_, value)| *value == first);
        let value = if let Some(first) = first.filter(|_| is_fixed) {
            Value::Fixed(first.to_owned())
        } else if name == "class" {
            self.classes(&values)?
        } else {
            let is_literal = react_attributes::are_literals(name, values.iter().filter_map(|(_, value)| *value));
            let cell = |value: &str| match () {
                () if react_attributes::is_boolean(name) => Cell::Flag,
                () if is_literal => Cell::Literal(value.to_owned()),
                () => Cell::Text(value.to_owned()),
            };
            let cells = values.iter().filter_map(|(row, value)| Some((*row, cell((*value)?))));
            let field = attribute_field_name(instances[0].1, name, self.dialect.class);
            Value::Field(self.field(&field, cells.collect())?)
        };
        Some(OutputAttribute { name: name.to_owned(), value })
    }

    /// Writes common classes once; the remaining ones become a field.
    fn classes(&mut self, values: &[(usize, Option<&str>)]) -> Option<Value> {
        let lists: Vec<(usize, Vec<&str>)> = values
            .iter()
            .map(|(row, value)| (*row, value.unwrap_or_default().split(' ').filter(|c| !c.is_empty()).collect()))
            .collect();
        let common: Vec<&str> =
            lists[0].1.iter().copied().filter(|class| lists.iter().all(|(_, list)| list.contains(class))).collect();
        let cells = lists.iter().map(|(row, list)| {
            let own: Vec<&str> = list.iter().copied().filter(|class| !common.contains(class)).collect();
            (*row, Cell::Text(own.join(" ")))
        });
        let field = self.field_of_kind(self.dialect.class, FieldKind::Classes, cells.collect())?;
        Some(if common.is_empty() { Value::Field(field) } else { Value::FixedAndField(common.join(" "), field) })
    }

    fn children(&mut self, instances: &[Instance<'_>]) -> Option<Vec<Node>> {
        let sequences: Vec<ChildSequence<'_>> =
            instances.iter().map(|(row, tag)| ChildSequence::from_children(*row, tag)).collect();
        if let Some(list) = self.list(instances, &sequences) {
            return Some(vec![list]);
        }
        let keys: Vec<Vec<&str>> = sequences.iter().map(ChildSequence::keys).collect();
        let is_icon = instances[0].1.name == "svg";
        if is_icon && keys.iter().any(|own| *own != keys[0]) {
            // Icons are not assembled from the shapes that some of them share.
            return self.markup("icon", instances);
        }
        if let Some(name) = self.broken_lines(instances, &keys) {
            return self.markup(name, instances);
        }
        let places = align::align_positions(&sequences)?;
        let plain = instances.iter().filter(|(_, tag)| tag.tags().next().is_none()).count();
        let is_text = plain > 0 && self.are_texts(instances, &places)?;
        let first = instances[0].1;
        let whole = match first.children.iter().find_map(text_of) {
            _ if is_icon => Some("icon"),
            text => is_text.then(|| text_field_name(first, text.unwrap_or_default())),
        };
        if let Some(name) = whole.filter(|_| is_text && (self.is_trial || 2 * plain >= instances.len())) {
            return self.markup(name, instances);
        }
        if self.are_contents(instances, &places) {
            return self.markup(&content_field_name(first), instances);
        }
        let (columns, optional, taken) = (self.columns.len(), self.optional, self.names.mark());
        let unified = self.unify_positions(instances, &places);
        if let Some(name) = whole.filter(|_| unified.is_none()) {
            // Nor are elements with too many differences.
            self.truncate_fields(columns);
            self.optional = optional;
            self.names.restore(taken);
            return self.markup(name, instances);
        }
        unified
    }

    /// Returns the field name of texts in lines, of which some have more than others: each is one text.
    fn broken_lines(&self, instances: &[Instance<'_>], keys: &[Vec<&str>]) -> Option<&'static str> {
        let is_lines = |own: &Vec<&str>| own.iter().all(|key| matches!(*key, "br" | "#text"));
        let are_equal = keys.iter().all(|own| *own == keys[0]);
        if self.depth < 2 || are_equal || !keys.iter().all(is_lines) || !keys.iter().any(|own| own.contains(&"br")) {
            return None;
        }
        let has_text =
            |tag: &OutputElement| tag.children.iter().filter_map(text_of).any(|text| !text.trim().is_empty());
        let is_plain =
            |tag: &OutputElement| !tag.preserves_whitespace && tag.tags().all(|own| own.attributes.is_empty());
        let first = instances[0].1;
        let text = first.children.iter().find_map(text_of).unwrap_or_default();
        instances.iter().all(|(_, tag)| has_text(tag) && is_plain(tag)).then(|| text_field_name(first, text))
    }

    /// Returns true if elements are texts with marked-up words in some. An item that is running
    /// text as a whole is a paragraph, and its words are no field. `None` if the comparison budget
    /// is exhausted.
    fn are_texts(&mut self, instances: &[Instance<'_>], places: &[Vec<(usize, &Node)>]) -> Option<bool> {
        let rare = places.iter().filter(|place| place.len() < instances.len()).count();
        if self.depth < 2 || rare < 2 || !(self.is_trial || self.rows > 2) {
            return Some(false);
        }
        for (_, tag) in instances {
            if !self.is_running_text(tag)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns true if elements contain written content that differs between items: a paragraph,
    /// several, a list.
    fn are_contents(&self, instances: &[Instance<'_>], places: &[Vec<(usize, &Node)>]) -> bool {
        let rare = places.iter().filter(|place| place.len() < instances.len()).count();
        let parts = || instances.iter().flat_map(|(_, tag)| tag.tags());
        let all_written = || instances.iter().all(|(_, tag)| contains_prose(tag));
        // Paragraphs alone may each have a meaning (a currency, an amount), and lists alone are
        // handled one by one.
        let is_mixed = || parts().any(|part| part.name == "p") && parts().any(|part| part.name != "p");
        self.depth >= 2 && rare >= 2 && all_written() && is_mixed()
    }

    /// Returns true if an element contains words and, apart from text, only inline-level elements.
    fn is_running_text(&mut self, tag: &OutputElement) -> Option<bool> {
        let has_words = tag.children.iter().filter_map(text_of).any(|text| !text.trim_ascii().is_empty());
        Some(has_words && self.is_inline_content(tag)?)
    }

    fn is_inline_content(&mut self, tag: &OutputElement) -> Option<bool> {
        self.names.spend_comparison()?;
        if tag.repeat.is_some() || tag.condition.is_some() || tag.preserves_whitespace {
            return Some(false);
        }
        let is_fixed = |attribute: &OutputAttribute| fixed(&attribute.value).is_some();
        for child in &tag.children {
            let stands_in_line = match child {
                Node::Tag(child) => {
                    child.namespace == Namespace::Html
                        && (!child.is_block_level || child.name == "br")
                        && child.attributes.iter().all(is_fixed)
                        && self.is_inline_content(child)?
                }
                other => text_of(other).is_some(),
            };
            if !stands_in_line {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Makes the contents of the elements a field of markup.
    fn markup(&mut self, name: &str, instances: &[Instance<'_>]) -> Option<Vec<Node>> {
        let cell = |tag: &OutputElement| {
            // A trial only needs the field to exist.
            if self.is_trial {
                return Cell::Flag;
            }
            Cell::Markup(Box::new(OutputElement { attributes: Vec::new(), ..tag.clone() }))
        };
        let cells = instances.iter().map(|(row, tag)| (*row, cell(tag))).collect();
        let field = self.field(name, cells)?;
        Some(vec![Node::Slot(field)])
    }

    /// Unifies all positions among the children, including nested lists.
    fn unify_positions(&mut self, instances: &[Instance<'_>], places: &[Vec<(usize, &Node)>]) -> Option<Vec<Node>> {
        let (mut nodes, mut kept) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < places.len() {
            if let Some((list, end)) = self.part(instances, &places[at..]) {
                nodes.push(list);
                kept.push(places[at].as_slice());
                at += end;
                continue;
            }
            nodes.push(self.unify_position(instances, &places[at])?);
            kept.push(places[at].as_slice());
            at += 1;
        }
        self.attach_spaces(nodes, instances, &kept)
    }

    /// Unifies one position among the children of the instances that have it.
    fn unify_position(&mut self, instances: &[Instance<'_>], place: &[(usize, &Node)]) -> Option<Node> {
        let is_optional = place.len() < instances.len();
        if is_optional {
            self.optional += 1;
            if self.optional > if self.is_table_rows { MAX_OPTIONAL_IN_ROW } else { MAX_OPTIONAL } {
                return None;
            }
        }
        match place[0].1 {
            Node::Text(_) if is_optional && is_blank(place) => Some(Node::Text(Value::Fixed(" ".to_owned()))),
            Node::Text(_) => self.text(instances, place),
            Node::Tag(_) => {
                let tags: Vec<Instance<'_>> =
                    place.iter().filter_map(|(row, node)| Some((*row, node.tag()?))).collect();
                let before = self.columns.len();
                let outer = self.names_texts;
                self.names_texts |= is_optional;
                let tag = self.tag(&tags);
                self.names_texts = outer;
                let mut tag = tag?;
                if is_optional {
                    tag.condition = Some(self.presence(before, &tags)?);
                }
                Some(Node::Tag(tag))
            }
            Node::Slot(_) => None,
        }
    }

    /// Attaches a space that only some items have to an adjacent element of the same items, or
    /// makes it a field.
    fn attach_spaces(
        &mut self,
        mut nodes: Vec<Node>,
        instances: &[Instance<'_>],
        places: &[&[(usize, &Node)]],
    ) -> Option<Vec<Node>> {
        let rows = |at: usize| places[at].iter().map(|(row, _)| *row);
        for at in 0..nodes.len() {
            if places[at].len() == instances.len() || !is_blank(places[at]) {
                continue;
            }
            let beside = [at + 1, at.wrapping_sub(1)].into_iter().filter(|beside| *beside < nodes.len());
            let mut beside = beside.filter(|beside| rows(*beside).eq(rows(at)));
            nodes[at] = match beside.find_map(|beside| nodes[beside].tag()?.condition.as_ref()) {
                Some(condition) => Node::Text(Value::Field(format!("{condition} && ' '"))),
                None => self.text(instances, places[at])?,
            };
        }
        Some(nodes)
    }

    fn text(&mut self, instances: &[Instance<'_>], place: &[(usize, &Node)]) -> Option<Node> {
        let texts: Option<Vec<(usize, &str)>> = place
            .iter()
            .map(|(row, node)| match node {
                Node::Text(value) => Some((*row, fixed(value)?)),
                _ => None,
            })
            .collect();
        let texts = texts?;
        let first = texts[0].1;
        if !self.names_texts && place.len() == instances.len() && texts.iter().all(|(_, text)| *text == first) {
            return Some(Node::Text(Value::Fixed(first.to_owned())));
        }
        let parent = instances[0].1;
        let free: HashSet<usize> =
            instances.iter().filter(|(_, tag)| tag.whitespace_insignificant).map(|(row, _)| *row).collect();
        let name = match text_field_name(parent, first) {
            "label" | "text" | "name" if self.headings > 0 => "title",
            name => name,
        };
        let shown =
            |row: usize, text: &str| Cell::Text(if free.contains(&row) { text.trim_ascii() } else { text }.to_owned());
        let cells = texts.iter().map(|(row, text)| (*row, shown(*row, text)));
        let field = self.field_of_kind(name, FieldKind::VisibleText, cells.collect())?;
        if let (PLAIN_TEXT, Some(word)) = (name, content_word(&parent.semantic_name)) {
            self.semantic_names.insert(field[self.item.len() + 1..].to_owned(), word);
        }
        Some(Node::Text(Value::Field(field)))
    }

    /// Returns the expression that is true if an optional element is present: one of its fields, or
    /// a flag.
    fn presence(&mut self, before: usize, tags: &[Instance<'_>]) -> Option<String> {
        let shows = |column: &Field| {
            tags.iter().all(|(row, _)| match &column.cells[*row] {
                Some(Cell::Text(text)) => !text.is_empty(),
                Some(Cell::Markup(tag)) => !tag.children.is_empty(),
                Some(Cell::Flag) => true,
                Some(Cell::Rows(_) | Cell::Literal(_)) | None => false,
            })
        };
        if let Some(column) = self.columns[before..].iter().find(|column| shows(column)) {
            return Some(format!("{}.{}", self.item, column.name));
        }
        let tag = tags[0].1;
        let word = super::naming::camel(&tag.semantic_name);
        let name = if word.len() < 3 { "extra".to_owned() } else { word };
        let cells = tags.iter().map(|(row, _)| (*row, Cell::Flag)).collect();
        self.field(&format!("has{}{}", name[..1].to_ascii_uppercase(), &name[1..]), cells)
    }
}

fn is_blank(place: &[(usize, &Node)]) -> bool {
    place.iter().all(|(_, node)| node.is_space())
}

fn text_of(node: &Node) -> Option<&str> {
    match node {
        Node::Text(value) => fixed(value),
        Node::Tag(_) | Node::Slot(_) => None,
    }
}
