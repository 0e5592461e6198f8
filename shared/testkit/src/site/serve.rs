//! The connections of a site.

use super::reply::{Body, CannedResponse};
use super::{RecordedRequest, Site};
use bytes::Bytes;
use futures::StreamExt;
use http::{Request, Response};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

type ReplyBody = UnsyncBoxBody<Bytes, std::io::Error>;

/// Serves until it is aborted; its connections end with it.
pub(super) async fn accept(listener: TcpListener, tls: Option<TlsAcceptor>, site: Arc<Site>) {
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, peer)) = listener.accept().await else { continue };
        let (tls, site) = (tls.clone(), site.clone());
        connections.spawn(async move {
            match tls {
                None => serve(stream, peer, site).await,
                Some(tls) => {
                    // A client that does not trust the certificate is part of many tests.
                    if let Ok(stream) = tls.accept(stream).await {
                        serve(stream, peer, site).await;
                    }
                }
            }
        });
        while connections.try_join_next().is_some() {}
    }
}

async fn serve<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(stream: S, peer: SocketAddr, site: Arc<Site>) {
    let service = hyper::service::service_fn(move |request| answer(request, peer, site.clone()));
    // Clients that disconnect are part of many tests.
    let _ = auto::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
}

async fn answer(
    request: Request<Incoming>,
    peer: SocketAddr,
    site: Arc<Site>,
) -> Result<Response<ReplyBody>, Infallible> {
    let (parts, _body) = request.into_parts();
    let request = RecordedRequest::new(&parts, peer);
    let reply = site.answer(&request);
    site.record(request);
    tokio::time::sleep(reply.delay).await;
    if matches!(reply.body, Body::Silent) {
        std::future::pending::<()>().await;
    }
    Ok(response(reply))
}

fn response(reply: CannedResponse) -> Response<ReplyBody> {
    let mut response = Response::new(body(reply.body));
    *response.status_mut() = reply.status;
    *response.headers_mut() = reply.headers;
    response
}

fn body(body: Body) -> ReplyBody {
    match body {
        Body::Whole(bytes) => Full::new(bytes).map_err(|never| match never {}).boxed_unsync(),
        Body::Endless { piece, every } => {
            let piece = if every.is_zero() { enlarged(&piece) } else { piece };
            let pieces = futures::stream::unfold(piece, move |piece| async move {
                if !every.is_zero() {
                    tokio::time::sleep(every).await;
                }
                Some((Ok(Frame::data(piece.clone())), piece))
            });
            StreamBody::new(pieces).boxed_unsync()
        }
        Body::Stalled(first) => StreamBody::new(single_chunk(first).chain(futures::stream::pending())).boxed_unsync(),
        Body::Broken(first) => {
            let cut = futures::stream::once(async {
                // Lets the first bytes be sent before the connection breaks.
                tokio::task::yield_now().await;
                Err(std::io::Error::other("the connection breaks here"))
            });
            StreamBody::new(single_chunk(first).chain(cut)).boxed_unsync()
        }
        Body::Silent => Full::new(Bytes::new()).map_err(|never| match never {}).boxed_unsync(),
    }
}

fn single_chunk(first: Bytes) -> impl futures::Stream<Item = std::io::Result<Frame<Bytes>>> {
    futures::stream::iter([Ok(Frame::data(first))])
}

/// Repeats the chunk, so that the overhead of frames does not slow an endless body down.
fn enlarged(piece: &Bytes) -> Bytes {
    const FRAME_BYTES: usize = 64 * 1024;
    piece.repeat(FRAME_BYTES / piece.len().max(1) + 1).into()
}
