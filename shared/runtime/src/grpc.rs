//! gRPC servers. They serve only the fleet, but have limits as well.

use std::time::Duration;
use tonic::transport::Server;

const PING_INTERVAL: Duration = Duration::from_secs(20);
const PING_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of concurrent calls on one connection: a gateway uses one connection for all its calls.
const MAX_STREAMS: u32 = 4_096;
/// Flow-control window: pages and results are megabytes, and come from the local network.
const WINDOW: u32 = 1024 * 1024;
const MAX_HEAD_BYTES: u32 = 64 * 1024;
/// Maximum number of calls cancelled before they were handled, before the connection is closed.
const MAX_RESETS: usize = 100;

/// Returns a server with the common limits.
pub fn server() -> Server {
    Server::builder()
        .http2_keepalive_interval(Some(PING_INTERVAL))
        .http2_keepalive_timeout(Some(PING_TIMEOUT))
        .max_concurrent_streams(MAX_STREAMS)
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(WINDOW)
        .http2_max_header_list_size(MAX_HEAD_BYTES)
        .http2_max_pending_accept_reset_streams(Some(MAX_RESETS))
}
