//! Client of the gateway's public API.

use crate::error::ConsoleError;
use bytes::{Bytes, BytesMut};
use http::HeaderMap;
use limner_types::{ApiKey, Operation};
use std::time::Duration;

/// Time limit of a call; longer than any call takes.
const CALL_TIMEOUT: Duration = Duration::from_secs(75);
const MAX_RESPONSE_BYTES: usize = 32_000_000;

/// A client of the gateway.
#[derive(Clone)]
pub(crate) struct GatewayClient {
    http: reqwest::Client,
    base: String,
}

/// The gateway's response.
#[derive(Debug, Clone)]
pub(crate) struct GatewayResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl GatewayResponse {
    /// Returns a header as text; empty if it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

impl GatewayClient {
    pub(crate) fn new(url: &str) -> Result<Self, ConsoleError> {
        let http =
            reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).timeout(CALL_TIMEOUT);
        let http = http.build().map_err(|cause| ConsoleError::Config(format!("the gateway's client: {cause}")))?;
        Ok(Self { http, base: format!("{}/v1", url.trim_end_matches('/')) })
    }

    /// Makes a call; with `only_if_cached`, one that is never charged.
    ///
    /// # Errors
    /// The gateway does not answer.
    pub(crate) async fn call(
        &self,
        operation: Operation,
        query: &[(String, String)],
        key: &ApiKey,
        only_if_cached: bool,
    ) -> Result<GatewayResponse, reqwest::Error> {
        let mut request = self.http.get(format!("{}/{operation}", self.base)).query(query).bearer_auth(key.expose());
        if only_if_cached {
            request = request.header(http::header::CACHE_CONTROL, "only-if-cached");
        }
        let mut response = request.send().await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let mut body = BytesMut::new();
        while let Some(chunk) = response.chunk().await? {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_RESPONSE_BYTES {
                break;
            }
        }
        Ok(GatewayResponse { status, headers, body: body.freeze() })
    }

    /// Returns true if the gateway is ready to serve.
    pub(crate) async fn is_serving(&self) -> bool {
        let answer = self.http.get(format!("{}/openapi.json", self.base)).timeout(Duration::from_secs(10)).send().await;
        answer.is_ok_and(|answer| answer.status().is_success())
    }
}
