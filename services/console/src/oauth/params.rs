//! Request parameters (RFC 6749 §3.1, §3.2): each at most once; a parameter without a value is treated as missing.

/// Parameters in the order they were sent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Params(Vec<(String, String)>);

impl Params {
    /// Parses `application/x-www-form-urlencoded`.
    pub(crate) fn parse(encoded: &[u8]) -> Self {
        let pairs = url::form_urlencoded::parse(encoded).filter(|(_, value)| !value.is_empty());
        Self(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
    }

    /// Returns the value of a parameter.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// Returns all values of a parameter.
    pub(crate) fn get_all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// Returns a parameter that was sent more than once. Only `resource` may be (RFC 8707 §2).
    pub(crate) fn repeated(&self) -> Option<&str> {
        let names = self.0.iter().enumerate().map(|(at, (name, _))| (at, name));
        let repeated = names.filter(|(at, name)| self.0[..*at].iter().any(|(earlier, _)| earlier == *name));
        let mut names = repeated.map(|(_, name)| name.as_str());
        names.find(|name| *name != "resource")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_parameters_are_found() {
        let params = Params::parse(b"a=1&b=&resource=x&resource=y&c=%20+&d");
        assert_eq!(
            (params.get("a"), params.get("b"), params.get("c"), params.get("d")),
            (Some("1"), None, Some("  "), None)
        );
        assert_eq!(params.get_all("resource").collect::<Vec<_>>(), ["x", "y"]);
        assert_eq!(params.repeated(), None);
        assert_eq!(Params::parse(b"a=1&state=1&state=1").repeated(), Some("state"));
        assert_eq!(Params::parse(b"a=&a=1").repeated(), None);
    }
}
