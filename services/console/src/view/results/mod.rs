//! Views of the results of the nine operations. Everything here was read from a page and is untrusted: text is escaped,
//! URLs are links only if they are http or https, images and media load over https only, markup is an image or is shown
//! in a frame.

mod brand;
mod brand_details;
mod code;
mod files;
mod marks;
mod media;
mod sources;
mod tokens;

pub(crate) use brand::BrandView;
pub(crate) use code::{CodeView, Section};
pub(crate) use files::files;
pub(crate) use marks::Mark;
pub(crate) use media::{Animation, Family, Media, Picture};
pub(crate) use sources::MediaSources;
pub(crate) use tokens::TokensView;

use crate::archive;
use crate::gateway::GatewayResponse;
use crate::view::markdown;
use limner_types::{CodeLanguage, Operation, TokenFormat};
use serde_json::Value;
use url::Url;

/// Maximum length of the JSON shown at the end: a browser has to lay it out.
const MAX_JSON_LEN: usize = 200_000;

/// The form of a result that was asked for, as far as the names of its files depend on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResultForm {
    pub(crate) tokens: TokenFormat,
    pub(crate) language: CodeLanguage,
}

impl Default for ResultForm {
    fn default() -> Self {
        Self { tokens: TokenFormat::Json, language: CodeLanguage::Js }
    }
}

/// A response of the gateway.
pub(crate) struct ResultView {
    pub(crate) operation: &'static str,
    pub(crate) request_id: String,
    pub(crate) cost: String,
    pub(crate) seconds: String,
    pub(crate) cache: String,
    pub(crate) left: Option<String>,
    /// HTML.
    pub(crate) hint: Option<String>,
    pub(crate) screenshot: Option<String>,
    pub(crate) body: Body,
    pub(crate) json: String,
    pub(crate) json_is_cut: bool,
    /// True if the result contains files.
    pub(crate) has_files: bool,
    /// Limits of the files in the archive that the result only lists; `None` if it lists none.
    pub(crate) archive_limits: Option<String>,
    /// Addresses in the lists of images, SVGs, media and fonts, one per line.
    pub(crate) addresses: String,
}

/// The result.
pub(crate) enum Body {
    Fault(FaultView),
    /// A file: tokens in any format but JSON.
    File(FileView),
    Code(Box<CodeView>),
    Brand(Box<BrandView>),
    Tokens(TokensView),
    Pictures(Vec<Picture>),
    Media(Vec<Media>),
    Animations(Vec<Animation>),
    Fonts(Vec<Family>),
}

/// Returns the name by which the highlighter knows the language of a file; empty if it has none.
fn language_of(file_name: &str) -> &'static str {
    match file_name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" | "vue" | "liquid" => "xml",
        "jsx" | "js" => "javascript",
        "tsx" | "ts" => "typescript",
        "css" => "css",
        "json" => "json",
        "md" => "markdown",
        _ => "",
    }
}

/// An error without a result.
pub(crate) struct FaultView {
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) remedy: &'static str,
    /// Sections that can be requested.
    pub(crate) sections: Vec<Section>,
}

/// Text to copy.
pub(crate) struct FileView {
    pub(crate) text: String,
    pub(crate) name: &'static str,
}

impl FileView {
    /// Returns the name of its language for the highlighter.
    pub(crate) fn language(&self) -> &'static str {
        language_of(self.name)
    }
}

impl ResultView {
    pub(crate) fn new(
        operation: Operation,
        form: ResultForm,
        answer: &GatewayResponse,
        seconds: f64,
        sources: &MediaSources,
    ) -> Self {
        let value: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let is_json_result = value["usage"].is_object();
        let body = if answer.status != 200 {
            Body::Fault(error_view(&value))
        } else if is_json_result {
            body(operation, form, &value, sources)
        } else {
            file(form, answer)
        };
        let (json, json_is_cut) = pretty(answer, &value);
        let spent = value["usage"]["creditsSpent"].as_u64();
        let lists_files = archive::lists_files(operation, &value);
        Self {
            operation: limner_types::WireEnum::as_str(operation),
            request_id: answer.header("x-request-id").to_owned(),
            cost: match (answer.status, spent, answer.header("x-cache")) {
                (200, Some(1), _) => "1 credit".to_owned(),
                (200, Some(spent), _) => format!("{spent} credits"),
                (200, None, "HIT") => "0 credits".to_owned(),
                (200, None, _) => format!("{} credits", operation.credits()),
                _ => "0 credits".to_owned(),
            },
            seconds: format!("{seconds:.1} s"),
            cache: answer.header("x-cache").to_owned(),
            left: Some(answer.header("x-quota-remaining").to_owned()).filter(|left| !left.is_empty()),
            hint: value["hint"].as_str().map(markdown::with_code),
            screenshot: value["screenshot"].as_str().and_then(link),
            body,
            json,
            json_is_cut,
            has_files: files::has_parts(operation, &value) || lists_files,
            archive_limits: lists_files.then(archive::limits),
            addresses: addresses(operation, &value),
        }
    }
}

fn error_view(value: &Value) -> FaultView {
    let code = text(&value["data"]["code"]);
    let sections = list(&value["data"]["sections"]);
    FaultView {
        message: text(&value["statusMessage"]),
        remedy: limner_types::ErrorCode::parse(&code).map(super::errors::remedy).unwrap_or_default(),
        sections: sections.map(|section| Section::new(section, "")).collect(),
        code,
    }
}

fn body(operation: Operation, form: ResultForm, value: &Value, sources: &MediaSources) -> Body {
    match operation {
        Operation::Code => Body::Code(Box::new(CodeView::new(value, form.language, sources))),
        Operation::Brand => Body::Brand(Box::new(BrandView::new(value, sources))),
        Operation::Extract => Body::Tokens(TokensView::new(value)),
        Operation::Images => Body::Pictures(list(&value["images"]).map(|item| media::image(item, sources)).collect()),
        Operation::Svg => {
            Body::Pictures(list(&value["svgs"]).enumerate().map(|item| media::svg(item, sources)).collect())
        }
        Operation::Videos => Body::Media(list(&value["videos"]).map(|item| media::video(item, sources)).collect()),
        Operation::Audio => Body::Media(list(&value["audio"]).map(|item| media::audio(item, sources)).collect()),
        Operation::Lottie => Body::Animations(list(&value["lottie"]).map(media::animation).collect()),
        Operation::Fonts => Body::Fonts(media::families(&value["fonts"], sources)),
    }
}

fn addresses(operation: Operation, value: &Value) -> String {
    let field = match operation {
        Operation::Images => "images",
        Operation::Svg => "svgs",
        Operation::Videos => "videos",
        Operation::Audio => "audio",
        Operation::Lottie => "lottie",
        Operation::Fonts => "fonts",
        Operation::Code | Operation::Brand | Operation::Extract => return String::new(),
    };
    let urls = list(&value[field]).filter_map(|item| link(item["url"].as_str()?));
    urls.collect::<Vec<_>>().join("\n")
}

fn file(form: ResultForm, answer: &GatewayResponse) -> Body {
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    Body::File(FileView { text, name: form.tokens.file_name() })
}

fn pretty(answer: &GatewayResponse, value: &Value) -> (String, bool) {
    if value.is_null() {
        return (String::new(), false);
    }
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    let is_cut = text.len() > MAX_JSON_LEN || answer.body.len() > 4 * MAX_JSON_LEN;
    let cut = text.floor_char_boundary(MAX_JSON_LEN.min(text.len()));
    text.truncate(cut);
    (text, is_cut)
}

/// Returns the items of a list; empty for any other value.
fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Returns a text or a number as text; empty for any other value.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

/// Returns a URL that may be linked to: http or https, without credentials.
fn link(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let is_plain = matches!(url.scheme(), "http" | "https") && url.has_host() && url.username().is_empty();
    is_plain.then(|| url.into())
}

/// Returns the name of a URL in a list: its last segment.
fn short_name(address: &str) -> String {
    if address.starts_with("data:") {
        return "inline".to_owned();
    }
    let url = Url::parse(address).ok();
    let last = url.as_ref().and_then(|url| url.path_segments()?.rfind(|part| !part.is_empty()).map(str::to_owned));
    last.or_else(|| Some(url?.host_str()?.to_owned())).unwrap_or_else(|| address.chars().take(60).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_plain_addresses_are_links() {
        let sources = MediaSources::default();
        for address in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            " javascript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "vbscript:x",
            "file:///etc/passwd",
            "blob:https://a.b/c",
            "https://user@host/",
            "//host/x",
            "",
        ] {
            assert_eq!(link(address), None, "{address}");
            assert_eq!(sources.picture(address), None, "{address}");
        }
        assert_eq!(link("http://a.example/\" onload=x").unwrap(), "http://a.example/%22%20onload=x");
        assert_eq!(sources.media("http://a.example/x.png"), None);
        assert!(sources.media("https://a.example/x.png").is_some());
        assert!(sources.picture("data:image/svg+xml;base64,AAAA").is_some());
        assert_eq!(sources.picture("data:text/html;base64,AAAA"), None);
    }

    #[test]
    fn results_of_any_shape_are_shown() {
        let shapes = [
            json!(null),
            json!([]),
            json!({"usage": {}, "url": 5}),
            json!({"usage": {}, "images": {"a": 1}, "svgs": [1],
            "videos": ["x", null], "audio": [[]], "lottie": [{"animation": "x"}], "fonts": [{"src": 5}], "colors": [],
            "palette": 7, "code": {}, "sections": "x"}),
        ];
        for shape in shapes {
            for operation in <Operation as limner_types::WireEnum>::ALL {
                let answer = GatewayResponse {
                    status: 200,
                    headers: http::HeaderMap::new(),
                    body: serde_json::to_vec(&shape).unwrap().into(),
                };
                let form = ResultForm::default();
                ResultView::new(*operation, form, &answer, 1.0, &MediaSources::default());
                files(*operation, form, &answer);
            }
        }
    }
}
