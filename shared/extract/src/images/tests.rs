use super::*;
use crate::test_pages::{PAGE_URL, add_resource, page, result};
use limner_types::Operation;
use proptest::prelude::*;
use serde_json::{Value, json};

fn images(html: &str) -> Value {
    result(Operation::Images, &page(html))["images"].clone()
}

#[test]
fn one_item_per_address() {
    let url = "https://page.example/a.png";
    for (html, expected) in [
        ("<img src=/a.png><img src='/a.png#x'>", json!([{"url": url, "source": "img"}])),
        (
            "<link rel=icon href=/a.png sizes=9x8><img src=/a.png alt=''><p style='background:url(/a.png)'>",
            json!([{"url": url, "source": "img", "sources": ["img", "css", "favicon"], "alt": "", "width": 9, "height": 8}]),
        ),
        ("<img src=/a.png alt=''><img src=/a.png alt=Words>", json!([{"url": url, "source": "img", "alt": "Words"}])),
        (
            "<picture><source media=print srcset='/a.png 2x'><img src=/a.png></picture>",
            json!([{"url": url, "source": "img", "sources": ["img", "picture"], "descriptor": "2x"}]),
        ),
        (
            "<style>@media print{a{background:url(/a.png)}}</style><p style='background:url(/a.png)'>",
            json!([{"url": url, "source": "css"}]),
        ),
    ] {
        assert_eq!(images(html), expected, "{html}");
    }
}

#[test]
fn parts_of_data_addresses_are_kept_and_giants_left_out() {
    let html = "<img src=\"data:image/svg+xml,<svg fill='#f00'/>\">";
    assert_eq!(images(html)[0]["url"], "data:image/svg+xml,<svg fill='#f00'/%3E", "as browsers write it");
    assert_eq!(images("<link rel=icon href='data:,'><link rel=icon href='data:image/png;base64,'>"), json!([]));
    let giant = format!("<img src=a.png><img src='data:image/png;base64,{}'>", "A".repeat(MAX_DATA_URL_BYTES));
    let result = result(Operation::Images, &page(&giant));
    assert_eq!((result["count"].as_u64(), result["truncated"].as_bool()), (Some(1), Some(true)));
}

#[test]
fn an_address_that_is_an_image_is_the_one_item() {
    let mut file = page("");
    file.content_type = "image/webp".to_owned();
    let result = result(Operation::Images, &file);
    assert_eq!(result["images"], json!([{"url": file.url, "source": "img", "type": "image/webp"}]));
}

#[test]
fn an_image_is_as_large_as_its_first_bytes_say() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x02\0\0\0";
    let gif = b"GIF89a\x0a\0\x14\0\x80\0\0";
    let webp = b"RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x3f\x01\0\xef\0\0";
    let jpeg = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x11\x08\0\x40\0\x30\x03\x01\x22\0";
    for (bytes, expected) in [
        (&png[..], json!([640, 480])),
        (gif, json!([10, 20])),
        (webp, json!([320, 240])),
        (jpeg, json!([48, 64])),
        (&png[..12], json!([null, null])),
        (b"<svg/>", json!([null, null])),
        (b"", json!([null, null])),
    ] {
        let mut file = page("");
        file.content_type = "image/png".to_owned();
        add_resource(&mut file, PAGE_URL, "image/png", "");
        file.resources.get_mut(PAGE_URL).unwrap().body = bytes.to_vec();
        let image = result(Operation::Images, &file)["images"][0].clone();
        assert_eq!(json!([image["width"], image["height"]]), expected, "{bytes:?}");
    }
}

#[test]
fn a_whole_page() {
    let mut page = page(include_str!("../../tests/pages/shop.html"));
    let manifest = r#"{"icons":[{"src":"icon-512.png","sizes":"512x512","type":"image/png","purpose":"any"}]}"#;
    add_resource(&mut page, "https://page.example/app/manifest.json", "application/json", manifest);
    insta::assert_json_snapshot!(result(Operation::Images, &page));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_markup_never_panics(html in "(?s)(<(img|source|link|meta|picture|noscript|svg|style|base)[ =\"'a-z/:.,0-9>]{0,40}|srcset=|url\\(|image-set\\(|.){0,40}") {
        let page = page(&html);
        let _ = crate::needs(Operation::Images, &page);
        result(Operation::Images, &page);
    }

    #[test]
    fn arbitrary_bytes_have_a_size_or_none(bytes in "(?s)(\\x89PNG|GIF89a|RIFF....WEBPVP8[ LX]|BM|ftyp(avif|heic)|ispe|.){0,60}") {
        let _ = dimensions(bytes.as_bytes());
    }

    #[test]
    fn arbitrary_css_never_panics(css in "(?s)([{}();:,@'\"!\\\\/*]|url\\(|image-set\\(|background|--x|@media|@import|a|1x|#|.){0,60}") {
        let page = page(&format!("<p style=\"{css}\"><style>{css}</style>"));
        result(Operation::Images, &page);
    }
}
