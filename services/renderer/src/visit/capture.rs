//! Captures a stable page as a snapshot, of the same kind as a static read's.

use super::isolated_world::PageWorld;
use super::network::{LoadedStylesheet, MainResponse, fields};
use super::{CHANGED_ATTRIBUTE, Visit};
use crate::error::{VisitError, from_network_error};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chromiumoxide_cdp::cdp::browser_protocol::emulation::SetScriptExecutionDisabledParams;
use chromiumoxide_cdp::cdp::browser_protocol::network::{GetResponseBodyParams, RequestId};
use futures::future::join_all;
use limner_page::data_url::DataUrl;
use limner_page::media_type::MediaType;
use limner_page::page_health::{self, NotAPage, PageHealth, ResponseInfo};
use limner_page::references::{StylesheetReference, StylesheetSource, sheets, without_fragment};
use limner_page::snapshot::{ImportedSheet, ReadMethod};
use limner_page::{Degradation, Document, DocumentBase, PageSnapshot, SheetOwner, Stylesheet, TargetUrl, WorkBudget};
use limner_page_worker::{PageError, is_access_denied, read_within};
use limner_types::Theme;
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::time::Duration;
use url::{Position, Url};

/// Time limit for reading a page: the largest ones are tens of megabytes.
const READ: Duration = Duration::from_secs(10);
/// Time limit for receiving one response body.
const BODY: Duration = Duration::from_secs(5);
/// Number of response bodies that are received at once.
const CONCURRENT_BODIES: usize = 4;
/// URL prefix of the browser's own error pages.
const BROWSER_ERROR_SCHEME: &str = "chrome-error:";

/// The result of `limner.read`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReadResult {
    url: String,
    base: String,
    encoding: String,
    html: String,
    too_large: bool,
    links: Vec<LinkedStylesheet>,
    adopted: Vec<AdoptedStylesheet>,
    theme: Theme,
}

/// The stylesheet of a `link` element.
#[derive(Debug, Deserialize)]
struct LinkedStylesheet {
    href: String,
    readable: bool,
    /// Its current text, if the CSSOM changed it.
    text: Option<String>,
}

/// A constructed stylesheet that the document uses.
#[derive(Debug, Deserialize)]
struct AdoptedStylesheet {
    text: String,
    media: String,
}

impl Visit {
    /// Reads the page. Its scripts have been stopped by then.
    pub(super) async fn read_page(
        &self,
        world: &PageWorld<'_>,
        target: &TargetUrl,
    ) -> Result<PageSnapshot, VisitError> {
        let response = self.main_response().await?;
        let media_type = &response.media_type;
        if (200..300).contains(&response.status) && media_type.is_media() {
            return Ok(media(target, &response));
        }
        // A redirect without address is shown as a page.
        if (200..400).contains(&response.status) && !is_page(media_type) {
            return Err(PageError::NotHtml(media_type.essence.clone()).into());
        }
        let read = self.read_document(world).await?;
        if read.url.starts_with(BROWSER_ERROR_SCHEME) {
            // The page navigated to an unreachable URL, and the browser reports that before the network does.
            let failure = self.main_failure().unwrap_or_else(|| "net::ERR_ADDRESS_UNREACHABLE".to_owned());
            return Err(self.unreachable(&failure).await);
        }
        if read.too_large {
            return Err(PageError::TooLarge(self.limits().html_bytes).into());
        }
        let (texts, truncated) = self.sheet_texts(world, &read.links).await;
        let (target, network) = (target.clone(), self.observer.log().responses().clone());
        let shape = move |budget: &WorkBudget| shape(&target, &response, read, texts, network, truncated, budget);
        read_within(self.deadline, shape).await?
    }

    async fn main_response(&self) -> Result<MainResponse, VisitError> {
        let (response, redirects) = {
            let log = self.observer.log();
            (log.main_response().cloned(), log.main_redirects())
        };
        if redirects > self.limits().redirects {
            return Err(from_network_error("net::ERR_TOO_MANY_REDIRECTS"));
        }
        // The page navigated to an unreachable URL.
        if let Some(failure) = self.main_failure() {
            return Err(self.unreachable(&failure).await);
        }
        let response = response.ok_or_else(|| from_network_error("net::ERR_EMPTY_RESPONSE"))?;
        if response.is_from_egress_proxy() {
            return Err(self.unreachable("net::ERR_TUNNEL_CONNECTION_FAILED").await);
        }
        Ok(response)
    }

    /// Returns the reason why the latest document did not load, unless the page itself aborted it.
    fn main_failure(&self) -> Option<String> {
        let failure = self.observer.log().main_failure().map(str::to_owned);
        failure.filter(|failure| failure != "net::ERR_ABORTED")
    }

    /// Stops the page's scripts, then reads its document. An endless script is interrupted.
    async fn read_document(&self, world: &PageWorld<'_>) -> Result<ReadResult, VisitError> {
        let mark = format!("window[{:?}]?.mark({CHANGED_ATTRIBUTE:?})", self.guard);
        let question = format!("limner.read({CHANGED_ATTRIBUTE:?}, {})", self.limits().html_bytes);
        let marked = world.ask_main_world::<()>(&mark, super::EVALUATION_TIMEOUT).await;
        if marked.is_err() {
            world.interrupt(super::EVALUATION_TIMEOUT).await;
        }
        // Both commands are sent together, and are executed in order.
        let stop = self.page.session.call(SetScriptExecutionDisabledParams::new(true), super::EVALUATION_TIMEOUT);
        let read = world.ask::<ReadResult>(&question, READ.min(self.remaining()));
        let (_, read) = tokio::join!(biased; stop, read);
        Ok(read?)
    }

    /// Returns the texts of the stylesheets from the network, by the URL that referred to them.
    async fn sheet_texts(
        &self,
        world: &PageWorld<'_>,
        links: &[LinkedStylesheet],
    ) -> (BTreeMap<String, ImportedSheet>, bool) {
        let loaded = self.observer.log().sheets().clone();
        let mut left = self.limits().css_bytes;
        let mut texts = BTreeMap::new();
        let mut truncated = false;
        let mut keep = |asked: &str, base_url: String, text: String| {
            if text.len() > left || texts.len() >= self.limits().stylesheets {
                truncated = true;
                return;
            }
            left -= text.len();
            texts.insert(asked.to_owned(), ImportedSheet { base_url, text });
        };
        for link in links {
            if let Some(text) = &link.text {
                keep(&link.href, link.href.clone(), text.clone());
            }
        }
        let changed: HashSet<&str> =
            links.iter().filter(|link| link.text.is_some()).map(|link| link.href.as_str()).collect();
        let readable: HashSet<&str> =
            links.iter().filter(|link| link.readable).map(|link| link.href.as_str()).collect();
        let unchanged: Vec<_> = loaded.iter().filter(|(asked, _)| !changed.contains(asked.as_str())).collect();
        for batch in unchanged.chunks(CONCURRENT_BODIES) {
            let reading = batch
                .iter()
                .map(|(asked, sheet)| self.sheet_text(world, readable.contains(asked.as_str()), asked, sheet));
            for ((asked, sheet), text) in batch.iter().zip(join_all(reading).await) {
                if let Some(text) = text {
                    keep(asked, sheet.url.clone(), text);
                }
            }
        }
        (texts, truncated)
    }

    /// Returns the text of a loaded stylesheet: its response body, or what the document has of it.
    async fn sheet_text(
        &self,
        world: &PageWorld<'_>,
        is_readable: bool,
        asked: &str,
        sheet: &LoadedStylesheet,
    ) -> Option<String> {
        if let Some(bytes) = self.body(&sheet.request_id).await {
            return Some(String::from_utf8_lossy(&bytes).into_owned());
        }
        if !is_readable {
            return None;
        }
        world.ask(&format!("limner.linked({asked:?})"), super::EVALUATION_TIMEOUT).await.ok()?
    }

    /// Returns the body of a response, if the browser still has it.
    async fn body(&self, request_id: &RequestId) -> Option<Vec<u8>> {
        let body = self.page.session.call(GetResponseBodyParams::new(request_id.clone()), BODY).await;
        let body =
            body.inspect_err(|cause| tracing::debug!(error = %cause, "response body no longer available")).ok()?;
        if body.base64_encoded { STANDARD.decode(body.body).ok() } else { Some(body.body.into_bytes()) }
    }
}

/// Returns the snapshot of a URL that is itself a video or audio.
fn media(target: &TargetUrl, response: &MainResponse) -> PageSnapshot {
    PageSnapshot {
        requested_url: target.as_str().to_owned(),
        url: without_fragment(&response.url).to_owned(),
        status: response.status,
        content_type: response.media_type.essence.clone(),
        read_by: ReadMethod::Browser,
        ..PageSnapshot::default()
    }
}

fn is_page(media_type: &MediaType) -> bool {
    media_type.is_html() || media_type.essence.is_empty()
}

/// Classifies the page and assembles the snapshot.
fn shape(
    target: &TargetUrl,
    response: &MainResponse,
    read: ReadResult,
    texts: BTreeMap<String, ImportedSheet>,
    network: BTreeMap<String, String>,
    truncated: bool,
    budget: &WorkBudget,
) -> Result<PageSnapshot, VisitError> {
    let strange = |cause: url::ParseError| VisitError::Internal(format!("the page's address: {cause}"));
    let mut url = Url::parse(&read.url).map_err(strange)?;
    url.set_fragment(None);
    let document = Document::parse_within(&read.html, budget);
    check_response(target, response, &url, &read.html, &document)?;
    let base = Url::parse(&read.base).unwrap_or_else(|_| document.base_url(&url));
    let base = DocumentBase::new(base, &read.encoding);
    let live: HashSet<&str> = read.links.iter().map(|link| link.href.as_str()).collect();
    let mut found: Vec<Stylesheet> =
        sheets(&document, &base).into_iter().map(|reference| sheet(reference, &base, &texts, &live)).collect();
    let adopted = read.adopted.into_iter().map(|adopted| Stylesheet {
        owner: SheetOwner::Adopted,
        base_url: base.to_string(),
        media: adopted.media,
        text: Some(adopted.text),
        ..Stylesheet::default()
    });
    found.extend(adopted);
    let truncated = truncated || document.truncated();
    let content_type = &response.media_type.essence;
    Ok(PageSnapshot {
        requested_url: target.as_str().to_owned(),
        url: url.into(),
        status: response.status,
        content_type: if content_type.is_empty() { "text/html".to_owned() } else { content_type.clone() },
        html: read.html,
        encoding: if read.encoding.eq_ignore_ascii_case("utf-8") { String::new() } else { read.encoding },
        sheets: found,
        // Every loaded stylesheet may be imported by another; the rules decide.
        imports: texts,
        network,
        read_by: ReadMethod::Browser,
        degradation: truncated.then_some(Degradation::Truncated),
        truncated,
        theme: Some(read.theme),
        ..PageSnapshot::default()
    })
}

/// Checks for challenges first, which may have any status; then the status, then the page itself.
fn check_response(
    target: &TargetUrl,
    response: &MainResponse,
    url: &Url,
    html: &str,
    document: &Document,
) -> Result<(), VisitError> {
    let headers: Vec<(String, String)> =
        fields(&response.headers).map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
    let status = response.status;
    let assessed = ResponseInfo { status, requested: target.url(), url, headers: &headers, html };
    match page_health::assess_rendered(&assessed, document) {
        _ if is_access_denied(status) => Err(PageError::Status(status).into()),
        PageHealth::Refused(refusal @ NotAPage::Challenge(_)) => Err(PageError::Refused { refusal, status }.into()),
        _ if !(200..400).contains(&status) => Err(PageError::Status(status).into()),
        PageHealth::Refused(refusal) => Err(PageError::Refused { refusal, status }.into()),
        PageHealth::Sound | PageHealth::ClientRendered => Ok(()),
    }
}

fn sheet(
    reference: StylesheetReference,
    base: &DocumentBase,
    texts: &BTreeMap<String, ImportedSheet>,
    live: &HashSet<&str>,
) -> Stylesheet {
    let StylesheetReference { element, source, media, alternate, .. } = reference;
    let from_file = |url: &Url| match url.scheme() {
        "data" => DataUrl::parse(url).map(|data| (base.to_string(), String::from_utf8_lossy(&data.bytes).into_owned())),
        _ => {
            // The network log has URLs without fragments.
            let loaded = &url[..Position::AfterQuery];
            let sheet = texts.get(loaded).filter(|_| live.contains(loaded));
            sheet.map(|sheet| (sheet.base_url.clone(), sheet.text.clone()))
        }
    };
    match source {
        StylesheetSource::Inline(text) => Stylesheet {
            owner: SheetOwner::Style,
            element,
            base_url: base.to_string(),
            media,
            alternate,
            text: Some(text),
            ..Stylesheet::default()
        },
        StylesheetSource::External(url) | StylesheetSource::Unread(url) => {
            let (base_url, text) = from_file(&url).unzip();
            Stylesheet {
                owner: SheetOwner::Link,
                element,
                href: Some(url.to_string()),
                base_url: base_url.unwrap_or_else(|| url.to_string()),
                media,
                alternate,
                text,
            }
        }
    }
}
