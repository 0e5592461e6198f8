//! Time by rules and by elements, each at 1×, 4× and 16×: elements and rules per second stay constant if time grows
//! linearly. The measurement starts from the page's text: parsing, matching, the cascade of every element. The last
//! lines compare the ratios of one run with the target: `ok` or `MISSED`.

#![allow(clippy::print_stdout, reason = "a benchmark's figures are its output")]

use criterion::{BenchmarkId, Criterion, Throughput};
use limner_page::{Document, PageSnapshot, Stylesheet};
use limner_style::{Environment, StyleIndex};
use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

const SCALES: [usize; 3] = [1, 4, 16];
const ELEMENTS: usize = 1_000;
const RULES: usize = 1_000;
const RUNS: usize = 5;
/// Maximum ratio of times between a page and one of sixteen times the size: linear growth, plus cache effects.
const MAX_GROWTH: f64 = 24.0;

/// Builds cards in sections, as landing pages have them.
fn html(elements: usize) -> String {
    let mut html = String::from("<!doctype html><title>Bench</title><body class=page>");
    for n in 0..elements / 5 {
        let _ = write!(
            html,
            "<section class='card card-{}' id=s{n}><h2 class=title>Heading {n}</h2><p class='text muted'>Words</p>\
             <a class='button primary' href=/{n}>More</a></section><hr>",
            n % 50
        );
    }
    html
}

/// Builds components with variables, states and conditions, and utilities that match no element.
fn css(rules: usize) -> String {
    let mut css = String::from(":root{--gap:8px;--brand:oklch(0.6 0.2 250)}body{font:16px/1.5 sans-serif;color:#222}");
    for n in 0..rules / 5 {
        let _ = write!(
            css,
            ".card-{n} .title{{color:var(--brand);margin:calc(var(--gap)*2) 0}}.card-{n}:hover>.button{{color:#fff}}\
             .u-{n}{{padding:{n}px}}.page .row-{n}>.cell:nth-child(2n){{border:1px solid}}\
             @media (min-width:{n}px){{.md-{n}{{display:flex}}}}"
        );
    }
    css
}

fn page(elements: usize, rules: usize) -> PageSnapshot {
    let sheet = Stylesheet { text: Some(css(rules)), base_url: "https://a.test/".into(), ..Stylesheet::default() };
    PageSnapshot { html: html(elements), sheets: vec![sheet], ..PageSnapshot::default() }
}

fn scaled(by_elements: bool, scale: usize) -> PageSnapshot {
    if by_elements { page(ELEMENTS * scale, RULES) } else { page(ELEMENTS, RULES * scale) }
}

/// Returns the number of elements with a style.
fn styled(page: &PageSnapshot) -> usize {
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(page, &document);
    let mut styles = index.styles(&Environment::default());
    document.elements().filter(|(node, _)| styles.get(*node).is_some()).count()
}

fn linear(criterion: &mut Criterion) {
    for (name, by_elements) in [("elements", true), ("rules", false)] {
        let mut group = criterion.benchmark_group(format!("style by {name}"));
        for scale in SCALES {
            let page = scaled(by_elements, scale);
            group.throughput(Throughput::Elements(1_000 * scale as u64));
            group.sample_size(10);
            group.bench_with_input(BenchmarkId::from_parameter(format!("{scale}x")), &page, |bencher, page| {
                bencher.iter(|| styled(black_box(page)));
            });
        }
        group.finish();
    }
}

/// Returns the median of some runs, in seconds.
fn seconds(page: &PageSnapshot) -> f64 {
    let run = |_| {
        let started = Instant::now();
        black_box(styled(page));
        started.elapsed().as_secs_f64()
    };
    let mut times: Vec<f64> = (0..RUNS).map(run).collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}

fn growth() {
    println!("\nAim: at most {MAX_GROWTH} times the time for 16 times the page");
    for (name, by_elements) in [("elements", true), ("rules", false)] {
        let [one, four, sixteen] = SCALES.map(|scale| seconds(&scaled(by_elements, scale)));
        let verdict = if sixteen / one <= MAX_GROWTH { "ok    " } else { "MISSED" };
        println!("{verdict}  4x {name}: {:.1} times the time, 16x {name}: {:.1} times", four / one, sixteen / one);
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    linear(&mut criterion);
    criterion.final_summary();
    // `cargo nextest` and `cargo test` run benches too, once, to see that they work.
    if std::env::args().any(|argument| argument == "--bench") {
        growth();
    }
}
