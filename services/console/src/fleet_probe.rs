//! Asks the admin servers of roles whether they can work: `GET /readyz` (see `limner_runtime::admin`).
//!
//! The answer lists the components of the process. A process with one role and `limner up`, which has all of them, are read
//! alike: a role is up if its own components are ready. In a cluster the URL is a service's: it leads to a ready pod, and to
//! none if there is none.

use crate::config::{FleetRole, WatchedRole};
use crate::error::ConsoleError;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of an answer, in bytes: it is a line.
const MAX_BYTES: usize = 64 * 1024;

/// A client of admin servers.
#[derive(Clone)]
pub(crate) struct FleetProbe {
    http: reqwest::Client,
}

#[derive(Deserialize)]
struct Readiness {
    draining: bool,
    components: BTreeMap<String, bool>,
}

impl FleetRole {
    /// Returns the name in the database and the one for people.
    pub(crate) fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Fetcher => ("fetcher", "Page reads"),
            Self::Renderer => ("renderer", "Browser reads and screenshots"),
            Self::Extractor => ("extractor", "Extraction"),
            Self::Mcp => ("mcp", "MCP server"),
        }
    }

    /// Returns the components without which the role does no work.
    fn components(self) -> &'static [&'static str] {
        match self {
            Self::Fetcher => &["fetcher"],
            Self::Renderer => &["renderer", "browser"],
            Self::Extractor => &["extractor", "extraction processes"],
            Self::Mcp => &["mcp"],
        }
    }
}

impl FleetProbe {
    pub(crate) fn new() -> Result<Self, ConsoleError> {
        let http = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).timeout(TIMEOUT);
        let http =
            http.build().map_err(|cause| ConsoleError::Config(format!("the client of admin servers: {cause}")))?;
        Ok(Self { http })
    }

    /// Returns true if the role can work.
    pub(crate) async fn is_up(&self, watched: &WatchedRole) -> bool {
        let readiness = self.readiness(&watched.admin_url).await;
        readiness.is_some_and(|readiness| can_work(watched.role, &readiness))
    }

    /// Returns the answer, which also has a body if the process is not ready.
    async fn readiness(&self, admin_url: &str) -> Option<Readiness> {
        let url = format!("{}/readyz", admin_url.trim_end_matches('/'));
        let mut response = self.http.get(url).send().await.ok()?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.ok()? {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_BYTES {
                return None;
            }
        }
        serde_json::from_slice(&body).ok()
    }
}

fn can_work(role: FleetRole, readiness: &Readiness) -> bool {
    let is_ready = |name: &&str| readiness.components.get(*name) == Some(&true);
    !readiness.draining && role.components().iter().all(is_ready)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn role_can_work_with_all_of_its_components() {
        for (role, answer, expected) in [
            (FleetRole::Fetcher, r#"{"ready":true,"draining":false,"components":{"admin":true,"fetcher":true}}"#, true),
            (FleetRole::Fetcher, r#"{"ready":false,"draining":true,"components":{"fetcher":true}}"#, false),
            (FleetRole::Fetcher, r#"{"ready":true,"draining":false,"components":{}}"#, false),
            // A pod without a browser, and a process with all roles, of which another is not ready.
            (FleetRole::Renderer, r#"{"draining":false,"components":{"renderer":true,"browser":false}}"#, false),
            (FleetRole::Mcp, r#"{"ready":false,"draining":false,"components":{"mcp":true,"fetcher":false}}"#, true),
        ] {
            let readiness = serde_json::from_str(answer).unwrap();
            assert_eq!(can_work(role, &readiness), expected, "{role:?}: {answer}");
        }
    }
}
