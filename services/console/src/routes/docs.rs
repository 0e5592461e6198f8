//! Documentation pages: the API reference from the OpenAPI document, guides, errors, changelog.

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
use limner_types::Operation;
use serde_json::Value;
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

/// A parameter of an operation.
struct Parameter {
    name: String,
    kind: String,
    required: bool,
    about: String,
}

/// An operation of the API.
struct ReferenceOperation {
    path: String,
    id: String,
    summary: String,
    about: String,
    credits: Option<u32>,
    parameters: Vec<Parameter>,
    responses: Vec<(String, String)>,
    curl: String,
}

/// The OpenAPI document, parsed once.
pub(crate) struct Reference {
    json: String,
    operations: Vec<ReferenceOperation>,
}

impl Reference {
    /// Parses the part of a document that the page shows. An unexpected document gives an empty page, never an error.
    pub(crate) fn from_openapi(document: &Value, api_url: &str) -> Self {
        let paths = document["paths"].as_object().into_iter().flatten();
        let operations = paths.filter_map(|(path, item)| {
            let get = item.get("get")?;
            Some(operation(document, path, get, api_url))
        });
        Self { json: document.to_string(), operations: operations.collect() }
    }
}

fn operation(document: &Value, path: &str, get: &Value, api_url: &str) -> ReferenceOperation {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let name = path.rsplit('/').next().unwrap_or_default();
    let known = Operation::from_path(name);
    let parameters = get["parameters"].as_array().into_iter().flatten().map(|given| {
        let parameter = resolve(document, given);
        Parameter {
            name: text(&parameter["name"]),
            kind: kind(resolve(document, &parameter["schema"])),
            required: parameter["required"].as_bool().unwrap_or_default(),
            about: text(&parameter["description"]),
        }
    });
    let responses = get["responses"].as_object().into_iter().flatten();
    let query = if known.is_some() { "?url=www.rust-lang.org" } else { "" };
    let base = if path.starts_with("/v1") { api_url.to_owned() } else { format!("{api_url}/v1") };
    ReferenceOperation {
        id: name.trim_matches(['{', '}']).to_owned(),
        summary: text(&get["summary"]),
        about: markdown::to_html(get["description"].as_str().unwrap_or_default()),
        credits: known.map(Operation::credits),
        parameters: parameters.collect(),
        responses: responses
            .map(|(status, it)| (status.clone(), text(&resolve(document, it)["description"])))
            .collect(),
        curl: format!("curl -H \"Authorization: Bearer $LIMNER_KEY\" '{base}{path}{query}'"),
        path: path.to_owned(),
    }
}

/// Resolves a `$ref` within the document.
fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    target.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

/// Returns `a, b or c` for an enumeration, otherwise the type.
fn kind(schema: &Value) -> String {
    let values = schema["enum"].as_array().or_else(|| schema["items"]["enum"].as_array());
    let kind = match values {
        Some(values) => values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" · "),
        None => schema["type"].as_str().unwrap_or("string").to_owned(),
    };
    match &schema["default"] {
        Value::Null => kind,
        Value::String(default) => format!("{kind}; default {default}"),
        default => format!("{kind}; default {default}"),
    }
}

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
