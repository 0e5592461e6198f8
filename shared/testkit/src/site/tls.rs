//! A CA and a certificate for one site.

use crate::CertificateAuthority;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// A site's TLS configuration, and the CA certificate for its clients.
pub(super) struct TlsIdentity {
    pub(super) ca_pem: String,
    pub(super) acceptor: TlsAcceptor,
}

impl TlsIdentity {
    pub(super) fn new(names: &[&str]) -> Self {
        let authority = CertificateAuthority::new();
        let issued = authority.issue(names);
        let certificate = CertificateDer::from_pem_slice(issued.certificate.as_bytes()).expect("a certificate");
        let key = PrivateKeyDer::from_pem_slice(issued.key.as_bytes()).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("ring supports the default versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .expect("a key that fits its certificate");
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Self { ca_pem: authority.pem(), acceptor: TlsAcceptor::from(Arc::new(config)) }
    }
}
