//! Records calls that cost nothing in the usage history: batched, so that a hit never waits for Postgres. If metering
//! is unavailable for long, the oldest records are dropped.

use crate::account_directory::Caller;
use crate::billing_month::BillingMonth;
use crate::metering::{Metering, MeteringError};
use crate::parse_query::ParsedCall;
use crate::request_id::RequestId;
use limner_proto::v1;
use limner_types::ErrorCode;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc;
use tokio::time::Instant;

const MAX_PENDING_RECORDS: usize = 20_000;
const BATCH: usize = 500;
/// Maximum time for which a call waits for its batch to fill.
const MAX_BATCH_DELAY: Duration = Duration::from_millis(500);
const ATTEMPTS: u32 = 5;

/// Queue of calls to be recorded.
pub(crate) struct UsageRecorder {
    sender: mpsc::Sender<PendingRecord>,
}

/// A pending record. It copies nothing, because pending records of hits outnumber the batches.
struct PendingRecord {
    caller: Arc<Caller>,
    call: Arc<ParsedCall>,
    id: RequestId,
    at: SystemTime,
    duration: Duration,
    ending: FreeCallOutcome,
}

impl PendingRecord {
    fn to_wire(&self) -> v1::RecordedCall {
        let (cached, code) = match self.ending {
            FreeCallOutcome::Cached => (true, None),
            FreeCallOutcome::Failed(code) => (false, Some(code.to_string())),
            FreeCallOutcome::Cancelled => (false, Some(CANCELLED.to_owned())),
        };
        let at = self.at.duration_since(UNIX_EPOCH).unwrap_or_default();
        v1::RecordedCall {
            account_id: self.caller.account_id.clone(),
            key_id: self.caller.key_id.clone(),
            request_id: self.id.as_str().to_owned(),
            operation: self.call.request.operation.to_string(),
            url: self.call.target.as_str().to_owned(),
            at_unix_ms: i64::try_from(at.as_millis()).unwrap_or(i64::MAX),
            cached,
            code,
            duration_ms: u32::try_from(self.duration.as_millis()).ok(),
        }
    }
}

/// The outcome of a call that cost nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FreeCallOutcome {
    Cached,
    Failed(ErrorCode),
    /// Cancelled while it waited for the result of an identical call.
    Cancelled,
}

/// The history's name for the outcome of a cancelled call.
pub(crate) const CANCELLED: &str = "cancelled";

impl UsageRecorder {
    /// Returns the recorder, and the future that sends its batches. The future ends when the recorder is dropped and
    /// everything is sent.
    pub(crate) fn new(
        metering: Arc<dyn Metering>,
        calendar: Arc<BillingMonth>,
    ) -> (Self, impl Future<Output = ()> + Send) {
        let (sender, receiver) = mpsc::channel(MAX_PENDING_RECORDS);
        (Self { sender }, send(receiver, metering, calendar))
    }

    pub(crate) fn record(
        &self,
        caller: &Arc<Caller>,
        id: &RequestId,
        call: &Arc<ParsedCall>,
        arrived: Instant,
        ending: FreeCallOutcome,
    ) {
        let (caller, call, id) = (Arc::clone(caller), Arc::clone(call), *id);
        let (at, duration) = (SystemTime::now(), arrived.elapsed());
        if self.sender.try_send(PendingRecord { caller, call, id, at, duration, ending }).is_err() {
            count_dropped(1);
        }
    }
}

async fn send(mut calls: mpsc::Receiver<PendingRecord>, metering: Arc<dyn Metering>, calendar: Arc<BillingMonth>) {
    let mut batch = Vec::with_capacity(BATCH);
    while calls.recv_many(&mut batch, BATCH).await > 0 {
        let gather_until = tokio::time::Instant::now() + MAX_BATCH_DELAY;
        while batch.len() < BATCH {
            let room = BATCH - batch.len();
            match tokio::time::timeout_at(gather_until, calls.recv_many(&mut batch, room)).await {
                Ok(more) if more > 0 => {}
                _ => break,
            }
        }
        if let Some(month) = deliver(&batch, metering.as_ref()).await {
            calendar.observe(month);
        }
        batch.clear();
    }
}

/// Sends a batch; returns the current month as reported by metering.
async fn deliver(batch: &[PendingRecord], metering: &dyn Metering) -> Option<i64> {
    for attempt in 1..=ATTEMPTS {
        match metering.record_calls(batch.iter().map(PendingRecord::to_wire).collect()).await {
            Ok(month) => return Some(month),
            Err(MeteringError::Refused(cause)) => {
                tracing::error!(error = cause, "metering rejected usage history");
                break;
            }
            Err(cause) => {
                tracing::warn!(error = %cause, usage.attempt = attempt, "cannot send usage history");
                tokio::time::sleep(Duration::from_millis(200 << attempt)).await;
            }
        }
    }
    count_dropped(batch.len());
    None
}

fn count_dropped(calls: usize) {
    metrics::counter!("limner_gateway_usage_records_dropped_total").increment(calls as u64);
}
