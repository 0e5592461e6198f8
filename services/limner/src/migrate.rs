//! `limner migrate`: schema, streams and consumers; and a check whether objects can be stored. Idempotent.

use crate::cli::GrantingServer;
use crate::exit::{ExitReason, with_causes};
use crate::progress::ProgressLine;
use crate::{output, run_dir, service_configs};
use limner_bus::{Bus, BusConfig};
use limner_cache::CacheConfig;
use limner_runtime::Settings;
use limner_runtime::settings::Server;
use limner_store::Store;

/// Returns the users of a server, each with what its role needs.
pub(crate) fn grants(server: GrantingServer) -> String {
    match server {
        GrantingServer::Postgres => limner_store::GRANTS.to_owned(),
        GrantingServer::Redis => limner_cache::redis_users(&CacheConfig::default().prefix),
        GrantingServer::Nats => limner_bus::nats_users(&BusConfig::default().prefix),
    }
}

/// Runs the command on the configured servers, or those of a running `limner up`.
pub(crate) async fn run(settings: &Settings) -> Result<(), ExitReason> {
    let mut settings = settings.clone();
    run_dir::complete(&mut settings)?;
    settings.require(&[Server::Postgres, Server::Nats])?;
    let progress = ProgressLine::start("Connecting to PostgreSQL and NATS");
    let (store, bus) = tokio::try_join!(service_configs::store(&settings), service_configs::bus(&settings, "migrate"))?;
    progress.now("Bringing the schema up to date");
    let done = apply(&store, &bus).await?;
    drop(progress);
    for line in done {
        output::print(&line)?;
    }
    // The default directory needs no preparation.
    if settings.objects.url.is_some() {
        let progress = ProgressLine::start("Looking whether objects can be kept");
        let found = objects(&settings).await;
        drop(progress);
        output::print(&found)?;
    }
    Ok(())
}

/// Checks whether objects can be stored. Buckets are created by their owner, and the migrating user may lack the rights
/// to use them, so a failure is only reported.
async fn objects(settings: &Settings) -> String {
    let checked = async { Ok::<_, anyhow::Error>(service_configs::screenshots(settings)?.check().await?) };
    match checked.await {
        Ok(()) => "objects can be kept".to_owned(),
        Err(cause) => format!("objects cannot be kept from here: {}", with_causes(&cause)),
    }
}

/// Brings schema, streams and consumers up to date, and returns the actions taken.
pub(crate) async fn apply(store: &Store, bus: &Bus) -> anyhow::Result<Vec<String>> {
    let migrated = store.migrate().await?;
    bus.declare().await?;
    let mut done: Vec<String> = migrated.applied.iter().map(|name| format!("applied {name}")).collect();
    if migrated.functions_applied {
        done.push("applied the SQL functions".to_owned());
    }
    done.push(format!("the schema is at version {}", migrated.version));
    done.push("streams and consumers are declared".to_owned());
    Ok(done)
}
