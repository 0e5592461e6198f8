//! Fluid root font size: converts `rem` where the root's font size depends on the viewport, so that no number of pixels
//! equals it.

use super::{CascadeOutcome, StyleComputation, Styles};
use crate::property::{Flow, Longhand};
use crate::value::component::Component;
use foldhash::{HashMap, HashMapExt};

/// The value of one `rem` of the page on a page where a `rem` is 16 pixels.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FluidRem {
    /// The page's `rem` is 16 pixels too.
    Same,
    /// A number of pixels.
    Pixels(f64),
    /// A length that depends on the viewport: `clamp(14px, 1.2vw, 20px)`.
    Fluid(Component),
}

impl FluidRem {
    /// Returns `value` times the page's `rem`.
    pub(super) fn times(&self, value: f64) -> Component {
        match self {
            Self::Same => Component::Dimension { value, unit: "rem".into() },
            Self::Pixels(px) => Component::px(value * px),
            Self::Fluid(Component::Dimension { value: size, unit }) => {
                Component::Dimension { value: value * size, unit: unit.clone() }
            }
            Self::Fluid(_) if value == 0.0 => Component::px(0.0),
            Self::Fluid(size) if value == 1.0 => size.clone(),
            Self::Fluid(size) => {
                Component::function("calc", vec![Component::number(value), Component::Delim('*'), size.clone()])
            }
        }
    }
}

impl Styles<'_> {
    /// Returns the root's font size, if it depends on the viewport.
    pub(super) fn fluid_root(&self) -> Option<&Component> {
        let read = || {
            let root = self.index.document.document_element()?;
            let blocks = self.blocks(root, None, None, &|_| None);
            self.computing(root, None, None, &blocks, |computing| computing.fluid_size())
        };
        self.fluid_root.get_or_init(read).as_ref()
    }

    /// Returns true if the root's font size depends on the viewport.
    pub fn has_fluid_root(&self) -> bool {
        self.fluid_root().is_some()
    }
}

impl StyleComputation<'_> {
    fn fluid_size(&mut self) -> Option<Component> {
        self.compute(&mut HashMap::new());
        let winners = self.winners(Flow::default());
        match self.decide(Longhand::FontSize, Flow::default(), &winners, &mut HashMap::new()) {
            CascadeOutcome::Components(value, _) => match &*value {
                [one] if depends_on_viewport(one) => with_initial_font_size(one),
                _ => None,
            },
            CascadeOutcome::Inherit | CascadeOutcome::Initial => None,
        }
    }
}

fn depends_on_viewport(component: &Component) -> bool {
    match component {
        Component::Dimension { unit, .. } => is_viewport_unit(unit),
        Component::Function { arguments, .. } => arguments.iter().any(depends_on_viewport),
        Component::Block(_, inner) => inner.iter().any(depends_on_viewport),
        _ => false,
    }
}

fn is_viewport_unit(unit: &str) -> bool {
    let unit = unit.strip_prefix(['s', 'l', 'd']).unwrap_or(unit);
    matches!(unit, "vw" | "vh" | "vi" | "vb" | "vmin" | "vmax")
}

/// Rewrites a font size of the root so that it means the same for any element: relative units become multiples of 16
/// pixels.
fn with_initial_font_size(component: &Component) -> Option<Component> {
    let all = |list: &[Component]| list.iter().map(with_initial_font_size).collect::<Option<Vec<_>>>();
    Some(match component {
        Component::Percentage(share) => Component::px(share * 0.16),
        Component::Dimension { value, unit } if matches!(&**unit, "em" | "rem") => Component::px(value * 16.0),
        Component::Dimension { unit, .. } if is_viewport_unit(unit) || &**unit == "px" => component.clone(),
        Component::Number { .. } | Component::Comma | Component::Delim(_) => component.clone(),
        Component::Function { name, arguments } if matches!(&**name, "calc" | "clamp" | "max" | "min") => {
            Component::function(name, all(arguments)?)
        }
        Component::Block(open, inner) => Component::Block(*open, all(inner)?),
        _ => return None,
    })
}
