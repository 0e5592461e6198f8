//! Drops declarations that have no effect below Tailwind's preflight, although the computed value differs.

use super::normalize::GuardedDeclarations;
use super::{color, font_stack};
use limner_component_model::model::{
    Child, Component, Element, ElementId, InteractionState, PseudoElement, StateTarget,
};

/// Elements with a background from the browser's stylesheet.
const FILLED: &[&str] = &["dialog", "mark", "meter", "progress"];

/// Drops what says nothing: a button's own appearance, the cursor of a control that is not disabled, the position of a marker that is not drawn, transparent backgrounds,
/// tracks of a grid that it has by itself, and on the root the font that it inherits.
pub(super) fn drop_redundant(
    guarded: &mut [GuardedDeclarations],
    component: &Component,
    id: ElementId,
    pseudo: Option<PseudoElement>,
) {
    let element = &component.elements[id.0];
    if pseudo.is_none() {
        drop_cursor_of_disabled(guarded, element);
        drop_implied_tracks(guarded, component, element);
        if !FILLED.contains(&element.tag.as_str()) {
            drop_if_all(guarded, "background-color", color::is_transparent);
        }
    }
    let is_button = element.tag == "button"
        || (element.tag == "input" && matches!(element.attribute("type"), Some("button" | "reset" | "submit")));
    // Preflight says `button`, which buttons draw as browsers draw `auto`.
    if matches!(pseudo, Some(PseudoElement::FileSelectorButton)) || (pseudo.is_none() && is_button) {
        drop_if_all(guarded, "appearance", |value| value == "auto");
    }
    let draws_no_marker = |(_, declared): &GuardedDeclarations| {
        declared.get("list-style-type").is_none_or(|kind| kind == "none")
            && declared.get("list-style-image").is_none_or(|image| image == "none")
    };
    let says_no_marker = guarded
        .iter()
        .any(|(guard, declared)| guard.is_open() && declared.get("list-style-type").is_some_and(|kind| kind == "none"));
    if says_no_marker && guarded.iter().all(draws_no_marker) {
        drop_if_all(guarded, "list-style-position", |_| true);
    }
    if id.0 == 0 && pseudo.is_none() {
        drop_if_all(guarded, "font-family", |stack| font_stack::system_stack(stack) == Some("sans"));
    }
}

/// Drops the cursor that resets give to disabled controls, where the control is enabled.
fn drop_cursor_of_disabled(guarded: &mut [GuardedDeclarations], element: &Element) {
    if element.attribute("disabled").is_some() {
        return;
    }
    for (guard, declared) in guarded.iter_mut() {
        let is_disabled = guard.states.iter().any(|state| {
            state.target == StateTarget::SelfElement && state.all_of.contains(&InteractionState::Disabled)
        });
        if is_disabled && declared.get("cursor").is_some_and(|cursor| matches!(cursor.as_str(), "default" | "auto")) {
            declared.remove("cursor");
        }
    }
}

/// Drops the only row of a grid, which is as high as rows that are not declared, and the width of columns that the grid does
/// not have because no item is placed there.
fn drop_implied_tracks(guarded: &mut [GuardedDeclarations], component: &Component, grid: &Element) {
    let says = |guarded: &[GuardedDeclarations], property: &str| {
        guarded.iter().any(|(_, declared)| declared.contains_key(property))
    };
    if says(guarded, "grid-auto-flow") || says(guarded, "grid-template-areas") {
        return;
    }
    if says(guarded, "grid-template-columns") && places_all(component, grid, "grid-column-", is_in_first_track) {
        drop_if_all(guarded, "grid-auto-columns", |_| true);
        // A grid has one column in any case, which is as wide as the grid.
        if !says(guarded, "justify-content") && !says(guarded, "justify-items") {
            drop_if_all(guarded, "grid-template-columns", |columns| columns == "1fr");
            for (_, declared) in guarded.iter_mut().filter(|(guard, _)| guard.is_open()) {
                if declared.get("grid-template-columns").is_some_and(|columns| columns == "1fr") {
                    declared.remove("grid-template-columns");
                }
            }
        }
    }
    if says(guarded, "grid-template-rows") && places_all(component, grid, "grid-row-", |_, line| is_from_start(line)) {
        // Rows without items would still have gaps between them.
        let items = grid.children.iter().filter(|child| matches!(child, Child::Element(_))).count();
        let most = if says(guarded, "grid-template-columns") { 1 } else { items.max(1) };
        if !says(guarded, "grid-auto-rows") {
            drop_if_all(guarded, "grid-template-rows", |rows| {
                rows.split(' ').all(|row| row == "auto") && rows.split(' ').count() <= most
            });
        }
    }
}

/// Returns true if a test holds for all lines between which the items of a grid are placed.
fn places_all(component: &Component, grid: &Element, prefix: &str, test: impl Fn(&str, &str) -> bool) -> bool {
    let items = grid.children.iter().filter_map(|child| match child {
        Child::Element(id) => Some(&component.elements[id.0]),
        Child::Text(_) => None,
    });
    let mut declared = items.flat_map(|item| &item.rules).flat_map(|rule| &rule.declarations);
    declared.all(|own| !own.name.starts_with(prefix) || test(&own.name, &own.value))
}

fn is_from_start(line: &str) -> bool {
    let rest = line.strip_prefix("span ").unwrap_or(line);
    rest == "auto" || rest.bytes().all(|digit| digit.is_ascii_digit())
}

fn is_in_first_track(property: &str, line: &str) -> bool {
    let edge = if property.ends_with("-start") { "1" } else { "2" };
    matches!(line, "auto" | "span 1") || line == edge
}

fn drop_if_all(guarded: &mut [GuardedDeclarations], property: &str, is_redundant: impl Fn(&str) -> bool) {
    if guarded.iter().filter_map(|(_, declared)| declared.get(property)).all(|value| is_redundant(value)) {
        guarded.iter_mut().for_each(|(_, declared)| drop(declared.remove(property)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::variant::Guard;
    use super::*;
    use limner_component_model::model::{Condition, Declaration, Rule};
    use std::collections::BTreeMap;

    /// Returns the properties that are left of an element's unconditional declarations.
    fn left(element: &Element, is_root: bool, declared: &[(&str, &str)]) -> Vec<String> {
        left_of_grid(element, is_root, declared, ("color", "red"))
    }

    /// Returns the same for an element with a child that has a declaration.
    fn left_of_grid(
        element: &Element,
        is_root: bool,
        declared: &[(&str, &str)],
        of_item: (&'static str, &str),
    ) -> Vec<String> {
        let declared: BTreeMap<String, String> =
            declared.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let mut guarded = vec![(Guard::default(), declared)];
        let own = Declaration { name: of_item.0.into(), value: of_item.1.to_owned(), computed: of_item.1.to_owned() };
        let rule = Rule { condition: Condition::default(), state: None, pseudo: None, declarations: vec![own] };
        let element = Element { children: vec![Child::Element(ElementId(2))], ..element.clone() };
        let item = Element { rules: vec![rule], ..Element::default() };
        let component = Component { elements: vec![element.clone(), element, item], ..Component::default() };
        drop_redundant(&mut guarded, &component, ElementId(usize::from(!is_root)), None);
        guarded.remove(0).1.into_keys().collect()
    }

    #[test]
    fn values_without_effect_are_dropped() {
        let element = |tag: &str| Element { tag: tag.to_owned(), ..Element::default() };
        assert!(left(&element("button"), false, &[("appearance", "auto")]).is_empty());
        assert_eq!(left(&element("button"), false, &[("appearance", "none")]), ["appearance"]);
        assert_eq!(left(&element("select"), false, &[("appearance", "auto")]), ["appearance"]);
        let marker = [("list-style-position", "outside"), ("list-style-type", "none")];
        assert_eq!(left(&element("summary"), false, &marker), ["list-style-type"]);
        assert_eq!(left(&element("summary"), false, &marker[..1]), ["list-style-position"]);
        let font = [("font-family", "system-ui, sans-serif")];
        assert!(left(&element("section"), true, &font).is_empty());
        assert_eq!(left(&element("section"), false, &font), ["font-family"]);
        assert_eq!(left(&element("section"), true, &[("font-family", "Arial, sans-serif")]), ["font-family"]);
    }

    #[test]
    fn tracks_that_a_grid_has_by_itself_are_dropped() {
        let grid = [("grid-auto-columns", "1fr"), ("grid-template-columns", "1fr 1fr"), ("grid-template-rows", "auto")];
        let left = |declared: &[(&str, &str)], item| left_of_grid(&Element::default(), false, declared, item);
        assert_eq!(left(&grid, ("grid-column-start", "1")), ["grid-template-columns"]);
        assert_eq!(left(&grid, ("grid-row-end", "span 2")), ["grid-template-columns"]);
        assert_eq!(left(&grid, ("grid-column-end", "span 3")), ["grid-auto-columns", "grid-template-columns"]);
        assert_eq!(left(&grid, ("grid-row-end", "-1")), ["grid-template-columns", "grid-template-rows"]);
        assert_eq!(left(&grid[..1], ("color", "red")), ["grid-auto-columns"], "all columns are such");
        let one = [("display", "grid"), ("grid-template-columns", "1fr")];
        assert_eq!(left_of_grid(&Element::default(), false, &one, ("color", "red")), ["display"]);
        assert_eq!(left_of_grid(&Element::default(), false, &one, ("grid-column-end", "span 2")).len(), 2);
        let narrow = [("grid-template-columns", "1fr"), ("justify-items", "start")];
        assert_eq!(left(&narrow, ("color", "red")).len(), 2, "the column is as wide as its items");
        let two = [("grid-template-rows", "auto auto")];
        assert_eq!(left(&two, ("color", "red")), ["grid-template-rows"], "of two rows one has no item");
        let rows = [("grid-auto-rows", "9px"), ("grid-template-rows", "auto")];
        assert_eq!(left(&rows, ("color", "red")), ["grid-auto-rows", "grid-template-rows"]);
    }

    #[test]
    fn transparent_backgrounds_are_dropped() {
        let element = |tag: &str| Element { tag: tag.to_owned(), ..Element::default() };
        assert!(left(&element("div"), false, &[("background-color", "rgba(255, 255, 255, 0)")]).is_empty());
        assert_eq!(left(&element("mark"), false, &[("background-color", "transparent")]), ["background-color"]);
        assert_eq!(left(&element("div"), false, &[("background-color", "#ffffff01")]), ["background-color"]);
    }
}
