//! The unique id of a call: used in every response, in the logs, and as the id of its job and its hold.

use uuid::Uuid;

/// `req_` and 26 digits that sort by time (UUID version 7 in Crockford's base 32).
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestId([u8; LENGTH]);

const PREFIX: &[u8] = b"req_";
const LENGTH: usize = 30;
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

impl RequestId {
    pub(crate) fn new() -> Self {
        let number = Uuid::now_v7().as_u128();
        let mut id = [0; LENGTH];
        let (prefix, digits) = id.split_at_mut(PREFIX.len());
        prefix.copy_from_slice(PREFIX);
        for (digit, place) in digits.iter_mut().zip((0..26).rev()) {
            *digit = DIGITS[((number >> (place * 5)) & 31) as usize];
        }
        Self(id)
    }

    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn ids_are_unique_and_fit_into_subjects() {
        let ids: HashSet<String> = (0..1_000).map(|_| RequestId::new().as_str().to_owned()).collect();
        assert_eq!(ids.len(), 1_000);
        for id in ids {
            assert_eq!(id.len(), 30);
            assert!(id.starts_with("req_") && id[4..].bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase()));
        }
    }

    #[test]
    fn later_ids_sort_later() {
        let first = RequestId::new();
        std::thread::sleep(std::time::Duration::from_millis(2));
        assert!(first.as_str() < RequestId::new().as_str());
    }
}
