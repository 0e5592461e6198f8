//! Joins longhands into shorthands and sorts the declarations in a readable order:
//! `margin-top: 0; …` → `margin: 0`.

use crate::background_shorthand;
use crate::css::keywords::is_css_wide;
use crate::css::split_list::split_commas;
use crate::declaration_order::sort_key;
use crate::model::Declaration;
use crate::undeclared::{self, SoleLonghands, UndeclaredLonghands};
use std::collections::BTreeMap;

/// Shorthands of four sides or corners.
const FOUR: &[(&str, [&str; 4])] = &[
    ("margin", ["margin-top", "margin-right", "margin-bottom", "margin-left"]),
    ("padding", ["padding-top", "padding-right", "padding-bottom", "padding-left"]),
    ("inset", ["top", "right", "bottom", "left"]),
    ("border-width", ["border-top-width", "border-right-width", "border-bottom-width", "border-left-width"]),
    ("border-style", ["border-top-style", "border-right-style", "border-bottom-style", "border-left-style"]),
    ("border-color", ["border-top-color", "border-right-color", "border-bottom-color", "border-left-color"]),
    (
        "border-radius",
        [
            "border-top-left-radius",
            "border-top-right-radius",
            "border-bottom-right-radius",
            "border-bottom-left-radius",
        ],
    ),
    (
        "corner-shape",
        ["corner-top-left-shape", "corner-top-right-shape", "corner-bottom-right-shape", "corner-bottom-left-shape"],
    ),
    ("scroll-margin", ["scroll-margin-top", "scroll-margin-right", "scroll-margin-bottom", "scroll-margin-left"]),
    ("scroll-padding", ["scroll-padding-top", "scroll-padding-right", "scroll-padding-bottom", "scroll-padding-left"]),
];

/// Shorthands of two values, of which equal ones are written once.
const TWO: &[(&str, &str, &str)] = &[
    ("overflow", "overflow-x", "overflow-y"),
    ("gap", "row-gap", "column-gap"),
    ("overscroll-behavior", "overscroll-behavior-x", "overscroll-behavior-y"),
];

/// Logical shorthands of two sides, joined where both are equal: then the direction of the text does not matter.
const AXES: &[(&str, &str, &str)] = &[
    ("margin-block", "margin-top", "margin-bottom"),
    ("margin-inline", "margin-left", "margin-right"),
    ("padding-block", "padding-top", "padding-bottom"),
    ("padding-inline", "padding-left", "padding-right"),
];

/// Shorthands with a slash between start and end.
const LINES: &[(&str, &str, &str)] =
    &[("grid-row", "grid-row-start", "grid-row-end"), ("grid-column", "grid-column-start", "grid-column-end")];

/// The sides of a box in the order of shorthands.
pub(crate) const SIDES: [&str; 4] = ["top", "right", "bottom", "left"];

/// The longhands that `font` sets.
#[rustfmt::skip]
const FONT: [&str; 19] = [
    "font-family", "font-feature-settings", "font-kerning", "font-language-override", "font-optical-sizing", "font-size",
    "font-size-adjust", "font-stretch", "font-style", "font-variant-alternates", "font-variant-caps", "font-variant-east-asian",
    "font-variant-emoji", "font-variant-ligatures", "font-variant-numeric", "font-variant-position", "font-variation-settings",
    "font-weight", "line-height",
];
const TRANSITION: [&str; 4] = ["property", "duration", "timing-function", "delay"];
const ANIMATION: [&str; 8] =
    ["name", "duration", "timing-function", "delay", "iteration-count", "direction", "fill-mode", "play-state"];
/// Initial values of the longhands of `animation`; those of `transition` follow.
const ANIMATION_INITIAL: [&str; 8] = ["none", "0s", "ease", "0s", "1", "normal", "none", "running"];
const TRANSITION_INITIAL: [&str; 4] = ["all", "0s", "ease", "0s"];

/// The rule whose declarations are joined.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RuleContext {
    /// Knowledge of the longhands that the rule does not declare if no other rule precedes this one for the element, so
    /// that a shorthand may reset them.
    pub(super) base: Option<UndeclaredLonghands>,
    /// Longhands that no rule of the element declares besides others of their shorthand.
    pub(super) sole: SoleLonghands,
    /// True if no other rule has the image of the background or its placing.
    pub(super) has_own_background: bool,
    /// True if white space in the element collapses.
    pub(super) collapses: bool,
    /// True if its lines are horizontal.
    pub(super) is_horizontal: bool,
}

/// Returns the declarations of a rule, joined and sorted.
pub(super) fn join_shorthands(declarations: &[Declaration], context: &RuleContext) -> Vec<(String, String)> {
    let RuleContext { base, sole, has_own_background, collapses, is_horizontal } = *context;
    let is_base = base.is_some();
    let mut all: ShorthandJoiner =
        ShorthandJoiner { values: declarations.iter().map(|d| (d.name.to_string(), d.value.clone())).collect() };
    all.text_wrap(is_base);
    all.white_space(collapses);
    all.background_position();
    all.border();
    if let Some(undeclared) = base {
        undeclared::join_borders(&mut all.values, undeclared);
        undeclared::join_outline(&mut all.values, undeclared);
    }
    if has_own_background && (sole.background || base.is_some_and(|undeclared| undeclared.has_no_background)) {
        background_shorthand::join(&mut all.values);
    }
    undeclared::join_sole(&mut all.values, sole);
    all.join_sides();
    if is_horizontal {
        base.into_iter().for_each(|undeclared| undeclared::join_margins(&mut all.values, undeclared));
        all.axes();
    }
    all.pairs();
    all.flex(is_base || sole.flex);
    all.outline();
    all.decoration(is_base);
    all.no_transition();
    all.no_animation();
    all.lists("transition", &TRANSITION, &TRANSITION_INITIAL, is_base);
    all.lists("animation", &ANIMATION, &ANIMATION_INITIAL, is_base);
    all.list_style();
    all.font();
    let plain = |(name, value): (String, String)| (name.clone(), without_unit(&name, value));
    let mut written: Vec<(String, String)> = all.values.into_iter().map(plain).collect();
    written.sort_by_key(|(name, _)| sort_key(name));
    written
}

struct ShorthandJoiner {
    values: BTreeMap<String, String>,
}

impl ShorthandJoiner {
    fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Returns the values of these longhands if all are declared and fit into one declaration.
    fn values_of(&self, names: &[&str]) -> Option<Vec<String>> {
        let values: Option<Vec<&str>> = names.iter().map(|name| self.get(name)).collect();
        let values = values?;
        let wide = values.iter().filter(|value| is_css_wide(value)).count();
        let usable = wide == 0 || (wide == values.len() && values.iter().all(|value| *value == values[0]));
        usable.then(|| values.into_iter().map(str::to_owned).collect())
    }

    fn replace(&mut self, names: &[&str], by: &str, value: String) {
        for name in names {
            self.values.remove(*name);
        }
        self.values.insert(by.to_owned(), value);
    }

    /// Writes `text-wrap: balance`, which also lets lines wrap.
    fn text_wrap(&mut self, is_base: bool) {
        let names = ["text-wrap-style", "text-wrap-mode"];
        let style = self.get(names[0]).filter(|style| matches!(*style, "balance" | "pretty" | "stable"));
        let wraps = self.get(names[1]).map_or(is_base, |mode| mode == "wrap");
        let Some(style) = style.filter(|_| wraps && !self.values.contains_key("white-space-collapse")) else { return };
        let style = style.to_owned();
        self.replace(&names, "text-wrap", style);
    }

    /// Joins the longhands of `white-space` into its keyword.
    fn white_space(&mut self, collapses: bool) {
        let names = ["white-space-collapse", "text-wrap-mode"];
        let word = match (self.get(names[0]), self.get(names[1])) {
            (Some("preserve"), Some("nowrap")) => "pre",
            (Some("preserve"), Some("wrap")) => "pre-wrap",
            (Some("preserve-breaks"), Some("wrap")) => "pre-line",
            (Some("break-spaces"), Some("wrap")) => "break-spaces",
            (Some("collapse"), Some("wrap")) => "normal",
            (Some("collapse"), Some("nowrap")) => "nowrap",
            (None, Some("nowrap")) if collapses => "nowrap",
            (None, Some("wrap")) if collapses => "normal",
            _ => return,
        };
        self.replace(&names, "white-space", word.to_owned());
    }

    fn background_position(&mut self) {
        let names = ["background-position-x", "background-position-y"];
        let Some(values) = self.values_of(&names) else { return };
        let (x, y) = (split_commas(&values[0]), split_commas(&values[1]));
        if x.len() != y.len() {
            return;
        }
        let pairs: Vec<String> = x
            .iter()
            .zip(&y)
            .map(|(x, y)| match (*x, *y) {
                (x, y) if x == y && is_css_wide(x) => x.to_owned(),
                ("center" | "50%", "center" | "50%") => "center".to_owned(),
                (x, y) => format!("{x} {y}"),
            })
            .collect();
        self.replace(&names, "background-position", pairs.join(", "));
    }

    /// Joins `border`, or `border-top` and the other sides.
    fn border(&mut self) {
        let parts = ["width", "style", "color"];
        let sides = SIDES.map(|side| {
            let names = parts.map(|part| format!("border-{side}-{part}"));
            let values = self.values_of(&[&names[0], &names[1], &names[2]])?;
            (!values.iter().any(|value| is_css_wide(value))).then(|| values.join(" "))
        });
        undeclared::write_borders(&mut self.values, sides, &parts, true, true);
        undeclared::join_borders_but_one(&mut self.values);
    }

    fn join_sides(&mut self) {
        for (name, parts) in FOUR {
            let Some(values) = self.values_of(parts) else { continue };
            if *name == "border-radius" && values.iter().any(|value| has_two_radii(value)) {
                continue;
            }
            let [a, b, c, d] = values.as_slice() else { continue };
            let value = if is_css_wide(a) { a.clone() } else { four_values([a, b, c, d]) };
            self.replace(parts, name, value);
        }
    }

    /// Writes `margin-inline: auto`.
    fn axes(&mut self) {
        for (name, first, second) in AXES {
            if let Some(values) = self.values_of(&[first, second]).filter(|values| values[0] == values[1]) {
                self.replace(&[first, second], name, values[0].clone());
            }
        }
    }

    fn pairs(&mut self) {
        for (name, first, second) in TWO {
            if let Some(values) = self.values_of(&[first, second]) {
                let value = if values[0] == values[1] { values[0].clone() } else { values.join(" ") };
                self.replace(&[first, second], name, value);
            }
        }
        for (name, first, second) in LINES {
            let Some(values) = self.values_of(&[first, second]).filter(|values| !is_css_wide(&values[0])) else {
                continue;
            };
            let value = if values[1] == "auto" { values[0].clone() } else { values.join(" / ") };
            self.replace(&[first, second], name, value);
        }
    }

    /// Joins `flex` if at least two longhands are declared. In a base rule, a missing one has its initial value.
    fn flex(&mut self, is_base: bool) {
        let names = ["flex-grow", "flex-shrink", "flex-basis"];
        let missing = names.iter().filter(|name| !self.values.contains_key(**name)).count();
        let values = names.iter().zip(["0", "1", "auto"]).map(|(name, initial)| self.get(name).unwrap_or(initial));
        let values: Vec<String> = values.map(str::to_owned).collect();
        if missing > usize::from(is_base) || values.iter().any(|value| is_css_wide(value)) {
            return;
        }
        let value = match (values[0].as_str(), values[1].as_str(), values[2].as_str()) {
            ("0", "0", "auto") => "none".to_owned(),
            ("1", "1", "auto") => "auto".to_owned(),
            (grow, "1", "0%") => grow.to_owned(),
            _ => values.join(" "),
        };
        self.replace(&names, "flex", value);
    }

    /// Joins `font: inherit` and other CSS-wide keywords; other values rarely are all declared.
    fn font(&mut self) {
        if let Some(values) = self.values_of(&FONT).filter(|values| is_css_wide(&values[0])) {
            self.replace(&FONT, "font", values[0].clone());
        }
    }

    fn outline(&mut self) {
        let names = ["outline-width", "outline-style", "outline-color"];
        if let Some(values) = self.values_of(&names).filter(|values| !values.iter().any(|value| is_css_wide(value))) {
            self.replace(&names, "outline", values.join(" "));
        }
    }

    fn decoration(&mut self, is_base: bool) {
        let names =
            ["text-decoration-line", "text-decoration-style", "text-decoration-color", "text-decoration-thickness"];
        let others = names[1..].iter().any(|name| self.get(name).is_some());
        let line = self.get(names[0]).map(str::to_owned);
        match line {
            Some(line) if is_base && !others && !is_css_wide(&line) => {
                self.replace(&names[..1], "text-decoration", line)
            }
            Some(_) if others => {
                if let Some(values) =
                    self.values_of(&names).filter(|values| !values.iter().any(|value| is_css_wide(value)))
                {
                    self.replace(&names, "text-decoration", values.join(" "));
                }
            }
            _ => {}
        }
    }

    /// Writes `transition: none`: the other longhands have no effect then.
    fn no_transition(&mut self) {
        let stated = self.values.keys().filter(|name| name.starts_with("transition-")).count();
        if stated == 1 && self.get("transition-property") == Some("none") {
            self.replace(&["transition-property"], "transition", "none".to_owned());
        }
    }

    /// Writes `animation: none` where the other longhands have their initial values.
    fn no_animation(&mut self) {
        let initial = |(name, value): (&String, &String)| {
            name.strip_prefix("animation-").is_none_or(|part| {
                ANIMATION.iter().zip(ANIMATION_INITIAL).any(|(own, initial)| *own == part && value == initial)
            })
        };
        if self.get("animation-name") == Some("none") && self.values.iter().all(initial) {
            self.values.retain(|name, _| !name.starts_with("animation-"));
            self.values.insert("animation".to_owned(), "none".to_owned());
        }
    }

    /// Joins lists of equal length item by item. In a base rule, missing lists have their initial
    /// value.
    fn lists(&mut self, name: &str, parts: &[&str], initial: &[&str], is_base: bool) {
        let names: Vec<String> = parts.iter().map(|part| format!("{name}-{part}")).collect();
        let present = names.iter().filter(|name| self.values.contains_key(*name)).count();
        let leads = self.values.contains_key(&names[0]) && self.values.contains_key(&names[1]);
        let others = self.values.keys().filter(|key| key.starts_with(&format!("{name}-"))).count() > present;
        if others || !(present == names.len() || (is_base && leads)) {
            return;
        }
        let lists: Vec<Vec<String>> = names
            .iter()
            .zip(initial)
            .map(|(name, initial)| {
                split_commas(self.get(name).unwrap_or(initial)).iter().map(ToString::to_string).collect()
            })
            .collect();
        let count = lists[0].len();
        let even = lists.iter().all(|list| list.len() == count || list.len() == 1);
        if !even || lists.iter().flatten().any(|item| is_css_wide(item)) {
            return;
        }
        let items: Vec<String> = (0..count)
            .map(|at| {
                let values = lists.iter().map(|list| if list.len() == 1 { &list[0] } else { &list[at] });
                let delay = lists[3].get(at).or(lists[3].first()).map_or("0s", String::as_str);
                let shown = values.zip(initial).enumerate().filter(|(part, (value, initial))| {
                    // The first of two times is the duration.
                    value.as_str() != **initial || *part == 0 || (*part == 1 && delay != "0s")
                });
                shown.map(|(_, (value, _))| value.as_str()).collect::<Vec<_>>().join(" ")
            })
            .collect();
        let joined = items.join(", ");
        let apart = hoist_common_values(&names, &lists, initial, is_base);
        if let Some(apart) = apart.filter(|apart| length(apart) < name.len() + joined.len()) {
            names.iter().for_each(|name| drop(self.values.remove(name)));
            return self.values.extend(apart);
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.replace(&names, name, joined);
    }

    fn list_style(&mut self) {
        let names = ["list-style-type", "list-style-position", "list-style-image"];
        let Some(values) = self.values_of(&names).filter(|values| !values.iter().any(|value| is_css_wide(value)))
        else {
            return;
        };
        let value = match (values[0].as_str(), values[1].as_str(), values[2].as_str()) {
            ("none", "outside", "none") => "none".to_owned(),
            _ => values.join(" "),
        };
        self.replace(&names, "list-style", value);
    }
}

/// Returns the values of four sides, of which equal ones are written once.
pub(crate) fn four_values([top, right, bottom, left]: [&str; 4]) -> String {
    match (top == bottom, right == left, top == right) {
        (true, true, true) => top.to_owned(),
        (true, true, false) => format!("{top} {right}"),
        (false, true, _) => format!("{top} {right} {bottom}"),
        _ => format!("{top} {right} {bottom} {left}"),
    }
}

/// Returns true if there is white space outside of brackets: a corner with two radii.
fn has_two_radii(value: &str) -> bool {
    let mut depth = 0_u32;
    value.chars().any(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && c == ' '
    })
}

/// Removes the unit of zero lengths in properties that accept only lengths and keywords.
fn without_unit(name: &str, value: String) -> String {
    const BOXES: &[&str] = &[
        "margin",
        "padding",
        "inset",
        "top",
        "right",
        "bottom",
        "left",
        "gap",
        "row-gap",
        "column-gap",
        "width",
        "height",
        "min-width",
        "min-height",
        "max-width",
        "max-height",
        "border-radius",
        "border-width",
        "scroll-margin",
        "scroll-padding",
    ];
    let is_box = BOXES.contains(&name)
        || ["margin-", "padding-"].iter().any(|start| name.starts_with(start))
        || (name.starts_with("border-") && name.ends_with("-radius"));
    if !is_box || value.contains('(') || !value.contains("0px") {
        return value;
    }
    value.split(' ').map(|part| if part == "0px" { "0" } else { part }).collect::<Vec<_>>().join(" ")
}

/// Returns the longhands of several items that differ only in the first one, with each common value
/// once. In a base rule, initial values are omitted.
fn hoist_common_values(
    names: &[String],
    lists: &[Vec<String>],
    initial: &[&str],
    is_base: bool,
) -> Option<Vec<(String, String)>> {
    let (first, others) = lists.split_first()?;
    if first.len() < 2 || others.iter().any(|list| list.iter().any(|item| *item != list[0])) {
        return None;
    }
    let others = names[1..].iter().zip(others).zip(&initial[1..]);
    let common = others.map(|((name, list), initial)| (name.clone(), list[0].clone(), *initial));
    let said = common.filter(|(_, value, initial)| value != initial || !is_base);
    let said = said.map(|(name, value, _)| (name, value));
    Some(std::iter::once((names[0].clone(), first.join(", "))).chain(said).collect())
}

/// Returns the length of declarations.
fn length(declarations: &[(String, String)]) -> usize {
    declarations.iter().map(|(name, value)| name.len() + value.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    fn write(list: &str, is_base: bool) -> String {
        let declarations: Vec<Declaration> = list
            .split(';')
            .map(|declaration| {
                let (name, value) = declaration.split_once(':').unwrap();
                Declaration {
                    name: Cow::Owned(name.trim().into()),
                    value: value.trim().into(),
                    computed: String::new(),
                }
            })
            .collect();
        let sole =
            SoleLonghands { decoration: is_base, outline: is_base, list_style: is_base, ..SoleLonghands::default() };
        let base = is_base.then(UndeclaredLonghands::default);
        let context = RuleContext { base, sole, has_own_background: false, collapses: true, is_horizontal: true };
        let written = join_shorthands(&declarations, &context);
        written.into_iter().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn longhands_are_joined() {
        for (longhands, expected) in [
            ("margin-top: 1px; margin-right: 2px; margin-bottom: 1px; margin-left: 2px", "margin: 1px 2px"),
            ("margin-top: 1px; margin-right: 2px; margin-bottom: 1px", "margin-block: 1px; margin-right: 2px"),
            (
                "padding-top: inherit; padding-right: 0; padding-bottom: 0; padding-left: 0",
                "padding-inline: 0; padding-top: inherit; padding-bottom: 0",
            ),
            ("overflow-x: auto; overflow-y: hidden", "overflow: auto hidden"),
            ("row-gap: 1rem; column-gap: 1rem", "gap: 1rem"),
            ("flex-grow: 1; flex-shrink: 1; flex-basis: 0%", "flex: 1"),
            ("flex-grow: 1; flex-basis: 0%", "flex: 1"),
            ("flex-shrink: 0; flex-basis: 20rem", "flex: 0 0 20rem"),
            ("flex-grow: 1", "flex-grow: 1"),
            ("margin-left: auto; margin-right: auto", "margin-inline: auto"),
            ("padding-top: 1rem; padding-bottom: 1rem; padding-left: 0px", "padding-block: 1rem; padding-left: 0"),
            ("margin-left: 1px; margin-right: 2px", "margin-right: 2px; margin-left: 1px"),
            ("text-wrap-style: balance", "text-wrap: balance"),
            ("text-wrap-style: balance; text-wrap-mode: nowrap", "text-wrap-style: balance; white-space: nowrap"),
            (
                "animation-name: none; animation-duration: 0s; animation-timing-function: ease; animation-iteration-count: 1",
                "animation: none",
            ),
            ("border-top-width: 1px; border-top-style: solid; border-top-color: #ddd", "border-top: 1px solid #ddd"),
            ("text-wrap-mode: nowrap", "white-space: nowrap"),
            ("background-position-x: 0, 1px; background-position-y: 2px, 50%", "background-position: 0 2px, 1px 50%"),
            ("grid-row-start: 1; grid-row-end: span 2", "grid-row: 1 / span 2"),
            ("list-style-type: none", "list-style: none"),
            (
                "border-top-width: 1px; border-top-style: solid; border-top-color: #ddd; border-right-width: 1px; \
                 border-right-style: solid; border-right-color: #ddd; border-bottom-width: 1px; border-bottom-style: solid; \
                 border-bottom-color: #999; border-left-width: 1px; border-left-style: solid; border-left-color: #ddd",
                "border: 1px solid #ddd; border-bottom-color: #999",
            ),
            (
                "transition-property: color, opacity, fill; transition-duration: 0.2s; transition-timing-function: cubic-bezier(0.4, 0, 0.2, 1)",
                "transition-duration: 0.2s; transition-property: color, opacity, fill; transition-timing-function: cubic-bezier(0.4, 0, 0.2, 1)",
            ),
            ("transition-property: color, opacity; transition-duration: 0.2s", "transition: color 0.2s, opacity 0.2s"),
            (
                "transition-property: color, opacity; transition-duration: 0.2s, 1s; transition-timing-function: linear",
                "transition: color 0.2s linear, opacity 1s linear",
            ),
            (
                "top: 0px; width: 0px; padding-left: 10px; flex-basis: 0px",
                "top: 0; flex-basis: 0px; width: 0; padding-left: 10px",
            ),
            (
                "border-top-left-radius: calc(1em - 1px); border-top-right-radius: calc(1em - 1px); \
                 border-bottom-right-radius: calc(1em - 1px); border-bottom-left-radius: calc(1em - 1px)",
                "border-radius: calc(1em - 1px)",
            ),
            (
                "animation-name: a; animation-duration: 1s; animation-iteration-count: infinite",
                "animation: a 1s infinite",
            ),
            ("color: red; display: flex; position: absolute", "position: absolute; display: flex; color: red"),
        ] {
            assert_eq!(write(longhands, true), expected);
        }
    }

    #[test]
    fn shorthands_do_not_reset_earlier_declarations() {
        assert_eq!(write("text-decoration-line: none", true), "text-decoration: none");
        assert_eq!(write("text-decoration-line: none", false), "text-decoration-line: none");
        assert_eq!(write("transition-property: none", false), "transition: none");
        assert_eq!(write("flex-grow: 1; flex-basis: 0%", false), "flex-basis: 0%; flex-grow: 1");
        assert_eq!(write("text-wrap-style: balance", false), "text-wrap-style: balance");
        assert_eq!(write("animation-name: none", false), "animation: none");
        assert_eq!(
            write("animation-name: a; animation-duration: 1s", false),
            "animation-duration: 1s; animation-name: a"
        );
    }
}
