//! Parses the query of a request into a validated call.

use crate::config::Config;
use crate::error::CallError;
use limner_page::TargetUrl;
use limner_types::request::{known_parameters, parse};
use limner_types::{ErrorCode, InvalidParameter, Operation, OperationOptions, OperationRequest, TokenFormat};
use percent_encoding::percent_decode_str;
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// A call with valid parameters.
#[derive(Debug)]
pub(crate) struct ParsedCall {
    pub(crate) request: OperationRequest,
    pub(crate) target: TargetUrl,
    /// The result's cache key.
    pub(crate) cache_key: String,
}

/// The outcome of parsing a query.
pub(crate) struct ParsedQuery {
    /// The call, or its first error.
    pub(crate) call: Result<ParsedCall, CallError>,
    /// Parameters that the operation does not have.
    pub(crate) ignored: Vec<String>,
}

/// Part of every cache key: incremented when the result of a call changes.
const RESULT_GENERATION: &str = "1";

impl ParsedQuery {
    pub(crate) fn parse(operation: Operation, query: Option<&str>, config: &Config) -> Self {
        let pairs = match decode(query.unwrap_or_default()) {
            Ok(pairs) => pairs,
            Err(fault) => return Self { call: Err(fault.into()), ignored: Vec::new() },
        };
        let ignored = unknown_names(operation, &pairs);
        Self { call: check(operation, &pairs, config), ignored }
    }
}

fn check(operation: Operation, pairs: &[(String, String)], config: &Config) -> Result<ParsedCall, CallError> {
    let request = parse(operation, pairs)?.request;
    let target = TargetUrl::parse(&request.url, config.max_url_bytes)?;
    config
        .policy
        .check_url(target.url())
        .map_err(|forbidden| CallError::new(ErrorCode::InvalidRequest, forbidden.message()))?;
    if let OperationOptions::Code(code) = &request.options
        && let Some(selector) = &code.selector
        && !limner_style::selector::is_valid(selector)
    {
        return Err(InvalidParameter::selector(selector).into());
    }
    let cache_key = cache_key(&request, &target);
    Ok(ParsedCall { request, target, cache_key })
}

fn cache_key(request: &OperationRequest, target: &TargetUrl) -> String {
    let mut hash = Sha256::new();
    hash.update(RESULT_GENERATION);
    hash.update("\n");
    hash.update(request.cache_identity(target.as_str()));
    let digit = |four_bits: u8| char::from(b"0123456789abcdef"[usize::from(four_bits)]);
    hash.finalize().iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

impl ParsedCall {
    /// Returns true if the result is a JSON object, which `usage` is added to.
    pub(crate) fn has_json_result(&self) -> bool {
        !matches!(&self.request.options, OperationOptions::Extract { format, .. } if *format != TokenFormat::Json)
    }
}

/// Decodes a query as `application/x-www-form-urlencoded` (URL Standard §5.1): `+` is a space, and a `%` that starts no
/// valid byte is literal. Bytes that are not UTF-8 are an error, because the decoded URL would not be the one the
/// caller meant.
fn decode(query: &str) -> Result<Vec<(String, String)>, InvalidParameter> {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let shown: String = name.chars().take(40).collect();
        let text = |encoded: &str| {
            let spaced = encoded.replace('+', " ");
            let decoded = percent_decode_str(&spaced).decode_utf8().map(Cow::into_owned);
            decoded.map_err(|_| {
                let message = format!("The parameter `{shown}` is not valid UTF-8. Percent-encode its UTF-8 bytes.");
                InvalidParameter::new(&shown, message)
            })
        };
        Ok((text(name)?, text(value)?))
    };
    query.split('&').filter(|text| !text.is_empty()).map(pair).collect()
}

fn unknown_names(operation: Operation, pairs: &[(String, String)]) -> Vec<String> {
    let known = known_parameters(operation);
    let mut unknown: Vec<String> = Vec::new();
    for (name, _) in pairs {
        if !name.is_empty() && !known.contains(&name.as_str()) && !unknown.contains(name) {
            unknown.push(name.clone());
        }
    }
    unknown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(operation: Operation, query: &str) -> ParsedQuery {
        ParsedQuery::parse(operation, Some(query), &Config::default())
    }

    #[test]
    fn queries_are_decoded_as_forms() {
        let table: &[(&str, &[(&str, &str)])] = &[
            ("", &[]),
            ("&&url=a.com&", &[("url", "a.com")]),
            ("url=a.com%2Fx%3Fy%3D1%26z&selector=a+b", &[("url", "a.com/x?y=1&z"), ("selector", "a b")]),
            ("url=b%C3%BCcher.example", &[("url", "bücher.example")]),
            ("url=a.com/100%", &[("url", "a.com/100%")]),
            ("url=a.com/%zz", &[("url", "a.com/%zz")]),
            ("url=a=b", &[("url", "a=b")]),
            ("flag", &[("flag", "")]),
            ("url=a.com/%EF%BF%BD", &[("url", "a.com/\u{fffd}")]),
        ];
        for (query, pairs) in table {
            let decoded = decode(query).unwrap();
            let decoded: Vec<(&str, &str)> = decoded.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
            assert_eq!(decoded, *pairs, "{query}");
        }
        for query in ["url=a.com/%ff", "url=%C3", "%ff=1"] {
            assert!(decode(query).unwrap_err().message.contains("UTF-8"), "{query}");
        }
    }

    #[test]
    fn invalid_calls_get_a_helpful_message() {
        let table = [
            (Operation::Images, "", "missing"),
            (Operation::Images, "url=localhost", "public"),
            (Operation::Images, "url=http://127.0.0.1/", "public"),
            (Operation::Images, "url=http://[::1]/", "public"),
            (Operation::Images, "url=http://169.254.169.254/latest", "public"),
            (Operation::Images, "url=ftp://a.com", "http, https"),
            (Operation::Images, "url=https://u:p@a.com", "user name"),
            (Operation::Images, "url=a.com&url=b.com", "more than once"),
            (Operation::Images, "url=a.com&fields=svgs", "images, count"),
            (Operation::Code, "url=a.com&selector=%3E%3E", "CSS selectors"),
            (Operation::Code, "url=a.com&selector=div%5B", "CSS selectors"),
        ];
        for (operation, query, says) in table {
            let fault = parse(operation, query).call.unwrap_err();
            assert_eq!((fault.code, fault.status), (ErrorCode::InvalidRequest, 400), "{query}");
            assert!(fault.message.contains(says), "{query}: {}", fault.message);
        }
    }

    #[test]
    fn unknown_parameters_are_named_even_when_the_call_is_bad() {
        let query = parse(Operation::Images, "ulr=a.com&format=css&ulr=b&=x");
        assert!(query.call.is_err());
        assert_eq!(query.ignored, ["ulr", "format"]);
        assert_eq!(parse(Operation::Extract, "url=a.com&format=css").ignored, Vec::<String>::new());
    }

    #[test]
    fn one_page_has_one_cache_key() {
        let key = |query: &str| parse(Operation::Images, query).call.unwrap().cache_key;
        let plain = key("url=example.com");
        for same in ["url=https://EXAMPLE.com:443/#top", "url=example.com&fields=count&fresh=true&x=1"] {
            assert_eq!(key(same), plain, "{same}");
        }
        for other in ["url=http://example.com", "url=example.com/?a", "url=example.com&render=true"] {
            assert_ne!(key(other), plain, "{other}");
        }
    }

    #[test]
    fn only_json_results_carry_usage() {
        for (operation, query, json) in [
            (Operation::Images, "url=a.com", true),
            (Operation::Extract, "url=a.com", true),
            (Operation::Extract, "url=a.com&format=css", false),
            (Operation::Extract, "url=a.com&format=tailwind", false),
            (Operation::Extract, "url=a.com&format=dtcg", false),
        ] {
            assert_eq!(parse(operation, query).call.unwrap().has_json_result(), json, "{query}");
        }
    }
}
