//! The format of API keys: `lm_live_`, 256 random bits in base62, and a checksum.
//!
//! The checksum allows rejecting a malformed key without a look-up, and lets secret scanners distinguish a key from
//! noise. It is not a security feature: only metering knows whether a key is valid.

use std::fmt;

/// Prefix of every live key.
pub const LIVE_PREFIX: &str = "lm_live_";
/// Base62 digits of the secret part: enough for 256 bits.
const SECRET_DIGITS: usize = 43;
/// Base62 digits of the checksum: enough for 32 bits.
const CHECKSUM_DIGITS: usize = 6;
/// Number of characters of a key that may be shown again: enough to distinguish keys, without revealing the secret.
const DISPLAY_CHARACTERS: usize = LIVE_PREFIX.len() + 6;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A well-formed API key. Secret: `Debug` shows only the displayable prefix.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// The reason why a text is not an API key. Never contains the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyFormatError {
    /// It does not start with the prefix of live keys.
    #[error("an API key starts with `lm_live_`")]
    Prefix,
    /// It is too short or too long.
    #[error("an API key has 57 characters")]
    Length,
    /// A character after the prefix is not an ASCII letter or digit.
    #[error("an API key consists of letters and digits after `lm_live_`")]
    Alphabet,
    /// The checksum does not match: the key is mistyped, truncated or invented.
    #[error("the API key is mistyped: its checksum does not match")]
    Checksum,
}

impl ApiKey {
    /// Length of a key in characters.
    pub const LENGTH: usize = LIVE_PREFIX.len() + SECRET_DIGITS + CHECKSUM_DIGITS;

    /// Returns the key with a secret, which has to come from a cryptographic source.
    pub fn from_secret(secret: [u8; 32]) -> Self {
        let mut key = String::with_capacity(Self::LENGTH);
        key.push_str(LIVE_PREFIX);
        key.push_str(&base62(&secret, SECRET_DIGITS));
        let checksum = checksum(&key);
        key.push_str(&checksum);
        Self(key)
    }

    /// Parses a key: checks form and checksum.
    ///
    /// # Errors
    /// The reason, without the text.
    pub fn parse(text: &str) -> Result<Self, KeyFormatError> {
        let digits = text.strip_prefix(LIVE_PREFIX).ok_or(KeyFormatError::Prefix)?;
        if text.len() != Self::LENGTH {
            return Err(KeyFormatError::Length);
        }
        if !digits.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(KeyFormatError::Alphabet);
        }
        let (signed, expected) = text.split_at(Self::LENGTH - CHECKSUM_DIGITS);
        if checksum(signed) != expected {
            return Err(KeyFormatError::Checksum);
        }
        Ok(Self(text.to_owned()))
    }

    /// Returns the whole key, for hashing, for the `Authorization` header and for showing it once.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns the beginning of the key, which may be stored and shown.
    pub fn display_prefix(&self) -> &str {
        &self.0[..DISPLAY_CHARACTERS]
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKey({}…)", self.display_prefix())
    }
}

fn checksum(signed: &str) -> String {
    base62(&crc32fast::hash(signed.as_bytes()).to_be_bytes(), CHECKSUM_DIGITS)
}

/// Returns the big-endian number in base62, padded with zeros to `digits`.
fn base62(number: &[u8], digits: usize) -> String {
    let mut rest = number.to_vec();
    let mut text = vec![ALPHABET[0]; digits];
    for digit in text.iter_mut().rev() {
        let mut remainder = 0_u32;
        for byte in &mut rest {
            let value = remainder << 8 | u32::from(*byte);
            *byte = (value / 62) as u8;
            remainder = value % 62;
        }
        *digit = ALPHABET[remainder as usize];
    }
    text.into_iter().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_survives_parsing() {
        for secret in [[0; 32], [0xff; 32], std::array::from_fn(|index| index as u8)] {
            let key = ApiKey::from_secret(secret);
            assert_eq!(key.expose().len(), ApiKey::LENGTH);
            assert_eq!(ApiKey::parse(key.expose()), Ok(key));
        }
    }

    #[test]
    fn format_is_stable() {
        // Keys are stored as hashes and shown once: neither digits nor checksum may ever change.
        let key = ApiKey::from_secret([7; 32]);
        assert_eq!(key.expose(), "lm_live_1fJjkkpe9PiTw9KSulA8Ghct30vZz4HpdQ5c5b9cPF14dg5gM");
        assert_eq!(base62(&[0xff; 32], SECRET_DIGITS).trim_start_matches('0').len(), SECRET_DIGITS);
        assert_eq!(base62(&u32::MAX.to_be_bytes(), CHECKSUM_DIGITS), "4gfFC3");
    }

    #[test]
    fn malformed_keys_have_distinct_errors() {
        let key = ApiKey::from_secret([9; 32]).expose().to_owned();
        let swapped =
            format!("{}{}", &key[..LIVE_PREFIX.len()], key[LIVE_PREFIX.len()..].chars().rev().collect::<String>());
        for (text, error) in [
            (String::new(), KeyFormatError::Prefix),
            (key.to_uppercase(), KeyFormatError::Prefix),
            (format!(" {key}"), KeyFormatError::Prefix),
            (LIVE_PREFIX.to_owned(), KeyFormatError::Length),
            (format!("{key}0"), KeyFormatError::Length),
            (key[..key.len() - 1].to_owned(), KeyFormatError::Length),
            (key.replacen(&key[20..21], "-", 1), KeyFormatError::Alphabet),
            (format!("{}é", &key[..key.len() - 2]), KeyFormatError::Alphabet),
            (swapped, KeyFormatError::Checksum),
        ] {
            assert_eq!(ApiKey::parse(&text), Err(error), "{text}");
        }
    }

    #[test]
    fn any_single_mistyped_character_is_noticed() {
        let key = ApiKey::from_secret([9; 32]).expose().to_owned();
        for position in LIVE_PREFIX.len()..key.len() {
            let replacement = if &key[position..=position] == "a" { "b" } else { "a" };
            let mistyped = format!("{}{replacement}{}", &key[..position], &key[position + 1..]);
            assert_eq!(ApiKey::parse(&mistyped), Err(KeyFormatError::Checksum), "{position}");
        }
    }

    #[test]
    fn debug_keeps_the_secret() {
        let key = ApiKey::from_secret([9; 32]);
        assert_eq!(format!("{key:?}"), format!("ApiKey({}…)", &key.expose()[..14]));
    }
}
