//! The playground: makes any operation's call through the gateway, on the account's credits.

use crate::archive;
use crate::config::Config;
use crate::error::HttpError;
use crate::form::SignedInForm;
use crate::gateway::GatewayResponse;
use crate::identity::SignedInUser;
use crate::layout;
use crate::layout::PageLayout;
use crate::rate_limit;
use crate::security_headers::PageKind;
use crate::state::AppState;
use crate::view::results::{Body, Mark, MediaSources, ResultForm, ResultView, files};
use crate::zip;
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use limner_types::{BrandScope, CodeLanguage, Framework, Operation, SectionRole, TokenFormat, TokenScope, WireEnum};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Instant;

/// The fields of the form, unvalidated: the gateway reports errors in them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Call {
    operation: String,
    url: String,
    render: String,
    fresh: String,
    screenshot: String,
    framework: String,
    section: String,
    selector: String,
    theme: String,
    format: String,
    scope: String,
    code_scope: String,
    language: String,
    /// Empty is `all`, which shows everything and costs the same.
    brand_scope: String,
}

impl Call {
    fn operation(&self) -> Operation {
        Operation::parse(&self.operation).unwrap_or(Operation::Brand)
    }

    /// Returns the query of the call: only parameters that the operation has and that differ from their default.
    fn query(&self) -> Vec<(String, String)> {
        let operation = self.operation();
        let flag = |name: &'static str, value: &str| (!value.is_empty()).then(|| (name, "true".to_owned()));
        let word = |name: &'static str, value: &str, usual: &str| {
            let value = value.trim();
            (!value.is_empty() && value != usual).then(|| (name, value.to_owned()))
        };
        let is_code = operation == Operation::Code;
        let of_code = |pair: Option<(&'static str, String)>| pair.filter(|_| is_code);
        let of_tokens = |pair: Option<(&'static str, String)>| pair.filter(|_| operation == Operation::Extract);
        let brand_scope = BrandScope::parse(&self.brand_scope).unwrap_or(BrandScope::All);
        let pairs = [
            Some(("url", self.url.trim().to_owned())),
            flag("render", &self.render),
            flag("fresh", &self.fresh),
            flag("screenshot", &self.screenshot).filter(|_| !self.render.is_empty()),
            of_code(word("framework", &self.framework, "tailwind")),
            of_code(word("selector", &self.selector, "")),
            of_code(word("section", &self.section, "")),
            of_code(word("theme", &self.theme, "light")),
            // Whatever the framework, the result is shown.
            of_code(flag("preview", "on")),
            of_code(word("language", &self.language, "js")),
            of_code(word("scope", &self.code_scope, "section")),
            Some(("scope", brand_scope.to_string())).filter(|_| operation == Operation::Brand),
            of_tokens(word("format", &self.format, "json")),
            of_tokens(word("scope", &self.scope, "sheet")),
        ];
        pairs.into_iter().flatten().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Returns the form of the result.
    fn form(&self) -> ResultForm {
        let usual = ResultForm::default();
        ResultForm {
            tokens: TokenFormat::parse(&self.format).unwrap_or(usual.tokens),
            language: CodeLanguage::parse(&self.language).unwrap_or(usual.language),
        }
    }

    /// Returns the price in credits.
    fn price(&self) -> u32 {
        self.operation().price(!self.render.is_empty())
    }

    /// Returns the query that leads to the result again, and never to another call.
    fn result_query(&self) -> String {
        let is_kept = |(name, _): &(String, String)| !matches!(name.as_str(), "fresh" | "preview");
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("operation", self.operation().as_str());
        // The form has a scope for each of three operations.
        let as_in_form = |(name, value): (String, String)| match (name.as_str(), self.operation()) {
            ("scope", Operation::Code) => ("code_scope".to_owned(), value),
            ("scope", Operation::Brand) => ("brand_scope".to_owned(), value),
            _ => (name, value),
        };
        query.extend_pairs(self.query().into_iter().filter(is_kept).map(as_in_form)).finish()
    }

    /// Returns the same call as a curl command.
    fn curl(&self, api_url: &str) -> String {
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(self.query()).finish();
        let operation = self.operation();
        format!("curl -H \"Authorization: Bearer $LIMNER_API_KEY\" '{api_url}/v1/{operation}?{query}'")
    }
}

/// Options of the operation form.
struct Choices {
    word: &'static str,
    label: &'static str,
    credits: u32,
}

#[derive(Template)]
#[template(path = "playground.html")]
struct PlaygroundPage {
    shell: PageLayout,
    call: Call,
    operation: &'static str,
    operations: Vec<Choices>,
    frameworks: Vec<&'static str>,
    sections: Vec<&'static str>,
    formats: Vec<&'static str>,
    scopes: Vec<&'static str>,
    languages: Vec<&'static str>,
    /// The first one is the form's default.
    brand_scopes: [&'static str; 2],
    curl: Option<String>,
    /// Price of the same call for another section.
    price: u32,
    result: Option<ResultView>,
    /// Query of the result's address; `None` if there is no result.
    result_query: Option<String>,
    /// True if the result at this address is no longer stored.
    is_gone: bool,
    /// A page that this installation can read.
    example_page: String,
}

impl PlaygroundPage {
    fn new(shell: PageLayout, call: Call, config: &Config) -> Self {
        let operation = call.operation();
        let choice = |operation: &Operation| Choices {
            word: operation.as_str(),
            label: label(*operation),
            credits: operation.credits(),
        };
        Self {
            shell,
            operation: operation.as_str(),
            operations: Operation::ALL.iter().map(choice).collect(),
            frameworks: Framework::ALL.iter().map(|framework| framework.as_str()).collect(),
            sections: SectionRole::ALL.iter().map(|section| section.as_str()).collect(),
            formats: TokenFormat::ALL.iter().map(|format| format.as_str()).collect(),
            scopes: TokenScope::ALL.iter().map(|scope| scope.as_str()).collect(),
            languages: CodeLanguage::ALL.iter().map(|language| language.as_str()).collect(),
            brand_scopes: [BrandScope::All, BrandScope::Usual].map(WireEnum::as_str),
            price: call.price(),
            call,
            curl: None,
            result: None,
            result_query: None,
            is_gone: false,
            example_page: config.example_page(),
        }
    }

    fn is_format(&self, format: &str) -> bool {
        self.call.format == format || self.call.format.is_empty() && format == "json"
    }
}

fn label(operation: Operation) -> &'static str {
    match operation {
        Operation::Code => "Component",
        Operation::Brand => "Brand",
        Operation::Extract => "Tokens",
        Operation::Images => "Images",
        Operation::Svg => "SVG",
        Operation::Videos => "Videos",
        Operation::Audio => "Audio",
        Operation::Lottie => "Lottie",
        Operation::Fonts => "Fonts",
    }
}

/// `GET /playground`: a link's parameters fill in the form; the call is not made.
pub(crate) async fn page(State(app): State<Arc<AppState>>, member: SignedInUser, Query(call): Query<Call>) -> Response {
    let curl = (!call.url.is_empty()).then(|| call.curl(&app.config.api_url));
    let page = PlaygroundPage::new(member.shell("Playground", "playground", None), call, &app.config);
    member.visitor.show_as(&PlaygroundPage { curl, ..page }, PageKind::Results)
}

/// `POST /playground`
pub(crate) async fn run(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, form }: SignedInForm<Call>,
) -> Result<Response, HttpError> {
    let started = Instant::now();
    let answer = make_call(&app, &member, &form, false).await?;
    Ok(result_page(&app, &member, form, &answer, started))
}

/// `GET /playground/result`: the address of a result. It is shown for as long as it is cached; nothing is charged.
pub(crate) async fn result(
    State(app): State<Arc<AppState>>,
    member: SignedInUser,
    Query(call): Query<Call>,
) -> Result<Response, HttpError> {
    let started = Instant::now();
    let answer = make_call(&app, &member, &call, true).await?;
    if answer.status != 404 {
        return Ok(result_page(&app, &member, call, &answer, started));
    }
    let page = PlaygroundPage::new(member.shell("Playground", "playground", None), call, &app.config);
    Ok(member.visitor.show_as(&PlaygroundPage { is_gone: true, ..page }, PageKind::Results))
}

/// `GET /playground/download/{name}`: the files of a cached result: `result.json`, or `result.zip` with those it lists.
pub(crate) async fn download(
    State(app): State<Arc<AppState>>,
    member: SignedInUser,
    Path(name): Path<String>,
    Query(call): Query<Call>,
) -> Result<Response, HttpError> {
    let is_archive = match name.as_str() {
        "result.zip" => true,
        "result.json" => false,
        _ => return Err(HttpError::NotFound),
    };
    let answer = make_call(&app, &member, &call, true).await?;
    if answer.status != 200 {
        return Err(HttpError::NotFound);
    }
    let operation = call.operation();
    let mut files = files(operation, call.form(), &answer);
    if is_archive {
        let result = serde_json::from_slice(&answer.body).unwrap_or_default();
        if archive::lists_files(operation, &result) {
            app.rate_limiter.throttle(rate_limit::ARCHIVES, &member.session.account_id).await?;
        }
        files.extend(app.downloader.listed(operation, &result).await);
    }
    let (content_type, name, body) = match files.first() {
        Some((name, content)) if !is_archive => ("application/octet-stream", name.clone(), content.clone()),
        _ => ("application/zip", format!("{operation}.zip"), zip::archive(&files)),
    };
    let disposition = format!("attachment; filename=\"{name}\"");
    Ok(([(CONTENT_TYPE, content_type.to_owned()), (CONTENT_DISPOSITION, disposition)], body).into_response())
}

async fn make_call(
    app: &AppState,
    member: &SignedInUser,
    call: &Call,
    only_if_cached: bool,
) -> Result<GatewayResponse, HttpError> {
    let account_id = &member.session.account_id;
    app.rate_limiter.throttle(rate_limit::PLAYGROUND, account_id).await?;
    app.playground.call(account_id, call.operation(), &call.query(), only_if_cached).await
}

fn result_page(
    app: &AppState,
    member: &SignedInUser,
    call: Call,
    answer: &GatewayResponse,
    started: Instant,
) -> Response {
    let (operation, elapsed) = (call.operation(), started.elapsed());
    metrics::histogram!("limner_console_playground_duration_seconds", "operation" => operation.as_str())
        .record(elapsed);
    let sources = MediaSources { demo_host: app.config.demo.as_ref().map(|demo| demo.host.clone()) };
    let result = Some(ResultView::new(operation, call.form(), answer, elapsed.as_secs_f64(), &sources));
    let result_query = (answer.status == 200).then(|| call.result_query());
    let curl = Some(call.curl(&app.config.api_url));
    let page = PlaygroundPage::new(member.shell("Playground", "playground", None), call, &app.config);
    member.visitor.show_as(&PlaygroundPage { curl, result, result_query, ..page }, PageKind::Results)
}

#[derive(Deserialize)]
pub(crate) struct Preview {
    document: String,
}

/// `POST /playground/preview`: shows the component in a document without scripts and origin. Its CSP enforces this; the
/// frame's sandbox is a second layer.
pub(crate) async fn preview(SignedInForm { form, .. }: SignedInForm<Preview>) -> Response {
    let mut response = axum::response::Html(form.document).into_response();
    response.extensions_mut().insert(PageKind::Preview);
    response
}

#[derive(Template)]
#[template(path = "player.html")]
struct PlayerPage {
    shell: PageLayout,
}

/// `GET /playground/player`: the animation player, in a frame without an origin.
pub(crate) async fn player() -> Response {
    layout::render(&PlayerPage { shell: PageLayout::anonymous("Animation") }, PageKind::Player)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_follow_the_form() {
        let call = |operation: &str| Call {
            operation: operation.to_owned(),
            url: " example.org/?a='b' ".to_owned(),
            screenshot: "on".to_owned(),
            framework: "jsx".to_owned(),
            format: "css".to_owned(),
            theme: "light".to_owned(),
            ..Call::default()
        };
        let curl = call("code").curl("https://api.example.com");
        let expected = "'https://api.example.com/v1/code?url=example.org%2F%3Fa%3D%27b%27&framework=jsx&preview=true'";
        assert!(curl.ends_with(expected), "{curl}");
        let again = Call { fresh: "on".to_owned(), ..call("code") }.result_query();
        assert_eq!(again, "operation=code&url=example.org%2F%3Fa%3D%27b%27&framework=jsx", "neither fresh nor other");
        let query = |operation| {
            url::form_urlencoded::Serializer::new(String::new()).extend_pairs(call(operation).query()).finish()
        };
        assert!(query("extract").ends_with("&format=css") && !query("extract").contains("framework"));
        let page = Call { code_scope: "page".to_owned(), ..call("code") };
        let curl = page.curl("https://api.example.com");
        assert!(curl.ends_with("&framework=jsx&preview=true&scope=page'"), "{curl}");
        assert!(page.result_query().ends_with("&framework=jsx&code_scope=page"), "{}", page.result_query());
        let typed = Call { language: "ts".to_owned(), ..call("code") };
        assert!(typed.result_query().ends_with("&framework=jsx&language=ts"), "{}", typed.result_query());
        assert_eq!(typed.form().language, CodeLanguage::Ts);
        for (given, scope) in [("", "all"), ("all", "all"), ("brand", "brand"), ("x", "all")] {
            let brand = Call { brand_scope: given.to_owned(), ..call("brand") };
            let expected = format!("operation=brand&url=example.org%2F%3Fa%3D%27b%27&brand_scope={scope}");
            assert_eq!(brand.result_query(), expected);
            assert!(brand.curl("").ends_with(&format!("&scope={scope}'")), "{}", brand.curl(""));
        }
        assert!(!query("images").contains("screenshot"), "pictures of the page need a browser");
        assert_eq!(call("nonsense").operation(), Operation::Brand);
    }

    #[test]
    fn template_renders_every_body() {
        let empty = crate::gateway::GatewayResponse {
            status: 200,
            headers: http::HeaderMap::new(),
            body: br#"{"usage":{"creditsSpent":1},"url":"https://example.org/"}"#.to_vec().into(),
        };
        for operation in Operation::ALL {
            let result = ResultView::new(*operation, ResultForm::default(), &empty, 0.1, &MediaSources::default());
            assert!(!matches!(result.body, Body::Fault(_) | Body::File(_)), "{operation}");
            let page = PlaygroundPage::new(
                PageLayout::anonymous("x"),
                Call::default(),
                &Config::with_mail_folder(std::path::PathBuf::new()),
            );
            let html = PlaygroundPage { result: Some(result), ..page }.render().unwrap();
            assert!(html.contains("1 credit"), "{operation}");
        }
    }
}
