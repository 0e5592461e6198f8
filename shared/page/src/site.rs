//! The site that a host belongs to, by the Public Suffix List.

use url::{Host, Url};

/// Returns the registrable domain (`a.b.co.uk` → `b.co.uk`); the host if it has none, as an IP address.
pub fn registrable_domain(url: &Url) -> Option<String> {
    match url.host()? {
        Host::Domain(domain) => Some(limner_public_suffix::registrable_domain(domain).unwrap_or(domain).to_owned()),
        address => Some(address.to_string()),
    }
}

/// Returns the first label of the registrable domain, which often is the name of the site; empty for an IP address.
pub fn site_label(url: &Url) -> &str {
    let Some(Host::Domain(domain)) = url.host() else { return "" };
    limner_public_suffix::registrable_domain(domain).unwrap_or(domain).split('.').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_a_site_have_one_registrable_domain() {
        for (url, domain, label) in [
            ("https://www.a.test/", Some("a.test"), "a"),
            ("https://x.y.shop.co.uk/", Some("shop.co.uk"), "shop"),
            ("https://a.github.io/", Some("a.github.io"), "a"),
            ("http://localhost/", Some("localhost"), "localhost"),
            ("http://127.0.0.1:80/", Some("127.0.0.1"), ""),
            ("http://[::1]/", Some("[::1]"), ""),
            ("data:text/plain,x", None, ""),
        ] {
            let url = Url::parse(url).unwrap();
            assert_eq!((registrable_domain(&url).as_deref(), site_label(&url)), (domain, label), "{url}");
        }
    }
}
