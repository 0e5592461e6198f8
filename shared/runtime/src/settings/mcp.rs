//! `[mcp]`: where agents connect.

use super::console::Line;
use super::reader::Reader;
use super::values::BaseUrl;
use std::net::{Ipv4Addr, SocketAddr};

/// `[mcp]`
#[derive(Debug, Clone)]
pub struct McpSettings {
    /// Whether `limner up` runs an MCP server.
    pub enabled: bool,
    /// Where it listens; `None`: [`McpSettings::USUAL`], or a free port in `limner up` when that is taken.
    pub listen: Option<SocketAddr>,
    /// The address clients use, without `/mcp`; `None`: where it listens.
    pub url: Option<BaseUrl>,
    /// Where it reaches the gateway; `None`: at its public address.
    pub gateway_url: Option<BaseUrl>,
    /// Origins of web pages that may call, separated by commas.
    pub allowed_origins: Option<Line>,
}

impl McpSettings {
    /// Where the MCP server listens when nothing else is said.
    pub const USUAL: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8091);

    pub(super) fn read(from: &mut Reader) -> Self {
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

    /// The resource that access tokens are for (RFC 8707), as far as the settings say it.
    pub fn resource(&self) -> String {
        let listen = self.listen.unwrap_or(Self::USUAL);
        let base = self.url.clone().unwrap_or_else(|| BaseUrl::of(listen));
        format!("{}/mcp", base.as_str())
    }
}
