//! Drawings: in a page, in a sprite and in a file. Markup that is given out is well-formed XML.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use limner_fuzz::input::choice_and_text;
use limner_fuzz::page::{add_resource, answer, call, json, page};
use limner_types::Operation;

const SPRITE: &str = "https://page.example/dir/sprite.svg";

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some((choice, text)) = choice_and_text(data) else { return Corpus::Reject };
    let mut page = match choice % 3 {
        0 => page(&text),
        1 => page(&format!("<svg id=s viewBox='0 0 1 1'>{text}</svg><svg><use href=#s /><use href=#a /></svg>")),
        _ => {
            page("<svg><use href='sprite.svg#a'/></svg><svg><use xlink:href='sprite.svg#b'/></svg><img src=sprite.svg>")
        }
    };
    add_resource(&mut page, SPRITE, "image/svg+xml", text.as_bytes());
    let listed = json(&page, &call(Operation::Svg, &[])).expect("a list of drawings");
    for svg in listed["svgs"].as_array().expect("a list") {
        let Some(code) = svg["code"].as_str() else { continue };
        let options = roxmltree::ParsingOptions { allow_dtd: false, nodes_limit: 1_000_000, ..Default::default() };
        let parsed = roxmltree::Document::parse_with_options(code, options);
        let document = parsed.unwrap_or_else(|fault| panic!("{fault} in {code}"));
        for element in document.descendants().filter(roxmltree::Node::is_element) {
            let name = element.tag_name().name().to_ascii_lowercase();
            assert!(name != "script", "a script in {code}");
            let handler = element.attributes().find(|own| own.name().to_ascii_lowercase().starts_with("on"));
            assert!(handler.is_none(), "{handler:?} in {code}");
        }
    }
    if choice >= 128 {
        let framework = if choice % 2 == 0 { "html" } else { "jsx" };
        answer(&page, &call(Operation::Code, &[("framework", framework), ("selector", "body")]));
        answer(&page, &call(Operation::Brand, &[]));
    }
    Corpus::Keep
});
