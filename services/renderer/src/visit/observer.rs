//! Observes a page during a visit: answers its paused requests and dialogs, and logs its network activity.

use super::network::{MainResponse, NetworkLog};
use crate::cdp::{Event, Events, Session};
use chromiumoxide_cdp::cdp::browser_protocol::fetch::{
    AuthChallengeResponse, AuthChallengeResponseResponse, AuthChallengeSource, ContinueRequestParams,
    ContinueWithAuthParams, EventAuthRequired, EventRequestPaused, FailRequestParams,
};
use chromiumoxide_cdp::cdp::browser_protocol::inspector::EventTargetCrashed;
use chromiumoxide_cdp::cdp::browser_protocol::network::{
    ErrorReason, EventDataReceived, EventLoadingFailed, EventLoadingFinished, EventRequestWillBeSent,
    EventResponseReceived, ResourceType,
};
use chromiumoxide_cdp::cdp::browser_protocol::page::{
    DialogType, EventJavascriptDialogOpening, EventLoadEventFired, FrameId, HandleJavaScriptDialogParams,
};
use limner_netguard::Credentials;
use limner_page::media_type::MediaType;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use url::Url;

/// The state of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageState {
    /// Its document is being loaded.
    Loading,
    /// The load event has fired.
    Loaded,
    /// Its document is larger than pages may be.
    TooLarge,
    /// Its process died, or it caused more events than a page may, or faster than they were handled.
    Crashed,
    /// The browser is gone.
    Disconnected,
}

impl PageState {
    /// Returns true if the visit cannot go on.
    pub(super) fn is_end(self) -> bool {
        !matches!(self, Self::Loading | Self::Loaded)
    }
}

/// Observes one page until it is dropped.
pub(super) struct Observer {
    log: Arc<Mutex<NetworkLog>>,
    state: watch::Receiver<PageState>,
    watching: AbortHandle,
}

/// Parameters of the observation.
pub(super) struct InterceptRules {
    pub(super) main_frame: FrameId,
    pub(super) credentials: Credentials,
    /// Frames are only worth their cost for a screenshot.
    pub(super) frames: bool,
    /// Maximum number of events of the page.
    pub(super) max_events: usize,
    /// Maximum size of the document after decompression.
    pub(super) max_document_bytes: usize,
}

impl Observer {
    pub(super) fn start(session: Session, events: Events, rules: InterceptRules) -> Self {
        let log = Arc::new(Mutex::new(NetworkLog::new()));
        let (says, state) = watch::channel(PageState::Loading);
        let watcher = NetworkWatcher { session, rules, log: Arc::clone(&log), state: says };
        let watching = tokio::spawn(watcher.watch(events)).abort_handle();
        Self { log, state, watching }
    }

    pub(super) fn log(&self) -> MutexGuard<'_, NetworkLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn state(&self) -> PageState {
        *self.state.borrow()
    }

    /// Waits until the page's state satisfies `wanted`.
    pub(super) async fn wait_for_state(&self, wanted: impl Fn(PageState) -> bool) -> PageState {
        let mut life = self.state.clone();
        life.wait_for(|life| wanted(*life)).await.map_or(PageState::Disconnected, |life| *life)
    }
}

impl Drop for Observer {
    fn drop(&mut self) {
        self.watching.abort();
    }
}

struct NetworkWatcher {
    session: Session,
    rules: InterceptRules,
    log: Arc<Mutex<NetworkLog>>,
    state: watch::Sender<PageState>,
}

impl NetworkWatcher {
    async fn watch(self, mut events: Events) {
        let mut left = self.rules.max_events;
        while left > 0
            && let Some(event) = events.next().await
        {
            left -= 1;
            self.handle(&event).await;
        }
        // Another browser would see the same flood.
        let is_gone = left > 0 && self.session.has_no_browser();
        self.end(if is_gone { PageState::Disconnected } else { PageState::Crashed });
    }

    /// Ends the visit. The first reason stays.
    fn end(&self, reason: PageState) {
        self.state.send_if_modified(|life| {
            let goes_on = !life.is_end();
            if goes_on {
                *life = reason;
            }
            goes_on
        });
    }

    /// Handles an event. Irrelevant and unknown events are skipped by their name.
    async fn handle(&self, event: &Event) {
        if let Some(paused) = event.decode() {
            self.continue_or_block(paused).await;
        } else if let Some(required) = event.decode() {
            self.show_pass(required).await;
        } else if let Some(EventJavascriptDialogOpening { r#type, .. }) = event.decode() {
            // `beforeunload` dialogs are accepted, all others dismissed.
            let accept = r#type == DialogType::Beforeunload;
            self.session.send_and_forget(HandleJavaScriptDialogParams::new(accept)).await;
        } else if let Some(EventLoadEventFired { .. }) = event.decode() {
            self.state.send_if_modified(|life| {
                let first = *life == PageState::Loading;
                *life = if first { PageState::Loaded } else { *life };
                first
            });
        } else if let Some(EventTargetCrashed {}) = event.decode() {
            self.end(PageState::Crashed);
        } else {
            self.record(event);
        }
    }

    async fn continue_or_block(&self, paused: EventRequestPaused) {
        let EventRequestPaused { request_id, request, frame_id, resource_type, response_headers, .. } = paused;
        let is_frame = resource_type == ResourceType::Document && frame_id != self.rules.main_frame;
        let headers = response_headers.unwrap_or_default();
        let header = headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-type"));
        let media_type = header.map_or("", |header| header.value.as_str());
        let is_media = resource_type == ResourceType::Media && !is_text_track(&request.url, media_type);
        if is_media {
            // Paused at the response: its type is known by now, and its body is not needed.
            self.log().record_response(&request.url, media_type);
        }
        if is_media || (is_frame && !self.rules.frames) {
            self.session.send_and_forget(FailRequestParams::new(request_id, ErrorReason::BlockedByClient)).await;
        } else {
            self.session.send_and_forget(ContinueRequestParams::new(request_id)).await;
        }
    }

    async fn show_pass(&self, required: EventAuthRequired) {
        let response = if required.auth_challenge.source == Some(AuthChallengeSource::Proxy) {
            let Credentials { username, password } = self.rules.credentials.clone();
            AuthChallengeResponse {
                response: AuthChallengeResponseResponse::ProvideCredentials,
                username: Some(username),
                password: Some(password),
            }
        } else {
            // The site's own page then reports that a password is required.
            AuthChallengeResponse::new(AuthChallengeResponseResponse::CancelAuth)
        };
        self.session.send_and_forget(ContinueWithAuthParams::new(required.request_id, response)).await;
    }

    fn record(&self, event: &Event) {
        if let Some(sent) = event.decode() {
            self.record_request(sent);
        } else if let Some(received) = event.decode() {
            self.record_response(received);
        } else if let Some(EventDataReceived { request_id, data_length, .. }) = event.decode() {
            let bytes = self.log().count_bytes(&request_id, usize::try_from(data_length).unwrap_or(0));
            if bytes > self.rules.max_document_bytes {
                // Laying out such a document would take the browser all of its time.
                self.end(PageState::TooLarge);
            }
        } else if let Some(EventLoadingFinished { request_id, .. }) = event.decode() {
            self.log().record_end(&request_id, None);
        } else if let Some(EventLoadingFailed { request_id, error_text, .. }) = event.decode() {
            self.log().record_end(&request_id, Some(&error_text));
        }
    }

    fn record_request(&self, sent: EventRequestWillBeSent) {
        let EventRequestWillBeSent { request_id, loader_id, request, redirect_response, r#type, frame_id, .. } = sent;
        let kind = r#type.unwrap_or(ResourceType::Other);
        let is_document = kind == ResourceType::Document && request_id.inner() == loader_id.inner();
        let mut log = self.log();
        log.sent(&request_id, &request.url, &kind, redirect_response.is_some());
        if is_document && frame_id.as_ref() == Some(&self.rules.main_frame) {
            log.main_sent(&request_id, &request.url);
        }
    }

    fn record_response(&self, received: EventResponseReceived) {
        let EventResponseReceived { request_id, frame_id, r#type: kind, response, .. } = received;
        let mut log = self.log();
        log.received(&request_id, &kind, &response);
        if kind == ResourceType::Document && frame_id.as_ref() == Some(&self.rules.main_frame) {
            log.main_received(MainResponse::new(request_id, response));
        }
    }

    fn log(&self) -> MutexGuard<'_, NetworkLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns true for subtitles and chapters, which the browser also classifies as media. Players show their content.
fn is_text_track(url: &str, media_type: &str) -> bool {
    let is_named_so = || Url::parse(url).is_ok_and(|url| url.path().to_ascii_lowercase().ends_with(".vtt"));
    MediaType::parse(media_type).essence == "text/vtt" || is_named_so()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cdp::fake_browser::FakeBrowser;
    use chromiumoxide_cdp::cdp::browser_protocol::target::SessionId;
    use serde_json::{Value, json};

    fn observed() -> (FakeBrowser, Observer) {
        let (puppet, connection) = FakeBrowser::new();
        let (session, events) = connection.session(SessionId::new("s"));
        let credentials = Credentials { username: "pass".to_owned(), password: "signature".to_owned() };
        let rules = InterceptRules {
            main_frame: FrameId::new("main"),
            credentials,
            frames: false,
            max_events: 100,
            max_document_bytes: 1_000,
        };
        (puppet, Observer::start(session, events, rules))
    }

    fn event(method: &str, params: Value) -> Value {
        json!({"method": method, "sessionId": "s", "params": params})
    }

    fn request(url: &str) -> Value {
        json!({"url": url, "method": "GET", "headers": {}, "initialPriority": "High", "referrerPolicy": "no-referrer"})
    }

    fn paused(kind: &str, frame: &str, content_type: &str) -> Value {
        let headers = json!([{"name": "Content-Type", "value": content_type}]);
        event(
            "Fetch.requestPaused",
            json!({"requestId": "1", "frameId": frame, "resourceType": kind, "request": request("http://a.test/x"),
                "responseHeaders": headers}),
        )
    }

    fn challenged(source: &str) -> Value {
        let challenge = json!({"source": source, "origin": "http://a.test", "scheme": "basic", "realm": ""});
        event(
            "Fetch.authRequired",
            json!({"requestId": "1", "frameId": "main", "resourceType": "Document", "request": request("http://a.test/"),
                "authChallenge": challenge}),
        )
    }

    fn dialog_event(kind: &str) -> Value {
        let params = json!({"url": "http://a.test/", "frameId": "main", "message": "", "type": kind, "hasBrowserHandler": false});
        event("Page.javascriptDialogOpening", params)
    }

    #[tokio::test]
    async fn paused_requests_and_dialogs_are_answered() {
        let (go_on, refuse) = ("Fetch.continueRequest", "Fetch.failRequest");
        let refused = json!({"requestId": "1", "errorReason": "BlockedByClient"});
        let answered = |response| json!({"requestId": "1", "authChallengeResponse": response});
        let pass = json!({"response": "ProvideCredentials", "username": "pass", "password": "signature"});
        let (mut puppet, _observer) = observed();
        for (asked, method, params) in [
            (paused("Document", "main", "text/html"), go_on, json!({"requestId": "1"})),
            (paused("Document", "a frame", "text/html"), refuse, refused.clone()),
            (paused("Media", "main", "video/mp4"), refuse, refused),
            (paused("Media", "main", "text/vtt"), go_on, json!({"requestId": "1"})),
            (challenged("Proxy"), "Fetch.continueWithAuth", answered(pass)),
            (challenged("Server"), "Fetch.continueWithAuth", answered(json!({"response": "CancelAuth"}))),
            (dialog_event("beforeunload"), "Page.handleJavaScriptDialog", json!({"accept": true})),
            (dialog_event("confirm"), "Page.handleJavaScriptDialog", json!({"accept": false})),
        ] {
            puppet.reply(&asked).await;
            let answer = puppet.receive().await;
            assert_eq!((&answer["method"], &answer["params"]), (&json!(method), &params), "{asked}");
            assert_eq!(answer["sessionId"], "s");
        }
    }

    #[tokio::test]
    async fn crash_is_reported_at_once_and_irrelevant_events_are_skipped() {
        let (mut puppet, observer) = observed();
        puppet.reply(&event("Page.brandNew", json!({"anything": []}))).await;
        puppet.reply(&event("Page.loadEventFired", json!({"timestamp": 1.5}))).await;
        assert_eq!(observer.wait_for_state(|life| life != PageState::Loading).await, PageState::Loaded);
        puppet.reply(&event("Inspector.targetCrashed", json!({}))).await;
        assert_eq!(observer.wait_for_state(|life| life != PageState::Loaded).await, PageState::Crashed);
        drop(puppet);
    }

    #[tokio::test]
    async fn flood_of_events_is_a_crash_and_the_end_of_the_browser_is_none() {
        for (events, state) in [(100, PageState::Crashed), (99, PageState::Disconnected)] {
            let (mut puppet, observer) = observed();
            for _ in 0..events {
                puppet
                    .reply(&event("Page.navigatedWithinDocument", json!({"frameId": "main", "url": "http://a.test/"})))
                    .await;
            }
            drop(puppet);
            assert_eq!(observer.wait_for_state(|life| life != PageState::Loading).await, state);
        }
    }

    #[tokio::test]
    async fn document_that_is_too_large_ends_the_visit() {
        let (mut puppet, observer) = observed();
        let document = |method: &str, params: Value| {
            let mut params = params;
            for (name, value) in [("requestId", "1"), ("loaderId", "1"), ("frameId", "main"), ("type", "Document")] {
                params[name] = json!(value);
            }
            params["timestamp"] = json!(1);
            event(method, params)
        };
        let url = "http://a.test/";
        let sent = json!({"documentURL": url, "request": request(url), "wallTime": 1, "initiator": {"type": "other"},
            "redirectHasExtraInfo": false});
        let response = json!({"url": url, "status": 200, "statusText": "", "headers": {}, "mimeType": "text/html",
            "charset": "", "connectionReused": false, "connectionId": 0, "encodedDataLength": 0, "securityState": "insecure"});
        puppet.reply(&document("Network.requestWillBeSent", sent)).await;
        puppet.reply(&document("Network.responseReceived", json!({"hasExtraInfo": false, "response": response}))).await;
        for state in [PageState::Loaded, PageState::TooLarge] {
            let data = json!({"dataLength": 900, "encodedDataLength": 90});
            puppet.reply(&document("Network.dataReceived", data)).await;
            puppet.reply(&event("Page.loadEventFired", json!({"timestamp": 1}))).await;
            assert_eq!(observer.wait_for_state(|life| life == state).await, state);
        }
        puppet.reply(&event("Inspector.targetCrashed", json!({}))).await;
        drop(puppet);
        // Ends with the events, at the latest.
        observer.wait_for_state(|life| life == PageState::Crashed).await;
        assert_eq!(observer.state(), PageState::TooLarge, "the first reason stays");
    }

    #[tokio::test]
    async fn main_document_is_distinguished_from_frames() {
        let (mut puppet, observer) = observed();
        for (id, frame) in [("1", "main"), ("2", "a frame")] {
            let url = format!("http://{id}.test/");
            let sent = json!({
                "requestId": id, "loaderId": id, "documentURL": url, "request": request(&url), "timestamp": 1, "wallTime": 1,
                "initiator": {"type": "other"}, "redirectHasExtraInfo": false, "type": "Document", "frameId": frame,
            });
            puppet.reply(&event("Network.requestWillBeSent", sent)).await;
        }
        puppet.reply(&event("Page.loadEventFired", json!({"timestamp": 1}))).await;
        observer.wait_for_state(|life| life != PageState::Loading).await;
        assert_eq!(observer.log().main_url(), "http://1.test/");
        assert_eq!(observer.log().idle_time(), std::time::Duration::ZERO);
    }
}
