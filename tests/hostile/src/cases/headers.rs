//! Headers of the response, and markup that stands for them.

use super::READ;
use crate::case::{Case, repeated};
use crate::page::Page;

/// Headers with one long value: the start and what is repeated.
const LONG: &[(&str, &str, &str, &str)] = &[
    ("content-type-parameters", "content-type", "text/html", ";a{i}=b"),
    ("content-type-quoted", "content-type", "text/html;charset=\"", "\\u"),
    ("content-type-spaces", "content-type", "text/html", " \t"),
    ("content-type-charsets", "content-type", "text/html", ";charset=x{i}"),
    ("content-type-slashes", "content-type", "text/", "/"),
    ("refresh-separators", "refresh", "1", " ; ,"),
    ("refresh-digits", "refresh", "1", "1."),
    ("refresh-address", "refresh", "1;url=/", "a/../"),
    ("refresh-quotes", "refresh", "1;url='", "\"'"),
    ("cookies", "set-cookie", "a=b", "; c{i}=d"),
    ("server", "server", "cloudflare", " {i}"),
    ("policy", "content-security-policy", "default-src 'self'", " https://a{i}.test"),
];

/// Markup that is repeated in the head.
const MARKUP: &[(&str, &str)] = &[
    ("meta-charsets", "<meta charset=x{i}>"),
    ("meta-content-types", "<meta http-equiv=content-type content='text/html;charset=x{i}'>"),
    ("meta-refreshes", "<meta http-equiv=refresh content='{i};url=/{i}'>"),
    ("meta-policies", "<meta http-equiv=content-security-policy content='default-src a{i}'>"),
    (
        "meta-default-styles",
        "<meta http-equiv=default-style content=t{i}><link rel=stylesheet title=t{i} href=/a{i}.css>",
    ),
];

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (place, name, start, part) in LONG {
        cases.push(Case::new(format!("headers/{place}"), &[READ], 400, move |size| Page {
            headers: vec![((*name).to_owned(), format!("{start}{}", repeated(part, size)))],
            ..Page::of_body("")
        }));
    }
    for (place, template) in MARKUP {
        cases.push(Case::new(format!("headers/{place}"), &[READ], 400, |size| {
            Page::of_parts(&repeated(template, size), "")
        }));
    }
    cases.extend([
        Case::new("headers/many", &[READ], 200, |size| Page {
            headers: (0..size).map(|i| (format!("x-h{i}"), format!("cf-{i}"))).collect(),
            ..Page::of_body("")
        }),
        Case::new("headers/many-same", &[READ], 200, |size| Page {
            headers: (0..size).map(|i| ("set-cookie".to_owned(), format!("a{i}=b"))).collect(),
            ..Page::of_body("")
        }),
        Case::new("headers/prescan-attributes", &[READ], 400, move |size| Page {
            html: format!("<meta {}>{}", repeated("a{i}=b ", size), Page::of_body("").html),
            ..Page::default()
        }),
        Case::new("headers/prescan-comments", &[READ], 400, move |size| Page {
            html: format!("{}{}", "<!--->".repeat(size), Page::of_body("").html),
            ..Page::default()
        }),
        Case::new("headers/byte-order-marks", &[READ], 400, move |size| Page {
            html: format!("{}{}", "\u{feff}".repeat(size), Page::of_body("").html),
            ..Page::default()
        }),
        Case::new("headers/meta-refresh-long", &[READ], 400, |size| {
            Page::of_parts(&format!("<meta http-equiv=refresh content='1;url=/{}'>", "a/../".repeat(size)), "")
        }),
        Case::new("headers/challenge-words", &[READ], 400, |size| {
            Page::of_body(&"<p>Just a moment... checking your browser, access denied, captcha</p>".repeat(size))
        }),
        Case::new("headers/sign-in-forms", &[READ], 400, |size| {
            Page::of_body(&"<form><label>Sign in<input type=password></label></form>".repeat(size))
        }),
        Case::new("headers/shell", &[READ], 400, |size| {
            let html = format!("<div id=root></div>{}", repeated("<script src=/s{i}.js></script>", size));
            Page { html, ..Page::default() }
        }),
    ]);
    cases
}
