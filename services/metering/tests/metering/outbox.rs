//! Publication of changes to running processes, also while Redis or NATS is down.

use crate::support::{account, config, database, hold};
use futures::{Stream, StreamExt};
use limner_bus::{AccountChange, Bus, BusConfig};
use limner_cache::{Cache, CacheConfig};
use limner_local_servers::{Redis, shared_servers};
use limner_metering::{Ledger, api_key};
use limner_store::Store;
use limner_types::{Pack, Plan};
use std::time::Duration;

async fn cache(url: String, prefix: &str) -> Cache {
    Cache::connect(CacheConfig { url, prefix: prefix.to_owned(), ..CacheConfig::default() }).await.unwrap()
}

pub(crate) async fn shared_cache(prefix: &str) -> Cache {
    cache(shared_servers::redis().await.url(), prefix).await
}

pub(crate) async fn bus(prefix: &str) -> Bus {
    let url = shared_servers::nats().await.url();
    Bus::connect(BusConfig { url, prefix: prefix.to_owned(), ..BusConfig::default() }).await.unwrap()
}

async fn store() -> Store {
    Store::connect(config(&database().await, 4)).await.unwrap()
}

#[tokio::test]
async fn newest_state_is_in_redis_after_every_change() {
    let cache = cache(shared_servers::redis().await.url(), "metering-newest").await;
    let ledger = Ledger::new(store().await, Some(cache.clone()), Some(bus("metering-newest").await));
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    let hot = async || cache.get_account(&id).await.unwrap().unwrap();
    assert_eq!(hot().await.plan, Plan::Developer);
    hold(&ledger, &id, "r", 25).await;
    let committed = ledger.commit("r", false).await.unwrap();
    assert_eq!(hot().await, committed.state);
    assert_eq!(hot().await.spent_this_month, 25);
    for changed in [
        ledger.set_plan(&id, Plan::Growth).await.unwrap(),
        ledger.set_overage(&id, false).await.unwrap(),
        ledger.grant_pack(&id, Pack::TopUp, None).await.unwrap(),
        ledger.suspend(&id).await.unwrap(),
    ] {
        assert!(hot().await.version >= changed.version);
    }
    assert_eq!(hot().await, ledger.account(&id).await.unwrap().state);
}

#[tokio::test]
async fn changes_are_announced_and_revoked_keys_forgotten() {
    let (cache, bus) = (cache(shared_servers::redis().await.url(), "metering-told").await, bus("metering-told").await);
    let ledger = Ledger::new(store().await, Some(cache.clone()), Some(bus.clone()));
    let mut told = bus.account_changes().await.unwrap();
    let id = account(&ledger, Plan::Free).await.state.account_id;
    let made = ledger.create_key(&id, "k").await.unwrap();
    let hash = api_key::sha256(&made.key);
    ledger.authenticate(hash).await.unwrap();
    assert_eq!(cache.get_key(hash).await.unwrap().unwrap().account_id, id);
    ledger.set_plan(&id, Plan::Growth).await.unwrap();
    assert_eq!(told.next().await, Some(AccountChange { account_id: id.clone(), key_sha256: None }));
    ledger.revoke_key(made.key.expose()).await.unwrap();
    assert_eq!(told.next().await, Some(AccountChange { account_id: id, key_sha256: Some(hash) }));
    assert_eq!(cache.get_key(hash).await.unwrap(), None);
    assert_eq!(ledger.deliver_outbox().await.unwrap(), 0, "the outbox is empty");
}

#[tokio::test]
async fn change_made_without_redis_and_nats_is_told_later() {
    let store = store().await;
    let alone = Ledger::new(store.clone(), None, None);
    let id = account(&alone, Plan::Free).await.state.account_id;
    let made = alone.create_key(&id, "k").await.unwrap();
    let hash = api_key::sha256(&made.key);
    let (cache, bus) =
        (cache(shared_servers::redis().await.url(), "metering-later").await, bus("metering-later").await);
    let connected = Ledger::new(store, Some(cache.clone()), Some(bus.clone()));
    connected.authenticate(hash).await.unwrap();
    alone.revoke_key(&made.record.key_id).await.unwrap();
    assert!(cache.get_key(hash).await.unwrap().is_some(), "not written to Redis yet");
    let mut told = bus.account_changes().await.unwrap();
    assert_eq!(connected.deliver_outbox().await.unwrap(), 1);
    assert_eq!(told.next().await, Some(AccountChange { account_id: id, key_sha256: Some(hash) }));
    assert_eq!(cache.get_key(hash).await.unwrap(), None);
}

/// Returns the announcements until there is none for a moment.
async fn announcements(told: &mut (impl Stream<Item = AccountChange> + Unpin)) -> Vec<AccountChange> {
    let mut all = Vec::new();
    while let Ok(Some(change)) = tokio::time::timeout(Duration::from_millis(300), told.next()).await {
        all.push(change);
    }
    all
}

/// A revoked key stops within a second, whether Redis is gone or hangs; and Redis, which comes back with the old record of
/// the key, is told before gateways look there again.
#[tokio::test]
async fn changes_are_announced_at_once_without_redis_and_again_when_it_is_back() {
    const LIMIT: Duration = Duration::from_secs(1);
    let mut redis = Redis::temporary().await.unwrap();
    let (bus, store) = (bus("metering-announced").await, store().await);
    let mut told = bus.account_changes().await.unwrap();
    // Any number of earlier changes may wait for Redis.
    let waiting = 150;
    for hangs in [true, false] {
        let cache = cache(redis.url(), "metering-announced").await;
        let ledger = Ledger::new(store.clone(), Some(cache.clone()), Some(bus.clone()));
        let id = account(&ledger, Plan::Free).await.state.account_id;
        let made = ledger.create_key(&id, "k").await.unwrap();
        let hash = api_key::sha256(&made.key);
        ledger.authenticate(hash).await.unwrap();
        if hangs {
            redis.pause().unwrap()
        } else {
            redis.stop()
        }
        let fill = format!("INSERT INTO metering.outbox (account_id) SELECT '{id}' FROM generate_series(1, {waiting})");
        store.client().await.unwrap().batch_execute(&fill).await.unwrap();
        let mut announced = 0;
        while announced < waiting {
            ledger.deliver_outbox().await.unwrap();
            announced += announcements(&mut told).await.len();
        }
        let change = AccountChange { account_id: id, key_sha256: Some(hash) };
        ledger.revoke_key(made.key.expose()).await.unwrap();
        let first = tokio::time::timeout(LIMIT, told.next()).await;
        assert_eq!(first.expect("within a second"), Some(change.clone()), "hangs: {hangs}");
        assert_eq!(ledger.deliver_outbox().await.unwrap(), 0, "the changes wait in the outbox");
        assert_eq!(announcements(&mut told).await, [], "a change that waits for Redis is announced once");
        if hangs {
            redis.resume()
        } else {
            redis.restart().await.unwrap()
        }
        let mut delivered = 0;
        tokio::time::timeout(Duration::from_secs(20), async {
            while delivered <= waiting {
                delivered += ledger.deliver_outbox().await.unwrap();
                tokio::task::yield_now().await;
            }
        })
        .await
        .expect("all changes are delivered once Redis is back");
        assert_eq!(cache.get_key(hash).await.unwrap(), None);
        assert_eq!(announcements(&mut told).await.last(), Some(&change), "and announced again");
    }
}

#[tokio::test]
async fn ledger_goes_on_without_redis_and_tells_it_when_it_is_back() {
    let mut redis = Redis::temporary().await.unwrap();
    let cache = Cache::connect(CacheConfig {
        url: redis.url(),
        command_timeout: Duration::from_millis(200),
        backoff_after_timeout: Duration::from_millis(50),
        ..CacheConfig::default()
    });
    let cache = cache.await.unwrap();
    let ledger = Ledger::new(store().await, Some(cache.clone()), Some(bus("metering-outage").await));
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    redis.stop();
    hold(&ledger, &id, "r", 25).await;
    assert_eq!(ledger.commit("r", false).await.unwrap().credits, 25);
    let suspended = ledger.suspend(&id).await.unwrap();
    assert_eq!(ledger.deliver_outbox().await.unwrap(), 0, "the change waits in the outbox");
    redis.restart().await.unwrap();
    tokio::time::timeout(Duration::from_secs(20), async {
        while ledger.deliver_outbox().await.unwrap() == 0 {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("the change is published once Redis is back");
    assert_eq!(cache.get_account(&id).await.unwrap(), Some(suspended));
}
