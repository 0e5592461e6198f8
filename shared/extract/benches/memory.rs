//! The memory that one call of each operation takes: in bytes for each byte of a page's HTML and CSS, to which it shall
//! stay in proportion; on saved real pages (`LIMNER_CORPUS`); and for `/extract` of a large stylesheet.
//!
//! Apart from the speed of the same calls: an allocator that counts takes a seventh of their time.

#![expect(clippy::print_stdout, reason = "a benchmark's figures are its output")]

#[path = "../../../tests/formats/corpus.rs"]
#[allow(clippy::unwrap_used, reason = "shared with tests")]
mod corpus;
mod page;

use limner_page::PageSnapshot;
use limner_types::{Operation, OperationRequest, WireEnum, request};
use peak_alloc::PeakAlloc;
use std::fmt::Write;
use std::hint::black_box;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Size of a stylesheet that is as large as is read.
const LARGE_SHEET: usize = 20_000_000;
/// The most bytes of memory for each byte of it.
const MAX_GROWTH: f64 = 10.0;

/// The most that one call has on the heap at once, the page itself left out.
fn peak(page: &PageSnapshot, request: &OperationRequest) -> usize {
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    drop(black_box(limner_extract::extract(black_box(page), request)));
    HEAP.peak_usage().saturating_sub(before)
}

fn plain_request(operation: Operation, page: &PageSnapshot) -> Option<OperationRequest> {
    Some(request::parse(operation, &[("url".to_owned(), page.url.clone())]).ok()?.request)
}

fn made_page() {
    let page = page::page();
    let bytes = page::bytes(&page);
    println!("one page of {bytes} bytes of HTML and CSS");
    for (operation, request) in page::requests(&page) {
        let memory = peak(&page, &request) as f64;
        println!("{operation}: {:.1} bytes of memory for each byte of the page", memory / bytes as f64);
    }
}

fn saved_pages() {
    let pages = corpus::pages();
    if pages.is_empty() {
        return;
    }
    println!("\n| Operation | Peak, median | Worst page | Peak |\n|---|---|---|---|");
    for operation in Operation::ALL.iter().copied() {
        let measured =
            pages.iter().filter_map(|(name, page)| Some((peak(page, &plain_request(operation, page)?), name)));
        let mut peaks: Vec<(usize, &String)> = measured.collect();
        peaks.sort_unstable();
        let (Some((median, _)), Some((worst, name))) = (peaks.get(peaks.len() / 2), peaks.last()) else { continue };
        let megabytes = |bytes: usize| format!("{:.1} MB", bytes as f64 / 1e6);
        println!("| `{operation}` | {} | {name} | {} |", megabytes(*median), megabytes(*worst));
    }
}

/// The page's stylesheet again and again.
fn repeated(css: &str) -> String {
    css.repeat(LARGE_SHEET / css.len())
}

/// Rules of which none has the values of another.
fn distinct(_: &str) -> String {
    let mut css = String::with_capacity(LARGE_SHEET + 100);
    for n in 0.. {
        if css.len() >= LARGE_SHEET {
            break;
        }
        let _ = write!(css, ".c-{n}{{color:#{:06x};padding:{n}px .{n}em;margin-top:calc({n}px + 1em)}}", n % 0xff_ffff);
    }
    css
}

fn large_sheets() {
    let variants: [(&str, fn(&str) -> String); 2] = [("repeated", repeated), ("distinct", distinct)];
    for (name, make) in variants {
        let mut page = page::page();
        if let Some(text) = page.sheets.first_mut().and_then(|sheet| sheet.text.as_mut()) {
            *text = make(text);
        }
        let Some(request) = plain_request(Operation::Extract, &page) else { return };
        let growth = peak(&page, &request) as f64 / page::bytes(&page) as f64;
        let verdict = if growth <= MAX_GROWTH { "met" } else { "missed" };
        println!(
            "extract of {LARGE_SHEET} bytes of {name} CSS: {growth:.1} bytes for each (goal: at most {MAX_GROWTH}: {verdict})"
        );
    }
}

fn main() {
    made_page();
    // `cargo nextest` runs benches too, once, to see that they work.
    if std::env::args().any(|argument| argument == "--bench") {
        saved_pages();
        large_sheets();
    }
}
