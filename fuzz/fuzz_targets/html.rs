//! Documents: any bytes as a page, read by the operation that the first byte chooses.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use limner_fuzz::page::{answer, chosen_call, page};
use limner_page::charset::decode_html;
use limner_page::media_type::MediaType;

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some((choice, bytes)) = data.split_first() else { return Corpus::Reject };
    let html = decode_html(bytes, &MediaType::default(), Some("page.example")).text;
    let (page, call) = (page(&html), chosen_call(*choice));
    let first = answer(&page, &call);
    if bytes.len() % 8 == 0 {
        assert!(first == answer(&page, &call), "the same page gives another answer");
    }
    Corpus::Keep
});
