//! Small responses and changes to them.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

/// Returns the redirect after a form.
pub(crate) fn see_other(to: &str) -> Response {
    let location = HeaderValue::from_str(to).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
}

/// Returns the same page with another status.
pub(crate) fn with_status(mut response: Response, status: StatusCode) -> Response {
    *response.status_mut() = status;
    response
}
