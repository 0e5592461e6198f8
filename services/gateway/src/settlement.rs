//! Settles holds: commits or releases them, with retries. A failed attempt is retried in the background: a release for
//! as long as the hold lives, since its expiry frees it anyway; a commit for some time longer, since metering honours a
//! late one.

use crate::metering::{Metering, MeteringError};
use limner_proto::v1;
use limner_types::AccountState;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

const FIRST_RETRY_DELAY: Duration = Duration::from_millis(100);
const MAX_RETRY_DELAY: Duration = Duration::from_secs(5);

#[derive(Clone)]
pub(crate) struct HoldSettler {
    metering: Arc<dyn Metering>,
    tasks: TaskTracker,
}

/// The outcome of a commit.
#[derive(Debug)]
pub(crate) enum CommitOutcome {
    Now(v1::CommitResponse),
    /// Metering is unavailable: the call will be charged in the background.
    Deferred,
    /// Metering will not charge it: the hold no longer exists.
    Never,
}

/// The charge of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Charge {
    pub(crate) credits: u64,
    /// True if a credit pack paid for the call.
    pub(crate) from_pack: bool,
}

impl HoldSettler {
    pub(crate) fn new(metering: Arc<dyn Metering>, tasks: TaskTracker) -> Self {
        Self { metering, tasks }
    }

    /// Commits a hold. Waits for `timeout`, then continues in the background until `give_up`.
    pub(crate) async fn commit(
        &self,
        request: v1::CommitRequest,
        timeout: Duration,
        give_up: Instant,
    ) -> CommitOutcome {
        let metering = Arc::clone(&self.metering);
        let work = self.tasks.spawn(async move {
            let commit = || metering.commit(request.clone());
            retry_until(commit, give_up, "a charge", &request.request_id).await
        });
        match tokio::time::timeout(timeout, work).await {
            Ok(Ok(Some(response))) => CommitOutcome::Now(response),
            Ok(_) => CommitOutcome::Never,
            Err(_) => CommitOutcome::Deferred,
        }
    }

    /// Releases a hold. Waits for `timeout`, then continues in the background until `hold_ends`.
    pub(crate) async fn release(&self, request: v1::ReleaseRequest, timeout: Duration, hold_ends: Instant) {
        let metering = Arc::clone(&self.metering);
        let work = self.tasks.spawn(async move {
            let release = || metering.release(request.clone());
            retry_until(release, hold_ends, "a release", &request.request_id).await
        });
        let _ = tokio::time::timeout(timeout, work).await;
    }
}

/// Returns the projected account after a held call is charged.
pub(crate) fn projected_charge(held: AccountState, price: u64, source: v1::CreditSource) -> (AccountState, Charge) {
    let mut account = held;
    account.spent_this_month = account.spent_this_month.saturating_add(price);
    let from_pack = source == v1::CreditSource::Pack;
    if from_pack {
        account.pack_balance = account.pack_balance.saturating_sub(price);
    } else {
        let from_plan = account.remaining().map_or(price, |left| left.min(price));
        account.plan_spent = account.plan_spent.saturating_add(from_plan);
        account.overage_spent = account.overage_spent.saturating_add(price - from_plan);
    }
    (account, Charge { credits: price, from_pack })
}

/// Repeats `call` until metering answers. Returns `None` if metering rejects it, or time runs out.
async fn retry_until<'a, T>(
    call: impl Fn() -> futures::future::BoxFuture<'a, Result<T, MeteringError>>,
    give_up: Instant,
    what: &'static str,
    request_id: &str,
) -> Option<T> {
    let mut pause = FIRST_RETRY_DELAY;
    loop {
        match call().await {
            Ok(answer) => return Some(answer),
            Err(MeteringError::Refused(cause)) => {
                metrics::counter!("limner_gateway_unsettled_holds_total", "why" => "refused").increment(1);
                tracing::error!(request.id = request_id, error = cause, "{what} rejected");
                return None;
            }
            Err(cause) => tracing::warn!(request.id = request_id, error = %cause, "{what} failed; retrying"),
        }
        if Instant::now() + pause >= give_up {
            metrics::counter!("limner_gateway_unsettled_holds_total", "why" => "expired").increment(1);
            tracing::error!(request.id = request_id, "{what} abandoned: time limit exceeded");
            return None;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(MAX_RETRY_DELAY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_types::Plan;
    use v1::CreditSource;

    #[test]
    fn charge_is_projected_by_its_source() {
        let held = |monthly_limit, plan_spent| AccountState {
            account_id: "a".to_owned(),
            plan: Plan::Developer,
            suspended: false,
            requests_per_minute: 60,
            monthly_limit,
            period_start_unix: 0,
            spent_this_month: plan_spent,
            plan_spent,
            overage_spent: 0,
            pack_balance: 500,
            overage_enabled: true,
            version: 1,
        };
        // Limit, spent before, source; then plan credits spent, overage, pack balance.
        for (limit, before, source, (plan, overage, pack)) in [
            (Some(100), 10, CreditSource::Plan, (35, 0, 500)),
            (Some(100), 90, CreditSource::Pack, (90, 0, 475)),
            (Some(100), 90, CreditSource::Overage, (100, 15, 500)),
            (Some(100), 100, CreditSource::Overage, (100, 25, 500)),
            (None, 90, CreditSource::Unlimited, (115, 0, 500)),
        ] {
            let (account, charge) = projected_charge(held(limit, before), 25, source);
            assert_eq!((account.plan_spent, account.overage_spent, account.pack_balance), (plan, overage, pack));
            assert_eq!((account.spent_this_month, charge.credits), (before + 25, 25));
            assert_eq!(charge.from_pack, source == CreditSource::Pack);
        }
    }
}
