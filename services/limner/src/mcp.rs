//! `limner mcp --stdio`: the tools for a client on this machine, with a key or with extraction in this process.

use crate::cli::url_variable;
use crate::exit::{ExitReason, UsageError};
use crate::{extract, output, service_configs};
use limner_mcp::{Backend, BackendResponse, CallError, GatewayBackend, LocalBackend, Tools, serve_stdio};
use limner_runtime::Settings;
use limner_types::{ApiKey, Operation};
use std::sync::Arc;

/// Environment variable with the key; an argument would be visible in process lists.
const KEY: &str = "LIMNER_API_KEY";

/// Serves until the client disconnects.
pub(crate) async fn run(settings: &Settings, url: Option<String>) -> Result<(), ExitReason> {
    let name = url_variable();
    let variable = std::env::var(name).ok().filter(|url| !url.is_empty());
    let (url, setting) = match (url, variable) {
        (Some(url), _) => (Some(url), "--url"),
        (None, Some(url)) => (Some(url), name),
        (None, None) => (None, "public_url"),
    };
    let backend: Arc<dyn Backend> = match std::env::var(KEY).ok().filter(|key| !key.trim().is_empty()) {
        Some(key) => {
            let key = ApiKey::parse(key.trim()).map_err(|fault| UsageError(format!("{KEY}: {fault}")))?;
            let url = url.unwrap_or_else(|| settings.public_url.as_str().to_owned());
            let base = extract::api_base(setting, &url)?;
            let gateway = GatewayBackend::new(&base, Arc::new(key)).map_err(anyhow::Error::from)?;
            let gateway = Arc::new(gateway.chosen_with(setting));
            tokio::spawn(report_missing_gateway(Arc::clone(&gateway)));
            gateway
        }
        None if url.is_some() => return Err(UsageError(format!("{setting} needs a key in {KEY}")).into()),
        None => Arc::new(local(settings)),
    };
    serve_stdio(Tools::new(backend)).await.map_err(anyhow::Error::from)?;
    Ok(())
}

/// Tells the person who set this up if there is no gateway: clients show what their servers write to standard error.
async fn report_missing_gateway(gateway: Arc<GatewayBackend>) {
    if let Err(why) = gateway.check().await {
        output::complain(&format!("limner: {why}"));
    }
}

/// Returns a backend in this process: no servers, no key, no charges.
fn local(settings: &Settings) -> LocalBackend {
    let settings = Arc::new(settings.clone());
    let keeper = Arc::clone(&settings);
    let extract = move |operation, query| {
        let settings = Arc::clone(&settings);
        async move { extract_locally(&settings, operation, query).await }
    };
    let picture = move |name: String| {
        let settings = Arc::clone(&keeper);
        async move { service_configs::screenshots(&settings).ok()?.get(&name.parse().ok()?).await.ok()? }
    };
    LocalBackend::new(extract, picture)
}

async fn extract_locally(
    settings: &Settings,
    operation: Operation,
    query: Vec<(String, String)>,
) -> Result<BackendResponse, CallError> {
    let (body, content_type) = extract::answer(settings, operation, &query).await.map_err(CallError::from)?;
    Ok(BackendResponse { content_type, body: body.into() })
}
