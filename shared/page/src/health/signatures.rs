//! What the challenges and block pages of the known vendors look like.

use super::Response;
use super::outline::Outline;

/// (header, value it contains or empty for any, vendor): each sent only with a challenge or a refusal.
const HEADERS: &[(&str, &str, &str)] = &[
    ("cf-mitigated", "challenge", "Cloudflare"),
    ("x-amzn-waf-action", "challenge", "AWS WAF"),
    ("x-amzn-waf-action", "captcha", "AWS WAF"),
    ("x-vercel-mitigated", "challenge", "Vercel"),
    ("x-vercel-mitigated", "deny", "Vercel"),
    ("x-sucuri-block", "", "Sucuri"),
];

/// Markers in the markup, all of which must be there, on a page that shows next to nothing else.
struct Signature {
    vendor: &'static str,
    all: &'static [&'static str],
}

const fn signature(vendor: &'static str, all: &'static [&'static str]) -> Signature {
    Signature { vendor, all }
}

const SIGNATURES: &[Signature] = &[
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

/// Widgets that honest forms carry too: a challenge only where there is nothing else to fill in.
const CAPTCHAS: &[Signature] = &[
    signature("hCaptcha", &["hcaptcha.com/1/api.js", "human"]),
    signature("hCaptcha", &["hcaptcha.com/1/api.js", "robot"]),
    signature("Turnstile", &["challenges.cloudflare.com/turnstile", "human"]),
    signature("Turnstile", &["challenges.cloudflare.com/turnstile", "security check"]),
    signature("reCAPTCHA", &["recaptcha", "unusual traffic"]),
    signature("reCAPTCHA", &["recaptcha", "you are not a robot"]),
    signature("reCAPTCHA", &["recaptcha", "you are human"]),
];

/// Titles, in lower case, of pages that say nothing but no.
const BLOCK_TITLES: &[&str] = &[
    "access denied",
    "access denied!",
    "access forbidden",
    "access to this page has been denied",
    "are you a robot?",
    "are you human?",
    "attention required!",
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
    "403 - forbidden: access is denied.",
    "429 too many requests",
    "too many requests",
    "human verification",
    "just a moment...",
    "one moment, please...",
    "making sure you're not a bot!",
    "pardon our interruption",
    "pardon our interruption...",
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
    "you are being redirected...",
    "you have been blocked",
    "ddos-guard",
    "vercel security checkpoint",
    "sucuri website firewall - access denied",
];

pub(super) fn challenge_in_headers(response: &Response<'_>) -> Option<&'static str> {
    let sent = |name: &str, part: &str| {
        response.headers.iter().any(|(own, value)| own == name && value.to_ascii_lowercase().contains(part))
    };
    HEADERS.iter().find(|(name, part, _)| sent(name, part)).map(|(_, _, vendor)| *vendor)
}

/// Challenges load little; longer markup is a page.
const LONGEST_CHALLENGE: usize = 256 * 1_024;

pub(super) fn challenge_in_markup(html: &str, outline: &Outline) -> Option<&'static str> {
    if html.len() > LONGEST_CHALLENGE || !outline.is_sparse() {
        return None;
    }
    let html = html.to_ascii_lowercase();
    let matches = |signature: &&Signature| signature.all.iter().all(|marker| html.contains(marker));
    let nothing_else = outline.fields == 0 && outline.letters() < 800;
    let captchas = if nothing_else { CAPTCHAS } else { &[] };
    SIGNATURES.iter().chain(captchas).find(matches).map(|signature| signature.vendor)
}

pub(super) fn is_block_page(outline: &Outline) -> bool {
    let says_little = outline.letters() < 1_000 && outline.elements < 100 && outline.links <= 8;
    says_little && BLOCK_TITLES.contains(&outline.title.as_str())
}
