//! Client of metering's gRPC services.

use crate::error::ConsoleError;
use limner_proto::v1::account_service_client::AccountServiceClient;
use limner_proto::v1::billing_service_client::BillingServiceClient;
use limner_proto::v1::grant_service_client::GrantServiceClient;
use std::time::Duration;
use tonic::transport::{Channel, Endpoint};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

/// Time limit of a call; longer than metering's own limits, whose errors are more precise.
const CALL_TIMEOUT: Duration = Duration::from_secs(15);

/// A connection that is opened when first used.
#[derive(Clone)]
pub(crate) struct Metering {
    channel: Channel,
}

impl Metering {
    pub(crate) fn lazy(url: &str) -> Result<Self, ConsoleError> {
        let endpoint = Endpoint::from_shared(url.to_owned());
        let endpoint = endpoint.map_err(|cause| ConsoleError::Config(format!("metering.url: {cause}")))?;
        let endpoint = endpoint
            .connect_timeout(Duration::from_secs(2))
            .timeout(CALL_TIMEOUT)
            .http2_keep_alive_interval(Duration::from_secs(20))
            .keep_alive_while_idle(true);
        Ok(Self { channel: endpoint.connect_lazy() })
    }

    /// Returns a client for accounts, keys and history.
    pub(crate) fn accounts(&self) -> AccountServiceClient<Channel> {
        AccountServiceClient::new(self.channel.clone()).max_decoding_message_size(limner_proto::MAX_MESSAGE_BYTES)
    }

    /// Returns a client for orders, plans and invoices.
    pub(crate) fn billing(&self) -> BillingServiceClient<Channel> {
        BillingServiceClient::new(self.channel.clone())
    }

    /// Returns a client for OAuth grants.
    pub(crate) fn grants(&self) -> GrantServiceClient<Channel> {
        GrantServiceClient::new(self.channel.clone())
    }

    /// Returns true if metering is ready to serve.
    pub(crate) async fn is_serving(&self) -> bool {
        let check = HealthCheckRequest { service: "limner.v1.MeteringService".to_owned() };
        let answer = HealthClient::new(self.channel.clone()).check(check).await;
        answer.is_ok_and(|answer| answer.get_ref().status() == ServingStatus::Serving)
    }
}
