//! The documentation: pages, their Markdown, and the way from one to the next.

use crate::support::ConsoleFixture;
use http::StatusCode;

#[tokio::test]
async fn every_page_of_the_documentation_is_reached_by_next() {
    let house = ConsoleFixture::start().await;
    let mut browser = house.browser();
    let overview = browser.get("/docs").await;
    let cards = overview.attributes(".cards a[href^='/docs/']", "href");
    let mut path = cards[0].clone();
    let mut visited = Vec::new();
    loop {
        let page = browser.get(&path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert_eq!(page.attributes(".side a", "href"), cards, "{path}: all pages are in the sidebar");
        assert_eq!(page.attribute(".side a[aria-current=page]", "href"), path);
        assert_eq!(page.attribute(".crumb a[href$='.md']", "href"), format!("{path}.md"));
        if let Some(previous) = page.attributes("a[rel=prev]", "href").first() {
            assert_eq!(Some(previous), visited.last(), "{path}");
        }
        visited.push(path);
        match page.attributes("a[rel=next]", "href").first() {
            Some(next) => path = next.clone(),
            None => break,
        }
    }
    assert_eq!(visited, cards);
}

#[tokio::test]
async fn every_page_of_the_documentation_is_markdown_too() {
    let house = ConsoleFixture::start().await;
    let mut browser = house.browser();
    let index = browser.get("/llms.txt").await;
    assert_eq!(browser.get("/docs.md").await.text, index.text);
    let links: Vec<&str> = index.text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(links.len() > 12, "{}", index.text);
    for link in links {
        let path = link.strip_prefix(&house.url).unwrap();
        let page = browser.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        if path.ends_with(".md") {
            assert_eq!(page.header("content-type"), "text/markdown; charset=utf-8", "{path}");
            let title = browser.get(path.trim_end_matches(".md")).await.texts("h1").concat();
            assert!(page.text.starts_with(&format!("# {title}\n")), "{path}: {}", page.text);
            assert!(!page.text.contains("](/"), "{path} has links without a host");
        }
    }
    for path in ["/docs/nothing", "/docs/nothing.md", "/docs/guides", "/docs/guides/start.md.md"] {
        assert_eq!(browser.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}
