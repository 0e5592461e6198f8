//! `/code` as html: whatever a page says is in the markup as it was, and nothing of it is markup.
#![no_main]

use libfuzzer_sys::fuzz_target;
use limner_fuzz::markup;
use limner_fuzz::texts::Texts;

fuzz_target!(|data: &[u8]| {
    let texts = Texts::read(data);
    let emitted = texts.emitted("html").expect("the section is there");
    markup::check(&texts, emitted["code"].as_str().expect("code"));
    markup::check_document(&texts, emitted["preview"].as_str().expect("a document"));
});
