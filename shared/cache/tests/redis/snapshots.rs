//! The snapshots' share of Redis.

use crate::{account, cache_with, client_of, result};
use bytes::Bytes;
use fred::interfaces::ClientLike;
use limner_cache::{Cache, CacheConfig, CachedResult, Lookup};
use limner_local_servers::Redis;
use std::time::Duration;

/// Returns the cached snapshots among `p00`, `p01`, ….
async fn cached_pages(cache: &Cache) -> Vec<usize> {
    let mut kept = Vec::new();
    for page in 0..20 {
        if cache.get_snapshot(&format!("p{page:02}")).await.unwrap().is_some() {
            kept.push(page);
        }
    }
    kept
}

#[tokio::test]
async fn snapshots_stay_within_their_share_and_the_earliest_expiry_is_evicted_first() {
    let cache = cache_with(|config| (config.max_snapshot_bytes, config.max_snapshots_bytes) = (400, 1_000)).await;
    let put = async |page: usize, bytes: usize| {
        cache.put_snapshot(&format!("p{page:02}"), Bytes::from(vec![0; bytes])).await.unwrap();
    };
    for page in 0..5 {
        put(page, 200).await;
    }
    assert_eq!(cached_pages(&cache).await, [0, 1, 2, 3, 4]);
    cache.confirm_snapshot("p01").await.unwrap();
    cache.confirm_snapshot("p19").await.unwrap();
    put(5, 200).await;
    assert_eq!(cached_pages(&cache).await, [1, 2, 3, 4, 5]);
    put(6, 400).await;
    assert_eq!(cached_pages(&cache).await, [1, 4, 5, 6], "of what succeeded last");
    // A snapshot that is written again counts once.
    for _ in 0..10 {
        put(6, 400).await;
    }
    assert_eq!(cached_pages(&cache).await, [1, 4, 5, 6]);
    assert!(cache.put_snapshot("p07", Bytes::from(vec![0; 401])).await.is_err());
    for page in 8..20 {
        put(page, 400).await;
    }
    assert_eq!(cached_pages(&cache).await, [1, 18, 19]);
}

#[tokio::test]
async fn expired_snapshots_free_their_share() {
    let life = Duration::from_millis(300);
    let cache = cache_with(|config| (config.snapshot_ttl, config.max_snapshots_bytes) = (life, 1_000)).await;
    for page in 0..5 {
        cache.put_snapshot(&format!("p{page:02}"), Bytes::from(vec![0; 200])).await.unwrap();
    }
    cache.confirm_snapshot("p00").await.unwrap();
    let gone = async { while !cached_pages(&cache).await.is_empty() {} };
    tokio::time::timeout(Duration::from_secs(5), gone).await.unwrap();
    for page in 5..10 {
        cache.put_snapshot(&format!("p{page:02}"), Bytes::from(vec![0; 200])).await.unwrap();
    }
    assert_eq!(cached_pages(&cache).await.len(), 5);
}

#[tokio::test]
async fn large_pages_of_failing_calls_evict_no_result() {
    let redis = Redis::temporary().await.unwrap();
    let client = client_of(&redis).await;
    let set = fred::types::CustomCommand::new_static("CONFIG", None::<u16>, false);
    let _: String = client.custom(set, vec!["SET", "maxmemory", "64mb"]).await.unwrap();
    let config = CacheConfig {
        url: redis.url(),
        blob_timeout: Duration::from_secs(30),
        command_timeout: Duration::from_secs(30),
        max_snapshot_bytes: 4_000_000,
        max_snapshots_bytes: 16_000_000,
        ..CacheConfig::default()
    };
    let cache = Cache::connect(config).await.unwrap();
    cache.put_account(&account(1)).await.unwrap();
    let body: Bytes = (0..1_000_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for number in 0..30 {
        let large = CachedResult { body: body.clone(), ..result("") };
        cache.put_result(&format!("r{number}"), &large).await.unwrap();
    }
    for page in 0..75 {
        cache.put_snapshot(&format!("page {page}"), Bytes::from(vec![7; 3_900_000])).await.unwrap();
        assert!(cache.get_snapshot(&format!("page {page}")).await.unwrap().is_some());
    }
    for number in 0..30 {
        let key = format!("r{number}");
        let lookup = Lookup {
            account_id: "a",
            result_key: Some(&key),
            cached: None,
            cached_account_version: None,
            window_limit: 99,
        };
        let found = cache.lookup(Lookup { window_limit: 1_000, ..lookup }).await.unwrap();
        assert!(cache.get_result(&key).await.unwrap().is_some(), "{key} is gone");
        assert!(found.account.is_some());
    }
    let stats: String = client.info(Some(fred::types::InfoKind::Stats)).await.unwrap();
    assert!(stats.contains("evicted_keys:0\r\n"), "{stats}");
}
