//! Metering: accounts, API keys and credits.
//!
//! [`Ledger`] is the whole business: it is used in process by `limner admin`, and over gRPC by gateways through
//! [`MeteringService`], where account holders' orders arrive too. Its rules live in the database as functions (`shared/store/migrations`), so that each hold,
//! commit or change of plan is one transaction and one round trip, whoever calls it and however many do at once. Rust
//! around them decodes, explains refusals, tells running processes what changed, and runs the recurring jobs.
//!
//! Nothing else in the fleet knows a balance: caches hold what [`Ledger`] wrote there, and can be lost at any time.

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
