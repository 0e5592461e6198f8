use super::*;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap_or_else(|cause| panic!("{text}: {cause}"))
}

fn policy(allow: &[&str], hosts: &[(&str, &str)]) -> EgressPolicy {
    EgressPolicy {
        allow: allow.iter().map(|net| net.parse().unwrap()).collect(),
        hosts: hosts.iter().map(|(name, socket)| ((*name).to_owned(), socket.parse().unwrap())).collect(),
        ..EgressPolicy::default()
    }
}

#[test]
fn public_addresses_pass() {
    for given in [
        "https://example.com/",
        "http://example.com:8080/a?b#c",
        "https://EXAMPLE.com./",
        "https://bücher.example/",
        "https://a_b.example.com/",
        "https://8.8.8.8/",
        "https://[2606:4700:4700::1111]:8443/",
    ] {
        assert_eq!(EgressPolicy::default().check_url(&url(given)), Ok(()), "{given}");
    }
}

#[test]
fn each_rule_has_its_reason() {
    let is = |given: &str, wanted: fn(&Forbidden) -> bool| {
        let reason = EgressPolicy::default().check_url(&url(given)).expect_err(given);
        assert!(wanted(&reason), "{given}: {reason}");
        assert!(!reason.message().is_empty());
    };
    is("ftp://example.com/", |f| matches!(f, Forbidden::Scheme(_)));
    is("file:///etc/passwd", |f| matches!(f, Forbidden::Scheme(_)));
    is("data:text/html,x", |f| matches!(f, Forbidden::Scheme(_)));
    is("ws://example.com/", |f| matches!(f, Forbidden::Scheme(_)));
    is("https://user@example.com/", |f| matches!(f, Forbidden::Credentials));
    is("https://:pw@example.com/", |f| matches!(f, Forbidden::Credentials));
    is("https://example.com:22/", |f| *f == Forbidden::Port(22));
    is("https://example.com:0/", |f| *f == Forbidden::Port(0));
    is("http://localhost:8080/", |f| matches!(f, Forbidden::LocalName(_)));
    is("http://a..b/", |f| matches!(f, Forbidden::Host(_)));
    is("http://2130706433/", |f| matches!(f, Forbidden::Address { range: "loopback", .. }));
    is("http://169.254.169.254/", |f| matches!(f, Forbidden::Address { range: "a cloud metadata service", .. }));
}

#[test]
fn allowed_ranges_apply_to_names_and_not_to_literal_addresses() {
    let policy = policy(&["127.0.0.0/8", "fd00::/8", "::1/128"], &[("127.0.0.9", "127.0.0.9:80")]);
    assert_eq!(policy.check_address("127.0.0.1".parse().unwrap()), Ok(()));
    assert_eq!(policy.check_address("fd00:ec2::254".parse().unwrap()), Ok(()));
    for literal in ["127.0.0.1:8080", "0x7f.1", "2130706433", "[::1]:8080", "[fd00:ec2::254]", "[::ffff:127.0.0.1]"] {
        let refused = policy.check_url(&url(&format!("http://{literal}/")));
        assert!(matches!(refused, Err(Forbidden::Address { .. })), "{literal}: {refused:?}");
    }
    assert_eq!(policy.check_url(&url("http://127.0.0.9/")), Ok(()), "an operator may name one as a host");
    assert_eq!(policy.check_url(&url("http://site.test:25/")), Err(Forbidden::Port(25)));
    assert!(policy.check_url(&url("http://localhost/")).is_err());
}

#[test]
fn translator_addresses_need_an_allowed_embedded_address() {
    let nat64 = policy(&["64:ff9b::/96"], &[]);
    assert_eq!(nat64.check_address("64:ff9b::8.8.8.8".parse().unwrap()), Ok(()));
    assert!(nat64.check_address("64:ff9b::127.0.0.1".parse().unwrap()).is_err());
    assert!(nat64.check_address("64:ff9b::169.254.169.254".parse().unwrap()).is_err());
    let everything_v6 = policy(&["::/0"], &[]);
    assert!(everything_v6.check_address("::ffff:127.0.0.1".parse().unwrap()).is_err());
    assert!(everything_v6.check_address("2002:7f00:1::1".parse().unwrap()).is_err());
    let both = policy(&["::ffff:0:0/96", "127.0.0.0/8"], &[]);
    assert_eq!(both.check_address("::ffff:127.0.0.1".parse().unwrap()), Ok(()));
    assert!(both.check_address("::ffff:10.0.0.1".parse().unwrap()).is_err());
}

#[test]
fn override_serves_every_spelling_scheme_and_port() {
    let policy = policy(&["127.0.0.1/32"], &[("Site.Test.", "127.0.0.1:8081"), ("bücher.test", "127.0.0.1:8082")]);
    let to = |given: &str| policy.route(url(given).host().unwrap(), 443);
    let site = Ok(Route::Socket("127.0.0.1:8081".parse().unwrap()));
    for given in ["http://site.test/", "https://SITE.TEST./", "http://site。test:25/", "https://s%69te.test:9/"] {
        assert_eq!(policy.check_url(&url(given)), Ok(()), "{given}");
        assert_eq!(to(given), site, "{given}");
    }
    assert_eq!(to("http://BÜCHER.test/"), Ok(Route::Socket("127.0.0.1:8082".parse().unwrap())));
    assert_eq!(to("http://other.site.test/"), Ok(Route::Name("other.site.test".to_owned(), 443)));
    assert_eq!(policy.check_url(&url("http://user@site.test/")), Err(Forbidden::Credentials));
    assert!(policy.config_errors().is_empty());
}

#[test]
fn override_may_make_a_local_name_reachable() {
    let policy = policy(&["127.0.0.0/8"], &[("localhost", "127.0.0.1:8081"), ("app.internal", "127.0.0.1:8081")]);
    assert_eq!(policy.check_url(&url("https://localhost/")), Ok(()));
    assert_eq!(policy.check_url(&url("https://app.internal/")), Ok(()));
    assert!(policy.check_url(&url("https://other.internal/")).is_err());
}

#[test]
fn override_outside_the_allowed_ranges_is_refused() {
    let policy = policy(&["10.0.0.0/8"], &[("site.test", "127.0.0.1:8081"), ("public.test", "8.8.8.8:80")]);
    for given in ["http://site.test/", "http://public.test/"] {
        assert!(matches!(policy.check_url(&url(given)), Err(Forbidden::Override { .. })), "{given}");
    }
    assert_eq!(policy.config_errors().len(), 2);
}

#[test]
fn own_site_allows_only_its_socket() {
    let own_sites = BTreeMap::from([("demo.test".to_owned(), "127.0.0.1:8081".parse().unwrap())]);
    let policy = EgressPolicy { own_sites, ..EgressPolicy::default() };
    for given in ["http://demo.test/", "http://DEMO.test.:99/x"] {
        assert_eq!(policy.check_url(&url(given)), Ok(()), "{given}");
    }
    for given in ["http://127.0.0.1:8081/", "http://127.0.0.1/", "http://other.demo.test.localhost/"] {
        assert!(policy.check_url(&url(given)).is_err(), "{given}");
    }
}

#[test]
fn override_with_an_invalid_name_is_an_error() {
    assert_eq!(policy(&["127.0.0.0/8"], &[("no name", "127.0.0.1:1")]).config_errors(), ["`no name` is no host name"]);
}

#[test]
fn messages_name_no_internal_address() {
    let policy = policy(&[], &[("site.test", "10.1.2.3:8081")]);
    let message = policy.check_url(&url("http://site.test/")).unwrap_err().message();
    assert!(!message.contains("10.1.2.3"), "{message}");
}
