//! OAuth Client ID Metadata Documents: the client's id is the https URL of a document with its metadata. A stranger
//! chose this URL, so it is fetched through netguard, without redirects, with small limits on size and time. The
//! document is trusted only for its own host.

use super::client::{Client, ClientIdentity, display_name};
use super::redirect_uri;
use crate::error::ConsoleError;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use limner_netguard::{Caps, EgressOptions, FetchRequest};
use moka::future::Cache;
use serde::Deserialize;
use std::time::{Duration, Instant};
use url::Url;

/// Maximum length of a client id.
const MAX_CLIENT_ID_LEN: usize = 1_024;
const MAX_DOCUMENT_BYTES: usize = 16 * 1_024;
const FETCH_TIMEOUT: Duration = Duration::from_secs(5);
const MAX_REDIRECT_URIS: usize = 50;
const MAX_CACHED_CLIENTS: u64 = 1_000;
/// Cache lifetime of a document, unless its server says otherwise.
const DEFAULT_CACHE_TTL: Duration = Duration::from_secs(5 * 60);
const MAX_CACHE_TTL: Duration = Duration::from_secs(60 * 60);

/// Reads and caches documents.
pub(crate) struct DocumentClient {
    http: limner_netguard::Client,
    /// Valid documents only; an invalid one is fetched again.
    cache: Cache<String, (Client, Instant)>,
}

/// The members of a document that are read; others are ignored.
#[derive(Debug, Deserialize)]
struct Document {
    client_id: String,
    #[serde(default)]
    client_name: Option<String>,
    #[serde(default)]
    redirect_uris: Vec<String>,
    #[serde(default)]
    token_endpoint_auth_method: Option<String>,
    #[serde(default)]
    grant_types: Option<Vec<String>>,
    #[serde(default)]
    client_secret: Option<serde_json::Value>,
}

/// Returns true if a client's id is the URL of a document: https, with a path, and normalized.
pub(crate) fn is_metadata_url(client_id: &str) -> bool {
    metadata_url(client_id).is_some()
}

fn metadata_url(client_id: &str) -> Option<Url> {
    let url = Url::parse(client_id).ok()?;
    // Parsing removes dot segments, default ports and capitals in the host, so an id that contains any differs from its
    // parsed URL.
    let is_normal = url.as_str() == client_id && client_id.len() <= MAX_CLIENT_ID_LEN;
    let is_bare = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    (is_normal && is_bare && url.scheme() == "https" && url.path() != "/").then_some(url)
}

impl DocumentClient {
    pub(crate) fn new(egress: EgressOptions) -> Result<Self, ConsoleError> {
        let http = limner_netguard::Client::new(egress);
        let http = http.map_err(|cause| ConsoleError::Config(format!("the way to client documents: {cause}")))?;
        Ok(Self { http, cache: Cache::builder().max_capacity(MAX_CACHED_CLIENTS).time_to_live(MAX_CACHE_TTL).build() })
    }

    /// Returns a client whose document is cached.
    pub(crate) async fn cached_client(&self, client_id: &str) -> Option<Client> {
        let (client, until) = self.cache.get(client_id).await?;
        (until > Instant::now()).then_some(client)
    }

    /// Fetches the document of a client.
    ///
    /// # Errors
    /// The document is invalid or cannot be fetched; the text is for the user.
    pub(crate) async fn fetch(&self, client_id: &str) -> Result<Client, String> {
        let url = metadata_url(client_id).ok_or("The client's id is not the URL of a metadata document.")?;
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(header::USER_AGENT, HeaderValue::from_static("limner-console"));
        let caps = Caps { max_bytes: MAX_DOCUMENT_BYTES, max_redirects: 0, ..Caps::default() };
        let get = FetchRequest { headers, caps, ..FetchRequest::new(url.clone(), Instant::now() + FETCH_TIMEOUT) };
        let fetched = self.http.get(get).await.map_err(|cause| {
            tracing::info!(client.id = client_id, error = %cause, "cannot read a client metadata document");
            format!("The client's document could not be read. {}", cause.message())
        })?;
        if fetched.status != StatusCode::OK {
            return Err(format!(
                "The client's document could not be read: its server says {}.",
                fetched.status.as_u16()
            ));
        }
        if !is_json(&fetched.headers) {
            return Err("The client's document is not JSON.".to_owned());
        }
        let document: Document = serde_json::from_slice(&fetched.body)
            .map_err(|_| "The client's document is not a client metadata document.".to_owned())?;
        let client = client(document, client_id, &url)?;
        if let Some(life) = cache_ttl(&fetched.headers) {
            self.cache.insert(client_id.to_owned(), (client.clone(), Instant::now() + life)).await;
        }
        Ok(client)
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || essence.starts_with("application/") && essence.ends_with("+json")
}

/// Returns the cache lifetime of a document (RFC 9111 §5.2.2); `None` if it must not be cached.
fn cache_ttl(headers: &HeaderMap) -> Option<Duration> {
    let lines = headers.get_all(header::CACHE_CONTROL).iter().filter_map(|value| value.to_str().ok());
    let directives: Vec<String> =
        lines.flat_map(|line| line.split(',')).map(|d| d.trim().to_ascii_lowercase()).collect();
    if directives.iter().any(|directive| directive == "no-store" || directive == "no-cache") {
        return None;
    }
    let age = directives.iter().find_map(|directive| directive.strip_prefix("max-age=")?.parse().ok());
    Some(age.map_or(DEFAULT_CACHE_TTL, Duration::from_secs).min(MAX_CACHE_TTL))
}

fn client(document: Document, client_id: &str, url: &Url) -> Result<Client, String> {
    if document.client_id != client_id {
        return Err("The client's document belongs to another client.".to_owned());
    }
    let method = document.token_endpoint_auth_method.as_deref().unwrap_or("none");
    if method != "none" || document.client_secret.is_some() {
        return Err("The client requires client authentication; only public clients are supported.".to_owned());
    }
    let is_code = |grants: &Vec<String>| grants.iter().any(|grant| grant == "authorization_code");
    if !document.grant_types.as_ref().is_none_or(is_code) {
        return Err("The client's document does not allow authorization codes.".to_owned());
    }
    let uris = document.redirect_uris;
    if uris.is_empty() || uris.len() > MAX_REDIRECT_URIS || uris.iter().any(|uri| redirect_uri::check(uri).is_err()) {
        return Err("The client's document has no redirect URIs, or invalid ones.".to_owned());
    }
    let host = url.host_str().unwrap_or_default().to_owned();
    let name = display_name(document.client_name.as_deref()).unwrap_or_else(|| host.clone());
    Ok(Client { id: client_id.to_owned(), name, redirect_uris: uris, identity: ClientIdentity::Document { host } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_normalized_https_urls_are_client_ids() {
        for good in ["https://a.example/c.json", "https://a.example:8443/c?x=1", "https://a.example/c/"] {
            assert!(is_metadata_url(good), "{good}");
        }
        for bad in [
            "client_abc",
            "http://a.example/c",
            "https://a.example",
            "https://a.example/",
            "https://a.example/c#x",
            "https://u@a.example/c",
            "https://a.example/x/../c",
            "https://a.example/./c",
            "https://a.example/%2e%2e/c",
            "https://A.example/c",
            "https://a.example:443/c",
            "HTTPS://a.example/c",
            " https://a.example/c",
        ] {
            assert!(!is_metadata_url(bad), "{bad}");
        }
        assert!(!is_metadata_url(&format!("https://a.example/{}", "c".repeat(MAX_CLIENT_ID_LEN))));
    }

    #[test]
    fn cache_lifetime_follows_the_response_headers() {
        for (value, expected) in [
            (None, Some(300)),
            (Some("max-age=60"), Some(60)),
            (Some("public, Max-Age=999999"), Some(3_600)),
            (Some("no-store"), None),
            (Some("private, no-cache"), None),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(value) = value {
                headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(value));
            }
            assert_eq!(cache_ttl(&headers).map(|life| life.as_secs()), expected, "{value:?}");
        }
    }
}
