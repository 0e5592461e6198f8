//! Finds boxes whose round corners nobody sees: they paint nothing and clip nothing.
//!
//! Before → after: `<ul style="border-radius: 5px">` without background, border and shadow → `<ul>`.

use super::context::SectionContext;
use super::flow::has_own_size;
use limner_component_model::model::{Element, ElementId, Namespace, Rule};
use limner_style::ComputedStyle;
use limner_style::color::is_transparent;
use limner_style::computed::Overflow;
use limner_style::property::Longhand as L;
use std::collections::BTreeSet;

/// Elements around which browsers draw a focus ring, which has the corners of the box.
const FOCUSED: &[&str] = &["a", "area", "audio", "details", "iframe", "object", "summary", "video"];
/// Beginnings of the names of properties that paint a box or clip its contents.
#[rustfmt::skip]
const PAINTING: &[&str] = &[
    "-webkit-mask", "animation", "backdrop-filter", "background", "border", "box-shadow", "clip", "contain", "filter", "mask",
    "outline", "overflow", "resize",
];

/// Returns the elements that have round corners without showing them in any environment or state.
pub(super) fn unpainted_corners(context: &SectionContext<'_>, rules: &[Vec<Rule>]) -> BTreeSet<ElementId> {
    let mut found = BTreeSet::new();
    for (at, own) in rules.iter().enumerate() {
        let element = &context.tree.elements[at];
        let is_round = own.iter().flat_map(|rule| &rule.declarations).any(|own| own.name.ends_with("-radius"));
        let is_plain = is_round
            && element.namespace == Namespace::Html
            && !has_own_size(element)
            && !may_be_focused(element)
            && context.computed[at].iter().all(|style| paints_nothing(style))
            && !own.iter().any(changes_painting);
        if is_plain {
            found.insert(ElementId(at));
        }
    }
    let inherits = |rule: &Rule| {
        rule.declarations.iter().any(|own| own.name.ends_with("-radius") && own.value.contains("inherit"))
    };
    for (at, own) in rules.iter().enumerate() {
        if own.iter().any(inherits) {
            found.remove(&ElementId(at));
            if let Some(parent) = context.tree.origins[at].parent {
                found.remove(&parent);
            }
        }
    }
    found
}

fn may_be_focused(element: &Element) -> bool {
    let is_set = |name: &str| matches!(name, "tabindex" | "contenteditable");
    FOCUSED.contains(&element.tag.as_str()) || element.attributes.iter().any(|own| is_set(&own.name))
}

fn paints_nothing(style: &ComputedStyle) -> bool {
    const BORDERS: [L; 4] = [L::BorderTopWidth, L::BorderRightWidth, L::BorderBottomWidth, L::BorderLeftWidth];
    const PAINTS: [L; 7] = [
        L::BackgroundImage,
        L::BoxShadow,
        L::Filter,
        L::BackdropFilter,
        L::ClipPath,
        L::MaskImage,
        L::BorderImageSource,
    ];
    is_transparent(style.get(L::BackgroundColor))
        && PAINTS.iter().all(|longhand| style.get(*longhand).split(", ").all(|layer| layer == "none"))
        && BORDERS.iter().all(|width| style.get(*width) == "0px")
        && style.get(L::OutlineStyle) == "none"
        && style.get(L::Contain) == "none"
        && style.overflow_x() == Overflow::Visible
        && style.overflow_y() == Overflow::Visible
}

/// Returns true for a rule of a state that may show corners, and for animations.
fn changes_painting(rule: &Rule) -> bool {
    let paints = |name: &str| PAINTING.iter().any(|start| name.starts_with(start)) && !name.ends_with("-radius");
    rule.pseudo.is_none()
        && rule.declarations.iter().any(|own| {
            (rule.state.is_some() && paints(&own.name)) || (own.name == "animation-name" && own.value != "none")
        })
}
