//! The part of a section's transformations that is about its place on the page: what is placed by its middle
//! (`left: 50%; transform: translateX(-50%)`) stands where it is put without it.

use crate::code::model::{PseudoElement, Rule};
use limner_style::ComputedStyle;
use limner_style::property::Longhand as L;
use limner_style::value::{Component, parse_components, serialize_exact};

/// What the transformations of a section are for besides its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moves {
    None,
    /// They hold what is fixed inside, or keep what is below the text above the page.
    Holds,
    /// States and animations have others, which begin where these end.
    Later,
}

/// By the rules of all elements of the section.
pub(super) fn moves(rules: &[Vec<Rule>]) -> Moves {
    let declared = |rule: &Rule, names: &[&str]| rule.declarations.iter().any(|own| names.contains(&&*own.name));
    let is_own = |rule: &&Rule| rule.pseudo.is_none();
    let changes = |rule: &Rule| {
        declared(rule, &["animation-name"]) || (rule.state.is_some() && declared(rule, &["transform", "translate"]))
    };
    if rules[0].iter().filter(is_own).any(changes) {
        return Moves::Later;
    }
    let is_held = |rule: &Rule| {
        rule.declarations.iter().any(|own| match &*own.name {
            "position" => own.value == "fixed",
            "z-index" => own.value.starts_with('-'),
            _ => false,
        })
    };
    let inside = |(at, rule): &(usize, &Rule)| {
        *at > 0 || matches!(rule.pseudo, Some(PseudoElement::Before | PseudoElement::After))
    };
    let all = rules.iter().enumerate().flat_map(|(at, rules)| rules.iter().map(move |rule| (at, rule)));
    if all.filter(inside).any(|(_, rule)| is_held(rule)) { Moves::Holds } else { Moves::None }
}

/// What remains of `transform` or `translate` without what goes with offsets in percentages, `none` where nothing does.
/// `None`: all of it.
pub(super) fn without_centring(style: &ComputedStyle, longhand: L) -> Option<String> {
    let is_share = |side: L| style.get(side).contains('%') && style.get(side) != "0%";
    let is_share = |sides: [L; 2]| sides.into_iter().any(is_share);
    let shares = [is_share([L::Left, L::Right]), is_share([L::Top, L::Bottom])];
    if shares == [false; 2] {
        return None;
    }
    let components = parse_components(style.get(longhand))?;
    let rest: Vec<Component> = match longhand {
        L::Transform => components.iter().filter_map(|function| transform(function, shares)).collect(),
        L::Translate => axes(&components, shares),
        _ => return None,
    };
    let moves = longhand == L::Transform || rest.iter().any(|length| !is_nothing(length));
    (rest != components).then(|| if rest.is_empty() || !moves { "none".to_owned() } else { serialize_exact(&rest) })
}

/// A function of a transformation; `None` once it moves nothing.
fn transform(component: &Component, shares: [bool; 2]) -> Option<Component> {
    let Some((name, arguments)) = component.as_function() else { return Some(component.clone()) };
    let rest = match name {
        "translate" | "translate3d" => axes(arguments, shares),
        "translatex" => axes(arguments, [shares[0], false]),
        "translatey" => axes(arguments, [shares[1], false]),
        _ => return Some(component.clone()),
    };
    let is_still = rest != arguments && rest.iter().all(is_nothing);
    (!is_still).then(|| Component::Function { name: name.into(), arguments: rest })
}

/// Lengths by axis, those without percentages that are to have none.
fn axes(lengths: &[Component], shares: [bool; 2]) -> Vec<Component> {
    let mut axis = 0;
    let without = |length: &Component| {
        let own = axis;
        axis += usize::from(*length != Component::Comma);
        let is_placing = matches!(length, Component::Percentage(_)) && shares.get(own) == Some(&true);
        if is_placing { Component::Dimension { value: 0.0, unit: "px".into() } } else { length.clone() }
    };
    lengths.iter().map(without).collect()
}

fn is_nothing(length: &Component) -> bool {
    match length {
        Component::Comma => true,
        Component::Number { value, .. } | Component::Dimension { value, .. } | Component::Percentage(value) => {
            *value == 0.0
        }
        _ => false,
    }
}
