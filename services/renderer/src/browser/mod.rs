//! A running browser and the pages that are open in it.

mod flags;
mod keeper;
mod process;
mod trust;

pub use keeper::Browsers;
pub use process::LaunchError;

use crate::cdp::{CdpError, Connection, Event, Events, Nothing, Session};
use crate::config::BrowserConfig;
use process::Process;
use serde::Deserialize;
use serde_json::json;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// How long a browser may take to start: a busy machine is slow.
const START_WITHIN: Duration = Duration::from_secs(60);
/// How long an answer of the browser itself, not of a page, may take.
pub(crate) const BROWSER_PATIENCE: Duration = Duration::from_secs(10);
/// How long it may take to say how many contexts there are, which is asked to see whether it answers at all. Two such
/// silences end it, early enough for its pages to be visited again.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);

/// The viewport of every visit.
pub(crate) const VIEWPORT: (u32, u32) = (1440, 900);

/// A browser process that answers.
pub(crate) struct Browser {
    pub(crate) connection: Connection,
    pub(crate) major_version: String,
    process: Mutex<Option<Process>>,
    started: Instant,
    pages_shown: AtomicUsize,
    /// Something did not go as it should: better replaced.
    sick: AtomicBool,
}

#[derive(Deserialize)]
struct Version {
    product: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ContextId {
    browser_context_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ContextIds {
    browser_context_ids: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetId {
    target_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SessionId {
    session_id: String,
}

impl Browser {
    /// Starts a browser and waits until it answers.
    pub(crate) async fn launch(config: &BrowserConfig) -> Result<Arc<Self>, LaunchError> {
        let config = config.clone();
        let starting = tokio::task::spawn_blocking(move || Process::start(&config)).await;
        let (process, connection, events) = starting.map_err(|panic| LaunchError::System {
            doing: "starting the browser".to_owned(),
            cause: std::io::Error::other(panic),
        })??;
        let version: Version = match connection.call(None, "Browser.getVersion", json!({}), START_WITHIN).await {
            Ok(version) => version,
            Err(cause) => return Err(LaunchError::Silent { cause: cause.to_string(), log: process.last_words() }),
        };
        tracing::info!(browser = version.product, "browser started");
        let major_version = version.product.split(['/', '.']).nth(1).unwrap_or("0").to_owned();
        let pages_only = json!({"discover": true, "filter": [{"type": "page"}]});
        connection.tell(None, "Target.setDiscoverTargets", pages_only).await;
        tokio::spawn(refuse_popups(connection.clone(), events));
        Ok(Arc::new(Self {
            connection,
            major_version,
            process: Mutex::new(Some(process)),
            started: Instant::now(),
            pages_shown: AtomicUsize::new(0),
            sick: AtomicBool::new(false),
        }))
    }

    /// Opens an empty page in a context of its own: no cookies, no cache, no permissions, no downloads.
    pub(crate) async fn open_page(self: &Arc<Self>) -> Result<(Page, Events), CdpError> {
        self.pages_shown.fetch_add(1, Ordering::Relaxed);
        let context = self.ask::<ContextId>("Target.createBrowserContext", json!({"disposeOnDetach": false})).await?;
        let context = Context { browser: Arc::clone(self), id: context.browser_context_id, is_open: true };
        let in_context = json!({"browserContextId": context.id});
        let no_downloads = json!({"behavior": "deny", "browserContextId": context.id});
        self.ask::<Nothing>("Browser.setDownloadBehavior", no_downloads).await?;
        // What is not granted here is denied from now on.
        let no_permissions = json!({"permissions": [], "browserContextId": context.id});
        self.ask::<Nothing>("Browser.grantPermissions", no_permissions).await?;
        let mut blank = in_context;
        blank["url"] = json!("about:blank");
        (blank["width"], blank["height"]) = (json!(VIEWPORT.0), json!(VIEWPORT.1));
        let target = self.ask::<TargetId>("Target.createTarget", blank).await?.target_id;
        let attach = json!({"targetId": target, "flatten": true});
        let session = self.ask::<SessionId>("Target.attachToTarget", attach).await?.session_id;
        let (session, events) = self.connection.session(&session);
        Ok((Page { session, main_frame: target, context: Some(context) }, events))
    }

    /// How many contexts it holds; `None`: it does not say.
    async fn open_contexts(&self) -> Option<usize> {
        let contexts =
            self.ask_within::<ContextIds>("Target.getBrowserContexts", json!({}), SIGN_OF_LIFE).await.ok()?;
        Some(contexts.browser_context_ids.len())
    }

    async fn ask<T: serde::de::DeserializeOwned>(
        &self,
        method: &'static str,
        params: serde_json::Value,
    ) -> Result<T, CdpError> {
        self.ask_within(method, params, BROWSER_PATIENCE).await
    }

    async fn ask_within<T: serde::de::DeserializeOwned>(
        &self,
        method: &'static str,
        params: serde_json::Value,
        patience: Duration,
    ) -> Result<T, CdpError> {
        let answer = self.connection.call(None, method, params, patience).await;
        answer.inspect_err(|cause| {
            if !matches!(cause, CdpError::Gone) {
                self.mark_sick(&cause.to_string());
            }
        })
    }

    fn mark_sick(&self, why: &str) {
        if !self.sick.swap(true, Ordering::Relaxed) {
            tracing::warn!(why, "a browser is to be replaced");
        }
    }

    /// Why it should be replaced, if it should.
    fn is_due(&self, config: &BrowserConfig) -> Option<&'static str> {
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

    /// Ends it now, whatever pages are open.
    async fn end(&self) {
        self.connection.close();
        let process = self.process.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Its end is waited for, which is not for the threads that serve everybody.
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
        // Its end is waited for, which is not for the threads that serve everybody.
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(move || drop(process))),
            Err(_) => drop(process),
        }
    }
}

/// Closes whatever pages open.
async fn refuse_popups(connection: Connection, mut events: mpsc::Receiver<Event>) {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Created {
        target_info: TargetInfo,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct TargetInfo {
        target_id: String,
        opener_id: Option<String>,
    }
    while let Some(event) = events.recv().await {
        if event.method != "Target.targetCreated" {
            continue;
        }
        let Some(Created { target_info }) = event.read() else { continue };
        if target_info.opener_id.is_some() {
            metrics::counter!("limner_renderer_popups_closed_total").increment(1);
            connection.tell(None, "Target.closeTarget", json!({"targetId": target_info.target_id})).await;
        }
    }
}

/// An open page. Closed, with all that belongs to it, on drop.
pub(crate) struct Page {
    pub(crate) session: Session,
    /// The id of its main frame, which is that of its target.
    pub(crate) main_frame: String,
    context: Option<Context>,
}

impl Page {
    pub(crate) fn major_version(&self) -> &str {
        self.context.as_ref().map_or("0", |context| &context.browser.major_version)
    }

    /// Closes the page and waits until it is gone.
    pub(crate) async fn close(mut self) {
        if let Some(context) = self.context.take() {
            context.dispose().await;
        }
    }
}

/// A browser context: what one page can see and leave behind.
struct Context {
    browser: Arc<Browser>,
    id: String,
    is_open: bool,
}

impl Context {
    async fn dispose(mut self) {
        self.browser.dispose_context(&self.id).await;
        self.is_open = false;
    }
}

impl Browser {
    async fn dispose_context(&self, id: &str) {
        let context = json!({"browserContextId": id});
        let disposed = self.connection.call::<Nothing>(None, "Target.disposeBrowserContext", context, BROWSER_PATIENCE);
        match disposed.await {
            // Refused: it is not there any more.
            Ok(_) | Err(CdpError::Gone | CdpError::Refused { .. }) => {}
            // A context that stays would be a leak: the browser goes instead.
            Err(cause) => self.mark_sick(&cause.to_string()),
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if !self.is_open {
            return;
        }
        // Without a runtime the process is ending, and the browser with it.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (browser, id) = (Arc::clone(&self.browser), std::mem::take(&mut self.id));
        // Not the context itself: a runtime that is ending drops what is spawned at once, which would spawn it again.
        runtime.spawn(async move { browser.dispose_context(&id).await });
    }
}
