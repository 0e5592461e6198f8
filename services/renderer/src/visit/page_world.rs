//! Questions to a page, asked in a world of their own that its scripts can't reach.

use crate::cdp::{CdpError, Nothing, Session};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

const READER: &str = include_str!("reader.js");
const WORLD: &str = "limner";

/// The world of one page's present document.
pub(super) struct PageWorld<'a> {
    session: &'a Session,
    frame: &'a str,
    context: Mutex<Option<i64>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct World {
    execution_context_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Evaluated {
    result: Remote,
    exception_details: Option<Value>,
}

#[derive(Deserialize)]
struct Remote {
    #[serde(default)]
    value: Value,
}

impl<'a> PageWorld<'a> {
    pub(super) fn new(session: &'a Session, frame: &'a str) -> Self {
        Self { session, frame, context: Mutex::default() }
    }

    /// What an expression over `limner` (see `reader.js`) comes to. A document that has just been replaced is asked
    /// once more.
    pub(super) async fn ask<T: DeserializeOwned>(&self, expression: &str, patience: Duration) -> Result<T, CdpError> {
        let is_new = self.known().is_none();
        match self.ask_once(expression, patience).await {
            Err(CdpError::Refused { .. }) if !is_new => {
                self.forget();
                self.ask_once(expression, patience).await
            }
            outcome => outcome,
        }
    }

    async fn ask_once<T: DeserializeOwned>(&self, expression: &str, patience: Duration) -> Result<T, CdpError> {
        let context = match self.known() {
            Some(context) => context,
            None => self.enter(patience).await?,
        };
        let value = self.evaluate(Some(context), expression, patience).await?;
        serde_json::from_value(value).map_err(|cause| CdpError::Strange { method: "limner", cause: cause.to_string() })
    }

    /// Evaluates in the page's own world: whatever comes back is the page's word.
    pub(super) async fn tell_main_world(&self, expression: &str, patience: Duration) -> Result<(), CdpError> {
        self.evaluate(None, expression, patience).await.map(drop)
    }

    /// Breaks off whatever script runs at this moment.
    pub(super) async fn interrupt(&self, patience: Duration) {
        let _ = self.session.call::<Nothing>("Runtime.terminateExecution", json!({}), patience).await;
    }

    async fn enter(&self, patience: Duration) -> Result<i64, CdpError> {
        let world = json!({"frameId": self.frame, "worldName": WORLD});
        let world: World = self.session.call("Page.createIsolatedWorld", world, patience).await?;
        let context = world.execution_context_id;
        self.evaluate(Some(context), READER, patience).await?;
        *self.context.lock().unwrap_or_else(PoisonError::into_inner) = Some(context);
        Ok(context)
    }

    fn known(&self) -> Option<i64> {
        *self.context.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forget(&self) {
        *self.context.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    async fn evaluate(&self, context: Option<i64>, expression: &str, patience: Duration) -> Result<Value, CdpError> {
        let mut params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        if let Some(context) = context {
            params["contextId"] = json!(context);
        }
        let evaluated: Evaluated = self.session.call("Runtime.evaluate", params, patience).await?;
        match evaluated.exception_details {
            None => Ok(evaluated.result.value),
            Some(details) => {
                let text = details["exception"]["description"].as_str().or(details["text"].as_str());
                let cause = text.unwrap_or("an exception").chars().take(300).collect();
                Err(CdpError::Strange { method: "limner", cause })
            }
        }
    }
}
