//! Form extractors. They read a form's fields only after verifying that one of our pages sent it.

use crate::csrf;
use crate::error::HttpError;
use crate::identity::{RequestIdentity, SignedInUser};
use crate::state::AppState;
use axum::extract::{Form, FromRequest, Request};
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// A form of any visitor.
pub(crate) struct CsrfForm<T> {
    pub(crate) visitor: RequestIdentity,
    pub(crate) form: T,
}

/// A form of a signed-in user.
pub(crate) struct SignedInForm<T> {
    pub(crate) member: SignedInUser,
    pub(crate) form: T,
}

#[derive(Deserialize)]
struct FormEnvelope<T> {
    form_token: String,
    #[serde(flatten)]
    form: T,
}

/// A form without further fields.
#[derive(Deserialize)]
pub(crate) struct EmptyForm {}

impl<T: DeserializeOwned> FromRequest<Arc<AppState>> for CsrfForm<T> {
    type Rejection = HttpError;

    async fn from_request(request: Request, app: &Arc<AppState>) -> Result<Self, HttpError> {
        use axum::extract::FromRequestParts;
        let (mut parts, body): (Parts, _) = request.into_parts();
        csrf::check_origin(&parts.headers, app.url.origin())?;
        let visitor = RequestIdentity::from_request_parts(&mut parts, app).await?;
        let form = Form::<FormEnvelope<T>>::from_request(Request::from_parts(parts, body), app).await;
        let Form(FormEnvelope { form_token, form }) =
            form.map_err(|refusal| HttpError::Invalid(format!("The form is incomplete: {}", refusal.body_text())))?;
        if !visitor.owns_form(&form_token) {
            return Err(HttpError::CsrfRejected("the token is not this visitor's"));
        }
        Ok(Self { visitor, form })
    }
}

impl<T: DeserializeOwned> FromRequest<Arc<AppState>> for SignedInForm<T> {
    type Rejection = HttpError;

    async fn from_request(request: Request, app: &Arc<AppState>) -> Result<Self, HttpError> {
        let CsrfForm { visitor, form } = CsrfForm::from_request(request, app).await?;
        Ok(Self { member: visitor.member()?, form })
    }
}
