//! Workers that die in mid-call.

use super::{PAGE, spent};
use limner_testkit::Reply;
use limner_tests::Cluster;
use std::time::Duration;

#[tokio::test]
async fn a_fetcher_that_dies_is_covered_by_redelivery() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    // The first visit hangs in the fetcher that is about to die; the second is answered.
    cluster.site.on_each("/slow", vec![Reply::silent(), Reply::html(PAGE)]);
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
    assert_eq!(spent(&cluster, &account).await, 1);
    cluster.fetchers.push(second);
}

#[tokio::test]
async fn an_extractor_that_dies_in_mid_call_is_replaced_by_another() {
    let cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    cluster.site.otherwise(|_| Reply::html(PAGE));
    cluster.call("images", &[("url", "http://site.test/first")], &account).await.usage();
    let id = cluster.extractor.id().to_string();
    let signal = |name: &str| std::process::Command::new("kill").args([name, &id]).status().unwrap().success();
    // It takes the request and never answers.
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
    assert_eq!(spent(&cluster, &account).await, 2);
}

#[tokio::test]
async fn an_extractor_that_dies_is_waited_for() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    cluster.site.otherwise(|_| Reply::html(PAGE).after(Duration::from_millis(300)));
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
    assert_eq!(spent(&cluster, &account).await, 2);
}

#[tokio::test]
async fn a_gateway_drains_what_it_has_begun() {
    let mut cluster = Cluster::start(1).await;
    let account = cluster.roomy_account();
    cluster.site.on("/slow", Reply::html(PAGE).after(Duration::from_secs(2)));
    let id = cluster.gateway.id();
    {
        let call = cluster.call("images", &[("url", "http://site.test/slow")], &account);
        tokio::pin!(call);
        tokio::select! {
            answer = &mut call => panic!("too early: {answer:?}"),
            () = cluster.site.wait_for("/slow", 1) => {}
        }
        assert!(std::process::Command::new("kill").args(["-TERM", &id.to_string()]).status().unwrap().success());
        assert_eq!(call.await.usage()["creditsSpent"], 1);
    }
    // A second signal would end it at once.
    assert!(cluster.gateway.wait().success());
}
