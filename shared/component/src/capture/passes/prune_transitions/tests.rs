//! Tests `prune_transitions`.

use super::*;
use limner_component_model::model::{Condition, ElementId, InteractionState, StateCondition, StateTarget};

fn rule(reduced_motion: bool, declarations: &[(&'static str, &str)]) -> Rule {
    let declaration = |(name, value): &(&'static str, &str)| Declaration {
        name: Cow::Borrowed(*name),
        value: (*value).to_owned(),
        computed: String::new(),
    };
    Rule {
        condition: Condition { reduced_motion, ..Condition::default() },
        state: None,
        pseudo: None,
        declarations: declarations.iter().map(declaration).collect(),
    }
}

fn transition_text(rule: &Rule) -> String {
    let all =
        rule.declarations.iter().map(|own| format!("{}:{}", own.name.trim_start_matches("transition-"), own.value));
    all.collect::<Vec<_>>().join(";")
}

#[test]
fn transitions_of_elements_that_no_state_changes_are_dropped() {
    let moving = || rule(false, &[(PROPERTY, "color"), (DURATION, "1s"), ("color", "red")]);
    let hovered = || {
        let state =
            StateCondition { target: StateTarget::SelfElement, all_of: vec![InteractionState::Hover], own: Vec::new() };
        Rule { state: Some(state), ..rule(false, &[("color", "blue")]) }
    };
    let element = |rules: Vec<Rule>, children: &[usize]| {
        let children = children.iter().map(|child| Child::Element(ElementId(*child))).collect();
        Element { rules, children, ..Element::default() }
    };
    let still = rule(true, &[(PROPERTY, "none")]);
    let mut elements = vec![
        element(Vec::new(), &[1, 2]),
        element(vec![moving(), still], &[]),
        element(vec![hovered()], &[3]),
        element(vec![moving()], &[]),
    ];
    remove_idle_transitions(&mut elements);
    assert_eq!(elements[1].rules, [rule(false, &[("color", "red")])], "nothing changes it");
    assert_eq!(elements[3].rules, [moving()], "it inherits what changes");
}

#[test]
fn transition_property_without_effect_is_dropped() {
    for (list, durations, expected) in [
        (
            "color, --tw-gradient-from, backdrop-filter, -webkit-backdrop-filter",
            "1s",
            "property:color, backdrop-filter;duration:1s",
        ),
        ("--a, opacity", "1s, 2s", "property:opacity;duration:2s"),
        ("--a, opacity, --b", "1s, 2s", "property:--a, opacity, --b;duration:1s, 2s"),
        ("-webkit-transform", "1s", "property:-webkit-transform;duration:1s"),
        ("--kept, opacity", "1s", "property:--kept, opacity;duration:1s"),
    ] {
        let mut own = rule(false, &[(PROPERTY, list), (DURATION, durations)]);
        let kept = DescriptorAtRule { prelude: "--kept".to_owned(), descriptors: Vec::new() };
        remove_ineffective_properties(&mut own, &[kept]);
        assert_eq!(transition_text(&own), expected, "{list}");
    }
}

#[test]
fn long_transition_lists_are_of_what_changes() {
    const LIST: &str = "color, background-color, border-color, fill, stroke, opacity, transform";
    for (list, hovered, expected) in [
        (LIST, "opacity", "property:color, opacity"),
        (LIST, "border-top-color", "property:color, border-color"),
        (LIST, "height", "property:color"),
        ("color, opacity, transform", "opacity", "property:color, opacity, transform"),
    ] {
        let state =
            StateCondition { target: StateTarget::SelfElement, all_of: vec![InteractionState::Hover], own: Vec::new() };
        let hovered = Rule { state: Some(state), ..rule(false, &[(hovered, "1px")]) };
        let mut rules = [rule(false, &[(PROPERTY, list)]), hovered];
        remove_unchanged_properties(&mut rules, &BTreeSet::from(["color".to_owned()]));
        assert_eq!(transition_text(&rules[0]), expected, "{list}");
    }
}

#[test]
fn transition_without_duration_becomes_none() {
    const EASE: (&str, &str) = ("transition-timing-function", "ease");
    for (declarations, expected) in [
        (vec![(PROPERTY, "all"), (DURATION, "0s"), EASE], "property:none"),
        (vec![(PROPERTY, "none"), (DURATION, "1s")], "property:none"),
        (vec![(DURATION, "0s, 0ms")], "property:none"),
        (vec![(DURATION, "0s"), ("transition-delay", "1s")], "duration:0s;delay:1s"),
        (vec![(DURATION, "0.01ms")], "duration:0.01ms"),
    ] {
        let mut own = rule(true, &declarations);
        stop(&mut own);
        assert_eq!(transition_text(&own), expected);
    }
}
