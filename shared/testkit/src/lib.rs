//! Fake origin sites for tests, whose responses a test defines, an HTTP/2 peer that writes frames as it is told, a TCP
//! proxy behind which servers change, a client of gRPC reflection, and a
//! certificate authority.
//!
//! ```
//! use limner_testkit::{CannedResponse, OriginServer};
//! use tokio::io::{AsyncReadExt, AsyncWriteExt};
//!
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! let site = OriginServer::start().await;
//! site.on("/", CannedResponse::html("<h1>Lamps</h1>"));
//!
//! let mut connection = tokio::net::TcpStream::connect(site.address()).await.unwrap();
//! connection.write_all(b"GET / HTTP/1.1\r\nhost: lamps.test\r\nconnection: close\r\n\r\n").await.unwrap();
//! let mut response = String::new();
//! connection.read_to_string(&mut response).await.unwrap();
//! assert!(response.ends_with("<h1>Lamps</h1>"), "{response}");
//! assert_eq!(site.count("/"), 1);
//! # });
//! ```

mod certificates;
pub mod http2;
mod reflection;
pub mod site;
mod tcp_proxy;

pub use certificates::{CertificateAuthority, ServerCertificate};
pub use reflection::listed_services;
pub use site::{CannedResponse, OriginServer, RawServer, RecordedRequest};
pub use tcp_proxy::TcpProxy;
