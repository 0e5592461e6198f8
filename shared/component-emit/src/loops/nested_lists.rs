//! Detects nested lists: all children of each item, or some adjacent ones.

use super::align::{ChildSequence, ItemList, is_space_separated};
use super::conditional_classes;
use super::field_renaming::replace;
use super::field_table::{Field, FieldTable, numbers};
use super::position_variants::ListPlace;
use super::similarity::{is_listing, is_similar_inline};
use super::template::{FieldKind, Instance, TemplateBuilder, can_unify};
use super::{Cell, elements};
use limner_component_model::ir::{Loop, Node, OutputElement};
use std::collections::BTreeSet;

/// Minimum number of elements per item for a list of two.
const LARGE: usize = 4;

impl TemplateBuilder<'_> {
    /// Writes children that are all equal (the stars of a rating), of which only the number
    /// differs.
    fn count(
        &mut self,
        mut template: OutputElement,
        each: (String, String, bool),
        items: &[ItemList<'_>],
    ) -> Option<Node> {
        let (list, item, is_space_separated) = each;
        let counts: Vec<(usize, usize)> = items.iter().map(|own| (own.row, own.tags.len())).collect();
        let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
        if most < 3 || template.tags().next().is_none() {
            return None;
        }
        let list = if counts.iter().all(|(_, count)| *count == most) {
            let literal: Vec<String> = (1..=most).map(|number| number.to_string()).collect();
            format!("[{}]", literal.join(", "))
        } else {
            self.field(&list, counts.iter().map(|(row, count)| (*row, Cell::Rows(numbers(*count)))).collect())?
        };
        let index = Loop::INDEX.to_owned();
        template.repeat =
            Some(Box::new(Loop { list, key: item.clone(), item, is_space_separated, uses_index: false, index }));
        Some(Node::Tag(template))
    }

    /// Writes the children as a list, if they form one in each instance.
    pub(super) fn list(&mut self, instances: &[Instance<'_>], sequences: &[ChildSequence<'_>]) -> Option<Node> {
        let before = self.names.mark();
        let list = self.nested_list(instances, sequences);
        if list.is_none() {
            self.names.restore(before);
        }
        list
    }

    fn nested_list(&mut self, instances: &[Instance<'_>], sequences: &[ChildSequence<'_>]) -> Option<Node> {
        let parent = instances[0].1;
        let first = sequences[0].nodes.first()?.tag().filter(|_| !is_listing(parent))?;
        let items: Option<Vec<ItemList<'_>>> = sequences.iter().map(|sequence| sequence.items(&first.name)).collect();
        let items = items?;
        let counts = items.iter().map(|own| own.tags.len());
        let most = counts.clone().max().unwrap_or(0);
        let varies = counts.clone().any(|count| count != most);
        let is_item = first.name == "li" && elements(first) > 1;
        let is_list = most > 2 || (most == 2 && (varies || is_item || elements(first) >= LARGE));
        if is_list { self.list_from(parent, &items, true) } else { None }
    }

    /// Writes these children of each instance as a list. `are_all`: they have no other children.
    fn list_from(&mut self, parent: &OutputElement, items: &[ItemList<'_>], are_all: bool) -> Option<Node> {
        let is_space_separated = is_space_separated(items)?;
        let tags: Vec<&OutputElement> = items.iter().flat_map(|own| own.tags.iter().copied()).collect();
        let first = *tags.first()?;
        if is_space_separated && !tags.iter().all(|tag| is_similar_inline(first, tag)) {
            return None;
        }
        let (list, item) = self.names.list_and_item_names(parent, first, self.dialect.part(first));
        let lengths: Vec<usize> = items.iter().map(|own| own.tags.len()).collect();
        // Lists of several lengths are counted from both ends, or not at all.
        let place = ListPlace { is_first: are_all, is_last: are_all, items: lengths.first().copied().unwrap_or(0) };
        let (mut template, mut table) = FieldTable::from_lists(&tags, &lengths, &item, self.dialect, self.names)?;
        if !self.is_trial {
            self.hoist(&mut template, &mut table, &item, items)?;
        }
        // The columns of a table have different meanings.
        let are_columns = parent.name == "tr" && lengths.iter().all(|length| *length == lengths[0]);
        if are_columns && !table.is_scalar() {
            return None;
        }
        let place = (!self.is_trial).then_some(place);
        let key = self.dialect.name_fields(&mut template, &mut table, &item, place)?;
        if table.is_empty() {
            return self.count(template, (list, item, is_space_separated), items);
        }
        let mut rows = table.rows().into_iter();
        let cells: Vec<(usize, Cell)> =
            items.iter().map(|own| (own.row, Cell::Rows(rows.by_ref().take(own.tags.len()).collect()))).collect();
        if !self.is_trial && cells.len() > 1 && cells.iter().all(|(_, cell)| *cell == cells[0].1) {
            // A list that is equal in all items is no field.
            return None;
        }
        let list = self.field(&list, cells)?;
        let asks_place = conditional_classes::name_list(&mut template, &list);
        let index = Loop::INDEX.to_owned();
        template.repeat = Some(Box::new(Loop { list, key, item, is_space_separated, uses_index: asks_place, index }));
        Some(Node::Tag(template))
    }

    /// Moves fields that are constant within each list to the enclosing item.
    fn hoist(
        &mut self,
        template: &mut OutputElement,
        table: &mut FieldTable,
        item: &str,
        items: &[ItemList<'_>],
    ) -> Option<()> {
        let lengths: Vec<usize> = items.iter().map(|own| own.tags.len()).collect();
        for Field { name, is_class, cells } in table.extract_constant_columns(&lengths) {
            let kind = if is_class { FieldKind::Classes } else { FieldKind::Other };
            let own = items.iter().zip(cells).filter_map(|(own, cell)| Some((own.row, cell?)));
            let field = self.field_of_kind(&name, kind, own.collect())?;
            replace(template, &format!("{item}.{name}"), &field);
        }
        table.simplify(template, item);
        Some(())
    }

    /// Returns the list that starts at the first of these positions, and the number of positions it
    /// covers: links below a text, cards in a column.
    pub(super) fn part(&mut self, instances: &[Instance<'_>], places: &[Vec<(usize, &Node)>]) -> Option<(Node, usize)> {
        let parent = instances[0].1;
        let first = places.first()?.first()?.1.tag()?;
        if is_listing(parent) || parent.name == "svg" {
            return None;
        }
        let has_space = places.get(1).is_some_and(|place| place.iter().all(|(_, node)| node.is_space()));
        let step = if has_space { 2 } else { 1 };
        let end = run_length(first, places, step);
        let count = end.div_ceil(step);
        let varies = places[..end].iter().any(|place| place.len() < instances.len());
        // Consecutive texts and boxes have different meanings: a name, a role, a place.
        let is_item = matches!(first.name.as_str(), "a" | "button" | "li" | "source") || elements(first) >= LARGE;
        let is_few = count == 2 && elements(first) < LARGE && !varies;
        if count < 2 || !is_item || is_few || (has_space && first.is_block_level) {
            return None;
        }
        let all = || places[..end].iter().step_by(step).flatten().filter_map(|(_, node)| node.tag());
        // Optional cards are still cards of one kind.
        let has_none = places[0].len() < instances.len();
        let is_of_one_look = || all().all(|tag| tag.attribute("class") == first.attribute("class"));
        // A position with a space in one instance and a word in another is no separator.
        let is_mixed = |place: &Vec<(usize, &Node)>| {
            let mut spaces = place.iter().map(|(_, node)| node.is_space());
            spaces.next().is_some_and(|first| spaces.any(|own| own != first))
        };
        if varies && places.iter().any(is_mixed) {
            return None;
        }
        if varies && (has_none && elements(first) >= LARGE || !is_of_one_look()) {
            return None;
        }
        let before = (self.columns.len(), self.names.mark());
        let list = self.build_nested_list(instances, &places[..end], step);
        if list.is_none() {
            self.truncate_fields(before.0);
            self.names.restore(before.1);
        }
        Some((list?, end))
    }

    fn build_nested_list(
        &mut self,
        instances: &[Instance<'_>],
        places: &[Vec<(usize, &Node)>],
        step: usize,
    ) -> Option<Node> {
        let parts = places.iter().step_by(step);
        let of_row = |row: usize| {
            let tags = parts.clone().filter_map(|place| place.iter().find(|(own, _)| *own == row)?.1.tag());
            let tags: Vec<&OutputElement> = tags.collect();
            ItemList { row, is_space_separated: (tags.len() > 1).then_some(step == 2), tags }
        };
        let items: Vec<ItemList<'_>> = instances.iter().map(|(row, _)| of_row(*row)).collect();
        let tags = || items.iter().flat_map(|own| own.tags.iter().copied());
        let first = tags().next()?;
        if !tags().skip(1).all(|tag| can_unify(first, tag, self.names)) {
            return None;
        }
        self.list_from(instances[0].1, &items, false)
    }
}

/// Returns the number of leading positions that hold elements similar to `first`, with a space
/// before each further one if `step` is 2. Each instance must have a prefix of the items.
fn run_length(first: &OutputElement, places: &[Vec<(usize, &Node)>], step: usize) -> usize {
    let rows = |place: &[(usize, &Node)]| place.iter().map(|(row, _)| *row).collect::<BTreeSet<usize>>();
    let is_of_items = |place: &[(usize, &Node)]| place.iter().all(|(_, node)| resembles(first, node));
    let is_of_spaces = |place: &[(usize, &Node)]| place.iter().all(|(_, node)| node.is_space());
    let mut end = usize::from(places.first().is_some_and(|place| is_of_items(place)));
    while let Some(next) = places.get(end + step - 1).filter(|_| end > 0) {
        let has_space = step == 1 || (is_of_spaces(&places[end]) && rows(&places[end]) == rows(next));
        if !has_space || !is_of_items(next) || !rows(next).is_subset(&rows(&places[end - 1])) {
            break;
        }
        end += step;
    }
    end
}

/// Returns true if a node could be an item beside `first`.
fn resembles(first: &OutputElement, node: &Node) -> bool {
    node.tag().is_some_and(|tag| tag.name == first.name && tag.is_block_level == first.is_block_level)
}
