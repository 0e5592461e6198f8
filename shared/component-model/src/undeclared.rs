//! Joins longhands of which the missing ones have their initial values in any case: `margin-top: 0; margin-bottom: 1rem` →
//! `margin: 0 0 1rem`.

use crate::model::{Element, Namespace, PseudoElement, Rule};
use crate::shorthand::{SIDES, is_css_wide};
use std::collections::BTreeMap;

/// Elements that browsers give no border, and no margin or padding besides that before and after the text: lists have one
/// at their start, which their rules declare.
#[rustfmt::skip]
const PLAIN: &[&str] = &[
    "a", "abbr", "address", "article", "aside", "b", "cite", "code", "dl", "dt", "em", "div", "figcaption", "footer", "h1",
    "h2", "h3", "h4", "h5", "h6", "header", "i", "img", "ins", "kbd", "label", "li", "main", "mark", "nav", "ol", "p",
    "picture", "pre", "s", "section", "small", "span", "strong", "sub", "sup", "time", "u", "ul", "var", "video",
];

/// Knowledge of the longhands that the first rule of a class does not declare.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct UndeclaredLonghands {
    /// Margins at the sides of a text and borders have their initial values.
    pub(crate) is_plain: bool,
    /// No other rule of the class is about borders.
    pub(crate) has_all_borders: bool,
    /// No other rule of the class is about outlines.
    pub(crate) has_all_outlines: bool,
}

impl UndeclaredLonghands {
    /// Collects the knowledge for a rule of an element. `is_plain` is true if all elements of its class are plain.
    pub(crate) fn of_rule(element: &Element, rule: &Rule, is_plain: bool) -> Self {
        let others = || element.rules.iter().filter(|other| !std::ptr::eq(*other, rule) && other.pseudo == rule.pseudo);
        let is_only = |is_of_kind: &dyn Fn(&str) -> bool| {
            !others().any(|other| other.declarations.iter().any(|own| is_of_kind(&own.name)))
        };
        let is_outline = |name: &str| name.starts_with("outline");
        let is_plain = match rule.pseudo {
            None => is_plain,
            Some(PseudoElement::Before | PseudoElement::After) => true,
            Some(_) => false,
        };
        Self { is_plain, has_all_borders: is_only(&is_border), has_all_outlines: is_only(&is_outline) }
    }
}

/// Returns true for an element without margins at the sides and without borders from the browser.
pub(crate) fn is_plain(element: &Element) -> bool {
    element.namespace == Namespace::Html && PLAIN.contains(&element.tag.as_str())
}

/// Returns true for the longhands that `border` sets, but for that of an image.
fn is_border(name: &str) -> bool {
    let is_part = |part: &str| matches!(part, "width" | "style" | "color");
    let (side, part) = name.strip_prefix("border-").and_then(|rest| rest.split_once('-')).unwrap_or_default();
    SIDES.contains(&side) && is_part(part)
}

type Values = BTreeMap<String, String>;

/// Joins width and style of borders whose colour is that of the text.
pub(crate) fn join_borders(values: &mut Values, undeclared: UndeclaredLonghands) {
    let sides = SIDES.map(|side| width_and_style(values, side));
    let is_none = |(width, _): &(String, String)| is_zero(width);
    let may_join_all = undeclared.is_plain || (undeclared.has_all_borders && sides[0].as_ref().is_some_and(is_none));
    let sides = sides.map(|parts| parts.map(|(width, style)| format!("{width} {style}")));
    write_borders(values, sides, &["width", "style"], may_join_all, undeclared.is_plain);
}

/// Writes `border` if all sides have the same value and may be joined, else `border-top` and the other sides if single
/// ones may be.
pub(crate) fn write_borders(
    values: &mut Values,
    sides: [Option<String>; 4],
    parts: &[&str],
    may_join_all: bool,
    may_join_single: bool,
) {
    let remove = |values: &mut Values, side: &str| {
        parts.iter().for_each(|part| drop(values.remove(&format!("border-{side}-{part}"))));
    };
    if let [Some(first), ..] = &sides
        && sides.iter().all(|side| side.as_ref() == Some(first))
        && may_join_all
    {
        SIDES.iter().for_each(|side| remove(values, side));
        values.insert("border".to_owned(), first.clone());
        return;
    }
    // Four sides that differ in one part are more readable by part.
    if !may_join_single || sides.iter().all(Option::is_some) {
        return;
    }
    for (side, value) in SIDES.iter().zip(sides) {
        if let Some(value) = value {
            remove(values, side);
            values.insert(format!("border-{side}"), value);
        }
    }
}

/// Returns width and style of a border without a colour of its own.
fn width_and_style(values: &Values, side: &str) -> Option<(String, String)> {
    let part = |part: &str| values.get(&format!("border-{side}-{part}")).filter(|value| !is_css_wide(value)).cloned();
    let has_color = values.contains_key(&format!("border-{side}-color"));
    Some((part("width")?, part("style")?)).filter(|_| !has_color)
}

/// Writes `margin: 0 0 1rem` and `padding: 0` where the sides have none in any case.
pub(crate) fn join_margins(values: &mut Values, undeclared: UndeclaredLonghands) {
    if !undeclared.is_plain {
        return;
    }
    let declared = |values: &Values, box_name: &str| {
        let names = SIDES.map(|side| format!("{box_name}-{side}"));
        names.map(|name| {
            values
                .get(&name)
                .filter(|value| !is_css_wide(value))
                .cloned()
                .or_else(|| values.contains_key(&name).then(String::new))
        })
    };
    if let [Some(top), None, Some(bottom), None] = declared(values, "margin") {
        let joined = match (is_zero(&top) && is_zero(&bottom), top == bottom) {
            (true, _) => Some("0px".to_owned()),
            (false, false) if !top.is_empty() && !bottom.is_empty() => Some(format!("{top} 0px {bottom}")),
            _ => None,
        };
        if let Some(joined) = joined {
            values.retain(|name, _| name != "margin-top" && name != "margin-bottom");
            values.insert("margin".to_owned(), joined);
        }
    }
    if let [None, None, None, Some(left)] = declared(values, "padding")
        && is_zero(&left)
    {
        values.remove("padding-left");
        values.insert("padding".to_owned(), left);
    }
}

/// Writes `outline: none`.
pub(crate) fn join_outline(values: &mut Values, undeclared: UndeclaredLonghands) {
    let stated = values.keys().filter(|name| name.starts_with("outline")).count();
    if undeclared.has_all_outlines && stated == 1 && values.get("outline-style").is_some_and(|style| style == "none") {
        values.remove("outline-style");
        values.insert("outline".to_owned(), "none".to_owned());
    }
}

fn is_zero(value: &str) -> bool {
    matches!(value, "0" | "0px")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN_RULE: UndeclaredLonghands =
        UndeclaredLonghands { is_plain: true, has_all_borders: false, has_all_outlines: true };

    fn joined(list: &[(&str, &str)], undeclared: UndeclaredLonghands) -> String {
        let mut values: Values = list.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        join_borders(&mut values, undeclared);
        join_margins(&mut values, undeclared);
        join_outline(&mut values, undeclared);
        values.iter().map(|(name, value)| format!("{name}: {value};")).collect()
    }

    #[test]
    fn sides_without_margins_are_part_of_the_shorthand() {
        for (list, expected) in [
            (&[("margin-bottom", "1rem"), ("margin-top", "0px")][..], "margin: 0px 0px 1rem;"),
            (&[("margin-bottom", "0px"), ("margin-top", "0px")], "margin: 0px;"),
            (&[("margin-bottom", "1rem"), ("margin-top", "1rem")], "margin-bottom: 1rem;margin-top: 1rem;"),
            (&[("margin-bottom", "inherit"), ("margin-top", "1rem")], "margin-bottom: inherit;margin-top: 1rem;"),
            (
                &[("margin-bottom", "1rem"), ("margin-left", "inherit"), ("margin-top", "0px")],
                "margin-bottom: 1rem;margin-left: inherit;margin-top: 0px;",
            ),
            (&[("margin-bottom", "1rem")], "margin-bottom: 1rem;"),
            (&[("padding-left", "0px")], "padding: 0px;"),
            (&[("padding-left", "1px")], "padding-left: 1px;"),
        ] {
            assert_eq!(joined(list, PLAIN_RULE), expected);
        }
        let list = [("margin-bottom", "1rem"), ("margin-top", "0px")];
        assert_eq!(joined(&list, UndeclaredLonghands::default()), "margin-bottom: 1rem;margin-top: 0px;", "a figure");
    }

    #[test]
    fn borders_in_the_color_of_the_text_have_none() {
        let bottom = [("border-bottom-style", "solid"), ("border-bottom-width", "2px")];
        assert_eq!(joined(&bottom, PLAIN_RULE), "border-bottom: 2px solid;");
        assert_eq!(
            joined(&bottom, UndeclaredLonghands::default()),
            "border-bottom-style: solid;border-bottom-width: 2px;"
        );
        let colored =
            [("border-bottom-color", "red"), ("border-bottom-style", "solid"), ("border-bottom-width", "2px")];
        assert!(!joined(&colored, PLAIN_RULE).contains("border-bottom:"), "the colour would be lost");
        let all = |width: &'static str| {
            SIDES.into_iter().flat_map(move |side| [(side, "style", "solid"), (side, "width", width)])
        };
        let names: Vec<(String, &str)> =
            all("0px").map(|(side, part, value)| (format!("border-{side}-{part}"), value)).collect();
        let list: Vec<(&str, &str)> = names.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let button = UndeclaredLonghands { has_all_borders: true, ..UndeclaredLonghands::default() };
        assert_eq!(joined(&list, button), "border: 0px solid;");
        assert!(!joined(&list, UndeclaredLonghands::default()).contains("border:"), "another rule shows the border");
    }

    #[test]
    fn outlines_of_one_rule_are_joined() {
        let list = [("outline-style", "none")];
        assert_eq!(joined(&list, PLAIN_RULE), "outline: none;");
        assert_eq!(joined(&list, UndeclaredLonghands::default()), "outline-style: none;");
    }
}
