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

/// Returns the refusal of a read once there is one that has the code.
async fn refusal(cache: &Cache, code: &str) -> CacheError {
    let reading = async {
        loop {
            match cache.get_key([3; 32]).await {
                Err(cause) if cause.to_string().contains(code) => return cause,
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), reading).await.unwrap_or_else(|_| panic!("no {code} in time"))
}

/// Reads on every connection until all reads succeed. Reads only: a refused write would be another reason to leave.
async fn time_to_reads(cache: &Cache) -> Duration {
    let began = Instant::now();
    loop {
        let mut all_read = true;
        for _ in 0..CONNECTIONS {
            all_read &= cache.get_key([3; 32]).await.is_ok();
        }
        if all_read {
            return began.elapsed();
        }
        assert!(began.elapsed() < Duration::from_secs(10), "no recovery in time");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn connect_through(proxy: &TcpProxy, server: &Redis) -> Cache {
    let url = server.url().replace(&server.address().to_string(), &proxy.address().to_string());
    Cache::connect(CacheConfig { url, connections: CONNECTIONS, ..CacheConfig::default() }).await.unwrap()
}

#[tokio::test]
async fn server_that_loads_its_data_is_left_while_it_does() {
    let primary = Redis::temporary().await.unwrap();
    primary.fill(6_000).await.unwrap();
    let restarted = Redis::temporary_replica(&primary).await.unwrap();
    restarted.promote().await.unwrap();
    restarted.load_slowly(Duration::from_millis(5)).await.unwrap();
    let proxy = TcpProxy::start(restarted.address());
    let cache = connect_through(&proxy, &restarted).await;
    assert_all_well(&cache).await;
    // It gets all data anew, which takes half a minute.
    primary.fill(6_001).await.unwrap();
    restarted.follow(&primary).await.unwrap();
    let cause = refusal(&cache, "LOADING").await;
    assert!(cause.is_unavailable(), "{cause}");
    proxy.lead_to(primary.address());
    let took = time_to_reads(&cache).await;
    assert!(restarted.is_loading().await.unwrap(), "it answers by itself");
    println!("Redis, a server that loads its data behind one address: every connection reads after {took:?}");
}

#[tokio::test]
async fn replica_without_its_primary_is_left() {
    let mut lost = Redis::temporary().await.unwrap();
    let replica = Redis::temporary_replica(&lost).await.unwrap();
    let promoted = Redis::temporary_replica(&lost).await.unwrap();
    promoted.promote().await.unwrap();
    replica.refuse_stale_data().await.unwrap();
    let proxy = TcpProxy::start(replica.address());
    let cache = connect_through(&proxy, &replica).await;
    cache.get_key([3; 32]).await.unwrap();
    lost.kill();
    let cause = refusal(&cache, "MASTERDOWN").await;
    assert!(cause.is_unavailable(), "{cause}");
    proxy.lead_to(promoted.address());
    let took = time_to_reads(&cache).await;
    println!("Redis, a replica without its primary behind one address: every connection reads after {took:?}");
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
