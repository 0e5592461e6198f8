//! Metering against real servers.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod account_owner;
mod adjustments;
mod admin;
mod audit;
mod billing;
mod checkout;
mod concurrency;
mod credit_sources;
mod grants;
mod history;
mod holds;
mod keys;
mod ledger_model;
mod outbox;
mod payments;
mod period_boundaries;
mod periods;
mod personal_data;
mod plans;
mod random_histories;
mod reconciliation;
mod restore;
mod returned_payments;
mod service;
mod stripe_parameters;
mod stripe_returns;
mod stripe_server;
mod support;
mod upgrade;
mod usage;
