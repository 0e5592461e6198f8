//! `GET /screenshots/{name}`: public, because nobody can guess a name, and never different under the same name.

use crate::error::CallError;
use crate::gateway::Gateway;
use axum::body::Body;
use axum::response::Response;
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use limner_objects::{MEDIA_TYPE, ScreenshotName};
use std::time::SystemTime;

impl Gateway {
    pub(crate) async fn screenshot(&self, name: &str) -> Result<Response, CallError> {
        let screenshots = self.screenshots.as_ref().ok_or_else(CallError::no_screenshot)?;
        let name: ScreenshotName = name.parse().map_err(|_| CallError::no_screenshot())?;
        let found = screenshots.show(&name).await.map_err(|cause| {
            tracing::error!(error = %cause, "a screenshot could not be had");
            CallError::internal()
        })?;
        let png = found.ok_or_else(CallError::no_screenshot)?;
        let mut response = Response::new(Body::from(png));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        let left = name.left(SystemTime::now()).as_secs();
        if let Ok(freshness) = HeaderValue::from_str(&format!("public, max-age={left}, immutable")) {
            headers.insert(CACHE_CONTROL, freshness);
        }
        Ok(response)
    }
}
