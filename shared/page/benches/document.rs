//! Compares this crate's document with scraper's, which is built by the same tokenizer and tree builder: time to parse,
//! time to visit every element in document order, memory kept and peak memory. `LIMNER_CORPUS` names a folder of saved
//! pages (`sites/*/*.html`); without it a synthetic page is used. `docs/adr/0002-own-document-arena.md` has the
//! figures.

#![expect(clippy::print_stdout, reason = "a benchmark's figures are its output")]

use limner_page::Document;
use peak_alloc::PeakAlloc;
use scraper::{Html, Selector};
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Number of measurements, of which the median is reported.
const ROUNDS: usize = 7;

/// Number of visits of every page within one measurement.
const VISITS: usize = 100;

/// The cost of a parser for all pages.
struct Cost {
    parse: Duration,
    visit: Duration,
    retained_bytes: usize,
    peak: usize,
}

impl Cost {
    fn measure<Tree>(pages: &[String], parse: impl Fn(&str) -> Tree, visit: impl Fn(&Tree) -> usize) -> Self {
        let (mut retained_bytes, mut peak) = (0, 0);
        for page in pages {
            let before = HEAP.current_usage();
            HEAP.reset_peak_usage();
            let tree = parse(page);
            retained_bytes += HEAP.current_usage().saturating_sub(before);
            peak += HEAP.peak_usage().saturating_sub(before);
            drop(tree);
        }
        let parse_all = || {
            for page in pages {
                drop(black_box(parse(black_box(page))));
            }
        };
        let trees: Vec<Tree> = pages.iter().map(|page| parse(page)).collect();
        let visit_all = || {
            for tree in trees.iter().cycle().take(trees.len() * VISITS) {
                black_box(visit(black_box(tree)));
            }
        };
        Self { parse: median(parse_all), visit: median(visit_all) / VISITS as u32, retained_bytes, peak }
    }

    fn print(&self, name: &str, bytes: usize) {
        let per_byte = |memory: usize| memory as f64 / bytes as f64;
        println!(
            "  {name:<8} parse {:>9.2?} ({:>5.1} MB/s), every image {:>9.2?}, kept {:>5.1} and at most {:>5.1} bytes per byte",
            self.parse,
            bytes as f64 / 1e6 / self.parse.as_secs_f64(),
            self.visit,
            per_byte(self.retained_bytes),
            per_byte(self.peak),
        );
    }
}

fn median(call: impl Fn()) -> Duration {
    let mut times: Vec<Duration> = (0..ROUNDS).map(|_| time(&call)).collect();
    times.sort();
    times[ROUNDS / 2]
}

/// Returns the processor time of a call, which other processes hardly affect; the wall-clock time if the kernel does
/// not report it.
fn time(call: impl Fn()) -> Duration {
    let used = || {
        let figures = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        figures.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    };
    let (begin, used_before) = (Instant::now(), used());
    call();
    used().zip(used_before).map_or_else(|| begin.elapsed(), |(after, before)| after - before)
}

fn images(document: &Document) -> usize {
    document.elements_named("img").count()
}

fn main() {
    let pages = pages();
    let bytes: usize = pages.iter().map(String::len).sum();
    println!("{} pages, {bytes} bytes", pages.len());
    let selector = Selector::parse("img").expect("a selector");
    let own = Cost::measure(&pages, Document::parse, images);
    let other = Cost::measure(&pages, Html::parse_document, |html| html.select(&selector).count());
    own.print("own", bytes);
    other.print("scraper", bytes);
    for unit in ["<div>", "<span><img src=x>"] {
        for count in [6_250, 12_500, 25_000] {
            let page = unit.repeat(count);
            let own = time(|| drop(black_box(Document::parse(&page))));
            let other = time(|| drop(black_box(Html::parse_document(&page))));
            println!("{count} x {unit}: own {own:.2?}, scraper {other:.2?}");
        }
        // Half a minute with scraper.
        let page = unit.repeat(100_000);
        println!("100000 x {unit}: own {:.2?}", time(|| drop(black_box(Document::parse(&page)))));
    }
}

fn pages() -> Vec<String> {
    let mut folders: Vec<PathBuf> =
        std::env::var("LIMNER_CORPUS").map(|corpus| PathBuf::from(corpus).join("sites")).into_iter().collect();
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "html" => paths.push(path),
                _ => {}
            }
        }
    }
    paths.sort();
    let pages: Vec<String> = paths.iter().filter_map(|path| fs::read_to_string(path).ok()).collect();
    if pages.is_empty() { vec![synthetic_page()] } else { pages }
}

fn synthetic_page() -> String {
    let item = "<li class=\"card card--wide\" id=x data-a='1'><a href=\"/products/lamp\"><img src=\"/lamp.png\" alt=\"A lamp\">\
                <h3>Lamp</h3><p>A lamp that gives <b>light</b>, and a few words more.</p></a>";
    format!("<!doctype html><title>Shop</title><main><ul>{}</ul></main>", item.repeat(2_000))
}
