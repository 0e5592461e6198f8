//! Turns rules that depend on their order into blocks that do not.
//!
//! In the model the later rule wins. In Tailwind the order of classes has no effect: of two classes
//! that apply, the more specific variant wins, then the variant that was registered later. This
//! module finds, for each property, guards under which Tailwind's order gives the same value as the
//! model: widths become steps from narrow to wide, and where a wrong class would still win, a more
//! specific one is added.

use super::variant::{Guard, Rank};
use crate::code::model::{StateOf, UserAction};
use std::collections::BTreeSet;

/// Maximum number of guard variables per property. Beyond this, combinations are not checked.
const MAX_SWITCHES: usize = 6;
const MAX_REPAIRS: usize = 24;

/// The value of one property under a guard.
pub(super) type Entry = (Guard, String);

/// Converts entries in the order of the model to entries whose order has no effect.
pub(super) fn settle(entries: &[Entry], rank: &dyn Fn(&Guard) -> Rank) -> Vec<Entry> {
    // Entries before an unconditional declaration never win.
    let start = entries.iter().rposition(|(guard, _)| guard.is_open()).unwrap_or(0);
    let entries = &entries[start..];
    if let [only] = entries {
        return vec![only.clone()];
    }
    let stepped = in_steps(entries);
    let Some(worlds) = Worlds::of(entries) else { return stepped };
    let mut ranked: Vec<Ranked> = stepped.into_iter().map(|entry| Ranked::new(entry, rank)).collect();
    repair(&mut ranked, entries, &worlds, rank);
    prune(&mut ranked, entries, &worlds);
    ranked.into_iter().map(|ranked| ranked.entry).collect()
}

struct Ranked {
    entry: Entry,
    rank: Rank,
}

impl Ranked {
    fn new(entry: Entry, rank: &dyn Fn(&Guard) -> Rank) -> Self {
        let rank = rank(&entry.0);
        Self { entry, rank }
    }
}

/// One truth assignment of the guard variables at one viewport width.
#[derive(Debug, Clone, Copy)]
struct World {
    width: u32,
    switches: u32,
}

struct Worlds {
    widths: BTreeSet<u32>,
    switches: Vec<Switch>,
}

/// A boolean variable of guards.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Switch {
    Dark,
    ReducedMotion,
    Within(String),
    Action(StateOf, UserAction),
}

impl Worlds {
    /// Collects the variables of the guards. `None` if there are more than [`MAX_SWITCHES`].
    fn of(entries: &[Entry]) -> Option<Self> {
        let mut worlds = Self { widths: BTreeSet::from([0]), switches: Vec::new() };
        for (guard, _) in entries {
            worlds.widths.extend(guard.condition.min_width);
            worlds.widths.extend(guard.condition.below_width);
            for switch in switches(guard) {
                if !worlds.switches.contains(&switch) {
                    worlds.switches.push(switch);
                }
            }
        }
        (worlds.switches.len() <= MAX_SWITCHES).then_some(worlds)
    }

    fn all(&self) -> impl Iterator<Item = World> {
        let combinations = 1_u32 << self.switches.len();
        let worlds = move |width: &u32| {
            let width = *width;
            (0..combinations).map(move |switches| World { width, switches })
        };
        self.widths.iter().flat_map(worlds).filter(|world| self.is_possible(*world))
    }

    /// Returns true if an element can be in all these states at once: a disabled element has no
    /// focus, for example. Of several elements, one may be in one state and another in a second.
    fn is_possible(&self, world: World) -> bool {
        use UserAction as U;
        let is_on = |at: usize| world.switches & (1 << at) != 0;
        let all = || self.switches.iter().enumerate();
        let holds = |of: StateOf, action: U| all().any(|(at, own)| is_on(at) && *own == Switch::Action(of, action));
        let misses = |of: StateOf, action: U| self.switches.contains(&Switch::Action(of, action)) && !holds(of, action);
        all().filter(|(at, _)| is_on(*at)).all(|(_, switch)| match switch {
            Switch::Action(of, _) if !matches!(of, StateOf::Itself | StateOf::Ancestor(_)) => true,
            Switch::Action(of, U::FocusVisible) => !misses(*of, U::Focus),
            Switch::Action(of, U::Disabled) => !holds(*of, U::Focus) && !holds(*of, U::FocusVisible),
            Switch::Action(of, U::UserInvalid) => !holds(*of, U::UserValid) && !holds(*of, U::Valid),
            _ => true,
        })
    }

    fn holds(&self, guard: &Guard, world: World) -> bool {
        let condition = &guard.condition;
        condition.min_width.is_none_or(|min| world.width >= min)
            && condition.below_width.is_none_or(|below| world.width < below)
            && switches(guard).all(|switch| {
                self.switches.iter().position(|own| *own == switch).is_some_and(|at| world.switches & (1 << at) != 0)
            })
    }

    /// Returns the entry that wins in the model.
    fn expected<'e>(&self, entries: &'e [Entry], world: World) -> Option<&'e Entry> {
        entries.iter().rfind(|(guard, _)| self.holds(guard, world))
    }

    /// Returns the entry that wins in Tailwind's order.
    fn actual<'r>(&self, ranked: &'r [Ranked], world: World) -> Option<&'r Ranked> {
        ranked.iter().filter(|ranked| self.holds(&ranked.entry.0, world)).max_by(|a, b| a.rank.cmp(&b.rank))
    }
}

fn switches(guard: &Guard) -> impl Iterator<Item = Switch> {
    let condition = &guard.condition;
    let dark = condition.dark.then_some(Switch::Dark);
    let motion = condition.reduced_motion.then_some(Switch::ReducedMotion);
    let within = condition.within.iter().cloned().map(Switch::Within);
    let actions =
        guard.states.iter().flat_map(|state| state.all.iter().map(|action| Switch::Action(state.of, *action)));
    dark.into_iter().chain(motion).chain(within).chain(actions)
}

/// Adds entries until every assignment has the expected value: the right value under the
/// conjunction of both guards, which outranks either.
fn repair(ranked: &mut Vec<Ranked>, entries: &[Entry], worlds: &Worlds, rank: &dyn Fn(&Guard) -> Rank) {
    for _ in 0..MAX_REPAIRS {
        let wrong = worlds.all().find_map(|world| {
            let expected = worlds.expected(entries, world)?;
            let actual = worlds.actual(ranked, world)?;
            (actual.entry.1 != expected.1).then(|| (both(&expected.0, &actual.entry.0), expected.1.clone()))
        });
        let Some((guard, value)) = wrong else { return };
        if ranked.iter().any(|own| own.entry.0 == guard) {
            return;
        }
        ranked.push(Ranked::new((guard, value), rank));
    }
}

/// Returns the conjunction of two guards.
fn both(a: &Guard, b: &Guard) -> Guard {
    let mut guard = a.clone();
    let condition = &mut guard.condition;
    condition.min_width = condition.min_width.max(b.condition.min_width);
    condition.below_width = match (condition.below_width, b.condition.below_width) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    condition.dark |= b.condition.dark;
    condition.reduced_motion |= b.condition.reduced_motion;
    for rule in &b.condition.within {
        if !condition.within.contains(rule) {
            condition.within.push(rule.clone());
        }
    }
    for state in &b.states {
        match guard.states.iter_mut().find(|own| own.of == state.of) {
            Some(own) => {
                own.all.extend(&state.all);
                own.all.sort_unstable();
                own.all.dedup();
            }
            None => guard.states.push(state.clone()),
        }
    }
    guard
}

/// Drops entries that change no value under any assignment.
fn prune(ranked: &mut Vec<Ranked>, entries: &[Entry], worlds: &Worlds) {
    let right = |ranked: &[Ranked]| {
        worlds.all().all(|world| {
            worlds.actual(ranked, world).map(|actual| &actual.entry.1)
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
fn in_steps(entries: &[Entry]) -> Vec<Entry> {
    let mut groups: Vec<(Guard, Vec<&Entry>)> = Vec::new();
    for entry in entries {
        let mut rest = entry.0.clone();
        (rest.condition.min_width, rest.condition.below_width) = (None, None);
        match groups.iter_mut().find(|(guard, _)| *guard == rest) {
            Some((_, entries)) => entries.push(entry),
            None => groups.push((rest, vec![entry])),
        }
    }
    groups.into_iter().flat_map(|(rest, entries)| steps(&rest, &entries)).collect()
}

/// A range of widths with one value; it ends where the next one starts.
struct Segment<'e> {
    start: u32,
    value: Option<&'e str>,
}

fn steps(rest: &Guard, entries: &[&Entry]) -> Vec<Entry> {
    let mut bounds = BTreeSet::from([0]);
    for (guard, _) in entries {
        bounds.extend(guard.condition.min_width);
        bounds.extend(guard.condition.below_width);
    }
    let mut segments: Vec<Segment<'_>> = Vec::new();
    for start in bounds {
        let holds = |guard: &Guard| {
            guard.condition.min_width.is_none_or(|min| start >= min)
                && guard.condition.below_width.is_none_or(|below| start < below)
        };
        let value = entries.iter().rfind(|(guard, _)| holds(guard)).map(|(_, value)| value.as_str());
        if segments.last().is_none_or(|last| last.value != value) {
            segments.push(Segment { start, value });
        }
    }
    runs(&segments).into_iter().flat_map(|(run, end)| encode(rest, run, end)).collect()
}

/// Returns the runs of segments that have a value, each with the width at which it ends.
fn runs<'s, 'e>(segments: &'s [Segment<'e>]) -> Vec<(&'s [Segment<'e>], Option<u32>)> {
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

fn encode(rest: &Guard, run: &[Segment<'_>], end: Option<u32>) -> Vec<Entry> {
    let entry = |min: u32, below: Option<u32>, value: Option<&str>| {
        let mut guard = rest.clone();
        guard.condition.min_width = (min > 0).then_some(min);
        guard.condition.below_width = below;
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
