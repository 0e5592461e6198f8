//! The child process: reads calls from standard input and writes responses to standard output, until its input ends.
//!
//! It limits its own memory before the first call. The parent watches its processor time and kills it, together with
//! the layout process that it has started, when a call exceeds its limits.

use crate::call::{Panicked, extract_caught, read_call};
use crate::message::{CallOutcome, Frame};
use limner_extract::{Options, extract_with};
use limner_layout::ProcessLayout;
use limner_page::PageSnapshot;
use limner_proto::{MAX_MESSAGE_BYTES, v1};
use limner_style::layout::{Boxes, Layout};
use limner_style::{Environment, ZeroAdvances};
use limner_subprocess::{allow_processor_time, confine, own_processor_time, read_frame, write_frame};
use prost::Message;
use std::cell::{Cell, RefCell};
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Configuration of an extraction process.
#[derive(Debug)]
pub struct ChildConfig {
    /// Address space in bytes, of this process and of its layout process each.
    pub memory_bytes: u64,
    /// Processor time of one call, including layout. The parent enforces it; the child plans layout with it.
    pub processor_time: Duration,
    /// Maximum size of a result in bytes; lists are cut to fit.
    pub result_bytes: usize,
    /// True if hints may advise `render=true`.
    pub render_available: bool,
    /// The layout process, which lays out one page at a time.
    pub layout: ProcessLayout,
}

/// Stack size that suffices for the core's recursions over documents of the maximum depth.
const STACK_BYTES: usize = 64 * 1024 * 1024;

/// Answers calls until standard input ends.
///
/// # Errors
/// The limits cannot be set, a pipe fails, or a message is not a call.
pub fn serve_calls(config: ChildConfig) -> io::Result<()> {
    confine(config.memory_bytes)?;
    std::panic::set_hook(Box::new(|panic| {
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = panic.to_string();
    }));
    let served =
        std::thread::Builder::new().name("extraction".into()).stack_size(STACK_BYTES).spawn(move || serve(&config))?;
    served.join().unwrap_or_else(|_| Err(io::Error::other("the thread for extraction panicked")))
}

/// The message of the last panic, for the parent to log, because standard error is discarded.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// Bytes of a message besides the page itself.
const ENVELOPE_BYTES: usize = 64 * 1024;

fn serve(config: &ChildConfig) -> io::Result<()> {
    let mut input = io::stdin().lock();
    while let Some(frame) = read_frame(&mut input, MAX_MESSAGE_BYTES + ENVELOPE_BYTES)? {
        allow_processor_time(config.processor_time)?;
        let request = v1::ExtractRequest::decode(frame.as_slice()).map_err(io::Error::other)?;
        drop(frame);
        let layout = CallLayout::new(config);
        let outcome = answer(request, config, &layout);
        if let Some(fault) = layout.pipe_fault.into_inner() {
            return Err(fault);
        }
        send(&Frame::End(layout.unavailable.into_inner().map_or(outcome, CallOutcome::LayoutUnavailable)))?;
    }
    Ok(())
}

fn send(frame: &Frame) -> io::Result<()> {
    let (tag, content) = frame.encode();
    write_frame(&mut io::stdout().lock(), &[&tag, &content])
}

fn answer(request: v1::ExtractRequest, config: &ChildConfig, layout: &CallLayout<'_>) -> CallOutcome {
    let ChildConfig { result_bytes, render_available, .. } = *config;
    let options = Options { layout, result_bytes, render_available, ..Options::default() };
    let read = read_call(request).map(|(request, page)| extract_caught(extract_with, &page, &request, &options));
    let (extraction, failure) = match read {
        Err(failure) => (None, Some(failure)),
        Ok(Ok(Ok(extraction))) => (Some(extraction), None),
        Ok(Ok(Err(failure))) => (None, Some(failure)),
        Ok(Err(Panicked)) => {
            let message = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner);
            return CallOutcome::Panicked(message.chars().take(1_000).collect());
        }
    };
    CallOutcome::Answer(v1::ExtractResponse { extraction, failure })
}

/// Layout within the processor time of one call. Its results depend on the page and on processor time, never on the
/// clock: if a page once exceeds its share, it stays without boxes for the rest of the call.
#[derive(Debug)]
struct CallLayout<'c> {
    config: &'c ChildConfig,
    own_time_before: Duration,
    layout_time: Cell<Duration>,
    is_too_much: Cell<bool>,
    unavailable: RefCell<Option<String>>,
    pipe_fault: RefCell<Option<io::Error>>,
}

impl<'c> CallLayout<'c> {
    fn new(config: &'c ChildConfig) -> Self {
        Self {
            config,
            own_time_before: own_processor_time(),
            layout_time: Cell::default(),
            is_too_much: Cell::default(),
            unavailable: RefCell::default(),
            pipe_fault: RefCell::default(),
        }
    }

    fn processor_time_left(&self) -> Duration {
        let own = own_processor_time().saturating_sub(self.own_time_before);
        self.config.processor_time.saturating_sub(own + self.layout_time.get())
    }
}

impl Layout for CallLayout<'_> {
    fn boxes(&self, page: &PageSnapshot, environment: &Environment) -> Option<Boxes> {
        if self.is_too_much.get() || self.unavailable.borrow().is_some() {
            return None;
        }
        match self.config.layout.layout_with_budget(page, environment, self.processor_time_left()) {
            Ok(laid_out) => {
                self.is_too_much.set(laid_out.boxes.is_none());
                self.layout_time.set(self.layout_time.get() + laid_out.processor_time);
                if let Err(fault) = send(&Frame::LayoutTime(laid_out.processor_time)) {
                    *self.pipe_fault.borrow_mut() = Some(fault);
                }
                laid_out.boxes
            }
            Err(fault) => {
                *self.unavailable.borrow_mut() = Some(fault.to_string());
                None
            }
        }
    }

    fn digit_widths(&self) -> ZeroAdvances {
        self.config.layout.digit_widths()
    }
}
