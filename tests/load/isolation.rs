//! Compares extraction in child processes with the same extraction in the extractor's own process, call by call in one
//! run: the price of being able to stop it.
//!
//! `make bench` runs it on the release build. `-- hand-over` only encodes, decodes and extracts, for Callgrind.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench reports on standard output and fails by panicking"
)]

use limner_extract::{Options, extract_with};
use limner_extractor::{Config, Execution, Extractor, ProcessConfig};
use limner_layout::{ProcessLayout, ProcessLayoutConfig};
use limner_page::PageSnapshot;
use limner_proto::v1;
use limner_proto::v1::extractor_service_client::ExtractorServiceClient;
use limner_style::layout::NoLayout;
use limner_subprocess::Launch;
use limner_tests::{limner_binary, process_tree};
use prost::Message;
use std::fmt::Write;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use tonic::transport::Channel;

const WARM_UP: usize = 10;
const SLOTS: usize = 2;

/// Operation, sections of the page, and calls.
const CALLS: &[(&str, usize, usize)] =
    &[("images", 20, 200), ("images", 2_500, 60), ("code", 20, 60), ("code", 200, 20), ("brand", 100, 20)];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // `cargo test --benches` passes --test: there is nothing to check then.
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    if arguments.iter().any(|argument| argument == "hand-over") {
        return hand_over();
    }
    tokio::runtime::Runtime::new().unwrap().block_on(compare());
}

/// Returns a page of about 400 bytes a section, and its style sheet.
fn html(sections: usize) -> String {
    let mut html = String::from("<!doctype html><title>Usual</title><style>.card{padding:1em;display:grid}");
    for n in 0..sections.min(100) {
        let _ = write!(html, ".c{n}{{color:#{n:03}}}.c{n}:hover{{opacity:.{n}}}");
    }
    html.push_str("</style><main><section id=cards>");
    for n in 0..sections {
        let _ = write!(
            html,
            "<article class='card c{n}'><h3>Card {n}</h3><p>Plain words stand on every page, and most of a page is such \
             words.</p><img src=/i{n}.jpg alt='Picture {n}' width=640 height=360><a class=btn href=/{n}>Read on</a></article>"
        );
    }
    html
}

fn request(operation: &str, html: String) -> v1::ExtractRequest {
    let url = "https://site.test/".to_owned();
    let code = (operation == "code")
        .then(|| v1::CodeOptions { selector: Some("#cards".to_owned()), ..v1::CodeOptions::default() });
    let call = v1::Call { operation: operation.to_owned(), code, ..v1::Call::default() };
    let page = v1::PageSnapshot { requested_url: url.clone(), url, status: 200, html, ..v1::PageSnapshot::default() };
    v1::ExtractRequest { call: Some(call), page: Some(page), tenant: String::new() }
}

/// An extractor, served in this process.
struct Service {
    client: ExtractorServiceClient<Channel>,
    _stop: tokio_util::sync::DropGuard,
}

impl Service {
    async fn start(execution: Execution) -> Self {
        let config =
            Config { max_running: SLOTS, execution, max_duration: Duration::from_secs(120), ..Config::default() };
        let extractor = Extractor::bind(config).await.unwrap();
        let address = format!("http://{}", extractor.local_addr());
        let stop = CancellationToken::new();
        tokio::spawn(extractor.run(stop.clone()));
        let channel = Channel::from_shared(address).unwrap().connect().await.unwrap();
        let client = ExtractorServiceClient::new(channel).max_decoding_message_size(usize::MAX);
        Self { client: client.max_encoding_message_size(usize::MAX), _stop: stop.drop_guard() }
    }

    /// Makes a call; returns its time.
    async fn call(&self, request: &v1::ExtractRequest) -> Duration {
        let (mut client, request) = (self.client.clone(), request.clone());
        let started = Instant::now();
        let response = client.extract(request).await.unwrap().into_inner();
        assert!(response.extraction.is_some(), "{:?}", response.failure);
        started.elapsed()
    }

    /// Makes calls on all slots; returns the time of all.
    async fn calls(&self, request: &v1::ExtractRequest, count: usize) -> Duration {
        let started = Instant::now();
        let each = async || {
            for _ in 0..count {
                self.call(request).await;
            }
        };
        futures::future::join_all((0..SLOTS).map(|_| each())).await;
        started.elapsed()
    }
}

async fn compare() {
    let layout = ProcessLayoutConfig {
        children: SLOTS,
        ..ProcessLayoutConfig::new(Launch::new(limner_binary(), ["layout-worker"]))
    };
    let result_bytes = Options::default().result_bytes;
    let in_process = Service::start(Execution::InProcess {
        layout: Arc::new(ProcessLayout::new(layout)),
        result_bytes,
        render_available: true,
    })
    .await;
    let launch = Launch::new(limner_binary(), ["extraction-worker", "--milliseconds=60000"]);
    let processes = ProcessConfig { processor_time: Duration::from_secs(60), ..ProcessConfig::new(launch) };
    let isolated = Service::start(Execution::Processes(processes)).await;
    println!("extraction in child processes and in the extractor itself, in turn; times and processor times of a call");
    for (operation, sections, calls) in CALLS {
        let html = html(*sections);
        let bytes = html.len();
        let request = request(operation, html);
        let (mut own, mut child) = (Measured::default(), Measured::default());
        for turn in 0..WARM_UP + calls {
            let (one, other) = (Measured::call(&in_process, &request).await, Measured::call(&isolated, &request).await);
            if turn >= WARM_UP {
                own.add(one);
                child.add(other);
            }
        }
        let (mut own_time, mut child_time) = (Duration::ZERO, Duration::ZERO);
        for _ in 0..5 {
            own_time += in_process.calls(&request, calls / 10).await;
            child_time += isolated.calls(&request, calls / 10).await;
        }
        report(operation, bytes, own, child, own_time.as_secs_f64() / child_time.as_secs_f64());
    }
}

/// Times of calls, and processor time of all of them.
#[derive(Default)]
struct Measured {
    times: Vec<Duration>,
    processor_time: Duration,
}

impl Measured {
    async fn call(service: &Service, request: &v1::ExtractRequest) -> Self {
        let before = processor_time();
        let took = service.call(request).await;
        Self { times: vec![took], processor_time: processor_time().saturating_sub(before) }
    }

    fn add(&mut self, other: Self) {
        self.times.extend(other.times);
        self.processor_time += other.processor_time;
    }

    fn median(&mut self) -> Duration {
        self.times.sort_unstable();
        self.times[self.times.len() / 2]
    }
}

/// Returns the processor time of this process and its children.
fn processor_time() -> Duration {
    process_tree(std::process::id()).iter().map(|process| process.processor_time).sum()
}

fn report(operation: &str, bytes: usize, mut own: Measured, mut child: Measured, throughput: f64) {
    let (own_median, child_median) = (own.median(), child.median());
    let (own_time, child_time) = (own.processor_time.as_secs_f64(), child.processor_time.as_secs_f64());
    println!(
        "/{operation} on {} KB: p50 {own_median:?} in the extractor, {child_median:?} in a process: {:+.2} ms, ×{:.3}; \
         processor time ×{:.3}; throughput of {SLOTS} slots ×{throughput:.3}",
        bytes / 1_000,
        (child_median.as_secs_f64() - own_median.as_secs_f64()) * 1e3,
        child_median.as_secs_f64() / own_median.as_secs_f64(),
        child_time / own_time,
    );
}

/// Encodes and decodes page and result as they cross the pipe, and extracts, once each: Callgrind tells them apart by name.
fn hand_over() {
    for (operation, sections, _) in CALLS {
        let request = request(operation, html(*sections));
        let arrived = send_page(&request);
        let extraction = extract(arrived);
        let bytes = extraction.body.len();
        println!("/{operation}: {} bytes back", send_result(extraction).body.len().min(bytes));
    }
}

#[inline(never)]
fn send_page(request: &v1::ExtractRequest) -> v1::ExtractRequest {
    v1::ExtractRequest::decode(black_box(request.encode_to_vec()).as_slice()).unwrap()
}

#[inline(never)]
fn extract(request: v1::ExtractRequest) -> v1::Extraction {
    let call = request.call.unwrap().to_request("https://site.test/").unwrap();
    let page = PageSnapshot::from(request.page.unwrap());
    let options = Options { layout: &NoLayout, ..Options::default() };
    let extraction = extract_with(&page, &call, &options).unwrap();
    v1::Extraction {
        body: extraction.body.into(),
        content_type: extraction.content_type.to_owned(),
        ..v1::Extraction::default()
    }
}

#[inline(never)]
fn send_result(extraction: v1::Extraction) -> v1::Extraction {
    let sent = v1::ExtractResponse { extraction: Some(extraction), failure: None }.encode_to_vec();
    let received = prost::bytes::Bytes::from(black_box(sent));
    v1::ExtractResponse::decode(received).unwrap().extraction.unwrap()
}
