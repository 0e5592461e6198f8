//! Validation of the addresses of servers, as far as it is possible without connecting.

use super::{LayeredReader, Settings, check_certificates};
use crate::Secret;

const REDIS_CLUSTER: &str = "Redis Cluster and servers like it cannot be used: a script needs keys of several slots; give \
                             the address of one primary, `redis://` or `rediss://`";
const REDIS_SENTINEL: &str = "Sentinel is not asked for the primary: give an address that follows it, such as a proxy's or \
                              a service's, `redis://` or `rediss://`; changed roles behind it are noticed within seconds";

/// Records addresses that cannot work.
pub(super) fn check(settings: &Settings, reader: &mut LayeredReader) {
    let problems = [
        ("postgres.url", settings.postgres.url.as_ref().and_then(postgres_problem)),
        ("redis.url", settings.redis.url.as_ref().and_then(redis_problem)),
        ("nats.url", settings.nats.url.as_ref().and_then(nats_problem)),
    ];
    for (key, problem) in problems {
        if let Some(problem) = problem {
            reader.record_error(key, problem);
        }
    }
    check_certificates("nats.extra_ca", settings.nats.extra_ca.as_deref(), reader);
}

/// Returns the scheme of a URL. Everything behind it may be secret.
fn scheme(url: &str) -> Option<&str> {
    url.trim().split_once("://").map(|(scheme, _)| scheme)
}

fn postgres_problem(url: &Secret) -> Option<String> {
    match scheme(url.expose()) {
        Some("postgres" | "postgresql") => None,
        // libpq's other notation: words such as `host=db`.
        None if url.expose().contains("host=") => None,
        _ => Some("it is not `postgres://user:password@host/database`".to_owned()),
    }
}

fn redis_problem(url: &Secret) -> Option<String> {
    let problem = match scheme(url.expose()) {
        Some("redis" | "rediss") => return None,
        Some(scheme) if scheme.ends_with("-cluster") => REDIS_CLUSTER,
        Some(scheme) if scheme.ends_with("-sentinel") => REDIS_SENTINEL,
        _ => "it is not `redis://user:password@host:port`, or `rediss://` for TLS",
    };
    Some(problem.to_owned())
}

fn nats_problem(list: &Secret) -> Option<String> {
    let mut servers = list.expose().split(',').map(str::trim).filter(|server| !server.is_empty()).peekable();
    let works = |server: &str| matches!(scheme(server), Some("nats" | "tls") | None);
    let is_valid = servers.peek().is_some() && servers.all(works);
    (!is_valid).then(|| "it is not `nats://host:4222`, or `tls://`; several servers are separated by commas".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_whose_scheme_cannot_work_are_refused() {
        type Problem = fn(&Secret) -> Option<String>;
        let table: [(Problem, &[&str], &[(&str, &str)]); 3] = [
            (
                postgres_problem,
                &["postgres://u:p@db/limner", "postgresql://db/limner?sslmode=require", "host=db user=limner"],
                &[("mysql://db/limner", "postgres://"), ("db/limner", "postgres://")],
            ),
            (
                redis_problem,
                &["redis://:p@redis:6379/1", "rediss://cache.example.org", " redis://redis\n"],
                &[
                    ("redis-cluster://a:1", "several slots"),
                    ("rediss-cluster://a:1", "several slots"),
                    ("redis-sentinel://a:1", "follows it"),
                    ("rediss-sentinel://a:1", "follows it"),
                    ("http://x", "redis://"),
                    ("redis:6379", "redis://"),
                ],
            ),
            (
                nats_problem,
                &["nats://a:4222", "tls://a, nats://u:p@b:1,", "a:4222"],
                &[("http://a", "nats://"), ("nats://a,ws://b", "nats://"), (" , ", "nats://")],
            ),
        ];
        for (problem, valid, invalid) in table {
            for url in valid {
                assert_eq!(problem(&Secret::new(*url)), None, "{url}");
            }
            for (url, says) in invalid {
                let said = problem(&Secret::new(*url)).unwrap_or_default();
                assert!(said.contains(says) && !said.contains(url), "{url}: {said}");
            }
        }
    }
}
