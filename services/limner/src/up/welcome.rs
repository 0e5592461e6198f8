//! What a person needs to know when everything runs.

use crate::demo;
use crate::endpoints::Endpoints;
use crate::output;
use crate::views::style::bold;
use limner_runtime::Settings;
use limner_types::ApiKey;
use std::fmt::Write;

/// Any page of the Internet that has images and welcomes visitors.
const PUBLIC_PAGE: &str = "www.rust-lang.org";

/// Where people and agents go; `None`: switched off.
pub(super) struct Sites<'a> {
    pub(super) console: Option<&'a str>,
    pub(super) mcp: Option<&'a str>,
}

/// Prints addresses, the demo key and calls to try. Standard output, not the log: this is the only place where the
/// key is ever shown.
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
    call("The images of a page that is built in:", &format!("http://{}/", demo::HOST));
    call("The images of a page of the Internet:", PUBLIC_PAGE);
    let _ = writeln!(text, "\n  Key      {key}");
    text.push_str("           (of a demo account; the next start makes a new one)\n");
    text.push_str("\nAccounts and keys that stay: `limner admin`, with the same data_dir. End this with Ctrl-C.\n");
    text
}
