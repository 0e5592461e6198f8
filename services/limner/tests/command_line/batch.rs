//! `limner extract OP URL URL …`.

use super::{extract, extract_on_terminal, site, text};
use limner_testkit::CannedResponse;
use serde_json::Value;

#[tokio::test]
async fn several_pages_are_read_at_once() {
    let (site, folder) = site().await;
    site.on("/bag/", CannedResponse::html("<!doctype html><title>Bag</title><p>A bag.<img src=/bag.png alt=Bag>"));
    let pages = ["images", "http://site.test/shop/", "http://site.test/gone", "http://site.test/bag/"];
    let output = extract(folder.path(), &[&pages[..], &["--json"]].concat()).await;
    assert_eq!(output.status.code(), Some(1), "one of them failed");
    let stdout = text(&output.stdout);
    let lines: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let urls: Vec<&str> = lines.iter().filter_map(|line| line["url"].as_str()).collect();
    assert_eq!(urls, pages[1..], "a line for each page, in their order");
    assert_eq!((&lines[0]["error"], &lines[1]["error"]), (&Value::Null, &Value::Bool(true)));
    assert_eq!((&lines[1]["data"]["code"], &lines[2]["count"]), (&"target_error".into(), &1.into()));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));

    let output = extract(folder.path(), &pages).await;
    assert_eq!(output.status.code(), Some(1));
    let error: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(error["data"]["code"], "target_error");
    assert!(text(&output.stdout).contains("A lamp") && text(&output.stdout).contains("Bag"));

    let out = folder.path().join("out");
    let files = ["--no-download", "--out", out.to_str().unwrap()];
    let (status, seen) = extract_on_terminal(folder.path(), &[&pages[..], &files].concat()).await;
    assert_eq!(status, Some(1), "{seen}");
    for said in ["✓ http://site.test/shop/", "✗ http://site.test/gone: The target", "2 of 3 pages read, 1 failed"] {
        assert!(seen.contains(said), "{said}: {seen}");
    }
    for folder in ["site.test-shop", "site.test-bag"] {
        assert!(out.join(folder).join("images.json").is_file(), "{folder}");
    }
    let good = ["images", pages[1], pages[3]];
    assert!(extract(folder.path(), &good).await.status.success(), "all of them were read");
}
