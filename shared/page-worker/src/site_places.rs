//! Politeness to sites: how many pages of one the whole fleet reads at once.

use limner_cache::Cache;
use std::time::Duration;
use tokio::time::Instant;

/// Interval at which a waiting read asks for a place.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Time for which a site that answered that there are too many requests is read half as often.
pub const THROTTLE_TIME: Duration = Duration::from_secs(60);

/// The places of all sites. Without Redis, or with a limit of 0, every read has one.
#[derive(Clone)]
pub struct SitePlaces {
    cache: Cache,
    per_site: usize,
}

/// A place, which is returned when it is dropped.
pub struct SitePlace(Option<Taken>);

struct Taken {
    cache: Cache,
    site: String,
    read: String,
}

impl SitePlaces {
    /// Creates the places. `per_site`: number of pages of a site read at once.
    pub fn new(cache: Cache, per_site: usize) -> Self {
        Self { cache, per_site }
    }

    /// Waits for a place to read a page of `site`, and returns `None` if there is none by `waits_until`. The place of a
    /// process that dies is free again at `ends_by`. `read` identifies the read in the fleet.
    pub async fn acquire(&self, site: &str, read: &str, waits_until: Instant, ends_by: Instant) -> Option<SitePlace> {
        if self.per_site == 0 {
            return Some(SitePlace(None));
        }
        loop {
            let now = Instant::now();
            let lease = ends_by.saturating_duration_since(now);
            match self.cache.take_site_place(site, read, self.per_site, lease).await {
                Ok(true) => {
                    let taken = Taken { cache: self.cache.clone(), site: site.to_owned(), read: read.to_owned() };
                    return Some(SitePlace(Some(taken)));
                }
                Ok(false) if now >= waits_until => return None,
                Ok(false) => tokio::time::sleep_until(waits_until.min(now + POLL_INTERVAL)).await,
                Err(cause) => {
                    tracing::debug!(error = %cause, "places of sites are not counted");
                    return Some(SitePlace(None));
                }
            }
        }
    }

    /// Halves the places of a site for a while.
    pub async fn throttle(&self, site: &str) {
        if let Err(cause) = self.cache.throttle_site(site, THROTTLE_TIME).await {
            tracing::debug!(error = %cause, "a site is not throttled");
        }
    }
}

impl Drop for SitePlace {
    fn drop(&mut self) {
        let (Some(Taken { cache, site, read }), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        runtime.spawn(async move {
            if let Err(cause) = cache.return_site_place(&site, &read).await {
                tracing::debug!(error = %cause, "a place of a site is free when its lease ends");
            }
        });
    }
}
