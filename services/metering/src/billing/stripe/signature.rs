//! Verifies Stripe's webhook signature: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, with more than one `v1`
//! while a secret is replaced. Other schemes (`v0`) are ignored: a weaker one must not suffice.

use ring::hmac;
use std::time::Duration;

/// Maximum number of signatures in one header.
const MAX_SIGNATURES: usize = 10;

/// Checks that one of the secrets signed this body, at most `tolerance` ago and at most `tolerance` in the future.
///
/// `Err` contains the reason.
pub(super) fn check(
    body: &[u8],
    header: &str,
    secrets: &[String],
    tolerance: Duration,
    now_unix: i64,
) -> Result<(), &'static str> {
    let mut moments = Vec::new();
    let mut signatures = Vec::new();
    for part in header.split(',').take(MAX_SIGNATURES + 1) {
        match part.trim().split_once('=') {
            Some(("t", moment)) => moments.push(moment),
            Some(("v1", signature)) => signatures.push(signature),
            _ => {}
        }
    }
    let [moment] = moments.as_slice() else { return Err("it needs one moment") };
    let signed_at: i64 = moment.parse().map_err(|_| "its moment is no number")?;
    let is_signed = secrets.iter().filter(|secret| !secret.is_empty()).any(|secret| {
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        let signed = [moment.as_bytes(), b".", body].concat();
        // Compares in constant time.
        signatures.iter().filter_map(|hex| bytes(hex)).any(|tag| hmac::verify(&key, &signed, &tag).is_ok())
    });
    if !is_signed {
        return Err("no signature fits");
    }
    if now_unix.abs_diff(signed_at) > tolerance.as_secs() {
        return Err("it is too old, or from the future");
    }
    Ok(())
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    if !hex.is_ascii() || !hex.len().is_multiple_of(2) {
        return None;
    }
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = br#"{"id":"evt_1","type":"invoice.paid"}"#;
    const SECRET: &str = "whsec_test_secret";
    const MOMENT: i64 = 1_793_491_200;
    /// Signature by Stripe's own library of `BODY` with `SECRET` at `MOMENT`.
    const TAG: &str = "f5b53e872c7ff097d0915a09fc58da39417d4cc012c71d5fea9e9f0c06d50b3c";

    fn checked(header: &str, secrets: &[&str], now: i64) -> Result<(), &'static str> {
        let secrets: Vec<String> = secrets.iter().map(|secret| (*secret).to_owned()).collect();
        check(BODY, header, &secrets, Duration::from_secs(300), now)
    }

    #[test]
    fn stripe_signature_is_accepted_while_it_is_recent() {
        let header = format!("t={MOMENT},v1={TAG}");
        for (secrets, now, taken) in [
            (&[SECRET][..], MOMENT, true),
            (&[SECRET], MOMENT + 300, true),
            (&[SECRET], MOMENT + 301, false),
            (&[SECRET], MOMENT - 300, true),
            (&[SECRET], MOMENT - 301, false),
            // While one secret replaces the other, both are valid.
            (&["whsec_new", SECRET], MOMENT, true),
            (&["whsec_new"], MOMENT, false),
            (&[""], MOMENT, false),
            (&[], MOMENT, false),
        ] {
            assert_eq!(checked(&header, secrets, now).is_ok(), taken, "{secrets:?} {now}");
        }
    }

    #[test]
    fn invalid_signature_headers_are_refused() {
        let zeroes = "0".repeat(64);
        for (header, taken) in [
            (format!("t={MOMENT},v1={zeroes},v1={TAG}"), true),
            (format!("t={MOMENT}, v1={TAG}"), true),
            (format!("t={MOMENT},v1={TAG},v0={zeroes}"), true),
            (format!("t={MOMENT},v0={TAG}"), false),
            (format!("t={MOMENT},v1={zeroes}"), false),
            (format!("t={MOMENT},v1={}", &TAG[..62]), false),
            (format!("t={MOMENT},v1={}é", &TAG[..62]), false),
            (format!("t={},v1={TAG}", MOMENT + 1), false),
            (format!("t={MOMENT},t={MOMENT},v1={TAG}"), false),
            (format!("v1={TAG}"), false),
            (format!("t=now,v1={TAG}"), false),
            (String::new(), false),
        ] {
            assert_eq!(checked(&header, &[SECRET], MOMENT).is_ok(), taken, "{header}");
        }
    }

    #[test]
    fn signature_of_another_body_is_refused() {
        let header = format!("t={MOMENT},v1={TAG}");
        let other = br#"{"id":"evt_2","type":"invoice.paid"}"#;
        assert!(check(other, &header, &[SECRET.to_owned()], Duration::from_secs(300), MOMENT).is_err());
    }
}
