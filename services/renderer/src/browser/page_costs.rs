//! Limits the processor time of pages.
//!
//! With workers, one page can occupy all processors for its whole visit; with a flood of messages, it makes the browser's
//! own processes work as much as its own. Each page has a process of its own, and is charged for it and for a share of
//! what the browser's other processes use meanwhile. Beyond the limit its process is killed: it has crashed.

use super::Browser;
use super::process::{Member, pid_of};
use rustix::process::{Signal, kill_process};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{PoisonError, Weak};
use std::time::Duration;
use tokio::time::MissedTickBehavior;

/// Interval at which processor times are read.
const INTERVAL: Duration = Duration::from_millis(500);
/// Argument of the processes that run pages.
const PAGE_PROCESS: &[u8] = b"--type=renderer";

/// Kills the processes of pages that cost more than `limit`, as long as the browser exists. Nothing is read while no
/// page is open.
pub(super) async fn limit_page_costs(browser: Weak<Browser>, limit: Duration) {
    let mut ticks = tokio::time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut costs = PageCosts::default();
    loop {
        ticks.tick().await;
        let Some(browser) = browser.upgrade() else { return };
        if browser.open_pages.load(Ordering::Relaxed) == 0 {
            costs = PageCosts::default();
            continue;
        }
        // Reading `/proc` blocks.
        let charged = tokio::task::spawn_blocking(move || {
            charge(&browser, &mut costs, limit);
            costs
        });
        costs = charged.await.unwrap_or_default();
    }
}

fn charge(browser: &Browser, costs: &mut PageCosts, limit: Duration) {
    let process = browser.process.lock().unwrap_or_else(PoisonError::into_inner);
    let members = process.as_ref().map(super::process::Process::members).unwrap_or_default();
    for page in costs.charge(&members, runs_a_page, limit) {
        // It may have ended by itself.
        if pid_of(page).is_some_and(|pid| kill_process(pid, Signal::KILL).is_ok()) {
            tracing::warn!("killed a page that used up its processor time");
            metrics::counter!("limner_renderer_costly_pages_total").increment(1);
        }
    }
}

/// Returns true for a process that runs pages, by its command line.
fn runs_a_page(pid: u32) -> bool {
    let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    command.windows(PAGE_PROCESS.len()).any(|argument| argument == PAGE_PROCESS)
}

/// Processor times of the last reading, and what pages have cost.
#[derive(Debug, Default)]
struct PageCosts {
    last: HashMap<u32, Duration>,
    charged: HashMap<u32, Duration>,
}

impl PageCosts {
    /// Charges pages for what was used since the last reading, and returns those beyond the limit. The first reading
    /// charges nothing but the pages' own time.
    fn charge(&mut self, members: &[Member], is_page: impl Fn(u32) -> bool, limit: Duration) -> Vec<u32> {
        let is_first = self.last.is_empty();
        let used = |member: &Member| {
            let before = self.last.get(&member.pid).copied().unwrap_or_default();
            (member.pid, member.processor_time.saturating_sub(before))
        };
        let (pages, others): (Vec<_>, Vec<_>) = members.iter().map(used).partition(|(pid, _)| is_page(*pid));
        let own: Duration = pages.iter().map(|(_, used)| *used).sum();
        let shared: Duration = if is_first { Duration::ZERO } else { others.iter().map(|(_, used)| *used).sum() };
        let factor = if own.is_zero() { 1.0 } else { 1.0 + shared.as_secs_f64() / own.as_secs_f64() };
        let charged = |(pid, used): &(u32, Duration)| {
            let before = self.charged.get(pid).copied().unwrap_or_default();
            (*pid, before + used.mul_f64(factor))
        };
        self.charged = pages.iter().map(charged).collect();
        self.last = members.iter().map(|member| (member.pid, member.processor_time)).collect();
        self.charged.iter().filter(|(_, charged)| **charged > limit).map(|(pid, _)| *pid).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(10);

    /// Reads the times of the browser (process 1) and of pages (from 2 on), in seconds.
    fn read(costs: &mut PageCosts, times: &[(u32, u64)]) -> Vec<u32> {
        let member = |(pid, seconds): &(u32, u64)| Member { pid: *pid, processor_time: Duration::from_secs(*seconds) };
        let members: Vec<Member> = times.iter().map(member).collect();
        costs.charge(&members, |pid| pid > 1, LIMIT)
    }

    #[test]
    fn page_is_charged_for_its_process_and_what_it_makes_the_browser_do() {
        let mut costs = PageCosts::default();
        assert!(read(&mut costs, &[(1, 100), (2, 1)]).is_empty(), "the browser's time before is nobody's");
        assert!(read(&mut costs, &[(1, 104), (2, 5)]).is_empty(), "nine seconds");
        assert_eq!(read(&mut costs, &[(1, 105), (2, 6)]), [2]);
    }

    #[test]
    fn browser_time_is_shared_in_proportion_and_ended_pages_are_forgotten() {
        let mut costs = PageCosts::default();
        read(&mut costs, &[(1, 0), (2, 0), (3, 0)]);
        assert_eq!(read(&mut costs, &[(1, 5), (2, 8), (3, 2)]), [2], "twelve seconds and three");
        assert!(read(&mut costs, &[(1, 5), (3, 2)]).is_empty());
        assert!(read(&mut costs, &[(1, 5), (2, 1), (3, 2)]).is_empty(), "another process of that id");
    }
}
