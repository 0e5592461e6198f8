//! Messages that both transports write themselves, in place of the protocol's library.

/// The response to a message that is not JSON. The library ignores such a message on standard input, so that a client
/// waits without any sign of its mistake, and answers it with plain text over HTTP.
pub(crate) const PARSE_ERROR: &str =
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: the message is not JSON"}}"#;
