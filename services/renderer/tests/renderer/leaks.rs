//! No network path except the proxy: a page tries every way to reach forbidden addresses, while canaries listen there.

use crate::support::Kit;
use limner_testkit::CannedResponse;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::{TcpListener, UdpSocket};

/// Listens for TCP connections and UDP datagrams on a loopback address that the proxy does not allow.
struct Canary {
    port: u16,
    touched: Arc<AtomicUsize>,
}

impl Canary {
    async fn start(address: &str) -> Self {
        let tcp = TcpListener::bind((address, 0)).await.unwrap();
        let port = tcp.local_addr().unwrap().port();
        let udp = UdpSocket::bind((address, port)).await.unwrap();
        let touched = Arc::new(AtomicUsize::new(0));
        let (of_tcp, of_udp) = (Arc::clone(&touched), Arc::clone(&touched));
        tokio::spawn(async move {
            while tcp.accept().await.is_ok() {
                of_tcp.fetch_add(1, Ordering::SeqCst);
            }
        });
        tokio::spawn(async move {
            let mut datagram = [0; 64];
            while udp.recv_from(&mut datagram).await.is_ok() {
                of_udp.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { port, touched }
    }

    fn connection_count(&self) -> usize {
        self.touched.load(Ordering::SeqCst)
    }
}

/// A page that tries everything that makes a browser contact `HOST`, and finally records that it tried.
const ATTEMPTS: &str = r##"<!DOCTYPE html><title>t</title><p>A page that wants out.</p>
<link rel=dns-prefetch href="//HOST"><link rel=preconnect href="http://HOST"><link rel=prefetch href="http://HOST/pf">
<link rel=stylesheet href="http://HOST/s.css"><link rel=manifest href="http://HOST/m.json"><link rel=icon href="http://HOST/i.ico">
<style>@import "http://HOST/import.css"; body { background: url(http://HOST/bg.png) } @font-face { font-family: f; src: url(http://HOST/f.woff2) } p { font-family: f }</style>
<img src="http://HOST/img"><img src="/redirect"><iframe src="http://HOST/frame"></iframe><iframe src="file:///etc/passwd"></iframe>
<object data="http://HOST/o"></object><embed src="http://HOST/e"><video src="http://HOST/v.mp4"></video><audio src="http://HOST/a.mp3"></audio>
<script src="http://HOST/x.js"></script><script type=module>import("http://HOST/m.js").catch(() => 0)</script>
<a id=a ping="http://HOST/ping" href="#x">a</a><form id=form action="http://HOST/form" target=sink><input name=q></form><iframe name=sink></iframe>
<svg><image href="http://HOST/image"/><use href="http://HOST/use.svg#x"/></svg>
<script>
const tried = [];
const attempt = (name, run) => { try { Promise.resolve(run()).catch(() => 0); tried.push(name); } catch { tried.push(name + ' threw'); } };
attempt('fetch', () => fetch('http://HOST/fetch', { mode: 'no-cors' }));
attempt('fetch-file', () => fetch('file:///etc/passwd'));
attempt('xhr', () => { const x = new XMLHttpRequest(); x.open('GET', 'http://HOST/xhr'); x.send(); });
attempt('beacon', () => navigator.sendBeacon('http://HOST/beacon', 'x'));
attempt('socket', () => new WebSocket('ws://HOST/ws'));
attempt('source', () => new EventSource('http://HOST/es'));
attempt('worker', () => new Worker(URL.createObjectURL(new Blob(["importScripts('http://HOST/w.js')"]))));
attempt('shared', () => new SharedWorker(URL.createObjectURL(new Blob(["fetch('http://HOST/sw', { mode: 'no-cors' })"]))));
attempt('form', () => form.submit());
attempt('ping', () => a.click());
attempt('transport', () => new WebTransport('https://HOST/wt').ready);
attempt('rtc', async () => {
  const peer = new RTCPeerConnection({ iceServers: [
    { urls: 'stun:HOST' }, { urls: ['turn:HOST?transport=udp', 'turn:HOST?transport=tcp'], username: 'u', credential: 'p' } ] });
  peer.createDataChannel('d');
  await peer.setLocalDescription(await peer.createOffer());
  await peer.addIceCandidate({ candidate: 'candidate:1 1 udp 2130706431 ADDRESS PORT typ host', sdpMid: '0' }).catch(() => 0);
});
attempt('open', () => window.open('http://HOST/open'));
attempt('late', () => setTimeout(() => { document.body.append('all tried: ' + tried.length); fetch('/control'); }, 250));
</script>"##;

#[tokio::test]
async fn pages_reach_the_network_only_through_the_proxy() {
    let kit = Kit::start().await;
    let (other, wildcard) = (Canary::start("127.0.0.2").await, Canary::start("127.0.0.3").await);
    let allowed = Canary::start("127.0.0.1").await;
    for (path, canary, host) in [
        ("/literal", &other, "127.0.0.2"),
        ("/mapped", &wildcard, "[::ffff:127.0.0.3]"),
        ("/named", &allowed, "localhost"),
    ] {
        let (authority, port) = (format!("{host}:{}", canary.port), canary.port.to_string());
        let page = ATTEMPTS.replace("HOST", &authority).replace("ADDRESS", host).replace("PORT", &port);
        kit.site.on(path, CannedResponse::html(page));
        kit.site.on("/redirect", CannedResponse::redirect(&format!("http://{authority}/redirected")));
        let read = kit.visit_with_screenshot(path, limner_types::Screenshot::Viewport).await.snapshot;
        assert!(read.html.contains("all tried: 14"), "{path}: {}", &read.html[read.html.len() - 300..]);
        assert!(!read.html.contains("root:"), "{path}: no file was read");
    }
    assert!(kit.site.count("/control") == 3, "allowed requests succeed");
    assert_eq!((other.connection_count(), wildcard.connection_count(), allowed.connection_count()), (0, 0, 0));
}

/// A network namespace: loopback, and one link to the rest of the world on which every packet is counted.
const NETWORK: &str = "set -e; ip link set lo up; ip link add out type veth peer name sink; \
    for side in out sink; do echo 1 > /proc/sys/net/ipv6/conf/$side/disable_ipv6; ip link set $side up; done; \
    ip addr add 192.0.2.2/24 dev out; ip neigh add 192.0.2.1 lladdr 02:00:00:00:00:01 dev out; \
    ip route add default via 192.0.2.1; exec \"$@\"";
const IS_INSIDE: &str = "LIMNER_TEST_NETWORK";

fn in_own_network(program: &std::ffi::OsStr, arguments: &[&str]) -> std::process::Output {
    let mut command = Command::new("unshare");
    command.args(["--net", "sh", "-c", NETWORK, "sh"]).arg(program).args(arguments).env(IS_INSIDE, "1");
    command.output().unwrap()
}

/// Returns the number of packets that left by the link.
fn packets() -> u64 {
    let interfaces = std::fs::read_to_string("/proc/net/dev").unwrap();
    let line = interfaces.lines().find_map(|line| line.trim().strip_prefix("out:")).unwrap();
    line.split_whitespace().nth(9).unwrap().parse().unwrap()
}

/// Traffic that bypasses the proxy is counted on the link: connections, datagrams, DNS queries.
#[tokio::test]
async fn browser_sends_no_packets_past_the_proxy() {
    if std::env::var_os(IS_INSIDE).is_some() {
        return watch_the_line().await;
    }
    let possible = in_own_network("true".as_ref(), &[]);
    if !possible.status.success() {
        eprintln!("skipped: no network namespaces here: {}", String::from_utf8_lossy(&possible.stderr));
        return;
    }
    let this = std::env::current_exe().unwrap();
    let name = "leaks::browser_sends_no_packets_past_the_proxy";
    let watched = in_own_network(this.as_os_str(), &["--exact", name, "--nocapture"]);
    let said = String::from_utf8_lossy(&watched.stdout);
    assert!(
        watched.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&watched.stderr)
    );
}

async fn watch_the_line() {
    let kit = Kit::start().await;
    let before = packets();
    // One forbidden address, and one that the proxy resolves without DNS.
    for (path, host) in [("/forbidden", "198.51.100.9"), ("/known", "cdn.test")] {
        let page = ATTEMPTS.replace("HOST", &format!("{host}:8123")).replace("ADDRESS", host).replace("PORT", "8123");
        kit.site.on(path, CannedResponse::html(page));
        kit.site.on("/redirect", CannedResponse::redirect(&format!("http://{host}:8123/redirected")));
        let read = kit.visit(path).await.unwrap();
        assert!(read.html.contains("all tried: 14"), "{path}: {}", &read.html[read.html.len() - 300..]);
    }
    assert_eq!(packets(), before, "packets left past the proxy");
    assert!(kit.site.count("/fetch") > 0, "known hosts are reached through the proxy");
    let socket = UdpSocket::bind("0.0.0.0:0").await.unwrap();
    socket.send_to(b"seen?", "198.51.100.9:9").await.unwrap();
    assert!(packets() > before, "the link counts packets");
}
