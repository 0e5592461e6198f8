//! Verifies the signatures of ID tokens (RFC 7515, RFC 7517, RFC 7518), only with public keys of the provider. The
//! token's header selects among the algorithms allowed here; `none` and shared secrets are not allowed.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{self, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm};
use serde::Deserialize;
use serde_json::Value;

/// Maximum length of a token; real ones are shorter.
const MAX_TOKEN_BYTES: usize = 64 * 1_024;
const MAX_KEYS: usize = 100;

/// A public key of the provider.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Key {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    crit: Option<Value>,
}

/// A supported signing algorithm.
enum SigningAlgorithm {
    Rsa(&'static RsaParameters),
    /// Name of the curve, length of a coordinate, and verification algorithm.
    Elliptic(&'static str, usize, &'static dyn VerificationAlgorithm),
    Edwards,
}

fn algorithm(alg: &str) -> Option<SigningAlgorithm> {
    Some(match alg {
        "RS256" => SigningAlgorithm::Rsa(&signature::RSA_PKCS1_2048_8192_SHA256),
        "RS384" => SigningAlgorithm::Rsa(&signature::RSA_PKCS1_2048_8192_SHA384),
        "RS512" => SigningAlgorithm::Rsa(&signature::RSA_PKCS1_2048_8192_SHA512),
        "PS256" => SigningAlgorithm::Rsa(&signature::RSA_PSS_2048_8192_SHA256),
        "PS384" => SigningAlgorithm::Rsa(&signature::RSA_PSS_2048_8192_SHA384),
        "PS512" => SigningAlgorithm::Rsa(&signature::RSA_PSS_2048_8192_SHA512),
        "ES256" => SigningAlgorithm::Elliptic("P-256", 32, &signature::ECDSA_P256_SHA256_FIXED),
        "ES384" => SigningAlgorithm::Elliptic("P-384", 48, &signature::ECDSA_P384_SHA384_FIXED),
        "EdDSA" => SigningAlgorithm::Edwards,
        _ => return None,
    })
}

/// The reason why a token is rejected.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TokenError {
    /// It is not a JWS, or its algorithm is not allowed.
    Form(&'static str),
    /// None of the keys has this id: the provider may have a new key.
    UnknownKey,
    /// None of the keys verifies the signature.
    Signature,
}

/// Returns the usable keys of a JWK set (RFC 7517 §5).
pub(super) fn keys(set: &Value) -> Vec<Key> {
    let keys = set["keys"].as_array().into_iter().flatten().take(MAX_KEYS);
    keys.filter_map(|key| Key::deserialize(key).ok()).collect()
}

/// Returns the payload of a token that one of the keys has signed.
pub(super) fn payload(token: &str, keys: &[Key]) -> Result<Vec<u8>, TokenError> {
    if token.len() > MAX_TOKEN_BYTES {
        return Err(TokenError::Form("too long"));
    }
    let (signed, signature) = token.rsplit_once('.').ok_or(TokenError::Form("no token"))?;
    let (header, payload) = signed.split_once('.').ok_or(TokenError::Form("no token"))?;
    let header: Header =
        serde_json::from_slice(&decoded(header)?).map_err(|_| TokenError::Form("a header that is none"))?;
    if header.crit.is_some() {
        return Err(TokenError::Form("something critical that is not known here"));
    }
    let way = algorithm(&header.alg).ok_or(TokenError::Form("a signature of a kind that does not count"))?;
    let signature = decoded(signature)?;
    let is_meant = |key: &&Key| header.kid.is_none() || key.kid == header.kid;
    let mut meant = keys.iter().filter(is_meant).peekable();
    if meant.peek().is_none() {
        return Err(TokenError::UnknownKey);
    }
    let is_signed = meant.filter(|key| key.may_sign(&header.alg)).any(|key| key.signed(&way, signed, &signature));
    if is_signed { decoded(payload) } else { Err(TokenError::Signature) }
}

fn decoded(part: &str) -> Result<Vec<u8>, TokenError> {
    URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenError::Form("not base64url"))
}

impl Key {
    fn may_sign(&self, alg: &str) -> bool {
        self.usage.as_deref().is_none_or(|usage| usage == "sig") && self.alg.as_deref().is_none_or(|own| own == alg)
    }

    fn signed(&self, way: &SigningAlgorithm, signed: &str, signature: &[u8]) -> bool {
        let number = |text: &Option<String>| text.as_deref().and_then(|text| URL_SAFE_NO_PAD.decode(text).ok());
        let checked = |algorithm: &'static dyn VerificationAlgorithm, key: &[u8]| {
            UnparsedPublicKey::new(algorithm, key).verify(signed.as_bytes(), signature).is_ok()
        };
        match way {
            SigningAlgorithm::Rsa(parameters) if self.kty == "RSA" => {
                let (Some(n), Some(e)) = (number(&self.n), number(&self.e)) else { return false };
                let (n, e) = (without_zeros(&n), without_zeros(&e));
                RsaPublicKeyComponents { n, e }.verify(parameters, signed.as_bytes(), signature).is_ok()
            }
            SigningAlgorithm::Elliptic(curve, length, algorithm)
                if self.kty == "EC" && self.crv.as_deref() == Some(*curve) =>
            {
                let (Some(x), Some(y)) = (number(&self.x), number(&self.y)) else { return false };
                let is_point = x.len() == *length && y.len() == *length;
                is_point && checked(*algorithm, &[&[4], x.as_slice(), &y].concat())
            }
            SigningAlgorithm::Edwards if self.kty == "OKP" && self.crv.as_deref() == Some("Ed25519") => {
                number(&self.x).is_some_and(|x| checked(&signature::ED25519, &x))
            }
            _ => false,
        }
    }
}

/// Removes leading zeros: some providers add a sign byte to a modulus.
fn without_zeros(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    &number[zeros..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use ring::rand::SystemRandom;
    use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair};
    use serde_json::json;

    fn encode(bytes: impl AsRef<[u8]>) -> String {
        URL_SAFE_NO_PAD.encode(bytes)
    }

    fn parts(header: &Value) -> String {
        format!("{}.{}", encode(header.to_string()), encode("{\"sub\":\"jane\"}"))
    }

    /// Generates a key pair on P-256; returns its public key with that id, and a token signed by it.
    fn elliptic(header: &Value) -> (Key, String) {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).unwrap();
        let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
        let key = json!({ "kty": "EC", "crv": "P-256", "kid": "one", "x": encode(x), "y": encode(y) });
        let signed = parts(header);
        let token = format!("{signed}.{}", encode(pair.sign(&random, signed.as_bytes()).unwrap()));
        (Key::deserialize(key).unwrap(), token)
    }

    #[test]
    fn signatures_by_the_providers_keys_are_accepted() {
        let (key, token) = elliptic(&json!({ "alg": "ES256", "kid": "one" }));
        let (other, _) = elliptic(&json!({ "alg": "ES256" }));
        assert_eq!(payload(&token, &[other.clone(), key.clone()]).unwrap(), b"{\"sub\":\"jane\"}");
        assert_eq!(payload(&token, &[other]), Err(TokenError::Signature));
        assert_eq!(payload(&token, &[]), Err(TokenError::UnknownKey));
        let encrypting = Key { usage: Some("enc".to_owned()), ..key.clone() };
        assert_eq!(payload(&token, &[encrypting]), Err(TokenError::Signature));
        let of_another_kind = Key { alg: Some("ES384".to_owned()), ..key.clone() };
        assert_eq!(payload(&token, &[of_another_kind]), Err(TokenError::Signature));
        let (front, _) = token.rsplit_once('.').unwrap();
        let (header, _) = front.split_once('.').unwrap();
        let signature = token.rsplit('.').next().unwrap();
        let changed = format!("{header}.{}.{signature}", encode("{\"sub\":\"eve\"}"));
        assert_eq!(payload(&changed, &[key]), Err(TokenError::Signature));

        let pair = Ed25519KeyPair::from_pkcs8(Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap().as_ref());
        let pair = pair.unwrap();
        let key = json!({ "kty": "OKP", "crv": "Ed25519", "x": encode(pair.public_key()) });
        let signed = parts(&json!({ "alg": "EdDSA" }));
        let token = format!("{signed}.{}", encode(pair.sign(signed.as_bytes())));
        assert!(payload(&token, &[Key::deserialize(key).unwrap()]).is_ok());
    }

    #[test]
    fn token_cannot_choose_a_forbidden_algorithm() {
        let (key, _) = elliptic(&json!({}));
        // The public key used as a shared secret: the classic algorithm confusion.
        let secret = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, key.x.as_deref().unwrap().as_bytes());
        for alg in ["none", "None", "NONE", "", "HS256", "HS512", "RS1", "ES256K"] {
            let signed = parts(&json!({ "alg": alg, "kid": "one" }));
            let mac = encode(ring::hmac::sign(&secret, signed.as_bytes()));
            for token in [format!("{signed}."), format!("{signed}.{mac}")] {
                assert!(matches!(payload(&token, std::slice::from_ref(&key)), Err(TokenError::Form(_))), "{alg}");
            }
        }
        let (key, token) = elliptic(&json!({ "alg": "ES256", "kid": "one", "crit": ["b64"], "b64": false }));
        assert!(matches!(payload(&token, &[key]), Err(TokenError::Form(_))));
        for text in ["", ".", "..", "a.b.c", "e30.e30", "e30.e30.", "e30.e30.e30.e30", &"a".repeat(100_000)] {
            assert!(matches!(payload(text, &[]), Err(TokenError::Form(_))), "{text}");
        }
    }

    #[test]
    fn unusable_keys_of_a_set_are_skipped() {
        let set = json!({ "keys": [{ "kty": "oct", "k": "x" }, 1, { "kid": "x" }, { "kty": "RSA", "n": "AQ", "e": "AQAB" }] });
        assert_eq!(keys(&set).len(), 2);
        assert!(keys(&json!({})).is_empty());
    }
}
