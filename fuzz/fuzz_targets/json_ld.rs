//! JSON-LD, and other JSON that pages carry in scripts.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use limner_fuzz::input::choice_and_text;
use limner_fuzz::page::{answer, call, page};
use limner_types::Operation;

const OPERATIONS: [Operation; 5] =
    [Operation::Videos, Operation::Audio, Operation::Brand, Operation::Images, Operation::Lottie];

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some((choice, text)) = choice_and_text(data) else { return Corpus::Reject };
    let kind = if choice < 192 { "application/ld+json" } else { "application/json" };
    let page = page(&format!("<!doctype html><title>T</title><script type={kind}>{text}</script><p>Text</p>"));
    answer(&page, &call(OPERATIONS[usize::from(choice) % OPERATIONS.len()], &[]));
    Corpus::Keep
});
