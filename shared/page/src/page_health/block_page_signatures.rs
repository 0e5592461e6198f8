//! Signatures of challenges and block pages of known vendors.

use super::ResponseInfo;
use super::title_parts::title_parts;
use super::visible_content::VisibleContent;
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
    let nothing_else = outline.fields == 0 && outline.count_letters() < 800;
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
    let says_little = outline.count_letters() < 600 && outline.links <= 8 && outline.elements < 100;
    let demands = |sentence: &str| {
        matches!(sentence, "captcha" | "verify" | "verification" | "robot check")
            || DEMANDS_OF_PROOF.iter().any(|demand| sentence.starts_with(demand))
    };
    let is_asked = || title_parts(&outline.title).any(demands) || sentences(outline).any(demands);
    outline.captcha.filter(|_| alone && says_little && !is_denial_reason(outline) && is_asked())
}

pub(super) fn is_block_page(outline: &VisibleContent) -> bool {
    let says_little = outline.count_letters() < 1_000 && outline.elements < 100 && outline.links <= 8;
    if says_little && BLOCK_TITLES.contains(&without_stops(&outline.title)) {
        return true;
    }
    let says_nothing_else = outline.count_letters() < 600 && outline.elements < 60 && outline.links <= 5;
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

fn without_stops(text: &str) -> &str {
    text.trim_end_matches(['.', '!', '…', ' '])
}
