//! `Browser.grantPermissions`, which the generated protocol omits because it is deprecated. Its replacement denies one
//! permission at a time, with a list of names that would have to follow the browser's.

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
    /// Empty, like that of every command that only sets something.
    type Response = ResetPermissionsReturns;
}
