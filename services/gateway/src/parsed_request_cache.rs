//! Cache of parsed requests. Agents and pages repeat the same request, and parsing it (key, parameters, URL, cache key)
//! costs more than the rest of a hit. Entries depend on the request's text only: the key is validated every time.

use crate::account_directory::Sha256Sum;
use crate::parse_query::ParsedCall;
use http::HeaderMap;
use http::header::AUTHORIZATION;
use limner_types::{Operation, WireEnum};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// A parsed request with valid parameters.
pub(crate) struct ParsedRequest {
    /// SHA-256 of the API key.
    pub(crate) key: Sha256Sum,
    pub(crate) call: Arc<ParsedCall>,
    /// Parameters that the operation does not have.
    pub(crate) ignored: Vec<String>,
}

/// Entries keyed by the SHA-256 of the request's text: keys are never stored in clear.
pub(crate) struct ParsedRequestCache {
    requests: moka::future::Cache<Sha256Sum, Arc<ParsedRequest>>,
}

const MAX_CACHED_REQUESTS: u64 = 20_000;
/// Maximum length of a cached query; longer ones are parsed each time.
const MAX_CACHED_QUERY_BYTES: usize = 2_048;

impl Default for ParsedRequestCache {
    fn default() -> Self {
        Self { requests: moka::future::Cache::new(MAX_CACHED_REQUESTS) }
    }
}

impl ParsedRequestCache {
    /// Returns the cached request for a text.
    pub(crate) async fn get(&self, text: &Sha256Sum) -> Option<Arc<ParsedRequest>> {
        self.requests.get(text).await
    }

    pub(crate) async fn insert(&self, text: Sha256Sum, request: Arc<ParsedRequest>) {
        self.requests.insert(text, request).await;
    }
}

/// Returns the cache key of a request; `None` if it is not cacheable.
pub(crate) fn text_hash(operation: Operation, headers: &HeaderMap, query: Option<&str>) -> Option<Sha256Sum> {
    let mut authorizations = headers.get_all(AUTHORIZATION).iter();
    let (Some(authorization), None) = (authorizations.next(), authorizations.next()) else { return None };
    let query = query.filter(|query| query.len() <= MAX_CACHED_QUERY_BYTES)?;
    // Neither an operation's name nor a header value can contain a line break.
    let hash = Sha256::new_with_prefix(operation.as_str()).chain_update("\n");
    Some(hash.chain_update(authorization).chain_update("\n").chain_update(query).finalize().into())
}
