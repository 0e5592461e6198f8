//! Differences between two results.

use super::color;
use limner_types::Operation;
use std::collections::BTreeMap;

/// The differences between two results of an operation.
pub(super) struct Comparison {
    pub(super) operation: Operation,
    pub(super) before: String,
    pub(super) after: String,
    /// The fields that were compared, if not all.
    pub(super) fields: Option<Vec<String>>,
    pub(super) differences: Vec<Difference>,
}

/// One value that was added, removed or changed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Difference {
    /// The group of values that it belongs to, such as `colors`.
    pub(super) group: String,
    /// The name of the value; empty if it has none.
    pub(super) name: String,
    /// The earlier value; `None` if it was added.
    pub(super) before: Option<String>,
    /// The later value; `None` if it was removed.
    pub(super) after: Option<String>,
    /// CIEDE2000 of two colours.
    pub(super) delta_e: Option<f64>,
}

impl Difference {
    /// Returns `added`, `removed` or `changed`.
    pub(super) fn change(&self) -> &'static str {
        match (&self.before, &self.after) {
            (None, _) => "added",
            (_, None) => "removed",
            _ => "changed",
        }
    }
}

/// The largest CIEDE2000 of two colours that count as the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerance(pub(super) f64);

/// Compares the values of names. Equal values, and colours within the tolerance, are no differences.
pub(super) fn compare_named(
    group: &str,
    before: &BTreeMap<String, String>,
    after: &BTreeMap<String, String>,
    tolerance: Tolerance,
) -> Vec<Difference> {
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort();
    names.dedup();
    let difference = |name: &String| compare_values(group, name, before.get(name), after.get(name), tolerance);
    names.into_iter().filter_map(difference).collect()
}

fn compare_values(
    group: &str,
    name: &str,
    before: Option<&String>,
    after: Option<&String>,
    tolerance: Tolerance,
) -> Option<Difference> {
    let delta_e = before.zip(after).and_then(|(one, other)| color::delta_e(one, other));
    let is_same = before == after || delta_e.is_some_and(|delta_e| delta_e <= tolerance.0);
    (!is_same).then(|| Difference {
        group: group.to_owned(),
        name: name.to_owned(),
        before: before.cloned(),
        after: after.cloned(),
        delta_e,
    })
}

/// Compares values without names: those that only one side has. A colour that is near to one of the other side is that
/// one, changed.
pub(super) fn compare_unnamed(
    group: &str,
    mut removed: Vec<String>,
    mut added: Vec<String>,
    tolerance: Tolerance,
) -> Vec<Difference> {
    let mut pairs: Vec<(f64, String, String)> = Vec::new();
    for one in &removed {
        for other in &added {
            let delta_e = color::delta_e(one, other).filter(|delta_e| *delta_e <= NEAR);
            pairs.extend(delta_e.map(|delta_e| (delta_e, one.clone(), other.clone())));
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| (&a.1, &a.2).cmp(&(&b.1, &b.2))));
    let mut differences = Vec::new();
    for (_, one, other) in pairs {
        if removed.contains(&one) && added.contains(&other) {
            removed.retain(|value| *value != one);
            added.retain(|value| *value != other);
            differences.extend(compare_values(group, "", Some(&one), Some(&other), tolerance));
        }
    }
    differences.extend(added.iter().filter_map(|value| compare_values(group, "", None, Some(value), tolerance)));
    differences.extend(removed.iter().filter_map(|value| compare_values(group, "", Some(value), None, tolerance)));
    differences
}

/// Largest CIEDE2000 at which a colour without a name is taken for a changed one: about as far as neighbouring steps of a
/// scale.
const NEAR: f64 = 10.0;
