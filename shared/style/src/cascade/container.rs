//! Query containers (Conditional 5, section 5), with estimated widths, since no layout is available.

use super::computed_style::ComputedStyle;
use super::container_chain::ContainerChain;
use crate::computed::BoxSizing;
use crate::condition::container::ContainerQuery;
use crate::environment::Environment;
use crate::property::Longhand;
use std::sync::Arc;

/// Returns true if a query holds for a child of `parent`.
pub(crate) fn matches(query: &ContainerQuery, parent: Option<&Arc<ComputedStyle>>, environment: &Environment) -> bool {
    let Some(parent) = parent else { return false };
    let lengths = parent.lengths(environment);
    let mut at = parent.containers.as_ref();
    while let Some(container) = at {
        let named = query.name.as_deref().is_none_or(|name| container.names.split(' ').any(|own| own == name));
        if named && (container.sized || !query.asks_size) {
            return query.matches(&**container, &lengths);
        }
        at = container.outer.as_ref();
    }
    false
}

/// Estimates the element's width and makes it a container for its children. Every element can be queried for its style,
/// but only elements that set custom properties, a name or a type are recorded.
pub(crate) fn establish(style: &mut ComputedStyle, available: f64) {
    style.width_estimate = estimate(style, available);
    let kind = style.get(Longhand::ContainerType);
    let sized = kind.contains("size");
    let names: Box<str> = style.get(Longhand::ContainerName).into();
    let outer = style.containers.clone();
    let same_custom = outer.as_ref().is_some_and(|outer| Arc::ptr_eq(&outer.custom, &style.custom));
    if !sized && &*names == "none" && same_custom {
        return;
    }
    let (width, custom) = (style.width_estimate, style.custom.clone());
    style.containers = Some(Arc::new(ContainerChain { names, sized, width, custom, outer }));
}

/// Estimates the content width: the available width less margins, borders and padding, limited by `width` and
/// `max-width`.
fn estimate(style: &ComputedStyle, available: f64) -> f64 {
    let length = |longhand: Longhand| {
        let value = style.get(longhand);
        let px = value.strip_suffix("px").and_then(|number| number.parse::<f64>().ok());
        px.or_else(|| {
            value.strip_suffix('%').and_then(|number| number.parse::<f64>().ok()).map(|p| p / 100.0 * available)
        })
    };
    let sum = |longhands: &[Longhand]| longhands.iter().filter_map(|longhand| length(*longhand)).sum::<f64>();
    let edges =
        sum(&[Longhand::PaddingLeft, Longhand::PaddingRight, Longhand::BorderLeftWidth, Longhand::BorderRightWidth]);
    let margins = sum(&[Longhand::MarginLeft, Longhand::MarginRight]);
    let border_box = style.box_sizing() == BoxSizing::BorderBox;
    let content = |px: f64| if border_box { px - edges } else { px };
    let mut width = length(Longhand::Width).map_or(available - margins - edges, content);
    if let Some(max) = length(Longhand::MaxWidth) {
        width = width.min(content(max));
    }
    if let Some(min) = length(Longhand::MinWidth) {
        width = width.max(content(min));
    }
    width.max(0.0)
}
