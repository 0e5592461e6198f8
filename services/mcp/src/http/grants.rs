//! Token introspection by metering.

use super::auth::{Introspect, Introspected};
use futures::future::BoxFuture;
use limner_grpc_client::MeteringChannel;
use limner_proto::v1::grant_service_client::GrantServiceClient;
use limner_proto::{v1, with_trace};

/// Introspects tokens with metering.
pub struct Grants {
    channel: MeteringChannel,
}

impl Grants {
    pub(crate) fn new(channel: MeteringChannel) -> Self {
        Self { channel }
    }
}

impl Introspect for Grants {
    fn introspect<'a>(
        &'a self,
        token_sha256: [u8; 32],
        resource: &'a str,
    ) -> BoxFuture<'a, Result<Option<Introspected>, String>> {
        Box::pin(async move {
            let request = v1::IntrospectRequest { token_sha256: token_sha256.to_vec(), resource: resource.to_owned() };
            let said = GrantServiceClient::new(self.channel.clone()).introspect(with_trace(request)).await;
            let said =
                said.map_err(|status| format!("metering: {:?}: {}", status.code(), status.message()))?.into_inner();
            let granted =
                Introspected { account_id: said.account_id, client_name: said.client_name, scopes: said.scopes };
            Ok(said.active.then_some(granted))
        })
    }
}
