//! What can be granted.

/// Calls of every operation, on the account's credits.
const EXTRACT: &str = "extract";
/// Tokens that are renewed without the person (OpenID Connect Core §11); they are given out anyway.
const OFFLINE: &str = "offline_access";

/// All there are.
pub(crate) const ALL: [&str; 2] = [EXTRACT, OFFLINE];

/// What a request asks for, as far as it is known; nothing asked for is everything. `None`: nothing of it is known.
pub(crate) fn read(text: Option<&str>) -> Option<Vec<String>> {
    let Some(text) = text else { return Some(vec![EXTRACT.to_owned()]) };
    let mut known: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| ALL.contains(word)) {
        if !known.iter().any(|scope| scope == word) {
            known.push(word.to_owned());
        }
    }
    known.iter().any(|scope| scope == EXTRACT).then_some(known)
}

/// For people.
pub(crate) fn words(scope: &str) -> &'static str {
    match scope {
        EXTRACT => "Read public web pages with all operations, on your credits",
        OFFLINE => "Stay connected until you disconnect it",
        _ => "Something that is not offered any more",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_not_granted() {
        for (given, granted) in [
            (None, Some("extract")),
            (Some("extract"), Some("extract")),
            (Some("offline_access extract extract"), Some("offline_access extract")),
            (Some("openid extract admin"), Some("extract")),
            (Some("offline_access"), None),
            (Some("EXTRACT"), None),
            (Some(" "), None),
        ] {
            assert_eq!(read(given).map(|scopes| scopes.join(" ")).as_deref(), granted, "{given:?}");
        }
    }
}
