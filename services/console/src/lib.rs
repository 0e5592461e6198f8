//! The console: where people get a key, see what they use, pay, try things out, read how it works, and let clients in.
//!
//! Pages are rendered here and work without scripts; one small script of our own makes them nicer. The console knows who
//! holds an account and nothing about credits: whatever it shows or changes of an account it asks metering for, and it
//! calls the gateway as any other caller does. Everything that was read from a page, and everything a caller sent, is
//! hostile when it is shown: it is text in a template, a source of an image, or lies in a frame without scripts.
//!
//! It never sees a password longer than it takes to hash it, never keeps a key in clear on disk, and never says whether
//! somebody else has an account.

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
