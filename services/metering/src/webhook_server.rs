//! HTTP endpoint for webhook events of a billing provider. It has its own address, so that nothing else of metering has
//! to be reachable from outside.

use crate::LedgerError;
use crate::billing::{BillingEngine, BillingError};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use hyper_util::service::TowerToHyperService;
use limner_runtime::http::{HttpLimits, MemoryBudget, PeerLimits};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

const MAX_CONNECTIONS: usize = 256;
/// Memory budget for responses, which are statuses without a body.
const RESPONSE_BYTES: usize = 1024 * 1024;
/// Time limit for receiving a request's headers.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum size of an event in bytes; real ones are smaller.
const MAX_EVENT_BYTES: usize = 1_000_000;
/// Name of the signature header, by provider.
const SIGNATURES: [(&str, &str); 1] = [("stripe", "stripe-signature")];

/// Time limit for receiving and handling an event.
const EVENT_TIMEOUT: Duration = Duration::from_secs(30);

/// Receives events at `POST /webhooks/{provider}` until `shutdown`, then lets those in progress end, for at most
/// `drain`.
pub(crate) async fn serve(
    listener: TcpListener,
    billing: BillingEngine,
    peers: PeerLimits,
    shutdown: &CancellationToken,
    drain: Duration,
) {
    let router = Router::new()
        .route("/webhooks/{provider}", post(receive))
        .layer(DefaultBodyLimit::max(MAX_EVENT_BYTES))
        .layer(middleware::from_fn(with_time_limit))
        .with_state(billing);
    let service = TowerToHyperService::new(router);
    let limits = HttpLimits {
        max_connections: MAX_CONNECTIONS,
        peers,
        header_timeout: HEADER_TIMEOUT,
        memory_budget: MemoryBudget::new(RESPONSE_BYTES),
        max_header_bytes: 64 * 1024,
        max_streams: 16,
        drain_timeout: drain,
    };
    limits.serve(listener, shutdown, |stream, _| (stream, service.clone())).await;
}

/// Applies the time limit: anybody may open a connection here, and a client that stops sending is not waited for.
async fn with_time_limit(request: Request, next: Next) -> Response {
    let answer = tokio::time::timeout(EVENT_TIMEOUT, next.run(request)).await;
    answer.unwrap_or_else(|_| StatusCode::REQUEST_TIMEOUT.into_response())
}

/// Handles an event. 200 tells the provider not to send it again; any other status makes it retry.
async fn receive(
    State(billing): State<BillingEngine>,
    Path(provider): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let signature = SIGNATURES.iter().find(|(name, _)| *name == provider && *name == billing.provider_name());
    let Some((_, header)) = signature else { return StatusCode::NOT_FOUND };
    let signature = headers.get(*header).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let status = match billing.handle_webhook(&body, signature).await {
        Ok(()) => StatusCode::OK,
        Err(LedgerError::Billing(cause @ (BillingError::Signature(_) | BillingError::Message(_)))) => {
            tracing::warn!(error = %cause, "billing event rejected");
            StatusCode::BAD_REQUEST
        }
        Err(cause) => {
            tracing::error!(error = %cause, "cannot handle a billing event; the provider will send it again");
            StatusCode::SERVICE_UNAVAILABLE
        }
    };
    metrics::counter!("limner_metering_billing_messages_total", "status" => status.as_u16().to_string()).increment(1);
    status
}
