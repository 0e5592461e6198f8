//! Users of the cache, each with the keys that its role needs.

/// Commands of the cache and of its client. Scripts ask for the time, which is in none of the categories.
const COMMANDS: &str = "-@all +@connection +@read +@write +@scripting -@dangerous +info +time";

/// Kinds of keys by role. Workers know pages and results, and neither accounts nor API keys.
const KINDS: [(&str, &[&str]); 4] = [
    ("gateway", &["window", "account", "key", "result", "flight", "landed", "places", "failed"]),
    ("fetcher", &["result", "verdict", "snapshot", "snapshots", "site", "throttled"]),
    ("renderer", &["result", "verdict", "snapshot", "snapshots", "site", "throttled"]),
    ("metering", &["account", "key"]),
];

/// Returns the users of the cache as commands of Redis (`ACL SETUSER …`). `PASSWORD` stands for each one's password.
pub fn redis_users(prefix: &str) -> String {
    let user = |(role, kinds): &(&str, &[&str])| {
        let mut keys: Vec<String> = kinds.iter().map(|kind| format!("~{prefix}:{kind}:*")).collect();
        if *role == "gateway" {
            // The look-up of a call that wants no cached result passes an empty key, which this pattern alone matches.
            keys.push("~".to_owned());
        }
        format!("ACL SETUSER {role} reset on >PASSWORD {} {COMMANDS}\n", keys.join(" "))
    };
    KINDS.iter().map(user).collect()
}
