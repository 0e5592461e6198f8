//! Counters that are incremented before the section begins: the third chapter of a page continues with three (CSS Lists
//! 3, "Automatic Numbering With Counters").

use super::context::SectionContext;
use limner_component_model::model::Rule;
use limner_page::{Document, NodeId};
use limner_style::computed::Display;
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement as Pseudo;
use limner_style::{ComputedStyle, Styles};
use std::collections::BTreeSet;

/// Maximum number of counter names that are considered.
const MAX_NAMES: usize = 8;
/// Maximum number of counters that exist at once.
const MAX_COUNTERS: usize = 64;
/// Maximum length in bytes of a list of counters that is parsed.
const MAX_LIST: usize = 512;

/// A counter, which has a scope in the document.
struct CssCounter {
    name: String,
    /// Number of ancestors of the element that created it. The scope ends with the innermost of them.
    depth: usize,
    value: i64,
}

/// Returns the counters that generated content in the section uses, with their values before the section.
pub(super) fn counters_in_effect(context: &SectionContext<'_>, rules: &[Vec<Rule>]) -> Vec<(String, i64)> {
    let names = referenced_counters(rules);
    if names.is_empty() {
        return Vec::new();
    }
    let index = context.request.index;
    let styles = context.environments.styles(index, context.environments.desktop());
    let counters = counters_before_section(&context.view.document, styles, context.request.section, &names);
    let inner = |name: String| {
        let value = counters.iter().rev().find(|counter| counter.name == name)?.value;
        Some((name, value))
    };
    names.into_iter().filter_map(inner).collect()
}

/// Adds the counters with their values to a `counter-reset`, except for those that it resets itself.
pub(super) fn reset(own: Option<&str>, counted: &[(String, i64)]) -> String {
    let own = own.filter(|own| *own != "none").unwrap_or_default();
    let known = format_counter_list(own, 0);
    let more = counted.iter().filter(|(name, _)| !known.iter().any(|(own, _)| own == name));
    let more = more.map(|(name, value)| format!("{name} {value}"));
    let all: Vec<String> = Some(own.to_owned()).filter(|own| !own.is_empty()).into_iter().chain(more).collect();
    if own.len() > MAX_LIST { own.to_owned() } else { all.join(" ") }
}

/// Returns the counters to which generated content refers, without `list-item`, which lists maintain themselves.
fn referenced_counters(rules: &[Vec<Rule>]) -> BTreeSet<String> {
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

/// Returns the counters with these names that exist where the section begins, the inner ones last.
fn counters_before_section(
    document: &Document,
    mut styles: Styles<'_>,
    section: NodeId,
    names: &BTreeSet<String>,
) -> Vec<CssCounter> {
    let mut counters: Vec<CssCounter> = Vec::new();
    let Some(root) = document.document_element() else { return counters };
    // The ancestors of a node, and true for those that are rendered.
    let mut path: Vec<(NodeId, bool)> = Vec::new();
    for node in std::iter::once(root).chain(document.descendants(root)) {
        let parent = document.parent(node);
        let depth = path.iter().rposition(|(ancestor, _)| Some(*ancestor) == parent).map_or(0, |at| at + 1);
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
        let style = style.filter(|own| own.display() != Display::None);
        if let Some(style) = &style {
            count(&mut counters, style, depth, names);
            generated(&mut styles, node, Pseudo::Before, |own| count(&mut counters, own, depth + 1, names));
        }
        path.push((node, style.is_some()));
    }
    counters
}

/// Calls `then` with the style of a pseudo-element, if that is generated.
fn generated(styles: &mut Styles<'_>, node: NodeId, pseudo: Pseudo, then: impl FnOnce(&ComputedStyle)) {
    if let Some(own) = styles.pseudo(node, pseudo)
        && !matches!(own.get(Longhand::Content), "none" | "normal")
    {
        then(&own);
    }
}

/// Applies `counter-reset`, `counter-increment` and `counter-set` of an element with `depth` ancestors.
fn count(counters: &mut Vec<CssCounter>, style: &ComputedStyle, depth: usize, names: &BTreeSet<String>) {
    let of = |longhand, default| {
        format_counter_list(style.get(longhand), default).into_iter().filter(|(name, _)| names.contains(name))
    };
    for (name, value) in of(Longhand::CounterReset, 0) {
        counters.retain(|counter| counter.name != name || counter.depth != depth);
        begin(counters, CssCounter { name, depth, value });
    }
    let mut change = |name: String, change: &dyn Fn(i64) -> i64| match counters
        .iter_mut()
        .rev()
        .find(|counter| counter.name == name)
    {
        Some(counter) => counter.value = change(counter.value),
        None => begin(counters, CssCounter { name, depth, value: change(0) }),
    };
    for (name, by) in of(Longhand::CounterIncrement, 1) {
        change(name, &|value| value.saturating_add(by));
    }
    for (name, to) in of(Longhand::CounterSet, 0) {
        change(name, &|_| to);
    }
}

fn begin(counters: &mut Vec<CssCounter>, counter: CssCounter) {
    if counters.len() < MAX_COUNTERS {
        counters.push(counter);
    }
}

/// Parses a list of counter names, each with its number or the default.
fn format_counter_list(value: &str, default: i64) -> Vec<(String, i64)> {
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
