//! A reader that may reach a fake site besides public addresses.

use limner_fetcher::{Needs, ReadError, Reader, ReaderLimits};
use limner_netguard::{Client, EgressOptions, EgressPolicy};
use limner_page::{PageSnapshot, TargetUrl};
use limner_testkit::{FakeSite, Reply};
use std::time::Duration;
use tokio::time::Instant;

pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// Limits that are short enough to test, and long enough for a busy machine.
pub(crate) fn short() -> ReaderLimits {
    let (static_read, answer_reserve) = (Duration::from_millis(1_500), Duration::from_millis(500));
    ReaderLimits { static_read, answer_reserve, ..ReaderLimits::default() }
}

pub(crate) fn client(site: &FakeSite) -> Client {
    let mut policy = EgressPolicy { allow: vec!["127.0.0.1/32".parse().unwrap()], ..EgressPolicy::default() };
    for host in ["site.test", "cdn.test", "login.test"] {
        policy.hosts.insert(host.to_owned(), site.address());
    }
    Client::new(EgressOptions { policy, ..EgressOptions::default() }).unwrap()
}

pub(crate) struct Origin {
    pub(crate) site: FakeSite,
    pub(crate) reader: Reader,
}

impl Origin {
    pub(crate) async fn start() -> Self {
        Self::with(ReaderLimits::default()).await
    }

    pub(crate) async fn with(limits: ReaderLimits) -> Self {
        let site = FakeSite::start().await;
        let reader = Reader::new(client(&site), limits);
        Self { site, reader }
    }

    /// Starts an origin whose start page is `html`.
    pub(crate) async fn with_page(html: &str) -> Self {
        let origin = Self::start().await;
        origin.site.on("/", Reply::html(html.to_owned()));
        origin
    }

    pub(crate) async fn read(&self, path: &str) -> Result<PageSnapshot, ReadError> {
        self.read_for(path, Needs::Page).await
    }

    pub(crate) async fn read_for(&self, path: &str, needs: Needs) -> Result<PageSnapshot, ReadError> {
        self.reader.read(&target(&format!("http://site.test{path}")), needs, Instant::now() + PATIENCE).await
    }
}

pub(crate) fn target(url: &str) -> TargetUrl {
    TargetUrl::parse(url, 2_048).unwrap()
}
