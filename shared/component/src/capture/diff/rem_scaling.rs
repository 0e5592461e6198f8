//! Pages whose root has different font sizes in several environments, such as a larger one on wide viewports: every
//! `rem` scales with it in steps. In the component only the root's font size changes. Values in proportion to it are
//! declared once, as multiples of the font size.
//!
//! Before → after: for root font sizes of 16, 17 and 20 px, `1rem`, `17px` and `20px` → `1em`.

use super::rule_resolver::RuleResolver;
use super::value_text::px;
use crate::capture::environments::{EnvMap, EnvironmentMatrix};
use crate::capture::property_key::PropertyKey;
use crate::capture::request::CaptureRequest;
use limner_component_model::model::{ElementId, REM, Rule};
use limner_style::property::Longhand;
use limner_style::value::{Component, format_number, parse_components, serialize_exact};
use limner_style::{ComputedStyle, SpecifiedStyle};
use std::collections::{BTreeSet, HashMap, HashSet};
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

impl RuleResolver<'_> {
    /// Returns the values of a property by environment, with as few different values as possible on a page with a
    /// stepped root font size. `styles` are the styles that the values belong to.
    pub(crate) fn normalize_to_font_size<'s>(
        &self,
        place: PropertyKey,
        values: EnvMap<Option<String>>,
        styles: impl Iterator<Item = Option<&'s ComputedStyle>>,
    ) -> EnvMap<Option<String>> {
        let PropertyKey { element, pseudo, longhand } = place;
        let is_size = longhand == Longhand::FontSize;
        if !self.has_stepped_root
            || self.pinned_to_computed.contains(&place)
            || (is_size && (element, pseudo) == (ElementId(0), None))
        {
            return values;
        }
        // Font sizes are relative to the parent's (or, for a pseudo-element, its element's) font size.
        let parent = if pseudo.is_some() { Some(element) } else { self.skeleton.origins[element.0].parent };
        let parent = parent.filter(|_| is_size);
        if self.dynamic_font_size.contains(&parent.unwrap_or(element)) {
            return values;
        }
        let parent = parent.map(|parent| &self.computed[parent.0]);
        let size = |style: &ComputedStyle| px(style, Longhand::FontSize);
        let sizes: EnvMap<Option<f64>> = match parent {
            Some(parent) => parent.iter().map(|style| size(style)).collect(),
            None => styles.map(|style| size(style?)).collect(),
        };
        as_font_size_multiples(values, &sizes)
    }

    /// Records an element whose font size, or that of an ancestor, follows the viewport or is animated.
    pub(crate) fn mark_dynamic_font_size<'s>(
        &mut self,
        element: ElementId,
        mut own: impl Iterator<Item = &'s SpecifiedStyle>,
    ) {
        let follows_window = |own: &SpecifiedStyle| {
            let size = own.get(Longhand::FontSize).map_or("", |own| own.value.as_str());
            is_viewport_relative(size) || own.style.get(Longhand::AnimationName) != "none"
        };
        let is_resizing = match self.skeleton.origins[element.0].parent {
            Some(parent) => self.dynamic_font_size.contains(&parent),
            None => self.root.as_ref().is_some_and(|root| root.ancestor_specifications().any(follows_window)),
        };
        if is_resizing || own.any(follows_window) {
            self.dynamic_font_size.insert(element);
        }
    }

    /// Returns the elements whose font size a state changes, and their descendants.
    pub(crate) fn elements_resized_by_states(&mut self, rules: &[Vec<Rule>]) -> BTreeSet<ElementId> {
        if !self.has_stepped_root {
            return BTreeSet::new();
        }
        let sizes = |rule: &Rule| rule.state.is_some() && rule.declarations.iter().any(|own| own.name == "font-size");
        let mut found = BTreeSet::new();
        for (at, rules) in rules.iter().enumerate() {
            let parent = self.skeleton.origins[at].parent;
            if parent.is_some_and(|parent| found.contains(&parent)) || rules.iter().any(sizes) {
                found.insert(ElementId(at));
            }
        }
        self.dynamic_font_size.extend(&found);
        found
    }
}

/// Replaces the values of a property by multiples of their environments' font sizes, where different values are the
/// same multiple.
fn as_font_size_multiples(values: EnvMap<Option<String>>, sizes: &EnvMap<Option<f64>>) -> EnvMap<Option<String>> {
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
