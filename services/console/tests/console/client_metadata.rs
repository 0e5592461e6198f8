//! The parts of the documentation that depend on the installation.

use crate::support::ConsoleFixture;
use http::StatusCode;
use limner_console::ProtectedResource;

const MCP: &str = "http://127.0.0.1:18091/mcp";

#[tokio::test]
async fn agents_guide_shows_the_url_of_this_installation() {
    let house = ConsoleFixture::start_with(|config| {
        config.resources = vec![ProtectedResource { uri: MCP.to_owned(), name: "Limner".to_owned() }];
    })
    .await;
    let (mut browser, _) = house.member("jane@example.org").await;
    let connections = browser.get("/connections").await.text;
    assert!(connections.contains("href=\"/docs/guides/agents\""), "{connections}");
    assert!(browser.get("/docs").await.text.contains("href=\"/docs/guides/agents\""));
    let guide = house.browser().get("/docs/guides/agents").await;
    assert_eq!(guide.status, StatusCode::OK);
    let text = &guide.text;
    for part in [
        format!("claude mcp add --transport http limner {MCP}\n"),
        format!("codex mcp add limner --url {MCP}\n"),
        format!("gemini mcp add --transport http limner {MCP}\n"),
        "<h2 id=\"chatgpt\">".to_owned(),
        "<h2 id=\"vs-code\">".to_owned(),
        "<h2 id=\"cursor\">".to_owned(),
        "href=\"cursor://anysphere.cursor-deeplink/mcp/install?name=limner&amp;config=".to_owned(),
        "href=\"vscode:mcp/install?%7B".to_owned(),
        "data-copy=\"#code-0\"".to_owned(),
    ] {
        assert!(text.contains(&part), "{part} is not in {text}");
    }
    assert!(!text.contains("example.com"), "{text}");
}

#[tokio::test]
async fn agents_guide_is_hidden_without_an_mcp_server() {
    let house = ConsoleFixture::start().await;
    let (mut browser, _) = house.member("jane@example.org").await;
    for path in ["/connections", "/docs"] {
        assert!(!browser.get(path).await.text.contains("/docs/guides/agents"), "{path}");
    }
    assert_eq!(browser.get("/docs/guides/agents").await.status, StatusCode::NOT_FOUND);
}
