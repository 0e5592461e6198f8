//! Tilda's zero blocks: their script places each element of an artboard as its attributes say. The sheet says the same, except
//! for texts that are centred or at the bottom, whose height it does not know, and where somebody changed it.

use super::{StartEvidence, StartState};
use crate::Styles;
use crate::cascade::ComputedStyle;
use crate::index::StyleIndex;
use crate::property::Longhand;
use crate::sheet::DeclarationInterner;
use limner_page::NodeId;
use limner_page::dom::Element;

/// Class of the artboards' elements.
const ELEMENT: &str = "t396__elem";

/// Attributes of artboards that grow with the window, and of those with widths of their own.
const UPSCALE: &str = "data-artboard-upscale";
const SCREENS: &str = "data-artboard-screens";

/// The widths of an artboard's grid, each for windows that are as wide, and the part of the attributes' names that means it.
const GRIDS: [(f64, &str); 5] =
    [(1_200.0, ""), (960.0, "-res-960"), (640.0, "-res-640"), (480.0, "-res-480"), (320.0, "-res-320")];

/// Maximum difference of places that are the same, in CSS pixels.
const SAME: f64 = 1.0;

/// Returns the states in which the elements of a page's artboards end.
pub(super) fn find(
    index: &StyleIndex<'_>,
    styles: &mut Styles<'_>,
    interner: &mut DeclarationInterner,
) -> Vec<StartState> {
    let document = index.document();
    let mut found = Vec::new();
    for (node, element) in document.elements().filter(|(_, element)| element.attr_has_token("class", ELEMENT)) {
        let around = document.parent(node).and_then(|around| Some((around, document.element(around)?)));
        let Some(((artboard, own), style)) = around.zip(styles.get(node)) else { continue };
        let ends =
            [raised(styles, artboard, element, &style), place(own, element, &style), width(own, element, &style)];
        let end = ends.into_iter().flatten().collect::<Vec<_>>().join("; ");
        if !end.is_empty() {
            found.push(StartState::with_added(node, StartEvidence::ScriptSize, &end, interner));
        }
    }
    found
}

/// Returns the declaration that moves an element up if its top edge is where its middle or its bottom belongs.
fn raised(styles: &mut Styles<'_>, artboard: NodeId, element: &Element, style: &ComputedStyle) -> Option<String> {
    let (share, end) = match element.attr("data-field-axisy-value")? {
        "center" => (0.5, "translate: 0 -50%"),
        "bottom" => (1.0, "translate: 0 -100%"),
        _ => return None,
    };
    let height = pixels(styles.get(artboard)?.get(Longhand::Height))?;
    let distance = number(element, "top", "")?;
    let is_share = element.attr("data-field-topunits-value") == Some("%");
    let distance = if is_share { height * distance / 100.0 } else { distance };
    let top = pixels(style.get(Longhand::Top))?;
    ((height * share + distance - top).abs() <= SAME).then(|| end.to_owned())
}

/// Returns the left edges of an element in its grid, unless its sheet has them.
fn place(artboard: &Element, element: &Element, style: &ComputedStyle) -> Option<String> {
    let is = |name: &str, value: &str| element.attr(name) == Some(value);
    let is_in_grid = is("data-field-container-value", "grid") && is("data-field-axisx-value", "left");
    if !is_in_grid || !has_pixels(element, "left") {
        return None;
    }
    by_width(artboard, element, "left", style.get(Longhand::Left), |grid, left| {
        let distance = left - grid / 2.0;
        let sign = if distance < 0.0 { '-' } else { '+' };
        format!("calc(50% {sign} {}px)", distance.abs())
    })
}

/// Returns the widths of an element, unless its sheet has them.
fn width(artboard: &Element, element: &Element, style: &ComputedStyle) -> Option<String> {
    if !has_pixels(element, "width") || element.attr("data-field-widthmode-value").is_some() {
        return None;
    }
    by_width(artboard, element, "width", style.get(Longhand::Width), |_, width| format!("{width}px"))
}

/// Returns a declaration with a value for each width of the window, unless the widest is as in the sheet.
fn by_width(
    artboard: &Element,
    element: &Element,
    property: &str,
    computed: &str,
    value: impl Fn(f64, f64) -> String,
) -> Option<String> {
    if artboard.attr(UPSCALE) == Some("window") || artboard.attr(SCREENS).is_some() {
        return None;
    }
    let mut last = number(element, property, "")?;
    if value(GRIDS[0].0, last) == computed {
        return None;
    }
    let values = GRIDS.map(|(grid, name)| {
        // A width without a value has that of the next wider one.
        last = number(element, property, name).unwrap_or(last);
        (grid, value(grid, last))
    });
    let [wider @ .., (_, narrowest)] = &values;
    let wider: String = wider.iter().map(|(grid, value)| format!("media(width >= {grid}px): {value}; ")).collect();
    Some(format!("{property}: if({wider}else: {narrowest})"))
}

/// Returns the number of an attribute such as `data-field-left-res-960-value`.
fn number(element: &Element, field: &str, width: &str) -> Option<f64> {
    let value = element.attr(&format!("data-field-{field}{width}-value"))?;
    value.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

fn has_pixels(element: &Element, field: &str) -> bool {
    matches!(element.attr(&format!("data-field-{field}units-value")), None | Some("" | "px"))
}

fn pixels(value: &str) -> Option<f64> {
    value.strip_suffix("px")?.parse().ok()
}
