//! Extraction in real child processes: a page that exceeds a limit fails only its own call.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]
#![allow(clippy::print_stdout, reason = "a test of the soak prints its figure")]

use limner_extractor::{Config, Execution, Extractor, ProcessConfig};
use limner_proto::v1::extractor_service_client::ExtractorServiceClient;
use limner_proto::{status_to_failure, v1};
use limner_runtime::grpc::GrpcServerError;
use limner_subprocess::Launch;
use limner_types::{ErrorCode, Operation, WireEnum};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::transport::Channel;

struct Service {
    client: ExtractorServiceClient<Channel>,
    shutdown: CancellationToken,
    server: JoinHandle<Result<(), GrpcServerError>>,
}

impl Service {
    /// Starts an extractor with one slot.
    async fn start(launch: Launch, processor_time: Duration) -> Self {
        let processes = ProcessConfig { processor_time, ..ProcessConfig::new(launch) };
        let execution = Execution::Processes(processes);
        Self::with(Config { max_running: 1, execution, ..Config::default() }).await
    }

    async fn with(config: Config) -> Self {
        let extractor = Extractor::bind(config).await.unwrap();
        let address = format!("http://{}", extractor.local_addr());
        let shutdown = CancellationToken::new();
        let server = tokio::spawn(extractor.run(shutdown.clone()));
        let channel = Channel::from_shared(address).unwrap().connect().await.unwrap();
        Self { client: ExtractorServiceClient::new(channel), shutdown, server }
    }

    async fn extract(&self, operation: &str, html: &str) -> Result<v1::Extraction, tonic::Status> {
        let response = self.client.clone().extract(request(operation, html)).await?.into_inner();
        Ok(response.extraction.unwrap())
    }

    async fn assert_answers(&self) {
        let extraction = self.extract("images", "<img src=/a.png>").await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&extraction.body).unwrap();
        assert_eq!(body["images"][0]["url"], "https://a.test/a.png");
    }

    async fn stop(self) {
        drop(self.client);
        self.shutdown.cancel();
        self.server.await.unwrap().unwrap();
    }
}

/// Returns the real child, with options.
fn child(options: &[&str]) -> Launch {
    Launch::new(env!("CARGO_BIN_EXE_limner"), ["extraction-worker"].iter().chain(options))
}

fn shell(script: &str) -> Launch {
    Launch::new("/bin/sh", ["-c", script])
}

fn request(operation: &str, html: &str) -> v1::ExtractRequest {
    let url = "https://a.test/".to_owned();
    let call = v1::Call { operation: operation.to_owned(), ..v1::Call::default() };
    let html = html.to_owned();
    let page = v1::PageSnapshot { requested_url: url.clone(), url, status: 200, html, ..v1::PageSnapshot::default() };
    v1::ExtractRequest { call: Some(call), page: Some(page), tenant: String::new() }
}

/// Returns a page that takes any machine some seconds to read.
fn large_page() -> String {
    format!("<style>p{{display:grid}}</style><main>{}</main>", "<section><h2>x</h2><p>y</section>".repeat(60_000))
}

const AMPLE: Duration = Duration::from_secs(120);

#[tokio::test]
async fn process_answers_with_the_same_bytes_as_this_process() {
    let service = Service::start(child(&[]), AMPLE).await;
    let html = "<!doctype html><body><main><h1>Evening light</h1><p>A lamp <a href=/buy>to buy</a></main>";
    for operation in ["code", "brand", "extract", "images"] {
        let request = request(operation, html);
        let page = limner_page::PageSnapshot::from(request.page.clone().unwrap());
        let call = request.call.clone().unwrap().to_request("https://a.test/").unwrap();
        let layout = limner_layout::BlitzLayout::new(1);
        let options = limner_extract::Options { layout: &layout, ..limner_extract::Options::default() };
        let expected = limner_extract::extract_with(&page, &call, &options).unwrap();
        for _ in 0..2 {
            let extraction = service.extract(operation, html).await.unwrap();
            assert_eq!(extraction.body, expected.body, "{operation}");
            assert_eq!(extraction.content_type, expected.content_type);
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn hints_advise_a_browser_only_where_there_is_one() {
    for (options, advises) in [(&[][..], true), (&["--no-browser"][..], false)] {
        let service = Service::start(child(options), AMPLE).await;
        let extraction =
            service.extract("images", "<!doctype html><p>Words</p><script src=a.js></script>").await.unwrap();
        let result = String::from_utf8(extraction.body.to_vec()).unwrap();
        assert!(result.contains("its scripts may add some"), "{result}");
        assert_eq!(result.contains("render=true"), advises, "{options:?}: {result}");
        service.stop().await;
    }
}

/// Busy loops beside each processor's work, ended when this is dropped.
struct BusyLoops(Vec<std::process::Child>);

impl BusyLoops {
    fn start(per_processor: usize) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let spin = || std::process::Command::new("/bin/sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        Self((0..processors * per_processor).map(|_| spin()).collect())
    }
}

impl Drop for BusyLoops {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Returns pages whose answers depend on layout, of several kinds: grids and flex boxes of three sizes, the built-in site
/// with its stylesheets, tables and floats in quirks mode, two themes with custom properties, deep nesting, and text in
/// columns beside drawings.
fn laid_out_pages() -> Vec<String> {
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/demo");
    let read = |path: &str| std::fs::read_to_string(format!("{demo}/{path}")).unwrap();
    let own = ["index", "stjerne"].map(|page| {
        let sheets = ["tokens", "main", "stjerne"].map(|sheet| read(&format!("styles/{sheet}.css"))).concat();
        format!("<!doctype html><style>{sheets}</style>{}", read(&format!("{page}.html")))
    });
    let rows = "<tr><td width=120><img src=/r.gif width=80 height=40><td align=right><font color=#936>Old</font> price"
        .repeat(80);
    let quirks = format!(
        "<title>Old</title><body bgcolor=#fed text=#321><center><table border=1 width=80%>{rows}</table></center>\
         <div style='float:left;width:30%'>Left</div><div style='float:right;width:30%'>Right</div><p>Between"
    );
    let themes = format!(
        "<!doctype html><title>Themes</title><style>:root{{--ink:#123;--paper:#fff;--accent:oklch(62% .2 25)}}\
         @media(prefers-color-scheme:dark){{:root{{--ink:#eee;--paper:#111}}}}body{{background:var(--paper);\
         color:var(--ink);font:calc(14px + .3vw)/1.6 Georgia,serif}}a{{color:var(--accent)}}</style>{}",
        "<section><h2>Part</h2><p>Words <a href=/x>with a link</a> and <code>code</code></section>".repeat(40)
    );
    let nested = format!(
        "<!doctype html><title>Deep</title><main>{}Deep<button>Go</button>",
        "<div style='padding:1px'>".repeat(180)
    );
    let columns = format!(
        "<!doctype html><title>Read</title><style>article{{columns:3;column-gap:2em}}figure{{margin:0;break-inside:\
         avoid}}</style><article>{}</article>",
        "<p>A paragraph of some length that is broken into lines.<figure><svg width=40 height=40 viewBox='0 0 4 4'>\
         <circle cx=2 cy=2 r=2 fill=#07c /></svg></figure>"
            .repeat(30)
    );
    let mut pages = Vec::from(cards());
    pages.extend(own);
    pages.extend([quirks, themes, nested, columns]);
    pages
}

fn cards() -> [String; 3] {
    let card =
        "<article class=card><img src=/c.png width=320 height=200><h3>Card</h3><p>Some words of a card</article>";
    let style = "<style>body{margin:0;font:16px/1.5 sans-serif}header,.hero{display:flex;padding:2em}.hero{background:\
                 linear-gradient(90deg,#124,#48c);color:#fff;min-height:60vh}.grid{display:grid;gap:1em;\
                 grid-template-columns:repeat(auto-fit,minmax(200px,1fr))}.cta{background:#e40;color:#fff;padding:.5em 2em}\
                 @media(max-width:600px){.hero{flex-direction:column}}</style>";
    let page = |cards: usize| {
        let cards = card.repeat(cards);
        format!(
            "<!doctype html><title>Lamps</title>{style}<header><a href=/><svg viewBox='0 0 9 9'><path fill=#e40 \
             d='M0 0h9v9z'/></svg>Lamps</a><nav><a href=/a>One</a></nav></header><main><section class=hero><h1>Evening \
             light</h1><a class=cta href=/buy>Buy</a></section><section class=grid>{cards}</section></main>"
        )
    };
    [page(3), page(60), page(600)]
}

#[tokio::test]
#[ignore = "occupies every processor for a minute: make soak"]
async fn answers_are_the_same_beside_busy_loops() {
    // The limits of a fleet, apart from the deadline, which is the caller's.
    let execution = Execution::Processes(ProcessConfig::new(child(&[])));
    let service = Service::with(Config { max_duration: AMPLE, execution, ..Config::default() }).await;
    let pages = laid_out_pages();
    let calls: Vec<(Operation, usize)> =
        Operation::ALL.iter().flat_map(|operation| (0..pages.len()).map(move |page| (*operation, page))).collect();
    // One after the other on an idle machine, and eight at once beside the loops.
    let answers = async |at_once: usize| {
        let mut answers = Vec::new();
        for calls in calls.chunks(at_once) {
            let running: Vec<_> = calls
                .iter()
                .map(|(operation, page)| {
                    let (mut client, request) = (service.client.clone(), request(operation.as_str(), &pages[*page]));
                    tokio::spawn(async move { client.extract(request).await })
                })
                .collect();
            for (call, answer) in calls.iter().zip(running) {
                // A refusal has to be the same as well.
                let answer = answer.await.unwrap().map(|found| found.into_inner().extraction.unwrap().body);
                answers.push((*call, answer.map_err(|status| status.to_string())));
            }
        }
        answers
    };
    let idle = answers(1).await;
    let refused = idle.iter().filter(|(_, answer)| answer.is_err()).count();
    assert!(refused * 3 < idle.len(), "{refused} of {} calls are refused", idle.len());
    let _busy = BusyLoops::start(8);
    let busy = answers(8).await;
    let differing: Vec<_> =
        idle.iter().zip(&busy).filter(|(idle, busy)| idle != busy).map(|(idle, _)| idle.0).collect();
    println!("{} of {} answers differ beside eight busy loops per processor", differing.len(), idle.len());
    assert!(differing.is_empty(), "{differing:?}");
    service.stop().await;
}

#[tokio::test]
async fn page_beyond_its_processor_time_is_unprocessable_and_the_next_call_is_answered() {
    let service = Service::start(child(&[]), Duration::from_millis(100)).await;
    for _ in 0..2 {
        let failure = status_to_failure(&service.extract("code", &large_page()).await.unwrap_err());
        assert_eq!(failure.error_code(), ErrorCode::UnprocessableContent, "{}", failure.message);
        assert!(failure.message.contains("too long to read"), "{}", failure.message);
        service.assert_answers().await;
    }
    service.stop().await;
}

#[tokio::test]
async fn page_beyond_its_memory_is_unprocessable_and_the_next_call_is_answered() {
    let service = Service::start(child(&["--memory=400"]), AMPLE).await;
    let failure = status_to_failure(&service.extract("code", &large_page().repeat(4)).await.unwrap_err());
    assert_eq!(failure.error_code(), ErrorCode::UnprocessableContent, "{}", failure.message);
    assert!(failure.message.contains("too complex"), "{}", failure.message);
    service.assert_answers().await;
    service.stop().await;
}

#[tokio::test]
async fn deadline_that_passes_is_no_fault_of_the_page_and_frees_the_slot() {
    let service = Service::start(child(&[]), AMPLE).await;
    let mut request = tonic::Request::new(request("code", &large_page()));
    request.set_timeout(Duration::from_millis(400));
    let failure = service.client.clone().extract(request).await.unwrap_err();
    // The client's own timer may fire first.
    assert!(
        failure.code() == tonic::Code::Cancelled
            || status_to_failure(&failure).error_code() == ErrorCode::InternalError,
        "{failure}"
    );
    let freed = Instant::now();
    service.assert_answers().await;
    assert!(freed.elapsed() < Duration::from_secs(20), "{:?}", freed.elapsed());
    service.stop().await;
}

#[tokio::test]
async fn caller_that_hangs_up_frees_its_slot() {
    let service = Service::start(child(&[]), AMPLE).await;
    let call = service.extract("code", "<p>warm").await;
    drop(call);
    let page = large_page().repeat(4);
    let abandoned = tokio::time::timeout(Duration::from_millis(300), service.extract("code", &page)).await;
    assert!(abandoned.is_err(), "the page takes longer");
    service.assert_answers().await;
    service.stop().await;
}

#[tokio::test]
async fn process_killed_from_outside_breaks_the_call_off_and_is_replaced() {
    // Reads the call, then dies like a process killed when the kernel runs out of memory.
    let service = Service::start(shell("head -c 1 >/dev/null; kill -9 $$"), AMPLE).await;
    for _ in 0..2 {
        let status = service.extract("images", "<p>x").await.unwrap_err();
        assert_eq!(status.code(), tonic::Code::Aborted, "{status}");
    }
    service.stop().await;
}

#[tokio::test]
async fn process_with_malformed_output_fails_the_call() {
    for script in ["cat", "printf '\\377\\377\\377\\377'", "printf '\\001\\000\\000\\000\\011'"] {
        let service = Service::start(shell(script), AMPLE).await;
        let status = service.extract("images", "<p>x").await.unwrap_err();
        assert_eq!(status.code(), tonic::Code::Aborted, "{script}: {status}");
        service.stop().await;
    }
}

#[tokio::test]
async fn extractor_without_processes_is_not_ready_and_sends_calls_elsewhere() {
    let launch = Launch::new("/nowhere/limner", [""; 0]);
    let execution = Execution::Processes(ProcessConfig::new(launch));
    let extractor = Extractor::bind(Config { execution, ..Config::default() }).await.unwrap();
    let mut readiness = extractor.readiness();
    assert!(*readiness.borrow_and_update(), "nothing has failed yet");
    let address = format!("http://{}", extractor.local_addr());
    let shutdown = CancellationToken::new();
    let server = tokio::spawn(extractor.run(shutdown.clone()));
    readiness.wait_for(|ready| !*ready).await.unwrap();
    let channel = Channel::from_shared(address).unwrap().connect().await.unwrap();
    let status = ExtractorServiceClient::new(channel).extract(request("images", "<p>x")).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::ResourceExhausted, "{status}");
    shutdown.cancel();
    server.await.unwrap().unwrap();
}

#[tokio::test]
async fn drain_ends_with_the_running_calls_and_leaves_no_process() {
    let service = Service::start(child(&[]), Duration::from_secs(2)).await;
    service.assert_answers().await;
    let children = children_of_this_process();
    assert!(!children.is_empty());
    let (client, page) = (service.client.clone(), large_page().repeat(4));
    let running = tokio::spawn(async move { client.clone().extract(request("code", &page)).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let begun = Instant::now();
    service.stop().await;
    assert!(running.await.unwrap().is_err());
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    let left: Vec<_> = children_of_this_process().intersection(&children).copied().collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Slots are given up after a moment.
fn two_slots() -> Config {
    let execution = Execution::Processes(ProcessConfig { processor_time: AMPLE, ..ProcessConfig::new(child(&[])) });
    let (slot_time, max_duration) = (Duration::from_millis(200), AMPLE);
    Config { max_running: 2, max_background: 8, slot_time, max_duration, execution, ..Config::default() }
}

fn request_of(tenant: &str, operation: &str, html: &str) -> v1::ExtractRequest {
    v1::ExtractRequest { tenant: tenant.to_owned(), ..request(operation, html) }
}

#[tokio::test]
async fn tenant_is_answered_while_another_has_many_endless_calls() {
    let service = Service::with(two_slots()).await;
    let endless = large_page().repeat(4);
    let hostile: Vec<_> = (0..16)
        .map(|_| {
            let (mut client, request) = (service.client.clone(), request_of("hostile", "code", &endless));
            tokio::spawn(async move { client.extract(request).await })
        })
        .collect();
    // Both slots are taken before the others come.
    wait_until(|| children_of_this_process().into_iter().filter(|id| processor_time_of(*id) > 5).count() == 2).await;
    for _ in 0..6 {
        let request = request_of("quiet", "images", "<img src=/a.png>");
        assert!(service.client.clone().extract(request).await.unwrap().into_inner().extraction.is_some());
    }
    assert!(hostile.iter().all(|call| !call.is_finished()), "the others are at work, or wait");
    let gave_way = |id: &u32| niceness_of(*id) == 19;
    assert_eq!(children_of_this_process().iter().filter(|id| gave_way(id)).count(), 1, "one slot was all it took");
    hostile.into_iter().for_each(|call| call.abort());
    service.stop().await;
}

#[tokio::test]
async fn call_that_gave_its_slot_up_is_answered_and_takes_its_process_along() {
    let folder = tempfile::tempdir().unwrap();
    let (begun, go) = (folder.path().join("begun"), folder.path().join("go"));
    // The first process answers when it may, the others at once.
    let script = format!(
        "head -c 1 >/dev/null; mkdir {begun:?} 2>/dev/null && until [ -e {go:?} ]; do sleep 0.05; done; \
         printf '\\002\\000\\000\\000\\003x'; cat >/dev/null"
    );
    let processes = ProcessConfig { processor_time: AMPLE, ..ProcessConfig::new(shell(&script)) };
    let execution = Execution::Processes(processes);
    let service = Service::with(Config { max_running: 1, execution, ..two_slots() }).await;
    let ask = |tenant| {
        let (mut client, request) = (service.client.clone(), request_of(tenant, "images", "<p>x"));
        tokio::spawn(async move { client.extract(request).await.unwrap_err().code() })
    };
    let slow = ask("slow");
    wait_until(|| begun.exists()).await;
    assert_eq!(ask("quick").await.unwrap(), tonic::Code::Internal, "an answer of the process");
    assert!(!slow.is_finished());
    let in_background = || children_of_this_process().into_iter().filter(|id| niceness_of(*id) == 19).count();
    assert_eq!((in_background(), children_of_this_process().len()), (1, 2));
    std::fs::write(go, "").unwrap();
    assert_eq!(slow.await.unwrap(), tonic::Code::Internal, "an answer of the process");
    wait_until(|| children_of_this_process().len() == 1).await;
    assert_eq!(in_background(), 0);
    service.stop().await;
}

#[tokio::test]
async fn layout_under_way_ends_with_its_extraction() {
    let service = Service::start(child(&[]), AMPLE).await;
    let page = format!("<style>div{{display:grid}}</style><main>{}", "<div><b>x</b><p>y</div>".repeat(20_000));
    let (mut client, request) = (service.client.clone(), request("code", &page));
    let call = tokio::spawn(async move { client.extract(request).await });
    let layout = || {
        let extraction = children_of(std::process::id()).into_iter().next()?;
        children_of(extraction).into_iter().find(|id| processor_time_of(*id) > 20)
    };
    wait_until(|| layout().is_some()).await;
    let layout = layout().unwrap();
    call.abort();
    let gone = wait_until(|| state_of(layout).is_none_or(|state| state == "Z"));
    tokio::time::timeout(Duration::from_secs(3), gone).await.expect("layout ends at once");
    service.stop().await;
}

/// The call is broken off, and its client tries it once more (`limner_extractor_client`): an answer without boxes would
/// be another answer.
#[tokio::test]
async fn layout_process_that_is_killed_breaks_the_call_off_and_the_next_one_has_boxes() {
    let service = Service::start(child(&[]), AMPLE).await;
    let page = format!("<style>div{{display:grid}}</style><main>{}", "<div><b>x</b><p>y</div>".repeat(8_000));
    let undisturbed = service.extract("code", &page).await.unwrap().body;
    let (mut client, request) = (service.client.clone(), request("code", &page));
    let extraction = children_of_this_process().into_iter().next().unwrap();
    let before: u64 = children_of(extraction).into_iter().map(processor_time_of).sum();
    let call = tokio::spawn(async move { client.extract(request).await });
    let busy = || children_of(extraction).into_iter().find(|id| processor_time_of(*id) > before + 5);
    wait_until(|| busy().is_some()).await;
    std::process::Command::new("kill").args(["-KILL", &busy().unwrap().to_string()]).status().unwrap();
    let status = call.await.unwrap().unwrap_err();
    assert_eq!(status.code(), tonic::Code::Aborted, "{status}");
    assert_eq!(service.extract("code", &page).await.unwrap().body, undisturbed);
    service.stop().await;
}

/// Polls until a condition holds of which no event tells.
async fn wait_until(is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(AMPLE, waiting).await.expect("it comes about");
}

fn children_of_this_process() -> BTreeSet<u32> {
    children_of(std::process::id())
}

/// Returns the ids of the processes whose parent is `parent`.
fn children_of(parent: u32) -> BTreeSet<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| field_of(*id, 4).is_some_and(|text| text == parent.to_string())).collect()
}

fn state_of(process: u32) -> Option<String> {
    field_of(process, 3)
}

/// Returns the processor time of a process, in hundredths of a second.
fn processor_time_of(process: u32) -> u64 {
    field_of(process, 14).map_or(0, |text| text.parse().unwrap())
}

fn niceness_of(process: u32) -> i32 {
    field_of(process, 19).map_or(0, |text| text.parse().unwrap())
}

/// Returns a field of `/proc/PID/stat` by its number in proc_pid_stat(5), which is 3 or more.
fn field_of(process: u32, number: usize) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_ascii_whitespace().nth(number - 3).map(str::to_owned)
}
