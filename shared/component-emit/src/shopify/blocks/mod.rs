//! Maps each repeated structure to a Shopify block type. Its settings are the fields that differ
//! between items; its preset has one block per item. Differences that no setting type can express
//! stay as static markup.

mod attributes;
mod class_stems;
mod fields;
mod rich_text;
mod template;

use crate::loops::{LoopSyntax, collapse, item_name_for_role};
use fields::{FieldValues, ListRows, snake};
use limner_component_model::ir::{Node, OutputElement};
use limner_component_model::model::Namespace;
use limner_types::SectionRole;
use serde_json::{Value as Json, json};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use template::BlockTemplate;

/// Maximum number of blocks of a section (`max_blocks` of its schema).
const MAX_BLOCKS: usize = 50;
/// Maximum number of items, such as columns of cards, that are searched for lists if they are no
/// blocks themselves.
const MAX_PRESET_ITEMS: usize = 4;
/// Maximum length of a block name in the editor.
const MAX_NAME: usize = 25;
/// Elements that are only parts of others, and form controls.
const PARTS: [&str; 8] = ["dd", "dt", "option", "source", "td", "th", "track", "col"];
const CONTROLS: [&str; 4] = ["form", "input", "select", "textarea"];

/// Marks the list items that did not become blocks, for each element among the children.
#[derive(Debug, Default)]
pub(super) struct InlineItems {
    pub(super) is_item: bool,
    pub(super) nested: Vec<Self>,
}

/// The block types of a section.
#[derive(Default)]
pub(super) struct SectionBlocks {
    kinds: Vec<BlockType>,
    /// The list items that did not become blocks.
    pub(super) items: InlineItems,
}

struct BlockType {
    name: String,
    template: BlockTemplate,
}

impl SectionBlocks {
    /// Replaces repeated structures by loops over blocks.
    pub(super) fn extract(root: &mut OutputElement, role: Option<SectionRole>) -> Self {
        let mut finder = BlockFinder {
            dialect: LoopSyntax { class: "class", item_name: item_name_for_role(role), for_scripts: false },
            candidates: Vec::new(),
        };
        let mut items = finder.find_in(root);
        let chosen = finder.chosen();
        let mut blocks = Self::default();
        let names = names(&finder.candidates, &chosen);
        finder.finalize_lists(root, &mut items, &names);
        for (found, name) in finder.candidates.into_iter().zip(names) {
            blocks.kinds.extend(name.map(|name| BlockType { name, template: found.template }));
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
        let assign = |kind: &BlockType| {
            let name = &kind.name;
            format!("{{% assign {} = section.blocks | where: 'type', '{name}' %}}\n", variable(name))
        };
        self.kinds.iter().map(assign).collect()
    }

    /// Returns the block types for the schema.
    pub(super) fn schema(&self) -> Vec<Json> {
        let kind = |kind: &BlockType| {
            let name: String = super::settings::label(&kind.name).chars().take(MAX_NAME).collect();
            json!({ "type": kind.name, "name": name.trim_ascii(), "settings": kind.template.settings })
        };
        self.kinds.iter().map(kind).collect()
    }

    /// Returns a block for each item of the page.
    pub(super) fn preset(&self) -> Vec<Json> {
        let of = |kind: &BlockType| {
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
struct BlockCandidate {
    /// The singular name of its items.
    item_name: String,
    template: BlockTemplate,
    /// The original items, with the nodes between them.
    nodes: Vec<Node>,
    items: Vec<InlineItems>,
    weight: usize,
}

struct BlockFinder {
    dialect: LoopSyntax,
    /// In document order; the [`Loop::key`](limner_component_model::ir::Each::key) of a template is
    /// its index here.
    candidates: Vec<BlockCandidate>,
}

impl BlockFinder {
    fn find_in(&mut self, tag: &mut OutputElement) -> InlineItems {
        let mut collapsed = tag.clone();
        class_stems::add(&mut collapsed);
        let mut lists = collapse(&mut collapsed, self.dialect, &[]);
        class_stems::remove_stems(&mut collapsed);
        lists.lists.iter_mut().flat_map(|list| &mut list.rows).for_each(class_stems::remove_stems_from_row);
        let lists: ListRows<'_> = lists.lists.iter().map(|list| (list.name.as_str(), list.rows.as_slice())).collect();
        self.children(tag, collapsed, &lists)
    }

    /// Inserts loops at the positions of the collapsed tree.
    fn children(&mut self, tag: &mut OutputElement, collapsed: OutputElement, lists: &ListRows<'_>) -> InlineItems {
        let mut items = InlineItems::default();
        let mut own = std::mem::take(&mut tag.children).into_iter();
        for child in collapsed.children {
            match child {
                Node::Tag(template) if template.repeat.is_some() => {
                    let rows = template.repeat.as_ref().and_then(|each| lists.get(each.list.as_str()));
                    let nodes = take_nodes(&mut own, rows.map_or(0, |rows| rows.len()));
                    self.group(template, nodes, lists, &mut tag.children, &mut items.nested);
                }
                Node::Tag(child) => {
                    if let Some(Node::Tag(mut tag_of_page)) = own.next() {
                        items.nested.push(self.children(&mut tag_of_page, child, lists));
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
        mut one: OutputElement,
        nodes: Vec<Node>,
        lists: &ListRows<'_>,
        out: &mut Vec<Node>,
        items: &mut Vec<InlineItems>,
    ) {
        let count = nodes.iter().filter(|node| node.tag().is_some()).count();
        let thing = one.repeat.as_ref().map(|each| snake(&each.item)).unwrap_or_default();
        if let Some(template) = self.template(&mut one, count, lists) {
            let item = || InlineItems { is_item: true, ..InlineItems::default() };
            if let Some(each) = &mut one.repeat {
                each.key = self.candidates.len().to_string();
            }
            let weight = count * elements(&one);
            let as_they_were = std::iter::repeat_with(item).take(count).collect();
            self.candidates.push(BlockCandidate { item_name: thing, template, nodes, items: as_they_were, weight });
            out.push(Node::Tag(one));
            items.push(InlineItems::default());
            return;
        }
        for mut node in nodes {
            if let Node::Tag(tag) = &mut node {
                let inside = if count <= MAX_PRESET_ITEMS { self.find_in(tag).nested } else { Vec::new() };
                items.push(InlineItems { is_item: true, nested: inside });
            }
            out.push(node);
        }
    }

    /// Returns the template of a list as Liquid.
    fn template(&self, one: &mut OutputElement, count: usize, lists: &ListRows<'_>) -> Option<BlockTemplate> {
        let each = one.repeat.take()?;
        let is_thing =
            one.namespace == Namespace::Html && !PARTS.contains(&one.name.as_str()) && !one.preserves_whitespace;
        if !is_thing || count > MAX_BLOCKS || has_any(one, &CONTROLS) {
            return None;
        }
        let mut fields = FieldValues::from_rows(&each.item, lists.get(each.list.as_str())?);
        fields.flatten(one, lists)?;
        let template =
            BlockTemplate::write(one, &fields, &format!("{}_{}", snake(&each.item), self.candidates.len() + 1))?;
        one.repeat = Some(each);
        Some(template)
    }

    /// Chooses the largest lists that together fit into the maximum number of blocks.
    fn chosen(&self) -> BTreeSet<usize> {
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by_key(|at| (Reverse(self.candidates[*at].weight), *at));
        let mut left = MAX_BLOCKS;
        let fits = |at: &usize| {
            let rest = left.checked_sub(self.candidates[*at].template.presets.len());
            left = rest.unwrap_or(left);
            rest.is_some()
        };
        order.into_iter().filter(fits).collect()
    }

    /// Names the chosen lists and restores the items of the others.
    fn finalize_lists(&mut self, tag: &mut OutputElement, items: &mut InlineItems, names: &[Option<String>]) {
        let several = names.iter().flatten().count() > 1;
        let mut known = std::mem::take(&mut items.nested).into_iter();
        for child in std::mem::take(&mut tag.children) {
            let Node::Tag(mut child) = child else {
                tag.children.push(child);
                continue;
            };
            let mut own = known.next().unwrap_or_default();
            let number = child.repeat.as_ref().and_then(|each| each.key.parse::<usize>().ok());
            match number.map(|at| (at, names[at].as_ref())) {
                Some((at, None)) => {
                    let found = &mut self.candidates[at];
                    tag.children.append(&mut found.nodes);
                    items.nested.append(&mut found.items);
                    continue;
                }
                Some((_, Some(name))) => {
                    let each = child.repeat.as_mut();
                    let list = if several { variable(name) } else { "section.blocks".to_owned() };
                    each.into_iter().for_each(|each| each.list.clone_from(&list));
                }
                None => self.finalize_lists(&mut child, &mut own, names),
            }
            items.nested.push(own);
            tag.children.push(Node::Tag(child));
        }
    }
}

/// Returns the names of the block types; `None` for lists that are not chosen.
fn names(found: &[BlockCandidate], chosen: &BTreeSet<usize>) -> Vec<Option<String>> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut name = |at: usize| {
        let thing = Some(found[at].item_name.as_str()).filter(|thing| !thing.is_empty()).unwrap_or("item");
        let count = counts.entry(thing).or_default();
        *count += 1;
        if *count > 1 { format!("{thing}_{count}") } else { thing.to_owned() }
    };
    (0..found.len()).map(|at| chosen.contains(&at).then(|| name(at))).collect()
}

/// Takes the next nodes, up to the last of `count` elements.
fn take_nodes(nodes: &mut impl Iterator<Item = Node>, count: usize) -> Vec<Node> {
    let mut left = count;
    let mut taken = Vec::new();
    while left > 0 {
        let Some(node) = nodes.next() else { break };
        left -= usize::from(node.tag().is_some());
        taken.push(node);
    }
    taken
}

fn elements(tag: &OutputElement) -> usize {
    1 + tag.tags().map(elements).sum::<usize>()
}

fn has_any(tag: &OutputElement, names: &[&str]) -> bool {
    names.contains(&tag.name.as_str()) || tag.tags().any(|child| has_any(child, names))
}
