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

/// Where a form of the page may lead beside ourselves, as a source of a policy: browsers look at redirects of forms too.
#[derive(Debug, Clone)]
pub(crate) struct FormTarget(pub(crate) String);

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
    let target = response.extensions().get::<FormTarget>().cloned();
    let headers = response.headers_mut();
    let policy = match kind {
        PageKind::Plain | PageKind::Asset => PLAIN,
        PageKind::Results => RESULTS,
        PageKind::Preview => PREVIEW,
        PageKind::Player => PLAYER,
    };
    headers.insert(CONTENT_SECURITY_POLICY, with_target(policy, target.as_ref()));
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

/// A policy under which forms may lead there too.
fn with_target(policy: &'static str, target: Option<&FormTarget>) -> HeaderValue {
    let Some(FormTarget(source)) = target else { return HeaderValue::from_static(policy) };
    let policy_with = policy.replace("form-action 'self'", &format!("form-action 'self' {source}"));
    // A source that is none leaves the policy as it is: stricter.
    let is_source = !source.contains([';', ',', ' ', '\'']);
    HeaderValue::from_str(&policy_with).ok().filter(|_| is_source).unwrap_or(HeaderValue::from_static(policy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_added_and_nothing_else() {
        let of = |source: &str| with_target(PLAIN, Some(&FormTarget(source.to_owned()))).to_str().unwrap().to_owned();
        assert!(of("https://a.example").contains("form-action 'self' https://a.example; base-uri 'none'"));
        for bad in ["x; script-src *", "a b", "'unsafe-inline'", "a\nb"] {
            assert_eq!(of(bad), PLAIN, "{bad}");
        }
    }
}
