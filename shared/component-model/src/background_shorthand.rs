//! Joins the longhands of a background with one image: `background: #fff url(a.png) no-repeat center / cover`.

use crate::css::keywords::is_css_wide;
use crate::css::split_list::split_commas;
use crate::model::{Component, Rule};
use std::collections::{BTreeMap, HashMap};

/// The longhands that are joined; the position of one axis is among them.
const PARTS: [&str; 7] = ["color", "image", "position", "position-x", "position-y", "repeat", "size"];

/// Longhands that several backgrounds of a component may have in common.
const PLACING: [&str; 4] = ["position-x", "position-y", "repeat", "size"];

/// The images and the placings of the backgrounds of a component, with the number of rules that have them. What several
/// rules have in common, such as the image of a sprite, stays apart, so that one rule can declare it.
#[derive(Debug, Default)]
pub(crate) struct BackgroundUses<'c> {
    images: HashMap<&'c str, usize>,
    placings: HashMap<Vec<Option<&'c str>>, usize>,
}

impl<'c> BackgroundUses<'c> {
    /// Counts the backgrounds of the rules of classes, which `owners` have.
    pub(crate) fn of_rules(component: &'c Component, owners: impl Iterator<Item = usize>) -> Self {
        let mut uses = Self::default();
        for rule in owners.flat_map(|owner| &component.elements[owner].rules) {
            if let Some(image) = value_of(rule, "image") {
                *uses.images.entry(image).or_default() += 1;
                *uses.placings.entry(placing(rule)).or_default() += 1;
            }
        }
        uses
    }

    /// Returns true if no other rule has the image or the placing of this one.
    pub(crate) fn is_alone(&self, rule: &Rule) -> bool {
        let is_single = |count: Option<&usize>| count == Some(&1);
        let has_alone = |image: &str| is_single(self.images.get(image)) && is_single(self.placings.get(&placing(rule)));
        value_of(rule, "image").is_some_and(has_alone)
    }
}

fn value_of<'r>(rule: &'r Rule, part: &str) -> Option<&'r str> {
    let is_part = |name: &str| name.strip_prefix("background-") == Some(part);
    rule.declarations.iter().find(|own| is_part(&own.name)).map(|own| own.value.as_str())
}

fn placing(rule: &Rule) -> Vec<Option<&str>> {
    PLACING.iter().map(|part| value_of(rule, part)).collect()
}

/// Writes `background` if the others of its longhands have their initial values. The longhands of a position have been
/// joined.
pub(crate) fn join(values: &mut BTreeMap<String, String>) {
    let names: Vec<&str> = values.keys().filter_map(|name| name.strip_prefix("background-")).collect();
    if names.len() < 2 || names.iter().any(|name| !PARTS.contains(name)) {
        return;
    }
    if let Some(joined) = joined(&|part| values.get(&format!("background-{part}")).map(String::as_str)) {
        values.retain(|name, _| !name.starts_with("background-"));
        values.insert("background".to_owned(), joined);
    }
}

fn joined<'v>(value: &dyn Fn(&str) -> Option<&'v str>) -> Option<String> {
    let image = value("image").filter(|image| image.starts_with("url(") || image.contains("gradient("))?;
    let given = PARTS.iter().filter_map(|part| Some((*part, value(part)?)));
    let is_simple = |(part, value): (&str, &str)| {
        !is_css_wide(value) && (part == "color" || (split_commas(value).len() == 1 && !value.contains("var(")))
    };
    if !given.clone().all(is_simple) {
        return None;
    }
    let position = match (value("position"), value("position-x"), value("position-y")) {
        (Some(both), None, None) => Some(both.to_owned()),
        (None, Some(x), None) => Some(format!("{x} 0")),
        (None, None, Some(y)) => Some(format!("0 {y}")),
        (None, None, None) => None,
        _ => return None,
    };
    // With offsets from other edges, a position is written in several forms.
    if position.as_ref().is_some_and(|position| position.split(' ').count() > 2 && !position.contains('(')) {
        return None;
    }
    let placed = match (position, value("size")) {
        (position, None) => position,
        (position, Some(size)) => Some(format!("{} / {size}", position.as_deref().unwrap_or("0 0"))),
    };
    let repeat = value("repeat").filter(|repeat| *repeat != "repeat");
    let parts = [value("color"), Some(image), repeat, placed.as_deref()];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(list: &[(&str, &str)]) -> String {
        let mut values = list.iter().map(|(name, value)| (format!("background-{name}"), (*value).to_owned())).collect();
        join(&mut values);
        values.iter().map(|(name, value)| format!("{name}: {value};")).collect()
    }

    #[test]
    fn longhands_of_one_background_are_joined() {
        for (list, expected) in [
            (
                &[
                    ("color", "#fff"),
                    ("image", "url(a.png)"),
                    ("position", "center"),
                    ("repeat", "no-repeat"),
                    ("size", "cover"),
                ][..],
                "background: #fff url(a.png) no-repeat center / cover;",
            ),
            (&[("image", "url(a.png)"), ("size", "cover")], "background: url(a.png) 0 0 / cover;"),
            (&[("image", "url(a.png)"), ("position-y", "9px")], "background: url(a.png) 0 9px;"),
            (
                &[("color", "var(--c)"), ("image", "linear-gradient(red, tan)"), ("repeat", "repeat")],
                "background: var(--c) linear-gradient(red, tan);",
            ),
        ] {
            assert_eq!(written(list), expected);
        }
    }

    #[test]
    fn backgrounds_that_one_declaration_cannot_say_stay() {
        for list in [
            &[("image", "url(a.png)")][..],
            &[("color", "#fff"), ("image", "none")],
            &[("image", "url(a.png), url(b.png)"), ("repeat", "no-repeat")],
            &[("image", "url(a.png)"), ("repeat", "inherit")],
            &[("clip", "text"), ("image", "url(a.png)")],
            &[("image", "url(a.png)"), ("position", "right 9px 50%")],
            &[("image", "var(--image)"), ("repeat", "no-repeat")],
        ] {
            assert!(!written(list).contains("background:"), "{}", written(list));
        }
    }
}
