//! The child process: reads pages on standard input, writes boxes to standard output, until its input ends.
//!
//! It limits itself before the first page: its address space, its processor time (anew for each page), no core dumps, no
//! files. Whatever kills it costs the page at hand and nothing else.

use crate::fonts::Fonts;
use crate::message::{Question, encode_answer, read_frame, write_frame};
use crate::threads::{STACK_BYTES, lay_out_caught};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io::{self, Read, Write};
use std::time::Duration;

/// What a child may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Address space in bytes. The stack of 64 MB, the binary and mapped fonts count.
    pub memory_bytes: u64,
    /// Processor time for one page.
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
/// The limits cannot be set, a stream fails, or what arrives is no question.
pub fn run(limits: Limits) -> io::Result<()> {
    confine(limits)?;
    let served = std::thread::Builder::new()
        .name("layout".into())
        .stack_size(STACK_BYTES)
        .spawn(move || serve(&mut io::stdin().lock(), &mut io::stdout().lock(), limits))?;
    served.join().unwrap_or_else(|_| Err(io::Error::other("the thread for layout panicked")))
}

fn confine(limits: Limits) -> io::Result<()> {
    lower(Resource::As, limits.memory_bytes)?;
    lower(Resource::Core, 0)
}

/// Lowers a limit for good; one that is lower already stays.
fn lower(resource: Resource, value: u64) -> io::Result<()> {
    let known = getrlimit(resource).maximum;
    let value = known.map_or(value, |known| known.min(value));
    Ok(setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })?)
}

/// Gives the page at hand so much processor time beyond what was used so far.
fn allow_processor(more: Duration) -> io::Result<()> {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).tv_sec;
    let used = u64::try_from(used).unwrap_or(0);
    let maximum = getrlimit(Resource::Cpu).maximum;
    let current = used + more.as_secs().max(1) + 1;
    let current = maximum.map_or(current, |maximum| maximum.min(current));
    Ok(setrlimit(Resource::Cpu, Rlimit { current: Some(current), maximum })?)
}

fn serve(input: &mut impl Read, output: &mut impl Write, limits: Limits) -> io::Result<()> {
    let mut fonts = Some(Fonts::of_system());
    while let Some(frame) = read_frame(input)? {
        allow_processor(limits.processor)?;
        let (page, environment) = Question::decode(&frame)?.into_page();
        drop(frame);
        let boxes = lay_out_caught(&page, &environment, &mut fonts);
        write_frame(output, &encode_answer(boxes.as_ref()))?;
    }
    Ok(())
}
