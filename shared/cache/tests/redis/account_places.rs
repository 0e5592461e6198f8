//! Places of an account's calls and of a site's reads.

use super::cache;
use futures::future::join_all;
use std::time::Duration;

const LEASE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn as_many_calls_have_a_place_as_there_are() {
    let cache = cache().await;
    let names: Vec<String> = (0..40).map(|call| format!("call-{call}")).collect();
    let taken = join_all(names.iter().map(|call| cache.take_place("a", call, 5, LEASE))).await;
    let holders: Vec<&String> =
        names.iter().zip(&taken).filter(|(_, taken)| *taken.as_ref().unwrap()).map(|(call, _)| call).collect();
    assert_eq!(holders.len(), 5);
    assert!(cache.take_place("a", holders[0], 5, LEASE).await.unwrap(), "it has one already");
    assert!(!cache.take_place("a", "next", 5, LEASE).await.unwrap());
    assert!(cache.take_place("b", "next", 5, LEASE).await.unwrap(), "another account is not affected");
    cache.return_place("a", holders[0]).await.unwrap();
    cache.return_place("a", "unknown").await.unwrap();
    assert!(cache.take_place("a", "next", 5, LEASE).await.unwrap());
    assert!(!cache.take_place("a", "another", 5, LEASE).await.unwrap());
}

#[tokio::test]
async fn a_place_that_is_not_returned_is_free_after_its_lease() {
    let cache = cache().await;
    assert!(cache.take_place("a", "dead", 1, Duration::from_millis(300)).await.unwrap());
    assert!(!cache.take_place("a", "next", 1, LEASE).await.unwrap());
    let freed = async { while !cache.take_place("a", "next", 1, LEASE).await.unwrap() {} };
    tokio::time::timeout(Duration::from_secs(5), freed).await.expect("the lease ends");
}

#[tokio::test]
async fn a_throttled_site_has_half_its_places_for_a_while() {
    let cache = cache().await;
    let take = async |read: &str| cache.take_site_place("a.test", read, 4, LEASE).await.unwrap();
    cache.throttle_site("a.test", Duration::from_millis(500)).await.unwrap();
    assert_eq!([take("1").await, take("2").await, take("3").await], [true, true, false]);
    assert!(cache.take_site_place("b.test", "1", 1, LEASE).await.unwrap(), "another site is not affected");
    let recovered = async { while !take("3").await {} };
    tokio::time::timeout(Duration::from_secs(5), recovered).await.expect("the throttle ends");
    assert!(take("4").await);
    assert!(!take("5").await);
    cache.return_site_place("a.test", "1").await.unwrap();
    assert!(take("5").await);
}
