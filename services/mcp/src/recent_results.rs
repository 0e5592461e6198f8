//! Recent results, as MCP resources. A resource's URI contains the whole call, so that any process can read it again;
//! the result itself is in the gateway's cache, where reading it is free.

use crate::backend::Caller;
use crate::tools::arguments::ToolCall;
use limner_types::{Operation, WireEnum};
use moka::future::Cache;
use rmcp::model::Resource;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Lifetime of a resource: that of cached results. A resource may be gone sooner, because its result may have been
/// cached earlier.
const RESOURCE_TTL: Duration = Duration::from_secs(24 * 60 * 60);
pub(crate) const NO_LONGER_CACHED: &str = "This result is no longer kept. Call the tool again.";
const MAX_CALLERS: u64 = 10_000;
const MAX_PER_CALLER: usize = 20;
const BASE: &str = "limner://results/";

type Entries = Arc<Mutex<VecDeque<RecentEntry>>>;

#[derive(Debug, Clone)]
struct RecentEntry {
    uri: String,
    operation: Operation,
    page: String,
    expires_at: u64,
}

/// The latest results of every account.
pub(crate) struct RecentResults {
    accounts: Cache<String, Entries>,
}

impl Default for RecentResults {
    fn default() -> Self {
        Self { accounts: Cache::builder().max_capacity(MAX_CALLERS).time_to_idle(RESOURCE_TTL).build() }
    }
}

/// The call contained in a URI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ResourceCall {
    pub(crate) operation: Operation,
    pub(crate) query: Vec<(String, String)>,
}

impl RecentResults {
    /// Records a completed call.
    pub(crate) async fn add(&self, caller: &Caller, wish: &ToolCall) {
        let entries = self.accounts.get_with_by_ref(&caller.account_id, async { Entries::default() }).await;
        let mut entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
        for operation in &wish.operations {
            let until = now() + RESOURCE_TTL.as_secs();
            let entry = RecentEntry {
                uri: uri(*operation, &wish.query, until),
                operation: *operation,
                page: wish.url.clone(),
                expires_at: until,
            };
            // A repeated call replaces its earlier entry.
            entries.retain(|old| resource_identity(&old.uri) != resource_identity(&entry.uri));
            entries.push_front(entry);
            entries.truncate(MAX_PER_CALLER);
        }
    }

    /// Returns the resources, latest first.
    pub(crate) async fn list(&self, caller: &Caller) -> Vec<Resource> {
        let Some(entries) = self.accounts.get(&caller.account_id).await else { return Vec::new() };
        let entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
        let live = entries.iter().filter(|entry| entry.expires_at > now());
        let resource = |entry: &RecentEntry| {
            let name = format!("{} of {}", entry.operation, entry.page);
            Resource::new(entry.uri.clone(), name.clone())
                .with_title(name)
                .with_description("A whole result, as the HTTP interface gives it. Free to read.")
        };
        live.map(resource).collect()
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn uri(operation: Operation, query: &[(String, String)], until: u64) -> String {
    // Reading must use the cached result, and never read a page again.
    let pairs = query.iter().filter(|(name, _)| name != "fresh");
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    format!("{BASE}{operation}?until={until}&{query}")
}

fn resource_identity(uri: &str) -> (&str, &str) {
    let (before, after) = uri.split_once('?').unwrap_or((uri, ""));
    (before, after.split_once('&').map_or(after, |(_, query)| query))
}

/// Parses the call in a URI.
///
/// # Errors
/// The URI is not one of ours, or too old to be cached.
pub(crate) fn parse_uri(uri: &str) -> Result<ResourceCall, &'static str> {
    const UNKNOWN: &str = "There is no such resource. `resources/list` has the latest results.";
    let (operation, query) = uri.strip_prefix(BASE).and_then(|rest| rest.split_once('?')).ok_or(UNKNOWN)?;
    let operation = Operation::parse(operation).ok_or(UNKNOWN)?;
    let mut pairs = url::form_urlencoded::parse(query.as_bytes()).into_owned();
    let until = pairs.next().filter(|(name, _)| name == "until").and_then(|(_, until)| until.parse().ok());
    let until: u64 = until.ok_or(UNKNOWN)?;
    let query: Vec<(String, String)> = pairs.filter(|(name, _)| name != "fresh").collect();
    match now() {
        now if until > now && until <= now + RESOURCE_TTL.as_secs() => Ok(ResourceCall { operation, query }),
        _ => Err(NO_LONGER_CACHED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::arguments::ToolName;
    use serde_json::json;

    fn tool_call(url: &str, fresh: bool) -> ToolCall {
        let arguments = json!({ "url": url, "fresh": fresh, "format": "css" });
        ToolCall::parse(ToolName::DesignTokens, arguments.as_object().unwrap()).unwrap()
    }

    #[tokio::test]
    async fn results_are_listed_for_their_own_account_and_read_back() {
        let recent = RecentResults::default();
        let caller = |id: &str| Caller { account_id: id.to_owned(), ..Caller::default() };
        recent.add(&caller("a"), &tool_call("x.com/?q=ü&b", false)).await;
        recent.add(&caller("a"), &tool_call("y.com", false)).await;
        recent.add(&caller("a"), &tool_call("x.com/?q=ü&b", true)).await;
        let listed = recent.list(&caller("a")).await;
        assert_eq!(listed.len(), 2, "a repeat is no other result");
        assert!(recent.list(&caller("b")).await.is_empty());
        let known = parse_uri(&listed[0].uri).unwrap();
        let query =
            [("url", "x.com/?q=ü&b"), ("format", "css")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(known, ResourceCall { operation: Operation::Extract, query: query.to_vec() });
        for n in 0..30 {
            recent.add(&caller("a"), &tool_call(&format!("{n}.com"), false)).await;
        }
        assert_eq!(recent.list(&caller("a")).await.len(), MAX_PER_CALLER);
    }

    #[test]
    fn foreign_and_expired_uris_are_no_resources() {
        let valid = now() + 60;
        for uri in [
            "https://a.com/".to_owned(),
            "limner://results/brand".to_owned(),
            "limner://results/brand?url=a.com".to_owned(),
            format!("limner://results/nonsense?until={valid}&url=a.com"),
            "limner://results/brand?until=1&url=a.com".to_owned(),
            // A client-made URI must not lead to a new read.
            format!("limner://results/brand?until={}&url=a.com", now() + 10 * RESOURCE_TTL.as_secs()),
        ] {
            assert!(parse_uri(&uri).is_err(), "{uri}");
        }
        assert!(parse_uri(&format!("limner://results/brand?until={valid}&url=a.com")).is_ok());
    }
}
