//! No way out but the proxy: a page tries every way there is to reach an address that it may not, while canaries listen there.

use crate::kit::Kit;
use limner_testkit::Reply;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::{TcpListener, UdpSocket};

/// Listens on a loopback address that the proxy does not allow, for connections and for datagrams.
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

    fn touched(&self) -> usize {
        self.touched.load(Ordering::SeqCst)
    }
}

/// Everything a page can do to make a browser speak to `HOST`, and at the end a note that it was all tried.
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
async fn a_page_gets_out_by_no_way_but_the_proxy() {
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
        kit.site.on(path, Reply::html(page));
        kit.site.on("/redirect", Reply::redirect(&format!("http://{authority}/redirected")));
        let read = kit.photograph(path, limner_types::Screenshot::Viewport).await.snapshot;
        assert!(read.html.contains("all tried: 14"), "{path}: {}", &read.html[read.html.len() - 300..]);
        assert!(!read.html.contains("root:"), "{path}: no file was read");
    }
    assert!(kit.site.count("/control") == 3, "what is allowed goes through");
    assert_eq!((other.touched(), wildcard.touched(), allowed.touched()), (0, 0, 0));
}
