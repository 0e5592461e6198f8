//! Places of an account's calls and of a site's reads.

use super::cache;
use futures::future::join_all;
use limner_cache::PlaceTerms;
use std::time::Duration;

const LEASE: Duration = Duration::from_secs(60);

pub(crate) fn terms(places: usize, lease: Duration) -> PlaceTerms {
    PlaceTerms { places, lease, failure_budget: Duration::from_secs(1) }
}

#[tokio::test]
async fn calls_beyond_the_places_of_an_account_wait() {
    let cache = cache().await;
    let names: Vec<String> = (0..40).map(|call| format!("call-{call}")).collect();
    let taken = join_all(names.iter().map(|call| cache.take_place("a", call, terms(5, LEASE)))).await;
    let holders: Vec<&String> =
        names.iter().zip(&taken).filter(|(_, taken)| *taken.as_ref().unwrap()).map(|(call, _)| call).collect();
    assert_eq!(holders.len(), 5);
    assert!(cache.take_place("a", holders[0], terms(5, LEASE)).await.unwrap(), "it has one already");
    assert!(!cache.take_place("a", "next", terms(5, LEASE)).await.unwrap());
    assert!(cache.take_place("b", "next", terms(5, LEASE)).await.unwrap(), "another account is not affected");
    cache.return_place("a", holders[0], Duration::ZERO).await.unwrap();
    cache.return_place("a", "unknown", Duration::ZERO).await.unwrap();
    assert!(cache.take_place("a", "next", terms(5, LEASE)).await.unwrap());
    assert!(!cache.take_place("a", "another", terms(5, LEASE)).await.unwrap());
}

#[tokio::test]
async fn place_that_is_not_returned_is_free_after_its_lease() {
    let cache = cache().await;
    assert!(cache.take_place("a", "dead", terms(1, Duration::from_millis(300))).await.unwrap());
    assert!(!cache.take_place("a", "next", terms(1, LEASE)).await.unwrap());
    let freed = async { while !cache.take_place("a", "next", terms(1, LEASE)).await.unwrap() {} };
    tokio::time::timeout(Duration::from_secs(5), freed).await.expect("the lease ends");
}

#[tokio::test]
async fn throttled_site_has_half_its_places_for_a_while() {
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

#[tokio::test]
async fn account_whose_calls_fail_has_half_its_places() {
    let cache = cache().await;
    let take = async |call: &str| cache.take_place("a", call, terms(4, LEASE)).await.unwrap();
    let fail = async |milliseconds| {
        assert!(take("failing").await);
        cache.return_place("a", "failing", Duration::from_millis(milliseconds)).await.unwrap();
    };
    fail(600).await;
    assert_eq!([take("1").await, take("2").await, take("3").await], [true; 3]);
    fail(500).await;
    assert!(!take("4").await, "three of two places are taken");
    for call in ["1", "2", "3"] {
        cache.return_place("a", call, Duration::ZERO).await.unwrap();
    }
    assert_eq!([take("1").await, take("2").await, take("3").await], [true, true, false]);
    assert!(cache.take_place("b", "1", terms(1, LEASE)).await.unwrap(), "another account is not affected");
}
