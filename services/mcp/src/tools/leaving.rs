//! What it means when a client no longer waits for a request.

use crate::backend::{Backend, Caller};
use crate::http::sessions::call_name;
use rmcp::RoleServer;
use rmcp::model::ProtocolVersion;
use rmcp::service::RequestContext;
use std::sync::Arc;
use uuid::Uuid;

/// How a client lets go of a request.
pub(super) enum Leaving {
    /// Whoever leaves cancels: clients of revision 2026-07-28, by closing the request's stream, and clients on standard
    /// input and output, who have no other way to be gone.
    Cancels {
        /// What the gateway knows the request's calls by.
        name: String,
    },
    /// Clients of the revisions before say when they cancel (see [`crate::http::sessions`]). A connection that breaks is
    /// none of their doing: the gateway finishes what was asked of it.
    HangsUp {
        /// As above. `None`: nothing to tell the request from others by.
        name: Option<String>,
    },
}

impl Leaving {
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let parts = context.extensions.get::<::http::request::Parts>();
        let version = context.protocol_version();
        let says_so = version.is_none_or(|version| version.as_str() < ProtocolVersion::V_2026_07_28.as_str());
        match parts {
            Some(parts) if says_so => {
                let request_id = context.id.clone().into_json_value();
                Self::HangsUp { name: call_name(&parts.headers, &request_id) }
            }
            _ => Self::Cancels { name: Uuid::new_v4().to_string() },
        }
    }

    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Cancels { name } => Some(name),
            Self::HangsUp { name } => name.as_deref(),
        }
    }

    /// Nobody waits any more.
    pub(super) fn leave(self, backend: Arc<dyn Backend>, caller: Caller) {
        if let Self::Cancels { name } = self {
            // Apart: what serves the request may be gone in a moment as well.
            tokio::spawn(async move { backend.cancel(&caller, &name).await });
        }
    }
}
