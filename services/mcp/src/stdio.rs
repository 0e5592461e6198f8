//! The stdio transport, for clients that start this process.

use crate::{McpError, Tools};
use rmcp::ServiceExt;
use std::fs::File;
use std::os::fd::AsFd;

/// Serves the client that started this process, until it closes its side.
///
/// # Errors
/// The client violates the protocol, or the pipes fail.
pub async fn serve_stdio(tools: Tools) -> Result<(), McpError> {
    let lost = |cause: std::io::Error| McpError::Client(cause.to_string());
    let input = std::io::stdin().as_fd().try_clone_to_owned().map_err(lost)?;
    let output = std::io::stdout().as_fd().try_clone_to_owned().map_err(lost)?;
    let pipes = (tokio::fs::File::from_std(File::from(input)), tokio::fs::File::from_std(File::from(output)));
    let serving = tools.serve(pipes).await.map_err(|cause| McpError::Client(cause.to_string()))?;
    serving.waiting().await.map_err(|cause| McpError::Client(cause.to_string()))?;
    Ok(())
}
