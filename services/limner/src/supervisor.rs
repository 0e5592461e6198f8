//! Supervises the services of this process: starts them, stops them in order, and stops all if one fails.

use crate::exit;
use anyhow::{Context, anyhow};
use limner_runtime::{Component, Readiness};
use std::future::Future;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

/// Services that run concurrently.
pub(crate) struct Supervisor {
    members: Vec<SupervisedService>,
    following: Vec<AbortOnDropHandle<()>>,
    readiness: Readiness,
    /// Not ready until all services have been added.
    startup: Component,
    ended: mpsc::UnboundedSender<&'static str>,
    endings: mpsc::UnboundedReceiver<&'static str>,
}

struct SupervisedService {
    name: &'static str,
    stop: CancellationToken,
    task: JoinHandle<anyhow::Result<()>>,
    _component: Component,
}

impl Supervisor {
    /// Returns a supervisor without services.
    pub(crate) fn new(readiness: Readiness) -> Self {
        let (ended, endings) = mpsc::unbounded_channel();
        let startup = readiness.component("startup");
        Self { members: Vec::new(), following: Vec::new(), readiness, startup, ended, endings }
    }

    /// Starts a service. Add dependencies first: the last service added is the first one to stop.
    pub(crate) fn add<F, E>(&mut self, name: &'static str, run: impl FnOnce(CancellationToken) -> F)
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: std::error::Error + Send + Sync + 'static,
    {
        let stop = CancellationToken::new();
        let (running, ended) = (run(stop.clone()), self.ended.clone());
        let task = tokio::spawn(async move {
            let result = running.await;
            // No receiver exists while the process is shutting down.
            let _ = ended.send(name);
            result.map_err(anyhow::Error::from)
        });
        let component = self.readiness.component(name);
        component.ready();
        self.members.push(SupervisedService { name, stop, task, _component: component });
    }

    /// Makes this process ready only while `ready` is true.
    pub(crate) fn track_readiness(&mut self, name: &'static str, ready: watch::Receiver<bool>) {
        self.follow(self.readiness.component(name), ready);
    }

    /// Reports whether a dependency is there. Without it this process is ready nevertheless.
    pub(crate) fn track_dependency(&mut self, name: &'static str, is_there: watch::Receiver<bool>) {
        self.follow(self.readiness.dependency(name), is_there);
    }

    fn follow(&mut self, component: Component, mut ready: watch::Receiver<bool>) {
        let following = tokio::spawn(async move {
            loop {
                component.set(*ready.borrow_and_update());
                if ready.changed().await.is_err() {
                    return;
                }
            }
        });
        self.following.push(AbortOnDropHandle::new(following));
    }

    /// Waits until `shutdown`, or until a service ends by itself, then stops all of them: each may finish its work
    /// while its dependencies still run. Services that have not ended after `grace` are cut off.
    pub(crate) async fn run(mut self, shutdown: CancellationToken, grace: Duration) -> anyhow::Result<()> {
        self.startup.ready();
        let mut faults = Vec::new();
        tokio::select! {
            () = shutdown.cancelled() => {}
            Some(name) = self.endings.recv() => faults.push(anyhow!("{name} ended on its own")),
        }
        self.readiness.drain();
        let deadline = Instant::now() + grace;
        for member in self.members.into_iter().rev() {
            if let Err(fault) = member.end(deadline).await {
                tracing::error!(error = exit::with_causes(&fault), "service failed");
                faults.push(fault);
            }
        }
        // If a service failed, the last error is the cause: the first one only notes that the service ended by itself.
        faults.pop().map_or(Ok(()), Err)
    }
}

impl SupervisedService {
    async fn end(mut self, deadline: Instant) -> anyhow::Result<()> {
        self.stop.cancel();
        let Ok(joined) = tokio::time::timeout_at(deadline, &mut self.task).await else {
            self.task.abort();
            return Err(anyhow!("{} was cut off: its work was not done within shutdown.grace", self.name));
        };
        tracing::info!(service.role = self.name, "service ended");
        joined.with_context(|| format!("{} crashed", self.name))?.with_context(|| self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::sync::{Arc, Mutex};

    type Order = Arc<Mutex<Vec<&'static str>>>;

    fn add(crew: &mut Supervisor, name: &'static str, order: &Order, work: Duration) {
        let order = order.clone();
        crew.add(name, |stop| async move {
            stop.cancelled().await;
            tokio::time::sleep(work).await;
            order.lock().unwrap().push(name);
            Ok::<(), io::Error>(())
        });
    }

    #[tokio::test(start_paused = true)]
    async fn last_added_ends_first_and_each_finishes_its_work() {
        let (order, readiness) = (Order::default(), Readiness::default());
        let mut crew = Supervisor::new(readiness.clone());
        add(&mut crew, "below", &order, Duration::ZERO);
        add(&mut crew, "above", &order, Duration::from_secs(3));
        assert!(!readiness.is_ready(), "more may be added");
        let shutdown = CancellationToken::new();
        shutdown.cancel();
        crew.run(shutdown, Duration::from_secs(5)).await.unwrap();
        assert_eq!(*order.lock().unwrap(), ["above", "below"]);
        assert!(readiness.is_draining());
    }

    #[tokio::test(start_paused = true)]
    async fn service_that_fails_ends_the_others() {
        let order = Order::default();
        let mut crew = Supervisor::new(Readiness::default());
        add(&mut crew, "steady", &order, Duration::ZERO);
        crew.add("broken", |_| async { Err(io::Error::other("no luck")) });
        let fault = crew.run(CancellationToken::new(), Duration::from_secs(5)).await.unwrap_err();
        assert_eq!(format!("{fault:#}"), "broken: no luck");
        assert_eq!(*order.lock().unwrap(), ["steady"]);
    }

    #[tokio::test(start_paused = true)]
    async fn services_that_take_too_long_are_cut_off() {
        let order = Order::default();
        let mut crew = Supervisor::new(Readiness::default());
        add(&mut crew, "endless", &order, Duration::from_secs(1_000));
        let shutdown = CancellationToken::new();
        shutdown.cancel();
        let fault = crew.run(shutdown, Duration::from_secs(5)).await.unwrap_err();
        assert!(fault.to_string().contains("endless was cut off"), "{fault}");
    }
}
