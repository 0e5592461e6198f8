//! One call is one trace, across HTTP, the queue and gRPC.

use crate::collector::Collector;
use limner_testkit::CannedResponse;
use limner_tests::{Account, Cluster};
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Checks that reading a page with that configuration exports one trace with a span of every role.
async fn assert_one_trace(collector: &Collector, roles: &[&str]) {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let spans = collector.spans();
        let traces: BTreeSet<&Vec<u8>> = spans.iter().map(|span| &span.trace).collect();
        let whole = traces.iter().find(|trace| {
            let of_trace = || spans.iter().filter(|span| &span.trace == **trace);
            roles.iter().all(|role| of_trace().any(|span| span.service.contains(&format!("limner-{role}"))))
        });
        if let Some(trace) = whole {
            let of_trace: Vec<_> = spans.iter().filter(|span| &span.trace == *trace).collect();
            let roots = of_trace.iter().filter(|span| span.parent.is_empty()).count();
            assert_eq!(roots, 1, "the gateway's span is the one root: {of_trace:#?}");
            return;
        }
        assert!(Instant::now() < until, "no trace with a span of every role: {spans:#?}");
        // Exporters send in batches, a few seconds apart.
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn start() -> (Collector, Cluster, Account) {
    let (collector, address) = Collector::start().await;
    let cluster = Cluster::start_with(1, &format!("[telemetry]\notlp_endpoint = \"http://{address}\"\n")).await;
    let account = cluster.roomy_account();
    (collector, cluster, account)
}

#[tokio::test]
async fn miss_is_one_trace_across_all_roles() {
    let (collector, cluster, account) = start().await;
    cluster.site.on("/", CannedResponse::html("<title>t</title><p>A page with some text.</p><img src=a.png>"));
    cluster.call("images", &[("url", "http://site.test/")], &account).await.usage();
    assert_one_trace(&collector, &["gateway", "fetcher", "extractor", "metering"]).await;

    let lines = |role: &str| -> Vec<Value> {
        cluster.log(role).lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    };
    let gateway = lines("gateway");
    let answered =
        gateway.iter().find(|line| line["message"] == "answered" && line["span"]["http.route"] == "/v1/images");
    let answered = answered.unwrap_or_else(|| panic!("no line of the call: {gateway:#?}"));
    assert_eq!(answered["span"]["account.id"], account.id, "who called");
    let trace = answered["trace_id"].as_str().unwrap();
    assert_eq!(trace.len(), 32, "{trace}");
    let traces: Vec<String> =
        collector.spans().iter().map(|span| span.trace.iter().map(|byte| format!("{byte:02x}")).collect()).collect();
    assert!(traces.iter().any(|known| known == trace), "{trace} of the log is among the traces");
}

#[tokio::test]
async fn no_call_is_traced_if_the_share_is_zero() {
    let (collector, address) = Collector::start().await;
    let telemetry = format!("[telemetry]\notlp_endpoint = \"http://{address}\"\nsampling = 0.0\n");
    let mut cluster = Cluster::start_with(1, &telemetry).await;
    let account = cluster.roomy_account();
    cluster.site.on("/", CannedResponse::html("<title>t</title><p>A page with some text.</p><img src=a.png>"));
    cluster.call("images", &[("url", "http://site.test/")], &account).await.usage();
    // A gateway sends what it has before it ends.
    cluster.gateway.terminate();
    let of_calls: Vec<_> = collector.spans().into_iter().filter(|span| span.service.contains("gateway")).collect();
    assert!(of_calls.is_empty(), "{of_calls:#?}");
}

#[tokio::test]
async fn page_that_a_browser_takes_over_is_one_trace_too() {
    let (collector, cluster, account) = start().await;
    let _roles = [cluster.start_role("egress"), cluster.start_role("renderer")];
    let shell = "<title>App</title><div id=root></div><script src=/app.js></script>";
    let script =
        "document.getElementById('root').innerHTML = '<h1>Lamps</h1><p>Every lamp we make.</p><img src=/made.png>'";
    cluster
        .site
        .fallback(move |_| CannedResponse::html(shell))
        .on("/app.js", CannedResponse::new("text/javascript", script));
    let until = Instant::now() + Duration::from_secs(60);
    for turn in 0.. {
        // Until a renderer has registered, a client-rendered page is answered with a hint.
        let url = format!("http://site.test/{turn}");
        let answer = cluster.call("images", &[("url", url.as_str())], &account).await;
        if answer.usage().is_object() && answer.json["count"] == 1 {
            break;
        }
        assert!(Instant::now() < until, "no browser: {answer:?}\n{}", cluster.log("renderer"));
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert_one_trace(&collector, &["gateway", "fetcher", "renderer", "extractor", "metering"]).await;
}
