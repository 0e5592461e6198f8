//! TLS of the connection, with libpq's options `sslmode` and `sslrootcert`.
//!
//! The modes have libpq's meaning: `prefer` and `require` encrypt without verifying the server (with a CA certificate
//! given, `require` does verify), `verify-ca` requires a certificate of a trusted CA, and `verify-full` one for this
//! host. Without `sslrootcert` (or with `system`) the public CAs are trusted.

use crate::StoreError;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use rustls_pki_types::pem::PemObject;
use std::sync::Arc;
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TlsMode {
    Disable,
    Prefer,
    Require,
    VerifyAuthority,
    VerifyFull,
}

/// The TLS options of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TlsOptions {
    mode: TlsMode,
    /// Path of a PEM file; `None`: the public CAs.
    authorities: Option<String>,
}

impl TlsOptions {
    /// Removes the TLS options, which the driver only supports in part, from a URL.
    ///
    /// # Errors
    /// The mode is not one of libpq's.
    pub(crate) fn take_from_url(address: &str) -> Result<(String, Self), StoreError> {
        let (mut mode, mut authorities) = (TlsMode::Prefer, None);
        let mut take = |word: &str| -> Result<bool, StoreError> {
            match word.split_once('=') {
                Some(("sslmode", value)) => mode = TlsMode::parse(value).ok_or(StoreError::InvalidUrl)?,
                Some(("sslrootcert", "system")) => authorities = None,
                Some(("sslrootcert", path)) => authorities = Some(decoded(path)),
                _ => return Ok(false),
            }
            Ok(true)
        };
        let (base, words, separator) = match address.split_once('?') {
            Some((base, query)) => (Some(base), query, '&'),
            None if address.contains("://") => (Some(address), "", '&'),
            None => (None, address, ' '),
        };
        let mut kept = Vec::new();
        for word in words.split(separator).filter(|word| !word.is_empty()) {
            if !take(word)? {
                kept.push(word);
            }
        }
        let kept = kept.join(if base.is_some() { "&" } else { " " });
        let address = match base {
            Some(base) if kept.is_empty() => base.to_owned(),
            Some(base) => format!("{base}?{kept}"),
            None => kept,
        };
        Ok((address, Self { mode, authorities }))
    }

    pub(crate) fn driver_mode(&self) -> SslMode {
        match self.mode {
            TlsMode::Disable => SslMode::Disable,
            TlsMode::Prefer => SslMode::Prefer,
            TlsMode::Require | TlsMode::VerifyAuthority | TlsMode::VerifyFull => SslMode::Require,
        }
    }
}

impl TlsMode {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "disable" => Self::Disable,
            "allow" | "prefer" => Self::Prefer,
            "require" => Self::Require,
            "verify-ca" => Self::VerifyAuthority,
            "verify-full" => Self::VerifyFull,
            _ => return None,
        })
    }
}

/// Decodes a percent-encoded path in a query; only characters that a path may contain.
fn decoded(text: &str) -> String {
    text.replace("%2F", "/").replace("%2f", "/").replace("%20", " ")
}

/// Returns the driver's TLS connector.
pub(crate) fn connector(encryption: &TlsOptions) -> Result<MakeRustlsConnect, StoreError> {
    let provider = Arc::new(ring::default_provider());
    let verifier = verifier(encryption, &provider)?;
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|cause| StoreError::Tls(cause.to_string()))?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn verifier(
    encryption: &TlsOptions,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, StoreError> {
    let asks = match encryption.mode {
        TlsMode::Disable | TlsMode::Prefer => false,
        TlsMode::Require => encryption.authorities.is_some(),
        TlsMode::VerifyAuthority | TlsMode::VerifyFull => true,
    };
    if !asks {
        return Ok(Arc::new(LenientVerifier { provider: Arc::clone(provider), trusted: None }));
    }
    let roots = Arc::new(roots(encryption.authorities.as_deref())?);
    let trusted = WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(provider));
    let trusted = trusted.build().map_err(|cause| StoreError::Tls(cause.to_string()))?;
    if encryption.mode == TlsMode::VerifyFull {
        return Ok(trusted);
    }
    Ok(Arc::new(LenientVerifier { provider: Arc::clone(provider), trusted: Some(trusted) }))
}

fn roots(file: Option<&str>) -> Result<RootCertStore, StoreError> {
    let Some(file) = file else {
        return Ok(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() });
    };
    let unreadable = |cause: &dyn std::fmt::Display| StoreError::Tls(format!("sslrootcert {file}: {cause}"));
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|cause| unreadable(&cause))? {
        let certificate = certificate.map_err(|cause| unreadable(&cause))?;
        roots.add(certificate).map_err(|cause| unreadable(&cause))?;
    }
    if roots.is_empty() {
        return Err(unreadable(&"it holds no certificate"));
    }
    Ok(roots)
}

/// A verifier that checks less than a browser: not the host name, and without CA certificates not even the issuer.
#[derive(Debug)]
struct LenientVerifier {
    provider: Arc<CryptoProvider>,
    trusted: Option<Arc<WebPkiServerVerifier>>,
}

impl ServerCertVerifier for LenientVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        use CertificateError::{NotValidForName, NotValidForNameContext};
        let Some(trusted) = &self.trusted else { return Ok(ServerCertVerified::assertion()) };
        match trusted.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            Err(rustls::Error::InvalidCertificate(NotValidForName | NotValidForNameContext { .. })) => {
                Ok(ServerCertVerified::assertion())
            }
            answer => answer,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tls_options_are_removed_from_the_url() {
        let with = |mode, file: Option<&str>| TlsOptions { mode, authorities: file.map(str::to_owned) };
        for (given, address, encryption) in [
            ("postgres://h/db", "postgres://h/db", with(TlsMode::Prefer, None)),
            ("postgres://h/db?sslmode=disable", "postgres://h/db", with(TlsMode::Disable, None)),
            (
                "postgres://h/db?application_name=x&sslmode=require&options=-c%20a%3Db",
                "postgres://h/db?application_name=x&options=-c%20a%3Db",
                with(TlsMode::Require, None),
            ),
            (
                "postgres://h/db?sslrootcert=%2Fetc%2Fca.pem&sslmode=verify-full",
                "postgres://h/db",
                with(TlsMode::VerifyFull, Some("/etc/ca.pem")),
            ),
            (
                "postgres://h/db?sslmode=verify-ca&sslrootcert=system",
                "postgres://h/db",
                with(TlsMode::VerifyAuthority, None),
            ),
            ("host=h sslmode=require dbname=db", "host=h dbname=db", with(TlsMode::Require, None)),
        ] {
            assert_eq!(TlsOptions::take_from_url(given).unwrap(), (address.to_owned(), encryption), "{given}");
        }
        for given in ["postgres://h/db?sslmode=yes", "postgres://h/db?sslmode=", "host=h sslmode=always"] {
            assert!(matches!(TlsOptions::take_from_url(given), Err(StoreError::InvalidUrl)), "{given}");
        }
    }
}
