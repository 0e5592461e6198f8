//! The playground's calls, each with the playground key of its account.

use crate::error::HttpError;
use crate::gateway::{GatewayClient, GatewayResponse};
use crate::metering::Metering;
use limner_proto::{v1, with_trace};
use limner_types::{ApiKey, Operation};
use moka::future::Cache;
use std::time::Duration;

/// Time after which an unused key is dropped. It is kept in memory only; the next call creates a new one.
const KEY_IDLE: Duration = Duration::from_secs(60 * 60);
const MAX_KEYS: u64 = 10_000;
/// Maximum number of attempts with a new key, if another console process has replaced the key meanwhile.
const MAX_KEY_ATTEMPTS: u32 = 3;

/// Makes calls for accounts.
pub(crate) struct Playground {
    gateway: GatewayClient,
    metering: Metering,
    /// Keys by account.
    keys: Cache<String, ApiKey>,
}

impl Playground {
    pub(crate) fn new(gateway: GatewayClient, metering: Metering) -> Self {
        let keys = Cache::builder().max_capacity(MAX_KEYS).time_to_idle(KEY_IDLE).build();
        Self { gateway, metering, keys }
    }

    /// Drops the key of an account, which was revoked.
    pub(crate) async fn forget_key(&self, account_id: &str) {
        self.keys.invalidate(account_id).await;
    }

    /// Makes a playground call with the account's playground key; with `only_if_cached`, one that is never charged.
    ///
    /// # Errors
    /// Metering creates no key, or the gateway does not answer.
    pub(crate) async fn call(
        &self,
        account_id: &str,
        operation: Operation,
        query: &[(String, String)],
        only_if_cached: bool,
    ) -> Result<GatewayResponse, HttpError> {
        let mut tried = 0;
        loop {
            let key = self.key(account_id).await?;
            let answer = self.gateway.call(operation, query, &key, only_if_cached).await;
            let answer = answer.map_err(|cause| HttpError::Unavailable(format!("gateway: {cause}")))?;
            tried += 1;
            if answer.status != 401 || tried == MAX_KEY_ATTEMPTS {
                return Ok(answer);
            }
            self.keys.invalidate(account_id).await;
        }
    }

    async fn key(&self, account_id: &str) -> Result<ApiKey, HttpError> {
        let make = async {
            let request = v1::CreateKeyRequest {
                account_id: account_id.to_owned(),
                name: String::new(),
                purpose: v1::KeyPurpose::Playground.into(),
            };
            let made = self.metering.accounts().create_key(with_trace(request)).await?.into_inner();
            ApiKey::parse(&made.api_key).map_err(|cause| tonic::Status::internal(cause.to_string()))
        };
        let key = self.keys.try_get_with(account_id.to_owned(), make).await;
        key.map_err(|cause| HttpError::from(tonic::Status::clone(&cause)))
    }
}
