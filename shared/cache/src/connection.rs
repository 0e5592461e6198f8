//! The connection pool: connects lazily, reconnects for ever, and fails fast in between.

use crate::{CacheConfig, CacheError};
use fred::clients::{Client, Pool, WithOptions};
use fred::error::{Error, ErrorKind};
use fred::interfaces::{ClientLike, LuaInterface};
use fred::types::config::{
    Config, ConnectionConfig, Options, PerformanceConfig, ReconnectPolicy, TcpConfig, UnresponsiveConfig,
};
use fred::types::scripts::Script;
use fred::types::{Key, Value};
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time after which a connection with an unanswered frame is dropped.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(5);
/// Minimum time between two replacements of connections whose server is not the primary.
const RECONNECT_INTERVAL_MS: u64 = 500;
/// Errors of a server that is not the primary, or not yet. A fail-over behind one address leaves connections to the
/// former primary open, so these errors would not end by themselves.
const NOT_PRIMARY: [&str; 3] = ["READONLY", "LOADING", "MASTERDOWN"];

#[derive(Clone)]
pub(crate) struct Connection {
    pool: Pool,
    shared: Arc<ConnectionState>,
}

struct ConnectionState {
    opened: Instant,
    /// Time (in milliseconds since `opened`) until which commands fail at once, because one has just timed out.
    backoff_until_ms: AtomicU64,
    /// Time (in milliseconds since `opened`) before which the connections are not replaced again.
    reconnect_from_ms: AtomicU64,
    backoff: Duration,
    command_timeout: Duration,
    blob_timeout: Duration,
}

/// The amount of data in a command, which determines its time limit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeoutClass {
    Small,
    Blob,
}

impl Connection {
    pub(crate) async fn open(config: &CacheConfig) -> Result<Self, CacheError> {
        let mut client = Config::from_url(&config.url).map_err(|cause| CacheError::Configuration(cause.to_string()))?;
        // A first connection that fails is retried like any other.
        client.fail_fast = false;
        let performance =
            PerformanceConfig { default_command_timeout: config.command_timeout, ..PerformanceConfig::default() };
        let connection = ConnectionConfig {
            connection_timeout: Duration::from_secs(2),
            internal_command_timeout: Duration::from_secs(2),
            // No command is ever repeated, because a request counted twice is worse than one not counted.
            max_command_attempts: 1,
            tcp: TcpConfig { nodelay: Some(true), ..TcpConfig::default() },
            unresponsive: UnresponsiveConfig { max_timeout: Some(RESPONSE_TIMEOUT), interval: Duration::from_secs(1) },
            ..ConnectionConfig::default()
        };
        let mut reconnect = ReconnectPolicy::new_exponential(0, 50, 1_000, 2);
        reconnect.set_jitter(20);
        let pool = Pool::new(client, Some(performance), Some(connection), Some(reconnect), config.connections.max(1))
            .map_err(|cause| CacheError::Configuration(cause.to_string()))?;
        // The tasks that drive the connections end with the last clone of their client.
        drop(pool.connect_pool());
        if tokio::time::timeout(config.first_connection, pool.wait_for_connect()).await.is_err() {
            tracing::warn!("Redis is not reachable yet; continuing without it");
        }
        let shared = ConnectionState {
            opened: Instant::now(),
            backoff_until_ms: AtomicU64::new(0),
            reconnect_from_ms: AtomicU64::new(0),
            backoff: config.backoff_after_timeout,
            command_timeout: config.command_timeout,
            blob_timeout: config.blob_timeout,
        };
        Ok(Self { pool, shared: Arc::new(shared) })
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.pool.clients().iter().any(ClientLike::is_connected)
    }

    /// Runs one command. `name` is its name in metrics and errors.
    pub(crate) async fn execute<T, F>(
        &self,
        name: &'static str,
        weight: TimeoutClass,
        command: impl FnOnce(WithOptions<Client>) -> F,
    ) -> Result<T, CacheError>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let started = Instant::now();
        let outcome = match self.ready_client() {
            // Boxed: fred's futures are several kilobytes, and the callers' futures are moved about a dozen times.
            Ok(client) => Box::pin(command(self.with_time_limit(client, weight))).await.map_err(|cause| {
                self.record_error(&cause, weight);
                translate(name, &cause)
            }),
            Err(away) => Err(away),
        };
        let label = match &outcome {
            Ok(_) => "ok",
            Err(CacheError::Unavailable(_)) => "unavailable",
            Err(_) => "refused",
        };
        metrics::histogram!("limner_cache_command_duration_seconds", "command" => name, "outcome" => label)
            .record(started.elapsed().as_secs_f64());
        outcome
    }

    /// Runs a script by its hash; its text is sent once after each restart of Redis. `input` creates keys and
    /// arguments, once for each of the two attempts.
    pub(crate) async fn script<K: Into<Key> + Send>(
        &self,
        name: &'static str,
        weight: TimeoutClass,
        script: &Script,
        input: impl Fn() -> (Vec<K>, Vec<Value>),
    ) -> Result<Value, CacheError> {
        self.execute(name, weight, |client| async move {
            let (keys, arguments) = input();
            match client.evalsha::<Value, _, _, _>(script.sha1().clone(), keys, arguments).await {
                Err(cause) if cause.details().starts_with("NOSCRIPT") => {
                    let (source, (keys, arguments)) = (script.lua().cloned().unwrap_or_default(), input());
                    client.eval::<Value, _, _, _>(source, keys, arguments).await
                }
                other => other,
            }
        })
        .await
    }

    fn ready_client(&self) -> Result<Client, CacheError> {
        let now_ms = self.now_ms();
        if now_ms < self.shared.backoff_until_ms.load(Ordering::Relaxed) {
            return Err(CacheError::Unavailable("a command has just timed out".to_owned()));
        }
        let client = self.pool.next_connected();
        if client.is_connected() {
            Ok(client.clone())
        } else {
            Err(CacheError::Unavailable("not connected".to_owned()))
        }
    }

    fn with_time_limit(&self, client: Client, weight: TimeoutClass) -> WithOptions<Client> {
        let timeout = match weight {
            TimeoutClass::Small => self.shared.command_timeout,
            TimeoutClass::Blob => self.shared.blob_timeout,
        };
        client.with_options(&Options { timeout: Some(timeout), max_attempts: Some(1), ..Options::default() })
    }

    /// Records a timeout: a Redis that hangs must cost one call its timeout, not every call. Replaces the connections if
    /// they lead to a server that is not the primary.
    fn record_error(&self, cause: &Error, weight: TimeoutClass) {
        if is_not_primary(cause.details()) {
            self.reconnect();
        }
        if *cause.kind() == ErrorKind::Timeout && weight == TimeoutClass::Small {
            let until = self.now_ms() + millis(self.shared.backoff);
            self.shared.backoff_until_ms.fetch_max(until, Ordering::Relaxed);
            tracing::warn!(redis.backoff_ms = millis(self.shared.backoff), "Redis did not answer in time");
        }
    }

    /// Replaces all connections, at most once in [`RECONNECT_INTERVAL_MS`]: the address may still lead to the former
    /// primary.
    fn reconnect(&self) {
        let now_ms = self.now_ms();
        let is_due = |from_ms| (now_ms >= from_ms).then_some(now_ms + RECONNECT_INTERVAL_MS);
        let from_ms = &self.shared.reconnect_from_ms;
        if from_ms.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_due).is_err() {
            return;
        }
        tracing::warn!("Redis is not the primary, or not yet; connecting again");
        metrics::counter!("limner_cache_reconnects_total").increment(1);
        let pool = self.pool.clone();
        tokio::spawn(async move {
            if let Err(cause) = pool.force_reconnection().await {
                tracing::warn!(error = %cause, "cannot replace a connection to Redis");
            }
        });
    }

    fn now_ms(&self) -> u64 {
        millis(self.shared.opened.elapsed())
    }
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn translate(command: &'static str, cause: &Error) -> CacheError {
    let away = matches!(
        cause.kind(),
        ErrorKind::IO
            | ErrorKind::Canceled
            | ErrorKind::Timeout
            | ErrorKind::Routing
            | ErrorKind::Auth
            | ErrorKind::Cluster
            | ErrorKind::Backpressure
    );
    if away || is_not_primary(cause.details()) || cause.details().starts_with("BUSY") {
        return CacheError::Unavailable(format!("{command}: {cause}"));
    }
    CacheError::Refused { command, cause: cause.to_string() }
}

/// Returns true for an error in [`NOT_PRIMARY`]. Redis 6 puts a script's own error behind the place where it occurred.
fn is_not_primary(error: &str) -> bool {
    NOT_PRIMARY.iter().any(|code| error.starts_with(code))
        || (error.starts_with("ERR Error running script")
            && NOT_PRIMARY.iter().any(|code| error.contains(&format!("-{code} "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_a_server_that_is_not_the_primary_are_recognized() {
        for (error, expected) in [
            ("READONLY You can't write against a read only replica.", true),
            ("READONLY You can't write against a read only replica. script: 2f, on @user_script:1.", true),
            ("ERR Error running script (call to f_2f): @user_script:1: -READONLY You can't write.", true),
            ("LOADING Redis is loading the dataset in memory", true),
            ("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", true),
            ("BUSY Redis is busy running a script.", false),
            ("ERR unknown command 'READONLY'", false),
            ("OOM command not allowed when used memory > 'maxmemory'.", false),
        ] {
            assert_eq!(is_not_primary(error), expected, "{error}");
        }
    }
}
