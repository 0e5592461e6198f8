//! Limits of concurrent page reads: in total, and per host to spare sites.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The limiter. Reads that wait for a busy host do not block others.
#[derive(Debug)]
pub(crate) struct HostLimiter {
    reads: Arc<Semaphore>,
    per_host: usize,
    waiting_per_host: usize,
    hosts: Arc<Mutex<HashMap<String, HostQueue>>>,
}

#[derive(Debug)]
struct HostQueue {
    reads: Arc<Semaphore>,
    /// Number of reads in progress or waiting; the host is removed with the last one.
    visitors: usize,
}

/// A permit to read a page of a host.
#[derive(Debug)]
pub(crate) struct HostPermit {
    _read: OwnedSemaphorePermit,
    _host: OwnedSemaphorePermit,
    _visit: QueueGuard,
}

/// Too many reads wait for this host already.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct QueueFull;

impl HostLimiter {
    pub(crate) fn new(concurrency: usize, per_host: usize, waiting_per_host: usize) -> Self {
        Self {
            reads: Arc::new(Semaphore::new(concurrency.max(1))),
            per_host: per_host.max(1),
            waiting_per_host,
            hosts: Arc::default(),
        }
    }

    /// Waits for a permit. `whatever_it_takes` joins the queue however long it is.
    pub(crate) async fn acquire(&self, host: &str, whatever_it_takes: bool) -> Result<HostPermit, QueueFull> {
        let (visit, reads) = self.visit(host, whatever_it_takes)?;
        // First the host's permit, then a global one, so that no read holds a global permit while it waits.
        let host = reads.acquire_owned().await.map_err(|_| QueueFull)?;
        let read = Arc::clone(&self.reads).acquire_owned().await.map_err(|_| QueueFull)?;
        Ok(HostPermit { _read: read, _host: host, _visit: visit })
    }

    fn visit(&self, name: &str, whatever_it_takes: bool) -> Result<(QueueGuard, Arc<Semaphore>), QueueFull> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let host = hosts
            .entry(name.to_owned())
            .or_insert_with(|| HostQueue { reads: Arc::new(Semaphore::new(self.per_host)), visitors: 0 });
        if host.visitors >= self.per_host + self.waiting_per_host && !whatever_it_takes {
            return Err(QueueFull);
        }
        host.visitors += 1;
        Ok((QueueGuard { hosts: Arc::clone(&self.hosts), name: name.to_owned() }, Arc::clone(&host.reads)))
    }
}

#[derive(Debug)]
struct QueueGuard {
    hosts: Arc<Mutex<HashMap<String, HostQueue>>>,
    name: String,
}

impl Drop for QueueGuard {
    fn drop(&mut self) {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(host) = hosts.get_mut(&self.name) else { return };
        host.visitors -= 1;
        if host.visitors == 0 {
            hosts.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    #[tokio::test]
    async fn a_busy_host_does_not_block_others() {
        let hosts = HostLimiter::new(2, 1, 1);
        let first = hosts.acquire("a", false).await.unwrap();
        let mut second = Box::pin(hosts.acquire("a", false));
        assert!(second.as_mut().now_or_never().is_none(), "one of a host at a time");
        assert_eq!(hosts.acquire("a", false).await.unwrap_err(), QueueFull);
        let mut patient = Box::pin(hosts.acquire("a", true));
        assert!(patient.as_mut().now_or_never().is_none());
        let other = hosts.acquire("b", false).now_or_never().expect("another host is free").unwrap();
        let mut third = Box::pin(hosts.acquire("c", false));
        assert!(third.as_mut().now_or_never().is_none(), "two reads in all");
        drop(other);
        third.await.unwrap();
        drop(first);
        drop(second.await.unwrap());
        drop(patient.await.unwrap());
        assert!(hosts.hosts.lock().unwrap().is_empty(), "unused hosts are removed");
    }

    #[tokio::test]
    async fn a_cancelled_wait_leaves_no_entry() {
        let hosts = HostLimiter::new(1, 1, 1);
        let first = hosts.acquire("a", false).await.unwrap();
        let mut second = Box::pin(hosts.acquire("a", false));
        assert!(second.as_mut().now_or_never().is_none());
        drop(second);
        drop(first);
        hosts.acquire("a", false).now_or_never().unwrap().unwrap();
        assert!(hosts.hosts.lock().unwrap().is_empty());
    }
}
