//! A console with its dependencies, and a browser that keeps cookies.

use http::{HeaderMap, StatusCode, header};
use limner_console::{Config, Console};
use limner_local_servers::shared_servers;
use limner_metering::billing::{BillingEngine, BillingError, BillingProvider, Customer, ManualProvider, Prices};
use limner_metering::invoice::Invoice;
use limner_metering::{Ledger, MeteringService};
use limner_store::{Store, StoreConfig};
use limner_testkit::{CannedResponse, OriginServer};
use scraper::{ElementRef, Html, Selector};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::{CancellationToken, DropGuard};

pub(crate) const PASSWORD: &str = "correct horse battery staple";

/// A console, metering and a fake gateway whose responses a test sets.
pub(crate) struct ConsoleFixture {
    pub(crate) url: String,
    pub(crate) ledger: Ledger,
    pub(crate) store: Store,
    /// The fake gateway.
    pub(crate) gateway: OriginServer,
    mail: tempfile::TempDir,
    _stop: DropGuard,
}

impl ConsoleFixture {
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// Starts a console with a test's settings.
    pub(crate) async fn start_with(set: impl FnOnce(&mut Config)) -> Self {
        Self::start_with_provider(Arc::new(ManualProvider), set).await
    }

    /// Starts a console whose payments a provider collects.
    pub(crate) async fn start_with_provider(provider: Arc<dyn BillingProvider>, set: impl FnOnce(&mut Config)) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let url = shared_servers::postgres().await.fresh_database().await.unwrap();
        let patience = Duration::from_secs(20);
        let config = StoreConfig { url, pool_size: 6, acquire_timeout: patience, ..StoreConfig::default() };
        let store = Store::connect(config).await.unwrap();
        store.migrate().await.unwrap();
        let stop = CancellationToken::new();
        let ledger = Ledger::new(store.clone(), None, None);
        let billing = BillingEngine::new(ledger.clone(), provider, Prices::default());
        let metering = MeteringService::bind(limner_metering::Config::default(), billing).await.unwrap();
        let metering_url = format!("http://{}", metering.local_addr());
        tokio::spawn(metering.run(stop.clone()));
        let gateway = OriginServer::start().await;
        gateway.on("/v1/openapi.json", CannedResponse::json("{}"));
        let mail = tempfile::tempdir().unwrap();
        let mut config = Config {
            listen: "127.0.0.1:0".parse().unwrap(),
            api_url: "https://api.example.com".to_owned(),
            gateway_url: format!("http://{}", gateway.address()),
            metering_url,
            // Only once, at the start.
            probe_interval: Duration::from_secs(60 * 60),
            ..Config::with_mail_folder(mail.path().join("mail"))
        };
        set(&mut config);
        let console = Console::bind(config, store.clone()).await.unwrap();
        let url = console.url().to_owned();
        tokio::spawn(console.run(stop.clone()));
        Self { url, ledger, store, gateway, mail, _stop: stop.drop_guard() }
    }

    /// Returns a browser without cookies.
    pub(crate) fn browser(&self) -> Browser {
        let http = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
        Browser { http: http.build().unwrap(), url: self.url.clone(), cookies: BTreeMap::new(), address: None }
    }

    /// Returns a browser without cookies whose client address, according to a proxy, is `address`.
    pub(crate) fn browser_at(&self, address: &str) -> Browser {
        Browser { address: Some(address.to_owned()), ..self.browser() }
    }

    /// Returns the browser of a user who has signed up, and the user's key.
    pub(crate) async fn member(&self, email: &str) -> (Browser, String) {
        let mut browser = self.browser();
        browser.post("/sign-up", &[("email", email), ("password", PASSWORD)]).await;
        let link = self.link(1).await;
        let welcome = browser.follow(&link).await;
        let key = welcome.shown_key();
        self.empty_mail();
        (browser, key)
    }

    /// Waits for that many mails and returns the link of the only one.
    pub(crate) async fn link(&self, mails: usize) -> String {
        let mails = self.mails(mails).await;
        format!("/enter?link={}", text_between(mails.last().unwrap(), "/enter?link=", "\r\n"))
    }

    /// Waits until that many mails were sent.
    pub(crate) async fn mails(&self, count: usize) -> Vec<String> {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let files = files(&self.mail.path().join("mail"));
            if files.len() >= count {
                return files.iter().map(|file| plain(&std::fs::read_to_string(file).unwrap())).collect();
            }
            assert!(Instant::now() < until, "{} of {count} mails", files.len());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) fn empty_mail(&self) {
        for file in files(&self.mail.path().join("mail")) {
            std::fs::remove_file(file).unwrap();
        }
    }

    /// Returns the account of an e-mail address.
    pub(crate) async fn account_of(&self, email: &str) -> String {
        const SQL: &str = "SELECT account_id FROM console.holder WHERE email_key = $1";
        self.store.query_one(SQL, &[&email]).await.unwrap().get(0)
    }
}

/// A payment provider with a page for cards and invoices.
pub(crate) struct ProviderWithPortal;

#[tonic::async_trait]
impl BillingProvider for ProviderWithPortal {
    fn name(&self) -> &'static str {
        "test"
    }

    async fn create_invoice(&self, _customer: &Customer, invoice: &Invoice) -> Result<String, BillingError> {
        Ok(invoice.id.clone())
    }

    fn has_portal(&self) -> bool {
        true
    }

    async fn portal(&self, customer: &Customer, _back: &str) -> Result<String, BillingError> {
        Ok(format!("https://pay.example.org/{}", customer.account_id))
    }
}

/// Decodes a mail's transfer encoding (RFC 2045 §6.7), as far as ours use it.
pub(crate) fn plain(mail: &str) -> String {
    mail.replace("=\r\n", "").replace("=3D", "=")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    // Files that are being written begin with a dot.
    let is_mail = |path: &PathBuf| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.'));
    let mut files: Vec<PathBuf> = entries.filter(is_mail).collect();
    files.sort();
    files
}

/// Returns the text between two others.
pub(crate) fn text_between(text: &str, begin: &str, end: &str) -> String {
    let (_, rest) = text.split_once(begin).unwrap_or_else(|| panic!("{begin:?} is not in {text}"));
    rest.split_once(end).unwrap_or_else(|| panic!("{end:?} is not in {rest}")).0.to_owned()
}

/// A page.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Page {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Returns an attribute of the first element that a selector matches.
    pub(crate) fn attribute(&self, selector: &str, name: &str) -> String {
        let first = self.attributes(selector, name).into_iter().next();
        first.unwrap_or_else(|| panic!("{name} of {selector} is not in {}", self.text))
    }

    /// Returns an attribute of each element that a selector matches and that has it.
    pub(crate) fn attributes(&self, selector: &str, name: &str) -> Vec<String> {
        let document = Html::parse_document(&self.text);
        let selector = Selector::parse(selector).unwrap();
        document.select(&selector).filter_map(|element| element.attr(name)).map(str::to_owned).collect()
    }

    /// Returns the text of each element that a selector matches, with white space collapsed.
    pub(crate) fn texts(&self, selector: &str) -> Vec<String> {
        let document = Html::parse_document(&self.text);
        let selector = Selector::parse(selector).unwrap();
        let text = |element: ElementRef<'_>| {
            let text: String = element.text().collect();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        document.select(&selector).map(text).collect()
    }

    /// Returns true if an element matches the selector.
    pub(crate) fn has(&self, selector: &str) -> bool {
        !self.texts(selector).is_empty()
    }

    /// Returns true if people who read the page find this text there.
    pub(crate) fn says(&self, text: &str) -> bool {
        self.texts("body").concat().contains(text)
    }

    /// Returns each element and attribute that runs something which is not a file of ours, or leads to an address that
    /// no browser should follow.
    pub(crate) fn active_parts(&self) -> Vec<String> {
        const ADDRESSES: [&str; 6] = ["href", "src", "poster", "action", "formaction", "data-font"];
        const PLAIN: [&str; 8] = ["/", "#", "?", "https://", "http://", "data:image/", "cursor:", "vscode:"];
        let document = Html::parse_document(&self.text);
        let mut found: Vec<String> = Vec::new();
        for element in document.root_element().descendent_elements() {
            let name = element.value().name();
            if name == "script" && !element.attr("src").is_some_and(|src| src.starts_with("/assets/")) {
                found.push(element.html());
            }
            let is_active = |(attribute, value): &(&str, &str)| {
                let leads_astray = ADDRESSES.contains(attribute) && !PLAIN.iter().any(|begin| value.starts_with(begin));
                attribute.starts_with("on") || *attribute == "srcdoc" || leads_astray
            };
            found.extend(
                element
                    .value()
                    .attrs()
                    .filter(is_active)
                    .map(|(attribute, value)| format!("{name} {attribute}={value}")),
            );
        }
        found
    }

    /// Returns the key that a page shows once.
    pub(crate) fn shown_key(&self) -> String {
        self.attribute("input[readonly]", "value")
    }

    /// Returns the `Location` header.
    pub(crate) fn location(&self) -> &str {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.text);
        self.header("location")
    }
}

/// Keeps cookies as a browser does.
#[derive(Clone)]
pub(crate) struct Browser {
    http: reqwest::Client,
    url: String,
    pub(crate) cookies: BTreeMap<String, String>,
    /// Value of `x-forwarded-for`.
    pub(crate) address: Option<String>,
}

impl Browser {
    pub(crate) async fn get(&mut self, path: &str) -> Page {
        self.send(self.http.get(format!("{}{path}", self.url))).await
    }

    /// Loads a page for its form token, then sends the form.
    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let token = self.token().await;
        let fields: Vec<(&str, &str)> = fields.iter().copied().chain([("form_token", token.as_str())]).collect();
        let origin = self.url.clone();
        self.post_raw(path, &fields, &[("origin", &origin)]).await
    }

    /// Returns a form token of this browser's pages.
    pub(crate) async fn token(&mut self) -> String {
        let page = match self.get("/account").await {
            page if page.status == StatusCode::OK => page,
            _ => self.get("/sign-in").await,
        };
        page.attribute("input[name=form_token]", "value")
    }

    pub(crate) async fn post_raw(&mut self, path: &str, fields: &[(&str, &str)], headers: &[(&str, &str)]) -> Page {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let mut request = self.http.post(format!("{}{path}", self.url)).body(body);
        request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request).await
    }

    /// Opens a link of a mail and confirms it.
    pub(crate) async fn follow(&mut self, link: &str) -> Page {
        let page = self.get(link).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        let link = link.split_once("link=").unwrap().1;
        self.post("/enter", &[("link", link)]).await
    }

    async fn send(&mut self, request: reqwest::RequestBuilder) -> Page {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = self.address.iter().fold(request, |request, address| request.header("x-forwarded-for", address));
        let response = request.header(header::COOKIE, cookies.join("; ")).send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        for line in headers.get_all(header::SET_COOKIE) {
            let (name, rest) = line.to_str().unwrap().split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            match value {
                "" => drop(self.cookies.remove(name)),
                value => drop(self.cookies.insert(name.to_owned(), value.to_owned())),
            }
        }
        Page { status, headers, text: response.text().await.unwrap() }
    }
}
