//! The authorization server (OAuth 2.1): users let clients act on their behalf at our resource servers.
//!
//! It asks users for consent and issues codes and tokens. Metering stores the grants and never sees a secret. All
//! clients are public: anybody may be a client, by a document at a URL of theirs or by registration, so that only a
//! client's redirect URIs are trusted. Every request proves possession (PKCE, S256 only), and every token is for one
//! resource server.

mod authorize;
mod client;
mod client_metadata;
mod cors;
mod error;
mod metadata;
mod params;
mod pending_authorization;
mod redirect_uri;
mod register;
mod scope;
mod token;

pub(crate) use client_metadata::{DocumentClient, is_address as is_document_address};
pub(crate) use pending_authorization::pending_path;
pub(crate) use scope::description as scope_words;

use crate::state::AppState;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn;
use axum::routing::{get, post};
use std::sync::Arc;
use url::Url;

pub(crate) const AUTHORIZE: &str = "/oauth/authorize";
const TOKEN: &str = "/oauth/token";
const REGISTER: &str = "/oauth/register";
const REVOKE: &str = "/oauth/revoke";
/// Path of the metadata document (RFC 8414 §3).
const METADATA: &str = "/.well-known/oauth-authorization-server";

/// Maximum size of a request.
const MAX_REQUEST_BYTES: usize = 32 * 1024;

/// Returns the routes for people: the consent page.
pub(crate) fn pages() -> Router<Arc<AppState>> {
    Router::new().route(AUTHORIZE, get(authorize::ask).post(authorize::decide))
}

/// Returns the routes for programs, including those in pages of other origins: they ignore cookies.
pub(crate) fn endpoints() -> Router<Arc<AppState>> {
    Router::new()
        .route(METADATA, get(metadata::show).options(cors::preflight))
        .route(TOKEN, post(token::exchange).options(cors::preflight))
        .route(REVOKE, post(token::revoke).options(cors::preflight))
        .route(REGISTER, post(register::register).options(cors::preflight))
        .layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES))
        .layer(from_fn(cors::open))
}

/// A resource server that tokens are issued for (RFC 8707).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtectedResource {
    /// Its identifier, exactly as it sends it for token introspection.
    pub uri: String,
    /// Its display name.
    pub name: String,
}

/// Returns the resource server that a client names. Identifiers are compared as parsed URLs, ignoring a trailing slash.
fn resource<'a>(known: &'a [ProtectedResource], given: &str) -> Option<&'a ProtectedResource> {
    let normal = |text: &str| {
        let url = Url::parse(text).ok().filter(|url| url.fragment().is_none())?;
        Some(url.as_str().trim_end_matches('/').to_owned())
    };
    let given = normal(given)?;
    known.iter().find(|resource| normal(&resource.uri).as_deref() == Some(&given))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_compared_as_urls() {
        let of = |uri: &str| ProtectedResource { uri: uri.to_owned(), name: String::new() };
        let known = [of("https://mcp.example.com/mcp"), of("https://mcp.example.com")];
        for (given, found) in [
            ("https://mcp.example.com/mcp", Some(0)),
            ("HTTPS://MCP.example.com:443/mcp/", Some(0)),
            ("https://mcp.example.com/", Some(1)),
            ("https://mcp.example.com", Some(1)),
            ("https://mcp.example.com/MCP", None),
            ("https://mcp.example.com/mcp/x", None),
            ("https://mcp.example.com/mcp?a", None),
            ("https://mcp.example.com/mcp#a", None),
            ("http://mcp.example.com/mcp", None),
            ("https://mcp.example.com.evil.example/mcp", None),
            ("https://mcp.example.com@evil.example/mcp", None),
            ("mcp", None),
            ("", None),
        ] {
            assert_eq!(resource(&known, given), found.map(|at: usize| &known[at]), "{given}");
        }
    }
}
