//! The OpenAPI 3.1 document of the API. Enumerations, prices and limits come from `limner_types`, result schemas from
//! the types that results are serialized from; prose is in `text.rs`, schemas without a type of their own are in
//! `schemas.json`, and recorded responses in `examples/`.

mod examples;
mod operations;
mod responses;
mod schemas;
mod text;

use serde_json::{Value, json};

/// Version of the API, independent of the software's version.
const VERSION: &str = "1.0.0";

/// Returns the document for a service at `public_url` that accepts page URLs of up to `max_url_bytes`.
pub fn document(public_url: &str, max_url_bytes: usize) -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Limner design extraction API",
            "version": VERSION,
            "summary": "Design data from any public web page.",
            "description": text::DESCRIPTION,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": format!("{}/v1", public_url.trim_end_matches('/')) }],
        "security": [{ "apiKey": [] }],
        "tags": [
            { "name": "design", "description": "Components, brands and design tokens." },
            { "name": "assets", "description": "Images, SVGs, video, audio, animations and fonts." },
            { "name": "account", "description": "The account that the key belongs to." },
        ],
        "paths": operations::paths(),
        "components": {
            "securitySchemes": { "apiKey": {
                "type": "http",
                "scheme": "bearer",
                "bearerFormat": "lm_live_…",
                "description": "An API key, as `Authorization: Bearer <API_KEY>`. Keys are created in the console and shown once.",
            } },
            "parameters": operations::shared_parameters(max_url_bytes),
            "headers": responses::headers(),
            "responses": responses::errors(),
            "schemas": schemas::schemas(),
        },
    })
}

/// Returns a reference to a component.
fn reference(kind: &str, name: &str) -> Value {
    json!({ "$ref": format!("#/components/{kind}/{name}") })
}
