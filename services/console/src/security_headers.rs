//! Security headers of responses, by kind of page.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use http::{HeaderName, HeaderValue};

/// The kind of a response, which selects its policy. Handlers set it as a response extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageKind {
    /// A page of ours without external content.
    Plain,
    /// A page of ours with a component in a frame.
    Framing,
    /// A page that shows images, media and fonts of extracted pages.
    Results,
    /// Markup of an extracted page: no scripts, no origin, view only.
    Preview,
    /// The player of animations: our script in a frame without an origin.
    Player,
    /// A static file.
    Asset,
}

/// An additional target of the page's forms, as a CSP source expression: browsers also check redirects that follow a
/// form.
#[derive(Debug, Clone)]
pub(crate) struct FormTarget(pub(crate) String);

/// Policy of our pages: scripts and styles only from our files, none inline.
const PLAIN: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
                     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const FRAMING: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
                       connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const RESULTS: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; \
                       media-src 'self' https:; font-src 'self' https: data:; connect-src 'self'; frame-src 'self'; \
                       form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const PREVIEW: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline' https:; img-src 'self' https: data:; \
                       media-src 'self' https:; font-src 'self' https: data:; form-action 'none'; base-uri 'none'; \
                       frame-ancestors 'self'";
const PLAYER: &str = "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; \
                      form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");

/// Adds the security headers to every response.
pub(crate) async fn guard(State(is_https): State<bool>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let kind = response.extensions().get::<PageKind>().copied().unwrap_or(PageKind::Plain);
    let target = response.extensions().get::<FormTarget>().cloned();
    let headers = response.headers_mut();
    let policy = match kind {
        PageKind::Plain | PageKind::Asset => PLAIN,
        PageKind::Framing => FRAMING,
        PageKind::Results => RESULTS,
        PageKind::Preview => PREVIEW,
        PageKind::Player => PLAYER,
    };
    headers.insert(CONTENT_SECURITY_POLICY, with_target(policy, target.as_ref()));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let framed = matches!(kind, PageKind::Preview | PageKind::Player);
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static(if framed { "SAMEORIGIN" } else { "DENY" }));
    // Not `no-referrer`: forms would then be sent without their origin.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(OPENER, HeaderValue::from_static("same-origin"));
    // A frame without an origin loads our files cross-origin.
    let resource = if kind == PageKind::Asset { "cross-origin" } else { "same-origin" };
    headers.insert(RESOURCE, HeaderValue::from_static(resource));
    let permissions = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()";
    headers.insert(PERMISSIONS, HeaderValue::from_static(permissions));
    if is_https {
        headers.insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Returns the policy, with `target` allowed in `form-action`.
fn with_target(policy: &'static str, target: Option<&FormTarget>) -> HeaderValue {
    let Some(FormTarget(source)) = target else { return HeaderValue::from_static(policy) };
    let policy_with = policy.replace("form-action 'self'", &format!("form-action 'self' {source}"));
    // An invalid source expression leaves the policy unchanged, which is stricter.
    let is_source = !source.contains([';', ',', ' ', '\'']);
    HeaderValue::from_str(&policy_with).ok().filter(|_| is_source).unwrap_or(HeaderValue::from_static(policy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_target_changes_nothing_else_in_the_policy() {
        let of = |source: &str| with_target(PLAIN, Some(&FormTarget(source.to_owned()))).to_str().unwrap().to_owned();
        assert!(of("https://a.example").contains("form-action 'self' https://a.example; base-uri 'none'"));
        for bad in ["x; script-src *", "a b", "'unsafe-inline'", "a\nb"] {
            assert_eq!(of(bad), PLAIN, "{bad}");
        }
    }
}
