//! The API reference, read from the OpenAPI document.

use crate::view::markdown;
use limner_types::Operation;
use serde_json::Value;

/// A parameter of an operation.
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) required: bool,
    pub(crate) about: String,
}

/// An operation of the API.
pub(crate) struct ReferenceOperation {
    pub(crate) path: String,
    pub(crate) id: String,
    pub(crate) summary: String,
    pub(crate) about: String,
    pub(crate) credits: Option<u32>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) responses: Vec<(String, String)>,
    pub(crate) curl: String,
}

/// The OpenAPI document, parsed once.
pub(crate) struct Reference {
    pub(crate) json: String,
    pub(crate) operations: Vec<ReferenceOperation>,
}

impl Reference {
    /// Parses the part of a document that the page shows. An unexpected document gives an empty page, never an error.
    pub(crate) fn from_openapi(document: &Value, api_url: &str) -> Self {
        let paths = document["paths"].as_object().into_iter().flatten();
        let operations = paths.filter_map(|(path, item)| {
            let get = item.get("get")?;
            Some(operation(document, path, get, api_url))
        });
        Self { json: document.to_string(), operations: operations.collect() }
    }
}

fn operation(document: &Value, path: &str, get: &Value, api_url: &str) -> ReferenceOperation {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let name = path.rsplit('/').next().unwrap_or_default();
    let known = Operation::from_path(name);
    let parameters = get["parameters"].as_array().into_iter().flatten().map(|given| {
        let parameter = resolve(document, given);
        Parameter {
            name: text(&parameter["name"]),
            kind: kind(resolve(document, &parameter["schema"])),
            required: parameter["required"].as_bool().unwrap_or_default(),
            about: text(&parameter["description"]),
        }
    });
    let responses = get["responses"].as_object().into_iter().flatten();
    let query = if known.is_some() { "?url=www.rust-lang.org" } else { "" };
    let base = if path.starts_with("/v1") { api_url.to_owned() } else { format!("{api_url}/v1") };
    ReferenceOperation {
        id: name.trim_matches(['{', '}']).to_owned(),
        summary: text(&get["summary"]),
        about: markdown::to_html(get["description"].as_str().unwrap_or_default()),
        credits: known.map(Operation::credits),
        parameters: parameters.collect(),
        responses: responses
            .map(|(status, it)| (status.clone(), text(&resolve(document, it)["description"])))
            .collect(),
        curl: format!("curl -H \"Authorization: Bearer $LIMNER_KEY\" '{base}{path}{query}'"),
        path: path.to_owned(),
    }
}

/// Resolves a `$ref` within the document.
fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    target.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

/// Returns `a, b or c` for an enumeration, otherwise the type.
fn kind(schema: &Value) -> String {
    let values = schema["enum"].as_array().or_else(|| schema["items"]["enum"].as_array());
    let kind = match values {
        Some(values) => values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" · "),
        None => schema["type"].as_str().unwrap_or("string").to_owned(),
    };
    match &schema["default"] {
        Value::Null => kind,
        Value::String(default) => format!("{kind}; default {default}"),
        default => format!("{kind}; default {default}"),
    }
}
