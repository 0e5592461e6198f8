//! What happens while a page is visited: requests that have to be answered for it, and what the network saw.

use super::network::{Log, MainResponse};
use crate::cdp::{Event, Events, Session};
use limner_netguard::Credentials;
use limner_page::media_type::MediaType;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use url::Url;

/// The life of a page as far as its visitor cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Life {
    /// Its document is being loaded.
    Loading,
    /// The load event was fired.
    Loaded,
    /// Its process died.
    Crashed,
    /// The browser is gone, or the page sent more events than anybody could handle.
    Gone,
}

/// Watches over one page until it is dropped.
pub(super) struct Observer {
    log: Arc<Mutex<Log>>,
    life: watch::Receiver<Life>,
    watching: AbortHandle,
}

/// What the watcher needs to know.
pub(super) struct Rules {
    pub(super) main_frame: String,
    pub(super) credentials: Credentials,
    /// Frames are only worth their cost when somebody looks at the page.
    pub(super) frames: bool,
}

impl Observer {
    pub(super) fn start(session: Session, events: Events, rules: Rules) -> Self {
        let log = Arc::new(Mutex::new(Log::new()));
        let (says, life) = watch::channel(Life::Loading);
        let watcher = Watcher { session, rules, log: Arc::clone(&log), life: says };
        let watching = tokio::spawn(watcher.watch(events)).abort_handle();
        Self { log, life, watching }
    }

    pub(super) fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn life(&self) -> Life {
        *self.life.borrow()
    }

    /// Waits until the page's life is as wanted.
    pub(super) async fn until(&self, wanted: impl Fn(Life) -> bool) -> Life {
        let mut life = self.life.clone();
        life.wait_for(|life| wanted(*life)).await.map_or(Life::Gone, |life| *life)
    }
}

impl Drop for Observer {
    fn drop(&mut self) {
        self.watching.abort();
    }
}

struct Watcher {
    session: Session,
    rules: Rules,
    log: Arc<Mutex<Log>>,
    life: watch::Sender<Life>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Paused {
    request_id: String,
    frame_id: String,
    resource_type: String,
    request: PausedRequest,
    #[serde(default)]
    response_headers: Vec<Header>,
}

#[derive(Deserialize)]
struct PausedRequest {
    url: String,
}

#[derive(Deserialize)]
struct Header {
    name: String,
    value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AuthRequired {
    request_id: String,
    auth_challenge: AuthChallenge,
}

#[derive(Deserialize)]
struct AuthChallenge {
    #[serde(default)]
    source: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WillBeSent {
    request_id: String,
    #[serde(default)]
    loader_id: String,
    #[serde(default)]
    frame_id: String,
    #[serde(default, rename = "type")]
    kind: String,
    request: PausedRequest,
    redirect_response: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Received {
    request_id: String,
    #[serde(default)]
    frame_id: String,
    #[serde(default, rename = "type")]
    kind: String,
    response: Response,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    url: String,
    status: u16,
    mime_type: String,
    #[serde(default)]
    headers: HashMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Finished {
    request_id: String,
    #[serde(default)]
    error_text: String,
}

#[derive(Deserialize)]
struct Dialog {
    #[serde(rename = "type")]
    kind: String,
}

impl Watcher {
    async fn watch(self, mut events: Events) {
        while let Some(event) = events.next().await {
            self.handle(&event).await;
        }
        if *self.life.borrow() != Life::Crashed {
            self.life.send_replace(Life::Gone);
        }
    }

    async fn handle(&self, event: &Event) {
        match event.method.as_str() {
            "Fetch.requestPaused" => {
                if let Some(paused) = event.read() {
                    self.let_through_or_not(paused).await;
                }
            }
            "Fetch.authRequired" => {
                if let Some(required) = event.read() {
                    self.show_pass(required).await;
                }
            }
            "Page.javascriptDialogOpening" => {
                // "Leave this page?" is answered with yes, everything else with no.
                let accept = event.read::<Dialog>().is_some_and(|dialog| dialog.kind == "beforeunload");
                self.session.tell("Page.handleJavaScriptDialog", json!({"accept": accept})).await;
            }
            "Page.loadEventFired" => {
                self.life.send_if_modified(|life| {
                    let first = *life == Life::Loading;
                    *life = if first { Life::Loaded } else { *life };
                    first
                });
            }
            "Inspector.targetCrashed" => {
                self.life.send_replace(Life::Crashed);
            }
            _ => self.note(event),
        }
    }

    async fn let_through_or_not(&self, paused: Paused) {
        let request = json!({"requestId": paused.request_id});
        let is_frame = paused.resource_type == "Document" && paused.frame_id != self.rules.main_frame;
        let is_type = |header: &&Header| header.name.eq_ignore_ascii_case("content-type");
        let media_type = paused.response_headers.iter().find(is_type).map_or("", |header| header.value.as_str());
        let is_media = paused.resource_type == "Media" && !is_text_track(&paused.request.url, media_type);
        if is_media {
            // Paused with its response: what it is, is known by now, and no more of it is wanted.
            self.log().see(&paused.request.url, media_type);
        }
        if is_media || (is_frame && !self.rules.frames) {
            let mut refused = request;
            refused["errorReason"] = json!("BlockedByClient");
            self.session.tell("Fetch.failRequest", refused).await;
        } else {
            self.session.tell("Fetch.continueRequest", request).await;
        }
    }

    async fn show_pass(&self, required: AuthRequired) {
        let response = if required.auth_challenge.source == "Proxy" {
            let pass = &self.rules.credentials;
            json!({"response": "ProvideCredentials", "username": pass.username, "password": pass.password})
        } else {
            // The page of a site that wants a password is the one that says so.
            json!({"response": "CancelAuth"})
        };
        let answer = json!({"requestId": required.request_id, "authChallengeResponse": response});
        self.session.tell("Fetch.continueWithAuth", answer).await;
    }

    fn note(&self, event: &Event) {
        match event.method.as_str() {
            "Network.requestWillBeSent" => {
                let Some(sent) = event.read::<WillBeSent>() else { return };
                let is_document = sent.kind == "Document" && sent.request_id == sent.loader_id;
                let redirected = sent.redirect_response.is_some();
                self.log().sent(&sent.request_id, &sent.request.url, &sent.kind, redirected);
                if is_document && sent.frame_id == self.rules.main_frame {
                    self.log().main_sent(&sent.request_id, &sent.request.url);
                }
            }
            "Network.responseReceived" => {
                let Some(Received { request_id, frame_id, kind, response }) = event.read() else { return };
                let mut log = self.log();
                log.received(&request_id, &kind, &response.url, response.status, &response.mime_type);
                if kind == "Document" && frame_id == self.rules.main_frame {
                    let Response { url, status, mime_type, headers } = response;
                    log.main_received(MainResponse { request_id, url, status, mime_type, headers });
                }
            }
            "Network.loadingFinished" => {
                if let Some(Finished { request_id, .. }) = event.read() {
                    self.log().ended(&request_id, None);
                }
            }
            "Network.loadingFailed" => {
                if let Some(Finished { request_id, error_text }) = event.read() {
                    self.log().ended(&request_id, Some(&error_text));
                }
            }
            _ => {}
        }
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Subtitles and chapters, which the browser calls media too. Players show what they find in them.
fn is_text_track(url: &str, media_type: &str) -> bool {
    let is_named_so = || Url::parse(url).is_ok_and(|url| url.path().to_ascii_lowercase().ends_with(".vtt"));
    MediaType::parse(media_type).essence == "text/vtt" || is_named_so()
}
