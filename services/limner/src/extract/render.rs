//! Reads a page in a browser and through a proxy that this process starts.

use super::{failure, internal};
use crate::{exit, service_configs};
use anyhow::Context;
use limner_egress::Egress;
use limner_netguard::{EgressPolicy, EgressTokenKey};
use limner_page::{PageSnapshot, TargetUrl};
use limner_renderer::{BrowserPool, VisitError, VisitRequest, VisitResult};
use limner_runtime::Settings;
use limner_types::{ErrorBody, OperationRequest};
use std::net::Ipv4Addr;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// The reason why a page was not read in a browser.
pub(super) enum RenderError {
    /// There is no browser, or it cannot be started, or the screenshot cannot be stored.
    Internal(anyhow::Error),
    /// The visit failed.
    Visit(VisitError),
}

impl RenderError {
    /// Returns the body of the API's error.
    pub(super) fn to_body(&self) -> ErrorBody {
        match self {
            Self::Internal(fault) => internal(fault),
            Self::Visit(fault) => failure(fault.code(), fault.message()),
        }
    }

    /// Returns the reason in full, for logs.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Internal(fault) => exit::with_causes(fault),
            Self::Visit(fault) => fault.to_string(),
        }
    }
}

/// Reads the page; a screenshot is stored at the configured location.
pub(super) async fn read_page(
    settings: &Settings,
    policy: EgressPolicy,
    target: &TargetUrl,
    request: &OperationRequest,
    deadline: Instant,
) -> Result<PageSnapshot, RenderError> {
    let stop = CancellationToken::new();
    let _stop_in_the_end = stop.clone().drop_guard();
    let browsers = start(settings, policy, stop).await.map_err(RenderError::Internal)?;
    let wanted =
        VisitRequest { target: target.clone(), operation: request.operation, screenshot: request.screenshot, deadline };
    let visited = browsers.visit(&wanted).await.map_err(RenderError::Visit)?;
    let VisitResult { mut snapshot, screenshot, .. } = visited;
    if let Some(png) = screenshot {
        snapshot.screenshot = Some(store_screenshot(settings, png).await.map_err(RenderError::Internal)?);
    }
    Ok(snapshot)
}

async fn start(settings: &Settings, policy: EgressPolicy, stop: CancellationToken) -> anyhow::Result<BrowserPool> {
    let token_key = EgressTokenKey::new(&format!("{}{}", Uuid::new_v4(), Uuid::new_v4()));
    let listen = (Ipv4Addr::LOCALHOST, 0).into();
    let config = service_configs::egress_config(settings, listen, token_key.clone());
    let egress =
        Egress::bind(config, service_configs::egress(settings, policy)?).await.context("the browser's proxy")?;
    let proxy = egress.local_addr().to_string();
    tokio::spawn(egress.run(stop));
    let mut browser = service_configs::browser_config(settings, proxy, token_key)?;
    // A command leaves no files behind, and any user may run it.
    browser.profiles = std::env::temp_dir().join(format!("limner-browsers-{}", std::process::id()));
    Ok(BrowserPool::start(browser))
}

async fn store_screenshot(settings: &Settings, png: Vec<u8>) -> anyhow::Result<String> {
    let name = service_configs::screenshots(settings)?.put(png.into()).await?;
    Ok(format!("{}/{name}", service_configs::screenshots_url(settings)))
}
