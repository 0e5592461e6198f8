//! Tests images whose file only the copy for visitors without scripts names.

use super::{ask_of, attributes, page_of};
use limner_types::Theme;

const BLANK: &str = "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' alt='A boat'>";

#[test]
fn placeholders_show_the_image_of_the_noscript_after_them() {
    for (inside, src, srcset) in [
        (
            format!("{BLANK}<noscript><img alt='A boat' srcset='/b.jpg 1x, c.jpg 2x' src='b.jpg' loading=lazy></noscript>"),
            Some("https://a.test/b.jpg"),
            Some("https://a.test/b.jpg 1x, https://a.test/c.jpg 2x"),
        ),
        (
            format!("{BLANK}\n<noscript><picture><source srcset=b.webp><img src=b.jpg></picture></noscript>"),
            Some("https://a.test/b.jpg"),
            None,
        ),
        // Its own script loads another file.
        (
            "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' data-src=own.jpg alt=''><noscript><img src=b.jpg></noscript>"
                .to_owned(),
            Some("https://a.test/own.jpg"),
            None,
        ),
        ("<img src=own.jpg alt=''><noscript><img src=b.jpg></noscript>".to_owned(), Some("https://a.test/own.jpg"), None),
        // Not a copy of the image.
        (format!("{BLANK}<noscript><img src=1.gif width=1 height=1></noscript>"), None, None),
        (format!("{BLANK}<noscript><img src=b.jpg><img src=c.jpg></noscript>"), None, None),
        (format!("{BLANK}<p>Words</p><noscript><img src=b.jpg></noscript>"), None, None),
        (format!("{BLANK}<noscript><p>Turn on scripts</p></noscript>"), None, None),
    ] {
        let html = format!("<!doctype html><body><main class=h><h1>Words on a page</h1>{inside}</main>");
        let result = ask_of(&page_of(html, ""), Some(".h"), Theme::Light).unwrap();
        let code = result["code"].as_str().unwrap();
        let sources = attributes(code, "img", "src");
        assert_eq!(sources.len(), 1, "{code}");
        match src {
            Some(src) => assert_eq!(sources[0], src, "{code}"),
            None => assert!(sources[0].starts_with("data:"), "{inside}: {code}"),
        }
        assert_eq!(attributes(code, "*", "srcset"), Vec::from_iter(srcset), "{code}");
    }
}
