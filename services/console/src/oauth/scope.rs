//! OAuth scopes.

/// Calls of all operations, on the account's credits.
const EXTRACT: &str = "extract";
/// Refresh tokens (OpenID Connect Core §11). They are issued in any case.
const OFFLINE: &str = "offline_access";

/// All scopes.
pub(crate) const ALL: [&str; 2] = [EXTRACT, OFFLINE];

/// Parses the requested scopes and drops unknown ones; a missing parameter requests `extract`. Returns `None` if
/// `extract` is not among them.
pub(crate) fn parse_scopes(text: Option<&str>) -> Option<Vec<String>> {
    let Some(text) = text else { return Some(vec![EXTRACT.to_owned()]) };
    let mut known: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| ALL.contains(word)) {
        if !known.iter().any(|scope| scope == word) {
            known.push(word.to_owned());
        }
    }
    known.iter().any(|scope| scope == EXTRACT).then_some(known)
}

/// Returns the description of a scope for users.
pub(crate) fn description(scope: &str) -> &'static str {
    match scope {
        EXTRACT => "Read public web pages with all operations, on your credits",
        OFFLINE => "Stay connected until you disconnect it",
        _ => "Access that is no longer offered",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_scopes_are_not_granted() {
        for (given, granted) in [
            (None, Some("extract")),
            (Some("extract"), Some("extract")),
            (Some("offline_access extract extract"), Some("offline_access extract")),
            (Some("openid extract admin"), Some("extract")),
            (Some("offline_access"), None),
            (Some("EXTRACT"), None),
            (Some(" "), None),
        ] {
            assert_eq!(parse_scopes(given).map(|scopes| scopes.join(" ")).as_deref(), granted, "{given:?}");
        }
    }
}
