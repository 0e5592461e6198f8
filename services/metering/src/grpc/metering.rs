//! gRPC metering service over the ledger.

use crate::billing::BillingError;
use crate::ledger::holds::{CommitResult, CreditSource, HoldCall, HoldDecision, RecordedCall};
use crate::ledger::usage::UsageEntry;
use crate::{Ledger, LedgerError};
use limner_proto::v1::metering_service_server::MeteringService;
use limner_proto::{adopt_trace, v1};
use std::future::Future;
use std::time::{Duration, Instant};
use time::OffsetDateTime;
use tonic::{Code, Request, Response, Status};
use tracing::Instrument;

/// Maximum number of calls in one [`v1::RecordCallsRequest`].
const MAX_RECORDED_CALLS: usize = 10_000;

/// Implements `limner.v1.MeteringService` over a [`Ledger`].
#[derive(Debug, Clone)]
pub(crate) struct Grpc {
    ledger: Ledger,
}

impl Grpc {
    pub(crate) fn new(ledger: Ledger) -> Self {
        Self { ledger }
    }
}

#[tonic::async_trait]
impl MeteringService for Grpc {
    async fn authenticate(
        &self,
        request: Request<v1::AuthenticateRequest>,
    ) -> Result<Response<v1::AuthenticateResponse>, Status> {
        answer("authenticate", request, |request| async move {
            let hash = request.key_sha256.as_slice().try_into();
            let hash = hash.map_err(|_| LedgerError::Invalid("a key hash has 32 bytes".to_owned()))?;
            let owner = self.ledger.authenticate(hash).await?;
            Ok(v1::AuthenticateResponse {
                account_id: owner.state.account_id.clone(),
                key_id: owner.key_id,
                cancels: owner.cancels,
                account: Some(owner.state.into()),
            })
        })
        .await
    }

    async fn get_account(
        &self,
        request: Request<v1::GetAccountRequest>,
    ) -> Result<Response<v1::GetAccountResponse>, Status> {
        answer("get_account", request, |request| async move {
            let state = self.ledger.account_state(&request.account_id).await?;
            Ok(v1::GetAccountResponse { account: Some(state.into()) })
        })
        .await
    }

    async fn hold(&self, request: Request<v1::HoldRequest>) -> Result<Response<v1::HoldResponse>, Status> {
        answer(
            "hold",
            request,
            |request| async move { Ok(hold_response(self.ledger.hold(&hold_call(request)).await?)) },
        )
        .await
    }

    async fn commit(&self, request: Request<v1::CommitRequest>) -> Result<Response<v1::CommitResponse>, Status> {
        answer("commit", request, |request| async move {
            let committed = match request.held {
                Some(held) if held.request_id != request.request_id => {
                    return Err(LedgerError::Invalid("what was held is another request's".to_owned()));
                }
                Some(held) => self.ledger.commit_held(&hold_call(held), request.auto_render).await?,
                None => self.ledger.commit(&request.request_id, request.auto_render).await?,
            };
            let CommitResult { state, credits, source, charged_late: late } = committed;
            Ok(v1::CommitResponse {
                account: Some(state.into()),
                credits_spent: credits,
                source: source_on_wire(source).into(),
                late,
            })
        })
        .await
    }

    async fn release(&self, request: Request<v1::ReleaseRequest>) -> Result<Response<v1::ReleaseResponse>, Status> {
        answer("release", request, |request| async move {
            let released = self.ledger.release(&request.request_id, &request.code).await?;
            Ok(v1::ReleaseResponse { account: released.state.map(Into::into) })
        })
        .await
    }

    async fn record_calls(
        &self,
        request: Request<v1::RecordCallsRequest>,
    ) -> Result<Response<v1::RecordCallsResponse>, Status> {
        answer("record_calls", request, |request| async move {
            if request.calls.len() > MAX_RECORDED_CALLS {
                return Err(LedgerError::Invalid(format!("at most {MAX_RECORDED_CALLS} calls at once")));
            }
            let calls: Vec<RecordedCall> = request.calls.into_iter().map(recorded_call).collect();
            self.ledger.record_calls(&calls).await?;
            Ok(v1::RecordCallsResponse { period_start_unix: self.ledger.current_month().await? })
        })
        .await
    }

    async fn get_usage(&self, request: Request<v1::GetUsageRequest>) -> Result<Response<v1::GetUsageResponse>, Status> {
        answer("get_usage", request, |request| async move {
            let page = self.ledger.usage(&request.account_id, request.limit, request.cursor.as_deref()).await?;
            let total = |total: crate::OperationTotal| v1::OperationTotal {
                operation: total.operation,
                calls: total.calls,
                credits: total.credits,
            };
            Ok(v1::GetUsageResponse {
                account: Some(page.account.into()),
                entries: page.entries.into_iter().map(usage_entry).collect(),
                next_cursor: page.next_cursor,
                totals: page.totals.into_iter().map(total).collect(),
            })
        })
        .await
    }
}

/// Runs one RPC in the caller's trace and measures it.
pub(crate) async fn answer<Q, A, F>(
    method: &'static str,
    request: Request<Q>,
    run: impl FnOnce(Q) -> F,
) -> Result<Response<A>, Status>
where
    F: Future<Output = Result<A, LedgerError>>,
{
    let span = tracing::info_span!("metering", rpc.method = method);
    adopt_trace(&span, request.metadata());
    let started = Instant::now();
    let outcome = run(request.into_inner()).instrument(span.clone()).await;
    let code = outcome.as_ref().map_or_else(code_of, |_| Code::Ok);
    let labels = [("method", method.to_owned()), ("code", format!("{code:?}"))];
    metrics::histogram!("limner_metering_call_duration_seconds", &labels).record(started.elapsed());
    outcome.map(Response::new).map_err(|cause| span.in_scope(|| status(&cause)))
}

fn code_of(cause: &LedgerError) -> Code {
    match cause {
        LedgerError::UnknownAccount(_)
        | LedgerError::UnknownKey
        | LedgerError::UnknownGrant(_)
        | LedgerError::UnknownRequest(_) => Code::NotFound,
        LedgerError::RequestConflict(_) => Code::AlreadyExists,
        LedgerError::RequestSettled(_) | LedgerError::NoOverage(_) => Code::FailedPrecondition,
        LedgerError::Invalid(_) => Code::InvalidArgument,
        LedgerError::Store(_) if cause.is_unavailable() => Code::Unavailable,
        LedgerError::Billing(cause) => match cause {
            BillingError::Declined(_) | BillingError::Unsupported(_) => Code::FailedPrecondition,
            BillingError::Signature(_) | BillingError::Message(_) => Code::InvalidArgument,
            BillingError::Unavailable(_) => Code::Unavailable,
            BillingError::Invoice { .. } | BillingError::Refused(_) => Code::Internal,
        },
        LedgerError::ErasureLog(_) => Code::Unavailable,
        LedgerError::Store(_) => Code::Internal,
    }
}

/// Maps an error to a status. The message of the database or the billing provider goes to our log, not to the caller.
fn status(cause: &LedgerError) -> Status {
    match (code_of(cause), cause) {
        (Code::Unavailable, LedgerError::Billing(_)) => {
            tracing::warn!(error = %cause, "billing provider unavailable");
            Status::unavailable("the billing provider does not answer; nothing has changed")
        }
        (Code::Unavailable, _) => {
            tracing::warn!(error = %cause, "ledger unavailable");
            Status::unavailable("the ledger is unavailable; nothing was charged")
        }
        (Code::Internal, _) => {
            tracing::error!(error = %cause, "ledger error");
            Status::internal("the ledger failed")
        }
        (code, _) => Status::new(code, cause.to_string()),
    }
}

fn hold_call(request: v1::HoldRequest) -> HoldCall {
    HoldCall {
        account_id: request.account_id,
        key_id: request.key_id,
        request_id: request.request_id,
        credits: request.credits,
        operation: request.operation,
        url: request.url,
        ttl: Duration::from_millis(u64::from(request.life_ms)),
    }
}

fn hold_response(decision: HoldDecision) -> v1::HoldResponse {
    use v1::HoldOutcome;
    let of = |outcome: HoldOutcome| v1::HoldResponse { outcome: outcome.into(), ..v1::HoldResponse::default() };
    match decision {
        HoldDecision::Granted { state, source } => v1::HoldResponse {
            account: Some(state.into()),
            source: source_on_wire(source).into(),
            ..of(HoldOutcome::Granted)
        },
        HoldDecision::QuotaExceeded { state, message, retry_after_seconds } => v1::HoldResponse {
            account: Some(state.into()),
            message,
            retry_after_seconds,
            ..of(HoldOutcome::QuotaExceeded)
        },
        HoldDecision::Suspended { state, message } => {
            v1::HoldResponse { account: Some(state.into()), message, ..of(HoldOutcome::Suspended) }
        }
        HoldDecision::UnknownAccount { message } => v1::HoldResponse { message, ..of(HoldOutcome::UnknownAccount) },
    }
}

fn source_on_wire(source: Option<CreditSource>) -> v1::CreditSource {
    match source {
        None => v1::CreditSource::Unspecified,
        Some(CreditSource::Plan) => v1::CreditSource::Plan,
        Some(CreditSource::Pack) => v1::CreditSource::Pack,
        Some(CreditSource::Overage) => v1::CreditSource::Overage,
        Some(CreditSource::Unlimited) => v1::CreditSource::Unlimited,
    }
}

fn recorded_call(call: v1::RecordedCall) -> RecordedCall {
    let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(call.at_unix_ms) * 1_000_000);
    RecordedCall {
        account_id: call.account_id,
        key_id: call.key_id,
        request_id: call.request_id,
        operation: call.operation,
        url: call.url,
        at: at.unwrap_or(OffsetDateTime::UNIX_EPOCH),
        cached: call.cached,
        code: call.code,
        duration_ms: call.duration_ms,
    }
}

pub(crate) fn usage_entry(entry: UsageEntry) -> v1::UsageEntry {
    let ms = entry.at.unix_timestamp_nanos() / 1_000_000;
    v1::UsageEntry {
        request_id: entry.request_id,
        at_unix_ms: i64::try_from(ms).unwrap_or(i64::MAX),
        operation: entry.operation,
        url: entry.url,
        credits: entry.credits,
        source: source_on_wire(entry.source).into(),
        cached: entry.cached,
        outcome: entry.outcome,
        late: entry.late,
        auto_render: entry.auto_render,
        refunded: entry.refunded,
        duration_ms: entry.duration_ms,
        key_id: entry.key_id,
        key_name: entry.key_name,
    }
}
