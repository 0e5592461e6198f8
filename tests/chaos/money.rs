//! What calls cost when somebody does not wait for their end.

use super::{PAGE, count, expire_holds, ledger, spent};
use limner_testkit::Reply;
use limner_tests::{Account, Answer, Cluster};
use std::process::Command;
use std::time::{Duration, Instant};

const SLOW: [(&str, &str); 1] = [("url", "http://site.test/slow")];

/// A free account, and a page that takes a second to read.
async fn start() -> (Cluster, Account) {
    let cluster = Cluster::start(1).await;
    let account = cluster.account("free", &[]);
    cluster.site.on("/slow", Reply::html(PAGE).after(Duration::from_secs(1)));
    (cluster, account)
}

/// Calls for the slow page, does something while it is being read, and gives the answer, if there is one.
async fn meanwhile(cluster: &Cluster, account: &Account, work: impl AsyncFnOnce()) -> Option<Answer> {
    let call = cluster.try_call("images", &SLOW, &account.key);
    tokio::pin!(call);
    tokio::select! {
        answer = &mut call => panic!("the page cannot be read yet: {answer:?}"),
        () = cluster.site.wait_for("/slow", 1) => {}
    }
    work().await;
    call.await.ok()
}

/// Waits until nothing of the account is held, and gives what it has spent.
async fn settled(cluster: &Cluster, account: &Account) -> u64 {
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
async fn a_caller_who_hangs_up_pays_once_for_what_is_then_in_the_cache() {
    let (cluster, account) = start().await;
    tokio::select! {
        answer = cluster.call("images", &SLOW, &account) => panic!("the page cannot be read yet: {answer:?}"),
        () = cluster.site.wait_for("/slow", 1) => {}
    }
    assert_eq!(settled(&cluster, &account).await, 1, "charged, with nobody there to hear of it");
    let back = cluster.call("images", &SLOW, &account).await;
    assert_eq!((back.header("x-cache"), &back.usage()["creditsSpent"]), ("HIT", &0.into()));
    assert_eq!((&back.usage()["creditsThisMonth"], back.number("x-quota-remaining")), (&1.into(), 299));
    assert_eq!(cluster.site.count("/slow"), 1, "read once");
    let usage = cluster.call("usage", &[], &account).await;
    let charged = usage.json["calls"].as_array().unwrap().iter().find(|call| call["credits"] == 1).unwrap();
    assert_eq!((&charged["url"], &charged["source"]), (&SLOW[0].1.into(), &"plan".into()));
}

#[tokio::test]
async fn a_gateway_that_dies_in_mid_call_charges_nothing_and_leaves_the_result() {
    let (mut cluster, account) = start().await;
    let gateway = cluster.gateway.id().to_string();
    let kill = async || assert!(Command::new("kill").args(["-KILL", &gateway]).status().unwrap().success());
    assert!(meanwhile(&cluster, &account, kill).await.is_none(), "nobody is there to answer");
    let ledger = ledger(&cluster).await;
    assert_eq!(count(&ledger, "SELECT count(*) FROM metering.hold").await, 1, "nobody is left to settle it");
    cluster.restart_gateway().await;
    let retry = cluster.call("images", &SLOW, &account).await;
    assert_eq!((retry.header("x-cache"), &retry.usage()["creditsSpent"]), ("HIT", &0.into()));
    assert_eq!(cluster.site.count("/slow"), 1, "the job went on without its gateway");
    expire_holds(&ledger).await;
    assert_eq!(spent(&cluster, &account).await, 0, "what the caller was told");
    assert_eq!(count(&ledger, "SELECT count(*) FROM metering.usage_call WHERE outcome = 'expired'").await, 1);
    cluster.admin(&["ledger", "check"]);
}

#[tokio::test]
async fn a_hold_that_the_database_lost_is_charged_all_the_same() {
    /// What a fail-over to a replica that is a moment behind comes to.
    const LOSE: &str = "SET session_replication_role = replica;
        UPDATE metering.account_period p SET plan_held = 0, plan_available = p.plan_available + p.plan_held;
        DELETE FROM metering.ledger_entry WHERE kind = 'hold';
        DELETE FROM metering.hold;
        RESET session_replication_role";
    let (cluster, account) = start().await;
    let ledger = ledger(&cluster).await;
    let lose = async || ledger.client().await.unwrap().batch_execute(LOSE).await.unwrap();
    let told = meanwhile(&cluster, &account, lose).await.unwrap();
    assert_eq!((&told.usage()["creditsSpent"], told.header("x-cache")), (&1.into(), "MISS"));
    assert_eq!(spent(&cluster, &account).await, 1);
    let usage = cluster.call("usage", &[], &account).await;
    let call = &usage.json["calls"][0];
    assert_eq!((&call["credits"], &call["late"], &call["source"]), (&1.into(), &true.into(), &"plan".into()));
    cluster.admin(&["ledger", "check"]);
}
