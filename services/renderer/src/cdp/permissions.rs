//! `Browser.grantPermissions`, which the generated protocol leaves out because it is deprecated. What takes its place denies one
//! permission at a time, by a list of names that would have to keep up with the browser's.

use chromiumoxide_cdp::cdp::browser_protocol::browser::{BrowserContextId, ResetPermissionsReturns};
use chromiumoxide_types::{Command, Method, MethodId};
use serde::Serialize;

/// Grants some permissions to all pages of a context, and rejects all others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GrantPermissionsParams {
    /// Their names.
    pub(crate) permissions: Vec<String>,
    /// The context.
    pub(crate) browser_context_id: BrowserContextId,
}

impl Method for GrantPermissionsParams {
    fn identifier(&self) -> MethodId {
        "Browser.grantPermissions".into()
    }
}

impl Command for GrantPermissionsParams {
    /// Empty, as that of every command which only sets something.
    type Response = ResetPermissionsReturns;
}
