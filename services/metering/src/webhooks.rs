//! Where a billing provider sends its messages. An address of its own, so that nothing else of metering has to be
//! reachable from outside.

use crate::LedgerError;
use crate::billing::{BillingDesk, BillingError};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Messages are smaller.
const LARGEST_MESSAGE: usize = 1_000_000;
/// The header with a message's signature, by provider.
const SIGNATURES: [(&str, &str); 1] = [("stripe", "stripe-signature")];

/// Takes messages at `POST /webhooks/{provider}` until `shutdown`.
pub(crate) async fn serve(
    listener: TcpListener,
    desk: BillingDesk,
    shutdown: CancellationToken,
) -> std::io::Result<()> {
    let router = Router::new()
        .route("/webhooks/{provider}", post(take))
        .layer(DefaultBodyLimit::max(LARGEST_MESSAGE))
        .with_state(desk);
    axum::serve(listener, router).with_graceful_shutdown(shutdown.cancelled_owned()).await
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
