//! References to custom properties in specified values, as the author wrote them: `var(--brand)` beside `#5b3df5`.
//!
//! A value is computed with the properties' own values, and again with stand-ins of the same kind that no author writes.
//! Where the two differ by nothing but the stand-ins, these are replaced by references. A stand-in lets shorthands be
//! expanded, which a `var()` does not.

use super::fluid_rem::FluidRem;
use super::specified::{SpecifiedValue, to_portable};
use super::{StyleComputation, Styles};
use crate::color::Scheme;
use crate::selector::Atom;
use crate::value::component::{Component, parse_components, serialize_exact};
use std::sync::Arc;

/// Maximum number of custom properties to which values refer: the stand-ins of colours have two digits for it.
const MAX_VARIABLES: usize = 256;

/// The kind of a custom property's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableKind {
    /// A colour.
    Color,
    /// A length that means the same on every element.
    Length,
    /// A list of font families.
    FontStack,
    /// One or more shadows.
    Shadow,
    /// A gradient.
    Gradient,
}

impl VariableKind {
    /// Returns the kind of a value; `None` for values of which a part could be meant for several properties.
    pub fn from_value(value: &str) -> Option<Self> {
        let components = parse_components(value)?;
        match components.as_slice() {
            [Component::Function { name, .. }] if name.ends_with("-gradient") => Some(Self::Gradient),
            [Component::Dimension { unit, .. }] => is_absolute(unit).then_some(Self::Length),
            [_] if crate::color::parse(value, Scheme::Light).is_some() => Some(Self::Color),
            [Component::String(_)] => Some(Self::FontStack),
            _ if is_font_stack(&components) => Some(Self::FontStack),
            _ if components.split(|part| *part == Component::Comma).all(is_shadow) => Some(Self::Shadow),
            _ => None,
        }
    }

    /// Returns a value of this kind that no author writes.
    fn stand_in(self, at: usize) -> String {
        let color = format!("#c0ffee{at:02x}");
        match self {
            Self::Color => color,
            Self::Length => format!("{}.25px", 7_001 + at),
            Self::FontStack => format!("\"c0ffee-{}\"", 7_001 + at),
            Self::Shadow => format!("{}.25px 1px {color}", 7_001 + at),
            Self::Gradient => format!("linear-gradient({color}, {color})"),
        }
    }
}

/// Returns true for units of lengths that do not depend on the element.
fn is_absolute(unit: &str) -> bool {
    matches!(unit, "px" | "rem" | "vw" | "vh" | "svh" | "dvh" | "lvh")
}

/// Returns true for a list of families that ends with a generic one.
fn is_font_stack(components: &[Component]) -> bool {
    const GENERIC: &[&str] =
        &["serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "ui-sans-serif", "ui-monospace"];
    let is_name = |part: &Component| matches!(part, Component::Ident(_) | Component::String(_) | Component::Comma);
    let has_generic = || components.iter().any(|part| GENERIC.iter().any(|generic| part.is_ident(generic)));
    components.contains(&Component::Comma) && components.iter().all(is_name) && has_generic()
}

/// Returns true for a shadow: two lengths or more, and a colour.
fn is_shadow(components: &[Component]) -> bool {
    let is_length = |part: &&Component| match part {
        Component::Dimension { unit, .. } => is_absolute(unit),
        Component::Number { value, .. } => *value == 0.0,
        _ => false,
    };
    let (lengths, others) = components.iter().partition::<Vec<&Component>, _>(is_length);
    let is_color =
        |part: &Component| crate::color::parse(&serialize_exact(std::slice::from_ref(part)), Scheme::Light).is_some();
    (2..=4).contains(&lengths.len()) && others.iter().all(|part| part.is_ident("inset") || is_color(part))
}

/// A custom property to which specified values may refer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The name, with its dashes.
    pub name: String,
    /// Its value. Elements on which it has another one do not refer to it.
    pub value: String,
    /// The color scheme in which the value is meant; elements of the other scheme do not refer to it. `None` if the value
    /// is the same in both.
    pub scheme: Option<Scheme>,
}

/// A variable with its stand-in.
pub(super) struct VariableReference {
    name: Atom,
    value: Arc<str>,
    scheme: Option<Scheme>,
    stand_in: Arc<str>,
}

impl Styles<'_> {
    /// Adds references to these custom properties to specified values. Properties whose value is of no
    /// [`VariableKind`] are left out.
    #[must_use]
    pub fn with_references(mut self, variables: &[Variable]) -> Self {
        let known = variables.iter().take(MAX_VARIABLES).enumerate().filter_map(|(at, variable)| {
            let stand_in = VariableKind::from_value(&variable.value)?.stand_in(at);
            Some(VariableReference {
                name: Atom::from(variable.name.as_str()),
                value: Arc::from(variable.value.as_str()),
                scheme: variable.scheme,
                stand_in: Arc::from(serialize_exact(&parse_components(&stand_in)?)),
            })
        });
        self.variables = known.collect();
        self.variables.sort_by(|one, other| one.name.as_str().cmp(other.name.as_str()));
        self
    }
}

impl StyleComputation<'_> {
    /// Returns the variables that this element's declarations name, and that have the expected value here.
    pub(super) fn named_variables<'v>(
        &self,
        all: &'v [VariableReference],
        scheme: Scheme,
    ) -> Vec<&'v VariableReference> {
        if all.is_empty() {
            return Vec::new();
        }
        let mut named: Vec<&VariableReference> = Vec::new();
        for name in self.applied.iter().flat_map(|applied| references_in(&applied.declaration.value)) {
            let Ok(at) = all.binary_search_by(|variable| variable.name.as_str().cmp(name)) else { continue };
            let variable = &all[at];
            let is_meant = variable.scheme.is_none_or(|meant| meant == scheme)
                && self.custom.get(&variable.name).is_some_and(|own| own.trim() == &*variable.value);
            if is_meant && !named.iter().any(|known| known.name == variable.name) {
                named.push(variable);
            }
        }
        named
    }
}

/// Returns the names after each `var(` of a value.
fn references_in(value: &str) -> impl Iterator<Item = &str> {
    value.match_indices("var(").map(|(at, function)| {
        let inside = value[at + function.len()..].trim_start();
        let end = inside.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(inside.len());
        &inside[..end]
    })
}

/// Returns the custom properties with their stand-ins as values.
pub(super) fn stand_ins(variables: &[&VariableReference]) -> Vec<(Atom, Arc<str>)> {
    variables.iter().map(|variable| (variable.name.clone(), variable.stand_in.clone())).collect()
}

/// Adds references to `values`. `with_stand_ins` are the same values, computed with the variables' stand-ins.
pub(super) fn add_references(
    values: &mut [SpecifiedValue],
    with_stand_ins: &[SpecifiedValue],
    variables: &[&VariableReference],
    rem: &FluidRem,
) {
    // Longhands of a shorthand that is invalid with a stand-in have no counterpart.
    for other in with_stand_ins {
        let Ok(at) = values.binary_search_by_key(&other.longhand, |own| own.longhand) else { continue };
        if values[at].value == other.value {
            continue;
        }
        let (mut reference, mut resolved) = (other.value.clone(), other.value.clone());
        for variable in variables.iter().filter(|variable| other.value.contains(&*variable.stand_in)) {
            reference = reference.replace(&*variable.stand_in, &format!("var({})", variable.name.as_str()));
            resolved = resolved.replace(&*variable.stand_in, &portable_text(&variable.value, rem));
        }
        values[at].reference = (resolved == values[at].value).then(|| reference.into());
    }
}

/// Returns a custom property's value as specified values have it.
fn portable_text(value: &str, rem: &FluidRem) -> String {
    let components = parse_components(value).unwrap_or_default();
    if *rem == FluidRem::Same {
        return serialize_exact(&components);
    }
    // No kind has URLs, so the base has no effect.
    let portable: Option<Vec<Component>> = url::Url::parse("about:blank")
        .ok()
        .map(|base| components.iter().map(|component| to_portable(component, &base, rem)).collect());
    serialize_exact(&portable.unwrap_or(components))
}
