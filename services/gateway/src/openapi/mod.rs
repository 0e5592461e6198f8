//! The OpenAPI 3.1 document of the interface.

use serde_json::{Value, json};

/// The document for a service at `public_url`.
pub fn document(public_url: &str) -> Value {
    json!({ "openapi": "3.1.0", "info": { "title": "Limner", "version": "1.0.0" }, "servers": [{ "url": format!("{public_url}/v1") }] })
}
