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
pub(crate) fn uses_monospace_default_size(order: &CaptureRequest<'_>, grid: &EnvironmentMatrix) -> bool {
    let style = grid.styles(order.index, grid.desktop()).get(order.section);
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
mod tests {
    use super::*;

    #[test]
    fn values_in_proportion_to_the_font_size_become_one_multiple() {
        let sizes = [Some(16.0), Some(17.0), Some(20.0)].into_iter().collect();
        for (values, expected) in [
            (["1rem", "17px", "20px"], ["1em"; 3]),
            (["12px 1rem", "12.75px 17px", "15px 20px"], ["0.75em 1em"; 3]),
            (["-1rem", "-17px", "-20px"], ["-1em"; 3]),
            (["0 0 0 2px red", "0 0 0 2.125px red", "0 0 0 2.5px red"], ["0 0 0 0.125em red"; 3]),
            (["calc(100% - 1rem)", "calc(100% - 17px)", "calc(100% - 20px)"], ["calc(100% - 1em)"; 3]),
            // Values that stay the same, or are not in proportion to the font size.
            (["1px", "1px", "1px"], ["1px"; 3]),
            (["1px", "1px", "2px"], ["1px", "1px", "2px"]),
            (["none", "10px", "30px"], ["none", "10px", "30px"]),
            (["1rem", "17px", "10px"], ["1em", "1em", "10px"]),
            (["1px", "17px", "20px"], ["1px", "1em", "1em"]),
            (["1em", "2em", "url(\"16px.png\")"], ["1em", "2em", "url(\"16px.png\")"]),
        ] {
            let [values, expected] =
                [values, expected].map(|all| all.into_iter().map(|value| Some(value.to_owned())).collect());
            let expected: EnvMap<_> = expected;
            assert_eq!(as_font_size_multiples(values, &sizes), expected);
        }
    }

    #[test]
    fn factor_with_endless_digits_is_rounded_away_from_zero() {
        for (px, size) in [(16.0, 28.0), (17.0, 29.75), (20.0, 35.0), (-10.0, 21.0)] {
            let product = factor(px, size).unwrap() * size;
            assert!(product.abs() >= px.abs() && (product - px).abs() < 1e-3, "{px} {size} {product}");
        }
        assert_eq!(factor(0.0, 16.0), None);
    }
}
