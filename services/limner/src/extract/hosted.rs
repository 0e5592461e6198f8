//! Calls of a Limner that runs elsewhere, with the account of a key.

use super::failure;
use super::source::{Answer, Call};
use crate::exit::{ExitReason, UsageError};
use crate::output;
use limner_types::{ApiKey, ErrorBody, ErrorCode};
use reqwest::redirect::Policy;
use serde_json::Value;
use std::time::Duration;
use url::Url;

/// Environment variable with the key.
const KEY: &str = "LIMNER_API_KEY";
/// Additional time for the way to the API and back.
const WAY: Duration = Duration::from_secs(15);
/// Maximum size of a response.
const MAX_RESPONSE_BYTES: usize = 64_000_000;

/// Returns the URL of a Limner's gateway without `/v1`, from the value of an option.
pub(crate) fn api_base(option: &str, url: &str) -> Result<String, UsageError> {
    let is_address = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    if !Url::parse(url).is_ok_and(|url| is_address(&url)) {
        return Err(UsageError(format!("{option}: `{url}` is not an address such as https://limner.example")));
    }
    Ok(url.trim_end_matches('/').trim_end_matches("/v1").to_owned())
}

/// The API of a Limner, and the key for it.
pub(super) struct HostedApi {
    http: reqwest::Client,
    base: String,
    key: ApiKey,
}

impl HostedApi {
    /// Returns the API at `url`, with or without its `/v1`.
    pub(super) fn new(url: &str, key: Option<&str>, call: Duration) -> Result<Self, ExitReason> {
        let base = api_base("--api", url)?;
        let given = key.map(str::to_owned).or_else(|| std::env::var(KEY).ok()).unwrap_or_default();
        if given.trim().is_empty() {
            return Err(UsageError(format!("--api needs a key: set {KEY}, or give --key")).into());
        }
        let key = ApiKey::parse(given.trim()).map_err(|fault| UsageError(format!("the API key: {fault}")))?;
        // A key is only sent to the address that was given for it.
        let http = reqwest::Client::builder().redirect(Policy::none()).timeout(call + WAY).build()?;
        Ok(Self { http, base, key })
    }

    /// Returns the complete result of a call, without `usage`; the caller keeps the fields that were asked for.
    pub(super) async fn extract(&self, call: &Call) -> Result<Answer, ErrorBody> {
        let pairs: Vec<&(String, String)> = call.pairs.iter().filter(|(name, _)| name != "fields").collect();
        let url = format!("{}/v1/{}", self.base, call.request.operation);
        let request = self.http.get(url).query(&pairs).bearer_auth(self.key.expose());
        let (status, content_type, body) = read(request).await.map_err(|cause| self.unreachable(&cause))?;
        if status != 200 {
            return Err(serde_json::from_slice(&body).unwrap_or_else(|_| {
                let message = format!("{} answered {status}, but is it a Limner? Check --api.", self.base);
                failure(ErrorCode::InternalError, message)
            }));
        }
        let (body, screenshot) = match serde_json::from_slice::<Value>(&body) {
            Ok(mut result) if content_type.starts_with("application/json") => {
                report_usage(result.as_object_mut().and_then(|result| result.remove("usage")).as_ref());
                let screenshot = result["screenshot"].as_str().map(str::to_owned);
                (result.to_string().into_bytes(), screenshot)
            }
            _ => (body, None),
        };
        Ok(Answer { body, content_type, preview: None, screenshot })
    }

    /// Returns a screenshot by its name, from the API's own address.
    pub(super) async fn screenshot(&self, name: &str) -> Option<Vec<u8>> {
        let (status, _, body) = read(self.http.get(format!("{}/screenshots/{name}", self.base))).await.ok()?;
        (status == 200).then_some(body)
    }

    fn unreachable(&self, cause: &str) -> ErrorBody {
        let message =
            format!("The Limner at {} cannot be reached: {cause}. Check --api and your connection.", self.base);
        failure(ErrorCode::InternalError, message)
    }
}

/// Sends a request, and returns status, media type and body of the response.
async fn read(request: reqwest::RequestBuilder) -> Result<(u16, String, Vec<u8>), String> {
    let said = |cause: reqwest::Error| crate::exit::with_causes(&cause.without_url().into());
    let mut response = request.send().await.map_err(said)?;
    let content_type = response.headers().get("content-type").and_then(|value| value.to_str().ok());
    let content_type = content_type.unwrap_or_default().to_owned();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(said)? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_RESPONSE_BYTES {
            return Err("the response is too large".to_owned());
        }
    }
    Ok((response.status().as_u16(), content_type, body))
}

/// Tells a person at a terminal what the call cost.
fn report_usage(usage: Option<&Value>) {
    let figure = |name: &str| usage.and_then(|usage| usage[name].as_u64());
    if let Some(spent) = figure("creditsSpent").filter(|_| output::errors_are_read_by_people()) {
        let left = figure("remaining").map(|left| format!(", {left} left")).unwrap_or_default();
        output::complain(&format!("{spent} credits{left}"));
    }
}
