//! gRPC grant service: used by the authorization server, and by resource servers to introspect tokens.

use super::metering::answer;
use crate::ledger::grants::{CodeExchange, ExchangeOutcome, GrantRecord, NewGrant, NewTokens, Refresh};
use crate::{Ledger, LedgerError};
use limner_proto::v1;
use limner_proto::v1::TokenOutcome;
use limner_proto::v1::grant_service_server::GrantService;
use std::time::Duration;
use time::OffsetDateTime;
use tonic::{Request, Response, Status};

/// Implements `limner.v1.GrantService` over a [`Ledger`].
#[derive(Debug, Clone)]
pub(crate) struct GrantGrpc {
    ledger: Ledger,
}

impl GrantGrpc {
    pub(crate) fn new(ledger: Ledger) -> Self {
        Self { ledger }
    }
}

#[tonic::async_trait]
impl GrantService for GrantGrpc {
    async fn introspect(
        &self,
        request: Request<v1::IntrospectRequest>,
    ) -> Result<Response<v1::IntrospectResponse>, Status> {
        answer("introspect", request, |request| async move {
            let found = self.ledger.introspect(hash(&request.token_sha256)?, &request.resource).await?;
            let Some(found) = found else { return Ok(v1::IntrospectResponse::default()) };
            Ok(v1::IntrospectResponse {
                active: true,
                account_id: found.grant.account_id,
                client_id: found.grant.client_id,
                client_name: found.grant.client_name,
                scopes: found.scopes,
                expires_at_unix: found.expires_at.unix_timestamp(),
                grant_id: found.grant.grant_id,
                account: Some(found.state.into()),
            })
        })
        .await
    }

    async fn create_grant(
        &self,
        request: Request<v1::CreateGrantRequest>,
    ) -> Result<Response<v1::CreateGrantResponse>, Status> {
        answer("create_grant", request, |request| async move {
            let new = NewGrant {
                code_sha256: hash(&request.code_sha256)?,
                code_ttl: seconds(request.code_life_seconds),
                account_id: request.account_id,
                client_id: request.client_id,
                client_name: request.client_name,
                scopes: request.scopes,
                resource: request.resource,
                redirect_uri: request.redirect_uri,
                code_challenge: request.code_challenge,
            };
            Ok(v1::CreateGrantResponse { grant_id: self.ledger.create_grant(&new).await? })
        })
        .await
    }

    async fn exchange_code(
        &self,
        request: Request<v1::ExchangeCodeRequest>,
    ) -> Result<Response<v1::TokenResponse>, Status> {
        answer("exchange_code", request, |request| async move {
            let exchange = CodeExchange {
                code_sha256: hash(&request.code_sha256)?,
                tokens: new_tokens(request.tokens)?,
                client_id: request.client_id,
                redirect_uri: request.redirect_uri,
                code_challenge: request.code_challenge,
                resource: request.resource,
            };
            Ok(token_response(self.ledger.exchange_code(&exchange).await?))
        })
        .await
    }

    async fn refresh(&self, request: Request<v1::RefreshRequest>) -> Result<Response<v1::TokenResponse>, Status> {
        answer("refresh", request, |request| async move {
            let refresh = Refresh {
                refresh_sha256: hash(&request.refresh_sha256)?,
                tokens: new_tokens(request.tokens)?,
                client_id: request.client_id,
                resource: request.resource,
                scopes: request.scopes,
            };
            Ok(token_response(self.ledger.refresh(&refresh).await?))
        })
        .await
    }

    async fn revoke_token(
        &self,
        request: Request<v1::RevokeTokenRequest>,
    ) -> Result<Response<v1::RevokeTokenResponse>, Status> {
        answer("revoke_token", request, |request| async move {
            let ended = self.ledger.revoke_token(hash(&request.token_sha256)?, &request.client_id).await?;
            let account_id = ended.as_ref().map(|grant| grant.account_id.clone()).unwrap_or_default();
            Ok(v1::RevokeTokenResponse { ended: ended.map(client_grant), account_id })
        })
        .await
    }

    async fn list_grants(
        &self,
        request: Request<v1::ListGrantsRequest>,
    ) -> Result<Response<v1::ListGrantsResponse>, Status> {
        answer("list_grants", request, |request| async move {
            let grants = self.ledger.grants(&request.account_id).await?;
            Ok(v1::ListGrantsResponse { grants: grants.into_iter().map(client_grant).collect() })
        })
        .await
    }

    async fn revoke_grant(
        &self,
        request: Request<v1::RevokeGrantRequest>,
    ) -> Result<Response<v1::RevokeGrantResponse>, Status> {
        answer("revoke_grant", request, |request| async move {
            let grant = self.ledger.revoke_grant(&request.account_id, &request.grant_id).await?;
            Ok(v1::RevokeGrantResponse { grant: Some(client_grant(grant)) })
        })
        .await
    }

    async fn revoke_grants(
        &self,
        request: Request<v1::RevokeGrantsRequest>,
    ) -> Result<Response<v1::RevokeGrantsResponse>, Status> {
        answer("revoke_grants", request, |request| async move {
            let grants = self.ledger.revoke_grants(&request.account_id).await?;
            Ok(v1::RevokeGrantsResponse { grants: grants.into_iter().map(client_grant).collect() })
        })
        .await
    }
}

fn hash(bytes: &[u8]) -> Result<[u8; 32], LedgerError> {
    bytes.try_into().map_err(|_| LedgerError::Invalid("the hash of a code or token has 32 bytes".to_owned()))
}

fn seconds(count: u32) -> Duration {
    Duration::from_secs(count.into())
}

fn new_tokens(tokens: Option<v1::NewTokens>) -> Result<NewTokens, LedgerError> {
    let tokens = tokens.ok_or_else(|| LedgerError::Invalid("new tokens are missing".to_owned()))?;
    Ok(NewTokens {
        access_sha256: hash(&tokens.access_sha256)?,
        access_ttl: seconds(tokens.access_life_seconds),
        refresh_sha256: hash(&tokens.refresh_sha256)?,
        refresh_ttl: seconds(tokens.refresh_life_seconds),
    })
}

fn token_response(exchanged: ExchangeOutcome) -> v1::TokenResponse {
    let of = |outcome: TokenOutcome, grant: GrantRecord| v1::TokenResponse {
        outcome: outcome.into(),
        scopes: Vec::new(),
        resource: grant.resource,
        account_id: grant.account_id,
        client_name: grant.client_name,
        grant_id: grant.grant_id,
    };
    let refused = |outcome: TokenOutcome| v1::TokenResponse { outcome: outcome.into(), ..Default::default() };
    match exchanged {
        ExchangeOutcome::Issued { grant, scopes } => v1::TokenResponse { scopes, ..of(TokenOutcome::Issued, grant) },
        ExchangeOutcome::Reused(grant) => of(TokenOutcome::Reused, grant),
        ExchangeOutcome::Invalid => refused(TokenOutcome::Invalid),
        ExchangeOutcome::WrongResource => refused(TokenOutcome::WrongResource),
        ExchangeOutcome::WrongScope => refused(TokenOutcome::WrongScope),
    }
}

fn client_grant(grant: GrantRecord) -> v1::ClientGrant {
    v1::ClientGrant {
        grant_id: grant.grant_id,
        client_id: grant.client_id,
        client_name: grant.client_name,
        scopes: grant.scopes,
        resource: grant.resource,
        created_at_unix: grant.created_at.unix_timestamp(),
        last_used_at_unix: grant.last_used_at.map(OffsetDateTime::unix_timestamp),
    }
}
