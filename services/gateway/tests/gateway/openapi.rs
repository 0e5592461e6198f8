//! The OpenAPI document: complete, consistent, and in agreement with the tables it is derived from.

use crate::support::{Answer, start};
use limner_gateway::openapi::document;
use limner_types::request::known_parameters;
use limner_types::result::{
    AudioSource, FontSource, ImageSource, LogoType, LottieFormat, LottieSource, RangeEnd, VideoSource,
};
use limner_types::{ErrorCode, Framework, Operation, SectionRole, Theme, TokenFormat, WireEnum};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn the_document() -> Value {
    document("https://api.example/", 2_048)
}

/// Resolves references.
fn resolve<'a>(document: &'a Value, mut value: &'a Value) -> &'a Value {
    while let Some(reference) = value.get("$ref").and_then(Value::as_str) {
        value = document.pointer(&reference[1..]).unwrap_or_else(|| panic!("{reference} leads nowhere"));
    }
    value
}

fn for_each(value: &Value, visit: &mut impl FnMut(&Value)) {
    visit(value);
    match value {
        Value::Array(items) => items.iter().for_each(|item| for_each(item, visit)),
        Value::Object(members) => members.values().for_each(|member| for_each(member, visit)),
        _ => {}
    }
}

#[tokio::test]
async fn document_is_public_and_cacheable() {
    let (gateway, _) = start().await;
    let answer = Answer::send(gateway.client.get(gateway.url("/v1/openapi.json"))).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
    assert_eq!(answer.header("cache-control"), "public, max-age=300");
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    let mut served = answer.json();
    assert_eq!(served["servers"], json!([{ "url": "http://127.0.0.1:8080/v1" }]));
    let mut expected = the_document();
    (served["servers"], expected["servers"]) = (Value::Null, Value::Null);
    assert_eq!(served, expected);
}

#[test]
fn document_names_its_versions_and_its_base() {
    let document = the_document();
    assert_eq!((&document["openapi"], &document["info"]["version"]), (&json!("3.1.0"), &json!("1.0.0")));
    assert_eq!(document["servers"][0]["url"], "https://api.example/v1");
    assert_eq!(document["components"]["securitySchemes"]["apiKey"]["scheme"], "bearer");
    assert_eq!(document["security"], json!([{ "apiKey": [] }]));
    assert_eq!(document["paths"]["/openapi.json"]["get"]["security"], json!([]));
}

#[test]
fn every_reference_resolves_and_every_component_is_used() {
    let document = the_document();
    let mut used = BTreeSet::new();
    for_each(&document, &mut |value| {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            assert!(document.pointer(&reference[1..]).is_some(), "{reference}");
            used.insert(reference.to_owned());
        }
    });
    for kind in ["parameters", "headers", "responses", "schemas"] {
        for name in document["components"][kind].as_object().unwrap().keys() {
            assert!(used.contains(&format!("#/components/{kind}/{name}")), "{kind}/{name} is not used");
        }
    }
}

#[test]
fn every_operation_has_exactly_its_parameters() {
    let document = the_document();
    let mut paths: Vec<String> = Operation::ALL.iter().map(|operation| format!("/{operation}")).collect();
    paths.extend(["/usage".to_owned(), "/openapi.json".to_owned()]);
    let mut documented: Vec<&String> = document["paths"].as_object().unwrap().keys().collect();
    let mut paths: Vec<&String> = paths.iter().collect();
    paths.sort();
    documented.sort();
    assert_eq!(documented, paths);
    for operation in Operation::ALL.iter().copied() {
        let get = &document["paths"][format!("/{operation}")]["get"];
        let parameters: Vec<&Value> =
            get["parameters"].as_array().unwrap().iter().map(|parameter| resolve(&document, parameter)).collect();
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter["name"].as_str().unwrap()).collect();
        assert_eq!(names, known_parameters(operation), "{operation}");
        for parameter in parameters {
            assert_eq!((&parameter["in"], parameter["description"].is_string()), (&json!("query"), true));
            assert_eq!(parameter["required"] == true, parameter["name"] == "url");
            let words = match parameter["name"].as_str().unwrap() {
                "fields" => {
                    assert_eq!(parameter["schema"]["items"]["enum"], json!(operation.fields()));
                    continue;
                }
                "framework" => Framework::valid_values(),
                "section" => SectionRole::valid_values(),
                "theme" => Theme::valid_values(),
                "format" => TokenFormat::valid_values(),
                "screenshot" => "true, full, false".to_owned(),
                _ => continue,
            };
            let words: Vec<&str> = words.split(", ").collect();
            assert_eq!(parameter["schema"]["enum"], json!(words), "{operation}");
        }
        assert_eq!(get["x-credits"], operation.credits());
    }
}

#[test]
fn every_operation_has_every_response_with_its_headers() {
    let document = the_document();
    for operation in Operation::ALL {
        let responses = &document["paths"][format!("/{operation}")]["get"]["responses"];
        let mut codes = BTreeSet::new();
        for (status, response) in responses.as_object().unwrap() {
            let response = resolve(&document, response);
            assert!(response["headers"]["X-Request-Id"].is_object(), "{operation} {status}");
            let examples = response["content"]["application/json"]["examples"].as_object();
            let errors = examples.filter(|_| *status != "200");
            for (code, example) in errors.into_iter().flatten() {
                assert_eq!(example["value"]["statusCode"].to_string(), *status);
                assert_eq!(example["value"]["data"]["code"], **code);
                codes.insert(code.clone());
            }
        }
        let all: BTreeSet<String> = ErrorCode::ALL.iter().map(ToString::to_string).collect();
        assert_eq!(codes, all, "{operation} documents every code");
        for header in [
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            "X-Quota-Limit",
            "X-Quota-Remaining",
            "X-Cache",
            "X-Request-Id",
            "X-Pack-Credits",
        ] {
            assert!(responses["200"]["headers"][header].is_object(), "{operation} {header}");
        }
    }
    for status in ["429", "500", "503"] {
        assert!(document["components"]["responses"][status]["headers"]["Retry-After"].is_object());
    }
}

/// Returns all properties of a schema, including those of its parts.
fn properties(document: &Value, schema: &Value) -> BTreeSet<String> {
    let schema = resolve(document, schema);
    let mut names: BTreeSet<String> =
        schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    for parts in ["allOf", "anyOf"] {
        for part in schema[parts].as_array().into_iter().flatten() {
            names.extend(properties(document, part));
        }
    }
    names
}

#[test]
fn results_describe_every_field() {
    let document = the_document();
    for operation in Operation::ALL {
        let content = &document["paths"][format!("/{operation}")]["get"]["responses"]["200"]["content"];
        let names = properties(&document, &content["application/json"]["schema"]);
        for field in operation.fields().iter().copied().chain(["url", "hint", "screenshot", "usage"]) {
            assert!(names.contains(field), "{operation} {field}: {names:?}");
        }
    }
    let content = &document["paths"]["/extract"]["get"]["responses"]["200"]["content"];
    assert!(content["text/css"].is_object() && content["text/plain"].is_object());
}

/// Returns true if a value matches a schema, in the subset of JSON Schema that the document uses.
fn fits(document: &Value, schema: &Value, value: &Value) -> bool {
    let schema = resolve(document, schema);
    let is = |name: &str| match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        _ => value.is_object(),
    };
    let of_type = match &schema["type"] {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().any(|name| name.as_str().is_some_and(is)),
        _ => true,
    };
    let in_words = schema["enum"].as_array().is_none_or(|words| words.contains(value));
    let has_required = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .all(|name| name.as_str().is_some_and(|name| value.get(name).is_some()));
    let members_fit =
        value.as_object().into_iter().flatten().all(|(name, member)| {
            schema["properties"].get(name).is_none_or(|property| fits(document, property, member))
        });
    let items_fit = schema
        .get("items")
        .is_none_or(|items| value.as_array().into_iter().flatten().all(|item| fits(document, items, item)));
    let every =
        |parts: &str| schema[parts].as_array().is_none_or(|parts| parts.iter().all(|part| fits(document, part, value)));
    let some =
        |parts: &str| schema[parts].as_array().is_none_or(|parts| parts.iter().any(|part| fits(document, part, value)));
    of_type && in_words && has_required && members_fit && items_fit && every("allOf") && some("anyOf") && some("oneOf")
}

#[test]
fn every_response_has_examples_that_fit_its_schema() {
    let document = the_document();
    let (mut schemas, mut names) = (0, BTreeSet::new());
    for (path, item) in document["paths"].as_object().unwrap() {
        for (status, response) in item["get"]["responses"].as_object().unwrap() {
            for (media_type, body) in resolve(&document, response)["content"].as_object().unwrap() {
                if path == "/openapi.json" && status == "200" {
                    continue;
                }
                let examples = body["examples"].as_object().unwrap_or_else(|| panic!("{path} {status} {media_type}"));
                for (name, example) in examples {
                    let value = &example["value"];
                    let is_filled = value.as_str().map_or(value.is_object(), |text| text.len() > 100);
                    // A JSON document with references of its own is written as a text.
                    let parsed = value.as_str().filter(|_| media_type.ends_with("json")).map(serde_json::from_str);
                    let meant: Value = parsed.transpose().unwrap().unwrap_or_else(|| value.clone());
                    assert!(is_filled && fits(&document, &body["schema"], &meant), "{path} {status} {name}: {value}");
                    schemas += 1;
                    if status == "200" {
                        names.insert(format!("{path} {name}"));
                    }
                }
            }
        }
    }
    let framework = |word: &Framework| format!("/code {word}");
    let format = |word: &TokenFormat| format!("/extract {word}");
    for name in Framework::ALL.iter().map(framework).chain(TokenFormat::ALL.iter().map(format)) {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    assert!(schemas > 100, "{schemas}");
}

#[test]
fn generated_clients_get_names_for_all_types() {
    let document = the_document();
    for operation in Operation::ALL {
        let content = &document["paths"][format!("/{operation}")]["get"]["responses"]["200"]["content"];
        assert!(content["application/json"]["schema"]["$ref"].is_string(), "{operation}");
    }
    for_each(&document, &mut |value| {
        assert!(value["allOf"].is_null(), "a part without a name: {value}");
        for choice in ["oneOf", "anyOf"] {
            for part in value[choice].as_array().into_iter().flatten() {
                assert!(part["$ref"].is_string() || part["type"] == "null", "a variant without a name: {part}");
            }
            assert_ne!(value[choice].as_array().map(Vec::len), Some(1), "no choice: {value}");
        }
    });
}

#[test]
fn cost_of_one_credit_is_written_in_the_singular() {
    let document = the_document();
    for (path, begin) in [("images", "Costs 1 credit, 6 with"), ("brand", "Costs 15 credits, 20 with")] {
        let text = document["paths"][format!("/{path}")]["get"]["description"].as_str().unwrap();
        assert!(text.starts_with(begin), "{text}");
    }
}

#[test]
fn enumerations_match_the_serialized_values() {
    let document = the_document();
    let words = |name: &str| document["components"]["schemas"][name]["enum"].clone();
    fn wire_values<T: WireEnum>() -> Value {
        T::ALL.iter().map(|word| word.as_str()).collect()
    }
    for (name, expected) in [
        ("ErrorCode", wire_values::<ErrorCode>()),
        ("Theme", wire_values::<Theme>()),
        ("Framework", wire_values::<Framework>()),
        ("ImageSource", wire_values::<ImageSource>()),
        ("VideoSource", wire_values::<VideoSource>()),
        ("AudioSource", wire_values::<AudioSource>()),
        ("LottieSource", wire_values::<LottieSource>()),
        ("LottieFormat", wire_values::<LottieFormat>()),
        ("FontSource", wire_values::<FontSource>()),
        ("LogoType", wire_values::<LogoType>()),
        ("RangeEnd", wire_values::<RangeEnd>()),
    ] {
        assert_eq!(words(name), expected, "{name}");
        let about = document["components"]["schemas"][name]["description"].as_str().unwrap();
        assert!(
            expected.as_array().unwrap().iter().all(|word| about.contains(&format!("`{}`: ", word.as_str().unwrap()))),
            "{about}"
        );
    }
}

#[test]
fn responses_match_their_schemas() {
    let document = the_document();
    let usage =
        json!({ "creditsThisMonth": 1, "monthlyLimit": null, "remaining": null, "creditsSpent": 1, "cached": false });
    let item = json!({ "url": "https://a.test/a.png", "source": "touch-icon" });
    let images = |item: &Value| json!({ "url": "https://a.test/", "images": [item], "count": 1, "usage": usage });
    let call = |source: Value| {
        let call = json!({ "requestId": "req_1", "at": "2026-01-01T00:00:00Z", "operation": "svg", "url": "https://a.test/", "credits": 0, "source": source, "cached": true, "autoRender": false, "outcome": "ok", "late": false, "refunded": false, "durationMs": 1, "keyId": "key_1", "keyName": null });
        json!({ "usage": { "creditsThisMonth": 0, "monthlyLimit": null, "remaining": null, "overageCredits": 0, "packCredits": 0 }, "plan": "business", "periodStart": "2026-01-01", "operations": [], "calls": [call], "nextCursor": null })
    };
    for (path, answer, is_valid) in [
        ("images", images(&item), true),
        ("images", images(&json!({ "url": "https://a.test/a.png", "source": "TouchIcon" })), false),
        ("images", images(&json!({ "source": "img" })), false),
        // Results with `fields`.
        ("images", json!({ "url": "https://a.test/", "count": 1, "usage": usage }), true),
        ("extract", json!({ "url": "https://a.test/", "colors": {}, "usage": usage }), true),
        ("brand", json!({ "url": "https://a.test/", "title": null, "usage": usage }), true),
        ("brand", json!({ "url": "https://a.test/", "title": 5, "usage": usage }), false),
        ("code", json!({ "url": "https://a.test/", "css": null, "usage": usage }), true),
        ("code", json!({ "url": "https://a.test/", "css": null }), false),
        ("usage", call(json!("plan")), true),
        ("usage", call(Value::Null), true),
        ("usage", call(json!(1)), false),
    ] {
        let content = &document["paths"][format!("/{path}")]["get"]["responses"]["200"]["content"];
        assert_eq!(fits(&document, &content["application/json"]["schema"], &answer), is_valid, "{path}: {answer}");
    }
}

#[test]
fn usage_distinguishes_null_from_absent() {
    let document = the_document();
    let usage = &document["components"]["schemas"]["Usage"];
    let required: BTreeSet<&str> =
        usage["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let always = ["creditsThisMonth", "monthlyLimit", "remaining", "creditsSpent", "cached"];
    assert_eq!(required, always.into_iter().collect());
    for (name, property) in usage["properties"].as_object().unwrap() {
        let nullable = property["type"].as_array().is_some_and(|types| types.contains(&json!("null")));
        assert_eq!(nullable, matches!(name.as_str(), "monthlyLimit" | "remaining"), "{name}: {property}");
        assert!(property["description"].is_string(), "{name}");
    }
}

#[test]
fn every_property_has_a_description() {
    let document = the_document();
    let results = [
        "ImagesResult",
        "SvgResult",
        "VideosResult",
        "AudioResult",
        "LottieResult",
        "FontsResult",
        "BrandResult",
        "CodeResult",
    ];
    for name in results {
        let schema = &document["components"]["schemas"][name];
        assert!(schema["description"].is_string(), "{name}");
    }
}
