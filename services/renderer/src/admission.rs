//! Whether another page can be taken at this moment: there is a browser, and memory for one page more.

use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How often memory is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The gate in front of the queue.
#[derive(Debug)]
pub(crate) struct Admission {
    open: watch::Receiver<bool>,
    watching: JoinHandle<()>,
}

impl Admission {
    /// Watches over the browser and over `spare` bytes of memory.
    pub(crate) fn start(mut browser: watch::Receiver<bool>, spare: u64) -> Self {
        let (gate, open) = watch::channel(false);
        let watching = tokio::spawn(async move {
            loop {
                let has_browser = *browser.borrow_and_update();
                let has_room = free_memory().is_none_or(|free| free >= spare);
                if has_browser && !has_room {
                    metrics::counter!("limner_renderer_short_of_memory_seconds_total").increment(1);
                }
                gate.send_if_modified(|open| {
                    std::mem::replace(open, has_browser && has_room) != (has_browser && has_room)
                });
                tokio::select! {
                    changed = browser.changed() => if changed.is_err() { return },
                    () = tokio::time::sleep(LOOK_EVERY) => {}
                }
            }
        });
        Self { open, watching }
    }

    pub(crate) fn is_open(&self) -> watch::Receiver<bool> {
        self.open.clone()
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.watching.abort();
    }
}

/// Bytes of memory left to this process: the machine's, or its control group's if that is less. `None`: nobody says.
fn free_memory() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
    let number =
        |file: &str| std::fs::read_to_string(format!("/sys/fs/cgroup/{file}")).ok()?.trim().parse::<u64>().ok();
    let group = number("memory.max").map(|most| {
        // What is only cached can be had back.
        let cached = std::fs::read_to_string("/sys/fs/cgroup/memory.stat").ok().and_then(|text| inactive_file(&text));
        most.saturating_sub(number("memory.current").unwrap_or(0).saturating_sub(cached.unwrap_or(0)))
    });
    match (machine, group) {
        (Some(machine), Some(group)) => Some(machine.min(group)),
        (machine, group) => machine.or(group),
    }
}

fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1_024)
}

fn inactive_file(stat: &str) -> Option<u64> {
    stat.lines().find_map(|line| line.strip_prefix("inactive_file "))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_as_the_kernel_writes_it() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:   2048 kB\nBuffers: 1 kB\n"), Some(2_097_152));
        assert_eq!(inactive_file("anon 5\ninactive_file 4096\n"), Some(4_096));
        assert_eq!((available(""), inactive_file("")), (None, None));
        assert!(free_memory().unwrap() > 0);
    }

    #[tokio::test]
    async fn the_gate_is_open_while_there_is_a_browser_and_memory() {
        let (browser, has_browser) = watch::channel(false);
        let admission = Admission::start(has_browser.clone(), 0);
        let mut open = admission.is_open();
        assert!(!*open.borrow());
        browser.send_replace(true);
        open.wait_for(|open| *open).await.unwrap();
        browser.send_replace(false);
        open.wait_for(|open| !*open).await.unwrap();
        browser.send_replace(true);
        let crowded = Admission::start(has_browser, u64::MAX);
        assert!(!*crowded.is_open().borrow());
        open.wait_for(|open| *open).await.unwrap();
        assert!(!*crowded.is_open().borrow());
    }
}
