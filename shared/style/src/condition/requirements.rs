//! Requirements of conditions that are known without an environment: colour schemes, print, widths.

use super::expression::{Comparison, ConditionExpression, Feature};
use super::{ConditionId, ConditionTest, Conditions};
use crate::color::Scheme;
use crate::value::component::{Component, serialize, serialize_authored};
use crate::value::math::{Kind, quantity};
use crate::value::{Lengths, format_decimal, parse_components};
use foldhash::{HashMap, HashMapExt};
use std::ops::Range;

/// The requirements of a stack of conditions on the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConditionRequirements {
    /// The colour scheme that `prefers-color-scheme` requires.
    pub scheme: Option<Scheme>,
    /// True if the stack only holds in print.
    pub print_only: bool,
    /// True if the stack never holds: a false `@supports`, or `@starting-style`.
    pub is_never: bool,
}

/// A width in a media or container query.
#[derive(Debug, Clone, PartialEq)]
pub struct WidthBound {
    /// In CSS pixels, rounded to printed precision; lengths are relative to the initial font size, as in media queries.
    pub px: f64,
    /// The length as written.
    pub original: String,
    /// True for a lower bound.
    pub is_minimum: bool,
    /// The single test: `(min-width: 48em)`, `(width < 600px)`; with `@container` before it in a container query.
    pub test: String,
    /// Index of the whole query, equal for queries with the same text.
    pub query: u32,
}

impl Conditions {
    pub(crate) fn facts(&self, id: ConditionId) -> ConditionRequirements {
        let mut facts = ConditionRequirements::default();
        for node in self.stack(id) {
            match &node.test {
                ConditionTest::Media(list) => {
                    facts.print_only |= list.is_print_only();
                    facts.scheme = facts.scheme.or_else(|| list.scheme());
                }
                ConditionTest::Supports(holds) => facts.is_never |= !holds,
                ConditionTest::Starting => facts.is_never = true,
                ConditionTest::Container(_) => {}
            }
        }
        facts
    }

    /// Returns the widths in conditions.
    pub(crate) fn width_bounds(&self, is_wanted: &dyn Fn(ConditionId) -> bool) -> Vec<WidthBound> {
        let mut found = Vec::new();
        let mut queries: HashMap<String, u32> = HashMap::new();
        // The bounds of each text: most stylesheets repeat the same queries.
        let mut known: HashMap<&str, Range<usize>> = HashMap::new();
        for (_, node) in self.iter().filter(|(id, _)| is_wanted(*id)) {
            if let Some(same) = known.get(&*node.text) {
                found.extend_from_within(same.clone());
                continue;
            }
            let (prefix, before) =
                (if matches!(node.test, ConditionTest::Media(_)) { "" } else { "@container " }, found.len());
            let mut visit = |feature: &Feature, negated: bool| bounds(feature, negated, prefix, &mut found);
            match &node.test {
                ConditionTest::Media(list) => list.visit_features(&mut visit),
                ConditionTest::Container(query) => query.visit_size_features(&mut visit),
                ConditionTest::Supports(_) | ConditionTest::Starting => {}
            }
            if found.len() > before {
                let spelling = parse_components(node.text.trim_start_matches('@'))
                    .map_or_else(String::new, |words| serialize(&words));
                let next = u32::try_from(queries.len()).unwrap_or(u32::MAX);
                let query = *queries.entry(spelling.to_ascii_lowercase()).or_insert(next);
                found[before..].iter_mut().for_each(|bound: &mut WidthBound| bound.query = query);
            }
            known.insert(&node.text, before..found.len());
        }
        found
    }
}

/// Visits every feature of a condition; the flag is true if it is negated.
pub(super) fn visit_features<F>(expression: &ConditionExpression<F>, negated: bool, visit: &mut dyn FnMut(&F, bool)) {
    match expression {
        ConditionExpression::Feature(feature) => visit(feature, negated),
        ConditionExpression::Not(inner) => visit_features(inner, !negated, visit),
        ConditionExpression::And(list) | ConditionExpression::Or(list) => {
            list.iter().for_each(|item| visit_features(item, negated, visit))
        }
        ConditionExpression::Unknown => {}
    }
}

/// Returns the scheme that a feature requires.
pub(super) fn scheme(feature: &Feature, negated: bool) -> Option<Scheme> {
    if &*feature.name != "prefers-color-scheme" {
        return None;
    }
    let [(Comparison::Equal, value)] = feature.bounds.as_slice() else { return None };
    let [Component::Ident(word)] = value.as_slice() else { return None };
    let dark = match &*word.to_ascii_lowercase() {
        "dark" => true,
        "light" | "no-preference" => false,
        _ => return None,
    };
    Some(if dark == negated { Scheme::Light } else { Scheme::Dark })
}

fn bounds(feature: &Feature, negated: bool, prefix: &str, found: &mut Vec<WidthBound>) {
    if !matches!(&*feature.name, "width" | "inline-size") {
        return;
    }
    let lengths = Lengths::initial(0.0, 0.0);
    for (comparison, value) in &feature.bounds {
        let [component] = value.as_slice() else { continue };
        let measured = quantity(component, &lengths).filter(|q| q.kind == Kind::Length && !q.opaque);
        let Some(px) = measured.map(|q| q.value).filter(|px| px.is_finite() && *px > 0.0) else { continue };
        let original = serialize_authored(value);
        let at_least = matches!(comparison, Comparison::Greater | Comparison::GreaterOrEqual | Comparison::Equal);
        let name = &feature.name;
        let test = match comparison {
            Comparison::GreaterOrEqual => format!("(min-{name}: {original})"),
            Comparison::LessOrEqual => format!("(max-{name}: {original})"),
            Comparison::Greater => format!("({name} > {original})"),
            Comparison::Less => format!("({name} < {original})"),
            Comparison::Equal => format!("({name}: {original})"),
        };
        let not = if negated { "not " } else { "" };
        let px = format_decimal(px).parse().unwrap_or(px);
        let test = format!("{prefix}{not}{test}");
        found.push(WidthBound { px, original, is_minimum: at_least != negated, test, query: 0 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::container::ContainerQuery;
    use crate::condition::media::MediaQueryList;

    fn of_media(text: &str) -> (ConditionRequirements, Vec<String>) {
        let mut conditions = Conditions::default();
        let test = MediaQueryList::test(text);
        let id = conditions.push(ConditionId::default(), test, text.into());
        let shown = |bound: WidthBound| {
            let kind = if bound.is_minimum { "min" } else { "max" };
            format!("{kind} {} {}", bound.px, bound.test)
        };
        (conditions.facts(id), conditions.width_bounds(&|_| true).into_iter().map(shown).collect())
    }

    #[test]
    fn media_queries_4_widths_and_media_queries_5_schemes() {
        let (light, dark) = (Some(Scheme::Light), Some(Scheme::Dark));
        for (text, scheme, print_only, widths) in [
            ("(min-width: 48em)", None, false, vec!["min 768 (min-width: 48em)"]),
            ("only screen and (max-width: 767.98px)", None, false, vec!["max 767.98 (max-width: 767.98px)"]),
            ("(40rem <= width < 64rem)", None, false, vec!["min 640 (min-width: 40rem)", "max 1024 (width < 64rem)"]),
            ("not all and (min-width: 640px)", None, false, vec!["max 640 not (min-width: 640px)"]),
            ("(width > calc(10px * 3)), (height > 3px)", None, false, vec!["min 30 (width > calc(10px * 3))"]),
            ("(min-width: 0) and (max-width: bogus)", None, false, vec![]),
            ("(prefers-color-scheme: dark)", dark, false, vec![]),
            ("(max-width: 9px) and (prefers-color-scheme: light)", light, false, vec!["max 9 (max-width: 9px)"]),
            ("not all and (prefers-color-scheme: dark)", light, false, vec![]),
            ("not (prefers-color-scheme: light)", dark, false, vec![]),
            ("(prefers-color-scheme: dark), print", None, false, vec![]),
            ("print", None, true, vec![]),
            ("print and (min-width: 1cm)", None, true, vec!["min 37.7953 (min-width: 1cm)"]),
            ("print, screen", None, false, vec![]),
            ("not print", None, false, vec![]),
            ("not screen", None, true, vec![]),
        ] {
            let (facts, found) = of_media(text);
            assert_eq!((facts.scheme, facts.print_only), (scheme, print_only), "{text}");
            assert_eq!(found, widths, "{text}");
        }
    }

    #[test]
    fn queries_with_equal_text_share_one_index() {
        let mut conditions = Conditions::default();
        for text in ["(min-width:1px)", "( min-width : 1px )", "screen and (min-width:1px)"] {
            let test = MediaQueryList::test(text);
            conditions.push(ConditionId::default(), test, format!("@media {text}").into());
        }
        let numbers: Vec<u32> = conditions.width_bounds(&|_| true).iter().map(|bound| bound.query).collect();
        assert_eq!(numbers, [0, 0, 1]);
    }

    #[test]
    fn conditional_5_container_widths() {
        let mut conditions = Conditions::default();
        let query = ContainerQuery::parse("card (inline-size > 30em) and style(--x: 1)").unwrap();
        conditions.push(ConditionId::default(), ConditionTest::Container(query.into()), "".into());
        let found = conditions.width_bounds(&|_| true);
        assert_eq!((found[0].px, &*found[0].test), (480.0, "@container (inline-size > 30em)"));
        assert_eq!(found.len(), 1);
    }
}
