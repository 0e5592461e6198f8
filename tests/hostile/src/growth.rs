//! Judging how work grows with the page.

use crate::case::Case;
use crate::subject::Subject;
use crate::work_meter::Unit;
use anyhow::{Context, bail};
use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

/// Work that grows by more than this when the page doubles is a fault. In proportion is 2, sorting somewhat more.
pub const MAX_GROWTH: f64 = 2.6;
/// Work below this many milliseconds is too little to judge by, and to bother anybody.
const MIN_MILLISECONDS: u64 = 10;
/// Number of repeated measurements of processor time after a finding.
const REPEATS: usize = 2;

/// Limit to which pages grow.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Most doublings of the smallest size.
    pub doublings: u32,
    /// Enough milliseconds of work to judge by: the page is not doubled again.
    pub enough: u64,
    /// Most seconds of processor time for one measurement with all its sizes.
    pub limit: u64,
}

impl Effort {
    /// Until the page takes 0.4 s of work, or is past the limits on pages: what is in proportion by then stays so, or is
    /// ended by a limit on the process.
    pub const SOAK: Self = Self { doublings: 30, enough: 400, limit: 60 };
}

/// One measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The size of the page in its case.
    pub size: usize,
    /// Bytes of the page.
    pub bytes: usize,
    /// The work.
    pub cost: u64,
    /// Steps of the page's budget that it took.
    pub steps: u64,
}

impl Point {
    /// The same without the work that the budget counts.
    fn uncounted(self, unit: Unit) -> Self {
        Self { cost: self.cost.saturating_sub(self.steps * unit.per_step()), ..self }
    }
}

/// A doubling of the page and the growth of the work with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Doubling {
    /// The size of the smaller page.
    pub size: usize,
    /// Ratio of the work of the larger page to that of the smaller one, beyond what the smallest page takes.
    pub factor: f64,
}

/// The outcome of a measurement.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// The work grows in proportion to the page.
    Proportional,
    /// The work grows faster than the page.
    Superlinear(Doubling),
    /// Reading the page of that size ended badly: out of time, out of memory, or with a panic.
    Broken(usize, String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proportional => f.write_str("in proportion"),
            Self::Superlinear(Doubling { size, factor }) => {
                write!(f, "{factor:.1} times the work from size {size} to {}", size * 2)
            }
            Self::Broken(size, end) => write!(f, "at size {size}: {end}"),
        }
    }
}

/// The last doubling, if the work grows too fast with it. The first point is the base: what every page takes. A limit that
/// is reached on the way makes earlier doublings steep and the last one flat: that is what limits are for.
pub fn too_fast(points: &[Point], unit: Unit) -> Option<Doubling> {
    let [base, .., smaller, larger] = points else { return None };
    let least = MIN_MILLISECONDS * unit.per_millisecond();
    let beyond = |point: &Point| point.cost.saturating_sub(base.cost);
    // What is lost in noise at the smaller size counts as a little.
    let factor = beyond(larger) as f64 / beyond(smaller).max(least / 100) as f64;
    (beyond(larger) >= least && factor > MAX_GROWTH).then_some(Doubling { size: smaller.size, factor })
}

/// The last doubling, if the work grows too fast with it and the page's budget does not see it: what is counted in steps
/// ends with the budget, however fast it grows.
fn too_fast_for_the_budget(points: &[Point], unit: Unit) -> Option<Doubling> {
    let uncounted: Vec<Point> = points.iter().map(|point| point.uncounted(unit)).collect();
    too_fast(points, unit).and_then(|_| too_fast(&uncounted, unit))
}

/// Measures the case and judges it. `hostile` is this package's binary.
///
/// # Errors
/// When the measurement itself does not work.
pub fn examine(hostile: &Path, case: &Case, subject: Subject, effort: Effort) -> anyhow::Result<Verdict> {
    let Measured { points, unit, end } = measure(hostile, case, subject, effort)?;
    if let Some((size, end)) = end {
        return Ok(Verdict::Broken(size, end));
    }
    let Some(suspected) = too_fast_for_the_budget(&points, unit) else { return Ok(Verdict::Proportional) };
    let confirmed = match unit {
        Unit::Instructions => Some(suspected),
        Unit::Nanoseconds => confirm(hostile, case, subject, effort, points)?,
    };
    Ok(confirmed.map_or(Verdict::Proportional, Verdict::Superlinear))
}

/// Looks again at what processor time, which may be disturbed, says: first at the least of several measurements, then,
/// where there is Valgrind, at the exact count.
fn confirm(
    hostile: &Path,
    case: &Case,
    subject: Subject,
    effort: Effort,
    mut points: Vec<Point>,
) -> anyhow::Result<Option<Doubling>> {
    for _ in 0..REPEATS {
        let again = measure(hostile, case, subject, effort)?;
        for (point, again) in points.iter_mut().zip(again.points) {
            point.cost = point.cost.min(again.cost);
        }
        if too_fast_for_the_budget(&points, Unit::Nanoseconds).is_none() {
            return Ok(None);
        }
    }
    let Some(suspected) = too_fast_for_the_budget(&points, Unit::Nanoseconds) else { return Ok(None) };
    let judging = points.iter().filter(|point| [1, suspected.size, suspected.size * 2].contains(&point.size));
    let counted: Option<Vec<Point>> =
        judging.map(|point| Some(Point { cost: count(hostile, case, subject, point.size)?, ..*point })).collect();
    Ok(counted.map_or(Some(suspected), |counted| too_fast_for_the_budget(&counted, Unit::Instructions)))
}

struct Measured {
    points: Vec<Point>,
    unit: Unit,
    /// The size at which it ended badly, and how.
    end: Option<(usize, String)>,
}

/// Measures growing pages in a child process.
fn measure(hostile: &Path, case: &Case, subject: Subject, effort: Effort) -> anyhow::Result<Measured> {
    let arguments = [effort.doublings.into(), effort.enough, effort.limit].map(|number: u64| number.to_string());
    let output = Command::new(hostile).args(["grow", &case.name, &subject.to_string()]).args(arguments).output()?;
    let mut measured = Measured { points: Vec::new(), unit: Unit::Nanoseconds, end: None };
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [size, bytes, cost, unit, steps] = words[..] else { bail!("{} {subject}: {line}", case.name) };
        let (size, bytes) = (size.parse()?, bytes.parse()?);
        measured.points.push(Point { size, bytes, cost: cost.parse()?, steps: steps.parse()? });
        measured.unit = Unit::from_name(unit).context("a unit")?;
    }
    if !output.status.success() {
        let size = match measured.points[..] {
            [] => 1,
            [_] => case.from,
            [.., last] => last.size * 2,
        };
        let errors = String::from_utf8_lossy(&output.stderr);
        let end = match output.status.signal() {
            Some(24) => format!("not read within {} s of processor time", effort.limit),
            Some(signal) => format!("ended by signal {signal}: {}", errors.lines().next_back().unwrap_or_default()),
            None => errors.trim().to_owned(),
        };
        measured.end = Some((size, end));
    }
    Ok(measured)
}

/// Counts the instructions of the work under Callgrind; `None` without Valgrind.
fn count(hostile: &Path, case: &Case, subject: Subject, size: usize) -> Option<u64> {
    let options = ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*hostile_work*"];
    let mut valgrind = Command::new("valgrind");
    valgrind.args(options).arg(hostile).args(["once", &case.name, &subject.to_string(), &size.to_string()]);
    let output = valgrind.output().ok()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let collected = errors.lines().find_map(|line| line.split_once("Collected :"))?.1;
    collected.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_growing_faster_than_the_page_is_found() {
        let millisecond = Unit::Nanoseconds.per_millisecond() as f64;
        type Work = fn(f64) -> f64;
        for (name, work, expected) in [
            ("nothing", (|_| 0.0) as Work, None),
            ("constant", |_| 100.0, None),
            ("linear", |n| 3.0 + n / 10.0, None),
            ("sorted", |n| 3.0 + n * n.log2() / 100.0, None),
            ("quadratic", |n| n * n / 10_000.0, Some(400)),
            ("quadratic beside much that is constant", |n| 100.0 + n * n / 10_000.0, Some(400)),
            ("quadratic, but nothing to speak of", |n| n * n / 1_000_000.0, None),
            ("exponential", |n| (n / 100.0).exp2(), Some(400)),
            ("exponential up to a limit", |n| (n / 10.0).exp2().min(300.0), None),
        ] {
            let cost = |size: usize| (work(size as f64) * millisecond) as u64;
            let points = [1, 200, 400, 800].map(|size| Point { size, bytes: size, cost: cost(size), steps: 0 });
            let unit = Unit::Nanoseconds;
            let found = too_fast_for_the_budget(&points, unit).map(|doubling| doubling.size);
            assert_eq!(found, expected, "{name}");
            // The same is no fault where the budget counts it.
            let counted = points.map(|point| Point { steps: point.cost / unit.per_step(), ..point });
            assert_eq!(too_fast_for_the_budget(&counted, unit), None, "{name}");
        }
    }
}
