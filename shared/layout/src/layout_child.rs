//! The child process: reads pages from standard input and writes boxes to standard output until end of file.
//!
//! It sets limits for itself before the first page: address space, processor time (again for each page), no core dumps.
//! A crash only affects the page being laid out.

use crate::fonts::Fonts;
use crate::in_process::{STACK_BYTES, layout_catching_panics};
use crate::protocol::{LayoutRequest, MAX_FRAME, encode_answer};
use limner_subprocess::{allow_processor_time, confine, read_frame, write_frame};
use std::io::{self, Read, Write};
use std::time::Duration;

/// Resource limits of a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Address space in bytes, including the stack of 64 MB, the binary and mapped fonts.
    pub memory_bytes: u64,
    /// Processor time for one page, in case the parent has died; a living parent enforces a shorter one.
    pub processor: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory_bytes: 1536 * 1024 * 1024, processor: Duration::from_secs(10) }
    }
}

/// Serves pages from standard input under these limits.
///
/// # Errors
/// The limits cannot be set, a stream fails, or a frame is not a valid question.
pub fn run_worker(limits: Limits) -> io::Result<()> {
    confine(limits.memory_bytes)?;
    let served = std::thread::Builder::new()
        .name("layout".into())
        .stack_size(STACK_BYTES)
        .spawn(move || serve(&mut io::stdin().lock(), &mut io::stdout().lock(), limits))?;
    served.join().unwrap_or_else(|_| Err(io::Error::other("the thread for layout panicked")))
}

fn serve(input: &mut impl Read, output: &mut impl Write, limits: Limits) -> io::Result<()> {
    let mut fonts = Some(Fonts::from_system());
    while let Some(frame) = read_frame(input, MAX_FRAME)? {
        allow_processor_time(limits.processor)?;
        let (page, environment) = LayoutRequest::decode(&frame)?.into_page();
        drop(frame);
        let boxes = layout_catching_panics(&page, &environment, &mut fonts);
        write_frame(output, &[&encode_answer(boxes.as_ref())])?;
    }
    Ok(())
}
