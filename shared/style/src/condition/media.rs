//! Media queries (Media Queries 4 and 5).

use super::expression::{Comparison, ConditionExpression, Feature, parse};
use super::{ConditionTest, requirements};
use crate::color::Scheme;
use crate::environment::Environment;
use crate::value::component::{serialize, split_commas};
use crate::value::math::{Kind, quantity};
use crate::value::{Component, Lengths, parse_components};
use std::sync::Arc;

/// A list of media queries: it matches if any of them does.
#[derive(Debug, Clone)]
pub(crate) struct MediaQueryList {
    queries: Vec<MediaQuery>,
}

#[derive(Debug, Clone)]
struct MediaQuery {
    negated: bool,
    /// Lower case; `None` for a query without type.
    medium: Option<Box<str>>,
    condition: Option<ConditionExpression<Feature>>,
    /// A syntax error makes the query `not all`.
    invalid: bool,
}

impl MediaQueryList {
    /// Parses a media query list to a test.
    pub(crate) fn test(text: &str) -> ConditionTest {
        ConditionTest::Media(Arc::new(Self::parse(text)))
    }

    pub(crate) fn parse(text: &str) -> Self {
        let Some(components) = parse_components(text) else {
            return Self { queries: vec![MediaQuery::invalid()] };
        };
        if components.is_empty() {
            return Self { queries: Vec::new() };
        }
        let queries = split_commas(&components).into_iter();
        Self { queries: queries.map(|words| MediaQuery::parse(words).unwrap_or_else(MediaQuery::invalid)).collect() }
    }

    /// Returns true if no query of the list matches a screen.
    pub(super) fn is_print_only(&self) -> bool {
        let on_paper = |query: &MediaQuery| match query.medium.as_deref() {
            Some("print") => !query.negated,
            Some("screen") => query.negated && query.condition.is_none(),
            _ => false,
        };
        !self.queries.is_empty() && self.queries.iter().all(on_paper)
    }

    /// Returns the colour scheme that every query of the list requires.
    pub(super) fn scheme(&self) -> Option<Scheme> {
        let mut schemes = self.queries.iter().map(MediaQuery::scheme);
        let first = schemes.next()??;
        schemes.all(|scheme| scheme == Some(first)).then_some(first)
    }

    /// Visits every feature; the flag is true if it is negated.
    pub(super) fn visit_features(&self, visit: &mut dyn FnMut(&Feature, bool)) {
        for query in &self.queries {
            if let Some(condition) = &query.condition {
                requirements::visit_features(condition, query.negated, visit);
            }
        }
    }

    pub(crate) fn matches(&self, environment: &Environment) -> bool {
        self.queries.is_empty() || self.queries.iter().any(|query| query.matches(environment))
    }
}

impl MediaQuery {
    fn invalid() -> Self {
        Self { negated: false, medium: None, condition: None, invalid: true }
    }

    fn parse(words: &[Component]) -> Option<Self> {
        if let Some(condition) = parse(words, true, &leaf) {
            return Some(Self { negated: false, medium: None, condition: Some(condition), invalid: false });
        }
        let (negated, words) = match words {
            [first, rest @ ..] if first.is_ident("not") => (true, rest),
            [first, rest @ ..] if first.is_ident("only") => (false, rest),
            words => (false, words),
        };
        let (medium, rest) = words.split_first()?;
        let medium = medium.as_ident()?.to_ascii_lowercase();
        if matches!(medium.as_str(), "not" | "only" | "and" | "or" | "layer") {
            return None;
        }
        let condition = match rest {
            [] => None,
            [and, condition @ ..] if and.is_ident("and") => Some(parse(condition, false, &leaf)?),
            _ => return None,
        };
        Some(Self { negated, medium: Some(medium.into()), condition, invalid: false })
    }

    fn scheme(&self) -> Option<Scheme> {
        let mut found = None;
        requirements::visit_features(self.condition.as_ref()?, self.negated, &mut |feature, negated| {
            found = found.or_else(|| requirements::scheme(feature, negated));
        });
        found
    }

    fn matches(&self, environment: &Environment) -> bool {
        if self.invalid {
            return false;
        }
        let own = if environment.print { "print" } else { "screen" };
        let medium = self.medium.as_deref().is_none_or(|medium| medium == "all" || medium == own);
        let condition = match &self.condition {
            None => Some(true),
            Some(condition) => condition.evaluate(&|feature| evaluate(feature, environment)),
        };
        // Unknown is false, and so is its negation.
        match (medium, condition) {
            (false, _) => self.negated,
            (true, Some(value)) => value != self.negated,
            (true, None) => false,
        }
    }
}

/// Returns the media query of `media(width > 600px)` in `if()`, from the function's arguments.
pub(crate) fn media_of_function(arguments: &[Component]) -> String {
    let is_feature = arguments.iter().any(|word| matches!(word, Component::Delim(':' | '<' | '>' | '=')));
    let query = serialize(arguments);
    if is_feature { format!("({query})") } else { query }
}

fn leaf(component: &Component) -> Option<ConditionExpression<Feature>> {
    match component {
        Component::Block('(', words) => {
            if let Some(nested) =
                parse(words, true, &leaf).filter(|_| !matches!(words.as_slice(), [Component::Ident(_)]))
            {
                return Some(nested);
            }
            Some(Feature::parse(words).map_or(ConditionExpression::Unknown, ConditionExpression::Feature))
        }
        Component::Function { .. } => Some(ConditionExpression::Unknown),
        _ => None,
    }
}

/// Evaluates a feature; returns `None` if feature or value are unknown.
fn evaluate(feature: &Feature, environment: &Environment) -> Option<bool> {
    if let Some(own) = number(&feature.name, environment) {
        return range(feature, own, environment);
    }
    let keyword = keyword(&feature.name, environment)?;
    match feature.bounds.as_slice() {
        [] => Some(!matches!(keyword, "none" | "no-preference" | "slow" | "auto")),
        [(Comparison::Equal, value)] => match value.as_slice() {
            [Component::Ident(wanted)] => {
                let wanted = wanted.to_ascii_lowercase();
                let known = allowed(&feature.name).contains(&wanted.as_str());
                known.then(|| wanted == keyword || (feature.name.as_ref() == "color-gamut" && wanted == "srgb"))
            }
            _ => None,
        },
        _ => None,
    }
}

fn range(feature: &Feature, own: f64, environment: &Environment) -> Option<bool> {
    if feature.bounds.is_empty() {
        return Some(own != 0.0);
    }
    let mut all = true;
    for (comparison, value) in &feature.bounds {
        all &= comparison.holds(own, measure(&feature.name, value, environment)?);
    }
    Some(all)
}

/// Returns the value of a range feature.
fn number(name: &str, environment: &Environment) -> Option<f64> {
    Some(match name {
        "width" | "device-width" => environment.width,
        "height" | "device-height" => environment.height,
        "aspect-ratio" | "device-aspect-ratio" => environment.width / environment.height.max(1.0),
        "resolution" | "-webkit-device-pixel-ratio" => environment.resolution,
        "color" => 8.0,
        "color-index" | "monochrome" => 0.0,
        "grid" => 0.0,
        "horizontal-viewport-segments" | "vertical-viewport-segments" => 1.0,
        "-webkit-transform-3d" => 1.0,
        _ => return None,
    })
}

/// Converts a value that a range feature is compared with.
pub(super) fn measure(name: &str, value: &[Component], environment: &Environment) -> Option<f64> {
    let lengths = Lengths::initial(environment.width, environment.height);
    let number = |component: &Component| quantity(component, &lengths).filter(|q| !q.opaque);
    match (name, value) {
        ("aspect-ratio" | "device-aspect-ratio", [a, Component::Slash, b]) => {
            let (a, b) = (number(a)?, number(b)?);
            (a.kind == Kind::Number && b.kind == Kind::Number).then(|| a.value / b.value)
        }
        ("width" | "height" | "device-width" | "device-height", [length]) => {
            let length = number(length)?;
            (length.kind == Kind::Length || (length.kind == Kind::Number && length.value == 0.0))
                .then_some(length.value)
        }
        ("resolution", [resolution]) => match resolution {
            component if component.is_ident("infinite") => Some(f64::INFINITY),
            component => number(component).filter(|q| q.kind == Kind::Resolution).map(|q| q.value),
        },
        (_, [number_value]) => number(number_value).filter(|q| q.kind == Kind::Number).map(|q| q.value),
        _ => None,
    }
}

/// Returns the value of a discrete feature.
fn keyword(name: &str, environment: &Environment) -> Option<&'static str> {
    Some(match name {
        "orientation" => {
            if environment.height >= environment.width {
                "portrait"
            } else {
                "landscape"
            }
        }
        "prefers-color-scheme" => {
            if environment.scheme == Scheme::Dark {
                "dark"
            } else {
                "light"
            }
        }
        "prefers-reduced-motion" => {
            if environment.reduced_motion {
                "reduce"
            } else {
                "no-preference"
            }
        }
        "prefers-reduced-transparency" | "prefers-reduced-data" | "prefers-contrast" => "no-preference",
        "forced-colors" | "inverted-colors" | "nav-controls" => "none",
        "hover" | "any-hover" => {
            if environment.touch {
                "none"
            } else {
                "hover"
            }
        }
        "pointer" | "any-pointer" => {
            if environment.touch {
                "coarse"
            } else {
                "fine"
            }
        }
        "scripting" => {
            if environment.scripting {
                "enabled"
            } else {
                "none"
            }
        }
        "update" => "fast",
        "overflow-block" => {
            if environment.print {
                "paged"
            } else {
                "scroll"
            }
        }
        "overflow-inline" => "scroll",
        "color-gamut" => "srgb",
        "video-color-gamut" => "srgb",
        "dynamic-range" | "video-dynamic-range" => "standard",
        "display-mode" => "browser",
        "scan" => "progressive",
        "environment-blending" => "opaque",
        "device-posture" => "continuous",
        _ => return None,
    })
}

/// Returns the valid keywords of a discrete feature.
fn allowed(name: &str) -> &'static [&'static str] {
    match name {
        "orientation" => &["portrait", "landscape"],
        "prefers-color-scheme" => &["light", "dark"],
        "prefers-reduced-motion" | "prefers-reduced-transparency" | "prefers-reduced-data" => {
            &["reduce", "no-preference"]
        }
        "prefers-contrast" => &["no-preference", "more", "less", "custom"],
        "forced-colors" => &["none", "active"],
        "inverted-colors" => &["none", "inverted"],
        "nav-controls" => &["none", "back"],
        "hover" | "any-hover" => &["none", "hover"],
        "pointer" | "any-pointer" => &["none", "coarse", "fine"],
        "scripting" => &["none", "initial-only", "enabled"],
        "update" => &["none", "slow", "fast"],
        "overflow-block" => &["none", "scroll", "paged"],
        "overflow-inline" => &["none", "scroll"],
        "color-gamut" | "video-color-gamut" => &["srgb", "p3", "rec2020"],
        "dynamic-range" | "video-dynamic-range" => &["standard", "high"],
        "display-mode" => {
            &["fullscreen", "standalone", "minimal-ui", "browser", "picture-in-picture", "window-controls-overlay"]
        }
        "scan" => &["interlace", "progressive"],
        "environment-blending" => &["opaque", "additive", "subtractive"],
        "device-posture" => &["continuous", "folded"],
        _ => &[],
    }
}
