//! The console against a real database and a real metering service.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod documents;
mod entering;
mod hostile;
mod identities;
mod kit;
mod lockout;
mod mailing;
mod managing;
mod oauth_attacks;
mod oauth_clients;
mod oauth_flow;
mod oauth_kit;
mod provider;
mod safety;
mod smtp;
