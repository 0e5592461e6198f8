//! Handles clients that stop waiting for a request.

use crate::backend::{Backend, Caller};
use crate::http::legacy_cancellation::call_name;
use rmcp::RoleServer;
use rmcp::model::ProtocolVersion;
use rmcp::service::RequestContext;
use std::sync::Arc;
use uuid::Uuid;

/// The meaning of a dropped request.
pub(super) enum DisconnectPolicy {
    /// Dropping cancels: for clients of revision 2026-07-28, which close the request's stream, and for clients on
    /// standard input and output, whose disconnection has no other meaning.
    Cancels {
        /// Name of the request's calls at the gateway.
        name: String,
    },
    /// Clients of earlier revisions cancel explicitly (see [`crate::http::legacy_cancellation`]). A broken connection is not their
    /// intention: the gateway completes the call.
    HangsUp {
        /// The name; `None` if the request cannot be distinguished from others.
        name: Option<String>,
    },
}

impl DisconnectPolicy {
    pub(super) fn from_context(context: &RequestContext<RoleServer>) -> Self {
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

    /// Handles the end of the client's waiting.
    pub(super) fn on_disconnect(self, backend: Arc<dyn Backend>, caller: Caller) {
        if let Self::Cancels { name } = self {
            // In a task of its own: the request's handler may be dropped at any moment.
            tokio::spawn(async move { backend.cancel(&caller, &name).await });
        }
    }
}
