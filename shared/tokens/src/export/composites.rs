//! Text styles, borders and transitions as members of the JSON result.

use crate::value_counter::{Composites, ElementStyle};
use limner_style::property::Longhand;
use limner_types::result::{BorderToken, CompositeTokens, TextStyleToken, TokenGroup, TransitionToken};

/// Returns the composite values; `None` if there are none.
pub(crate) fn write(styles: &[ElementStyle], composites: &Composites) -> Option<CompositeTokens> {
    let typography = styles.iter().filter_map(|style| Some((style.part.to_owned(), text_style(style)?))).collect();
    let border = |(border, used): &(_, usize)| {
        let crate::value_counter::Border { width, style, color } = border;
        let token = BorderToken { width: width.clone(), style: style.clone(), color: color.clone(), used: *used };
        (border.css(), token)
    };
    let transition = |(transition, used): &(_, usize)| {
        let crate::value_counter::Transition { duration, easing, delay } = transition;
        let token =
            TransitionToken { duration: duration.clone(), easing: easing.clone(), delay: delay.clone(), used: *used };
        (transition.css(), token)
    };
    let tokens = CompositeTokens {
        typography,
        borders: TokenGroup(composites.borders.iter().map(border).collect()),
        transitions: TokenGroup(composites.transitions.iter().map(transition).collect()),
    };
    (tokens != CompositeTokens::default()).then_some(tokens)
}

/// Returns a text style; `None` if a style is none of text.
fn text_style(style: &ElementStyle) -> Option<TextStyleToken> {
    let value = |longhand| style.value(longhand).map(str::to_owned);
    let token = TextStyleToken {
        font_family: value(Longhand::FontFamily),
        font_size: value(Longhand::FontSize),
        font_weight: value(Longhand::FontWeight),
        line_height: value(Longhand::LineHeight),
        letter_spacing: value(Longhand::LetterSpacing),
        used: style.elements,
    };
    has_text_style(style).then_some(token)
}

/// Returns true if a style is one of text: it has a family or a size.
pub(super) fn has_text_style(style: &ElementStyle) -> bool {
    [Longhand::FontFamily, Longhand::FontSize].iter().any(|longhand| style.value(*longhand).is_some())
}
