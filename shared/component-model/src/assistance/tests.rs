//! Tests `assistance`.

use super::*;

fn rule(declarations: &[(&'static str, &str)], state: Option<InteractionState>) -> Rule {
    let declaration = |(name, value): &(&'static str, &str)| Declaration {
        name: (*name).into(),
        value: (*value).to_owned(),
        computed: (*value).to_owned(),
    };
    let state =
        state.map(|state| StateCondition { target: StateTarget::SelfElement, all_of: vec![state], own: Vec::new() });
    Rule {
        condition: Condition::default(),
        state,
        pseudo: None,
        declarations: declarations.iter().map(declaration).collect(),
    }
}

/// Returns the declarations of an element after the step, with the condition and state of their rules.
fn assisted(tag: &str, rules: Vec<Rule>) -> Vec<String> {
    let element = Element { tag: tag.to_owned(), rules, ..Element::default() };
    let mut component = Component { elements: vec![element], ..Component::default() };
    assist(&mut component);
    let written = component.elements[0].rules.iter().flat_map(|rule| {
        let prefix = if rule.condition.reduced_motion { "reduced " } else { "" };
        let focus = if rule.state.is_some() { "state " } else { "" };
        rule.declarations.iter().map(move |own| format!("{prefix}{focus}{}: {}", own.name, own.value))
    });
    written.collect()
}

#[test]
fn animations_stop_for_reduced_motion() {
    let spin = || rule(&[("animation-name", "spin")], None);
    assert_eq!(assisted("div", vec![spin()]), ["animation-name: spin", "reduced animation-name: none"]);
    let hover = rule(&[("color", "red")], Some(InteractionState::Hover));
    assert_eq!(assisted("div", vec![spin(), hover])[1], "reduced animation-name: none", "before those of states");
    let hidden = rule(&[("animation-name", "fade"), ("opacity", "0")], None);
    assert_eq!(assisted("div", vec![hidden]).len(), 2, "hidden without its animation");
    let mut own = rule(&[("animation-name", "slow")], None);
    own.condition.reduced_motion = true;
    assert_eq!(assisted("div", vec![spin(), own]).len(), 2, "decided by the author");
}

#[test]
fn controls_keep_the_outline_unless_the_focus_has_another_style() {
    let none = |state| rule(&[("outline-style", "none"), ("outline-width", "0px")], state);
    let focus = Some(InteractionState::Focus);
    assert_eq!(assisted("button", vec![none(None), none(focus)]), [""; 0]);
    assert_eq!(assisted("p", vec![none(None)]).len(), 2, "no control");
    let ring = rule(&[("box-shadow", "0 0 0 3px red")], Some(InteractionState::FocusVisible));
    assert_eq!(assisted("button", vec![none(None), ring]).len(), 3);
}

#[test]
fn keyframes_that_nothing_names_are_dropped() {
    let keyframes = |name: &str| crate::model::Keyframes { name: name.to_owned(), frames: Vec::new() };
    let element = Element { rules: vec![rule(&[("animation-name", "spin")], None)], ..Element::default() };
    let mut component = Component { elements: vec![element], ..Component::default() };
    component.keyframes = vec![keyframes("spin"), keyframes("fade")];
    assist(&mut component);
    assert_eq!(component.keyframes.len(), 1);
}
