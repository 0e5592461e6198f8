//! The end of a hold: charged or freed, whatever it takes. What does not go through at once is repeated in the
//! background for as long as the hold lives; after that the hold's own expiry frees it.

use crate::backend::{Metering, MeteringError};
use limner_proto::v1;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

#[derive(Clone)]
pub(crate) struct Settlement {
    metering: Arc<dyn Metering>,
    tasks: TaskTracker,
}

/// What came of a commit.
#[derive(Debug)]
pub(crate) enum Committed {
    Now(v1::CommitResponse),
    /// Metering is away: it will be charged in the background, unless the hold expires first.
    Later,
    /// Metering will not charge it: the hold is gone.
    Never,
}

impl Settlement {
    pub(crate) fn new(metering: Arc<dyn Metering>, tasks: TaskTracker) -> Self {
        Self { metering, tasks }
    }

    /// Charges a hold. Waits for `patience`, then goes on in the background until `hold_ends`.
    pub(crate) async fn commit(&self, request: v1::CommitRequest, patience: Duration, hold_ends: Instant) -> Committed {
        let metering = Arc::clone(&self.metering);
        let work = self.tasks.spawn(async move {
            let commit = || metering.commit(request.clone());
            until(commit, hold_ends, "a charge", &request.request_id).await
        });
        match tokio::time::timeout(patience, work).await {
            Ok(Ok(Some(response))) => Committed::Now(response),
            Ok(_) => Committed::Never,
            Err(_) => Committed::Later,
        }
    }

    /// Frees a hold. Waits for `patience`, then goes on in the background until `hold_ends`.
    pub(crate) async fn release(&self, request: v1::ReleaseRequest, patience: Duration, hold_ends: Instant) {
        let metering = Arc::clone(&self.metering);
        let work = self.tasks.spawn(async move {
            let release = || metering.release(request.clone());
            until(release, hold_ends, "a release", &request.request_id).await
        });
        let _ = tokio::time::timeout(patience, work).await;
    }
}

/// Repeats `call` until it is answered. `None`: refused, or out of time.
async fn until<'a, T>(
    call: impl Fn() -> futures::future::BoxFuture<'a, Result<T, MeteringError>>,
    give_up: Instant,
    what: &'static str,
    request_id: &str,
) -> Option<T> {
    let mut pause = FIRST_PAUSE;
    loop {
        match call().await {
            Ok(answer) => return Some(answer),
            Err(MeteringError::Refused(cause)) => {
                metrics::counter!("limner_gateway_unsettled_holds_total", "why" => "refused").increment(1);
                tracing::error!(request.id = request_id, error = cause, "{what} was refused");
                return None;
            }
            Err(cause) => tracing::warn!(request.id = request_id, error = %cause, "{what} did not go through"),
        }
        if Instant::now() + pause >= give_up {
            metrics::counter!("limner_gateway_unsettled_holds_total", "why" => "expired").increment(1);
            tracing::error!(request.id = request_id, "{what} is given up: the hold expires");
            return None;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}
