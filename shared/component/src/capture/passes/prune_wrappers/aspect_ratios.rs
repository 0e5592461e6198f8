//! Replaces boxes that keep a ratio by their padding: a percentage of a padding is one of the width.
//!
//! Before → after: `<div class="relative"><div class="pb-[75%]"></div><img class="absolute inset-0"></div>` →
//! `<div class="relative aspect-4/3"><img …></div>`.

use super::base_declaration::declare;
use super::{child_element, declared};
use crate::capture::diff::ineffective::EDGES;
use crate::capture::passes::PassContext;
use limner_component_model::model::{Child, Component, Element, ElementId, Namespace, PseudoElement, Rule};
use limner_style::ComputedStyle;
use limner_style::color::is_transparent;
use limner_style::computed::Display;
use limner_style::property::Longhand as L;

/// A part that keeps the ratio of a box.
enum Spacer {
    Child(ElementId),
    Part(PseudoElement),
}

/// Replaces paddings that keep a ratio. Returns the boxes, and the elements that are left out.
pub(super) fn write_ratios(
    context: &PassContext<'_, '_>,
    component: &mut Component,
    is_free: &dyn Fn(&Element, ElementId) -> bool,
) -> Vec<(ElementId, Option<ElementId>)> {
    let mut found = Vec::new();
    for at in 1..component.elements.len() {
        let id = ElementId(at);
        let Some((spacer, share)) = spacer(context, component, id, is_free) else { continue };
        let element = &mut component.elements[at];
        let left_out = match spacer {
            Spacer::Child(spacer) => {
                element.children.retain(|child| child_element(child) != Some(spacer));
                Some(spacer)
            }
            Spacer::Part(pseudo) => {
                element.rules.retain(|rule| rule.pseudo != Some(pseudo));
                None
            }
        };
        declare(element, "aspect-ratio", &ratio(share));
        found.push((id, left_out));
    }
    found
}

/// Returns what keeps the ratio of a box that is otherwise without a height, with the height in percent of the width.
fn spacer(
    context: &PassContext<'_, '_>,
    component: &Component,
    id: ElementId,
    is_free: &dyn Fn(&Element, ElementId) -> bool,
) -> Option<(Spacer, f64)> {
    let computed = &context.section.computed;
    let element = &component.elements[id.0];
    let is_box = |style: &ComputedStyle| {
        style.display() == Display::Block
            && !style.is_floating()
            && !style.is_absolutely_positioned()
            && [L::Height, L::AspectRatio].iter().all(|longhand| style.get(*longhand) == "auto")
            && matches!(style.get(L::MinHeight), "auto" | "0px")
            && style.get(L::MaxHeight) == "none"
            && EDGES.iter().all(|longhand| style.get(*longhand) == "0px")
    };
    let parent = context.section.tree.origins[id.0].parent?;
    let is_in_block = computed[parent.0].iter().all(|style| style.display().is_block_container());
    let fits = element.namespace == Namespace::Html
        && matches!(element.tag.as_str(), "div" | "figure" | "span" | "a" | "picture")
        && is_in_block
        && declared(&component.elements[parent.0], "display").all(|value| matches!(value, "block" | "flow-root"))
        && computed[id.0].iter().all(|style| is_box(style));
    if !fits {
        return None;
    }
    let mut in_flow: Option<ElementId> = None;
    for child in &element.children {
        match child {
            Child::Text(text) if text.trim().is_empty() => {}
            Child::Text(_) => return None,
            Child::Element(child) if computed[child.0].iter().all(|style| style.is_absolutely_positioned()) => {}
            Child::Element(child) if in_flow.is_none() => in_flow = Some(*child),
            Child::Element(_) => return None,
        }
    }
    let parts = |pseudo| element.rules.iter().filter(move |rule| rule.pseudo == Some(pseudo));
    let [before, after] = [PseudoElement::Before, PseudoElement::After];
    match in_flow {
        Some(child) => {
            let spacer = &component.elements[child.0];
            let is_alone = parts(before).chain(parts(after)).next().is_none();
            let is_empty = spacer.tag == "div" && spacer.children.is_empty() && spacer.attributes.is_empty();
            let share = height(spacer.rules.iter())?;
            (is_alone && is_empty && is_free(spacer, child)).then_some((Spacer::Child(child), share))
        }
        None => {
            let of_part = |pseudo| Some((Spacer::Part(pseudo), height(parts(pseudo))?));
            let is_one = |other| parts(other).next().is_none();
            of_part(before).filter(|_| is_one(after)).or_else(|| of_part(after).filter(|_| is_one(before)))
        }
    }
}

/// Returns the height in percent of the width that rules without conditions give an empty box, if they say nothing else.
fn height<'r>(rules: impl Iterator<Item = &'r Rule>) -> Option<f64> {
    let mut share = None;
    for rule in rules {
        if !rule.condition.is_empty() || rule.state.is_some() {
            return None;
        }
        for own in &rule.declarations {
            let value = own.value.as_str();
            match &*own.name {
                "padding-top" | "padding-bottom" if matches!(value, "0" | "0px") => {}
                "padding-top" | "padding-bottom" if share.is_none() => {
                    share = Some(value.strip_suffix('%')?.parse::<f64>().ok().filter(|share| *share > 0.0)?);
                }
                "content" if value.trim_matches(['"', '\'']).is_empty() => {}
                "display" if matches!(value, "block" | "table") => {}
                "width" if matches!(value, "100%" | "auto") => {}
                "height" if matches!(value, "0" | "0px" | "auto") => {}
                "background-color" if is_transparent(value) => {}
                "box-sizing" | "pointer-events" | "line-height" | "font-size" => {}
                _ => return None,
            }
        }
    }
    share
}

/// Returns the ratio of a box whose height is a share of its width, in small numbers if there are some.
fn ratio(share: f64) -> String {
    const MAX_NUMBER: u32 = 32;
    const TOLERANCE: f64 = 5e-5;
    let ratio = 100.0 / share;
    let small = (1..=MAX_NUMBER).find_map(|height| {
        let width = (ratio * f64::from(height)).round();
        let is_near = width >= 1.0 && (width / f64::from(height) / ratio - 1.0).abs() < TOLERANCE;
        is_near.then(|| format!("{width} / {height}"))
    });
    small.unwrap_or_else(|| format!("100 / {share}"))
}

#[cfg(test)]
mod tests {
    use super::ratio;

    #[test]
    fn ratios_have_small_numbers() {
        for (share, expected) in
            [(75.0, "4 / 3"), (66.666667, "3 / 2"), (56.25, "16 / 9"), (100.0, "1 / 1"), (31.040564, "100 / 31.040564")]
        {
            assert_eq!(ratio(share), expected, "{share}");
        }
    }
}
