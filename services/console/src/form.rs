//! Form extractors. They read a form's fields only after verifying that one of our pages sent it.

use crate::app::App;
use crate::csrf;
use crate::error::Fault;
use crate::visitor::{Member, Visitor};
use axum::extract::{Form, FromRequest, Request};
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// A form of any visitor.
pub(crate) struct Posted<T> {
    pub(crate) visitor: Visitor,
    pub(crate) form: T,
}

/// A form of a signed-in user.
pub(crate) struct MemberPosted<T> {
    pub(crate) member: Member,
    pub(crate) form: T,
}

#[derive(Deserialize)]
struct Envelope<T> {
    form_token: String,
    #[serde(flatten)]
    form: T,
}

/// A form without further fields.
#[derive(Deserialize)]
pub(crate) struct Nothing {}

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Posted<T> {
    type Rejection = Fault;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Fault> {
        use axum::extract::FromRequestParts;
        let (mut parts, body): (Parts, _) = request.into_parts();
        csrf::check_origin(&parts.headers, &app.origin)?;
        let visitor = Visitor::from_request_parts(&mut parts, app).await?;
        let form = Form::<Envelope<T>>::from_request(Request::from_parts(parts, body), app).await;
        let Form(Envelope { form_token, form }) =
            form.map_err(|refusal| Fault::Invalid(format!("The form is incomplete: {}", refusal.body_text())))?;
        if !visitor.owns(&form_token) {
            return Err(Fault::Forged("the token is not this visitor's"));
        }
        Ok(Self { visitor, form })
    }
}

impl<T: DeserializeOwned> FromRequest<Arc<App>> for MemberPosted<T> {
    type Rejection = Fault;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Fault> {
        let Posted { visitor, form } = Posted::from_request(request, app).await?;
        Ok(Self { member: visitor.member()?, form })
    }
}
