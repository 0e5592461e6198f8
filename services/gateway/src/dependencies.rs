//! The gateway's dependencies on the rest of the fleet: production connects to it, tests use fakes.

use crate::account_directory::Invalidation;
use crate::cancellations::Cancellations;
use crate::config::Config;
use crate::dispatcher::{BusDispatcher, Dispatcher};
use crate::error::GatewayError;
use crate::metering::Metering;
use crate::metering_client::GrpcMetering;
use futures::stream::{self, BoxStream, StreamExt};
use limner_bus::Bus;
use limner_cache::Cache;
use limner_runtime::Secret;
use limner_screenshot_store::ScreenshotStore;
use std::sync::Arc;

/// The dependencies.
pub struct Dependencies {
    /// The shared cache.
    pub cache: Cache,
    /// The owner of accounts and credits.
    pub metering: Arc<dyn Metering>,
    /// Dispatches jobs to the workers.
    pub dispatcher: Arc<dyn Dispatcher>,
    /// Returns true if a renderer is available.
    pub has_browser: Arc<dyn Fn() -> bool + Send + Sync>,
    /// The store of screenshots; `None`: the fleet makes none.
    pub screenshots: Option<ScreenshotStore>,
    /// Changes of accounts and keys.
    pub invalidations: BoxStream<'static, Invalidation>,
    /// Calls that are cancelled at other gateways, and the announcement of own cancellations to them.
    pub cancellations: Cancellations,
}

impl Dependencies {
    /// Connects to the fleet.
    ///
    /// # Errors
    /// The URL of metering is invalid, or NATS closed the connection for good.
    pub async fn connect(
        config: &Config,
        cache: Cache,
        bus: Bus,
        screenshots: Option<ScreenshotStore>,
    ) -> Result<Self, GatewayError> {
        let metering = GrpcMetering::new(&config.metering_url, config.metering_token.as_ref().map(Secret::expose))?;
        let changes = bus
            .account_changes()
            .await?
            .map(|change| Invalidation::Account { account_id: change.account_id, key_sha256: change.key_sha256 });
        // Announcements made while the connection was down are lost.
        let connections = bus.connections();
        let reconnections = stream::unfold(connections, |mut connections| async move {
            connections.changed().await.ok()?;
            Some((Invalidation::Everything, connections))
        });
        let has_browser: Arc<dyn Fn() -> bool + Send + Sync> = match config.renderer {
            true => {
                let renderers = bus.renderers().await?;
                Arc::new(move || renderers.any())
            }
            false => Arc::new(|| false),
        };
        let cancellations = Cancellations::connect(&bus).await?;
        let dispatcher = BusDispatcher::new(bus).await?;
        Ok(Self {
            cache,
            metering: Arc::new(metering),
            dispatcher: Arc::new(dispatcher),
            has_browser,
            screenshots,
            invalidations: stream::select(changes, reconnections).boxed(),
            cancellations,
        })
    }
}
