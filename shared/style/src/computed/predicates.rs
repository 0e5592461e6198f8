//! Predicates on styles. Each is of one element; where the parent matters, it is an argument.

use super::{ContentVisibility, Display, Float, Position, Visibility};
use crate::ComputedStyle;
use crate::property::Longhand as L;

/// Properties that make any box a stacking context, unless they are `none`.
const GROUPING: [L; 6] =
    [L::Filter, L::BackdropFilter, L::ClipPath, L::MaskImage, L::WebkitMaskBoxImageSource, L::ViewTransitionName];

/// Properties that make a transformable box a stacking context and a containing block, unless they are `none`.
const TRANSFORMS: [L; 6] = [L::Transform, L::Translate, L::Rotate, L::Scale, L::OffsetPath, L::Perspective];

/// The names in `will-change` that make any box a stacking context.
const GROUPING_CHANGES: &[&str] = &[
    "position",
    "opacity",
    "mix-blend-mode",
    "isolation",
    "filter",
    "backdrop-filter",
    "clip-path",
    "mask",
    "mask-image",
    "mask-box-image",
    "view-transition-name",
];

/// The names in `will-change` that do as [`TRANSFORMS`] do.
const TRANSFORM_CHANGES: &[&str] =
    &["transform", "translate", "rotate", "scale", "offset", "offset-path", "perspective", "transform-style"];

impl ComputedStyle {
    /// Returns true if `visibility` is `visible` (<https://drafts.csswg.org/css-display-4/#visibility>).
    pub fn is_visible(&self) -> bool {
        self.visibility() == Visibility::Visible
    }

    /// Returns true if a background layer is clipped to the text
    /// (<https://drafts.csswg.org/css-backgrounds-4/#background-clip>).
    pub fn clips_background_to_text(&self) -> bool {
        self.get(L::BackgroundClip).contains("text")
    }

    /// Returns true unless `position` is `static` (<https://drafts.csswg.org/css-position-3/#positioned-box>).
    pub fn is_positioned(&self) -> bool {
        self.position() != Position::Static
    }

    /// Returns true for `absolute` and `fixed` (<https://drafts.csswg.org/css-position-3/#absolute-position>).
    pub fn is_absolutely_positioned(&self) -> bool {
        self.position().is_absolute()
    }

    /// Returns true unless the computed `float` is `none` (<https://drafts.csswg.org/css2/#floats>). Flex and grid items
    /// keep the value without floating.
    pub fn is_floating(&self) -> bool {
        self.float() != Float::None
    }

    /// Returns true for boxes that float or are absolutely positioned
    /// (<https://drafts.csswg.org/css-display-4/#out-of-flow>).
    pub fn is_out_of_flow(&self) -> bool {
        self.display().generates_box() && (self.is_floating() || self.is_absolutely_positioned())
    }

    /// Returns true if the box is in flow (<https://drafts.csswg.org/css-display-4/#in-flow>), or with `contents` those
    /// of the children may be.
    pub fn is_in_flow(&self) -> bool {
        self.display() != Display::None && !self.is_out_of_flow()
    }

    /// Returns true if the children are flex or grid items (<https://drafts.csswg.org/css-display-4/#the-display-properties>),
    /// see [`Display::is_flex_or_grid_container`]. For `display: contents` see [`Self::has_flex_or_grid_items`].
    pub fn is_flex_or_grid_container(&self) -> bool {
        self.display().is_flex_or_grid_container()
    }

    /// Returns true if the box is a scroll container (<https://drafts.csswg.org/css-overflow-3/#scroll-container>). Of
    /// both axes one never scrolls alone.
    pub fn is_scroll_container(&self) -> bool {
        self.overflow_x().scrolls() || self.overflow_y().scrolls()
    }

    /// Returns true for a multi-column container (<https://drafts.csswg.org/css-multicol-1/#multi-column-container>).
    pub fn is_multi_column_container(&self) -> bool {
        self.display().is_block_container()
            && (self.get(L::ColumnCount) != "auto" || self.get(L::ColumnWidth) != "auto")
    }

    /// Returns true if the element establishes a stacking context (<https://drafts.csswg.org/css2/#stacking-context>,
    /// and a sentence in each module that has more reasons). The root has no parent and always does.
    pub fn establishes_stacking_context(&self, parent: Option<&Self>) -> bool {
        if !self.display().generates_box() {
            return false;
        }
        let takes_z_index = self.is_positioned() || parent.is_some_and(Self::has_flex_or_grid_items);
        parent.is_none()
            || (takes_z_index && (self.get(L::ZIndex) != "auto" || self.will_change(&["z-index"])))
            || self.isolates()
    }

    /// Returns true if a box is a stacking context whatever its `z-index` is, see [`Self::establishes_stacking_context`].
    pub fn isolates(&self) -> bool {
        matches!(self.position(), Position::Fixed | Position::Sticky)
            || self.get(L::Opacity) != "1"
            || self.get(L::MixBlendMode) != "normal"
            || self.get(L::Isolation) != "auto"
            || GROUPING.iter().any(|longhand| self.has_any(*longhand))
            || self.will_change(GROUPING_CHANGES)
            || self.is_transformed()
            || self.contains_layout_or_paint()
    }

    /// Returns true for a block container that establishes a block formatting context
    /// (<https://drafts.csswg.org/css-display-4/#block-formatting-context>). Flex, grid and table boxes establish
    /// others. The root has no parent and always does.
    pub fn establishes_block_formatting_context(&self, parent: Option<&Self>) -> bool {
        match self.display() {
            Display::Block | Display::ListItem => {
                let Some(parent) = parent else { return true };
                self.is_out_of_flow()
                    || self.is_scroll_container()
                    || self.is_multi_column_container()
                    || self.contains_layout_or_paint()
                    || parent.has_flex_or_grid_items()
                    || self.get(L::ColumnSpan) == "all"
                    || self.get(L::AlignContent) != "normal"
                    || self.get(L::ContainerType).contains("size")
                    || self.get(L::WritingMode) != parent.get(L::WritingMode)
            }
            display => display.is_block_container(),
        }
    }

    /// Returns true if the box is the containing block of the fixed boxes in it, rather than the viewport
    /// (<https://drafts.csswg.org/css-position-3/#fixed-positioning-containing-block>).
    pub fn is_containing_block_for_fixed(&self) -> bool {
        self.display().generates_box()
            && ([L::Filter, L::BackdropFilter].iter().any(|longhand| self.has_any(*longhand))
                || self.will_change(&["filter", "backdrop-filter"])
                || self.is_transformed()
                || self.contains_layout_or_paint())
    }

    /// Returns true if the box is the containing block of the absolutely positioned boxes in it
    /// (<https://drafts.csswg.org/css-position-3/#absolute-positioning-containing-block>).
    pub fn is_containing_block_for_absolute(&self) -> bool {
        let is_positioned = self.is_positioned() || self.will_change(&["position"]);
        (self.display().generates_box() && is_positioned) || self.is_containing_block_for_fixed()
    }

    /// Returns true if a transform or the like applies to the box, or would after a change that `will-change` announces.
    fn is_transformed(&self) -> bool {
        self.is_transformable()
            && (TRANSFORMS.iter().any(|longhand| self.has_any(*longhand))
                || self.get(L::TransformStyle) == "preserve-3d"
                || self.will_change(TRANSFORM_CHANGES))
    }

    /// Returns true unless transforms do not apply (<https://drafts.csswg.org/css-transforms-1/#transformable-element>).
    fn is_transformable(&self) -> bool {
        !self.is_inline_box() && !matches!(self.display(), Display::TableColumn | Display::TableColumnGroup)
    }

    /// Returns true for the boxes of text and inline elements, which transforms and containment do not apply to. It
    /// takes `display: inline` for one: what is replaced has no descendants that it matters to.
    fn is_inline_box(&self) -> bool {
        matches!(self.display(), Display::Inline | Display::InlineListItem | Display::Ruby | Display::RubyText)
    }

    /// Returns true for a box with layout or paint containment (<https://drafts.csswg.org/css-contain-2/#contain-property>).
    fn contains_layout_or_paint(&self) -> bool {
        let display = self.display();
        let applies = !self.is_inline_box() && (!display.is_internal_table() || display == Display::TableCell);
        let is_kind = |kind: &str| matches!(kind, "layout" | "paint" | "content" | "strict");
        applies
            && (self.get(L::Contain).split(' ').any(is_kind)
                || self.content_visibility() != ContentVisibility::Visible
                || self.will_change(&["contain"]))
    }

    /// Returns true if a value, or one in its list, is not `none`.
    fn has_any(&self, longhand: L) -> bool {
        self.get(longhand).split(", ").any(|value| value != "none")
    }

    /// Returns true if `will-change` has one of these names, prefixed or not
    /// (<https://drafts.csswg.org/css-will-change-1/#will-change>).
    fn will_change(&self, names: &[&str]) -> bool {
        let changes = self.get(L::WillChange);
        changes != "auto"
            && changes
                .split(", ")
                .map(str::to_ascii_lowercase)
                .any(|change| names.contains(&change.strip_prefix("-webkit-").unwrap_or(&change)))
    }
}
