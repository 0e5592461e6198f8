//! The cache against a real Redis.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod account_places;
mod certificates;
mod failover;
mod snapshots;
mod verdicts;

use bytes::Bytes;
use fred::interfaces::{ClientLike, KeysInterface};
use futures::future::join_all;
use limner_cache::{
    AccountHit, Cache, CacheConfig, CacheError, CachedResult, FlightOutcome, FlightRole, KeyRecord, Lookup,
    LookupReply, ResultHit,
};
use limner_local_servers::{Redis, shared_servers};
use limner_types::{AccountState, Plan};
use std::time::{Duration, Instant};

async fn cache_with(change: impl FnOnce(&mut CacheConfig)) -> Cache {
    let prefix = format!("test-{}", uuid::Uuid::new_v4());
    let mut config = CacheConfig { url: shared_servers::redis().await.url(), prefix, ..CacheConfig::default() };
    change(&mut config);
    let cache = Cache::connect(config).await.unwrap();
    assert!(cache.is_connected());
    cache
}

async fn cache() -> Cache {
    cache_with(|_| {}).await
}

fn account(version: u64) -> AccountState {
    AccountState {
        account_id: "a".to_owned(),
        plan: Plan::Growth,
        suspended: false,
        requests_per_minute: 5,
        monthly_limit: Some(30_000),
        period_start_unix: 1_700_000_000,
        spent_this_month: version,
        plan_spent: version,
        overage_spent: 0,
        pack_balance: 0,
        overage_enabled: true,
        version,
    }
}

fn result(text: &str) -> CachedResult {
    CachedResult::compress(text.as_bytes(), "application/json", false, 1).unwrap()
}

async fn count(cache: &Cache, limit: u32) -> LookupReply {
    cache
        .lookup(Lookup {
            account_id: "a",
            result_key: None,
            cached: None,
            cached_account_version: None,
            window_limit: limit,
        })
        .await
        .unwrap()
}

#[tokio::test]
async fn window_admits_exactly_its_limit_of_concurrent_requests() {
    let cache = cache().await;
    let replies = join_all((0..200).map(|_| count(&cache, 30))).await;
    let mut remaining: Vec<u32> =
        replies.iter().filter(|reply| reply.window.allowed).map(|reply| reply.window.remaining).collect();
    remaining.sort_unstable();
    assert_eq!(remaining, (0..30).collect::<Vec<u32>>());
    for reply in replies {
        assert_eq!(reply.window.limit, 30);
        assert!((59..=60).contains(&reply.window.reset_seconds));
    }
}

#[tokio::test]
async fn window_ends_on_time_although_refused_requests_keep_coming() {
    let length = Duration::from_millis(400);
    let cache = cache_with(|config| config.rate_window = length).await;
    let before = Instant::now();
    assert!(count(&cache, 1).await.window.allowed);
    let opened = Instant::now();
    let reopened = loop {
        let asked = Instant::now();
        if count(&cache, 1).await.window.allowed {
            break (asked, Instant::now());
        }
    };
    assert!(reopened.1 >= before + length, "not too early");
    assert!(reopened.0 <= opened + length + Duration::from_millis(150), "not extended");
}

/// Returns a separate Redis client for the test.
async fn client_of(redis: &Redis) -> fred::clients::Client {
    let config = fred::types::config::Config::from_url(&redis.url()).unwrap();
    let client = fred::clients::Client::new(config, None, None, None);
    client.init().await.unwrap();
    client
}

#[tokio::test]
async fn windows_and_flights_last_no_longer_when_the_clock_is_set_back() {
    let redis = Redis::temporary().await.unwrap();
    let client = client_of(&redis).await;
    let cache = Cache::connect(CacheConfig { url: redis.url(), ..CacheConfig::default() }).await.unwrap();
    assert!(count(&cache, 1).await.window.allowed);
    assert_eq!(cache.join_flight("f", "dead", TTL).await.unwrap(), FlightRole::Leader);
    // An extra hour, as when the clock is set back by an hour.
    for key in ["limner:window:a", "limner:flight:f"] {
        let _: i64 = client.expire(key, 3_600, None).await.unwrap();
    }
    let window = count(&cache, 1).await.window;
    assert!(!window.allowed && window.reset_seconds <= 60, "{window:?}");
    assert_eq!(wait(&cache, "t", "dead").await, FlightOutcome::BecameLeader);
}

#[tokio::test]
async fn accounts_have_windows_of_their_own() {
    let cache = cache().await;
    assert_eq!(count(&cache, 1).await.window.remaining, 0);
    let other =
        Lookup { account_id: "b", result_key: None, cached: None, cached_account_version: None, window_limit: 1 };
    assert!(cache.lookup(other).await.unwrap().window.allowed);
}

#[tokio::test]
async fn changed_limit_of_the_account_applies_at_once() {
    let cache = cache().await;
    cache.put_account(&AccountState { requests_per_minute: 1, ..account(1) }).await.unwrap();
    assert!(count(&cache, 600).await.window.allowed);
    assert!(!count(&cache, 600).await.window.allowed, "the limit in Redis takes precedence");
    cache.put_account(&AccountState { requests_per_minute: 3, ..account(2) }).await.unwrap();
    let window = count(&cache, 1).await.window;
    assert_eq!((window.allowed, window.limit, window.remaining), (true, 3, 1));
}

#[tokio::test]
async fn one_look_up_brings_account_and_result() {
    let cache = cache().await;
    let lookup =
        Lookup { account_id: "a", result_key: Some("r"), cached: None, cached_account_version: None, window_limit: 2 };
    let empty = cache.lookup(lookup.clone()).await.unwrap();
    assert!(empty.result.is_none() && empty.account.is_none());

    cache.put_account(&account(7)).await.unwrap();
    let kept = CachedResult { auto_render: true, ..result("{}") };
    cache.put_result("r", &kept).await.unwrap();
    let full = cache.lookup(lookup.clone()).await.unwrap();
    assert_eq!(full.account, Some(AccountHit::Sent(account(7))));
    for (version, found) in [(7, AccountHit::Unchanged), (6, AccountHit::Sent(account(7)))] {
        let known = cache.lookup(Lookup {
            account_id: "a",
            result_key: None,
            cached: None,
            cached_account_version: Some(version),
            window_limit: 9,
        });
        assert_eq!(known.await.unwrap().account, Some(found));
    }
    let Some(ResultHit::Sent(found, _)) = full.result else { panic!("{:?}", full.result) };
    assert_eq!(found, kept);

    let unasked = cache.lookup(Lookup { result_key: None, ..lookup.clone() }).await.unwrap();
    assert!(unasked.result.is_none());
    for _ in 0..2 {
        cache.lookup(lookup.clone()).await.unwrap();
    }
    let refused = cache.lookup(lookup).await.unwrap();
    assert!(!refused.window.allowed && refused.result.is_none(), "a refused request gets no result");
    assert!(refused.account.is_some());
}

#[tokio::test]
async fn newest_account_state_wins_in_any_order_of_writes() {
    let cache = cache().await;
    join_all((1..=50).map(|version| {
        let cache = cache.clone();
        async move { cache.put_account(&account((version * 7) % 51)).await.unwrap() }
    }))
    .await;
    assert_eq!(cache.get_account("a").await.unwrap(), Some(account(50)));
    assert_eq!(cache.get_account("unknown").await.unwrap(), None);
    let reached = count(&cache, 1).await.window.limit;
    assert_eq!(reached, account(50).requests_per_minute);
}

#[tokio::test]
async fn dropped_key_stays_dropped() {
    let cache = cache().await;
    let record = KeyRecord { account_id: "a".to_owned(), key_id: "k".to_owned(), cancels: true };
    assert_eq!(cache.get_key([1; 32]).await.unwrap(), None);
    cache.put_key([1; 32], &record).await.unwrap();
    assert_eq!(cache.get_key([1; 32]).await.unwrap(), Some(record.clone()));
    assert_eq!(cache.get_key([2; 32]).await.unwrap(), None);
    cache.drop_key([1; 32]).await.unwrap();
    assert_eq!(cache.get_key([1; 32]).await.unwrap(), None);
    cache.put_key([1; 32], &record).await.unwrap();
    assert_eq!(cache.get_key([1; 32]).await.unwrap(), None, "a late write does not restore it");
}

#[tokio::test]
async fn result_in_the_callers_memory_is_not_sent_until_it_changes() {
    let cache = cache().await;
    let lookup = async |cached| {
        let lookup =
            Lookup { account_id: "a", result_key: Some("r"), cached, cached_account_version: None, window_limit: 100 };
        cache.lookup(lookup).await.unwrap().result
    };
    let sent = async |cached| match lookup(cached).await {
        Some(ResultHit::Sent(result, version)) => (result, version),
        other => panic!("{other:?}"),
    };
    cache.put_result("r", &result("{}")).await.unwrap();
    let (_, first) = sent(None).await;
    assert_eq!(lookup(Some(first.clone())).await, Some(ResultHit::Unchanged));
    // Created in the same second, and with the same length as the first.
    cache.put_result("r", &result("[]")).await.unwrap();
    let (found, second) = sent(Some(first.clone())).await;
    assert_eq!(found, result("[]"));
    assert_ne!(first, second);
    assert_eq!(lookup(Some(second)).await, Some(ResultHit::Unchanged));
}

/// Returns the number of scripts that Redis has run.
async fn scripts_run(client: &fred::clients::Client) -> u64 {
    let stats: String = client.info(Some(fred::types::InfoKind::CommandStats)).await.unwrap();
    let calls = stats.lines().filter(|line| line.starts_with("cmdstat_eval"));
    calls.filter_map(|line| line.split_once("calls=")?.1.split(',').next()?.parse::<u64>().ok()).sum()
}

#[tokio::test]
async fn batched_look_ups_get_their_own_replies() {
    let redis = Redis::temporary().await.unwrap();
    let config = CacheConfig { url: redis.url(), connections: 1, ..CacheConfig::default() };
    let cache = Cache::connect(config).await.unwrap();
    let client = client_of(&redis).await;
    for (account_id, requests_per_minute) in [("a", 40), ("b", 7)] {
        let state = AccountState { account_id: account_id.to_owned(), requests_per_minute, ..account(7) };
        cache.put_account(&state).await.unwrap();
    }
    cache.put_result("r", &result("{}")).await.unwrap();
    let plain =
        Lookup { account_id: "c", result_key: Some("r"), cached: None, cached_account_version: None, window_limit: 9 };
    let Some(ResultHit::Sent(_, old)) = cache.lookup(plain.clone()).await.unwrap().result else { panic!() };
    cache.put_result("r", &result("[]")).await.unwrap();
    let Some(ResultHit::Sent(_, new)) = cache.lookup(plain.clone()).await.unwrap().result else { panic!() };

    let before = scripts_run(&client).await;
    let asked: Vec<Lookup<'_>> = (0..60)
        .map(|n| Lookup {
            account_id: ["a", "b", "c"][n % 3],
            result_key: [Some("r"), Some("nothing"), None][n / 3 % 3],
            cached: Some([&old, &new][n / 9 % 2].clone()),
            cached_account_version: [None, Some(7), Some(6)][n / 2 % 3],
            window_limit: 9,
        })
        .collect();
    let replies = join_all(asked.iter().map(|lookup| cache.lookup(lookup.clone()))).await;
    let mut counted = std::collections::BTreeMap::from([("a", 0), ("b", 0), ("c", 2)]);
    for (lookup, reply) in asked.iter().zip(replies) {
        let reply = reply.unwrap();
        let limit = match lookup.account_id {
            "a" => 40,
            "b" => 7,
            _ => 9,
        };
        let before = counted.get_mut(lookup.account_id).unwrap();
        let allowed = *before < limit;
        *before += u32::from(allowed);
        assert_eq!((reply.window.allowed, reply.window.limit), (allowed, limit), "{lookup:?}");
        assert_eq!(reply.window.remaining, limit - *before, "{lookup:?}");
        match (lookup.account_id, lookup.cached_account_version) {
            ("c", _) => assert_eq!(reply.account, None),
            (_, Some(7)) => assert_eq!(reply.account, Some(AccountHit::Unchanged)),
            (id, _) => assert!(matches!(reply.account, Some(AccountHit::Sent(state)) if state.account_id == id)),
        }
        match (allowed, lookup.result_key, &lookup.cached) {
            (true, Some("r"), Some(version)) if *version == new => {
                assert_eq!(reply.result, Some(ResultHit::Unchanged));
            }
            (true, Some("r"), _) => assert_eq!(reply.result, Some(ResultHit::Sent(result("[]"), new.clone()))),
            _ => assert_eq!(reply.result, None, "{lookup:?}"),
        }
    }
    let round_trips = scripts_run(&client).await - before;
    assert!(round_trips < 10, "{round_trips} round trips for 60 look-ups");
    let windows: Vec<u32> = client.mget(vec!["limner:window:a", "limner:window:b", "limner:window:c"]).await.unwrap();
    assert_eq!(windows, [20, 7, 9], "those that were refused are not counted");
}

#[tokio::test]
async fn cancelled_look_up_does_not_cancel_its_batch() {
    let cache = cache_with(|config| config.connections = 1).await;
    let mut calls: Vec<_> = (0..20).map(|_| Box::pin(count(&cache, 30))).collect();
    // All are in progress or waiting; then every second one is cancelled.
    for call in &mut calls {
        assert!(futures::poll!(call).is_pending());
    }
    let stayed: Vec<_> = calls.into_iter().enumerate().filter(|(n, _)| n % 2 == 1).map(|(_, call)| call).collect();
    let replies = tokio::time::timeout(Duration::from_secs(20), join_all(stayed)).await.unwrap();
    assert_eq!(replies.len(), 10);
    assert!(replies.iter().all(|reply| reply.window.allowed));
    assert!(count(&cache, 30).await.window.allowed);
}

#[tokio::test]
async fn results_and_snapshots_expire_and_are_replaced() {
    let life = Duration::from_millis(300);
    let cache = cache_with(|config| (config.result_ttl, config.snapshot_ttl) = (life, life)).await;
    for text in ["{\"n\":1}", "{\"n\":2}"] {
        cache.put_result("r", &result(text)).await.unwrap();
        assert_eq!(cache.get_result("r").await.unwrap(), Some(result(text)));
        cache.put_snapshot("s", Bytes::copy_from_slice(text.as_bytes())).await.unwrap();
        assert_eq!(cache.get_snapshot("s").await.unwrap().unwrap(), text);
    }
    let gone = async {
        while cache.get_result("r").await.unwrap().is_some() || cache.get_snapshot("s").await.unwrap().is_some() {}
    };
    tokio::time::timeout(Duration::from_secs(5), gone).await.unwrap();
}

#[tokio::test]
async fn incomplete_results_are_cached_for_less_time() {
    let cache = cache_with(|config| config.incomplete_result_ttl = Duration::from_millis(300)).await;
    let incomplete = CachedResult { incomplete: true, ..result("{}") };
    for (key, result) in [("complete", &result("{}")), ("incomplete", &incomplete)] {
        cache.put_result(key, result).await.unwrap();
        assert_eq!(cache.get_result(key).await.unwrap().as_ref(), Some(result));
    }
    let gone = async { while cache.get_result("incomplete").await.unwrap().is_some() {} };
    tokio::time::timeout(Duration::from_secs(5), gone).await.unwrap();
    assert!(cache.get_result("complete").await.unwrap().is_some());
}

#[tokio::test]
async fn oversized_values_are_not_cached() {
    let cache = cache_with(|config| (config.max_result_bytes, config.max_snapshot_bytes) = (100, 100)).await;
    let large = CachedResult { body: Bytes::from(vec![0; 101]), ..result("") };
    assert!(matches!(cache.put_result("r", &large).await, Err(CacheError::TooLarge { bytes: 101, max: 100 })));
    assert!(cache.put_snapshot("s", Bytes::from(vec![0; 101])).await.is_err());
    cache.put_snapshot("s", Bytes::from(vec![0; 100])).await.unwrap();
}

const TTL: Duration = Duration::from_millis(400);

async fn begin(cache: &Cache, token: &str) -> FlightRole {
    cache.join_flight("f", token, TTL).await.unwrap()
}

async fn wait(cache: &Cache, token: &str, leader: &str) -> FlightOutcome {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
    cache.flight_wait("f", token, leader, TTL, deadline).await.unwrap()
}

#[tokio::test]
async fn one_of_concurrent_calls_leads_and_all_others_get_its_outcome() {
    let cache = cache().await;
    let tokens: Vec<String> = (0..50).map(|n| format!("t{n}")).collect();
    let parts = join_all(tokens.iter().map(|token| begin(&cache, token))).await;
    let leaders: Vec<usize> = (0..50).filter(|n| parts[*n] == FlightRole::Leader).collect();
    let [leader] = leaders[..] else { panic!("leaders: {leaders:?}") };
    let follower = FlightRole::Follower { leader: tokens[leader].clone() };
    assert_eq!(parts.iter().filter(|part| **part == follower).count(), 49);

    let waiting = tokens.iter().filter(|token| **token != tokens[leader]).map(|t| wait(&cache, t, &tokens[leader]));
    let landing = async {
        cache.flight_end("f", &tokens[leader], Bytes::from_static(b"\0word\xff")).await.unwrap();
    };
    let (ends, ()) = tokio::join!(join_all(waiting), landing);
    assert!(ends.iter().all(|end| *end == FlightOutcome::Ended(Bytes::from_static(b"\0word\xff"))));
    assert_eq!(begin(&cache, "next").await, FlightRole::Leader, "the next flight is its own");
}

#[tokio::test]
async fn exactly_one_follower_replaces_a_dead_leader() {
    let cache = cache().await;
    assert_eq!(begin(&cache, "dead").await, FlightRole::Leader);
    let tokens: Vec<String> = (0..20).map(|n| format!("t{n}")).collect();
    let ends = join_all(tokens.iter().map(|token| {
        let cache = cache.clone();
        async move {
            let end = wait(&cache, token, "dead").await;
            if end == FlightOutcome::BecameLeader {
                cache.flight_end("f", token, Bytes::from_static(b"done")).await.unwrap();
            }
            end
        }
    }))
    .await;
    assert_eq!(ends.iter().filter(|end| **end == FlightOutcome::BecameLeader).count(), 1);
    assert_eq!(ends.iter().filter(|end| **end == FlightOutcome::Ended(Bytes::from_static(b"done"))).count(), 19);
}

#[tokio::test]
async fn leader_with_heartbeats_stays_leader() {
    let cache = cache().await;
    assert_eq!(begin(&cache, "alive").await, FlightRole::Leader);
    let beating = async {
        for _ in 0..6 {
            tokio::time::sleep(TTL / 3).await;
            assert_eq!(begin(&cache, "alive").await, FlightRole::Leader);
        }
        cache.flight_end("f", "alive", Bytes::new()).await.unwrap();
    };
    let (end, ()) = tokio::join!(wait(&cache, "other", "alive"), beating);
    assert_eq!(end, FlightOutcome::Ended(Bytes::new()));
}

#[tokio::test]
async fn replaced_leader_does_not_end_its_successors_flight() {
    let cache = cache().await;
    begin(&cache, "slow").await;
    assert_eq!(wait(&cache, "successor", "slow").await, FlightOutcome::BecameLeader);
    cache.flight_end("f", "slow", Bytes::new()).await.unwrap();
    assert_eq!(begin(&cache, "third").await, FlightRole::Follower { leader: "successor".to_owned() });
}

#[tokio::test]
async fn waiting_ends_at_the_deadline() {
    let cache = cache().await;
    cache.join_flight("f", "busy", Duration::from_secs(60)).await.unwrap();
    let deadline = tokio::time::Instant::now() + Duration::from_millis(100);
    let end = cache.flight_wait("f", "other", "busy", TTL, deadline).await.unwrap();
    assert_eq!(end, FlightOutcome::DeadlinePassed);
    assert!(tokio::time::Instant::now() < deadline + Duration::from_millis(500));
}

fn key_record() -> KeyRecord {
    KeyRecord { account_id: "a".to_owned(), key_id: "k".to_owned(), cancels: true }
}

/// Runs every call once.
async fn all_calls(cache: &Cache) -> Vec<(&'static str, Result<(), CacheError>)> {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(1);
    let record = key_record();
    let lookup = Lookup {
        account_id: "a",
        result_key: Some("r"),
        cached: None,
        cached_account_version: None,
        window_limit: 1_000,
    };
    vec![
        ("lookup", cache.lookup(lookup).await.map(drop)),
        ("put_account", cache.put_account(&account(1)).await),
        ("get_account", cache.get_account("a").await.map(drop)),
        ("put_key", cache.put_key([1; 32], &record).await),
        ("drop_key", cache.drop_key([1; 32]).await),
        ("get_key", cache.get_key([1; 32]).await.map(drop)),
        ("put_result", cache.put_result("r", &result("{}")).await),
        ("get_result", cache.get_result("r").await.map(drop)),
        ("put_snapshot", cache.put_snapshot("s", Bytes::new()).await),
        ("confirm_snapshot", cache.confirm_snapshot("s").await),
        ("get_snapshot", cache.get_snapshot("s").await.map(drop)),
        ("join_flight", cache.join_flight("f", "t", TTL).await.map(drop)),
        ("flight_wait", cache.flight_wait("f", "t", "other", TTL, deadline).await.map(drop)),
        ("take_place", cache.take_place("p", "c", account_places::terms(9, Duration::from_secs(1))).await.map(drop)),
        ("return_place", cache.return_place("p", "c", Duration::ZERO).await),
        ("take_site_place", cache.take_site_place("s", "c", 9, Duration::from_secs(1)).await.map(drop)),
        ("return_site_place", cache.return_site_place("s", "c").await),
        ("throttle_site", cache.throttle_site("s", Duration::from_secs(1)).await),
        ("flight_end", cache.flight_end("f", "t", Bytes::new()).await),
    ]
}

async fn assert_all_away(cache: &Cache) {
    let started = Instant::now();
    for (call, outcome) in all_calls(cache).await {
        assert!(matches!(&outcome, Err(fault) if fault.is_unavailable()), "{call}: {outcome:?}");
    }
    assert!(started.elapsed() < Duration::from_millis(500), "all calls together took {:?}", started.elapsed());
}

async fn assert_all_well(cache: &Cache) {
    for (call, outcome) in all_calls(cache).await {
        outcome.unwrap_or_else(|fault| panic!("{call}: {fault}"));
    }
}

async fn until_well(cache: &Cache) {
    let well = async {
        while cache.get_key([9; 32]).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), well).await.expect("the cache reconnects");
}

async fn private() -> (Redis, Cache) {
    let redis = Redis::temporary().await.unwrap();
    let config =
        CacheConfig { url: redis.url(), command_timeout: Duration::from_millis(400), ..CacheConfig::default() };
    let cache = Cache::connect(config).await.unwrap();
    (redis, cache)
}

#[tokio::test]
async fn calls_without_redis_fail_at_once_and_work_after_its_return() {
    let (mut redis, cache) = private().await;
    assert_all_well(&cache).await;
    redis.kill();
    let noticed = async {
        while cache.get_key([9; 32]).await.is_ok() || cache.is_connected() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), noticed).await.unwrap();
    assert_all_away(&cache).await;
    redis.restart().await.unwrap();
    until_well(&cache).await;
    // The new server does not have the scripts.
    assert_all_well(&cache).await;
}

#[tokio::test]
async fn hanging_redis_costs_a_single_timeout() {
    let (mut redis, cache) = private().await;
    assert_all_well(&cache).await;
    redis.pause().unwrap();
    let started = Instant::now();
    assert!(cache.get_key([1; 32]).await.unwrap_err().is_unavailable());
    assert!(started.elapsed() < Duration::from_secs(2));
    assert_all_away(&cache).await;
    redis.resume();
    until_well(&cache).await;
    assert_all_well(&cache).await;
}

#[tokio::test]
async fn cache_starts_without_redis() {
    let mut redis = Redis::temporary().await.unwrap();
    redis.stop();
    let config =
        CacheConfig { url: redis.url(), first_connection: Duration::from_millis(200), ..CacheConfig::default() };
    let cache = Cache::connect(config).await.unwrap();
    assert_all_away(&cache).await;
    redis.restart().await.unwrap();
    until_well(&cache).await;
    assert_all_well(&cache).await;
}

#[tokio::test]
async fn invalid_url_is_a_configuration_error() {
    let config = CacheConfig { url: "nonsense".to_owned(), ..CacheConfig::default() };
    assert!(matches!(Cache::connect(config).await.map(drop), Err(CacheError::Configuration(_))));
}
