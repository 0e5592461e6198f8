//! Settings that must be made before a page's first script runs.

use super::Visit;
use crate::browser::VIEWPORT;
use crate::error::VisitError;
use chromiumoxide_cdp::cdp::browser_protocol::emulation::{
    SetDeviceMetricsOverrideParams, SetFocusEmulationEnabledParams, UserAgentBrandVersion, UserAgentMetadata,
};
use chromiumoxide_cdp::cdp::browser_protocol::fetch::{self, RequestPattern, RequestStage};
use chromiumoxide_cdp::cdp::browser_protocol::inspector;
use chromiumoxide_cdp::cdp::browser_protocol::network::{self, ResourceType, SetUserAgentOverrideParams};
use chromiumoxide_cdp::cdp::browser_protocol::page::{self, AddScriptToEvaluateOnNewDocumentParams};

const PAGE_GUARD_JS: &str = include_str!("page_guard.js");
/// Device scale factor of a page without screenshot. Its layout and viewport, as seen by the page, are unchanged.
const UNSEEN_SCALE_FACTOR: f64 = 0.1;
/// Maximum bytes of response bodies that the browser keeps of a page, and of a single one.
const BODIES: i64 = 100_000_000;
const BODY: i64 = 25_000_000;

impl Visit {
    /// Sets up the page. The commands are sent together, and are executed in order.
    pub(super) async fn prepare(&self, photographed: bool) -> Result<(), VisitError> {
        let (session, timeout) = (&self.page.session, self.remaining());
        let guard =
            AddScriptToEvaluateOnNewDocumentParams::new(format!("{}({:?})", PAGE_GUARD_JS.trim_end(), self.guard));
        tokio::try_join!(
            biased;
            session.call(page::EnableParams::default(), timeout),
            session.call(buffers(), timeout),
            session.call(inspector::EnableParams::default(), timeout),
            session.call(interception(), timeout),
            session.call(guard, timeout),
            session.call(user_agent(&self.config.user_agent, self.page.major_version()), timeout),
            session.call(viewport(photographed), timeout),
            session.call(SetFocusEmulationEnabledParams::new(true), timeout),
        )?;
        Ok(())
    }
}

fn buffers() -> network::EnableParams {
    network::EnableParams {
        max_total_buffer_size: Some(BODIES),
        max_resource_buffer_size: Some(BODY),
        ..Default::default()
    }
}

/// Pauses documents at the request, and media at the response, when their type is known. Proxy credentials are
/// requested once per context, at its first request, which is the document's.
fn interception() -> fetch::EnableParams {
    let document = RequestPattern { resource_type: Some(ResourceType::Document), ..Default::default() };
    let media = RequestPattern {
        resource_type: Some(ResourceType::Media),
        request_stage: Some(RequestStage::Response),
        ..Default::default()
    };
    fetch::EnableParams { patterns: Some(vec![document, media]), handle_auth_requests: Some(true) }
}

fn user_agent(template: &str, major_version: &str) -> SetUserAgentOverrideParams {
    let brands = [("Chromium", major_version), ("Not)A;Brand", "24")];
    let metadata = UserAgentMetadata {
        brands: Some(brands.map(|(brand, version)| UserAgentBrandVersion::new(brand, version)).into()),
        full_version_list: None,
        platform: "Linux".to_owned(),
        platform_version: String::new(),
        architecture: "x86".to_owned(),
        model: String::new(),
        mobile: false,
        bitness: None,
        wow64: None,
        form_factors: None,
    };
    SetUserAgentOverrideParams {
        accept_language: Some("en-US,en".to_owned()),
        platform: Some("Linux x86_64".to_owned()),
        user_agent_metadata: Some(metadata),
        ..SetUserAgentOverrideParams::new(template.replace("{chrome}", major_version))
    }
}

fn viewport(photographed: bool) -> SetDeviceMetricsOverrideParams {
    SetDeviceMetricsOverrideParams {
        scale: Some(if photographed { 1.0 } else { UNSEEN_SCALE_FACTOR }),
        ..SetDeviceMetricsOverrideParams::new(VIEWPORT.0, VIEWPORT.1, 1.0, false)
    }
}
