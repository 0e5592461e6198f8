//! Pages whose root has another font size in wide windows than in narrow ones: every `rem` grows with it, step by step.
//! In a component its root alone grows, and what goes with it is said once, in multiples of the font size.

use super::value::px;
use limner_style::ComputedStyle;
use limner_style::property::Longhand;
use limner_style::value::{Component, format_number, parse_components, serialize};
use std::collections::HashSet;
use std::sync::Arc;

/// Pixels of a `rem` in a component.
const REM: f64 = 16.0;

/// Whether a page's root, here by cell, has more than one font size.
pub(super) fn are_in(roots: impl IntoIterator<Item = Option<Arc<ComputedStyle>>>) -> bool {
    let mut sizes = roots.into_iter().flatten().filter_map(|root| px(&root, Longhand::FontSize));
    sizes.next().is_some_and(|first| sizes.any(|size| (size - first).abs() > 1e-3))
}

/// The values of a property by cell, in multiples of the cells' font sizes where that makes fewer different ones.
pub(super) fn in_multiples(values: Vec<Option<String>>, sizes: &[Option<f64>]) -> Vec<Option<String>> {
    let distinct = |values: &[Option<String>]| values.iter().flatten().collect::<HashSet<_>>().len();
    let before = distinct(&values);
    if before < 2 {
        return values;
    }
    let written = |(value, size): (&Option<String>, &Option<f64>)| {
        let (value, size) = (value.as_ref()?, size.filter(|size| *size > 0.0));
        Some(size.and_then(|size| multiple(value, size)).unwrap_or_else(|| value.clone()))
    };
    let multiples: Vec<_> = values.iter().zip(sizes).map(written).collect();
    if distinct(&multiples) < before { multiples } else { values }
}

/// A value with its lengths in multiples of a font size.
fn multiple(value: &str, size: f64) -> Option<String> {
    let components = parse_components(value)?;
    let multiples: Vec<Component> = components.iter().map(|component| relative(component, size)).collect();
    (multiples != components).then(|| serialize(&multiples))
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

/// The number that a font size is multiplied by, with six digits at most: away from zero where it has more, since browsers
/// cut off what is less than a part of a pixel. `None` where that is not the same length.
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
    fn what_grows_with_the_font_size_is_said_once() {
        let sizes = [Some(16.0), Some(17.0), Some(20.0)];
        for (values, expected) in [
            (["1rem", "17px", "20px"], ["1em"; 3]),
            (["12px 1rem", "12.75px 17px", "15px 20px"], ["0.75em 1em"; 3]),
            (["-1rem", "-17px", "-20px"], ["-1em"; 3]),
            (["0 0 0 2px red", "0 0 0 2.125px red", "0 0 0 2.5px red"], ["0 0 0 0.125em red"; 3]),
            (["calc(100% - 1rem)", "calc(100% - 17px)", "calc(100% - 20px)"], ["calc(100% - 1em)"; 3]),
            // What stays as it is, or grows otherwise.
            (["1px", "1px", "1px"], ["1px"; 3]),
            (["1px", "1px", "2px"], ["1px", "1px", "2px"]),
            (["none", "10px", "30px"], ["none", "10px", "30px"]),
            (["1em", "2em", "url(\"16px.png\")"], ["1em", "2em", "url(\"16px.png\")"]),
        ] {
            let values = values.map(|value| Some(value.to_owned())).to_vec();
            let expected = expected.map(|value| Some(value.to_owned()));
            assert_eq!(in_multiples(values, &sizes), expected);
        }
    }

    #[test]
    fn factors_without_end_are_not_cut_short() {
        for (px, size) in [(16.0, 28.0), (17.0, 29.75), (20.0, 35.0), (-10.0, 21.0)] {
            let product = factor(px, size).unwrap() * size;
            assert!(product.abs() >= px.abs() && (product - px).abs() < 1e-3, "{px} {size} {product}");
        }
        assert_eq!(factor(0.0, 16.0), None);
    }
}
