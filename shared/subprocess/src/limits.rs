//! Limits that a child sets on itself.

use crate::processor_time::own_processor_time;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io;
use std::time::Duration;

/// Limits the address space of this process, and of those it starts, to `memory_bytes` for good, and switches core
/// dumps off. Stacks, the program itself and mapped files count as address space.
///
/// # Errors
/// The operating system refuses the limits.
pub fn confine(memory_bytes: u64) -> io::Result<()> {
    lower(Resource::As, memory_bytes)?;
    lower(Resource::Core, 0)
}

/// Lets this process use `more` processor time from now on, rounded up to seconds; past that it is ended by SIGXCPU. The
/// parent watches processor time more closely: this limit holds when the parent is gone.
///
/// # Errors
/// The operating system refuses the limit.
pub fn allow_processor_time(more: Duration) -> io::Result<()> {
    let maximum = getrlimit(Resource::Cpu).maximum;
    let current = own_processor_time().as_secs() + more.as_secs() + 2;
    let current = maximum.map_or(current, |maximum| maximum.min(current));
    Ok(setrlimit(Resource::Cpu, Rlimit { current: Some(current), maximum })?)
}

/// Lowers a limit for good; one that is lower already stays.
fn lower(resource: Resource, value: u64) -> io::Result<()> {
    let known = getrlimit(resource).maximum;
    let value = known.map_or(value, |known| known.min(value));
    Ok(setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })?)
}
