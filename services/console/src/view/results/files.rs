//! The files of a result, for downloads.

use super::code::file_names;
use super::{list, text};
use crate::gateway::GatewayResponse;
use limner_types::Operation;
use serde_json::Value;

/// Returns names and contents of the files of a successful response; the first is the whole response.
pub(crate) fn files(operation: Operation, answer: &GatewayResponse) -> Vec<(String, Vec<u8>)> {
    let Ok(value) = serde_json::from_slice::<Value>(&answer.body) else {
        return vec![(text_file_name(answer).to_owned(), answer.body.to_vec())];
    };
    let name = if value["usage"].is_object() { format!("{operation}.json") } else { text_file_name(answer).to_owned() };
    let whole = (name, serde_json::to_vec_pretty(&value).unwrap_or_default());
    let parts = parts(operation, &value).map(|(name, content)| (name, content.into_bytes()));
    std::iter::once(whole).chain(parts).collect()
}

/// Returns true if a result contains files. Those that it only lists are not downloaded here.
pub(super) fn has_parts(operation: Operation, value: &Value) -> bool {
    parts(operation, value).next().is_some()
}

/// Returns names and contents of the files that a result contains.
fn parts(operation: Operation, value: &Value) -> Box<dyn Iterator<Item = (String, String)> + '_> {
    let numbered = move |field: &str| (1..).zip(list(&value[field]));
    let parts: Box<dyn Iterator<Item = (String, String)> + '_> = match operation {
        Operation::Code => {
            let (code, css) = file_names(value);
            let own = [(code, "code"), (css, "css"), ("preview.html".to_owned(), "preview")];
            let own = own.into_iter().map(move |(name, field)| (name, text(&value[field])));
            Box::new(own.chain(list(&value["files"]).map(|file| (text(&file["path"]), text(&file["code"])))))
        }
        Operation::Brand => Box::new(numbered("logos").map(|(number, logo): (usize, _)| {
            (format!("logos/{number:03}{}.svg", suffix(&text(&logo["type"]))), text(&logo["code"]))
        })),
        Operation::Svg => Box::new(numbered("svgs").map(|(number, item)| {
            let code = text(&item["code"]);
            let code = if code.is_empty() { code } else { super::media::standalone(&code) };
            (format!("{number:03}{}.svg", suffix(&text(&item["title"]))), code)
        })),
        Operation::Lottie => Box::new(numbered("lottie").map(|(number, item)| {
            let animation = &item["animation"];
            let content = if animation.is_object() { animation.to_string() } else { String::new() };
            (format!("{number:03}{}.json", suffix(&text(&item["name"]))), content)
        })),
        _ => Box::new(std::iter::empty()),
    };
    Box::new(parts.filter(|(_, content)| !content.is_empty()))
}

/// Returns the name of a response that is a file of tokens.
pub(super) fn text_file_name(answer: &GatewayResponse) -> &'static str {
    match answer.header("content-type") {
        kind if kind.starts_with("text/css") => "tokens.css",
        kind if kind.starts_with("text/plain") => "theme.css",
        kind if kind.starts_with("text/markdown") => "DESIGN.md",
        _ => "tokens.json",
    }
}

/// Returns words of a page as the end of a file name.
fn suffix(words: &str) -> String {
    let slug: String = crate::view::markdown::slug(words).chars().take(40).collect();
    if slug.is_empty() { slug } else { format!("-{slug}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn names(operation: Operation, content_type: &'static str, body: &str) -> Vec<String> {
        let mut headers = http::HeaderMap::new();
        headers.insert(http::header::CONTENT_TYPE, http::HeaderValue::from_static(content_type));
        let answer = GatewayResponse { status: 200, headers, body: body.as_bytes().to_vec().into() };
        let names: Vec<String> = files(operation, &answer).into_iter().map(|(name, _)| name).collect();
        let value = serde_json::from_str(body).unwrap_or_default();
        assert_eq!(has_parts(operation, &value), names.len() > 1, "{names:?}");
        names
    }

    #[test]
    fn every_part_of_a_result_is_a_file() {
        let code = json!({"code": "x", "css": ".y{}", "preview": "<p>", "framework": "jsx", "defaultName": "PriceTable",
            "usage": {}});
        let expected = ["code.json", "PriceTable.jsx", "PriceTable.css", "preview.html"];
        assert_eq!(names(Operation::Code, "application/json", &code.to_string()), expected);
        let page = json!({"code": "{}", "framework": "shopify", "defaultName": "ShopPage", "usage": {},
            "files": [{"path": "sections/hero.liquid", "code": "x"}]});
        let expected = ["code.json", "templates/page.shop-page.json", "sections/hero.liquid"];
        assert_eq!(names(Operation::Code, "application/json", &page.to_string()), expected);
        let svgs =
            json!({"svgs": [{"code": "<svg/>", "title": "../A b"}, {"url": "https://a.example/x.svg"}], "usage": {}});
        assert_eq!(names(Operation::Svg, "application/json", &svgs.to_string()), ["svg.json", "001-a-b.svg"]);
        let brand = json!({"logos": [{"url": "https://a.example/x.png", "type": "logo"},
            {"url": "data:image/svg+xml,x", "type": "logo", "code": "<svg/>"}], "usage": {}});
        let expected = ["brand.json", "logos/002-logo.svg"];
        assert_eq!(names(Operation::Brand, "application/json", &brand.to_string()), expected);
        assert_eq!(names(Operation::Extract, "text/css; charset=utf-8", ":root {}"), ["tokens.css"]);
        assert_eq!(names(Operation::Extract, "application/json", "{\"color\":{}}"), ["tokens.json"]);
        let hostile = json!({"code": "x", "framework": "x", "defaultName": "../../etc", "usage": {}});
        assert_eq!(names(Operation::Code, "application/json", &hostile.to_string()), ["code.json", "etc.html"]);
    }
}
