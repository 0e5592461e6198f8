//! Validation of the claims of an ID token: issuer, audience, time and nonce (OpenID Connect Core 1.0 §3.1.3.7).

use crate::token;
use serde::{Deserialize, Deserializer};

/// Allowed clock difference, in seconds.
const SKEW: f64 = 60.0;

/// The claims that are read.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Claims {
    iss: String,
    pub(super) sub: String,
    aud: Audience,
    azp: Option<String>,
    exp: f64,
    iat: f64,
    nbf: Option<f64>,
    nonce: Option<String>,
    pub(super) email: Option<String>,
    #[serde(default, deserialize_with = "truth")]
    pub(super) email_verified: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

/// Parses a boolean that some providers write as text. Any other value is false.
pub(super) fn truth<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    let value = serde_json::Value::deserialize(from)?;
    Ok(value.as_bool().unwrap_or_else(|| value.as_str() == Some("true")))
}

/// The expected claims.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExpectedClaims<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
    /// The current time in seconds since 1970.
    pub(super) now: f64,
}

impl Claims {
    /// # Errors
    /// The claim that is invalid.
    pub(super) fn check(&self, expected: ExpectedClaims<'_>) -> Result<(), &'static str> {
        let is_for_us = match &self.aud {
            Audience::One(one) => one == expected.client_id,
            // With several audiences, another party could pass on a token that it received.
            Audience::Many(many) => {
                many.iter().any(|one| one == expected.client_id) && (many.len() == 1 || self.azp.is_some())
            }
        };
        let is_by_us = self.azp.as_deref().is_none_or(|azp| azp == expected.client_id);
        let nonce = self.nonce.as_deref().unwrap_or_default();
        let checks = [
            (self.iss == expected.issuer, "another issuer"),
            (is_for_us && is_by_us, "another audience"),
            (self.exp > expected.now - SKEW, "too old"),
            (self.iat < expected.now + SKEW, "of the future"),
            (self.nbf.is_none_or(|nbf| nbf < expected.now + SKEW), "of the future"),
            (token::equal(nonce.as_bytes(), expected.nonce.as_bytes()), "of another sign-in"),
            (!self.sub.is_empty() && self.sub.len() <= 255, "about nobody"),
        ];
        checks.into_iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, fault)| Err(fault))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const EXPECTED: ExpectedClaims<'static> =
        ExpectedClaims { issuer: "https://id.example", client_id: "us", nonce: "n", now: 1_000_000.0 };

    fn checked(change: &[(&str, Value)]) -> Result<(), &'static str> {
        let mut claims = json!({
            "iss": "https://id.example", "sub": "1", "aud": "us", "exp": 1_000_300, "iat": 999_990, "nonce": "n",
        });
        for (name, value) in change {
            claims[*name] = value.clone();
        }
        serde_json::from_value::<Claims>(claims).map_err(|_| "no claims")?.check(EXPECTED)
    }

    #[test]
    fn only_current_tokens_for_this_client_are_valid() {
        for change in [
            vec![],
            vec![("aud", json!(["us"]))],
            vec![("aud", json!(["us", "others"])), ("azp", json!("us"))],
            vec![("exp", json!(1_000_000.5))],
            vec![("nbf", json!(999_000))],
        ] {
            assert_eq!(checked(&change), Ok(()), "{change:?}");
        }
        for (change, fault) in [
            (("iss", json!("https://id.example/")), "another issuer"),
            (("iss", json!("https://evil.example")), "another issuer"),
            (("aud", json!("others")), "another audience"),
            (("aud", json!([])), "another audience"),
            (("aud", json!(["us", "others"])), "another audience"),
            (("azp", json!("others")), "another audience"),
            (("exp", json!(999_000)), "too old"),
            (("exp", json!("1000300")), "no claims"),
            (("exp", Value::Null), "no claims"),
            (("iat", json!(2_000_000)), "of the future"),
            (("nbf", json!(2_000_000)), "of the future"),
            (("nbf", json!("2000000")), "no claims"),
            (("nonce", json!("m")), "of another sign-in"),
            (("nonce", Value::Null), "of another sign-in"),
            (("sub", json!("")), "about nobody"),
            (("sub", json!(7)), "no claims"),
        ] {
            assert_eq!(checked(std::slice::from_ref(&change)), Err(fault), "{change:?}");
        }
    }

    #[test]
    fn email_verified_must_be_clearly_true() {
        for (value, expected) in [
            (json!(true), true),
            (json!("true"), true),
            (json!(false), false),
            (json!("yes"), false),
            (json!(1), false),
            (Value::Null, false),
        ] {
            let claims = json!({
                "iss": "", "sub": "", "aud": "", "exp": 0, "iat": 0, "email_verified": value,
            });
            let claims: Claims = serde_json::from_value(claims).unwrap();
            assert_eq!(claims.email_verified, expected, "{value}");
        }
    }
}
