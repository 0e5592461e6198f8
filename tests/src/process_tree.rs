//! A process and its descendants: what they take of processors and memory.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// The kernel counts in hundredths of a second on every machine.
const TICK: Duration = Duration::from_millis(10);

/// A running process.
#[derive(Debug, Clone)]
pub struct ProcessInfo {
    /// Its id.
    pub id: u32,
    /// Its nice value: 19 is the lowest priority.
    pub niceness: i32,
    /// Processor time of all its threads, without its children's.
    pub processor_time: Duration,
    parent: u32,
    /// Ticks after the start of the machine: tells it from an earlier process of the same id.
    started: u64,
}

impl ProcessInfo {
    fn read(id: u32) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The second field is the program's name in parentheses and may contain anything.
        let (_, after_name) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = after_name.split_ascii_whitespace().collect();
        let number = |index: usize| fields.get(index)?.parse::<i64>().ok();
        let ticks = u32::try_from(number(11)? + number(12)?).ok()?;
        Some(Self {
            id,
            parent: number(1)?.try_into().ok()?,
            niceness: number(16)?.try_into().ok()?,
            processor_time: TICK * ticks,
            started: number(19)?.try_into().ok()?,
        })
    }

    /// Returns true if its command line contains the text.
    pub fn runs(&self, text: &str) -> bool {
        let command = std::fs::read(format!("/proc/{}/cmdline", self.id)).unwrap_or_default();
        String::from_utf8_lossy(&command).contains(text)
    }

    /// Returns its resident memory without shared memory, in bytes.
    pub fn private_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id)).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) * 1_024
    }
}

/// Returns a process and all its descendants.
pub fn process_tree(root: u32) -> Vec<ProcessInfo> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let (mut tree, mut others): (Vec<_>, Vec<_>) =
        ids.filter_map(ProcessInfo::read).partition(|process| process.id == root);
    loop {
        let (found, left): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|process| tree.iter().any(|known| known.id == process.parent));
        others = left;
        if found.is_empty() {
            return tree;
        }
        tree.extend(found);
    }
}

/// Counts the processor time of a process and its descendants, including those that are killed. It reads them
/// periodically: of a process that ends, it may miss the time since the last reading.
#[derive(Debug)]
pub struct ProcessorMeter {
    root: u32,
    /// By id and start.
    seen: Arc<Mutex<HashMap<(u32, u64), Duration>>>,
    stop: Arc<AtomicBool>,
    reading: Option<JoinHandle<()>>,
}

/// Interval of the readings.
const INTERVAL: Duration = Duration::from_millis(50);

impl ProcessorMeter {
    /// Starts to count.
    pub fn start(root: u32) -> Self {
        let (seen, stop) = (Arc::<Mutex<HashMap<_, _>>>::default(), Arc::<AtomicBool>::default());
        let reading = {
            let (seen, stop) = (Arc::clone(&seen), Arc::clone(&stop));
            std::thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    read(root, &seen);
                    std::thread::sleep(INTERVAL);
                }
            })
        };
        Self { root, seen, stop, reading: Some(reading) }
    }

    /// Returns the time used until now, since the start of the processes.
    pub fn used(&self) -> Duration {
        read(self.root, &self.seen);
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }
}

fn read(root: u32, seen: &Mutex<HashMap<(u32, u64), Duration>>) {
    let tree = process_tree(root);
    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    seen.extend(tree.into_iter().map(|process| ((process.id, process.started), process.processor_time)));
}

impl Drop for ProcessorMeter {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(reading) = self.reading.take() {
            let _ = reading.join();
        }
    }
}
