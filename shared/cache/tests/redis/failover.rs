//! A fail-over behind one address: the roles of two servers are swapped while connections stay open.

use super::{all_calls, assert_all_well};
use limner_cache::{Cache, CacheConfig, CacheError};
use limner_local_servers::Redis;
use limner_testkit::TcpProxy;
use std::time::{Duration, Instant};

/// Number of connections; each is used by one of as many calls.
const CONNECTIONS: usize = 4;

/// Returns true if every call succeeds on every connection.
async fn is_well(cache: &Cache) -> bool {
    for _ in 0..CONNECTIONS {
        if all_calls(cache).await.iter().any(|(_, outcome): &(_, Result<(), CacheError>)| outcome.is_err()) {
            return false;
        }
    }
    true
}

#[tokio::test]
async fn swapped_roles_are_noticed_although_connections_stay_open() {
    let first = Redis::temporary().await.unwrap();
    let second = Redis::temporary_replica(&first).await.unwrap();
    let proxy = TcpProxy::start(first.address());
    let url = first.url().replace(&first.address().to_string(), &proxy.address().to_string());
    let cache = Cache::connect(CacheConfig { url, connections: CONNECTIONS, ..CacheConfig::default() }).await.unwrap();
    assert_all_well(&cache).await;
    for (promoted, demoted) in [(&second, &first), (&first, &second)] {
        promoted.promote().await.unwrap();
        demoted.follow(promoted).await.unwrap();
        // The address follows later, as a DNS name does: until then a new connection leads to the former primary.
        let outcome = cache.put_key([3; 32], &super::key_record()).await;
        assert!(matches!(&outcome, Err(cause) if cause.is_unavailable()), "{outcome:?}");
        proxy.lead_to(promoted.address());
        let swapped = Instant::now();
        while !is_well(&cache).await {
            assert!(swapped.elapsed() < Duration::from_secs(10), "no recovery in time");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        println!("Redis, roles swapped behind one address: every connection is well after {:?}", swapped.elapsed());
    }
}
