//! Boxes, laid out in children of this process that run this binary.

use crate::cli::LayoutWorkerArgs;
use crate::exit::Exit;
use limner_layout::worker::{self, Limits};
use limner_layout::{ProcessLayout, ProcessLayoutConfig};
use std::time::Duration;

/// Lays pages out in at most that many children; none is started before it is needed.
pub(crate) fn in_children(children: usize) -> ProcessLayout {
    // Without a path to itself there are no children, and pages are read without boxes.
    let program = std::env::current_exe().unwrap_or_default();
    let config = ProcessLayoutConfig::new(program, vec!["layout-worker".into()]);
    ProcessLayout::new(ProcessLayoutConfig { children, ..config })
}

/// The child: `limner layout-worker`.
pub(crate) fn work(args: &LayoutWorkerArgs) -> Result<(), Exit> {
    let memory_bytes = args.memory.saturating_mul(1024 * 1024);
    Ok(worker::run(Limits { memory_bytes, processor: Duration::from_secs(args.seconds) })?)
}
