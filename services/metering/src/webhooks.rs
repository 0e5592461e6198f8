//! Where a billing provider sends its messages. An address of its own, so that nothing else of metering has to be
//! reachable from outside.

use crate::LedgerError;
use crate::billing::{BillingDesk, BillingError};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use hyper_util::service::TowerToHyperService;
use limner_runtime::http::{HttpLimits, PeerLimits};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

const MOST_CONNECTIONS: usize = 256;
/// How long a client may take to send a request's headers.
const HEADER_PATIENCE: Duration = Duration::from_secs(20);
/// Messages are smaller.
const LARGEST_MESSAGE: usize = 1_000_000;
/// The header with a message's signature, by provider.
const SIGNATURES: [(&str, &str); 1] = [("stripe", "stripe-signature")];

/// How long a message may take to arrive and to be heeded.
const MESSAGE_PATIENCE: Duration = Duration::from_secs(30);

/// Takes messages at `POST /webhooks/{provider}` until `shutdown`, and those under way for as long as `drain` lasts.
pub(crate) async fn serve(
    listener: TcpListener,
    desk: BillingDesk,
    peers: PeerLimits,
    shutdown: &CancellationToken,
    drain: Duration,
) {
    let router = Router::new()
        .route("/webhooks/{provider}", post(take))
        .layer(DefaultBodyLimit::max(LARGEST_MESSAGE))
        .layer(middleware::from_fn(in_time))
        .with_state(desk);
    let service = TowerToHyperService::new(router);
    let limits = HttpLimits {
        connections: MOST_CONNECTIONS,
        peers,
        header_patience: HEADER_PATIENCE,
        room: None,
        head_bytes: 64 * 1024,
        streams: 16,
        drain,
    };
    limits.serve(listener, shutdown, |stream, _| (stream, service.clone())).await;
}

/// Anybody may open a connection here: who sends nothing more is not waited for.
async fn in_time(request: Request, next: Next) -> Response {
    let answer = tokio::time::timeout(MESSAGE_PATIENCE, next.run(request)).await;
    answer.unwrap_or_else(|_| StatusCode::REQUEST_TIMEOUT.into_response())
}

/// 200 tells the provider that the message need not come again; everything else that it should.
async fn take(
    State(desk): State<BillingDesk>,
    Path(provider): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let signature = SIGNATURES.iter().find(|(name, _)| *name == provider && *name == desk.provider_name());
    let Some((_, header)) = signature else { return StatusCode::NOT_FOUND };
    let signature = headers.get(*header).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let status = match desk.heed(&body, signature).await {
        Ok(()) => StatusCode::OK,
        Err(LedgerError::Billing(cause @ (BillingError::Signature(_) | BillingError::Message(_)))) => {
            tracing::warn!(error = %cause, "a billing message was refused");
            StatusCode::BAD_REQUEST
        }
        Err(cause) => {
            tracing::error!(error = %cause, "a billing message could not be heeded; it will come again");
            StatusCode::SERVICE_UNAVAILABLE
        }
    };
    metrics::counter!("limner_metering_billing_messages_total", "status" => status.as_u16().to_string()).increment(1);
    status
}
