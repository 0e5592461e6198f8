//! Writes what only the first, the last or every other item looks like as variants of its utilities.
//!
//! `className={index === 0 ? 'pl-0' : 'pl-4'}` → `className="pl-4 first:pl-0"`. Stylesheets count the elements of a
//! parent, so that the items must be the first or the last of them.

use super::Cell;
use super::field_table::{Field, FieldTable};
use super::visit_values::for_each_value;
use limner_component_model::ir::{ItemCondition, OutputElement, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Beginnings of utilities with one property each, of which a variant overrides another.
const SINGLE: &[&str] = &[
    "p", "px", "py", "pt", "pr", "pb", "pl", "m", "mx", "my", "mt", "mr", "mb", "ml", "-m", "-mx", "-my", "-mt", "-mr",
    "-mb", "-ml", "w", "h", "size", "order", "opacity", "z", "top", "right", "bottom", "left", "gap",
];

/// Beginnings of utilities of margins, paddings, gaps and rounded corners, which depend on an item's place.
#[rustfmt::skip]
const SPACING: &[&str] =
    &["p", "px", "py", "pt", "pr", "pb", "pl", "m", "mx", "my", "mt", "mr", "mb", "ml", "gap", "rounded"];

/// The place of a list among the elements of its parent.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListPlace {
    /// It begins with the first element.
    pub(super) is_first: bool,
    /// It ends with the last element.
    pub(super) is_last: bool,
    pub(super) items: usize,
}

impl ListPlace {
    /// Returns the variants for the last item and for all others.
    fn last_variants(self) -> Option<(String, String)> {
        let last = self.items.checked_sub(1)?;
        let others: Vec<usize> = (0..last).collect();
        Some((variant_of_rows(&[last], self)?, variant_of_rows(&others, self)?))
    }
}

/// Replaces the condition of an item's classes on its position, if there is one.
pub(super) fn write_variants(template: &mut OutputElement, place: ListPlace) {
    for attribute in template.attributes.iter_mut().filter(|attribute| attribute.name == "class") {
        let Value::Conditional(switch) = &attribute.value else { continue };
        let variants = match switch.condition {
            ItemCondition::First => place.is_first.then(|| ("first".to_owned(), "not-first".to_owned())),
            ItemCondition::Odd => place.is_first.then(|| ("odd".to_owned(), "even".to_owned())),
            ItemCondition::Last(_) => place.last_variants(),
            ItemCondition::Flag(_) => None,
        };
        let Some((then, otherwise)) = variants else { continue };
        let classes = |text: &'_ str| text.split_ascii_whitespace().map(str::to_owned).collect::<Vec<String>>();
        let (rare, usual) = (classes(&switch.if_true), classes(&switch.if_false));
        let is_marker = |class: &String| ["group", "peer"].contains(&class.split('/').next().unwrap_or_default());
        if rare.iter().chain(&usual).any(is_marker) {
            continue;
        }
        let fixed = classes(&switch.fixed);
        let guarded: Vec<&str> = fixed.iter().filter(|class| class.contains(':')).map(|class| family(class)).collect();
        if rare.iter().chain(&usual).any(|class| guarded.contains(&family(class))) {
            continue;
        }
        let is_overridden =
            |class: &String| property(class).is_some_and(|own| rare.iter().any(|other| property(other) == Some(own)));
        let mut all = fixed;
        let (plain, apart): (Vec<String>, Vec<String>) = usual.into_iter().partition(is_overridden);
        all.extend(plain);
        all.extend(apart.into_iter().map(|class| format!("{otherwise}:{class}")));
        all.extend(rare.into_iter().map(|class| format!("{then}:{class}")));
        attribute.value = Value::Fixed(all.join(" "));
    }
}

/// Maximum number of sets of items that have classes of their own.
const MAX_PLACES: usize = 3;

/// Writes margins, paddings and gaps that the first, the last or a single item has as variants of the template: they are
/// no data.
///
/// `className: 'mb-6'` of the first three items → `className="nth-[-n+3]:mb-6"`.
pub(super) fn write_places(table: &mut FieldTable, template: &mut OutputElement, item: &str, place: ListPlace) {
    let is_class = |own: &Field| own.is_class;
    let Some(at) = table.columns.iter().position(is_class).filter(|_| !table.columns.iter().all(is_class)) else {
        return;
    };
    let field = format!("{item}.{}", table.columns[at].name);
    let Some(variants) = variants(&table.columns[at], place) else { return };
    let is_own = |value: &Value| matches!(value, Value::Field(own) | Value::FixedAndField(_, own) if *own == field);
    let mut uses = 0;
    for_each_value(template, &mut |value| uses += usize::from(is_own(value)));
    let Some(attribute) = template.attributes.iter_mut().find(|own| is_own(&own.value)).filter(|_| uses == 1) else {
        return;
    };
    let fixed = match &attribute.value {
        Value::FixedAndField(fixed, _) => fixed.as_str(),
        _ => "",
    };
    let guarded: Vec<&str> = fixed.split_ascii_whitespace().filter(|class| class.contains(':')).map(family).collect();
    if variants.iter().any(|class| guarded.contains(&family(class))) {
        return;
    }
    // A position is a pseudo-class: it wins over a margin of one side that all items have.
    let mut plain = fixed.split_ascii_whitespace().filter(|own| !own.contains(':') && is_spacing(own));
    if plain.any(|own| variants.iter().any(|class| overlap(class, own))) {
        return;
    }
    let all: Vec<&str> = fixed.split_ascii_whitespace().chain(variants.iter().map(String::as_str)).collect();
    attribute.value = Value::Fixed(all.join(" "));
    table.columns.remove(at);
    table.simplify(template, item);
}

/// Returns the classes of a column with the places of their items, if all are spacing of a few places.
fn variants(column: &Field, list: ListPlace) -> Option<Vec<String>> {
    // The rows of several lists do not tell the positions.
    if column.cells.len() != list.items {
        return None;
    }
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut classes: Vec<&str> = Vec::new();
    for (row, cell) in column.cells.iter().enumerate() {
        let Some(Cell::Text(own)) = cell else { if cell.is_none() { continue } else { return None } };
        for class in own.split_ascii_whitespace() {
            let rows = places.entry(class).or_default();
            if rows.is_empty() {
                classes.push(class);
            }
            rows.push(row);
        }
    }
    let distinct: BTreeSet<&Vec<usize>> = places.values().collect();
    if !(1..=MAX_PLACES).contains(&distinct.len()) || !classes.iter().all(|class| is_spacing(class)) {
        return None;
    }
    // Which of two overlapping ones wins depends on their variants.
    let is_ambiguous = |one: &str, other: &str| {
        overlap(one, other) && places[one] != places[other] && places[one].iter().any(|row| places[other].contains(row))
    };
    if classes.iter().any(|one| classes.iter().any(|other| is_ambiguous(one, other))) {
        return None;
    }
    classes.iter().map(|class| Some(format!("{}:{class}", variant_of_rows(&places[class], list)?))).collect()
}

/// Returns the variant for these items of a list.
fn variant_of_rows(rows: &[usize], list: ListPlace) -> Option<String> {
    let (first, last) = (*rows.first()?, *rows.last()?);
    let is_single = rows.len() == 1;
    if last - first + 1 != rows.len() {
        return None;
    }
    let last_but_one = last + 2 == list.items;
    let ends = last + 1 == list.items;
    let variant = match () {
        () if list.is_last && is_single && ends => "last".to_owned(),
        () if list.is_last && first == 0 && last_but_one => "not-last".to_owned(),
        () if !list.is_first => return None,
        () if is_single && first == 0 => "first".to_owned(),
        () if is_single => format!("nth-{}", first + 1),
        () if first == 1 && ends => "not-first".to_owned(),
        () if first == 1 && last_but_one && list.is_last => "not-first:not-last".to_owned(),
        () if first == 0 && !ends => format!("nth-[-n+{}]", last + 1),
        () if first > 0 && ends => format!("nth-[n+{}]", first + 1),
        () => return None,
    };
    Some(variant)
}

/// Returns the utility of a class without its variants.
pub(super) fn without_variants(class: &str) -> &str {
    class.rsplit(':').next().unwrap_or(class)
}

/// Returns the utility of a class without variants and the hyphen of a negative value, up to its value: `mb`.
fn spacing_root(class: &str) -> &str {
    let utility = without_variants(class).trim_start_matches('-');
    utility.split_once('-').map_or("", |(root, _)| root)
}

/// Returns true if two classes set the same margin or padding.
fn overlap(one: &str, other: &str) -> bool {
    let sides = |root: &str| match &root[1..] {
        "x" => "lr",
        "y" => "tb",
        "t" => "t",
        "r" => "r",
        "b" => "b",
        "l" => "l",
        _ => "trbl",
    };
    let [one, other] = [one, other].map(spacing_root);
    one[..1] == other[..1] && sides(one).contains(|side| sides(other).contains(side))
}

/// Returns true for classes that say only how much room there is around an element.
pub(super) fn is_spacing(classes: &str) -> bool {
    classes.split_ascii_whitespace().all(|class| SPACING.contains(&spacing_root(class)))
}

/// Utilities of `display`.
const DISPLAYS: &[&str] = &[
    "block",
    "contents",
    "flex",
    "flow-root",
    "grid",
    "hidden",
    "inline",
    "inline-block",
    "inline-flex",
    "inline-grid",
    "table",
];

/// Returns the word that utilities of one kind have in common (`p` for `md:-pl-4`). A position is a pseudo-class, so that
/// its variant would win over one for a viewport or a theme that all items have.
fn family(class: &str) -> &str {
    let utility = without_variants(class).trim_start_matches('-');
    if DISPLAYS.contains(&utility) {
        return "display";
    }
    let word = utility.split('-').next().unwrap_or(utility);
    if word.len() == 2 && word.starts_with(['p', 'm']) { &word[..1] } else { word }
}

/// Returns the beginning of a utility that declares one property, without variants.
fn property(class: &str) -> Option<&str> {
    let (start, _) = class.rsplit_once('-').filter(|_| !class.contains([':', '[', '(']))?;
    SINGLE.contains(&start).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::{ListPlace, overlap, variant_of_rows, write_variants};
    use crate::loops::tests::{DIALECT, root, tag, text};
    use crate::loops::{LoopSyntax, collapse};
    use limner_component_model::ir::{ConditionalClasses, ItemCondition, OutputAttribute, OutputElement, Value};

    /// A list of six items without other elements.
    const ALL: ListPlace = ListPlace { is_first: true, is_last: true, items: 6 };

    #[test]
    fn positions_become_variants() {
        for (condition, if_true, if_false, expected) in [
            (ItemCondition::First, "pl-0", "pl-4", "flex pl-4 first:pl-0"),
            (ItemCondition::First, "", "border-t", "flex not-first:border-t"),
            (ItemCondition::Last(String::new()), "md:mr-0", "mr-2", "flex not-last:mr-2 last:md:mr-0"),
            (ItemCondition::Odd, "bg-white", "bg-gray-50", "flex even:bg-gray-50 odd:bg-white"),
            (ItemCondition::Odd, "text-sm", "text-red-500", "flex even:text-red-500 odd:text-sm"),
            (ItemCondition::First, "rounded-t-md", "", "flex first:rounded-t-md"),
        ] {
            assert_eq!(written("flex", condition, if_true, if_false), Value::Fixed(expected.to_owned()));
        }
    }

    #[test]
    fn positions_do_not_win_over_the_viewports_and_themes_of_all_items() {
        for (fixed, if_true, if_false) in [
            ("md:pl-8", "pl-0", "pl-4"),
            ("dark:border-gray-700", "", "border-gray-200"),
            ("md:-mx-2", "mt-1", "mt-2"),
            ("md:block", "hidden", "flex"),
        ] {
            let value = written(fixed, ItemCondition::First, if_true, if_false);
            assert!(matches!(value, Value::Conditional(_)), "{fixed}: {value:?}");
        }
    }

    #[test]
    fn places_become_variants() {
        for (rows, expected) in [
            (&[0][..], Some("first")),
            (&[5], Some("last")),
            (&[3], Some("nth-4")),
            (&[0, 1, 2], Some("nth-[-n+3]")),
            (&[3, 4, 5], Some("nth-[n+4]")),
            (&[1, 2, 3, 4, 5], Some("not-first")),
            (&[0, 1, 2, 3, 4], Some("not-last")),
            (&[1, 2, 3, 4], Some("not-first:not-last")),
            (&[1, 2], None),
            (&[0, 2], None),
            (&[0, 5], None),
        ] {
            assert_eq!(variant_of_rows(rows, ALL).as_deref(), expected, "{rows:?}");
        }
        let (begins, ends) = (ListPlace { is_last: false, ..ALL }, ListPlace { is_first: false, ..ALL });
        assert_eq!(variant_of_rows(&[5], begins).as_deref(), Some("nth-6"));
        assert_eq!(variant_of_rows(&[0, 1, 2, 3, 4], begins).as_deref(), Some("nth-[-n+5]"));
        assert_eq!([&[5][..], &[0]].map(|rows| variant_of_rows(rows, ends)), [Some("last".to_owned()), None]);
    }

    #[test]
    fn spacing_of_places_is_no_data() {
        let classes = ["mb-6", "mb-6", "mb-6", "max-lg:mb-6", "max-sm:mb-6", ""];
        let list = |fixed: &str| {
            let card = |(at, own): (usize, &&str)| {
                let title = tag("h3", &[("class", "text-lg")], vec![text(&format!("Title {at}"))]);
                let words = tag("p", &[], vec![text(&format!("Words of the card {at}"))]);
                tag("article", &[("class", &*format!("{fixed} {own}"))], vec![title, words])
            };
            let mut tree = root(classes.iter().enumerate().map(card).collect());
            let scripts = LoopSyntax { for_scripts: true, ..DIALECT };
            let lists = collapse(&mut tree, scripts, &[]).lists;
            let items: Vec<usize> = lists.iter().map(|list| list.rows.len()).collect();
            (items, tree.children[0].tag().unwrap().attribute("class").cloned())
        };
        let written = "p-4 nth-[-n+3]:mb-6 nth-4:max-lg:mb-6 nth-5:max-sm:mb-6";
        assert_eq!(list("p-4"), (vec![6], Some(Value::Fixed(written.to_owned()))));
        assert_eq!(list("xl:mb-8").0, [0; 0], "a variant of all items would lose");
        assert!(overlap("mx-5", "md:-ml-2") && overlap("m-5", "mb-6") && overlap("p-1", "py-2"));
        assert!(!overlap("mx-5", "mb-6") && !overlap("pt-5", "mt-5") && !overlap("gap-2", "p-2"));
    }

    /// Returns the value of `class` after [`write_variants`].
    fn written(fixed: &str, condition: ItemCondition, if_true: &str, if_false: &str) -> Value {
        let value = Value::Conditional(Box::new(ConditionalClasses {
            fixed: fixed.to_owned(),
            condition,
            if_true: if_true.to_owned(),
            if_false: if_false.to_owned(),
            index: "index".to_owned(),
        }));
        let attributes = vec![OutputAttribute { name: "class".to_owned(), value }];
        let mut tag = OutputElement { attributes, ..OutputElement::default() };
        write_variants(&mut tag, ALL);
        tag.attributes.remove(0).value
    }
}
