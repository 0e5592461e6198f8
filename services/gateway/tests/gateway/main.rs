//! The gateway over HTTP, with a real Redis and fakes of metering and the fleet.

#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod account_places;
mod calls;
mod cancellations;
mod faults;
mod flights;
mod hostile;
mod keys;
mod limits;
mod openapi;
mod screenshots;
mod support;
mod wire;
