//! The context in which one element's specified values are computed.

use super::computed_style::ComputedStyle;
use crate::color::{self, Color, ColorContext};
use crate::environment::Environment;
use crate::value::Lengths;
use crate::value::address::{INVALID_ADDRESS, runs_script};
use crate::value::component::Component;
use crate::value::math::{self, Kind, Quantity};
use url::Url;

/// The styles and lengths that values are computed against.
pub(crate) struct ComputeContext<'c> {
    pub(crate) style: &'c ComputedStyle,
    pub(crate) parent: &'c ComputedStyle,
    pub(crate) lengths: Lengths,
    base: Option<&'c str>,
}

impl<'c> ComputeContext<'c> {
    pub(crate) fn new(
        style: &'c ComputedStyle,
        parent: &'c ComputedStyle,
        environment: &Environment,
        base: Option<&'c str>,
    ) -> Self {
        Self { style, parent, lengths: style.lengths(environment), base }
    }

    pub(crate) fn color(&self, component: &Component) -> Option<Color> {
        let context =
            ColorContext { current: Some(self.style.color), scheme: self.style.scheme, lengths: &self.lengths };
        color::parse_component(component, &context)
    }

    pub(crate) fn quantity(&self, component: &Component) -> Option<Quantity> {
        math::quantity(component, &self.lengths)
    }

    /// Returns the pixels of a length, zero included.
    pub(crate) fn px(&self, component: &Component) -> Option<f64> {
        let found = self.quantity(component).filter(|q| !q.opaque)?;
        (found.kind == Kind::Length || (found.kind == Kind::Number && found.value == 0.0)).then_some(found.value)
    }

    /// Returns a URL as absolute, if the stylesheet's URL is known.
    pub(super) fn absolute(&self, address: &str) -> String {
        if runs_script(address) {
            return INVALID_ADDRESS.to_owned();
        }
        let joined = self.base.and_then(|base| Url::parse(base).ok()?.join(address).ok());
        joined.map_or_else(|| address.to_owned(), String::from)
    }
}
