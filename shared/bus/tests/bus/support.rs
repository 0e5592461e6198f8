//! Buses, jobs and workers for the tests.

use limner_bus::{Bus, BusConfig, BusError, JobContext, JobOutcome, Stage, WorkerOptions};
use limner_proto::v1;
use limner_proto::v1::job_reply::Outcome;
use limner_types::ErrorCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);

pub(crate) fn config(url: String, prefix: &str) -> BusConfig {
    let unique = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    BusConfig {
        url,
        prefix: format!("{prefix}-{}-{unique}", std::process::id()),
        ack_wait: Duration::from_millis(600),
        max_deliveries: 3,
        ..BusConfig::default()
    }
}

/// Returns a test's own bus on the shared server, with its streams declared.
pub(crate) async fn bus(test: &str) -> Bus {
    let bus = Bus::connect(config(limner_local_servers::shared_servers::nats().await.url(), test)).await.unwrap();
    bus.declare().await.unwrap();
    bus
}

pub(crate) fn deadline_in(time: Duration) -> i64 {
    (SystemTime::now() + time).duration_since(UNIX_EPOCH).unwrap().as_millis().try_into().unwrap()
}

pub(crate) fn job(id: &str, reply_subject: String) -> v1::Job {
    v1::Job { job_id: id.to_owned(), reply_subject, deadline_unix_ms: deadline_in(TIMEOUT), ..v1::Job::default() }
}

pub(crate) fn answer(context: &JobContext, body: impl Into<Vec<u8>>) -> JobOutcome {
    let extraction = v1::Extraction { body: body.into().into(), ..v1::Extraction::default() };
    let outcome = Some(Outcome::Extraction(extraction));
    JobOutcome::Reply(v1::JobReply { job_id: context.job.job_id.clone(), outcome, ..v1::JobReply::default() })
}

pub(crate) fn options(concurrency: usize) -> WorkerOptions {
    WorkerOptions { concurrency, exhausted: v1::Failure::new(ErrorCode::TargetTimeout, "tried too often") }
}

pub(crate) struct Worker {
    pub(crate) shutdown: CancellationToken,
    pub(crate) task: JoinHandle<Result<(), BusError>>,
}

impl Worker {
    pub(crate) fn start<F, Fut>(bus: &Bus, stage: Stage, options: WorkerOptions, handler: F) -> Self
    where
        F: Fn(JobContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = JobOutcome> + Send + 'static,
    {
        let (bus, shutdown) = (bus.clone(), CancellationToken::new());
        let stopped = shutdown.clone();
        let task = tokio::spawn(async move { bus.run_worker(stage, options, handler, stopped).await });
        Self { shutdown, task }
    }

    pub(crate) async fn stop(self) {
        self.shutdown.cancel();
        self.task.await.unwrap().unwrap();
    }
}

/// A worker in its own runtime, so that it can die silently.
pub(crate) struct Mortal(Option<tokio::runtime::Runtime>);

impl Mortal {
    /// Starts a worker that never finishes a job, and reports the number of its deliveries.
    pub(crate) fn start(config: BusConfig, taken: mpsc::UnboundedSender<u32>) -> Self {
        Self::giving_back(0, config, taken)
    }

    /// The same, after it has given the job back so many times.
    pub(crate) fn giving_back(times: u32, config: BusConfig, taken: mpsc::UnboundedSender<u32>) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.spawn(async move {
            let bus = Bus::connect(config).await.unwrap();
            let handler = move |context: JobContext| {
                taken.send(context.deliveries).unwrap();
                async move {
                    match context.deliveries > times {
                        true => std::future::pending().await,
                        false => JobOutcome::Retry { delay: Duration::from_millis(10) },
                    }
                }
            };
            bus.run_worker(Stage::Fetch, options(1), handler, CancellationToken::new()).await
        });
        Self(Some(runtime))
    }

    pub(crate) fn die(mut self) {
        self.0.take().unwrap().shutdown_background();
    }
}

pub(crate) fn failure_of(reply: v1::JobReply) -> v1::Failure {
    match reply.outcome {
        Some(Outcome::Failure(failure)) => failure,
        other => panic!("a failure was expected: {other:?}"),
    }
}

pub(crate) fn body_of(reply: v1::JobReply) -> Vec<u8> {
    match reply.outcome {
        Some(Outcome::Extraction(extraction)) => extraction.body.into(),
        other => panic!("an extraction was expected: {other:?}"),
    }
}

pub(crate) async fn assert_queue_is_empty(bus: &Bus, stage: Stage) {
    assert_unfinished(bus, stage, 0).await;
}

pub(crate) async fn assert_unfinished(bus: &Bus, stage: Stage, jobs: u64) {
    // The server processes acknowledgements asynchronously.
    let settled = async {
        while bus.unfinished_jobs(stage).await.unwrap() != jobs {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), settled).await.expect("the jobs left the queue");
}
