//! Metering: accounts, API keys and credits.
//!
//! [`Ledger`] contains the whole business logic. `limner admin` uses it in process; gateways and the console use it
//! over gRPC through [`MeteringService`]. Its rules are SQL functions (`shared/store/functions`), so that each hold,
//! commit or plan change is one transaction and one round trip, however many callers there are at once. The Rust code
//! decodes rows, explains denials, publishes changes to running processes and runs the periodic jobs.
//!
//! No other process of the fleet owns a balance: caches contain copies that [`Ledger`] wrote, and can be lost at any
//! time.

pub mod api_key;
pub mod billing;
pub mod contract_terms;
mod denial_messages;
mod error;
mod grpc;
pub mod invoice;
mod ledger;
mod outbox;
mod scheduled_jobs;
mod service;
mod token_check;
mod webhook_server;

pub use crate::ledger::account_owner::{ApiKeyInfo, CallFilter, CallWithKeyPurpose, KeyPurpose, UsageDay};
pub use crate::ledger::holds::{CommitResult, CreditSource, HoldCall, HoldDecision, RecordedCall, ReleaseResult};
pub use error::LedgerError;
pub use ledger::Ledger;
pub use ledger::accounts::{AccountEvent, AccountRecord, NewAccount};
pub use ledger::adjustments::Refunded;
pub use ledger::audit::Mismatch;
pub use ledger::grants::{CodeExchange, ExchangeOutcome, GrantRecord, Introspected, NewGrant, NewTokens, Refresh};
pub use ledger::history::HistoryPartition;
pub use ledger::keys::{Authenticated, KeyRecord, NewKey};
pub use ledger::periods::{ClosedPeriod, PeriodClose};
pub use ledger::personal_data::Replay;
pub use ledger::plans::{PlanChange, ScheduledPlan};
pub use ledger::usage::{LedgerEntry, OperationTotal, UsageEntry, UsagePage};
pub use service::{Config, MeteringService};
