//! gRPC servers. They serve only the fleet, but have limits as well.

use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpListener;
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

/// A failure to start or run a gRPC server.
#[derive(Debug, thiserror::Error)]
pub enum GrpcServerError {
    /// Cannot listen on the address.
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        /// The configured address.
        address: SocketAddr,
        /// The operating system's error.
        cause: std::io::Error,
    },
    /// The reflection service rejected the descriptors.
    #[error("the reflection service could not be built: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The server failed.
    #[error("the gRPC server failed: {0}")]
    Serve(#[from] tonic::transport::Error),
}

/// Binds a listening socket, and returns it with its address.
///
/// # Errors
/// The address is in use or not a local one.
pub async fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), GrpcServerError> {
    let refused = |cause| GrpcServerError::Listen { address, cause };
    let listener = TcpListener::bind(address).await.map_err(refused)?;
    let bound = listener.local_addr().map_err(refused)?;
    Ok((listener, bound))
}

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

/// Describes the services of a port, and not all that the descriptors define, with health and reflection. `version` is
/// that of the reflection protocol: `v1` or `v1alpha`.
pub fn reflection<'d>(
    version: &str,
    services: &[&str],
    descriptors: &[&'d [u8]],
) -> tonic_reflection::server::Builder<'d> {
    let reflection = format!("grpc.reflection.{version}.ServerReflection");
    let names = services.iter().copied().chain(["grpc.health.v1.Health", &reflection]);
    let builder =
        names.fold(tonic_reflection::server::Builder::configure(), |builder, name| builder.with_service_name(name));
    descriptors.iter().fold(builder, |builder, set| builder.register_encoded_file_descriptor_set(set))
}
