//! The pages that are counted.

use crate::corpus;
use limner_page::{PageSnapshot, SheetOwner, Stylesheet};
use std::fmt::Write;
use std::path::PathBuf;

/// Component frameworks, and where npm puts their stylesheets.
const FRAMEWORKS: [(&str, &str); 2] =
    [("bootstrap", "bootstrap/dist/css/bootstrap.css"), ("bulma", "bulma/css/bulma.css")];
const ELEMENTS: usize = 1_000;

/// Returns a page with some elements of each kind.
pub(crate) fn small() -> PageSnapshot {
    page(html(40), "p{color:red}.btn:hover{margin:1rem}".to_owned())
}

/// Returns every page by name.
pub(crate) fn all() -> Vec<(String, PageSnapshot)> {
    let mut pages: Vec<_> =
        FRAMEWORKS.iter().filter_map(|(name, _)| Some(((*name).to_owned(), by_name(name)?))).collect();
    pages.extend(corpus::pages());
    pages
}

/// Returns a page: `small`, one in a framework, a saved one, or one with a number of elements (`elements-5000`).
pub(crate) fn by_name(name: &str) -> Option<PageSnapshot> {
    if name == "small" {
        return Some(small());
    }
    if let Some(elements) = name.strip_prefix("elements-") {
        return Some(cards(elements.parse().ok()?));
    }
    if let Some((_, file)) = FRAMEWORKS.iter().find(|(framework, _)| *framework == name) {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("bench/node_modules");
        return Some(page(html(ELEMENTS), std::fs::read_to_string(folder.join(file)).ok()?));
    }
    corpus::sites().iter().find(|site| site.folder.ends_with(name)).map(|site| site.page().1)
}

/// Returns the names of all pages.
pub(crate) fn names() -> Vec<String> {
    let frameworks = FRAMEWORKS.iter().filter(|(name, _)| by_name(name).is_some()).map(|(name, _)| (*name).to_owned());
    let saved = corpus::sites().into_iter().filter_map(|site| Some(site.folder.file_name()?.to_str()?.to_owned()));
    let mut names: Vec<String> = frameworks.chain(saved).collect();
    names.sort_unstable();
    names
}

fn page(html: String, css: String) -> PageSnapshot {
    let url = "https://bench.example/".to_owned();
    let sheet = Stylesheet { owner: SheetOwner::Link, base_url: url.clone(), text: Some(css), ..Stylesheet::default() };
    PageSnapshot { url, content_type: "text/html".to_owned(), html, sheets: vec![sheet], ..PageSnapshot::default() }
}

fn html(elements: usize) -> String {
    let mut html = String::from("<!doctype html><title>Bench</title><link rel=stylesheet href=sheet.css><body>");
    for n in 0..elements / 4 {
        let _ = write!(
            html,
            "<section class='c-{n} card btn btn-primary' style='margin:{}px'><h2 class='b h2'>Heading {n}</h2>\
             <p class='text-muted'>Words</p><a class='btn' href=/{n}>More</a></section>",
            n % 30
        );
    }
    html
}

/// Returns a page with one section of cards, some of whose styles are their own.
fn cards(elements: usize) -> PageSnapshot {
    /// Elements of one card.
    const EACH: usize = 5;
    let mut html =
        String::from("<!doctype html><title>Bench</title><body><section class=cards id=cards><h1>Cards</h1>");
    let mut css = String::from(".cards{display:grid;gap:1rem}.card{padding:1rem}.card a{color:#3b5bdb}");
    for n in 0..elements / EACH {
        let _ = write!(
            html,
            "<article class='card c-{n}'><h2>Heading {n}</h2><p>Some words on <a href=/{n}>number {n}</a></p>\
             <button>Take it</button></article>"
        );
        let _ = write!(
            css,
            ".c-{n}{{color:#{:06x}}}.c-{n}:hover button{{opacity:.{}}}",
            n * 5_003 % 0xff_ffff,
            n % 90 + 10
        );
    }
    html.push_str("</section>");
    page(html, css)
}
