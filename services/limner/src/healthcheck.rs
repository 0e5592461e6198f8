//! Checks the readiness of the process on this machine, for containers without curl.

use crate::run_dir;
use anyhow::{Context, bail};
use limner_runtime::Settings;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const RESPONSE_TIMEOUT: Duration = Duration::from_secs(5);

/// Succeeds if `/readyz` answers 200.
pub(crate) async fn run(settings: &Settings) -> anyhow::Result<()> {
    let address = match run_dir::published(settings)? {
        Some(endpoints) => endpoints.admin,
        None => settings.admin.listen,
    };
    let answer = tokio::time::timeout(RESPONSE_TIMEOUT, ask(address)).await;
    let answer = answer.context("no answer in time")?.with_context(|| format!("asking {address}"))?;
    if !answer.starts_with("HTTP/1.1 200") {
        bail!("not ready: {}", answer.lines().last().unwrap_or_default());
    }
    Ok(())
}

async fn ask(address: SocketAddr) -> std::io::Result<String> {
    let mut connection = TcpStream::connect(address).await?;
    let request = format!("GET /readyz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    connection.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await?;
    Ok(answer)
}
