//! Self-service of account owners over gRPC.

use crate::support::{account, assert_balanced, hold, ledger, spend};
use limner_metering::{Config, Ledger, LedgerError, MeteringService, api_key};
use limner_proto::v1;
use limner_proto::v1::account_service_client::AccountServiceClient;
use limner_types::{ApiKey, Plan};
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;
use tonic::Code;
use tonic::transport::Channel;

async fn serve(ledger: &Ledger) -> (AccountServiceClient<Channel>, CancellationToken) {
    let service = MeteringService::bind(Config::default(), ledger.clone()).await.unwrap();
    let address = format!("http://{}", service.local_addr());
    let shutdown = CancellationToken::new();
    let stop = shutdown.clone();
    tokio::spawn(async move { service.run(stop).await.unwrap() });
    (AccountServiceClient::connect(address).await.unwrap(), shutdown)
}

async fn create(
    client: &mut AccountServiceClient<Channel>,
    account: &str,
    purpose: v1::KeyPurpose,
) -> (String, String) {
    let request =
        v1::CreateKeyRequest { account_id: account.to_owned(), name: "k".to_owned(), purpose: purpose.into() };
    let made = client.create_key(request).await.unwrap().into_inner();
    (made.api_key, made.key.unwrap().key_id)
}

async fn key_works(ledger: &Ledger, api_key: &str) -> bool {
    let hash = api_key::sha256(&ApiKey::parse(api_key).unwrap());
    match ledger.authenticate(hash).await {
        Ok(_) => true,
        Err(LedgerError::UnknownKey) => false,
        Err(cause) => panic!("{cause}"),
    }
}

#[tokio::test]
async fn keys_belong_to_their_account() {
    let ledger = ledger().await;
    let (mut client, stop) = serve(&ledger).await;
    let open = v1::OpenAccountRequest { email: "mine@example.org".to_owned(), currency: "usd".to_owned() };
    let mine = client.open_account(open).await.unwrap().into_inner().account_id;
    let other = account(&ledger, Plan::Free).await.state.account_id;
    let (api_key, key_id) = create(&mut client, &mine, v1::KeyPurpose::Api).await;

    let theirs = v1::RevokeKeyRequest { account_id: other.clone(), key_id: key_id.clone() };
    assert_eq!(client.revoke_key(theirs).await.unwrap_err().code(), Code::NotFound);
    assert!(key_works(&ledger, &api_key).await);
    for _ in 0..2 {
        let own = v1::RevokeKeyRequest { account_id: mine.clone(), key_id: key_id.clone() };
        client.revoke_key(own).await.unwrap();
        assert!(!key_works(&ledger, &api_key).await);
    }
    let listed = client.list_keys(v1::ListKeysRequest { account_id: mine.clone() }).await.unwrap().into_inner().keys;
    assert!(listed.len() == 1 && listed[0].revoked_at_unix.is_some() && listed[0].last_used_at_unix.is_none());
    let described =
        client.describe_account(v1::DescribeAccountRequest { account_id: mine }).await.unwrap().into_inner();
    assert_eq!((described.currency.as_str(), described.email.as_str()), ("usd", "mine@example.org"));
    stop.cancel();
}

#[tokio::test]
async fn account_has_one_playground_key() {
    let ledger = ledger().await;
    let (mut client, stop) = serve(&ledger).await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    let (own, _) = create(&mut client, &id, v1::KeyPurpose::Api).await;
    let (first, _) = create(&mut client, &id, v1::KeyPurpose::Playground).await;
    let (second, _) = create(&mut client, &id, v1::KeyPurpose::Playground).await;
    assert!(key_works(&ledger, &own).await && !key_works(&ledger, &first).await && key_works(&ledger, &second).await);
    let listed = client.list_keys(v1::ListKeysRequest { account_id: id }).await.unwrap().into_inner().keys;
    let playground = listed.iter().filter(|key| key.purpose() == v1::KeyPurpose::Playground).count();
    assert_eq!((listed.len(), playground), (3, 2));
    stop.cancel();
}

#[tokio::test]
async fn mcp_server_keys_are_limited_apart_from_the_owners_keys() {
    let ledger = ledger().await;
    let (mut client, stop) = serve(&ledger).await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    let (own, _) = create(&mut client, &id, v1::KeyPurpose::Api).await;
    let mut made = Vec::new();
    for _ in 0..34 {
        made.push(create(&mut client, &id, v1::KeyPurpose::Mcp).await.0);
    }
    let mut working = Vec::new();
    for key in &made {
        working.push(key_works(&ledger, key).await);
    }
    assert_eq!(working.iter().filter(|works| **works).count(), 32);
    assert!(!working[0] && !working[1] && key_works(&ledger, &own).await, "only the oldest are revoked");
    for _ in 0..99 {
        ledger.create_key(&id, "mine").await.unwrap();
    }
    assert!(matches!(ledger.create_key(&id, "one more").await, Err(LedgerError::Invalid(_))));
    create(&mut client, &id, v1::KeyPurpose::Mcp).await;
    stop.cancel();
}

#[tokio::test]
async fn history_is_filtered_and_paged() {
    let ledger = ledger().await;
    let (mut client, stop) = serve(&ledger).await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    for request in ["req_1", "req_2", "req_3"] {
        spend(&ledger, &id, request, 25).await;
    }
    hold(&ledger, &id, "req_4", 25).await;
    ledger.release("req_4", "target_error").await.unwrap();

    let of = |change: &dyn Fn(&mut v1::ListCallsRequest)| {
        let mut request = v1::ListCallsRequest { account_id: id.clone(), limit: 10, ..v1::ListCallsRequest::default() };
        change(&mut request);
        request
    };
    let now = OffsetDateTime::now_utc();
    let tomorrow = (now + Duration::days(1)).unix_timestamp();
    let table: &[(v1::ListCallsRequest, &[&str])] = &[
        (of(&|_| {}), &["req_4", "req_3", "req_2", "req_1"]),
        (of(&|request| request.outcome = Some("ok".to_owned())), &["req_3", "req_2", "req_1"]),
        (of(&|request| request.outcome = Some("failed".to_owned())), &["req_4"]),
        (of(&|request| request.outcome = Some("target_error".to_owned())), &["req_4"]),
        (of(&|request| request.outcome = Some("cached".to_owned())), &[]),
        (of(&|request| request.operation = Some("svg".to_owned())), &[]),
        (of(&|request| request.url_part = Some("EXAMPLE.org".to_owned())), &["req_4", "req_3", "req_2", "req_1"]),
        (of(&|request| request.url_part = Some("%".to_owned())), &[]),
        (of(&|request| request.request_id = Some("req_2".to_owned())), &["req_2"]),
        (of(&|request| request.since_unix = Some(tomorrow)), &[]),
        (of(&|request| request.until_unix = Some(tomorrow)), &["req_4", "req_3", "req_2", "req_1"]),
    ];
    for (request, ids) in table {
        let answer = client.list_calls(request.clone()).await.unwrap().into_inner();
        let found: Vec<_> = answer.calls.into_iter().map(|call| call.entry.unwrap().request_id).collect();
        assert_eq!(found, *ids, "{request:?}");
    }
    let (mut cursor, mut pages) = (None, Vec::new());
    loop {
        let page = of(&|request| (request.limit, request.cursor) = (3, cursor.clone()));
        let page = client.list_calls(page).await.unwrap().into_inner();
        pages.push(page.calls.len());
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(pages, [3, 1]);
    let foreign = v1::ListCallsRequest { account_id: "acc_other".to_owned(), ..of(&|_| {}) };
    assert_eq!(client.list_calls(foreign.clone()).await.unwrap().into_inner().calls, []);
    let foreign = v1::ListCallsRequest { request_id: Some("req_1".to_owned()), ..foreign };
    assert_eq!(client.list_calls(foreign).await.unwrap().into_inner().calls, [], "another's call is not found");

    let days = v1::ListUsageDaysRequest {
        account_id: id,
        since: now.date().to_string(),
        until: (now.date() + Duration::days(2)).to_string(),
    };
    let days = client.list_usage_days(days).await.unwrap().into_inner().days;
    let sum = |of: fn(&v1::UsageDay) -> u64| days.iter().map(of).sum::<u64>();
    assert_eq!((sum(|day| day.calls), sum(|day| day.failed), sum(|day| day.credits)), (4, 1, 75));
    stop.cancel();
}

#[tokio::test]
async fn closed_account_is_forgotten_and_its_keys_are_dead() {
    let ledger = ledger().await;
    let (mut client, stop) = serve(&ledger).await;
    let id = account(&ledger, Plan::Growth).await.state.account_id;
    let (api_key, _) = create(&mut client, &id, v1::KeyPurpose::Api).await;
    spend(&ledger, &id, "req_1", 25).await;
    for _ in 0..2 {
        client.close_account(v1::CloseAccountRequest { account_id: id.clone() }).await.unwrap();
    }
    assert!(!key_works(&ledger, &api_key).await);
    let record = ledger.account(&id).await.unwrap();
    assert_eq!(record.email, "closed@account.invalid");
    assert_eq!(record.scheduled.unwrap().plan, Plan::Free, "the subscription collects nothing more");
    assert_eq!(ledger.usage(&id, 10, None).await.unwrap().entries[0].url, "");
    assert_balanced(&ledger).await;
    let unknown = v1::CloseAccountRequest { account_id: "acc_none".to_owned() };
    assert_eq!(client.close_account(unknown).await.unwrap_err().code(), Code::NotFound);
    stop.cancel();
}
