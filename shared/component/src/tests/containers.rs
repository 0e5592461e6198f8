//! Tests query containers, and lengths relative to them.

use super::{ask_for, ask_of, page_of};
use limner_types::{Framework, Theme};
use serde_json::Value;

fn css_of(css: &str) -> String {
    let html = "<!doctype html><html><body><main><section class=h><h1>Words on a page</h1><div class=c><p class=p>More of \
                them, so that there is something to read.</p></div></section></main></body></html>";
    let page = page_of(html, css);
    ask_of(&page, Some(".h"), Theme::Light).unwrap()["css"].as_str().unwrap().to_owned()
}

#[test]
fn container_units_of_inner_containers_are_kept() {
    for (container, expected) in [
        (".c{container-type:inline-size;width:50%}", true),
        ("main{width:700px} .c{container-type:inline-size}", true),
        ("main{width:700px} .h{container-type:inline-size}", true),
        ("main{width:700px;container-type:inline-size}", false),
    ] {
        let css = css_of(&format!("{container} .p{{width:50cqw;padding-left:max(1px, 2cqi);font-size:4cqmin}}"));
        for value in ["50cqw", "2cqi", "4cqmin"] {
            assert_eq!(css.contains(value), expected, "{container} {value}: {css}");
        }
    }
}

const CARDS: &str = "<!doctype html><html><body><main><section class=h><h1>Words on a page</h1><div class=c><p class=p>More \
                     of them, so that there is something to read.</p></div></section></main></body></html>";

fn result_of(css: &str, framework: Framework) -> Value {
    ask_for(&page_of(CARDS, css), Some(".h"), Theme::Light, framework).unwrap()
}

/// A query goes along only where its container does. The others are answered by the width of the viewport.
#[test]
fn queries_about_containers_around_the_section_are_answered_beside_inner_ones() {
    const AROUND: &str = "main{container:page/inline-size;padding:0 20px;margin:0} body{margin:0}";
    for (css, expected, absent) in [
        (
            ".c{container-type:inline-size} @container page (min-width:900px){.h{color:#123456}} \
             @container (min-width:300px){.p{opacity:.5}}",
            &["(min-width: 940px)", "#123456", "@container (min-width: 300px)"][..],
            "@container page",
        ),
        // The nearest container of the section itself is around it, and that of the paragraph inside.
        (
            ".c{container-type:inline-size} @container (min-width:900px){.h,.p{color:#123456}}",
            &["(min-width: 940px)", "@container (min-width: 900px)"],
            "@container page",
        ),
        (
            ".c{container:card/inline-size} @container page (width >= 900px){.p{color:#123456}}",
            &["(min-width: 940px)", "#123456"],
            "@container",
        ),
    ] {
        let result = result_of(&format!("{AROUND}{css}"), Framework::Html);
        let written = result["css"].as_str().unwrap();
        let compact = written.replace(' ', "");
        for part in expected {
            assert!(compact.contains(&part.replace(' ', "")), "{part} for {css}: {written}");
        }
        assert!(!written.contains(absent), "{absent} for {css}: {written}");
        assert_eq!(result["summary"]["styledCoverage"], 100.0, "{css}");
    }
}

#[test]
fn widths_of_containers_are_calculated() {
    let css = "main{container-type:inline-size;width:min(100% - 40px, 1000px);box-sizing:border-box} body{margin:0} \
               @container (min-width:800px){.p{color:#123456}}";
    let written = result_of(css, Framework::Html)["css"].as_str().unwrap().to_owned();
    assert!(written.contains("(min-width: 840px)"), "{written}");
}
