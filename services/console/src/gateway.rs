//! Client of the gateway's public API.

use crate::ConsoleError;
use crate::error::Fault;
use crate::state::AppState;
use bytes::{Bytes, BytesMut};
use http::HeaderMap;
use limner_proto::{v1, with_trace};
use limner_types::{ApiKey, Operation};
use std::time::Duration;

/// Time limit of a call; longer than any call takes.
const CALL_TIMEOUT: Duration = Duration::from_secs(75);
const MAX_RESPONSE_BYTES: usize = 32_000_000;
/// Maximum number of attempts with a new key, if another console process has replaced the key meanwhile.
const MAX_KEY_ATTEMPTS: u32 = 3;

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

    async fn call(
        &self,
        operation: Operation,
        query: &[(String, String)],
        key: &ApiKey,
    ) -> Result<GatewayResponse, reqwest::Error> {
        let request = self.http.get(format!("{}/{operation}", self.base)).query(query).bearer_auth(key.expose());
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

impl AppState {
    /// Makes a playground call with the account's playground key.
    ///
    /// # Errors
    /// Metering creates no key, or the gateway does not answer.
    pub(crate) async fn playground_call(
        &self,
        account_id: &str,
        operation: Operation,
        query: &[(String, String)],
    ) -> Result<GatewayResponse, Fault> {
        let mut tried = 0;
        loop {
            let key = self.playground_key(account_id).await?;
            let answer = self.gateway.call(operation, query, &key).await;
            let answer = answer.map_err(|cause| Fault::Unavailable(format!("gateway: {cause}")))?;
            tried += 1;
            if answer.status != 401 || tried == MAX_KEY_ATTEMPTS {
                return Ok(answer);
            }
            self.playground_keys.invalidate(account_id).await;
        }
    }

    async fn playground_key(&self, account_id: &str) -> Result<ApiKey, Fault> {
        let make = async {
            let request = v1::CreateKeyRequest {
                account_id: account_id.to_owned(),
                name: String::new(),
                purpose: v1::KeyPurpose::Playground.into(),
            };
            let made = self.metering.accounts().create_key(with_trace(request)).await?.into_inner();
            ApiKey::parse(&made.api_key).map_err(|cause| tonic::Status::internal(cause.to_string()))
        };
        let key = self.playground_keys.try_get_with(account_id.to_owned(), make).await;
        key.map_err(|cause| Fault::from(tonic::Status::clone(&cause)))
    }
}
