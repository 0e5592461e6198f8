//! Lengths that are relative to a container (`cqw`, …): if the container is in the section, they have the same meaning
//! in the component.

use crate::capture::context::SectionContext;
use crate::capture::environments::EnvId;
use limner_component_model::model::ElementId;
use limner_style::property::Longhand;

impl SectionContext<'_> {
    /// Returns true if a value of an element (or, with `is_inside`, of its contents) is relative to a container in the
    /// section.
    pub(crate) fn is_relative_to_own_container(
        &self,
        element: ElementId,
        is_inside: bool,
        env: EnvId,
        value: &str,
    ) -> bool {
        let parent = |id: &ElementId| self.tree.origins[id.0].parent;
        let ancestors = std::iter::successors(Some(element), parent).skip(usize::from(!is_inside));
        let is_container = |id: ElementId| self.computed[id.0][env].get(Longhand::ContainerType) != "normal";
        has_container_unit(value) && ancestors.into_iter().any(is_container)
    }
}

/// Returns true for `50cqw` and `calc(1rem + 2cqi)`.
fn has_container_unit(value: &str) -> bool {
    let bytes = value.as_bytes();
    let follows_number = |at: usize| at > 0 && (bytes[at - 1].is_ascii_digit() || bytes[at - 1] == b'.');
    value.match_indices("cq").any(|(at, _)| {
        let rest = &value[at + 2..];
        follows_number(at) && ["w", "h", "i", "b", "min", "max"].iter().any(|unit| rest.starts_with(unit))
    })
}

#[cfg(test)]
mod tests;
