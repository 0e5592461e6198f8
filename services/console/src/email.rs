//! E-mail addresses of users.

use crate::error::HttpError;

/// Maximum length of an e-mail address (RFC 5321 §4.5.3.1.3).
const MAX_EMAIL_LEN: usize = 254;

/// An e-mail address as entered, and the normalized form that identifies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Email {
    pub(crate) address: String,
    pub(crate) key: String,
}

impl Email {
    /// Parses an e-mail address that may belong to a user.
    ///
    /// # Errors
    /// The address is invalid; the text is for the user.
    pub(crate) fn parse(text: &str) -> Result<Self, HttpError> {
        let address = text.trim();
        let parsed: Result<lettre::Address, _> = address.parse();
        let has_domain = parsed.as_ref().is_ok_and(|parsed| parsed.domain().contains('.'));
        if address.len() > MAX_EMAIL_LEN || !has_domain {
            return Err(HttpError::Invalid("Enter an e-mail address such as jane@example.com.".to_owned()));
        }
        Ok(Self { address: address.to_owned(), key: address.to_lowercase() })
    }

    /// Parses an e-mail address that an unknown visitor requests mail to: its domain must be on the public Internet,
    /// because the mail server connects to it.
    ///
    /// # Errors
    /// The address is invalid; the text is for the user.
    pub(crate) fn parse_public(text: &str) -> Result<Self, HttpError> {
        let email = Self::parse(text)?;
        let domain = email.key.rsplit_once('@').map_or("", |(_, domain)| domain);
        if !is_public_domain(domain) {
            return Err(HttpError::Invalid(
                "That address cannot receive mail from the Internet. Use another one.".to_owned(),
            ));
        }
        Ok(email)
    }
}

/// Returns true for a domain below a top-level domain of the public Internet; false for an IP address and for a name
/// that is local to a network.
fn is_public_domain(domain: &str) -> bool {
    // Also rejects what URL parsers read as an IPv4 address.
    let Ok(url::Host::Domain(domain)) = url::Host::parse(domain) else { return false };
    let has_public_suffix = limner_public_suffix::has_listed_suffix(&domain);
    let last = domain.rsplit('.').next().unwrap_or_default();
    has_public_suffix && domain.contains('.') && !matches!(last, "arpa" | "onion")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn email_address_is_normalized_or_rejected() {
        for (text, key) in [(" Jane@Example.org ", "jane@example.org"), ("a+b@x.co", "a+b@x.co")] {
            assert_eq!(Email::parse(text).unwrap().key, key, "{text}");
        }
        for text in ["", "jane", "jane@", "jane@host", "a b@x.co", "a@x.co\r\nBcc: b@y.co", "<a@x.co>"] {
            assert!(Email::parse(text).is_err(), "{text}");
        }
        assert!(Email::parse(&format!("{}@example.org", "a".repeat(250))).is_err());
    }

    #[test]
    fn unknown_visitors_get_mail_at_public_domains_only() {
        for text in
            ["jane@example.org", "jane@mail.example.co.uk", "jane@b\u{fc}cher.de", "JANE@EXAMPLE.ORG", "a@eu.org"]
        {
            assert!(Email::parse_public(text).is_ok(), "{text}");
        }
        for text in [
            "a@[127.0.0.1]",
            "a@[10.0.0.1]",
            "a@[IPv6:::1]",
            "a@127.0.0.1",
            "a@169.254.169.254",
            "a@127.1",
            "a@0x7f.0.0.1",
            "a@2130706433",
            "a@localhost",
            "a@localhost.localdomain",
            "a@mail.localhost",
            "a@mail",
            "a@com",
            "a@mail.local",
            "a@mail.internal",
            "a@metadata.google.internal",
            "a@mail.lan",
            "a@mail.home",
            "a@mail.corp",
            "a@mail.home.arpa",
            "a@1.0.0.127.in-addr.arpa",
            "a@mail.test",
            "a@mail.example",
            "a@mail.invalid",
            "a@mail.onion",
            "a@db.prod.svc",
            "a@smtp.default.svc.cluster.local",
            "a@example.org.",
        ] {
            assert!(Email::parse_public(text).is_err(), "{text}");
        }
    }
}
