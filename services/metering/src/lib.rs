//! Metering: accounts, API keys and credits.
//!
//! [`Ledger`] contains the whole business logic. `limner admin` uses it in process; gateways and the console use it
//! over gRPC through [`MeteringService`]. Its rules are SQL functions (`shared/store/functions`), so that each hold,
//! commit or plan change is one transaction and one round trip, however many callers there are at once. The Rust code
//! decodes rows, explains denials, publishes changes to running processes and runs the periodic jobs.
//!
//! No other process of the fleet owns a balance: caches contain copies that [`Ledger`] wrote, and can be lost at any
//! time.

mod account_grpc;
pub mod billing;
mod billing_grpc;
mod changes;
mod error;
mod grant_grpc;
mod grpc;
pub mod invoice;
mod jobs;
pub mod key;
mod ledger;
mod refusal;
mod service;
pub mod terms;
mod webhooks;

pub use error::LedgerError;
pub use ledger::Ledger;
pub use ledger::accounts::{AccountEvent, AccountRecord, NewAccount};
pub use ledger::adjustments::Refunded;
pub use ledger::audit::Mismatch;
pub use ledger::calls::{Committed, HoldCall, HoldDecision, RecordedCall, Released, Source};
pub use ledger::grants::{CodeExchange, Exchanged, GrantRecord, Introspected, NewGrant, NewTokens, Refresh};
pub use ledger::holders::{CallFilter, HeldKey, KeyPurpose, NamedCall, UsageDay};
pub use ledger::keys::{Authenticated, KeyRecord, NewKey};
pub use ledger::periods::{ClosedPeriod, PeriodClose};
pub use ledger::plans::{PlanChange, ScheduledPlan};
pub use ledger::usage::{LedgerEntry, OperationTotal, UsageEntry, UsagePage};
pub use service::{Config, MeteringError, MeteringService};
