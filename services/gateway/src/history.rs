//! Calls that cost nothing, on their way into the usage history: gathered and sent in batches, so that a hit never
//! waits for Postgres. When metering is away for long the oldest news is lost, never the service.

use crate::backend::{Metering, MeteringError};
use crate::calendar::Calendar;
use crate::directory::Caller;
use crate::query::Call;
use crate::request_id::RequestId;
use limner_proto::v1;
use limner_types::ErrorCode;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc;

const WAITING: usize = 20_000;
const BATCH: usize = 500;
/// How long a call may wait for others to share its batch.
const GATHER: Duration = Duration::from_millis(500);
const ATTEMPTS: u32 = 5;

/// Where calls are left to be recorded.
pub(crate) struct History {
    sender: mpsc::Sender<Note>,
}

/// What is remembered of a call until it is sent. Nothing is copied for it: hits leave more notes than there are batches.
struct Note {
    caller: Arc<Caller>,
    call: Arc<Call>,
    id: RequestId,
    at: SystemTime,
    ending: Ending,
}

impl Note {
    fn to_wire(&self) -> v1::RecordedCall {
        let (cached, code) = match self.ending {
            Ending::Cached => (true, None),
            Ending::Failed(code) => (false, Some(code.to_string())),
            Ending::Cancelled => (false, Some(CANCELLED.to_owned())),
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
        }
    }
}

/// How a call that cost nothing ended.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ending {
    Cached,
    Failed(ErrorCode),
    /// Given up while it waited for another's result.
    Cancelled,
}

/// How the history calls the end of a call that was given up.
pub(crate) const CANCELLED: &str = "cancelled";

impl History {
    /// The history, and the work of sending it, which ends when the history is dropped and everything is sent.
    pub(crate) fn new(metering: Arc<dyn Metering>, calendar: Arc<Calendar>) -> (Self, impl Future<Output = ()> + Send) {
        let (sender, receiver) = mpsc::channel(WAITING);
        (Self { sender }, send(receiver, metering, calendar))
    }

    pub(crate) fn record(&self, caller: &Arc<Caller>, id: &RequestId, call: &Arc<Call>, ending: Ending) {
        let (caller, call, id) = (Arc::clone(caller), Arc::clone(call), *id);
        if self.sender.try_send(Note { caller, call, id, at: SystemTime::now(), ending }).is_err() {
            lost(1);
        }
    }
}

async fn send(mut calls: mpsc::Receiver<Note>, metering: Arc<dyn Metering>, calendar: Arc<Calendar>) {
    let mut batch = Vec::with_capacity(BATCH);
    while calls.recv_many(&mut batch, BATCH).await > 0 {
        let gather_until = tokio::time::Instant::now() + GATHER;
        while batch.len() < BATCH {
            let room = BATCH - batch.len();
            match tokio::time::timeout_at(gather_until, calls.recv_many(&mut batch, room)).await {
                Ok(more) if more > 0 => {}
                _ => break,
            }
        }
        if let Some(month) = deliver(&batch, metering.as_ref()).await {
            calendar.note(month);
        }
        batch.clear();
    }
}

/// The present month, as metering answers.
async fn deliver(batch: &[Note], metering: &dyn Metering) -> Option<i64> {
    for attempt in 1..=ATTEMPTS {
        match metering.record_calls(batch.iter().map(Note::to_wire).collect()).await {
            Ok(month) => return Some(month),
            Err(MeteringError::Refused(cause)) => {
                tracing::error!(error = cause, "metering refused usage history");
                break;
            }
            Err(cause) => {
                tracing::warn!(error = %cause, attempt, "usage history could not be sent");
                tokio::time::sleep(Duration::from_millis(200 << attempt)).await;
            }
        }
    }
    lost(batch.len());
    None
}

fn lost(calls: usize) {
    metrics::counter!("limner_gateway_lost_history_calls_total").increment(calls as u64);
}
