//! Workers that die during a call.

use super::{PAGE, spent_credits};
use limner_testkit::CannedResponse;
use limner_tests::Cluster;
use std::time::Duration;

#[tokio::test]
async fn fetcher_that_dies_is_covered_by_redelivery() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    // The first visit hangs in the fetcher that is about to die; the second is answered.
    cluster.site.on_each("/slow", vec![CannedResponse::silent(), CannedResponse::html(PAGE)]);
    let second = {
        let call = cluster.call("images", &[("url", "http://site.test/slow")], &account);
        tokio::pin!(call);
        tokio::select! {
            _ = &mut call => panic!("the page cannot be read yet"),
            () = cluster.site.wait_for("/slow", 1) => {}
        }
        // Not through `cluster.fetchers`, which the call still borrows.
        let status = std::process::Command::new("kill").args(["-KILL", &cluster.fetchers[0].id().to_string()]).status();
        assert!(status.unwrap().success());
        let second = cluster.start_role("fetcher");
        let answer = call.await;
        assert_eq!(answer.usage()["creditsSpent"], 1);
        assert_eq!(answer.json["count"], 1);
        second
    };
    assert_eq!(spent_credits(&cluster, &account).await, 1);
    cluster.fetchers.push(second);
}

#[tokio::test]
async fn extractor_that_dies_during_a_call_is_replaced_by_another() {
    let cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    cluster.site.fallback(|_| CannedResponse::html(PAGE));
    cluster.call("images", &[("url", "http://site.test/first")], &account).await.usage();
    let id = cluster.extractor.id().to_string();
    let signal = |name: &str| std::process::Command::new("kill").args([name, &id]).status().unwrap().success();
    // It accepts the request and never answers.
    assert!(signal("-STOP"));
    let answer = {
        let call = cluster.call("images", &[("url", "http://site.test/second")], &account);
        tokio::pin!(call);
        let another = async {
            cluster.site.wait_for("/second", 1).await;
            // The page is on its way to the extractor.
            tokio::time::sleep(Duration::from_millis(500)).await;
            assert!(signal("-KILL"));
            cluster.start_role("extractor")
        };
        let (answer, _extractor) = tokio::join!(&mut call, another);
        answer
    };
    assert_eq!(answer.usage()["creditsSpent"], 1);
    assert_eq!(spent_credits(&cluster, &account).await, 2);
}

#[tokio::test]
async fn extractor_that_dies_is_waited_for() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    cluster.site.fallback(|_| CannedResponse::html(PAGE).after(Duration::from_millis(300)));
    cluster.call("images", &[("url", "http://site.test/first")], &account).await.usage();
    cluster.extractor.kill();
    let answer = {
        let call = cluster.call("images", &[("url", "http://site.test/second")], &account);
        tokio::pin!(call);
        let back = async {
            cluster.site.wait_for("/second", 1).await;
            tokio::time::sleep(Duration::from_secs(2)).await;
            cluster.start_role("extractor")
        };
        let (answer, _extractor) = tokio::join!(&mut call, back);
        answer
    };
    assert_eq!(answer.usage()["creditsSpent"], 1);
    assert_eq!(spent_credits(&cluster, &account).await, 2);
}

/// Sends a signal by process id, because a call may still borrow the process.
fn signal(name: &str, process: u32) {
    assert!(std::process::Command::new("kill").args([name, &process.to_string()]).status().unwrap().success());
}

#[tokio::test]
async fn gateways_and_fetchers_finish_calls_in_progress_at_shutdown() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    for role in ["fetcher", "gateway"] {
        let path = format!("/{role}");
        cluster.site.on(&path, CannedResponse::html(PAGE).after(Duration::from_secs(2)));
        let id = if role == "gateway" { cluster.gateway.id() } else { cluster.fetchers[0].id() };
        {
            let url = format!("http://site.test{path}");
            let query = [("url", url.as_str())];
            let call = cluster.call("images", &query, &account);
            tokio::pin!(call);
            tokio::select! {
                answer = &mut call => panic!("too early: {answer:?}"),
                () = cluster.site.wait_for(&path, 1) => {}
            }
            signal("-TERM", id);
            assert_eq!(call.await.usage()["creditsSpent"], 1, "{role}");
        }
        assert_eq!(cluster.site.count(&path), 1, "{role}: the page was read only once");
        // A second signal would end it immediately.
        if role == "gateway" {
            assert!(cluster.gateway.wait().success());
        } else {
            assert!(cluster.fetchers[0].wait().success());
            cluster.fetchers[0] = cluster.start_role("fetcher");
        }
    }
}

#[tokio::test]
async fn extractor_finishes_calls_in_progress_at_shutdown() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    cluster.site.fallback(|_| CannedResponse::html(PAGE));
    cluster.call("images", &[("url", "http://site.test/first")], &account).await.usage();
    let id = cluster.extractor.id();
    // It receives the request while stopped, and finds request and signal together when it is resumed.
    signal("-STOP", id);
    let call = cluster.call("images", &[("url", "http://site.test/second")], &account);
    let ended = async {
        cluster.site.wait_for("/second", 1).await;
        // The page is on its way to the extractor.
        tokio::time::sleep(Duration::from_millis(500)).await;
        signal("-TERM", id);
        signal("-CONT", id);
    };
    let (answer, ()) = tokio::join!(call, ended);
    assert_eq!(answer.usage()["creditsSpent"], 1);
    assert!(cluster.extractor.wait().success());
}

#[tokio::test]
async fn metering_finishes_calls_in_progress_at_shutdown() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    cluster.site.fallback(|_| CannedResponse::html(PAGE));
    cluster.call("images", &[("url", "http://site.test/first")], &account).await.usage();
    let client = cluster.client().clone();
    // The hold waits for the database when its service is asked to shut down.
    cluster.postgres.pause().unwrap();
    let call = tokio::spawn({
        let account = account.clone();
        async move { client.call("images", &[("url", "http://site.test/second")], &account).await }
    });
    tokio::time::sleep(Duration::from_millis(500)).await;
    signal("-TERM", cluster.metering.id());
    tokio::time::sleep(Duration::from_millis(300)).await;
    cluster.postgres.resume();
    assert!(cluster.metering.wait().success());
    cluster.metering = cluster.start_role("metering");
    assert_eq!(call.await.unwrap().usage()["creditsSpent"], 1);
    let settled = async {
        while spent_credits(&cluster, &account).await != 2 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), settled).await.expect("both calls are charged once");
}
