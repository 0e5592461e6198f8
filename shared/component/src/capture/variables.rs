//! The custom properties of the page that a component keeps: declarations refer to them (`var(--brand)`), and the root
//! declares each of them once, with its values in other environments (`docs/adr/0016`).

use super::context::SectionContext;
use super::environments::{EnvId, EnvMap};
use limner_component_model::css::stylesheet::is_self_contained;
use limner_component_model::model::Baseline;
use limner_style::{ComputedStyle, Variable, VariableKind};
use std::sync::Arc;

/// Maximum length of a custom property's name, and of its value, in bytes.
const MAX_NAME_BYTES: usize = 40;
const MAX_VALUE_BYTES: usize = 400;

/// Beginnings of the names by which frameworks and page builders pass values among their own parts.
const FRAMEWORK_PREFIXES: &[&str] = &[
    "--tw-",
    "--un-",
    "--wp-",
    "--e-",
    "--framer-",
    "--bs-",
    "--chakra-",
    "--mantine-",
    "--mdc-",
    "--md-",
    "--ion-",
    "--fa-",
    "--swiper-",
    "--gcid-",
    "--ast-",
    "--ct-",
    "--default-",
    "--_",
];

/// The custom properties that declarations may refer to, with their values on the root.
#[derive(Default)]
pub(super) struct PageVariables {
    values: EnvMap<Vec<Variable>>,
}

impl PageVariables {
    /// Returns the custom properties of the section's root, but `left_out`, that a reviewer would want to keep.
    /// `scales_rem`: a `rem` of the page is not the same everywhere.
    pub(super) fn from_section(context: &SectionContext<'_>, left_out: &[&str], scales_rem: bool) -> Self {
        let (environments, request) = (context.environments, context.request);
        let styles = environments.envs().map(|env| environments.page_styles(request, env).get(request.section));
        let Some(roots) = styles.collect::<Option<Vec<Arc<ComputedStyle>>>>() else { return Self::default() };
        let base = roots.first().map(|root| root.custom_properties()).unwrap_or_default();
        let named = base.into_iter().filter(|(name, _)| is_kept(name, request.baseline) && !left_out.contains(name));
        let kept = named.filter_map(|(name, value)| {
            let kind = kind(value, request.baseline, scales_rem)?;
            let mut others = roots.iter().map(|root| root.custom_property(name));
            others
                .all(|other| {
                    other.is_some_and(|other| {
                        other == value || self::kind(other, request.baseline, scales_rem) == Some(kind)
                    })
                })
                .then_some(name)
        });
        let names: Vec<&str> = kept.collect();
        let variables_of = |root: &Arc<ComputedStyle>| names.iter().filter_map(|name| variable(name, root)).collect();
        Self { values: roots.iter().map(variables_of).collect() }
    }

    /// Returns the custom properties with their values in an environment.
    pub(super) fn of_env(&self, env: EnvId) -> &[Variable] {
        self.values.get(env).map(Vec::as_slice).unwrap_or_default()
    }
}

fn variable(name: &str, root: &ComputedStyle) -> Option<Variable> {
    let value = root.custom_property(name)?.trim().to_owned();
    let scheme = value.contains("light-dark(").then(|| root.scheme());
    Some(Variable { name: name.to_owned(), value, scheme })
}

/// Returns the kind of a value, if the component may have it in a custom property. Utilities have names for lengths and
/// shadows, so that custom properties of theirs are for colours and fonts.
fn kind(value: &str, baseline: Baseline, scales_rem: bool) -> Option<VariableKind> {
    let lower = value.to_ascii_lowercase();
    let is_fixed = !(lower.contains("currentcolor") || lower.contains("url(") || (scales_rem && lower.contains("rem")));
    let is_writable = value.len() <= MAX_VALUE_BYTES && is_self_contained("--x", value);
    let kind = VariableKind::from_value(value).filter(|_| is_fixed && is_writable)?;
    let is_named_otherwise =
        baseline == Baseline::Preflight && !matches!(kind, VariableKind::Color | VariableKind::FontStack);
    (!is_named_otherwise).then_some(kind)
}

/// Returns true for names that people give: no channels of frameworks, no hashes, and none of Tailwind's own theme.
fn is_kept(name: &str, baseline: Baseline) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || (c == '_' && baseline == Baseline::Browser);
    name.len() <= MAX_NAME_BYTES
        && name.chars().all(is_plain)
        && !FRAMEWORK_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        && !name.split(['-', '_']).any(is_hash)
        && !(baseline == Baseline::Preflight && is_of_theme(name))
}

/// Returns true for a part of a name that no person has chosen: `a91f3c`.
fn is_hash(part: &str) -> bool {
    let digits = part.chars().filter(char::is_ascii_digit).count();
    part.len() >= 6 && digits >= 2 && digits < part.len()
}

/// Returns true for names that Tailwind's default theme declares, or may declare: utilities refer to them.
fn is_of_theme(name: &str) -> bool {
    const NAMESPACES: &[&str] = &[
        "color",
        "font",
        "text",
        "font-weight",
        "tracking",
        "leading",
        "breakpoint",
        "container",
        "spacing",
        "radius",
        "shadow",
        "inset-shadow",
        "drop-shadow",
        "text-shadow",
        "blur",
        "perspective",
        "aspect",
        "ease",
        "animate",
    ];
    const STEPS: &[&str] = &[
        "black", "white", "sans", "serif", "mono", "xs", "sm", "base", "md", "lg", "xl", "thin", "light", "normal",
        "medium", "bold", "tight", "loose",
    ];
    let Some(rest) = name.strip_prefix("--") else { return false };
    let of_namespace = NAMESPACES.iter().filter_map(|namespace| rest.strip_prefix(namespace));
    of_namespace.into_iter().any(|step| match step.strip_prefix('-') {
        None => step.is_empty(),
        Some(step) => {
            let shade = step.rsplit_once('-').map_or("", |(_, shade)| shade);
            let is_numbered = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
            STEPS.contains(&step) || is_numbered(step) || is_numbered(shade)
        }
    })
}

#[cfg(test)]
mod tests;
