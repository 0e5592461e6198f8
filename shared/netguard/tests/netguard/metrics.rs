//! Metrics of fetches.

use crate::support::*;
use metrics_util::debugging::{DebugValue, DebuggingRecorder, Snapshotter};
use std::collections::BTreeMap;

/// Returns the counters by name and outcome.
fn counters(snapshotter: &Snapshotter) -> BTreeMap<String, u64> {
    let snapshot = snapshotter.snapshot().into_vec().into_iter();
    let counters = snapshot.filter_map(|(key, _, _, value)| {
        let DebugValue::Counter(count) = value else { return None };
        let outcome = key.key().labels().map(|label| format!(" {}", label.value())).collect::<String>();
        Some((format!("{}{outcome}", key.key().name()), count))
    });
    counters.collect()
}

#[test]
fn outcomes_and_bytes_are_counted() {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    metrics::with_local_recorder(&recorder, || {
        runtime.block_on(async {
            let text = "x".repeat(10_000);
            let packed = encoded("gzip", text.as_bytes()).await;
            let page = Server::responding(response("200 OK", &[("Content-Encoding", "gzip")], &packed)).await;
            let (start, _) = Server::routing({
                let there = page.url("/");
                move |_| redirect(302, &there)
            })
            .await;
            let client = client_with(loopback());
            let fetched = get(&client, &start.url("/")).await.unwrap();
            assert_eq!(fetched.wire_bytes, packed.len() as u64);
            get(&client, "http://10.0.0.1/").await.unwrap_err();
            get(&client, "http://unknown.example/").await.unwrap_err();
        });
    });

    let counters = counters(&snapshotter);
    let count = |name: &str| counters.get(name).copied().unwrap_or_else(|| panic!("{name} in {counters:?}"));
    assert_eq!(count("limner_netguard_requests_total answered"), 1);
    assert_eq!(count("limner_netguard_requests_total forbidden"), 1);
    assert_eq!(count("limner_netguard_requests_total unresolved"), 1);
    assert_eq!(count("limner_netguard_connections_total connected"), 2);
    assert_eq!(count("limner_netguard_redirects_total"), 1);
    assert_eq!(count("limner_netguard_body_bytes_total"), 10_000);
    assert!((1..1_000).contains(&count("limner_netguard_wire_bytes_total")));
}
