//! The part of a section's transformations that is about its place on the page: what is placed by its middle
//! (`left: 50%; transform: translateX(-50%)`) stands where it is put without it.

use limner_style::ComputedStyle;
use limner_style::property::Longhand as L;
use limner_style::value::{Component, parse_components, serialize_exact};

/// What remains of `transform` or `translate` without what goes with offsets in percentages, `none` where nothing does.
/// `None`: all of it.
pub(super) fn without_centring(style: &ComputedStyle, longhand: L) -> Option<String> {
    let is_share = |sides: [L; 2]| sides.into_iter().any(|side| style.get(side).contains('%'));
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
