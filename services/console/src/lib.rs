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

mod archive;
mod assets;
mod audit;
mod background_jobs;
mod client_info;
mod config;
mod cookies;
mod csrf;
mod devices;
mod docs;
mod email;
mod email_links;
mod error;
mod error_page;
mod fleet_probe;
mod form;
mod gateway;
mod identity;
mod layout;
mod legal;
mod mail;
mod metering;
mod oauth;
mod oidc;
mod password;
mod playground;
mod public_url;
mod rate_limit;
mod response;
mod routes;
mod security_headers;
mod server;
mod sessions;
mod sign_in;
mod state;
mod text_format;
mod token;
mod users;
mod view;
mod zip;

pub use config::{Config, DemoSite, FleetRole, MailConfig, OidcConfig, ProtectedResource, SmtpConfig, WatchedRole};
pub use error::ConsoleError;
pub use server::Console;
