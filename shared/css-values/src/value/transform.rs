//! The grammar of transform functions (CSS Transforms 1, section 7, and 2, section 12).

use super::component::{Component, split_commas};
use super::types::Type;

/// Returns true for a transform function whose arguments have the right number and types.
pub(super) fn is_transform_function(component: &Component) -> bool {
    let Some((name, arguments)) = component.as_function() else { return false };
    let (least, types): (usize, &[Type]) = match name {
        "matrix" => (6, &[Type::Number; 6]),
        "matrix3d" => (16, &[Type::Number; 16]),
        "translate" => (1, &[Type::LengthPercentage; 2]),
        "translatex" | "translatey" => (1, &[Type::LengthPercentage]),
        "translatez" | "perspective" => (1, &[Type::Length]),
        "translate3d" => (3, &[Type::LengthPercentage, Type::LengthPercentage, Type::Length]),
        "scale" => (1, &[Type::Number; 2]),
        "scalex" | "scaley" | "scalez" => (1, &[Type::Number]),
        "scale3d" => (3, &[Type::Number; 3]),
        "rotate" | "rotatex" | "rotatey" | "rotatez" | "skewx" | "skewy" => (1, &[Type::Angle]),
        "skew" => (1, &[Type::Angle; 2]),
        "rotate3d" => (4, &[Type::Number, Type::Number, Type::Number, Type::Angle]),
        _ => return false,
    };
    let parts = split_commas(arguments);
    let fits = |part: &[Component], own: Type| match part {
        [Component::Percentage(_)] => own == Type::LengthPercentage || name.starts_with("scale"),
        [Component::Ident(word)] => name == "perspective" && word.eq_ignore_ascii_case("none"),
        // The type of a function is not always known before its value (`if()`, `attr()`).
        [only] => only.as_function().is_some() || own.matches(only, false),
        _ => false,
    };
    (least..=types.len()).contains(&parts.len()) && parts.iter().zip(types).all(|(part, own)| fits(part, *own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::parse_components;

    #[test]
    fn transforms_1_section_7_arguments_have_their_types() {
        for (text, expected) in [
            ("translate(1px)", true),
            ("translate(-50%, 2em)", true),
            ("translate(0, 0)", true),
            ("translate(10, 0)", false),
            ("translate(1px 2px)", false),
            ("translate(1px, 2px, 3px)", false),
            ("translate3d(0, 10%, 0)", true),
            ("translate3d(null, -400%, 0)", false),
            ("translate3d(0, 0, 10%)", false),
            ("translate3d(0, 0)", false),
            ("translateZ(10%)", false),
            ("translateX(calc(100% - 1px))", true),
            ("scale(1.5)", true),
            ("scale(50%, 2)", true),
            ("scale(1px)", false),
            ("scale3d(1, 1, 1)", true),
            ("rotate(45deg)", true),
            ("rotate(0)", true),
            ("rotate(45)", false),
            ("rotate3d(0, 1, 0, 1turn)", true),
            ("skew(1deg, 2deg)", true),
            ("matrix(1, 0, 0, 1, 10, 20)", true),
            ("matrix(1, 0, 0, 1, 10)", false),
            ("perspective(500px)", true),
            ("perspective(none)", true),
            ("rotate()", false),
            ("rotate(if(style(--a: 1): 1deg; else: 2deg))", true),
            ("turn(1deg)", false),
            ("none", false),
        ] {
            let components = parse_components(text).unwrap();
            assert_eq!(is_transform_function(&components[0]), expected, "{text}");
        }
    }
}
