//! Signatures of challenges and block pages of known vendors.

use super::ResponseInfo;
use super::visible_content::VisibleContent;
use crate::dom::Element;
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// (header, value it contains or empty for any, vendor): each sent only with a challenge or a block page.
const HEADERS: &[(&str, &str, &str)] = &[
    ("cf-mitigated", "challenge", "Cloudflare"),
    ("x-amzn-waf-action", "challenge", "AWS WAF"),
    ("x-amzn-waf-action", "captcha", "AWS WAF"),
    ("x-vercel-mitigated", "challenge", "Vercel"),
    ("x-vercel-mitigated", "deny", "Vercel"),
    ("x-sucuri-block", "", "Sucuri"),
];

/// Markers in the markup, all of which must be present, on a page with almost no other content.
struct BlockPageSignature {
    vendor: &'static str,
    all: &'static [&'static str],
}

const fn signature(vendor: &'static str, all: &'static [&'static str]) -> BlockPageSignature {
    BlockPageSignature { vendor, all }
}

const SIGNATURES: &[BlockPageSignature] = &[
    signature("Cloudflare", &["_cf_chl_opt"]),
    signature("Cloudflare", &["/cdn-cgi/challenge-platform/", "<title>just a moment"]),
    signature("Cloudflare", &["cf-browser-verification"]),
    signature("Cloudflare", &["cf-error-details", "/cdn-cgi/styles/", "blocked"]),
    signature("Akamai", &["errors.edgesuite.net"]),
    signature("Akamai", &["access denied", "you don't have permission to access", "reference&#32;"]),
    signature("Akamai", &["access denied", "you don't have permission to access", "reference #"]),
    signature("Akamai", &["sec-if-cpt-container"]),
    signature("Akamai", &["/_sec/cp_challenge/"]),
    signature("Akamai", &["bm-verify="]),
    signature("DataDome", &["captcha-delivery.com/"]),
    signature("DataDome", &["captcha-delivery.com", "var dd="]),
    signature("DataDome", &["captcha-delivery.com", "please enable js"]),
    signature("PerimeterX", &["px-captcha"]),
    signature("PerimeterX", &["captcha.px-cdn.net"]),
    signature("PerimeterX", &["_pxappid", "access to this page has been denied"]),
    signature("Imperva", &["_incapsula_resource?swudnsai"]),
    signature("Imperva", &["_incapsula_resource", "incident_id="]),
    signature("Imperva", &["request unsuccessful. incapsula incident id"]),
    signature("Imperva", &["pardon our interruption", "distil"]),
    signature("AWS WAF", &["window.gokuprops", "awswaf.com"]),
    signature("AWS WAF", &["awswafcookiedomainlist", "challenge.js"]),
    signature("Anubis", &["anubis_challenge"]),
    signature("Anubis", &["/.within.website/x/cmd/anubis/"]),
    signature("go-away", &["/.well-known/.git.gammaspectra.live/git/go-away/"]),
    signature("Kasada", &["kpsdk", "/ips.js"]),
    signature("F5", &["the requested url was rejected", "support id is"]),
    signature("F5", &["/tspd/", "support id is"]),
    signature("Sucuri", &["sucuri website firewall", "access denied"]),
    signature("Sucuri", &["sucuri_cloudproxy"]),
    signature("DDoS-Guard", &["/.well-known/ddos-guard/"]),
    signature("Vercel", &["vercel security checkpoint"]),
    signature("Fastly", &["_fs-ch-", "client challenge"]),
    signature("Imunify360", &["imunify360", "bot-protection"]),
    signature("SiteGround", &["/.well-known/sgcaptcha/"]),
    signature("SiteGround", &["/.well-known/captcha/"]),
    signature("SafeLine", &["safeline", "/.safeline/"]),
    signature("Alibaba Cloud", &["_____tmd_____/punish"]),
    signature("Alibaba Cloud", &["aliyun_waf_"]),
    signature("LiteSpeed", &["bot verification", "recaptcha"]),
    signature("Reblaze", &["window.rbzns"]),
    signature("Google", &["our systems have detected unusual traffic"]),
    signature("Amazon", &["/errors/validatecaptcha"]),
];

/// Widgets that ordinary forms use too: a challenge only if there are no other fields to fill in.
const CAPTCHAS: &[BlockPageSignature] = &[
    signature("hCaptcha", &["hcaptcha.com/1/api.js", "human"]),
    signature("hCaptcha", &["hcaptcha.com/1/api.js", "robot"]),
    signature("Turnstile", &["challenges.cloudflare.com/turnstile", "human"]),
    signature("Turnstile", &["challenges.cloudflare.com/turnstile", "security check"]),
    signature("reCAPTCHA", &["recaptcha", "unusual traffic"]),
    signature("reCAPTCHA", &["recaptcha", "you are not a robot"]),
    signature("reCAPTCHA", &["recaptcha", "you are human"]),
];

/// Titles and headings of block pages: lower case, without stops at the end.
const BLOCK_TITLES: &[&str] = &[
    "access denied",
    "access forbidden",
    "access to this page has been denied",
    "are you a robot?",
    "are you human?",
    "attention required",
    "attention required! | cloudflare",
    "blocked",
    "bot verification",
    "checking your browser",
    "checking your browser before accessing",
    "client challenge",
    "error: the request could not be satisfied",
    "forbidden",
    "403 forbidden",
    "403 - forbidden",
    "403 - forbidden: access is denied",
    "429 too many requests",
    "too many requests",
    "human verification",
    "just a moment",
    "one moment, please",
    "making sure you're not a bot",
    "pardon our interruption",
    "please verify you are a human",
    "please wait... | cloudflare",
    "request rejected",
    "robot check",
    "robot or human?",
    "security check",
    "security verification",
    "sorry, you have been blocked",
    "unusual traffic detected",
    "verify you are human",
    "verifying you are human",
    "verifying your browser",
    "you are being redirected",
    "you have been blocked",
    "ddos-guard",
    "vercel security checkpoint",
    "sucuri website firewall - access denied",
    "not acceptable",
    "403 error",
    "error 403",
    "http error 403",
    "error 403 - forbidden",
    "http error 403 - forbidden",
    "403 access denied",
    "401 unauthorized",
    "401 - unauthorized",
    "401 authorization required",
    "error 429",
    "permission denied",
    "one moment please",
    "you are now in line",
    "you're now in line",
    "you are in line",
    "waiting room",
];

/// Beginnings of sentences on challenges and block pages.
const DENIAL_OPENINGS: &[&str] = &[
    "access to this page has been denied",
    "access to this site has been",
    "an appropriate representation of the requested resource could not be found",
    "checking if the site connection is secure",
    "checking your browser before",
    "complete the captcha to",
    "complete the security check",
    "enable javascript and cookies to continue",
    "our systems have detected unusual",
    "please complete the captcha",
    "please complete the security check",
    "please enable cookies and reload",
    "please enable js and disable any ad blocker",
    "please stand by, while we are checking",
    "please verify that you are",
    "please verify you are",
    "please wait while we verify",
    "please wait while your request is being verified",
    "press & hold",
    "press and hold to confirm",
    "request unsuccessful",
    "sorry, you have been blocked",
    "the owner of this website",
    "the requested url was rejected",
    "this request has been blocked",
    "this request was blocked",
    "this website is using a security service to protect",
    "verify that you are human",
    "verify you are human",
    "verifying you are human",
    "we detected unusual",
    "we have detected unusual",
    "we need to make sure you are",
    "we need to make sure that you are",
    "we've detected unusual",
    "you are in line",
    "you are in a queue",
    "you are not authorized to",
    "you are now in line",
    "you are unable to access",
    "you do not have access to this",
    "you do not have permission to",
    "you don't have access to this",
    "you don't have permission to",
    "you have been blocked",
    "you've been blocked",
    "you're now in line",
    "your access to this",
    "your ip address has been",
    "your ip has been",
    "your request has been blocked",
    "your request was blocked",
];

/// Parts of sentences on block pages that begin with the site's name.
const DENIAL_PHRASES: &[&str] =
    &["needs to review the security of your connection", "has banned your access", "has banned you temporarily"];

/// Words of articles that explain denials, which may be as short.
const EXPLANATIONS: &[&str] = &[
    "error means",
    "means that",
    "explained",
    "this article",
    "this guide",
    "this page explains",
    "status code",
    "how to fix",
    "tutorial",
];

/// (part of a class, id, name or URL, vendor): widgets that ordinary forms use too.
const WIDGETS: &[(&str, &str)] = &[
    ("g-recaptcha", "reCAPTCHA"),
    ("recaptcha/", "reCAPTCHA"),
    ("h-captcha", "hCaptcha"),
    ("hcaptcha.com", "hCaptcha"),
    ("cf-turnstile", "Turnstile"),
    ("challenges.cloudflare.com/turnstile", "Turnstile"),
    ("geetest", "GeeTest"),
    ("captcha", "captcha"),
];

/// Beginnings of demands for proof that a visitor is human.
const DEMANDS_OF_PROOF: &[&str] = &[
    "are you a robot",
    "are you human",
    "before we continue",
    "before you continue",
    "captcha required",
    "checking if",
    "checking your",
    "click to verify",
    "complete the",
    "complete this",
    "confirm that you",
    "confirm you",
    "drag the",
    "enter the characters",
    "enter the code",
    "human verification",
    "i am human",
    "i'm not a robot",
    "just a moment",
    "let's confirm",
    "one more step",
    "please complete",
    "please confirm",
    "please enter the",
    "please prove",
    "please slide",
    "please solve",
    "please type",
    "please verify",
    "press & hold",
    "prove that you",
    "prove you",
    "security check",
    "security verification",
    "slide the",
    "slide to",
    "solve the",
    "to continue",
    "type the",
    "verify that",
    "verify to",
    "verify you",
    "we need to make sure",
    "you need to verify",
];

pub(super) fn challenge_in_headers(response: &ResponseInfo<'_>) -> Option<&'static str> {
    let sent = |name: &str, part: &str| {
        response.headers.iter().any(|(own, value)| own == name && value.to_ascii_lowercase().contains(part))
    };
    HEADERS.iter().find(|(name, part, _)| sent(name, part)).map(|(_, _, vendor)| *vendor)
}

/// Maximum size of a challenge's markup in bytes; longer markup is a page.
const MAX_CHALLENGE_BYTES: usize = 256 * 1_024;

pub(super) fn challenge_in_markup(html: &str, outline: &VisibleContent) -> Option<&'static str> {
    if html.len() > MAX_CHALLENGE_BYTES || !outline.has_little_text() {
        return None;
    }
    let markers = MARKERS.as_ref()?;
    let mut found = vec![false; markers.patterns_len()];
    for marker in markers.find_overlapping_iter(html) {
        found[marker.pattern()] = true;
    }
    let nothing_else = outline.fields == 0 && outline.letters() < 800;
    let captchas = if nothing_else { CAPTCHAS } else { &[] };
    // The patterns of a signature follow those of the one before it.
    let mut first = 0;
    SIGNATURES.iter().chain(captchas).find_map(|signature| {
        let own = &found[first..first + signature.all.len()];
        first += own.len();
        own.iter().all(|is_there| *is_there).then_some(signature.vendor)
    })
}

/// The markers of all signatures in their order, then those of captchas.
static MARKERS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let markers = SIGNATURES.iter().chain(CAPTCHAS).flat_map(|signature| signature.all);
    AhoCorasick::builder().ascii_case_insensitive(true).build(markers).ok()
});

/// Returns the vendor of a captcha with the demand to solve it, if there is nothing else to fill in or to read.
pub(super) fn standalone_captcha(outline: &VisibleContent) -> Option<&'static str> {
    let alone = outline.fields <= 1 && outline.identity_fields == 0 && outline.password_fields == 0;
    let says_little = outline.letters() < 600 && outline.links <= 8 && outline.elements < 100;
    let demands = |sentence: &str| {
        matches!(sentence, "captcha" | "verify" | "verification" | "robot check")
            || DEMANDS_OF_PROOF.iter().any(|demand| sentence.starts_with(demand))
    };
    let is_asked = || title_parts(&outline.title).any(demands) || sentences(outline).any(demands);
    outline.captcha.filter(|_| alone && says_little && !is_denial_reason(outline) && is_asked())
}

/// Returns the widget that an element is part of. Scripts of widgets do not count, since many sites load them for
/// ordinary forms.
pub(super) fn captcha_widget(element: &Element) -> Option<&'static str> {
    if !matches!(
        element.name(),
        "div" | "iframe" | "img" | "input" | "textarea" | "form" | "span" | "section" | "canvas"
    ) {
        return None;
    }
    let places = ["class", "id", "name", "src"].into_iter().filter_map(|name| element.attr(name));
    let places: Vec<String> = places.filter(|place| place.len() < 2_000).map(str::to_ascii_lowercase).collect();
    let is_at = |(part, _): &&(&str, &str)| places.iter().any(|place| place.contains(part));
    WIDGETS.iter().find(is_at).map(|(_, vendor)| *vendor)
}

pub(super) fn is_block_page(outline: &VisibleContent) -> bool {
    let says_little = outline.letters() < 1_000 && outline.elements < 100 && outline.links <= 8;
    if says_little && BLOCK_TITLES.contains(&without_stops(&outline.title)) {
        return true;
    }
    let says_nothing_else = outline.letters() < 600 && outline.elements < 60 && outline.links <= 5;
    let offers_nothing = outline.fields <= 1 && outline.media <= 5;
    says_nothing_else && offers_nothing && !is_denial_reason(outline) && is_denial_text(outline)
}

/// Returns true if the title, the heading or the beginning of a sentence denies access. A single word does not count:
/// boards have columns named "Blocked".
fn is_denial_text(outline: &VisibleContent) -> bool {
    let is_title = |text: &str| text.contains(' ') && BLOCK_TITLES.contains(&without_stops(text));
    let first = outline.lines.first().map(String::as_str).unwrap_or_default();
    let opening = first.split(". ").next().unwrap_or_default();
    let is_refusal = |sentence: &str| {
        DENIAL_OPENINGS.iter().any(|refusal| sentence.starts_with(refusal))
            || DENIAL_PHRASES.iter().any(|refusal| sentence.contains(refusal))
    };
    title_parts(&outline.title).chain([outline.heading.as_str(), first, opening]).any(is_title)
        || title_parts(&outline.title).chain(sentences(outline)).any(is_refusal)
}

fn is_denial_reason(outline: &VisibleContent) -> bool {
    let text = outline.text.to_lowercase();
    EXPLANATIONS.iter().any(|words| text.contains(words) || outline.title.contains(words))
}

/// Returns the first sentences of a page.
fn sentences(outline: &VisibleContent) -> impl Iterator<Item = &str> {
    outline.lines.iter().take(8).flat_map(|line| line.split(['.', '!', '?'])).map(str::trim)
}

/// Splits a title: sites add their name, before or after.
fn title_parts(title: &str) -> impl Iterator<Item = &str> {
    [" | ", " - ", " – ", " — ", " · ", ": "].into_iter().flat_map(|mark| title.split(mark)).map(str::trim)
}

fn without_stops(text: &str) -> &str {
    text.trim_end_matches(['.', '!', '…', ' '])
}

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
