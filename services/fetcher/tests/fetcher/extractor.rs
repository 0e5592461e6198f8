//! A fake extractor.

use limner_page::{Degradation, PageSnapshot};
use limner_proto::v1::extractor_service_server::{ExtractorService, ExtractorServiceServer};
use limner_proto::{failure_to_status, fits_status, status_to_failure, v1};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::task::AbortHandle;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status};

pub(crate) type Answer = Result<String, Status>;

#[derive(Clone)]
struct Service {
    answer: Arc<dyn Fn(&v1::Call, &PageSnapshot) -> Answer + Send + Sync>,
    seen: Arc<Mutex<Vec<PageSnapshot>>>,
    tenants: Arc<Mutex<Vec<String>>>,
}

#[tonic::async_trait]
impl ExtractorService for Service {
    async fn extract(&self, request: Request<v1::ExtractRequest>) -> Result<Response<v1::ExtractResponse>, Status> {
        let request = request.into_inner();
        let (call, page) = (request.call.unwrap(), PageSnapshot::from(request.page.unwrap()));
        let answer = (self.answer)(&call, &page);
        let incomplete = page.degradation.is_some_and(Degradation::may_pass);
        self.seen.lock().unwrap().push(page);
        self.tenants.lock().unwrap().push(request.tenant);
        let content_type = "application/json".to_owned();
        if let Err(status) = &answer
            && let Some(failure) = too_long(status)
        {
            return Ok(Response::new(v1::ExtractResponse { extraction: None, failure: Some(failure) }));
        }
        let extraction = v1::Extraction { body: answer?.into(), content_type, incomplete, ..v1::Extraction::default() };
        Ok(Response::new(v1::ExtractResponse { extraction: Some(extraction), failure: None }))
    }
}

/// Returns a failure that an extractor does not send as a status.
fn too_long(status: &Status) -> Option<v1::Failure> {
    let failure = status_to_failure(status);
    (!fits_status(&failure)).then_some(failure)
}

pub(crate) struct FakeExtractor {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<PageSnapshot>>>,
    tenants: Arc<Mutex<Vec<String>>>,
    serving: AbortHandle,
}

impl FakeExtractor {
    /// Starts an extractor that answers with the operation and the length of the document.
    pub(crate) async fn start() -> Self {
        Self::answering(|call, page| Ok(format!("{{\"{}\":{}}}", call.operation, page.html.len()))).await
    }

    pub(crate) async fn failing(failure: v1::Failure) -> Self {
        Self::answering(move |_, _| Err(failure_to_status(&failure))).await
    }

    pub(crate) async fn answering(answer: impl Fn(&v1::Call, &PageSnapshot) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let service = Service { answer: Arc::new(answer), seen: Arc::default(), tenants: Arc::default() };
        let (seen, tenants) = (Arc::clone(&service.seen), Arc::clone(&service.tenants));
        let server = tonic::transport::Server::builder().add_service(
            ExtractorServiceServer::new(service).max_decoding_message_size(limner_proto::MAX_MESSAGE_BYTES),
        );
        let serving = tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener))).abort_handle();
        Self { address, seen, tenants, serving }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the tenants that it has worked for.
    pub(crate) fn tenants(&self) -> Vec<String> {
        self.tenants.lock().unwrap().clone()
    }

    /// Returns the pages that it received.
    pub(crate) fn pages(&self) -> Vec<PageSnapshot> {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for FakeExtractor {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
