//! Whether a file is what a page says it is (Subresource Integrity, section 3.3).

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use sha2::{Digest, Sha256, Sha384, Sha512};

/// Whether bytes fit the metadata: those of the strongest algorithm named count, and one of them suffices. Where none is
/// known, anything fits.
pub(super) fn holds(metadata: &str, bytes: &[u8]) -> bool {
    let named: Vec<(Algorithm, &str)> = metadata.split_ascii_whitespace().filter_map(read).collect();
    let Some(strongest) = named.iter().map(|(algorithm, _)| *algorithm).max() else { return true };
    let digest = strongest.digest(bytes);
    named.iter().any(|(algorithm, value)| *algorithm == strongest && is_digest(value, &digest))
}

/// From the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Algorithm {
    Sha256,
    Sha384,
    Sha512,
}

impl Algorithm {
    fn digest(self, bytes: &[u8]) -> String {
        match self {
            Self::Sha256 => STANDARD_NO_PAD.encode(Sha256::digest(bytes)),
            Self::Sha384 => STANDARD_NO_PAD.encode(Sha384::digest(bytes)),
            Self::Sha512 => STANDARD_NO_PAD.encode(Sha512::digest(bytes)),
        }
    }
}

/// `sha384-…?options`
fn read(one: &str) -> Option<(Algorithm, &str)> {
    let (name, value) = one.split_once('-')?;
    let algorithm = match name.to_ascii_lowercase().as_str() {
        "sha256" => Algorithm::Sha256,
        "sha384" => Algorithm::Sha384,
        "sha512" => Algorithm::Sha512,
        _ => return None,
    };
    Some((algorithm, value.split('?').next().unwrap_or_default()))
}

/// Browsers take both alphabets of base64.
fn is_digest(value: &str, digest: &str) -> bool {
    value.trim_end_matches('=').replace('-', "+").replace('_', "/") == digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_algorithm_counts() {
        // printf 'a{}' | openssl dgst -sha256 -binary | base64, and so on
        const SHA256: &str = "X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk=";
        const SHA512: &str = "GjEFt1gdx685tkNd/X1oQ7P2hHQT9vza3JnltzPZh0ye7is9mQeIz1p1B6fPQhTe1/gM9I/bAXm8CL+qVGK9jw==";
        for (metadata, expected) in [
            (format!("sha256-{SHA256}"), true),
            (format!("SHA256-{}", SHA256.trim_end_matches('=')), true),
            (format!("sha256-{}?ct=text/css", SHA256.replace('+', "-").replace('/', "_")), true),
            ("sha256-AAAA".to_owned(), false),
            (format!("sha256-AAAA sha256-{SHA256}"), true),
            (format!("sha256-{SHA256} sha512-AAAA"), false),
            (format!("sha256-AAAA sha512-{SHA512}"), true),
            ("md5-AAAA what".to_owned(), true),
            (String::new(), true),
        ] {
            assert_eq!(holds(&metadata, b"a{}"), expected, "{metadata}");
        }
    }
}
