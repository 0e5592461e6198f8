//! Removal of expired screenshots and bodies of results from the object store. Gateways do it: a fleet always has them, with
//! or without a browser, and they write bodies.

use limner_runtime::periodic;
use limner_screenshot_store::ScreenshotStore;
use std::time::{Duration, Instant, SystemTime};
use tokio_util::sync::CancellationToken;

/// Interval of removals.
const INTERVAL: Duration = Duration::from_secs(3_600);

/// Removes what has expired until `shutdown`. `result_ttl` is the time for which caches refer to a result.
pub(crate) async fn remove_expired_objects(
    shutdown: CancellationToken,
    objects: ScreenshotStore,
    result_ttl: Duration,
) {
    let (began, clock) = (SystemTime::now(), Instant::now());
    periodic::run_every(INTERVAL, &shutdown, "remove_expired_objects", || async {
        // The clock of a directory is that of this machine, which may be set forward meanwhile.
        let now = SystemTime::now().min(began + clock.elapsed());
        objects.delete_expired(now, result_ttl).await.map(drop)
    })
    .await;
}
