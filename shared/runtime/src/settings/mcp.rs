//! `[mcp]`: the MCP server.

use super::console::SingleLine;
use super::layered_reader::LayeredReader;
use super::values::BaseUrl;
use std::net::{Ipv4Addr, SocketAddr};

/// `[mcp]`
#[derive(Debug, Clone)]
pub struct McpSettings {
    /// True if `limner up` runs an MCP server.
    pub enabled: bool,
    /// Listening address; `None`: [`McpSettings::DEFAULT_LISTEN`], or in `limner up` a free port if that is in use.
    pub listen: Option<SocketAddr>,
    /// Public URL, without `/mcp`; `None`: the listening address.
    pub url: Option<BaseUrl>,
    /// URL of the gateway as reached from the MCP server; `None`: its public URL.
    pub gateway_url: Option<BaseUrl>,
    /// Origins of web pages that may call, comma-separated.
    pub allowed_origins: Option<SingleLine>,
}

impl McpSettings {
    /// Default listening address.
    pub const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8091);

    pub(super) fn read(from: &mut LayeredReader) -> Self {
        Self {
            enabled: from.value("mcp.enabled", true, "limner up: whether there is an MCP server"),
            listen: from.optional("mcp.listen", "where clients connect; absent: 127.0.0.1:8091"),
            url: from.optional("mcp.url", "how clients reach it, without /mcp; absent: where it listens"),
            gateway_url: from.optional("mcp.gateway_url", "where it reaches the gateway; absent: public_url"),
            allowed_origins: from.optional(
                "mcp.allowed_origins",
                "web pages that may call, such as https://app.example.com:443, separated by commas; absent: none",
            ),
        }
    }

    /// Returns the resource that access tokens are for (RFC 8707), as configured.
    pub fn resource(&self) -> String {
        let listen = self.listen.unwrap_or(Self::DEFAULT_LISTEN);
        let base = self.url.clone().unwrap_or_else(|| BaseUrl::for_listener(listen));
        format!("{}/mcp", base.as_str())
    }
}
