//! Pages of the documentation, each also as Markdown.

use crate::docs::{Docs, DocsPage, DocsPart, Hit};
use crate::error::HttpError;
use crate::identity::RequestIdentity;
use crate::layout::PageLayout;
use crate::state::AppState;
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use http::header;
use serde::Deserialize;
use std::sync::Arc;

/// The overview.
#[derive(Template)]
#[template(path = "docs.html")]
struct OverviewPage<'a> {
    shell: PageLayout,
    docs: &'a Docs,
    api_url: &'a str,
}

/// Any other page.
#[derive(Template)]
#[template(path = "docs_page.html")]
struct TextPage<'a> {
    shell: PageLayout,
    docs: &'a Docs,
    page: &'a DocsPage,
    previous: Option<&'a DocsPage>,
    next: Option<&'a DocsPage>,
}

/// `GET /docs`
pub(crate) async fn index(State(app): State<Arc<AppState>>, visitor: RequestIdentity) -> Response {
    let shell = visitor.shell("Documentation", "docs");
    visitor.render(&OverviewPage { shell, docs: &app.docs, api_url: &app.config.api_url })
}

#[derive(Deserialize)]
pub(crate) struct Search {
    #[serde(default)]
    q: String,
}

/// The results of a search.
#[derive(Template)]
#[template(path = "docs_search.html")]
struct SearchPage<'a> {
    shell: PageLayout,
    query: &'a str,
    hits: Vec<Hit<'a>>,
}

/// `GET /docs/search`
pub(crate) async fn search(
    State(app): State<Arc<AppState>>,
    visitor: RequestIdentity,
    Query(search): Query<Search>,
) -> Response {
    let query: String = search.q.trim().chars().take(100).collect();
    let shell = visitor.shell("Search the documentation", "docs");
    visitor.render(&SearchPage { shell, query: &query, hits: app.docs.search.find(&query) })
}

/// `GET /docs/{path}`; with `.md` at its end, as Markdown
pub(crate) async fn page(
    State(app): State<Arc<AppState>>,
    visitor: RequestIdentity,
    Path(path): Path<String>,
) -> Result<Response, HttpError> {
    let path = format!("/docs/{path}");
    let (name, is_markdown) = match path.strip_suffix(".md") {
        Some(name) => (name, true),
        None => (path.as_str(), false),
    };
    let (page, previous, next) = app.docs.find(name).ok_or(HttpError::NotFound)?;
    if is_markdown {
        return Ok(markdown(page.to_markdown(app.url.as_str())));
    }
    let shell = visitor.shell(page.title.clone(), "docs");
    Ok(visitor.render(&TextPage { shell, docs: &app.docs, page, previous, next }))
}

/// `GET /llms.txt` and `GET /docs.md`
pub(crate) async fn index_for_models(State(app): State<Arc<AppState>>) -> Response {
    markdown(app.docs.index(app.url.as_str()))
}

/// `GET /openapi.json`
pub(crate) async fn openapi(State(app): State<Arc<AppState>>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], app.docs.openapi.clone()).into_response()
}

fn markdown(text: String) -> Response {
    ([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], text).into_response()
}
