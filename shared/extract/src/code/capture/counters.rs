//! Counters that were counted before the section begins: the third chapter of a page goes on with three (CSS Lists 3,
//! "Automatic Numbering With Counters").

use super::resolve::Resolver;
use crate::code::model::Rule;
use limner_page::{Document, NodeId};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement as Pseudo;
use limner_style::{ComputedStyle, Styles};
use std::collections::BTreeSet;

/// Most counters that are followed, and most instances of them at once.
const MAX_NAMES: usize = 8;
const MAX_COUNTERS: usize = 64;
/// A longer list of counters is not read.
const MAX_LIST: usize = 512;

/// An instance of a counter.
struct Counter {
    name: String,
    /// How many nodes are around what it counts in: it ends with the innermost of them.
    depth: usize,
    value: i64,
}

/// The counters that what is written in the section goes on with, and where they stand before it.
pub(super) fn counted(resolver: &Resolver<'_>, rules: &[Vec<Rule>]) -> Vec<(String, i64)> {
    let names = written(rules);
    if names.is_empty() {
        return Vec::new();
    }
    let index = resolver.order.index;
    let styles = resolver.grid.styles(index, resolver.grid.desktop());
    let counters = before(&resolver.view.document, styles, resolver.order.section, &names);
    let inner = |name: String| {
        let value = counters.iter().rev().find(|counter| counter.name == name)?.value;
        Some((name, value))
    };
    names.into_iter().filter_map(inner).collect()
}

/// A `counter-reset` with what was counted before, but for what it resets itself.
pub(super) fn reset(own: Option<&str>, counted: &[(String, i64)]) -> String {
    let own = own.filter(|own| *own != "none").unwrap_or_default();
    let known = listed(own, 0);
    let more = counted.iter().filter(|(name, _)| !known.iter().any(|(own, _)| own == name));
    let more = more.map(|(name, value)| format!("{name} {value}"));
    let all: Vec<String> = Some(own.to_owned()).filter(|own| !own.is_empty()).into_iter().chain(more).collect();
    if own.len() > MAX_LIST { own.to_owned() } else { all.join(" ") }
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
    while names.len() > MAX_NAMES {
        names.pop_last();
    }
    names
}

/// The counters of these names that are there when the section begins, the inner ones last.
fn before(document: &Document, mut styles: Styles<'_>, section: NodeId, names: &BTreeSet<String>) -> Vec<Counter> {
    let mut counters: Vec<Counter> = Vec::new();
    let Some(root) = document.document_element() else { return counters };
    // What is around a node, and whether it is shown.
    let mut path: Vec<(NodeId, bool)> = Vec::new();
    for node in std::iter::once(root).chain(document.descendants(root)) {
        let parent = document.parent(node);
        let depth = path.iter().rposition(|(around, _)| Some(*around) == parent).map_or(0, |at| at + 1);
        while path.len() > depth {
            let Some((ended, is_shown)) = path.pop() else { break };
            if is_shown {
                generated(&mut styles, ended, Pseudo::After, |own| count(&mut counters, own, path.len() + 1, names));
            }
            counters.retain(|counter| counter.depth <= path.len());
        }
        if node == section {
            break;
        }
        let around_is_shown = path.last().is_none_or(|(_, is_shown)| *is_shown);
        let style = document.element(node).filter(|_| around_is_shown).and_then(|_| styles.get(node));
        let style = style.filter(|own| own.get(Longhand::Display) != "none");
        if let Some(style) = &style {
            count(&mut counters, style, depth, names);
            generated(&mut styles, node, Pseudo::Before, |own| count(&mut counters, own, depth + 1, names));
        }
        path.push((node, style.is_some()));
    }
    counters
}

fn generated(styles: &mut Styles<'_>, node: NodeId, pseudo: Pseudo, then: impl FnOnce(&ComputedStyle)) {
    if let Some(own) = styles.pseudo(node, pseudo)
        && !matches!(own.get(Longhand::Content), "none" | "normal")
    {
        then(&own);
    }
}

fn count(counters: &mut Vec<Counter>, style: &ComputedStyle, depth: usize, names: &BTreeSet<String>) {
    let of =
        |longhand, default| listed(style.get(longhand), default).into_iter().filter(|(name, _)| names.contains(name));
    for (name, value) in of(Longhand::CounterReset, 0) {
        counters.retain(|counter| counter.name != name || counter.depth != depth);
        begin(counters, Counter { name, depth, value });
    }
    let mut change = |name: String, change: &dyn Fn(i64) -> i64| match counters
        .iter_mut()
        .rev()
        .find(|counter| counter.name == name)
    {
        Some(counter) => counter.value = change(counter.value),
        None => begin(counters, Counter { name, depth, value: change(0) }),
    };
    for (name, by) in of(Longhand::CounterIncrement, 1) {
        change(name, &|value| value.saturating_add(by));
    }
    for (name, to) in of(Longhand::CounterSet, 0) {
        change(name, &|_| to);
    }
}

fn begin(counters: &mut Vec<Counter>, counter: Counter) {
    if counters.len() < MAX_COUNTERS {
        counters.push(counter);
    }
}

/// The names of a list with their numbers.
fn listed(value: &str, default: i64) -> Vec<(String, i64)> {
    let mut list: Vec<(String, i64)> = Vec::new();
    if value.len() > MAX_LIST {
        return list;
    }
    for word in value.split_ascii_whitespace().filter(|word| *word != "none") {
        match (word.parse(), list.last_mut()) {
            (Ok(number), Some((_, own))) => *own = number,
            _ => list.push((word.to_owned(), default)),
        }
    }
    list
}
