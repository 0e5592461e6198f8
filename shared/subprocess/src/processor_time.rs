//! Processor time of processes.

use rustix::process::Pid;
use rustix::time::{ClockId, clock_gettime};
use std::io;
use std::time::Duration;

/// Returns the processor time that this process has used, all threads together.
pub fn own_processor_time() -> Duration {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(used.tv_sec).unwrap_or(0), u32::try_from(used.tv_nsec).unwrap_or(0))
}

/// Returns the processor time that a process has used, all threads together, in steps of a clock tick (10 ms on Linux).
/// Source: `utime` and `stime` of `/proc/PID/stat`, see proc_pid_stat(5).
pub(crate) fn processor_time_of(process: Pid) -> io::Result<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()))?;
    let ticks = ticks_of(&text).ok_or_else(|| io::Error::other("/proc has another form"))?;
    let per_second = rustix::param::clock_ticks_per_second().max(1);
    Ok(Duration::from_millis(ticks.saturating_mul(1_000) / per_second))
}

/// Sums fields 14 and 15. The second field, the name of the program in parentheses, may hold anything.
fn ticks_of(stat: &str) -> Option<u64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_ascii_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_ticks_are_read_for_any_program_name() {
        let fields = "S 1 2 3 0 -1 4194304 100 0 0 0 7 5 0 0 20 0 1 0 999";
        for (stat, ticks) in [
            (format!("12 (limner) {fields}"), Some(12)),
            (format!("12 (a) b 9 9 9) {fields}"), Some(12)),
            ("12 (limner) S 1 2".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(ticks_of(&stat), ticks, "{stat}");
        }
    }

    #[test]
    fn time_of_this_process_agrees_with_its_own_clock() {
        let mut sum = 0_u64;
        while own_processor_time() < Duration::from_millis(60) {
            sum = sum.wrapping_add(std::hint::black_box(1));
        }
        let seen = processor_time_of(rustix::process::getpid()).unwrap();
        let own = own_processor_time();
        assert!(
            seen <= own + Duration::from_millis(20) && seen + Duration::from_millis(40) >= Duration::from_millis(60),
            "{seen:?} {own:?}"
        );
    }
}
