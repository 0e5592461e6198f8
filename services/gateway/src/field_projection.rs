//! The `fields` parameter: projects the top level of a result, after the cache.

use limner_types::request::HEADER_FIELDS;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The members of a JSON object in their order, with unparsed values.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(name) = map.next_key::<Name<'de>>()? {
                    let value: &RawValue = map.next_value().map_err(A::Error::custom)?;
                    members.push((name.0, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Read)
    }
}

#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// Returns the result with only these fields, in the order of the result.
///
/// # Errors
/// The result is not a JSON object.
pub(crate) fn project(result: &[u8], fields: &[String]) -> Result<Vec<u8>, serde_json::Error> {
    let Members(members) = serde_json::from_slice(result)?;
    let mut body = Vec::with_capacity(result.len());
    body.push(b'{');
    for (name, value) in members {
        let kept = HEADER_FIELDS.contains(&name.as_ref()) || fields.iter().any(|field| *field == name);
        if !kept {
            continue;
        }
        if body.len() > 1 {
            body.push(b',');
        }
        serde_json::to_writer(&mut body, &name)?;
        body.push(b':');
        body.extend_from_slice(value.get().as_bytes());
    }
    body.push(b'}');
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_and_common_fields_stay_in_order_and_untouched() {
        let result = br#"{"url":"https://a.com/","hint":"h","images":[{"url":"x", "n":1.50}],"count":1,"screenshot":"s","truncated":true}"#;
        for (fields, expected) in [
            (vec!["count"], r#"{"url":"https://a.com/","hint":"h","count":1,"screenshot":"s","truncated":true}"#),
            (
                vec!["count", "images"],
                r#"{"url":"https://a.com/","hint":"h","images":[{"url":"x", "n":1.50}],"count":1,"screenshot":"s","truncated":true}"#,
            ),
            (vec!["url"], r#"{"url":"https://a.com/","hint":"h","screenshot":"s","truncated":true}"#),
            (vec!["absent"], r#"{"url":"https://a.com/","hint":"h","screenshot":"s","truncated":true}"#),
        ] {
            let fields: Vec<String> = fields.into_iter().map(str::to_owned).collect();
            assert_eq!(String::from_utf8(project(result, &fields).unwrap()).unwrap(), expected);
        }
    }

    #[test]
    fn names_with_escapes_survive_and_non_objects_are_refused() {
        assert_eq!(project(br#"{"a\"b":1}"#, &["a\"b".to_owned()]).unwrap(), br#"{"a\"b":1}"#);
        for broken in ["[1]", "{", "", "{\"a\":}"] {
            assert!(project(broken.as_bytes(), &[]).is_err(), "{broken}");
        }
    }
}
