//! Forwards plain HTTP, request by request.

use crate::metered_io::MeteredBody;
use crate::page_budgets::{OpenConnection, PageAccount};
use crate::proxy::{MAX_HEAD_BYTES, Proxy, Site};
use crate::proxy_response::{PROXY_RESPONSE, ProxyError, ProxyResponse};
use http::header::{
    CONNECTION, CONTENT_LENGTH, HOST, HeaderMap, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE, TRAILER,
    TRANSFER_ENCODING, UPGRADE, UPGRADE_INSECURE_REQUESTS,
};
use http::{HeaderName, HeaderValue, Request, Response, StatusCode, Uri};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use limner_netguard::{FetchError, ResponseHeads};
use std::sync::Arc;
use tokio::sync::Mutex;
use url::Url;

type RequestBody = MeteredBody<Incoming>;

/// A connection to a site, kept for the next request to it.
pub(crate) struct Upstream {
    authority: String,
    sender: http1::SendRequest<RequestBody>,
}

/// Hop-by-hop headers (RFC 9110 §7.6.1) and headers for the proxy itself.
const HOP_BY_HOP_HEADERS: [HeaderName; 9] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    HeaderName::from_static("proxy-connection"),
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// Forwards a request over the kept connection, or over a new one.
pub(crate) async fn forward(
    proxy: &Proxy,
    upstream: &Mutex<Option<Upstream>>,
    request: Request<Incoming>,
    page: Arc<PageAccount>,
    open: OpenConnection,
) -> Result<ProxyResponse, ProxyError> {
    let url = Url::parse(&request.uri().to_string()).map_err(|_| ProxyError::BAD_REQUEST)?;
    if url.scheme() != "http" {
        return Err(ProxyError::BAD_REQUEST);
    }
    let site = Site::new(url.host_str().ok_or(ProxyError::BAD_REQUEST)?, url.port().unwrap_or(80));
    if let Err(forbidden) = proxy.client.policy().check_url(&url) {
        let fault = forbidden.into();
        page.record_failure(&site.authority, &fault);
        return Err(ProxyError::from_fetch_error(&fault));
    }
    let is_navigation = is_navigation(request.headers());
    let request = to_upstream(request, &page).ok_or(ProxyError::BAD_REQUEST)?;
    let mut kept = upstream.lock().await;
    let sent = async {
        let response = send(proxy, &mut kept, site, request, &page).await?;
        to_client(response, &page, open, is_navigation)
    };
    tokio::select! {
        answer = sent => answer,
        () = page.wait_until_ended() => Err(ProxyError::BUDGET_EXHAUSTED),
    }
}

/// Sends over the kept connection if it leads to the same site and is still open, otherwise over a new one.
async fn send(
    proxy: &Proxy,
    kept: &mut Option<Upstream>,
    site: Site,
    request: Request<RequestBody>,
    page: &PageAccount,
) -> Result<Response<Incoming>, ProxyError> {
    let broken = |cause: hyper::Error| {
        tracing::debug!(error = %cause, "upstream request failed");
        page.record_failure(&site.authority, &FetchError::from(&cause));
        ProxyError::INTERRUPTED
    };
    let mut request = request;
    if let Some(mut known) = kept.take().filter(|known| known.authority == site.authority)
        && known.sender.ready().await.is_ok()
    {
        match known.sender.try_send_request(request).await {
            Ok(response) => {
                page.forget_failure(&site.authority);
                *kept = Some(known);
                return Ok(response);
            }
            // The connection was closed just now, before the request was sent.
            Err(mut unsent) => match unsent.take_message() {
                Some(message) => request = message,
                None => return Err(broken(unsent.into_error())),
            },
        }
    }
    let stream = proxy.connect(&site, page).await?;
    let handshake = http1::Builder::new()
        .preserve_header_case(true)
        .ignore_invalid_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true)
        .allow_obsolete_multiline_headers_in_responses(true)
        .max_buf_size(MAX_HEAD_BYTES)
        .max_headers(256)
        .handshake(ResponseHeads::new(TokioIo::new(stream)));
    let (mut sender, connection) = handshake.await.map_err(broken)?;
    tokio::spawn(async move {
        if let Err(cause) = connection.await {
            tracing::debug!(error = %cause, "upstream connection ended early");
        }
    });
    let response = sender.send_request(request).await.map_err(broken)?;
    page.forget_failure(&site.authority);
    *kept = Some(Upstream { authority: site.authority, sender });
    Ok(response)
}

fn to_upstream(request: Request<Incoming>, page: &Arc<PageAccount>) -> Option<Request<RequestBody>> {
    let (mut head, body) = request.into_parts();
    let authority = head.uri.authority()?.as_str().to_owned();
    let path = head.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
    strip(&mut head.headers);
    head.headers.insert(HOST, HeaderValue::from_str(&authority).ok()?);
    head.uri = Uri::try_from(path).ok()?;
    Some(Request::from_parts(head, MeteredBody::new(body, Arc::clone(page), None)))
}

/// Returns true if the browser shows the response: it sends this header for nothing else.
fn is_navigation(headers: &HeaderMap) -> bool {
    headers.contains_key(UPGRADE_INSECURE_REQUESTS)
}

/// Returns the response for the browser. Of a page, a browser shows what arrived before the connection ended; that must
/// reach it, so the response ends in order then and its length is not announced. Other files are broken off, as they
/// were, so that the browser discards them.
fn to_client(
    response: Response<Incoming>,
    page: &Arc<PageAccount>,
    open: OpenConnection,
    is_navigation: bool,
) -> Result<ProxyResponse, ProxyError> {
    let (mut head, body) = response.into_parts();
    strip(&mut head.headers);
    head.headers.remove(PROXY_RESPONSE);
    // Other protocols than HTTP have to use a tunnel.
    if head.status == StatusCode::SWITCHING_PROTOCOLS {
        return Err(ProxyError::INTERRUPTED);
    }
    let mut body = MeteredBody::new(body, Arc::clone(page), Some(open));
    if is_navigation {
        head.headers.remove(CONTENT_LENGTH);
        body = body.closing_in_order();
    }
    Ok(Response::from_parts(head, body.boxed()))
}

/// Removes hop-by-hop headers: those named by `Connection` and the known ones.
fn strip(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|list| list.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named.iter().chain(&HOP_BY_HOP_HEADERS) {
        headers.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hop_by_hop_headers_are_removed() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("connection", "close, x-hop"),
            ("x-hop", "1"),
            ("proxy-authorization", "Basic secret"),
            ("upgrade", "websocket"),
            ("accept", "*/*"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        strip(&mut headers);
        let left: Vec<&str> = headers.keys().map(HeaderName::as_str).collect();
        assert_eq!(left, ["accept"]);
    }
}
