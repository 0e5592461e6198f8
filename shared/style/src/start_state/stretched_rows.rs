//! Rows that a site builder's script makes as wide as the window, although their column is narrower: rows of WPBakery with
//! `data-vc-full-width`, stretched sections of Elementor, and full-width sliders of Smart Slider.

use super::{StartEvidence, StartState};
use crate::Styles;
use crate::index::StyleIndex;
use crate::property::Longhand;
use crate::sheet::DeclarationInterner;
use limner_page::NodeId;
use limner_page::dom::Element;

/// The attribute of WPBakery's full-width rows, and the one of those whose content is as wide.
const ROW: &str = "data-vc-full-width";
const WITH_CONTENT: &str = "data-vc-stretch-content";

/// The class of Elementor's stretched sections.
const SECTION: &str = "elementor-section-stretched";

/// The element around full-width sliders of Smart Slider.
const SLIDER: &str = "ss3-force-full-width";

/// The declarations that make a box in the middle of the window as wide as that.
pub(super) const WIDE: &str =
    "width: auto; max-width: none; margin-left: calc(50% - 50vw); margin-right: calc(50% - 50vw)";

/// Returns the states in which the full-width rows of a page end.
pub(super) fn find(
    index: &StyleIndex<'_>,
    styles: &mut Styles<'_>,
    interner: &mut DeclarationInterner,
) -> Vec<StartState> {
    let rows = index.document().elements().filter(|(_, element)| element.in_html());
    let ends: Vec<(NodeId, String)> =
        rows.filter_map(|(node, element)| Some((node, end(styles, node, element)?))).collect();
    ends.into_iter().map(|(node, end)| StartState::with_added(node, StartEvidence::WideRow, &end, interner)).collect()
}

/// Returns the declarations with which a row ends: its column is in the middle of the window.
fn end(styles: &mut Styles<'_>, node: NodeId, element: &Element) -> Option<String> {
    if element.is_html(SLIDER) {
        return Some(format!("display: block; {WIDE}; transform: none; opacity: 1; visibility: visible"));
    }
    let is_row = element.attr_has_token(ROW, "true") && element.attr("data-vc-full-width-init") != Some("true");
    if !is_row && !element.attr_has_token("class", SECTION) {
        return None;
    }
    let style = styles.get(node).filter(|style| !style.is_absolutely_positioned() && !style.is_floating())?;
    if element.attr("style").is_some_and(|own| own.contains("left:") && own.contains("width:")) {
        return None;
    }
    let margin = style.get(Longhand::MarginLeft);
    let margin = if margin.ends_with("px") { margin } else { "0px" };
    if !is_row {
        return Some(WIDE.to_owned());
    }
    let wide = format!("{WIDE}; opacity: 1");
    if element.attr_has_token(WITH_CONTENT, "true") {
        return Some(wide);
    }
    // The content of the row stays in its column.
    let padding = format!("max(0px, calc(50vw - 50% + {margin}))");
    Some(format!("{wide}; padding-left: {padding}; padding-right: {padding}"))
}
