//! The parent's side: starts, calls and ends a child.

use crate::frame::{LENGTH_BYTES, checked_length, length_of};
use crate::processor_time::processor_time_of;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group, setpriority_pgrp};
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Environment variables that children keep: those that fontconfig reads.
const KEPT_VARIABLES: &[&str] = &["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "FONTCONFIG_FILE", "FONTCONFIG_PATH"];

/// Environment variables that children get. mimalloc reserves 1 GiB of address space before `main`, most or all of the
/// limit that a child sets on itself; with this variable it reserves 32 MiB at a time.
const SET_VARIABLES: &[(&str, &str)] = &[("MIMALLOC_ARENA_RESERVE", "32768")];

/// Maximum interval between two checks of the processor time and the cancellation of a call.
const WATCH_INTERVAL: Duration = Duration::from_millis(50);

/// Nice value of a child that gives way.
const LOWEST_PRIORITY: i32 = 19;

/// Pipe size, if the system allows it: larger pipes need fewer context switches to send a page.
const PIPE_BYTES: usize = 1 << 20;

/// The program of a child and its arguments.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The program, whose standard input and output are the pipes.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Leaves the child in the process group of its parent, so that both are killed and lose their priority together.
    pub joins_group: bool,
}

impl Launch {
    /// Returns the launch of a child with its own process group.
    pub fn new(program: impl Into<PathBuf>, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        let arguments = arguments.into_iter().map(Into::into).collect();
        Self { program: program.into(), arguments, joins_group: false }
    }
}

/// Limits of one call. The first one that is reached ends the child.
#[derive(Debug, Clone, Copy)]
pub struct CallLimits<'a> {
    /// Deadline of the response.
    pub deadline: Option<Instant>,
    /// Processor time of the child.
    pub processor_time: Duration,
    /// Maximum time without any use of processor time: detects a child that waits for an event that never comes, on a
    /// machine of any load.
    pub idle: Option<Duration>,
    /// Maximum size of a frame from the child.
    pub answer_bytes: usize,
    /// Set as soon as the caller does not wait any more.
    pub cancelled: Option<&'a AtomicBool>,
    /// Checked periodically; as soon as it returns true, the child continues at the lowest priority.
    pub gives_way: Option<GiveWay<'a>>,
}

/// A function that returns true once, when a child and its descendants are to continue at the lowest priority.
#[derive(Clone, Copy)]
pub struct GiveWay<'a>(pub &'a dyn Fn() -> bool);

impl fmt::Debug for GiveWay<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("GiveWay")
    }
}

/// The reason why a call has no answer. The child is gone then, or must be dropped.
#[derive(Debug, Error)]
pub enum CallFault {
    /// The call needed more processor time than it was given.
    #[error("the call exceeded its processor time")]
    ProcessorTime,
    /// The deadline passed while processor time was left.
    #[error("the deadline of the call passed")]
    Deadline,
    /// The child used no processor time for [`CallLimits::idle`].
    #[error("the child does nothing")]
    Idle,
    /// The caller did not wait any more.
    #[error("the call was cancelled")]
    Cancelled,
    /// The child was terminated by a signal that it caused itself: an abort, nearly always for lack of memory, or a
    /// fault.
    #[error("the child crashed: {0}")]
    Crashed(ExitStatus),
    /// The child exited by itself, for a reason unrelated to the call.
    #[error("the child left: {0}")]
    Left(ExitStatus),
    /// The child was killed from outside, for example because the machine ran out of memory.
    #[error("the child was killed from outside")]
    Killed,
    /// The child sent a malformed frame, or the pipes failed.
    #[error("the pipe to the child failed: {0}")]
    Pipe(#[from] io::Error),
}

/// A child process that answers one call at a time. Dropping it kills the child with everything it has started.
#[derive(Debug)]
pub struct Subprocess {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    calls: u32,
    joins_group: bool,
    gave_way: bool,
}

impl Subprocess {
    /// Starts a child without environment variables except fontconfig's, without open files,
    /// in the root directory: input that takes control of the child finds no secrets.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(launch: &Launch) -> io::Result<Self> {
        let kept = KEPT_VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        let mut command = Command::new(&launch.program);
        if !launch.joins_group {
            command.process_group(0);
        }
        let mut child = command
            .args(&launch.arguments)
            .env_clear()
            .envs(kept)
            .envs(SET_VARIABLES.iter().copied())
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the child has no pipes"));
        };
        let joins_group = launch.joins_group;
        let subprocess = Self { child, input, output, calls: 0, joins_group, gave_way: false };
        for pipe in [subprocess.input.as_fd(), subprocess.output.as_fd()] {
            rustix::io::ioctl_fionbio(pipe, true)?;
            // A smaller pipe only costs switches between the processes.
            let _ = rustix::pipe::fcntl_setpipe_size(pipe, PIPE_BYTES);
        }
        Ok(subprocess)
    }

    /// Returns the number of calls that this child was given.
    pub fn calls(&self) -> u32 {
        self.calls
    }

    /// Returns true if this child runs at the lowest priority, so that other calls need another child.
    pub fn gave_way(&self) -> bool {
        self.gave_way
    }

    /// Lowers the priority of the child and its descendants permanently.
    fn give_way(&mut self) {
        self.gave_way = true;
        if let Some(group) = self.pid().filter(|_| !self.joins_group) {
            // The limits apply even if the priority cannot be lowered.
            let _ = setpriority_pgrp(Some(group), LOWEST_PRIORITY);
        }
    }

    /// Sends a frame made of `parts`; the answer's frames are then read from the returned `Call`.
    ///
    /// # Errors
    /// See [`CallFault`].
    pub fn call<'s>(&'s mut self, parts: &[&[u8]], limits: CallLimits<'s>) -> Result<Call<'s>, CallFault> {
        self.calls = self.calls.saturating_add(1);
        let used_before = self.processor_time()?;
        let last_use = (used_before, Instant::now());
        let mut call = Call { process: self, limits, used_before, used_elsewhere: Duration::ZERO, last_use };
        call.send(&length_of(parts)?)?;
        for part in parts {
            call.send(part)?;
        }
        Ok(call)
    }

    fn processor_time(&self) -> io::Result<Duration> {
        self.pid().map_or(Ok(Duration::ZERO), processor_time_of)
    }

    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
    }
}

impl Drop for Subprocess {
    /// Ends the child and its own process group, whatever they do.
    fn drop(&mut self) {
        if let Some(group) = self.pid().filter(|_| !self.joins_group) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A call under way.
#[derive(Debug)]
pub struct Call<'s> {
    process: &'s mut Subprocess,
    limits: CallLimits<'s>,
    used_before: Duration,
    used_elsewhere: Duration,
    /// The processor time of the child when it was last seen to have grown, and the moment of that.
    last_use: (Duration, Instant),
}

impl Call<'_> {
    /// Returns the content of the next frame of the answer.
    ///
    /// # Errors
    /// See [`CallFault`].
    pub fn receive(&mut self) -> Result<Vec<u8>, CallFault> {
        // A child that always has another frame never makes this process wait.
        self.check_limits()?;
        let mut length = [0; LENGTH_BYTES];
        self.fill(&mut length)?;
        // Memory for bytes that have not arrived is not reserved: the length is untrusted.
        let left = checked_length(length, self.limits.answer_bytes)?;
        let mut content = Vec::new();
        while content.len() < left {
            let begin = content.len();
            content.resize(left.min(begin + PIPE_BYTES), 0);
            self.fill(&mut content[begin..])?;
        }
        Ok(content)
    }

    /// Counts processor time that another process has used for this call.
    pub fn add_processor_time(&mut self, used: Duration) {
        self.used_elsewhere += used;
    }

    /// Returns the processor time that the child, and others for it, have used for this call, in steps of a clock tick.
    ///
    /// # Errors
    /// The child is gone.
    pub fn processor_time(&self) -> io::Result<Duration> {
        Ok(self.process.processor_time()?.saturating_sub(self.used_before) + self.used_elsewhere)
    }

    fn send(&mut self, mut bytes: &[u8]) -> Result<(), CallFault> {
        while !bytes.is_empty() {
            match self.process.input.write(bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(fault) => self.retry_after(fault, PollFlags::OUT)?,
            }
        }
        Ok(())
    }

    fn fill(&mut self, mut buffer: &mut [u8]) -> Result<(), CallFault> {
        while !buffer.is_empty() {
            match self.process.output.read(buffer) {
                Ok(0) => return Err(self.ending()),
                Ok(count) => buffer = &mut buffer[count..],
                Err(fault) => self.retry_after(fault, PollFlags::IN)?,
            }
        }
        Ok(())
    }

    /// Waits until the pipe may go on, unless the fault is of another kind or a limit is reached.
    fn retry_after(&mut self, fault: io::Error, direction: PollFlags) -> Result<(), CallFault> {
        match fault.kind() {
            io::ErrorKind::Interrupted => Ok(()),
            io::ErrorKind::WouldBlock => self.wait(direction),
            io::ErrorKind::BrokenPipe => Err(self.ending()),
            _ => Err(fault.into()),
        }
    }

    fn wait(&mut self, direction: PollFlags) -> Result<(), CallFault> {
        loop {
            let left = self.limits.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let interval = left.map_or(WATCH_INTERVAL, |left| left.min(WATCH_INTERVAL));
            let pipe = match direction {
                PollFlags::OUT => self.process.input.as_fd(),
                _ => self.process.output.as_fd(),
            };
            if is_ready(pipe, direction, interval)? {
                return Ok(());
            }
            self.check_limits()?;
        }
    }

    fn check_limits(&mut self) -> Result<(), CallFault> {
        // A missing child is detected by its pipe.
        let used = self.process.processor_time().unwrap_or(self.last_use.0);
        if used > self.last_use.0 {
            self.last_use = (used, Instant::now());
        }
        if used.saturating_sub(self.used_before) + self.used_elsewhere > self.limits.processor_time {
            return Err(CallFault::ProcessorTime);
        }
        if self.limits.idle.is_some_and(|idle| self.last_use.1.elapsed() >= idle) {
            return Err(CallFault::Idle);
        }
        if self.limits.cancelled.is_some_and(|cancelled| cancelled.load(Ordering::Relaxed)) {
            return Err(CallFault::Cancelled);
        }
        if self.limits.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            return Err(CallFault::Deadline);
        }
        if self.limits.gives_way.is_some_and(|gives_way| gives_way.0()) {
            self.process.give_way();
        }
        Ok(())
    }

    /// Returns the fault that the end of the child's output means.
    fn ending(&mut self) -> CallFault {
        // A child that closed its output but still runs is treated like one that ended.
        let _ = self.process.child.kill();
        let killed_here = Signal::KILL.as_raw();
        match self.process.child.wait() {
            Ok(status) => match status.signal() {
                Some(signal) if signal == Signal::XCPU.as_raw() => CallFault::ProcessorTime,
                Some(signal) if signal == killed_here => CallFault::Killed,
                Some(_) => CallFault::Crashed(status),
                None => CallFault::Left(status),
            },
            Err(fault) => fault.into(),
        }
    }
}

fn is_ready(pipe: BorrowedFd<'_>, direction: PollFlags, interval: Duration) -> io::Result<bool> {
    let interval = Timespec { tv_sec: 0, tv_nsec: i64::from(interval.subsec_nanos()) };
    match poll(&mut [PollFd::from_borrowed_fd(pipe, direction)], Some(&interval)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(fault) => Err(fault.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn child_is_gone_within_a_second_of_its_deadline() {
        const DEADLINE: Duration = Duration::from_millis(200);
        for script in ["sleep 1000", "trap '' TERM HUP; while :; do :; done", "cat /dev/zero"] {
            let mut process = Subprocess::start(&Launch::new("/bin/sh", ["-c", script])).unwrap();
            let limits = CallLimits {
                deadline: Some(Instant::now() + DEADLINE),
                processor_time: Duration::from_secs(100),
                idle: None,
                answer_bytes: 1 << 20,
                cancelled: None,
                gives_way: None,
            };
            let deadline = Instant::now() + DEADLINE;
            let mut call = process.call(&[b"page"], limits).unwrap();
            let fault = std::iter::from_fn(|| Some(call.receive())).find_map(Result::err).unwrap();
            assert!(matches!(fault, CallFault::Deadline), "{script}: {fault}");
            drop(process);
            assert!(deadline.elapsed() < Duration::from_secs(1), "{script}: {:?} late", deadline.elapsed());
        }
    }
}
