use super::*;
use crate::EgressPolicy;
use ipnet::IpNet;
use proptest::prelude::*;
use url::Url;

/// The IANA registries as text, written independently of the tables above, plus other addresses that must never be
/// reached.
const NEVER: &[&str] = &[
    // IANA IPv4 Special-Purpose Address Registry
    "0.0.0.0/8",
    "0.0.0.0/32",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.0.0/29",
    "192.0.0.8/32",
    "192.0.0.9/32",
    "192.0.0.10/32",
    "192.0.0.170/32",
    "192.0.0.171/32",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "240.0.0.0/4",
    "255.255.255.255/32",
    "224.0.0.0/4",
    // IANA IPv6 Special-Purpose Address Registry
    "::1/128",
    "::/128",
    "::ffff:0:0/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "100:0:0:1::/64",
    "2001::/23",
    "2001::/32",
    "2001:1::1/128",
    "2001:1::2/128",
    "2001:1::3/128",
    "2001:2::/48",
    "2001:3::/32",
    "2001:4:112::/48",
    "2001:10::/28",
    "2001:20::/28",
    "2001:30::/28",
    "2001:db8::/32",
    "2002::/16",
    "2620:4f:8000::/48",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    // multicast, withdrawn and unallocated space
    "ff00::/8",
    "fec0::/10",
    "::/96",
    "::ffff:0:0:0/96",
    "4000::/2",
    "8000::/2",
    "e000::/4",
    // metadata services
    "169.254.169.254/32",
    "169.254.170.2/32",
    "100.100.100.200/32",
    "168.63.129.16/32",
    "fd00:ec2::254/128",
    "fd20:ce::254/128",
];

/// The addresses next to the ranges, and a few well-known hosts.
const PUBLIC: &[&str] = &[
    "1.0.0.0",
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "93.184.216.34",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "168.63.129.15",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.0.3.0",
    "192.88.98.255",
    "192.88.100.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "198.51.99.255",
    "198.51.101.0",
    "203.0.112.255",
    "203.0.114.0",
    "223.255.255.255",
    "2000::1",
    "2001:200::1",
    "2001:db7:ffff::1",
    "2001:db9::1",
    "2001:4860:4860::8888",
    "2003::1",
    "2606:4700:4700::1111",
    "2620:4f:8001::1",
    "2a00:1450:4001:82a::200e",
    "3fff:1000::1",
    "2606:4700::5efe:8.8.8.8",
];

/// Public prefixes with a non-public address embedded in their tail.
const CARRIERS: &[&str] =
    &["2606:4700::5efe:127.0.0.1", "2606:4700::200:5efe:10.0.0.1", "2a00:1450::5efe:169.254.169.254"];

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn both_ends_of_every_range_are_special() {
    for range in NEVER {
        let net: IpNet = range.parse().unwrap();
        assert!(special_range(net.network()).is_some(), "first of {range}");
        assert!(special_range(net.broadcast()).is_some(), "last of {range}");
    }
}

#[test]
fn public_internet_is_reachable() {
    for address in PUBLIC {
        assert_eq!(special_range(ip(address)), None, "{address}");
    }
}

#[test]
fn tunnel_addresses_are_only_as_public_as_the_embedded_address() {
    for address in CARRIERS {
        assert!(special_range(ip(address)).is_some(), "{address}");
    }
}

#[test]
fn embedded_addresses_are_found() {
    for (address, embedded) in [
        ("::ffff:1.2.3.4", vec!["1.2.3.4"]),
        ("::1.2.3.4", vec!["1.2.3.4"]),
        ("::ffff:0:1.2.3.4", vec!["1.2.3.4"]),
        ("64:ff9b::1.2.3.4", vec!["1.2.3.4"]),
        ("64:ff9b:1:102:3:400::", vec!["0.0.0.0", "1.2.3.4"]),
        ("2002:102:304::1", vec!["1.2.3.4"]),
        ("2001:0:102:304::fefd:fcfb", vec!["1.2.3.4", "1.2.3.4"]),
        ("2a00::200:5efe:1.2.3.4", vec!["1.2.3.4"]),
        ("2606:4700::1", vec![]),
    ] {
        let IpAddr::V6(v6) = ip(address) else { panic!("{address} is IPv6") };
        let found: Vec<String> = embedded_v4(v6).map(|v4| v4.to_string()).collect();
        assert_eq!(found, embedded, "{address}");
    }
}

/// Generates any address of a range.
fn addresses_in(net: IpNet) -> impl Strategy<Value = IpAddr> {
    any::<u128>().prop_map(move |bits| match net {
        IpNet::V4(net) => {
            let host = bits as u32 & u32::from(net.hostmask());
            IpAddr::V4(Ipv4Addr::from(u32::from(net.network()) | host))
        }
        IpNet::V6(net) => {
            let host = bits & u128::from(net.hostmask());
            IpAddr::V6(Ipv6Addr::from(u128::from(net.network()) | host))
        }
    })
}

fn forbidden_address() -> impl Strategy<Value = IpAddr> {
    let nets: Vec<IpNet> = NEVER.iter().map(|net| net.parse().unwrap()).collect();
    prop::sample::select(nets).prop_flat_map(addresses_in)
}

/// Returns the notations in which the URL standard accepts an IPv4 address.
fn notations(v4: Ipv4Addr) -> Vec<String> {
    let number = u32::from(v4);
    let [a, b, c, d] = v4.octets();
    let last_three = number & 0x00ff_ffff;
    let last_two = number & 0xffff;
    vec![
        format!("{a}.{b}.{c}.{d}"),
        format!("{a}.{b}.{c}.{d}."),
        format!("{number}"),
        format!("{number:#x}"),
        format!("0{number:o}"),
        format!("{a:#x}.{b:#x}.{c:#x}.{d:#x}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("{a}.{last_three}"),
        format!("{a:#X}.0{b:o}.{last_two}"),
        format!("%3{}{}.{b}.{c}.{d}", &format!("{a}")[..1], &format!("{a}")[1..]),
        format!("[::ffff:{v4}]"),
        format!("[::{v4}]"),
        format!("[64:ff9b::{v4}]"),
        format!("[2002:{:x}:{:x}::1]", number >> 16, last_two),
        format!("[2606:4700::5efe:{v4}]"),
    ]
}

fn literals(address: IpAddr) -> Vec<String> {
    match address {
        IpAddr::V4(v4) => notations(v4),
        IpAddr::V6(v6) => vec![format!("[{v6}]"), format!("[{}]", v6.segments().map(|s| format!("{s:04X}")).join(":"))],
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_special_address_is_ever_accepted(address in forbidden_address()) {
        let policy = EgressPolicy::default();
        prop_assert!(policy.check_address(address).is_err(), "{}", address);
        for literal in literals(address) {
            for scheme in ["http", "https"] {
                let url = Url::parse(&format!("{scheme}://{literal}:8080/"));
                prop_assert!(url.is_ok(), "{} is an address in the URL standard", literal);
                prop_assert!(policy.check_url(&url.unwrap()).is_err(), "{}", literal);
            }
        }
    }

    #[test]
    fn allowing_one_range_opens_no_other(
        address in prop_oneof![forbidden_address(), addresses_in("10.20.0.0/16".parse().unwrap())],
    ) {
        let allow: IpNet = "10.20.0.0/16".parse().unwrap();
        let policy = EgressPolicy { allow: vec![allow], ..EgressPolicy::default() };
        prop_assert_eq!(policy.check_address(address).is_ok(), allow.contains(&address));
    }

    #[test]
    fn any_v4_address_is_judged_the_same_in_every_notation(bits in any::<u32>()) {
        let v4 = Ipv4Addr::from(bits);
        let policy = EgressPolicy::default();
        let verdict = policy.check_address(v4.into()).is_ok();
        for literal in &notations(v4)[..10] {
            let url = Url::parse(&format!("http://{literal}/")).unwrap();
            prop_assert_eq!(policy.check_url(&url).is_ok(), verdict, "{}", literal);
        }
    }
}
