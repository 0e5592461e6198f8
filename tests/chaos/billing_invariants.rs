//! Charges of calls whose caller or gateway does not wait for their end.

use super::{PAGE, count, expire_holds, ledger, spent_credits};
use limner_testkit::CannedResponse;
use limner_tests::{Account, Answer, Cluster};
use std::process::Command;
use std::time::{Duration, Instant};

const SLOW: [(&str, &str); 1] = [("url", "http://site.test/slow")];

/// Creates a free account, and a page that takes a second to read.
async fn start() -> (Cluster, Account) {
    let cluster = Cluster::start(1).await;
    let account = cluster.account("free", &[]);
    cluster.site.on("/slow", CannedResponse::html(PAGE).after(Duration::from_secs(1)));
    (cluster, account)
}

/// Calls the slow page, runs `work` while it is being read, and returns the response, if there is one.
async fn call_while(cluster: &Cluster, account: &Account, work: impl AsyncFnOnce()) -> Option<Answer> {
    let call = cluster.try_call("images", &SLOW, &account.key);
    tokio::pin!(call);
    tokio::select! {
        answer = &mut call => panic!("the page cannot be read yet: {answer:?}"),
        () = cluster.site.wait_for("/slow", 1) => {}
    }
    work().await;
    call.await.ok()
}

/// Waits until the account has no open hold, and returns the credits spent.
async fn settled_credits(cluster: &Cluster, account: &Account) -> u64 {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let shown = cluster.admin(&["account", "show", &account.id]);
        if shown["held"] == 0 {
            return shown["spent_this_month"].as_u64().unwrap();
        }
        assert!(Instant::now() < until, "credits stay on hold: {shown}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test]
async fn caller_who_disconnects_is_charged_once_for_a_cached_result() {
    let (cluster, account) = start().await;
    tokio::select! {
        answer = cluster.call("images", &SLOW, &account) => panic!("the page cannot be read yet: {answer:?}"),
        () = cluster.site.wait_for("/slow", 1) => {}
    }
    assert_eq!(settled_credits(&cluster, &account).await, 1, "charged without a connected caller");
    let back = cluster.call("images", &SLOW, &account).await;
    assert_eq!((back.header("x-cache"), &back.usage()["creditsSpent"]), ("HIT", &0.into()));
    assert_eq!((&back.usage()["creditsThisMonth"], back.number("x-quota-remaining")), (&1.into(), 299));
    assert_eq!(cluster.site.count("/slow"), 1, "read once");
    let usage = cluster.call("usage", &[], &account).await;
    let charged = usage.json["calls"].as_array().unwrap().iter().find(|call| call["credits"] == 1).unwrap();
    assert_eq!((&charged["url"], &charged["source"]), (&SLOW[0].1.into(), &"plan".into()));
}

#[tokio::test]
async fn gateway_that_dies_during_a_call_charges_nothing_and_leaves_the_result() {
    let (mut cluster, account) = start().await;
    let gateway = cluster.gateway.id().to_string();
    let kill = async || assert!(Command::new("kill").args(["-KILL", &gateway]).status().unwrap().success());
    assert!(call_while(&cluster, &account, kill).await.is_none(), "there is no response");
    let ledger = ledger(&cluster).await;
    assert_eq!(count(&ledger, "SELECT count(*) FROM metering.hold").await, 1, "no process will settle it");
    cluster.restart_gateway().await;
    let retry = cluster.call("images", &SLOW, &account).await;
    assert_eq!((retry.header("x-cache"), &retry.usage()["creditsSpent"]), ("HIT", &0.into()));
    assert_eq!(cluster.site.count("/slow"), 1, "the job continued without its gateway");
    expire_holds(&ledger).await;
    assert_eq!(spent_credits(&cluster, &account).await, 0, "as reported to the caller");
    assert_eq!(count(&ledger, "SELECT count(*) FROM metering.usage_call WHERE outcome = 'expired'").await, 1);
    cluster.admin(&["ledger", "check"]);
}

#[tokio::test]
async fn hold_lost_by_the_database_is_still_charged() {
    /// The effect of a fail-over to a replica that is slightly behind.
    const LOSE: &str = "SET session_replication_role = replica;
        UPDATE metering.account_period p SET plan_held = 0, plan_available = p.plan_available + p.plan_held;
        DELETE FROM metering.ledger_entry WHERE kind = 'hold';
        DELETE FROM metering.hold;
        RESET session_replication_role";
    let (cluster, account) = start().await;
    let ledger = ledger(&cluster).await;
    let lose = async || ledger.client().await.unwrap().batch_execute(LOSE).await.unwrap();
    let told = call_while(&cluster, &account, lose).await.unwrap();
    assert_eq!((&told.usage()["creditsSpent"], told.header("x-cache")), (&1.into(), "MISS"));
    assert_eq!(spent_credits(&cluster, &account).await, 1);
    let usage = cluster.call("usage", &[], &account).await;
    let call = &usage.json["calls"][0];
    assert_eq!((&call["credits"], &call["late"], &call["source"]), (&1.into(), &true.into(), &"plan".into()));
    cluster.admin(&["ledger", "check"]);
}
