//! Hostile peers, over sockets: each is cut off in time, and others are served meanwhile.

#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod bodies;
mod connections;
mod floods;
mod framing;
mod server;
mod streams;
