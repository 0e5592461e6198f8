//! Parses JSON-LD blocks, as leniently as search engines do.
//!
//! References (`@id`) are not followed: the referenced node is in the graph and is visited there,
//! so cyclic graphs have no extra cost. Nesting, nodes and bytes are limited.

use crate::media::{attribute_text, duration};
use limner_page::Document;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Maximum size of a block, in bytes.
const MAX_BLOCK_BYTES: usize = 2 * 1024 * 1024;
/// Maximum size of all blocks together, in bytes.
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// Maximum number of nodes visited in all blocks together.
const MAX_NODES: usize = 200_000;

/// A JSON-LD object.
pub type JsonLdObject = Map<String, Value>;

/// The JSON-LD of a document.
#[derive(Debug)]
pub struct JsonLd {
    blocks: Vec<(usize, Value)>,
}

impl JsonLd {
    /// Parses every `script type=application/ld+json`. A block that cannot be repaired is left out.
    pub fn from_document(document: &Document) -> Self {
        let is_json_ld =
            |kind: &str| kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/ld+json");
        let scripts = document.elements_named("script").filter(|(_, e)| e.attr("type").is_some_and(is_json_ld));
        let mut budget = MAX_BYTES;
        let mut blocks = Vec::new();
        for (node, _) in scripts {
            let block = document.text_content(node);
            if block.len() > MAX_BLOCK_BYTES || block.len() > budget {
                continue;
            }
            budget -= block.len();
            blocks.extend(parse(&block).into_iter().map(|value| (node.index(), value)));
        }
        Self { blocks }
    }

    /// Returns all objects, outer ones before those nested in them, with the document node of their
    /// block.
    pub fn nodes(&self) -> Vec<(usize, &JsonLdObject)> {
        let mut found = Vec::new();
        let mut work: Vec<(usize, &Value)> = self.blocks.iter().rev().map(|(at, value)| (*at, value)).collect();
        let mut visited = 0;
        while let Some((at, value)) = work.pop() {
            visited += 1;
            if visited > MAX_NODES {
                break;
            }
            match value {
                Value::Array(items) => work.extend(items.iter().rev().map(|item| (at, item))),
                Value::Object(node) => {
                    found.push((at, node));
                    work.extend(node.values().rev().filter(|v| v.is_object() || v.is_array()).map(|v| (at, v)));
                }
                _ => {}
            }
        }
        found
    }

    /// Returns all objects except the brands and manufacturers of products, since a shop sells
    /// products of others.
    pub fn site_nodes(&self) -> Vec<&JsonLdObject> {
        let nodes: Vec<&JsonLdObject> = self.nodes().into_iter().map(|(_, node)| node).collect();
        let products = nodes.iter().filter(|node| PRODUCTS.iter().any(|name| has_type(node, name)));
        let made_by = products.flat_map(|product| ["brand", "manufacturer"].iter().filter_map(|key| product.get(*key)));
        let makers: HashSet<*const JsonLdObject> = made_by.flat_map(objects).map(std::ptr::from_ref).collect();
        nodes.into_iter().filter(|node| !makers.contains(&std::ptr::from_ref::<JsonLdObject>(node))).collect()
    }
}

/// Returns the objects in a property's value.
fn objects(value: &Value) -> impl Iterator<Item = &JsonLdObject> {
    let items = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    items.iter().filter_map(Value::as_object)
}

/// Types of products.
const PRODUCTS: &[&str] =
    &["Product", "ProductGroup", "ProductModel", "IndividualProduct", "SomeProducts", "Vehicle", "Car", "Motorcycle"];

/// Returns true if an object has this schema.org type, for any spelling of the vocabulary's URL.
pub fn has_type(node: &JsonLdObject, name: &str) -> bool {
    let is_it = |value: &Value| {
        let written = value.as_str().unwrap_or_default();
        written.rsplit(['/', '#', ':']).next().is_some_and(|last| last.eq_ignore_ascii_case(name))
    };
    match node.get("@type").or_else(|| node.get("type")) {
        Some(Value::Array(types)) => types.iter().any(is_it),
        Some(one) => is_it(one),
        None => false,
    }
}

/// Returns the first text of a property: a string or `{"@value": …}`.
pub fn string<'a>(node: &'a JsonLdObject, property: &str) -> Option<&'a str> {
    strings(node, property).into_iter().next()
}

/// Returns all strings of a property. For objects, the first of `@value`, `url`, `contentUrl` or
/// `@id` counts.
pub fn strings<'a>(node: &'a JsonLdObject, property: &str) -> Vec<&'a str> {
    let of_object = |object: &'a JsonLdObject| {
        ["@value", "url", "contentUrl", "@id"].iter().find_map(|key| object.get(*key)?.as_str())
    };
    let of_value = |value: &'a Value| match value {
        Value::String(text) => Some(text.as_str()),
        Value::Object(object) => of_object(object),
        _ => None,
    };
    let found: Vec<&str> = match node.get(property) {
        Some(Value::Array(items)) => items.iter().filter_map(of_value).collect(),
        Some(value) => of_value(value).into_iter().collect(),
        None => Vec::new(),
    };
    found.into_iter().map(str::trim).filter(|text| !text.is_empty()).collect()
}

/// Returns the normalized `name`, `headline` or `caption`.
pub fn title(node: &JsonLdObject) -> Option<String> {
    ["name", "headline", "caption"].iter().find_map(|property| attribute_text::tidy(string(node, property)?))
}

/// Returns a length in pixels: a number, `"640"`, `"640px"` or a `QuantitativeValue`.
pub fn pixels(node: &JsonLdObject, property: &str) -> Option<u32> {
    let number = |value: &Value| match value {
        Value::Number(number) => number.as_f64().filter(|n| *n >= 1.0 && *n <= f64::from(u32::MAX)).map(|n| n as u32),
        Value::String(text) => attribute_text::pixels(text),
        _ => None,
    };
    match node.get(property)? {
        Value::Object(quantity) => number(quantity.get("value")?),
        value => number(value),
    }
}

/// Returns a duration in seconds.
pub(crate) fn seconds(node: &JsonLdObject, property: &str) -> Option<f64> {
    duration::parse_duration(string(node, property)?)
}

/// Parses the values in a block; most blocks contain one.
fn parse(block: &str) -> Vec<Value> {
    let block = unwrap(block);
    if let Ok(value) = serde_json::from_str(block) {
        return vec![value];
    }
    let mended = repair_json(block);
    // For several objects in a row, or garbage after the first, the leading valid values count.
    serde_json::Deserializer::from_str(&mended).into_iter::<Value>().map_while(Result::ok).take(1_000).collect()
}

/// Removes the wrappers of old templates: HTML comments, CDATA, `//`, a byte order mark.
fn unwrap(block: &str) -> &str {
    let mut rest = block.trim();
    let openers = ["\u{feff}", "<!--", "//<![CDATA[", "/*<![CDATA[*/", "<![CDATA[", "//"];
    while let Some(after) = openers.iter().find_map(|opener| rest.strip_prefix(opener)) {
        rest = after.trim_start();
    }
    let closers = ["-->", "//]]>", "/*]]>*/", "]]>", "//", ";"];
    while let Some(before) = closers.iter().find_map(|closer| rest.strip_suffix(closer)) {
        rest = before.trim_end();
    }
    rest
}

/// Repairs invalid JSON: escapes control characters in strings, removes trailing commas and
/// comments between tokens.
fn repair_json(block: &str) -> String {
    let mut mended = String::with_capacity(block.len() + 64);
    let mut in_string = false;
    let mut letters = block.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if in_string => {
                mended.push('\\');
                mended.extend(letters.next());
            }
            '"' => {
                in_string = !in_string;
                mended.push('"');
            }
            control if in_string && control.is_control() => {
                mended.push_str(match control {
                    '\n' => "\\n",
                    '\r' => "\\r",
                    '\t' => "\\t",
                    _ => " ",
                });
            }
            '/' if !in_string && letters.peek() == Some(&'*') => {
                let mut before = ' ';
                for inside in letters.by_ref().skip(1) {
                    if before == '*' && inside == '/' {
                        break;
                    }
                    before = inside;
                }
            }
            '}' | ']' if !in_string => {
                let kept = mended.trim_end().strip_suffix(',').map_or(mended.len(), str::len);
                mended.truncate(kept);
                mended.push(letter);
            }
            ';' if !in_string => mended.push(' '),
            _ => mended.push(letter),
        }
    }
    mended
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(html: &str) -> Vec<String> {
        let json_ld = JsonLd::from_document(&Document::parse(html));
        let videos = json_ld.nodes().into_iter().filter(|(_, node)| has_type(node, "VideoObject"));
        videos.filter_map(|(_, node)| title(node)).collect()
    }

    fn in_script(block: &str) -> Vec<String> {
        names(&format!("<script type=\"application/ld+json\">{block}</script>"))
    }

    #[test]
    fn valid_and_repairable_blocks_are_parsed() {
        for (block, expected) in [
            (r#"{"@type":"VideoObject","name":"a"}"#, vec!["a"]),
            (r#"[{"@type":"VideoObject","name":"a"},{"@type":"VideoObject","name":"b"}]"#, vec!["a", "b"]),
            (r#"{"@graph":[{"@type":["Thing","VideoObject"],"name":"a"}]}"#, vec!["a"]),
            (r#"{"@type":"Article","video":{"@type":"http://schema.org/VideoObject","name":"a"}}"#, vec!["a"]),
            (r#"{"@type":"schema:VideoObject","name":{"@value":"a"}}"#, vec!["a"]),
            (r#"{"@type":"VideoObject","name":["","a"]}"#, vec!["a"]),
            ("<!-- {\"@type\":\"VideoObject\",\"name\":\"a\"} -->", vec!["a"]),
            ("//<![CDATA[\n{\"@type\":\"VideoObject\",\"name\":\"a\"}\n//]]>", vec!["a"]),
            ("{\"@type\":\"VideoObject\",\"name\":\"a\nb\",}", vec!["a b"]),
            ("{\"@type\":\"VideoObject\",\"name\":\"a\"};", vec!["a"]),
            ("{\"@type\":\"VideoObject\",\"name\":\"a\"}{\"@type\":\"VideoObject\",\"name\":\"b\"}", vec!["a", "b"]),
            ("/* x */{\"@type\":\"VideoObject\",/* y */\"name\":\"a\"}", vec!["a"]),
            ("{\"@type\":\"VideoObject\",\"name\":\"a\"} trailing", vec!["a"]),
            ("{\"@type\":\"VideoObject\",\"name\":\"a\"", vec![]),
            ("", vec![]),
            ("null", vec![]),
            ("\"VideoObject\"", vec![]),
        ] {
            assert_eq!(in_script(block), expected, "{block}");
        }
    }

    #[test]
    fn only_json_ld_scripts_are_read() {
        assert!(
            names("<script type=\"application/json\">{\"@type\":\"VideoObject\",\"name\":\"a\"}</script>").is_empty()
        );
        let with_parameters =
            "<script type=\" Application/LD+JSON; charset=utf-8\">{\"@type\":\"VideoObject\",\"name\":\"a\"}</script>";
        assert_eq!(names(with_parameters), ["a"]);
    }

    #[test]
    fn cyclic_graphs_are_read_once() {
        let block = r##"{"@id":"#a","@type":"VideoObject","name":"a","isPartOf":{"@id":"#b","hasPart":{"@id":"#a"}}}"##;
        assert_eq!(in_script(block), ["a"]);
    }

    #[test]
    fn huge_and_deep_blocks_are_ignored() {
        assert!(in_script(&"[".repeat(1_000_000)).is_empty());
        let deep = format!("{}{}", "{\"a\":".repeat(100_000), "1".to_owned() + &"}".repeat(100_000));
        assert!(in_script(&deep).is_empty());
        let huge = format!("{{\"@type\":\"VideoObject\",\"name\":\"{}\"}}", "x".repeat(MAX_BLOCK_BYTES));
        assert!(in_script(&huge).is_empty());
        let many = format!("[{}]", vec!["{}"; 400_000].join(","));
        assert!(in_script(&many).is_empty());
    }

    #[test]
    fn lengths_and_durations_are_parsed() {
        let value: Value = serde_json::from_str(
            r#"{"a":640,"b":"640px","c":{"@type":"QuantitativeValue","value":640},"d":-1,"e":1e300,"t":"PT1M"}"#,
        )
        .unwrap();
        let node = value.as_object().unwrap();
        let read: Vec<Option<u32>> = ["a", "b", "c", "d", "e"].iter().map(|p| pixels(node, p)).collect();
        assert_eq!(read, [Some(640), Some(640), Some(640), None, None]);
        assert_eq!(seconds(node, "t"), Some(60.0));
    }

    proptest! {
        #[test]
        fn arbitrary_json_ld_does_not_panic(block in ".{0,400}") {
            in_script(&block);
        }

        #[test]
        fn repairing_valid_json_preserves_its_value(text in "[ -~]{0,40}", number in any::<i32>()) {
            let whole = serde_json::json!({ "text": text, "list": [number, null], "object": {} });
            let mended: Value = serde_json::from_str(&repair_json(&whole.to_string())).unwrap();
            prop_assert_eq!(mended, whole);
        }
    }
}
