//! Clients of the fleet's gRPC services: a channel to every address that a name resolves to, asked in turn.
//!
//! A name with several addresses (a headless service) stands for several processes. Names are resolved again every few
//! seconds and whenever none answered, so that processes may come and go without a restart of their clients.
//!
//! ```
//! use limner_grpc_client::EndpointSet;
//! use std::sync::Arc;
//!
//! let extractors = Arc::new(EndpointSet::new(&["http://127.0.0.1:50051".to_owned()]).unwrap());
//! let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
//! assert_eq!(runtime.block_on(extractors.round_robin()).len(), 1);
//! assert!(EndpointSet::new(&["not an address".to_owned()]).is_err());
//! ```

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
