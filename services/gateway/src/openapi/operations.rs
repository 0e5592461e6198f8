//! Paths and parameters.

use super::{reference, responses, text};
use limner_types::request::known_parameters;
use limner_types::{
    BrandScope, CodeLanguage, CodeScope, Framework, Operation, SectionRole, Theme, TokenFormat, TokenScope, WireEnum,
};
use serde_json::{Map, Value, json};

pub(super) fn paths() -> Value {
    let mut paths = Map::new();
    for operation in Operation::ALL.iter().copied() {
        paths.insert(format!("/{operation}"), json!({ "get": extraction(operation) }));
    }
    paths.insert("/usage".to_owned(), json!({ "get": usage() }));
    paths.insert("/openapi.json".to_owned(), json!({ "get": openapi_operation() }));
    Value::Object(paths)
}

fn extraction(operation: Operation) -> Value {
    let tag = match operation {
        Operation::Code | Operation::Brand | Operation::Extract => "design",
        _ => "assets",
    };
    let (cost, rendered) = (operation.price(false), operation.price(true));
    json!({
        "operationId": operation_id(operation),
        "tags": [tag],
        "summary": text::summary(operation),
        "description": format!(
            "Costs {cost} credit{}, {rendered} with `render=true`. {}",
            if cost == 1 { "" } else { "s" },
            text::details(operation)
        ),
        "x-credits": cost,
        "parameters": known_parameters(operation).into_iter().map(|name| parameter(operation, name)).collect::<Value>(),
        "responses": responses::operation_responses(operation),
    })
}

fn operation_id(operation: Operation) -> &'static str {
    match operation {
        Operation::Code => "extractCode",
        Operation::Brand => "extractBrand",
        Operation::Extract => "extractDesignTokens",
        Operation::Images => "extractImages",
        Operation::Svg => "extractSvgs",
        Operation::Videos => "extractVideos",
        Operation::Audio => "extractAudio",
        Operation::Lottie => "extractLottie",
        Operation::Fonts => "extractFonts",
    }
}

/// Returns the parameters of every operation.
pub(super) fn shared_parameters(max_url_bytes: usize) -> Value {
    json!({
        "url": {
            "name": "url",
            "in": "query",
            "required": true,
            "description": format!("URL of the page: a public http or https address of at most {max_url_bytes} bytes, without user name or password. `https://` is assumed if the scheme is missing."),
            "schema": { "type": "string", "minLength": 1, "maxLength": max_url_bytes },
            "example": "https://example.com",
        },
        "render": {
            "name": "render",
            "in": "query",
            "description": "Loads the page in a real browser and runs its scripts first. Adds 5 credits.",
            "schema": { "type": "boolean", "default": false },
        },
        "fresh": {
            "name": "fresh",
            "in": "query",
            "description": "Skips the 24-hour cache and extracts again. Charged as usual; the result replaces the cached copy.",
            "schema": { "type": "boolean", "default": false },
        },
        "screenshot": {
            "name": "screenshot",
            "in": "query",
            "description": "`true` captures the 1440×900 viewport, `full` the whole page, down to a maximum height (a `hint` says if it was cut). Requires `render=true`. Costs nothing more.",
            "schema": { "type": "string", "enum": ["true", "full", "false"], "default": "false" },
        },
    })
}

fn parameter(operation: Operation, name: &str) -> Value {
    match name {
        "url" | "render" | "fresh" | "screenshot" => reference("parameters", name),
        "fields" => json!({
            "name": "fields",
            "in": "query",
            "description": "Fields to return, separated by commas; the parameter may also be repeated (`fields=a&fields=b`). `url` and `usage` are always returned, and so are `hint`, `screenshot` and `truncated` if the result has them. Does not change the price.",
            "style": "form",
            "explode": false,
            "schema": { "type": "array", "minItems": 1, "items": { "type": "string", "enum": operation.fields() } },
        }),
        "selector" => json!({
            "name": "selector",
            "in": "query",
            "description": "CSS selector of the section. Takes precedence over `section`. If nothing matches, the response is a 404 that lists the sections.",
            "schema": { "type": "string", "minLength": 1 },
            "example": "main > section.pricing",
        }),
        "framework" => choice::<Framework>(
            "framework",
            "Form of the component: markup with Tailwind CSS classes, HTML with a stylesheet, a React or Vue component, or a template for Elementor or Shopify.",
            Some(Framework::Tailwind),
        ),
        "section" => choice::<SectionRole>("section", "Section of the page, by name.", None),
        "theme" => choice::<Theme>(
            "theme",
            "Theme of the component. With `light`, the dark styles of the page are included as dark variants.",
            Some(Theme::Light),
        ),
        "language" => choice::<CodeLanguage>(
            "language",
            "Language of `jsx` and `vue`. `ts` adds types for the data and passes strict checks. Ignored by the other frameworks.",
            Some(CodeLanguage::Js),
        ),
        "preview" => json!({
            "name": "preview",
            "in": "query",
            "description": "Adds `preview`: the same component as an HTML document without scripts, which any browser shows as it is, for every framework. Costs nothing more.",
            "schema": { "type": "boolean", "default": false },
        }),
        "format" => choice::<TokenFormat>(
            "format",
            "Form of the result. `json` has counts and names; the others are files, returned as they are: custom properties (`css`), a Tailwind CSS theme, W3C design tokens (`dtcg`, `dtcg-resolver`), a DESIGN.md.",
            Some(TokenFormat::Json),
        ),
        "scope" if operation == Operation::Brand => choice::<BrandScope>(
            "scope",
            "Parts of the result. `brand`: the identity of the site. `all`: also `themes` (the colours in light and dark), `contrastReport` (every text colour with the colour behind it, in states and both schemes) and `components` (buttons, inputs, cards and badges with their states).",
            Some(BrandScope::Usual),
        ),
        "scope" if operation == Operation::Code => choice::<CodeScope>(
            "scope",
            "`page` returns the whole page: `code` composes its sections, which are components in `files` in `jsx`, `vue` and `shopify`. Not together with `selector` or `section`.",
            Some(CodeScope::Section),
        ),
        "scope" => choice::<TokenScope>(
            "scope",
            "Values to return. `sheet`: all values of the stylesheets. `page`: those that elements of the page have, and those of custom properties on the root element.",
            Some(TokenScope::Sheet),
        ),
        "name" => json!({
            "name": "name",
            "in": "query",
            "description": "Name of the `jsx` component; converted to PascalCase. Ignored by the other frameworks. Not part of the cache key.",
            "schema": { "type": "string", "maxLength": 100 },
            "example": "PricingTable",
        }),
        other => json!({ "name": other, "in": "query", "schema": { "type": "string" } }),
    }
}

fn choice<T: WireEnum>(name: &str, description: &str, default: Option<T>) -> Value {
    let words: Vec<&str> = T::ALL.iter().map(|word| word.as_str()).collect();
    let mut schema = json!({ "type": "string", "enum": words });
    if let Some(default) = default {
        schema["default"] = json!(default.as_str());
    }
    json!({ "name": name, "in": "query", "description": description, "schema": schema })
}

fn usage() -> Value {
    json!({
        "operationId": "getUsage",
        "tags": ["account"],
        "summary": "The month so far and the latest calls",
        "description": "Free of charge. Counts towards the rate limit.",
        "parameters": [
            { "name": "limit", "in": "query", "description": "Number of calls to return.", "schema": { "type": "integer", "minimum": 1, "maximum": 200, "default": 50 } },
            { "name": "cursor", "in": "query", "description": "`nextCursor` of the previous response.", "schema": { "type": "string" } },
        ],
        "responses": responses::usage_responses(),
    })
}

fn openapi_operation() -> Value {
    json!({
        "operationId": "getOpenApi",
        "tags": ["account"],
        "summary": "This document",
        "description": "Free of charge, and needs no key.",
        "security": [],
        "responses": {
            "200": {
                "description": "The OpenAPI document.",
                "headers": { "X-Request-Id": reference("headers", "X-Request-Id") },
                "content": { "application/json": { "schema": { "type": "object" } } },
            },
            "405": reference("responses", "405"),
        },
    })
}
