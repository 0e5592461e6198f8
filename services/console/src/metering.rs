//! Client of metering's gRPC services.

use crate::error::ConsoleError;
use limner_grpc_client::MeteringChannel;
use limner_proto::v1::account_service_client::AccountServiceClient;
use limner_proto::v1::billing_service_client::BillingServiceClient;
use limner_proto::v1::grant_service_client::GrantServiceClient;
use std::time::Duration;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

/// Time limit of a call; longer than metering's own limits, whose errors are more precise.
const CALL_TIMEOUT: Duration = Duration::from_secs(15);

/// Connections that are opened when first used.
#[derive(Clone)]
pub(crate) struct Metering {
    channel: MeteringChannel,
}

impl Metering {
    pub(crate) fn lazy(url: &str, token: Option<&str>) -> Result<Self, ConsoleError> {
        let channel = MeteringChannel::new(url, token, CALL_TIMEOUT);
        Ok(Self { channel: channel.map_err(|cause| ConsoleError::Config(format!("metering.url: {cause}")))? })
    }

    /// Returns a client for accounts, keys and history.
    pub(crate) fn accounts(&self) -> AccountServiceClient<MeteringChannel> {
        AccountServiceClient::new(self.channel.clone()).max_decoding_message_size(limner_proto::MAX_MESSAGE_BYTES)
    }

    /// Returns a client for orders, plans and invoices.
    pub(crate) fn billing(&self) -> BillingServiceClient<MeteringChannel> {
        BillingServiceClient::new(self.channel.clone())
    }

    /// Returns a client for OAuth grants.
    pub(crate) fn grants(&self) -> GrantServiceClient<MeteringChannel> {
        GrantServiceClient::new(self.channel.clone())
    }

    /// Returns true if metering is ready to serve.
    pub(crate) async fn is_serving(&self) -> bool {
        let check = HealthCheckRequest { service: "limner.v1.MeteringService".to_owned() };
        let answer = HealthClient::new(self.channel.clone()).check(check).await;
        answer.is_ok_and(|answer| answer.get_ref().status() == ServingStatus::Serving)
    }
}
