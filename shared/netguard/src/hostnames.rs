//! Host names that are never on the public Internet, and the normal form in which names are compared.

use url::Host;

/// Names of this machine or its network, and zones reserved for private use; each with all subdomains.
const LOCAL_ZONES: [&str; 7] = ["localhost", "localdomain", "local", "internal", "home.arpa", "svc", "broadcasthost"];

/// Single names found in hosts files and private resolvers.
const LOCAL_NAMES: [&str; 9] = [
    "ip6-localhost",
    "ip6-loopback",
    "ip6-localnet",
    "ip6-mcastprefix",
    "ip6-allnodes",
    "ip6-allrouters",
    "metadata",
    "metadata.goog",
    "instance-data",
];

const MAX_NAME: usize = 253;
const MAX_LABEL: usize = 63;

/// Returns the form in which names are compared: as the URL standard parses a host, without the root's trailing dot.
pub(crate) fn normal(host: &str) -> Option<String> {
    let parsed = Host::parse(host).ok()?;
    Some(without_root(&parsed.to_string()).to_owned())
}

/// Removes the root: `example.com.` and `example.com` are the same host.
pub(crate) fn without_root(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

/// Returns true if a normalized name is only known to this machine or its network.
pub(crate) fn is_local(name: &str) -> bool {
    LOCAL_NAMES.contains(&name) || LOCAL_ZONES.iter().any(|zone| is_in_zone(name, zone))
}

fn is_in_zone(name: &str, zone: &str) -> bool {
    name.strip_suffix(zone).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Returns true if a normalized name can be queried in the DNS: no empty or over-long label.
pub(crate) fn is_resolvable(name: &str) -> bool {
    name.len() <= MAX_NAME && name.split('.').all(|label| (1..=MAX_LABEL).contains(&label.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_hostname_are_normalized() {
        for given in ["site.test", "SITE.test", "site.test.", "ｓｉｔｅ.test", "site。test", "s%69te.test"] {
            assert_eq!(normal(given).as_deref(), Some("site.test"), "{given}");
        }
        assert_eq!(normal("Bücher.example").as_deref(), Some("xn--bcher-kva.example"));
        assert_eq!(normal("0x7f.1").as_deref(), Some("127.0.0.1"));
        assert_eq!(normal("no host"), None);
    }

    #[test]
    fn local_hostnames_are_recognized() {
        for local in
            ["localhost", "a.localhost", "printer.local", "metadata.google.internal", "db.prod.svc", "metadata"]
        {
            assert!(is_local(local), "{local}");
        }
        for public in
            ["notlocalhost", "local.example.com", "localhost.example.com", "internal.example", "metadata.example"]
        {
            assert!(!is_local(public), "{public}");
        }
    }

    #[test]
    fn names_the_dns_can_hold() {
        assert!(is_resolvable("a.b_c.example"));
        let long_label = "a".repeat(64);
        let long_name = ["a".repeat(60).as_str(); 5].join(".");
        for bad in ["", ".", "a..b", ".a", long_label.as_str(), long_name.as_str()] {
            assert!(!is_resolvable(bad), "{bad}");
        }
    }
}
