//! Names fields of classes after what the classes set, if that is one thing: `colors`, `background`, `icon`.
//!
//! `{ className: 'bg-green-100 text-green-700', label: 'Paid' }` → `{ colors: 'bg-green-100 text-green-700', label: 'Paid' }`.

use super::Cell;
use super::field_table::{Field, FieldTable};
use super::position_variants::without_variants;
use limner_component_model::ir::{OutputElement, Value};

impl FieldTable {
    /// Renames fields of classes that are all colours, or all background images.
    pub(super) fn name_classes(&mut self, template: &mut OutputElement, item: &str) {
        let names: Vec<(String, &str)> = self
            .columns
            .iter()
            .filter(|column| column.is_class)
            .filter_map(|column| Some((column.name.clone(), meaning(column)?)))
            .collect();
        let are_several = names.len() > 1;
        for (from, to) in names {
            // Colours of one kind have its name where there are others.
            let single = self.columns.iter().find(|own| own.name == from && are_several).and_then(single_color);
            let is_icon = names_icon(template, &format!("{item}.{from}"));
            let to = match single {
                Some("color") if is_icon => "iconColor",
                Some("background") if is_icon => "iconBackground",
                Some(single) if to == "colors" => single,
                _ => to,
            };
            self.rename_if_free(template, item, &from, to);
        }
    }
}

/// Returns what the classes of a column set, if it is one thing.
fn meaning(column: &Field) -> Option<&'static str> {
    let all = |holds: fn(&str) -> bool| {
        column.cells.iter().flatten().all(|cell| matches!(cell, Cell::Text(text) if !text.is_empty() && holds(text)))
    };
    let kinds: [(&str, fn(&str) -> bool); 4] = [
        ("colors", has_only_colors),
        ("background", has_only_background_images),
        ("size", has_only_sizes),
        ("icon", has_only_glyphs),
    ];
    kinds.into_iter().find(|(_, holds)| all(*holds)).map(|(name, _)| name)
}

/// Returns true for classes of colours only: what an item is, not how it is laid out.
pub(super) fn has_only_colors(classes: &str) -> bool {
    const ROOTS: &[&str] = &["bg-", "text-", "border-", "ring-", "fill-", "stroke-", "from-", "via-", "to-"];
    let is_color = |class: &str| {
        let utility = without_variants(class);
        let value = ROOTS.iter().find_map(|root| utility.strip_prefix(root)).unwrap_or_default();
        let plain = value.split('/').next().unwrap_or(value);
        let is_shade = plain.rsplit_once('-').is_some_and(|(_, shade)| {
            (2..=3).contains(&shade.len()) && shade.bytes().all(|digit| digit.is_ascii_digit())
        });
        let is_shade = is_shade && !["linear-", "spacing-"].iter().any(|other| plain.starts_with(other));
        is_shade || ["[#", "(--"].iter().any(|start| plain.starts_with(start)) || matches!(plain, "black" | "white")
    };
    classes.split_ascii_whitespace().all(is_color)
}

/// Returns the kind of a column's colours, if each item has one, and all are of one kind.
fn single_color(column: &Field) -> Option<&'static str> {
    let all = |root: &str| {
        column
            .cells
            .iter()
            .flatten()
            .all(|cell| matches!(cell, Cell::Text(text) if text.starts_with(root) && !text.contains(' ')))
    };
    [("text-", "color"), ("bg-", "background"), ("border-", "borderColor")]
        .into_iter()
        .find(|(root, _)| all(root))
        .map(|(_, name)| name)
}

/// Returns true if the classes of a field are those of a drawing.
fn names_icon(tag: &OutputElement, field: &str) -> bool {
    let is_own = |value: &Value| matches!(value, Value::Field(own) | Value::FixedAndField(_, own) if own == field);
    matches!(tag.name.as_str(), "svg" | "i") && tag.attributes.iter().any(|own| is_own(&own.value))
        || tag.tags().any(|child| names_icon(child, field))
}

/// Returns true for the contents of a generated box: the glyph of an icon font.
pub(super) fn has_only_glyphs(classes: &str) -> bool {
    let is_glyph = |class: &str| ["before:content-['", "after:content-['"].iter().any(|root| class.starts_with(root));
    !classes.is_empty() && classes.split_ascii_whitespace().all(is_glyph)
}

fn has_only_sizes(classes: &str) -> bool {
    let is_size = |class: &str| ["w-", "h-", "size-"].iter().any(|root| without_variants(class).starts_with(root));
    classes.split_ascii_whitespace().all(is_size)
}

fn has_only_background_images(classes: &str) -> bool {
    classes.split_ascii_whitespace().all(|class| class.starts_with("bg-[url(") || class.contains(":bg-[url("))
}

#[cfg(test)]
mod tests {
    use super::{has_only_background_images, has_only_colors};
    use crate::loops::collapse;
    use crate::loops::tests::{DIALECT, fields, root, tag, text};
    use limner_component_model::ir::Node;

    #[test]
    fn fields_of_classes_are_named_after_what_they_set() {
        for (classes, expected) in [
            (["bg-red-100 text-red-700", "bg-green-100 text-green-700", "bg-sky-100 text-sky-700"], "colors"),
            (["w-4 h-2 md:h-4", "w-5 h-5", "size-7"], "size"),
            (["bg-[url(/a.svg)] dark:bg-[url(/d.svg)]", "bg-[url(/b.svg)]", "bg-[url(/c.svg)]"], "background"),
        ] {
            let card = |(at, own): (usize, &&str)| {
                let icon = tag("i", &[("class", &*format!("size-4 {own}"))], Vec::new());
                let title = tag("h3", &[], vec![text(&format!("Title {at}"))]);
                let words = tag("p", &[], vec![text(&format!("Words of the card {at}"))]);
                tag("article", &[("class", "p-4")], vec![icon, title, words])
            };
            let mut tree = root(classes.iter().enumerate().map(card).collect());
            let lists = collapse(&mut tree, DIALECT, &[]).lists;
            let names: Vec<&str> = fields(&lists[0], 0).into_iter().map(|(name, _)| name).collect();
            assert!(names.contains(&expected), "{names:?}");
            let written = format!("{tree:?}");
            assert!(!format!("{:?}", tree.children[0].tag().unwrap().repeat).contains(expected), "a key: {written}");
            assert!(written.contains(&format!(".{expected}\"")), "{written}");
        }
    }

    #[test]
    fn colors_of_several_parts_are_told_apart() {
        let card = |at: usize| {
            let drawing = tag("path", &[("d", &*format!("M{at} 0"))], Vec::new());
            let icon = tag("svg", &[("class", &*format!("size-4 text-red-{at}00"))], vec![drawing]);
            let tile = tag("div", &[("class", &*format!("rounded-lg bg-sky-{at}00"))], vec![icon]);
            let words = tag("p", &[], vec![text(&format!("Words of the card {at}"))]);
            tag("article", &[("class", "p-4")], vec![tile, tag("h3", &[], vec![text(&format!("Title {at}"))]), words])
        };
        let mut tree = root((1..=6).map(card).collect());
        let lists = collapse(&mut tree, DIALECT, &[]).lists;
        let names: Vec<&str> = fields(&lists[0], 0).into_iter().map(|(name, _)| name).collect();
        assert!(names.contains(&"background") && names.contains(&"iconColor"), "{names:?}");
    }

    #[test]
    fn classes_of_nested_lists_have_names() {
        let dot = |color: &str, word: &str| {
            let dot = tag("span", &[("class", &*format!("size-3 {color}"))], Vec::new());
            tag("li", &[("class", "flex")], vec![dot, tag("span", &[], vec![text(word)])])
        };
        let chart = |title: &str, dots: Vec<Node>| {
            let heading = tag("h4", &[("class", "text-lg")], vec![text(title)]);
            tag("article", &[("class", "p-4")], vec![heading, tag("ul", &[("class", "mt-4")], dots)])
        };
        let sold = vec![dot("bg-red-500", "Shirts"), dot("bg-sky-500", "Shoes"), dot("bg-lime-500", "Bags")];
        let seen = vec![dot("bg-red-500", "Organic"), dot("bg-sky-500", "Paid"), dot("bg-lime-500", "Social")];
        let mut tree = root(vec![chart("Revenue", sold), chart("Traffic", seen)]);
        let lists = collapse(&mut tree, DIALECT, &[]).lists;
        let written = format!("{lists:?}");
        assert!(written.contains("\"colors\"") && !written.contains("className"), "{written}");
    }

    #[test]
    fn kinds_of_classes_are_recognized() {
        assert!(has_only_colors("bg-black/50 dark:hover:border-slate-950"));
        for other in [
            "text-sm",
            "text-2xl",
            "bg-cover",
            "border-2",
            "bg-[url(a.png)]",
            "p-100",
            "from-10%",
            "bg-linear-45",
            "border-spacing-12",
        ] {
            assert!(!has_only_colors(other), "{other}");
        }
        assert!(!has_only_background_images("bg-[url(/a.svg)] bg-cover"));
    }
}
