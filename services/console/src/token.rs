//! Random tokens and their hashes: a token is given out, only its hash is stored.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::TryRngCore;
use rand::rngs::OsRng;
use sha2::{Digest, Sha256};

/// Returns a new token of 256 random bits.
///
/// # Panics
/// Panics if the operating system has no randomness to give; continuing would produce tokens that can be guessed.
pub(crate) fn new_token() -> String {
    let mut secret = [0; 32];
    OsRng.try_fill_bytes(&mut secret).expect("the operating system gives random bytes");
    URL_SAFE_NO_PAD.encode(secret)
}

/// Returns a new id, which is not secret.
pub(crate) fn new_id(prefix: &str) -> String {
    use rand::distr::{Alphanumeric, SampleString};
    format!("{prefix}_{}", Alphanumeric.sample_string(&mut rand::rng(), 16))
}

/// Returns the SHA-256 hash of a token, which is stored in its place.
pub(crate) fn sha256(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}

/// Returns the hash of several parts, delimited by their lengths.
pub(crate) fn sha256_of(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// Compares in constant time.
pub(crate) fn equal(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_do_not_repeat() {
        assert_eq!(new_token().len(), 43);
        assert_ne!(new_token(), new_token());
        assert_ne!(sha256_of(&[b"a", b"bc"]), sha256_of(&[b"ab", b"c"]));
        assert!(equal(b"ab", b"ab") && !equal(b"ab", b"ac") && !equal(b"ab", b"abc"));
    }
}
