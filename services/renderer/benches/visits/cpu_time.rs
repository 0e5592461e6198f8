//! Processor time, of this process and of browsers.

use std::time::Duration;

/// The kernel counts in hundredths of a second on every machine.
const TICK: Duration = Duration::from_millis(10);

/// A process, as listed in `/proc`.
#[derive(Debug)]
struct Process {
    group: i32,
    /// Its own time, and that of its terminated children.
    time: Duration,
}

impl Process {
    fn read(entry: &str) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{entry}/stat")).ok()?;
        // The second field is the program's name in parentheses and may contain anything.
        let (_, after_name) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = after_name.split_whitespace().collect();
        let ticks: u32 = fields.get(11..15)?.iter().filter_map(|ticks| ticks.parse::<u32>().ok()).sum();
        Some(Self { group: fields.get(2)?.parse().ok()?, time: TICK * ticks })
    }
}

/// Returns this process's time so far.
pub(crate) fn process_time() -> Duration {
    Process::read("self").unwrap().time
}

/// Returns the time of a group's processes so far, including terminated ones.
pub(crate) fn group_time(group: i32) -> Duration {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let processes = entries.filter_map(|entry| Process::read(entry.file_name().to_str()?));
    processes.filter(|process| process.group == group).map(|process| process.time).sum()
}
