//! Schemas: derived from the serialized types, and from `schemas.json` for the rest.

use super::reference;
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
        let response = response_schema(*operation, &schemas);
        schemas.insert(name.to_owned(), response);
    }
    // Its members are in the responses now.
    schemas.remove("ResultHeader");
    for (name, parts) in VARIANTS {
        name_variants(&mut schemas, name, parts);
    }
    Value::Object(schemas)
}

/// Names of the variants of untagged and tagged unions, in their order.
const VARIANTS: [(&str, [&str; 2]); 2] =
    [("SvgItem", ["InlineSvg", "SvgFile"]), ("SvgAsset", ["SvgFileAsset", "InlineSvgAsset"])];

/// Moves the variants of a union into schemas of their own: generators name the types of a client after them.
fn name_variants(schemas: &mut Map<String, Value>, union: &str, names: [&str; 2]) {
    let Some(variants) = schemas.get_mut(union).and_then(|schema| schema["oneOf"].as_array_mut()) else { return };
    let references = names.iter().map(|name| reference("schemas", name)).collect();
    for (name, variant) in names.iter().zip(std::mem::replace(variants, references)) {
        schemas.insert((*name).to_owned(), variant);
    }
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

/// Returns the schema of a response: one object with the members of the result and of its parts, and with `usage`.
/// Generators make one type of it. `fields` may leave out all members but `url` and `usage`.
fn response_schema(operation: Operation, schemas: &Map<String, Value>) -> Value {
    let result = &schemas[result_name(operation)];
    let mut descriptions = Vec::from_iter(result["description"].as_str());
    let mut members = Map::new();
    for part in result["allOf"].as_array().into_iter().flatten() {
        let part = match part["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
            Some(name) => &schemas[name],
            None => {
                descriptions.extend(part["description"].as_str());
                part
            }
        };
        members.extend(part["properties"].as_object().cloned().unwrap_or_default());
    }
    members.insert("usage".to_owned(), reference("schemas", "Usage"));
    let mut properties = Map::new();
    // In the order of the documentation, with the other members of the operation before those that every result has.
    let common = ["hint", "screenshot", "truncated", "usage"];
    let first = std::iter::once("url").chain(operation.fields().iter().copied());
    let others = members.keys().map(String::as_str).filter(|name| !common.contains(name));
    for name in first.chain(others).chain(common) {
        if let Some(schema) = members.get(name) {
            properties.entry(name).or_insert_with(|| schema.clone());
        }
    }
    json!({
        "type": "object",
        "description": descriptions.join("\n\n"),
        "required": ["url", "usage"],
        "properties": properties,
    })
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
        let is_single = schema[choice].as_array().is_some_and(|parts| parts.len() == 1);
        if let (true, Value::Object(members)) = (is_single, &mut *schema)
            && let Some(Value::Array(parts)) = members.remove(choice)
        {
            members.extend(parts.into_iter().filter_map(|part| part.as_object().cloned()).flatten());
        }
    }
}
