//! A page made of what real pages are made of, and the operations that give lists of it.

use limner_page::{PageSnapshot, SheetOwner, Stylesheet};
use limner_types::{Operation, OperationRequest, request};
use std::fmt::Write;

const SECTIONS: usize = 400;
const RULES: usize = 4_000;

fn html() -> String {
    let mut html = String::from("<!doctype html><html><head><title>Bench</title><link rel=icon href=/favicon.svg>");
    html.push_str("<meta property='og:image' content='/og.png'></head><body>");
    html.push_str("<svg hidden><symbol id=i viewBox='0 0 24 24'><path d='M4 4h16v16H4z M8 8h8v8H8z'/></symbol></svg>");
    for n in 0..SECTIONS {
        let _ = write!(
            html,
            "<section class='card card--{n} is-visible' data-track='section-{n}'><h2>Heading number {n}</h2>\
             <p>Plain words stand between the images of every page, and most of a page is such words, with an \
             occasional <a href='/pages/{n}.html' title='A link'>link</a> and <em>emphasis</em> among them.</p>\
             <picture><source type='image/webp' srcset='/img/{n}-640.webp 640w, /img/{n}-1280.webp 1280w'>\
             <img src='/img/{n}.jpg' srcset='/img/{n}-2x.jpg 2x' alt='Picture {n}' width=640 height=360 loading=lazy>\
             </picture><div style='background-image:url(/bg/{n}.png);color:#123'></div>\
             <svg class='icon' width=24 height=24><use href='#i'/></svg>\
             <svg viewBox='0 0 24 24'><path d='M12 2L{n} 22h20z' fill='none' stroke='currentColor'/></svg></section>"
        );
    }
    for n in 0..SECTIONS / 10 {
        let _ = write!(
            html,
            "<video controls poster=/poster/{n}.jpg><source src=/film/{n}.webm type=video/webm></video>\
             <iframe src='https://www.youtube.com/embed/dQw4w9Wg{n:03}' title='Film {n}'></iframe>\
             <audio src=/sound/{n}.mp3></audio><lottie-player src=/motion/{n}.json loop></lottie-player>"
        );
    }
    html.push_str("</body></html>");
    html
}

fn css() -> String {
    let mut css = String::from(":root{--icon:url(data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'/%3E)}");
    for n in 0..RULES / 100 {
        let _ = write!(
            css,
            "@font-face{{font-family:'Face {n}';font-weight:100 900;font-display:swap;unicode-range:U+0-FF,U+131;\
             src:local('Face {n}'),url(/fonts/{n}.woff2) format('woff2') tech(variations)}}"
        );
    }
    for n in 0..RULES {
        let _ = write!(
            css,
            ".card--{n}>.title:hover,.card--{n} a:not(.plain){{color:#1a2b3c;margin:0 auto 1.5rem;\
             padding:calc(1rem + 2px) var(--gap,12px);transition:color .2s ease-in-out,opacity .2s}}"
        );
        if n % 20 == 0 {
            let _ =
                write!(css, "@media (min-width:{n}px){{.hero-{n}{{background:#fff url(/hero/{n}.jpg) 50%/cover}}}}");
        }
    }
    css
}

/// The page.
pub(crate) fn page() -> PageSnapshot {
    let url = "https://bench.example/".to_owned();
    let sheet =
        Stylesheet { owner: SheetOwner::Link, base_url: url.clone(), text: Some(css()), ..Stylesheet::default() };
    PageSnapshot {
        url,
        content_type: "text/html".to_owned(),
        html: html(),
        sheets: vec![sheet],
        ..PageSnapshot::default()
    }
}

/// Those of one page that give lists.
pub(crate) const OPERATIONS: [Operation; 6] =
    [Operation::Images, Operation::Svg, Operation::Videos, Operation::Audio, Operation::Lottie, Operation::Fonts];

/// A call of each.
pub(crate) fn requests(page: &PageSnapshot) -> impl Iterator<Item = (Operation, OperationRequest)> {
    OPERATIONS.into_iter().filter_map(|operation| {
        let query = [("url".to_owned(), page.url.clone())];
        Some((operation, request::parse(operation, &query).ok()?.request))
    })
}

/// Its bytes of HTML and CSS.
pub(crate) fn bytes(page: &PageSnapshot) -> usize {
    let sheets = page.sheets.iter().filter_map(|sheet| sheet.text.as_ref());
    page.html.len() + sheets.map(String::len).sum::<usize>()
}
