//! Random histories of one account: holds, commits, releases, expiries, changes of plan, packs, months, and repeats
//! after a crash. The ledger in Postgres has to agree with the model at every step, and every line has to add up.
//!
//! `LIMNER_HISTORIES` sets how many (the soak run takes more); `LIMNER_SEED` repeats a run.

use crate::model::{Charge, Held, Model, Seen, Status};
use crate::support::{call, config, database};
use limner_metering::terms::BusinessTerms;
use limner_metering::{HoldCall, HoldDecision, Ledger, LedgerEntry, LedgerError, NewAccount};
use limner_store::Store;
use limner_types::{AccountState, Pack, Plan};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use time::format_description::well_known::Rfc3339;
use time::macros::datetime;

const HISTORIES: u32 = 10_000;
/// Each with a database and a connection of its own.
const WORKERS: u32 = 4;

#[derive(Debug, Clone)]
enum Step {
    Hold {
        id: u8,
        price: u32,
        life_s: u32,
    },
    Commit {
        id: u8,
    },
    Release {
        id: u8,
    },
    Sweep,
    Wait {
        seconds: u32,
    },
    NextMonth,
    SetPlan {
        credits: Option<u64>,
        overage: bool,
    },
    SetOverage {
        enabled: bool,
    },
    Suspend {
        suspended: bool,
    },
    Pack {
        reference: u8,
    },
    Close,
    /// The answer to the step before was lost, so it is done again.
    Again,
}

fn step() -> impl Strategy<Value = Step> {
    // Prices and limits are of a size that lets every source run out; few ids let steps meet.
    let price = prop_oneof![Just(1_u32), Just(5), Just(25), 1_u32..60, Just(260)];
    let credits = prop_oneof![4 => (0_u64..120).prop_map(Some), 1 => Just(None)];
    prop_oneof![
        12 => (0_u8..10, price, 0_u32..300).prop_map(|(id, price, life_s)| Step::Hold { id, price, life_s }),
        9 => (0_u8..10).prop_map(|id| Step::Commit { id }),
        3 => (0_u8..10).prop_map(|id| Step::Release { id }),
        2 => Just(Step::Sweep),
        3 => (1_u32..400).prop_map(|seconds| Step::Wait { seconds }),
        1 => Just(Step::NextMonth),
        2 => (credits, any::<bool>()).prop_map(|(credits, overage)| Step::SetPlan { credits, overage }),
        1 => any::<bool>().prop_map(|enabled| Step::SetOverage { enabled }),
        1 => any::<bool>().prop_map(|suspended| Step::Suspend { suspended }),
        1 => (0_u8..3).prop_map(|reference| Step::Pack { reference }),
        1 => Just(Step::Close),
        3 => Just(Step::Again),
    ]
}

#[derive(Debug, Clone)]
struct History {
    credits: Option<u64>,
    overage: bool,
    steps: Vec<Step>,
}

fn history() -> impl Strategy<Value = History> {
    let credits = prop_oneof![9 => (0_u64..120).prop_map(Some), 1 => Just(None)];
    (credits, any::<bool>(), prop::collection::vec(step(), 1..32)).prop_map(|(credits, overage, steps)| History {
        credits,
        overage,
        steps,
    })
}

#[test]
fn random_histories_agree_with_the_model() {
    let number = |name: &str, default: u64| std::env::var(name).map_or(default, |value| value.parse().unwrap());
    let histories = u32::try_from(number("LIMNER_HISTORIES", u64::from(HISTORIES))).unwrap();
    let seed = number("LIMNER_SEED", rand_seed());
    let done = AtomicU32::new(0);
    std::thread::scope(|scope| {
        for worker in 0..WORKERS {
            let done = &done;
            let cases = histories / WORKERS + u32::from(worker < histories % WORKERS);
            scope.spawn(move || run_worker(cases, seed + u64::from(worker), done));
        }
    });
    assert_eq!(done.load(Ordering::Relaxed), histories, "seed {seed}");
}

fn rand_seed() -> u64 {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs() * 1_000
}

fn run_worker(cases: u32, seed: u64, done: &AtomicU32) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let world = runtime.block_on(World::new());
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, rng);
    let outcome = runner.run(&history(), |history| {
        runtime.block_on(world.live(&history))?;
        done.fetch_add(1, Ordering::Relaxed);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("worker seed {seed}: {failure}");
    }
}

/// A database whose clock is a setting of the one session that uses it.
struct World {
    store: Store,
    ledger: Ledger,
}

impl World {
    async fn new() -> Self {
        let store = Store::connect(config(&database().await, 1)).await.unwrap();
        store
            .client()
            .await
            .unwrap()
            .batch_execute(
                "CREATE OR REPLACE FUNCTION metering.clock() RETURNS timestamptz LANGUAGE sql VOLATILE
                     AS $$ SELECT current_setting('test.now')::timestamptz $$",
            )
            .await
            .unwrap();
        Self { ledger: Ledger::new(store.clone(), None, None), store }
    }

    async fn set_clock(&self, model: &Model) {
        let now = model.now.format(&Rfc3339).unwrap();
        self.store.query("SELECT set_config('test.now', $1, false)", &[&now]).await.unwrap();
    }

    async fn live(&self, history: &History) -> Result<(), TestCaseError> {
        let mut model = Model::new(datetime!(2026-10-29 22:00 UTC), history.credits, history.overage);
        self.set_clock(&model).await;
        let new = NewAccount {
            business: Some(agreed(history.credits, history.overage)),
            ..NewAccount::new("a@example.org", Plan::Business)
        };
        let account = self.ledger.create_account(&new).await.unwrap().state.account_id;
        let mut life = Life { world: self, account, model: &mut model };
        let mut before: Option<&Step> = None;
        for step in &history.steps {
            let step = if matches!(step, Step::Again) { before } else { Some(step) };
            if let Some(step) = step {
                life.take(step).await?;
                life.compare().await?;
            }
            before = step;
        }
        life.end().await
    }
}

fn agreed(credits: Option<u64>, overage: bool) -> BusinessTerms {
    BusinessTerms { monthly_credits: credits, overage, ..BusinessTerms::default() }
}

/// One history under way.
struct Life<'a> {
    world: &'a World,
    account: String,
    model: &'a mut Model,
}

impl Life<'_> {
    fn request(&self, id: u8) -> String {
        format!("{}-{id}", self.account)
    }

    async fn take(&mut self, step: &Step) -> Result<(), TestCaseError> {
        let ledger = &self.world.ledger;
        match step {
            Step::Hold { id, price, life_s } => self.hold(*id, *price, *life_s).await?,
            Step::Commit { id } => self.commit(*id).await?,
            Step::Release { id } => {
                let released = ledger.release(&self.request(*id), "target_error").await.unwrap();
                prop_assert_eq!((released.state.is_some(), released.charged), self.model.release(*id));
            }
            Step::Sweep => prop_assert_eq!(ledger.expire_holds(1_000).await.unwrap(), self.model.sweep()),
            Step::Wait { seconds } => {
                self.model.advance(time::Duration::seconds(i64::from(*seconds)));
                self.world.set_clock(self.model).await;
            }
            Step::NextMonth => self.next_month().await,
            Step::SetPlan { credits, overage } => {
                (self.model.limit, self.model.overage_enabled) = (*credits, *overage);
                let terms = Some(agreed(*credits, *overage));
                ledger.set_plan(&self.account, Plan::Business, terms).await.unwrap();
            }
            Step::SetOverage { enabled } => {
                self.model.overage_enabled = *enabled;
                ledger.set_overage(&self.account, *enabled).await.unwrap();
            }
            Step::Suspend { suspended } => {
                self.model.suspended = *suspended;
                let change =
                    if *suspended { ledger.suspend(&self.account).await } else { ledger.resume(&self.account).await };
                change.unwrap();
            }
            Step::Pack { reference } => {
                let purchase = format!("{}-{reference}", self.account);
                ledger.grant_pack(&self.account, Pack::TopUp, Some(&purchase)).await.unwrap();
                self.model.buy(*reference, Pack::TopUp.credits());
            }
            Step::Close => drop(self.close().await),
            Step::Again => {}
        }
        Ok(())
    }

    async fn hold(&mut self, id: u8, price: u32, life_s: u32) -> Result<(), TestCaseError> {
        let life = Duration::from_secs(u64::from(life_s));
        let hold = HoldCall { life, ..call(&self.account, &self.request(id), price) };
        let answer = match self.world.ledger.hold(&hold).await {
            Ok(HoldDecision::Granted(_)) => Held::Granted,
            Ok(HoldDecision::QuotaExceeded { .. }) => Held::Refused,
            Ok(HoldDecision::Suspended { .. }) => Held::Suspended,
            Err(LedgerError::RequestConflict(_)) => Held::Conflict,
            Err(LedgerError::RequestSettled(_)) => Held::Settled,
            other => panic!("{other:?}"),
        };
        let expected = self.model.hold(id, u64::from(price), time::Duration::seconds(i64::from(life_s)));
        prop_assert_eq!(answer, expected);
        Ok(())
    }

    async fn commit(&mut self, id: u8) -> Result<(), TestCaseError> {
        let answer = match self.world.ledger.commit(&self.request(id), false).await {
            Ok(done) => Charge::Charged { credits: done.credits, source: done.source, late: done.late },
            Err(LedgerError::UnknownRequest(_)) => Charge::Unknown,
            Err(LedgerError::RequestSettled(_)) => Charge::Settled,
            Err(other) => panic!("{other}"),
        };
        prop_assert_eq!(answer, self.model.commit(id));
        Ok(())
    }

    async fn next_month(&mut self) {
        let month = self.model.month();
        while self.model.month() == month {
            self.model.advance(time::Duration::hours(12));
        }
        self.world.set_clock(self.model).await;
    }

    /// Closes every month of this account that has ended; says whether all of them are closed now.
    async fn close(&self) -> bool {
        const SQL: &str = "SELECT c.is_closed FROM metering.account_period p, \
                           LATERAL metering.close_period(p.account_id, p.period_start) c \
                           WHERE p.account_id = $1 AND p.period_start < metering.month_of(metering.clock())";
        let rows = self.world.store.query(SQL, &[&self.account]).await.unwrap();
        rows.iter().all(|row| row.get("is_closed"))
    }

    async fn compare(&self) -> Result<(), TestCaseError> {
        let state = self.world.ledger.account_state(&self.account).await.unwrap();
        prop_assert_eq!(seen(&state), self.model.seen());
        Ok(())
    }

    /// Lets everything come to rest and adds up what is left.
    async fn end(&mut self) -> Result<(), TestCaseError> {
        self.next_month().await;
        self.take(&Step::Sweep).await?;
        self.compare().await?;
        prop_assert!(self.close().await, "all months close once nothing is under way");
        let ledger = &self.world.ledger;
        prop_assert_eq!(ledger.check_accounts(std::slice::from_ref(&self.account)).await.unwrap(), []);
        let mut lines = ledger.entries(&self.account, 10_000, None).await.unwrap();
        lines.reverse();
        add_up(&lines)?;
        ended_months_keep_no_plan_credits(&lines)?;
        self.each_call_is_charged_as_it_should(&lines).await?;
        self.overage_is_billed_exactly(&lines).await
    }

    async fn each_call_is_charged_as_it_should(&self, lines: &[LedgerEntry]) -> Result<(), TestCaseError> {
        let page = self.world.ledger.usage(&self.account, 1_000, None).await.unwrap();
        prop_assert_eq!(page.entries.len(), self.model.calls.len());
        for (id, call) in &self.model.calls {
            let request = self.request(*id);
            let posted = |book: fn(&str) -> bool| -> u64 {
                let of_call = lines.iter().filter(|line| line.request_id.as_deref() == Some(request.as_str()));
                of_call.filter(|line| book(&line.to_book)).map(|line| line.credits).sum()
            };
            prop_assert_eq!(posted(|book| book.ends_with("_spent")), call.charged());
            let written_off = if call.status == Status::WrittenOff { call.price } else { 0 };
            prop_assert_eq!(posted(|book| book == "written_off"), written_off);
            let told = page.entries.iter().find(|entry| entry.request_id == request);
            prop_assert_eq!(told.map(|entry| entry.credits), Some(call.charged()));
        }
        Ok(())
    }

    async fn overage_is_billed_exactly(&self, lines: &[LedgerEntry]) -> Result<(), TestCaseError> {
        let spent: u64 = lines.iter().filter(|line| line.to_book == "overage_spent").map(|line| line.credits).sum();
        let invoices = self.world.ledger.invoices(&self.account).await.unwrap();
        let billed: u64 = invoices.iter().flat_map(|invoice| &invoice.lines).map(|line| line.quantity).sum();
        prop_assert_eq!(billed, spent);
        Ok(())
    }
}

/// Reads the ledger as a person would: no book but the outside ever goes below nothing, and nothing stays held.
fn add_up(lines: &[LedgerEntry]) -> Result<(), TestCaseError> {
    let mut books: BTreeMap<&str, i64> = BTreeMap::new();
    for line in lines {
        let credits = i64::try_from(line.credits).unwrap();
        *books.entry(&line.from_book).or_default() -= credits;
        *books.entry(&line.to_book).or_default() += credits;
        let from = books[line.from_book.as_str()];
        prop_assert!(line.from_book == "issuer" || from >= 0, "{} falls to {from} with {line:?}", line.from_book);
    }
    prop_assert_eq!(books.values().sum::<i64>(), 0);
    for (book, balance) in books {
        prop_assert!(!book.ends_with("_held") || balance == 0, "{book} still has {balance}");
    }
    Ok(())
}

/// Plan credits lapse with their month, also those that a hold gives back after it.
fn ended_months_keep_no_plan_credits(lines: &[LedgerEntry]) -> Result<(), TestCaseError> {
    let mut plan: BTreeMap<&str, i64> = BTreeMap::new();
    for line in lines {
        let credits = i64::try_from(line.credits).unwrap();
        let left = plan.entry(&line.period_start).or_default();
        *left += if line.to_book == "plan" { credits } else { 0 };
        *left -= if line.from_book == "plan" { credits } else { 0 };
    }
    plan.pop_last();
    for (month, left) in plan {
        prop_assert_eq!(left, 0, "{} has ended", month);
    }
    Ok(())
}

fn seen(state: &AccountState) -> Seen {
    let start = time::OffsetDateTime::from_unix_timestamp(state.period_start_unix).unwrap();
    Seen {
        month: (start.year(), start.month().into()),
        limit: state.monthly_limit,
        spent: state.spent_this_month,
        plan_spent: state.plan_spent,
        overage_spent: state.overage_spent,
        pack_balance: state.pack_balance,
        overage_enabled: state.overage_enabled,
        suspended: state.suspended,
    }
}
