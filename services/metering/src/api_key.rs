//! Generates and hashes API keys. [`limner_types::key`] describes their format.

use limner_types::ApiKey;
use rand::TryRngCore;
use rand::rngs::OsRng;
use sha2::{Digest, Sha256};

/// Digits of an id: 62^16 is more than 2^95.
const ID_DIGITS: usize = 16;

/// Generates a key from the operating system's randomness.
///
/// # Panics
/// Panics if the operating system has no randomness to give; continuing would produce keys that can be guessed.
pub fn generate() -> ApiKey {
    let mut secret = [0; 32];
    OsRng.try_fill_bytes(&mut secret).expect("the operating system gives random bytes");
    ApiKey::from_secret(secret)
}

/// Returns the SHA-256 hash of a key, the only form in which a key is stored.
pub fn sha256(key: &ApiKey) -> [u8; 32] {
    Sha256::digest(key.expose()).into()
}

/// Generates an id of an account (`acc_…`) or a key (`key_…`).
pub(crate) fn new_id(prefix: &str) -> String {
    use rand::distr::{Alphanumeric, SampleString};
    format!("{prefix}_{}", Alphanumeric.sample_string(&mut rand::rng(), ID_DIGITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_ids_do_not_repeat() {
        assert_ne!(generate().expose(), generate().expose());
        assert_ne!(new_id("acc"), new_id("acc"));
        assert_eq!(new_id("acc").len(), 4 + ID_DIGITS);
    }

    #[test]
    fn hash_is_of_the_whole_key() {
        let key = ApiKey::from_secret([7; 32]);
        let hex: String = sha256(&key).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "c4e4de824a92aeec72aed53696501b0739c2bb6b997a3b382b15271443a239d6");
    }
}
