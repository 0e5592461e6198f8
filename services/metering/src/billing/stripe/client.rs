//! Client of Stripe's API: form-encoded requests with a key, a pinned API version and an idempotency key, retried when
//! Stripe advises it.

use super::super::BillingError;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Method, StatusCode};
use rustls::{ClientConfig, RootCertStore};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

/// API version that the types in `objects` follow.
const VERSION: &str = "2026-10-28.endive";
const TIMEOUT: Duration = Duration::from_secs(30);
/// Delay before each retry.
const RETRY_DELAYS: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(1)];

/// The parameters of a request, nested names as `a[b][0]`.
#[derive(Debug, Default)]
pub(super) struct FormParams(Vec<(String, String)>);

impl FormParams {
    pub(super) fn new() -> Self {
        Self::default()
    }

    #[must_use]
    pub(super) fn with(mut self, name: &str, value: impl Display) -> Self {
        self.0.push((name.to_owned(), value.to_string()));
        self
    }

    #[must_use]
    pub(super) fn with_option(self, name: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    fn encode(&self) -> String {
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.0).finish()
    }
}

#[derive(Debug)]
pub(super) struct Client {
    http: reqwest::Client,
    base: String,
}

/// Stripe's error object.
#[derive(Debug, Deserialize)]
struct StripeError {
    error: ErrorDetail,
}

#[derive(Debug, Deserialize)]
struct ErrorDetail {
    #[serde(rename = "type")]
    kind: String,
    message: Option<String>,
}

/// The failure of one attempt.
struct AttemptError {
    cause: BillingError,
    may_help: bool,
}

impl Client {
    pub(super) fn new(base: &str, secret_key: &str) -> Result<Self, BillingError> {
        let refused = |cause: &dyn Display| BillingError::Refused(format!("Stripe can't be called: {cause}"));
        let mut key = HeaderValue::from_str(&format!("Bearer {secret_key}")).map_err(|_| refused(&"a bad key"))?;
        if secret_key.is_empty() {
            return Err(refused(&"there is no key"));
        }
        key.set_sensitive(true);
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, key);
        headers.insert("stripe-version", HeaderValue::from_static(VERSION));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|cause| refused(&cause))?
            .with_root_certificates(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() })
            .with_no_client_auth();
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .default_headers(headers)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .timeout(TIMEOUT)
            .build()
            .map_err(|cause| refused(&cause))?;
        Ok(Self { http, base: base.trim_end_matches('/').to_owned() })
    }

    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str, query: FormParams) -> Result<T, BillingError> {
        let path = match query.encode() {
            query if query.is_empty() => path.to_owned(),
            query => format!("{path}?{query}"),
        };
        self.send(Method::GET, &path, None, None).await
    }

    /// Sends a request that must take effect once: `key` identifies its purpose and stays the same whenever it is
    /// repeated.
    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        form: FormParams,
        purpose: &str,
    ) -> Result<T, BillingError> {
        self.send(Method::POST, path, Some(&form), Some(format!("limner-{purpose}"))).await
    }

    /// Sends a request that may be made again later for the same purpose: only the retries of this call share an
    /// idempotency key.
    pub(super) async fn post_again<T: DeserializeOwned>(
        &self,
        path: &str,
        form: FormParams,
    ) -> Result<T, BillingError> {
        let key = crate::api_key::new_id("limner");
        self.send(Method::POST, path, Some(&form), Some(key)).await
    }

    pub(super) async fn delete<T: DeserializeOwned>(&self, path: &str) -> Result<T, BillingError> {
        self.send(Method::DELETE, path, None, None).await
    }

    async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        form: Option<&FormParams>,
        key: Option<String>,
    ) -> Result<T, BillingError> {
        let mut pauses = RETRY_DELAYS.into_iter();
        loop {
            let failed = match self.attempt(method.clone(), path, form, key.as_deref()).await {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            let pause = pauses.next().filter(|_| failed.may_help);
            let Some(pause) = pause else { return Err(failed.cause) };
            tracing::info!(http.path = path, error = %failed.cause, "retrying a request to Stripe");
            tokio::time::sleep(pause).await;
        }
    }

    async fn attempt<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        form: Option<&FormParams>,
        key: Option<&str>,
    ) -> Result<T, AttemptError> {
        let mut request = self.http.request(method, format!("{}{path}", self.base));
        if let Some(form) = form {
            request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(form.encode());
        }
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        // Without the URL: its query may contain an e-mail address.
        let unreachable = |cause: reqwest::Error| AttemptError {
            cause: BillingError::Unavailable(cause.without_url().to_string()),
            may_help: true,
        };
        let response = request.send().await.map_err(unreachable)?;
        let (status, advice) = (response.status(), advice(response.headers()));
        let body = response.bytes().await.map_err(unreachable)?;
        if status.is_success() {
            return serde_json::from_slice(&body).map_err(|cause| AttemptError {
                cause: BillingError::Unavailable(format!("an answer that can't be read: {cause}")),
                may_help: false,
            });
        }
        Err(attempt_error(status, advice, &body))
    }
}

/// Returns Stripe's advice on retrying, from its `Stripe-Should-Retry` header.
fn advice(headers: &HeaderMap) -> Option<bool> {
    headers.get("stripe-should-retry")?.to_str().ok()?.parse().ok()
}

fn attempt_error(status: StatusCode, advice: Option<bool>, body: &[u8]) -> AttemptError {
    let (kind, message) = match serde_json::from_slice::<StripeError>(body) {
        Ok(StripeError { error }) => (error.kind, error.message.unwrap_or_default()),
        Err(_) => (String::new(), String::new()),
    };
    let may_help = advice
        .unwrap_or(status.is_server_error() || matches!(status, StatusCode::CONFLICT | StatusCode::TOO_MANY_REQUESTS));
    let cause = match status {
        _ if kind == "card_error" => BillingError::Declined(message),
        StatusCode::PAYMENT_REQUIRED => BillingError::Declined(message),
        status if status.is_client_error() && !may_help => BillingError::Refused(format!("{status}: {message}")),
        status => BillingError::Unavailable(format!("{status}: {message}")),
    };
    AttemptError { cause, may_help }
}
