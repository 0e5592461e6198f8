//! Lottie animations: JSON in a file, in the page and in its scripts.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use limner_fuzz::input::choice_and_text;
use limner_fuzz::page::{add_resource, answer, call, page};
use limner_types::Operation;

const FILE: &str = "https://page.example/dir/a.json";

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some((choice, text)) = choice_and_text(data) else { return Corpus::Reject };
    let html = match choice % 3 {
        0 => "<lottie-player src=a.json></lottie-player>".to_owned(),
        1 => format!("<script>{text}</script><div data-animation-path=a.json></div>"),
        _ => format!("<script>lottie.loadAnimation({{path:'a.json',animationData:{text}}})</script>"),
    };
    let mut page = page(&html);
    add_resource(&mut page, FILE, "application/json", text.as_bytes());
    answer(&page, &call(Operation::Lottie, &[])).expect("a list of animations");
    Corpus::Keep
});
