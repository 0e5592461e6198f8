//! Compares a computed value on the page with the value of the same, unstyled element.

use super::ineffective::all_items_are;
use super::style_pair::StylePair;
use super::value_reader::px;
use limner_component_model::css::split_list::{split_commas, split_spaces};
use limner_style::color::is_transparent;
use limner_style::computed::Direction;
use limner_style::property::{BACKGROUND_LISTS, Longhand, MASK_LISTS};
use limner_style::{ComputedStyle, Origin, SpecifiedStyle, SpecifiedValue};

/// Returns true if a longhand has the same value in two styles, also if the font size changes later.
pub(crate) fn is_equivalent(longhand: Longhand, style: &ComputedStyle, baseline: &ComputedStyle) -> bool {
    if longhand == Longhand::LineHeight {
        let (factor, of_baseline) = (style.line_height_factor(), baseline.line_height_factor());
        if factor.is_some() || of_baseline.is_some() {
            return factor == of_baseline;
        }
    }
    let baseline_style = baseline;
    let (own, baseline) = (style.get(longhand), baseline.get(longhand));
    own == baseline
        || (is_cycled_list(longhand) && all_items_are(own, baseline))
        || (longhand == Longhand::TextRendering && is_font_feature_default(own, baseline))
        || is_alias_of_default(longhand, style, baseline_style)
        || (longhand == Longhand::FontFamily && begins_stack(own, baseline))
        || is_vacuous(longhand, own, baseline)
}

/// Returns true if a stack of two fonts or more is the beginning of another: Next's pairs of a font and its fallback, within
/// a section that has a generic family besides.
fn begins_stack(own: &str, other: &str) -> bool {
    own.contains(',') && other.strip_prefix(own).is_some_and(|rest| rest.starts_with(','))
}

/// Returns true for a keyword that says the same as the initial one: `flex-start` in a flex container, `span 1` in a grid,
/// `left` in a text that runs to the right.
pub(crate) fn is_alias_of_default(longhand: Longhand, style: &ComputedStyle, baseline: &ComputedStyle) -> bool {
    use Longhand as L;
    match longhand {
        L::JustifyContent => {
            style.get(longhand) == "flex-start"
                && baseline.get(longhand) == "normal"
                && style.display().is_flex_container()
        }
        L::TextAlign => {
            let start = if style.direction() == Direction::Rtl { "right" } else { "left" };
            style.get(longhand) == start && baseline.get(longhand) == "start"
        }
        // <https://drafts.csswg.org/css-ui-4/#typedef-appearance-compat-auto>
        L::Appearance => {
            let is_auto =
                |value: &str| matches!(value, "auto" | "button" | "checkbox" | "radio" | "searchfield" | "textarea");
            is_auto(style.get(longhand)) && is_auto(baseline.get(longhand))
        }
        L::GridColumnStart | L::GridColumnEnd | L::GridRowStart | L::GridRowEnd => {
            style.get(longhand) == "span 1" && baseline.get(longhand) == "auto"
        }
        // Only columns of text have a gap by default.
        L::RowGap | L::ColumnGap => {
            let has_columns = style.get(L::ColumnCount) != "auto" || style.get(L::ColumnWidth) != "auto";
            matches!(style.get(longhand), "0px" | "0%") && baseline.get(longhand) == "normal" && !has_columns
        }
        _ => false,
    }
}

/// Returns true for a value that does as little as the initial one: a transparent shadow, no percentage of a margin, a limit
/// that no box reaches.
fn is_vacuous(longhand: Longhand, own: &str, baseline: &str) -> bool {
    use Longhand as L;
    /// The least limit that stands for none, in pixels.
    const NO_LIMIT: f64 = 9_999.0;
    match longhand {
        L::TextShadow | L::BoxShadow => {
            let is_unseen = |layer: &&str| {
                let parts = split_spaces(layer);
                // One as large as its box is below it.
                let is_covered =
                    || longhand == L::BoxShadow && parts.iter().filter(|part| **part == "0px").count() == 4;
                parts.iter().any(|part| is_transparent(part)) || is_covered()
            };
            baseline == "none" && split_commas(own).iter().all(is_unseen)
        }
        L::MaxWidth | L::MaxHeight => {
            let limit = own.strip_suffix("px").and_then(|px| px.parse::<f64>().ok());
            baseline == "none" && limit.is_some_and(|px| px >= NO_LIMIT)
        }
        L::MarginTop
        | L::MarginRight
        | L::MarginBottom
        | L::MarginLeft
        | L::PaddingTop
        | L::PaddingRight
        | L::PaddingBottom
        | L::PaddingLeft
        | L::BorderTopLeftRadius
        | L::BorderTopRightRadius
        | L::BorderBottomRightRadius
        | L::BorderBottomLeftRadius => matches!(own, "0%" | "0% 0%") && baseline == "0px",
        _ => false,
    }
}

/// Returns true for the default of `text-rendering` and `optimizeLegibility`: browsers kern and set ligatures by default as
/// they do on request.
fn is_font_feature_default(own: &str, baseline: &str) -> bool {
    let is_default = |value: &str| value == "auto" || value.eq_ignore_ascii_case("optimizeLegibility");
    is_default(own) && is_default(baseline)
}

/// Returns true if a margin has the same multiple of the font size in both styles, and comes from the browser's own
/// stylesheet.
pub(crate) fn is_same_em_multiple(longhand: Longhand, seen: &StylePair) -> bool {
    let is_margin =
        matches!(longhand, Longhand::MarginTop | Longhand::MarginRight | Longhand::MarginBottom | Longhand::MarginLeft);
    let by_browser = |own: &SpecifiedValue| own.origin == Origin::UserAgent && own.value.ends_with("em");
    let factor =
        |style: &ComputedStyle| Some(px(style, longhand)? / px(style, Longhand::FontSize).filter(|size| *size > 0.0)?);
    is_margin
        && seen.specification.get(longhand).is_some_and(by_browser)
        && matches!((factor(&seen.specification.style), factor(&seen.baseline)), (Some(a), Some(b)) if (a - b).abs() < 1e-3)
}

/// Returns true for list-valued longhands that are cycled when another list is longer: repeating their only value has
/// no effect.
fn is_cycled_list(longhand: Longhand) -> bool {
    use Longhand as L;
    matches!(
        longhand,
        L::TransitionBehavior
            | L::TransitionDelay
            | L::TransitionTimingFunction
            | L::AnimationComposition
            | L::AnimationDelay
            | L::AnimationDirection
            | L::AnimationFillMode
            | L::AnimationIterationCount
            | L::AnimationPlayState
            | L::AnimationTimingFunction
    ) || BACKGROUND_LISTS.contains(&longhand)
        || MASK_LISTS.contains(&longhand)
}

/// Returns true for a negative margin, which makes the root overlap its neighbours on the page.
pub(crate) fn overflows_by_negative_margin(longhand: Longhand, style: &ComputedStyle) -> bool {
    let is_margin =
        matches!(longhand, Longhand::MarginTop | Longhand::MarginRight | Longhand::MarginBottom | Longhand::MarginLeft);
    let is_beside = || matches!(longhand, Longhand::MarginRight | Longhand::MarginLeft);
    is_margin && (style.get(longhand).starts_with('-') || is_beside() && breaks_out(style))
}

/// Returns true for a box that its margins make as wide as the viewport, whatever is around it: `calc(50% - 50vw)`.
pub(crate) fn breaks_out(style: &ComputedStyle) -> bool {
    let (left, right) = (style.get(Longhand::MarginLeft), style.get(Longhand::MarginRight));
    left == right && left.starts_with("calc(50% - ") && left.ends_with("px)")
}

/// Returns true for a left margin that is compensated by a width above 100% (`calc(100% + 1rem)`): without the margin
/// the component would overflow on the right.
pub(crate) fn is_compensated_by_width(longhand: Longhand, style: &ComputedStyle) -> bool {
    // Computed sums begin with the percentage, and have ` - ` before a negative length.
    let share = |width: &str| width.parse::<f64>().ok();
    let is_more = |width: &str| match width.strip_prefix("calc(").and_then(|sum| sum.split_once("% + ")) {
        Some((percent, _)) => share(percent).is_some_and(|percent| percent >= 100.0),
        None => width.strip_suffix('%').and_then(share).is_some_and(|percent| percent > 100.0),
    };
    longhand == Longhand::MarginLeft && is_more(style.get(Longhand::Width))
}

/// Returns true for a colour that the author does not declare and that equals the text colour in both styles. (The
/// borders of unstyled buttons are black by coincidence, not because their text is.)
pub(crate) fn equals_current_color(longhand: Longhand, seen: &StylePair) -> bool {
    let baseline = seen.baseline.get(longhand);
    let is_text =
        baseline == "currentcolor" || (baseline == seen.baseline.get(Longhand::Color) && !has_border(&seen.baseline));
    defaults_to_current_color(longhand) && is_text_color(&seen.specification, longhand) && is_text
}

fn has_border(style: &ComputedStyle) -> bool {
    style.get(Longhand::BorderTopStyle) != "none"
}

/// Returns true for longhands whose initial value is the text colour (`currentcolor`).
pub(crate) fn defaults_to_current_color(longhand: Longhand) -> bool {
    matches!(
        longhand,
        Longhand::TextDecorationColor
            | Longhand::TextEmphasisColor
            | Longhand::WebkitTextFillColor
            | Longhand::WebkitTextStrokeColor
            | Longhand::ColumnRuleColor
            | Longhand::RowRuleColor
            | Longhand::BorderTopColor
            | Longhand::BorderRightColor
            | Longhand::BorderBottomColor
            | Longhand::BorderLeftColor
    )
}

/// Returns true if a colour equals the text colour and the author declares no other.
pub(crate) fn is_text_color(own: &SpecifiedStyle, longhand: Longhand) -> bool {
    let declared = own.get(longhand).filter(|own| own.origin != Origin::UserAgent);
    let color = own.style.get(longhand);
    declared.is_none_or(|own| own.value.eq_ignore_ascii_case("currentcolor") || own.value == "initial")
        && (color == "currentcolor" || color == own.style.get(Longhand::Color))
}

/// Returns true for the width of a border that only its own style suppresses: without it the width would show, where the
/// unstyled element's border is solid.
pub(crate) fn is_suppressed_border(longhand: Longhand, style: &ComputedStyle, baseline: &ComputedStyle) -> bool {
    let line = match longhand {
        Longhand::BorderTopWidth => Longhand::BorderTopStyle,
        Longhand::BorderRightWidth => Longhand::BorderRightStyle,
        Longhand::BorderBottomWidth => Longhand::BorderBottomStyle,
        Longhand::BorderLeftWidth => Longhand::BorderLeftStyle,
        _ => return false,
    };
    let is_none = |style: &ComputedStyle| matches!(style.get(line), "none" | "hidden");
    is_none(style) && !is_none(baseline)
}

/// Returns true for the style or colour of a border that has no width in both styles.
pub(crate) fn is_empty_border(longhand: Longhand, style: &ComputedStyle, baseline: &ComputedStyle) -> bool {
    let width = match longhand {
        Longhand::BorderTopStyle | Longhand::BorderTopColor => Longhand::BorderTopWidth,
        Longhand::BorderRightStyle | Longhand::BorderRightColor => Longhand::BorderRightWidth,
        Longhand::BorderBottomStyle | Longhand::BorderBottomColor => Longhand::BorderBottomWidth,
        Longhand::BorderLeftStyle | Longhand::BorderLeftColor => Longhand::BorderLeftWidth,
        _ => return false,
    };
    style.get(width) == "0px" && baseline.get(width) == "0px"
}
