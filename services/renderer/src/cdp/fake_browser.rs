//! A fake browser for tests: the other end of a pipe.

use super::Connection;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};

/// Receives commands, and sends responses and events.
pub(crate) struct FakeBrowser {
    from: ReadHalf<DuplexStream>,
    to: WriteHalf<DuplexStream>,
}

impl FakeBrowser {
    pub(crate) fn new() -> (Self, Connection) {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (from, to) = tokio::io::split(ours);
        let (connection, _) = Connection::new(from, to);
        let (from, to) = tokio::io::split(theirs);
        (Self { from, to }, connection)
    }

    pub(crate) async fn receive(&mut self) -> Value {
        let mut bytes = Vec::new();
        loop {
            match self.from.read_u8().await.unwrap() {
                0 => return serde_json::from_slice(&bytes).unwrap(),
                byte => bytes.push(byte),
            }
        }
    }

    pub(crate) async fn reply(&mut self, message: &Value) {
        self.write(format!("{message}\0").as_bytes()).await;
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        self.to.write_all(bytes).await.unwrap();
    }
}
