//! Query containers (Conditional 5, section 5), with estimated widths, since no layout is available.

use super::Styles;
use super::computed_style::ComputedStyle;
use super::container_chain::ContainerChain;
use crate::ConditionId;
use crate::computed::BoxSizing;
use crate::condition::container::ContainerQuery;
use crate::condition::queried_features::ContainerSizeQuery;
use crate::property::Longhand;
use crate::value::Lengths;
use crate::value::component::{Component, parse_components};
use crate::value::math::{Kind, quantity};
use limner_page::NodeId;
use std::sync::Arc;

/// Results that size queries are assumed to have where their container is inside of a section.
#[derive(Debug, Clone, Default)]
pub struct AssumedContainers {
    /// The parent of the section; its containers and those around it are measured instead. `None`: all containers are
    /// inside.
    pub around: Option<NodeId>,
    /// The results, by the text of the query.
    pub results: Vec<(Arc<str>, bool)>,
}

/// Returns the container that a query of a child of `parent` is about.
fn queried<'p>(query: &ContainerQuery, parent: &'p ComputedStyle) -> Option<&'p Arc<ContainerChain>> {
    let mut containers = std::iter::successors(parent.containers.as_ref(), |container| container.outer.as_ref());
    containers.find(|container| {
        let named = query.name.as_deref().is_none_or(|name| container.names.split(' ').any(|own| own == name));
        named && (container.sized || !query.asks_size)
    })
}

impl Styles<'_> {
    /// Returns true if the container queries of a stack of conditions hold for a child of `parent`.
    pub(super) fn container_queries_hold(&self, condition: ConditionId, parent: Option<&Arc<ComputedStyle>>) -> bool {
        let Some(parent) = parent else { return false };
        let lengths = parent.lengths(&self.environment);
        self.index.sheets.conditions.containers(condition).all(|(query, text)| {
            queried(query, parent).is_some_and(|container| {
                let assumed = self.assumed_result(container, text);
                assumed.unwrap_or_else(|| query.matches(&**container, &lengths))
            })
        })
    }

    /// Returns the assumed result of a query; `None` if its container decides.
    fn assumed_result(&self, container: &Arc<ContainerChain>, text: &str) -> Option<bool> {
        let (_, result) = self.assumed.results.iter().find(|(query, _)| **query == *text)?;
        let around =
            self.assumed.around.and_then(|node| self.computed.get(node.index())?.as_ref()?.containers.as_ref());
        let mut outer = std::iter::successors(around, |container| container.outer.as_ref());
        outer.all(|outer| !Arc::ptr_eq(outer, container)).then_some(*result)
    }

    /// Returns true if a child of `node` has a size container.
    pub fn has_size_container(&mut self, node: NodeId) -> bool {
        let style = self.get(node);
        style.is_some_and(|style| style.containers.as_ref().is_some_and(|chain| chain.nearest_width().is_some()))
    }

    /// Returns for each query whether it holds for a child of `node`.
    pub fn container_query_results(&mut self, node: NodeId, queries: &[ContainerSizeQuery]) -> Vec<bool> {
        let Some(style) = self.get(node) else { return vec![false; queries.len()] };
        let lengths = style.lengths(&self.environment);
        let holds = |query: &ContainerQuery| queried(query, &style).is_some_and(|own| query.matches(&**own, &lengths));
        queries.iter().map(|query| holds(&query.query)).collect()
    }
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
        let number = |unit: &str| value.strip_suffix(unit).and_then(|number| number.parse::<f64>().ok());
        let px = number("px").or_else(|| number("%").map(|share| share / 100.0 * available));
        px.or_else(|| if value.ends_with(')') { calculated(value, available) } else { None })
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

/// Returns the pixels of a calculation in which percentages are of the available width: `min(100%, 1200px)`.
fn calculated(value: &str, available: f64) -> Option<f64> {
    let [calculation] = <[Component; 1]>::try_from(parse_components(value)?).ok()?;
    let measured = quantity(&with_share_of(&calculation, available), &Lengths::initial(available, available))?;
    (measured.kind == Kind::Length && !measured.opaque).then_some(measured.value)
}

/// Replaces percentages by pixels. Parsing caps the nesting, so the recursion is bounded.
fn with_share_of(component: &Component, available: f64) -> Component {
    let all = |list: &[Component]| list.iter().map(|inner| with_share_of(inner, available)).collect::<Vec<_>>();
    match component {
        Component::Percentage(share) => Component::px(share / 100.0 * available),
        Component::Function { name, arguments } => Component::function(name, all(arguments)),
        Component::Block(open, inner) => Component::Block(*open, all(inner)),
        other => other.clone(),
    }
}
