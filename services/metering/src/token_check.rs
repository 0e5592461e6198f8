//! The token that clients of metering present.

use limner_runtime::Secret;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use tonic::service::Interceptor;
use tonic::{Request, Status};

/// Refuses calls without one of the accepted tokens.
#[derive(Clone)]
pub(crate) struct TokenCheck {
    /// Hashes, so that the time of a comparison says nothing about a token.
    accepted: Arc<[[u8; 32]]>,
}

impl TokenCheck {
    pub(crate) fn new(tokens: &[Secret]) -> Self {
        Self { accepted: tokens.iter().map(|token| hash(token.expose().as_bytes())).collect() }
    }

    /// Returns true if no token is required.
    pub(crate) fn is_open(&self) -> bool {
        self.accepted.is_empty()
    }
}

impl Interceptor for TokenCheck {
    fn call(&mut self, request: Request<()>) -> Result<Request<()>, Status> {
        let presented = request.metadata().get("authorization").map(|value| value.as_bytes());
        let token = presented.and_then(|value| value.strip_prefix(b"Bearer "));
        match token {
            _ if self.is_open() => Ok(request),
            Some(token) if self.accepted.contains(&hash(token)) => Ok(request),
            _ => Err(Status::unauthenticated("metering requires the token of its fleet (metering.token)")),
        }
    }
}

fn hash(token: &[u8]) -> [u8; 32] {
    Sha256::digest(token).into()
}
