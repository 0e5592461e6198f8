//! Finds properties that have no effect because of other properties or of the context: declaring them would be noise.

use crate::capture::element_context::{ElementContext, MainAxis};
use limner_style::ComputedStyle;
use limner_style::color::is_transparent;
use limner_style::computed::{ContentVisibility, Display, FlexWrap, Overflow, Position};
use limner_style::property::{BACKGROUND_LISTS, Longhand as L, MASK_LISTS};

/// Returns true if a property has no visible effect on an element with this style.
pub(crate) fn has_no_effect(longhand: L, style: &ComputedStyle, context: ElementContext) -> bool {
    if context.is_hidden_input {
        return true;
    }
    if context.in_svg {
        let clips = context.is_use_viewport && matches!(longhand, L::OverflowX | L::OverflowY);
        let is_untimed = is_of_motion(longhand) && has_no_motion(longhand, style);
        return clips || is_untimed || is_page_only(longhand) || is_box_property(longhand, style);
    }
    let is = |longhand: L, values: &[&str]| values.contains(&style.get(longhand));
    let display = style.display();
    let flex = display.is_flex_container() || display.is_legacy_flex_container();
    let grid = display.is_grid_container();
    let block = display.is_block_container();
    let has_columns = || !is(L::ColumnCount, &["auto"]) || !is(L::ColumnWidth, &["auto"]);
    let is_inline_box = display == Display::Inline && !context.has_own_size;
    let placed = style.is_absolutely_positioned();
    match longhand {
        L::BorderTopColor => is(L::BorderTopWidth, &["0px"]) || is(L::BorderTopStyle, &["none", "hidden"]),
        L::BorderTopWidth => is(L::BorderTopStyle, &["none", "hidden"]),
        L::BorderRightColor => is(L::BorderRightWidth, &["0px"]) || is(L::BorderRightStyle, &["none", "hidden"]),
        L::BorderRightWidth => is(L::BorderRightStyle, &["none", "hidden"]),
        L::BorderBottomColor => is(L::BorderBottomWidth, &["0px"]) || is(L::BorderBottomStyle, &["none", "hidden"]),
        L::BorderBottomWidth => is(L::BorderBottomStyle, &["none", "hidden"]),
        L::BorderLeftColor => is(L::BorderLeftWidth, &["0px"]) || is(L::BorderLeftStyle, &["none", "hidden"]),
        L::BorderLeftWidth => is(L::BorderLeftStyle, &["none", "hidden"]),
        L::BorderImageSlice | L::BorderImageWidth | L::BorderImageOutset | L::BorderImageRepeat => {
            is(L::BorderImageSource, &["none"])
        }
        L::OutlineColor | L::OutlineWidth | L::OutlineOffset => is(L::OutlineStyle, &["none"]),
        L::TextDecorationLine => context.has_no_text,
        L::TextDecorationColor | L::TextDecorationStyle | L::TextDecorationThickness => {
            is(L::TextDecorationLine, &["none"])
        }
        L::BackgroundClip => {
            all_items_are(style.get(L::BackgroundImage), "none") && is_transparent(style.get(L::BackgroundColor))
        }
        list if BACKGROUND_LISTS.contains(&list) => all_items_are(style.get(L::BackgroundImage), "none"),
        list if MASK_LISTS.contains(&list) => all_items_are(style.get(L::MaskImage), "none"),
        motion if is_of_motion(motion) => has_no_motion(motion, style),
        L::Top | L::Right | L::Bottom | L::Left => {
            !style.is_positioned() || (style.position() == Position::Relative && is_at_rest(longhand, style))
        }
        L::ZIndex => !style.is_positioned() && !context.is_item,
        L::Float => context.is_item || placed,
        L::Clear => context.is_item || placed || (display.is_inline_level() && !context.is_line_break),
        L::FlexDirection | L::FlexWrap => !flex,
        L::FlexGrow | L::FlexShrink | L::FlexBasis | L::AlignSelf | L::Order => {
            !context.is_item || (placed && longhand != L::AlignSelf)
        }
        // Block-level boxes are aligned within the width they have, inline-level boxes are not.
        L::JustifySelf if !context.is_item => display.is_inline_level() && !placed,
        L::JustifySelf => false,
        L::JustifyItems => !(grid || block),
        L::GridColumnStart | L::GridColumnEnd | L::GridRowStart | L::GridRowEnd => !context.is_item,
        L::GridTemplateColumns
        | L::GridTemplateRows
        | L::GridTemplateAreas
        | L::GridAutoColumns
        | L::GridAutoRows
        | L::GridAutoFlow => !grid,
        // Flex containers stretch their items by default. In a grid, items with an aspect ratio are not stretched by
        // default.
        L::AlignItems if is(longhand, &["stretch"]) && !grid => true,
        L::AlignItems | L::JustifyContent => !(flex || grid),
        L::RowGap => !(flex || grid),
        L::ColumnGap => !(flex || grid) && is(L::ColumnCount, &["auto"]) && is(L::ColumnWidth, &["auto"]),
        // The only line of a flex container that never wraps is as high as the container.
        L::AlignContent if flex && style.flex_wrap() == FlexWrap::Nowrap => true,
        L::AlignContent => !(flex || grid || block),
        // This `word-break` includes what `overflow-wrap` does.
        L::OverflowWrap => is(L::WordBreak, &["break-word"]) && !is(L::OverflowWrap, &["normal"]),
        L::WebkitBoxOrient | L::WebkitBoxAlign | L::WebkitBoxPack | L::WebkitBoxDirection | L::WebkitLineClamp => {
            !display.is_legacy_flex_container() && is(L::WebkitLineClamp, &["none"])
        }
        L::WebkitBoxFlex | L::WebkitBoxOrdinalGroup => true,
        L::TextAlign | L::TextTransform | L::TextIndent | L::LetterSpacing | L::WordSpacing | L::TextShadow
            if context.has_no_text =>
        {
            true
        }
        L::VerticalAlign => context.is_item || placed || !(display.is_inline_level() || display.is_layout_internal()),
        L::TextWrapMode => context.is_image,
        L::LineHeight => context.has_empty_alt && !style.get(L::VerticalAlign).ends_with('%'),
        L::CornerTopLeftShape => is(L::BorderTopLeftRadius, &["0px"]),
        L::CornerTopRightShape => is(L::BorderTopRightRadius, &["0px"]),
        L::CornerBottomRightShape => is(L::BorderBottomRightRadius, &["0px"]),
        L::CornerBottomLeftShape => is(L::BorderBottomLeftRadius, &["0px"]),
        L::TextOverflow | L::Resize => style.overflow_x() == Overflow::Visible,
        L::BoxSizing => is_box_sizing_irrelevant(style, is_inline_box),
        L::TableLayout => !display.is_table(),
        L::ColumnRuleColor | L::ColumnRuleWidth | L::ColumnRuleBreak | L::ColumnRuleVisibilityItems => {
            is(L::ColumnRuleStyle, &["none"]) || !(flex || grid || has_columns())
        }
        L::RowRuleColor | L::RowRuleWidth | L::RowRuleBreak | L::RowRuleVisibilityItems => {
            is(L::RowRuleStyle, &["none"]) || !(flex || grid || has_columns())
        }
        L::RuleOverlap => is(L::RowRuleStyle, &["none"]) || is(L::ColumnRuleStyle, &["none"]),
        L::ColumnFill => !has_columns(),
        L::ColumnRuleStyle | L::RowRuleStyle => !(flex || grid || has_columns()),
        L::ObjectFit | L::ObjectPosition => !context.has_own_size,
        L::MinWidth | L::MinHeight => {
            // Flex items have a minimum of their own along the main axis only.
            let across = if longhand == L::MinWidth { MainAxis::Vertical } else { MainAxis::Horizontal };
            let is_block_item =
                context.is_item && !placed && display.generates_box() && context.main_axis != Some(across);
            (!is_block_item && is(longhand, &["auto", "0px"])) || is_inline_box
        }
        L::MaxWidth if is(longhand, &["100%"]) && !context.has_own_size && is_share(style.get(L::Width)) => true,
        L::MaxWidth if is(longhand, &["none"]) && context.is_image && is_share(style.get(L::Width)) => {
            !has_edges(style)
        }
        L::Width | L::Height | L::MaxWidth | L::MaxHeight | L::MarginTop | L::MarginBottom => is_inline_box,
        L::OverflowX | L::OverflowY => is_inline_box,
        L::TransformOrigin | L::TransformStyle | L::PerspectiveOrigin => {
            let still = |longhand: L| is(longhand, &["none"]);
            let moved = !(still(L::Transform) && still(L::Translate) && still(L::Rotate) && still(L::Scale));
            let animated = !all_items_are(style.get(L::TransitionDuration), "0s")
                || !all_items_are(style.get(L::AnimationName), "none");
            !moved && !animated && still(L::Perspective) && longhand != L::TransformStyle
        }
        // Strings are for pseudo-elements; an image replaces the contents of any element.
        L::Content => !style.get(L::Content).contains('('),
        L::BreakBefore | L::BreakAfter | L::BreakInside => !context.in_columns,
        // The height of columns depends on the number of lines that `orphans` and `widows` keep together in them.
        L::Orphans | L::Widows => !context.in_columns && is(L::ColumnCount, &["auto"]) && is(L::ColumnWidth, &["auto"]),
        // What faces the other way is turned in space, by itself or by an ancestor.
        L::BackfaceVisibility => {
            all_items_are(style.get(L::TransitionDuration), "0s")
                && all_items_are(style.get(L::AnimationName), "none")
                && [L::Transform, L::Rotate].into_iter().all(|longhand| is(longhand, &["none"]))
                && !context.is_in_space
        }
        L::ScrollBehavior => {
            let scrolls = |axis| matches!(axis, Overflow::Auto | Overflow::Scroll);
            !(scrolls(style.overflow_x()) || scrolls(style.overflow_y()))
        }
        // Block-level boxes are isolated from the text around them in any case.
        L::UnicodeBidi => is(L::UnicodeBidi, &["normal", "isolate"]) && !display.is_inline_level(),
        // A picture with both dimensions has no use for others.
        L::ContainIntrinsicWidth | L::ContainIntrinsicHeight => {
            let is_sized = context.has_own_size && !is(L::Width, &["auto"]) && !is(L::Height, &["auto"]);
            let is_shown = style.content_visibility() == ContentVisibility::Visible || clips_as_container(style);
            is_sized || (is_shown && is(L::Contain, &["none"]))
        }
        // Browsers skip what is out of sight; in sight such a box clips its contents and contains positioned boxes.
        L::ContentVisibility => is(longhand, &["auto"]) && clips_as_container(style),
        other => is_page_only(other),
    }
}

/// Returns true for properties of transitions and animations, except for the name of the latter.
fn is_of_motion(longhand: L) -> bool {
    matches!(
        longhand,
        L::TransitionProperty
            | L::TransitionTimingFunction
            | L::TransitionBehavior
            | L::TransitionDelay
            | L::TransitionDuration
            | L::AnimationDuration
            | L::AnimationTimingFunction
            | L::AnimationDelay
            | L::AnimationIterationCount
            | L::AnimationDirection
            | L::AnimationFillMode
            | L::AnimationPlayState
            | L::AnimationComposition
            | L::AnimationTimeline
            | L::AnimationRangeStart
            | L::AnimationRangeEnd
    )
}

/// Returns true for a property of transitions or animations of an element without one.
fn has_no_motion(longhand: L, style: &ComputedStyle) -> bool {
    match longhand {
        L::TransitionDuration => style.get(L::TransitionProperty) == "none",
        L::TransitionProperty | L::TransitionTimingFunction | L::TransitionBehavior | L::TransitionDelay => {
            all_items_are(style.get(L::TransitionDuration), "0s")
        }
        _ => all_items_are(style.get(L::AnimationName), "none"),
    }
}

/// Returns true for an inset of zero that leaves a relatively positioned box in its place: the opposite one says no other, and
/// no transition begins here.
fn is_at_rest(inset: L, style: &ComputedStyle) -> bool {
    let opposite = match inset {
        L::Top => L::Bottom,
        L::Bottom => L::Top,
        L::Left => L::Right,
        _ => L::Left,
    };
    let is_zero = |longhand: L| matches!(style.get(longhand), "0px" | "0%");
    let is_free = is_zero(opposite) || style.get(opposite) == "auto";
    is_zero(inset) && is_free && all_items_are(style.get(L::TransitionDuration), "0s")
}

/// Returns true if a box clips its contents, positioned boxes among them.
fn clips_as_container(style: &ComputedStyle) -> bool {
    style.content_visibility() != ContentVisibility::Hidden
        && style.is_positioned()
        && style.overflow_x() != Overflow::Visible
        && style.overflow_y() != Overflow::Visible
}

/// Returns true for a percentage from 0 to 100.
fn is_share(width: &str) -> bool {
    width
        .strip_suffix('%')
        .and_then(|share| share.parse::<f64>().ok())
        .is_some_and(|share| (0.0..=100.0).contains(&share))
}

/// Returns true for properties of CSS boxes, which elements inside of an SVG do not have. (An `svg` that replaces a
/// `use` clips like any viewport.)
fn is_box_property(longhand: L, style: &ComputedStyle) -> bool {
    match longhand {
        L::Display => matches!(style.display(), Display::Inline | Display::Block),
        L::VerticalAlign
        | L::BoxSizing
        | L::OverflowClipMargin
        | L::MarginTop
        | L::MarginRight
        | L::MarginBottom
        | L::MarginLeft
        | L::PaddingTop
        | L::PaddingRight
        | L::PaddingBottom
        | L::PaddingLeft
        | L::MaxWidth
        | L::MaxHeight => true,
        L::OutlineColor | L::OutlineWidth | L::OutlineOffset => style.get(L::OutlineStyle) == "none",
        L::BackgroundImage | L::BackgroundColor | L::BackgroundClip => true,
        list => BACKGROUND_LISTS.contains(&list),
    }
}

/// Returns true if a box has the same size under every `box-sizing`: it has no padding and no border, or no declared
/// size.
fn is_box_sizing_irrelevant(style: &ComputedStyle, is_inline: bool) -> bool {
    is_inline || !has_edges(style) || !has_size(style)
}

/// The properties that give a box a size.
pub(crate) const SIZES: [L; 8] =
    [L::Width, L::Height, L::MinWidth, L::MinHeight, L::MaxWidth, L::MaxHeight, L::FlexBasis, L::AspectRatio];
/// The properties that give a box a padding or a border.
pub(crate) const EDGES: [L; 8] = [
    L::PaddingTop,
    L::PaddingRight,
    L::PaddingBottom,
    L::PaddingLeft,
    L::BorderTopWidth,
    L::BorderRightWidth,
    L::BorderBottomWidth,
    L::BorderLeftWidth,
];

/// Returns true if a box has a declared size.
pub(crate) fn has_size(style: &ComputedStyle) -> bool {
    let is_unset = |longhand: &L| matches!(style.get(*longhand), "auto" | "none" | "0px" | "content");
    !SIZES.iter().all(is_unset)
}

/// Returns true if a box has a padding or a border.
pub(crate) fn has_edges(style: &ComputedStyle) -> bool {
    EDGES.iter().any(|edge| style.get(*edge) != "0px")
}

/// Returns true if transitions take no time that anybody sees: styles for reduced motion set a hundredth of a millisecond,
/// so that scripts still get their events.
pub(crate) fn is_instant(style: &ComputedStyle) -> bool {
    const SHORTEST: f64 = 0.001;
    let seconds = |time: &str| time.strip_suffix('s').and_then(|number| number.parse::<f64>().ok());
    all_items_are(style.get(L::TransitionDelay), "0s")
        && style.get(L::TransitionDuration).split(", ").all(|time| seconds(time).is_some_and(|time| time <= SHORTEST))
}

/// Returns true if every item of a list is this keyword.
pub(crate) fn all_items_are(list: &str, keyword: &str) -> bool {
    list.split(", ").all(|item| item == keyword)
}

/// Returns true for properties that concern the page as a whole, or that follow from attributes.
fn is_page_only(longhand: L) -> bool {
    matches!(
        longhand,
        L::ViewTransitionName
            | L::ViewTransitionClass
            | L::WebkitLocale
            | L::WebkitRtlOrdering
            | L::WebkitUserModify
            | L::WebkitPrintColorAdjust
            | L::WebkitTapHighlightColor
            | L::TextSizeAdjust
            | L::WebkitBorderHorizontalSpacing
            | L::WebkitBorderVerticalSpacing
            | L::AppRegion
            | L::WebkitAppRegion
            | L::Page
            | L::Size
            | L::Speak
            | L::PrintColorAdjust
            | L::Interactivity
            | L::Overlay
    )
}
