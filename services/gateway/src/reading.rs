//! Requests that were read lately. Agents and pages ask the same thing again and again, and reading it (key, parameters,
//! address, cache key) costs more than everything else about a hit. What is kept follows from the request's text alone:
//! whether the key is valid is asked every time.

use crate::directory::Sha256Sum;
use crate::query::Call;
use http::HeaderMap;
use http::header::AUTHORIZATION;
use limner_types::{Choice, Operation};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// A request that asks for a call whose parameters are all in order.
pub(crate) struct Reading {
    /// SHA-256 of the API key.
    pub(crate) key: Sha256Sum,
    pub(crate) call: Arc<Call>,
    /// Parameters that the operation does not know.
    pub(crate) ignored: Vec<String>,
}

/// By the SHA-256 of what was read: keys are kept nowhere in clear.
pub(crate) struct Readings {
    readings: moka::future::Cache<Sha256Sum, Arc<Reading>>,
}

const MOST_KEPT: u64 = 20_000;
/// Longer queries are read anew each time.
const LONGEST_QUERY: usize = 2_048;

impl Default for Readings {
    fn default() -> Self {
        Self { readings: moka::future::Cache::new(MOST_KEPT) }
    }
}

impl Readings {
    /// What the same request was found to be before.
    pub(crate) async fn get(&self, text: &Sha256Sum) -> Option<Arc<Reading>> {
        self.readings.get(text).await
    }

    pub(crate) async fn keep(&self, text: Sha256Sum, reading: Arc<Reading>) {
        self.readings.insert(text, reading).await;
    }
}

/// What a request is known by; `None`: it is none to be kept.
pub(crate) fn text_hash(operation: Operation, headers: &HeaderMap, query: Option<&str>) -> Option<Sha256Sum> {
    let mut authorizations = headers.get_all(AUTHORIZATION).iter();
    let (Some(authorization), None) = (authorizations.next(), authorizations.next()) else { return None };
    let query = query.filter(|query| query.len() <= LONGEST_QUERY)?;
    // Neither an operation's name nor the value of a header holds a line break.
    let hash = Sha256::new_with_prefix(operation.as_str()).chain_update("\n");
    Some(hash.chain_update(authorization).chain_update("\n").chain_update(query).finalize().into())
}
