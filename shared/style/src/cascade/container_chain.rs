//! The query containers around an element.

use super::custom_property_map::CustomProperties;
use crate::condition::container::Container;
use std::sync::Arc;

/// The query containers among an element's ancestors, from the innermost.
#[derive(Debug)]
pub(crate) struct ContainerChain {
    pub(super) names: Box<str>,
    pub(super) sized: bool,
    pub(super) width: f64,
    pub(super) custom: Arc<CustomProperties>,
    pub(super) outer: Option<Arc<ContainerChain>>,
}

impl ContainerChain {
    /// Returns the width of the nearest size container.
    pub(super) fn nearest_width(&self) -> Option<f64> {
        let mut at = Some(self);
        while let Some(container) = at {
            if container.sized {
                return Some(container.width);
            }
            at = container.outer.as_deref();
        }
        None
    }
}

impl Container for ContainerChain {
    fn width(&self) -> Option<f64> {
        self.sized.then_some(self.width)
    }

    fn custom(&self, name: &str) -> Option<String> {
        self.custom.get(&crate::selector::Atom::from(name)).map(|value| value.to_string())
    }
}
