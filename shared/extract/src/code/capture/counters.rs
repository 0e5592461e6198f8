//! Counters that were counted before the section begins: the third chapter of a page goes on with three (CSS Lists 3,
//! "Automatic Numbering With Counters").

use super::resolve::Resolver;
use crate::code::model::Rule;
use limner_page::{Document, NodeId};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement as Pseudo;
use limner_style::{ComputedStyle, Styles};
use std::collections::BTreeSet;

/// A counter, and the element inside of which it counts.
struct Counter {
    name: String,
    within: Option<NodeId>,
    value: i64,
}

/// The `counter-reset` of the root from which what is written in the section counts as on its page; `None` where nothing
/// was counted before, or nothing is written.
pub(super) fn reset(resolver: &Resolver<'_>, rules: &[Vec<Rule>]) -> Option<String> {
    let mut names = written(rules);
    if names.is_empty() {
        return None;
    }
    let index = resolver.order.index;
    let styles = resolver.grid.styles(index, resolver.grid.desktop());
    let own = resolver.computed[0][resolver.grid.desktop()].get(Longhand::CounterReset);
    for (name, _) in listed(own, 0) {
        names.remove(&name);
    }
    let counters = before(&resolver.view.document, styles, resolver.order.section, &names);
    let mut all: Vec<String> = listed(own, 0).into_iter().map(|(name, value)| format!("{name} {value}")).collect();
    for name in &names {
        let inner = counters.iter().rev().find(|counter| counter.name == *name);
        all.extend(inner.map(|counter| format!("{name} {}", counter.value)));
    }
    (!counters.is_empty()).then(|| all.join(" "))
}

/// The counters that generated text names. Lists have one of their own.
fn written(rules: &[Vec<Rule>]) -> BTreeSet<String> {
    let declarations = rules.iter().flatten().flat_map(|rule| &rule.declarations);
    let mut names = BTreeSet::new();
    for value in declarations.filter(|own| own.name == "content").map(|own| &own.value) {
        for function in ["counter(", "counters("] {
            names.extend(value.split(function).skip(1).filter_map(|rest| {
                let name = rest.split([',', ')', ' ']).next().unwrap_or_default();
                (!name.is_empty() && name != "list-item").then(|| name.to_owned())
            }));
        }
    }
    names
}

/// The counters of these names that are there when the section begins, the inner ones last.
fn before(document: &Document, mut styles: Styles<'_>, section: NodeId, names: &BTreeSet<String>) -> Vec<Counter> {
    let mut counters: Vec<Counter> = Vec::new();
    let mut hidden: Option<NodeId> = None;
    let Some(root) = document.document_element() else { return counters };
    for node in std::iter::once(root).chain(document.descendants(root)) {
        if document.element(node).is_none() || hidden.is_some_and(|hidden| document.is_inside(node, hidden)) {
            continue;
        }
        counters.retain(|counter| counter.within.is_none_or(|within| document.is_inside(node, within)));
        if node == section {
            break;
        }
        let Some(style) = styles.get(node) else { continue };
        if style.get(Longhand::Display) == "none" {
            hidden = Some(node);
            continue;
        }
        count(&mut counters, &style, document.parent(node), names);
        for pseudo in [Pseudo::Before, Pseudo::After] {
            let generated = styles.pseudo(node, pseudo);
            let generated = generated.filter(|own| !matches!(own.get(Longhand::Content), "none" | "normal"));
            generated.iter().for_each(|own| count(&mut counters, own, Some(node), names));
        }
    }
    counters
}

fn count(counters: &mut Vec<Counter>, style: &ComputedStyle, within: Option<NodeId>, names: &BTreeSet<String>) {
    let of =
        |longhand, default| listed(style.get(longhand), default).into_iter().filter(|(name, _)| names.contains(name));
    for (name, value) in of(Longhand::CounterReset, 0) {
        counters.retain(|counter| counter.name != name || counter.within != within);
        counters.push(Counter { name, within, value });
    }
    let mut change = |name: String, change: &dyn Fn(i64) -> i64| match counters
        .iter_mut()
        .rev()
        .find(|counter| counter.name == name)
    {
        Some(counter) => counter.value = change(counter.value),
        None => counters.push(Counter { name, within, value: change(0) }),
    };
    for (name, by) in of(Longhand::CounterIncrement, 1) {
        change(name, &|value| value.saturating_add(by));
    }
    for (name, to) in of(Longhand::CounterSet, 0) {
        change(name, &|_| to);
    }
}

/// The names of a list with their numbers.
fn listed(value: &str, default: i64) -> Vec<(String, i64)> {
    let mut list: Vec<(String, i64)> = Vec::new();
    for word in value.split_ascii_whitespace().filter(|word| *word != "none") {
        match (word.parse(), list.last_mut()) {
            (Ok(number), Some((_, own))) => *own = number,
            _ => list.push((word.to_owned(), default)),
        }
    }
    list
}
