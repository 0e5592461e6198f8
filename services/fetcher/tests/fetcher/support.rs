//! A reader that may reach a fake site besides public addresses.

use limner_fetcher::{ReadError, ReadPurpose, Reader, ReaderLimits};
use limner_netguard::{Client, EgressOptions, EgressPolicy};
use limner_page::{PageSnapshot, TargetUrl};
use limner_testkit::{CannedResponse, OriginServer};
use std::time::Duration;
use tokio::time::Instant;

pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);

/// Limits that are short enough to test, and long enough for a busy machine.
pub(crate) fn short_limits() -> ReaderLimits {
    let (static_read, answer_reserve) = (Duration::from_millis(1_500), Duration::from_millis(500));
    ReaderLimits { static_read, response_reserve: answer_reserve, ..ReaderLimits::default() }
}

pub(crate) fn client(site: &OriginServer) -> Client {
    let mut policy = EgressPolicy { allow: vec!["127.0.0.1/32".parse().unwrap()], ..EgressPolicy::default() };
    for host in ["site.test", "cdn.test", "login.test"] {
        policy.hosts.insert(host.to_owned(), site.address());
    }
    Client::new(EgressOptions { policy, ..EgressOptions::default() }).unwrap()
}

pub(crate) struct Origin {
    pub(crate) site: OriginServer,
    pub(crate) reader: Reader,
}

impl Origin {
    pub(crate) async fn start() -> Self {
        Self::with_limits(ReaderLimits::default()).await
    }

    pub(crate) async fn with_limits(limits: ReaderLimits) -> Self {
        let site = OriginServer::start().await;
        let reader = Reader::new(client(&site), limits);
        Self { site, reader }
    }

    /// Starts an origin whose start page is `html`.
    pub(crate) async fn with_page(html: &str) -> Self {
        let origin = Self::start().await;
        origin.site.on("/", CannedResponse::html(html.to_owned()));
        origin
    }

    pub(crate) async fn read(&self, path: &str) -> Result<PageSnapshot, ReadError> {
        self.read_for(path, ReadPurpose::Page).await
    }

    pub(crate) async fn read_for(&self, path: &str, needs: ReadPurpose) -> Result<PageSnapshot, ReadError> {
        self.reader.read(&target(&format!("http://site.test{path}")), needs, Instant::now() + TIMEOUT).await
    }
}

pub(crate) fn target(url: &str) -> TargetUrl {
    TargetUrl::parse(url, 2_048).unwrap()
}
