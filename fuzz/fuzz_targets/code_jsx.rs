//! `/code` as a React component: whatever a page says is in its strings as it was, and nothing of it is code.
#![no_main]

use libfuzzer_sys::fuzz_target;
use limner_fuzz::jsx;
use limner_fuzz::texts::Texts;

fuzz_target!(|data: &[u8]| {
    let texts = Texts::read(data);
    let emitted = texts.emitted("jsx").expect("the section is there");
    jsx::check(&texts, emitted["code"].as_str().expect("code"));
});
