//! Background jobs: health probes for the status page, and deletion of expired rows.

use crate::state::AppState;
use limner_runtime::periodic::run_every;
use limner_store::StoreError;
use std::sync::Arc;
use std::time::{Duration, Instant};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;

/// The components that every status page has: their names in the database and for people.
const API: (&str, &str) = ("api", "API");
const ACCOUNTS: (&str, &str) = ("accounts", "Accounts and credits");
const CONSOLE: (&str, &str) = ("console", "Console");
/// Retention of probes, in days.
const PROBE_DAYS: i32 = 90;
const HOUR: Duration = Duration::from_secs(60 * 60);

/// One component in one hour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HealthHour {
    /// Share of successful probes; `None`: there were none.
    pub(crate) up: Option<f64>,
}

/// A component on the status page.
#[derive(Debug, Clone)]
pub(crate) struct ComponentHealth {
    pub(crate) label: &'static str,
    /// Result of the last probe; `None`: there was no recent one.
    pub(crate) is_up: Option<bool>,
    /// Share of successful probes in the last 30 days.
    pub(crate) month: Option<f64>,
    /// Number of probes in the last 30 days.
    pub(crate) checks: i64,
    /// The last 48 hours, earliest first.
    pub(crate) hours: Vec<HealthHour>,
}

/// Runs the jobs until `shutdown`.
pub(crate) async fn run(app: Arc<AppState>, shutdown: CancellationToken) {
    tokio::join!(
        run_every(app.config.probe_interval, &shutdown, "probe_components", || probe_all(&app)),
        run_every(HOUR, &shutdown, "purge_expired", || purge_expired(&app)),
    );
}

/// Probes all components. Several processes may probe: a component that any of them found down in a minute counts as
/// down.
async fn probe_all(app: &AppState) -> Result<(), StoreError> {
    const SQL: &str = "INSERT INTO console.probe AS p VALUES ($1, date_trunc('minute', now()), $2, $3) \
                       ON CONFLICT (component, minute) DO UPDATE SET is_up = p.is_up AND excluded.is_up, \
                         duration_ms = greatest(p.duration_ms, excluded.duration_ms)";
    let watched = app.config.watched.iter().map(async |watched| {
        let (name, _) = watched.role.names();
        (name, timed(app.fleet_probe.is_up(watched)).await)
    });
    let (api, accounts, watched) = tokio::join!(
        timed(app.gateway.is_serving()),
        timed(app.metering.is_serving()),
        futures::future::join_all(watched)
    );
    let console = timed(async { app.store.ping().await.is_ok() }).await;
    let own = [(API.0, api), (ACCOUNTS.0, accounts), (CONSOLE.0, console)];
    for (component, (is_up, ms)) in own.into_iter().chain(watched) {
        app.store.query(SQL, &[&component, &is_up, &ms]).await?;
    }
    Ok(())
}

async fn timed(look: impl Future<Output = bool>) -> (bool, i32) {
    let started = Instant::now();
    let is_up = look.await;
    (is_up, i32::try_from(started.elapsed().as_millis()).unwrap_or(i32::MAX))
}

async fn purge_expired(app: &AppState) -> Result<(), StoreError> {
    // A client that lives on its grant comes back within the lifetime of a refresh token.
    const UNUSED_CLIENTS: &str = "DELETE FROM console.client WHERE last_used_at < now() - interval '90 days' \
                                    OR last_used_at IS NULL AND created_at < now() - interval '7 days'";
    app.store.query("DELETE FROM console.session WHERE expires_at < now()", &[]).await?;
    app.store.query("DELETE FROM console.link WHERE expires_at < now()", &[]).await?;
    app.store.query(UNUSED_CLIENTS, &[]).await?;
    app.devices.purge_old().await?;
    app.store.query("DELETE FROM console.attempt WHERE window_ends < now()", &[]).await?;
    app.store
        .query("DELETE FROM console.probe WHERE minute < now() - make_interval(days => $1)", &[&PROBE_DAYS])
        .await?;
    let retention = app.config.audit_retention.as_secs_f64();
    app.store.query("DELETE FROM console.audit WHERE at < now() - $1 * interval '1 second'", &[&retention]).await?;
    Ok(())
}

/// Returns the current and past health of all components.
pub(crate) async fn health(app: &AppState) -> Result<Vec<ComponentHealth>, StoreError> {
    const NOW: &str = "SELECT DISTINCT ON (component) component, is_up FROM console.probe \
                       WHERE minute > now() - interval '10 minutes' ORDER BY component, minute DESC";
    const MONTH: &str = "SELECT component, count(*) AS checks, avg(is_up::integer)::double precision AS up \
                         FROM console.probe WHERE minute > now() - interval '30 days' GROUP BY component";
    const HOURS: &str = "SELECT component, date_trunc('hour', minute) AS hour, avg(is_up::integer)::double precision AS up \
                         FROM console.probe WHERE minute > now() - interval '48 hours' GROUP BY 1, 2";
    let (now, month, hours) =
        tokio::try_join!(app.store.query(NOW, &[]), app.store.query(MONTH, &[]), app.store.query(HOURS, &[]))?;
    let this_hour = OffsetDateTime::now_utc().unix_timestamp() / 3_600;
    let of = |name: &'static str, label: &'static str| {
        let is_this = |row: &&limner_store::Row| row.get::<_, &str>("component") == name;
        let in_hour = |hour: i64| {
            let found = hours
                .iter()
                .filter(is_this)
                .find(|row| row.get::<_, OffsetDateTime>("hour").unix_timestamp() / 3_600 == hour);
            HealthHour { up: found.map(|row| row.get("up")) }
        };
        ComponentHealth {
            label,
            is_up: now.iter().find(is_this).map(|row| row.get("is_up")),
            month: month.iter().find(is_this).map(|row| row.get("up")),
            checks: month.iter().find(is_this).map_or(0, |row| row.get("checks")),
            hours: (this_hour - 47..=this_hour).map(in_hour).collect(),
        }
    };
    // From the caller's side inwards, and the console last.
    let watched = app.config.watched.iter().map(|watched| watched.role.names());
    let components = std::iter::once(API).chain(watched).chain([ACCOUNTS, CONSOLE]);
    Ok(components.map(|(name, label)| of(name, label)).collect())
}
