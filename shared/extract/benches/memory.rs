//! The memory that one call of each list operation takes, in bytes for each byte of the page's HTML and CSS. It shall stay
//! in proportion to the page.
//!
//! Apart from the speed of the same calls: an allocator that counts takes a seventh of their time.

#![expect(clippy::print_stdout, reason = "a benchmark's figures are its output")]

mod page;

use peak_alloc::PeakAlloc;
use std::hint::black_box;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The most that one call has on the heap at once, the page itself left out.
fn peak(call: impl FnOnce()) -> usize {
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    call();
    HEAP.peak_usage().saturating_sub(before)
}

fn main() {
    let page = page::page();
    let bytes = page::bytes(&page);
    println!("one page of {bytes} bytes of HTML and CSS");
    for (operation, request) in page::requests(&page) {
        let memory = peak(|| drop(black_box(limner_extract::extract(black_box(&page), &request)))) as f64;
        println!("{operation}: {:.1} bytes of memory for each byte of the page", memory / bytes as f64);
    }
}
