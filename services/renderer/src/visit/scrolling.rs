//! Scrolls through pages whose content may depend on it.

use super::isolated_world::PageWorld;
use super::{EVALUATION_TIMEOUT, POLL, Visit};
use crate::error::VisitError;
use serde::Deserialize;
use std::time::Duration;
use tokio::time::Instant;

/// Time limit for scrolling through a page, and maximum distance.
const SCROLL: Duration = Duration::from_secs(3);
const SCROLL_PIXELS: u32 = 40_000;
/// Maximum time to wait for a page to become stable after it was scrolled through.
const MAX_RESETTLE: Duration = Duration::from_secs(3);

/// The effect of scrolling on a page, by its markup and styles.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ScrollEffect {
    /// None: there is nothing to scroll.
    Never,
    /// Content is loaded or rendered only near the viewport.
    Always,
    /// Only what its scripts do.
    Scripted,
}

impl Visit {
    /// Scrolls through the page once, so that lazy content is loaded. A page that cannot change by that is not scrolled,
    /// except before a screenshot, which decodes images that are out of sight.
    pub(super) async fn scroll_through(&self, world: &PageWorld<'_>, photographed: bool) -> Result<(), VisitError> {
        let time = SCROLL.min(self.read_deadline().saturating_duration_since(Instant::now()));
        if time.is_zero() {
            return Ok(());
        }
        if !photographed && !self.may_change_by_scrolling(world).await {
            metrics::counter!("limner_renderer_unscrolled_pages_total").increment(1);
            return Ok(());
        }
        let scroll = format!("limner.scroll({}, {SCROLL_PIXELS})", time.as_millis());
        // A page that cannot be scrolled is still read.
        let _ = world.ask::<Option<bool>>(&scroll, time + POLL).await;
        self.wait_until_stable(world, MAX_RESETTLE).await
    }

    /// Returns false if neither markup nor styles nor scripts of the page react to scrolling. A page that does not
    /// respond may.
    async fn may_change_by_scrolling(&self, world: &PageWorld<'_>) -> bool {
        match world.ask("limner.scrolling()", EVALUATION_TIMEOUT).await {
            Ok(ScrollEffect::Never) => false,
            Ok(ScrollEffect::Always) | Err(_) => true,
            Ok(ScrollEffect::Scripted) => {
                let question = format!("window[{:?}]?.watches() ?? true", self.guard);
                world.ask_main_world(&question, EVALUATION_TIMEOUT).await.unwrap_or(true)
            }
        }
    }
}
