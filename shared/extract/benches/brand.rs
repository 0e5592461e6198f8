//! `/brand` on a landing page of the usual size: some 4,000 elements and 3,000 rules.
//!
//! The goal is an answer within 100 ms, parsing included. Boxes are estimated here: the layout engine has figures of its
//! own.

use criterion::{Criterion, criterion_group, criterion_main};
use limner_page::{PageSnapshot, SheetOwner, Stylesheet};
use limner_types::{Operation, request};
use std::fmt::Write;
use std::hint::black_box;

const SECTIONS: usize = 120;
const RULES: usize = 3_000;

fn html() -> String {
    let mut html = String::from(
        "<!doctype html><html lang=en><head><title>Acme | Lamps for workshops</title><meta name=theme-color content='#be123c'>\
         <meta property='og:site_name' content=Acme><link rel=icon href=/favicon.svg></head><body>\
         <header class='site-header'><a href='/'><svg class=logo viewBox='0 0 90 30' width=90 height=30><path fill=currentColor \
         d='M0 0h60v30H0z'/><circle r=9 cx=75 cy=15 /></svg></a><nav class='main-nav'>",
    );
    for n in 0..40 {
        let _ = write!(html, "<a class='nav-link nav-link--{n}' href='/{n}'>Entry {n}</a>");
    }
    html.push_str("</nav></header><main>");
    for n in 0..SECTIONS {
        let _ = write!(
            html,
            "<section class='section section--{n} is-visible'><div class='container'><h2 class='heading'>Heading {n}</h2>\
             <p class='lead'>Plain words stand on every page, and most of a page is such words, with a <a href='/p/{n}'>link</a> \
             and <em>emphasis</em> among them, which is why their colour says little.</p><ul class='list'>\
             <li class='item'><span class='icon icon-{n}'></span><b>One</b> thing</li><li class='item'>Another</li></ul>\
             <img class='picture' src='/img/{n}.jpg' alt='Picture {n}' width=640 height=360>\
             <svg class='icon' width=24 height=24><path d='M4 4h16v16H4z' stroke='currentColor'/></svg>\
             <a class='btn btn-primary' href='/buy/{n}'>Buy now</a> <a class='btn btn-secondary' href='/read/{n}'>Read on</a></div></section>"
        );
    }
    html.push_str(
        "</main><footer class='site-footer'><a href='https://github.com/acme'>GitHub</a></footer></body></html>",
    );
    html
}

fn css() -> String {
    let mut css = String::from(
        ":root{--brand:#be123c;--ink:#1c1917}body{margin:0;color:var(--ink);background:#fff;font:16px/1.5 Inter,sans-serif}\
         .site-header{background:#fff;height:80px;color:var(--brand)}.btn{display:inline-block;padding:12px 24px}\
         .btn-primary{background:var(--brand);color:#fff}.btn-secondary{border:1px solid #ccc}.section{padding:64px 0}",
    );
    for n in 0..RULES {
        let _ = write!(
            css,
            ".section--{n} .heading,.icon-{n}:before{{color:#{:06x};margin:0 auto 1.5rem}}.u-{n}>.item:hover{{opacity:.8}}",
            n * 5_003 % 0xff_ffff
        );
    }
    css
}

fn page() -> PageSnapshot {
    let url = "https://bench.example/".to_owned();
    let sheet =
        Stylesheet { owner: SheetOwner::Link, base_url: url.clone(), text: Some(css()), ..Stylesheet::default() };
    let content_type = "text/html".to_owned();
    PageSnapshot { url, content_type, html: html(), sheets: vec![sheet], ..PageSnapshot::default() }
}

fn brand(criterion: &mut Criterion) {
    let page = page();
    let query = [("url".to_owned(), page.url.clone())];
    let Ok(parsed) = request::parse(Operation::Brand, &query) else { return };
    criterion.bench_function("brand", |bencher| {
        bencher.iter(|| limner_extract::extract(black_box(&page), &parsed.request));
    });
}

criterion_group!(benches, brand);
criterion_main!(benches);
