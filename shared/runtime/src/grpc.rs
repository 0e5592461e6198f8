//! gRPC servers: inside the fleet, and held to limits all the same.

use std::time::Duration;
use tonic::transport::Server;

const PING_INTERVAL: Duration = Duration::from_secs(20);
const PING_PATIENCE: Duration = Duration::from_secs(10);
/// Calls under way on one connection: a gateway has one, for all its calls.
const MOST_STREAMS: u32 = 4_096;
/// Pages and results are megabytes, and come from the same network.
const WINDOW: u32 = 1024 * 1024;
const MOST_HEAD_BYTES: u32 = 64 * 1024;
/// Calls that were given up before they were looked at, before the connection ends.
const MOST_RESETS: usize = 100;

/// A server with the limits of all.
pub fn server() -> Server {
    Server::builder()
        .http2_keepalive_interval(Some(PING_INTERVAL))
        .http2_keepalive_timeout(Some(PING_PATIENCE))
        .max_concurrent_streams(MOST_STREAMS)
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(WINDOW)
        .http2_max_header_list_size(MOST_HEAD_BYTES)
        .http2_max_pending_accept_reset_streams(Some(MOST_RESETS))
}
