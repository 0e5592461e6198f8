//! `--render`: reads the page in a browser and through a proxy started by this process.

use super::{failure, internal};
use crate::wiring;
use anyhow::Context;
use limner_egress::Egress;
use limner_netguard::{EgressPolicy, PassKey};
use limner_page::{PageSnapshot, TargetUrl};
use limner_renderer::{Browsers, Visited, Wanted};
use limner_runtime::Settings;
use limner_types::{ErrorBody, Request};
use std::net::Ipv4Addr;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Reads the page; a screenshot is stored at the configured location.
pub(super) async fn read(
    settings: &Settings,
    policy: EgressPolicy,
    target: &TargetUrl,
    request: &Request,
) -> Result<PageSnapshot, ErrorBody> {
    let stop = CancellationToken::new();
    let _stop_in_the_end = stop.clone().drop_guard();
    let browsers = start(settings, policy, stop).await.map_err(|fault| internal(&fault))?;
    let wanted = Wanted {
        target: target.clone(),
        operation: request.operation,
        screenshot: request.screenshot,
        deadline: Instant::now() + settings.limits.call,
    };
    let visited = browsers.visit(&wanted).await;
    let Visited { mut snapshot, screenshot, .. } = visited.map_err(|fault| failure(fault.code(), fault.message()))?;
    if let Some(png) = screenshot {
        snapshot.screenshot = Some(keep(settings, png).await.map_err(|fault| internal(&fault))?);
    }
    Ok(snapshot)
}

async fn start(settings: &Settings, policy: EgressPolicy, stop: CancellationToken) -> anyhow::Result<Browsers> {
    let passes = PassKey::new(&format!("{}{}", Uuid::new_v4(), Uuid::new_v4()));
    let listen = (Ipv4Addr::LOCALHOST, 0).into();
    let config = wiring::egress_config(settings, listen, passes.clone());
    let egress = Egress::bind(config, wiring::egress(settings, policy)?).await.context("the browser's proxy")?;
    let proxy = egress.local_addr().to_string();
    tokio::spawn(egress.run(stop));
    let mut browser = wiring::browser_config(settings, proxy, passes)?;
    // A command leaves no files behind, and any user may run it.
    browser.profiles = std::env::temp_dir().join(format!("limner-browsers-{}", std::process::id()));
    Ok(Browsers::start(browser))
}

async fn keep(settings: &Settings, png: Vec<u8>) -> anyhow::Result<String> {
    let name = wiring::screenshots(settings)?.keep(png.into()).await?;
    Ok(format!("{}/{name}", wiring::screenshots_url(settings)))
}
