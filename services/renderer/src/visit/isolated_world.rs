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
    pub(super) async fn ask<T: DeserializeOwned>(&self, expression: &str, timeout: Duration) -> Result<T, CdpError> {
        let is_new = self.context_id().is_none();
        match self.evaluate_once(expression, timeout).await {
            Err(CdpError::Refused { .. }) if !is_new => {
                self.set_context(None);
                self.evaluate_once(expression, timeout).await
            }
            outcome => outcome,
        }
    }

    async fn evaluate_once<T: DeserializeOwned>(&self, expression: &str, timeout: Duration) -> Result<T, CdpError> {
        let value = match self.context_id() {
            Some(context) => self.evaluate(Some(context), expression, timeout).await?,
            None => {
                let context = self.create_context(timeout).await?;
                let with_reader = format!("{},{expression}", READER.trim_end());
                let value = self.evaluate(Some(context), &with_reader, timeout).await?;
                self.set_context(Some(context));
                value
            }
        };
        serde_json::from_value(value).map_err(|cause| malformed(cause.to_string()))
    }

    /// Evaluates in the page's main world: the result is untrusted.
    pub(super) async fn ask_main_world<T: DeserializeOwned>(
        &self,
        expression: &str,
        timeout: Duration,
    ) -> Result<T, CdpError> {
        let value = self.evaluate(None, expression, timeout).await?;
        serde_json::from_value(value).map_err(|cause| malformed(cause.to_string()))
    }

    /// Terminates the script that is running.
    pub(super) async fn interrupt(&self, timeout: Duration) {
        let _ = self.session.call(TerminateExecutionParams::default(), timeout).await;
    }

    async fn create_context(&self, timeout: Duration) -> Result<ExecutionContextId, CdpError> {
        let world = CreateIsolatedWorldParams {
            world_name: Some(WORLD_NAME.to_owned()),
            ..CreateIsolatedWorldParams::new(self.frame.clone())
        };
        Ok(self.session.call(world, timeout).await?.execution_context_id)
    }

    fn context_id(&self) -> Option<ExecutionContextId> {
        *self.context.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_context(&self, context: Option<ExecutionContextId>) {
        *self.context.lock().unwrap_or_else(PoisonError::into_inner) = context;
    }

    async fn evaluate(
        &self,
        context_id: Option<ExecutionContextId>,
        expression: &str,
        timeout: Duration,
    ) -> Result<Value, CdpError> {
        let question = EvaluateParams {
            context_id,
            await_promise: Some(true),
            return_by_value: Some(true),
            ..EvaluateParams::new(expression)
        };
        let evaluated = self.session.call(question, timeout).await?;
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
