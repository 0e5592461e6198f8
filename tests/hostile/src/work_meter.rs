//! Measures work.
//!
//! The processor's counter of instructions is exact, but virtual machines and containers often have none. Processor time
//! is there always; it is disturbed by what else runs, so the least of several runs counts, and what it finds is counted
//! again under Callgrind where Valgrind is installed ([`crate::growth`]).

use perf_event::Counter;
use perf_event::events::Hardware;
use rustix::time::{ClockId, clock_gettime};
use std::fmt;

/// The unit of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Instructions in user mode.
    Instructions,
    /// Nanoseconds of processor time.
    Nanoseconds,
}

impl Unit {
    /// The unit of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Instructions, Self::Nanoseconds].into_iter().find(|unit| unit.to_string() == name)
    }

    /// The most that a step of the page's budget may cost in a development build.
    pub fn per_step(self) -> u64 {
        match self {
            Self::Instructions => 150,
            Self::Nanoseconds => 50,
        }
    }

    /// About as much as a processor does in a millisecond.
    pub fn per_millisecond(self) -> u64 {
        match self {
            Self::Instructions => 3_000_000,
            Self::Nanoseconds => 1_000_000,
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Instructions => "instructions",
            Self::Nanoseconds => "ns",
        })
    }
}

/// Measures what the process does, the threads for layout included.
#[derive(Debug)]
pub struct Meter {
    counter: Option<Counter>,
}

impl Meter {
    /// The best one that this machine has.
    pub fn open() -> Self {
        let counter = perf_event::Builder::new(Hardware::INSTRUCTIONS).inherit(true).build().ok();
        Self { counter: counter.and_then(|mut counter| counter.enable().ok().map(|()| counter)) }
    }

    /// The unit of its measurements.
    pub fn unit(&self) -> Unit {
        if self.counter.is_some() { Unit::Instructions } else { Unit::Nanoseconds }
    }

    /// Measures the work once.
    pub fn measure(&mut self, work: impl FnOnce()) -> u64 {
        let before = self.now();
        work();
        self.now().saturating_sub(before)
    }

    /// Measures the work by the least of several runs, as many as are needed and worth it.
    pub fn measure_least(&mut self, mut work: impl FnMut()) -> u64 {
        /// Work of this many milliseconds is long enough for disturbances to be small beside it.
        const LONG: u64 = 40;
        let first = self.measure(&mut work);
        let runs = match self.unit() {
            Unit::Instructions => 0,
            Unit::Nanoseconds if first > LONG * Unit::Nanoseconds.per_millisecond() => 0,
            Unit::Nanoseconds => 2,
        };
        (0..runs).fold(first, |least, _| least.min(self.measure(&mut work)))
    }

    fn now(&mut self) -> u64 {
        match &mut self.counter {
            Some(counter) => counter.read().unwrap_or_default(),
            None => {
                let time = clock_gettime(ClockId::ProcessCPUTime);
                time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
            }
        }
    }
}
