//! A running browser and the pages that are open in it.

mod ca_certificates;
mod flags;
mod page_costs;
mod process;
mod supervisor;

pub use process::LaunchError;
pub use supervisor::BrowserPool;

use crate::cdp::{CdpError, Connection, Event, Events, GrantPermissionsParams, Session};
use crate::config::BrowserConfig;
use chromiumoxide_cdp::cdp::browser_protocol::browser::{
    BrowserContextId, GetVersionParams, SetDownloadBehaviorBehavior, SetDownloadBehaviorParams,
};
use chromiumoxide_cdp::cdp::browser_protocol::page::FrameId;
use chromiumoxide_cdp::cdp::browser_protocol::target::{
    AttachToTargetParams, CloseTargetParams, CreateBrowserContextParams, CreateTargetParams,
    DisposeBrowserContextParams, EventTargetCreated, FilterEntry, GetBrowserContextsParams, SetDiscoverTargetsParams,
    TargetFilter,
};
use chromiumoxide_types::Command;
use process::Process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// Time limit for starting a browser; generous because a busy machine is slow.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Time limit for a response of the browser itself, as opposed to a page.
pub(crate) const BROWSER_TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit for returning the number of contexts, which is requested to check that the browser responds. Two timeouts
/// end it, early enough for its pages to be visited again.
const LIVENESS_TIMEOUT: Duration = Duration::from_secs(5);

/// The viewport of every visit.
pub(crate) const VIEWPORT: (u32, u32) = (1440, 900);

/// A running browser process.
pub(crate) struct Browser {
    pub(crate) connection: Connection,
    pub(crate) major_version: String,
    process: Mutex<Option<Process>>,
    started: Instant,
    pages_shown: AtomicUsize,
    open_pages: AtomicUsize,
    /// True after an error that is best resolved by replacing the browser.
    sick: AtomicBool,
}

impl Browser {
    /// Starts a browser and waits until it responds.
    pub(crate) async fn launch(config: &BrowserConfig) -> Result<Arc<Self>, LaunchError> {
        let (config, processor_time) = (config.clone(), config.limits.processor_time);
        let starting = tokio::task::spawn_blocking(move || Process::start(&config)).await;
        let (process, connection, events) = starting.map_err(|panic| LaunchError::System {
            doing: "starting the browser".to_owned(),
            cause: std::io::Error::other(panic),
        })??;
        let version = match connection.call(None, GetVersionParams::default(), START_TIMEOUT).await {
            Ok(version) => version,
            Err(cause) => return Err(LaunchError::Silent { cause: cause.to_string(), log: process.log_tail() }),
        };
        tracing::info!(browser.version = version.product, "browser started");
        let major_version = version.product.split(['/', '.']).nth(1).unwrap_or("0").to_owned();
        let pages_only = FilterEntry { r#type: Some("page".to_owned()), exclude: None };
        let filter = Some(TargetFilter::new([pages_only]));
        connection.send_and_forget(None, SetDiscoverTargetsParams { discover: true, filter }).await;
        tokio::spawn(close_popups(connection.clone(), events));
        let browser = Arc::new(Self {
            connection,
            major_version,
            process: Mutex::new(Some(process)),
            started: Instant::now(),
            pages_shown: AtomicUsize::new(0),
            open_pages: AtomicUsize::new(0),
            sick: AtomicBool::new(false),
        });
        tokio::spawn(page_costs::limit_page_costs(Arc::downgrade(&browser), processor_time));
        Ok(browser)
    }

    /// Opens an empty page in a new context: no cookies, no cache, no permissions, no downloads.
    pub(crate) async fn open_page(self: &Arc<Self>) -> Result<(Page, Events), CdpError> {
        self.pages_shown.fetch_add(1, Ordering::Relaxed);
        let context = CreateBrowserContextParams { dispose_on_detach: Some(false), ..Default::default() };
        let id = self.ask(context).await?.browser_context_id;
        self.open_pages.fetch_add(1, Ordering::Relaxed);
        let context = BrowserContext { browser: Arc::clone(self), id: id.clone(), is_open: true };
        let in_context = Some(id.clone());
        let behavior = SetDownloadBehaviorBehavior::Deny;
        let no_downloads = SetDownloadBehaviorParams {
            browser_context_id: in_context.clone(),
            ..SetDownloadBehaviorParams::new(behavior)
        };
        // Permissions that are not granted here are denied from now on.
        let no_permissions = GrantPermissionsParams { permissions: Vec::new(), browser_context_id: id };
        let (width, height) = (Some(VIEWPORT.0.into()), Some(VIEWPORT.1.into()));
        let blank =
            CreateTargetParams { width, height, browser_context_id: in_context, ..CreateTargetParams::default() };
        // The commands are sent together, and are executed in order.
        let (_, _, created) =
            tokio::try_join!(biased; self.ask(no_downloads), self.ask(no_permissions), self.ask(blank))?;
        let target = created.target_id;
        let main_frame = FrameId::from(String::from(target.clone()));
        let session = self.ask(AttachToTargetParams { target_id: target, flatten: Some(true) }).await?.session_id;
        let (session, events) = self.connection.session(session);
        Ok((Page { session, main_frame, context: Some(context) }, events))
    }

    /// Returns the number of contexts; `None` if the browser does not respond.
    async fn open_contexts(&self) -> Option<usize> {
        let contexts = self.call_with_timeout(GetBrowserContextsParams::default(), LIVENESS_TIMEOUT).await.ok()?;
        Some(contexts.browser_context_ids.len())
    }

    async fn ask<C: Command>(&self, command: C) -> Result<C::Response, CdpError> {
        self.call_with_timeout(command, BROWSER_TIMEOUT).await
    }

    async fn call_with_timeout<C: Command>(&self, command: C, timeout: Duration) -> Result<C::Response, CdpError> {
        let answer = self.connection.call(None, command, timeout).await;
        answer.inspect_err(|cause| {
            if !matches!(cause, CdpError::BrowserGone) {
                self.mark_unhealthy(&cause.to_string());
            }
        })
    }

    fn mark_unhealthy(&self, why: &str) {
        if !self.sick.swap(true, Ordering::Relaxed) {
            tracing::warn!(browser.reason = why, "browser marked for replacement");
        }
    }

    /// Returns the reason why the browser should be replaced, if any.
    fn recycle_reason(&self, config: &BrowserConfig) -> Option<&'static str> {
        let recycle = &config.recycle;
        if self.sick.load(Ordering::Relaxed) {
            return Some("sick");
        }
        if self.pages_shown.load(Ordering::Relaxed) >= recycle.pages {
            return Some("pages");
        }
        if self.started.elapsed() >= recycle.age {
            return Some("age");
        }
        let memory = self.memory();
        metrics::gauge!("limner_renderer_browser_memory_bytes").set(memory as f64);
        (memory >= recycle.memory).then_some("memory")
    }

    /// Ends the browser now, with all open pages.
    async fn end(&self) {
        self.connection.close();
        let process = self.process.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Waits for its end, so it runs on a blocking thread.
        let _ = tokio::task::spawn_blocking(move || drop(process)).await;
    }

    fn memory(&self) -> u64 {
        let process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        process.as_ref().map_or(0, Process::memory)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.connection.close();
        let process = self.process.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Waits for its end, so it runs on a blocking thread.
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(move || drop(process))),
            Err(_) => drop(process),
        }
    }
}

/// Closes all windows that pages open.
async fn close_popups(connection: Connection, mut events: mpsc::Receiver<Event>) {
    while let Some(event) = events.recv().await {
        let Some(EventTargetCreated { target_info }) = event.decode() else { continue };
        if target_info.opener_id.is_some() {
            metrics::counter!("limner_renderer_popups_closed_total").increment(1);
            connection.send_and_forget(None, CloseTargetParams::new(target_info.target_id)).await;
        }
    }
}

/// An open page. Dropping it closes it with its context.
pub(crate) struct Page {
    pub(crate) session: Session,
    /// Id of the main frame, equal to that of the target.
    pub(crate) main_frame: FrameId,
    context: Option<BrowserContext>,
}

impl Page {
    pub(crate) fn major_version(&self) -> &str {
        self.context.as_ref().map_or("0", |context| &context.browser.major_version)
    }

    /// Closes the page and waits for it.
    pub(crate) async fn close(mut self) {
        if let Some(context) = self.context.take() {
            context.dispose().await;
        }
    }
}

/// A browser context: the storage that one page sees.
struct BrowserContext {
    browser: Arc<Browser>,
    id: BrowserContextId,
    is_open: bool,
}

impl BrowserContext {
    async fn dispose(mut self) {
        self.browser.dispose_context(self.id.clone()).await;
        self.is_open = false;
    }
}

impl Browser {
    async fn dispose_context(&self, id: BrowserContextId) {
        let dispose = DisposeBrowserContextParams::new(id);
        match self.connection.call(None, dispose, BROWSER_TIMEOUT).await {
            // The browser rejects the command if the context no longer exists.
            Ok(_) | Err(CdpError::BrowserGone | CdpError::Refused { .. }) => {}
            // A remaining context would be a leak: replace the browser instead.
            Err(cause) => self.mark_unhealthy(&cause.to_string()),
        }
    }
}

impl Drop for BrowserContext {
    fn drop(&mut self) {
        self.browser.open_pages.fetch_sub(1, Ordering::Relaxed);
        if !self.is_open {
            return;
        }
        // Without a runtime the process is shutting down, and the browser with it.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (browser, id) = (Arc::clone(&self.browser), std::mem::take(&mut self.id));
        // Spawn without the context itself: a runtime that is shutting down drops spawned futures at once, which would
        // spawn again.
        runtime.spawn(async move { browser.dispose_context(id).await });
    }
}
