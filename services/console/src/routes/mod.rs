//! Routes.

pub(crate) mod account;
pub(crate) mod auth;
pub(crate) mod billing;
pub(crate) mod connections;
pub(crate) mod docs;
pub(crate) mod keys;
pub(crate) mod legal;
pub(crate) mod oidc;
pub(crate) mod orders;
pub(crate) mod playground;
pub(crate) mod status;
pub(crate) mod usage;

use crate::error::HttpError;
use crate::security_headers::PageKind;
use crate::state::AppState;
use crate::view::results::MediaSources;
use crate::{assets, oauth, security_headers};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http::HeaderValue;
use http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_TYPE};
use std::sync::Arc;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;

/// Maximum size of a form.
const MAX_FORM_BYTES: usize = 64 * 1024;
/// Maximum size of a preview form: percent-encoding triples a component's size.
const MAX_PREVIEW_BYTES: usize = 24_000_000;

/// Returns the routes of the demo site's images, media and fonts. Its pages are not shown: they are read by the API alone.
fn demo_files(app: &AppState) -> Router<Arc<AppState>> {
    let Some(demo) = &app.config.demo else { return Router::new() };
    let files = demo.files.clone().layer(map_response(|mut response: Response| async move {
        let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        if content_type.is_none_or(|content_type| content_type.starts_with("text/")) {
            return HttpError::NotFound.into_response();
        }
        // Fonts of a preview, which has no origin.
        response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        response.extensions_mut().insert(PageKind::Asset);
        response
    }));
    Router::new().nest_service(MediaSources::DEMO_PATH.trim_end_matches('/'), files)
}

/// Returns the router of all pages.
pub(crate) fn router(app: Arc<AppState>) -> Router {
    let pages = Router::new()
        .route("/", get(usage::home))
        .route("/landing/component", get(usage::landing_component))
        .route("/sign-up", get(auth::sign_up_page).post(auth::sign_up))
        .route("/sign-in", get(auth::sign_in_page).post(auth::sign_in))
        .route("/sign-in/link", post(auth::send_link))
        .route(oidc::START, get(oidc::start))
        .route(oidc::CALLBACK, get(oidc::callback))
        .route("/enter", get(auth::link_page).post(auth::follow_link))
        .route("/sign-out", post(auth::sign_out))
        .route("/keys", get(keys::page).post(keys::create))
        .route("/keys/revoke", post(keys::revoke))
        .route("/usage", get(usage::history))
        .route("/usage.csv", get(usage::csv))
        .route("/usage/{request_id}", get(usage::call))
        .route("/billing", get(billing::page))
        .route("/billing/order", get(orders::summary))
        .route("/billing/withdraw", post(orders::withdraw))
        .route("/billing/plan", post(orders::order_plan))
        .route("/billing/plan/keep", post(billing::cancel_plan_change))
        .route("/billing/overage", post(billing::set_overage))
        .route("/billing/pack", post(orders::order_pack))
        .route("/billing/portal", post(billing::portal))
        .route("/billing/billed.csv", get(billing::billed_csv))
        .route("/billing/billed.json", get(billing::billed_json))
        .route("/account", get(account::page))
        .route("/account/password", post(account::change_password))
        .route("/account/sessions/end", post(account::end_session))
        .route("/account/sessions/end-others", post(account::end_other_sessions))
        .route("/account/export", post(account::export))
        .route("/account/close", post(account::close))
        .route("/connections", get(connections::page))
        .route("/connections/revoke", post(connections::revoke))
        .route("/connections/playground/revoke", post(connections::revoke_playground))
        .route("/playground", get(playground::page).post(playground::run))
        .route("/playground/result", get(playground::result))
        .route("/playground/download/{name}", get(playground::download))
        .route("/playground/player", get(playground::player))
        .route("/pricing", get(billing::pricing))
        .route("/status", get(status::page))
        .route("/terms", get(legal::terms))
        .route("/privacy", get(legal::privacy))
        .route("/imprint", get(legal::imprint))
        .route("/docs", get(docs::index))
        .route("/docs.md", get(docs::index_for_models))
        .route("/docs/search", get(docs::search))
        .route("/docs/{*path}", get(docs::page))
        .route("/llms.txt", get(docs::index_for_models))
        .route("/openapi.json", get(docs::openapi))
        .route("/favicon.ico", get(assets::icon))
        .route(
            "/robots.txt",
            get(|| async {
                "User-agent: *\nAllow: /$\nAllow: /docs\nAllow: /llms.txt\nAllow: /pricing\nAllow: /terms\nAllow: /privacy\nDisallow: /\n"
            }),
        )
        .route("/assets/{hash}/{name}", get(assets::serve))
        .merge(oauth::routes::pages())
        .layer(DefaultBodyLimit::max(MAX_FORM_BYTES));
    let preview = Router::new()
        .route("/playground/preview", post(playground::preview))
        .layer(DefaultBodyLimit::max(MAX_PREVIEW_BYTES));
    pages
        .merge(preview)
        .merge(oauth::routes::endpoints())
        .merge(demo_files(&app))
        .fallback(|| async { HttpError::NotFound })
        .method_not_allowed_fallback(|| async { HttpError::NotFound })
        .layer(CompressionLayer::new().quality(CompressionLevel::Precise(4)))
        .layer(from_fn_with_state(app.url.is_https(), security_headers::guard))
        .with_state(app)
}
