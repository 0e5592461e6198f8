//! Data on the page and in files: JSON-LD, feeds, manifests, animations, archives.

use super::{AUDIO, BRAND, IMAGES, LOTTIE, VIDEOS};
use crate::case::{Case, comma_repeated, nested, repeated};
use crate::page::Page;
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Nodes of a graph of JSON-LD.
const NODES: &[(&str, &str)] = &[
    ("films", r##"{"@type":"VideoObject","@id":"#{i}","contentUrl":"/v{i}.mp4","thumbnailUrl":"/t{i}.png"}"##),
    ("films-same", r#"{"@type":"VideoObject","contentUrl":"/v.mp4"}"#),
    ("chain", r##"{"@type":"VideoObject","@id":"#{i}","contentUrl":"/v{i}.mp4","video":{"@id":"#{next}"}}"##),
    ("ids-same", r##"{"@type":"VideoObject","@id":"#a","contentUrl":"/v{i}.mp4"}"##),
    ("sounds", r#"{"@type":"AudioObject","contentUrl":"/a{i}.mp3","duration":"PT{i}S"}"#),
    (
        "organizations",
        r#"{"@type":"Organization","name":"Org {i}","logo":"/l{i}.png","sameAs":["https://x.com/a{i}"]}"#,
    ),
    (
        "organizations-chain",
        r##"{"@type":"Organization","@id":"#{i}","name":"Org","parentOrganization":{"@id":"#{next}"},"logo":{"@id":"#{next}"}}"##,
    ),
    ("types", r#"{"@type":["T{i}","VideoObject","AudioObject"],"name":"x"}"#),
    ("images", r#"{"@type":"Article","image":["/i{i}.png",{"url":"/j{i}.png"}]}"#),
    ("clips", r#"{"@type":"Clip","partOfVideo":{"@type":"VideoObject","contentUrl":"/v{i}.mp4"}}"#),
];

/// Nesting in JSON.
const JSON: &[(&str, &str)] = &[
    ("arrays", "[{inner}]"),
    ("objects", r#"{"a":{inner}}"#),
    ("mixed", r#"{"a":[{inner}]}"#),
    ("films", r#"{"@type":"VideoObject","contentUrl":"/v{i}.mp4","video":{inner}}"#),
    ("graphs", r#"{"@graph":[{inner}]}"#),
    ("logos", r#"{"@type":"Organization","logo":{inner}}"#),
    ("unclosed", r#"{"a":["#),
];

/// Items of a feed.
const ITEMS: &[(&str, &str)] = &[
    ("enclosures", "<item><title>Part {i}</title><enclosure url='/a{i}.mp3' type='audio/mpeg' length='{i}'/></item>"),
    ("enclosures-same", "<item><enclosure url='/a.mp3' type='audio/mpeg'/></item>"),
    ("enclosures-of-one", "<enclosure url='/a{i}.mp3' type='audio/mpeg'/>"),
    ("media-contents", "<item><media:group><media:content url='/a{i}.mp3' type='audio/mpeg'/></media:group></item>"),
    ("entries", "<entry><link rel='enclosure' href='/a{i}.mp3' type='audio/mpeg'/></entry>"),
    ("titles", "<title>{i}</title>"),
    ("unclosed", "<item><title>"),
    ("unopened", "</item>"),
    ("references", "<title>&amp;&#65;&nope;</title>"),
    ("cdata", "<title><![CDATA[{i}]]></title>"),
    ("comments", "<!-- {i} -->"),
    ("instructions", "<?a {i}?>"),
];

pub(super) fn cases() -> Vec<Case> {
    let mut cases = json_ld();
    cases.extend(feeds());
    cases.extend(animations());
    cases.extend([
        Case::new("data/manifest-icons", &[IMAGES, BRAND], 200, |size| {
            let icons = comma_repeated(r#"{"src":"/i{i}.png","sizes":"1x1 {i}x{i}"}"#, size);
            with_manifest(format!(r#"{{"name":"x","icons":[{icons}]}}"#))
        }),
        Case::new("data/manifest-sizes", &[IMAGES, BRAND], 200, |size| {
            with_manifest(format!(r#"{{"icons":[{{"src":"/i.png","sizes":"{}"}}]}}"#, repeated("{i}x{i} ", size)))
        }),
        Case::new("data/manifest-nested", &[IMAGES, BRAND], 40, |size| {
            with_manifest(format!(r#"{{"icons":{}}}"#, nested("[{inner}]", "1", size)))
        }),
        Case::new("data/manifest-keys", &[IMAGES, BRAND], 200, |size| {
            with_manifest(format!("{{{}}}", comma_repeated(r#""k{i}":"v""#, size)))
        }),
    ]);
    cases
}

fn with_manifest(manifest: String) -> Page {
    Page::of_parts("<link rel=manifest href=m.json>", "").with_file("m.json", manifest)
}

fn json_ld() -> Vec<Case> {
    let subjects = &[AUDIO, VIDEOS, BRAND, IMAGES];
    let script = |json: &str| Page::of_parts(&format!("<script type=application/ld+json>{json}</script>"), "");
    let mut cases = Vec::new();
    for (place, node) in NODES {
        cases.push(Case::new(format!("data/graph-of-{place}"), subjects, 200, move |size| {
            script(&format!(r#"{{"@graph":[{}]}}"#, comma_repeated(node, size)))
        }));
        cases.push(Case::new(format!("data/scripts-of-{place}"), subjects, 100, move |size| {
            Page::of_body(&repeated(&format!("<script type=application/ld+json>{node}</script>"), size))
        }));
    }
    for (place, json) in JSON {
        cases.push(Case::new(format!("data/nested-{place}"), subjects, 20, move |size| {
            script(&nested(json, "1", size))
        }));
    }
    cases.extend([
        Case::new("data/same-as", subjects, 200, move |size| {
            let profiles = comma_repeated(r#""https://twitter.com/u{i}""#, size);
            script(&format!(r#"{{"@type":"Organization","name":"x","sameAs":[{profiles}]}}"#))
        }),
        Case::new("data/keys", subjects, 200, move |size| {
            script(&format!(r#"{{"@type":"Organization",{}}}"#, comma_repeated(r#""k{i}":"/v{i}.mp4""#, size)))
        }),
        Case::new("data/string-long", subjects, 400, move |size| {
            script(&format!(r#"{{"@type":"VideoObject","name":"{}"}}"#, r"\u0041\n".repeat(size)))
        }),
        Case::new("data/number-long", subjects, 400, move |size| {
            script(&format!(r#"{{"@type":"VideoObject","width":{}}}"#, "1".repeat(size)))
        }),
        Case::new("data/duration-long", subjects, 400, move |size| {
            script(&format!(r#"{{"@type":"VideoObject","contentUrl":"/v.mp4","duration":"P{}"}}"#, "1D".repeat(size)))
        }),
        Case::new("data/fan-out", subjects, 20, move |size| {
            let links = comma_repeated(r##"{"@id":"#0"}"##, size);
            let nodes = comma_repeated(
                &format!(r##"{{"@type":"VideoObject","@id":"#{{i}}","contentUrl":"/v{{i}}.mp4","video":[{links}]}}"##),
                10,
            );
            script(&format!(r#"{{"@graph":[{nodes}]}}"#))
        }),
    ]);
    cases
}

fn feeds() -> Vec<Case> {
    let subjects = &[AUDIO];
    let with_feed = |feed: String| {
        Page::of_parts("<link rel=alternate type=application/rss+xml href=f.xml>", "").with_file("f.xml", feed)
    };
    let mut cases = Vec::new();
    for (place, item) in ITEMS {
        cases.push(Case::new(format!("data/feed-{place}"), subjects, 400, move |size| {
            let head = "<rss xmlns:media='http://search.yahoo.com/mrss/'><channel><title>x</title>";
            with_feed(format!("{head}{}</channel></rss>", repeated(item, size)))
        }));
    }
    cases.extend([
        Case::new("data/feed-attributes", subjects, 400, move |size| {
            let attributes = repeated("a{i}='b' ", size);
            with_feed(format!("<rss><channel><item><enclosure {attributes} url='/a.mp3' type='audio/mpeg'/></item></channel></rss>"))
        }),
        Case::new("data/feed-attributes-of-others", subjects, 400, move |size| {
            let attributes = repeated("a{i}='b' ", size);
            with_feed(format!("<rss><channel><x {attributes}/><item><enclosure url='/a.mp3' type='audio/mpeg'/></item></channel></rss>"))
        }),
        Case::new("data/feed-namespaces", subjects, 200, move |size| {
            let (names, uses) = (repeated("xmlns:n{i}='b{i}' ", size), repeated("<n{i}:a></n{i}:a>", size));
            with_feed(format!("<rss {names}><channel>{uses}<item><enclosure url='/a.mp3' type='audio/mpeg'/></item></channel></rss>"))
        }),
        Case::new("data/feed-namespaces-nested", subjects, 40, move |size| {
            with_feed(format!("<rss><channel>{}</channel></rss>", nested("<a xmlns:n{i}='b'>{inner}</a>", "x", size)))
        }),
        Case::new("data/feed-nested", subjects, 40, move |size| {
            with_feed(format!("<rss><channel>{}</channel></rss>", nested("<item>{inner}</item>", "x", size)))
        }),
        Case::new("data/feed-entities", subjects, 3, move |size| {
            let entities: String =
                (1..size.min(60)).map(|i| format!("<!ENTITY e{i} '{}'>", format!("&e{};", i - 1).repeat(10))).collect();
            with_feed(format!("<!DOCTYPE r [<!ENTITY e0 'x'>{entities}]><rss><channel><title>&e{};</title></channel></rss>", size.min(60) - 1))
        }),
        Case::new("data/feed-text-long", subjects, 400, move |size| {
            with_feed(format!("<rss><channel><title>{}</title></channel></rss>", "word &amp; ".repeat(size)))
        }),
        Case::new("data/feed-json", subjects, 400, |size| {
            let items = comma_repeated(r#"{"title":"Part {i}","attachments":[{"url":"/a{i}.mp3","mime_type":"audio/mpeg"}]}"#, size);
            let feed = format!(r#"{{"version":"https://jsonfeed.org/version/1.1","items":[{items}]}}"#);
            Page::of_parts("<link rel=alternate type=application/feed+json href=f.json>", "").with_file("f.json", feed)
        }),
        Case::new("data/feed-json-attachments", subjects, 400, |size| {
            let items = comma_repeated(r#"{"url":"/a{i}.mp3","mime_type":"audio/mpeg"}"#, size);
            let feed = format!(r#"{{"version":"https://jsonfeed.org/version/1.1","items":[{{"attachments":[{items}]}}]}}"#);
            Page::of_parts("<link rel=alternate type=application/feed+json href=f.json>", "").with_file("f.json", feed)
        }),
    ]);
    cases
}

/// An animation with these layers and assets.
fn animation(layers: &str, assets: &str) -> String {
    format!(r#"{{"v":"5","fr":30,"ip":0,"op":60,"w":1,"h":1,"layers":[{layers}],"assets":[{assets}]}}"#)
}

fn animations() -> Vec<Case> {
    let subjects = &[LOTTIE];
    let with_animation =
        |animation: String| Page::of_body("<lottie-player src=a.json></lottie-player>").with_file("a.json", animation);
    let script = |script: String| Page::of_body(&format!("<script>{script}</script>"));
    let layer = r#"{"ty":4,"ind":{i},"parent":{next},"shapes":[{"ty":"gr","it":[]}]}"#;
    vec![
        Case::new("data/animation-layers", subjects, 200, move |size| {
            with_animation(animation(&comma_repeated(layer, size), ""))
        }),
        Case::new("data/animation-assets", subjects, 200, move |size| {
            let assets = comma_repeated(
                r#"{"id":"c{i}","layers":[{"ty":0,"refId":"c{next}"},{"ty":0,"refId":"c{next}"}]}"#,
                size,
            );
            with_animation(animation(r#"{"ty":0,"refId":"c0"}"#, &assets))
        }),
        Case::new("data/animation-images", subjects, 200, move |size| {
            let assets = comma_repeated(r#"{"id":"i{i}","u":"images/","p":"i{i}.png","w":1,"h":1}"#, size);
            with_animation(animation(r#"{"ty":2,"refId":"i0"}"#, &assets))
        }),
        Case::new("data/animation-nested", subjects, 20, move |size| {
            let shapes = nested(r#"{"ty":"gr","it":[{inner}]}"#, "", size);
            with_animation(animation(&format!(r#"{{"ty":4,"shapes":[{shapes}]}}"#), ""))
        }),
        Case::new("data/animation-markers", subjects, 200, move |size| {
            let markers = comma_repeated(r#"{"tm":{i},"cm":"m{i}","dr":1}"#, size);
            with_animation(format!(
                r#"{{"v":"5","fr":30,"ip":0,"op":60,"w":1,"h":1,"layers":[],"markers":[{markers}]}}"#
            ))
        }),
        Case::new("data/animations-in-scripts", subjects, 100, move |size| {
            let one = format!(
                "lottie.loadAnimation({{container:a{{i}},animationData:{}}});",
                r#"{"v":"5","fr":30,"ip":0,"op":{i},"w":1,"h":1,"layers":[]}"#
            );
            script(repeated(&one, size))
        }),
        Case::new("data/script-calls-unclosed", subjects, 200, move |size| {
            script(r#"lottie.loadAnimation({container:a,path:"/x",animationData:{"v":"5","layers":["#.repeat(size))
        }),
        Case::new("data/script-objects-unclosed", subjects, 200, move |size| {
            script(r#"{"v":"5","layers":[{"ty":4}],"#.repeat(size))
        }),
        Case::new("data/script-paths", subjects, 200, move |size| {
            script(repeated(r#"lottie.loadAnimation({path:"/a{i}.json"});"#, size))
        }),
        Case::new("data/script-braces", subjects, 400, move |size| script("lottie{".repeat(size))),
        Case::new("data/script-quotes", subjects, 400, move |size| script("lottie'\\'\"`${".repeat(size))),
        Case::new("data/script-json", &[LOTTIE, VIDEOS, AUDIO, IMAGES], 200, |size| {
            let json = comma_repeated(r#""/v{i}.mp4""#, size);
            Page::of_body(&format!("<script type=application/json>[{json}]</script>"))
        }),
        Case::new("data/archive-animations", subjects, 20, |size| {
            let entries = (0..size).map(|i| (format!("animations/a{i}.json"), animation("", "")));
            with_archive(size, entries)
        }),
        Case::new("data/archive-entries", subjects, 100, |size| {
            let entries = (0..size).map(|i| (format!("images/i{i}.png"), "x".to_owned()));
            with_archive(1, entries.chain([("animations/a0.json".to_owned(), animation("", ""))]))
        }),
        Case::new("data/archive-images", subjects, 20, |size| {
            let assets = comma_repeated(r#"{"id":"i{i}","u":"","p":"i{i}.png","w":1,"h":1}"#, size);
            let entries = (0..size).map(|i| (format!("images/i{i}.png"), "x".repeat(1_000)));
            with_archive(1, entries.chain([("animations/a0.json".to_owned(), animation("", &assets))]))
        }),
        Case::new("data/archive-images-same", subjects, 20, |size| {
            let assets = comma_repeated(r#"{"id":"i{i}","u":"","p":"i.png","w":1,"h":1}"#, size);
            let entries = [("images/i.png", "x".repeat(10_000)), ("animations/a0.json", animation("", &assets))];
            with_archive(1, entries.map(|(name, text)| (name.to_owned(), text)).into_iter())
        }),
        Case::new("data/archive-padding", subjects, 2_000, |size| {
            let padded = animation(&" ".repeat(size), "");
            with_archive(20, (0..20).map(move |i| (format!("animations/a{i}.json"), padded.clone())))
        }),
        Case::new("data/archive-names-long", subjects, 20, |size| {
            let entries = (0..20).map(move |i| (format!("images/{}{i}", "a/".repeat(size)), "x".to_owned()));
            with_archive(1, entries.chain([("animations/a0.json".to_owned(), animation("", ""))]))
        }),
        Case::new("data/archives-same", subjects, 20, |size| {
            let page = with_archive(20, (0..20).map(|i| (format!("animations/a{i}.json"), animation("", ""))));
            let players = "<dotlottie-player src=a.lottie></dotlottie-player>".repeat(size);
            Page { html: Page::of_body(&players).html, ..page }
        }),
    ]
}

/// A page with an archive whose manifest names so many animations.
fn with_archive(animations: usize, entries: impl Iterator<Item = (String, String)>) -> Page {
    let manifest = format!(r#"{{"version":"1","animations":[{}]}}"#, comma_repeated(r#"{"id":"a{i}"}"#, animations));
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in std::iter::once(("manifest.json".to_owned(), manifest)).chain(entries) {
        let written =
            archive.start_file(name, SimpleFileOptions::default()).map(|()| archive.write_all(text.as_bytes()));
        assert!(matches!(written, Ok(Ok(()))), "an archive in memory");
    }
    let bytes = archive.finish().map(Cursor::into_inner).unwrap_or_default();
    Page::of_body("<dotlottie-player src=a.lottie></dotlottie-player>").with_file("a.lottie", bytes)
}
