//! Names fields after the part that they play in an item: question and answer, quote and role, value and label.

use super::Cell;
use super::field_table::{Field, FieldTable};
use super::text_names::{PLAIN_TEXT, is_plain_text};
use limner_component_model::ir::{Node, OutputElement, Value};

/// Names of texts that say nothing of their part in an item, and those of what a person says.
const GENERIC: &[&str] = &["title", "subtitle", "content", "description"];
const STATEMENT: &[&str] = &["blockquote", "body", "caption", "comment", "figcaption", "message", "paragraph"];

/// Items that ask something.
const QUESTIONS: &[&str] = &["question", "faq"];

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
        self.name_initials(template, item);
        self.name_details(template, item);
        if is_kind(STATEMENTS) {
            self.name_statement(template, item);
        }
        self.name_questions(template, item, is_kind(QUESTIONS));
        self.name_figures(template, item);
        self.name_ordinals(template, item);
        self.name_links(template, item);
        self.renumber_texts(template, item);
    }

    /// Returns the names of texts that say nothing of their part, in their order.
    fn generic_texts(&self) -> Vec<String> {
        let names = self.columns.iter().filter(|own| !own.is_class).map(|own| &own.name);
        names.filter(|name| is_plain_text(name) || GENERIC.contains(&name.as_str())).cloned().collect()
    }

    /// Names a question and its answer, if the items are questions or a text of most of them ends in a question mark.
    fn name_questions(&mut self, template: &mut OutputElement, item: &str, is_known: bool) {
        let texts = self.generic_texts();
        let asks = |name: &&String| {
            let asked = self.columns.iter().find(|own| own.name == **name);
            let asked = asked.map_or(0, |own| own.cells.iter().flatten().filter(|cell| is_question(cell)).count());
            asked > 1 && 4 * asked >= 3 * self.rows
        };
        let asked = texts.iter().find(asks);
        let Some(question) = asked.or_else(|| texts.first().filter(|_| is_known)).cloned() else { return };
        let mean = |name: &&String| self.columns.iter().find(|own| own.name == **name).map_or(0, mean_length);
        let answer = texts.iter().filter(|name| **name != question).max_by_key(mean).cloned();
        self.rename_if_free(template, item, &question, "question");
        if let Some(answer) = answer {
            self.rename_if_free(template, item, &answer, "answer");
        }
    }

    /// Names the first letters of a name, whatever their author calls their element.
    fn name_initials(&mut self, template: &mut OutputElement, item: &str) {
        let are_letters = |cell: &Option<Cell>| match cell {
            Some(Cell::Text(text)) => {
                let text = text.trim();
                !text.is_empty() && text.chars().count() <= 2 && text.chars().all(char::is_uppercase)
            }
            _ => false,
        };
        let is_known = |name: &str| ["label", "price", "title", "value"].contains(&name);
        let mut texts = self.columns.iter().filter(|own| !own.is_class && !is_known(&own.name));
        let found = texts.find(|own| own.cells.iter().all(are_letters));
        if let Some(from) = found.map(|own| own.name.clone()) {
            self.rename_if_free(template, item, &from, "initials");
            self.renumber_texts(template, item);
        }
    }

    /// Names the parts of contact details: what it is, and the number or address.
    fn name_details(&mut self, template: &mut OutputElement, item: &str) {
        let texts = self.generic_texts();
        let [label, value] = texts.as_slice() else { return };
        let is_detail = |cell: &&Option<Cell>| match cell {
            Some(Cell::Text(text)) => is_contact(text),
            Some(Cell::Markup(tag)) => {
                matches!(tag.children.as_slice(), [Node::Text(Value::Fixed(text))] if is_contact(text))
            }
            _ => false,
        };
        let count = |name: &String| {
            let own = self.columns.iter().find(|own| own.name == *name);
            own.map_or(0, |own| own.cells.iter().filter(is_detail).count())
        };
        if count(value) * 3 >= self.rows.max(2) && count(label) == 0 {
            self.rename_if_free(template, item, value, "value");
            self.rename_if_free(template, item, label, "label");
        }
    }

    /// Names the only text of a link its label.
    fn name_links(&mut self, template: &mut OutputElement, item: &str) {
        let texts = || {
            self.columns.iter().filter(|own| matches!(own.cells.first(), Some(Some(Cell::Text(_)))) && !own.is_class)
        };
        let is_link = texts().any(|own| own.name == "href") && self.columns.len() <= MAX_LINK_FIELDS;
        let is_told = texts().any(|own| ["title", "label", "name"].contains(&own.name.as_str()));
        if is_link && !is_told && texts().any(|own| own.name == PLAIN_TEXT) {
            self.rename_if_free(template, item, PLAIN_TEXT, "label");
        }
    }

    /// Names what a person says (the longest text), the person and what the person does.
    fn name_statement(&mut self, template: &mut OutputElement, item: &str) {
        let is_generic = |own: &&Field| {
            is_plain_text(&own.name) || GENERIC.contains(&own.name.as_str()) || STATEMENT.contains(&own.name.as_str())
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
        let said = quote.as_ref().and_then(|_| rest.iter().position(|name| self.is_said(template, item, name)));
        let said = said.map(|at| rest.remove(at));
        let parts = ["name", "role", "company"].iter().skip(usize::from(has_name));
        for (from, to) in rest.iter().zip(parts) {
            self.rename_if_free(template, item, from, to);
        }
        if let Some(said) = said {
            self.rename_if_free(template, item, &said, "title");
        }
    }

    /// Returns true for a text that a person says in short: one in quotation marks, or one that is nearer to what the
    /// person says than to the person's name.
    fn is_said(&self, template: &OutputElement, item: &str, name: &str) -> bool {
        let place = |name: &str| place_of(template, &format!("{item}.{name}")).unwrap_or_default();
        let shared = |name: &str, other: &str| {
            place(name).iter().zip(&place(other)).take_while(|(one, other)| one == other).count()
        };
        let person = ["name", "author"].iter().find(|known| self.columns.iter().any(|own| own.name == **known));
        let is_near = person.is_some_and(|person| shared(name, "quote") > shared(name, person));
        is_near || self.columns.iter().any(|own| own.name == name && own.cells.iter().all(is_exclaimed))
    }

    /// Names a number before a title: `01.` and `Sample collection` are no title with a subtitle.
    fn name_ordinals(&mut self, template: &mut OutputElement, item: &str) {
        let is_ordinal = |cell: &Option<Cell>| match cell {
            Some(Cell::Text(text)) => {
                let text = text.trim();
                text.chars().count() <= 4
                    && text.chars().any(|c| c.is_ascii_digit())
                    && !text.chars().any(char::is_alphabetic)
            }
            _ => false,
        };
        let column = |name: &str| self.columns.iter().find(|own| own.name == name);
        let are_ordinals = column("title").is_some_and(|own| own.cells.iter().all(is_ordinal));
        if !are_ordinals || column("number").is_some() {
            return;
        }
        if column("title2").is_some() {
            self.rename_if_free(template, item, "title", "number");
            self.rename_if_free(template, item, "title2", "title");
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

/// Maximum number of fields of a link.
const MAX_LINK_FIELDS: usize = 3;

fn mean_length(column: &Field) -> usize {
    column.cells.iter().flatten().map(cell_length).sum::<usize>() / column.cells.len().max(1)
}

/// Returns the indices of children that lead to a field's text.
fn place_of(tag: &OutputElement, field: &str) -> Option<Vec<usize>> {
    tag.children.iter().enumerate().find_map(|(at, child)| match child {
        Node::Tag(child) => {
            let mut place = place_of(child, field)?;
            place.insert(0, at);
            Some(place)
        }
        Node::Text(Value::Field(own)) | Node::Slot(own) => (own == field).then(|| vec![at]),
        Node::Text(_) => None,
    })
}

fn is_question(cell: &Cell) -> bool {
    matches!(cell, Cell::Text(text) if text.trim_end().ends_with(['?', '？', '؟']))
}

/// Returns true for a text in quotation marks, or one that ends in an exclamation mark or a full stop.
fn is_exclaimed(cell: &Option<Cell>) -> bool {
    matches!(cell, Some(Cell::Text(text)) if {
        let text = text.trim();
        text.starts_with(['"', '“', '„', '«', '‘']) || text.ends_with(['!', '.'])
    })
}

/// Returns true for an e-mail address or a telephone number.
pub(super) fn is_contact(text: &str) -> bool {
    let text = text.trim();
    let is_mail = || {
        let is_word = |c: char| c.is_ascii_alphanumeric() || "._-+@".contains(c);
        text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
            && text.chars().all(is_word)
    };
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_phone =
        || (7..=15).contains(&digits) && text.chars().all(|c| c.is_ascii_digit() || "+()-./ \u{a0}".contains(c));
    text.len() <= 80 && (is_mail() || is_phone())
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
    fn short_quote_is_named_title() {
        let words = "They were friendly, quick and thorough, and came back on the next day to look at it";
        let said = |at: usize| {
            let short = ["\"Amazing results\"", "Great!", "Very good."][at - 1];
            vec![part("h3", "Name", at), tag("p", &[], vec![text(short)]), part("p", words, at)]
        };
        assert_eq!(names(Some("testimonial"), &said), ["name", "title", "quote"]);
    }

    #[test]
    fn titles_that_ask_are_questions() {
        let asked = |at: usize| vec![part("h3", "Why", at), part("p", "So:", at)];
        assert_eq!(names(None, &asked), ["title", "text"]);
        let asked = |at: usize| vec![tag("h3", &[], vec![text(["A?", "B?", "C?"][at - 1])]), part("p", "So:", at)];
        assert_eq!(names(None, &asked), ["question", "answer"]);
    }

    #[test]
    fn contact_details_have_labels_and_values() {
        let detail = |at: usize| {
            let value = ["+57 315 439 5316", "hello@example.com", "Carrera 11, Oficina 501"][at - 1];
            vec![part("h3", "By", at), tag("p", &[], vec![text(value)])]
        };
        assert_eq!(names(None, &detail), ["label", "value"]);
    }

    #[test]
    fn letters_of_names_are_initials() {
        let person = |at: usize| {
            vec![tag("i", &[], vec![text(["K", "G", "D"][at - 1])]), part("h3", "Name", at), part("p", "Words", at)]
        };
        assert_eq!(names(None, &person), ["initials", "title", "text"]);
    }

    #[test]
    fn numbers_before_titles_are_numbers() {
        let step = |at: usize| {
            let number = tag("span", &[], vec![text(&format!("0{at}."))]);
            let title = tag("h3", &[], vec![number, text(["Visit", "Wait", "Read"][at - 1])]);
            vec![title, part("p", "Words about it:", at)]
        };
        let found = names(None, &step);
        assert!(found.contains(&"number".to_owned()) && found.contains(&"title".to_owned()), "{found:?}");
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
