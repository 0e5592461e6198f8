//! A fake OpenTelemetry collector that records spans.

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status};

/// A span and its service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SeenSpan {
    pub(crate) service: String,
    pub(crate) name: String,
    pub(crate) trace: Vec<u8>,
    pub(crate) id: Vec<u8>,
    pub(crate) parent: Vec<u8>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Collector {
    spans: Arc<Mutex<Vec<SeenSpan>>>,
}

impl Collector {
    /// Listens on a free port until the test ends.
    pub(crate) async fn start() -> (Self, SocketAddr) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let (collector, address) = (Self::default(), listener.local_addr().unwrap());
        let service = TraceServiceServer::new(collector.clone());
        tokio::spawn(
            tonic::transport::Server::builder()
                .add_service(service)
                .serve_with_incoming(TcpListenerStream::new(listener)),
        );
        (collector, address)
    }

    pub(crate) fn spans(&self) -> Vec<SeenSpan> {
        self.spans.lock().unwrap().clone()
    }
}

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        for resource_spans in request.into_inner().resource_spans {
            let attributes = resource_spans.resource.map(|resource| resource.attributes).unwrap_or_default();
            let service = attributes.iter().find(|attribute| attribute.key == "service.name");
            let service = service.map(|attribute| format!("{:?}", attribute.value)).unwrap_or_default();
            for span in resource_spans.scope_spans.into_iter().flat_map(|scope| scope.spans) {
                let service = service.clone();
                let seen = SeenSpan {
                    service,
                    name: span.name,
                    trace: span.trace_id,
                    id: span.span_id,
                    parent: span.parent_span_id,
                };
                self.spans.lock().unwrap().push(seen);
            }
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}
