//! Queries of the interface: read as the gateway reads them, and held against a reader of forms.
#![no_main]

use config::Config;
use libfuzzer_sys::{Corpus, fuzz_target};
use limner_netguard::EgressPolicy;
use limner_page::TargetUrl;
use limner_types::request::known_parameters;
use limner_types::{Operation, WireEnum};

/// The gateway itself is servers and clients of servers: what reads queries is built without them.
#[path = "../../services/gateway/src/parse_query.rs"]
#[allow(dead_code, reason = "only what reads is used")]
mod query;

/// The gateway's errors, as the parser of queries sees them.
mod error {
    use limner_types::{ErrorCode, InvalidParameter};

    #[derive(Debug)]
    pub(crate) struct CallError {
        pub(crate) message: String,
    }

    impl CallError {
        pub(crate) fn new(_: ErrorCode, message: impl Into<String>) -> Self {
            Self { message: message.into() }
        }
    }

    impl From<InvalidParameter> for CallError {
        fn from(fault: InvalidParameter) -> Self {
            Self { message: fault.message }
        }
    }
}

/// The gateway's settings, as the parser of queries sees them.
mod config {
    use limner_netguard::EgressPolicy;

    pub(crate) struct Config {
        pub(crate) max_url_bytes: usize,
        pub(crate) policy: EgressPolicy,
    }
}

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some((choice, query)) = data.split_first() else { return Corpus::Reject };
    let Ok(query) = std::str::from_utf8(query) else { return Corpus::Reject };
    let operation = Operation::ALL[usize::from(*choice) % Operation::ALL.len()];
    let config = Config { max_url_bytes: 2_048, policy: EgressPolicy::default() };
    let read = query::ParsedQuery::parse(operation, Some(query), &config);
    let pairs: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    match &read.call {
        Ok(call) => {
            let urls: Vec<&String> = pairs.iter().filter(|(name, _)| name == "url").map(|(_, value)| value).collect();
            assert_eq!(urls.len(), 1);
            assert_eq!(Ok(&call.target), TargetUrl::parse(urls[0], 2_048).as_ref());
            assert!(call.cache_key.len() == 64 && call.cache_key.bytes().all(|byte| byte.is_ascii_hexdigit()));
            assert!(config.policy.check_url(call.target.url()).is_ok());
            let known = known_parameters(operation);
            for (name, _) in pairs.iter().filter(|(name, _)| !name.is_empty()) {
                assert_ne!(known.contains(&name.as_str()), read.ignored.contains(name), "{name}");
            }
        }
        Err(fault) => assert!(!fault.message.is_empty() && fault.message.len() < 2_048, "{}", fault.message),
    }
    Corpus::Keep
});
