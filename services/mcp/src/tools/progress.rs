//! Progress notifications for calls that take longer than a moment, if the client requested them.

use super::arguments::ToolCall;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use std::time::Duration;
use tokio_util::task::AbortOnDropHandle;

const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// Sends notifications until it is dropped.
pub(super) struct ProgressReporter {
    _telling: AbortOnDropHandle<()>,
}

impl ProgressReporter {
    /// Returns `None` if the client did not request progress.
    pub(super) fn start(context: &RequestContext<RoleServer>, wish: &ToolCall) -> Option<Self> {
        let token = context.meta.get_progress_token()?;
        let peer = context.peer.clone();
        let doing = if wish.renders { "Reading in a browser" } else { "Reading" };
        let what = format!("{doing}: {}", wish.url);
        let telling = tokio::spawn(async move {
            let mut ticks = tokio::time::interval(PROGRESS_INTERVAL);
            // The first tick is immediate.
            ticks.tick().await;
            for second in 1_u32.. {
                ticks.tick().await;
                let message = format!("{what} ({second} s)");
                let progress = ProgressNotificationParam::new(token.clone(), f64::from(second)).with_message(message);
                if peer.notify_progress(progress).await.is_err() {
                    return;
                }
            }
        });
        Some(Self { _telling: AbortOnDropHandle::new(telling) })
    }
}
