//! The `process_…` metrics that every Prometheus client exports, read from `/proc/self` for each scrape. `limner up` is one
//! process. Where there is no `/proc`, there are none but the start time.

use std::fmt::Write;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// Clock ticks per second in `/proc` (`USER_HZ`), which is 100 on every architecture that Limner is built for.
const TICKS_PER_SECOND: f64 = 100.0;

/// Time at which this process began to record metrics.
static STARTED: OnceLock<SystemTime> = OnceLock::new();

/// Notes the start of this process.
pub(crate) fn note_start() {
    STARTED.get_or_init(SystemTime::now);
}

/// Renders the metrics of this process, for `/metrics`.
pub(crate) fn render() -> String {
    let started = STARTED.get_or_init(SystemTime::now).duration_since(UNIX_EPOCH).unwrap_or_default();
    let read = |file: &str| std::fs::read_to_string(format!("/proc/self/{file}")).unwrap_or_default();
    let (stat, status, limits) = (read("stat"), read("status"), read("limits"));
    let open = std::fs::read_dir("/proc/self/fd").ok().map(|entries| entries.count() as f64);
    let metrics = [
        (
            "process_start_time_seconds",
            "gauge",
            "Start of the process in seconds since the epoch",
            Some(started.as_secs_f64()),
        ),
        ("process_cpu_seconds_total", "counter", "Processor time of the process", processor_seconds(&stat)),
        ("process_resident_memory_bytes", "gauge", "Resident memory of the process", memory(&status, "VmRSS:")),
        ("process_virtual_memory_bytes", "gauge", "Virtual memory of the process", memory(&status, "VmSize:")),
        ("process_open_fds", "gauge", "Open file descriptors of the process", open),
        ("process_max_fds", "gauge", "Maximum number of open file descriptors", max_files(&limits)),
    ];
    let mut text = String::new();
    for (name, kind, what, value) in metrics {
        if let Some(value) = value {
            let _ = writeln!(text, "# HELP {name} {what}\n# TYPE {name} {kind}\n{name} {value}");
        }
    }
    text
}

/// Sums `utime` and `stime`, fields 14 and 15. The second field, the name of the program in parentheses, may hold anything.
fn processor_seconds(stat: &str) -> Option<f64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_ascii_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS_PER_SECOND)
}

/// Returns the value of a line such as `VmRSS: 1024 kB`, in bytes.
fn memory(status: &str, name: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<f64>().ok()? * 1_024.0)
}

/// Returns the soft limit of `Max open files`; `None` if it is unlimited.
fn max_files(limits: &str) -> Option<f64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_proc_are_read_by_their_manual() {
        let fields = "S 1 2 3 0 -1 4194304 100 0 0 0 725 75 0 0 20 0 1 0 999";
        for (stat, seconds) in [
            (format!("12 (limner) {fields}"), Some(8.0)),
            (format!("12 (a) b 9 9 9) {fields}"), Some(8.0)),
            ("12 (limner) S 1".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(processor_seconds(&stat), seconds, "{stat}");
        }
        let status = "Name:\tlimner\nVmSize:\t  20 kB\nVmRSS:\t    3 kB\n";
        assert_eq!(
            (memory(status, "VmRSS:"), memory(status, "VmSize:"), memory("", "VmRSS:")),
            (Some(3_072.0), Some(20_480.0), None)
        );
        let limits = "Limit  Soft Limit  Hard Limit  Units\nMax open files            1024                 4096                 files\n";
        assert_eq!((max_files(limits), max_files(&limits.replace("1024", "unlimited"))), (Some(1_024.0), None));
    }

    #[test]
    fn process_describes_itself_with_plausible_values() {
        note_start();
        let text = render();
        let value = |name: &str| -> f64 {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.unwrap_or_else(|| panic!("{name}: {text}")).parse().unwrap()
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64();
        assert!(now - value("process_start_time_seconds") < 3_600.0);
        assert!(value("process_resident_memory_bytes") > 1e5);
        assert!(value("process_virtual_memory_bytes") >= value("process_resident_memory_bytes"));
        assert!((3.0..=value("process_max_fds")).contains(&value("process_open_fds")), "{text}");
        assert!(value("process_cpu_seconds_total") >= 0.0);
    }
}
