//! The role over gRPC.

use crate::support::{config, database};
use limner_local_servers::Postgres;
use limner_metering::{Config, Ledger, MeteringService, NewAccount, api_key};
use limner_proto::v1::metering_service_client::MeteringServiceClient;
use limner_proto::v1::{self, CreditSource, HoldOutcome};
use limner_runtime::Secret;
use limner_store::{Store, StoreConfig};
use limner_types::{AccountState, Plan};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::Code;
use tonic::transport::Channel;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};

struct TestService {
    channel: Channel,
    client: MeteringServiceClient<Channel>,
    shutdown: CancellationToken,
    running: JoinHandle<()>,
}

async fn start(ledger: Ledger, config: Config) -> TestService {
    let service = MeteringService::bind(config, ledger).await.unwrap();
    let address = format!("http://{}", service.local_addr());
    let shutdown = CancellationToken::new();
    let stop = shutdown.clone();
    let running = tokio::spawn(async move { service.run(stop).await.unwrap() });
    let channel = Channel::from_shared(address).unwrap().connect().await.unwrap();
    TestService { client: MeteringServiceClient::new(channel.clone()), channel, shutdown, running }
}

fn quick() -> Config {
    Config {
        sweep_interval: Duration::from_millis(20),
        announce_interval: Duration::from_millis(20),
        health_interval: Duration::from_millis(20),
        ..Config::default()
    }
}

/// Waits until the service's health has the status `wanted`.
async fn wait_for_status(channel: &Channel, wanted: ServingStatus) {
    let request = HealthCheckRequest { service: "limner.v1.MeteringService".to_owned() };
    let mut watch = HealthClient::new(channel.clone()).watch(request).await.unwrap().into_inner();
    let seen = async {
        while let Some(update) = watch.message().await.unwrap() {
            if update.status() == wanted {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), seen).await.expect("health follows the database");
}

fn hold_request(account: &str, request: &str, credits: u32, life: Duration) -> v1::HoldRequest {
    v1::HoldRequest {
        account_id: account.to_owned(),
        key_id: "key_x".to_owned(),
        request_id: request.to_owned(),
        credits,
        operation: "code".to_owned(),
        url: "https://example.org/".to_owned(),
        life_ms: u32::try_from(life.as_millis()).unwrap(),
    }
}

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn reflection_describes_the_services_of_the_port() {
    let ledger = Ledger::new(Store::connect(config(&database().await, 4)).await.unwrap(), None, None);
    let role = start(ledger, Config { reflection: true, ..quick() }).await;
    let listed = limner_testkit::listed_services(role.channel.clone()).await;
    for name in ["Metering", "Billing", "Account", "Grant"] {
        assert!(listed.contains(&format!("limner.v1.{name}Service")), "{listed}");
    }
    assert!(!listed.contains("ExtractorService"), "another port serves it: {listed}");
    role.shutdown.cancel();
    role.running.await.unwrap();
}

#[tokio::test]
async fn call_over_grpc_is_held_and_committed() {
    let ledger = Ledger::new(Store::connect(config(&database().await, 4)).await.unwrap(), None, None);
    let id = ledger.create_account(&NewAccount::new("a@example.org", Plan::Free)).await.unwrap().state.account_id;
    let made = ledger.create_key(&id, "k").await.unwrap();
    let mut role = start(ledger.clone(), quick()).await;
    wait_for_status(&role.channel, ServingStatus::Serving).await;

    let request = v1::AuthenticateRequest { key_sha256: api_key::sha256(&made.key).to_vec() };
    let owner = role.client.authenticate(request).await.unwrap().into_inner();
    assert_eq!((owner.account_id.as_str(), owner.key_id.as_str()), (id.as_str(), made.record.key_id.as_str()));
    assert_eq!(AccountState::try_from(owner.account.unwrap()).unwrap().remaining(), Some(300));

    let held = role.client.hold(hold_request(&id, "req_1", 25, MINUTE)).await.unwrap().into_inner();
    assert_eq!(held.outcome(), HoldOutcome::Granted);
    let commit = v1::CommitRequest { request_id: "req_1".to_owned(), auto_render: true, held: None };
    let committed = role.client.commit(commit).await.unwrap().into_inner();
    assert_eq!((committed.credits_spent, committed.source(), committed.late), (25, CreditSource::Plan, false));
    assert_eq!(committed.account.unwrap().spent_this_month, 25);

    let refused = role.client.hold(hold_request(&id, "req_2", 276, MINUTE)).await.unwrap().into_inner();
    assert_eq!(refused.outcome(), HoldOutcome::QuotaExceeded);
    assert!(refused.message.contains("quota of 300") && refused.retry_after_seconds > 0, "{refused:?}");

    role.client.hold(hold_request(&id, "req_3", 5, MINUTE)).await.unwrap();
    let release = v1::ReleaseRequest { request_id: "req_3".to_owned(), code: "target_error".to_owned() };
    assert!(role.client.release(release).await.unwrap().into_inner().account.is_some());
    let hit = v1::RecordedCall {
        account_id: id.clone(),
        request_id: "req_4".to_owned(),
        operation: "svg".to_owned(),
        at_unix_ms: 1_793_491_200_000,
        cached: true,
        ..v1::RecordedCall::default()
    };
    role.client.record_calls(v1::RecordCallsRequest { calls: vec![hit] }).await.unwrap();

    let request = v1::GetUsageRequest { account_id: id.clone(), limit: 10, cursor: None };
    let usage = role.client.get_usage(request).await.unwrap().into_inner();
    let told: Vec<_> = usage.entries.iter().map(|entry| (entry.request_id.as_str(), entry.outcome.as_str())).collect();
    assert_eq!(told, [("req_3", "target_error"), ("req_1", "ok"), ("req_4", "ok")]);
    assert!(usage.entries[1].auto_render && usage.entries[2].cached);

    ledger.suspend(&id).await.unwrap();
    let suspended = role.client.hold(hold_request(&id, "req_5", 1, MINUTE)).await.unwrap().into_inner();
    assert_eq!(suspended.outcome(), HoldOutcome::Suspended);
    let nobody = role.client.hold(hold_request("acc_none", "req_6", 1, MINUTE)).await.unwrap().into_inner();
    assert_eq!(nobody.outcome(), HoldOutcome::UnknownAccount);
    let account = role.client.get_account(v1::GetAccountRequest { account_id: id }).await.unwrap().into_inner().account;
    assert!(account.unwrap().suspended);
    role.shutdown.cancel();
    role.running.await.unwrap();
}

#[tokio::test]
async fn errors_map_to_grpc_status_codes() {
    let ledger = Ledger::new(Store::connect(config(&database().await, 4)).await.unwrap(), None, None);
    let id = ledger.create_account(&NewAccount::new("a@example.org", Plan::Free)).await.unwrap().state.account_id;
    let mut role = start(ledger, quick()).await;
    let client = &mut role.client;
    let authenticate = |bytes: usize| v1::AuthenticateRequest { key_sha256: vec![0; bytes] };
    assert_eq!(client.authenticate(authenticate(32)).await.unwrap_err().code(), Code::NotFound);
    assert_eq!(client.authenticate(authenticate(31)).await.unwrap_err().code(), Code::InvalidArgument);
    let commit = v1::CommitRequest { request_id: "never".to_owned(), auto_render: false, held: None };
    assert_eq!(client.commit(commit).await.unwrap_err().code(), Code::NotFound);
    let release = v1::ReleaseRequest { request_id: "never".to_owned(), code: String::new() };
    assert_eq!(client.release(release).await.unwrap().into_inner().account, None);
    assert_eq!(client.hold(hold_request(&id, "r", 0, MINUTE)).await.unwrap_err().code(), Code::InvalidArgument);
    client.hold(hold_request(&id, "r", 1, MINUTE)).await.unwrap();
    assert_eq!(client.hold(hold_request(&id, "r", 2, MINUTE)).await.unwrap_err().code(), Code::AlreadyExists);
    client.release(v1::ReleaseRequest { request_id: "r".to_owned(), code: String::new() }).await.unwrap();
    assert_eq!(client.hold(hold_request(&id, "r", 1, MINUTE)).await.unwrap_err().code(), Code::FailedPrecondition);
    let usage = v1::GetUsageRequest { account_id: "acc_none".to_owned(), limit: 1, cursor: None };
    assert_eq!(client.get_usage(usage).await.unwrap_err().code(), Code::NotFound);
}

#[tokio::test]
async fn hold_of_a_dead_gateway_expires_and_its_credits_return() {
    let ledger = Ledger::new(Store::connect(config(&database().await, 4)).await.unwrap(), None, None);
    let id = ledger.create_account(&NewAccount::new("a@example.org", Plan::Free)).await.unwrap().state.account_id;
    let mut role = start(ledger.clone(), quick()).await;
    role.client.hold(hold_request(&id, "lost", 300, Duration::from_millis(50))).await.unwrap();
    let freed = async {
        while ledger.account(&id).await.unwrap().held > 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), freed).await.expect("the job expires it");
    let commit = v1::CommitRequest { request_id: "lost".to_owned(), auto_render: false, held: None };
    let committed = role.client.commit(commit).await.unwrap().into_inner();
    assert!(committed.late && committed.credits_spent == 300);
}

#[tokio::test]
async fn role_survives_its_database() {
    let mut postgres = Postgres::temporary().await.unwrap();
    let limits =
        StoreConfig { url: postgres.url(), acquire_timeout: Duration::from_millis(500), ..StoreConfig::default() };
    let store = Store::connect(limits).await.unwrap();
    let ledger = Ledger::new(store.clone(), None, None);
    let mut role = start(ledger.clone(), quick()).await;
    let authenticate = || v1::AuthenticateRequest { key_sha256: vec![0; 32] };
    assert!(ledger.ready().await.unwrap_err().to_string().contains("limner migrate"), "no schema yet");
    store.migrate().await.unwrap();
    wait_for_status(&role.channel, ServingStatus::Serving).await;
    let id = ledger.create_account(&NewAccount::new("a@example.org", Plan::Free)).await.unwrap().state.account_id;
    role.client.hold(hold_request(&id, "before", 25, MINUTE)).await.unwrap();

    postgres.stop();
    let status = role.client.authenticate(authenticate()).await.unwrap_err();
    assert_eq!(status.code(), Code::Unavailable);
    assert!(!status.message().contains("127.0.0.1"), "{status:?}");
    wait_for_status(&role.channel, ServingStatus::NotServing).await;

    postgres.restart().await.unwrap();
    wait_for_status(&role.channel, ServingStatus::Serving).await;
    let commit = v1::CommitRequest { request_id: "before".to_owned(), auto_render: false, held: None };
    assert_eq!(role.client.commit(commit).await.unwrap().into_inner().credits_spent, 25);
}

#[tokio::test]
async fn idle_connections_that_died_fail_no_call() {
    let mut postgres = Postgres::temporary().await.unwrap();
    let store = Store::connect(StoreConfig { url: postgres.url(), ..StoreConfig::default() }).await.unwrap();
    store.migrate().await.unwrap();
    let ledger = Ledger::new(store, None, None);
    let id = ledger.create_account(&NewAccount::new("a@example.org", Plan::Free)).await.unwrap().state.account_id;
    let many = (0..8).map(|_| ledger.account_state(&id));
    futures::future::join_all(many).await.into_iter().for_each(|state| drop(state.unwrap()));
    postgres.restart().await.unwrap();
    for _ in 0..8 {
        ledger.account_state(&id).await.unwrap();
    }
}

#[tokio::test]
async fn call_under_way_ends_before_the_role_does() {
    let store = Store::connect(config(&database().await, 4)).await.unwrap();
    let ledger = Ledger::new(store.clone(), None, None);
    let id = ledger.create_account(&NewAccount::new("a@example.org", Plan::Free)).await.unwrap().state.account_id;
    let role = start(ledger, quick()).await;
    // Another transaction has the account's lock, so the hold waits in the database.
    let mut blocker = store.client().await.unwrap();
    let transaction = blocker.transaction().await.unwrap();
    transaction.execute("SELECT id FROM metering.account WHERE id = $1 FOR UPDATE", &[&id]).await.unwrap();
    let waiting = tokio::spawn({
        let (mut client, id) = (role.client.clone(), id.clone());
        async move { client.hold(hold_request(&id, "r", 1, MINUTE)).await }
    });
    let blocked =
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    // Within a transaction the view would not change.
    let watcher = store.client().await.unwrap();
    while watcher.query_one(blocked, &[]).await.unwrap().get::<_, i64>(0) == 0 {
        tokio::task::yield_now().await;
    }
    role.shutdown.cancel();
    wait_for_status(&role.channel, ServingStatus::NotServing).await;
    transaction.rollback().await.unwrap();
    assert_eq!(waiting.await.unwrap().unwrap().into_inner().outcome(), HoldOutcome::Granted);
    role.running.await.unwrap();
}

#[tokio::test]
async fn message_that_never_ends_does_not_keep_the_service() {
    let ledger = Ledger::new(Store::connect(config(&database().await, 4)).await.unwrap(), None, None);
    let config = Config { webhooks: Some(([127, 0, 0, 1], 0).into()), drain: Duration::from_millis(200), ..quick() };
    let service = MeteringService::bind(config, ledger).await.unwrap();
    let webhooks = service.webhooks_addr().unwrap();
    let shutdown = CancellationToken::new();
    let running = tokio::spawn({
        let shutdown = shutdown.clone();
        async move { service.run(shutdown).await }
    });
    let mut provider = TcpStream::connect(webhooks).await.unwrap();
    let half = "POST /webhooks/stripe HTTP/1.1\r\nhost: a.test\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n";
    provider.write_all(half.as_bytes()).await.unwrap();
    let mut begun = [0; 12];
    provider.read_exact(&mut begun).await.unwrap();
    assert_eq!(&begun, b"HTTP/1.1 100", "the event is in progress");
    shutdown.cancel();
    let ended = tokio::time::timeout(Duration::from_secs(20), running).await;
    ended.expect("the service stops").unwrap().unwrap();
}

/// Whoever reaches the port could grant credits otherwise.
#[tokio::test]
async fn calls_need_one_of_the_tokens_and_health_needs_none() {
    let ledger = Ledger::new(Store::connect(config(&database().await, 4)).await.unwrap(), None, None);
    let tokens = ["the new token", "the old token"].map(Secret::new).to_vec();
    let service = start(ledger, Config { tokens, ..quick() }).await;
    let ask = |token: Option<&str>| {
        let mut request = tonic::Request::new(v1::GetAccountRequest { account_id: "acc_none".to_owned() });
        if let Some(token) = token {
            request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        }
        let mut client = service.client.clone();
        async move { client.get_account(request).await.unwrap_err().code() }
    };
    assert_eq!(ask(Some("the new token")).await, Code::NotFound);
    assert_eq!(ask(Some("the old token")).await, Code::NotFound);
    for token in [None, Some("another"), Some(""), Some("the new token,the old token")] {
        assert_eq!(ask(token).await, Code::Unauthenticated, "{token:?}");
    }
    let health = HealthClient::new(service.channel.clone()).check(HealthCheckRequest::default()).await;
    assert!(health.is_ok(), "{health:?}");
    let mut others = v1::account_service_client::AccountServiceClient::new(service.channel.clone());
    let refused = others.list_keys(v1::ListKeysRequest::default()).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated, "every service asks");
    service.shutdown.cancel();
    service.running.await.unwrap();
}
