//! Reads memory and processor statistics of the kernel: the machine's, or those of the control group if it has less.

use std::time::{Duration, Instant};

/// The control group of this process: in a container, it is mounted here.
const GROUP: &str = "/sys/fs/cgroup";

fn group(file: &str) -> Option<String> {
    std::fs::read_to_string(format!("{GROUP}/{file}")).ok()
}

/// Returns the bytes of memory available to this process; `None` if unknown.
pub(super) fn free_memory() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
    let number = |file: &str| group(file)?.trim().parse::<u64>().ok();
    let in_group = number("memory.max").map(|most| {
        // Page cache can be reclaimed.
        let cached = group("memory.stat").and_then(|text| field(&text, "inactive_file"));
        most.saturating_sub(number("memory.current").unwrap_or(0).saturating_sub(cached.unwrap_or(0)))
    });
    match (machine, in_group) {
        (Some(machine), Some(in_group)) => Some(machine.min(in_group)),
        (machine, in_group) => machine.or(in_group),
    }
}

/// Measures idle processor time.
#[derive(Debug, Default)]
pub(super) struct CpuIdle {
    machine: Option<CpuTicks>,
    in_group: Option<(Instant, Duration)>,
}

/// Total and idle time of all processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CpuTicks {
    all: u64,
    idle: u64,
}

impl CpuIdle {
    /// Returns the idle share since the last call, from 0 to 1. Returns `None` if unknown, or at the first call.
    pub(super) fn unused(&mut self) -> Option<f64> {
        match (self.unused_machine_cpu(), self.unused_cgroup_cpu(Instant::now())) {
            (Some(machine), Some(in_group)) => Some(machine.min(in_group)),
            (machine, in_group) => machine.or(in_group),
        }
    }

    fn unused_machine_cpu(&mut self) -> Option<f64> {
        let now = ticks(&std::fs::read_to_string("/proc/stat").ok()?)?;
        let before = self.machine.replace(now)?;
        let all = now.all.saturating_sub(before.all);
        (all > 0).then(|| now.idle.saturating_sub(before.idle) as f64 / all as f64)
    }

    /// Applies only to a group with a quota.
    fn unused_cgroup_cpu(&mut self, now: Instant) -> Option<f64> {
        let processors = quota(&group("cpu.max")?)?;
        let used = Duration::from_micros(field(&group("cpu.stat")?, "usage_usec")?);
        let (then, used_then) = self.in_group.replace((now, used))?;
        let had = now.saturating_duration_since(then).as_secs_f64() * processors;
        (had > 0.0).then(|| (1.0 - used.saturating_sub(used_then).as_secs_f64() / had).max(0.0))
    }
}

fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1_024)
}

/// Returns the value of a field in a control group's file.
fn field(stat: &str, name: &str) -> Option<u64> {
    stat.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
}

/// Parses the first line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal; the remaining fields
/// are included in user and nice.
fn ticks(stat: &str) -> Option<CpuTicks> {
    let numbers = stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace().take(8);
    let numbers: Vec<u64> = numbers.map(str::parse).collect::<Result<_, _>>().ok()?;
    Some(CpuTicks { all: numbers.iter().sum(), idle: numbers.get(3)? + numbers.get(4)? })
}

/// Returns the number of processors that a quota allows; `None` without one.
fn quota(cpu_max: &str) -> Option<f64> {
    let (quota, period) = cpu_max.trim().split_once(' ')?;
    let (quota, period) = (quota.parse::<f64>().ok()?, period.parse::<f64>().ok()?);
    (period > 0.0).then_some(quota / period)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_as_the_kernel_writes_it() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:   2048 kB\nBuffers: 1 kB\n"), Some(2_097_152));
        assert_eq!(field("anon 5\ninactive_file 4096\n", "inactive_file"), Some(4_096));
        assert_eq!(field("inactive_file_more 7\n", "inactive_file"), None);
        assert_eq!((available(""), field("", "inactive_file")), (None, None));
        assert!(free_memory().unwrap() > 0);
    }

    #[test]
    fn processors_are_read_as_the_kernel_writes_them() {
        let stat = "cpu  10 1 5 80 20 2 3 4 9 9\ncpu0 10 1 5 80 20 2 3 4 9 9\n";
        assert_eq!(ticks(stat), Some(CpuTicks { all: 125, idle: 100 }));
        assert_eq!((ticks(""), ticks("cpu  1 2\n"), ticks("cpu  a b c d e\n")), (None, None, None));
        assert_eq!((quota("150000 100000\n"), quota("max 100000\n"), quota("")), (Some(1.5), None, None));
    }

    #[test]
    fn processor_that_works_is_used() {
        let mut processors = CpuIdle::default();
        assert_eq!(processors.unused(), None, "there is no earlier observation");
        let until = Instant::now() + Duration::from_millis(200);
        while Instant::now() < until {}
        let unused = processors.unused().unwrap();
        let all = std::thread::available_parallelism().unwrap().get() as f64;
        // One of them was busy; the kernel counts in hundredths of a second.
        assert!((0.0..=1.0 - 0.7 / all).contains(&unused), "{unused}");
    }
}
