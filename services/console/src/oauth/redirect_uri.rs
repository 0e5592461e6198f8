//! Redirect URIs, the only trusted property of a client. They are compared as strings, except for the port of a
//! loopback URI (RFC 8252 §7.3), which the client chooses at run time.

use limner_netguard::is_loopback;
use url::{Host, Url};

const MAX_URI_LEN: usize = 2_048;
/// Prefixes of the callbacks of well-known clients whose schemes are not reversed domain names: they use no other URIs.
/// `docs/authorization.md` lists them.
const WELL_KNOWN_CALLBACKS: [&str; 7] = [
    "cursor://anysphere.cursor-mcp/oauth/",
    "cursor://anysphere.cursor-retrieval/oauth/",
    "claude://claude.ai/mcp-auth-callback/",
    "vscode://saoudrizwan.claude-dev/mcp-auth/callback/",
    "vscode-insiders://saoudrizwan.claude-dev/mcp-auth/callback/",
    "cursor://saoudrizwan.claude-dev/mcp-auth/callback/",
    "windsurf://saoudrizwan.claude-dev/mcp-auth/callback/",
];
/// Prefix of Windows' own schemes, which look like a reversed domain name.
const WINDOWS_SCHEME_PREFIX: &str = "microsoft.windows.";
/// Response parameters. A redirect URI that already has one of them could forge a response.
const RESPONSE_PARAMETERS: [&str; 5] = ["code", "state", "iss", "error", "error_description"];

/// The target of a redirect, as shown to users and used in policies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RedirectTarget {
    /// A program on the user's computer that listens on a loopback port.
    Loopback,
    /// A native app with that URI scheme.
    Program(String),
    /// A website.
    Site(String),
}

/// Parses a redirect URI of a client.
///
/// # Errors
/// The reason why the URI is not allowed.
pub(crate) fn check(text: &str) -> Result<Url, &'static str> {
    // Rejects characters that URL parsers treat differently.
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\\"<>^`{|}".contains(&byte));
    if text.len() > MAX_URI_LEN || !is_plain {
        return Err("a redirect URI is too long or has characters that belong in no URI");
    }
    let url = Url::parse(text).map_err(|_| "a redirect URI is not an absolute URI")?;
    if text.contains('#') {
        return Err("a redirect URI must not have a fragment");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a redirect URI must not have a user name or password");
    }
    if url.query_pairs().any(|(name, _)| RESPONSE_PARAMETERS.contains(&name.as_ref())) {
        return Err("a redirect URI must not have parameters of an authorization response");
    }
    match url.scheme() {
        "https" if has_plain_host(&url) => Ok(url),
        "http" if is_loopback(&url) => Ok(url),
        "http" => Err("a redirect URI over http must lead to 127.0.0.1, [::1] or localhost"),
        "https" => {
            Err("the host of a redirect URI must be an IP address or a name of letters, digits, hyphens and dots")
        }
        scheme if is_domain_backwards(scheme) => Ok(url),
        // Compared after parsing, which removes dot segments.
        _ if WELL_KNOWN_CALLBACKS.iter().any(|known| url.as_str().starts_with(known)) => Ok(url),
        _ => Err("the private scheme of a redirect URI must be a domain name backwards, such as com.example.app"),
    }
}

/// Returns true if the host is an IP address or a name of letters, digits, hyphens, underscores and dots. The URL Standard
/// allows more, literally or percent-encoded: `'`, `;`, `,` and `*` would end or widen a source of a policy.
fn has_plain_host(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)),
        host => host.is_some(),
    }
}

/// Returns true for a scheme that is a reversed domain name (RFC 8252 §7.1). The schemes of browsers, the system and
/// other programs have no dot, or do not begin with a top-level domain.
fn is_domain_backwards(scheme: &str) -> bool {
    let labels: Vec<&str> = scheme.rsplit('.').collect();
    let domain = labels.join(".");
    let is_registrable = limner_public_suffix::is_below_listed_suffix(&domain);
    is_registrable && !labels.contains(&"") && !scheme.starts_with(WINDOWS_SCHEME_PREFIX)
}

/// Returns true if a client that has registered `registered` may use the redirect URI `given`.
pub(crate) fn is_registered(given: &str, registered: &[String]) -> bool {
    let Ok(url) = check(given) else { return false };
    registered.iter().any(|known| known == given || is_same_program(&url, known))
}

fn is_same_program(url: &Url, known: &str) -> bool {
    let Ok(known) = check(known) else { return false };
    let is_local = |url: &Url| url.scheme() == "http" && is_loopback(url);
    is_local(url)
        && is_local(&known)
        && (url.host(), url.path(), url.query()) == (known.host(), known.path(), known.query())
}

/// Returns the target of a checked redirect URI.
pub(crate) fn target(url: &Url) -> RedirectTarget {
    match url.scheme() {
        "http" => RedirectTarget::Loopback,
        "https" if is_loopback(url) => RedirectTarget::Loopback,
        "https" => RedirectTarget::Site(url.host_str().unwrap_or_default().to_owned()),
        scheme => RedirectTarget::Program(scheme.to_owned()),
    }
}

/// Returns the redirect URI with response parameters added.
pub(crate) fn with_params(url: &Url, answer: &[(&str, &str)]) -> Url {
    let mut url = url.clone();
    url.query_pairs_mut().extend_pairs(answer);
    url
}

/// Returns the source expression of the target for CSP 3 `form-action`: browsers also check redirects that follow a
/// form.
pub(crate) fn policy_source(url: &Url) -> String {
    match (url.scheme(), url.host()) {
        // CSP source expressions cannot contain IPv6 addresses.
        ("http" | "https", Some(Host::Ipv6(_))) => format!("{}:", url.scheme()),
        ("http" | "https", _) => url.origin().ascii_serialization(),
        (scheme, _) => format!("{scheme}:"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirect_uris_are_validated() {
        for good in [
            "https://app.example/callback",
            "https://app.example/callback?tenant=a%20b",
            "https://my_app.example/cb",
            "https://xn--bcher-kva.example:8443/cb",
            "https://[2001:db8::1]/cb",
            "http://127.0.0.1/callback",
            "http://127.0.0.1:51234/",
            "http://[::1]:8080/cb",
            "http://localhost:3000/cb",
            "cursor://anysphere.cursor-mcp/oauth/callback",
            "cursor://anysphere.cursor-retrieval/oauth/user-1/callback",
            "claude://claude.ai/mcp-auth-callback/sdk",
            "vscode://saoudrizwan.claude-dev/mcp-auth/callback/1a2b",
            "windsurf://saoudrizwan.claude-dev/mcp-auth/callback/1a2b",
            "com.example.app:/callback",
            "com.googleusercontent.apps.1-a:/oauth2redirect",
            "uk.co.example:/callback",
        ] {
            assert!(check(good).is_ok(), "{good}: {:?}", check(good));
        }
        for bad in [
            "",
            "callback",
            "/callback",
            "//evil.example/cb",
            "http://app.example/cb",
            "http://127.0.0.1.evil.example/cb",
            "http://localhost.evil.example/cb",
            "http://localhost@evil.example/cb",
            "https://user@app.example/cb",
            "https://app.example/cb#",
            "https://app.example/cb#x",
            "https://app.example/c b",
            "https://app.example\\@evil.example/",
            "https://app.example/cb\r\nX: y",
            "https://app.example/cb?iss=https%3A%2F%2Fevil.example",
            "https://app.example/cb?a=b&code=x",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "data:text/html,x",
            "blob:https://app.example/x",
            "file:///etc/passwd",
            "view-source:https://app.example",
            "https://",
            // Hosts with characters of the policy's own grammar.
            "https://ap'p.example/cb",
            "https://ap%27p.example/cb",
            "https://*.example/cb",
            "https://a;script-src.example/cb",
            "https://a,b.example/cb",
            "https://a%3Bb.example/cb",
            "https://a(b).example/cb",
            // URIs of known clients that are not callbacks.
            "cursor:file/x",
            "cursor://x/cb",
            "cursor://anysphere.cursor-deeplink/mcp/install?name=x",
            "cursor://anysphere.cursor-mcp/oauth/../x",
            "cursor://anysphere.cursor-mcp/oauth/%2e%2e/x",
            "cursor://anysphere.cursor-mcp.evil/oauth/x",
            "claude://claude.ai/new?q=x",
            "vscode:extension/x.y",
            "vscode://vscode.git/clone?url=x",
            // Not domain names.
            "com:/cb",
            "uk.co:/cb",
            "com..example:/cb",
            "com.:/cb",
            "nodomain.example:/cb",
            "x-apple.systempreferences:com.apple.preference",
            "microsoft.windows.camera:",
            "soap.beep:/cb",
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn schemes_of_browsers_systems_and_other_programs_are_refused() {
        let schemes = "about admin afp aim apt bitcoin blob callto chrome chrome-extension content cid data dav devtools \
                       dict edge facetime facetime-audio feed file filesystem finger ftp geo git gopher hcp help imap intent \
                       irc itms itms-apps itms-services jar javascript jnlp ldap ldaps magnet mailto maps market message \
                       mhtml mid mms moz-extension ms-access ms-appinstaller ms-cxh ms-excel ms-help ms-msdt ms-officecmd \
                       ms-powerpoint ms-search ms-settings ms-windows-store ms-word nfs nntp news onenote opera pop prefs \
                       res resource rlogin rtsp search search-ms shell sip skype slack sms smb smsto ssh steam stratum \
                       shortcuts tel telnet tg tn3270 urn vbscript view-source vnc vscode webcal ws wss wtai x-msdt \
                       x-apple-helpbasic xmpp zoommtg zoomus";
        for scheme in schemes.split_whitespace() {
            for rest in ["x", "//x/y", "query=x"] {
                assert!(check(&format!("{scheme}:{rest}")).is_err(), "{scheme}:{rest}");
            }
        }
    }

    #[test]
    fn redirect_uri_is_compared_as_text_except_for_a_loopback_port() {
        let registered: Vec<String> =
            ["https://app.example/cb", "http://127.0.0.1/cb", "http://localhost:1/cb?x=1", "app.example:/cb"]
                .map(str::to_owned)
                .into();
        for (given, is_known) in [
            ("https://app.example/cb", true),
            ("https://app.example/cb/", false),
            ("https://app.example/cb?x", false),
            ("https://APP.example/cb", false),
            ("https://app.example:443/cb", false),
            ("https://app.example:8443/cb", false),
            ("https://app.example/cb/../cb", false),
            ("https://evil.example/cb", false),
            ("https://app.example.evil.example/cb", false),
            ("http://127.0.0.1:51234/cb", true),
            ("http://127.0.0.1:51234/cb/x", false),
            ("http://127.0.0.1:51234/cb?x", false),
            ("http://127.0.0.2:51234/cb", false),
            ("http://[::1]:51234/cb", false),
            ("https://127.0.0.1:51234/cb", false),
            ("http://localhost:9/cb?x=1", true),
            ("http://localhost:9/cb", false),
            ("app.example:/cb", true),
            ("app.example:/cb2", false),
            ("evil.example:/cb", false),
        ] {
            assert_eq!(is_registered(given, &registered), is_known, "{given}");
        }
    }

    #[test]
    fn redirect_uri_gets_the_response_and_names_its_target() {
        for (given, answered, source, at) in [
            (
                "https://a.example:1/cb?x=1",
                "https://a.example:1/cb?x=1&code=a+b",
                "https://a.example:1",
                RedirectTarget::Site("a.example".into()),
            ),
            ("http://127.0.0.1:9/cb", "http://127.0.0.1:9/cb?code=a+b", "http://127.0.0.1:9", RedirectTarget::Loopback),
            ("http://[::1]:9/cb", "http://[::1]:9/cb?code=a+b", "http:", RedirectTarget::Loopback),
            ("app.x:/cb", "app.x:/cb?code=a+b", "app.x:", RedirectTarget::Program("app.x".into())),
        ] {
            let url = check(given).unwrap();
            assert_eq!(with_params(&url, &[("code", "a b")]).as_str(), answered);
            assert_eq!((policy_source(&url).as_str(), target(&url)), (source, at), "{given}");
        }
    }
}
