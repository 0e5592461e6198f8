//! DNS rebinding: a name whose address changes between check and connection has no effect, because there is one
//! look-up, and the connection uses its checked address.

use crate::support::*;
use limner_netguard::{EgressOptions, EgressPolicy, FetchError};
use std::net::Ipv4Addr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const GOOD: &str = "127.0.0.2";
const BAD: &str = "127.0.0.3";

/// Returns options that allow `GOOD` and no other address of this machine.
fn options(resolver: Arc<Rebinding>) -> EgressOptions {
    let policy = EgressPolicy { allow: vec![format!("{GOOD}/32").parse().unwrap()], ..EgressPolicy::default() };
    EgressOptions { policy, resolver: Some(resolver), ..EgressOptions::default() }
}

async fn pair(answer: &'static str) -> (Server, Server) {
    let respond = move |mut stream: tokio::net::TcpStream, _| async move {
        read_head(&mut stream).await?;
        stream.write_all(&response("200 OK", &[], answer.as_bytes())).await
    };
    let good = Server::start_at(GOOD.parse().unwrap(), 0, respond).await;
    let canary = Server::start_at(BAD.parse().unwrap(), good.port(), respond).await;
    (good, canary)
}

#[tokio::test]
async fn checked_answer_is_the_one_connected_to() {
    let (good, canary) = pair("good").await;
    let resolver = Rebinding::new(&[&[GOOD], &[BAD]]);
    let client = client(options(resolver.clone()));
    let address = format!("http://rebind.example:{}/", good.port());

    let fetched = get(&client, &address).await.unwrap();
    assert_eq!(&fetched.body[..], b"good");
    assert_eq!(resolver.lookup_count(), 1, "no second look-up");

    let error = get(&client, &address).await.unwrap_err();
    assert!(matches!(error, FetchError::Forbidden(_)), "{error}");
    assert_eq!((good.connections(), canary.connections()), (1, 0));
}

#[tokio::test]
async fn redirect_to_the_same_name_is_checked_anew() {
    let resolver = Rebinding::new(&[&[GOOD], &[BAD]]);
    let client = client(options(resolver.clone()));
    let (server, _) = Server::routing_at(GOOD, |_| redirect(302, "/next")).await;
    let canary = Server::start_at(BAD.parse().unwrap(), server.port(), |_, _| async { Ok(()) }).await;

    let error = get(&client, &format!("http://rebind.example:{}/", server.port())).await.unwrap_err();
    assert!(matches!(error, FetchError::Forbidden(_)), "{error}");
    assert_eq!((server.connections(), canary.connections()), (1, 0));
    assert_eq!(resolver.lookup_count(), 2);
}

#[tokio::test]
async fn one_forbidden_address_rejects_the_whole_answer() {
    let (good, canary) = pair("good").await;
    let resolver = Rebinding::new(&[&[GOOD, BAD], &[BAD, GOOD], &[GOOD, "::1"]]);
    let client = client(options(resolver.clone()));
    for _ in 0..3 {
        let error = get(&client, &format!("http://mixed.example:{}/", good.port())).await.unwrap_err();
        assert!(matches!(error, FetchError::Forbidden(_)), "{error}");
    }
    assert_eq!((good.connections(), canary.connections()), (0, 0));
}

#[tokio::test]
async fn proxies_connect_to_the_checked_address_too() {
    let (good, canary) = pair("good").await;
    let resolver = Rebinding::new(&[&[GOOD], &[BAD]]);
    let client = client(options(resolver.clone()));
    let mut stream = client.connect("rebind.example", good.port(), test_deadline()).await.unwrap();
    assert_eq!(stream.peer_addr().unwrap().ip(), GOOD.parse::<Ipv4Addr>().unwrap());
    stream.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).await.unwrap();
    assert!(said.ends_with("good"));

    client.connect("rebind.example", good.port(), test_deadline()).await.unwrap_err();
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn unresponsive_address_is_followed_by_the_next() {
    let (good, canary) = pair("good").await;
    // Nobody listens on this one, which is allowed as well.
    let mut options = options(Rebinding::new(&[&["127.0.0.4", GOOD]]));
    options.policy.allow.push("127.0.0.4/32".parse().unwrap());
    let fetched = get(&client(options), &format!("http://two.example:{}/", good.port())).await.unwrap();
    assert_eq!(&fetched.body[..], b"good");
    assert_eq!(canary.connections(), 0);
}
