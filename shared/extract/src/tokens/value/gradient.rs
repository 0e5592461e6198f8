//! Gradients with colours in hex and the default direction left out.

use super::{calc, color};
use limner_style::color::Scheme;
use limner_style::value::{Component, serialize};

/// Visits every gradient in a value, those in `image-set()` and `cross-fade()` included.
pub(super) fn each<'c>(value: &'c [Component], visit: &mut dyn FnMut(&'c Component)) {
    for component in value {
        let Some((name, arguments)) = component.as_function() else { continue };
        if is_gradient(name) {
            visit(component);
        } else {
            each(arguments, visit);
        }
    }
}

fn is_gradient(name: &str) -> bool {
    name.ends_with("-gradient")
}

/// `linear-gradient(90deg, #ff0000 0%, #0000ff00 50%)`
pub(super) fn normal(gradient: &Component, scheme: Scheme) -> Option<String> {
    let (name, arguments) = gradient.as_function()?;
    let arguments = without_default_direction(name, arguments);
    let zero = if name.contains("conic") { "deg" } else { "px" };
    let arguments: Vec<Component> = arguments.iter().map(|argument| part(argument, scheme, zero)).collect();
    let function = Component::Function { name: name.into(), arguments };
    Some(serialize(std::slice::from_ref(&function)))
}

/// A gradient goes to the bottom where nothing else is said.
fn without_default_direction<'c>(name: &str, arguments: &'c [Component]) -> &'c [Component] {
    if name != "linear-gradient" && name != "repeating-linear-gradient" {
        return arguments;
    }
    match arguments {
        [to, bottom, Component::Comma, rest @ ..] if to.is_ident("to") && bottom.is_ident("bottom") => rest,
        [Component::Dimension { value, unit }, Component::Comma, rest @ ..]
            if (*value == 180.0 && &**unit == "deg") || (*value == 0.5 && &**unit == "turn") =>
        {
            rest
        }
        all => all,
    }
}

fn part(component: &Component, scheme: Scheme, zero: &str) -> Component {
    if let Some(hex) = color::hex(component, scheme) {
        return Component::Hash(hex.trim_start_matches('#').into());
    }
    match component {
        Component::Number { value, .. } if *value == 0.0 => Component::Dimension { value: 0.0, unit: zero.into() },
        Component::Ident(name) => Component::Ident(name.to_ascii_lowercase().into()),
        Component::Function { name, arguments } => match calc_of(component) {
            Some(function) => function,
            None => {
                let arguments = arguments.iter().map(|argument| part(argument, scheme, zero)).collect();
                Component::Function { name: name.clone(), arguments }
            }
        },
        other => other.clone(),
    }
}

/// A mathematical function in its one spelling.
fn calc_of(component: &Component) -> Option<Component> {
    component.as_function().filter(|(name, _)| *name == "calc")?;
    limner_style::value::parse_components(&calc::normal(component)?)?.pop()
}
