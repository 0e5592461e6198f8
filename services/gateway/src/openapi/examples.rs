//! Examples: responses of the API to calls about the demo page, as a test of the contract recorded them
//! (`LIMNER_EXAMPLES=write` records them anew). Lists and texts are shortened.

use crate::error::CallError;
use limner_types::{ErrorCode, Framework, Operation, TokenFormat, WireEnum};
use serde_json::{Map, Value, json};

/// A recorded response.
struct Example {
    name: &'static str,
    text: &'static str,
}

macro_rules! examples {
    ($($name:literal $file:literal),+ $(,)?) => {
        &[$(Example { name: $name, text: include_str!(concat!("examples/", $file)) }),+]
    };
}

const EXAMPLES: &[Example] = examples![
    "code.tailwind" "code.tailwind.json",
    "code.html" "code.html.json",
    "code.jsx" "code.jsx.json",
    "code.vue" "code.vue.json",
    "code.elementor" "code.elementor.json",
    "code.shopify" "code.shopify.json",
    "brand" "brand.json",
    "extract.json" "extract.json",
    "extract.css" "extract.css",
    "extract.tailwind" "extract.tailwind.css",
    "extract.dtcg" "extract.dtcg.json",
    "extract.dtcg-resolver" "extract.dtcg-resolver.json",
    "extract.design-md" "extract.design.md",
    "images" "images.json",
    "svg" "svg.json",
    "videos" "videos.json",
    "audio" "audio.json",
    "lottie" "lottie.json",
    "fonts" "fonts.json",
    "usage" "usage.json",
];

const ERRORS: &str = include_str!("examples/errors.json");

/// The id in every example.
const REQUEST_ID: &str = "req_01kd3v5w6x7y8z9a0b1c2d3e4f";

fn text(name: &str) -> &'static str {
    EXAMPLES.iter().find(|example| example.name == name).map_or("", |example| example.text)
}

/// Returns a recorded JSON response.
pub(super) fn recorded(name: &str) -> Value {
    serde_json::from_str(text(name)).unwrap_or_default()
}

/// Returns the examples of an operation with JSON responses, by name.
pub(super) fn of_operation(operation: Operation) -> Value {
    let example =
        |name: &str, summary: String, value: Value| (name.to_owned(), json!({ "summary": summary, "value": value }));
    let examples: Map<String, Value> = match operation {
        Operation::Code => Framework::ALL
            .iter()
            .map(|framework| {
                let summary = format!("With `framework={framework}`, shortened.");
                example(framework.as_str(), summary, recorded(&format!("code.{framework}")))
            })
            .collect(),
        Operation::Extract => [TokenFormat::Json, TokenFormat::Dtcg, TokenFormat::DtcgResolver]
            .iter()
            .map(|format| {
                let name = format!("extract.{format}");
                // Readers of OpenAPI would resolve the document's own references in this one.
                let value = match format {
                    TokenFormat::DtcgResolver => json!(text(&name)),
                    _ => recorded(&name),
                };
                example(format.as_str(), format!("With `format={format}`."), value)
            })
            .collect(),
        _ => Map::from_iter([example("result", "Shortened.".to_owned(), recorded(operation.as_str()))]),
    };
    Value::Object(examples)
}

/// Returns the example of a token file that is text.
pub(super) fn of_format(format: TokenFormat) -> Value {
    let value = text(&format!("extract.{format}"));
    json!({ format.as_str(): { "summary": format!("With `format={format}`."), "value": value } })
}

/// Returns the example of an error.
pub(super) fn of_error(code: ErrorCode, status: u16) -> Value {
    let body = |error: CallError| serde_json::to_value(error.body(REQUEST_ID)).unwrap_or_default();
    match (code, status) {
        // No call of a test leads to these two.
        (ErrorCode::InternalError, 503) => body(CallError::operation_unavailable(Operation::Code)),
        (ErrorCode::InternalError, _) => body(CallError::internal()),
        _ => {
            let errors: Value = serde_json::from_str(ERRORS).unwrap_or_default();
            errors[format!("{status} {code}")].clone()
        }
    }
}
