//! Podcast feeds: RSS, Atom, JSON Feed, in any encoding.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use limner_fuzz::page::{add_resource, call, json, page};
use limner_types::Operation;
use url::Url;

const FEED: &str = "https://page.example/dir/feed.xml";

fuzz_target!(|data: &[u8]| -> Corpus {
    let mut page = page("<link rel=alternate type=application/rss+xml href=feed.xml>");
    add_resource(&mut page, FEED, "application/rss+xml", data);
    let listed = json(&page, &call(Operation::Audio, &[])).expect("a list of sounds");
    for sound in listed["audio"].as_array().expect("a list") {
        let url = sound["url"].as_str().expect("an address");
        let scheme = Url::parse(url).map(|url| url.scheme().to_owned());
        assert!(matches!(scheme.as_deref(), Ok("http" | "https")), "{url} is no address of a file");
        let duration = sound["durationSeconds"].as_f64();
        assert!(duration.is_none_or(|seconds| seconds >= 0.0), "{duration:?}");
    }
    Corpus::Keep
});
