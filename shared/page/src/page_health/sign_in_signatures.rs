//! Tells pages that ask for a sign-in: words of links and titles, paths of forms, identity providers.

use super::title_parts::title_parts;

/// Texts of buttons and titles of sign-in pages.
const SIGN_IN: &[&str] = &[
    "log in",
    "login",
    "log into",
    "sign in",
    "signin",
    "sign into",
    "sign-in",
    "log-in",
    "welcome back",
    "anmelden",
    "einloggen",
    "connexion",
    "se connecter",
    "iniciar sesión",
    "acceder",
    "accedi",
    "entrar",
    "inloggen",
    "logga in",
    "zaloguj",
    "войти",
    "ログイン",
    "登录",
    "登入",
    "로그인",
];

const SIGN_UP: &[&str] = &[
    "sign up",
    "signup",
    "sign-up",
    "register",
    "registration",
    "join",
    "create account",
    "create an account",
    "create your account",
    "create a free account",
    "get started",
    "free trial",
    "start free",
    "subscribe",
    "registrieren",
    "s'inscrire",
    "registrarse",
];

/// Texts next to a sign-in form.
const SIGN_IN_CONTEXT_PHRASES: &[&str] = &[
    "log in",
    "login",
    "sign in",
    "sign up",
    "password",
    "passwort",
    "mot de passe",
    "contraseña",
    "an account",
    "your account",
    "credentials",
    "members only",
    "welcome back",
    "remember me",
    "by continuing",
    "by signing",
    "all rights reserved",
    "logged in",
    "signed in",
    "your details",
    "your email",
];

/// Texts that say that the content is behind the form. A form alone does not count: shops offer one on every page.
const SIGN_IN_REQUIRED_PHRASES: &[&str] = &[
    "sign in to continue",
    "log in to continue",
    "login to continue",
    "sign in to view",
    "log in to view",
    "login to view",
    "sign in to access",
    "log in to access",
    "login to access",
    "sign in to see",
    "log in to see",
    "sign in to read",
    "log in to read",
    "please sign in",
    "please log in",
    "please login",
    "be logged in",
    "be signed in",
    "must log in",
    "must sign in",
    "need to log in",
    "need to sign in",
    "have to log in",
    "have to sign in",
    "login required",
    "login is required",
    "you need an account",
    "only for members",
    "for members only",
    "bitte melden sie sich an",
    "bitte einloggen",
    "veuillez vous connecter",
    "inicia sesión para",
];

/// Purposes of signing in that are optional for reading the page.
const PARTICIPATION_PHRASES: &[&str] = &[
    "to post",
    "to comment",
    "to leave",
    "to reply",
    "to vote",
    "to rate",
    "to write",
    "to add",
    "to buy",
    "to order",
];

/// Identity providers.
const IDENTITY_PROVIDERS: &[&str] = &[
    "google",
    "apple",
    "microsoft",
    "github",
    "gitlab",
    "facebook",
    "linkedin",
    "twitter",
    "okta",
    "sso",
    "saml",
    "single sign-on",
    "passkey",
];

/// Path segments of sign-in pages.
const LOGIN_SEGMENTS: &[&str] = &[
    "login",
    "log-in",
    "log_in",
    "signin",
    "sign-in",
    "sign_in",
    "authwall",
    "sso",
    "wp-login.php",
    "servicelogin",
    "login.php",
    "login.aspx",
    "login.html",
    "oauth",
    "oauth2",
    "authorize",
    "saml",
    "saml2",
    "auth",
    "session",
    "signin.html",
    "sign-in.html",
    "signin.php",
    "sign_in.html",
    "authenticate",
];

pub(super) fn is_login_segment(segment: &str) -> bool {
    LOGIN_SEGMENTS.iter().any(|known| segment.eq_ignore_ascii_case(known))
}

/// Returns true if a link leads to a sign-in page, judging by its URL as written.
pub(super) fn is_sign_in_link(href: &str) -> bool {
    let path = href.split(['?', '#']).next().unwrap_or_default();
    path.len() < 2_000 && path.split('/').any(is_login_segment)
}

pub(super) fn asks_to_sign_in(text: &str) -> bool {
    SIGN_IN.iter().any(|words| contains_words(text, words))
}

pub(super) fn asks_to_sign_up(text: &str) -> bool {
    SIGN_UP.iter().any(|words| contains_words(text, words))
}

/// Returns true if a title or heading begins with a sign-in text.
pub(super) fn starts_with_sign_in(text: &str) -> bool {
    let begins = |part: &str| SIGN_IN.iter().any(|words| part.starts_with(words) && contains_words(part, words));
    title_parts(text).any(|part| begins(part) || matches!(part, "single sign-on" | "single sign on" | "sso"))
}

/// Returns true for the button of a form that asks for the e-mail address first.
pub(super) fn is_two_step_sign_in(action: &str) -> bool {
    matches!(action, "continue" | "next" | "submit" | "go" | "weiter" | "suivant" | "siguiente" | "continuer")
        || action.starts_with("continue with e")
        || action.contains("link")
        || asks_to_sign_in(action)
}

pub(super) fn names_identity_provider(action: &str) -> bool {
    action.len() < 60 && IDENTITY_PROVIDERS.iter().any(|provider| contains_words(action, provider))
}

/// Returns true if a line, in lower case, belongs to a sign-in form.
pub(super) fn is_about_signing_in(line: &str) -> bool {
    let is_label =
        ["or", "e-mail", "email", "username", "user", "name", "user name"].contains(&line.trim_end_matches([':', ' ']));
    let is_notice = line.starts_with('©') || SIGN_IN_CONTEXT_PHRASES.iter().any(|words| contains_words(line, words));
    is_label || (line.len() < 160 && is_notice)
}

/// Returns true if a text requires visitors to sign in before they read on.
pub(super) fn requires_sign_in(text: &str) -> bool {
    SIGN_IN_REQUIRED_PHRASES.iter().any(|words| {
        let rest = text.split_once(words).map(|(_, rest)| rest.trim_start());
        rest.is_some_and(|rest| !PARTICIPATION_PHRASES.iter().any(|deed| rest.starts_with(deed)))
    })
}

/// Returns true if the text contains `words`, delimited by word boundaries.
fn contains_words(text: &str, words: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(words)
        .any(|(at, _)| !is_word(text[..at].chars().next_back()) && !is_word(text[at + words.len()..].chars().next()))
}
