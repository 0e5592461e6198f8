//! URLs that attackers use to reach this machine, its network or its cloud. None may cause a connection.

use crate::support::*;
use limner_netguard::{EgressOptions, EgressPolicy, FetchError, FetchRequest};
use limner_types::ErrorCode;
use std::net::IpAddr;
use std::sync::Arc;
use url::Url;

/// `PORT` is the canary's. Names resolve to loopback unless `HOSTILE_DNS_ANSWERS` has them.
const HOSTILE: &[&str] = &[
    // this machine, by name
    "http://localhost:PORT/",
    "https://localhost:PORT/",
    "http://LOCALHOST:PORT/",
    "http://LocalHost.:PORT/",
    "http://localhost.localdomain:PORT/",
    "http://localhost6:PORT/",
    "http://ip6-localhost:PORT/",
    "http://ip6-loopback:PORT/",
    "http://a.localhost:PORT/",
    "http://a.b.localhost.:PORT/",
    "http://ｌｏｃａｌｈｏｓｔ:PORT/",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/",
    "http://loc%61lhost:PORT/",
    "http://local\thost:PORT/",
    "http://broadcasthost:PORT/",
    // this machine, by IPv4 address
    "http://127.0.0.1:PORT/",
    "https://127.0.0.1:PORT/",
    "http://127.0.0.1.:PORT/",
    "http://127.1:PORT/",
    "http://127.0.1:PORT/",
    "http://127.1.2.3:PORT/",
    "http://127.255.255.254:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f000001:PORT/",
    "http://0X7F000001:PORT/",
    "http://0x7f.0x0.0x0.0x1:PORT/",
    "http://0x7f.1:PORT/",
    "http://017700000001:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://0177.0000.0x0.1:PORT/",
    "http://00000177.0.0.1:PORT/",
    "http://127.0x0.0.01:PORT/",
    "http://127.16777215:PORT/",
    "http://%31%32%37.0.0.1:PORT/",
    "http://１２７.0.0.1:PORT/",
    "http://①②⑦.⓪.⓪.①:PORT/",
    "http://127。0。0。1:PORT/",
    "http://127．0．0．1:PORT/",
    "http://0:PORT/",
    "http://0.0.0.0:PORT/",
    "http://00.0:PORT/",
    "http://0x0:PORT/",
    "http:127.0.0.1:PORT/",
    "http:/127.0.0.1:PORT/",
    "http:\\\\127.0.0.1:PORT\\",
    "http:///127.0.0.1:PORT/",
    "http://127.0.0.1:PORT\\@example.com/",
    "http://127.0.0.1:PORT#@example.com/",
    "http://127.0.0.1:PORT?@example.com/",
    "HTTP://127.0.0.1:PORT/",
    " http://127.0.0.1:PORT/ ",
    // this machine, by IPv6 address
    "http://[::1]:PORT/",
    "https://[::1]:PORT/",
    "http://[0:0:0:0:0:0:0:1]:PORT/",
    "http://[0000::0001]:PORT/",
    "http://[::]:PORT/",
    "http://[::127.0.0.1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::FFFF:7f00:1]:PORT/",
    "http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/",
    "http://[::ffff:0.0.0.0]:PORT/",
    "http://[::ffff:0:127.0.0.1]:PORT/",
    "http://[64:ff9b::127.0.0.1]:PORT/",
    "http://[64:ff9b:1::7f00:1]:PORT/",
    "http://[2002:7f00:1::]:PORT/",
    "http://[2001:0:7f00:1::]:PORT/",
    "http://[2001::80ff:fffe]:PORT/",
    "http://[2606:4700::5efe:127.0.0.1]:PORT/",
    "http://[fe80::5efe:7f00:1]:PORT/",
    // this network
    "http://10.0.0.1/",
    "http://10.1:PORT/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.0.1/",
    "http://3232235521/",
    "http://0300.0250.1/",
    "http://100.64.0.1/",
    "http://198.18.0.1/",
    "http://192.0.0.1/",
    "http://192.88.99.1/",
    "http://169.254.1.1/",
    "http://224.0.0.1/",
    "http://239.255.255.250/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://[fe80::1]/",
    "http://[fec0::1]/",
    "http://[fc00::1]/",
    "http://[fd12:3456:789a::1]/",
    "http://[ff02::1]/",
    "http://[100::1]/",
    "http://[2001:db8::1]/",
    "http://[3fff::1]/",
    "http://[5f00::1]/",
    "http://[4000::1]/",
    "http://printer.local:PORT/",
    "http://intranet.internal:PORT/",
    "http://router.home.arpa:PORT/",
    "http://kubernetes.default.svc:PORT/",
    "http://kubernetes.default.svc.cluster.local:PORT/",
    // this cloud
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/latest/meta-data/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://169.254.43518/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[2002:a9fe:a9fe::1]/",
    "http://[fd00:ec2::254]/",
    "http://[fd20:ce::254]/",
    "http://169.254.170.2/v2/credentials",
    "http://100.100.100.200/latest/meta-data/",
    "http://168.63.129.16/metadata/",
    "http://192.0.0.192/opc/v1/",
    "http://metadata.google.internal/",
    "http://METADATA.google.internal./",
    "http://metadata/",
    "http://metadata.goog/",
    "http://instance-data/latest/meta-data/",
    // other protocols
    "ftp://127.0.0.1:PORT/",
    "gopher://127.0.0.1:PORT/_x",
    "file:///etc/passwd",
    "file://127.0.0.1/etc/passwd",
    "dict://127.0.0.1:PORT/",
    "ldap://127.0.0.1:PORT/",
    "ws://127.0.0.1:PORT/",
    "data:text/html,x",
    "javascript:alert(1)",
    "blob:http://127.0.0.1:PORT/x",
    "about:blank",
    "view-source:http://127.0.0.1:PORT/",
    "jar:http://127.0.0.1:PORT/!/x",
    // userinfo
    "http://user:secret@public.example:PORT/",
    "http://user@public.example:PORT/",
    "http://public.example:80@127.0.0.1:PORT/",
    "http://public.example%40127.0.0.1:PORT/",
    // services that are not the web
    "http://public.example:0/",
    "http://public.example:22/",
    "http://public.example:25/",
    "http://public.example:6667/",
    "https://public.example:6000/",
    // names that lead inside
    "http://public.example:PORT/",
    "https://public.example:PORT/",
    "http://PUBLIC.example.:PORT/",
    "http://127.0.0.1.nip.io:PORT/",
    "http://localtest.me:PORT/",
    "http://bücher.example:PORT/",
    "http://a_b.example:PORT/",
    "http://intranet:PORT/",
    "http://mapped.example:PORT/",
    "http://unspecified.example:PORT/",
    "http://unspecified-v6.example:PORT/",
    "http://far-loopback.example:PORT/",
    "http://several.example:PORT/",
    "http://v6.example:PORT/",
    "http://a..b:PORT/",
    "http://.:PORT/",
    "http://nowhere.example:PORT/",
];

/// All of them resolve to the canary, so that a hole in the policy only reaches this machine.
const HOSTILE_DNS_ANSWERS: &[(&str, &[&str])] = &[
    ("mapped.example", &["::ffff:127.0.0.1"]),
    ("unspecified.example", &["0.0.0.0"]),
    ("unspecified-v6.example", &["::"]),
    ("far-loopback.example", &["127.8.8.8"]),
    ("several.example", &["127.0.0.1", "::1", "127.0.0.2"]),
    ("v6.example", &["::1"]),
    ("nowhere.example", &[]),
];

/// A resolver that returns loopback for every name missing in `HOSTILE_DNS_ANSWERS`, including local names.
#[derive(Debug)]
struct EverythingIsHere(Names);

impl limner_netguard::Resolver for EverythingIsHere {
    fn resolve<'a>(&'a self, name: &'a str) -> futures::future::BoxFuture<'a, std::io::Result<Vec<IpAddr>>> {
        let answer = self.0.0.get(name).cloned().unwrap_or_else(|| vec!["127.0.0.1".parse().unwrap()]);
        Box::pin(async move { Ok(answer) })
    }
}

fn options() -> EgressOptions {
    EgressOptions {
        resolver: Some(Arc::new(EverythingIsHere(Names::from_entries(HOSTILE_DNS_ANSWERS)))),
        ..EgressOptions::default()
    }
}

fn hostile(port: u16) -> Vec<(String, Url)> {
    let parsed = HOSTILE.iter().map(|form| form.replace("PORT", &port.to_string()));
    // A URL that the URL standard rejects cannot be requested at all.
    let forms: Vec<_> = parsed.filter_map(|form| Url::parse(&form).ok().map(|url| (form, url))).collect();
    for (form, url) in &forms {
        // Not even a failing test may connect to other machines: literal addresses are checked before they are used.
        let is_literal = !matches!(url.host(), Some(url::Host::Domain(_)));
        assert!(!is_literal || EgressPolicy::default().check_url(url).is_err(), "{form}");
    }
    forms
}

/// Checks that refusals look the same whatever rule caused them.
fn assert_refused(form: &str, outcome: Result<limner_netguard::FetchResponse, FetchError>, message: &str) {
    let error = outcome.expect_err(form);
    assert!(
        matches!(error, FetchError::Forbidden(_) | FetchError::Unreachable(limner_netguard::Unreachable::Resolve(_))),
        "{form}: {error}"
    );
    assert_eq!(error.code(), ErrorCode::TargetUnreachable, "{form}: {error}");
    assert_eq!(error.message(), message, "{form}: {error}");
}

async fn message_for_an_unknown_host() -> String {
    let nobody = client_with(EgressPolicy::default());
    get(&nobody, "http://unknown.example/").await.unwrap_err().message()
}

#[test]
fn table_is_complete() {
    let distinct: std::collections::BTreeSet<_> = HOSTILE.iter().collect();
    assert_eq!(distinct.len(), HOSTILE.len());
    assert!(hostile(8080).len() >= 150, "{} forms parse", hostile(8080).len());
}

#[tokio::test]
async fn no_hostile_address_causes_a_connection() {
    let canary = Canary::start().await;
    let client = client(options());
    let message = message_for_an_unknown_host().await;
    for (form, url) in hostile(canary.port) {
        assert_refused(&form, client.get(FetchRequest::new(url, test_deadline())).await, &message);
    }
    canary.assert_untouched().await;
}

/// The only address of the redirecting server, and the only one allowed; no hostile URL means it.
const START: &str = "127.200.0.9";

#[tokio::test]
async fn no_redirect_to_a_hostile_address_causes_a_connection() {
    let canary = Canary::start().await;
    let start = url("http://start.example/");
    let means_the_same_as_location = |(form, absolute): &(String, Url)| start.join(form).as_ref() == Ok(absolute);
    let forms: Vec<_> = hostile(canary.port).into_iter().filter(means_the_same_as_location).collect();
    let locations: Vec<String> = forms.iter().map(|(form, _)| form.clone()).collect();
    let (server, log) = Server::routing_at(START, move |path| match path.trim_start_matches('/').parse::<usize>() {
        Ok(index) => redirect(302, &locations[index]),
        Err(_) => ok("no such redirect"),
    })
    .await;

    let mut policy = EgressPolicy { allow: vec![format!("{START}/32").parse().unwrap()], ..EgressPolicy::default() };
    policy.hosts.insert("start.example".to_owned(), server.address);
    let client = client(EgressOptions { policy, ..options() });
    let message = message_for_an_unknown_host().await;
    for (index, (form, _)) in forms.iter().enumerate() {
        assert_refused(form, get(&client, &format!("http://start.example/{index}")).await, &message);
    }
    assert_eq!(log.lock().unwrap().len(), forms.len(), "each redirect was served once");
    assert!(forms.len() >= 140, "{} redirects", forms.len());
    canary.assert_untouched().await;
}

#[tokio::test]
async fn proxy_connects_to_no_hostile_address() {
    let canary = Canary::start().await;
    let client = client(options());
    for host in [
        "localhost",
        "LOCALHOST.",
        "127.0.0.1",
        "0x7f.1",
        "2130706433",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "public.example",
        "several.example",
        "v6.example",
        "metadata.google.internal",
        "not a host",
        "",
    ] {
        let error = client.connect(host, canary.port, test_deadline()).await.expect_err(host);
        assert_eq!(error.code(), ErrorCode::TargetUnreachable, "{host}: {error}");
    }
    canary.assert_untouched().await;
}

#[tokio::test]
#[should_panic(expected = "the canary was connected to")]
async fn canary_detects_connections() {
    let canary = Canary::start().await;
    let client = client_with(loopback());
    let stream = client.connect(LOOPBACK, canary.port, test_deadline()).await.unwrap();
    drop(stream);
    canary.assert_untouched().await;
}
