//! The guides.

use super::{DocsPage, DocsPart};
use crate::config::PUBLIC_PAGE;
use crate::view::agents;

/// Placeholder in the guides for the URL of the API.
const API_URL: &str = "https://api.example.com";

/// A guide.
struct Guide {
    slug: &'static str,
    title: &'static str,
    about: &'static str,
    text: &'static str,
}

macro_rules! guides {
    ($($slug:literal $title:literal $about:literal),+ $(,)?) => {
        &[$(Guide {
            slug: $slug,
            title: $title,
            about: $about,
            text: include_str!(concat!("../../guides/", $slug, ".md")),
        }),+]
    };
}

const GUIDES: &[Guide] = guides![
    "start" "Your first call" "From a key to design data in a minute.",
    "credits" "Credits and the cache" "What a call costs, and what is free.",
    "limits" "Limits and pagination" "Rate limits, sizes, time limits and the pages of the usage history.",
    "rendering" "Rendering and screenshots" "When a page needs a browser, and how to capture it.",
    "components" "Components" "Sections, frameworks and themes of /code.",
    "brand" "Brand identity" "Colours, fonts and logos of /brand, with their confidence and evidence.",
    "tokens" "Design tokens" "Tailwind themes, CSS and token files of /extract: groups, names and counts.",
    "assets" "Images, SVGs, media and fonts" "The six operations that list what a page loads.",
    "errors" "Handling errors" "What to retry, what to fix, and what to show your own users.",
    "packages" "Packages" "Clients for TypeScript and Python, an n8n node and a Postman collection.",
    "cli" "Command line" "Every operation in your terminal, without servers or a key.",
];

/// The guide about the tools, for installations with an MCP server.
const TOOLS: Guide = Guide {
    slug: "mcp",
    title: "MCP tools",
    about: "The operations as tools for agents.",
    text: include_str!("../../guides/mcp.md"),
};

/// Returns the guides, with the URLs of this installation, and a page that it can read in place of the public one.
pub(super) fn pages(api_url: &str, mcp_url: Option<&str>, example_page: &str) -> Vec<DocsPage> {
    let page = |guide: &Guide| {
        let text = guide.text.replace(API_URL, api_url).replace(PUBLIC_PAGE, example_page);
        DocsPage::new(&path(guide.slug), guide.title, guide.about, DocsPart::Guides, text)
    };
    let mut pages: Vec<DocsPage> = GUIDES.iter().map(page).collect();
    if let Some(url) = mcp_url {
        let about = "Claude, ChatGPT, Cursor, VS Code and other clients, over MCP and without a key.";
        pages.push(DocsPage::new(
            &path("agents"),
            "Connect an agent",
            about,
            DocsPart::Guides,
            agents::guide(url, api_url),
        ));
        pages.push(page(&TOOLS));
    }
    pages
}

fn path(slug: &str) -> String {
    format!("/docs/guides/{slug}")
}
