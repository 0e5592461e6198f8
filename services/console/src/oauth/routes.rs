//! Routes of the authorization server.

use super::{AUTHORIZE, METADATA, REGISTER, REVOKE, TOKEN, authorize, cors, metadata, register, token};
use crate::state::AppState;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn;
use axum::routing::{get, post};
use std::sync::Arc;

/// Maximum size of a request.
const MAX_REQUEST_BYTES: usize = 32 * 1024;

/// Returns the routes for people: the consent page.
pub(crate) fn pages() -> Router<Arc<AppState>> {
    Router::new().route(AUTHORIZE, get(authorize::ask).post(authorize::decide))
}

/// Returns the routes for programs, including those in pages of other origins: they ignore cookies.
pub(crate) fn endpoints() -> Router<Arc<AppState>> {
    Router::new()
        .route(METADATA, get(metadata::show).options(cors::preflight))
        .route(TOKEN, post(token::exchange).options(cors::preflight))
        .route(REVOKE, post(token::revoke).options(cors::preflight))
        .route(REGISTER, post(register::register).options(cors::preflight))
        .layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES))
        .layer(from_fn(cors::open))
}
