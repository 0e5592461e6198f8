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
