//! The state that all requests share. The modules of its fields have the behaviour.

use crate::account_directory::AccountDirectory;
use crate::account_places::AccountPlaces;
use crate::billing_month::BillingMonth;
use crate::cancellations::CancellableCalls;
use crate::config::Config;
use crate::dispatcher::Dispatcher;
use crate::load_shedder::LoadShedder;
use crate::local_rate_limit::LocalRateLimiter;
use crate::metering::Metering;
use crate::parsed_request_cache::ParsedRequestCache;
use crate::result_cache::ResultCache;
use crate::screenshot_rate_limit::ScreenshotRateLimiter;
use crate::settlement::HoldSettler;
use crate::single_flight::SingleFlight;
use crate::unpacked_result::ResultUnpacker;
use crate::usage_recorder::UsageRecorder;
use limner_cache::Cache;
use limner_runtime::http::MemoryBudget;
use limner_screenshot_store::ScreenshotStore;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

/// The state of the gateway.
pub(crate) struct GatewayState {
    pub(crate) config: Config,
    pub(crate) cache: Cache,
    pub(crate) metering: Arc<dyn Metering>,
    pub(crate) dispatcher: Arc<dyn Dispatcher>,
    pub(crate) directory: Arc<AccountDirectory>,
    pub(crate) calendar: Arc<BillingMonth>,
    pub(crate) flights: Arc<SingleFlight>,
    pub(crate) cancellable_calls: CancellableCalls,
    pub(crate) history: UsageRecorder,
    pub(crate) settlement: HoldSettler,
    pub(crate) in_flight: Semaphore,
    pub(crate) places: Arc<AccountPlaces>,
    /// Calls in progress with a static read, and with a browser read.
    pub(crate) static_load: Arc<LoadShedder>,
    pub(crate) browser_load: Arc<LoadShedder>,
    pub(crate) screenshots: Option<ScreenshotStore>,
    pub(crate) screenshot_rate_limiter: ScreenshotRateLimiter,
    /// Memory budget for cached unpacked results and for those being sent to callers.
    pub(crate) memory_budget: MemoryBudget,
    pub(crate) has_browser: Arc<dyn Fn() -> bool + Send + Sync>,
    pub(crate) rate_limiter: LocalRateLimiter,
    pub(crate) unpacker: ResultUnpacker,
    pub(crate) result_cache: ResultCache,
    pub(crate) parsed_requests: ParsedRequestCache,
    /// Calls that outlive their callers, and unsettled holds: a shutdown waits for them.
    pub(crate) tasks: TaskTracker,
}
