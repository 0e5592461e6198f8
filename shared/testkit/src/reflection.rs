//! A client of gRPC reflection.

use tonic::transport::Channel;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::{ServerReflectionRequest, server_reflection_client::ServerReflectionClient};

/// Returns the answer to the question which services there are, as text.
///
/// # Panics
/// The server does not answer.
pub async fn listed_services(channel: Channel) -> String {
    let list = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut client = ServerReflectionClient::new(channel);
    let answers = client.server_reflection_info(futures::stream::iter([list])).await.expect("the port has reflection");
    format!("{:?}", answers.into_inner().message().await.expect("the list arrives whole"))
}
