//! Evaluates scripts in an isolated world of a page, which its own scripts cannot reach.

use crate::cdp::{CdpError, Session};
use chromiumoxide_cdp::cdp::browser_protocol::page::{CreateIsolatedWorldParams, FrameId};
use chromiumoxide_cdp::cdp::js_protocol::runtime::{
    EvaluateParams, ExceptionDetails, ExecutionContextId, TerminateExecutionParams,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

const READER: &str = include_str!("page_reader.js");
const WORLD_NAME: &str = "limner";

/// The isolated world of a page's current document.
pub(super) struct PageWorld<'a> {
    session: &'a Session,
    frame: &'a FrameId,
    context: Mutex<Option<ExecutionContextId>>,
}

impl<'a> PageWorld<'a> {
    pub(super) fn new(session: &'a Session, frame: &'a FrameId) -> Self {
        Self { session, frame, context: Mutex::default() }
    }

    /// Evaluates an expression over `limner` (see `page_reader.js`). If the document has just been replaced, it is evaluated
    /// once more.
    pub(super) async fn ask<T: DeserializeOwned>(&self, expression: &str, patience: Duration) -> Result<T, CdpError> {
        let is_new = self.context_id().is_none();
        match self.evaluate_once(expression, patience).await {
            Err(CdpError::Refused { .. }) if !is_new => {
                self.forget();
                self.evaluate_once(expression, patience).await
            }
            outcome => outcome,
        }
    }

    async fn evaluate_once<T: DeserializeOwned>(&self, expression: &str, patience: Duration) -> Result<T, CdpError> {
        let context = match self.context_id() {
            Some(context) => context,
            None => self.create_context(patience).await?,
        };
        let value = self.evaluate(Some(context), expression, patience).await?;
        serde_json::from_value(value).map_err(|cause| malformed(cause.to_string()))
    }

    /// Evaluates in the page's main world: the result is untrusted.
    pub(super) async fn evaluate_in_main_world(&self, expression: &str, patience: Duration) -> Result<(), CdpError> {
        self.evaluate(None, expression, patience).await.map(drop)
    }

    /// Terminates the script that is running.
    pub(super) async fn interrupt(&self, patience: Duration) {
        let _ = self.session.call(TerminateExecutionParams::default(), patience).await;
    }

    async fn create_context(&self, patience: Duration) -> Result<ExecutionContextId, CdpError> {
        let world = CreateIsolatedWorldParams {
            world_name: Some(WORLD_NAME.to_owned()),
            ..CreateIsolatedWorldParams::new(self.frame.clone())
        };
        let context = self.session.call(world, patience).await?.execution_context_id;
        self.evaluate(Some(context), READER, patience).await?;
        *self.context.lock().unwrap_or_else(PoisonError::into_inner) = Some(context);
        Ok(context)
    }

    fn context_id(&self) -> Option<ExecutionContextId> {
        *self.context.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forget(&self) {
        *self.context.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    async fn evaluate(
        &self,
        context_id: Option<ExecutionContextId>,
        expression: &str,
        patience: Duration,
    ) -> Result<Value, CdpError> {
        let question = EvaluateParams {
            context_id,
            await_promise: Some(true),
            return_by_value: Some(true),
            ..EvaluateParams::new(expression)
        };
        let evaluated = self.session.call(question, patience).await?;
        match evaluated.exception_details {
            None => Ok(evaluated.result.value.unwrap_or_default()),
            Some(details) => Err(malformed(description(details).chars().take(300).collect())),
        }
    }
}

fn description(details: ExceptionDetails) -> String {
    details.exception.and_then(|exception| exception.description).unwrap_or(details.text)
}

fn malformed(cause: String) -> CdpError {
    CdpError::UnexpectedResponse { method: "limner".into(), cause }
}
