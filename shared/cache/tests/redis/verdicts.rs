//! Cached failures.

use crate::cache;
use bytes::Bytes;
use std::time::Duration;

#[tokio::test]
async fn verdict_is_found_by_its_key_until_its_life_ends() {
    let cache = cache().await;
    assert_eq!(cache.get_verdict("k").await.unwrap(), None);
    cache.put_verdict("k", Bytes::from_static(b"too slow"), Duration::from_millis(300)).await.unwrap();
    assert_eq!(cache.get_verdict("k").await.unwrap().unwrap(), "too slow");
    assert_eq!(cache.get_verdict("other").await.unwrap(), None);
    let gone = async { while cache.get_verdict("k").await.unwrap().is_some() {} };
    tokio::time::timeout(Duration::from_secs(5), gone).await.unwrap();
}

#[tokio::test]
async fn broken_extractions_are_counted_by_job_until_their_life_ends() {
    let cache = cache().await;
    assert_eq!(cache.broken_extractions("req_1").await.unwrap(), 0);
    cache.put_broken_extractions("req_1", 2, Duration::from_millis(300)).await.unwrap();
    assert_eq!(cache.broken_extractions("req_1").await.unwrap(), 2);
    assert_eq!(cache.broken_extractions("req_2").await.unwrap(), 0);
    assert_eq!(cache.get_verdict("req_1").await.unwrap(), None, "the number is no failure");
    let gone = async { while cache.broken_extractions("req_1").await.unwrap() != 0 {} };
    tokio::time::timeout(Duration::from_secs(5), gone).await.unwrap();
}
