//! A certificate authority that nobody trusts by default.

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};

/// A certificate authority of one test.
pub struct CertificateAuthority(CertifiedIssuer<'static, KeyPair>);

/// A server's certificate and its private key, in PEM.
#[derive(Debug, Clone)]
pub struct ServerCertificate {
    /// The certificate.
    pub certificate: String,
    /// Its private key, as PKCS #8.
    pub key: String,
}

impl CertificateAuthority {
    /// Makes an authority with a key of its own.
    ///
    /// # Panics
    /// If the operating system has no random numbers.
    #[expect(clippy::new_without_default, reason = "each authority is another one")]
    pub fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "Limner test authority");
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let key = KeyPair::generate().expect("a key pair");
        Self(CertifiedIssuer::self_signed(params, key).expect("a CA certificate"))
    }

    /// Returns the authority's certificate, in PEM.
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// Issues a certificate for host names and IP addresses that does not expire during a test.
    ///
    /// # Panics
    /// If a name is none.
    pub fn issue(&self, names: &[&str]) -> ServerCertificate {
        self.issue_until(names, 2090)
    }

    /// Issues a certificate that expires at the end of a year.
    ///
    /// # Panics
    /// If a name is none.
    pub fn issue_until(&self, names: &[&str], year: i32) -> ServerCertificate {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).expect("valid host names");
        params.use_authority_key_identifier_extension = true;
        params.extended_key_usages.push(ExtendedKeyUsagePurpose::ServerAuth);
        params.not_after = date_time_ymd(year, 12, 31);
        let key = KeyPair::generate().expect("a key pair");
        let certificate = params.signed_by(&key, &self.0).expect("a certificate").pem();
        ServerCertificate { certificate, key: key.serialize_pem() }
    }
}
