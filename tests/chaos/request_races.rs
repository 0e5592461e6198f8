//! Continuous calls while gateway and metering are killed in turn. Afterwards the ledger must agree with the callers'
//! responses.

use super::{PAGE, count, expire_holds, ledger};
use limner_store::Store;
use limner_testkit::CannedResponse;
use limner_tests::{Account, Answer, Client, Cluster};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Size of the test.
#[derive(Debug, Clone, Copy)]
struct Race {
    callers: usize,
    calls: usize,
    /// Number of successful calls between two kills.
    successes_between_kills: usize,
    kills_at_least: usize,
}

const OPERATIONS: [(&str, u64); 4] = [("images", 1), ("svg", 1), ("lottie", 3), ("fonts", 5)];
/// Longer than any restart takes.
const TIMEOUT: Duration = Duration::from_secs(90);

/// The outcome of one call, as its caller saw it.
#[derive(Debug, Clone)]
struct Saw {
    account: usize,
    price: u64,
    status: u16,
    cache: String,
    credits: u64,
}

/// The outcomes seen by one caller, by request id, and the number of attempts without a response.
#[derive(Debug, Default)]
struct CallerRecord {
    answers: BTreeMap<String, Saw>,
    unanswered: usize,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ledger_agrees_with_callers_that_kills_interrupt() {
    run(Race { callers: 8, calls: 320, successes_between_kills: 50, kills_at_least: 4 }).await;
}

#[ignore = "takes minutes: `make soak`"]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ledger_agrees_with_callers_on_twenty_thousand_calls() {
    run(Race { callers: 64, calls: 20_000, successes_between_kills: 600, kills_at_least: 20 }).await;
}

async fn run(race: Race) {
    let mut cluster = Cluster::start(1).await;
    cluster.site.fallback(|request| match request.path.starts_with("/broken") {
        true => CannedResponse::html("").status(500),
        false => CannedResponse::html(PAGE),
    });
    let accounts = Arc::new(accounts(&cluster, race.calls));
    let (told, mut successes) = watch::channel(0_usize);
    let mut callers = JoinSet::new();
    for caller in 0..race.callers {
        let (client, accounts, told) = (Client::clone(&cluster), Arc::clone(&accounts), told.clone());
        let share = race.calls / race.callers;
        callers.spawn(async move { call_on(&client, &accounts, caller, share, &told).await });
    }
    drop(told);
    let ledger = ledger(&cluster).await;
    let mut kills = 0;
    while successes.wait_for(|successes| *successes >= (kills + 1) * race.successes_between_kills).await.is_ok() {
        kill_one(&mut cluster, &ledger, kills).await;
        kills += 1;
    }
    let mut seen = CallerRecord::default();
    while let Some(one) = callers.join_next().await {
        let one = one.unwrap();
        seen.answers.extend(one.answers);
        seen.unanswered += one.unanswered;
    }
    assert!(kills >= race.kills_at_least, "{kills} kills");
    // A gateway that is terminated settles its open holds.
    assert!(cluster.gateway.terminate().success());
    expire_holds(&ledger).await;
    compare(&cluster, &ledger, &accounts, &seen).await;
}

/// Creates one account for each way in which credits run out.
fn accounts(cluster: &Cluster, calls: usize) -> Vec<Account> {
    // A quarter of the calls each, of two and a half credits on average.
    let [some, few] = [calls / 2, calls / 8].map(|credits| credits.to_string());
    let of = |credits: &str, overage: &str| {
        cluster.account("business", &["--credits", credits, "--rpm", "1000000", "--overage", overage])
    };
    let accounts = vec![of(&some, "off"), of(&few, "on"), of(&few, "off"), of("unlimited", "off")];
    cluster.admin(&["credits", "adjust", &accounts[2].id, &some, "--reason", "a race"]);
    accounts
}

async fn call_on(
    client: &Client,
    accounts: &[Account],
    caller: usize,
    share: usize,
    successes: &watch::Sender<usize>,
) -> CallerRecord {
    let mut seen = CallerRecord::default();
    let mut turn = 0;
    while turn < share {
        let dice = caller.wrapping_mul(31).wrapping_add(turn.wrapping_mul(17));
        let (account, (operation, price)) = (dice % accounts.len(), OPERATIONS[dice / 7 % OPERATIONS.len()]);
        let url = match dice % 13 {
            0 => "http://site.test/known".to_owned(),
            1 => format!("http://site.test/broken-{caller}-{turn}"),
            _ => format!("http://site.test/{caller}-{turn}"),
        };
        let (answer, unanswered) = until_answered(client, operation, &url, &accounts[account]).await;
        seen.unanswered += unanswered;
        let credits = answer.json["usage"]["creditsSpent"].as_u64().unwrap_or_default();
        let (status, cache) = (answer.status.as_u16(), answer.header("x-cache").to_owned());
        match status {
            // Metering is unavailable; the call is repeated a little later.
            500 => tokio::time::sleep(Duration::from_millis(50)).await,
            _ => turn += 1,
        }
        successes.send_modify(|successes| *successes += usize::from(status == 200));
        let saw = Saw { account, price, status, cache, credits };
        seen.answers.insert(answer.header("x-request-id").to_owned(), saw);
    }
    seen
}

/// Repeats a call that gets no response; returns the number of attempts without one.
async fn until_answered(client: &Client, operation: &str, url: &str, account: &Account) -> (Answer, usize) {
    let until = Instant::now() + TIMEOUT;
    let mut unanswered = 0;
    loop {
        match client.try_call(operation, &[("url", url)], &account.key).await {
            Ok(answer) => return (answer, unanswered),
            Err(cause) => assert!(Instant::now() < until, "the gateway does not come back: {cause}"),
        }
        unanswered += 1;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn kill_one(cluster: &mut Cluster, ledger: &Store, turn: usize) {
    if turn.is_multiple_of(2) {
        cluster.metering.kill();
        cluster.metering = cluster.start_role("metering");
        return;
    }
    // A charge delayed by an unavailable metering is reported to the caller before it is in the ledger. Responses can
    // therefore only be compared with the ledger once the gateway had time to complete its charges.
    let waiting = "SELECT count(*) FROM metering.hold WHERE at < metering.clock() - interval '2 seconds'";
    let until = Instant::now() + TIMEOUT;
    while count(ledger, waiting).await > 0 {
        assert!(Instant::now() < until, "charges do not go through");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    cluster.gateway.kill();
    // No process will settle the holds of killed gateways.
    expire_holds(ledger).await;
    cluster.restart_gateway().await;
}

async fn compare(cluster: &Cluster, ledger: &Store, accounts: &[Account], seen: &CallerRecord) {
    cluster.admin(&["ledger", "check"]);
    let rows = ledger.query("SELECT request_id, account_id, outcome, credits, late FROM metering.usage_call", &[]);
    let mut spent: BTreeMap<String, u64> = BTreeMap::new();
    let mut unseen_charges = 0;
    let mut charged = BTreeMap::new();
    for row in &rows.await.unwrap() {
        let (request, account): (String, String) = (row.get("request_id"), row.get("account_id"));
        let credits = u64::try_from(row.get::<_, i64>("credits")).unwrap();
        assert!(!row.get::<_, bool>("late"), "{request} outlived its hold");
        *spent.entry(account).or_default() += credits;
        unseen_charges += usize::from(credits > 0 && !seen.answers.contains_key(&request));
        charged.insert(request, credits);
    }
    for (request, saw) in &seen.answers {
        let in_ledger = charged.get(request).copied().unwrap_or_default();
        assert_eq!(in_ledger, saw.credits, "{request}: the ledger says {in_ledger}, the caller saw {saw:?}");
        let price = if saw.status == 200 && saw.cache != "HIT" { saw.price } else { 0 };
        assert_eq!(saw.credits, price, "{request}: {saw:?}");
        assert!(matches!(saw.status, 200 | 422 | 429 | 500), "{request}: {saw:?}");
    }
    assert!(
        unseen_charges <= seen.unanswered,
        "{unseen_charges} charges not reported to callers, {} calls without a response",
        seen.unanswered
    );
    for account in accounts {
        let shown = cluster.admin(&["account", "show", &account.id]);
        assert_eq!(shown["spent_this_month"].as_u64(), Some(spent.get(&account.id).copied().unwrap_or_default()));
        assert_eq!(shown["held"], 0, "{shown}");
        if let Some(limit) = shown["monthly_limit"].as_u64() {
            let [plan, overage] = ["plan_spent", "overage_spent"].map(|name| shown[name].as_u64().unwrap());
            assert!(plan <= limit && plan + overage <= 2 * limit, "{shown}");
        }
    }
    let refusals = seen.answers.values().filter(|saw| saw.status == 429).count();
    assert!(
        refusals > 0 && refusals < seen.answers.len() / 2,
        "{refusals} refusals: too few or too many to test the limits"
    );
    let of = |account: usize| seen.answers.values().filter(|saw| saw.account == account && saw.credits > 0).count();
    assert!((0..accounts.len()).all(|account| of(account) > 0), "every account pays for something");
}
