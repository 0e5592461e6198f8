//! The parts of the documentation that depend on the installation.

use crate::support::ConsoleFixture;
use http::StatusCode;
use limner_console::ProtectedResource;

const MCP: &str = "http://127.0.0.1:18091/mcp";
const LINK: &str = "a[href='/docs/guides/agents']";

#[tokio::test]
async fn agents_guide_shows_the_url_of_this_installation() {
    let fixture = ConsoleFixture::start_with(|config| {
        config.resources = vec![ProtectedResource { uri: MCP.to_owned(), name: "Limner".to_owned() }];
    })
    .await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    let connections = browser.get("/connections").await;
    assert!(connections.has(LINK), "{connections:?}");
    assert!(browser.get("/docs").await.has(LINK));
    let guide = fixture.browser().get("/docs/guides/agents").await;
    assert_eq!(guide.status, StatusCode::OK);
    let commands = guide.texts("pre");
    for command in [
        format!("claude mcp add --transport http limner {MCP}"),
        format!("codex mcp add limner --url {MCP}"),
        format!("gemini mcp add --transport http limner {MCP}"),
    ] {
        assert!(commands.iter().any(|shown| shown.starts_with(&command)), "{command} is not in {commands:?}");
    }
    for selector in [
        "h2#chatgpt",
        "h2#vs-code",
        "h2#cursor",
        "a[href^='cursor://anysphere.cursor-deeplink/mcp/install?name=limner&config=']",
        "a[href^='vscode:mcp/install?%7B']",
        "button[data-copy='#code-0']",
    ] {
        assert!(guide.has(selector), "{selector} is not in {}", guide.text);
    }
    assert!(!guide.text.contains("mcp.example.com"), "{}", guide.text);
}

#[tokio::test]
async fn agents_guide_is_hidden_without_an_mcp_server() {
    let fixture = ConsoleFixture::start().await;
    let (mut browser, _) = fixture.member("jane@example.org").await;
    for path in ["/connections", "/docs"] {
        assert!(!browser.get(path).await.has(LINK), "{path}");
    }
    assert_eq!(browser.get("/docs/guides/agents").await.status, StatusCode::NOT_FOUND);
}
