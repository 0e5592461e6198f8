//! `/code` as a Vue component: whatever a page says is in the template as it was, and nothing of it is code.
#![no_main]

use libfuzzer_sys::fuzz_target;
use limner_fuzz::texts::Texts;
use limner_fuzz::vue;

fuzz_target!(|data: &[u8]| {
    let texts = Texts::read(data);
    let emitted = texts.emitted("vue").expect("the section is there");
    vue::check(&texts, emitted["code"].as_str().expect("code"));
});
