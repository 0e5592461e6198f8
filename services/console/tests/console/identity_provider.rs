//! A fake OpenID Connect provider with real TLS and real signatures, whose responses a test can change.

use axum::Router;
use axum::extract::{RawForm, State};
use axum::routing::{get, post};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use http::{HeaderMap, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use rcgen::CertificateParams;
use ring::rand::SystemRandom;
use ring::signature::{self, KeyPair, RsaKeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use url::{Url, form_urlencoded};

pub(crate) const HOST: &str = "id.example";
pub(crate) const ISSUER: &str = "https://id.example/tenant";
pub(crate) const CLIENT: &str = "limner console";
pub(crate) const SECRET: &str = "s%cret+/?";

/// Changes by a test to a response; `null` removes a claim.
type Changes = BTreeMap<String, Value>;

#[derive(Default)]
struct Said {
    /// Nonce and challenge of the request, by code.
    codes: BTreeMap<String, (String, String)>,
    changes: Changes,
    /// Changes to the token's header.
    header: Changes,
    signature: Option<Signature>,
    key_id: String,
    userinfo: Option<Value>,
    metadata: Changes,
    requests: Vec<String>,
}

/// The signature of a token, if it is to be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signature {
    /// No signature.
    None,
    /// HMAC with the public key as shared secret.
    PublicKeyAsSecret,
    /// A signature of other data.
    Other,
}

struct ProviderState {
    key: RsaKeyPair,
    said: Mutex<Said>,
}

#[derive(Clone)]
pub(crate) struct IdentityProvider {
    inner: Arc<ProviderState>,
    pub(crate) address: SocketAddr,
    pub(crate) ca_pem: Vec<u8>,
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn now() -> i64 {
    time::OffsetDateTime::now_utc().unix_timestamp()
}

impl IdentityProvider {
    pub(crate) async fn start() -> Self {
        let tls_key = rcgen::KeyPair::generate().unwrap();
        let certificate = CertificateParams::new(vec![HOST.to_owned()]).unwrap().self_signed(&tls_key).unwrap();
        let private = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(tls_key.serialize_der()));
        let crypto = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(crypto).with_safe_default_protocol_versions();
        let config = config.unwrap().with_no_client_auth().with_single_cert(vec![certificate.der().clone()], private);
        let acceptor = TlsAcceptor::from(Arc::new(config.unwrap()));
        let key = RsaKeyPair::from_der(include_bytes!("rsa_test_key.der")).unwrap();
        let said = Said { key_id: "first".to_owned(), ..Said::default() };
        let inner = Arc::new(ProviderState { key, said: Mutex::new(said) });
        let router = Router::new()
            .route("/tenant/.well-known/openid-configuration", get(metadata))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .route("/userinfo", get(userinfo))
            .with_state(Arc::clone(&inner));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, router) = (acceptor.clone(), router.clone());
                tokio::spawn(async move {
                    let Ok(stream) = acceptor.accept(stream).await else { return };
                    let serving = Builder::new(TokioExecutor::new());
                    let _ = serving.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).await;
                });
            }
        });
        Self { inner, address, ca_pem: certificate.pem().into_bytes() }
    }

    /// Approves a sign-in: returns the response parameters for a request's URL.
    pub(crate) fn approve(&self, sent_to: &str) -> BTreeMap<String, String> {
        let url = Url::parse(sent_to).unwrap();
        assert_eq!((url.host_str(), url.path()), (Some(HOST), "/authorize"), "{sent_to}");
        let asked: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
        for (name, value) in [
            ("response_type", "code"),
            ("client_id", CLIENT),
            ("scope", "openid email"),
            ("code_challenge_method", "S256"),
        ] {
            assert_eq!(asked[name], value, "{name}");
        }
        let mut said = self.inner.said.lock().unwrap();
        let code = format!("code {}", said.codes.len());
        said.codes.insert(code.clone(), (asked["nonce"].clone(), asked["code_challenge"].clone()));
        BTreeMap::from([("code".to_owned(), code), ("state".to_owned(), asked["state"].clone())])
    }

    /// Sets a claim of the following tokens.
    pub(crate) fn set_claim(&self, name: &str, value: Value) {
        self.inner.said.lock().unwrap().changes.insert(name.to_owned(), value);
    }

    pub(crate) fn says_in_header(&self, name: &str, value: Value) {
        self.inner.said.lock().unwrap().header.insert(name.to_owned(), value);
    }

    pub(crate) fn says_of_itself(&self, name: &str, value: Value) {
        self.inner.said.lock().unwrap().metadata.insert(name.to_owned(), value);
    }

    pub(crate) fn signs(&self, signature: Signature) {
        self.inner.said.lock().unwrap().signature = Some(signature);
    }

    pub(crate) fn knows_more(&self, userinfo: Value) {
        self.inner.said.lock().unwrap().userinfo = Some(userinfo);
    }

    /// Changes the id of the key.
    pub(crate) fn rotates(&self) {
        self.inner.said.lock().unwrap().key_id = "second".to_owned();
    }

    /// Resets all changes.
    pub(crate) fn is_itself_again(&self) {
        let mut said = self.inner.said.lock().unwrap();
        *said = Said { key_id: said.key_id.clone(), codes: said.codes.clone(), ..Said::default() };
    }

    pub(crate) fn requests(&self, path: &str) -> usize {
        self.inner.said.lock().unwrap().requests.iter().filter(|seen| *seen == path).count()
    }
}

fn changed(mut value: Value, changes: &Changes) -> Value {
    for (name, change) in changes {
        match change {
            Value::Null => drop(value.as_object_mut().unwrap().remove(name)),
            change => value[name] = change.clone(),
        }
    }
    value
}

async fn metadata(State(inner): State<Arc<ProviderState>>) -> axum::Json<Value> {
    let mut said = inner.said.lock().unwrap();
    said.requests.push("/metadata".to_owned());
    let own = json!({
        "issuer": ISSUER,
        "authorization_endpoint": format!("https://{HOST}/authorize?tenant=1"),
        "token_endpoint": format!("https://{HOST}/token"),
        "jwks_uri": format!("https://{HOST}/keys"),
        "userinfo_endpoint": format!("https://{HOST}/userinfo"),
    });
    axum::Json(changed(own, &said.metadata))
}

async fn keys(State(inner): State<Arc<ProviderState>>) -> axum::Json<Value> {
    let mut said = inner.said.lock().unwrap();
    said.requests.push("/keys".to_owned());
    let public = signature::RsaPublicKeyComponents::<Vec<u8>>::from(inner.key.public_key());
    let key = json!({
        "kty": "RSA", "use": "sig", "alg": "RS256", "kid": said.key_id, "n": encode(public.n), "e": encode(public.e),
    });
    axum::Json(json!({ "keys": [{ "kty": "oct", "kid": "secret", "k": "AAAA" }, key] }))
}

async fn token(
    State(inner): State<Arc<ProviderState>>,
    headers: HeaderMap,
    RawForm(body): RawForm,
) -> Result<axum::Json<Value>, StatusCode> {
    let form: BTreeMap<String, String> = form_urlencoded::parse(&body).into_owned().collect();
    let mut said = inner.said.lock().unwrap();
    said.requests.push("/token".to_owned());
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let credentials = format!("Basic {}", STANDARD.encode(format!("{}:{}", encoded(CLIENT), encoded(SECRET))));
    let by_header = headers.get("authorization").is_some_and(|value| value == credentials.as_str());
    let by_form = form.get("client_id").is_some_and(|id| id == CLIENT)
        && form.get("client_secret").is_some_and(|secret| secret == SECRET);
    if by_header == by_form {
        return Err(StatusCode::UNAUTHORIZED);
    }
    let (nonce, challenge) = said.codes.remove(&form["code"]).ok_or(StatusCode::BAD_REQUEST)?;
    let is_right = encode(Sha256::digest(&form["code_verifier"])) == challenge
        && form["grant_type"] == "authorization_code"
        && form["redirect_uri"].ends_with("/sign-in/provider/callback");
    if !is_right {
        return Err(StatusCode::BAD_REQUEST);
    }
    let claims = changed(
        json!({
            "iss": ISSUER, "sub": "subject-1", "aud": CLIENT, "iat": now(), "exp": now() + 300, "nonce": nonce,
            "email": "Jane@Example.org", "email_verified": true,
        }),
        &said.changes,
    );
    let header = changed(json!({ "alg": "RS256", "typ": "JWT", "kid": said.key_id }), &said.header);
    let id_token = inner.signed(&header, &claims, said.signature);
    Ok(axum::Json(json!({ "access_token": "access", "token_type": "Bearer", "id_token": id_token })))
}

async fn userinfo(
    State(inner): State<Arc<ProviderState>>,
    headers: HeaderMap,
) -> Result<axum::Json<Value>, StatusCode> {
    let mut said = inner.said.lock().unwrap();
    said.requests.push("/userinfo".to_owned());
    let is_let_in = headers.get("authorization").is_some_and(|value| value == "Bearer access");
    let known = said.userinfo.clone().filter(|_| is_let_in);
    known.map(axum::Json).ok_or(StatusCode::UNAUTHORIZED)
}

impl ProviderState {
    fn signed(&self, header: &Value, claims: &Value, signature: Option<Signature>) -> String {
        let signed = format!("{}.{}", encode(header.to_string()), encode(claims.to_string()));
        let of = |text: &str| {
            let mut bytes = vec![0; self.key.public().modulus_len()];
            self.key.sign(&signature::RSA_PKCS1_SHA256, &SystemRandom::new(), text.as_bytes(), &mut bytes).unwrap();
            bytes
        };
        let bytes = match signature {
            None => of(&signed),
            Some(Signature::None) => Vec::new(),
            Some(Signature::Other) => of("something else"),
            Some(Signature::PublicKeyAsSecret) => {
                let secret = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, self.key.public_key().as_ref());
                ring::hmac::sign(&secret, signed.as_bytes()).as_ref().to_vec()
            }
        };
        format!("{signed}.{}", encode(bytes))
    }
}
