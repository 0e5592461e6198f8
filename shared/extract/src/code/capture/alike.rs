//! What an element has on its page and what it would have without declarations: whether that is the same.

use super::inert::only;
use super::resolve::Seen;
use super::value::px;
use limner_style::property::{BACKGROUND_LISTS, Longhand, MASK_LISTS};
use limner_style::{ComputedStyle, Origin, Specification, SpecifiedValue};

/// Whether a longhand has the same value in two styles, also once something else decides the font size.
pub(super) fn is_same(longhand: Longhand, style: &ComputedStyle, bare: &ComputedStyle) -> bool {
    if longhand == Longhand::LineHeight {
        let (factor, of_bare) = (style.line_height_factor(), bare.line_height_factor());
        if factor.is_some() || of_bare.is_some() {
            return factor == of_bare;
        }
    }
    let (own, bare) = (style.get(longhand), bare.get(longhand));
    own == bare
        || (is_repeated(longhand) && only(own, bare))
        || (longhand == Longhand::TextRendering && is_undone(own, bare))
}

/// Browsers kern and set ligatures by themselves as they do where they are asked to; icon fonts undo that for their glyphs.
fn is_undone(own: &str, bare: &str) -> bool {
    own == "auto" && bare.eq_ignore_ascii_case("optimizeLegibility")
}

/// A margin that the browser's own sheet gives in multiples of the font size, whatever that is.
pub(super) fn is_same_multiple(longhand: Longhand, seen: &Seen) -> bool {
    let is_margin =
        matches!(longhand, Longhand::MarginTop | Longhand::MarginRight | Longhand::MarginBottom | Longhand::MarginLeft);
    let by_browser = |own: &SpecifiedValue| own.origin == Origin::UserAgent && own.value.ends_with("em");
    let factor =
        |style: &ComputedStyle| Some(px(style, longhand)? / px(style, Longhand::FontSize).filter(|size| *size > 0.0)?);
    is_margin
        && seen.specification.get(longhand).is_some_and(by_browser)
        && matches!((factor(&seen.specification.style), factor(&seen.bare)), (Some(a), Some(b)) if (a - b).abs() < 1e-3)
}

/// Lists that begin anew when another list is longer: to say the same several times says nothing more.
fn is_repeated(longhand: Longhand) -> bool {
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

/// A margin that draws the root over what is next to it on its page.
pub(super) fn is_pulled_out(longhand: Longhand, style: &ComputedStyle) -> bool {
    let is_margin =
        matches!(longhand, Longhand::MarginTop | Longhand::MarginRight | Longhand::MarginBottom | Longhand::MarginLeft);
    is_margin && style.get(longhand).starts_with('-')
}

/// A margin to the left that a width of more than what is around makes up for (`calc(100% + 1rem)`): without it the
/// component would stick out to the right.
pub(super) fn is_made_up_for(longhand: Longhand, style: &ComputedStyle) -> bool {
    // Computed sums name the percentage first, and subtract what is less than nothing.
    let share = |width: &str| width.parse::<f64>().ok();
    let is_more = |width: &str| match width.strip_prefix("calc(").and_then(|sum| sum.split_once("% + ")) {
        Some((percent, _)) => share(percent).is_some_and(|percent| percent >= 100.0),
        None => width.strip_suffix('%').and_then(share).is_some_and(|percent| percent > 100.0),
    };
    longhand == Longhand::MarginLeft && is_more(style.get(Longhand::Width))
}

/// A colour that nobody declares and that is the text's, on both sides of the comparison. The borders of bare buttons only
/// happen to be as black as their text.
pub(super) fn follows_color(longhand: Longhand, seen: &Seen) -> bool {
    let bare = seen.bare.get(longhand);
    let is_text = bare == "currentcolor" || (bare == seen.bare.get(Longhand::Color) && !has_border(&seen.bare));
    starts_as_text(longhand) && is_text_color(&seen.specification, longhand) && is_text
}

fn has_border(style: &ComputedStyle) -> bool {
    style.get(Longhand::BorderTopStyle) != "none"
}

/// Colours that are the text's unless something else is said.
pub(super) fn starts_as_text(longhand: Longhand) -> bool {
    matches!(
        longhand,
        Longhand::TextDecorationColor
            | Longhand::TextEmphasisColor
            | Longhand::WebkitTextFillColor
            | Longhand::WebkitTextStrokeColor
            | Longhand::ColumnRuleColor
            | Longhand::BorderTopColor
            | Longhand::BorderRightColor
            | Longhand::BorderBottomColor
            | Longhand::BorderLeftColor
    )
}

/// Whether a colour is the text's, and nobody declares another.
pub(super) fn is_text_color(own: &Specification, longhand: Longhand) -> bool {
    let declared = own.get(longhand).filter(|own| own.origin != Origin::UserAgent);
    let color = own.style.get(longhand);
    declared.is_none_or(|own| own.value.eq_ignore_ascii_case("currentcolor") || own.value == "initial")
        && (color == "currentcolor" || color == own.style.get(Longhand::Color))
}

/// A border of no width, on both sides of the comparison.
pub(super) fn is_empty_border(longhand: Longhand, style: &ComputedStyle, bare: &ComputedStyle) -> bool {
    let width = match longhand {
        Longhand::BorderTopStyle | Longhand::BorderTopColor => Longhand::BorderTopWidth,
        Longhand::BorderRightStyle | Longhand::BorderRightColor => Longhand::BorderRightWidth,
        Longhand::BorderBottomStyle | Longhand::BorderBottomColor => Longhand::BorderBottomWidth,
        Longhand::BorderLeftStyle | Longhand::BorderLeftColor => Longhand::BorderLeftWidth,
        _ => return false,
    };
    style.get(width) == "0px" && bare.get(width) == "0px"
}
