//! Names fields after the part that they play in an item: question and answer, quote and role, value and label.

use super::Cell;
use super::field_table::{Field, FieldTable};
use super::naming::PLAIN_TEXT;
use limner_component_model::ir::OutputElement;

/// By the item's name: the fields of generic names, and their parts in such an item. Of several parts for one field,
/// the first that is free.
const ROLES: &[(&[&str], &[(&str, &[&str])])] =
    &[(&["question", "faq"], &[("title", &["question"]), (PLAIN_TEXT, &["answer"]), ("content", &["answer"])])];

/// Items in which a person says something.
const STATEMENTS: &[&str] = &["testimonial", "quote", "review"];

/// Minimum mean length of what a person says, and maximum length of initials.
const QUOTE_LENGTH: usize = 40;
const INITIALS_LENGTH: usize = 3;

impl FieldTable {
    /// Renames generic fields where the kind of the item or their values tell their part.
    pub(super) fn name_by_role(&mut self, template: &mut OutputElement, item: &str) {
        if self.is_scalar() {
            return;
        }
        // Names that tell several lists apart have further words before.
        let lower = item.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_lowercase();
        let is_kind = |kinds: &[&str]| kinds.iter().any(|kind| lower.ends_with(kind));
        if is_kind(STATEMENTS) {
            self.name_statement(template, item);
        }
        let roles = ROLES.iter().filter(|(kinds, _)| is_kind(kinds)).flat_map(|(_, roles)| *roles);
        for (from, parts) in roles {
            let has = |name: &str| self.columns.iter().any(|column| column.name == name);
            if let Some(to) = parts.iter().find(|part| has(from) && !has(part)) {
                self.rename(template, item, from, to);
            }
        }
        self.name_figures(template, item);
    }

    /// Names what a person says (the longest text), the person and what the person does.
    fn name_statement(&mut self, template: &mut OutputElement, item: &str) {
        let is_generic = |own: &&Field| {
            let is_text =
                own.name.strip_prefix(PLAIN_TEXT).is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
            is_text || ["title", "blockquote", "content"].contains(&own.name.as_str())
        };
        let lengths = |own: &Field| own.cells.iter().flatten().map(cell_length).collect::<Vec<usize>>();
        let texts: Vec<(String, Vec<usize>)> =
            self.columns.iter().filter(is_generic).map(|own| (own.name.clone(), lengths(own))).collect();
        let mean = |lengths: &[usize]| lengths.iter().sum::<usize>() / lengths.len().max(1);
        let longest = texts.iter().max_by_key(|(_, lengths)| mean(lengths));
        let quote = longest.filter(|(name, lengths)| name == "blockquote" || mean(lengths) >= QUOTE_LENGTH);
        let quote = quote.map(|(name, _)| name.clone());
        let mut rest = Vec::new();
        for (name, lengths) in texts {
            let to = match () {
                () if Some(&name) == quote.as_ref() => "quote",
                () if lengths.iter().all(|length| *length <= INITIALS_LENGTH) => "initials",
                () => {
                    rest.push(name);
                    continue;
                }
            };
            self.rename_if_free(template, item, &name, to);
        }
        let has_name = self.columns.iter().any(|own| ["name", "author"].contains(&own.name.as_str()));
        let parts = ["name", "role", "company"].iter().skip(usize::from(has_name));
        for (from, to) in rest.iter().zip(parts) {
            self.rename_if_free(template, item, from, to);
        }
    }

    /// Names two generic texts of which one is a number: `value` and `label`.
    fn name_figures(&mut self, template: &mut OutputElement, item: &str) {
        let names = [PLAIN_TEXT.to_owned(), format!("{PLAIN_TEXT}2")];
        let column = |name: &String| self.columns.iter().find(|column| column.name == *name).map(is_figure);
        let (figure, words) = match names.each_ref().map(column) {
            [Some(true), Some(false)] => (&names[0], &names[1]),
            [Some(false), Some(true)] => (&names[1], &names[0]),
            _ => return,
        };
        let is_free = |name: &str| self.columns.iter().all(|column| column.name != name);
        if is_free("value") && is_free("label") && is_free(&format!("{PLAIN_TEXT}3")) {
            self.rename(template, item, figure, "value");
            self.rename(template, item, words, "label");
        }
    }
}

/// Returns the length of a text; that of markup counts as a long one.
fn cell_length(cell: &Cell) -> usize {
    match cell {
        Cell::Text(text) => text.trim().chars().count(),
        Cell::Markup(_) => QUOTE_LENGTH,
        Cell::Flag | Cell::Literal(_) | Cell::Rows(_) => 0,
    }
}

/// Returns true if every value is a number.
fn is_figure(column: &Field) -> bool {
    column.cells.iter().all(|cell| matches!(cell, Some(Cell::Text(text)) if is_number(text)))
}

/// Returns true if a text is a number, with a sign or a unit or without: `99.9 %`, `+12k`.
pub(super) fn is_number(text: &str) -> bool {
    let text = text.trim();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    text.chars().any(|c| c.is_ascii_digit()) && text.chars().count() <= 12 && letters <= 3
}

#[cfg(test)]
mod tests {
    use crate::loops::tests::{DIALECT, fields, root, tag, text};
    use crate::loops::{LoopSyntax, collapse};
    use limner_component_model::ir::Node;

    /// Returns the names of the fields of three items, each with these elements.
    fn names(thing: Option<&'static str>, item: &dyn Fn(usize) -> Vec<Node>) -> Vec<String> {
        let mut tree = root((1..4).map(|at| tag("article", &[("class", "card")], item(at))).collect());
        let lists = collapse(&mut tree, LoopSyntax { item_name: thing, ..DIALECT }, &[]).lists;
        fields(&lists[0], 0).into_iter().map(|(name, _)| name.to_owned()).collect()
    }

    fn part(name: &'static str, start: &str, at: usize) -> Node {
        tag(name, &[], vec![text(&format!("{start} {at}"))])
    }

    #[test]
    fn parts_of_a_known_kind_of_item_have_their_names() {
        let pair = |at: usize| vec![part("h3", "How many?", at), part("p", "So many:", at)];
        assert_eq!(names(Some("question"), &pair), ["question", "answer"]);
        assert_eq!(names(None, &pair), ["title", "text"], "of a kind that is not known");
    }

    #[test]
    fn testimonial_has_a_quote_and_a_name() {
        let words = "They were friendly, quick and thorough, and came back on the next day to look at it";
        let said = |at: usize| {
            let initials = tag("span", &[], vec![text(["AB", "CD", "EF"][at - 1])]);
            vec![initials, part("p", "Name", at), part("p", "Director", at), part("p", words, at)]
        };
        assert_eq!(names(Some("testimonial"), &said), ["initials", "name", "role", "quote"]);
        let quoted = |at: usize| vec![part("blockquote", words, at), part("h4", "Name", at)];
        assert_eq!(names(Some("testimonial"), &quoted), ["quote", "name"]);
    }

    #[test]
    fn figures_are_values_with_labels() {
        let stat = |value: &str, label: &str| {
            vec![tag("p", &[], vec![text(value)]), tag("p", &[], vec![text(label)]), tag("hr", &[], Vec::new())]
        };
        let stats = |at: usize| stat(["12k", "99.9 %", "+3"][at - 1], ["Readers", "Uptime", "Countries"][at - 1]);
        assert_eq!(names(None, &stats), ["value", "label"]);
        let words = |at: usize| stat(["Readers", "Uptime", "Countries"][at - 1], ["Many", "Long", "Some"][at - 1]);
        assert_eq!(names(None, &words), ["title", "subtitle"]);
        let card = |at: usize| vec![part("h3", "How many?", at), part("p", "So many:", at), part("p", "Or more:", at)];
        assert_eq!(names(None, &card), ["title", "text", "note"]);
        let links = |at: usize| {
            let link =
                |word: &str| tag("a", &[("href", &*format!("/{word}/{at}"))], vec![text(&format!("{word} {at}"))]);
            vec![link("more"), link("buy")]
        };
        assert_eq!(names(None, &links), ["href", "label", "secondHref", "secondLabel"]);
    }
}
