//! The bus against real NATS servers.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod credentials;
mod queues;
mod servers;
mod support;

use crate::support::{
    Mortal, TIMEOUT, Worker, answer, assert_queue_is_empty, assert_unfinished, body_of, bus, config, deadline_in,
    failure_of, job, options,
};
use futures::StreamExt;
use limner_bus::{
    AccountChange, Bus, BusConfig, BusError, Cancellation, JobContext, JobOutcome, JobQueue, ReplyError, Stage,
};
use limner_proto::v1;
use limner_proto::v1::fallback::StaticOutcome;
use limner_proto::v1::job_reply::Outcome;
use limner_types::ErrorCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{Notify, Semaphore, mpsc, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn job_published_repeatedly_is_answered_once() {
    let bus = bus("once").await;
    let inbox = bus.reply_inbox().await.unwrap();
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let worker = Worker::start(&bus, Stage::Fetch, options(4), move |context| {
        counted.fetch_add(1, Ordering::SeqCst);
        async move { answer(&context, context.job.url.clone()) }
    });
    for round in 0..3 {
        let id = format!("req_{round}");
        let pending = inbox.register(&id);
        let job = v1::Job { url: format!("https://{round}.test/"), ..job(&id, inbox.subject(&id)) };
        bus.publish_job(Stage::Fetch, &job).await.unwrap();
        bus.publish_job(Stage::Fetch, &job).await.unwrap();
        let reply = pending.wait(Instant::now() + TIMEOUT).await.unwrap();
        assert_eq!(body_of(reply), format!("https://{round}.test/").into_bytes());
    }
    assert_queue_is_empty(&bus, Stage::Fetch).await;
    assert_eq!(calls.load(Ordering::SeqCst), 3);
    worker.stop().await;
}

#[tokio::test]
async fn job_past_its_deadline_is_dropped() {
    let bus = bus("deadline").await;
    let inbox = bus.reply_inbox().await.unwrap();
    let late = v1::Job { deadline_unix_ms: deadline_in(Duration::ZERO), ..job("late", inbox.subject("late")) };
    bus.publish_job(Stage::Fetch, &late).await.unwrap();
    bus.publish_job(Stage::Fetch, &job("next", inbox.subject("next"))).await.unwrap();
    let pending = (inbox.register("late"), inbox.register("next"));
    let (seen, mut handled) = mpsc::unbounded_channel();
    let worker = Worker::start(&bus, Stage::Fetch, options(1), move |context| {
        seen.send(context.job.job_id.clone()).unwrap();
        async move { answer(&context, "") }
    });
    pending.1.wait(Instant::now() + TIMEOUT).await.unwrap();
    assert_queue_is_empty(&bus, Stage::Fetch).await;
    assert_eq!(handled.recv().await.unwrap(), "next");
    assert!(handled.try_recv().is_err());
    assert_eq!(pending.0.wait(Instant::now()).await.unwrap_err(), ReplyError::DeadlinePassed);
    worker.stop().await;
}

#[tokio::test]
async fn handler_that_overruns_the_deadline_is_stopped() {
    struct Stopped(mpsc::UnboundedSender<()>);
    impl Drop for Stopped {
        fn drop(&mut self) {
            let _ = self.0.send(());
        }
    }
    let bus = bus("overrun").await;
    let (stopped, mut was_stopped) = mpsc::unbounded_channel();
    let worker = Worker::start(&bus, Stage::Fetch, options(1), move |_| {
        let guard = Stopped(stopped.clone());
        async move {
            let _guard = guard;
            std::future::pending().await
        }
    });
    let short =
        v1::Job { deadline_unix_ms: deadline_in(Duration::from_millis(400)), ..job("slow", "nobody".to_owned()) };
    bus.publish_job(Stage::Fetch, &short).await.unwrap();
    tokio::time::timeout(TIMEOUT, was_stopped.recv()).await.unwrap().unwrap();
    assert_queue_is_empty(&bus, Stage::Fetch).await;
    worker.stop().await;
}

#[tokio::test]
async fn job_outlives_its_worker() {
    let config = config(limner_local_servers::shared_servers::nats().await.url(), "death");
    let bus = Bus::connect(config.clone()).await.unwrap();
    bus.declare().await.unwrap();
    let inbox = bus.reply_inbox().await.unwrap();
    let (taken, mut deliveries) = mpsc::unbounded_channel();
    let mortal = Mortal::start(config, taken.clone());
    let pending = inbox.register("a");
    bus.publish_job(Stage::Fetch, &job("a", inbox.subject("a"))).await.unwrap();
    assert_eq!(deliveries.recv().await, Some(1));
    mortal.die();
    let worker = Worker::start(&bus, Stage::Fetch, options(1), move |context| {
        taken.send(context.deliveries).unwrap();
        async move { answer(&context, "second") }
    });
    assert_eq!(body_of(pending.wait(Instant::now() + TIMEOUT).await.unwrap()), b"second");
    assert_eq!(deliveries.recv().await, Some(2));
    worker.stop().await;
}

#[tokio::test]
async fn job_that_kills_its_workers_is_answered_with_a_failure() {
    let config =
        BusConfig { max_deliveries: 1, ..config(limner_local_servers::shared_servers::nats().await.url(), "poison") };
    let bus = Bus::connect(config.clone()).await.unwrap();
    bus.declare().await.unwrap();
    let inbox = bus.reply_inbox().await.unwrap();
    let (taken, mut deliveries) = mpsc::unbounded_channel();
    let mortal = Mortal::start(config, taken);
    let pending = inbox.register("poison");
    bus.publish_job(Stage::Fetch, &job("poison", inbox.subject("poison"))).await.unwrap();
    assert_eq!(deliveries.recv().await, Some(1));
    mortal.die();
    let worker = Worker::start(&bus, Stage::Fetch, options(1), |context| async move { answer(&context, "") });
    let failure = failure_of(pending.wait(Instant::now() + TIMEOUT).await.unwrap());
    assert_eq!(failure.message, "tried too often");
    assert_queue_is_empty(&bus, Stage::Fetch).await;
    worker.stop().await;
}

#[tokio::test]
async fn job_that_killed_two_workers_is_dropped_before_its_last_try() {
    let config =
        BusConfig { max_deliveries: 10, ..config(limner_local_servers::shared_servers::nats().await.url(), "killer") };
    let bus = Bus::connect(config.clone()).await.unwrap();
    bus.declare().await.unwrap();
    let inbox = bus.reply_inbox().await.unwrap();
    let pending = inbox.register("killer");
    bus.publish_job(Stage::Fetch, &job("killer", inbox.subject("killer"))).await.unwrap();
    let (taken, mut deliveries) = mpsc::unbounded_channel();
    // Those who give a job back have not died over it.
    let mortal = Mortal::giving_back(2, config.clone(), taken.clone());
    for expected in [1, 2, 3] {
        assert_eq!(deliveries.recv().await, Some(expected));
    }
    mortal.die();
    let mortal = Mortal::start(config, taken);
    assert_eq!(deliveries.recv().await, Some(4));
    mortal.die();
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let worker = Worker::start(&bus, Stage::Fetch, options(1), move |context| {
        counted.fetch_add(1, Ordering::SeqCst);
        async move { answer(&context, "") }
    });
    assert_eq!(failure_of(pending.wait(Instant::now() + TIMEOUT).await.unwrap()).message, "tried too often");
    assert_eq!(calls.load(Ordering::SeqCst), 0, "it would be the third to die");
    assert_queue_is_empty(&bus, Stage::Fetch).await;
    worker.stop().await;
}

#[tokio::test]
async fn long_job_is_not_delivered_twice() {
    let bus = bus("long").await;
    let inbox = bus.reply_inbox().await.unwrap();
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let worker = Worker::start(&bus, Stage::Fetch, options(4), move |context| {
        counted.fetch_add(1, Ordering::SeqCst);
        async move {
            // Three times `ack_wait`: without progress reports it would be redelivered.
            tokio::time::sleep(Duration::from_millis(1_800)).await;
            answer(&context, "")
        }
    });
    let pending = inbox.register("long");
    bus.publish_job(Stage::Fetch, &job("long", inbox.subject("long"))).await.unwrap();
    pending.wait(Instant::now() + TIMEOUT).await.unwrap();
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    worker.stop().await;
}

#[tokio::test]
async fn last_delivery_is_answered_with_a_failure() {
    let bus = bus("last").await;
    let inbox = bus.reply_inbox().await.unwrap();
    for (id, panics) in [("retried", false), ("panicking", true)] {
        let (seen, mut handled) = mpsc::unbounded_channel();
        let worker = Worker::start(&bus, Stage::Fetch, options(1), move |context| {
            seen.send((context.deliveries, context.last_delivery)).unwrap();
            async move {
                if panics {
                    // Without a backtrace, which takes longer than the delivery may on a busy machine.
                    std::panic::resume_unwind(Box::new("a fault in the handler"));
                }
                JobOutcome::Retry { delay: Duration::from_millis(10) }
            }
        });
        let pending = inbox.register(id);
        bus.publish_job(Stage::Fetch, &job(id, inbox.subject(id))).await.unwrap();
        let failure = failure_of(pending.wait(Instant::now() + TIMEOUT).await.unwrap());
        assert_eq!((failure.error_code(), failure.message.as_str()), (ErrorCode::TargetTimeout, "tried too often"));
        assert_queue_is_empty(&bus, Stage::Fetch).await;
        worker.stop().await;
        let mut deliveries = Vec::new();
        while let Some(delivery) = handled.recv().await {
            deliveries.push(delivery);
        }
        assert_eq!(deliveries, [(1, false), (2, false), (3, true)], "{id}");
    }
}

#[tokio::test]
async fn job_continues_at_another_stage() {
    let bus = bus("handover").await;
    let inbox = bus.reply_inbox().await.unwrap();
    let fetcher = Worker::start(&bus, Stage::Fetch, options(1), |context| async move {
        let job = v1::Job { url: "for the browser".to_owned(), ..context.job };
        JobOutcome::HandOver(Stage::Render, Box::new(job))
    });
    let renderer =
        Worker::start(
            &bus,
            Stage::Render,
            options(1),
            |context| async move { answer(&context, context.job.url.clone()) },
        );
    let pending = inbox.register("a");
    bus.publish_job(Stage::Fetch, &job("a", inbox.subject("a"))).await.unwrap();
    assert_eq!(body_of(pending.wait(Instant::now() + TIMEOUT).await.unwrap()), b"for the browser");
    assert_queue_is_empty(&bus, Stage::Fetch).await;
    assert_queue_is_empty(&bus, Stage::Render).await;
    fetcher.stop().await;
    renderer.stop().await;
}

#[tokio::test]
async fn provisional_result_is_the_reply_without_a_better_one() {
    let bus = bus("provisional").await;
    let inbox = bus.reply_inbox().await.unwrap();
    let found = || v1::Extraction { body: "found".into(), ..v1::Extraction::default() };
    let fetcher = Worker::start(&bus, Stage::Fetch, options(1), move |context| async move {
        let fallback = Some(v1::Fallback { static_outcome: Some(StaticOutcome::Extraction(found())) });
        JobOutcome::HandOver(Stage::Render, Box::new(v1::Job { fallback, ..context.job }))
    });

    // No worker takes it.
    let pending = inbox.register("a");
    bus.publish_job(Stage::Fetch, &job("a", inbox.subject("a"))).await.unwrap();
    let reply = pending.wait(Instant::now() + Duration::from_secs(3)).await.unwrap();
    assert!(reply.provisional && reply.unkept);
    assert_eq!(body_of(reply), b"found");

    // The worker that takes it fails each time.
    let renderer = Worker::start(&bus, Stage::Render, options(1), |_| async {
        JobOutcome::Retry { delay: Duration::from_millis(1) }
    });
    let pending = inbox.register("b");
    bus.publish_job(Stage::Fetch, &job("b", inbox.subject("b"))).await.unwrap();
    let reply = pending.wait(Instant::now() + TIMEOUT).await.unwrap();
    assert!(!reply.provisional && reply.unkept);
    assert_eq!(body_of(reply), b"found");
    renderer.stop().await;

    // A worker has a better result.
    let renderer = Worker::start(&bus, Stage::Render, options(1), |context| async move { answer(&context, "better") });
    let pending = inbox.register("c");
    bus.publish_job(Stage::Fetch, &job("c", inbox.subject("c"))).await.unwrap();
    let reply = pending.wait(Instant::now() + TIMEOUT).await.unwrap();
    assert!(!reply.unkept);
    assert_eq!(body_of(reply), b"better");
    fetcher.stop().await;
    renderer.stop().await;
}

#[tokio::test]
async fn jobs_are_taken_only_into_free_slots_and_finished_at_shutdown() {
    let bus = bus("slots").await;
    let inbox = bus.reply_inbox().await.unwrap();
    let release = Arc::new(Notify::new());
    let (seen, mut handled) = mpsc::unbounded_channel();
    let gate = Arc::clone(&release);
    let worker = Worker::start(&bus, Stage::Fetch, options(2), move |context| {
        seen.send(()).unwrap();
        let gate = Arc::clone(&gate);
        async move {
            gate.notified().await;
            answer(&context, "")
        }
    });
    let mut pending = Vec::new();
    for id in ["a", "b", "c", "d"] {
        pending.push(inbox.register(id));
        bus.publish_job(Stage::Fetch, &job(id, inbox.subject(id))).await.unwrap();
    }
    handled.recv().await.unwrap();
    handled.recv().await.unwrap();
    assert_eq!(bus.waiting_jobs(Stage::Fetch).await.unwrap(), 2);
    release.notify_one();
    handled.recv().await.unwrap();
    assert_eq!(bus.waiting_jobs(Stage::Fetch).await.unwrap(), 1);
    worker.shutdown.cancel();
    release.notify_one();
    release.notify_one();
    worker.task.await.unwrap().unwrap();
    // One was never taken, three were finished.
    assert_unfinished(&bus, Stage::Fetch, 1).await;
    assert!(handled.recv().await.is_none());
}

#[tokio::test]
async fn worker_waits_for_its_consumer() {
    let bus = Bus::connect(config(limner_local_servers::shared_servers::nats().await.url(), "early")).await.unwrap();
    let inbox = bus.reply_inbox().await.unwrap();
    let worker = Worker::start(&bus, Stage::Fetch, options(1), |context| async move { answer(&context, "") });
    let refused = bus.publish_job(Stage::Fetch, &v1::Job { deadline_unix_ms: 0, ..job("early", String::new()) }).await;
    assert!(matches!(refused, Err(BusError::Publish { .. })));
    bus.declare().await.unwrap();
    bus.declare().await.unwrap();
    let pending = inbox.register("a");
    bus.publish_job(Stage::Fetch, &job("a", inbox.subject("a"))).await.unwrap();
    pending.wait(Instant::now() + TIMEOUT).await.unwrap();
    worker.stop().await;
}

#[tokio::test]
async fn malformed_jobs_leave_the_queue() {
    let config = config(limner_local_servers::shared_servers::nats().await.url(), "garbage");
    let bus = Bus::connect(config.clone()).await.unwrap();
    bus.declare().await.unwrap();
    let address: async_nats::ServerAddr = config.url.parse().unwrap();
    let (user, password) = (address.username().unwrap().to_owned(), address.password().unwrap().to_owned());
    let login = async_nats::ConnectOptions::with_user_and_password(user, password);
    let client = login.connect(address).await.unwrap();
    async_nats::jetstream::new(client)
        .publish(Stage::Fetch.subject(&config.prefix, JobQueue::Paid), "\u{ff}not a job".into())
        .await
        .unwrap()
        .await
        .unwrap();
    let worker = Worker::start(&bus, Stage::Fetch, options(1), |_| async { panic!("there is no job") });
    assert_queue_is_empty(&bus, Stage::Fetch).await;
    worker.stop().await;
    let invalid = bus.publish_job(Stage::Fetch, &job("a.b", String::new())).await;
    assert!(matches!(invalid, Err(BusError::InvalidJobId(_))));
}

#[tokio::test]
async fn reply_too_large_for_the_server_becomes_a_failure() {
    let bus = bus("large").await;
    let inbox = bus.reply_inbox().await.unwrap();
    let worker =
        Worker::start(&bus, Stage::Fetch, options(1), |context| async move { answer(&context, vec![7; 9 << 20]) });
    let pending = inbox.register("a");
    bus.publish_job(Stage::Fetch, &job("a", inbox.subject("a"))).await.unwrap();
    let failure = failure_of(pending.wait(Instant::now() + TIMEOUT).await.unwrap());
    assert_eq!(failure.error_code(), ErrorCode::UnprocessableContent);
    worker.stop().await;
}

#[tokio::test]
async fn account_changes_reach_every_listener() {
    let bus = bus("accounts").await;
    let mut listeners = [bus.account_changes().await.unwrap(), bus.account_changes().await.unwrap()];
    let change = AccountChange { account_id: "acc_1".to_owned(), key_sha256: Some([7; 32]) };
    bus.announce_account_change(change.clone()).await.unwrap();
    for listener in &mut listeners {
        assert_eq!(tokio::time::timeout(TIMEOUT, listener.next()).await.unwrap(), Some(change.clone()));
    }
}

#[tokio::test]
async fn cancellations_reach_every_listener() {
    let bus = bus("cancellations").await;
    let mut listeners = [bus.cancellations().await.unwrap(), bus.cancellations().await.unwrap()];
    let cancellation = Cancellation { account_id: "acc_1".to_owned(), call: "c1".to_owned() };
    bus.announce_cancellation(&cancellation).await.unwrap();
    for listener in &mut listeners {
        assert_eq!(tokio::time::timeout(TIMEOUT, listener.next()).await.unwrap(), Some(cancellation.clone()));
    }
}

#[tokio::test]
async fn call_is_one_trace_across_the_queue() {
    use opentelemetry::trace::{TraceContextExt, TracerProvider};
    use tracing::Instrument;
    use tracing_opentelemetry::OpenTelemetrySpanExt;
    use tracing_subscriber::layer::SubscriberExt;
    opentelemetry::global::set_text_map_propagator(opentelemetry_sdk::propagation::TraceContextPropagator::new());
    let provider = opentelemetry_sdk::trace::SdkTracerProvider::builder().build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(layer)).unwrap();
    let trace_id = || tracing::Span::current().context().span().span_context().trace_id();

    let bus = bus("trace").await;
    let (seen, mut traces) = mpsc::unbounded_channel();
    let worker = Worker::start(&bus, Stage::Fetch, options(1), move |context| {
        let seen = seen.clone();
        async move {
            seen.send(tracing::Span::current().context().span().span_context().trace_id()).unwrap();
            answer(&context, "")
        }
    });
    let published = async {
        bus.publish_job(Stage::Fetch, &job("a", "nobody".to_owned())).await.unwrap();
        trace_id()
    };
    let sent = published.instrument(tracing::info_span!("gateway")).await;
    assert_eq!(traces.recv().await.unwrap(), sent);
    assert_ne!(sent, opentelemetry::TraceId::INVALID);
    worker.stop().await;
}

#[tokio::test]
async fn jobs_are_taken_up_to_the_current_limit() {
    let bus = bus("limit").await;
    let inbox = bus.reply_inbox().await.unwrap();
    let (most, allowed) = watch::channel(0);
    let (shutdown, finish) = (CancellationToken::new(), Arc::new(Semaphore::new(0)));
    let (begun, mut beginnings) = mpsc::unbounded_channel();
    let worker = {
        let (bus, shutdown, finish) = (bus.clone(), shutdown.clone(), Arc::clone(&finish));
        let handler = move |context: JobContext| {
            let (begun, finish) = (begun.clone(), Arc::clone(&finish));
            async move {
                begun.send(()).unwrap();
                finish.acquire().await.unwrap().forget();
                answer(&context, "done")
            }
        };
        tokio::spawn(async move { bus.run_limited_worker(Stage::Render, options(3), allowed, handler, shutdown).await })
    };
    let names = ["a", "b", "c", "d", "e", "f"];
    let pending = names.map(|name| inbox.register(name));
    for name in names {
        bus.publish_job(Stage::Render, &job(name, inbox.subject(name))).await.unwrap();
    }
    let waiting = async || bus.waiting_jobs(Stage::Render).await.unwrap();
    assert_eq!((waiting().await, beginnings.len()), (6, 0), "none may be taken");
    let mut begin = async |jobs: usize, why: &str| {
        for _ in 0..jobs {
            tokio::time::timeout(TIMEOUT, beginnings.recv()).await.expect(why).unwrap();
        }
        // There is no event for a job that does not arrive: one that did would be here by then.
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(beginnings.is_empty(), "{why}");
    };
    most.send_replace(1);
    begin(1, "one may be taken").await;
    most.send_replace(usize::MAX);
    begin(2, "never more than there are places").await;
    most.send_replace(2);
    finish.add_permits(1);
    begin(0, "three were in hand, two may be: one that ends makes no room").await;
    finish.add_permits(1);
    begin(1, "the next one does").await;
    most.send_replace(0);
    finish.add_permits(2);
    begin(0, "none may be taken again").await;
    assert_eq!(waiting().await, 2, "the others are in the queue");
    most.send_replace(3);
    finish.add_permits(2);
    begin(2, "and are taken as soon as they may").await;
    for pending in pending {
        let reply = pending.wait(Instant::now() + TIMEOUT).await.unwrap();
        assert!(matches!(reply.outcome, Some(Outcome::Extraction(_))));
    }
    shutdown.cancel();
    worker.await.unwrap().unwrap();
}

#[tokio::test]
async fn fleet_knows_whether_there_is_a_browser() {
    let bus = bus("browser").await;
    assert!(!bus.renderers().await.unwrap().any());
    let (browser, has_browser) = watch::channel(true);
    let shutdown = CancellationToken::new();
    let presenting = {
        let (bus, shutdown) = (bus.clone(), shutdown.clone());
        tokio::spawn(async move { bus.advertise_renderer("r", has_browser, shutdown).await })
    };
    let listening = bus.renderers().await.unwrap();
    let becomes = async |expected: bool| {
        tokio::time::timeout(TIMEOUT, async {
            while listening.any() != expected {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await
        .unwrap();
    };
    becomes(true).await;
    browser.send_replace(false);
    becomes(false).await;
    browser.send_replace(true);
    becomes(true).await;
    assert!(bus.renderers().await.unwrap().any(), "a new listener requests heartbeats");
    shutdown.cancel();
    presenting.await.unwrap().unwrap();
    becomes(false).await;
}
