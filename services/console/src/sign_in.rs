//! The start and the end of a sign-in in a browser: its session and its device cookie.

use crate::cookies::{DEVICE_COOKIE, SESSION_COOKIE, set_cookie};
use crate::devices::{AttemptSource, DEVICE_TTL};
use crate::email::Email;
use crate::error::HttpError;
use crate::identity::RequestIdentity;
use crate::state::AppState;
use axum::response::Response;

/// Determines the client of a sign-in attempt for the user with an e-mail address.
///
/// # Errors
/// The database does not answer.
pub(crate) async fn attempt_source(
    app: &AppState,
    visitor: &RequestIdentity,
    email: &Email,
) -> Result<AttemptSource, HttpError> {
    app.devices.attempt_source(visitor.device_token.as_deref(), visitor.network(), email).await
}

/// Creates a session and ends the visitor's previous one: its token must not work after the sign-in. The browser is
/// known from now on.
///
/// # Errors
/// The database does not answer.
pub(crate) async fn start_session(
    app: &AppState,
    visitor: &RequestIdentity,
    holder_id: &str,
    signed_in_by: &str,
    response: &mut Response,
) -> Result<(), HttpError> {
    if let Some(old) = &visitor.session {
        app.sessions.end(&old.holder_id, &old.id).await?;
    }
    let session_token = app.sessions.create(holder_id, signed_in_by, &visitor.client).await?;
    set_cookie(response, SESSION_COOKIE, &session_token, app.config.session_ttl.as_secs());
    let device_token = app.devices.remember(visitor.device_token.as_deref(), holder_id).await?;
    set_cookie(response, DEVICE_COOKIE, &device_token, DEVICE_TTL.as_secs());
    Ok(())
}

/// Deletes the session cookie.
pub(crate) fn clear_session_cookie(response: &mut Response) {
    set_cookie(response, SESSION_COOKIE, "", 0);
}
