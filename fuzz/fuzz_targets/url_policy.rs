//! Addresses of calls: their normal form, and what the policy of the network guard lets through.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use limner_netguard::{Credentials, EgressPolicy, EgressTokenKey};
use limner_page::TargetUrl;
use limner_page::target_url::MAX_URL_BYTES;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::time::UNIX_EPOCH;
use url::{Host, Url};

fuzz_target!(|data: &[u8]| -> Corpus {
    let text = String::from_utf8_lossy(data);
    let policy = EgressPolicy::default();
    if let Ok(target) = TargetUrl::parse(&text, MAX_URL_BYTES) {
        let again = TargetUrl::parse(target.as_str(), usize::MAX);
        assert_eq!(again.as_ref(), Ok(&target), "the normal form of {text} is not one");
        check(&policy, target.url());
    }
    if let Ok(url) = Url::parse(&text) {
        check(&policy, &url);
    }
    // Nobody signs a token by chance.
    let (username, password) = text.split_once('\n').unwrap_or((&text, ""));
    let credentials = Credentials { username: username.to_owned(), password: password.to_owned() };
    assert!(EgressTokenKey::new("a secret that no input has").verify(&credentials, UNIX_EPOCH).is_none());
    Corpus::Keep
});

/// Checks that an allowed URL is http or https, has no userinfo, and no host that the standard library calls special.
fn check(policy: &EgressPolicy, url: &Url) {
    if policy.check_url(url).is_err() {
        return;
    }
    assert!(matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none(), "{url}");
    match url.host() {
        Some(Host::Ipv4(ip)) => assert!(!is_special_v4(ip), "{url}"),
        Some(Host::Ipv6(ip)) => assert!(!is_special_v6(ip), "{url}"),
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            assert!(!name.is_empty() && name != "localhost" && !name.ends_with(".localhost"), "{url}");
            assert!(!name.ends_with(".local") && !name.ends_with(".internal"), "{url}");
        }
        None => panic!("{url} has no host"),
    }
}

fn is_special_v4(ip: Ipv4Addr) -> bool {
    let [a, b, ..] = ip.octets();
    ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_broadcast()
        || ip.is_documentation()
        || ip.is_multicast()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 198 && (18..20).contains(&b))
}

fn is_special_v6(ip: Ipv6Addr) -> bool {
    ip.is_loopback()
        || ip.is_unspecified()
        || ip.is_multicast()
        || ip.is_unique_local()
        || ip.is_unicast_link_local()
        || ip.to_ipv4().is_some_and(is_special_v4)
}
