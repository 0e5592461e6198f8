//! The prose of the document.

use limner_types::Operation;

pub(super) const DESCRIPTION: &str = "\
Limner reads one public web page per call, the way a visitor's browser would, and returns structured design data.

Every call is a GET with query parameters. Pages are read statically (HTML and CSS); a page that builds itself with \
scripts, or refuses a plain request, is read again in a real browser at no extra cost, and `render=true` asks for the \
browser at once (+5 credits).

**Credits.** Only a fresh, successful call is charged. Cache hits and failures cost 0. Identical calls in flight at once \
are one extraction: the first is charged, the others are served as hits. A caller that hangs up does not stop its call: it \
is finished, cached and charged once.

**Cache.** Results are kept for 24 hours and shared by all callers. `name`, `fields` and `fresh` are no part of the cache \
key. The address is: with its scheme added, host in lower case and IDNA-encoded, default port and fragment dropped, query \
as given.

**Order of checks.** Path (404), method (405), key (401), suspension (402), rate limit (429 `rate_limited`), parameters \
(400), availability of the operation (503), cache, availability of the browser (503), credits (429 `quota_exceeded`), then \
the page itself. From the key on every answer carries the `X-RateLimit-*` headers, and every request counts in the window \
but those refused with 429 `rate_limited`.

**Parameters** are case-sensitive. A known one given twice is a 400; unknown ones are ignored and named in \
`X-Ignored-Params`. The query is read as a form: `+` is a space, and bytes must be UTF-8.

**Compatibility.** Fields may be added to results. Branch on `data.code` of errors, never on their text.";

pub(super) fn summary(operation: Operation) -> &'static str {
    match operation {
        Operation::Code => "One section of the page as a self-contained component",
        Operation::Brand => "Curated brand identity",
        Operation::Extract => "The full design-token system",
        Operation::Images => "Every image the page declares",
        Operation::Svg => "Inline SVGs as code and external .svg files as URLs",
        Operation::Videos => "Video files, og:video and player embeds",
        Operation::Audio => "Audio files, og:audio and podcast enclosures",
        Operation::Lottie => "Lottie animations as standard Lottie JSON",
        Operation::Fonts => "Every font face the page loads",
    }
}

pub(super) fn details(operation: Operation) -> &'static str {
    match operation {
        Operation::Code => {
            "Without `selector` and `section` the hero (headline, copy, call to action) is found by itself, and `selector` \
             and `autoDetected` tell what was used. `selector` wins over `section`. A selector or section that matches \
             nothing is a 404 that lists the sections which do exist. Links and sources are absolute."
        }
        Operation::Brand => "What cannot be defended is null. `logo` is never a social preview image.",
        Operation::Extract => {
            "Every group is an object keyed by the normalised value, most used first. With `format` other than `json` the \
             response is the file itself, without `url` and `usage`; `fields` is checked and then ignored."
        }
        Operation::Images => {
            "img, srcset, picture, CSS images, icons, social images, posters, the manifest and preloads: one item per URL."
        }
        Operation::Svg => {
            "Inline markup is made self-contained (`<use>` and sprites resolved, scripts and handlers removed) and listed \
             once, however often it stands in the page."
        }
        Operation::Videos | Operation::Audio => "Each item is tagged by where it was found.",
        Operation::Lottie => "Animations that scripts inject at runtime may be missed without `render=true`.",
        Operation::Fonts => "Resolved through the cascade: `used` tells whether the page sets text in a face.",
    }
}
