//! A progress line on a terminal, for actions that take longer than a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::borrow::Cow;
use std::io::IsTerminal;
use std::time::Duration;
use tokio::task::AbortHandle;

const SHOW_DELAY: Duration = Duration::from_secs(1);

/// A line on standard error that appears after a second and disappears on drop.
pub(crate) struct ProgressLine {
    bar: ProgressBar,
    delayed: AbortHandle,
}

impl ProgressLine {
    pub(crate) fn start(what: impl Into<Cow<'static, str>>) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_message(what);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        let late = bar.clone();
        let delayed = tokio::spawn(async move {
            tokio::time::sleep(SHOW_DELAY).await;
            if std::io::stderr().is_terminal() {
                late.set_draw_target(ProgressDrawTarget::stderr());
                late.enable_steady_tick(Duration::from_millis(120));
            }
        });
        Self { bar, delayed: delayed.abort_handle() }
    }

    /// Sets the current action.
    pub(crate) fn now(&self, what: impl Into<Cow<'static, str>>) {
        self.bar.set_message(what);
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.delayed.abort();
        self.bar.finish_and_clear();
    }
}
