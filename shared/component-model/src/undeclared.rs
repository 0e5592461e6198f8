//! Joins longhands of which the missing ones have their initial values in any case: `margin-top: 0; margin-bottom: 1rem` →
//! `margin: 0 0 1rem`.

use crate::css::keywords::is_css_wide;
use crate::model::{Element, Namespace, PseudoElement, Rule};
use crate::shorthand::{SIDES, four_values};
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
    /// All paddings have their initial values.
    pub(crate) has_no_padding: bool,
    /// The background has its initial values.
    pub(crate) has_no_background: bool,
}

/// Plain elements to which browsers give a padding at the start of the text.
const LISTS: &[&str] = &["ol", "ul"];

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
        let tag = element.tag.as_str();
        Self {
            is_plain,
            has_all_borders: is_only(&is_border),
            has_all_outlines: is_only(&is_outline),
            has_no_padding: is_plain && (rule.pseudo.is_some() || !LISTS.contains(&tag)),
            has_no_background: is_plain && (rule.pseudo.is_some() || tag != "mark"),
        }
    }
}

/// Longhands that no rule of an element, for the same pseudo-element, declares besides others of their shorthand: the
/// shorthand may be written under any condition and in any state.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SoleLonghands {
    /// `text-decoration-line`
    pub(crate) decoration: bool,
    /// `outline-style: none`
    pub(crate) outline: bool,
    /// `list-style-type`, which no element declares besides others.
    pub(crate) list_style: bool,
    /// Those of `background`: no other rule of the element has any, nor does the browser.
    pub(crate) background: bool,
    /// Those of `flex`: no other rule of the element has any.
    pub(crate) flex: bool,
}

impl SoleLonghands {
    /// Collects the knowledge for the rules of an element, by pseudo-element. `is_plain` is true if all elements of its
    /// class are plain; `list_style` is the same for all elements.
    pub(crate) fn of_element(
        element: &Element,
        is_plain: bool,
        list_style: bool,
    ) -> BTreeMap<Option<PseudoElement>, Self> {
        const OUTLINE: [&str; 3] = ["outline-color", "outline-style", "outline-width"];
        const FLEX: [&str; 3] = ["flex-basis", "flex-grow", "flex-shrink"];
        let has_no_background = is_plain && element.tag != "mark";
        let at_first = Self {
            decoration: element.tag != "abbr",
            outline: true,
            list_style,
            background: has_no_background,
            flex: true,
        };
        let mut known: BTreeMap<Option<PseudoElement>, Self> = BTreeMap::new();
        // The number of rules with a background, and with `flex`.
        let mut counts: BTreeMap<Option<PseudoElement>, [u32; 2]> = BTreeMap::new();
        for rule in &element.rules {
            let own = known.entry(rule.pseudo).or_insert(at_first);
            let names = || rule.declarations.iter().map(|declaration| &*declaration.name);
            own.decoration &=
                names().all(|name| name == "text-decoration-line" || !name.starts_with("text-decoration"));
            let outlines = names().filter(|name| OUTLINE.contains(name)).count();
            let is_none = || rule.declarations.iter().any(|one| one.name == "outline-style" && one.value == "none");
            own.outline &= outlines == 0 || outlines == OUTLINE.len() || (outlines == 1 && is_none());
            let [backgrounds, flexes] = counts.entry(rule.pseudo).or_default();
            *backgrounds += u32::from(names().any(|name| name.starts_with("background-")));
            *flexes += u32::from(names().any(|name| FLEX.contains(&name)));
            own.background = has_no_background && *backgrounds <= 1;
            own.flex = *flexes <= 1;
        }
        known
    }
}

/// Returns true if no rule declares a marker's position or image.
pub(crate) fn has_sole_list_styles<'c>(mut rules: impl Iterator<Item = &'c Rule>) -> bool {
    let is_other = |name: &str| matches!(name, "list-style-position" | "list-style-image");
    !rules.any(|rule| rule.declarations.iter().any(|own| is_other(&own.name)))
}

/// Writes shorthands for longhands that are alone.
pub(crate) fn join_sole(values: &mut Values, sole: SoleLonghands) {
    let outline = ["outline-width", "outline-color"].iter().all(|name| !values.contains_key(*name));
    for (longhand, shorthand, is_sole) in [
        ("text-decoration-line", "text-decoration", sole.decoration),
        ("outline-style", "outline", sole.outline && outline),
        ("list-style-type", "list-style", sole.list_style),
    ] {
        let is_usable = |value: &String| is_sole && !is_css_wide(value) && !value.contains("var(");
        if values.get(longhand).is_some_and(is_usable)
            && let Some(value) = values.remove(longhand)
        {
            values.insert(shorthand.to_owned(), value);
        }
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
    let styles = SIDES.map(|side| format!("border-{side}-style"));
    let has_none = styles.iter().all(|name| values.get(name).is_some_and(|style| style == "none"));
    if has_none && undeclared.has_all_borders && values.keys().filter(|name| is_border(name)).count() == styles.len() {
        styles.iter().for_each(|name| drop(values.remove(name)));
        values.insert("border".to_owned(), "none".to_owned());
        return;
    }
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

/// Writes `border` and a longhand of the one side that differs in it.
pub(crate) fn join_borders_but_one(values: &mut Values) {
    let parts = ["width", "style", "color"];
    let name = |side: &str, part: &str| format!("border-{side}-{part}");
    let of_side = |side: &str| parts.map(|part| values.get(&name(side, part)).filter(|value| !is_css_wide(value)));
    let sides = SIDES.map(of_side);
    let alike = |one: &[Option<&String>; 3]| sides.iter().filter(|other| *other == one).count();
    let Some(most) = sides.iter().find(|side| alike(side) == SIDES.len() - 1) else { return };
    let Some(odd) = sides.iter().position(|side| side != most) else { return };
    let differing: Vec<usize> = (0..parts.len()).filter(|part| sides[odd][*part] != most[*part]).collect();
    let ([Some(width), Some(style), Some(color)], [part]) = (most, differing.as_slice()) else { return };
    let Some(own) = sides[odd][*part].cloned() else { return };
    let joined = format!("{width} {style} {color}");
    SIDES.iter().for_each(|side| parts.iter().for_each(|part| drop(values.remove(&name(side, part)))));
    values.insert("border".to_owned(), joined);
    values.insert(name(SIDES[odd], parts[*part]), own);
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
    match declared(values, "margin") {
        [Some(top), None, Some(bottom), None] => {
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
        [top @ Some(_), right, bottom @ Some(_), left] => join_three(values, "margin", [top, right, bottom, left]),
        _ => {}
    }
    match declared(values, "padding") {
        [None, None, None, Some(left)] if is_zero(&left) => {
            values.remove("padding-left");
            values.insert("padding".to_owned(), left);
        }
        sides if undeclared.has_no_padding => join_three(values, "padding", sides),
        _ => {}
    }
}

/// Joins three sides of a box, of which the fourth has none in any case.
fn join_three(values: &mut Values, name: &str, sides: [Option<String>; 4]) {
    let is_usable = |side: &Option<String>| side.as_ref().is_none_or(|value| !value.is_empty());
    if sides.iter().filter(|side| side.is_none()).count() != 1 || !sides.iter().all(is_usable) {
        return;
    }
    let sides = sides.map(|side| side.filter(|value| !is_zero(value)).unwrap_or_else(|| "0px".to_owned()));
    SIDES.iter().for_each(|side| drop(values.remove(&format!("{name}-{side}"))));
    values.insert(name.to_owned(), four_values(sides.each_ref().map(String::as_str)));
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

    const PLAIN_RULE: UndeclaredLonghands = UndeclaredLonghands {
        is_plain: true,
        has_all_borders: false,
        has_all_outlines: true,
        has_no_padding: true,
        has_no_background: true,
    };

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
            (&[("padding-bottom", "2px"), ("padding-left", "3px"), ("padding-right", "3px")], "padding: 0px 3px 2px;"),
            (
                &[("padding-bottom", "2px"), ("padding-left", "3px"), ("padding-top", "1px")],
                "padding: 1px 0px 2px 3px;",
            ),
            (&[("margin-bottom", "2px"), ("margin-right", "3px"), ("margin-top", "1px")], "margin: 1px 3px 2px 0px;"),
            (
                &[("margin-bottom", "2px"), ("margin-left", "3px"), ("margin-right", "3px")],
                "margin-bottom: 2px;margin-left: 3px;margin-right: 3px;",
            ),
        ] {
            assert_eq!(joined(list, PLAIN_RULE), expected);
        }
        let list = [("margin-bottom", "1rem"), ("margin-top", "0px")];
        assert_eq!(joined(&list, UndeclaredLonghands::default()), "margin-bottom: 1rem;margin-top: 0px;", "a figure");
        let list = [("padding-bottom", "2px"), ("padding-right", "3px"), ("padding-top", "1px")];
        let of_list = UndeclaredLonghands { has_no_padding: false, ..PLAIN_RULE };
        assert_eq!(joined(&list, of_list), "padding-bottom: 2px;padding-right: 3px;padding-top: 1px;", "a list");
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
        let names = SIDES.map(|side| format!("border-{side}-style"));
        let none = names.each_ref().map(|name| (name.as_str(), "none"));
        assert_eq!(joined(&none, button), "border: none;");
        assert!(!joined(&list, UndeclaredLonghands::default()).contains("border:"), "another rule shows the border");
    }

    #[test]
    fn outlines_of_one_rule_are_joined() {
        let list = [("outline-style", "none")];
        assert_eq!(joined(&list, PLAIN_RULE), "outline: none;");
        assert_eq!(joined(&list, UndeclaredLonghands::default()), "outline-style: none;");
    }
}
