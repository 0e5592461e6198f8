//! One call is one trace, across HTTP, the queue and gRPC.

use crate::collector::Collector;
use limner_testkit::Reply;
use limner_tests::Cluster;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_miss_is_one_trace_across_all_roles() {
    let (collector, address) = Collector::start().await;
    let cluster = Cluster::start_with(1, &format!("[telemetry]\notlp_endpoint = \"http://{address}\"\n")).await;
    let account = cluster.roomy_account();
    cluster.site.on("/", Reply::html("<title>t</title><p>A page with some text.</p><img src=a.png>"));
    cluster.call("images", &[("url", "http://site.test/")], &account).await.usage();

    let roles = ["gateway", "fetcher", "extractor", "metering"];
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
