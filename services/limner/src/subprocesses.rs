//! Child processes that run this binary, for extraction and layout.

use crate::cli::{ExtractionWorkerArgs, LayoutWorkerArgs};
use crate::exit::ExitReason;
use limner_extractor::ProcessConfig;
use limner_extractor::child::{ChildConfig, serve_calls};
use limner_layout::layout_child::{self, Limits};
use limner_layout::{ProcessLayout, ProcessLayoutConfig};
use limner_subprocess::Launch;
use std::ffi::OsString;
use std::time::Duration;

/// Returns the configuration of extraction processes: this binary as `limner extraction-worker`. `render_available`:
/// hints may advise `render=true`.
pub(crate) fn extraction(processor_time: Duration, result_bytes: usize, render_available: bool) -> ProcessConfig {
    let mut arguments = vec![
        "extraction-worker".to_owned(),
        format!("--milliseconds={}", processor_time.as_millis()),
        format!("--result-bytes={result_bytes}"),
    ];
    arguments.extend((!render_available).then(|| "--no-browser".to_owned()));
    let arguments = arguments.into_iter().map(Into::into).collect();
    ProcessConfig { processor_time, ..ProcessConfig::new(launch_self(arguments)) }
}

/// Returns a layout engine in one child process, which is started when first needed.
pub(crate) fn layout() -> ProcessLayout {
    layout_in(launch_self(vec!["layout-worker".into()]))
}

fn layout_in(launch: Launch) -> ProcessLayout {
    ProcessLayout::new(ProcessLayoutConfig { children: 1, ..ProcessLayoutConfig::new(launch) })
}

/// Without a path to itself the binary cannot start children, and reports that when they are needed.
fn launch_self(arguments: Vec<OsString>) -> Launch {
    Launch::new(std::env::current_exe().unwrap_or_default(), arguments)
}

/// Runs as a child: `limner layout-worker`.
pub(crate) fn run_layout(args: &LayoutWorkerArgs) -> Result<(), ExitReason> {
    let memory_bytes = args.memory.saturating_mul(MEGABYTE);
    Ok(layout_child::run_worker(Limits { memory_bytes, processor: Duration::from_secs(args.seconds) })?)
}

/// Runs as a child: `limner extraction-worker`.
pub(crate) fn run_extraction(args: &ExtractionWorkerArgs) -> Result<(), ExitReason> {
    // Whoever kills this process kills its layout with it.
    let launch = Launch { joins_group: true, ..launch_self(vec!["layout-worker".into()]) };
    Ok(serve_calls(ChildConfig {
        memory_bytes: args.memory.saturating_mul(MEGABYTE),
        processor_time: Duration::from_millis(args.milliseconds),
        result_bytes: args.result_bytes,
        render_available: !args.no_browser,
        layout: layout_in(launch),
    })?)
}

const MEGABYTE: u64 = 1024 * 1024;
