//! Tests extractors that break while processing a page: the page is not sent to another one unasked.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use limner_extractor_client::{ExtractError, ExtractorPool};
use limner_page::PageSnapshot;
use limner_proto::v1;
use limner_proto::v1::extractor_service_server::{ExtractorService, ExtractorServiceServer};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use tokio::time::Instant;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status};

/// Answers every call with the same status and counts the calls.
struct Answering(Arc<AtomicUsize>, fn() -> Status);

#[tonic::async_trait]
impl ExtractorService for Answering {
    async fn extract(&self, _: Request<v1::ExtractRequest>) -> Result<Response<v1::ExtractResponse>, Status> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Err((self.1)())
    }
}

/// Starts an extractor that answers with this status; returns its address and the number of calls
/// it received.
async fn answering(status: fn() -> Status) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let calls = Arc::new(AtomicUsize::new(0));
    let service = ExtractorServiceServer::new(Answering(Arc::clone(&calls), status));
    let server = tonic::transport::Server::builder().add_service(service);
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    (address, calls)
}

/// Starts an extractor whose connection breaks once a call has arrived.
async fn dying() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut received = Vec::new();
            // The path of the call is plain text, unless it is compressed; its body follows.
            while received.len() < 300 && socket.read_buf(&mut received).await.unwrap_or(0) > 0 {}
            if received.len() >= 300 {
                counted.fetch_add(1, Ordering::SeqCst);
            }
        }
    });
    (address, calls)
}

async fn extract(address: String, to_the_end: bool) -> ExtractError {
    let call = v1::Call { operation: "images".into(), ..v1::Call::default() };
    let page = PageSnapshot { html: "<p>x".repeat(200), ..PageSnapshot::default() };
    let deadline = Instant::now() + Duration::from_secs(20);
    ExtractorPool::new(&[address]).unwrap().extract(&call, &page, "", deadline, to_the_end).await.unwrap_err()
}

#[tokio::test]
async fn call_under_which_an_extractor_breaks_is_returned_at_once() {
    for (address, calls) in [dying().await, answering(|| Status::aborted("the call broke off")).await] {
        let fault = extract(address, true).await;
        assert!(matches!(fault, ExtractError::BrokeOff(_)), "{fault}");
        assert_eq!(calls.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn busy_or_absent_extractors_are_retried() {
    let (busy, calls) = answering(|| Status::resource_exhausted("busy")).await;
    let fault = extract(busy, false).await;
    assert!(matches!(fault, ExtractError::Unavailable(_)), "{fault}");
    assert!(calls.load(Ordering::SeqCst) > 2, "retried in further rounds");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let absent = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let fault = extract(absent, false).await;
    assert!(matches!(fault, ExtractError::Unavailable(_)), "{fault}");
}
