//! Schemas: derived from the serialized types, and from `schemas.json` for the rest.

use crate::usage_route::UsageReport;
use limner_types::result::{
    AudioResult, BrandResult, CodeResult, FontsResult, ImagesResult, LottieResult, SvgResult, TokensResult,
    VideosResult,
};
use limner_types::{ErrorBody, Operation, Usage, WireEnum};
use serde_json::{Map, Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

const SCHEMAS_JSON: &str = include_str!("schemas.json");

pub(super) fn schemas() -> Value {
    let mut derived: Vec<(String, RefOr<Schema>)> = Vec::new();
    add::<ErrorBody>(&mut derived);
    add::<Usage>(&mut derived);
    add::<UsageReport>(&mut derived);
    add::<CodeResult>(&mut derived);
    add::<TokensResult>(&mut derived);
    add::<BrandResult>(&mut derived);
    add::<ImagesResult>(&mut derived);
    add::<SvgResult>(&mut derived);
    add::<VideosResult>(&mut derived);
    add::<AudioResult>(&mut derived);
    add::<LottieResult>(&mut derived);
    add::<FontsResult>(&mut derived);
    let mut schemas: Map<String, Value> = serde_json::from_str(SCHEMAS_JSON).unwrap_or_default();
    for (name, schema) in derived {
        let mut schema = serde_json::to_value(schema).unwrap_or_default();
        omitted_is_not_null(&mut schema);
        schemas.insert(name, schema);
    }
    for operation in Operation::ALL {
        let name = result_name(*operation);
        let narrowed = with_optional_fields(&schemas, &schemas[name]);
        schemas.insert(name.to_owned(), narrowed);
    }
    schemas.insert(
        "WithUsage".to_owned(),
        json!({
            "type": "object",
            "required": ["url", "usage"],
            "properties": {
                "url": { "type": "string", "format": "uri" },
                "usage": { "$ref": "#/components/schemas/Usage" },
            },
        }),
    );
    Value::Object(schemas)
}

/// Returns the name of the schema of an operation's result.
pub(super) fn result_name(operation: Operation) -> &'static str {
    match operation {
        Operation::Code => "CodeResult",
        Operation::Brand => "BrandResult",
        Operation::Extract => "TokensResult",
        Operation::Images => "ImagesResult",
        Operation::Svg => "SvgResult",
        Operation::Videos => "VideosResult",
        Operation::Audio => "AudioResult",
        Operation::Lottie => "LottieResult",
        Operation::Fonts => "FontsResult",
    }
}

/// Returns the schema of a result that `fields` may narrow: only `url` is required. The types of members (nullable or
/// not) are unchanged, and so are the schemas of nested objects.
fn with_optional_fields(schemas: &Map<String, Value>, schema: &Value) -> Value {
    let referred = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next());
    match referred {
        // Only `url` is required in it.
        Some("Common") => return schema.clone(),
        Some(name) => return with_optional_fields(schemas, &schemas[name]),
        None => {}
    }
    let mut narrowed = schema.clone();
    if let Some(Value::Array(required)) = narrowed.get_mut("required") {
        required.retain(|name| name == "url");
    }
    if let Some(Value::Array(parts)) = narrowed.get_mut("allOf") {
        parts.iter_mut().for_each(|part| *part = with_optional_fields(schemas, part));
    }
    narrowed
}

fn add<T: ToSchema + PartialSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
    schemas.push((T::name().into_owned(), T::schema()));
    T::schemas(schemas);
}

/// An optional member is omitted when it has no value; only required members may be null.
fn omitted_is_not_null(schema: &mut Value) {
    match schema {
        Value::Array(parts) => parts.iter_mut().for_each(omitted_is_not_null),
        Value::Object(members) => {
            let required: Vec<String> = members
                .get("required")
                .and_then(|names| serde_json::from_value(names.clone()).ok())
                .unwrap_or_default();
            if let Some(Value::Object(properties)) = members.get_mut("properties") {
                for (name, property) in properties.iter_mut() {
                    if !required.contains(name) {
                        without_null(property);
                    }
                }
            }
            members.values_mut().for_each(omitted_is_not_null);
        }
        _ => {}
    }
}

fn without_null(schema: &mut Value) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = &types[..] {
            schema["type"] = only.clone();
        }
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(Value::Array(parts)) = schema.get_mut(choice) {
            parts.retain(|part| part["type"] != "null");
        }
    }
}
