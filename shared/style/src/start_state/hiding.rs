//! Values that hide an element, and those that accompany them at the start of an entrance.

use crate::cascade::ComputedStyle;
use crate::property::{DeclaredValue, Longhand};
use crate::sheet::{Declaration, DeclarationMeaning};
use crate::value::Component;
use crate::value::component::serialize;

/// Maximum opacity of a hidden element: Framer starts at 0.001, others at 0.01.
const MAX_OPACITY: f64 = 0.05;

/// The properties that hide an element whose box stays.
const HIDING: [Longhand; 4] = [Longhand::Opacity, Longhand::Visibility, Longhand::ClipPath, Longhand::Transform];

/// The properties that an entrance animates besides.
const COMPANIONS: [Longhand; 8] = [
    Longhand::Transform,
    Longhand::Translate,
    Longhand::Rotate,
    Longhand::Scale,
    Longhand::Filter,
    Longhand::ClipPath,
    Longhand::PointerEvents,
    Longhand::WillChange,
];

pub(super) fn is_none(value: &[Component]) -> bool {
    matches!(value, [only] if only.is_ident("none"))
}

pub(super) fn is_companion(longhand: Longhand) -> bool {
    COMPANIONS.contains(&longhand)
}

/// Returns true if the value of a longhand hides the element.
pub(super) fn hides(longhand: Longhand, value: &[Component]) -> bool {
    match (longhand, value) {
        (Longhand::Opacity, [Component::Number { value, .. }]) => *value <= MAX_OPACITY,
        (Longhand::Opacity, [Component::Percentage(value)]) => *value <= MAX_OPACITY * 100.0,
        (Longhand::Visibility, [word]) => word.is_ident("hidden"),
        (Longhand::ClipPath, [Component::Function { name, arguments }]) => match &**name {
            "inset" => arguments.iter().any(|edge| matches!(edge, Component::Percentage(share) if *share >= 99.0)),
            "circle" | "ellipse" => arguments.first().is_some_and(is_zero),
            _ => false,
        },
        (Longhand::Transform, functions) => functions.iter().any(|function| match function {
            Component::Function { name, arguments } if name.starts_with("scale") => arguments.iter().any(is_zero),
            Component::Function { name, arguments } if name.starts_with("translate") => arguments.iter().any(is_far),
            _ => false,
        }),
        _ => false,
    }
}

/// Returns true if the value of a longhand shows the element.
pub(super) fn shows(longhand: Longhand, value: &[Component]) -> bool {
    match (longhand, value) {
        (Longhand::Opacity, [Component::Number { value, .. }]) => *value >= 0.9,
        (Longhand::Visibility, [word]) => word.is_ident("visible"),
        _ => false,
    }
}

/// Returns true for an invisible element in whose place another one is faint: a watermark below the picture that the
/// visitor uncovers.
pub(super) fn is_fainter_than(style: &ComputedStyle, other: &ComputedStyle) -> bool {
    const MIN_WATERMARK: f64 = 0.02;
    let opacity = |style: &ComputedStyle| style.get(Longhand::Opacity).parse::<f64>().ok();
    opacity(style) == Some(0.0) && opacity(other).is_some_and(|opacity| opacity >= MIN_WATERMARK)
}

fn is_zero(component: &Component) -> bool {
    match component {
        Component::Number { value, .. } | Component::Percentage(value) | Component::Dimension { value, .. } => {
            *value == 0.0
        }
        _ => false,
    }
}

/// Returns the longhands of a declaration with their values, those with `var()` as `None`.
pub(super) fn values(declaration: &Declaration) -> impl Iterator<Item = (Longhand, Option<&[Component]>)> {
    let list = match &declaration.effect {
        DeclarationMeaning::Longhands(list) => &list[..],
        _ => &[],
    };
    list.iter().filter_map(|declared| match &declared.value {
        DeclaredValue::Components(value) => Some((declared.longhand, Some(&value[..]))),
        DeclaredValue::Pending => Some((declared.longhand, None)),
        DeclaredValue::Wide(_) => None,
    })
}

/// Returns true if a declaration hides the element, or may do so once its `var()` is known.
pub(super) fn may_hide(declaration: &Declaration) -> bool {
    values(declaration).any(|(longhand, value)| match value {
        Some(value) => hides(longhand, value),
        None => matches!(longhand, Longhand::Opacity | Longhand::Visibility),
    })
}

/// Returns the property by which an element's own declarations hide it.
pub(super) fn hidden_by(style: &ComputedStyle, parent: Option<&ComputedStyle>) -> Option<Longhand> {
    HIDING.into_iter().find(|longhand| {
        let inherits = *longhand == Longhand::Visibility
            && parent.is_some_and(|parent| parent.get(Longhand::Visibility) == "hidden");
        let value = style.get(*longhand);
        !inherits
            && value != "none"
            && crate::value::parse_components(value).is_some_and(|value| match longhand {
                // Computed transforms without percentages are matrices.
                Longhand::Transform => hides(*longhand, &value) || is_flat_matrix(&value) || is_far_matrix(&value),
                _ => hides(*longhand, &value),
            })
    })
}

/// Minimum distance in CSS pixels at which no viewport shows a box.
const FAR: f64 = 9_000.0;

fn is_far(component: &Component) -> bool {
    matches!(component, Component::Number { value, .. } | Component::Dimension { value, .. } if value.abs() >= FAR)
}

fn is_far_matrix(value: &[Component]) -> bool {
    matches!(value, [Component::Function { name, arguments }] if name.starts_with("matrix") && arguments.iter().any(is_far))
}

/// Returns true if a transform moves the box to where no viewport shows it.
pub(super) fn is_out_of_sight(style: &ComputedStyle) -> bool {
    let value = style.get(Longhand::Transform);
    value != "none" && crate::value::parse_components(value).is_some_and(|value| is_far_matrix(&value))
}

/// Returns true for the matrix of `scale(0)`, `scaleX(0)` or `scaleY(0)`.
fn is_flat_matrix(value: &[Component]) -> bool {
    let [Component::Function { name, arguments }] = value else { return false };
    let numbers: Vec<f64> = arguments
        .iter()
        .filter_map(|argument| match argument {
            Component::Number { value, .. } => Some(*value),
            _ => None,
        })
        .collect();
    match (&**name, numbers.as_slice()) {
        ("matrix", [a, b, c, d, ..]) => (a * d - b * c).abs() < 1e-6,
        _ => false,
    }
}

/// Returns the functions of a transform that centre the element, if it has others besides: `translateX(-50%)
/// translateY(20px)` ends as `translateX(-50%)`. A transform that only centres is no start.
pub(super) fn centring(value: &[Component]) -> Option<String> {
    let is_half = |argument: &Component| matches!(argument, Component::Percentage(share) if *share == -50.0);
    let centres = |function: &&Component| matches!(function, Component::Function { name, arguments } if name.starts_with("translate") && arguments.iter().any(is_half));
    let kept: Vec<Component> = value.iter().filter(centres).cloned().collect();
    (!kept.is_empty()).then(|| serialize(&kept))
}
