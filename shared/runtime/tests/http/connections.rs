//! Many idle connections.

use crate::server::{Server, limits, read_to_end};
use limner_runtime::AddressLimit;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

const CONNECTIONS: usize = 10_000;
/// Number of descriptors of a process that has one for each connection.
const DESCRIPTORS: u64 = CONNECTIONS as u64 + 200;
/// Maximum memory of a connection that is idle, or has sent one request.
const BYTES_EACH: usize = 24 * 1_024;

/// Raises the limit of this process, and thereby of the one that it starts, to as many descriptors as the test needs.
fn allow_descriptors() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_none_or(|current| current >= DESCRIPTORS) {
        return;
    }
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(DESCRIPTORS), maximum });
    let hint = "`ulimit -Hn` allows fewer descriptors than this test needs; raise it (root: `ulimit -n`, limits.conf)";
    assert!(raised.is_ok(), "{hint}: {DESCRIPTORS} are needed, {maximum:?} allowed");
}

fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1_024
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_idle_connections_take_little_memory_and_others_are_served() {
    allow_descriptors();
    let mut limits = limits();
    limits.header_timeout = Duration::from_secs(120);
    let server = Server::start_with(limits).await;
    for _ in 0..10 {
        server.assert_serves().await;
    }
    let before = resident_bytes();
    // In another process, so that only the server's side is measured, and has its own descriptors.
    let mut holder = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "connections::helper_holds_connections_for_another_test", "--ignored", "--nocapture"])
        .env("LIMNER_TEST_HOLD", format!("{} {CONNECTIONS}", server.address))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(holder.stdout.take().unwrap());
    let held = tokio::task::spawn_blocking(move || {
        let mut line = String::new();
        while said.read_line(&mut line).unwrap() > 0 && !line.ends_with("held\n") {}
        (line.ends_with("held\n"), said)
    });
    let (are_held, mut said) = held.await.unwrap();
    assert!(are_held, "cannot open the connections");
    let each = resident_bytes().saturating_sub(before) / CONNECTIONS;
    server.assert_serves().await;
    drop(holder.stdin.take());
    said.read_to_string(&mut String::new()).unwrap();
    holder.wait().unwrap();
    assert!(each < BYTES_EACH, "{each} bytes each");
}

/// Half of the connections send nothing, half have sent a request and stay open.
#[test]
#[ignore = "a part of another test, which starts it"]
fn helper_holds_connections_for_another_test() {
    let Ok(what) = std::env::var("LIMNER_TEST_HOLD") else { return };
    let (address, count) = what.split_once(' ').unwrap();
    let connections: Vec<TcpStream> = (0..count.parse().unwrap())
        .map(|n| {
            let mut stream = TcpStream::connect(address).unwrap();
            if n % 2 == 0 {
                stream.write_all(b"GET / HTTP/1.1\r\nhost: a.test\r\n\r\n").unwrap();
            }
            stream
        })
        .collect();
    let mut out = std::io::stdout();
    writeln!(out, "held").unwrap();
    out.flush().unwrap();
    // Until the other test is done.
    std::io::stdin().read_line(&mut String::new()).unwrap();
    drop(connections);
}

#[tokio::test]
async fn one_address_cannot_take_all_connections() {
    let mut limits = limits();
    limits.max_connections = 8;
    limits.peers.per_address_limit = Some(AddressLimit { max_connections: 4, exempt: Vec::new() });
    limits.header_timeout = Duration::from_secs(60);
    let server = Server::start_with(limits).await;
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(server.connect().await);
    }
    for _ in 0..20 {
        assert_eq!(read_to_end(&mut server.connect().await).await, "", "a fifth is closed");
    }
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 2], 0).into()).unwrap();
    let mut other = socket.connect(server.address).await.unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut other, b"GET / HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n")
        .await
        .unwrap();
    assert!(read_to_end(&mut other).await.ends_with("done"), "others have theirs");
}
