//! The reference: Markdown from the OpenAPI document.

use super::samples::samples;
use super::{DocsPage, DocsPart};
use crate::view::markdown::slug;
use limner_types::Operation;
use serde_json::{Map, Value};
use std::fmt::Write;

/// Returns the overview and a page for each operation.
pub(super) fn pages(document: &Value, api_url: &str, example_page: &str) -> Vec<DocsPage> {
    let operations = document["paths"].as_object().into_iter().flatten();
    let mut pages = vec![overview(document, api_url)];
    pages.extend(operations.filter_map(|(path, item)| {
        let get = item.get("get")?;
        let endpoint = format!("{api_url}/v1{path}");
        let page = OperationPage { document, path, get, endpoint, example_page };
        let about = format!("{}.", text(&get["summary"]));
        Some(DocsPage::new(&address(path), &format!("GET {path}"), &about, DocsPart::Reference, page.markdown()))
    }));
    pages
}

/// Returns the path of the page about an operation.
fn address(path: &str) -> String {
    format!("/docs/reference{}", path.trim_end_matches(".json"))
}

fn overview(document: &Value, api_url: &str) -> DocsPage {
    let mut out = format!(
        "The API is at `{api_url}/v1`. Every call except `/openapi.json` carries a key: `Authorization: Bearer <API_KEY>`. The same reference exists \
         as [an OpenAPI 3.1 document](/openapi.json).\n\n# Operations\n\n| Operation | Result | Credits |\n|---|---|---|\n"
    );
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        let get = &item["get"];
        let credits = get["x-credits"].as_u64().map_or("free".to_owned(), |credits| credits.to_string());
        let _ = writeln!(out, "| [`GET {path}`]({}) | {} | {credits} |", address(path), cell(&text(&get["summary"])));
    }
    let _ = write!(
        out,
        "\n# Conventions\n\n{}\n\n# Response headers\n\n| Header | Description |\n|---|---|\n",
        text(&document["info"]["description"])
    );
    for (name, header) in document["components"]["headers"].as_object().into_iter().flatten() {
        let _ = writeln!(out, "| `{name}` | {} |", cell(&text(&header["description"])));
    }
    let about = "Operations, parameters, responses and code for every call.";
    DocsPage::new("/docs/reference", "API overview", about, DocsPart::Reference, out)
}

/// An operation of the document.
struct OperationPage<'a> {
    document: &'a Value,
    path: &'a str,
    get: &'a Value,
    endpoint: String,
    /// The page that the samples read.
    example_page: &'a str,
}

impl OperationPage<'_> {
    fn markdown(&self) -> String {
        let mut out = format!("{}\n\n{}# Request\n\n", text(&self.get["description"]), guides(self.path));
        out.push_str(&samples(
            &self.endpoint,
            Operation::from_path(self.path.trim_start_matches('/')),
            self.example_page,
        ));
        self.parameters(&mut out);
        let response = &self.get["responses"]["200"];
        out.push_str("\n# Response\n\n");
        self.response(response, &mut out);
        self.examples(response, &mut out);
        self.types(response, &mut out);
        self.errors(&mut out);
        out
    }

    fn parameters(&self, out: &mut String) {
        let parameters = self.get["parameters"].as_array().into_iter().flatten();
        let mut parameters = parameters.map(|given| resolve(self.document, given)).peekable();
        if parameters.peek().is_some() {
            out.push_str("\n# Parameters\n\n| Parameter | Type | Description |\n|---|---|---|\n");
        }
        for parameter in parameters {
            let required = if parameter["required"] == true { ", required" } else { "" };
            let kind = self.kind(&parameter["schema"], Reference::Values);
            let about = cell(&text(&parameter["description"]));
            let _ = writeln!(out, "| `{}` | {kind}{required} | {about} |", text(&parameter["name"]));
        }
    }

    /// Writes the schema of the response.
    fn response(&self, response: &Value, out: &mut String) {
        for media_type in response["content"].as_object().into_iter().flatten().map(|(name, _)| name) {
            let _ = writeln!(out, "Status 200, `{media_type}`.\n");
        }
        self.fields(self.result(response), out);
    }

    /// Returns the schema of the response as JSON.
    fn result<'a>(&'a self, response: &'a Value) -> &'a Value {
        resolve(self.document, &response["content"]["application/json"]["schema"])
    }

    /// Writes each schema that the schema of the response leads to.
    fn types(&self, response: &Value, out: &mut String) {
        let mut names = Vec::new();
        referred(self.result(response), &mut names);
        if !names.is_empty() {
            out.push_str("\n# Types\n");
        }
        let mut next = 0;
        while let Some(name) = names.get(next).cloned() {
            next += 1;
            let schema = &self.document["components"]["schemas"][&name];
            referred(schema, &mut names);
            let _ = write!(out, "\n## {name}\n\n");
            self.fields(schema, out);
        }
    }

    fn fields(&self, schema: &Value, out: &mut String) {
        if let Some(about) = schema["description"].as_str() {
            let _ = writeln!(out, "{about}\n");
        }
        let variants = ["oneOf", "anyOf"].iter().filter_map(|choice| schema[*choice].as_array()).flatten();
        let variants: Vec<String> = variants.map(|variant| self.kind(variant, Reference::Link)).collect();
        if !variants.is_empty() {
            let _ = writeln!(out, "One of {}.", variants.join(", "));
        }
        if let Some(values) = schema["enum"].as_array() {
            let _ = writeln!(out, "Values: {}.", words(values));
        }
        let properties = schema["properties"].as_object();
        let further = schema.get("additionalProperties").filter(|further| further.is_object());
        if properties.is_none_or(Map::is_empty) && further.is_none() {
            return;
        }
        let required = schema["required"].as_array();
        out.push_str("| Field | Type | Description |\n|---|---|---|\n");
        for (name, property) in properties.into_iter().flatten() {
            let is_optional = required.is_none_or(|required| !required.iter().any(|known| known == name));
            let optional = if is_optional { ", optional" } else { "" };
            let (kind, about) = (self.kind(property, Reference::Link), cell(&text(&property["description"])));
            let _ = writeln!(out, "| `{name}` | {kind}{optional} | {about} |");
        }
        if let Some(further) = further {
            let (kind, about) = (self.kind(further, Reference::Link), cell(&text(&further["description"])));
            let _ = writeln!(out, "| any other name | {kind} | {about} |");
        }
    }

    /// Returns the type of a schema, in words.
    fn kind(&self, schema: &Value, references: Reference) -> String {
        let default = match &schema["default"] {
            Value::Null => String::new(),
            Value::String(default) => format!("; default `{default}`"),
            default => format!("; default `{default}`"),
        };
        if let Some(name) = schema["$ref"].as_str().and_then(|target| target.rsplit('/').next()) {
            return match references {
                Reference::Link => format!("[{name}](#{})", slug(name)),
                Reference::Values => format!("{}{default}", self.kind(resolve(self.document, schema), references)),
            };
        }
        let choices = ["oneOf", "anyOf"].iter().find_map(|choice| schema[*choice].as_array());
        if let Some(choices) = choices {
            let kinds: Vec<String> = choices.iter().map(|choice| self.kind(choice, references)).collect();
            return format!("{}{default}", kinds.join(" or "));
        }
        if let Some(values) = schema["enum"].as_array() {
            return format!("{}{default}", words(values));
        }
        let kind = match &schema["type"] {
            Value::Array(types) => types.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
            Value::String(name) if name == "array" => {
                format!("array of {}", self.kind(&schema["items"], references))
            }
            Value::String(name) if name == "object" && schema["additionalProperties"].is_object() => {
                format!("object of {}", self.kind(&schema["additionalProperties"], references))
            }
            Value::String(name) => name.clone(),
            _ => "any".to_owned(),
        };
        format!("{kind}{default}")
    }

    fn examples(&self, response: &Value, out: &mut String) {
        let mut blocks = String::new();
        for body in response["content"].as_object().into_iter().flatten().map(|(_, body)| body) {
            for (name, example) in body["examples"].as_object().into_iter().flatten() {
                let (language, code) = match &example["value"] {
                    Value::String(code) => ("css", code.clone()),
                    value => ("json", serde_json::to_string_pretty(&with_short_texts(value)).unwrap_or_default()),
                };
                let _ = write!(blocks, "```{language} tab={name}\n{}\n```\n\n", code.trim_end());
            }
        }
        if !blocks.is_empty() {
            let _ = write!(out, "\n# Example\n\nLong lists and texts are shortened here.\n\n{blocks}");
        }
    }

    fn errors(&self, out: &mut String) {
        out.push_str("\n# Errors\n\nA call that fails costs nothing, whatever the error.\n\n| Status | Code | Description |\n|---|---|---|\n");
        let responses = self.get["responses"].as_object().into_iter().flatten();
        for (status, response) in responses.filter(|(status, _)| *status != "200") {
            let response = resolve(self.document, response);
            let examples = response["content"]["application/json"]["examples"].as_object().into_iter().flatten();
            let codes: Vec<String> = examples.map(|(code, _)| format!("[`{code}`](/docs/errors#{code})")).collect();
            let _ = writeln!(out, "| {status} | {} | {} |", codes.join(", "), cell(&text(&response["description"])));
        }
    }
}

/// Returns the sentence that leads to the guide about an operation; nothing for operations without one.
fn guides(path: &str) -> String {
    let (title, guide, about) = match path {
        "/code" => ("Components", "components", "sections, frameworks, themes and whole pages"),
        "/brand" => {
            ("Brand identity", "brand", "the values, their [evidence](/docs/guides/brand#evidence) and the confidence")
        }
        "/extract" => ("Design tokens", "tokens", "the formats, names, counts and groups"),
        "/images" | "/svg" | "/videos" | "/audio" | "/lottie" | "/fonts" => {
            ("Images, SVGs, media and fonts", "assets", "what the lists contain")
        }
        "/usage" => ("Limits and pagination", "limits", "the pages of the history"),
        _ => return String::new(),
    };
    format!("The guide [{title}](/docs/guides/{guide}) explains {about}.\n\n")
}

/// Maximum length of a text of an example, in characters: that of a long URL.
const MAX_EXAMPLE_TEXT: usize = 140;

/// Shortens the texts of an example, such as `data:` URLs and code.
fn with_short_texts(value: &Value) -> Value {
    match value {
        Value::String(text) => match text.char_indices().nth(MAX_EXAMPLE_TEXT) {
            Some((end, _)) => Value::String(format!("{}…", &text[..end])),
            None => value.clone(),
        },
        Value::Array(items) => items.iter().map(with_short_texts).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, member)| (name.clone(), with_short_texts(member))).collect())
        }
        _ => value.clone(),
    }
}

/// The form that references to other schemas take.
#[derive(Clone, Copy)]
enum Reference {
    Link,
    Values,
}

/// Adds the names of the schemas that a schema refers to, in order, each once.
fn referred(schema: &Value, names: &mut Vec<String>) {
    match schema {
        Value::Array(parts) => parts.iter().for_each(|part| referred(part, names)),
        Value::Object(members) => {
            let target = members.get("$ref").and_then(Value::as_str);
            if let Some(name) = target.and_then(|target| target.strip_prefix("#/components/schemas/"))
                && !names.iter().any(|known| known == name)
            {
                names.push(name.to_owned());
            }
            members.values().for_each(|member| referred(member, names));
        }
        _ => {}
    }
}

/// Resolves a `$ref` within the document.
fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    target.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn words(values: &[Value]) -> String {
    values.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Returns a text as the cell of a table: on one line, without bars.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use scraper::{Html, Selector};
    use serde_json::json;

    fn document() -> Value {
        let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
        json!({
            "info": { "description": "**Cache.** A day." },
            "paths": { "/brand": { "get": {
                "summary": "Brand identity", "description": "Costs 15 credits. `logo` is no preview.", "x-credits": 15,
                "parameters": [
                    { "name": "url", "required": true, "description": "The `page` | its URL.", "schema": { "type": "string" } },
                    { "name": "theme", "schema": { "$ref": "#/components/schemas/Theme", "default": "light" } },
                ],
                "responses": {
                    "200": { "content": { "application/json": {
                        "schema": reference("BrandResult"),
                        "examples": { "result": { "value": { "url": "https://a.test/<b>", "logo": "x".repeat(9_000) } } },
                    } } },
                    "429": { "description": "Too many.", "content": { "application/json": { "examples": { "rate_limited": {} } } } },
                },
            } } },
            "components": { "headers": { "X-Cache": { "description": "Cache outcome." } }, "schemas": {
                "BrandResult": { "type": "object", "required": ["url"], "properties": {
                    "url": { "type": "string", "description": "The page." },
                    "title": { "type": ["string", "null"] },
                    "evidence": { "type": "object", "description": "By field.", "additionalProperties": reference("Evidence") },
                } },
                "Evidence": { "type": "object", "required": ["from"], "properties": { "from": { "type": "array", "items": { "type": "string" } } } },
                "Theme": { "type": "string", "enum": ["light", "dark"] },
            } },
        })
    }

    fn texts(html: &str, selector: &str) -> Vec<String> {
        let (html, selector) = (Html::parse_fragment(html), Selector::parse(selector).unwrap());
        html.select(&selector).map(|element| element.text().collect::<String>().trim().to_owned()).collect()
    }

    #[test]
    fn operation_page_has_schema_example_and_code() {
        let pages = pages(&document(), "https://api.limner.test", "a.test");
        let page = pages.iter().find(|page| page.path == "/docs/reference/brand").unwrap();
        let cells = texts(&page.html, "td");
        let row = |name: &str| {
            let start = cells.iter().position(|cell| cell == name).unwrap_or_else(|| panic!("{name}: {cells:?}"));
            cells[start + 1..start + 3].join(" | ")
        };
        assert_eq!(row("url"), "string, required | The page | its URL.");
        assert!(row("title").contains("string or null, optional"));
        assert!(row("evidence").contains("object of Evidence"));
        assert!(row("from").contains("array of string") && !row("from").contains("optional"));
        assert!(row("theme").contains("light, dark; default light"));
        assert_eq!(texts(&page.html, "a[href='#evidence']").len(), 2, "the heading's own link, and the field's");
        assert_eq!(texts(&page.html, "h2#types ~ h3#evidence"), ["Evidence"]);
        assert_eq!(
            texts(&page.html, "h2#response ~ h2#example ~ h2#types ~ h2#errors").len(),
            1,
            "the example is near"
        );
        assert_eq!(texts(&page.html, "a[href='/docs/guides/brand#evidence']"), ["evidence"]);
        assert_eq!(texts(&page.html, "[data-tab] h3"), ["curl", "TypeScript", "Python", "MCP"]);
        assert!(page.html.contains(&format!("{}…", "x".repeat(140))) && page.html.len() < 9_000, "{}", page.html.len());
        assert!(page.html.contains("https://a.test/&lt;b&gt;") && page.html.contains("extract_brand"), "{}", page.html);
        assert_eq!(texts(&page.html, "a[href='/docs/errors#rate_limited']"), ["rate_limited"]);
        assert!(!texts(&page.html, "p, td").concat().contains('`'), "code is marked up");
    }

    #[test]
    fn overview_lists_operations_and_headers() {
        let page = overview(&document(), "https://api.limner.test");
        assert_eq!(texts(&page.html, "a[href='/docs/reference/brand']"), ["GET /brand"]);
        assert!(texts(&page.html, "td").contains(&"X-Cache".to_owned()));
        assert_eq!(texts(&page.html, "h2#conventions ~ p > strong"), ["Cache."]);
    }

    #[test]
    fn unexpected_document_gives_an_overview_only() {
        assert_eq!(pages(&json!({ "paths": 5 }), "https://api.limner.test", "a.test").len(), 1);
        assert_eq!(pages(&Value::Null, "https://api.limner.test", "a.test").len(), 1);
    }
}
