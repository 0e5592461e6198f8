//! The network activity of a page: its requests, and the time since the last activity.

use chromiumoxide_cdp::cdp::browser_protocol::network::{Headers, RequestId, ResourceType, Response};
use limner_page::media_type::MediaType;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;
use tokio::time::Instant;

/// Maximum number of logged URLs; a real page has fewer.
const MAX_LOGGED_URLS: usize = 5_000;
/// Maximum number of tracked requests in flight.
const MAX_IN_FLIGHT: usize = 5_000;
/// Maximum length of a logged URL.
const MAX_URL_BYTES: usize = 8_192;
/// A request that takes longer is a stream or long poll: its end is not waited for.
const MAX_REQUEST_WAIT: Duration = Duration::from_secs(4);
/// Resource types whose requests are endless or irrelevant.
const IGNORED_TYPES: [ResourceType; 4] =
    [ResourceType::WebSocket, ResourceType::EventSource, ResourceType::Media, ResourceType::Ping];

/// The response of the page's document.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MainResponse {
    pub(super) request_id: RequestId,
    pub(super) url: String,
    pub(super) status: u16,
    pub(super) media_type: MediaType,
    pub(super) headers: Headers,
}

impl MainResponse {
    pub(super) fn new(request_id: RequestId, response: Response) -> Self {
        let Response { url, status, mime_type, headers, .. } = response;
        let media_type = MediaType::parse(&mime_type);
        Self { request_id, url, status: u16::try_from(status).unwrap_or(0), media_type, headers }
    }

    /// Returns the target's error status; `None` if there is none, or if the egress proxy responded in its place.
    pub(super) fn error_status(&self) -> Option<u16> {
        Some(self.status).filter(|status| *status >= 400 && !self.is_from_egress_proxy())
    }

    /// Returns true if the egress proxy responded instead of the target.
    pub(super) fn is_from_egress_proxy(&self) -> bool {
        fields(&self.headers).any(|(name, _)| name.eq_ignore_ascii_case("x-limner-egress"))
    }
}

/// A loaded stylesheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LoadedStylesheet {
    pub(super) request_id: RequestId,
    /// Its URL after redirects.
    pub(super) url: String,
}

/// The network log of one visit.
#[derive(Debug)]
pub(super) struct NetworkLog {
    in_flight: HashMap<RequestId, Instant>,
    last_change: Instant,
    /// The initially requested URL of each request that may be a stylesheet.
    requested_urls: HashMap<RequestId, String>,
    stylesheets: BTreeMap<String, LoadedStylesheet>,
    responses: BTreeMap<String, String>,
    main_request: Option<RequestId>,
    main_url: String,
    main_redirects: usize,
    main_response: Option<MainResponse>,
    main_failure: Option<String>,
    main_bytes: usize,
}

impl NetworkLog {
    pub(super) fn new() -> Self {
        Self {
            in_flight: HashMap::new(),
            last_change: Instant::now(),
            requested_urls: HashMap::new(),
            stylesheets: BTreeMap::new(),
            responses: BTreeMap::new(),
            main_request: None,
            main_url: String::new(),
            main_redirects: 0,
            main_response: None,
            main_failure: None,
            main_bytes: 0,
        }
    }

    pub(super) fn sent(&mut self, id: &RequestId, url: &str, kind: &ResourceType, redirected: bool) {
        if !is_http(url) || IGNORED_TYPES.contains(kind) {
            return;
        }
        self.last_change = Instant::now();
        if self.in_flight.len() < MAX_IN_FLIGHT {
            self.in_flight.insert(id.clone(), Instant::now());
        }
        // A redirect has the same request id; a stylesheet is identified by the URL that referred to it.
        if *kind == ResourceType::Stylesheet
            && !redirected
            && self.requested_urls.len() < MAX_LOGGED_URLS
            && url.len() <= MAX_URL_BYTES
        {
            self.requested_urls.insert(id.clone(), url.to_owned());
        }
    }

    pub(super) fn received(&mut self, id: &RequestId, kind: &ResourceType, response: &Response) {
        if IGNORED_TYPES.contains(kind) && *kind != ResourceType::Media {
            self.in_flight.remove(id);
        }
        if !(200..300).contains(&response.status) {
            self.requested_urls.remove(id);
            return;
        }
        self.record_response(&response.url, &response.mime_type);
        if let Some(asked) = self.requested_urls.remove(id) {
            self.stylesheets.insert(asked, LoadedStylesheet { request_id: id.clone(), url: response.url.clone() });
        }
    }

    pub(super) fn record_end(&mut self, id: &RequestId, failure: Option<&str>) {
        if self.in_flight.remove(id).is_some() {
            self.last_change = Instant::now();
        }
        if failure.is_some() {
            self.requested_urls.remove(id);
        }
        if self.main_request.as_ref() == Some(id)
            && let Some(failure) = failure.filter(|failure| !self.is_shown_in_part(id, failure))
        {
            self.main_failure = Some(failure.to_owned());
        }
    }

    /// Returns true if the document's response broke off after it had begun: the browser shows what arrived.
    fn is_shown_in_part(&self, id: &RequestId, failure: &str) -> bool {
        const EARLY_ENDS: &[&str] = &[
            "net::ERR_INCOMPLETE_CHUNKED_ENCODING",
            "net::ERR_CONTENT_LENGTH_MISMATCH",
            "net::ERR_CONNECTION_RESET",
            "net::ERR_CONNECTION_CLOSED",
            "net::ERR_HTTP2_PROTOCOL_ERROR",
            "net::ERR_CONTENT_DECODING_FAILED",
        ];
        let has_begun = self.main_response.as_ref().is_some_and(|response| response.request_id == *id);
        has_begun && EARLY_ENDS.contains(&failure)
    }

    /// Logs a URL and its media type.
    pub(super) fn record_response(&mut self, url: &str, media_type: &str) {
        let address = url.split('#').next().unwrap_or_default();
        if is_http(url) && address.len() <= MAX_URL_BYTES && self.responses.len() < MAX_LOGGED_URLS {
            self.responses.insert(address.to_owned(), MediaType::parse(media_type).essence);
        }
    }

    pub(super) fn main_sent(&mut self, id: &RequestId, url: &str) {
        // A redirect has the same request id.
        let redirected = self.main_request.as_ref() == Some(id);
        self.main_redirects = if redirected { self.main_redirects + 1 } else { 0 };
        self.main_request = Some(id.clone());
        self.main_url = url.to_owned();
        self.main_failure = None;
        self.main_bytes = 0;
    }

    pub(super) fn main_received(&mut self, response: MainResponse) {
        if self.main_request.as_ref() == Some(&response.request_id) {
            self.main_failure = None;
            self.main_response = Some(response);
        }
    }

    /// Counts decompressed bytes of a body if they are of the latest document and that is no media file. Returns the size
    /// of the document so far.
    pub(super) fn count_bytes(&mut self, id: &RequestId, bytes: usize) -> usize {
        let is_page = |response: &MainResponse| !response.media_type.is_media();
        if self.main_response.as_ref().is_some_and(|response| response.request_id == *id && is_page(response)) {
            self.main_bytes = self.main_bytes.saturating_add(bytes);
        }
        self.main_bytes
    }

    /// Returns the time for which the network has been idle.
    pub(super) fn idle_time(&self) -> Duration {
        let waited_for = |since: &&Instant| since.elapsed() < MAX_REQUEST_WAIT;
        if self.in_flight.values().any(|since| waited_for(&since)) {
            return Duration::ZERO;
        }
        self.last_change.elapsed()
    }

    /// Returns the number of redirects of the latest document.
    pub(super) fn main_redirects(&self) -> usize {
        self.main_redirects
    }

    /// Returns the URL of the latest document.
    pub(super) fn main_url(&self) -> &str {
        &self.main_url
    }

    pub(super) fn main_response(&self) -> Option<&MainResponse> {
        self.main_response.as_ref()
    }

    /// Returns the reason why the latest document did not load.
    pub(super) fn main_failure(&self) -> Option<&str> {
        self.main_failure.as_deref()
    }

    /// Returns the stylesheets by the URL that referred to them.
    pub(super) fn sheets(&self) -> &BTreeMap<String, LoadedStylesheet> {
        &self.stylesheets
    }

    /// Returns every URL that responded, with its media type.
    pub(super) fn responses(&self) -> &BTreeMap<String, String> {
        &self.responses
    }
}

/// Returns the names and values of headers.
pub(super) fn fields(headers: &Headers) -> impl Iterator<Item = (&str, &str)> {
    let fields = headers.inner().as_object().into_iter().flatten();
    fields.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)))
}

fn is_http(url: &str) -> bool {
    url.starts_with("http://") || url.starts_with("https://")
}

#[cfg(test)]
mod tests {
    use super::*;
    use chromiumoxide_cdp::cdp::browser_protocol::security::SecurityState;

    fn id(name: &str) -> RequestId {
        RequestId::new(name)
    }

    fn response(url: &str, status: i64, mime_type: &str) -> Response {
        let response = Response::builder().url(url).status(status).status_text("").mime_type(mime_type).charset("");
        let response = response.headers(Headers::default()).connection_reused(false).connection_id(0.0);
        response.encoded_data_length(0.0).security_state(SecurityState::Insecure).build().unwrap()
    }

    fn main(name: &str, status: i64) -> MainResponse {
        MainResponse::new(id(name), response(&format!("http://a.test/{name}"), status, "text/html"))
    }

    #[tokio::test(start_paused = true)]
    async fn network_is_idle_without_finite_requests() {
        let mut log = NetworkLog::new();
        let second = Duration::from_secs(1);
        tokio::time::advance(second).await;
        assert_eq!(log.idle_time(), second);
        log.sent(&id("1"), "http://a.test/", &ResourceType::Document, false);
        log.sent(&id("2"), "http://a.test/live", &ResourceType::EventSource, false);
        log.sent(&id("3"), "data:text/css,a", &ResourceType::Stylesheet, false);
        assert_eq!(log.idle_time(), Duration::ZERO);
        log.record_end(&id("1"), None);
        tokio::time::advance(second).await;
        assert_eq!(log.idle_time(), second, "streams never end");
        log.sent(&id("4"), "http://a.test/poll", &ResourceType::Xhr, false);
        tokio::time::advance(MAX_REQUEST_WAIT).await;
        assert!(log.idle_time() >= MAX_REQUEST_WAIT, "long polls are not waited for");
    }

    #[test]
    fn stylesheets_are_identified_by_the_referring_url() {
        let mut log = NetworkLog::new();
        log.sent(&id("1"), "http://a.test/s.css", &ResourceType::Stylesheet, false);
        log.sent(&id("1"), "http://cdn.test/s.css", &ResourceType::Stylesheet, true);
        log.received(
            &id("1"),
            &ResourceType::Stylesheet,
            &response("http://cdn.test/s.css", 200, "text/css; charset=utf-8"),
        );
        log.sent(&id("2"), "http://a.test/gone.css", &ResourceType::Stylesheet, false);
        log.received(&id("2"), &ResourceType::Stylesheet, &response("http://a.test/gone.css", 404, "text/html"));
        let sheet = LoadedStylesheet { request_id: id("1"), url: "http://cdn.test/s.css".to_owned() };
        assert_eq!(log.sheets(), &BTreeMap::from([("http://a.test/s.css".to_owned(), sheet)]));
        assert_eq!(log.responses(), &BTreeMap::from([("http://cdn.test/s.css".to_owned(), "text/css".to_owned())]));
    }

    #[test]
    fn bytes_are_counted_of_the_latest_page_only() {
        let mut log = NetworkLog::new();
        log.main_sent(&id("1"), "http://a.test/1");
        assert_eq!(log.count_bytes(&id("1"), 5), 0, "the body of a redirect");
        log.main_received(main("1", 200));
        assert_eq!(log.count_bytes(&id("1"), 5), 5);
        assert_eq!(log.count_bytes(&id("2"), 5), 5, "another file");
        assert_eq!(log.count_bytes(&id("1"), 2), 7);
        log.main_sent(&id("3"), "http://a.test/film.mp4");
        let film = MainResponse::new(id("3"), response("http://a.test/film.mp4", 200, "video/mp4"));
        log.main_received(film);
        assert_eq!(log.count_bytes(&id("3"), 5), 0, "the browser plays it");
    }

    #[test]
    fn latest_document_is_the_page() {
        let mut log = NetworkLog::new();
        log.main_sent(&id("1"), "http://a.test/1");
        log.main_received(main("1", 403));
        log.main_sent(&id("2"), "http://a.test/2");
        log.main_received(main("2", 200));
        log.main_received(main("1", 500));
        assert_eq!(log.main_response().unwrap().status, 200);
        log.record_end(&id("2"), Some("net::ERR_INCOMPLETE_CHUNKED_ENCODING"));
        assert_eq!(log.main_failure(), None, "what arrived is shown");
        log.main_sent(&id("3"), "http://inside.test/");
        log.record_end(&id("3"), Some("net::ERR_TUNNEL_CONNECTION_FAILED"));
        assert_eq!(
            (log.main_url(), log.main_failure()),
            ("http://inside.test/", Some("net::ERR_TUNNEL_CONNECTION_FAILED"))
        );
    }
}
