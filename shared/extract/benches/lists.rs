//! The list operations in MB/s of HTML and CSS, on a page made of what real pages are made of, and the memory that one
//! call takes.
//!
//! The goals are 50 MB/s for each, parsing included, an answer within 20 ms, and memory in proportion to the page. The last
//! lines say how each stands to them.

#![expect(clippy::print_stdout, reason = "a benchmark's figures are its output")]

use criterion::{Criterion, Throughput};
use limner_page::{PageSnapshot, Sheet, SheetOwner};
use limner_types::{Operation, Request, request};
use peak_alloc::PeakAlloc;
use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

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

fn page() -> PageSnapshot {
    let url = "https://bench.example/".to_owned();
    let sheet = Sheet { owner: SheetOwner::Link, base_url: url.clone(), text: Some(css()), ..Sheet::default() };
    PageSnapshot {
        url,
        content_type: "text/html".to_owned(),
        html: html(),
        sheets: vec![sheet],
        ..PageSnapshot::default()
    }
}

/// Those of one page that give lists.
const OPERATIONS: [Operation; 6] =
    [Operation::Images, Operation::Svg, Operation::Videos, Operation::Audio, Operation::Lottie, Operation::Fonts];

fn requests(page: &PageSnapshot) -> impl Iterator<Item = (Operation, Request)> {
    OPERATIONS.into_iter().filter_map(|operation| {
        let query = [("url".to_owned(), page.url.clone())];
        Some((operation, request::parse(operation, &query).ok()?.request))
    })
}

fn speed(criterion: &mut Criterion, page: &PageSnapshot, bytes: usize) {
    let mut group = criterion.benchmark_group("lists");
    group.throughput(Throughput::Bytes(bytes as u64));
    for (operation, request) in requests(page) {
        group.bench_function(operation.to_string(), |bencher| {
            bencher.iter(|| limner_extract::extract(black_box(page), &request));
        });
    }
    group.finish();
}

const RUNS: usize = 31;
const LEAST_SPEED: f64 = 50.0;
const LONGEST: Duration = Duration::from_millis(20);

/// The middle of some calls' times.
fn median(mut call: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let started = Instant::now();
            call();
            started.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[RUNS / 2]
}

/// The most that one call has on the heap at once, the page itself left out.
fn peak(call: impl FnOnce()) -> usize {
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    call();
    HEAP.peak_usage().saturating_sub(before)
}

fn report(page: &PageSnapshot, bytes: usize) {
    println!("one page of {bytes} bytes of HTML and CSS");
    for (operation, request) in requests(page) {
        let call = || drop(black_box(limner_extract::extract(black_box(page), &request)));
        let (time, memory) = (median(call), peak(call) as f64 / bytes as f64);
        let speed = bytes as f64 / 1e6 / time.as_secs_f64();
        println!(
            "{operation}: {speed:.0} MB/s (goal: at least {LEAST_SPEED}: {}); p50 {time:?} (goal: at most {LONGEST:?}: {}); \
             {memory:.1} bytes of memory for each byte of the page",
            verdict(speed >= LEAST_SPEED),
            verdict(time <= LONGEST),
        );
    }
}

fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "missed" }
}

fn main() {
    let page = page();
    let sheets = page.sheets.iter().filter_map(|sheet| sheet.text.as_ref());
    let bytes = page.html.len() + sheets.map(String::len).sum::<usize>();
    let mut criterion = Criterion::default().configure_from_args();
    speed(&mut criterion, &page, bytes);
    // `cargo nextest` runs benches too, once, to see that they work.
    if std::env::args().any(|argument| argument == "--bench") {
        report(&page, bytes);
    }
}
