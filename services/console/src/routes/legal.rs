//! `/terms`, `/privacy` and `/imprint`: the operator's texts.

use crate::error::HttpError;
use crate::identity::RequestIdentity;
use crate::layout::PageLayout;
use crate::state::AppState;
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

#[derive(Template)]
#[template(path = "legal.html")]
struct LegalPage<'a> {
    shell: PageLayout,
    html: &'a str,
}

/// `GET /terms`
pub(crate) async fn terms(State(app): State<Arc<AppState>>, visitor: RequestIdentity) -> Result<Response, HttpError> {
    page(&visitor, "Terms of service", app.legal.terms.as_deref())
}

/// `GET /privacy`
pub(crate) async fn privacy(State(app): State<Arc<AppState>>, visitor: RequestIdentity) -> Result<Response, HttpError> {
    page(&visitor, "Privacy notice", app.legal.privacy.as_deref())
}

/// `GET /imprint`
pub(crate) async fn imprint(State(app): State<Arc<AppState>>, visitor: RequestIdentity) -> Result<Response, HttpError> {
    page(&visitor, "Imprint", app.legal.imprint.as_deref())
}

fn page(visitor: &RequestIdentity, title: &'static str, html: Option<&str>) -> Result<Response, HttpError> {
    let html = html.ok_or(HttpError::NotFound)?;
    Ok(visitor.render(&LegalPage { shell: visitor.shell(title, ""), html }))
}
