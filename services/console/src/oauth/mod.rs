//! The authorization server (OAuth 2.1): users let clients act on their behalf at our resource servers.
//!
//! It asks users for consent and issues codes and tokens. Metering stores the grants and never sees a secret. All
//! clients are public: anybody may be a client, by a document at a URL of theirs or by registration, so that only a
//! client's redirect URIs are trusted. Every request proves possession (PKCE, S256 only), and every token is for one
//! resource server.

mod authorize;
mod client;
mod client_metadata;
pub(crate) mod clients;
mod cors;
mod error;
mod metadata;
mod params;
pub(crate) mod pending_authorization;
mod redirect_uri;
mod register;
mod resource;
pub(crate) mod routes;
mod scope;
mod token;

pub(crate) use client_metadata::{DocumentClient, is_metadata_url};
pub(crate) use scope::description as scope_words;

const AUTHORIZE: &str = "/oauth/authorize";
const TOKEN: &str = "/oauth/token";
const REGISTER: &str = "/oauth/register";
const REVOKE: &str = "/oauth/revoke";
/// Path of the metadata document (RFC 8414 §3).
const METADATA: &str = "/.well-known/oauth-authorization-server";
