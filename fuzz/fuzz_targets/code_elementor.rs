//! `/code` as an Elementor template: JSON with a block of markup in which nothing is a shortcode.
#![no_main]

use libfuzzer_sys::fuzz_target;
use limner_fuzz::markup;
use limner_fuzz::texts::Texts;
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    let texts = Texts::read(data);
    let emitted = texts.emitted("elementor").expect("the section is there");
    let template: Value = serde_json::from_str(emitted["code"].as_str().expect("code")).expect("a template is JSON");
    let block = template["content"][0]["elements"][0]["settings"]["html"].as_str().expect("a block of markup");
    let (_, markup) = block.split_once("</style>").expect("a sheet");
    assert!(!markup.contains('['), "a shortcode in {markup}");
    markup::check(&texts, block);
});
