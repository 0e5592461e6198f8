//! The message for people once everything is running.

use crate::demo;
use crate::output;
use crate::run_dir::Endpoints;
use crate::views::terminal::bold;
use limner_runtime::Settings;
use limner_types::ApiKey;
use std::fmt::Write;

/// A public page with images that may be read.
const PUBLIC_PAGE: &str = "www.rust-lang.org";

/// URLs of the console and the MCP server; `None` if disabled.
pub(super) struct Sites<'a> {
    pub(super) console: Option<&'a str>,
    pub(super) mcp: Option<&'a str>,
}

/// Prints URLs, the demo key and example calls. On standard output, not in the log: the key is shown nowhere else.
pub(super) fn print(
    settings: &Settings,
    endpoints: &Endpoints,
    sites: &Sites<'_>,
    key: Option<&ApiKey>,
) -> std::io::Result<()> {
    output::print(&text(settings, endpoints, sites, key))
}

fn text(settings: &Settings, endpoints: &Endpoints, sites: &Sites<'_>, key: Option<&ApiKey>) -> String {
    let base_url = format!("{}/v1", settings.public_url.as_str());
    let mut text = format!(
        "\n{}\n\n  API      {base_url}\n  Console  {}\n  MCP      {}\n  Admin    http://{}\n  Data     {}\n",
        bold("Limner is ready."),
        sites.console.unwrap_or("switched off"),
        sites.mcp.unwrap_or("switched off"),
        endpoints.admin,
        settings.data_dir.display()
    );
    let Some(key) = key else {
        text.push_str("\nMake an account with `limner admin account create --email you@example.com --plan free`.\n");
        return text;
    };
    let key = key.expose();
    let mut call = |title: &str, page: &str| {
        let _ = writeln!(text, "\n{title}\n  curl -H 'Authorization: Bearer {key}' '{base_url}/images?url={page}'");
    };
    call("The images of the built-in demo page:", &format!("http://{}/", demo::HOST));
    call("The images of a page of the Internet:", PUBLIC_PAGE);
    let _ = writeln!(text, "\n  Key      {key}");
    text.push_str("           (of the demo account; the next start makes a new key)\n");
    let _ = writeln!(
        text,
        "\nAccounts and keys that stay: `LIMNER__DATA_DIR='{}' limner admin account create --email you@example.com \
         --plan free`. End this with Ctrl-C.",
        settings.data_dir.display()
    );
    text
}
