//! Pages whose root has different font sizes in several environments, such as a larger one on wide viewports: every
//! `rem` scales with it in steps. In the component only the root's font size changes. Values in proportion to it are
//! declared once, as multiples of the font size.
//!
//! Before → after: for root font sizes of 16, 17 and 20 px, `1rem`, `17px` and `20px` → `1em`.

use super::value_reader::px;
use crate::capture::environments::{EnvMap, EnvironmentMatrix};
use crate::capture::request::CaptureRequest;
use limner_component_model::model::REM;
use limner_style::ComputedStyle;
use limner_style::property::Longhand;
use limner_style::value::{Component, format_number, parse_components, serialize_exact};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Returns true if a page's root, given by environment, has more than one font size.
pub(crate) fn has_stepped_root(roots: impl IntoIterator<Item = Option<Arc<ComputedStyle>>>) -> bool {
    let mut sizes = roots.into_iter().flatten().filter_map(|root| px(&root, Longhand::FontSize));
    sizes.next().is_some_and(|first| sizes.any(|size| (size - first).abs() > 1e-3))
}

/// Returns true if browsers would render the section's text smaller than its page does because of its font family:
/// `medium`, and sizes relative to it, are smaller for `monospace`.
pub(crate) fn uses_monospace_default_size(request: &CaptureRequest<'_>, environments: &EnvironmentMatrix) -> bool {
    let style = environments.styles(request.index, environments.desktop()).get(request.section);
    style.is_some_and(|own| own.get(Longhand::FontFamily) == "monospace")
}

/// Replaces the values of a property by multiples of their environments' font sizes, where different values are the
/// same multiple.
pub(crate) fn as_font_size_multiples(
    values: EnvMap<Option<String>>,
    sizes: &EnvMap<Option<f64>>,
) -> EnvMap<Option<String>> {
    if values.iter().flatten().collect::<HashSet<_>>().len() < 2 {
        return values;
    }
    let written =
        |(value, size): (&Option<String>, &Option<f64>)| multiple(value.as_ref()?, size.filter(|s| *s > 0.0)?);
    let multiples: EnvMap<Option<String>> = values.iter().zip(sizes).map(written).collect();
    // The values that are equal to each multiple.
    let mut stands_for: HashMap<&str, HashSet<&str>> = HashMap::new();
    for (multiple, value) in multiples.iter().zip(&values) {
        if let (Some(multiple), Some(value)) = (multiple, value) {
            stands_for.entry(multiple).or_default().insert(value);
        }
    }
    let is_shared = |multiple: &&String| stands_for.get(multiple.as_str()).is_some_and(|values| values.len() > 1);
    let chosen =
        multiples.iter().zip(&values).map(|(multiple, value)| multiple.as_ref().filter(is_shared).or(value.as_ref()));
    chosen.map(|value| value.cloned()).collect()
}

/// Returns true if a font size depends on the viewport or on a container.
pub(crate) fn is_viewport_relative(size: &str) -> bool {
    let lower = size.to_ascii_lowercase();
    ["vw", "vh", "vi", "vb", "vmin", "vmax", "cqw", "cqh", "cqi", "cqb", "cqmin", "cqmax"]
        .iter()
        .any(|unit| lower.contains(unit))
}

/// Converts the lengths of a value to multiples of a font size.
fn multiple(value: &str, size: f64) -> Option<String> {
    let components = parse_components(value)?;
    let multiples: Vec<Component> = components.iter().map(|component| relative(component, size)).collect();
    (multiples != components).then(|| serialize_exact(&multiples))
}

fn relative(component: &Component, size: f64) -> Component {
    let all = |list: &[Component]| list.iter().map(|inner| relative(inner, size)).collect();
    match component {
        Component::Dimension { value, unit } => {
            let px = match &**unit {
                "px" => *value,
                "rem" => value * REM,
                _ => return component.clone(),
            };
            factor(px, size)
                .map_or_else(|| component.clone(), |value| Component::Dimension { value, unit: "em".into() })
        }
        Component::Function { name, arguments } => {
            Component::Function { name: name.clone(), arguments: all(arguments) }
        }
        Component::Block(open, inner) => Component::Block(*open, all(inner)),
        other => other.clone(),
    }
}

/// Returns the factor `px / size`, with six digits at most. A longer factor is rounded away from zero, because browsers
/// truncate fractions of a pixel. `None` if the product is not the same length.
fn factor(px: f64, size: f64) -> Option<f64> {
    let exact = px / size;
    let digits = if exact.abs() < 1.0 { 1e6 } else { 1e5 };
    let near = (exact * digits).round() / digits;
    let is_near = (near * size - px).abs() < 1e-9;
    let number = if is_near { near } else { (exact.abs() * digits).ceil().copysign(exact) / digits };
    (px != 0.0 && format_number(number * size) == format_number(px)).then_some(number)
}

#[cfg(test)]
mod tests;
