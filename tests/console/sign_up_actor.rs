//! A user of the console, without a browser.

use scraper::{Html, Selector};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Keeps cookies and submits forms like pages of the console.
pub(crate) struct Person {
    http: reqwest::Client,
    url: String,
    cookies: BTreeMap<String, String>,
    /// `Location` of the latest response.
    pub(crate) location: String,
}

/// Returns the text between two others.
fn between(text: &str, begin: &str, end: &str) -> String {
    let (_, rest) = text.split_once(begin).unwrap_or_else(|| panic!("{begin:?} is not in {text}"));
    rest.split_once(end).unwrap_or_else(|| panic!("{end:?} is not in {rest}")).0.to_owned()
}

/// Returns an attribute of the first element of a page that a selector matches.
pub(crate) fn attribute(page: &str, selector: &str, name: &str) -> String {
    let document = Html::parse_document(page);
    let element = document.select(&Selector::parse(selector).unwrap()).next();
    let value = element.and_then(|element| element.attr(name)).map(str::to_owned);
    value.unwrap_or_else(|| panic!("{name} of {selector} is not in {page}"))
}

fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        other => format!("%{other:02x}"),
    };
    text.bytes().map(byte).collect()
}

impl Person {
    pub(crate) fn new(url: &str) -> Self {
        let http = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { http, url: url.to_owned(), cookies: BTreeMap::new(), location: String::new() }
    }

    /// Signs up without a password; returns the key.
    pub(crate) async fn sign_up(&mut self, email: &str, mail: &Path) -> String {
        self.sign_up_with(email, "", mail).await
    }

    /// Signs up; returns the key.
    pub(crate) async fn sign_up_with(&mut self, email: &str, password: &str, mail: &Path) -> String {
        self.post("/sign-up", &[("email", email), ("password", password)]).await;
        let until = Instant::now() + Duration::from_secs(60);
        let link = loop {
            let files = std::fs::read_dir(mail).into_iter().flatten().map(|entry| entry.unwrap().path());
            // Files that are being written begin with a dot.
            let mut mails = files.filter(|path| !path.file_name().unwrap().to_string_lossy().starts_with('.'));
            if let Some(path) = mails.next() {
                let mail = std::fs::read_to_string(path).unwrap().replace("=\r\n", "").replace("=3D", "=");
                break between(&mail, "/enter?link=", "\r\n");
            }
            assert!(Instant::now() < until, "no mail");
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        let welcome = self.post("/enter", &[("link", &link)]).await;
        attribute(&welcome, "input[readonly]", "value")
    }

    pub(crate) async fn get(&mut self, path: &str) -> String {
        self.send(self.http.get(format!("{}{path}", self.url))).await
    }

    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> String {
        let page = self.get("/docs").await;
        let page = if page.contains("form_token") { page } else { self.get("/sign-in").await };
        let token = attribute(&page, "input[name=form_token]", "value");
        let fields: Vec<(&str, &str)> = fields.iter().copied().chain([("form_token", token.as_str())]).collect();
        let pairs = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value)));
        let request = self.http.post(format!("{}{path}", self.url)).header("origin", &self.url);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        self.send(request.body(pairs.collect::<Vec<_>>().join("&"))).await
    }

    async fn send(&mut self, request: reqwest::RequestBuilder) -> String {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let response = request.header("cookie", cookies.join("; ")).send().await.unwrap();
        let location = response.headers().get("location").and_then(|value| value.to_str().ok());
        self.location = location.unwrap_or_default().to_owned();
        for line in response.headers().get_all("set-cookie") {
            let (name, rest) = line.to_str().unwrap().split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), rest.split(';').next().unwrap().to_owned());
        }
        response.text().await.unwrap()
    }
}
