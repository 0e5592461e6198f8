//! `limner migrate`: schema, streams and consumers. Idempotent.

use crate::exit::Exit;
use crate::{endpoints, output, wiring};
use limner_bus::Bus;
use limner_runtime::Settings;
use limner_runtime::settings::Server;
use limner_store::Store;

/// Runs the command on the configured servers, or those of a `limner up` beside us.
pub(crate) async fn run(settings: &Settings) -> Result<(), Exit> {
    let mut settings = settings.clone();
    endpoints::complete(&mut settings)?;
    settings.require(&[Server::Postgres, Server::Nats])?;
    let (store, bus) = tokio::try_join!(wiring::store(&settings), wiring::bus(&settings, "migrate"))?;
    for line in apply(&store, &bus).await? {
        output::print(&line)?;
    }
    Ok(())
}

/// Brings schema, streams and consumers up to date, and says what was done.
pub(crate) async fn apply(store: &Store, bus: &Bus) -> anyhow::Result<Vec<String>> {
    let migrated = store.migrate().await?;
    bus.declare().await?;
    let mut done: Vec<String> = migrated.applied.iter().map(|name| format!("applied {name}")).collect();
    done.push(format!("the schema is at version {}", migrated.version));
    done.push("streams and consumers are declared".to_owned());
    Ok(done)
}
