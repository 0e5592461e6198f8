//! The service over a real connection.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use limner_extractor::{Config, Extractor};
use limner_proto::v1::extractor_service_client::ExtractorServiceClient;
use limner_proto::{status_to_failure, v1};
use limner_types::ErrorCode;
use tokio_util::sync::CancellationToken;
use tonic::transport::Channel;

struct Running {
    channel: Channel,
    shutdown: CancellationToken,
    server: tokio::task::JoinHandle<Result<(), limner_extractor::ExtractorError>>,
}

impl Running {
    async fn start() -> Self {
        let extractor = Extractor::bind(Config::default()).await.unwrap();
        let address = format!("http://{}", extractor.local_addr());
        let shutdown = CancellationToken::new();
        let server = tokio::spawn(extractor.run(shutdown.clone()));
        let channel = Channel::from_shared(address).unwrap().connect().await.unwrap();
        Self { channel, shutdown, server }
    }

    async fn stop(self) {
        drop(self.channel);
        self.shutdown.cancel();
        self.server.await.unwrap().unwrap();
    }
}

fn page(html: &str) -> v1::PageSnapshot {
    let url = "https://example.com/".to_owned();
    v1::PageSnapshot {
        requested_url: url.clone(),
        url,
        status: 200,
        html: html.to_owned(),
        ..v1::PageSnapshot::default()
    }
}

fn call(operation: &str) -> v1::Call {
    v1::Call { operation: operation.to_owned(), ..v1::Call::default() }
}

#[tokio::test]
async fn images_of_a_page() {
    let running = Running::start().await;
    let mut client = ExtractorServiceClient::new(running.channel.clone());
    let request = v1::ExtractRequest { call: Some(call("images")), page: Some(page("<img src=/a.png>")) };
    let extraction = client.extract(request).await.unwrap().into_inner().extraction.unwrap();
    let body: serde_json::Value = serde_json::from_slice(&extraction.body).unwrap();
    assert_eq!(body["images"][0]["url"], "https://example.com/a.png");
    assert_eq!(extraction.content_type, "application/json");
    running.stop().await;
}

#[tokio::test]
async fn bad_calls_name_the_fault() {
    let running = Running::start().await;
    let mut client = ExtractorServiceClient::new(running.channel.clone());
    for (request, says) in [
        (v1::ExtractRequest { call: Some(call("paint")), page: Some(page("")) }, "images, svg"),
        (v1::ExtractRequest { call: None, page: Some(page("")) }, "call"),
        (v1::ExtractRequest { call: Some(call("images")), page: None }, "page"),
    ] {
        let status = client.extract(request).await.unwrap_err();
        let failure = status_to_failure(&status);
        assert_eq!(failure.error_code(), ErrorCode::InvalidRequest);
        assert!(failure.message.contains(says), "{}", failure.message);
    }
    running.stop().await;
}

#[tokio::test]
async fn health_and_reflection_are_on() {
    let running = Running::start().await;
    let mut health = tonic_health::pb::health_client::HealthClient::new(running.channel.clone());
    let service = "limner.v1.ExtractorService".to_owned();
    let answer = health.check(tonic_health::pb::HealthCheckRequest { service }).await.unwrap().into_inner();
    assert_eq!(answer.status(), tonic_health::pb::health_check_response::ServingStatus::Serving);

    use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
    use tonic_reflection::pb::v1::{ServerReflectionRequest, server_reflection_client::ServerReflectionClient};
    let mut reflection = ServerReflectionClient::new(running.channel.clone());
    let list = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let answers = reflection
        .server_reflection_info(tokio_stream::once(list))
        .await
        .unwrap()
        .into_inner()
        .message()
        .await
        .unwrap();
    assert!(format!("{answers:?}").contains("limner.v1.ExtractorService"));
    running.stop().await;
}
