//! Classes of addresses that are not on the public Internet.
//!
//! The tables are the IANA special-purpose registries for IPv4 and IPv6, plus multicast, broadcast, withdrawn ranges
//! that may still be routed somewhere (site-local, IPv4-compatible), and the few metadata services at otherwise public
//! addresses. Ranges that the registries mark as globally reachable (AS112 sinks, anycast relays) are included too: no
//! page is served from them.

use ipnet::{Ipv4Net, Ipv6Net};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

type NamedRange<Net> = (Net, &'static str);

const fn v4(octets: [u8; 4], prefix: u8, name: &'static str) -> NamedRange<Ipv4Net> {
    let [a, b, c, d] = octets;
    (Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix), name)
}

const fn v6(head: [u16; 4], prefix: u8, name: &'static str) -> NamedRange<Ipv6Net> {
    let [a, b, c, d] = head;
    (Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0), prefix), name)
}

/// The more specific name comes first where ranges overlap.
const SPECIAL_V4: [NamedRange<Ipv4Net>; 25] = [
    v4([169, 254, 169, 254], 32, "a cloud metadata service"),
    v4([169, 254, 170, 2], 32, "a container metadata service"),
    v4([100, 100, 100, 200], 32, "a cloud metadata service"),
    v4([168, 63, 129, 16], 32, "a cloud metadata service"),
    v4([192, 0, 0, 192], 32, "a cloud metadata service"),
    v4([0, 0, 0, 0], 8, "this network"),
    v4([10, 0, 0, 0], 8, "private use"),
    v4([100, 64, 0, 0], 10, "shared address space"),
    v4([127, 0, 0, 0], 8, "loopback"),
    v4([169, 254, 0, 0], 16, "link-local"),
    v4([172, 16, 0, 0], 12, "private use"),
    v4([192, 0, 0, 0], 24, "protocol assignments"),
    v4([192, 0, 2, 0], 24, "documentation"),
    v4([192, 31, 196, 0], 24, "AS112"),
    v4([192, 52, 193, 0], 24, "automatic multicast tunneling"),
    v4([192, 88, 99, 0], 24, "6to4 relay anycast"),
    v4([192, 168, 0, 0], 16, "private use"),
    v4([192, 175, 48, 0], 24, "AS112 delegation"),
    v4([198, 18, 0, 0], 15, "benchmarking"),
    v4([198, 51, 100, 0], 24, "documentation"),
    v4([203, 0, 113, 0], 24, "documentation"),
    v4([233, 252, 0, 0], 24, "multicast documentation"),
    v4([224, 0, 0, 0], 4, "multicast"),
    v4([255, 255, 255, 255], 32, "limited broadcast"),
    v4([240, 0, 0, 0], 4, "reserved"),
];

/// Ranges inside and outside `2000::/3`; addresses outside of it that are not named here are unallocated and refused as
/// well.
const SPECIAL_V6: [NamedRange<Ipv6Net>; 29] = [
    (Ipv6Net::new_assert(Ipv6Addr::UNSPECIFIED, 128), "unspecified"),
    (Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128), "loopback"),
    (Ipv6Net::new_assert(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254), 128), "a cloud metadata service"),
    (Ipv6Net::new_assert(Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254), 128), "a cloud metadata service"),
    (Ipv6Net::new_assert(Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96), "IPv4-mapped"),
    (Ipv6Net::new_assert(Ipv6Addr::new(0, 0, 0, 0, 0xffff, 0, 0, 0), 96), "IPv4-translated"),
    (Ipv6Net::new_assert(Ipv6Addr::UNSPECIFIED, 96), "IPv4-compatible"),
    v6([0x64, 0xff9b, 0, 0], 96, "NAT64"),
    v6([0x64, 0xff9b, 1, 0], 48, "local NAT64"),
    v6([0x100, 0, 0, 0], 64, "discard-only"),
    v6([0x100, 0, 0, 1], 64, "dummy prefix"),
    v6([0x2001, 0, 0, 0], 32, "Teredo"),
    v6([0x2001, 2, 0, 0], 48, "benchmarking"),
    v6([0x2001, 3, 0, 0], 32, "automatic multicast tunneling"),
    v6([0x2001, 4, 0x112, 0], 48, "AS112"),
    v6([0x2001, 0x10, 0, 0], 28, "ORCHID"),
    v6([0x2001, 0x20, 0, 0], 28, "ORCHIDv2"),
    v6([0x2001, 0x30, 0, 0], 28, "drone identifiers"),
    v6([0x2001, 0, 0, 0], 23, "protocol assignments"),
    v6([0x2001, 0xdb8, 0, 0], 32, "documentation"),
    v6([0x2002, 0, 0, 0], 16, "6to4"),
    v6([0x2620, 0x4f, 0x8000, 0], 48, "AS112 delegation"),
    v6([0x3fff, 0, 0, 0], 20, "documentation"),
    v6([0x5f00, 0, 0, 0], 16, "segment routing"),
    v6([0xfc00, 0, 0, 0], 7, "unique local"),
    v6([0xfe80, 0, 0, 0], 10, "link-local"),
    v6([0xfec0, 0, 0, 0], 10, "site-local"),
    v6([0xff00, 0, 0, 0], 8, "multicast"),
    v6([0, 0, 0, 0], 8, "reserved"),
];

/// The part of IPv6 in which public addresses are allocated.
const GLOBAL_UNICAST: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Returns the special-purpose range of `ip`, or `None` for an address on the public Internet.
///
/// An IPv6 address that embeds an IPv4 address (tunnels, translators) is only public if the embedded address is.
pub fn special_range(ip: IpAddr) -> Option<&'static str> {
    match ip {
        IpAddr::V4(v4) => find_range_name(&SPECIAL_V4, |net| net.contains(&v4)),
        IpAddr::V6(v6) => special_v6(v6),
    }
}

fn special_v6(v6: Ipv6Addr) -> Option<&'static str> {
    if let Some(name) = find_range_name(&SPECIAL_V6, |net| net.contains(&v6)) {
        return Some(name);
    }
    if !GLOBAL_UNICAST.contains(&v6) {
        return Some("unallocated");
    }
    embedded_v4(v6).find_map(|v4| special_range(v4.into()))
}

fn find_range_name<Net>(table: &[NamedRange<Net>], contains: impl Fn(&Net) -> bool) -> Option<&'static str> {
    table.iter().find(|(net, _)| contains(net)).map(|&(_, name)| name)
}

/// Returns the IPv4 addresses that packets to `v6` may be forwarded to: mapped, compatible, translated, NAT64, 6to4,
/// Teredo, ISATAP.
pub(crate) fn embedded_v4(v6: Ipv6Addr) -> impl Iterator<Item = Ipv4Addr> {
    let s = v6.segments();
    let join = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    let last = join(s[6], s[7]);

    let local_nat64 = s[..3] == [0x64, 0xff9b, 1];
    let in_last_bits = s[..5] == [0; 5] && matches!(s[5], 0 | 0xffff)
        || s[..4] == [0; 4] && s[4] == 0xffff && s[5] == 0
        || s[..6] == [0x64, 0xff9b, 0, 0, 0, 0]
        || local_nat64
        || is_isatap(&s);
    // RFC 6052 splits the address around bits 64 to 71 if the prefix is 48 bits long.
    let split = Ipv4Addr::from((u32::from(s[3]) << 16) | (u32::from(s[4] & 0xff) << 8) | u32::from(s[5] >> 8));
    let teredo = s[..2] == [0x2001, 0];

    [
        in_last_bits.then_some(last),
        local_nat64.then_some(split),
        (s[0] == 0x2002).then(|| join(s[1], s[2])),
        teredo.then(|| join(s[2], s[3])),
        teredo.then(|| join(!s[6], !s[7])),
    ]
    .into_iter()
    .flatten()
}

/// Returns true for an ISATAP interface identifier: `0000:5efe` or `0200:5efe`, then the IPv4 address, under any
/// prefix.
fn is_isatap(segments: &[u16; 8]) -> bool {
    matches!(segments[4], 0 | 0x0200) && segments[5] == 0x5efe
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
