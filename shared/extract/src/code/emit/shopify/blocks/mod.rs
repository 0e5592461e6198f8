//! Maps each repeated structure to a Shopify block type. Its settings are the fields that differ
//! between items; its preset has one block per item. Differences that no setting type can express
//! stay as static markup.

mod attributes;
mod fields;
mod rich;
mod stems;
mod template;

use crate::code::emit::repeat::{Dialect, collapse, thing_in};
use crate::code::emit::tree::{Node, Tag};
use crate::code::model::Namespace;
use fields::{Fields, Lists, snake};
use limner_types::SectionRole;
use serde_json::{Value as Json, json};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use template::Template;

/// Maximum number of blocks of a section (`max_blocks` of its schema).
const MAX_BLOCKS: usize = 50;
/// Maximum number of items, such as columns of cards, that are searched for lists if they are no
/// blocks themselves.
const FEW: usize = 4;
/// Maximum length of a block name in the editor.
const MAX_NAME: usize = 25;
/// Elements that are only parts of others, and form controls.
const PARTS: [&str; 8] = ["dd", "dt", "option", "source", "td", "th", "track", "col"];
const CONTROLS: [&str; 4] = ["form", "input", "select", "textarea"];

/// Marks the list items that did not become blocks, for each element among the children.
#[derive(Debug, Default)]
pub(super) struct Items {
    pub(super) is_item: bool,
    pub(super) inside: Vec<Self>,
}

/// The block types of a section.
#[derive(Default)]
pub(super) struct Blocks {
    kinds: Vec<Kind>,
    /// The list items that did not become blocks.
    pub(super) items: Items,
}

struct Kind {
    name: String,
    template: Template,
}

impl Blocks {
    /// Replaces repeated structures by loops over blocks.
    pub(super) fn of(root: &mut Tag, role: Option<SectionRole>) -> Self {
        let mut finder = Finder { dialect: Dialect { class: "class", thing: thing_in(role) }, found: Vec::new() };
        let mut items = finder.inside(root);
        let chosen = finder.chosen();
        let mut blocks = Self::default();
        let names = names(&finder.found, &chosen);
        finder.settle(root, &mut items, &names);
        for (found, name) in finder.found.into_iter().zip(names) {
            blocks.kinds.extend(name.map(|name| Kind { name, template: found.template }));
        }
        blocks.items = items;
        blocks
    }

    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Returns the Liquid before the markup that selects the blocks of each type, if there are
    /// several.
    pub(super) fn assigned(&self) -> String {
        if self.kinds.len() < 2 {
            return String::new();
        }
        let assign = |kind: &Kind| {
            let name = &kind.name;
            format!("{{% assign {} = section.blocks | where: 'type', '{name}' %}}\n", variable(name))
        };
        self.kinds.iter().map(assign).collect()
    }

    /// Returns the block types for the schema.
    pub(super) fn schema(&self) -> Vec<Json> {
        let kind = |kind: &Kind| {
            let name: String = super::settings::label(&kind.name).chars().take(MAX_NAME).collect();
            json!({ "type": kind.name, "name": name.trim_ascii(), "settings": kind.template.settings })
        };
        self.kinds.iter().map(kind).collect()
    }

    /// Returns a block for each item of the page.
    pub(super) fn preset(&self) -> Vec<Json> {
        let of = |kind: &Kind| {
            let rows = kind.template.presets.iter();
            rows.map(|settings| json!({ "type": kind.name, "settings": settings })).collect::<Vec<_>>()
        };
        self.kinds.iter().flat_map(of).collect()
    }
}

/// Returns the Liquid variable of a block type's blocks. The bare name could be one of Shopify's
/// objects: `links`.
fn variable(name: &str) -> String {
    format!("{name}_blocks")
}

/// A list that may become blocks.
struct Found {
    /// The singular name of its items.
    thing: String,
    template: Template,
    /// The original items, with the nodes between them.
    nodes: Vec<Node>,
    items: Vec<Items>,
    weight: usize,
}

struct Finder {
    dialect: Dialect,
    /// In document order; the [`Each::key`](crate::code::emit::tree::Each::key) of a template is
    /// its index here.
    found: Vec<Found>,
}

impl Finder {
    fn inside(&mut self, tag: &mut Tag) -> Items {
        let mut collapsed = tag.clone();
        stems::add(&mut collapsed);
        let mut lists = collapse(&mut collapsed, self.dialect, &[]);
        stems::take(&mut collapsed);
        lists.lists.iter_mut().flat_map(|list| &mut list.rows).for_each(stems::take_of);
        let lists: Lists<'_> = lists.lists.iter().map(|list| (list.name.as_str(), list.rows.as_slice())).collect();
        self.children(tag, collapsed, &lists)
    }

    /// Inserts loops at the positions of the collapsed tree.
    fn children(&mut self, tag: &mut Tag, collapsed: Tag, lists: &Lists<'_>) -> Items {
        let mut items = Items::default();
        let mut own = std::mem::take(&mut tag.children).into_iter();
        for child in collapsed.children {
            match child {
                Node::Tag(template) if template.each.is_some() => {
                    let rows = template.each.as_ref().and_then(|each| lists.get(each.list.as_str()));
                    let nodes = run(&mut own, rows.map_or(0, |rows| rows.len()));
                    self.group(template, nodes, lists, &mut tag.children, &mut items.inside);
                }
                Node::Tag(child) => {
                    if let Some(Node::Tag(mut tag_of_page)) = own.next() {
                        items.inside.push(self.children(&mut tag_of_page, child, lists));
                        tag.children.push(Node::Tag(tag_of_page));
                    }
                }
                Node::Text(_) | Node::Slot(_) => tag.children.extend(own.next()),
            }
        }
        tag.children.extend(own);
        items
    }

    /// Writes one list as a loop, or restores its items.
    fn group(
        &mut self,
        mut one: Tag,
        nodes: Vec<Node>,
        lists: &Lists<'_>,
        out: &mut Vec<Node>,
        items: &mut Vec<Items>,
    ) {
        let count = nodes.iter().filter(|node| node.tag().is_some()).count();
        let thing = one.each.as_ref().map(|each| snake(&each.item)).unwrap_or_default();
        if let Some(template) = self.template(&mut one, count, lists) {
            let item = || Items { is_item: true, ..Items::default() };
            if let Some(each) = &mut one.each {
                each.key = self.found.len().to_string();
            }
            let weight = count * elements(&one);
            let as_they_were = std::iter::repeat_with(item).take(count).collect();
            self.found.push(Found { thing, template, nodes, items: as_they_were, weight });
            out.push(Node::Tag(one));
            items.push(Items::default());
            return;
        }
        for mut node in nodes {
            if let Node::Tag(tag) = &mut node {
                let inside = if count <= FEW { self.inside(tag).inside } else { Vec::new() };
                items.push(Items { is_item: true, inside });
            }
            out.push(node);
        }
    }

    /// Returns the template of a list as Liquid.
    fn template(&self, one: &mut Tag, count: usize, lists: &Lists<'_>) -> Option<Template> {
        let each = one.each.take()?;
        let is_thing = one.namespace == Namespace::Html && !PARTS.contains(&one.name.as_str()) && !one.preserves_space;
        if !is_thing || count > MAX_BLOCKS || has_any(one, &CONTROLS) {
            return None;
        }
        let mut fields = Fields::of(&each.item, lists.get(each.list.as_str())?);
        fields.flatten(one, lists)?;
        let template = Template::of(one, &fields, &format!("{}_{}", snake(&each.item), self.found.len() + 1))?;
        one.each = Some(each);
        Some(template)
    }

    /// Chooses the largest lists that together fit into the maximum number of blocks.
    fn chosen(&self) -> BTreeSet<usize> {
        let mut order: Vec<usize> = (0..self.found.len()).collect();
        order.sort_by_key(|at| (Reverse(self.found[*at].weight), *at));
        let mut left = MAX_BLOCKS;
        let fits = |at: &usize| {
            let rest = left.checked_sub(self.found[*at].template.presets.len());
            left = rest.unwrap_or(left);
            rest.is_some()
        };
        order.into_iter().filter(fits).collect()
    }

    /// Names the chosen lists and restores the items of the others.
    fn settle(&mut self, tag: &mut Tag, items: &mut Items, names: &[Option<String>]) {
        let several = names.iter().flatten().count() > 1;
        let mut known = std::mem::take(&mut items.inside).into_iter();
        for child in std::mem::take(&mut tag.children) {
            let Node::Tag(mut child) = child else {
                tag.children.push(child);
                continue;
            };
            let mut own = known.next().unwrap_or_default();
            let number = child.each.as_ref().and_then(|each| each.key.parse::<usize>().ok());
            match number.map(|at| (at, names[at].as_ref())) {
                Some((at, None)) => {
                    let found = &mut self.found[at];
                    tag.children.append(&mut found.nodes);
                    items.inside.append(&mut found.items);
                    continue;
                }
                Some((_, Some(name))) => {
                    let each = child.each.as_mut();
                    let list = if several { variable(name) } else { "section.blocks".to_owned() };
                    each.into_iter().for_each(|each| each.list.clone_from(&list));
                }
                None => self.settle(&mut child, &mut own, names),
            }
            items.inside.push(own);
            tag.children.push(Node::Tag(child));
        }
    }
}

/// Returns the names of the block types; `None` for lists that are not chosen.
fn names(found: &[Found], chosen: &BTreeSet<usize>) -> Vec<Option<String>> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut name = |at: usize| {
        let thing = Some(found[at].thing.as_str()).filter(|thing| !thing.is_empty()).unwrap_or("item");
        let count = counts.entry(thing).or_default();
        *count += 1;
        if *count > 1 { format!("{thing}_{count}") } else { thing.to_owned() }
    };
    (0..found.len()).map(|at| chosen.contains(&at).then(|| name(at))).collect()
}

/// Takes the next nodes, up to the last of `count` elements.
fn run(nodes: &mut impl Iterator<Item = Node>, count: usize) -> Vec<Node> {
    let mut left = count;
    let mut taken = Vec::new();
    while left > 0 {
        let Some(node) = nodes.next() else { break };
        left -= usize::from(node.tag().is_some());
        taken.push(node);
    }
    taken
}

fn elements(tag: &Tag) -> usize {
    1 + tag.tags().map(elements).sum::<usize>()
}

fn has_any(tag: &Tag, names: &[&str]) -> bool {
    names.contains(&tag.name.as_str()) || tag.tags().any(|child| has_any(child, names))
}
