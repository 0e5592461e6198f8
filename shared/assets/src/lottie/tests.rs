use crate::test_support::media_pages::{answer, items, page, with_file};
use crate::test_support::required_subresources;
use limner_page::PageSnapshot;
use limner_types::Operation::Lottie;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const ANIMATION: &str =
    r#"{"v":"5.9.0","nm":"Demo","fr":25,"ip":0,"op":50,"w":100,"h":200,"layers":[{"ty":3,"ip":0,"op":50,"ks":{}}]}"#;
const FILE: &str = "https://www.site.test/dir/a.json";

fn with_animation(html: &str) -> PageSnapshot {
    with_file(page(html), FILE, ANIMATION)
}

#[test]
fn animations_are_found_in_all_places() {
    for (html, source) in [
        ("<lottie-player src=a.json></lottie-player>", "lottie-player"),
        ("<dotlottie-player src=a.json></dotlottie-player>", "dotlottie"),
        ("<dotlottie-wc src=a.json></dotlottie-wc>", "dotlottie"),
        ("<div data-animation-type=lottie data-src=a.json></div>", "webflow"),
        ("<div data-animation-path=a.json></div>", "attribute"),
        ("<div data-bm-path=a.json></div>", "attribute"),
        (
            "<div class=elementor-lottie data-settings='{\"source_json\":{\"url\":\"https:\\/\\/www.site.test\\/dir\\/a.json\"}}'></div>",
            "attribute",
        ),
        ("<script>lottie.loadAnimation({path: 'a.json'})</script>", "script"),
        ("<script>var p = 'a.json'; bodymovin.loadAnimation({path: p})</script>", "script"),
        ("<script type=module>new DotLottie({src: \"a.json\"})</script>", "dotlottie"),
        ("<link rel=preload as=fetch href=a.json>", "link"),
        ("<noscript><lottie-player src=a.json></lottie-player></noscript>", "lottie-player"),
        ("<link rel=preload as=fetch href=a.json><lottie-player src=a.json></lottie-player>", "lottie-player"),
    ] {
        assert_eq!(required_subresources(Lottie, &page(html)), [FILE], "{html}");
        let page = with_animation(html);
        assert!(required_subresources(Lottie, &page).is_empty(), "{html}");
        let found = items(Lottie, &page);
        assert_eq!(found.len(), 1, "{html}");
        assert_eq!((&found[0]["source"], &found[0]["url"]), (&json!(source), &json!(FILE)), "{html}");
        assert_eq!((&found[0]["format"], &found[0]["valid"]), (&json!("json"), &json!(true)), "{html}");
    }
}

#[test]
fn links_to_animation_files_are_required_subresources() {
    for (link, file) in [
        ("<a href=hello.lottie>x</a>", "https://www.site.test/dir/hello.lottie"),
        ("<a href=/lottie/hello.json>x</a>", "https://www.site.test/lottie/hello.json"),
        ("<area href=//lottie.host/1/2.json>", "https://lottie.host/1/2.json"),
        ("<link rel=prefetch href=hello.json>", "https://www.site.test/dir/hello.json"),
    ] {
        assert_eq!(required_subresources(Lottie, &page(link)), [file], "{link}");
        let found = items(Lottie, &with_file(page(link), file, ANIMATION));
        // The file name is not used to decide about the content.
        assert_eq!(found.len(), 1, "{link}");
        assert_eq!((&found[0]["url"], &found[0]["source"]), (&json!(file), &json!("link")), "{link}");
        assert_eq!((&found[0]["format"], &found[0]["valid"]), (&json!("json"), &json!(true)), "{link}");
    }
    assert!(
        required_subresources(Lottie, &page("<a href=data.json>x</a><link rel=alternate href=data.json>")).is_empty()
    );
}

#[test]
fn inline_animations_are_found() {
    for html in [
        format!("<script type=application/json>{ANIMATION}</script>"),
        format!("<script type=application/json>{{\"props\":[{ANIMATION}]}}</script>"),
        format!("<script>lottie.loadAnimation({{animationData: {ANIMATION}}})</script>"),
        format!("<lottie-player src='{ANIMATION}'></lottie-player>"),
        format!("<script>lottie.x = [{ANIMATION}, {ANIMATION}]</script>"),
    ] {
        let found = items(Lottie, &page(&html));
        assert_eq!(found.len(), 1, "{html}");
        assert_eq!((&found[0]["url"], &found[0]["format"]), (&Value::Null, &json!("inline")), "{html}");
        assert_eq!(found[0]["animation"], serde_json::from_str::<Value>(ANIMATION).unwrap(), "{html}");
    }
}

#[test]
fn files_of_other_kinds_are_not_listed_as_animations() {
    for html in [
        "",
        "<lottie-player></lottie-player>",
        "<lottie-player src=''></lottie-player>",
        "<lottie-player src='{broken'></lottie-player>",
        "<script type=application/json>{\"layers\":[],\"op\":1}</script>",
        "<script type=application/ld+json>{\"@type\":\"Thing\"}</script>",
        "<script src=lottie.js></script>",
        "<a href=/data.json>x</a>",
        "<div data-lottie=true></div>",
        "<template><lottie-player src=a.json></lottie-player></template>",
    ] {
        assert!(items(Lottie, &page(html)).is_empty(), "{html}");
        assert!(required_subresources(Lottie, &page(html)).is_empty(), "{html}");
    }
    // Mere candidates are requested, and ignored if they are something else.
    let preloaded = "<link rel=preload as=fetch href=a.json>";
    assert_eq!(required_subresources(Lottie, &page(preloaded)), [FILE]);
    assert!(items(Lottie, &with_file(page(preloaded), FILE, "{\"messages\":[]}")).is_empty());
}

#[test]
fn unreadable_animations_of_players_have_a_problem() {
    let html = "<lottie-player src=a.json></lottie-player>";
    let deep = format!("{{\"layers\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
    let huge = format!("{{\"layers\":[\"{}\"]}}", "x".repeat(50_000_000));
    for (body, problem) in [
        ("".to_owned(), "The file is not JSON."),
        ("<html></html>".to_owned(), "The file is not JSON."),
        ("{\"a\":1}".to_owned(), "The JSON is not a Lottie animation: it has no layers and timing."),
        ("[]".to_owned(), "The JSON is not a Lottie animation: it has no layers and timing."),
        (deep, "The JSON is nested too deeply."),
        (huge, "The file goes past the limits: at most 8 MB of one animation are read."),
        ("PK\u{3}\u{4}rubbish".to_owned(), "The file is not a readable .lottie archive."),
    ] {
        let found = items(Lottie, &with_file(page(html), FILE, body));
        assert_eq!((&found[0]["valid"], &found[0]["problems"]), (&json!(false), &json!([problem])));
        assert_eq!(
            (&found[0]["animation"], &found[0]["width"], &found[0]["layers"]),
            (&Value::Null, &Value::Null, &Value::Null)
        );
    }
    let unread = items(Lottie, &page(html));
    assert_eq!(unread[0]["problems"], json!(["The file could not be read."]));
    let mut cut = with_animation(html);
    cut.resources.get_mut(FILE).unwrap().truncated = true;
    assert_eq!(
        items(Lottie, &cut)[0]["problems"],
        json!(["The file goes past the limits: at most 8 MB of one animation are read."])
    );
}

#[test]
fn results_without_all_animations_are_truncated() {
    let players = |count: usize| -> String {
        (0..count).map(|n| format!("<lottie-player src={n}.json></lottie-player>")).collect()
    };
    for (files, count, truncated) in [(40, 40, json!(null)), (41, 41, json!(true)), (300, 200, json!(true))] {
        let result = answer(Lottie, &page(&players(files)));
        assert_eq!((&result["count"], &result["truncated"]), (&json!(count), &truncated), "{files} files");
    }
}

#[test]
fn older_files_are_reported_not_dropped() {
    let old =
        r#"{"v":"4.5.9","fr":30,"ip":0,"op":30,"w":10,"h":10,"layers":[{"ty":3,"ip":0,"op":30,"ks":{"o":{"k":100}}}]}"#;
    let found = items(Lottie, &with_file(page("<lottie-player src=a.json></lottie-player>"), FILE, old));
    assert_eq!((&found[0]["valid"], &found[0]["durationSeconds"]), (&json!(false), &json!(1)));
    assert_eq!(found[0]["problems"], json!(["/layers/0/ks/o: a property lacks `a`"]));
    assert_eq!(found[0]["animation"]["v"], "4.5.9");
}

#[test]
fn files_of_players_are_needed_first() {
    let preloads: String = (0..100).map(|n| format!("<link rel=preload as=fetch href={n}.json>")).collect();
    let mut page = page(&format!("{preloads}<lottie-player src=a.json></lottie-player>"));
    let first = required_subresources(Lottie, &page);
    assert_eq!((first.len(), first[0].as_str()), (40, FILE));
    for url in first {
        page = with_file(page, &url, ANIMATION);
    }
    assert!(required_subresources(Lottie, &page).is_empty());
}

#[test]
fn animations_loaded_by_the_browser_are_listed() {
    let mut page = page("<div id=x></div>");
    for (url, media_type) in [
        (FILE, "application/json"),
        ("https://x.test/lottie.min.js", "text/javascript"),
        ("https://x.test/api", "application/json"),
    ] {
        page.network.insert(url.to_owned(), media_type.to_owned());
    }
    assert_eq!(required_subresources(Lottie, &page), [FILE]);
    let found = items(Lottie, &with_file(page, FILE, ANIMATION));
    assert_eq!((found.len(), &found[0]["source"]), (1, &json!("script")));
}

#[test]
fn frames_of_lottie_host_lead_to_their_file() {
    let url = "https://lottie.host/4db68bbd/abc.json";
    let html = "<iframe src=https://lottie.host/embed/4db68bbd/abc.json></iframe>";
    assert_eq!(required_subresources(Lottie, &page(html)), [url]);
    assert_eq!(items(Lottie, &with_file(page(html), url, ANIMATION))[0]["url"], url);
}

#[test]
fn lottie_result_has_the_documented_shape() {
    insta::assert_json_snapshot!(answer(
        Lottie,
        &with_animation("<lottie-player src=a.json></lottie-player><lottie-player src=b.json></lottie-player>")
    ));
}

// Archives.

const ARCHIVE: &str = "https://www.site.test/dir/a.lottie";

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn unpacked(archive: Vec<u8>) -> Vec<Value> {
    items(Lottie, &with_file(page("<dotlottie-wc src=a.lottie></dotlottie-wc>"), ARCHIVE, archive))
}

fn problem(archive: Vec<u8>) -> String {
    let found = unpacked(archive);
    assert_eq!((found.len(), &found[0]["format"], &found[0]["animation"]), (1, &json!("dotlottie"), &Value::Null));
    found[0]["problems"][0].as_str().unwrap().to_owned()
}

#[test]
fn archives_of_both_dotlottie_versions_are_read() {
    let with_image = r#"{"v":"5.9.0","fr":25,"ip":0,"op":50,"w":1,"h":1,"layers":[],"assets":[{"id":"i","w":1,"h":1,"u":"/images/","p":"img_0.png","e":0}]}"#;
    for (manifest, folder, images) in [
        (r#"{"version":"1.0","animations":[{"id":"two"},{"id":"one"}]}"#, "animations", "images"),
        (r#"{"version":"2","animations":[{"id":"two"},{"id":"one"}]}"#, "a", "i"),
    ] {
        let archive = zip(&[
            ("manifest.json", manifest.as_bytes()),
            (&format!("{folder}/one.json"), ANIMATION.as_bytes()),
            (&format!("{folder}/two.json"), with_image.as_bytes()),
            (&format!("{images}/img_0.png"), b"PNG"),
        ]);
        let found = unpacked(archive);
        let ids: Vec<&str> = found.iter().map(|item| item["id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["two", "one"]);
        let expected = json!({ "id": "i", "w": 1, "h": 1, "u": "", "p": "data:image/png;base64,UE5H", "e": 1 });
        assert_eq!(found[0]["animation"]["assets"][0], expected);
        assert_eq!((&found[1]["valid"], &found[1]["url"]), (&json!(true), &json!(ARCHIVE)));
    }
}

#[test]
fn incomplete_archives_are_reported() {
    let without_manifest = zip(&[("animations/x.json", ANIMATION.as_bytes())]);
    assert_eq!(unpacked(without_manifest)[0]["id"], "x");
    let broken_manifest = zip(&[("manifest.json", b"{"), ("a/x.json", ANIMATION.as_bytes())]);
    assert_eq!(unpacked(broken_manifest)[0]["id"], "x");
    let missing = zip(&[("manifest.json", br#"{"animations":[{"id":"gone"}]}"#)]);
    assert_eq!(problem(missing), "The archive lacks the animation that its manifest names.");
    assert_eq!(problem(zip(&[("readme.txt", b"x")])), "The archive has no animations.");
    assert_eq!(problem(zip(&[])), "The archive has no animations.");
    let mut cut = zip(&[("a/x.json", ANIMATION.as_bytes())]);
    cut.truncate(cut.len() - 30);
    assert_eq!(problem(cut), "The file is not a readable .lottie archive.");
}

#[test]
fn hostile_archives_are_refused() {
    let climbing = zip(&[("../../etc/passwd", b"x"), ("a/x.json", ANIMATION.as_bytes())]);
    assert_eq!(problem(climbing), "The archive has entries with unsafe paths.");
    assert_eq!(problem(zip(&[("/a/x.json", ANIMATION.as_bytes())])), "The archive has entries with unsafe paths.");
    let too_large = "The archive goes past the limits on entries, size or compression ratio.";
    let bomb = zip(&[("a/x.json", &vec![b' '; 100_000_000])]);
    assert!(bomb.len() < 200_000);
    assert_eq!(problem(bomb), too_large);
    let names: Vec<String> = (0..600).map(|n| format!("a/{n}.json")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), ANIMATION.as_bytes())).collect();
    assert_eq!(problem(zip(&entries)), too_large);
    let nested = zip(&[
        ("manifest.json", br#"{"animations":[{"id":"x"}]}"#),
        ("a/x.json", &zip(&[("a/y.json", ANIMATION.as_bytes())])),
    ]);
    assert_eq!(problem(nested), "The file is not JSON.");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn arbitrary_pages_do_not_panic_the_lottie_reader(value in ".{0,80}", body in proptest::collection::vec(any::<u8>(), 0..200), flips in proptest::collection::vec((0_usize..400, any::<u8>()), 0..6)) {
        items(Lottie, &page(&format!("<lottie-player src=\"{value}\"></lottie-player><div data-animation-path='{value}.json' data-lottie='{value}'></div>")));
        items(Lottie, &with_file(page("<lottie-player src=a.json></lottie-player>"), FILE, body));
        let mut archive = zip(&[("manifest.json", br#"{"animations":[{"id":"x"}]}"#), ("a/x.json", ANIMATION.as_bytes())]);
        let length = archive.len();
        for (at, byte) in flips {
            archive[at % length] = byte;
        }
        unpacked(archive);
    }
}
