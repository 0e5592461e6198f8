//! Closing months.

use crate::support::{account, assert_balanced, business, hold, ledger_with_clock, spend};
use limner_metering::billing::{BillingEngine, BillingError, BillingProvider, Customer, Prices};
use limner_metering::contract_terms::Currency;
use limner_metering::invoice::{Invoice, to_csv};
use limner_metering::{LedgerError, NewAccount};
use limner_types::Plan;
use std::sync::{Arc, Mutex};
use time::macros::date;

/// Returns (plan, quantity, rate, amount) of each line.
fn lines(invoice: &Invoice) -> Vec<(&str, u64, u64, u64)> {
    invoice
        .lines
        .iter()
        .map(|line| {
            let (plan, rate) = (line.plan.as_deref().unwrap(), line.rate_cents_per_1000.unwrap());
            (plan, line.quantity, rate, line.amount_cents)
        })
        .collect()
}

#[tokio::test]
async fn overage_becomes_invoice_lines_once() {
    let (ledger, clock) = ledger_with_clock("2026-10-15T12:00:00Z").await;
    let mut expected = Vec::new();
    for (plan, currency, over, rate, amount) in [
        (Plan::Developer, Currency::Eur, 1_000, 400, 400),
        (Plan::Growth, Currency::Usd, 1_234, 400, 494),
        (Plan::Scale, Currency::Eur, 2, 200, 0),
        (Plan::Scale, Currency::Usd, 5, 300, 2),
    ] {
        let new = NewAccount { currency, ..NewAccount::new("a@example.org", plan) };
        let id = ledger.create_account(&new).await.unwrap().state.account_id;
        let limit = u32::try_from(plan.monthly_credits().unwrap()).unwrap();
        spend(&ledger, &id, &format!("{id} over"), limit + over).await;
        expected.push((id, currency, plan.to_string(), u64::from(over), rate, amount));
    }
    let quiet = account(&ledger, Plan::Developer).await.state.account_id;
    spend(&ledger, &quiet, "within", 10).await;
    clock.set("2026-11-01T00:00:00Z").await;
    let close = ledger.close_periods(None).await.unwrap();
    assert_eq!((close.before.as_str(), close.periods.len(), close.invoices.len()), ("2026-11-01", 5, 4));
    assert!(close.periods.iter().all(|period| period.closed && period.period_start == "2026-10-01"));
    for (id, currency, plan, over, rate, amount) in expected {
        let invoice = close.invoices.iter().find(|invoice| invoice.account_id == id).unwrap();
        assert_eq!((invoice.currency, invoice.total_cents), (currency, amount));
        assert_eq!(lines(invoice), [(plan.as_str(), over, rate, amount)]);
        assert_eq!(ledger.invoices(&id).await.unwrap(), std::slice::from_ref(invoice));
    }
    assert_eq!(to_csv(&close.invoices).lines().count(), 5);
    for at in [None, Some(date!(2026 - 11 - 15)), Some(date!(2026 - 10 - 31))] {
        let again = ledger.close_periods(at).await.unwrap();
        assert_eq!((again.periods.len(), again.invoices.len()), (0, 0), "{at:?}");
    }
    assert_balanced(&ledger).await;
}

#[tokio::test]
async fn overage_is_billed_at_the_rate_it_was_drawn_under() {
    let (ledger, clock) = ledger_with_clock("2026-10-15T12:00:00Z").await;
    let id = account(&ledger, Plan::Developer).await.state.account_id;
    spend(&ledger, &id, "developer", 7_000).await;
    hold(&ledger, &id, "under way", 1_000).await;
    ledger.set_plan(&id, Plan::Growth).await.unwrap();
    ledger.commit("under way", false).await.unwrap();
    spend(&ledger, &id, "growth", 30_000).await;
    clock.set("2026-11-02T00:00:00Z").await;
    let close = ledger.close_periods(None).await.unwrap();
    assert_eq!(lines(&close.invoices[0]), [("developer", 3_000, 400, 1_200), ("growth", 5_000, 300, 1_500)]);
    assert_eq!(close.invoices[0].total_cents, 2_700);
}

#[tokio::test]
async fn month_with_calls_under_way_stays_open_until_they_end() {
    let (ledger, clock) = ledger_with_clock("2026-10-31T23:59:59Z").await;
    let id = business(&ledger, Some(1_000), true).await;
    spend(&ledger, &id, "first", 1_500).await;
    hold(&ledger, &id, "under way", 250).await;
    clock.set("2026-11-01T00:00:01Z").await;
    let early = ledger.close_periods(None).await.unwrap();
    assert!(!early.periods[0].closed);
    assert_eq!(lines(&early.invoices[0]), [("business", 500, 200, 100)]);
    assert_eq!(ledger.close_periods(None).await.unwrap().invoices, []);
    ledger.commit("under way", false).await.unwrap();
    let rest = ledger.close_periods(None).await.unwrap();
    assert!(rest.periods[0].closed);
    assert_eq!(lines(&rest.invoices[0]), [("business", 250, 200, 50)]);
    assert_ne!(rest.invoices[0].id, early.invoices[0].id);
    assert_eq!(ledger.close_periods(None).await.unwrap().periods, []);
}

#[tokio::test]
async fn month_that_is_billed_early_is_billed_once() {
    let (ledger, clock) = ledger_with_clock("2026-10-15T12:00:00Z").await;
    let id = business(&ledger, Some(1_000), true).await;
    spend(&ledger, &id, "before", 1_500).await;
    let early = ledger.close_periods(Some(date!(2026 - 11 - 01))).await.unwrap();
    assert_eq!((early.periods[0].closed, lines(&early.invoices[0])), (false, vec![("business", 500, 200, 100)]));
    spend(&ledger, &id, "after", 100).await;
    clock.set("2026-11-20T00:00:00Z").await;
    let due = ledger.close_periods(None).await.unwrap();
    assert_eq!((due.periods[0].closed, lines(&due.invoices[0])), (true, vec![("business", 100, 200, 20)]));
}

#[tokio::test]
async fn closing_at_once_bills_once() {
    let (ledger, clock) = ledger_with_clock("2026-10-15T12:00:00Z").await;
    for n in 0..10 {
        let id = business(&ledger, Some(1_000), true).await;
        spend(&ledger, &id, &format!("r{n}"), 2_000).await;
    }
    clock.set("2026-11-01T00:00:00Z").await;
    let runs = (0..4).map(|_| {
        let ledger = ledger.clone();
        tokio::spawn(async move { ledger.close_periods(None).await.unwrap().invoices })
    });
    let mut invoices = Vec::new();
    for run in runs.collect::<Vec<_>>() {
        invoices.extend(run.await.unwrap());
    }
    assert_eq!(invoices.len(), 10);
    assert_eq!(invoices.iter().map(|invoice| invoice.total_cents).sum::<u64>(), 2_000);
}

/// A provider that accepts invoices unless told to reject them.
#[derive(Default)]
struct Flaky {
    taken: Mutex<Vec<String>>,
    /// Accounts whose invoices it rejects.
    refuses: Mutex<Vec<String>>,
}

#[tonic::async_trait]
impl BillingProvider for Flaky {
    fn name(&self) -> &'static str {
        "flaky"
    }

    async fn create_invoice(&self, _customer: &Customer, invoice: &Invoice) -> Result<String, BillingError> {
        if self.refuses.lock().unwrap().contains(&invoice.account_id) {
            return Err(BillingError::Invoice { invoice: invoice.id.clone(), cause: "closed on Sundays".to_owned() });
        }
        self.taken.lock().unwrap().push(invoice.id.clone());
        Ok(format!("bill-{}", invoice.id))
    }
}

#[tokio::test]
async fn invoices_are_submitted_until_they_are_accepted() {
    let (ledger, clock) = ledger_with_clock("2026-10-15T12:00:00Z").await;
    let mut accounts = Vec::new();
    for n in 0..2 {
        accounts.push(business(&ledger, Some(1_000), true).await);
        spend(&ledger, &accounts[n], &format!("over {n}"), 2_000).await;
    }
    clock.set("2026-11-01T00:00:00Z").await;
    let invoices = ledger.close_periods(None).await.unwrap().invoices;
    let of = |account: &String| invoices.iter().find(|invoice| invoice.account_id == *account).unwrap().id.clone();
    let provider = Arc::new(Flaky::default());
    provider.refuses.lock().unwrap().push(accounts[0].clone());
    let billing = BillingEngine::new(ledger.clone(), provider.clone(), Prices::default());
    let refused = billing.submit_invoices().await;
    assert!(matches!(refused, Err(LedgerError::Billing(_))), "{refused:?}");
    assert_eq!(*provider.taken.lock().unwrap(), [of(&accounts[1])], "a rejected invoice does not hold up others");
    provider.refuses.lock().unwrap().clear();
    assert_eq!(billing.submit_invoices().await.unwrap(), [of(&accounts[0])]);
    assert_eq!(billing.submit_invoices().await.unwrap(), [] as [String; 0]);
    let stored = ledger.invoices(&accounts[0]).await.unwrap().remove(0);
    assert_eq!(stored.provider_reference, Some(format!("bill-{}", stored.id)));
}

#[tokio::test]
async fn invoices_are_exported_by_month() {
    let (ledger, clock) = ledger_with_clock("2026-10-15T12:00:00Z").await;
    let id = business(&ledger, Some(1_000), true).await;
    spend(&ledger, &id, "october", 1_500).await;
    clock.set("2026-11-15T00:00:00Z").await;
    spend(&ledger, &id, "november", 1_250).await;
    clock.set("2026-12-01T00:00:00Z").await;
    ledger.close_periods(None).await.unwrap();
    let of = async |month| ledger.invoices_of_month(month).await.unwrap();
    assert_eq!(of(None).await.len(), 2);
    assert_eq!(of(Some(date!(2026 - 09 - 30))).await, []);
    let november = of(Some(date!(2026 - 11 - 30))).await;
    assert_eq!(lines(&november[0]), [("business", 250, 200, 50)]);
    let row = format!(
        "{},{id},a@example.org,2026-11-01,eur,Overage on plan business,overage,business,,250,200,50",
        november[0].id
    );
    assert_eq!(to_csv(&november).lines().nth(1), Some(row.as_str()));
}
