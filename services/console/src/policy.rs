//! What a browser may do with our pages: response headers, by kind of page.

use crate::app::App;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use http::{HeaderName, HeaderValue};
use std::sync::Arc;

/// What a response is, as far as its policy goes. Responses say it as an extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageKind {
    /// A page of ours with nothing from elsewhere.
    Plain,
    /// A page that shows pictures, media and fonts of pages that were read.
    Results,
    /// Markup of a page that was read: no scripts, no origin, nothing but to be looked at.
    Preview,
    /// The player of animations: our script in a frame without an origin.
    Player,
    /// A file that belongs to our pages.
    Asset,
}

/// Scripts and styles are files of ours; nothing inline runs or styles.
const PLAIN: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
                     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const RESULTS: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; \
                       media-src https:; font-src 'self' https: data:; connect-src 'self'; frame-src 'self'; \
                       form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const PREVIEW: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline' https:; img-src https: data:; \
                       media-src https:; font-src https: data:; form-action 'none'; base-uri 'none'; \
                       frame-ancestors 'self'";
const PLAYER: &str = "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; \
                      form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");

/// Adds the headers to every response.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let kind = response.extensions().get::<PageKind>().copied().unwrap_or(PageKind::Plain);
    let headers = response.headers_mut();
    let policy = match kind {
        PageKind::Plain | PageKind::Asset => PLAIN,
        PageKind::Results => RESULTS,
        PageKind::Preview => PREVIEW,
        PageKind::Player => PLAYER,
    };
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let framed = matches!(kind, PageKind::Preview | PageKind::Player);
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static(if framed { "SAMEORIGIN" } else { "DENY" }));
    // Not `no-referrer`: forms would come without their origin.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(OPENER, HeaderValue::from_static("same-origin"));
    // Frames without an origin load our files from what counts as elsewhere.
    let resource = if kind == PageKind::Asset { "cross-origin" } else { "same-origin" };
    headers.insert(RESOURCE, HeaderValue::from_static(resource));
    let permissions = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()";
    headers.insert(PERMISSIONS, HeaderValue::from_static(permissions));
    if app.is_https() {
        headers.insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
