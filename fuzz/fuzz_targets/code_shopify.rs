//! `/code` as a Shopify section: rendered as a shop would, whatever a page says is there as it was.
#![no_main]

use libfuzzer_sys::fuzz_target;
use limner_fuzz::shopify;
use limner_fuzz::texts::Texts;

fuzz_target!(|data: &[u8]| {
    let texts = Texts::read(data);
    let emitted = texts.emitted("shopify").expect("the section is there");
    shopify::check(&texts, emitted["code"].as_str().expect("code"));
});
