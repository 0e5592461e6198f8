//! [`Metering`] over gRPC. Connects lazily, and to every process of metering; every call has a short time limit. All
//! calls are idempotent, so they are retried while metering is being replaced.

use crate::error::GatewayError;
use crate::metering::{KeyOwner, Metering, MeteringError};
use futures::future::BoxFuture;
use limner_grpc_client::MeteringChannel;
use limner_proto::v1;
use limner_proto::v1::metering_service_client::MeteringServiceClient;
use limner_types::AccountState;
use opentelemetry::propagation::Injector;
use std::time::{Duration, Instant};
use tonic::metadata::{MetadataKey, MetadataMap};
use tonic::{Code, Request, Response, Status};
use tracing_opentelemetry::OpenTelemetrySpanExt;

const TIME_LIMIT: Duration = Duration::from_secs(3);
/// Delays between attempts.
const RETRY_DELAYS: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(250)];

pub(crate) struct GrpcMetering {
    client: MeteringServiceClient<MeteringChannel>,
}

impl GrpcMetering {
    pub(crate) fn new(url: &str, token: Option<&str>) -> Result<Self, GatewayError> {
        let channel = MeteringChannel::new(url, token, TIME_LIMIT)
            .map_err(|cause| GatewayError::InvalidMeteringUrl(cause.to_string()))?;
        Ok(Self { client: MeteringServiceClient::new(channel) })
    }

    /// Calls metering, and retries if the call may have met a process that is shutting down: every call is idempotent
    /// by request id.
    async fn call<Q, R, F>(
        &self,
        request: Q,
        call: impl Fn(MeteringServiceClient<MeteringChannel>, Request<Q>) -> F,
    ) -> Result<R, Status>
    where
        Q: Clone,
        F: Future<Output = Result<Response<R>, Status>>,
    {
        let started = Instant::now();
        let mut pauses = RETRY_DELAYS.iter();
        loop {
            let status = match call(self.client.clone(), traced(request.clone())).await {
                Ok(response) => return Ok(response.into_inner()),
                Err(status) => status,
            };
            match pauses.next() {
                // A call that timed out is not retried.
                Some(pause) if is_transient(status.code()) && started.elapsed() < TIME_LIMIT => {
                    tokio::time::sleep(*pause).await
                }
                _ => return Err(status),
            }
        }
    }
}

/// Returns true for the codes that a client sees if a server stops during the call: refused connections, reset streams,
/// and calls cancelled by the closing connection. An internal error of metering has `Internal` as well; retrying it
/// once does no harm.
fn is_transient(code: Code) -> bool {
    matches!(code, Code::Unavailable | Code::Cancelled | Code::Internal | Code::Unknown)
}

impl Metering for GrpcMetering {
    fn authenticate(&self, key_sha256: [u8; 32]) -> BoxFuture<'_, Result<Option<KeyOwner>, MeteringError>> {
        Box::pin(async move {
            let request = v1::AuthenticateRequest { key_sha256: key_sha256.to_vec() };
            let answer = self.call(request, |mut client, request| async move { client.authenticate(request).await });
            let Some(found) = none_if_not_found(answer.await)? else { return Ok(None) };
            let account = state(found.account)?;
            Ok(Some(KeyOwner { account_id: found.account_id, key_id: found.key_id, cancels: found.cancels, account }))
        })
    }

    fn account<'a>(&'a self, account_id: &'a str) -> BoxFuture<'a, Result<Option<AccountState>, MeteringError>> {
        Box::pin(async move {
            let request = v1::GetAccountRequest { account_id: account_id.to_owned() };
            let answer = self.call(request, |mut client, request| async move { client.get_account(request).await });
            none_if_not_found(answer.await)?.map(|found| state(found.account)).transpose()
        })
    }

    fn hold(&self, request: v1::HoldRequest) -> BoxFuture<'_, Result<v1::HoldResponse, MeteringError>> {
        Box::pin(async move {
            let answer = self.call(request, |mut client, request| async move { client.hold(request).await });
            answer.await.map_err(|status| metering_error(&status))
        })
    }

    fn commit(&self, request: v1::CommitRequest) -> BoxFuture<'_, Result<v1::CommitResponse, MeteringError>> {
        Box::pin(async move {
            let answer = self.call(request, |mut client, request| async move { client.commit(request).await });
            answer.await.map_err(|status| metering_error(&status))
        })
    }

    fn release(&self, request: v1::ReleaseRequest) -> BoxFuture<'_, Result<(), MeteringError>> {
        Box::pin(async move {
            let answer = self.call(request, |mut client, request| async move { client.release(request).await });
            answer.await.map(drop).map_err(|status| metering_error(&status))
        })
    }

    fn record_calls(&self, calls: Vec<v1::RecordedCall>) -> BoxFuture<'_, Result<i64, MeteringError>> {
        Box::pin(async move {
            let request = v1::RecordCallsRequest { calls };
            let answer = self.call(request, |mut client, request| async move { client.record_calls(request).await });
            answer.await.map(|told| told.period_start_unix).map_err(|status| metering_error(&status))
        })
    }

    fn usage(&self, request: v1::GetUsageRequest) -> BoxFuture<'_, Result<v1::GetUsageResponse, MeteringError>> {
        Box::pin(async move {
            let answer = self.call(request, |mut client, request| async move { client.get_usage(request).await });
            answer.await.map_err(|status| metering_error(&status))
        })
    }
}

/// Maps `NOT_FOUND` to `None`.
fn none_if_not_found<T>(answer: Result<T, Status>) -> Result<Option<T>, MeteringError> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(status) if status.code() == Code::NotFound => Ok(None),
        Err(status) => Err(metering_error(&status)),
    }
}

fn state(account: Option<v1::Account>) -> Result<AccountState, MeteringError> {
    let account = account.ok_or_else(|| MeteringError::Refused("an answer without account state".to_owned()))?;
    AccountState::try_from(account).map_err(|cause| MeteringError::Refused(cause.to_string()))
}

fn metering_error(status: &Status) -> MeteringError {
    let cause = format!("{:?}: {}", status.code(), status.message());
    match status.code() {
        Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::FailedPrecondition
        | Code::Unimplemented => MeteringError::Refused(cause),
        _ => MeteringError::Unavailable(cause),
    }
}

/// Adds the current trace context to a request.
fn traced<Q>(message: Q) -> Request<Q> {
    let mut request = Request::new(message);
    let context = tracing::Span::current().context();
    opentelemetry::global::get_text_map_propagator(|propagator| {
        propagator.inject_context(&context, &mut Headers(request.metadata_mut()));
    });
    request
}

struct Headers<'a>(&'a mut MetadataMap);

impl Injector for Headers<'_> {
    fn set(&mut self, key: &str, value: String) {
        if let (Ok(key), Ok(value)) = (MetadataKey::from_bytes(key.as_bytes()), value.parse()) {
            self.0.insert(key, value);
        }
    }
}
