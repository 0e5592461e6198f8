//! `data:` addresses: read, and in each place of a page that may have one.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use limner_fuzz::input::choice_and_text;
use limner_fuzz::markup::escape;
use limner_fuzz::page::{answer, chosen_call, page};
use limner_page::data_url::DataUrl;
use url::Url;

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some((choice, text)) = choice_and_text(data) else { return Corpus::Reject };
    let address = format!("data:{text}");
    if let Ok(url) = Url::parse(&address)
        && let Some(read) = DataUrl::parse(&url)
    {
        assert!(read.media_type.essence.contains('/'));
        assert!(read.bytes.len() <= url.as_str().len());
    }
    let address = escape(&address);
    let html = format!(
        "<link rel=icon href=\"{address}\"><link rel=manifest href=\"{address}\"><meta property=og:image content=\"{address}\"><main><section><h1>Title of it</h1>\
         <img src=\"{address}\"><svg><image href=\"{address}\"/><use href=\"{address}#a\"/></svg><a href=\"{address}\">a</a><video src=\"{address}\" poster=\"{address}\"></video>\
         <lottie-player src=\"{address}\"></lottie-player><p style=\"background:url('{address}')\">p</p></section></main>"
    );
    answer(&page(&html), &chosen_call(choice));
    Corpus::Keep
});
