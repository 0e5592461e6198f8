//! `/code` by the elements of its section, at 1×, 4× and 16×: values for a second stay the same where time grows linearly.
//! Every card of the section has a style, a state and a width of its own, so that no two are the same.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use limner_page::{PageSnapshot, SheetOwner, Stylesheet};
use limner_types::{Operation, request};
use std::fmt::Write;
use std::hint::black_box;

const SCALES: [usize; 3] = [1, 4, 16];
const CARDS: usize = 60;
/// Elements of one card.
const ELEMENTS_EACH: usize = 5;

fn page(cards: usize) -> PageSnapshot {
    let mut html = String::from("<!doctype html><title>Bench</title><body><section class=cards id=cards>");
    let mut css = String::from(".cards{display:grid;gap:1rem}.card{padding:1rem}.card a{color:#3b5bdb}");
    for n in 0..cards {
        let _ = write!(
            html,
            "<article class='card c-{n}'><h2>Heading {n}</h2><p>Some words on <a href=/{n}>number {n}</a></p>\
             <button>Take it</button></article>"
        );
        let _ = write!(
            css,
            ".c-{n}{{color:#{:06x}}}.c-{n}:hover button{{opacity:.{}}}@media (min-width:{}px){{.c-{n}{{margin:{n}px}}}}",
            n * 5_003 % 0xff_ffff,
            n % 90 + 10,
            600 + n % 400
        );
    }
    html.push_str("</section>");
    let url = "https://bench.example/".to_owned();
    let sheet = Stylesheet { owner: SheetOwner::Link, base_url: url.clone(), text: Some(css), ..Stylesheet::default() };
    PageSnapshot { url, content_type: "text/html".to_owned(), html, sheets: vec![sheet], ..PageSnapshot::default() }
}

fn code(criterion: &mut Criterion) {
    for framework in ["html", "tailwind", "jsx"] {
        let mut group = criterion.benchmark_group(format!("code as {framework} by elements"));
        for scale in SCALES {
            let page = page(CARDS * scale);
            let pairs = [("url", page.url.as_str()), ("selector", "#cards"), ("framework", framework)];
            let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
            let Ok(parsed) = request::parse(Operation::Code, &pairs) else { return };
            group.throughput(Throughput::Elements((CARDS * ELEMENTS_EACH * scale) as u64));
            group.sample_size(10);
            group.bench_with_input(BenchmarkId::from_parameter(format!("{scale}x")), &page, |bencher, page| {
                bencher.iter(|| limner_extract::extract(black_box(page), &parsed.request));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, code);
criterion_main!(benches);
