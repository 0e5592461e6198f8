//! The one round trip at the start of every call: rate window, account state and result.

use crate::connection::{Connection, millis};
use crate::{Cache, CacheError, CachedResult, ResultVersion, account};
use fred::types::Value;
use fred::types::scripts::Script;
use limner_types::AccountState;
use std::sync::LazyLock;

static LOOKUP: LazyLock<Script> = LazyLock::new(|| Script::from_lua(include_str!("lookup.lua")));

/// What to look up.
#[derive(Debug, Clone)]
pub struct Lookup<'a> {
    /// Whose window to count in, and whose state to read.
    pub account_id: &'a str,
    /// The result to read; `None` when there is none to be served.
    pub result_key: Option<&'a str>,
    /// The version of that result which the caller has in its memory; it is not sent once more.
    pub remembered: Option<ResultVersion>,
    /// [`AccountState::version`] of the state which the caller has in its memory; it is not sent once more.
    pub known_account: Option<u64>,
    /// Requests in a window; the account state's own number wins when Redis has it.
    pub window_limit: u32,
}

/// What one round trip found.
#[derive(Debug, Clone)]
pub struct LookupReply {
    /// The rate window, this request counted.
    pub window: Window,
    /// The result, when it was asked for, is there, and the request was allowed.
    pub result: Option<FoundResult>,
    /// The account, if Redis has it.
    pub account: Option<FoundAccount>,
}

/// An account state that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundAccount {
    /// The caller has it in its memory.
    Known,
    /// It is this one.
    Sent(AccountState),
}

impl FoundAccount {
    fn read(value: Value) -> Option<Self> {
        if let Value::Integer(_) = value {
            return Some(Self::Known);
        }
        account::read(&value.into_bytes()?).map(Self::Sent)
    }
}

/// A result that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundResult {
    /// The caller has it in its memory.
    Remembered,
    /// It is this one.
    Sent(CachedResult, ResultVersion),
}

impl FoundResult {
    fn read(value: Value) -> Option<Self> {
        if let Value::Integer(_) = value {
            return Some(Self::Remembered);
        }
        let bytes = value.into_bytes()?;
        let version = ResultVersion::of(&bytes)?;
        Some(Self::Sent(CachedResult::read(bytes)?, version))
    }
}

/// A fixed window that opened with its first request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Requests in a window.
    pub limit: u32,
    /// Requests left in this one.
    pub remaining: u32,
    /// Seconds until it ends, rounded up, at least 1.
    pub reset_seconds: u32,
    /// Whether this request fits in.
    pub allowed: bool,
}

impl Window {
    /// A window that ends in `left_ms` milliseconds.
    pub fn new(limit: u32, remaining: u32, left_ms: u64, allowed: bool) -> Self {
        let reset_seconds = u32::try_from(left_ms.div_ceil(1_000)).unwrap_or(u32::MAX).max(1);
        Self { limit, remaining, reset_seconds, allowed }
    }
}

impl Cache {
    /// Counts the request in its account's rate window, and reads the account state and the result.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`]: nothing was counted, or the count is not known.
    pub async fn lookup(&self, lookup: Lookup<'_>) -> Result<LookupReply, CacheError> {
        let input = || {
            let arguments = vec![
                i64::from(lookup.window_limit).into(),
                i64::try_from(millis(self.config.rate_window)).unwrap_or(i64::MAX).into(),
                Value::Bytes(lookup.remembered.clone().map(ResultVersion::into_bytes).unwrap_or_default()),
                lookup.known_account.map(|version| version.to_string()).unwrap_or_default().into(),
            ];
            let mut keys = Vec::with_capacity(3);
            keys.push(self.redis_key("window", lookup.account_id));
            keys.push(self.redis_key(account::KIND, lookup.account_id));
            keys.extend(lookup.result_key.map(|key| self.redis_key("result", key)));
            (keys, arguments)
        };
        let reply = run(&self.connection, input).await?;
        let [allowed, limit, remaining, left_ms, state, result] = reply;
        let window = Window::new(number(&limit), number(&remaining), number(&left_ms).into(), number(&allowed) == 1);
        Ok(LookupReply { window, account: FoundAccount::read(state), result: FoundResult::read(result) })
    }
}

async fn run(connection: &Connection, input: impl Fn() -> (Vec<String>, Vec<Value>)) -> Result<[Value; 6], CacheError> {
    let reply = connection.script("lookup", &LOOKUP, input).await?;
    let parts: Vec<Value> = match reply {
        Value::Array(parts) => parts,
        other => vec![other],
    };
    parts.try_into().map_err(|_| CacheError::Refused { command: "lookup", cause: "unexpected reply".to_owned() })
}

fn number(value: &Value) -> u32 {
    value.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reset_is_rounded_up_and_at_least_one_second() {
        for (left_ms, seconds) in [(0, 1), (1, 1), (999, 1), (1_000, 1), (1_001, 2), (59_001, 60), (60_000, 60)] {
            assert_eq!(Window::new(30, 0, left_ms, false).reset_seconds, seconds, "{left_ms} ms");
        }
    }
}
