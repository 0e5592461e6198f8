//! The root's font size as every `rem` on a page has it, where it changes with the window: no number of pixels stands for it.

use super::{Computing, Specified, Styles};
use crate::property::Longhand;
use crate::value::component::Component;
use foldhash::{HashMap, HashMapExt};

/// What one `rem` of the page is elsewhere, where a `rem` is 16 pixels.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Rem {
    /// The same.
    Same,
    /// So many pixels.
    Pixels(f64),
    /// A length that depends on the window: `clamp(14px, 1.2vw, 20px)`.
    Fluid(Component),
}

impl Rem {
    /// So many of the page's `rem`.
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
    /// The root's font size where it changes with the window.
    pub(super) fn fluid_root(&self) -> Option<&Component> {
        let read = || {
            let root = self.index.document.document_element()?;
            let blocks = self.blocks(root, None, None, &|_| None);
            self.computing(root, None, None, &blocks, |computing| computing.fluid_size())
        };
        self.fluid_root.get_or_init(read).as_ref()
    }

    /// Whether the root's font size changes with the window.
    pub fn has_fluid_root(&self) -> bool {
        self.fluid_root().is_some()
    }
}

impl Computing<'_> {
    fn fluid_size(&mut self) -> Option<Component> {
        self.run(&mut HashMap::new());
        let winners = self.winners(false);
        match self.decide(Longhand::FontSize, false, &winners, &mut HashMap::new()) {
            Specified::Components(value, _) => match &*value {
                [one] if depends_on_window(one) => elsewhere(one),
                _ => None,
            },
            Specified::Inherit | Specified::Initial => None,
        }
    }
}

fn depends_on_window(component: &Component) -> bool {
    match component {
        Component::Dimension { unit, .. } => is_of_window(unit),
        Component::Function { arguments, .. } => arguments.iter().any(depends_on_window),
        Component::Block(_, inner) => inner.iter().any(depends_on_window),
        _ => false,
    }
}

fn is_of_window(unit: &str) -> bool {
    let unit = unit.strip_prefix(['s', 'l', 'd']).unwrap_or(unit);
    matches!(unit, "vw" | "vh" | "vi" | "vb" | "vmin" | "vmax")
}

/// A font size of the root as a length that means the same for any element: what is relative there is so to 16 pixels.
fn elsewhere(component: &Component) -> Option<Component> {
    let all = |list: &[Component]| list.iter().map(elsewhere).collect::<Option<Vec<_>>>();
    Some(match component {
        Component::Percentage(share) => Component::px(share * 0.16),
        Component::Dimension { value, unit } if matches!(&**unit, "em" | "rem") => Component::px(value * 16.0),
        Component::Dimension { unit, .. } if is_of_window(unit) || &**unit == "px" => component.clone(),
        Component::Number { .. } | Component::Comma | Component::Delim(_) => component.clone(),
        Component::Function { name, arguments } if matches!(&**name, "calc" | "clamp" | "max" | "min") => {
            Component::function(name, all(arguments)?)
        }
        Component::Block(open, inner) => Component::Block(*open, all(inner)?),
        _ => return None,
    })
}
