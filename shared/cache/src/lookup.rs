//! The single round trip at the start of every call: rate window, account state and result.

mod batch;

pub(crate) use batch::LookupBatcher;

use crate::connection::{Connection, TimeoutClass, millis};
use crate::{Cache, CacheConfig, CacheError, CachedResult, ResultVersion, account};
use fred::types::scripts::Script;
use fred::types::{Key, Value};
use limner_types::AccountState;
use std::sync::LazyLock;

static LOOKUP: LazyLock<Script> = LazyLock::new(|| Script::from_lua(include_str!("lookup.lua")));
/// Number of the script's keys, and of values in its reply, per look-up.
const KEYS: usize = 3;
const REPLIES: usize = 6;

/// A look-up.
#[derive(Debug, Clone)]
pub struct Lookup<'a> {
    /// The account, whose window is counted and whose state is read.
    pub account_id: &'a str,
    /// The result to read; `None` if none is wanted.
    pub result_key: Option<&'a str>,
    /// The version of that result in the caller's memory; it is not sent again.
    pub cached: Option<ResultVersion>,
    /// [`AccountState::version`] of the state in the caller's memory; it is not sent again.
    pub cached_account_version: Option<u64>,
    /// Maximum number of requests in a window; the limit in Redis' account state takes precedence.
    pub window_limit: u32,
}

/// The outcome of a look-up.
#[derive(Debug, Clone)]
pub struct LookupReply {
    /// The rate window, including this request.
    pub window: Window,
    /// The result, if it was requested, exists, and the request was allowed.
    pub result: Option<ResultHit>,
    /// The account, if Redis has it.
    pub account: Option<AccountHit>,
}

/// An account state in Redis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountHit {
    /// The caller has it in its memory.
    Unchanged,
    /// This state.
    Sent(AccountState),
}

impl AccountHit {
    fn decode(value: Value) -> Option<Self> {
        if let Value::Integer(_) = value {
            return Some(Self::Unchanged);
        }
        account::decode(&value.into_bytes()?).map(Self::Sent)
    }
}

/// A result in Redis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResultHit {
    /// The caller has it in its memory.
    Unchanged,
    /// This result.
    Sent(CachedResult, ResultVersion),
}

impl ResultHit {
    fn decode(value: Value) -> Option<Self> {
        if let Value::Integer(_) = value {
            return Some(Self::Unchanged);
        }
        let bytes = value.into_bytes()?;
        let version = ResultVersion::from_result_bytes(&bytes)?;
        Some(Self::Sent(CachedResult::decode(bytes)?, version))
    }
}

/// A fixed window that starts with its first request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Maximum number of requests in a window.
    pub limit: u32,
    /// Remaining requests in this window.
    pub remaining: u32,
    /// Seconds until it ends, rounded up, at least 1.
    pub reset_seconds: u32,
    /// True if this request is within the limit.
    pub allowed: bool,
}

impl Window {
    /// Returns a window that ends in `left_ms` milliseconds.
    pub fn new(limit: u32, remaining: u32, left_ms: u64, allowed: bool) -> Self {
        let reset_seconds = u32::try_from(left_ms.div_ceil(1_000)).unwrap_or(u32::MAX).max(1);
        Self { limit, remaining, reset_seconds, allowed }
    }
}

impl Cache {
    /// Counts the request in its account's rate window, and reads the account state and the result. Concurrent look-ups
    /// with small replies are batched.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`]: the request was not counted, or the count is unknown.
    pub async fn lookup(&self, lookup: Lookup<'_>) -> Result<LookupReply, CacheError> {
        let question = LookupRequest::new(&lookup, &self.config);
        if lookup.result_key.is_some() && lookup.cached.is_none() {
            // A look-up that may return a large result is not batched, so that it delays no other.
            let mut replies = send_lookups(&self.connection, &[question], &self.config).await?;
            return replies.pop().ok_or_else(unexpected_reply);
        }
        self.lookups.submit(question, &self.connection, &self.config).await
    }
}

/// A look-up, as arguments of the script.
struct LookupRequest {
    keys: [Key; KEYS],
    arguments: [Value; KEYS],
}

impl LookupRequest {
    fn new(lookup: &Lookup<'_>, config: &CacheConfig) -> Self {
        let keys = [
            config.redis_key("window", lookup.account_id).into(),
            config.redis_key(account::KIND, lookup.account_id).into(),
            lookup.result_key.map(|key| config.redis_key("result", key)).unwrap_or_default().into(),
        ];
        let arguments = [
            i64::from(lookup.window_limit).into(),
            Value::Bytes(lookup.cached.clone().map(ResultVersion::into_bytes).unwrap_or_default()),
            lookup.cached_account_version.map(|version| version.to_string()).unwrap_or_default().into(),
        ];
        Self { keys, arguments }
    }
}

/// Executes look-ups in one round trip; returns as many replies, in the same order.
async fn send_lookups(
    connection: &Connection,
    questions: &[LookupRequest],
    config: &CacheConfig,
) -> Result<Vec<LookupReply>, CacheError> {
    let input = || {
        let keys: Vec<Key> = questions.iter().flat_map(|question| question.keys.clone()).collect();
        let window = i64::try_from(millis(config.rate_window)).unwrap_or(i64::MAX);
        let arguments = questions.iter().flat_map(|question| question.arguments.clone());
        (keys, arguments.chain([window.into()]).collect())
    };
    let Value::Array(parts) = connection.script("lookup", TimeoutClass::Small, &LOOKUP, input).await? else {
        return Err(unexpected_reply());
    };
    if parts.len() != questions.len() * REPLIES {
        return Err(unexpected_reply());
    }
    let mut parts = parts.into_iter();
    Ok(questions.iter().filter_map(|_| decode_reply(&mut parts)).collect())
}

fn decode_reply(parts: &mut impl Iterator<Item = Value>) -> Option<LookupReply> {
    let mut next_number = || parts.next().map(|part| number(&part));
    let (allowed, limit, remaining, left_ms) = (next_number()?, next_number()?, next_number()?, next_number()?);
    let (account, result) = (AccountHit::decode(parts.next()?), ResultHit::decode(parts.next()?));
    Some(LookupReply { window: Window::new(limit, remaining, left_ms.into(), allowed == 1), account, result })
}

fn unexpected_reply() -> CacheError {
    CacheError::Refused { command: "lookup", cause: "unexpected reply".to_owned() }
}

fn number(value: &Value) -> u32 {
    value.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reset_is_rounded_up_and_at_least_one_second() {
        for (left_ms, seconds) in [(0, 1), (1, 1), (999, 1), (1_000, 1), (1_001, 2), (59_001, 60), (60_000, 60)] {
            assert_eq!(Window::new(30, 0, left_ms, false).reset_seconds, seconds, "{left_ms} ms");
        }
    }
}
