//! An HTTP/2 peer that writes raw frames (RFC 9113), well-formed or not.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

/// The connection preface.
pub const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Frame type: part of a body.
pub const DATA: u8 = 0x0;
/// Frame type: header block of a request or response.
pub const HEADERS: u8 = 0x1;
/// Frame type: deprecated priority.
pub const PRIORITY: u8 = 0x2;
/// Frame type: abnormal termination of a stream.
pub const RST_STREAM: u8 = 0x3;
/// Frame type: settings of the sender.
pub const SETTINGS: u8 = 0x4;
/// Frame type: liveness check.
pub const PING: u8 = 0x6;
/// Frame type: shutdown of a connection.
pub const GOAWAY: u8 = 0x7;
/// Frame type: increment of a flow-control window.
pub const WINDOW_UPDATE: u8 = 0x8;
/// Frame type: continuation of a header block.
pub const CONTINUATION: u8 = 0x9;

/// Flag: last frame of the stream.
pub const END_STREAM: u8 = 0x1;
/// Flag: acknowledgement of settings or a ping.
pub const ACK: u8 = 0x1;
/// Flag: last frame of the header block.
pub const END_HEADERS: u8 = 0x4;

const INITIAL_WINDOW_SIZE: u16 = 0x4;
/// Time limit for receiving a frame.
const FRAME_TIMEOUT: Duration = Duration::from_secs(30);

/// A frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Its type.
    pub kind: u8,
    /// Its flags.
    pub flags: u8,
    /// Id of its stream; 0: the connection.
    pub stream: u32,
    /// Its payload.
    pub payload: Vec<u8>,
}

impl Frame {
    /// Returns true for the last frame of that stream's response.
    pub fn ends_stream(&self, stream: u32) -> bool {
        self.stream == stream && matches!(self.kind, DATA | HEADERS) && self.flags & END_STREAM != 0
    }

    /// Returns true for the reset of that stream.
    pub fn resets(&self, stream: u32) -> bool {
        self.stream == stream && self.kind == RST_STREAM
    }
}

/// Encodes a frame of at most 16 MiB.
pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_be_bytes();
    let mut bytes = vec![length[1], length[2], length[3], kind, flags];
    bytes.extend_from_slice(&stream.to_be_bytes());
    bytes.extend_from_slice(payload);
    bytes
}

/// Encodes the header block of a request, without a dynamic table and Huffman codes (RFC 7541). Values must be shorter
/// than 127 bytes.
pub fn head(method: &str, path: &str) -> Vec<u8> {
    let mut block = vec![0x86]; // :scheme http
    for (name, value) in [(0x02, method), (0x04, path), (0x01, "a.test")] {
        field(&mut block, name, value);
    }
    block
}

/// Adds a field whose name is an index of the static table.
fn field(block: &mut Vec<u8>, name: u8, value: &str) {
    // Indices beyond 14 need a second byte.
    match name.checked_sub(15) {
        None => block.push(name),
        Some(rest) => block.extend_from_slice(&[0x0f, rest]),
    }
    block.push(value.len() as u8);
    block.extend_from_slice(value.as_bytes());
}

/// Encodes a request without a body.
pub fn get(stream: u32, path: &str) -> Vec<u8> {
    frame(HEADERS, END_HEADERS | END_STREAM, stream, &head("GET", path))
}

/// Like [`get`], with an `Authorization` header.
pub fn get_as(stream: u32, path: &str, authorization: &str) -> Vec<u8> {
    const AUTHORIZATION: u8 = 23;
    let mut block = head("GET", path);
    field(&mut block, AUTHORIZATION, authorization);
    frame(HEADERS, END_HEADERS | END_STREAM, stream, &block)
}

/// Encodes a WINDOW_UPDATE.
pub fn window(stream: u32, bytes: u32) -> Vec<u8> {
    frame(WINDOW_UPDATE, 0, stream, &bytes.to_be_bytes())
}

/// A connection whose peer is the test.
#[derive(Debug)]
pub struct Http2Peer {
    /// Reads frames from the server.
    pub reader: FrameReader,
    /// Writes to the server.
    pub writer: OwnedWriteHalf,
}

/// Reads the frames that a server sends.
#[derive(Debug)]
pub struct FrameReader(OwnedReadHalf);

impl Http2Peer {
    /// Connects and gives each stream a window of `window` bytes.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub async fn connect(address: SocketAddr, window: u32) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (reader, writer) = stream.into_split();
        let mut peer = Self { reader: FrameReader(reader), writer };
        let mut settings = INITIAL_WINDOW_SIZE.to_be_bytes().to_vec();
        settings.extend_from_slice(&window.to_be_bytes());
        peer.send(PREFACE).await?;
        peer.send(&frame(SETTINGS, 0, 0, &settings)).await?;
        Ok(peer)
    }

    /// Sends raw bytes.
    ///
    /// # Errors
    /// The server has closed the connection.
    pub async fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.write_all(bytes).await
    }

    /// Reads until a matching frame; acknowledges settings and pings meanwhile.
    ///
    /// # Panics
    /// Panics if none arrives within half a minute.
    pub async fn next_frame_matching(&mut self, what: &str, is_wanted: impl Fn(&Frame) -> bool) -> Frame {
        let reading = async {
            loop {
                let frame = self.frame().await.unwrap_or_else(|| panic!("the connection ends before {what}"));
                if is_wanted(&frame) {
                    return frame;
                }
            }
        };
        tokio::time::timeout(FRAME_TIMEOUT, reading).await.unwrap_or_else(|_| panic!("no {what} in time"))
    }

    /// Returns the next frame, after acknowledging settings and pings; `None` at the end of the connection.
    pub async fn frame(&mut self) -> Option<Frame> {
        let frame = self.reader.frame().await?;
        if matches!(frame.kind, SETTINGS | PING) && frame.flags & ACK == 0 {
            let payload = if frame.kind == PING { frame.payload.as_slice() } else { &[] };
            let _ = self.writer.write_all(&self::frame(frame.kind, ACK, 0, payload)).await;
        }
        Some(frame)
    }
}

impl FrameReader {
    /// Returns the next frame; `None` at the end of the connection. Not cancellation-safe.
    pub async fn frame(&mut self) -> Option<Frame> {
        let mut head = [0; 9];
        self.0.read_exact(&mut head).await.ok()?;
        let [high, middle, low, kind, flags, stream @ ..] = head;
        let mut payload = vec![0; usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low)];
        self.0.read_exact(&mut payload).await.ok()?;
        Some(Frame { kind, flags, stream: u32::from_be_bytes(stream), payload })
    }

    /// Reads until the connection ends.
    pub async fn end(mut self) {
        while self.frame().await.is_some() {}
    }
}
