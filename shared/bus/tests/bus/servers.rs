//! Servers that reject clients, fail, return, and replace each other.

use crate::support::{TIMEOUT, Worker, answer, body_of, config, job, options};
use async_nats::jetstream::stream::StorageType;
use futures::StreamExt;
use limner_bus::{AccountChange, Bus, BusConfig, BusError, Stage, StreamStorage};
use limner_local_servers::{Nats, NatsCluster};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;

#[tokio::test]
async fn server_that_takes_only_small_messages_is_refused() {
    let url = limner_local_servers::shared_servers::nats().await.url();
    let need = 9 << 20;
    let refused = Bus::connect(BusConfig { required_payload: need, ..config(url, "small") }).await;
    assert!(matches!(refused.err(), Some(BusError::MaxPayload { need: n, .. }) if n == need));
}

#[tokio::test]
async fn wrong_credentials_are_refused_at_once() {
    let url = limner_local_servers::shared_servers::nats().await.url();
    let (_, address) = url.split_once('@').unwrap();
    let started = Instant::now();
    for wrong in [format!("nats://limner:wrong@{address}"), format!("nats://{address}"), "nats://[::1".to_owned()] {
        assert!(matches!(Bus::connect(config(wrong, "wrong")).await.err(), Some(BusError::Connect(_))));
    }
    assert!(started.elapsed() < BusConfig::default().connect_timeout, "it retried rejected credentials");
}

#[tokio::test]
async fn everything_works_after_a_restart_of_the_server() {
    let mut nats = Nats::temporary().await.unwrap();
    let bus = Bus::connect(config(nats.url(), "restart")).await.unwrap();
    bus.declare().await.unwrap();
    let inbox = bus.reply_inbox().await.unwrap();
    let mut changes = bus.account_changes().await.unwrap();
    let release = Arc::new(Notify::new());
    let (seen, mut handled) = mpsc::unbounded_channel();
    let gate = Arc::clone(&release);
    let worker = Worker::start(&bus, Stage::Fetch, options(4), move |context| {
        seen.send(context.job.job_id.clone()).unwrap();
        let gate = Arc::clone(&gate);
        async move {
            gate.notified().await;
            answer(&context, context.job.job_id.clone())
        }
    });
    let in_hand = inbox.register("in-hand");
    bus.publish_job(Stage::Fetch, &job("in-hand", inbox.subject("in-hand"))).await.unwrap();
    assert_eq!(handled.recv().await.unwrap(), "in-hand");

    let mut connections = bus.connections();
    connections.mark_unchanged();
    nats.kill();
    release.notify_one();
    nats.restart().await.unwrap();
    tokio::time::timeout(TIMEOUT, connections.changed()).await.unwrap().unwrap();

    assert_eq!(body_of(in_hand.wait(Instant::now() + TIMEOUT).await.unwrap()), b"in-hand");
    let after = inbox.register("after");
    bus.publish_job(Stage::Fetch, &job("after", inbox.subject("after"))).await.unwrap();
    release.notify_waiters();
    release.notify_one();
    release.notify_one();
    assert_eq!(body_of(after.wait(Instant::now() + TIMEOUT).await.unwrap()), b"after");
    let change = AccountChange { account_id: "a".to_owned(), key_sha256: None };
    bus.announce_account_change(change.clone()).await.unwrap();
    assert_eq!(tokio::time::timeout(TIMEOUT, changes.next()).await.unwrap(), Some(change));
    release.notify_one();
    worker.stop().await;
}

#[tokio::test]
async fn publishing_fails_soon_when_the_server_is_away() {
    let mut nats = Nats::temporary().await.unwrap();
    let bus = Bus::connect(config(nats.url(), "away")).await.unwrap();
    bus.declare().await.unwrap();
    nats.kill();
    let started = Instant::now();
    let refused = bus.publish_job(Stage::Fetch, &job("nobody", "nowhere".to_owned())).await.unwrap_err();
    assert!(matches!(refused, BusError::Away), "{refused}");
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    nats.restart().await.unwrap();
    bus.publish_job(Stage::Fetch, &job("nobody", "nowhere".to_owned())).await.unwrap();
}

/// Publishes a job every few milliseconds until told to stop, and waits for every reply.
async fn keep_asking(bus: Bus, stop: Arc<AtomicBool>) -> usize {
    let inbox = bus.reply_inbox().await.unwrap();
    let mut asked = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let (bus, inbox, id) = (bus.clone(), inbox.clone(), format!("job-{}", asked.len()));
        asked.push(tokio::spawn(async move {
            let pending = inbox.register(&id);
            bus.publish_job(Stage::Fetch, &job(&id, inbox.subject(&id))).await.unwrap();
            assert_eq!(body_of(pending.wait(Instant::now() + TIMEOUT * 2).await.unwrap()), id.as_bytes());
        }));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let answered = asked.len();
    for each in asked {
        each.await.unwrap();
    }
    answered
}

#[tokio::test]
async fn streams_are_stored_and_bounded_as_configured() {
    let nats = Nats::temporary().await.unwrap();
    let url = nats.url();
    let (user, address) = url.trim_start_matches("nats://").split_once('@').unwrap();
    let (user, password) = user.split_once(':').unwrap();
    let options = async_nats::ConnectOptions::with_user_and_password(user.to_owned(), password.to_owned());
    let jetstream = async_nats::jetstream::new(options.connect(address).await.unwrap());
    for (storage, bytes, expected) in [
        (StreamStorage::File, None, (StorageType::File, -1)),
        (StreamStorage::Memory, Some(900), (StorageType::Memory, 900)),
    ] {
        let config = BusConfig { storage, max_stream_bytes: bytes, ..config(nats.url(), "stored") };
        let bus = Bus::connect(config.clone()).await.unwrap();
        bus.declare().await.unwrap();
        let stream = jetstream.get_stream(Stage::Fetch.stream(&config.prefix)).await.unwrap();
        let declared = &stream.cached_info().config;
        assert_eq!((declared.storage, declared.max_bytes), expected);
        let large = "x".repeat(1_000);
        let sent = bus.publish_job(Stage::Fetch, &job(&large, String::new())).await;
        assert_eq!(sent.is_ok(), bytes.is_none(), "a job beyond the size is refused at once: {sent:?}");
        // Streams cannot move: the operator removes them first.
        let other = if storage == StreamStorage::File { StreamStorage::Memory } else { StreamStorage::File };
        let moved = Bus::connect(BusConfig { storage: other, ..config }).await.unwrap().declare().await;
        assert!(moved.as_ref().is_err_and(|cause| cause.to_string().contains("storage")), "{moved:?}");
    }
}

#[tokio::test]
async fn numbers_of_jobs_are_bounded_as_configured() {
    let nats = Nats::temporary().await.unwrap();
    let narrow =
        BusConfig { max_waiting_jobs: 2, max_jobs_in_hand: 1, ack_wait: TIMEOUT, ..config(nats.url(), "bounded") };
    let bus = Bus::connect(narrow.clone()).await.unwrap();
    bus.declare().await.unwrap();
    let send = async |id: &str| bus.publish_job(Stage::Fetch, &job(id, String::new())).await;
    send("a").await.unwrap();
    send("b").await.unwrap();
    let refused = send("c").await.unwrap_err();
    assert!(refused.to_string().contains("maximum messages"), "{refused}");

    // One job at a time, however many places the worker has.
    let (seen, mut handled) = mpsc::unbounded_channel();
    let worker = Worker::start(&bus, Stage::Fetch, options(4), move |context| {
        seen.send(context.job.job_id.clone()).unwrap();
        std::future::pending()
    });
    assert_eq!(handled.recv().await.as_deref(), Some("a"));
    let second = tokio::time::timeout(Duration::from_millis(500), handled.recv()).await;
    assert!(second.is_err(), "{second:?}");

    // A second declaration applies what was changed.
    let wide = BusConfig { max_waiting_jobs: 3, max_jobs_in_hand: 2, ..narrow };
    Bus::connect(wide).await.unwrap().declare().await.unwrap();
    assert_eq!(tokio::time::timeout(TIMEOUT, handled.recv()).await.unwrap().as_deref(), Some("b"));
    send("c").await.unwrap();
    worker.task.abort();
}

#[tokio::test]
#[ignore = "elections take a minute on a busy machine: make soak"]
async fn no_job_is_lost_when_a_server_of_a_cluster_dies() {
    for storage in [StreamStorage::File, StreamStorage::Memory] {
        lose_each_server(storage).await;
    }
}

async fn lose_each_server(storage: StreamStorage) {
    let mut cluster = NatsCluster::temporary(3).await.unwrap();
    let patient = BusConfig {
        replicas: 3,
        storage,
        max_deliveries: 10,
        max_losses: 9,
        ack_wait: Duration::from_secs(2),
        ..config(cluster.url(), "cluster")
    };
    let bus = Bus::connect(patient).await.unwrap();
    bus.declare().await.unwrap();
    let worker = Worker::start(&bus, Stage::Fetch, options(8), async |context| {
        let id = context.job.job_id.clone();
        answer(&context, id)
    });
    let stop = Arc::new(AtomicBool::new(false));
    let asking = tokio::spawn(keep_asking(bus.clone(), Arc::clone(&stop)));
    for lost in 0..cluster.servers.len() {
        cluster.servers[lost].kill();
        tokio::time::sleep(Duration::from_secs(1)).await;
        cluster.servers[lost].restart().await.unwrap();
    }
    stop.store(true, Ordering::Relaxed);
    assert!(asking.await.unwrap() > 50);
    worker.stop().await;
}

/// The tests above run with the machine's server, Debian's 2.9 on most. This one runs them with the newest one, which
/// `make setup` installs.
#[test]
#[ignore = "runs every test of the bus again: make soak"]
fn newest_server_passes_the_tests() {
    let newest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools/charts/bin/nats-server");
    assert!(newest.exists(), "{} is not here: run `make setup`", newest.display());
    // In a directory that the servers' user can read.
    let folder = Folder(std::env::temp_dir().join(format!("limner-newest-nats-{}", std::process::id())));
    std::fs::create_dir(&folder.0).unwrap();
    std::fs::set_permissions(&folder.0, Permissions::from_mode(0o755)).unwrap();
    std::fs::copy(newest, folder.0.join("nats-server")).unwrap();
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([folder.0.clone()].into_iter().chain(std::env::split_paths(&inherited))).unwrap();
    let version = Command::new("nats-server").arg("--version").env("PATH", &path).output().unwrap();
    println!("{}", String::from_utf8_lossy(&version.stdout));
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.env("PATH", &path).args(["--test-threads=2", "--include-ignored", "--skip", "the_newest_server"]);
    let again = again.output().unwrap();
    let printed = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success(), "{printed}{}", String::from_utf8_lossy(&again.stderr));
    assert!(printed.contains("everything_works_after_a_restart_of_the_server ... ok"), "{printed}");
}

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
