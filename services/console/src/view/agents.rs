//! The guide for connecting agents, with the URL of this installation's MCP server.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

const TEXT: &str = include_str!("../../guides/agents.md");
/// Placeholder in the text for the server's URL.
const PLACEHOLDER_URL: &str = "https://mcp.example.com/mcp";

/// Placeholder in the text for the API's URL.
const PLACEHOLDER_API_URL: &str = "https://api.example.com";

/// Returns the guide as Markdown. Clients that support install links get one.
pub(crate) fn guide(address: &str, api_url: &str) -> String {
    let config = json!({ "url": address }).to_string();
    let cursor = format!(
        "cursor://anysphere.cursor-deeplink/mcp/install?name=limner&config={}",
        encoded(&STANDARD.encode(config))
    );
    let code: Value = json!({ "name": "limner", "type": "http", "url": address });
    let code = format!("vscode:mcp/install?{}", encoded(&code.to_string()));
    let linked = [("# Cursor\n", "Add Limner to Cursor", cursor), ("# VS Code\n", "Add Limner to VS Code", code)];
    let text = TEXT.replace(PLACEHOLDER_URL, address).replace(PLACEHOLDER_API_URL, api_url);
    linked
        .iter()
        .fold(text, |text, (heading, words, link)| text.replace(heading, &format!("{heading}\n[{words}]({link})\n")))
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_url_replaces_every_placeholder() {
        let text = guide("https://mcp.limner.test/mcp", "https://api.limner.test");
        assert!(text.contains("export LIMNER_URL=https://api.limner.test\n"), "{text}");
        assert!(!text.contains("example.com"), "{text}");
        assert!(text.matches("https://mcp.limner.test/mcp").count() > 12, "{text}");
        let blocks = text.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
        let addresses: Vec<bool> = blocks
            .map(|block| {
                let value: Value = serde_json::from_str(block).unwrap_or_else(|cause| panic!("{cause}: {block}"));
                value.to_string().contains("\"https://mcp.limner.test/mcp\"")
            })
            .collect();
        assert!(addresses.len() >= 6 && addresses.iter().all(|is_there| *is_there), "{text}");
    }

    #[test]
    fn install_links_match_the_configuration_files() {
        let text = guide("http://127.0.0.1:8091/mcp", "http://127.0.0.1:8080");
        let parameter = |begin: &str| {
            let (_, rest) = text.split_once(begin).unwrap();
            let value = rest.split(')').next().unwrap();
            percent_encoding::percent_decode_str(value).decode_utf8().unwrap().into_owned()
        };
        let config = STANDARD.decode(parameter("mcp/install?name=limner&config=")).unwrap();
        let config: Value = serde_json::from_slice(&config).unwrap();
        assert_eq!(config, json!({ "url": "http://127.0.0.1:8091/mcp" }));
        let code: Value = serde_json::from_str(&parameter("vscode:mcp/install?")).unwrap();
        assert_eq!(code, json!({ "name": "limner", "type": "http", "url": "http://127.0.0.1:8091/mcp" }));
    }
}
