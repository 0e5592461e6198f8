//! gRPC account service, called by the console.

use super::metering::{answer, usage_entry};
use crate::billing::BillingEngine;
use crate::contract_terms::Currency;
use crate::ledger::account_owner::{ApiKeyInfo, CallFilter, CallWithKeyPurpose, KeyPurpose};
use crate::ledger::keys::KeyRecord;
use crate::{LedgerError, NewAccount, ScheduledPlan};
use limner_proto::v1;
use limner_proto::v1::account_service_server::AccountService;
use limner_types::{Plan, WireEnum};
use time::macros::format_description;
use time::{Date, OffsetDateTime};
use tonic::{Request, Response, Status};

/// Implements `limner.v1.AccountService` over the ledger of a [`BillingEngine`].
#[derive(Debug, Clone)]
pub(crate) struct AccountGrpc {
    billing: BillingEngine,
}

impl AccountGrpc {
    pub(crate) fn new(billing: BillingEngine) -> Self {
        Self { billing }
    }
}

#[tonic::async_trait]
impl AccountService for AccountGrpc {
    async fn open_account(
        &self,
        request: Request<v1::OpenAccountRequest>,
    ) -> Result<Response<v1::OpenAccountResponse>, Status> {
        answer("open_account", request, |request| async move {
            let currency = match request.currency.as_str() {
                "" => Currency::default(),
                word => Currency::parse(word)
                    .ok_or_else(|| LedgerError::Invalid(format!("`{word}` is none of {}", Currency::valid_values())))?,
            };
            let new = NewAccount { currency, ..NewAccount::new(request.email, Plan::Free) };
            let record = self.billing.ledger().create_account(&new).await?;
            Ok(v1::OpenAccountResponse { account_id: record.state.account_id })
        })
        .await
    }

    async fn describe_account(
        &self,
        request: Request<v1::DescribeAccountRequest>,
    ) -> Result<Response<v1::DescribeAccountResponse>, Status> {
        answer("describe_account", request, |request| async move {
            let record = self.billing.ledger().account(&request.account_id).await?;
            let rate = record.overage_rate_cents.and_then(|cents| u32::try_from(cents).ok());
            let scheduled =
                |ScheduledPlan { plan, effective, .. }| v1::ScheduledPlan { plan: plan.to_string(), effective };
            Ok(v1::DescribeAccountResponse {
                account: Some(record.state.into()),
                email: record.email,
                currency: record.currency.as_str().to_owned(),
                billing_interval: record.billing_interval.as_str().to_owned(),
                overage_rate_cents: rate,
                scheduled: record.scheduled.map(scheduled),
                created_at_unix: record.created_at.unix_timestamp(),
                held: record.held,
            })
        })
        .await
    }

    async fn close_account(
        &self,
        request: Request<v1::CloseAccountRequest>,
    ) -> Result<Response<v1::CloseAccountResponse>, Status> {
        answer("close_account", request, |request| async move {
            self.billing.close_account(&request.account_id).await?;
            Ok(v1::CloseAccountResponse {})
        })
        .await
    }

    async fn list_keys(&self, request: Request<v1::ListKeysRequest>) -> Result<Response<v1::ListKeysResponse>, Status> {
        answer("list_keys", request, |request| async move {
            let keys = self.billing.ledger().api_key_infos(&request.account_id).await?;
            Ok(v1::ListKeysResponse { keys: keys.into_iter().map(api_key_info).collect() })
        })
        .await
    }

    async fn create_key(
        &self,
        request: Request<v1::CreateKeyRequest>,
    ) -> Result<Response<v1::CreateKeyResponse>, Status> {
        answer("create_key", request, |request| async move {
            let (ledger, account_id, purpose) = (self.billing.ledger(), &request.account_id, request.purpose());
            let made = match purpose {
                v1::KeyPurpose::Playground => ledger.create_playground_key(account_id).await?,
                v1::KeyPurpose::Mcp => ledger.create_mcp_key(account_id, &request.name).await?,
                v1::KeyPurpose::Api | v1::KeyPurpose::Unspecified => {
                    ledger.create_key(account_id, &request.name).await?
                }
            };
            let api_key = made.key.expose().to_owned();
            let purpose = if purpose == v1::KeyPurpose::Unspecified { v1::KeyPurpose::Api } else { purpose };
            Ok(v1::CreateKeyResponse { api_key, key: Some(key(made.record, None, purpose)) })
        })
        .await
    }

    async fn revoke_key(
        &self,
        request: Request<v1::RevokeKeyRequest>,
    ) -> Result<Response<v1::RevokeKeyResponse>, Status> {
        answer("revoke_key", request, |request| async move {
            let record = self.billing.ledger().revoke_own_key(&request.account_id, &request.key_id).await?;
            Ok(v1::RevokeKeyResponse { key: Some(key(record, None, v1::KeyPurpose::Unspecified)) })
        })
        .await
    }

    async fn list_calls(
        &self,
        request: Request<v1::ListCallsRequest>,
    ) -> Result<Response<v1::ListCallsResponse>, Status> {
        answer("list_calls", request, |request| async move {
            let filter = CallFilter {
                request_id: request.request_id,
                operation: request.operation,
                key_id: request.key_id,
                outcome: request.outcome,
                url_part: request.url_part,
                since: request.since_unix.map(moment).transpose()?,
                until: request.until_unix.map(moment).transpose()?,
            };
            let calls =
                self.billing.ledger().calls(&request.account_id, &filter, request.limit, request.cursor.as_deref());
            let (calls, next_cursor) = calls.await?;
            Ok(v1::ListCallsResponse { calls: calls.into_iter().map(call).collect(), next_cursor })
        })
        .await
    }

    async fn list_usage_days(
        &self,
        request: Request<v1::ListUsageDaysRequest>,
    ) -> Result<Response<v1::ListUsageDaysResponse>, Status> {
        answer("list_usage_days", request, |request| async move {
            let (since, until) = (date(&request.since)?, date(&request.until)?);
            let days = self.billing.ledger().usage_days(&request.account_id, since, until).await?;
            let day = |day: crate::UsageDay| v1::UsageDay {
                day: day.day.to_string(),
                operation: day.operation,
                calls: day.calls,
                cached: day.cached,
                failed: day.failed,
                credits: day.credits,
            };
            Ok(v1::ListUsageDaysResponse { days: days.into_iter().map(day).collect() })
        })
        .await
    }
}

fn api_key_info(held: ApiKeyInfo) -> v1::Key {
    key(held.record, held.last_used_at, purpose(held.purpose))
}

fn purpose(purpose: KeyPurpose) -> v1::KeyPurpose {
    match purpose {
        KeyPurpose::Api => v1::KeyPurpose::Api,
        KeyPurpose::Playground => v1::KeyPurpose::Playground,
        KeyPurpose::Mcp => v1::KeyPurpose::Mcp,
    }
}

fn key(record: KeyRecord, last_used_at: Option<OffsetDateTime>, purpose: v1::KeyPurpose) -> v1::Key {
    v1::Key {
        key_id: record.key_id,
        name: record.name,
        prefix: record.prefix,
        created_at_unix: record.created_at.unix_timestamp(),
        revoked_at_unix: record.revoked_at.map(OffsetDateTime::unix_timestamp),
        last_used_at_unix: last_used_at.map(OffsetDateTime::unix_timestamp),
        purpose: purpose.into(),
    }
}

fn call(call: CallWithKeyPurpose) -> v1::AccountCall {
    let (key_id, key_name) = (call.entry.key_id.clone(), call.entry.key_name.clone());
    let key_purpose = purpose(call.key_purpose).into();
    v1::AccountCall { entry: Some(usage_entry(call.entry)), key_id, key_name, key_purpose }
}

fn moment(unix: i64) -> Result<OffsetDateTime, LedgerError> {
    let moment = OffsetDateTime::from_unix_timestamp(unix);
    moment.map_err(|_| LedgerError::Invalid(format!("{unix} is no moment")))
}

fn date(text: &str) -> Result<Date, LedgerError> {
    Date::parse(text, format_description!("[year]-[month]-[day]"))
        .map_err(|_| LedgerError::Invalid(format!("`{text}` is not a date such as 2026-11-01")))
}
