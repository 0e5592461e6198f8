//! Measures the latency of a tool call compared with the same call of the HTTP API.

use crate::Signed;
use serde_json::json;
use std::time::{Duration, Instant};

const ROUNDS: usize = 400;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a figure: it needs the machine for itself"]
async fn tool_takes_at_most_five_milliseconds_more() {
    let signed = Signed::start().await;
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let page = "http://site.test/";
    let api = format!("{}/brand?url={page}", signed.fleet.base_url);
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "extract_brand", "arguments": { "url": page } } });
    let (mut plain, mut tool) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        let answer = http.get(&api).bearer_auth(&signed.account.key).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), 200);
        answer.bytes().await.unwrap();
        plain.push(begin.elapsed());
        let begin = Instant::now();
        let request = http.post(&signed.url).bearer_auth(&signed.token).header("content-type", "application/json");
        let request = request.header("accept", "application/json, text/event-stream").body(call.to_string());
        let answer = request.send().await.unwrap().text().await.unwrap();
        assert!(answer.contains("\"title\":\"Lamps\""), "{answer}");
        tool.push(begin.elapsed());
    }
    let (plain, tool) = (median(plain), median(tool));
    println!("p50 of a cache hit: HTTP {plain:?}, MCP {tool:?}, overhead {:?}", tool.saturating_sub(plain));
    assert!(tool.saturating_sub(plain) <= Duration::from_millis(5));
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
