//! The stdio transport, for clients that start this process.

use crate::{McpError, Tools};
use rmcp::ServiceExt;
use serde::de::IgnoredAny;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream,
};
use tokio::sync::mpsc;

/// Maximum size of a message to the protocol, which ignores larger ones.
const MAX_MESSAGE_BYTES: u64 = 16 * 1024 * 1024;
/// Size of the buffer between the pipes and the protocol.
const BUFFER_BYTES: usize = 64 * 1024;
/// The response to a message that is not JSON. The protocol's library ignores such messages, and leaves a client that
/// waits for a response without any sign of its mistake.
const PARSE_ERROR: &str =
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: a message is one line of JSON"}}"#;

/// Serves the client that started this process, until it closes its side.
///
/// # Errors
/// The client violates the protocol, or the pipes fail.
pub async fn serve_stdio(tools: Tools) -> Result<(), McpError> {
    let lost = |cause: io::Error| McpError::Client(cause.to_string());
    let input = io::stdin().as_fd().try_clone_to_owned().map_err(lost)?;
    let output = io::stdout().as_fd().try_clone_to_owned().map_err(lost)?;
    let (messages, protocol) = tokio::io::duplex(BUFFER_BYTES);
    let pipes = (tokio::fs::File::from_std(File::from(input)), tokio::fs::File::from_std(File::from(output)));
    let passing = tokio::spawn(pass_messages(pipes.0, pipes.1, messages));
    let serving = tools.serve(protocol).await.map_err(|cause| McpError::Client(cause.to_string()))?;
    serving.waiting().await.map_err(|cause| McpError::Client(cause.to_string()))?;
    passing.await.map_err(|cause| McpError::Client(cause.to_string()))?.map_err(lost)
}

/// Passes messages on in both directions until the protocol closes its side. Those that are not JSON are answered here.
async fn pass_messages(
    input: impl AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
    messages: DuplexStream,
) -> io::Result<()> {
    let (responses, mut requests) = tokio::io::split(messages);
    let (refused, mut refusals) = mpsc::channel::<()>(1);
    let reading = async {
        let mut input = BufReader::new(input);
        while let Some(line) = read_message(&mut input).await? {
            if is_json(&line) {
                requests.write_all(&line).await?;
            } else {
                // If the other side has ended, nobody waits for an answer.
                let _ = refused.send(()).await;
            }
        }
        requests.shutdown().await
    };
    let writing = async {
        let mut responses = BufReader::new(responses);
        let mut line = Vec::new();
        loop {
            tokio::select! {
                // Keeps what it has read in `line` if it is interrupted.
                read = responses.read_until(b'\n', &mut line) => {
                    if read? == 0 {
                        return Ok(());
                    }
                    output.write_all(&std::mem::take(&mut line)).await?;
                }
                Some(()) = refusals.recv() => output.write_all(format!("{PARSE_ERROR}\n").as_bytes()).await?,
            }
            output.flush().await?;
        }
    };
    tokio::pin!(reading, writing);
    tokio::select! {
        written = &mut writing => written,
        read = &mut reading => match read {
            // The protocol has ended before the client: its last responses are still to be written.
            Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => Err(cause),
            _ => writing.await,
        },
    }
}

/// Returns the next line, or `None` at the end of the input.
async fn read_message(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let read = input.take(MAX_MESSAGE_BYTES).read_until(b'\n', &mut line).await?;
    match (read as u64, line.last()) {
        (0, _) => Ok(None),
        (MAX_MESSAGE_BYTES.., last) if last != Some(&b'\n') => {
            Err(io::Error::other(format!("a message is longer than {MAX_MESSAGE_BYTES} bytes")))
        }
        _ => Ok(Some(line)),
    }
}

/// Returns true for a line of JSON. Empty lines are no messages, and a byte order mark may precede one (RFC 8259 §8.1).
fn is_json(line: &[u8]) -> bool {
    let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    text.trim_ascii().is_empty() || serde_json::from_slice::<IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn message_that_is_no_json_is_a_parse_error() {
        let (mut client, input) = tokio::io::duplex(1_024);
        let (output, mut seen) = tokio::io::duplex(1_024);
        let (messages, mut protocol) = tokio::io::duplex(1_024);
        let passing = tokio::spawn(pass_messages(input, output, messages));
        client.write_all(b"{\"id\":1}\n\n{nonsense\n\xef\xbb\xbf[2]\r\n").await.unwrap();
        drop(client);
        let mut passed = String::new();
        protocol.read_to_string(&mut passed).await.unwrap();
        assert_eq!(passed, "{\"id\":1}\n\n\u{feff}[2]\r\n");
        protocol.write_all(b"{\"result\":{}}\n").await.unwrap();
        drop(protocol);
        passing.await.unwrap().unwrap();
        let mut said = String::new();
        seen.read_to_string(&mut said).await.unwrap();
        let mut lines: Vec<&str> = said.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, [PARSE_ERROR, "{\"result\":{}}"]);
    }
}
