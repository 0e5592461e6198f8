//! The context of an element: facts beyond its own style that decide which of its properties have an effect.

use super::context::SectionContext;
use super::environments::EnvId;
use super::flow;
use limner_component_model::model::{ElementId, Namespace};
use limner_style::ComputedStyle;
use limner_style::computed::Display;
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement as Pseudo;

/// Facts about an element beyond its own style.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ElementContext {
    /// The parent is a flex or grid container.
    pub(super) is_item: bool,
    /// The axis along which the parent, a flex container, places the element; `None` for other parents and vertical lines.
    pub(super) main_axis: Option<MainAxis>,
    /// The element is replaced (`img`, `video`) or a form control, which have a size of their own.
    pub(super) has_own_size: bool,
    /// An ancestor is a multi-column container.
    pub(super) in_columns: bool,
    /// The element is in an SVG.
    pub(super) in_svg: bool,
    /// The element is the viewport that replaces a `use`.
    pub(super) is_use_viewport: bool,
    /// The element is a `br`, to which `clear` applies although it is inline-level: the next line begins below floats.
    pub(super) is_line_break: bool,
    /// The element is an image, inside of which no line is broken.
    pub(super) is_image: bool,
    /// The element holds no text, and inherits nothing to any.
    pub(super) has_no_text: bool,
    /// The parent has depth, and may be turned with the element in it.
    pub(super) is_in_space: bool,
    /// The image has no alternative text either.
    pub(super) has_empty_alt: bool,
    /// The element is a hidden `input`, which browsers never render.
    pub(super) is_hidden_input: bool,
}

/// The direction in which a flex container places its items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MainAxis {
    Horizontal,
    Vertical,
}

impl MainAxis {
    fn of_container(style: &ComputedStyle) -> Option<Self> {
        let is_plain = style.display().is_flex_container() && style.get(Longhand::WritingMode) == "horizontal-tb";
        let axis = if style.flex_direction().is_row() { Self::Horizontal } else { Self::Vertical };
        is_plain.then_some(axis)
    }
}

impl SectionContext<'_> {
    /// Determines the context of an element or pseudo-element in one environment.
    pub(super) fn element_context(&self, element: ElementId, pseudo: Option<Pseudo>, env: EnvId) -> ElementContext {
        let parent = match pseudo {
            Some(_) => Some(element),
            // The parent of the pasted root is unknown.
            None => self.tree.origins[element.0].parent,
        };
        let own = &self.tree.elements[element.0];
        let is_svg = |element: ElementId| self.tree.elements[element.0].namespace == Namespace::Svg;
        let is_outermost = own.tag == "svg" && !self.tree.origins[element.0].parent.is_some_and(is_svg);
        let in_svg = is_svg(element) && !is_outermost;
        let page_element = self.tree.node(element).and_then(|node| self.view.document.element(node));
        let is_use_instance = page_element.is_some_and(|element| element.is_svg("use"));
        let is_picture = own.tag == "img" && pseudo.is_none();
        // With `display: contents` the children belong to the next ancestor with a box.
        let has_box = |parent: &ElementId| self.computed[parent.0][env].display() != Display::Contents;
        let ancestor = std::iter::successors(parent, |parent| self.tree.origins[parent.0].parent).find(has_box);
        let container = ancestor.map(|ancestor| &*self.computed[ancestor.0][env]);
        let is_item = container.is_some_and(flow::has_items);
        ElementContext {
            is_item,
            main_axis: container.filter(|_| is_item).and_then(MainAxis::of_container),
            has_own_size: flow::has_own_size(own) && pseudo.is_none(),
            in_columns: pseudo.is_none() && self.breaks_in_columns(element, env),
            in_svg: in_svg && pseudo.is_none(),
            is_use_viewport: is_use_instance,
            is_line_break: own.tag == "br" && pseudo.is_none(),
            is_image: is_picture,
            // Not `svg` and `object`, whose contents may be text.
            has_no_text: pseudo.is_none() && matches!(own.tag.as_str(), "img" | "hr" | "video" | "canvas" | "iframe"),
            is_in_space: container.is_some_and(|style| style.get(Longhand::TransformStyle) == "preserve-3d"),
            has_empty_alt: is_picture && own.attribute("alt").is_none_or(|words| words.trim().is_empty()),
            is_hidden_input: own.tag == "input"
                && own.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden")),
        }
    }

    /// Returns true if an element declares where lines or boxes break, and an ancestor is a multi-column container.
    fn breaks_in_columns(&self, element: ElementId, env: EnvId) -> bool {
        use Longhand as L;
        let style = |element: ElementId| &self.computed[element.0][env];
        let rules = [L::BreakBefore, L::BreakAfter, L::BreakInside, L::Orphans, L::Widows];
        let parent = |element: &ElementId| self.tree.origins[element.0].parent;
        let in_columns = |element: ElementId| {
            [L::ColumnCount, L::ColumnWidth].iter().any(|longhand| style(element).get(*longhand) != "auto")
        };
        rules.iter().any(|longhand| style(element).get(*longhand) != longhand.initial())
            && std::iter::successors(parent(&element), parent).any(in_columns)
    }
}
