//! Property test with random histories of one account: holds, commits, releases, expiries, immediate and scheduled plan
//! changes, packs, adjustments, refunds, months, and repeats after a crash. The ledger in Postgres has to agree with
//! the model at every step, and all ledger entries have to add up.
//!
//! `LIMNER_HISTORIES` sets the number of histories; `LIMNER_SEED` repeats a run.

use crate::ledger_model::{Charge, Held, Model, Refund, Seen, Status};
use crate::support::{call, config, database};
use limner_metering::contract_terms::BusinessTerms;
use limner_metering::{CommitResult, HoldCall, HoldDecision, Ledger, LedgerEntry, LedgerError, NewAccount};
use limner_store::Store;
use limner_types::{AccountState, Pack, Plan};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use time::format_description::well_known::Rfc3339;
use time::macros::{date, datetime};

/// Half a minute of them.
const HISTORIES: u32 = 2_000;
/// Number of workers, each with its own database and connection.
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
    /// A commit by a gateway whose hold the database may have lost.
    CommitHeld {
        id: u8,
        price: u32,
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
    SchedulePlan {
        credits: Option<u64>,
        overage: bool,
    },
    KeepPlan,
    SetOverage {
        enabled: bool,
    },
    Suspend {
        suspended: bool,
    },
    Pack {
        reference: u8,
    },
    Adjust {
        credits: i64,
    },
    Refund {
        id: u8,
    },
    Close,
    /// The response of the previous step was lost, so the step is repeated.
    Again,
}

fn step() -> impl Strategy<Value = Step> {
    // Prices and limits are chosen so that every source can run out; few ids make steps refer to the same call.
    let price = prop_oneof![Just(1_u32), Just(5), Just(25), 1_u32..60, Just(260)];
    let credits = || prop_oneof![4 => (0_u64..120).prop_map(Some), 1 => Just(None)];
    let difference = prop_oneof![(1_i64..60), (-60_i64..0)];
    prop_oneof![
        12 => (0_u8..10, price.clone(), 0_u32..300).prop_map(|(id, price, life_s)| Step::Hold { id, price, life_s }),
        9 => (0_u8..10).prop_map(|id| Step::Commit { id }),
        1 => (0_u8..10, price).prop_map(|(id, price)| Step::CommitHeld { id, price }),
        3 => (0_u8..10).prop_map(|id| Step::Release { id }),
        2 => Just(Step::Sweep),
        3 => (1_u32..400).prop_map(|seconds| Step::Wait { seconds }),
        1 => Just(Step::NextMonth),
        2 => (credits(), any::<bool>()).prop_map(|(credits, overage)| Step::SetPlan { credits, overage }),
        1 => (credits(), any::<bool>()).prop_map(|(credits, overage)| Step::SchedulePlan { credits, overage }),
        1 => Just(Step::KeepPlan),
        1 => any::<bool>().prop_map(|enabled| Step::SetOverage { enabled }),
        1 => any::<bool>().prop_map(|suspended| Step::Suspend { suspended }),
        1 => (0_u8..3).prop_map(|reference| Step::Pack { reference }),
        1 => difference.prop_map(|credits| Step::Adjust { credits }),
        2 => (0_u8..10).prop_map(|id| Step::Refund { id }),
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
    agree(number("LIMNER_HISTORIES", HISTORIES));
}

#[ignore = "takes minutes: `make soak`"]
#[test]
fn hundred_thousand_histories_agree_with_the_model() {
    agree(50 * HISTORIES);
}

fn number<N: std::str::FromStr<Err: std::fmt::Debug>>(name: &str, default: N) -> N {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

fn agree(histories: u32) {
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
    let world = runtime.block_on(LedgerFixture::new());
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

/// A database whose clock is a setting of the only session that uses it.
struct LedgerFixture {
    store: Store,
    ledger: Ledger,
}

impl LedgerFixture {
    async fn new() -> Self {
        let store = Store::connect(config(&database().await, 1)).await.unwrap();
        let world = Self { ledger: Ledger::new(store.clone(), None, None), store };
        world
            .run(
                "CREATE OR REPLACE FUNCTION metering.clock() RETURNS timestamptz LANGUAGE sql VOLATILE
                     AS $$ SELECT current_setting('test.now')::timestamptz $$;
                 SET idle_in_transaction_session_timeout = 0;
                 -- All accounts here are alike: planning anew for each takes longer than what is planned.
                 SET plan_cache_mode = force_generic_plan",
            )
            .await;
        world
    }

    async fn run(&self, sql: &str) {
        self.store.client().await.unwrap().batch_execute(sql).await.unwrap();
    }

    async fn set_clock(&self, model: &Model) {
        let now = model.now.format(&Rfc3339).unwrap();
        self.store.query("SELECT set_config('test.now', $1, false)", &[&now]).await.unwrap();
    }

    /// Runs one history in a transaction that is rolled back: no history depends on another, and server crashes are not
    /// tested here.
    async fn live(&self, history: &History) -> Result<(), TestCaseError> {
        self.run("BEGIN").await;
        let outcome = self.live_through(history).await;
        self.run("ROLLBACK").await;
        outcome
    }

    async fn live_through(&self, history: &History) -> Result<(), TestCaseError> {
        let mut model = Model::new(datetime!(2026-10-29 22:00 UTC), history.credits, history.overage);
        self.set_clock(&model).await;
        let new = NewAccount {
            business: Some(agreed_terms(history.credits, history.overage)),
            ..NewAccount::new("a@example.org", Plan::Business)
        };
        let account = self.ledger.create_account(&new).await.unwrap().state.account_id;
        let mut life = Life { world: self, account, model: &mut model };
        let mut before: Option<&Step> = None;
        for step in &history.steps {
            let step = if matches!(step, Step::Again) { before } else { Some(step) };
            if let Some(step) = step {
                let state = life.apply_step(step).await?;
                life.compare(state).await?;
            }
            before = step;
        }
        life.end().await
    }
}

fn agreed_terms(credits: Option<u64>, overage: bool) -> BusinessTerms {
    BusinessTerms { monthly_credits: credits, overage, ..BusinessTerms::default() }
}

/// A running history.
struct Life<'a> {
    world: &'a LedgerFixture,
    account: String,
    model: &'a mut Model,
}

impl Life<'_> {
    fn request(&self, id: u8) -> String {
        format!("{}-{id}", self.account)
    }

    /// Takes one step, and returns the account as the ledger's response shows it.
    async fn apply_step(&mut self, step: &Step) -> Result<Option<AccountState>, TestCaseError> {
        let ledger = &self.world.ledger;
        Ok(match step {
            Step::Hold { id, price, life_s } => self.hold(*id, *price, *life_s).await?,
            Step::Commit { id } => {
                let answer = self.world.ledger.commit(&self.request(*id), false).await;
                let expected = self.model.commit(*id);
                charged(answer, expected)?
            }
            Step::CommitHeld { id, price } => {
                let held = call(&self.account, &self.request(*id), *price);
                let answer = self.world.ledger.commit_held(&held, false).await;
                let expected = self.model.commit_held(*id, u64::from(*price));
                charged(answer, expected)?
            }
            Step::Release { id } => {
                let released = ledger.release(&self.request(*id), "target_error").await.unwrap();
                prop_assert_eq!((released.state.is_some(), released.charged), self.model.release(*id));
                released.state
            }
            Step::Sweep => {
                prop_assert_eq!(ledger.expire_holds(1_000).await.unwrap(), self.model.sweep());
                None
            }
            Step::Wait { seconds } => {
                self.model.advance(time::Duration::seconds(i64::from(*seconds)));
                self.world.set_clock(self.model).await;
                None
            }
            Step::NextMonth => {
                self.next_month().await;
                None
            }
            Step::Adjust { credits } => self.adjust(*credits).await?,
            Step::Refund { id } => self.refund(*id).await?,
            Step::Close => {
                self.close().await;
                None
            }
            Step::Again => None,
            change => self.change(change).await,
        })
    }

    /// Applies a change of the account, as opposed to a step of a call.
    async fn change(&mut self, step: &Step) -> Option<AccountState> {
        let (ledger, account) = (&self.world.ledger, self.account.as_str());
        match step {
            Step::SetPlan { credits, overage } => {
                self.model.set_plan(*credits, *overage);
                Some(ledger.set_plan(account, agreed_terms(*credits, *overage)).await.unwrap())
            }
            Step::SchedulePlan { credits, overage } => {
                self.model.scheduled = Some((*credits, *overage));
                ledger.schedule_plan(account, agreed_terms(*credits, *overage), None).await.unwrap();
                None
            }
            Step::KeepPlan => {
                assert_eq!(ledger.cancel_plan_change(account).await.unwrap(), self.model.scheduled.take().is_some());
                None
            }
            Step::SetOverage { enabled } => {
                self.model.overage_enabled = *enabled;
                Some(ledger.set_overage(account, *enabled).await.unwrap())
            }
            Step::Suspend { suspended } => {
                self.model.suspended = *suspended;
                let change = if *suspended { ledger.suspend(account).await } else { ledger.resume(account).await };
                Some(change.unwrap())
            }
            Step::Pack { reference } => {
                self.model.buy(*reference, Pack::TopUp.credits());
                let purchase = format!("{account}-{reference}");
                Some(ledger.grant_pack(account, Pack::TopUp, Some(&purchase)).await.unwrap())
            }
            other => unreachable!("{other:?} is about calls"),
        }
    }

    async fn adjust(&mut self, credits: i64) -> Result<Option<AccountState>, TestCaseError> {
        let answer = self.world.ledger.adjust(&self.account, credits, "a correction", None).await;
        prop_assert_eq!(answer.is_ok(), self.model.adjust(credits), "{:?}", answer);
        Ok(answer.ok())
    }

    async fn refund(&mut self, id: u8) -> Result<Option<AccountState>, TestCaseError> {
        let (answer, state) = match self.world.ledger.refund(&self.request(id), "a complaint").await {
            Ok(done) => (Refund::Done { as_pack_credits: done.as_pack_credits }, Some(done.account)),
            Err(LedgerError::UnknownRequest(_)) => (Refund::Unknown, None),
            Err(LedgerError::Invalid(_)) => (Refund::NotCharged, None),
            Err(other) => panic!("{other}"),
        };
        prop_assert_eq!(answer, self.model.refund(id));
        Ok(state)
    }

    async fn hold(&mut self, id: u8, price: u32, life_s: u32) -> Result<Option<AccountState>, TestCaseError> {
        let life = Duration::from_secs(u64::from(life_s));
        let hold = HoldCall { ttl: life, ..call(&self.account, &self.request(id), price) };
        let (answer, state) = match self.world.ledger.hold(&hold).await {
            Ok(HoldDecision::Granted { state, .. }) => (Held::Granted, Some(state)),
            Ok(HoldDecision::QuotaExceeded { state, .. }) => (Held::Refused, Some(state)),
            Ok(HoldDecision::Suspended { state, .. }) => (Held::Suspended, Some(state)),
            Err(LedgerError::RequestConflict(_)) => (Held::Conflict, None),
            Err(LedgerError::RequestSettled(_)) => (Held::Settled, None),
            other => panic!("{other:?}"),
        };
        let expected = self.model.hold(id, u64::from(price), time::Duration::seconds(i64::from(life_s)));
        prop_assert_eq!(answer, expected);
        Ok(state)
    }

    async fn next_month(&mut self) {
        let month = self.model.month();
        while self.model.month() == month {
            self.model.advance(time::Duration::hours(12));
        }
        self.world.set_clock(self.model).await;
    }

    /// Closes every month of this account that has ended; returns true if all of them are closed now.
    async fn close(&self) -> bool {
        const SQL: &str = "SELECT c.is_closed FROM metering.account_period p, \
                           LATERAL metering.close_period(p.account_id, p.period_start) c \
                           WHERE p.account_id = $1 AND p.period_start < metering.month_of(metering.clock())";
        let rows = self.world.store.query(SQL, &[&self.account]).await.unwrap();
        rows.iter().all(|row| row.get("is_closed"))
    }

    async fn compare(&self, answered: Option<AccountState>) -> Result<(), TestCaseError> {
        let state = match answered {
            Some(state) => state,
            None => self.world.ledger.account_state(&self.account).await.unwrap(),
        };
        prop_assert_eq!(observation(&state), self.model.observation());
        Ok(())
    }

    /// Ends all calls and checks the final balances.
    async fn end(&mut self) -> Result<(), TestCaseError> {
        self.next_month().await;
        self.apply_step(&Step::Sweep).await?;
        self.compare(None).await?;
        prop_assert!(self.close().await, "all months close once no call is in progress");
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
        let days = self.world.ledger.usage_days(&self.account, date!(1970 - 01 - 01), date!(9000 - 01 - 01)).await;
        let sums = days.unwrap().iter().fold([0; 3], |[calls, failed, credits], day| {
            [calls + day.calls, failed + day.failed, credits + day.credits]
        });
        let failed = page.entries.iter().filter(|entry| entry.outcome != "ok").count() as u64;
        let credits = page.entries.iter().map(|entry| entry.credits).sum();
        prop_assert_eq!(sums, [page.entries.len() as u64, failed, credits], "the sums per day");
        for (id, call) in &self.model.calls {
            let request = self.request(*id);
            let posted = |book: fn(&str) -> bool| -> u64 {
                let of_call = lines.iter().filter(|line| line.request_id.as_deref() == Some(request.as_str()));
                balance(of_call, book)
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
        let spent = balance(lines.iter(), |book| book == "overage_spent");
        let invoices = self.world.ledger.invoices(&self.account).await.unwrap();
        let billed: u64 = invoices.iter().flat_map(|invoice| &invoice.lines).map(|line| line.quantity).sum();
        prop_assert_eq!(billed, spent);
        Ok(())
    }
}

/// Compares the result of a commit with the model, and returns the account in it.
fn charged(answer: Result<CommitResult, LedgerError>, expected: Charge) -> Result<Option<AccountState>, TestCaseError> {
    let (answer, state) = match answer {
        Ok(done) => {
            (Charge::Charged { credits: done.credits, source: done.source, late: done.charged_late }, Some(done.state))
        }
        Err(LedgerError::UnknownRequest(_)) => (Charge::Unknown, None),
        Err(LedgerError::RequestSettled(_)) => (Charge::Settled, None),
        Err(other) => panic!("{other}"),
    };
    prop_assert_eq!(answer, expected);
    Ok(state)
}

/// Returns the balance that the entries leave in the books of that kind.
fn balance<'a>(lines: impl Iterator<Item = &'a LedgerEntry>, book: fn(&str) -> bool) -> u64 {
    let side = |name: &str, credits: u64| if book(name) { credits } else { 0 };
    let (came, left) = lines.fold((0, 0), |(came, left), line| {
        (came + side(&line.to_book, line.credits), left + side(&line.from_book, line.credits))
    });
    came - left
}

/// Checks that no book but the external one ever becomes negative, and that nothing stays held.
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

/// Checks that plan credits lapse with their month, including those that a hold returns after it.
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

fn observation(state: &AccountState) -> Seen {
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
