//! The stdio transport, for clients that start this process.

use crate::json_rpc::PARSE_ERROR;
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

/// Maximum size of a message. Larger ones are answered like messages that are not JSON.
const MAX_MESSAGE_BYTES: u64 = 16 * 1024 * 1024;
/// Size of the buffer between the pipes and the protocol.
const BUFFER_BYTES: usize = 64 * 1024;

/// Serves the client that started this process, until it closes its side.
///
/// # Errors
/// The client violates the protocol, or the pipes fail.
pub async fn serve_stdio(tools: Tools) -> Result<(), McpError> {
    let lost = |cause: io::Error| lost_client(&cause);
    let input = io::stdin().as_fd().try_clone_to_owned().map_err(lost)?;
    let output = io::stdout().as_fd().try_clone_to_owned().map_err(lost)?;
    let (messages, protocol) = tokio::io::duplex(BUFFER_BYTES);
    let pipes = (tokio::fs::File::from_std(File::from(input)), tokio::fs::File::from_std(File::from(output)));
    let passing = tokio::spawn(pass_messages(pipes.0, pipes.1, messages));
    let served = async {
        let serving = tools.serve(protocol).await.map_err(|cause| lost_client(&cause))?;
        serving.waiting().await.map_err(|cause| lost_client(&cause))
    };
    let served = served.await;
    // The last responses are still on their way, whatever ended the protocol.
    let passed = passing.await.map_err(|cause| lost_client(&cause))?.map_err(lost);
    served.and(passed)
}

fn lost_client(cause: &impl std::fmt::Display) -> McpError {
    McpError::Client(cause.to_string())
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
            if line.as_deref().is_some_and(is_json) {
                requests.write_all(&line.unwrap_or_default()).await?;
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

/// Returns the next line, `Some(None)` for one that is too long, or `None` at the end of the input.
async fn read_message(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Option<Vec<u8>>>> {
    let mut line = Vec::new();
    let read = input.take(MAX_MESSAGE_BYTES).read_until(b'\n', &mut line).await?;
    match (read as u64, line.last()) {
        (0, _) => Ok(None),
        (MAX_MESSAGE_BYTES.., last) if last != Some(&b'\n') => {
            skip_line(input).await?;
            Ok(Some(None))
        }
        _ => Ok(Some(Some(line))),
    }
}

/// Reads to the end of the line without keeping it.
async fn skip_line(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<()> {
    loop {
        let chunk = input.fill_buf().await?;
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let is_end = end.is_some() || chunk.is_empty();
        let used = end.map_or(chunk.len(), |at| at + 1);
        input.consume(used);
        if is_end {
            return Ok(());
        }
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

    #[tokio::test]
    async fn message_that_is_too_long_is_skipped() {
        let long = vec![b'x'; MAX_MESSAGE_BYTES as usize + 10];
        let input = [long.as_slice(), b"\n{}\n"].concat();
        let mut input = BufReader::new(input.as_slice());
        assert_eq!(read_message(&mut input).await.unwrap(), Some(None));
        assert_eq!(read_message(&mut input).await.unwrap(), Some(Some(b"{}\n".to_vec())));
        assert_eq!(read_message(&mut input).await.unwrap(), None);
    }
}
