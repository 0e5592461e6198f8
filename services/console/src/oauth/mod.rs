//! The authorization server (OAuth 2.1): account holders let clients act at our resource servers in their name.
//!
//! It asks people, and makes codes and tokens; what was granted is kept by metering, which never sees a secret. Clients
//! are public ones: anybody may be a client, by a document at an address of theirs or by registration, so that nothing a
//! client says about itself is believed but where its answers go. Every request proves possession (PKCE, S256 alone),
//! every token is for one resource server.

mod authorize;
mod client;
mod cors;
mod document;
mod error;
mod landing;
mod metadata;
mod params;
mod redirect;
mod register;
mod scope;
mod token;

pub(crate) use document::{DocumentClient, is_address as is_document_address};
pub(crate) use landing::landing_of;
pub(crate) use scope::words as scope_words;

use crate::app::App;
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
/// RFC 8414 §3.
const METADATA: &str = "/.well-known/oauth-authorization-server";

/// What programs send is small.
const LARGEST_REQUEST: usize = 32 * 1024;

/// For people: what asks them.
pub(crate) fn pages() -> Router<Arc<App>> {
    Router::new().route(AUTHORIZE, get(authorize::ask).post(authorize::decide))
}

/// For programs, those that run in pages of other origins included: nothing here looks at cookies.
pub(crate) fn endpoints() -> Router<Arc<App>> {
    Router::new()
        .route(METADATA, get(metadata::show).options(cors::preflight))
        .route(TOKEN, post(token::exchange).options(cors::preflight))
        .route(REVOKE, post(token::revoke).options(cors::preflight))
        .route(REGISTER, post(register::register).options(cors::preflight))
        .layer(DefaultBodyLimit::max(LARGEST_REQUEST))
        .layer(from_fn(cors::open))
}

/// A resource server whose tokens are given out here (RFC 8707).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtectedResource {
    /// Its identifier, exactly as it names itself when it asks whose token it is.
    pub uri: String,
    /// For people.
    pub name: String,
}

/// The resource server that a client means: addresses are compared as addresses, and a last slash does not matter.
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
    fn resources_are_compared_as_addresses() {
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
