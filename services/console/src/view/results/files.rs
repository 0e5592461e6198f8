//! The files of a result, for downloads.

use super::code::file_names;
use super::{ResultForm, list, text};
use crate::gateway::GatewayResponse;
use limner_types::{Operation, TokenFormat};
use serde_json::Value;

/// Returns names and contents of the files of a successful response; the first is the whole response. The names are
/// those of `limner extract --out`.
pub(crate) fn files(operation: Operation, form: ResultForm, answer: &GatewayResponse) -> Vec<(String, Vec<u8>)> {
    let Ok(value) = serde_json::from_slice::<Value>(&answer.body) else {
        return vec![(form.tokens.file_name().to_owned(), answer.body.to_vec())];
    };
    let name = match operation {
        Operation::Extract if value["usage"].is_object() => TokenFormat::Json.file_name().to_owned(),
        Operation::Extract => form.tokens.file_name().to_owned(),
        operation => format!("{operation}.json"),
    };
    let whole = (name, serde_json::to_vec_pretty(&value).unwrap_or_default());
    let parts = parts(operation, form, &value).map(|(name, content)| (name, content.into_bytes()));
    std::iter::once(whole).chain(parts).collect()
}

/// Returns true if a result contains files.
pub(super) fn has_parts(operation: Operation, value: &Value) -> bool {
    parts(operation, ResultForm::default(), value).next().is_some()
}

/// Returns names and contents of the files that a result contains.
fn parts(operation: Operation, form: ResultForm, value: &Value) -> Box<dyn Iterator<Item = (String, String)> + '_> {
    let numbered = move |field: &str| (1..).zip(list(&value[field]));
    let parts: Box<dyn Iterator<Item = (String, String)> + '_> = match operation {
        Operation::Code => {
            let (code, css) = file_names(value, form.language);
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

/// Returns words of a page as the end of a file name.
fn suffix(words: &str) -> String {
    let slug: String = crate::view::markdown::slug(words).chars().take(40).collect();
    if slug.is_empty() { slug } else { format!("-{slug}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_types::CodeLanguage;
    use serde_json::json;

    fn names(operation: Operation, body: &str) -> Vec<String> {
        names_in(operation, ResultForm::default(), body)
    }

    fn names_in(operation: Operation, form: ResultForm, body: &str) -> Vec<String> {
        let answer =
            GatewayResponse { status: 200, headers: http::HeaderMap::new(), body: body.as_bytes().to_vec().into() };
        let names: Vec<String> = files(operation, form, &answer).into_iter().map(|(name, _)| name).collect();
        let value = serde_json::from_str(body).unwrap_or_default();
        assert_eq!(has_parts(operation, &value), names.len() > 1, "{names:?}");
        names
    }

    #[test]
    fn every_part_of_a_result_is_a_file() {
        let code = json!({"code": "x", "css": ".y{}", "preview": "<p>", "framework": "jsx", "defaultName": "PriceTable",
            "usage": {}});
        let expected = ["code.json", "PriceTable.jsx", "PriceTable.css", "preview.html"];
        assert_eq!(names(Operation::Code, &code.to_string()), expected);
        let page = json!({"code": "{}", "framework": "shopify", "defaultName": "ShopPage", "usage": {},
            "files": [{"path": "sections/hero.liquid", "code": "x"}]});
        let expected = ["code.json", "templates/page.shop-page.json", "sections/hero.liquid"];
        assert_eq!(names(Operation::Code, &page.to_string()), expected);
        let svgs =
            json!({"svgs": [{"code": "<svg/>", "title": "../A b"}, {"url": "https://a.example/x.svg"}], "usage": {}});
        assert_eq!(names(Operation::Svg, &svgs.to_string()), ["svg.json", "001-a-b.svg"]);
        let brand = json!({"logos": [{"url": "https://a.example/x.png", "type": "logo"},
            {"url": "data:image/svg+xml,x", "type": "logo", "code": "<svg/>"}], "usage": {}});
        let expected = ["brand.json", "logos/002-logo.svg"];
        assert_eq!(names(Operation::Brand, &brand.to_string()), expected);
        let typed = ResultForm { language: CodeLanguage::Ts, ..ResultForm::default() };
        let expected = ["code.json", "PriceTable.tsx", "PriceTable.css", "preview.html"];
        assert_eq!(names_in(Operation::Code, typed, &code.to_string()), expected);
        let hostile = json!({"code": "x", "framework": "x", "defaultName": "../../etc", "usage": {}});
        assert_eq!(names(Operation::Code, &hostile.to_string()), ["code.json", "etc.html"]);
    }

    #[test]
    fn tokens_are_named_by_their_format() {
        for (format, body, name) in [
            (TokenFormat::Json, "{\"colors\":{},\"usage\":{}}", "tokens.json"),
            (TokenFormat::Css, ":root {}", "tokens.css"),
            (TokenFormat::Tailwind, "@theme {}", "tailwind.css"),
            (TokenFormat::Dtcg, "{\"color\":{}}", "design.tokens.json"),
            (TokenFormat::DtcgResolver, "{\"sets\":{}}", "design.resolver.json"),
            (TokenFormat::DesignMd, "---\n", "DESIGN.md"),
        ] {
            let form = ResultForm { tokens: format, ..ResultForm::default() };
            assert_eq!(names_in(Operation::Extract, form, body), [name]);
        }
    }
}
