//! Lists of candidates and sizes of pictures: listed, chosen, and written into code.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use limner_extract::required_images;
use limner_fuzz::input::fields;
use limner_fuzz::markup::escape;
use limner_fuzz::page::{call, json, page};
use limner_page::WorkBudget;
use limner_types::Operation;
use url::Url;

fuzz_target!(|data: &[u8]| -> Corpus {
    let fields = fields(data);
    let field = |at: usize| fields.get(at).map(|field| escape(field)).unwrap_or_default();
    let (srcset, sizes, media) = (field(0), field(1), field(2));
    let html = format!(
        "<!doctype html><main><section><h1>Pictures of it</h1><picture><source srcset=\"{srcset}\" sizes=\"{sizes}\" media=\"{media}\"><img srcset=\"{srcset}\" sizes=\"{sizes}\"></picture>\
         <img data-srcset=\"{srcset}\" src=\"{srcset}\" loading=lazy><link rel=preload as=image imagesrcset=\"{srcset}\" imagesizes=\"{sizes}\"></section></main>"
    );
    let page = page(&html);
    let listed = json(&page, &call(Operation::Images, &[])).expect("a list of pictures");
    for image in listed["images"].as_array().expect("a list") {
        let url = image["url"].as_str().expect("an address");
        assert!(Url::parse(url).is_ok(), "{url} is not absolute");
    }
    let _ = required_images(Operation::Code, &page, &WorkBudget::default());
    json(&page, &call(Operation::Code, &[("framework", "html")]));
    Corpus::Keep
});
