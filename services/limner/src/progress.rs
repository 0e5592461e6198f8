//! Progress on a terminal: a line for an action that takes longer than a second, a bar for several.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::borrow::Cow;
use std::io::IsTerminal;
use std::time::{Duration, Instant};
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

    /// Returns a line that is never shown.
    pub(crate) fn hidden() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        Self { bar, delayed: tokio::spawn(async {}).abort_handle() }
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

/// A bar on standard error, if that is a terminal, that disappears on drop.
pub(crate) struct ProgressBarLine {
    bar: ProgressBar,
    things: &'static str,
    started: Instant,
}

impl ProgressBarLine {
    /// Starts a bar of `total` things, such as `files`.
    pub(crate) fn start(total: u64, things: &'static str) -> Self {
        let started = Instant::now();
        Self { bar: bar(total, 0, things, started), things, started }
    }

    /// Removes the bar until the next step, so that lines can be printed.
    pub(crate) fn pause(&self) {
        self.bar.finish_and_clear();
    }

    /// Counts one more.
    pub(crate) fn advance(&mut self) {
        let done = self.bar.position() + 1;
        if self.bar.is_finished() {
            self.bar = bar(self.bar.length().unwrap_or(done), done, self.things, self.started);
        } else {
            self.bar.set_position(done);
        }
    }
}

fn bar(total: u64, done: u64, things: &'static str, started: Instant) -> ProgressBar {
    let bar = ProgressBar::new(total).with_message(things).with_elapsed(started.elapsed());
    if let Ok(style) = ProgressStyle::with_template("{bar:28} {pos}/{len} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar.set_position(done);
    bar
}

impl Drop for ProgressBarLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
