//! Determines the pseudo-elements that an element of a component has.

use super::context::SectionContext;
use limner_component_model::model::{Baseline, ElementId};
use limner_style::ComputedStyle;
use limner_style::computed::Overflow;
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement as Pseudo;

impl SectionContext<'_> {
    /// Returns the styled pseudo-elements that an element has, sorted.
    pub(super) fn pseudo_elements(&self, element: ElementId) -> Vec<Pseudo> {
        let Some(node) = self.tree.node(element) else { return Vec::new() };
        let tag = self.tree.elements[element.0].tag.as_str();
        let mut all = self.request.index.styled_pseudo_elements(node);
        if let Some(dark) = self.request.dark {
            all.extend(dark.styled_pseudo_elements(node));
        }
        // Preflight overrides the browser's styles of these.
        if self.request.baseline == Baseline::Preflight {
            all.extend([Pseudo::Placeholder, Pseudo::FileSelectorButton]);
        }
        all.sort_unstable();
        all.dedup();
        all.retain(|pseudo| match pseudo {
            Pseudo::Before | Pseudo::After | Pseudo::FirstLine | Pseudo::FirstLetter => true,
            Pseudo::Marker => self.computed[element.0].iter().any(|style| style.display().is_list_item()),
            Pseudo::Placeholder => {
                matches!(tag, "input" | "textarea") && self.tree.elements[element.0].attribute("placeholder").is_some()
            }
            Pseudo::FileSelectorButton => self.chooses_files(element),
            Pseudo::Backdrop => tag == "dialog" || self.tree.elements[element.0].attribute("popover").is_some(),
            // Inherited by all descendants.
            Pseudo::Selection => element == ElementId(0),
            Pseudo::Part(name) => self.has_part(element, name),
        });
        all
    }

    /// Returns true if an element has a button that opens the file picker.
    pub(super) fn chooses_files(&self, element: ElementId) -> bool {
        let own = &self.tree.elements[element.0];
        own.tag == "input" && own.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("file"))
    }

    /// Returns true if a control has this part, or if the part is of a scroll bar and the element scrolls.
    pub(super) fn has_part(&self, element: ElementId, part: &str) -> bool {
        let own = &self.tree.elements[element.0];
        let kind = own.attribute("type").unwrap_or_default().to_ascii_lowercase();
        let is_input = |kinds: &[&str]| own.tag == "input" && kinds.contains(&kind.as_str());
        match part.trim_start_matches("-webkit-").split('-').next().unwrap_or_default() {
            "slider" => is_input(&["range"]),
            "search" => is_input(&["search"]),
            "color" => is_input(&["color"]),
            "inner" | "outer" => is_input(&["number"]),
            "calendar" | "date" | "datetime" => is_input(&["date", "datetime-local", "month", "time", "week"]),
            "progress" => own.tag == "progress",
            "meter" => own.tag == "meter",
            "scroll" => part == "scroll-marker" || part.starts_with("scroll-marker:") || self.scrolls(element),
            "picker" | "picker(select)" => own.tag == "select",
            "checkmark" => own.tag == "option",
            "details" if part == "details-content" => own.tag == "details",
            "details" => own.tag == "summary",
            "scrollbar" => self.scrolls(element),
            _ => false,
        }
    }

    fn scrolls(&self, element: ElementId) -> bool {
        self.computed[element.0].iter().any(|style| {
            let axes = [style.overflow_x(), style.overflow_y()];
            axes.iter().any(|axis| matches!(axis, Overflow::Auto | Overflow::Scroll))
        })
    }

    /// Returns true if the browser's style of this pseudo-element is not known here. The author's declarations are then
    /// always kept, because they cannot be compared with a default. (The button of a file selector has a known style
    /// under preflight.)
    pub(super) fn has_unknown_default_style(&self, pseudo: Option<Pseudo>) -> bool {
        match pseudo {
            Some(Pseudo::Part(_)) => true,
            Some(Pseudo::FileSelectorButton) => self.request.baseline == Baseline::Browser,
            _ => false,
        }
    }
}

/// Returns true if a pseudo-element has no style but the author's: no stylesheet styles scroll bars.
pub(super) fn has_no_default_style(pseudo: Option<Pseudo>) -> bool {
    matches!(pseudo, Some(Pseudo::Part(name)) if name.trim_start_matches('-').starts_with("webkit-scrollbar"))
}

/// Returns true if a longhand has its initial value, perhaps in another notation.
pub(super) fn is_unset(longhand: Longhand, style: &ComputedStyle) -> bool {
    let (own, initial) = (style.get(longhand), longhand.initial());
    own == initial || matches!((own, initial), ("0px", "0%") | ("rgba(0, 0, 0, 0)", "transparent"))
}
