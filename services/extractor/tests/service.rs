//! The service over a real connection.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use limner_extract::{ExtractError, Extraction, Options};
use limner_extractor::{Config, Execution, ExtractFn, Extractor};
use limner_page::PageSnapshot;
use limner_proto::v1::extractor_service_client::ExtractorServiceClient;
use limner_proto::{status_to_failure, v1};
use limner_style::layout::NoLayout;
use limner_types::{ErrorCode, OperationRequest};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tonic::transport::Channel;

struct Running {
    channel: Channel,
    shutdown: CancellationToken,
    server: tokio::task::JoinHandle<Result<(), limner_runtime::grpc::GrpcServerError>>,
}

impl Running {
    async fn start() -> Self {
        Self::start_with(Config::default(), limner_extract::extract_with).await
    }

    async fn start_with(config: Config, core: ExtractFn) -> Self {
        let extractor = Extractor::bind(config).await.unwrap().with_core(core);
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

fn request(operation: &str, html: &str) -> v1::ExtractRequest {
    v1::ExtractRequest { call: Some(call(operation)), page: Some(page(html)), tenant: String::new() }
}

#[tokio::test]
async fn page_with_an_image_returns_it() {
    let running = Running::start().await;
    let mut client = ExtractorServiceClient::new(running.channel.clone());
    let asked = request("images", "<img src=/a.png>");
    let extraction = client.extract(asked).await.unwrap().into_inner().extraction.unwrap();
    let body: serde_json::Value = serde_json::from_slice(&extraction.body).unwrap();
    assert_eq!(body["images"][0]["url"], "https://example.com/a.png");
    assert_eq!(extraction.content_type, "application/json");
    running.stop().await;
}

#[tokio::test]
async fn invalid_calls_name_the_error() {
    let running = Running::start().await;
    let mut client = ExtractorServiceClient::new(running.channel.clone());
    for (asked, says) in [
        (request("paint", ""), "images, svg"),
        (v1::ExtractRequest { call: None, ..request("images", "") }, "call"),
        (v1::ExtractRequest { page: None, ..request("images", "") }, "page"),
    ] {
        let status = client.extract(asked).await.unwrap_err();
        let failure = status_to_failure(&status);
        assert_eq!(failure.error_code(), ErrorCode::InvalidRequest);
        assert!(failure.message.contains(says), "{}", failure.message);
    }
    running.stop().await;
}

#[tokio::test]
async fn page_that_panics_the_core_costs_its_own_call_only() {
    fn panics_now_and_then(
        page: &PageSnapshot,
        request: &OperationRequest,
        options: &Options<'_>,
    ) -> Result<Extraction, ExtractError> {
        assert!(!page.html.contains("poison"), "a fault of the core");
        limner_extract::extract_with(page, request, options)
    }
    let running = Running::start_with(Config { max_running: 1, ..Config::default() }, panics_now_and_then).await;
    let mut client = ExtractorServiceClient::new(running.channel.clone());
    for _ in 0..3 {
        let asked = request("images", "<p>poison");
        let failure = status_to_failure(&client.extract(asked).await.unwrap_err());
        assert_eq!(failure.error_code(), ErrorCode::InternalError);
        assert!(!failure.message.contains("fault of the core"), "causes are not for callers: {}", failure.message);
    }
    let asked = request("images", "<img src=/a.png>");
    assert!(client.extract(asked).await.is_ok(), "the slot of the panicked calls is free again");
    running.stop().await;
}

/// Number of calls in the waiting core, and whether they may continue.
static GATE: (Mutex<(usize, bool)>, Condvar) = (Mutex::new((0, false)), Condvar::new());

fn waits_at_the_gate(_: &PageSnapshot, _: &OperationRequest, _: &Options<'_>) -> Result<Extraction, ExtractError> {
    let (state, changed) = &GATE;
    state.lock().unwrap().0 += 1;
    changed.notify_all();
    drop(changed.wait_while(state.lock().unwrap(), |(_, open)| !*open).unwrap());
    Ok(Extraction { body: b"{}".to_vec(), content_type: "application/json" })
}

#[tokio::test]
async fn calls_beyond_the_queue_are_refused_at_once() {
    let config = Config { max_running: 1, max_waiting: 0, ..Config::default() };
    let running = Running::start_with(config, waits_at_the_gate).await;
    let client = ExtractorServiceClient::new(running.channel.clone());
    let ask = || request("images", "<p>x");
    let first = tokio::spawn({
        let mut client = client.clone();
        async move { client.extract(ask()).await }
    });
    let inside = tokio::task::spawn_blocking(|| {
        let (state, changed) = &GATE;
        drop(changed.wait_while(state.lock().unwrap(), |(inside, _)| *inside == 0).unwrap());
    });
    inside.await.unwrap();
    let refused = client.clone().extract(ask()).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::ResourceExhausted);
    assert!(!refused.metadata().contains_key(limner_proto::CODE_TRAILER), "another extractor may be asked");
    GATE.0.lock().unwrap().1 = true;
    GATE.1.notify_all();
    first.await.unwrap().unwrap();
    assert!(client.clone().extract(ask()).await.is_ok());
    running.stop().await;
}

#[tokio::test]
async fn calls_end_at_their_deadline_and_results_fit_into_their_message() {
    fn sleeps(_: &PageSnapshot, _: &OperationRequest, _: &Options<'_>) -> Result<Extraction, ExtractError> {
        std::thread::sleep(Duration::from_millis(400));
        Ok(Extraction { body: vec![b' '; 10_000], content_type: "application/json" })
    }
    let slow = Config { max_duration: Duration::from_millis(50), ..Config::default() };
    let narrow = Config { max_message_bytes: 10_000, ..Config::default() };
    for (config, says) in [(slow, "too long"), (narrow, "larger than")] {
        let running = Running::start_with(config, sleeps).await;
        let mut client = ExtractorServiceClient::new(running.channel.clone());
        let asked = request("images", "<p>x");
        let failure = status_to_failure(&client.extract(asked).await.unwrap_err());
        assert_eq!(failure.error_code(), ErrorCode::UnprocessableContent);
        assert!(failure.message.contains(says), "{}", failure.message);
        running.stop().await;
    }
}

#[tokio::test]
async fn call_without_a_slot_is_unavailable_and_not_unprocessable() {
    static DONE: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());
    fn takes_long(_: &PageSnapshot, _: &OperationRequest, _: &Options<'_>) -> Result<Extraction, ExtractError> {
        drop(DONE.1.wait_while(DONE.0.lock().unwrap(), |done| !*done).unwrap());
        Ok(Extraction { body: b"{}".to_vec(), content_type: "application/json" })
    }
    let config = Config { max_running: 1, max_duration: Duration::from_millis(200), ..Config::default() };
    let running = Running::start_with(config, takes_long).await;
    let mut client = ExtractorServiceClient::new(running.channel.clone());
    let ask = || request("images", "<p>x");
    let slow = status_to_failure(&client.extract(ask()).await.unwrap_err());
    assert!(slow.message.contains("too long"), "{}", slow.message);
    // The thread of that call continues and occupies the only slot.
    let waiting = client.extract(ask()).await.unwrap_err();
    assert_eq!(waiting.code(), tonic::Code::ResourceExhausted, "{waiting}");
    *DONE.0.lock().unwrap() = true;
    DONE.1.notify_all();
    running.stop().await;
}

#[tokio::test]
async fn lists_are_cut_to_the_size_of_a_result() {
    let execution = Execution::InProcess { layout: Arc::new(NoLayout), result_bytes: 4_000, render_available: true };
    let config = Config { execution, ..Config::default() };
    let running = Running::start_with(config, limner_extract::extract_with).await;
    let mut client = ExtractorServiceClient::new(running.channel.clone());
    let images: String = (0..500).map(|n| format!("<img src=/{n}.png>")).collect();
    let asked = request("images", &images);
    let extraction = client.extract(asked).await.unwrap().into_inner().extraction.unwrap();
    let body: serde_json::Value = serde_json::from_slice(&extraction.body).unwrap();
    assert_eq!(body["truncated"], true);
    assert!(extraction.body.len() <= 4_000 && body["count"].as_u64().unwrap() > 20, "{body}");
    running.stop().await;
}

#[tokio::test]
async fn failures_that_are_too_long_for_headers_are_answers() {
    let running = Running::start().await;
    let mut client = ExtractorServiceClient::new(running.channel.clone());
    for (sections, is_status) in [(2, true), (60, false)] {
        let section =
            |n| format!("<section id='part-{n}'><h2>Title {n}</h2><p>{}</p></section>", "Some words. ".repeat(20));
        let html: String = (0..sections).map(section).collect();
        let code = Some(v1::CodeOptions { selector: Some(".nothing".to_owned()), ..v1::CodeOptions::default() });
        let call = v1::Call { code, ..call("code") };
        let answer = client.extract(v1::ExtractRequest { call: Some(call), ..request("code", &html) }).await;
        assert_eq!(answer.is_err(), is_status, "{sections}");
        let failure = match answer {
            Ok(response) => response.into_inner().failure.unwrap(),
            Err(status) => status_to_failure(&status),
        };
        assert_eq!((failure.error_code(), failure.sections.len()), (ErrorCode::NotFound, sections));
        assert!(
            failure.sections.iter().all(|section| failure.message.contains(&section.selector)),
            "{}",
            failure.message
        );
    }
    running.stop().await;
}

#[tokio::test]
async fn health_is_on_and_reflection_can_be_asked_for() {
    let config = Config { reflection: true, ..Config::default() };
    let running = Running::start_with(config, limner_extract::extract_with).await;
    let mut health = tonic_health::pb::health_client::HealthClient::new(running.channel.clone());
    let service = "limner.v1.ExtractorService".to_owned();
    let answer = health.check(tonic_health::pb::HealthCheckRequest { service }).await.unwrap().into_inner();
    assert_eq!(answer.status(), tonic_health::pb::health_check_response::ServingStatus::Serving);

    let answers = limner_testkit::listed_services(running.channel.clone()).await;
    assert!(answers.contains("limner.v1.ExtractorService") && answers.contains("grpc.health.v1.Health"), "{answers}");
    assert!(!answers.contains("MeteringService"), "another port serves it: {answers}");
    running.stop().await;
}
