//! Finds controls that the page leaves to the browser to draw. A browser draws a control natively unless an author's
//! rule sets its background, border or corners, and preflight does. `revert` undoes that.

use super::style_pair::StylePair;
use crate::capture::environments::EnvMap;
use limner_style::Origin;
use limner_style::property::Longhand as L;
use limner_style::selector::PseudoElement as Pseudo;

/// The properties with which an author's rule disables native drawing.
pub(crate) const DRAWN: [L; 17] = [
    L::BackgroundColor,
    L::BorderTopWidth,
    L::BorderTopStyle,
    L::BorderTopColor,
    L::BorderRightWidth,
    L::BorderRightStyle,
    L::BorderRightColor,
    L::BorderBottomWidth,
    L::BorderBottomStyle,
    L::BorderBottomColor,
    L::BorderLeftWidth,
    L::BorderLeftStyle,
    L::BorderLeftColor,
    L::BorderTopLeftRadius,
    L::BorderTopRightRadius,
    L::BorderBottomRightRadius,
    L::BorderBottomLeftRadius,
];

/// Returns true if the browser draws a control natively in all environments.
pub(crate) fn is_native(tag: &str, pseudo: Option<Pseudo>, seen: &EnvMap<StylePair>) -> bool {
    let is_bar = pseudo.is_none() && matches!(tag, "progress" | "meter");
    let is_control = match pseudo {
        None => is_bar || matches!(tag, "button" | "input" | "select" | "textarea"),
        Some(pseudo) => pseudo == Pseudo::FileSelectorButton,
    };
    is_control
        && seen.iter().all(|seen| {
            let own = &seen.specification;
            let is_left_alone = |longhand: L| own.get(longhand).is_none_or(|own| own.origin == Origin::UserAgent);
            let is_drawn = is_bar || own.style.get(L::BorderTopStyle) != "none";
            is_drawn
                && own.style.get(L::Appearance) != "none"
                && is_left_alone(L::BackgroundImage)
                && DRAWN.iter().all(|longhand| is_left_alone(*longhand))
        })
}
