//! The prose of the document.

use limner_types::Operation;

pub(super) const DESCRIPTION: &str = "\
Limner reads one public web page per call, as a visitor's browser would, and returns structured design data.

Every call is a GET request with query parameters. Pages are read statically (HTML and CSS). A page that builds itself with \
scripts, or refuses a plain request, is read again in a real browser at no extra cost. `render=true` uses the browser from \
the start (+5 credits).

**Credits.** Only a fresh, successful call is charged. Cache hits and failures cost 0. Identical calls in flight at the \
same time share one extraction: the first is charged, the others are served as hits. A caller that disconnects does not \
stop its call: the call is completed, cached and charged once.

**Cache.** Results are kept for 24 hours (5 minutes if their `hint` says that something could not be read) and shared by all \
callers. `name`, `fields` and `fresh` are not part of the cache \
key. The URL is normalized: the scheme is added, the host is in lower case and IDNA-encoded, the default port and the \
fragment are removed, and the query is kept as given.

**Order of checks.** Path (404), method (405), key (401), suspension (402), rate limit (429 `rate_limited`), parameters \
(400), availability of the operation (503), cache, availability of the browser (503), credits (429 `quota_exceeded`), then \
the page itself. Once the key is valid, every response carries the `X-RateLimit-*` headers, and every request counts towards \
the rate limit, except those refused with 429 `rate_limited`.

**Parameters** are case-sensitive. A known parameter that is given twice is a 400, except `fields`. Unknown parameters are \
ignored and named in `X-Ignored-Params`. The query is decoded as a form: `+` is a space, and bytes must be UTF-8.

**Compatibility.** Fields may be added to results. Branch on `data.code` of errors, never on the message.";

pub(super) fn summary(operation: Operation) -> &'static str {
    match operation {
        Operation::Code => "One section of the page as a self-contained component",
        Operation::Brand => "Brand identity",
        Operation::Extract => "Design tokens",
        Operation::Images => "Images",
        Operation::Svg => "Inline SVGs as code and SVG files as URLs",
        Operation::Videos => "Video files and embedded players",
        Operation::Audio => "Audio files and podcast episodes",
        Operation::Lottie => "Lottie animations as standard Lottie JSON",
        Operation::Fonts => "Font faces that the page loads",
    }
}

pub(super) fn details(operation: Operation) -> &'static str {
    match operation {
        Operation::Code => {
            "Without `selector` and `section`, the hero (headline, copy, call to action) is detected automatically; \
             `selector` and `autoDetected` report what was used. A selector or section that matches nothing is a 404 that \
             lists the sections of the page. Links and sources are absolute. With `scope=page`, the whole page is returned: \
             its sections as components, and what composes them."
        }
        Operation::Brand => {
            "Values without sufficient evidence are null; `evidence` names the basis of each value. `logo` is never a \
             social preview image."
        }
        Operation::Extract => {
            "Each group is an object keyed by the normalized value, most used first. With a `format` other than `json`, the \
             response is the file itself, without `url` and `usage`; `fields` is checked and otherwise ignored."
        }
        Operation::Images => {
            "Images in markup (`img`, `srcset`, `picture`, posters) and CSS, icons, social images, manifest icons and \
             preloads: one item per URL."
        }
        Operation::Svg => {
            "Inline markup is made self-contained (`use` and sprites are resolved, scripts and handlers removed) and listed \
             once, however often it occurs on the page."
        }
        Operation::Videos => "Includes `og:video` and embedded players. `source` tells where each item was found.",
        Operation::Audio => "Includes `og:audio` and podcast enclosures. `source` tells where each item was found.",
        Operation::Lottie => "Animations that scripts load at run time may be missed without `render=true`.",
        Operation::Fonts => "Resolved through the cascade: `used` tells whether text of the page is set in a face.",
    }
}
