//! Limits of concurrent page reads in this process: in total, per account so that none takes all of them, and per
//! registrable domain to spare sites.

use limner_page_worker::THROTTLE_TIME;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// The limiter. Reads that wait for a busy host do not block others.
#[derive(Debug)]
pub(crate) struct HostLimiter {
    reads: Arc<Semaphore>,
    per_tenant: usize,
    per_host: usize,
    waiting_per_host: usize,
    tenants: Queues,
    hosts: Queues,
    /// Sites that are read half as often, and until when.
    throttled: Mutex<HashMap<String, Instant>>,
}

type Queues = Arc<Mutex<HashMap<String, Queue>>>;

#[derive(Debug)]
struct Queue {
    reads: Arc<Semaphore>,
    /// Number of reads in progress or waiting; the queue is removed with the last one.
    visitors: usize,
}

/// The turn of an account at a host: it may read a page once a read of the process is free.
#[derive(Debug)]
pub(crate) struct HostTurn {
    _host: OwnedSemaphorePermit,
    _tenant: OwnedSemaphorePermit,
    _visits: [QueueGuard; 2],
}

/// A permit to read a page of a host.
#[derive(Debug)]
pub(crate) struct HostPermit {
    _read: OwnedSemaphorePermit,
    _turn: HostTurn,
}

/// Too many reads wait for this host already.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct QueueFull;

impl HostLimiter {
    pub(crate) fn new(concurrency: usize, per_host: usize, waiting_per_host: usize) -> Self {
        Self {
            reads: Arc::new(Semaphore::new(concurrency.max(1))),
            // A quarter is left for others.
            per_tenant: (concurrency * 3 / 4).max(1),
            per_host: per_host.max(1),
            waiting_per_host,
            tenants: Arc::default(),
            hosts: Arc::default(),
            throttled: Mutex::default(),
        }
    }

    /// Halves the reads of a site for a while.
    pub(crate) fn throttle(&self, host: &str) {
        let now = Instant::now();
        let mut throttled = self.throttled.lock().unwrap_or_else(PoisonError::into_inner);
        throttled.retain(|_, until| *until > now);
        throttled.insert(host.to_owned(), now + THROTTLE_TIME);
    }

    /// Returns the number of a site's permits that a read needs.
    fn cost(&self, host: &str) -> u32 {
        let throttled = self.throttled.lock().unwrap_or_else(PoisonError::into_inner);
        let is_throttled = throttled.get(host).is_some_and(|until| *until > Instant::now());
        if is_throttled && self.per_host > 1 { 2 } else { 1 }
    }

    /// Waits for the account's turn at the host. `is_last_attempt` joins the queue however long it is.
    pub(crate) async fn wait_for_turn(
        &self,
        tenant: &str,
        host: &str,
        is_last_attempt: bool,
    ) -> Result<HostTurn, QueueFull> {
        let most = if is_last_attempt { usize::MAX } else { self.per_host + self.waiting_per_host };
        let cost = self.cost(host);
        let (at_host, host) = visit(&self.hosts, host, self.per_host, most)?;
        let (of_tenant, tenant) = visit(&self.tenants, tenant, self.per_tenant, usize::MAX)?;
        // The account's permit first, so that no read holds what others need while it waits.
        let tenant = tenant.acquire_owned().await.map_err(|_| QueueFull)?;
        let host = host.acquire_many_owned(cost).await.map_err(|_| QueueFull)?;
        Ok(HostTurn { _host: host, _tenant: tenant, _visits: [at_host, of_tenant] })
    }

    /// Waits for one of the reads of the process.
    pub(crate) async fn begin(&self, turn: HostTurn) -> Result<HostPermit, QueueFull> {
        let read = Arc::clone(&self.reads).acquire_owned().await.map_err(|_| QueueFull)?;
        Ok(HostPermit { _read: read, _turn: turn })
    }
}

/// Joins a queue with that many permits, unless `most` are in it.
fn visit(queues: &Queues, name: &str, permits: usize, most: usize) -> Result<(QueueGuard, Arc<Semaphore>), QueueFull> {
    let mut all = queues.lock().unwrap_or_else(PoisonError::into_inner);
    let queue =
        all.entry(name.to_owned()).or_insert_with(|| Queue { reads: Arc::new(Semaphore::new(permits)), visitors: 0 });
    if queue.visitors >= most {
        return Err(QueueFull);
    }
    queue.visitors += 1;
    Ok((QueueGuard { queues: Arc::clone(queues), name: name.to_owned() }, Arc::clone(&queue.reads)))
}

#[derive(Debug)]
struct QueueGuard {
    queues: Queues,
    name: String,
}

impl Drop for QueueGuard {
    fn drop(&mut self) {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(queue) = queues.get_mut(&self.name) else { return };
        queue.visitors -= 1;
        if queue.visitors == 0 {
            queues.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    async fn acquire(limiter: &HostLimiter, tenant: &str, host: &str, last: bool) -> Result<HostPermit, QueueFull> {
        limiter.begin(limiter.wait_for_turn(tenant, host, last).await?).await
    }

    #[tokio::test]
    async fn busy_host_does_not_block_others() {
        let hosts = HostLimiter::new(2, 1, 1);
        let first = acquire(&hosts, "tenant a", "a", false).await.unwrap();
        let mut second = Box::pin(acquire(&hosts, "tenant q", "a", false));
        assert!(second.as_mut().now_or_never().is_none(), "one of a host at a time");
        assert_eq!(acquire(&hosts, "tenant a", "a", false).await.unwrap_err(), QueueFull);
        let mut patient = Box::pin(acquire(&hosts, "tenant p", "a", true));
        assert!(patient.as_mut().now_or_never().is_none());
        let other = acquire(&hosts, "tenant b", "b", false).now_or_never().expect("another host is free").unwrap();
        let mut third = Box::pin(acquire(&hosts, "tenant c", "c", false));
        assert!(third.as_mut().now_or_never().is_none(), "two reads in all");
        drop(other);
        third.await.unwrap();
        drop(first);
        drop(second.await.unwrap());
        drop(patient.await.unwrap());
        assert!(hosts.hosts.lock().unwrap().is_empty(), "unused hosts are removed");
    }

    #[tokio::test]
    async fn cancelled_wait_leaves_no_entry() {
        let hosts = HostLimiter::new(1, 1, 1);
        let first = acquire(&hosts, "tenant a", "a", false).await.unwrap();
        let mut second = Box::pin(acquire(&hosts, "tenant a", "a", false));
        assert!(second.as_mut().now_or_never().is_none());
        drop(second);
        drop(first);
        acquire(&hosts, "tenant a", "a", false).now_or_never().unwrap().unwrap();
        assert!(hosts.hosts.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn one_account_leaves_a_quarter_to_others() {
        let hosts = HostLimiter::new(8, 8, 8);
        let mut reads = Vec::new();
        for host in ["a", "b", "c", "d", "e", "f"] {
            reads.push(acquire(&hosts, "busy", host, false).now_or_never().expect("a place").unwrap());
        }
        let mut waiting = Box::pin(acquire(&hosts, "busy", "g", false));
        assert!(waiting.as_mut().now_or_never().is_none(), "six of eight");
        // A waiting read occupies neither its host nor a place of others.
        let other = acquire(&hosts, "quiet", "g", false).now_or_never().expect("a place is left").unwrap();
        drop(reads.pop());
        waiting.await.unwrap();
        drop((reads, other));
        assert!(hosts.tenants.lock().unwrap().is_empty(), "unused queues are removed");
    }

    #[tokio::test(start_paused = true)]
    async fn site_that_has_too_many_requests_is_read_half_as_often() {
        let hosts = HostLimiter::new(8, 4, 8);
        hosts.throttle("a");
        let reads = || (0..4).filter_map(|_| acquire(&hosts, "t", "a", false).now_or_never()).collect::<Vec<_>>();
        assert_eq!(reads().len(), 2);
        let others = (0..4).filter_map(|_| acquire(&hosts, "u", "b", false).now_or_never()).collect::<Vec<_>>();
        assert_eq!(others.len(), 4, "another site is not affected");
        drop(others);
        tokio::time::advance(THROTTLE_TIME).await;
        assert_eq!(reads().len(), 4);
    }
}
