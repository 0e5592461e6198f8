//! Documentation pages: the API reference from the OpenAPI document, guides, errors, changelog.

use crate::api_reference::ReferenceOperation;
use crate::error::Fault;
use crate::identity::RequestIdentity;
use crate::layout::PageLayout;
use crate::state::AppState;
use crate::view::errors::{CatalogueEntry, catalogue};
use crate::view::{agents, markdown};
use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::header;
use std::sync::{Arc, LazyLock};

/// A guide.
struct Guide {
    slug: &'static str,
    title: &'static str,
    about: &'static str,
    text: &'static str,
}

const GUIDES: [Guide; 5] = [
    Guide {
        slug: "start",
        title: "The first call",
        about: "From a key to design data in a minute.",
        text: include_str!("../../guides/start.md"),
    },
    Guide {
        slug: "credits",
        title: "Credits, limits and the cache",
        about: "What a call costs, what is free, and how to stay within a plan.",
        text: include_str!("../../guides/credits.md"),
    },
    Guide {
        slug: "components",
        title: "Components from pages",
        about: "Sections, selectors, frameworks and themes of /code.",
        text: include_str!("../../guides/components.md"),
    },
    Guide {
        slug: "tokens",
        title: "Design tokens in four formats",
        about: "JSON, CSS, Tailwind and the W3C format of /extract.",
        text: include_str!("../../guides/tokens.md"),
    },
    Guide {
        slug: "errors",
        title: "Handling errors",
        about: "What to retry, what to fix, and what to show your own users.",
        text: include_str!("../../guides/errors.md"),
    },
];

/// Slug of the guide about connecting agents; hidden if there is no MCP server.
const AGENTS: &str = "agents";

/// Placeholder in the guides for the URL of the API.
const API_URL: &str = "https://api.example.com";

/// Without its title, which is the page's; its headings are one level deeper.
static CHANGELOG: LazyLock<String> = LazyLock::new(|| {
    let text = include_str!("../../../../CHANGELOG.md").trim_start_matches("# Changelog");
    markdown::to_html(&text.replace("\n## ", "\n# ").replace("\n### ", "\n## "))
});

#[derive(Template)]
#[template(path = "docs.html")]
struct DocsPage {
    shell: PageLayout,
    guides: &'static [Guide],
    has_agents: bool,
    api_url: String,
}

#[derive(Template)]
#[template(path = "reference.html")]
struct ReferencePage<'a> {
    shell: PageLayout,
    api_url: String,
    operations: &'a [ReferenceOperation],
}

#[derive(Template)]
#[template(path = "errors.html")]
struct ErrorsPage {
    shell: PageLayout,
    entries: Vec<CatalogueEntry>,
}

#[derive(Template)]
#[template(path = "text.html")]
struct TextPage {
    shell: PageLayout,
    html: String,
}

/// `GET /docs`
pub(crate) async fn index(State(app): State<Arc<AppState>>, visitor: RequestIdentity) -> Response {
    let shell = visitor.shell("Documentation", "docs");
    let has_agents = !app.config.resources.is_empty();
    visitor.render(&DocsPage { shell, guides: &GUIDES, has_agents, api_url: app.config.api_url.clone() })
}

/// `GET /docs/reference`
pub(crate) async fn reference(State(app): State<Arc<AppState>>, visitor: RequestIdentity) -> Response {
    let shell = visitor.shell("API reference", "docs");
    let (api_url, operations) = (app.config.api_url.clone(), &app.reference.operations);
    visitor.render(&ReferencePage { shell, api_url, operations })
}

/// `GET /docs/errors`
pub(crate) async fn errors(visitor: RequestIdentity) -> Response {
    visitor.render(&ErrorsPage { shell: visitor.shell("Error catalogue", "docs"), entries: catalogue() })
}

/// `GET /docs/changelog`
pub(crate) async fn changelog(visitor: RequestIdentity) -> Response {
    visitor.render(&TextPage { shell: visitor.shell("Changelog", "docs"), html: CHANGELOG.clone() })
}

/// `GET /docs/guides/{slug}`
pub(crate) async fn guide(
    State(app): State<Arc<AppState>>,
    visitor: RequestIdentity,
    Path(slug): Path<String>,
) -> Result<Response, Fault> {
    let (title, text) = if slug == AGENTS {
        let resource = app.config.resources.first().ok_or(Fault::NotFound)?;
        ("Connect an agent", agents::guide(&resource.uri))
    } else {
        let guide = GUIDES.iter().find(|guide| guide.slug == slug).ok_or(Fault::NotFound)?;
        (guide.title, guide.text.replace(API_URL, &app.config.api_url))
    };
    let html = markdown::with_copy_buttons(&markdown::to_html(&text));
    Ok(visitor.render(&TextPage { shell: visitor.shell(title, "docs"), html }))
}

/// `GET /openapi.json`
pub(crate) async fn openapi(State(app): State<Arc<AppState>>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], app.reference.json.clone()).into_response()
}
