//! Jobs through the role: real NATS, real Redis, real origins, a fake extractor.

use crate::extractor::FakeExtractor;
use crate::support::{TIMEOUT, client};
use limner_bus::{Bus, BusConfig, JobContext, JobOutcome, ReplyInbox, Stage, WorkerOptions};
use limner_cache::{Cache, CacheConfig, CachedResult};
use limner_fetcher::{Config, Fetcher, FetcherError, ReaderLimits};
use limner_local_servers::shared_servers;
use limner_page::Degradation;
use limner_proto::v1;
use limner_proto::v1::fallback::StaticOutcome;
use limner_proto::v1::job_reply::Outcome;
use limner_testkit::{CannedResponse, OriginServer};
use limner_types::ErrorCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tonic::Status;

const PAGE: &str = "<title>Page</title><p>Some text to read.";

struct Fleet {
    site: OriginServer,
    bus: Bus,
    cache: Cache,
    inbox: ReplyInbox,
    jobs: AtomicUsize,
    shutdown: CancellationToken,
    running: tokio::task::JoinHandle<Result<(), FetcherError>>,
}

impl Fleet {
    async fn start(extractors: &[&FakeExtractor]) -> Self {
        let extractors = extractors.iter().map(|extractor| extractor.url()).collect();
        Self::with_config(Config { extractors, ..Config::default() }).await
    }

    async fn with_config(config: Config) -> Self {
        let redis = shared_servers::redis().await.url();
        Self::with_redis(config, redis).await
    }

    async fn with_redis(config: Config, url: String) -> Self {
        Self::with_cache(config, CacheConfig { url, ..CacheConfig::default() }).await
    }

    async fn with_cache(config: Config, cache: CacheConfig) -> Self {
        let unique = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
        let prefix = format!("fetcher-{}-{unique}", std::process::id());
        let url = shared_servers::nats().await.url();
        let bus = Bus::connect(BusConfig { url, prefix: prefix.clone(), ..BusConfig::default() }).await.unwrap();
        bus.declare().await.unwrap();
        let cache = Cache::connect(CacheConfig { prefix, ..cache }).await.unwrap();
        let site = OriginServer::start().await;
        site.on("/", CannedResponse::html(PAGE));
        let inbox = bus.reply_inbox().await.unwrap();
        let fetcher = Fetcher::bind(config, bus.clone(), cache.clone(), client(&site)).unwrap();
        let shutdown = CancellationToken::new();
        let running = tokio::spawn(fetcher.run(shutdown.clone()));
        Self { site, bus, cache, inbox, jobs: AtomicUsize::new(0), shutdown, running }
    }

    fn job(&self, operation: &str, path: &str) -> v1::Job {
        let job_id = format!("req_{}", self.jobs.fetch_add(1, Ordering::SeqCst));
        let deadline = (SystemTime::now() + TIMEOUT).duration_since(UNIX_EPOCH).unwrap();
        v1::Job {
            reply_subject: self.inbox.subject(&job_id),
            url: format!("http://site.test{path}"),
            call: Some(v1::Call { operation: operation.to_owned(), ..v1::Call::default() }),
            deadline_unix_ms: deadline.as_millis().try_into().unwrap(),
            cache_key: format!("{operation} {path}"),
            job_id,
            ..v1::Job::default()
        }
    }

    /// Advertises a renderer, and waits until the fetcher has received it.
    async fn present_browser(&self) -> CancellationToken {
        let (bus, stop) = (self.bus.clone(), CancellationToken::new());
        let stopped = stop.clone();
        tokio::spawn(async move {
            let (_browser, has_browser) = watch::channel(true);
            bus.advertise_renderer("test", has_browser, stopped).await
        });
        let listening = self.bus.renderers().await.unwrap();
        let heard = async {
            while !listening.any() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(TIMEOUT, heard).await.expect("a browser");
        stop
    }

    async fn ask(&self, job: v1::Job) -> Outcome {
        let pending = self.inbox.register(&job.job_id);
        self.bus.publish_job(Stage::Fetch, &job).await.unwrap();
        pending.wait(Instant::now() + TIMEOUT).await.unwrap().outcome.unwrap()
    }

    async fn failure(&self, job: v1::Job) -> v1::Failure {
        match self.ask(job).await {
            Outcome::Failure(failure) => failure,
            Outcome::Extraction(extraction) => panic!("a failure was expected: {extraction:?}"),
        }
    }

    async fn body(&self, job: v1::Job) -> String {
        match self.ask(job).await {
            Outcome::Extraction(extraction) => plain(&extraction.body),
            Outcome::Failure(failure) => panic!("an extraction was expected: {failure:?}"),
        }
    }

    async fn snapshot_is_kept(&self, path: &str) {
        let kept = async {
            while self.cache.get_snapshot(&format!("http://site.test{path}")).await.unwrap().is_none() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(TIMEOUT, kept).await.expect("a snapshot in the cache");
    }

    async fn stop(self) {
        self.shutdown.cancel();
        self.running.await.unwrap().unwrap();
    }
}

fn plain(compressed: &[u8]) -> String {
    let empty = CachedResult::compress(b"", "", false, 0).unwrap();
    let result = CachedResult { body: compressed.to_vec().into(), ..empty };
    String::from_utf8(result.decompress(1 << 20).unwrap()).unwrap()
}

#[tokio::test]
async fn result_is_cached_before_the_reply() {
    let extractor = FakeExtractor::start().await;
    let fleet = Fleet::start(&[&extractor]).await;
    let body = fleet.body(fleet.job("images", "/")).await;
    assert_eq!(body, format!("{{\"images\":{}}}", PAGE.len()));
    let kept = fleet.cache.get_result("images /").await.unwrap().expect("the result is in the cache");
    assert_eq!((plain(&kept.body), kept.content_type.as_str()), (body, "application/json"));
    fleet.stop().await;
}

/// The time that an image has depends on the load of this machine, so it must not decide what the next day's calls get.
#[tokio::test]
async fn result_without_a_late_image_is_cached_as_incomplete() {
    let extractor = FakeExtractor::start().await;
    let extractors = vec![extractor.url()];
    let mut limits = ReaderLimits::default();
    limits.subresources.picture_time = Duration::from_millis(300);
    let fleet = Fleet::with_config(Config { extractors, limits, ..Config::default() }).await;
    fleet.site.on("/late", CannedResponse::html("<p>Some text to read.<img src=/late.png>"));
    // Its hint tells of its scripts only.
    let app = "<div id=root></div><script src=a.js></script><img src=/late.png>";
    fleet.site.on("/late-app", CannedResponse::html(app));
    fleet.site.on("/late.png", CannedResponse::silent());
    for (path, is_incomplete) in [("/late", true), ("/late-app", true), ("/", false)] {
        fleet.body(fleet.job("code", path)).await;
        let kept = fleet.cache.get_result(&format!("code {path}")).await.unwrap().expect("the result is in the cache");
        assert_eq!(kept.incomplete, is_incomplete, "{path}");
    }
    let degradations: Vec<_> = extractor.pages().iter().map(|page| page.degradation).collect();
    assert_eq!(degradations, [Some(Degradation::MissingFiles), Some(Degradation::ClientRendered), None]);
    // The image is tried again by the next call on the cached page.
    fleet.site.on("/late.png", CannedResponse::new("image/png", "x"));
    fleet.body(v1::Job { cache_key: "again".to_owned(), ..fleet.job("code", "/late") }).await;
    assert!(!fleet.cache.get_result("again").await.unwrap().unwrap().incomplete);
    fleet.stop().await;
}

#[tokio::test]
async fn operations_on_one_page_share_a_read_unless_fresh() {
    let extractor = FakeExtractor::start().await;
    let fleet = Fleet::start(&[&extractor]).await;
    fleet.body(fleet.job("images", "/")).await;
    fleet.snapshot_is_kept("/").await;
    fleet.body(fleet.job("svg", "/")).await;
    fleet.body(fleet.job("fonts", "/")).await;
    assert_eq!(fleet.site.count("/"), 1);
    fleet.site.on("/", CannedResponse::html("<p>New"));
    assert_eq!(fleet.body(v1::Job { fresh: true, ..fleet.job("images", "/") }).await, "{\"images\":6}");
    assert_eq!(fleet.site.count("/"), 2);
    let replaced = async {
        while fleet.body(fleet.job("svg", "/")).await != "{\"svg\":6}" {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(TIMEOUT, replaced).await.expect("the fresh page replaces the cached one");
    assert_eq!(fleet.site.count("/"), 2);
    fleet.stop().await;
}

#[tokio::test]
async fn pages_of_failed_calls_evict_no_page_of_a_successful_call() {
    let failure = v1::Failure::new(ErrorCode::NotFound, "Nothing is there.");
    let extractor = FakeExtractor::answering(move |_, page| match page.html.contains("Some text") {
        true => Ok("{}".to_owned()),
        false => Err(limner_proto::failure_to_status(&failure)),
    })
    .await;
    // Characters that do not compress well (Numerical Recipes' generator).
    let noise = |mut state: u32| -> String {
        let letters = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(b'a' + (state >> 24) as u8 % 26)
        });
        letters.take(3_000).collect()
    };
    let url = shared_servers::redis().await.url();
    // Capacity for two and a half of these pages.
    let cache = CacheConfig { url, max_snapshots_bytes: 5_000, ..CacheConfig::default() };
    let config = Config { extractors: vec![extractor.url()], ..Config::default() };
    let fleet = Fleet::with_cache(config, cache).await;
    fleet.site.on("/good", CannedResponse::html(format!("<p>Some text to read. {}", noise(0))));
    fleet.body(fleet.job("images", "/good")).await;
    fleet.snapshot_is_kept("/good").await;
    for page in 1..=5 {
        let path = format!("/bad/{page}");
        fleet.site.on(&path, CannedResponse::html(format!("<p>{}", noise(page))));
        fleet.failure(fleet.job("images", &path)).await;
        fleet.snapshot_is_kept(&path).await;
    }
    assert!(fleet.cache.get_snapshot("http://site.test/bad/1").await.unwrap().is_none(), "there is room for two");
    assert!(fleet.cache.get_snapshot("http://site.test/good").await.unwrap().is_some());
    fleet.stop().await;
}

#[tokio::test]
async fn concurrent_calls_share_a_read() {
    let extractor = FakeExtractor::start().await;
    let fleet = Fleet::start(&[&extractor]).await;
    fleet.site.on("/slow", CannedResponse::html(PAGE).after(Duration::from_millis(400)));
    let operations = ["code", "brand", "extract", "images", "svg", "videos", "audio", "lottie", "fonts"];
    let bodies = operations.map(|operation| fleet.body(fleet.job(operation, "/slow")));
    for (operation, body) in operations.iter().zip(futures::future::join_all(bodies).await) {
        assert_eq!(body, format!("{{\"{operation}\":{}}}", PAGE.len()));
    }
    assert_eq!(fleet.site.count("/slow"), 1);
    fleet.stop().await;
}

#[tokio::test]
async fn failing_extractor_is_replaced_by_another() {
    let busy = FakeExtractor::answering(|_, _| Err(Status::resource_exhausted("busy"))).await;
    let gone = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let good = FakeExtractor::start().await;
    let extractors = vec![gone, busy.url(), good.url()];
    let fleet = Fleet::with_config(Config { extractors, ..Config::default() }).await;
    for _ in 0..3 {
        assert_eq!(fleet.body(fleet.job("images", "/")).await, format!("{{\"images\":{}}}", PAGE.len()));
    }
    assert!(!busy.pages().is_empty());
    fleet.stop().await;
}

#[tokio::test]
async fn extractor_failures_reach_the_caller() {
    let section = v1::Section { selector: "#hero".to_owned(), preview: "Words. ".repeat(60), ..v1::Section::default() };
    for sections in [1, 60] {
        let sections = vec![section.clone(); sections];
        let failure = v1::Failure { sections, ..v1::Failure::new(ErrorCode::NotFound, "Nothing matches `#x`.") };
        let extractor = FakeExtractor::failing(failure.clone()).await;
        let fleet = Fleet::start(&[&extractor]).await;
        assert_eq!(fleet.failure(fleet.job("code", "/")).await, failure);
        assert_eq!(extractor.pages().len(), 1, "a definite failure is not retried");
        fleet.stop().await;
    }
}

#[tokio::test]
async fn failure_that_holds_for_a_while_is_remembered_for_calls_that_want_no_new_read() {
    for (valid_for_seconds, expected) in [(Some(60), [1, 1, 2]), (None, [1, 2, 3])] {
        let failure =
            v1::Failure { valid_for_seconds, ..v1::Failure::new(ErrorCode::UnprocessableContent, "Too large.") };
        let extractor = FakeExtractor::failing(failure.clone()).await;
        let fleet = Fleet::start(&[&extractor]).await;
        for (fresh, expected) in [false, false, true].into_iter().zip(expected) {
            assert_eq!(fleet.failure(v1::Job { fresh, ..fleet.job("code", "/") }).await, failure);
            assert_eq!(extractor.pages().len(), expected, "{valid_for_seconds:?}, fresh: {fresh}");
        }
        fleet.stop().await;
    }
}

/// Whoever gets the job next finds no extractor either, and then one that breaks again.
#[tokio::test]
async fn page_that_breaks_extractors_is_tried_twice_whichever_workers_have_it() {
    // Longer than the rounds through all extractors, shorter than the delay of the next delivery with them.
    let restart = Duration::from_millis(2_000);
    for finds_others in [true, false] {
        let broken = Arc::new(Mutex::new(Vec::<Instant>::new()));
        let breaks = Arc::clone(&broken);
        let extractor = FakeExtractor::answering(move |_, _| {
            let mut breaks = breaks.lock().unwrap();
            if !finds_others && breaks.last().is_some_and(|last| last.elapsed() < restart) {
                return Err(Status::resource_exhausted("restarting"));
            }
            breaks.push(Instant::now());
            Err(Status::aborted("the call broke off"))
        })
        .await;
        let fleet = Fleet::start(&[&extractor]).await;
        for (fresh, expected) in [(false, 2), (false, 2), (true, 4)] {
            let failure = fleet.failure(v1::Job { fresh, ..fleet.job("code", "/") }).await;
            assert_eq!(failure.error_code(), ErrorCode::InternalError);
            let number = broken.lock().unwrap().len();
            assert_eq!(number, expected, "others: {finds_others}, fresh: {fresh}");
        }
        fleet.stop().await;
    }
}

#[tokio::test]
async fn extractor_hears_of_the_tenant_of_a_job() {
    let extractor = FakeExtractor::start().await;
    let fleet = Fleet::start(&[&extractor]).await;
    for tenant in ["one", ""] {
        fleet.body(v1::Job { tenant: tenant.to_owned(), fresh: true, ..fleet.job("images", "/") }).await;
    }
    assert_eq!(extractor.tenants(), ["one", ""]);
    fleet.stop().await;
}

#[tokio::test]
async fn unreadable_pages_have_stable_error_codes() {
    let extractor = FakeExtractor::start().await;
    let fleet = Fleet::start(&[&extractor]).await;
    fleet.site.on("/blocked", CannedResponse::html("no").status(403)).on("/json", CannedResponse::json("{}"));
    for (path, code) in [
        ("/blocked", ErrorCode::TargetBlocked),
        ("/gone", ErrorCode::TargetError),
        ("/json", ErrorCode::UnprocessableContent),
    ] {
        assert_eq!(fleet.failure(fleet.job("images", path)).await.error_code(), code, "{path}");
    }
    let unknown = v1::Job { url: "http://nowhere.invalid/".to_owned(), ..fleet.job("images", "/") };
    assert_eq!(fleet.failure(unknown).await.error_code(), ErrorCode::TargetUnreachable);
    let no_call = v1::Job { call: None, ..fleet.job("images", "/") };
    assert_eq!(fleet.failure(no_call).await.error_code(), ErrorCode::InvalidRequest);
    assert!(extractor.pages().is_empty());
    fleet.stop().await;
}

#[tokio::test]
async fn shells_without_a_browser_are_answered_as_they_are() {
    let extractor = FakeExtractor::start().await;
    let fleet = Fleet::start(&[&extractor]).await;
    fleet.site.on("/app", CannedResponse::html("<div id=root></div><script src=a.js></script>"));
    fleet.body(fleet.job("images", "/app")).await;
    assert_eq!(extractor.pages()[0].degradation, Some(Degradation::ClientRendered));
    let call = Some(v1::Call { operation: "images".to_owned(), render: true, ..v1::Call::default() });
    let failure = fleet.failure(v1::Job { call, ..fleet.job("images", "/") }).await;
    assert_eq!(failure.error_code(), ErrorCode::RenderUnavailable);
    assert!(failure.retry_after_seconds.is_some());
    fleet.stop().await;
}

#[tokio::test]
async fn thin_and_refused_pages_with_a_browser_are_handed_over() {
    let extractor = FakeExtractor::start().await;
    let config = Config { extractors: vec![extractor.url()], render_available: true, ..Config::default() };
    let fleet = Fleet::with_config(config).await;
    fleet.site.on("/app", CannedResponse::html("<div id=root></div><script src=a.js></script>"));
    fleet.site.on("/blocked", CannedResponse::html("no").status(403));
    let (handed_over, mut jobs) = mpsc::unbounded_channel();
    let presence = fleet.present_browser().await;
    let (bus, stop) = (fleet.bus.clone(), CancellationToken::new());
    let exhausted = v1::Failure::new(ErrorCode::InternalError, "");
    let options = WorkerOptions { concurrency: 4, exhausted };
    let stopped = stop.clone();
    let renderer = tokio::spawn(async move {
        let handler = move |context: JobContext| {
            handed_over.send(context.job.clone()).unwrap();
            let outcome = Some(Outcome::Failure(v1::Failure::new(ErrorCode::TargetBlocked, "")));
            std::future::ready(JobOutcome::Reply(v1::JobReply {
                job_id: context.job.job_id,
                outcome,
                ..v1::JobReply::default()
            }))
        };
        bus.run_worker(Stage::Render, options, handler, stopped).await
    });
    for path in ["/app", "/blocked"] {
        fleet.ask(fleet.job("images", path)).await;
        let fallback = jobs.recv().await.unwrap().fallback.unwrap().static_outcome.unwrap();
        match (path, fallback) {
            ("/app", StaticOutcome::Extraction(extraction)) => assert!(plain(&extraction.body).contains("images")),
            ("/blocked", StaticOutcome::Failure(failure)) => {
                assert_eq!(failure.error_code(), ErrorCode::TargetBlocked);
            }
            (path, other) => panic!("{path}: {other:?}"),
        }
    }
    let call = Some(v1::Call { operation: "images".to_owned(), render: true, ..v1::Call::default() });
    fleet.ask(v1::Job { call, ..fleet.job("images", "/") }).await;
    assert_eq!(jobs.recv().await.unwrap().fallback, None);
    assert_eq!(fleet.site.count("/"), 0, "a render call is not read statically twice");
    presence.cancel();
    fleet.stop().await;
    stop.cancel();
    renderer.await.unwrap().unwrap();
}

#[tokio::test]
async fn concurrent_reads_per_host_are_limited() {
    let extractor = FakeExtractor::start().await;
    let config = Config { extractors: vec![extractor.url()], per_host: 1, waiting_per_host: 1, ..Config::default() };
    let fleet = Fleet::with_config(config).await;
    let pause = Duration::from_millis(200);
    fleet.site.fallback(move |_| CannedResponse::html(PAGE).after(pause));
    // One is read, one waits, one is returned to the queue for a while.
    let bodies = ["/a", "/b", "/c"].map(|path| fleet.body(fleet.job("images", path)));
    futures::future::join_all(bodies).await;
    let mut arrivals: Vec<_> = fleet.site.requests().iter().map(|request| request.at).collect();
    arrivals.sort();
    assert_eq!(arrivals.len(), 3);
    assert!(arrivals.windows(2).all(|pair| pair[1] - pair[0] >= pause), "{arrivals:?}");
    fleet.stop().await;
}

#[tokio::test]
async fn site_that_has_too_many_requests_is_read_half_as_often() {
    let extractor = FakeExtractor::start().await;
    let config = Config { extractors: vec![extractor.url()], per_host: 2, ..Config::default() };
    let fleet = Fleet::with_config(config).await;
    let pause = Duration::from_millis(200);
    fleet.site.fallback(move |_| CannedResponse::html(PAGE).after(pause));
    fleet.site.on("/full", CannedResponse::html(PAGE).status(503));
    fleet.failure(fleet.job("images", "/full")).await;
    let bodies = ["/a", "/b", "/c"].map(|path| fleet.body(fleet.job("images", path)));
    futures::future::join_all(bodies).await;
    let requests = fleet.site.requests();
    let mut arrivals: Vec<_> = requests.iter().filter(|one| one.path != "/full").map(|request| request.at).collect();
    arrivals.sort();
    assert_eq!(arrivals.len(), 3);
    assert!(arrivals.windows(2).all(|pair| pair[1] - pair[0] >= pause), "one instead of two at once: {arrivals:?}");
    fleet.stop().await;
}

#[tokio::test]
async fn pages_of_a_site_are_limited_across_the_fleet() {
    let extractor = FakeExtractor::start().await;
    let config = || Config { extractors: vec![extractor.url()], per_site: 2, ..Config::default() };
    let fleet = Fleet::with_config(config()).await;
    let second = Fetcher::bind(config(), fleet.bus.clone(), fleet.cache.clone(), client(&fleet.site)).unwrap();
    let second = tokio::spawn(second.run(fleet.shutdown.clone()));
    let pause = Duration::from_millis(300);
    fleet.site.fallback(move |_| CannedResponse::html(PAGE).after(pause));
    let paths: Vec<String> = (0..8).map(|n| format!("/{n}")).collect();
    let bodies = paths.iter().map(|path| fleet.body(fleet.job("images", path)));
    futures::future::join_all(bodies).await;
    let mut arrivals: Vec<_> = fleet.site.requests().iter().map(|request| request.at).collect();
    arrivals.sort();
    assert_eq!(arrivals.len(), 8);
    assert!(arrivals.windows(3).all(|reads| reads[2] - reads[0] >= pause), "two at once: {arrivals:?}");
    fleet.stop().await;
    second.await.unwrap().unwrap();
}

#[tokio::test]
async fn calls_that_wait_too_long_for_a_slow_host_fail_in_time() {
    let extractor = FakeExtractor::start().await;
    let limits = ReaderLimits { static_read: Duration::from_secs(2), ..ReaderLimits::default() };
    let config =
        Config { extractors: vec![extractor.url()], per_host: 1, waiting_per_host: 1, limits, ..Config::default() };
    let fleet = Fleet::with_config(config).await;
    fleet.site.fallback(|_| CannedResponse::html(PAGE).after(Duration::from_secs(60)));
    let patience = Duration::from_secs(4);
    let deadline = (SystemTime::now() + patience).duration_since(UNIX_EPOCH).unwrap().as_millis();
    let began = Instant::now();
    // One is read, one waits, one is returned to the queue.
    let failures = ["/a", "/b", "/c"].map(|path| {
        let job = v1::Job { deadline_unix_ms: deadline.try_into().unwrap(), ..fleet.job("images", path) };
        fleet.failure(job)
    });
    let failures = futures::future::join_all(failures).await;
    let of = |code| failures.iter().filter(|failure| failure.error_code() == code).count();
    // The host had its time for one page. That the others waited for it, and had less, is our doing.
    assert_eq!((of(ErrorCode::TargetTimeout), of(ErrorCode::InternalError)), (1, 2), "{failures:?}");
    let waited = failures.iter().filter(|failure| failure.error_code() == ErrorCode::InternalError);
    assert!(waited.clone().all(|failure| failure.retry_after_seconds.is_some()), "{failures:?}");
    assert!(began.elapsed() < patience, "{:?}", began.elapsed());
    fleet.stop().await;
}

#[tokio::test]
async fn jobs_fail_when_they_have_waited_as_long_as_they_may() {
    let extractor = FakeExtractor::start().await;
    let limits = ReaderLimits { static_read: Duration::from_secs(6), ..ReaderLimits::default() };
    let (patience, start_reserve) = (Duration::from_secs(15), Duration::from_secs(13));
    let config =
        Config { extractors: vec![extractor.url()], concurrency: 1, start_reserve, limits, ..Config::default() };
    let fleet = Fleet::with_config(config).await;
    let slow = Duration::from_secs(5);
    fleet.site.fallback(move |_| CannedResponse::html(PAGE).after(slow));
    let began = Instant::now();
    let deadline = (SystemTime::now() + patience).duration_since(UNIX_EPOCH).unwrap().as_millis();
    let answers = ["/a", "/b", "/c"].map(|path| {
        let job = v1::Job { deadline_unix_ms: deadline.try_into().unwrap(), ..fleet.job("images", path) };
        let answer = fleet.ask(job);
        async { (answer.await, began.elapsed()) }
    });
    let answers = futures::future::join_all(answers).await;
    let (read, failed): (Vec<_>, Vec<_>) =
        answers.iter().partition(|(outcome, _)| matches!(outcome, Outcome::Extraction(_)));
    assert_eq!((read.len(), failed.len()), (1, 2), "{answers:?}");
    for (outcome, after) in failed {
        let Outcome::Failure(failure) = outcome else { panic!("{outcome:?}") };
        assert_eq!(failure.error_code(), ErrorCode::InternalError, "{failure:?}");
        assert!(failure.retry_after_seconds.is_some(), "{failure:?}");
        // They do not wait for the end of the first read, nor for their deadlines.
        assert!(*after < slow, "{after:?}");
    }
    fleet.stop().await;
}

#[tokio::test]
async fn shared_read_keeps_each_callers_deadline() {
    let extractor = FakeExtractor::start().await;
    let config = Config { extractors: vec![extractor.url()], per_host: 1, ..Config::default() };
    let fleet = Fleet::with_config(config).await;
    fleet.site.on("/busy", CannedResponse::html(PAGE).after(Duration::from_secs(4)));
    fleet.site.on("/", CannedResponse::html(PAGE));
    let job = |path: &str, seconds| {
        let deadline = (SystemTime::now() + Duration::from_secs(seconds)).duration_since(UNIX_EPOCH).unwrap();
        v1::Job { deadline_unix_ms: deadline.as_millis().try_into().unwrap(), ..fleet.job("images", path) }
    };
    let busy = fleet.body(job("/busy", 20));
    let short = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        fleet.ask(job("/", 3)).await
    };
    let long = async {
        tokio::time::sleep(Duration::from_millis(600)).await;
        fleet.ask(job("/", 20)).await
    };
    let (_, short, long) = futures::future::join3(busy, short, long).await;
    let is_late = |outcome: &Outcome| matches!(outcome, Outcome::Failure(failure) if failure.error_code() == ErrorCode::InternalError);
    assert!(is_late(&short), "{short:?}");
    assert!(matches!(long, Outcome::Extraction(_)), "{long:?}");
    fleet.stop().await;
}

#[tokio::test]
async fn calls_are_answered_without_redis() {
    let extractor = FakeExtractor::start().await;
    let config = Config { extractors: vec![extractor.url()], ..Config::default() };
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let fleet = Fleet::with_redis(config, format!("redis://{closed}")).await;
    assert_eq!(fleet.body(fleet.job("images", "/")).await, format!("{{\"images\":{}}}", PAGE.len()));
    fleet.stop().await;
}
