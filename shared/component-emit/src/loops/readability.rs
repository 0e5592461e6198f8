//! Decides if a loop reads better than the elements that it stands for: its items are of one kind, and its data are what a
//! person would write down, not how the items look.

use super::Cell;
use super::class_fields::{has_only_colors, has_only_glyphs};
use super::field_table::{Field, FieldTable};
use super::naming;
use super::position_variants::is_spacing;
use super::similarity::{are_of_other_scripts, has_any};
use super::text_names::PLAIN_TEXT;
use limner_component_model::ir::{Node, OutputElement, Value};
use limner_component_model::model::Namespace;
use std::collections::HashSet;

/// Minimum number of items with classes among their data, and the maximum number of classes of one.
const MIN_ITEMS_WITH_CLASSES: usize = 5;
const MAX_CLASSES: usize = 2;

/// Minimum number of items whose colours are data, of other texts that each of them has, and the maximum number of its
/// classes.
const MIN_COLORED_ITEMS: usize = 3;
const MIN_TEXTS_BESIDE_COLORS: usize = 2;
const MAX_COLOR_CLASSES: usize = 8;

/// Maximum number of elements that only a flag decides about.
const MAX_FLAGGED_ELEMENTS: usize = 2;

/// Maximum number of flags that only classes depend on.
const MAX_LOOK_FLAGS: usize = 2;

/// Minimum number of paragraphs of plain text that are a list.
const MIN_PARAGRAPHS: usize = 4;

/// Minimum number of titles that are a list: fewer are lines of one.
const MIN_TITLES: usize = 3;

/// Maximum number of fields with the ordinal of a second one: `secondHref`, `secondLabel`.
const MAX_SECOND_FIELDS: usize = 2;

impl FieldTable {
    /// Returns true if a person would write these items as data.
    pub(super) fn reads_as_data(&self, template: &OutputElement, item: &str) -> bool {
        if self.is_empty() {
            return true;
        }
        // The cells of a table are named by their columns, or by nothing.
        let is_row = template.name == "tr";
        let are_flags = self.columns.iter().all(|own| own.cells.iter().flatten().all(is_flag));
        template.namespace == Namespace::Html
            && !are_flags
            && self.columns.iter().all(|own| !is_blank(own) && self.may_have_classes(own))
            && !(template.name == "p" && self.is_scalar() && self.rows < MIN_PARAGRAPHS)
            && !(self.is_scalar() && self.rows < MIN_TITLES && is_title(template))
            && !(self.is_scalar() && is_bare(template) && self.are_short())
            && !(self.is_scalar() && (self.are_translations() || is_line(template)))
            && (is_row || self.are_things(template, item))
    }

    /// Returns true for texts in several scripts: one text in several languages.
    fn are_translations(&self) -> bool {
        let texts = self.columns.iter().flat_map(|own| &own.cells).filter_map(|cell| match cell {
            Some(Cell::Text(text)) => Some(text.as_str()),
            _ => None,
        });
        let all: Vec<&str> = texts.collect();
        all.first().is_some_and(|first| all.iter().any(|text| are_of_other_scripts(first, text)))
    }

    /// Returns true for items of a character or two.
    fn are_short(&self) -> bool {
        let is_short = |cell: &Cell| matches!(cell, Cell::Text(text) if text.chars().count() <= 2);
        self.columns.iter().all(|own| own.cells.iter().flatten().all(is_short))
    }

    /// Returns true for items of one kind with fields that say what they are.
    fn are_things(&self, template: &OutputElement, item: &str) -> bool {
        self.are_of_one_kind()
            && self.has_telling_flags(template, item)
            && !self.are_enumerated()
            && !asks_place(template)
    }

    /// Returns true for a column without classes, with few that many items have, or with the colours of things.
    fn may_have_classes(&self, column: &Field) -> bool {
        if !column.is_class {
            return true;
        }
        let is_numbered = column.name.ends_with(|c: char| c.is_ascii_digit());
        let most = column.cells.iter().flatten().map(|cell| match cell {
            Cell::Text(text) => text.split_ascii_whitespace().count(),
            _ => 0,
        });
        let most = most.max().unwrap_or(0);
        let is_of_spacing = |cell: &Cell| matches!(cell, Cell::Text(text) if is_spacing(text));
        let are_spacing = column.cells.iter().flatten().all(is_of_spacing);
        let are_few = self.rows >= MIN_ITEMS_WITH_CLASSES && most <= MAX_CLASSES && !are_spacing;
        let is_only_one = self.columns.iter().filter(|own| own.is_class).count() == 1;
        let texts = self.columns.iter().filter(|own| !own.is_class && own.cells.iter().all(is_text)).count();
        let are_colors = self.rows >= MIN_COLORED_ITEMS
            && most <= MAX_COLOR_CLASSES
            && is_only_one
            && texts >= MIN_TEXTS_BESIDE_COLORS
            && column.cells.iter().all(|cell| matches!(cell, Some(Cell::Text(text)) if has_only_colors(text)));
        let are_glyphs = self.rows >= MIN_COLORED_ITEMS
            && column.cells.iter().all(|cell| matches!(cell, Some(Cell::Text(text)) if has_only_glyphs(text)));
        !is_numbered && (are_few || are_colors || are_glyphs)
    }

    /// Returns true if the items have more fields in common than not, and no field stands in the place of another one.
    fn are_of_one_kind(&self) -> bool {
        let own: Vec<&Field> = self.columns.iter().filter(|own| !own.cells.iter().flatten().all(is_flag)).collect();
        let has = |own: &Field, row: usize| own.cells[row].as_ref().is_some_and(says_something);
        let is_common = |own: &&Field| (0..self.rows).all(|row| has(own, row));
        let common = own.iter().filter(|own| is_common(own)).count();
        let optional: Vec<&Field> = own.into_iter().filter(|own| !is_common(own)).collect();
        if optional.len() > common {
            return false;
        }
        // One stands in the place of another if it has a value exactly where the other one has none. A flag decides about an
        // element that has no values.
        let presence = |own: &&Field| (0..self.rows).map(|row| has(own, row)).collect::<Vec<bool>>();
        let flags =
            self.columns.iter().filter(|own| own.name.starts_with("has") && own.cells.iter().flatten().all(is_flag));
        let known: HashSet<Vec<bool>> = optional.iter().copied().chain(flags).map(|own| presence(&own)).collect();
        !known.iter().any(|own| known.contains(&own.iter().map(|has| !has).collect::<Vec<bool>>()))
    }

    /// Returns true if flags have names of the author, and none of them decides about a whole block.
    fn has_telling_flags(&self, template: &OutputElement, item: &str) -> bool {
        let flags = || self.columns.iter().filter(|own| own.cells.iter().flatten().all(is_flag));
        let looks = flags().filter(|own| own.name.starts_with("is")).count();
        let tells = |own: &Field| {
            let field = format!("{item}.{}", own.name);
            !["hasExtra", "hasElement", "isPlain", "isSpecial"].iter().any(|vague| own.name.starts_with(vague))
                && flagged(template, &field).is_none_or(|block| super::elements(block) <= MAX_FLAGGED_ELEMENTS)
        };
        looks <= MAX_LOOK_FLAGS && flags().all(tells)
    }

    /// Returns true if the fields are numbered: a third image, several things that there are two of.
    fn are_enumerated(&self) -> bool {
        let ordinals = self.columns.iter().filter_map(|own| naming::ordinal(&own.name));
        let (mut seconds, mut is_third) = (0, false);
        ordinals.for_each(|number| if number > 2 { is_third = true } else { seconds += 1 });
        let is_numbered = |own: &Field| {
            own.name.strip_prefix(PLAIN_TEXT).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        is_third || seconds > MAX_SECOND_FIELDS || self.columns.iter().any(is_numbered)
    }
}

/// Returns true for a heading, with a box around it at most.
fn is_title(template: &OutputElement) -> bool {
    super::elements(template) <= 2 && has_any(template, &["h1", "h2", "h3", "h4", "h5", "h6"])
}

/// Returns true for an element that says nothing about its text: a list of such elements is shorter than its data.
fn is_bare(template: &OutputElement) -> bool {
    template.attributes.iter().all(|attribute| attribute.name == "key") && template.tags().next().is_none()
}

/// Returns true for a line of a text: words with a line break after them.
fn is_line(template: &OutputElement) -> bool {
    template.tags().next().is_some() && template.tags().all(|tag| tag.name == "br")
}

fn is_text(cell: &Option<Cell>) -> bool {
    matches!(cell, Some(Cell::Text(text)) if !text.is_empty())
}

/// Returns true for a field of white space.
fn is_blank(column: &Field) -> bool {
    let is_space = |cell: &Cell| matches!(cell, Cell::Text(text) if !text.is_empty() && text.trim().is_empty());
    column.cells.iter().flatten().any(is_space)
}

fn is_flag(cell: &Cell) -> bool {
    matches!(cell, Cell::Flag)
}

fn says_something(cell: &Cell) -> bool {
    !matches!(cell, Cell::Rows(rows) if rows.is_empty())
}

/// Returns the element that a field decides about.
fn flagged<'t>(tag: &'t OutputElement, field: &str) -> Option<&'t OutputElement> {
    if tag.condition.as_deref() == Some(field) {
        return Some(tag);
    }
    tag.tags().find_map(|child| flagged(child, field))
}

/// Returns true if classes of an item depend on its position, in a way for which utilities have no variant.
fn asks_place(tag: &OutputElement) -> bool {
    let asks = |value: &Value| matches!(value, Value::Conditional(switch) if switch.condition.depends_on_position());
    let mut children = tag.children.iter().filter_map(Node::tag).filter(|child| child.repeat.is_none());
    tag.attributes.iter().any(|attribute| asks(&attribute.value)) || children.any(asks_place)
}

#[cfg(test)]
mod tests {
    use super::{Cell, Field, FieldTable};
    use crate::loops::tests::{DIALECT, root, tag, text};
    use crate::loops::{LoopSyntax, collapse};
    use limner_component_model::ir::Node;

    const SCRIPTS: LoopSyntax = LoopSyntax { for_scripts: true, ..DIALECT };

    /// Returns the number of lists of five items, in scripts and elsewhere.
    fn lists(item: &dyn Fn(usize) -> Node) -> [usize; 2] {
        [SCRIPTS, DIALECT].map(|dialect| collapse(&mut root((1..=5).map(item).collect()), dialect, &[]).lists.len())
    }

    fn card(class: &str, at: usize, more: Vec<Node>) -> Node {
        let mut parts = vec![
            tag("h3", &[("class", "text-lg font-bold")], vec![text(&format!("Title {at}"))]),
            tag("p", &[("class", "text-sm")], vec![text(&format!("Words {at}"))]),
        ];
        parts.extend(more);
        tag("div", &[("class", class)], parts)
    }

    #[test]
    fn items_of_one_kind_are_data() {
        assert_eq!(lists(&|at| card("card p-4", at, Vec::new())), [1, 1]);
        let icon = |at: usize| {
            tag("svg", &[("class", "size-4")], vec![tag("path", &[("d", &*format!("M{at} 0"))], Vec::new())])
        };
        assert_eq!(lists(&|at| card("card p-4", at, vec![icon(at)])), [1, 1], "icons");
    }

    #[test]
    fn classes_are_no_data() {
        let many = |at: usize| card(&format!("card p-{at} m-{at} pt-{at}"), at, Vec::new());
        assert_eq!(lists(&many), [0, 1]);
        let few = |at: usize| card(&format!("card bg-c{at}"), at, Vec::new());
        assert_eq!(lists(&few), [1, 1], "one class each of many items");
        let mut three = root((1..=3).map(few).collect());
        assert_eq!(collapse(&mut three, SCRIPTS, &[]).lists.len(), 0, "one class each of few items");
    }

    #[test]
    fn two_lines_of_a_title_are_no_data() {
        let line =
            |at: usize| tag("div", &[("class", "p-4")], vec![tag("h2", &[], vec![text(&format!("Line {at} of it"))])]);
        let count = |lines: usize| collapse(&mut root((1..=lines).map(line).collect()), SCRIPTS, &[]).lists.len();
        assert_eq!([count(2), count(3)], [0, 1]);
    }

    #[test]
    fn lines_and_translations_are_no_data() {
        let line = |at: usize| tag("span", &[], vec![text(&format!("Line {at}")), tag("br", &[], Vec::new())]);
        assert_eq!(lists(&line), [0, 1], "lines of an address");
        let words = ["Words", "Слова", "כמה מילים", "كلمات", "More words"];
        let cell = |at: usize| tag("div", &[("class", "table-cell")], vec![text(words[at - 1])]);
        assert_eq!(lists(&cell), [0, 1], "a sentence in several languages");
    }

    #[test]
    fn presence_of_a_part_alone_is_no_data() {
        let layer = |at: usize| {
            let image = tag("img", &[("class", "size-full"), ("src", "a.png"), ("alt", "")], Vec::new());
            tag("div", &[("class", "absolute inset-0")], if at == 1 { vec![image] } else { Vec::new() })
        };
        let count = |dialect| collapse(&mut root((1..=3).map(layer).collect()), dialect, &[]).lists.len();
        assert_eq!(count(SCRIPTS), 0);
    }

    #[test]
    fn digits_in_bare_elements_are_no_data() {
        let digit = |at: usize| tag("div", &[], vec![text(&at.to_string())]);
        assert_eq!(lists(&digit), [0, 1]);
        let word = |at: usize| tag("div", &[], vec![text(&format!("Word {at}"))]);
        assert_eq!(lists(&word), [1, 1]);
    }

    #[test]
    fn colors_of_things_are_data() {
        let colored = |at: usize| {
            let color = format!("bg-[#00000{at}] text-red-{at}00 dark:bg-white dark:text-(--ink)/{at}0");
            card("card p-4", at, vec![tag("i", &[("class", &*format!("size-4 {color}"))], Vec::new())])
        };
        assert_eq!(lists(&colored), [1, 1]);
        let mut two = root((1..=2).map(colored).collect());
        assert_eq!(collapse(&mut two, SCRIPTS, &[]).lists.len(), 0, "two items");
    }

    #[test]
    fn lines_of_texts_are_one_field() {
        let lines = |at: usize| {
            let mut parts = vec![text(&format!("First line {at}"))];
            for line in 1..at {
                parts.extend([tag("br", &[], Vec::new()), text(&format!("Line {line} of {at}"))]);
            }
            card("card p-4", at, vec![tag("div", &[("class", "text-base")], parts)])
        };
        let mut tree = root((1..=4).map(lines).collect());
        let lists = collapse(&mut tree, SCRIPTS, &[]).lists;
        assert_eq!(lists.len(), 1, "{tree:?}");
        let fields = crate::loops::tests::fields(&lists[0], 2);
        assert_eq!(fields.iter().filter(|(_, cell)| matches!(cell, Cell::Markup(_))).count(), 1, "{fields:?}");
    }

    #[test]
    fn glyphs_are_data() {
        let glyph = |at: usize| {
            let class = format!("block size-4 before:content-['\\f00{at}']");
            card("card p-4", at, vec![tag("i", &[("class", &*class)], Vec::new())])
        };
        let mut three = root((1..=3).map(glyph).collect());
        let lists = collapse(&mut three, SCRIPTS, &[]).lists;
        assert_eq!(lists.len(), 1);
        let names: Vec<&str> = crate::loops::tests::fields(&lists[0], 0).into_iter().map(|(name, _)| name).collect();
        assert!(names.contains(&"icon"), "{names:?}");
    }

    #[test]
    fn shapes_of_an_icon_are_no_data() {
        let shapes =
            (1..=5).map(|at| tag("path", &[("class", "fill-black"), ("d", &*format!("M{at} 0h9v9h-9z"))], Vec::new()));
        let shapes: Vec<Node> = shapes.collect();
        let count = |dialect| collapse(&mut root(vec![tag("svg", &[], shapes.clone())]), dialect, &[]).lists.len();
        assert_eq!([SCRIPTS, DIALECT].map(count), [0, 1]);
    }

    #[test]
    fn blocks_that_some_items_have_make_them_several_kinds() {
        let form = || {
            tag(
                "div",
                &[("class", "mt-4")],
                vec![tag("b", &[], Vec::new()), tag("i", &[], Vec::new()), tag("hr", &[], Vec::new())],
            )
        };
        let more = |at: usize| card("card p-4", at, if at == 3 { vec![form()] } else { Vec::new() });
        assert_eq!(lists(&more), [0, 1]);
    }

    #[test]
    fn fields_that_replace_each_other_make_items_several_kinds() {
        for (columns, expected) in [
            (&["xxxx", "xxxx", "x.x.", "xx.."][..], true),
            (&["xxxx", "xxxx", "x.x.", "x.x."], true),
            (&["xxxx", "xxxx", "x.x.", ".x.x"], false),
            (&["xxxx", "xxxx", "xxxx", "xx..", "x.x.", "..xx"], false),
            (&["xxxx", "x.x.", "xx.."], false),
        ] {
            let cell = |mark: char| (mark == 'x').then(|| Cell::Text("a".to_owned()));
            let field =
                |own: &&str| Field { name: String::new(), is_class: false, cells: own.chars().map(cell).collect() };
            let table = FieldTable { columns: columns.iter().map(field).collect(), rows: 4, scalar: false };
            assert_eq!(table.are_of_one_kind(), expected, "{columns:?}");
        }
    }

    #[test]
    fn part_of_a_run_may_be_a_list() {
        let item = |at: usize| {
            if at == 2 { card("card p-1 m-1 pt-1", at, Vec::new()) } else { card("card p-4", at, Vec::new()) }
        };
        let mut tree = root((1..=5).map(item).collect());
        let lists = collapse(&mut tree, SCRIPTS, &[]).lists;
        assert_eq!(lists.iter().map(|list| list.rows.len()).collect::<Vec<_>>(), [3]);
    }
}
