//! Turns classes into conditions. Classes of only the first, the last or every other item, or of a
//! few exceptional items, become a conditional class in the template instead of a field in each
//! row.

use super::Cell;
use super::field_table::{Field, FieldTable};
use super::naming::camel;
use super::position_variants::without_variants;
use super::visit_values::for_each_value;
use limner_component_model::ir::{ConditionalClasses, ItemCondition, Loop, Node, OutputElement, Value};

/// Minimum number of items.
const MIN_ITEMS: usize = 3;
/// Maximum number of the page's modifiers that are tried as the name of an exceptional row.
const MAX_TRAITS: usize = 12;

/// The positions of the rows in their lists.
pub(super) struct RowPositions<'t> {
    pub(super) tags: &'t [&'t OutputElement],
    /// Lengths of the consecutive lists.
    pub(super) lengths: &'t [usize],
}

/// A condition on items, and the classes if it holds or not.
struct RowSelector {
    condition: ItemCondition,
    then: String,
    if_false: String,
}

impl RowPositions<'_> {
    /// Returns the index of each row in its list, and the length of that list.
    fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        self.lengths.iter().flat_map(|length| (0..*length).map(move |at| (at, *length)))
    }
}

impl FieldTable {
    /// Removes columns of classes that depend on the position of an item, or that have a usual and
    /// a rare value.
    pub(super) fn switch(&mut self, template: &mut OutputElement, item: &str, places: &RowPositions<'_>) {
        // If only classes differ, they are the items' only fields, so they stay.
        if self.rows < MIN_ITEMS || self.columns.iter().all(|column| column.is_class) {
            return;
        }
        for at in (0..self.columns.len()).rev() {
            let field = format!("{item}.{}", self.columns[at].name);
            if !self.columns[at].is_class || is_condition(template, &field) {
                continue;
            }
            let by_field = self.find_existing_field(at, item);
            // Inside a nested list, the position would be the one in that list.
            let by_place = by_field.or_else(|| {
                if is_in_list(template, &field) { None } else { from_position(&self.columns[at], template, places) }
            });
            let Some(choice) = by_place.or_else(|| self.add_flag_field(at, template, item, places)) else { continue };
            self.columns.remove(at);
            apply(template, &field, &choice);
        }
    }

    /// Uses an existing field that is present or true exactly in the rare rows: `aria-current`, a
    /// badge.
    fn find_existing_field(&self, at: usize, item: &str) -> Option<RowSelector> {
        let (rare, usual, is_rare) = self.rare(at)?;
        // Class fields may be replaced by conditions themselves.
        let known = self.columns.iter().filter(|column| !column.is_class).find(|column| {
            column.cells.iter().zip(&is_rare).all(|(cell, is_rare)| match cell {
                Some(Cell::Flag) => *is_rare,
                Some(Cell::Text(text)) => *is_rare && !text.is_empty(),
                Some(Cell::Literal(literal)) => *is_rare == (literal == "true"),
                Some(_) => false,
                None => !is_rare,
            })
        });
        let test = ItemCondition::Flag(format!("{item}.{}", known?.name));
        Some(RowSelector { condition: test, then: rare.to_owned(), if_false: usual.to_owned() })
    }

    /// Adds a flag to the rare rows.
    fn add_flag_field(
        &mut self,
        at: usize,
        template: &OutputElement,
        item: &str,
        places: &RowPositions<'_>,
    ) -> Option<RowSelector> {
        let (rare, usual, is_rare) = self.rare(at)?;
        let name = self.unique_field_name(&called(template, places, &is_rare, (rare, usual)));
        let choice = RowSelector {
            condition: ItemCondition::Flag(format!("{item}.{name}")),
            then: rare.to_owned(),
            if_false: usual.to_owned(),
        };
        let cells = is_rare.iter().map(|is_rare| is_rare.then_some(Cell::Flag)).collect();
        self.columns.push(Field { name, is_class: false, cells });
        Some(choice)
    }

    /// Returns the rare and the usual of the two texts of a column, and which rows have the rare
    /// one.
    fn rare(&self, at: usize) -> Option<(&str, &str, Vec<bool>)> {
        let texts = texts(&self.columns[at])?;
        let (one, other) = two_distinct(&texts)?;
        let count = |wanted: &str| texts.iter().flatten().filter(|text| **text == wanted).count();
        let (rare, usual) = if count(one) <= count(other) { (one, other) } else { (other, one) };
        let is_rare = texts.iter().map(|text| *text == Some(rare)).collect();
        (MIN_ITEMS * count(rare) <= self.rows).then_some((rare, usual, is_rare))
    }

    fn unique_field_name(&self, name: &str) -> String {
        let is_free = |name: &String| self.columns.iter().all(|column| column.name != *name);
        let numbered = (2..).map(|number| format!("{name}{number}"));
        std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
    }
}

/// Returns true if a field decides about the presence of an element.
fn is_condition(tag: &OutputElement, field: &str) -> bool {
    tag.condition.as_deref() == Some(field)
        || tag.children.iter().any(|child| match child {
            Node::Tag(child) => is_condition(child, field),
            // A space that is rendered together with the element.
            Node::Text(Value::Field(text)) => text.strip_prefix(field).is_some_and(|rest| rest.starts_with(' ')),
            Node::Text(_) | Node::Slot(_) => false,
        })
}

/// Returns true if a field is used in a nested list.
fn is_in_list(tag: &mut OutputElement, field: &str) -> bool {
    tag.tags_mut().any(|child| {
        if child.repeat.is_none() {
            return is_in_list(child, field);
        }
        let mut is_there = false;
        for_each_value(child, &mut |value| {
            is_there |= matches!(value, Value::Field(own) | Value::FixedAndField(_, own) if own == field);
        });
        is_there
    })
}

/// Names the flag of the rare rows: after the page's attributes or modifiers, else after their
/// appearance.
fn called(
    template: &OutputElement,
    places: &RowPositions<'_>,
    is_rare: &[bool],
    (rare, usual): (&str, &str),
) -> String {
    let says = |attribute: &str| {
        let rows = places.tags.iter().zip(is_rare);
        rows.clone().all(|(tag, is_rare)| *is_rare == has_attribute(tag, attribute))
    };
    let is_control = matches!(template.name.as_str(), "a" | "li" | "button" | "option");
    if says("aria-current") {
        return "isCurrent".to_owned();
    }
    if let Some(own) = distinguishing_modifier(places.tags, is_rare) {
        return camel(&format!("is-{own}"));
    }
    let by_look = match () {
        () if says("disabled") || says("aria-disabled") => "isDisabled",
        () if has_utility(rare, &["hidden"]) && !has_utility(usual, &["hidden"]) => "isHidden",
        () if rare.len() < usual.len() => "isPlain",
        () if !has_utility(rare, VISUAL) => "isSpecial",
        () if is_control => "isActive",
        () => "isFeatured",
    };
    by_look.to_owned()
}

/// Returns a modifier on the page that exactly the rare rows have.
fn distinguishing_modifier(tags: &[&OutputElement], is_rare: &[bool]) -> Option<String> {
    let rows = || tags.iter().zip(is_rare);
    let (first, _) = rows().find(|(_, is_rare)| **is_rare)?;
    let mut candidates = Vec::new();
    collect_modifiers(first, &mut candidates);
    candidates.truncate(MAX_TRAITS);
    let tells_apart = |own: &&&str| rows().all(|(tag, is_rare)| has_modifier(tag, own) == *is_rare);
    candidates.iter().find(tells_apart).map(|own| (*own).to_owned())
}

/// Collects the modifiers of an element, then those of its descendants.
fn collect_modifiers<'t>(tag: &'t OutputElement, found: &mut Vec<&'t str>) {
    found.extend(tag.modifiers.iter().map(String::as_str));
    tag.tags().for_each(|child| collect_modifiers(child, found));
}

fn has_modifier(tag: &OutputElement, own: &str) -> bool {
    tag.modifiers.iter().any(|known| known == own) || tag.tags().any(|child| has_modifier(child, own))
}

/// First words of utilities that make an element stand out.
const VISUAL: &[&str] = &["bg", "text", "border", "ring", "shadow", "font", "underline", "decoration"];

/// Returns true if a utility, under any variants, begins with one of these words.
fn has_utility(classes: &str, starts: &[&str]) -> bool {
    classes.split(' ').any(|class| {
        let utility = without_variants(class);
        starts.contains(&utility.split(['-', '[']).next().unwrap_or_default())
    })
}

fn has_attribute(tag: &OutputElement, name: &str) -> bool {
    tag.attribute(name).is_some() || tag.tags().any(|child| has_attribute(child, name))
}

/// Returns the classes of each row that has the element; `None` if one could not be written in the
/// template.
fn texts(column: &Field) -> Option<Vec<Option<&str>>> {
    let is_plain = |text: &str| !text.contains(['\'', '"', '\\', '`', '<']) && !text.contains("${");
    let mut texts = Vec::with_capacity(column.cells.len());
    for cell in &column.cells {
        texts.push(match cell {
            Some(Cell::Text(text)) if is_plain(text) => Some(text.as_str()),
            Some(_) => return None,
            None => None,
        });
    }
    Some(texts)
}

/// Returns the two distinct texts of the rows; `None` if there are fewer or more.
fn two_distinct<'t>(texts: &[Option<&'t str>]) -> Option<(&'t str, &'t str)> {
    let mut present = texts.iter().flatten().copied();
    let one = present.next()?;
    let other = present.find(|text| *text != one)?;
    texts.iter().flatten().all(|text| *text == one || *text == other).then_some((one, other))
}

fn from_position(column: &Field, template: &OutputElement, places: &RowPositions<'_>) -> Option<RowSelector> {
    let texts = texts(column)?;
    two_distinct(&texts)?;
    let longest = places.lengths.iter().copied().max().unwrap_or(0);
    let first = |(at, _): (usize, usize)| at == 0;
    let last = |(at, length): (usize, usize)| at + 1 == length;
    let odd = |(at, _): (usize, usize)| at.is_multiple_of(2);
    // Of three, the middle one is an exception rather than a stripe, except in table rows.
    let striped = if template.name == "tr" { MIN_ITEMS } else { MIN_ITEMS + 1 };
    let tests: [(ItemCondition, &dyn Fn((usize, usize)) -> bool, usize); 3] = [
        (ItemCondition::First, &first, MIN_ITEMS),
        (ItemCondition::Last(String::new()), &last, MIN_ITEMS),
        (ItemCondition::Odd, &odd, striped),
    ];
    tests.into_iter().filter(|(.., least)| longest >= *least).find_map(|(test, holds, _)| {
        let of = |wanted: bool| {
            let rows = texts.iter().zip(places.iter()).filter(move |(_, place)| holds(*place) == wanted);
            let mut own = rows.filter_map(|(text, _)| *text);
            let text = own.next()?;
            own.all(|other| other == text).then(|| text.to_owned())
        };
        Some(RowSelector { condition: test, then: of(true)?, if_false: of(false)? })
    })
}

fn apply(template: &mut OutputElement, field: &str, choice: &RowSelector) {
    for_each_value(template, &mut |value| {
        let fixed = match value {
            Value::Field(own) if own == field => String::new(),
            Value::FixedAndField(fixed, own) if own == field => std::mem::take(fixed),
            _ => return,
        };
        let RowSelector { condition: test, then, if_false: otherwise } = choice;
        let (then, otherwise, index) = (then.clone(), otherwise.clone(), Loop::INDEX.to_owned());
        *value = Value::Conditional(Box::new(ConditionalClasses {
            fixed,
            condition: test.clone(),
            if_true: then,
            if_false: otherwise,
            index,
        }));
    });
}

/// Sets the list of conditions on the last item. Returns true if a condition depends on the
/// position of an item.
pub(super) fn name_list(template: &mut OutputElement, list: &str) -> bool {
    let mut asks_place = false;
    for attribute in &mut template.attributes {
        if let Value::Conditional(switch) = &mut attribute.value {
            if let ItemCondition::Last(own) = &mut switch.condition {
                list.clone_into(own);
            }
            asks_place |= switch.condition.depends_on_position();
        }
    }
    // Nested lists have their own positions.
    let children = template.tags_mut().filter(|child| child.repeat.is_none());
    children.fold(asks_place, |asks, child| name_list(child, list) || asks)
}
