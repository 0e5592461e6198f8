//! A complete response of the API.

use http::{HeaderMap, StatusCode};
use serde_json::Value;

/// Status, headers and body of one call.
#[derive(Debug, Clone)]
pub struct Answer {
    /// HTTP status.
    pub status: StatusCode,
    /// All headers.
    pub headers: HeaderMap,
    /// The body as text.
    pub text: String,
    /// The body as JSON; null if it is not JSON.
    pub json: Value,
}

impl Answer {
    pub(crate) async fn from_response(response: reqwest::Response) -> Self {
        let (status, headers) = (response.status(), response.headers().clone());
        Self::new(status, headers, response.text().await.unwrap_or_default())
    }

    /// Like [`Answer::from_response`]; an incomplete response is an error.
    pub(crate) async fn try_read(response: reqwest::Response) -> reqwest::Result<Self> {
        let (status, headers) = (response.status(), response.headers().clone());
        Ok(Self::new(status, headers, response.text().await?))
    }

    fn new(status: StatusCode, headers: HeaderMap, text: String) -> Self {
        let json = serde_json::from_str(&text).unwrap_or(Value::Null);
        Self { status, headers, text, json }
    }

    /// Returns a header as text; empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Returns a header as a number.
    ///
    /// # Panics
    /// Panics if it is missing or not a number.
    pub fn number(&self, name: &str) -> u64 {
        let text = self.header(name);
        text.parse().unwrap_or_else(|_| panic!("{name}: {text:?} is no number in {self:?}"))
    }

    /// Returns `data.code` of an error.
    pub fn code(&self) -> &str {
        self.json["data"]["code"].as_str().unwrap_or_default()
    }

    /// Returns `statusMessage` of an error.
    pub fn message(&self) -> &str {
        self.json["statusMessage"].as_str().unwrap_or_default()
    }

    /// Checks that the response is an error with the documented shape.
    ///
    /// # Panics
    /// Panics if a part is missing or wrong.
    pub fn assert_error(&self, status: u16, code: &str) {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        assert_eq!(self.code(), code, "{self:?}");
        assert_eq!(self.json["error"], Value::Bool(true), "{self:?}");
        assert_eq!(self.json["statusCode"], status, "{self:?}");
        assert!(self.message().len() > 10, "the message explains: {self:?}");
        assert!(self.header("x-request-id").starts_with("req_"), "{self:?}");
        assert_eq!(self.json["data"]["requestId"], self.header("x-request-id"), "{self:?}");
        assert!(self.header("content-type").starts_with("application/json"), "{self:?}");
    }

    /// Checks that the response is a success, and returns its `usage`.
    ///
    /// # Panics
    /// Panics if it is not a success.
    pub fn usage(&self) -> &Value {
        assert_eq!(self.status.as_u16(), 200, "{self:?}");
        &self.json["usage"]
    }
}
