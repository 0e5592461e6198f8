//! Checks a file against integrity metadata (Subresource Integrity §3.3).

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use sha2::{Digest, Sha256, Sha384, Sha512};
use std::cell::OnceCell;

/// Maximum length of a base64 digest, including padding.
const MAX_DIGEST: usize = 88;

/// A file's bytes and their digests. Each algorithm is computed at most once, however many links require it.
pub(super) struct FileDigests<'b> {
    bytes: &'b [u8],
    digests: [OnceCell<String>; 3],
}

/// Ordered from the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Algorithm {
    Sha256,
    Sha384,
    Sha512,
}

impl<'b> FileDigests<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, digests: Default::default() }
    }

    /// Returns true if the bytes match the metadata: only digests of the strongest algorithm in it count, and one match
    /// suffices. Returns `None` if the metadata has no valid digest, so that any file matches.
    pub(super) fn matches(&self, metadata: &str) -> Option<bool> {
        let named = || metadata.split_ascii_whitespace().filter_map(parse_digest);
        let strongest = named().map(|(algorithm, _)| algorithm).max()?;
        let digest = self.digest(strongest);
        Some(named().any(|(algorithm, value)| algorithm == strongest && is_digest(value, digest)))
    }

    fn digest(&self, algorithm: Algorithm) -> &str {
        self.digests[algorithm as usize].get_or_init(|| match algorithm {
            Algorithm::Sha256 => STANDARD_NO_PAD.encode(Sha256::digest(self.bytes)),
            Algorithm::Sha384 => STANDARD_NO_PAD.encode(Sha384::digest(self.bytes)),
            Algorithm::Sha512 => STANDARD_NO_PAD.encode(Sha512::digest(self.bytes)),
        })
    }
}

/// Parses `sha384-…?options`; a value that is not a base64 digest is ignored.
fn parse_digest(one: &str) -> Option<(Algorithm, &str)> {
    let (name, value) = one.split_once('-')?;
    let algorithm = match name.to_ascii_lowercase().as_str() {
        "sha256" => Algorithm::Sha256,
        "sha384" => Algorithm::Sha384,
        "sha512" => Algorithm::Sha512,
        _ => return None,
    };
    let value = value.split('?').next().unwrap_or_default();
    let digits = value.trim_end_matches('=');
    let is_base64 =
        digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_'));
    (is_base64 && !digits.is_empty() && value.len() <= MAX_DIGEST).then_some((algorithm, digits))
}

/// Browsers accept both base64 alphabets.
fn is_digest(value: &str, digest: &str) -> bool {
    value.replace('-', "+").replace('_', "/") == digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strongest_algorithm_counts() {
        // printf 'a{}' | openssl dgst -sha256 -binary | base64, and so on
        const SHA256: &str = "X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk=";
        const SHA512: &str = "GjEFt1gdx685tkNd/X1oQ7P2hHQT9vza3JnltzPZh0ye7is9mQeIz1p1B6fPQhTe1/gM9I/bAXm8CL+qVGK9jw==";
        let file = FileDigests::new(b"a{}");
        for (metadata, expected) in [
            (format!("sha256-{SHA256}"), Some(true)),
            (format!("SHA256-{}", SHA256.trim_end_matches('=')), Some(true)),
            (format!("sha256-{}?ct=text/css", SHA256.replace('+', "-").replace('/', "_")), Some(true)),
            ("sha256-AAAA".to_owned(), Some(false)),
            (format!("sha256-AAAA sha256-{SHA256}"), Some(true)),
            (format!("sha256-{SHA256} sha512-AAAA"), Some(false)),
            (format!("sha256-AAAA sha512-{SHA512}"), Some(true)),
            (format!("sha256-{SHA256} sha512- sha384-{{{{hash}}}}"), Some(true)),
            ("md5-AAAA what".to_owned(), None),
            ("undefined".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(file.matches(&metadata), expected, "{metadata}");
        }
    }
}
