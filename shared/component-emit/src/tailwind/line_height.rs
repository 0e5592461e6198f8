//! Computes line heights, which descendants inherit as multiples of their own font size.

use super::parse_value::{dimension, number};
use limner_component_model::element_relations::ElementRelations;
use limner_component_model::model::{Component, ElementId};

/// The line heights of an element, if they are one length or one multiple of the font size under all conditions.
#[derive(Debug)]
pub(super) struct Leading {
    /// The line height that the element inherits.
    pub(super) inherited: Option<String>,
    /// The element's line height, which its generated content inherits.
    pub(super) line_height: Option<String>,
}

/// Returns the line heights of every element.
pub(super) fn line_heights(component: &Component, family: &ElementRelations) -> Vec<Leading> {
    // The root inherits from preflight, which declares 1.5.
    let inherited = |at: usize, own: &[Option<String>]| match family.parent(ElementId(at)) {
        Some(parent) => own.get(parent.0).cloned().flatten(),
        None => Some("1.5".to_owned()),
    };
    let mut own: Vec<Option<String>> = Vec::with_capacity(component.elements.len());
    for (at, element) in component.elements.iter().enumerate() {
        let declared: Vec<(bool, &str)> = element
            .rules
            .iter()
            .filter(|rule| rule.pseudo.is_none())
            .flat_map(|rule| rule.declarations.iter().map(move |declaration| (rule, declaration)))
            .filter(|(_, declaration)| declaration.name == "line-height")
            .map(|(rule, declaration)| {
                (rule.state.is_none() && rule.condition == Default::default(), declaration.value.as_str())
            })
            .collect();
        own.push(match declared.as_slice() {
            [] => inherited(at, &own),
            [.., (true, value)] if number(value).is_some() || is_absolute(value) => Some((*value).to_owned()),
            _ => None,
        });
    }
    let inherited: Vec<_> = (0..own.len()).map(|at| inherited(at, &own)).collect();
    inherited.into_iter().zip(own).map(|(inherited, own)| Leading { inherited, line_height: own }).collect()
}

/// Returns true for a length that is the same wherever it is inherited.
fn is_absolute(height: &str) -> bool {
    dimension(height).is_some_and(|(length, unit)| length > 0.0 && matches!(unit, "px" | "rem"))
}

/// Elements that have a font size of their own without a declaration, from preflight or from the
/// browser's stylesheet.
const SIZED: [&str; 10] = ["big", "code", "font", "kbd", "pre", "rt", "samp", "small", "sub", "sup"];

/// Returns for each element whether a descendant or generated text has a font size of its own.
pub(super) fn has_font_size_changes(component: &Component, family: &ElementRelations) -> Vec<bool> {
    let says_size = |at: usize, is_generated: bool| {
        let rules = component.elements[at].rules.iter().filter(|rule| rule.pseudo.is_some() == is_generated);
        rules.flat_map(|rule| &rule.declarations).any(|declaration| declaration.name == "font-size")
    };
    let mut inside: Vec<bool> = (0..component.elements.len()).map(|at| says_size(at, true)).collect();
    // Children come after their parents.
    for at in (0..inside.len()).rev() {
        let is_sized = inside[at] || says_size(at, false) || SIZED.contains(&component.elements[at].tag.as_str());
        if let Some(parent) = family.parent(ElementId(at)).filter(|_| is_sized) {
            inside[parent.0] = true;
        }
    }
    inside
}
