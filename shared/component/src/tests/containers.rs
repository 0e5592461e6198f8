//! Tests lengths relative to query containers.

use super::{ask_of, page_of};
use limner_types::Theme;

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
