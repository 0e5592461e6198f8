//! API keys for the calls of signed-in users: created by metering, kept in memory only, never shown.

use crate::backend::KeyProvider;
use crate::{CallError, Caller, Config, McpError};
use futures::future::BoxFuture;
use limner_grpc_client::MeteringChannel;
use limner_proto::v1::account_service_client::AccountServiceClient;
use limner_proto::{v1, with_trace};
use limner_runtime::Secret;
use limner_types::{ApiKey, ErrorBody, ErrorCode};
use moka::future::Cache;
use std::sync::Arc;
use std::time::Duration;
use tonic::Code;

/// Time after which an unused key is dropped; the next call creates another.
const IDLE: Duration = Duration::from_secs(6 * 60 * 60);
const MAX_KEYS: u64 = 100_000;
const METERING_TIMEOUT: Duration = Duration::from_secs(15);
/// Maximum length of a client's name in the name of a key.
const MAX_CLIENT_NAME_LEN: usize = 60;

/// Returns a channel to metering, whose connections are opened when first used.
///
/// # Errors
/// The URL is invalid.
pub(crate) fn metering(config: &Config) -> Result<MeteringChannel, McpError> {
    let token = config.metering_token.as_ref().map(Secret::expose);
    MeteringChannel::new(&config.metering_url, token, METERING_TIMEOUT)
        .map_err(|cause| McpError::Config(format!("metering.url: {cause}")))
}

/// Provides a key for every account and client, so that the usage history shows which client called.
pub struct AccountKeys {
    channel: MeteringChannel,
    keys: Cache<(String, String), ApiKey>,
}

impl AccountKeys {
    pub(crate) fn new(channel: MeteringChannel) -> Self {
        Self { channel, keys: Cache::builder().max_capacity(MAX_KEYS).time_to_idle(IDLE).build() }
    }

    async fn make(&self, caller: &Caller) -> Result<ApiKey, tonic::Status> {
        let request = v1::CreateKeyRequest {
            account_id: caller.account_id.clone(),
            name: key_name(&caller.client_name),
            purpose: v1::KeyPurpose::Mcp.into(),
        };
        let made = AccountServiceClient::new(self.channel.clone()).create_key(with_trace(request)).await?.into_inner();
        ApiKey::parse(&made.api_key).map_err(|cause| tonic::Status::internal(cause.to_string()))
    }
}

fn cache_key(caller: &Caller) -> (String, String) {
    (caller.account_id.clone(), key_name(&caller.client_name))
}

/// Returns the name of the key, which the account's owner sees in the usage history.
fn key_name(client: &str) -> String {
    let shown: String = client.chars().filter(|character| !character.is_control()).take(MAX_CLIENT_NAME_LEN).collect();
    match shown.trim() {
        "" => "MCP".to_owned(),
        client => format!("MCP · {client}"),
    }
}

impl KeyProvider for AccountKeys {
    fn key<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, Result<ApiKey, CallError>> {
        Box::pin(async move {
            let made = self.keys.try_get_with(cache_key(caller), self.make(caller)).await;
            made.map_err(|status: Arc<tonic::Status>| match status.code() {
                Code::NotFound => {
                    let message = "The account that signed in is closed.";
                    ErrorBody::new(ErrorCode::InvalidApiKey, message, None).into()
                }
                _ => CallError::internal(status),
            })
        })
    }

    fn forget<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            self.keys.invalidate(&cache_key(caller)).await;
            true
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_names_contain_the_client() {
        for (client, name) in [("Claude Code", "MCP · Claude Code"), (" ", "MCP"), ("a\nb\u{7}", "MCP · ab")] {
            assert_eq!(key_name(client), name);
        }
        assert!(key_name(&"ü".repeat(500)).chars().count() < 100);
    }
}
