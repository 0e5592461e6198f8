//! The documentation: pages, their Markdown, and the way from one to the next.

use crate::support::ConsoleFixture;
use http::StatusCode;

#[tokio::test]
async fn every_page_of_the_documentation_is_reached_by_next() {
    let fixture = ConsoleFixture::start().await;
    let mut browser = fixture.browser();
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
        assert_eq!(page.attribute("meta[property='og:title']", "content"), page.texts("h1").concat());
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
    let fixture = ConsoleFixture::start().await;
    let mut browser = fixture.browser();
    let index = browser.get("/llms.txt").await;
    assert_eq!(browser.get("/docs.md").await.text, index.text);
    let links: Vec<&str> = index.text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(links.len() > 12, "{}", index.text);
    for link in links {
        let path = link.strip_prefix(&fixture.url).unwrap();
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

#[tokio::test]
async fn documentation_is_searched_by_page_and_heading() {
    let fixture = ConsoleFixture::start().await;
    let mut browser = fixture.browser();
    for path in ["/docs", "/docs/guides/start"] {
        let page = browser.get(path).await;
        assert_eq!(page.attributes("form[role=search]", "action"), ["/docs/search"], "{path}");
        assert_eq!(page.attributes("form[role=search] input", "name"), ["q"], "{path}");
    }
    let found = browser.get("/docs/search?q=Evidence+confidence").await;
    let hrefs = found.attributes("#found a", "href");
    assert!(hrefs[0].starts_with("/docs/guides/brand"), "{hrefs:?}");
    assert!(found.texts("#found mark").iter().any(|word| word.eq_ignore_ascii_case("evidence")), "{}", found.text);
    // Every result leads to a heading of its page.
    for href in hrefs {
        let (path, id) = href.split_once('#').unwrap_or((&href, "main"));
        assert!(browser.get(path).await.has(&format!("[id='{id}']")), "{href}");
    }
    let none = browser.get("/docs/search?q=%3Cb%3Exylophone").await;
    assert!(none.says("Nothing found for “<b>xylophone”") && !none.has("b"), "{}", none.text);
    assert_eq!(browser.get("/docs/search").await.status, StatusCode::OK);
}

#[tokio::test]
async fn code_of_the_documentation_is_highlighted() {
    let fixture = ConsoleFixture::start().await;
    let mut browser = fixture.browser();
    let page = browser.get("/docs/guides/start").await;
    assert!(page.has("pre > code.language-sh"), "{}", page.text);
    let script = page.attribute("script[src*='/highlight.min.js']", "src");
    let script = browser.get(&script).await;
    assert_eq!(script.status, StatusCode::OK);
    for language in ["bash", "css", "javascript", "json", "markdown", "python", "typescript", "xml"] {
        assert!(script.text.contains(language), "{language}");
    }
}

#[tokio::test]
async fn terms_and_privacy_notice_are_linked_where_they_exist() {
    let terms = "# Scope\n\nFor **everybody**.".to_owned();
    let with_terms = ConsoleFixture::start_with(|config| config.terms = Some(terms)).await;
    let mut browser = with_terms.browser();
    let page = browser.get("/terms").await;
    assert_eq!(
        (page.status, page.texts("h1, h2, strong").concat().as_str()),
        (StatusCode::OK, "Terms of serviceScopeeverybody")
    );
    assert_eq!(browser.get("/privacy").await.status, StatusCode::NOT_FOUND);
    assert!(browser.get("/").await.has("footer a[href='/terms']"));
    let sign_up = browser.get("/sign-up").await;
    assert!(sign_up.has("form a[href='/terms']") && !sign_up.has("a[href='/privacy']"));

    let without = ConsoleFixture::start().await;
    let mut browser = without.browser();
    assert_eq!(browser.get("/terms").await.status, StatusCode::NOT_FOUND);
    assert!(!browser.get("/sign-up").await.has("a[href='/terms'], a[href='/privacy']"));
}

#[tokio::test]
async fn imprint_is_linked_on_every_page_where_it_exists() {
    let imprint = "Example Inc., **1 Example Street**".to_owned();
    let with_imprint = ConsoleFixture::start_with(|config| config.imprint = Some(imprint)).await;
    let mut browser = with_imprint.browser();
    assert_eq!(browser.get("/imprint").await.texts("h1, strong").concat(), "Imprint1 Example Street");
    for path in ["/", "/sign-up", "/docs", "/imprint"] {
        assert!(browser.get(path).await.has("footer a[href='/imprint']"), "{path}");
    }
    let without = ConsoleFixture::start().await;
    let mut browser = without.browser();
    assert_eq!(browser.get("/imprint").await.status, StatusCode::NOT_FOUND);
    assert!(!browser.get("/").await.has("a[href='/imprint']"));
}
