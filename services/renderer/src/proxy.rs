//! Client of the egress proxy's reports about a page.

use bytes::Bytes;
use http::header::{HOST, PROXY_AUTHORIZATION};
use http::{HeaderValue, Method, Request, Uri};
use http_body_util::{BodyExt, Empty, Limited};
use hyper_util::rt::TokioIo;
use limner_netguard::{Credentials, PageReport};
use std::time::Duration;
use tokio::net::TcpStream;

/// Maximum size of a report.
const MAX_REPORT_BYTES: usize = 1 << 20;
const TIMEOUT: Duration = Duration::from_secs(5);

/// Returns the page's usage and failures; `None` if the proxy does not report them.
pub(crate) async fn report(proxy: &str, pass: &Credentials) -> Option<PageReport> {
    ask(Method::GET, proxy, pass).await
}

/// Ends the page at the proxy, which closes its open connections.
pub(crate) async fn close(proxy: &str, pass: &Credentials) -> Option<PageReport> {
    ask(Method::DELETE, proxy, pass).await
}

async fn ask(method: Method, proxy: &str, pass: &Credentials) -> Option<PageReport> {
    let asked = tokio::time::timeout(TIMEOUT, exchange(method, proxy, pass)).await;
    match asked {
        Ok(Ok(report)) => Some(report),
        Ok(Err(cause)) => {
            tracing::warn!(error = %cause, "egress proxy returned no page report");
            None
        }
        Err(_) => {
            tracing::warn!("egress proxy unreachable");
            None
        }
    }
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

async fn exchange(method: Method, proxy: &str, pass: &Credentials) -> Result<PageReport, BoxError> {
    let stream = TcpStream::connect(proxy).await?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    let driving = tokio::spawn(connection);
    let mut request = Request::new(Empty::<Bytes>::new());
    *request.method_mut() = method;
    *request.uri_mut() = Uri::from_static("/");
    request.headers_mut().insert(HOST, HeaderValue::from_str(proxy)?);
    request.headers_mut().insert(PROXY_AUTHORIZATION, HeaderValue::from_str(&pass.to_basic())?);
    let response = sender.send_request(request).await?;
    let body = Limited::new(response.into_body(), MAX_REPORT_BYTES).collect().await?.to_bytes();
    driving.abort();
    Ok(serde_json::from_slice(&body)?)
}
