//! The cost of each operation, counted: instructions, allocations and shares of phases under Callgrind, which a busy
//! machine does not change. Needs Valgrind; the pages are those of `LIMNER_CORPUS`, a folder of saved real pages, and
//! one with a framework's stylesheet each.
//!
//! `LIMNER_COST=write` puts the tables into `docs/performance.md`. The same program extracts once, to be profiled, and
//! prints every result, to compare two builds:
//!
//!     cost once OPERATION PAGE [layout]
//!     cost results > FILE

#![expect(clippy::print_stdout, reason = "a benchmark's figures are its output")]

mod callgrind;
#[path = "../formats/corpus.rs"]
#[allow(clippy::unwrap_used, reason = "shared with tests")]
mod corpus;
mod pages;
mod table;

use limner_extract::Options;
use limner_layout::BlitzLayout;
use limner_page::PageSnapshot;
use limner_style::Environment;
use limner_style::layout::{Layout, NoLayout};
use limner_types::{Operation, OperationRequest, WireEnum, request};
use mimalloc::MiMalloc;
use std::hint::black_box;

/// The allocator of the binary.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn parse_request(page: &PageSnapshot, operation: Operation, parameters: &[(&str, &str)]) -> OperationRequest {
    let pairs = [("url", page.url.as_str())].into_iter().chain(parameters.iter().copied());
    let pairs: Vec<_> = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    request::parse(operation, &pairs).expect("a request").request
}

/// The call that is counted, under the name by which Callgrind finds it.
#[inline(never)]
fn counted_call(page: &PageSnapshot, request: &OperationRequest, layout: &dyn Layout) -> usize {
    let options = Options { layout, ..Options::default() };
    black_box(limner_extract::extract_with(black_box(page), request, &options))
        .map_or(0, |extraction| extraction.body.len())
}

/// Extracts once, after a call that fills the tables which a process makes once.
fn extract_once(operation: &str, page: &str, layout: &dyn Layout) {
    let operation = Operation::parse(operation).expect("an operation");
    let warm = pages::small();
    drop(limner_extract::extract(&warm, &parse_request(&warm, operation, &[])));
    drop(layout.boxes(&warm, &Environment::default()));
    let page = pages::by_name(page).expect("a page");
    counted_call(&page, &parse_request(&page, operation, &[]), layout);
}

/// Prints the result of every operation on every page, with the parameters that change most of it.
fn print_results() {
    const FRAMEWORKS: [&str; 6] = ["html", "tailwind", "jsx", "vue", "elementor", "shopify"];
    const FORMATS: [&str; 6] = ["json", "css", "tailwind", "dtcg", "dtcg-resolver", "design-md"];
    for (name, page) in pages::all() {
        for operation in Operation::ALL.iter().copied() {
            let variants: Vec<Vec<(&str, &str)>> = match operation {
                Operation::Code => {
                    let dark = [vec![("theme", "dark")], vec![("scope", "page")]];
                    FRAMEWORKS.map(|framework| vec![("framework", framework)]).into_iter().chain(dark).collect()
                }
                Operation::Extract => {
                    let of_page = vec![("scope", "page")];
                    FORMATS.map(|format| vec![("format", format)]).into_iter().chain([of_page]).collect()
                }
                _ => vec![Vec::new()],
            };
            for parameters in variants {
                let result = limner_extract::extract(&page, &parse_request(&page, operation, &parameters));
                let text = match &result {
                    Ok(extraction) => String::from_utf8_lossy(&extraction.body).into_owned(),
                    Err(fault) => fault.to_string(),
                };
                println!("{name} {operation} {parameters:?}\n{text}");
            }
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["once", operation, page] => extract_once(operation, page, &NoLayout),
        ["once", operation, page, "layout"] => extract_once(operation, page, &BlitzLayout::new(1)),
        ["results", ..] => print_results(),
        // `cargo nextest` runs benches too, once, to see that they work.
        _ if arguments.iter().any(|argument| argument == "--bench") => table::print(),
        _ => extract_once("extract", "small", &NoLayout),
    }
}
