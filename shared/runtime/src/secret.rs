//! Secret values, which are never shown.

use std::fmt;

/// A value that must not appear in logs, messages or `config dump`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a value.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// Returns the value, for connecting.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns a URL without its credentials, for operators; any other value is masked entirely.
    pub fn redacted(&self) -> String {
        match url::Url::parse(&self.0) {
            Ok(url) if url.has_host() => mask_addresses(&self.0),
            _ => MASK.to_owned(),
        }
    }
}

/// Replacement for hidden text.
const MASK: &str = "***";

/// Masks the parts of URLs in a text that may be secret: user names, passwords, queries and fragments.
pub(crate) fn mask_addresses(text: &str) -> String {
    // URL parsers accept any number of slashes, or none.
    let parsed = url::Url::parse(text).ok().filter(url::Url::has_host);
    let text = if text.contains(":/") { text.to_owned() } else { parsed.map_or(text.to_owned(), String::from) };
    let mut parts = text.split(":/");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        // The text before it may end with the scheme of the next URL.
        let is_scheme = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
        let address = if parts.peek().is_some() { part.trim_end_matches(is_scheme) } else { part };
        shown.push_str(":/");
        shown.push_str(&mask_address(address));
        shown.push_str(&part[address.len()..]);
    }
    shown
}

/// Masks parts of a URL after its scheme and first slash.
fn mask_address(text: &str) -> String {
    let rest = text.trim_start_matches('/');
    let slashes = &text[..text.len() - rest.len()];
    // The last `@`: those in a password need not be escaped, nor do its spaces and commas.
    let (user, rest) = match rest.rsplit_once('@') {
        Some((_, rest)) => (format!("{MASK}@"), rest),
        None => (String::new(), rest),
    };
    let Some(at) = rest.find(['?', '#']) else { return format!("{slashes}{user}{rest}") };
    let end =
        rest[at..].find(|letter: char| letter == ',' || letter.is_whitespace()).map_or("", |end| &rest[at + end..]);
    format!("{slashes}{user}{}{MASK}{end}", &rest[..=at])
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
            ("postgres://limner:geheim@db:5432/limner", "postgres://***@db:5432/limner"),
            ("postgres://limner:ge@h,e/i?m@db:5432/limner", "postgres://***@db:5432/limner"),
            ("redis://:geheim@cache:6379", "redis://***@cache:6379"),
            ("nats://bus:4222", "nats://bus:4222"),
            ("nats://geheim@bus:4222", "nats://***@bus:4222"),
            ("nats://a:geheim@one,nats://b:geheim@two", "nats://***@one,nats://***@two"),
            ("s3://KEY:geheim@bucket/prefix", "s3://***@bucket/prefix"),
            ("postgres://db/limner?password=geheim", "postgres://db/limner?***"),
            ("https://idp.example/#geheim", "https://idp.example/#***"),
            ("host=db password=geheim", "***"),
            ("geheim", "***"),
        ] {
            assert_eq!(Secret::new(value).redacted(), shown);
        }
        assert!(!format!("{:?}", Secret::new("geheim")).contains("geheim"));
    }

    #[test]
    fn urls_in_a_text_lose_their_credentials() {
        for (text, shown) in [
            ("Limner <console@limner.test>", "Limner <console@limner.test>"),
            ("https://a.test:443, https://u:geheim@b.test", "https://a.test:443, https://***@b.test"),
            ("https:/u:geheim@b.test", "https:/***@b.test"),
            ("https:u:geheim@b.test", "https://***@b.test/"),
            ("https://u:geheim geheim@b.test", "https://***@b.test"),
            ("at https://u:geheim@b.test/x?y=geheim today", "at https://***@b.test/x?*** today"),
        ] {
            assert_eq!(mask_addresses(text), shown);
        }
    }
}
