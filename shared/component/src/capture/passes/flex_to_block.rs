//! Turns flex and grid containers into blocks whose items fill a line each: page builders make them of every box. Then
//! wrappers among them are redundant.
//!
//! Before → after: `<div style="display:flex;flex-wrap:wrap;padding:10px"><div style="width:100%">…</div></div>` →
//! `<div style="padding:10px"><div>…</div></div>`. A row with negative margins around one column that has them as its padding
//! loses both.
//!
//! Reads the tree, texts and rules, and the layout of the page: items are as wide and as high as they were, at the same
//! place, if no margin collapses that did not before. Changes the rules, and the facts about white space of elements that
//! are no items any more. It stands before `prune-wrappers`, for which an item is no wrapper, and before
//! `declare-variables`, because it removes declarations.

mod conditions;

use super::{Draft, PassContext};
use conditions::Flattening;
use limner_component_model::model::{Child, Component, Declaration, Element, ElementId, Rule};
use limner_style::computed::Display;
use limner_style::property::Longhand;

/// Properties that only containers of items read.
const OF_CONTAINERS: &[&str] = &[
    "align-content",
    "align-items",
    "column-gap",
    "flex-direction",
    "flex-wrap",
    "grid-auto-columns",
    "grid-auto-flow",
    "grid-auto-rows",
    "grid-template-areas",
    "grid-template-columns",
    "grid-template-rows",
    "justify-content",
    "justify-items",
    "row-gap",
];
/// Properties that only items read.
const OF_ITEMS: &[&str] = &[
    "align-self",
    "flex-basis",
    "flex-grow",
    "flex-shrink",
    "grid-column-end",
    "grid-column-start",
    "grid-row-end",
    "grid-row-start",
    "justify-self",
    "order",
];
/// Sizes that a block has without declaring them.
const FILLING: [(&str, &[&str]); 4] = [
    ("width", &["100%", "auto"]),
    ("max-width", &["100%", "none"]),
    ("min-width", &["0", "0px", "auto"]),
    ("min-height", &["0", "0px", "auto"]),
];

/// Turns containers into blocks.
pub(crate) fn flex_to_block(context: &PassContext<'_, '_>, draft: &mut Draft) {
    let floats = |element: &Element| declared(element, "float").any(|value| value != "none");
    if draft.component.elements.iter().any(floats) {
        return;
    }
    let found = Flattening::from_draft(context, &draft.component).containers();
    for container in &found {
        let at = container.0;
        set_block(draft, *container);
        let children: Vec<ElementId> = draft.component.elements[at].children.iter().filter_map(child_element).collect();
        for child in &children {
            unset_item(draft, *child);
        }
    }
    draft.blocks = found.into_iter().collect();
    for at in 0..draft.component.elements.len() {
        set_inline(context, draft, ElementId(at));
    }
    for at in 0..draft.component.elements.len() {
        cancel_gutters(context, draft, ElementId(at));
        drop_full_widths(context, draft, ElementId(at));
    }
}

/// Makes a `span` with a text part of the line of a link or button: `<a><span class="flex justify-center"><span>More` → `<a>More`.
fn set_inline(context: &PassContext<'_, '_>, draft: &mut Draft, id: ElementId) {
    const AROUND: &[&str] = &["a", "button"];
    const ALIGNMENTS: &[&str] =
        &["align-items", "column-gap", "display", "flex-direction", "justify-content", "row-gap"];
    let elements = &draft.component.elements;
    let [Child::Element(outer)] = elements[id.0].children[..] else { return };
    let [Child::Element(inner)] = elements[outer.0].children[..] else { return };
    let is_text = |element: &Element| {
        element.rules.is_empty() && element.children.iter().all(|child| matches!(child, Child::Text(_)))
    };
    let is_plain =
        |element: &Element| element.tag == "span" && element.attributes.is_empty() && !element.children.is_empty();
    let is_of_line = |rule: &Rule| {
        rule.pseudo.is_none()
            && rule.state.is_none()
            && rule.declarations.iter().all(|own| ALIGNMENTS.contains(&&*own.name))
    };
    let (around, wrapper, text) = (&elements[id.0], &elements[outer.0], &elements[inner.0]);
    let shrinks = context.section.computed[id.0].iter().all(|style| {
        let is_fitting = style.display() == Display::InlineBlock && style.get(Longhand::Width) == "auto";
        is_fitting || style.get(Longhand::TextAlign) == "center"
    });
    let is_centered = context.section.computed[outer.0].iter().all(|style| {
        style.display() == Display::Flex
            && style.flex_direction().is_row()
            && matches!(style.get(Longhand::JustifyContent), "center" | "normal" | "flex-start")
            && matches!(style.get(Longhand::Width), "auto")
    });
    let says_center = declared(wrapper, "justify-content").all(|value| value == "center");
    let fits = AROUND.contains(&around.tag.as_str())
        && is_plain(wrapper)
        && wrapper.rules.iter().all(is_of_line)
        && is_plain(text)
        && is_text(text)
        && context.section.computed[id.0].iter().all(|style| style.display().is_block_container())
        && shrinks
        && is_centered
        && says_center;
    if !fits {
        return;
    }
    let elements = &mut draft.component.elements;
    elements[outer.0].rules.clear();
    for id in [outer, inner] {
        elements[id.0].is_block_level = false;
    }
    draft.blocks.insert(outer);
    const OF_BOXES: [&str; 3] = ["display", "min-height", "min-width"];
    mark_moved(draft, outer, ALIGNMENTS.iter().chain(&OF_BOXES));
    mark_moved(draft, inner, OF_BOXES.iter());
}

/// Removes the widths of blocks that fill their parent in any case.
fn drop_full_widths(context: &PassContext<'_, '_>, draft: &mut Draft, parent: ElementId) {
    const FLOW: [Display; 4] = [Display::Block, Display::FlowRoot, Display::TableCell, Display::ListItem];
    let computed = &context.section.computed;
    let around = &draft.component.elements[parent.0];
    let is_block = draft.blocks.contains(&parent)
        || computed[parent.0].iter().all(|style| style.display() == Display::None || FLOW.contains(&style.display()));
    if !is_block || declared(around, "display").any(|value| matches!(value, "flex" | "grid")) {
        return;
    }
    let children: Vec<ElementId> = around.children.iter().filter_map(child_element).collect();
    for child in children {
        let element = &draft.component.elements[child.0];
        let is_full = |rule: &Rule| {
            rule.pseudo.is_none()
                && rule.state.is_none()
                && rule.condition.is_empty()
                && rule.declarations.iter().any(|own| own.name == "width" && own.value == "100%")
        };
        let fills = element.rules.iter().any(is_full)
            && declared(element, "float").all(|value| value == "none")
            && computed[child.0].iter().all(|style| conditions::fills_block(element, style));
        if !fills {
            continue;
        }
        let element = &mut draft.component.elements[child.0];
        for rule in element.rules.iter_mut().filter(|rule| is_full(rule)) {
            rule.declarations.retain(|own| own.name != "width");
        }
        element.rules.retain(|rule| !rule.declarations.is_empty());
        mark_moved(draft, child, std::iter::once(&"width"));
    }
}

/// Removes what makes an element a container of items.
fn set_block(draft: &mut Draft, id: ElementId) {
    let element = &mut draft.component.elements[id.0];
    let is_always = declared(element, "display").all(|value| !matches!(value, "none" | "contents"));
    for rule in element.rules.iter_mut().filter(|rule| rule.pseudo.is_none()) {
        let is_base = rule.condition.is_empty() && rule.state.is_none();
        for own in rule.declarations.iter_mut().filter(|own| own.name == "display" && own.value != "none") {
            own.value = "block".to_owned();
            own.computed.clone_from(&own.value);
        }
        rule.declarations.retain(|own| {
            let is_default = own.name == "display" && own.value == "block" && (is_base || is_always);
            !(is_default || OF_CONTAINERS.contains(&&*own.name))
        });
    }
    element.rules.retain(|rule| !rule.declarations.is_empty());
    mark_moved(draft, id, OF_CONTAINERS.iter().chain(&["display"]));
}

/// Removes what an item declares as such, and the width that it has as a block.
fn unset_item(draft: &mut Draft, id: ElementId) {
    let element = &mut draft.component.elements[id.0];
    let fills: Vec<&str> = FILLING
        .iter()
        .filter(|(name, values)| declared(element, name).all(|value| values.contains(&value)))
        .map(|(name, _)| *name)
        .collect();
    for rule in element.rules.iter_mut().filter(|rule| rule.pseudo.is_none()) {
        rule.declarations.retain(|own| !(OF_ITEMS.contains(&&*own.name) || fills.contains(&&*own.name)));
    }
    element.rules.retain(|rule| !rule.declarations.is_empty());
    mark_moved(draft, id, OF_ITEMS.iter().chain(&["display", "min-height", "min-width"]).chain(&fills));
}

fn mark_moved<'n>(draft: &mut Draft, id: ElementId, names: impl Iterator<Item = &'n &'n str>) {
    let longhands = names.filter_map(|name| Longhand::from_name(name));
    draft.moved.extend(longhands.map(|longhand| (id, longhand)));
}

/// Removes negative margins of a block that its only child has as padding.
fn cancel_gutters(context: &PassContext<'_, '_>, draft: &mut Draft, row: ElementId) {
    let element = &draft.component.elements[row.0];
    let [Child::Element(column)] = element.children[..] else { return };
    let is_block = |id: ElementId| {
        let styles = &context.section.computed[id.0];
        draft.blocks.contains(&id) || styles.iter().all(|style| style.display() == Display::Block)
    };
    let is_plain = |element: &Element, sides: [&str; 2]| {
        const FREE: &[&str] = &["margin-top", "margin-bottom", "padding-top", "padding-bottom"];
        let is_free = |own: &Declaration| {
            FREE.contains(&&*own.name)
                || sides.contains(&&*own.name)
                || Longhand::from_name(&own.name).is_some_and(Longhand::is_inherited)
        };
        element
            .rules
            .iter()
            .all(|rule| rule.state.is_none() && rule.pseudo.is_none() && rule.declarations.iter().all(is_free))
    };
    const MARGINS: [&str; 2] = ["margin-left", "margin-right"];
    const PADDINGS: [&str; 2] = ["padding-left", "padding-right"];
    let inner = &draft.component.elements[column.0];
    let is_opposite = |(margin, padding): (&str, &str)| {
        let margins: Vec<_> = sides(element, margin).collect();
        let paddings: Vec<_> = sides(inner, padding).collect();
        !margins.is_empty()
            && margins.len() == paddings.len()
            && margins.iter().zip(&paddings).all(|((one, margin), (other, padding))| {
                one.condition == other.condition && margin.is_some() && *margin == padding.map(|padding| -padding)
            })
    };
    let fits = row.0 > 0
        && is_block(row)
        && is_block(column)
        && conditions::BLOCKS.contains(&element.tag.as_str())
        && conditions::BLOCKS.contains(&inner.tag.as_str())
        && is_plain(element, MARGINS)
        && is_plain(inner, PADDINGS)
        && MARGINS.into_iter().zip(PADDINGS).all(is_opposite);
    if !fits {
        return;
    }
    for (id, sides) in [(row, MARGINS), (column, PADDINGS)] {
        let element = &mut draft.component.elements[id.0];
        for rule in &mut element.rules {
            rule.declarations.retain(|own| !sides.contains(&&*own.name));
        }
        element.rules.retain(|rule| !rule.declarations.is_empty());
        mark_moved(draft, id, sides.iter());
    }
}

/// Iterates over the rules that declare a property, with its length in pixels.
fn sides<'e>(element: &'e Element, name: &'e str) -> impl Iterator<Item = (&'e Rule, Option<f64>)> {
    let px = |own: &Declaration| own.computed.strip_suffix("px").and_then(|number| number.parse::<f64>().ok());
    element.rules.iter().filter_map(move |rule| {
        let own = rule.declarations.iter().find(|own| own.name == name)?;
        Some((rule, px(own)))
    })
}

/// Iterates over the values declared for a property of the element itself.
fn declared<'e>(element: &'e Element, name: &'e str) -> impl Iterator<Item = &'e str> {
    let own = element.rules.iter().filter(|rule| rule.pseudo.is_none()).flat_map(|rule| &rule.declarations);
    own.filter(move |own| own.name == name).map(|own| own.value.as_str())
}

fn child_element(child: &Child) -> Option<ElementId> {
    match child {
        Child::Element(id) => Some(*id),
        Child::Text(_) => None,
    }
}

/// Returns true if all children of an element are elements, apart from white space.
fn has_boxes_only(component: &Component, id: ElementId) -> bool {
    let is_box = |child: &Child| match child {
        Child::Element(_) => true,
        Child::Text(text) => text.trim().is_empty(),
    };
    component.elements[id.0].children.iter().all(is_box)
}
