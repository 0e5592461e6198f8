//! Sign-in with an OpenID Connect provider: the authorization code flow with PKCE. The operator names the provider; it
//! is reached through netguard all the same, because its metadata leads to further URLs.

mod claims;
mod jws;

use crate::config::OidcConfig;
use crate::error::{ConsoleError, HttpError};
use crate::token;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use bytes::Bytes;
use claims::{Claims, ExpectedClaims, truth};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use jws::{Key, TokenError};
use limner_netguard::{Caps, Client, EgressOptions, FetchRequest, FetchResponse, PostRequest};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use url::{Url, form_urlencoded};

/// Time limit for each of the provider's responses.
const PROVIDER_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_RESPONSE_BYTES: usize = 256 * 1_024;
/// Cache lifetime of the provider's metadata.
const METADATA_CACHE_TTL: Duration = Duration::from_secs(60 * 60);
/// Minimum interval between fetches of the provider's keys when a token has an unknown key id.
const MIN_KEY_FETCH_INTERVAL: Duration = Duration::from_secs(30);

/// The requested scopes.
const SCOPE: &str = "openid email";

/// The provider's metadata (OpenID Connect Discovery 1.0 §3).
#[derive(Debug, Clone, Deserialize)]
struct ProviderMetadata {
    issuer: String,
    authorization_endpoint: Url,
    token_endpoint: Url,
    jwks_uri: Url,
    userinfo_endpoint: Option<Url>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct TokenResponse {
    id_token: String,
    access_token: Option<String>,
}

#[derive(Deserialize)]
struct UserInfo {
    sub: String,
    email: Option<String>,
    #[serde(default, deserialize_with = "truth")]
    email_verified: bool,
}

/// A user, as the provider identifies them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OidcUser {
    pub(crate) subject: String,
    /// The e-mail address, only if the provider has verified it.
    pub(crate) email: Option<String>,
}

/// A cached value and the time it was fetched.
type Cached<T> = Mutex<Option<(Arc<T>, Instant)>>;

/// The provider.
pub(crate) struct Provider {
    pub(crate) config: OidcConfig,
    http: Client,
    metadata: Cached<ProviderMetadata>,
    keys: Cached<Vec<Key>>,
}

/// A sign-in in progress. State, nonce and verifier are derived from a secret that the browser keeps; the values that
/// others see reveal nothing about it.
pub(crate) struct SignInAttempt<'a>(pub(crate) &'a str);

impl SignInAttempt<'_> {
    fn derived(&self, what: &str) -> String {
        URL_SAFE_NO_PAD.encode(token::sha256_of(&[b"oidc", what.as_bytes(), self.0.as_bytes()]))
    }

    /// Returns true if a response's state belongs to this sign-in.
    pub(crate) fn matches_state(&self, given: &str) -> bool {
        token::equal(self.derived("state").as_bytes(), given.as_bytes())
    }
}

impl Provider {
    /// # Errors
    /// The issuer is not an https URL.
    pub(crate) fn new(config: OidcConfig, egress: EgressOptions) -> Result<Self, ConsoleError> {
        let wrong = |why: String| ConsoleError::Config(format!("console.oidc_issuer: {why}"));
        let url = Url::parse(&config.issuer).map_err(|cause| wrong(cause.to_string()))?;
        if url.scheme() != "https" || url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("it is no https address, or has more than a path".to_owned()));
        }
        let http = Client::new(egress).map_err(|cause| wrong(cause.to_string()))?;
        Ok(Self { config, http, metadata: Mutex::default(), keys: Mutex::default() })
    }

    /// Returns the URL that the browser is sent to for signing in.
    ///
    /// # Errors
    /// The provider does not answer, or its response is invalid.
    pub(crate) async fn address(&self, attempt: &SignInAttempt<'_>, redirect_uri: &str) -> Result<String, HttpError> {
        let mut url = self.metadata().await?.authorization_endpoint.clone();
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(attempt.derived("verifier")));
        url.query_pairs_mut().extend_pairs([
            ("response_type", "code"),
            ("client_id", &self.config.client_id),
            ("redirect_uri", redirect_uri),
            ("scope", SCOPE),
            ("state", &attempt.derived("state")),
            ("nonce", &attempt.derived("nonce")),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ]);
        Ok(url.into())
    }

    /// Returns the user who has signed in.
    ///
    /// # Errors
    /// The provider does not answer, or its response cannot be trusted.
    pub(crate) async fn person(
        &self,
        attempt: &SignInAttempt<'_>,
        code: &str,
        redirect_uri: &str,
    ) -> Result<OidcUser, HttpError> {
        let metadata = self.metadata().await?;
        let tokens = self.exchange(&metadata, attempt, code, redirect_uri).await?;
        let claims = self.claims(&metadata, &tokens.id_token).await?;
        let expected = ExpectedClaims {
            issuer: &self.config.issuer,
            client_id: &self.config.client_id,
            nonce: &attempt.derived("nonce"),
            now: time::OffsetDateTime::now_utc().unix_timestamp() as f64,
        };
        claims.check(expected).map_err(|fault| untrusted(&format!("an ID token that is {fault}")))?;
        let (mut email, mut verified) = (claims.email, claims.email_verified);
        if let (None, Some(url), Some(token)) = (&email, &metadata.userinfo_endpoint, &tokens.access_token) {
            let info: UserInfo = self.get(url, Some(token)).await?;
            if info.sub != claims.sub {
                return Err(untrusted("information about somebody else"));
            }
            (email, verified) = (info.email, info.email_verified);
        }
        Ok(OidcUser { subject: claims.sub, email: email.filter(|_| verified) })
    }

    async fn claims(&self, metadata: &ProviderMetadata, id_token: &str) -> Result<Claims, HttpError> {
        let mut payload = jws::payload(id_token, &self.keys(metadata, METADATA_CACHE_TTL).await?);
        if payload == Err(TokenError::UnknownKey) {
            payload = jws::payload(id_token, &self.keys(metadata, MIN_KEY_FETCH_INTERVAL).await?);
        }
        let payload = payload.map_err(|fault| untrusted(&format!("an ID token: {fault:?}")))?;
        serde_json::from_slice(&payload).map_err(|_| untrusted("an ID token without the claims of one"))
    }

    /// Exchanges the code for tokens (RFC 6749 §4.1.3), once.
    async fn exchange(
        &self,
        metadata: &ProviderMetadata,
        attempt: &SignInAttempt<'_>,
        code: &str,
        redirect_uri: &str,
    ) -> Result<TokenResponse, HttpError> {
        let verifier = attempt.derived("verifier");
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", redirect_uri),
            ("code_verifier", &verifier),
        ];
        let mut headers = usual_headers();
        let (id, secret) = (&self.config.client_id, &self.config.client_secret);
        match secret {
            Some(secret) if metadata.supports_basic_auth() => {
                let credentials = STANDARD.encode(format!("{}:{}", encoded(id), encoded(secret)));
                let mut value = HeaderValue::from_str(&format!("Basic {credentials}"))
                    .map_err(|_| untrusted("credentials that fit in no header"))?;
                value.set_sensitive(true);
                headers.insert(header::AUTHORIZATION, value);
            }
            Some(secret) => fields.extend([("client_id", id.as_str()), ("client_secret", secret)]),
            None => fields.push(("client_id", id)),
        }
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        let post = PostRequest {
            url: metadata.token_endpoint.clone(),
            headers,
            body: Bytes::from(body),
            caps: caps(),
            deadline: (Instant::now() + PROVIDER_TIMEOUT).into(),
        };
        let answer = self.http.post(post).await.map_err(|cause| unavailable(&cause.to_string()))?;
        // If the code is used or too old, the visitor has to start again.
        if answer.status == StatusCode::BAD_REQUEST {
            return Err(untrusted("a code that it does not take back"));
        }
        decode_json(&answer)
    }

    async fn metadata(&self) -> Result<Arc<ProviderMetadata>, HttpError> {
        let mut kept = self.metadata.lock().await;
        if let Some((metadata, _)) = kept.as_ref().filter(|(_, since)| since.elapsed() < METADATA_CACHE_TTL) {
            return Ok(Arc::clone(metadata));
        }
        let address = format!("{}/.well-known/openid-configuration", self.config.issuer.trim_end_matches('/'));
        let address = Url::parse(&address).map_err(|cause| unavailable(&cause.to_string()))?;
        let metadata: ProviderMetadata = self.get(&address, None).await?;
        let endpoints = [&metadata.authorization_endpoint, &metadata.token_endpoint, &metadata.jwks_uri];
        let all = endpoints.into_iter().chain(&metadata.userinfo_endpoint);
        if metadata.issuer != self.config.issuer || all.into_iter().any(|url| url.scheme() != "https") {
            return Err(unavailable("its metadata is another issuer's, or names addresses without TLS"));
        }
        let metadata = Arc::new(metadata);
        *kept = Some((Arc::clone(&metadata), Instant::now()));
        Ok(metadata)
    }

    /// Returns the provider's keys, fetched at most `age` ago.
    async fn keys(&self, metadata: &ProviderMetadata, age: Duration) -> Result<Arc<Vec<Key>>, HttpError> {
        let mut kept = self.keys.lock().await;
        if let Some((keys, _)) = kept.as_ref().filter(|(_, since)| since.elapsed() < age) {
            return Ok(Arc::clone(keys));
        }
        let keys = Arc::new(jws::keys(&self.get(&metadata.jwks_uri, None).await?));
        *kept = Some((Arc::clone(&keys), Instant::now()));
        Ok(keys)
    }

    async fn get<T: DeserializeOwned>(&self, url: &Url, access_token: Option<&str>) -> Result<T, HttpError> {
        let mut headers = usual_headers();
        if let Some(token) = access_token {
            let mut value = HeaderValue::from_str(&format!("Bearer {token}"))
                .map_err(|_| untrusted("an access token that fits in no header"))?;
            value.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, value);
        }
        let get =
            FetchRequest { headers, caps: caps(), ..FetchRequest::new(url.clone(), Instant::now() + PROVIDER_TIMEOUT) };
        decode_json(&self.http.get(get).await.map_err(|cause| unavailable(&cause.to_string()))?)
    }
}

impl ProviderMetadata {
    /// Returns true if the provider accepts `client_secret_basic`, the default.
    fn supports_basic_auth(&self) -> bool {
        let named = |methods: &Vec<String>| methods.iter().any(|method| method == "client_secret_basic");
        self.token_endpoint_auth_methods_supported.as_ref().is_none_or(named)
    }
}

fn decode_json<T: DeserializeOwned>(answer: &FetchResponse) -> Result<T, HttpError> {
    if answer.status != StatusCode::OK {
        return Err(unavailable(&format!("{} says {}", answer.url.path(), answer.status.as_u16())));
    }
    // The cause might contain a token.
    serde_json::from_slice(&answer.body).map_err(|_| unavailable(&format!("{} is not as expected", answer.url.path())))
}

fn usual_headers() -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(header::USER_AGENT, HeaderValue::from_static("limner-console"));
    headers
}

fn caps() -> Caps {
    Caps { max_bytes: MAX_RESPONSE_BYTES, max_redirects: 0, ..Caps::default() }
}

/// Form-encodes a value (RFC 6749 §2.3.1).
fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

fn unavailable(cause: &str) -> HttpError {
    HttpError::Unavailable(format!("the OpenID Connect provider: {cause}"))
}

fn untrusted(what: &str) -> HttpError {
    tracing::warn!(oidc.fault = what, "sign-in by the provider rejected");
    metrics::counter!("limner_console_provider_refusals_total").increment(1);
    HttpError::Invalid("That sign-in cannot be trusted, or took too long. Start again on the sign-in page.".to_owned())
}
