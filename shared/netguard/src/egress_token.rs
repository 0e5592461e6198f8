//! Tokens for the egress proxy: they prove that a page may use the network, with a budget and an expiry. Tokens are
//! signed, so that a proxy can verify them without a registration of the page.
//!
//! On the wire a token is the user name and password of `Proxy-Authorization: Basic` (RFC 7617).

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::hmac;
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The key that tokens are signed with: its owner can give pages access to the network.
#[derive(Clone)]
pub struct EgressTokenKey {
    current: hmac::Key,
    /// Keys that are accepted until all processes have the current one.
    others: Vec<hmac::Key>,
}

/// The budget of one page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EgressBudget {
    /// Bytes in both directions, on the wire.
    pub bytes: u64,
    /// Number of requests; a tunnel counts as one.
    pub requests: u32,
}

/// A page's permission to use the network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EgressToken {
    /// Id of the page, under which its usage is counted. Letters, digits, `-` and `_`.
    pub page: String,
    /// Its budget.
    pub allowance: EgressBudget,
    /// Its expiry, in seconds since the epoch.
    pub ends_unix: u64,
}

/// A token as user name and password.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The token itself.
    pub username: String,
    /// Its signature.
    pub password: String,
}

/// A URL that the proxy answers itself, with an empty response, to any valid token: a browser that requested it sends
/// the token with all further requests. The host name is reserved and never resolves (RFC 6761 §6.4).
pub const ACTIVATION_URL: &str = "http://pass.limner.invalid/";

/// Maximum length of a page's id.
const MAX_PAGE_NAME: usize = 128;

impl fmt::Debug for EgressTokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EgressTokenKey(***)")
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Credentials({}, ***)", self.username)
    }
}

impl EgressTokenKey {
    /// Derives the key from a secret that the proxy and the issuers of tokens share.
    pub fn new(secret: &str) -> Self {
        Self { current: hmac_key(secret), others: Vec::new() }
    }

    /// Also accepts tokens that were signed with another secret, which replaces this one or is replaced by it.
    #[must_use]
    pub fn accepting(mut self, secret: &str) -> Self {
        self.others.push(hmac_key(secret));
        self
    }

    /// Signs a token.
    pub fn sign(&self, pass: &EgressToken) -> Credentials {
        let EgressToken { page, allowance: EgressBudget { bytes, requests }, ends_unix } = pass;
        let username = format!("{page}.{bytes}.{requests}.{ends_unix}");
        let password = URL_SAFE_NO_PAD.encode(hmac::sign(&self.current, username.as_bytes()));
        Credentials { username, password }
    }

    /// Returns the token if it was signed with an accepted key and has not expired.
    pub fn verify(&self, credentials: &Credentials, now: SystemTime) -> Option<EgressToken> {
        let signature = URL_SAFE_NO_PAD.decode(&credentials.password).ok()?;
        let is_signed_with = |key| hmac::verify(key, credentials.username.as_bytes(), &signature).is_ok();
        if !std::iter::once(&self.current).chain(&self.others).any(is_signed_with) {
            return None;
        }
        let pass = EgressToken::parse(&credentials.username)?;
        (unix(now) < pass.ends_unix).then_some(pass)
    }
}

fn hmac_key(secret: &str) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes())
}

impl EgressToken {
    /// Returns a token that expires after `life`.
    pub fn lasting(page: impl Into<String>, allowance: EgressBudget, life: Duration) -> Self {
        let ends_unix = unix(SystemTime::now() + life).saturating_add(1);
        Self { page: page.into(), allowance, ends_unix }
    }

    fn parse(username: &str) -> Option<Self> {
        let mut parts = username.split('.');
        let page = parts.next().filter(|page| is_page_name(page))?.to_owned();
        let bytes = parts.next()?.parse().ok()?;
        let requests = parts.next()?.parse().ok()?;
        let ends_unix = parts.next()?.parse().ok()?;
        let allowance = EgressBudget { bytes, requests };
        parts.next().is_none().then_some(Self { page, allowance, ends_unix })
    }
}

impl Credentials {
    /// Parses the value of a `Proxy-Authorization` header.
    pub fn from_basic(header: &str) -> Option<Self> {
        let (scheme, encoded) = header.trim().split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("basic") {
            return None;
        }
        let decoded = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
        let (username, password) = decoded.split_once(':')?;
        Some(Self { username: username.to_owned(), password: password.to_owned() })
    }

    /// Returns the value of a `Proxy-Authorization` header.
    pub fn to_basic(&self) -> String {
        format!("Basic {}", STANDARD.encode(format!("{}:{}", self.username, self.password)))
    }
}

fn is_page_name(name: &str) -> bool {
    (1..=MAX_PAGE_NAME).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn unix(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order in which proxies and renderers are restarted with a new secret does not matter.
    #[test]
    fn two_secrets_are_accepted_while_one_replaces_the_other() {
        let (old, new) = ("the old secret", "the new secret");
        let during = EgressTokenKey::new(new).accepting(old);
        for (signer, verifier) in [
            (EgressTokenKey::new(old), during.clone()),
            (during.clone(), EgressTokenKey::new(new)),
            (EgressTokenKey::new(new), during.clone()),
            (EgressTokenKey::new(new).accepting(old), EgressTokenKey::new(old).accepting(new)),
        ] {
            assert_eq!(verifier.verify(&signer.sign(&pass()), SystemTime::now()), Some(pass()));
        }
        let third = EgressTokenKey::new("a third secret").sign(&pass());
        assert_eq!(during.verify(&third, SystemTime::now()), None);
    }

    fn pass() -> EgressToken {
        EgressToken::lasting("page-1", EgressBudget { bytes: 1_000, requests: 10 }, Duration::from_secs(60))
    }

    #[test]
    fn tokens_round_trip() {
        let key = EgressTokenKey::new("secret");
        let credentials = Credentials::from_basic(&key.sign(&pass()).to_basic()).unwrap();
        assert_eq!(key.verify(&credentials, SystemTime::now()).unwrap(), pass());
        assert!(!format!("{credentials:?}").contains(&credentials.password));
    }

    #[test]
    fn forged_or_modified_tokens_are_rejected() {
        let (key, now) = (EgressTokenKey::new("secret"), SystemTime::now());
        let good = key.sign(&pass());
        let with = |username: &str| Credentials { username: username.to_owned(), password: good.password.clone() };
        assert_eq!(key.verify(&with(&good.username.replace("1000", "9000")), now), None, "more bytes");
        assert_eq!(key.verify(&with(&good.username.replace("page-1", "page-2")), now), None, "another's name");
        assert_eq!(EgressTokenKey::new("other").verify(&good, now), None, "another key");
        assert_eq!(key.verify(&good, now + Duration::from_secs(62)), None, "over");
        for nonsense in ["", "Basic", "Basic %%%", "Bearer abc", "Basic YWJj", "Basic /w=="] {
            assert_eq!(Credentials::from_basic(nonsense), None, "{nonsense}");
        }
        for signed_nonsense in ["", "p.1.2", "p.1.2.3.4", "p.x.2.99999999999", "a b.1.2.99999999999"] {
            let signature = URL_SAFE_NO_PAD.encode(hmac::sign(&key.current, signed_nonsense.as_bytes()));
            let credentials = Credentials { username: signed_nonsense.to_owned(), password: signature };
            assert_eq!(key.verify(&credentials, now), None, "{signed_nonsense}");
        }
    }
}
