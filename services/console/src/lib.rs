//! The console: the website where users get a key, see their usage, pay, try the API, read its documentation, and
//! authorize clients.
//!
//! Pages are rendered on the server and work without scripts; one small script improves them. The console stores users,
//! but no credits: it reads and changes accounts through metering, and calls the gateway's public API like any other
//! caller. Data read from pages and data sent by callers is untrusted when it is shown: it is escaped text in a
//! template, the source of an image, or content of a frame without scripts.
//!
//! The console keeps a password only until it is hashed, never stores a key in clear on disk, and never reveals whether
//! an e-mail address has an account.

mod address;
mod app;
mod assets;
mod audit;
mod config;
mod csrf;
mod csv;
mod devices;
mod error;
mod form;
mod format;
mod gateway;
mod holders;
mod mail;
mod metering;
mod oauth;
mod oidc;
mod page;
mod password;
mod policy;
mod probes;
mod routes;
mod server;
mod sessions;
mod throttle;
mod token;
mod view;
mod visitor;

pub use config::{Config, MailConfig, OidcConfig, SmtpConfig};
pub use error::ConsoleError;
pub use oauth::ProtectedResource;
pub use server::Console;
