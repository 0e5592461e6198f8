//! Clients of the fleet's gRPC services: a channel to every address that a name resolves to, asked in turn.
//!
//! A name with several addresses (a headless service) stands for several processes. Names are resolved again every few
//! seconds and whenever none answered, so that processes may come and go without a restart of their clients.

mod endpoints;
mod metering_channel;

pub use crate::endpoints::{Endpoint, EndpointSet, InvalidEndpoint};
pub use crate::metering_channel::MeteringChannel;

/// Returns true if the call never reached a server.
pub fn never_connected(status: &tonic::Status) -> bool {
    let mut cause = std::error::Error::source(status);
    while let Some(error) = cause {
        if error.is::<tonic::ConnectError>() {
            return true;
        }
        cause = error.source();
    }
    false
}
