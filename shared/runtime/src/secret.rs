//! Values that are never shown.

use std::fmt;

/// A value that must not appear in logs, messages or `config dump`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a value.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value itself, for whoever needs it to connect.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// For operators: an address with its password hidden; anything else is hidden whole.
    pub fn redacted(&self) -> String {
        match url::Url::parse(&self.0) {
            Ok(mut url) if url.has_host() => {
                if url.password().is_some() && url.set_password(Some("***")).is_err() {
                    return "***".to_owned();
                }
                if url.query().is_some() {
                    url.set_query(Some("***"));
                }
                url.to_string()
            }
            _ => "***".to_owned(),
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_hidden_and_hosts_are_not() {
        for (value, shown) in [
            ("postgres://limner:geheim@db:5432/limner", "postgres://limner:***@db:5432/limner"),
            ("redis://:geheim@cache:6379", "redis://:***@cache:6379"),
            ("nats://bus:4222", "nats://bus:4222"),
            ("postgres://db/limner?password=geheim", "postgres://db/limner?***"),
            ("host=db password=geheim", "***"),
            ("geheim", "***"),
        ] {
            assert_eq!(Secret::new(value).redacted(), shown);
        }
        assert!(!format!("{:?}", Secret::new("geheim")).contains("geheim"));
    }
}
