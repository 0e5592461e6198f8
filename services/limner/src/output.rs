//! Standard output, which may be a pipe that somebody closed.

use std::io::{self, ErrorKind, Write};

/// Writes a text and a line break. A reader that has seen enough (`| head`) is no fault.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.write_all(b"\n")).and_then(|()| stdout.flush()) {
        Err(cause) if cause.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// As [`print`], for a value as indented JSON.
pub(crate) fn print_json(value: &serde_json::Value) -> io::Result<()> {
    print(&format!("{value:#}"))
}
