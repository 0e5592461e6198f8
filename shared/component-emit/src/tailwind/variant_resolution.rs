//! Turns rules that depend on their order into blocks that do not.
//!
//! In the model the later rule wins. In Tailwind the order of classes has no effect: of two classes
//! that apply, the more specific variant wins, then the variant that was registered later. This
//! module finds, for each property, guards under which Tailwind's order gives the same value as the
//! model: widths become steps from narrow to wide, and where a wrong class would still win, a more
//! specific one is added.

use super::variant::{Guard, Rank};
use limner_component_model::model::{InteractionState, StateTarget};
use std::collections::BTreeSet;

/// Maximum number of guard variables per property. Beyond this, combinations are not checked.
const MAX_SWITCHES: usize = 6;
const MAX_REPAIRS: usize = 24;

/// The value of one property under a guard.
pub(super) type Entry = (Guard, String);

/// Converts entries in the order of the model to entries whose order has no effect.
pub(super) fn order_entries(entries: &[Entry], rank: &dyn Fn(&Guard) -> Rank) -> Vec<Entry> {
    // Entries before an unconditional declaration never win.
    let start = entries.iter().rposition(|(guard, _)| guard.is_open()).unwrap_or(0);
    let entries = &entries[start..];
    if let [only] = entries {
        return vec![only.clone()];
    }
    let stepped = split_into_ranges(entries);
    let Some(worlds) = TruthTable::from_entries(entries) else { return stepped };
    let mut ranked: Vec<RankedUtility> = stepped.into_iter().map(|entry| RankedUtility::new(entry, rank)).collect();
    repair(&mut ranked, entries, &worlds, rank);
    prune(&mut ranked, entries, &worlds);
    ranked.into_iter().map(|ranked| ranked.entry).collect()
}

struct RankedUtility {
    entry: Entry,
    rank: Rank,
}

impl RankedUtility {
    fn new(entry: Entry, rank: &dyn Fn(&Guard) -> Rank) -> Self {
        let rank = rank(&entry.0);
        Self { entry, rank }
    }
}

/// One truth assignment of the guard variables at one viewport width.
#[derive(Debug, Clone, Copy)]
struct Assignment {
    width: u32,
    switches: u32,
}

struct TruthTable {
    widths: BTreeSet<u32>,
    switches: Vec<GuardVariable>,
}

/// A boolean variable of guards.
#[derive(Debug, Clone, PartialEq, Eq)]
enum GuardVariable {
    Dark,
    ReducedMotion,
    Within(String),
    Action(StateTarget, InteractionState),
}

impl TruthTable {
    /// Collects the variables of the guards. `None` if there are more than [`MAX_SWITCHES`].
    fn from_entries(entries: &[Entry]) -> Option<Self> {
        let mut worlds = Self { widths: BTreeSet::from([0]), switches: Vec::new() };
        for (guard, _) in entries {
            worlds.widths.extend(guard.condition.min_width);
            worlds.widths.extend(guard.condition.max_width_exclusive);
            for switch in switches(guard) {
                if !worlds.switches.contains(&switch) {
                    worlds.switches.push(switch);
                }
            }
        }
        (worlds.switches.len() <= MAX_SWITCHES).then_some(worlds)
    }

    fn assignments(&self) -> impl Iterator<Item = Assignment> {
        let combinations = 1_u32 << self.switches.len();
        let worlds = move |width: &u32| {
            let width = *width;
            (0..combinations).map(move |switches| Assignment { width, switches })
        };
        self.widths.iter().flat_map(worlds).filter(|world| self.is_consistent(*world))
    }

    /// Returns true if an element can be in all these states at once: a disabled element has no
    /// focus, for example. Of several elements, one may be in one state and another in a second.
    fn is_consistent(&self, world: Assignment) -> bool {
        use InteractionState as U;
        let is_on = |at: usize| world.switches & (1 << at) != 0;
        let all = || self.switches.iter().enumerate();
        let holds =
            |of: StateTarget, action: U| all().any(|(at, own)| is_on(at) && *own == GuardVariable::Action(of, action));
        let misses = |of: StateTarget, action: U| {
            self.switches.contains(&GuardVariable::Action(of, action)) && !holds(of, action)
        };
        all().filter(|(at, _)| is_on(*at)).all(|(_, switch)| match switch {
            GuardVariable::Action(of, _) if !matches!(of, StateTarget::SelfElement | StateTarget::Ancestor(_)) => true,
            GuardVariable::Action(of, U::FocusVisible) => !misses(*of, U::Focus),
            GuardVariable::Action(of, U::Disabled) => !holds(*of, U::Focus) && !holds(*of, U::FocusVisible),
            GuardVariable::Action(of, U::UserInvalid) => !holds(*of, U::UserValid) && !holds(*of, U::Valid),
            _ => true,
        })
    }

    fn is_satisfied(&self, guard: &Guard, world: Assignment) -> bool {
        let condition = &guard.condition;
        condition.min_width.is_none_or(|min| world.width >= min)
            && condition.max_width_exclusive.is_none_or(|below| world.width < below)
            && switches(guard).all(|switch| {
                self.switches.iter().position(|own| *own == switch).is_some_and(|at| world.switches & (1 << at) != 0)
            })
    }

    /// Returns the entry that wins in the model.
    fn expected<'e>(&self, entries: &'e [Entry], world: Assignment) -> Option<&'e Entry> {
        entries.iter().rfind(|(guard, _)| self.is_satisfied(guard, world))
    }

    /// Returns the entry that wins in Tailwind's order.
    fn tailwind_winner<'r>(&self, ranked: &'r [RankedUtility], world: Assignment) -> Option<&'r RankedUtility> {
        ranked.iter().filter(|ranked| self.is_satisfied(&ranked.entry.0, world)).max_by(|a, b| a.rank.cmp(&b.rank))
    }
}

fn switches(guard: &Guard) -> impl Iterator<Item = GuardVariable> {
    let condition = &guard.condition;
    let dark = condition.dark.then_some(GuardVariable::Dark);
    let motion = condition.reduced_motion.then_some(GuardVariable::ReducedMotion);
    let within = condition.at_rules.iter().cloned().map(GuardVariable::Within);
    let actions = guard
        .states
        .iter()
        .flat_map(|state| state.all_of.iter().map(|action| GuardVariable::Action(state.target, *action)));
    dark.into_iter().chain(motion).chain(within).chain(actions)
}

/// Adds entries until every assignment has the expected value: the right value under the
/// conjunction of both guards, which outranks either.
fn repair(ranked: &mut Vec<RankedUtility>, entries: &[Entry], worlds: &TruthTable, rank: &dyn Fn(&Guard) -> Rank) {
    for _ in 0..MAX_REPAIRS {
        let wrong = worlds.assignments().find_map(|world| {
            let expected = worlds.expected(entries, world)?;
            let actual = worlds.tailwind_winner(ranked, world)?;
            (actual.entry.1 != expected.1).then(|| (conjunction(&expected.0, &actual.entry.0), expected.1.clone()))
        });
        let Some((guard, value)) = wrong else { return };
        if ranked.iter().any(|own| own.entry.0 == guard) {
            return;
        }
        ranked.push(RankedUtility::new((guard, value), rank));
    }
}

/// Returns the conjunction of two guards.
fn conjunction(a: &Guard, b: &Guard) -> Guard {
    let mut guard = a.clone();
    let condition = &mut guard.condition;
    condition.min_width = condition.min_width.max(b.condition.min_width);
    condition.max_width_exclusive = match (condition.max_width_exclusive, b.condition.max_width_exclusive) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    condition.dark |= b.condition.dark;
    condition.reduced_motion |= b.condition.reduced_motion;
    for rule in &b.condition.at_rules {
        if !condition.at_rules.contains(rule) {
            condition.at_rules.push(rule.clone());
        }
    }
    for state in &b.states {
        match guard.states.iter_mut().find(|own| own.target == state.target) {
            Some(own) => {
                own.all_of.extend(&state.all_of);
                own.all_of.sort_unstable();
                own.all_of.dedup();
            }
            None => guard.states.push(state.clone()),
        }
    }
    guard
}

/// Drops entries that change no value under any assignment.
fn prune(ranked: &mut Vec<RankedUtility>, entries: &[Entry], worlds: &TruthTable) {
    let right = |ranked: &[RankedUtility]| {
        worlds.assignments().all(|world| {
            worlds.tailwind_winner(ranked, world).map(|actual| &actual.entry.1)
                == worlds.expected(entries, world).map(|(_, value)| value)
        })
    };
    if !right(ranked) {
        return;
    }
    let mut at = ranked.len();
    while at > 0 && ranked.len() > 1 {
        at -= 1;
        let entry = ranked.remove(at);
        if !right(ranked) {
            ranked.insert(at, entry);
        }
    }
}

/// Turns widths into steps: for each set of other conditions, every range of widths gets the value
/// that wins there.
fn split_into_ranges(entries: &[Entry]) -> Vec<Entry> {
    let mut groups: Vec<(Guard, Vec<&Entry>)> = Vec::new();
    for entry in entries {
        let mut rest = entry.0.clone();
        (rest.condition.min_width, rest.condition.max_width_exclusive) = (None, None);
        match groups.iter_mut().find(|(guard, _)| *guard == rest) {
            Some((_, entries)) => entries.push(entry),
            None => groups.push((rest, vec![entry])),
        }
    }
    groups.into_iter().flat_map(|(rest, entries)| steps(&rest, &entries)).collect()
}

/// A range of widths with one value; it ends where the next one starts.
struct WidthRange<'e> {
    start: u32,
    value: Option<&'e str>,
}

fn steps(rest: &Guard, entries: &[&Entry]) -> Vec<Entry> {
    let mut bounds = BTreeSet::from([0]);
    for (guard, _) in entries {
        bounds.extend(guard.condition.min_width);
        bounds.extend(guard.condition.max_width_exclusive);
    }
    let mut segments: Vec<WidthRange<'_>> = Vec::new();
    for start in bounds {
        let holds = |guard: &Guard| {
            guard.condition.min_width.is_none_or(|min| start >= min)
                && guard.condition.max_width_exclusive.is_none_or(|below| start < below)
        };
        let value = entries.iter().rfind(|(guard, _)| holds(guard)).map(|(_, value)| value.as_str());
        if segments.last().is_none_or(|last| last.value != value) {
            segments.push(WidthRange { start, value });
        }
    }
    runs(&segments).into_iter().flat_map(|(run, end)| encode(rest, run, end)).collect()
}

/// Returns the runs of segments that have a value, each with the width at which it ends.
fn runs<'s, 'e>(segments: &'s [WidthRange<'e>]) -> Vec<(&'s [WidthRange<'e>], Option<u32>)> {
    let mut runs = Vec::new();
    let mut start = 0;
    for (at, segment) in segments.iter().enumerate() {
        if segment.value.is_none() {
            if at > start {
                runs.push((&segments[start..at], Some(segment.start)));
            }
            start = at + 1;
        }
    }
    if start < segments.len() {
        runs.push((&segments[start..], None));
    }
    runs
}

fn encode(rest: &Guard, run: &[WidthRange<'_>], end: Option<u32>) -> Vec<Entry> {
    let entry = |min: u32, below: Option<u32>, value: Option<&str>| {
        let mut guard = rest.clone();
        guard.condition.min_width = (min > 0).then_some(min);
        guard.condition.max_width_exclusive = below;
        (guard, value.unwrap_or_default().to_owned())
    };
    let Some(first) = run.first() else { return Vec::new() };
    if first.start == 0 && end.is_some() {
        // A run that starts at 0 uses `max-*`, from the widest to the narrowest, since a narrower
        // `max-*` wins.
        let ends = run.iter().skip(1).map(|segment| Some(segment.start)).chain([end]);
        let mut out: Vec<_> = run.iter().zip(ends).map(|(segment, end)| entry(0, end, segment.value)).collect();
        out.reverse();
        return out;
    }
    let mut out = vec![entry(first.start, end, first.value)];
    let mut holds = first.value;
    let mut at = 1;
    while at < run.len() {
        // A value between two widths with the same value on either side is written as one range
        // instead of two steps.
        let returns = run.get(at + 1).filter(|next| next.value == holds);
        match returns {
            Some(next) => {
                out.push(entry(run[at].start, Some(next.start), run[at].value));
                at += 2;
            }
            None => {
                out.push(entry(run[at].start, end, run[at].value));
                holds = run[at].value;
                at += 1;
            }
        }
    }
    out
}
