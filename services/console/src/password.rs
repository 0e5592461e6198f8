//! Password rules and password hashing.

use crate::error::HttpError;
use crate::token;
use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use zxcvbn::Score;

/// Minimum length of a password, in characters.
pub(crate) const MIN_CHARACTERS: usize = 10;
const MAX_CHARACTERS: usize = 256;
/// OWASP's recommended parameters of Argon2id: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1_024;
const PASSES: u32 = 2;
/// Time limit for waiting for a free hashing slot.
const SLOT_TIMEOUT: Duration = Duration::from_secs(5);
/// Hashes passwords on blocking threads, at most as many at once as there are cores: a flood of sign-ins waits, pages
/// do not.
#[derive(Clone)]
pub(crate) struct Passwords {
    slots: Arc<Semaphore>,
    argon2: Arc<Argon2<'static>>,
    /// Hash of a password that no user has: checking it takes as long as checking a real one.
    decoy: Arc<str>,
}

impl Passwords {
    /// Creates a hasher with that many slots.
    ///
    /// # Panics
    /// Panics if the operating system has no randomness to give.
    pub(crate) fn new(places: usize) -> Self {
        let params = Params::new(MEMORY_KIB, PASSES, 1, None).expect("the parameters are in range");
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let nobodys: PasswordHash = argon2.hash_password(token::new_token().as_bytes()).expect("there is a salt");
        let decoy = nobodys.to_string().into();
        Self { slots: Arc::new(Semaphore::new(places)), argon2: Arc::new(argon2), decoy }
    }

    /// Returns the PHC string of a password, or the reason why the password is rejected.
    ///
    /// # Errors
    /// Too many passwords are being hashed.
    pub(crate) async fn hash(&self, password: String, email: String) -> Result<Result<String, String>, HttpError> {
        let argon2 = Arc::clone(&self.argon2);
        self.hash_on_thread(move || {
            if let Some(refusal) = refusal(&password, &email) {
                return Ok(Err(refusal));
            }
            let hash: PasswordHash = argon2
                .hash_password(password.as_bytes())
                .map_err(|cause| HttpError::Unavailable(format!("hashing a password: {cause}")))?;
            Ok(Ok(hash.to_string()))
        })
        .await
    }

    /// Returns true if the password matches. Without a hash it takes as long and returns false.
    ///
    /// # Errors
    /// Too many passwords are being hashed.
    pub(crate) async fn verify(&self, password: String, hash: Option<String>) -> Result<bool, HttpError> {
        let (argon2, decoy) = (Arc::clone(&self.argon2), Arc::clone(&self.decoy));
        self.hash_on_thread(move || {
            metrics::counter!("limner_console_password_checks_total").increment(1);
            let is_known = hash.is_some();
            let hash = hash.unwrap_or_else(|| decoy.to_string());
            // A longer password is never correct and would only cost time.
            let password: String = password.chars().take(MAX_CHARACTERS + 1).collect();
            let parsed =
                PasswordHash::new(&hash).map_err(|cause| HttpError::Unavailable(format!("a hash: {cause}")))?;
            Ok(argon2.verify_password(password.as_bytes(), &parsed).is_ok() && is_known)
        })
        .await
    }

    async fn hash_on_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, HttpError> + Send + 'static,
    ) -> Result<T, HttpError> {
        let place = tokio::time::timeout(SLOT_TIMEOUT, Arc::clone(&self.slots).acquire_owned()).await;
        let place = place.map_err(|_| HttpError::RateLimited(30))?;
        let joined = tokio::task::spawn_blocking(move || {
            let _place = place;
            work()
        });
        joined.await.map_err(|cause| HttpError::Unavailable(cause.to_string()))?
    }
}

/// Returns the reason why a password is rejected: too short, too long, well known, or derived from public data.
fn refusal(password: &str, email: &str) -> Option<String> {
    let length = password.chars().count();
    if length < MIN_CHARACTERS {
        return Some(format!("Use at least {MIN_CHARACTERS} characters."));
    }
    if length > MAX_CHARACTERS {
        return Some(format!("Use at most {MAX_CHARACTERS} characters."));
    }
    let name = email.split('@').next().unwrap_or_default();
    // Names are compared with and without the separators between their parts.
    let joined: String = name.chars().filter(|character| character.is_alphanumeric()).collect();
    let estimate = zxcvbn::zxcvbn(password, &[email, name, &joined, "limner"]);
    if estimate.score() >= Score::Three {
        return None;
    }
    let why = estimate.feedback().and_then(|feedback| feedback.warning());
    let why = why.map_or_else(|| "It is easily guessed.".to_owned(), |warning| warning.to_string());
    Some(format!("{why} Take a longer one, such as four words that do not belong together."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trivial_and_well_known_passwords_are_refused() {
        for password in [
            "",
            "short",
            "password",
            "password123",
            "Passw0rd!!",
            "1234567890",
            "qwertyuiop",
            "iloveyou123",
            "aaaaaaaaaaaa",
            "abcdefghijk",
            "jane.doe@example.org",
            "janedoe1990",
            "limnerlimner",
            "trustno1trustno1",
            "letmein2024",
        ] {
            assert!(refusal(password, "jane.doe@example.org").is_some(), "{password}");
        }
        assert!(refusal(&"x9!".repeat(100), "a@b.c").is_some(), "too long");
        for password in ["correct horse battery staple", "tr4versée-Kumquat", "vK8#qs0!fmW2"] {
            assert_eq!(refusal(password, "jane.doe@example.org"), None, "{password}");
        }
    }

    #[tokio::test]
    async fn hashes_are_argon2id_and_verify() {
        let passwords = Passwords::new(1);
        let password = "correct horse battery staple".to_owned();
        let hash = passwords.hash(password.clone(), "a@b.c".to_owned()).await.unwrap().unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(passwords.verify(password.clone(), Some(hash.clone())).await.unwrap());
        assert!(!passwords.verify("something else".to_owned(), Some(hash)).await.unwrap());
        assert!(!passwords.verify(password, None).await.unwrap(), "a user without a password matches none");
    }
}
