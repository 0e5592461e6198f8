//! Strips centring from a section's transforms. `left: 50%; transform: translateX(-50%)` centres the section on its
//! page; the component drops the offsets, and without them also the translation.

use limner_component_model::model::{PseudoElement, Rule};
use limner_style::ComputedStyle;
use limner_style::property::Longhand as L;
use limner_style::value::{Component, parse_components, serialize_exact};

/// The purposes of a section's transforms other than centring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransformUse {
    None,
    /// They make the section the containing block of fixed descendants, or a stacking context for descendants below its
    /// text.
    Holds,
    /// States and animations set other transforms, which start from these.
    Later,
}

/// Determines the purpose from the rules of all elements of the section.
pub(crate) fn transform_use(rules: &[Vec<Rule>]) -> TransformUse {
    let declared = |rule: &Rule, names: &[&str]| rule.declarations.iter().any(|own| names.contains(&&*own.name));
    let is_own = |rule: &&Rule| rule.pseudo.is_none();
    let changes = |rule: &Rule| {
        declared(rule, &["animation-name"]) || (rule.state.is_some() && declared(rule, &["transform", "translate"]))
    };
    if rules[0].iter().filter(is_own).any(changes) {
        return TransformUse::Later;
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
    if all.filter(inside).any(|(_, rule)| is_held(rule)) { TransformUse::Holds } else { TransformUse::None }
}

/// Returns `transform` or `translate` without the translations that belong to offsets in percentages; `none` if no
/// other remains. Returns `None` if the property has no such translation.
pub(crate) fn strip_centering(style: &ComputedStyle, longhand: L) -> Option<String> {
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
    let moves = longhand == L::Transform || rest.iter().any(|length| !is_zero_or_comma(length));
    (rest != components).then(|| if rest.is_empty() || !moves { "none".to_owned() } else { serialize_exact(&rest) })
}

/// Strips a transform function; `None` if it becomes an identity.
fn transform(component: &Component, shares: [bool; 2]) -> Option<Component> {
    let Some((name, arguments)) = component.as_function() else { return Some(component.clone()) };
    let rest = match name {
        "translate" | "translate3d" => axes(arguments, shares),
        "translatex" => axes(arguments, [shares[0], false]),
        "translatey" => axes(arguments, [shares[1], false]),
        _ => return Some(component.clone()),
    };
    let is_still = rest != arguments && rest.iter().all(is_zero_or_comma);
    (!is_still).then(|| Component::Function { name: name.into(), arguments: rest })
}

/// Replaces the percentages on the centred axes by `0px`.
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

fn is_zero_or_comma(length: &Component) -> bool {
    match length {
        Component::Comma => true,
        Component::Number { value, .. } | Component::Dimension { value, .. } | Component::Percentage(value) => {
            *value == 0.0
        }
        _ => false,
    }
}
