//! `limner extract code --out DIR`: the component as files of its framework, its assets, and a preview page.

use crate::views::escaped;
use limner_types::component_name::{code_file, stylesheet_file};
use limner_types::{CodeLanguage, CodeOptions, Framework, OperationOptions, OperationRequest};
use serde_json::Value;

/// Returns the request for markup and stylesheet that any browser shows, if the framework's own form needs a compiler.
pub(super) fn preview_request(request: &OperationRequest) -> Option<OperationRequest> {
    let OperationOptions::Code(options) = &request.options else { return None };
    let is_shown = options.framework == Framework::Html;
    let options = CodeOptions { framework: Framework::Html, language: CodeLanguage::Js, ..options.clone() };
    (!is_shown).then(|| OperationRequest { options: OperationOptions::Code(options), ..request.clone() })
}

/// Returns names and contents of the files. `shown` is the result for `html`; without it there is no preview page.
pub(super) fn files(request: &OperationRequest, result: &Value, shown: Option<&Value>) -> Vec<(String, String)> {
    let OperationOptions::Code(options) = &request.options else { return Vec::new() };
    let own = options.name.as_deref().or(result["defaultName"].as_str()).unwrap_or("Section");
    let component = code_file(own, options.framework, options.language, options.scope);
    let sheet = stylesheet_file(&component);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let css = result["css"].as_str().map(|css| (sheet, css.to_owned()));
    let fixed = [(component, text(&result["code"])), ("assets.json".to_owned(), format!("{:#}\n", result["assets"]))];
    let preview = shown.map(|shown| ("index.html".to_owned(), preview(own, shown)));
    fixed.into_iter().chain(preview).chain(css).chain(page_files(result)).collect()
}

/// Returns the files that a page consists of.
fn page_files(result: &Value) -> impl Iterator<Item = (String, String)> {
    let files = result["files"].as_array().map(Vec::as_slice).unwrap_or_default();
    files.iter().map(|file| {
        let text = |name: &str| file[name].as_str().unwrap_or_default().to_owned();
        (text("path"), text("code"))
    })
}

/// Returns the code as one file can hold it, and a note for a person if its stylesheet is not in it.
pub(super) fn print(request: &OperationRequest, result: &Value) -> (String, Option<&'static str>) {
    let code = result["code"].as_str().unwrap_or_default().trim_end();
    let (Some(css), OperationOptions::Code(options)) = (result["css"].as_str(), &request.options) else {
        return (code.to_owned(), None);
    };
    let css = css.trim_end();
    match options.framework {
        Framework::Html | Framework::Tailwind => (format!("<style>\n{css}\n</style>\n{code}"), None),
        Framework::Vue => (format!("{code}\n\n<style>\n{css}\n</style>"), None),
        Framework::Jsx | Framework::Elementor | Framework::Shopify => {
            (code.to_owned(), Some("The component's stylesheet is not printed: --json and --out DIR have it."))
        }
    }
}

/// Returns a page with only the component. Captured markup runs no scripts, which the page's CSP enforces.
fn preview(name: &str, shown: &Value) -> String {
    let field = |name: &str| shown[name].as_str().unwrap_or_default();
    let ground = if field("theme") == "dark" { " background: #111;" } else { "" };
    format!(
        "<!doctype html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'; object-src 'none'\">\n\
         <title>{} · {}</title>\n<style>\nbody {{ margin: 0;{ground} }}\n</style>\n<style>\n{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        escaped(name),
        escaped(field("url")),
        field("css"),
        field("code"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_types::Operation;
    use limner_types::request;
    use scraper::{Html, Selector};
    use serde_json::json;

    fn request(framework: &str, name: Option<&str>) -> OperationRequest {
        let mut pairs = vec![("url".to_owned(), "a.test".to_owned()), ("framework".to_owned(), framework.to_owned())];
        pairs.extend(name.map(|name| ("name".to_owned(), name.to_owned())));
        request::parse(Operation::Code, &pairs).unwrap().request
    }

    #[test]
    fn every_framework_has_its_own_files() {
        for (framework, name, css, expected) in [
            ("html", None, Some(".x{}"), vec!["hero.html", "assets.json", "index.html", "hero.css"]),
            ("tailwind", None, None, vec!["hero.html", "assets.json", "index.html"]),
            (
                "jsx",
                Some("PriceTable"),
                Some("@keyframes a{}"),
                vec!["PriceTable.jsx", "assets.json", "index.html", "PriceTable.css"],
            ),
            ("vue", None, None, vec!["Hero.vue", "assets.json", "index.html"]),
            ("elementor", None, None, vec!["hero.elementor.json", "assets.json", "index.html"]),
            ("shopify", Some("PriceTable"), None, vec!["hero.liquid", "assets.json", "index.html"]),
        ] {
            let result = json!({ "code": "<b>", "css": css, "defaultName": "Hero", "assets": { "images": [] } });
            let shown = json!({ "url": "https://a.test/?<", "code": "<p>Shown</p>", "css": ".p{}", "theme": "dark" });
            let files = files(&request(framework, name), &result, Some(&shown));
            let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, expected, "{framework}");
            let page = Html::parse_document(&files[2].1);
            let texts = |selector: &str| {
                let selector = Selector::parse(selector).unwrap();
                page.select(&selector).map(|element| element.text().collect()).collect::<Vec<String>>()
            };
            assert_eq!(texts("body > *"), ["Shown"], "{framework}");
            assert!(texts("title")[0].ends_with("https://a.test/?<"), "{:?}", texts("title"));
            assert!(texts("style").iter().any(|css| css.trim() == ".p{}"), "{:?}", texts("style"));
            assert!(texts("style")[0].contains("background: #111"), "{:?}", texts("style"));
            assert_eq!(texts("meta[content*=\"script-src 'none'\"]").len(), 1, "{framework}");
            assert_eq!(preview_request(&request(framework, name)).is_some(), framework != "html");
        }
    }
}
