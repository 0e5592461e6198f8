//! Metering against real servers.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod adjustments;
mod admin;
mod announcing;
mod audit;
mod billing;
mod calls;
mod checkout;
mod concurrency;
mod grants;
mod histories;
mod holders;
mod keys;
mod model;
mod months;
mod payments;
mod periods;
mod plans;
mod service;
mod sources;
mod stripe_server;
mod support;
mod upgrade;
mod usage;
