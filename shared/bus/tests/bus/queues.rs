//! The queues of a stage: jobs of paying accounts and of free ones.

use crate::support::{Worker, answer, assert_queue_is_empty, bus, config, job, options};
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::stream::{Config as StreamConfig, RetentionPolicy};
use limner_bus::{Bus, JobQueue, Stage};
use limner_proto::v1;
use tokio::sync::mpsc;

fn free_job(id: &str, reply_subject: String) -> v1::Job {
    v1::Job { free_plan: true, ..job(id, reply_subject) }
}

/// Starts a worker with one slot that reports the ids of its jobs.
fn reporting(bus: &Bus) -> (Worker, mpsc::UnboundedReceiver<String>) {
    let (seen, handled) = mpsc::unbounded_channel();
    let worker = Worker::start(bus, Stage::Fetch, options(1), move |context| {
        let _ = seen.send(context.job.job_id.clone());
        async move { answer(&context, "") }
    });
    (worker, handled)
}

#[tokio::test]
async fn paying_accounts_have_three_jobs_for_each_one_of_free_accounts() {
    let bus = bus("shares").await;
    let inbox = bus.reply_inbox().await.unwrap();
    let mut pending = Vec::new();
    for n in 0..30 {
        let (free, paid) = (format!("free-{n}"), format!("paid-{n}"));
        pending.extend([inbox.register(&free), inbox.register(&paid)]);
        bus.publish_job(Stage::Fetch, &free_job(&free, inbox.subject(&free))).await.unwrap();
        bus.publish_job(Stage::Fetch, &job(&paid, inbox.subject(&paid))).await.unwrap();
    }
    assert_eq!(bus.waiting_jobs(Stage::Fetch).await.unwrap(), 60);
    let (worker, mut handled) = reporting(&bus);
    let mut order = Vec::new();
    while order.len() < 60 {
        order.push(handled.recv().await.unwrap());
    }
    // While both have jobs.
    let paid = order[..40].iter().filter(|id| id.starts_with("paid")).count();
    assert_eq!(paid, 30, "{order:?}");
    let in_order = |kind: &str| order.iter().filter(|id| id.starts_with(kind)).cloned().collect::<Vec<_>>();
    assert_eq!(in_order("free"), (0..30).map(|n| format!("free-{n}")).collect::<Vec<_>>());
    assert_queue_is_empty(&bus, Stage::Fetch).await;
    worker.stop().await;
}

#[tokio::test]
async fn stream_of_the_previous_release_gets_its_second_queue() {
    let config = config(limner_local_servers::shared_servers::nats().await.url(), "previous");
    let address: async_nats::ServerAddr = config.url.parse().unwrap();
    let (user, password) = (address.username().unwrap().to_owned(), address.password().unwrap().to_owned());
    let login = async_nats::ConnectOptions::with_user_and_password(user, password);
    let jetstream = async_nats::jetstream::new(login.connect(address).await.unwrap());
    let (stream, subject) = (Stage::Fetch.stream(&config.prefix), Stage::Fetch.subject(&config.prefix, JobQueue::Paid));
    let previous = StreamConfig {
        name: stream.clone(),
        subjects: vec![subject],
        retention: RetentionPolicy::WorkQueue,
        max_messages: 100_000,
        ..StreamConfig::default()
    };
    jetstream.create_stream(previous).await.unwrap();
    let consumer = pull::Config {
        durable_name: Some(Stage::Fetch.consumer(JobQueue::Paid)),
        ack_policy: AckPolicy::Explicit,
        ack_wait: config.ack_wait,
        max_waiting: 4_096,
        ..pull::Config::default()
    };
    jetstream.create_consumer_on_stream(consumer, stream.as_str()).await.unwrap();
    let bus = Bus::connect(config).await.unwrap();
    let inbox = bus.reply_inbox().await.unwrap();
    let _pending = ["before", "after"].map(|id| inbox.register(id));
    bus.publish_job(Stage::Fetch, &job("before", inbox.subject("before"))).await.unwrap();
    bus.declare().await.unwrap();
    bus.publish_job(Stage::Fetch, &free_job("after", inbox.subject("after"))).await.unwrap();
    let (worker, mut handled) = reporting(&bus);
    let both = [handled.recv().await.unwrap(), handled.recv().await.unwrap()];
    assert_eq!(both, ["before", "after"]);
    worker.stop().await;
}
