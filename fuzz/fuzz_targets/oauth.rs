//! Parameters of authorization requests and redirect addresses of clients.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use limner_fuzz::input::fields;
use url::Url;

/// The console itself is servers and clients of servers: what reads parameters is built without them.
#[path = "../../services/console/src/oauth/params.rs"]
#[allow(dead_code, reason = "only what reads is used")]
mod params;
#[path = "../../services/console/src/oauth/redirect_uri.rs"]
#[allow(dead_code, reason = "only what reads is used")]
mod redirect;
#[path = "../../services/console/src/oauth/scope.rs"]
#[allow(dead_code, reason = "only what reads is used")]
mod scope;

fuzz_target!(|data: &[u8]| -> Corpus {
    let fields = fields(data);
    let params = params::Params::parse(fields[0].as_bytes());
    if params.repeated().is_none() {
        let values = params.get_all("state").count();
        assert!(values <= 1);
    }
    for scope in scope::parse_scopes(params.get("scope")).unwrap_or_default() {
        assert!(scope::ALL.contains(&scope.as_str()), "{scope}");
    }
    let given = params.get("redirect_uri").unwrap_or(&fields[0]);
    let registered: Vec<String> = fields[1..].to_vec();
    let is_registered = redirect::is_registered(given, &registered);
    match redirect::check(given) {
        Ok(url) => check_place(given, &url),
        Err(_) => assert!(!is_registered),
    }
    if is_registered && !registered.iter().any(|known| known == given) {
        let url = Url::parse(given).expect("an address");
        assert!(url.scheme() == "http" && redirect::target(&url) == redirect::RedirectTarget::Loopback, "{given}");
    }
    Corpus::Keep
});

/// An answer goes to the address that was checked, with what it says and nothing else.
fn check_place(given: &str, url: &Url) {
    assert!(url.fragment().is_none() && url.username().is_empty() && url.password().is_none(), "{given}");
    assert!(!matches!(url.scheme(), "javascript" | "data" | "blob" | "file" | "about" | "vbscript"), "{given}");
    let answered = redirect::with_params(url, &[("code", "a&b#c"), ("state", "\r\nx: y")]);
    let pairs: Vec<(String, String)> = answered.query_pairs().into_owned().collect();
    let own = |name: &str| {
        pairs.iter().filter(|(given, _)| given == name).map(|(_, value)| value.clone()).collect::<Vec<_>>()
    };
    assert_eq!(own("code"), ["a&b#c"], "{answered}");
    assert_eq!(own("state"), ["\r\nx: y"], "{answered}");
    assert_eq!((answered.scheme(), answered.host_str(), answered.port()), (url.scheme(), url.host_str(), url.port()));
    assert!(http::HeaderValue::from_str(answered.as_str()).is_ok(), "{answered} is no header");
    let source = redirect::policy_source(url);
    assert!(source.bytes().all(|byte| byte.is_ascii_graphic() && !b";,'\"".contains(&byte)), "{source} is no source");
}
