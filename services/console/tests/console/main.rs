//! The console against a real database and a real metering service.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod account_pages;
mod client_metadata;
mod docs;
mod hostile;
mod identity_provider;
mod lockout;
mod mail;
mod oauth_attacks;
mod oauth_clients;
mod oauth_flow;
mod oauth_support;
mod oidc_sign_in;
mod results;
mod security;
mod sign_in;
mod smtp_server;
mod support;
