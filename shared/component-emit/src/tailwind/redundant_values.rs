//! Drops declarations that have no effect below Tailwind's preflight, although the computed value differs.

use super::font_stack;
use super::normalize::GuardedDeclarations;
use limner_component_model::model::{Element, PseudoElement};

/// Drops what says nothing: a button's own appearance, the position of a marker that is not drawn, and on the root the
/// font that it inherits.
pub(super) fn drop_redundant(
    guarded: &mut [GuardedDeclarations],
    element: &Element,
    pseudo: Option<PseudoElement>,
    is_root: bool,
) {
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
    if is_root && pseudo.is_none() {
        drop_if_all(guarded, "font-family", |stack| font_stack::system_stack(stack) == Some("sans"));
    }
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
    use std::collections::BTreeMap;

    /// Returns the properties that are left of an element's unconditional declarations.
    fn left(element: &Element, is_root: bool, declared: &[(&str, &str)]) -> Vec<String> {
        let declared: BTreeMap<String, String> =
            declared.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let mut guarded = vec![(Guard::default(), declared)];
        drop_redundant(&mut guarded, element, None, is_root);
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
}
