//! The `name` of a component, inserted into a cached result of `/code` when it is served: a renamed component is the
//! same result, and costs nothing.

use limner_types::component_name::{PLACEHOLDER_NAME, replace_placeholder};
use limner_types::{OperationOptions, OperationRequest};
use serde_json::{Map, Value};
use std::path::Path;

/// Returns the request for workers: results are cached under the placeholder, whatever the caller calls the component.
pub(crate) fn without_name(request: &OperationRequest) -> OperationRequest {
    let mut request = request.clone();
    if let OperationOptions::Code(options) = &mut request.options {
        options.name = Some(PLACEHOLDER_NAME.to_owned());
    }
    request
}

/// Returns the result of `/code` with the component called `name`, or by its section's name. A result without the
/// placeholder is unchanged.
///
/// # Errors
/// The result is not a JSON object.
pub(crate) fn with_component_name(result: &[u8], name: Option<&str>) -> Result<Vec<u8>, serde_json::Error> {
    let mut members: Map<String, Value> = serde_json::from_slice(result)?;
    let default = members.get("defaultName").and_then(Value::as_str).map(str::to_owned);
    let Some(name) = name.or(default.as_deref()) else { return Ok(result.to_vec()) };
    let name = &apart_from_files(name, &members);
    for part in ["code", "css", "preview"] {
        if let Some(Value::String(text)) = members.get_mut(part) {
            *text = replace_placeholder(text, name);
        }
    }
    serde_json::to_vec(&members)
}

/// Returns a name for a page that is none of the components that it imports.
fn apart_from_files(name: &str, members: &Map<String, Value>) -> String {
    let files = members.get("files").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_taken = |name: &str| {
        files.iter().filter_map(|file| Path::new(file["path"].as_str()?).file_stem()?.to_str()).any(|stem| stem == name)
    };
    let mut name = name.to_owned();
    while is_taken(&name) {
        name.push_str("Page");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_component_gets_the_requested_name() {
        let kept = format!(
            r#"{{"url":"https://a.com/","code":"function {PLACEHOLDER_NAME}() {{}}","preview":"<title>{PLACEHOLDER_NAME}</title>","defaultName":"Hero","css":null}}"#
        );
        for (name, served) in [(Some("Offer"), "function Offer() {}"), (None, "function Hero() {}")] {
            let result: Value = serde_json::from_slice(&with_component_name(kept.as_bytes(), name).unwrap()).unwrap();
            assert_eq!(result["code"], served);
            assert_eq!(result["preview"], format!("<title>{}</title>", name.unwrap_or("Hero")));
            assert_eq!(result["defaultName"], "Hero");
            assert_eq!(result["css"], Value::Null);
        }
        assert!(with_component_name(b"[]", None).is_err());

        let page = format!(
            r#"{{"code":"import Hero from './sections/Hero';\nfunction {PLACEHOLDER_NAME}() {{}}","defaultName":"Page",
            "files":[{{"path":"sections/Hero.jsx","code":""}},{{"path":"components/HeroPage.jsx","code":""}}]}}"#
        );
        for (name, expected) in [("Start", "function Start"), ("Hero", "function HeroPagePage")] {
            let result = with_component_name(page.as_bytes(), Some(name)).unwrap();
            let result: Value = serde_json::from_slice(&result).unwrap();
            assert!(result["code"].as_str().unwrap().contains(expected), "{result}");
        }
    }
}
