//! Registrable domains by the Public Suffix List. The list is compiled here alone: no function is generic or inlined
//! into other crates.
//!
//! ```
//! assert_eq!(limner_public_suffix::registrable_domain("shop.example.co.uk"), Some("example.co.uk"));
//! ```

/// Returns the part of a host that is registered with one owner: a public suffix and the label before it.
#[inline(never)]
pub fn registrable_domain(host: &str) -> Option<&str> {
    psl::domain_str(host)
}

/// Returns true if a name ends with a suffix of the list, which it may be itself.
#[inline(never)]
pub fn has_listed_suffix(name: &str) -> bool {
    psl::suffix(name.as_bytes()).is_some_and(|suffix| suffix.is_known())
}

/// Returns true if a name is a suffix of the list with at least one label before it.
#[inline(never)]
pub fn is_below_listed_suffix(name: &str) -> bool {
    psl::domain(name.as_bytes()).is_some_and(|domain| domain.suffix().is_known())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registrable_domain_is_the_suffix_and_one_label() {
        assert_eq!(registrable_domain("a.b.example.co.uk"), Some("example.co.uk"));
        assert_eq!(registrable_domain("me.github.io"), Some("me.github.io"));
        assert_eq!(registrable_domain("host.internal"), Some("host.internal"));
        assert_eq!(registrable_domain("co.uk"), None);
        assert_eq!(registrable_domain(""), None);
    }

    #[test]
    fn suffix_may_be_the_whole_name() {
        for (name, has_suffix, is_below) in
            [("example.com", true, true), ("com", true, false), ("host.internal", false, false), ("", false, false)]
        {
            assert_eq!((has_listed_suffix(name), is_below_listed_suffix(name)), (has_suffix, is_below), "{name}");
        }
    }
}
