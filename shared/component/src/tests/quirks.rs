//! Tests sections of pages in quirks and limited-quirks mode, whose layout differs in some details.

use super::{ask_for, ask_of, page_of};
use limner_types::{Framework, Theme};

const LIMITED: &str = "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN' \
                       'http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd'>";

#[test]
fn image_only_lines_have_the_height_of_quirks_mode() {
    for (doctype, body, css, stands) in [
        (LIMITED, "<p><img src=a.png></p>", "", true),
        ("", "<table><td><a href=/><img src=a.png></a></table>", "", true),
        (
            LIMITED,
            "<div> <a href=/> <svg viewBox='0 0 1 1'></svg> </a><i class=n>x</i></div>",
            ".n{display:none}",
            true,
        ),
        ("<!doctype html>", "<p><img src=a.png></p>", "", false),
        (LIMITED, "<div><h2>Words</h2><img src=a.png><p>Words</p></div>", "", true),
        (LIMITED, "<p><a name=x></a><picture><source srcset=b.png><img src=a.png></picture></p>", "", true),
        (LIMITED, "<ul><li><img src=a.png></ul>", "ul{list-style:none}", true),
        (LIMITED, "<ul><li><img src=a.png></ul>", "", false),
        (LIMITED, "<p><a href=/><img src=a.png></a></p>", "a{padding:0 4px}", false),
        (LIMITED, "<p><a href=/><img src=a.png></a></p>", "a::after{content:'x'}", false),
        (LIMITED, "<p><a href=/><img src=a.png></a></p>", "p::after{content:'';display:table}", true),
        (LIMITED, "<p><b><img src=a.png></b> Caption</p>", "b{display:inline-block}", false),
        (LIMITED, "<pre> <img src=a.png></pre>", "", false),
        (LIMITED, "<p><img src=a.png> Words</p>", "", false),
        (LIMITED, "<div><img src=a.png><br>Words</div>", "", true),
        (LIMITED, "<p>Words<br><a href=/><img src=a.png></a><br>Words</p>", "", true),
        (LIMITED, "<p>Words <img src=a.png><br>Words</p>", "", false),
        (LIMITED, "<p><a href=/><img src=a.png></a><a href=/><img src=b.png></a></p>", "", false),
        (LIMITED, "<p><img src=a.png></p>", "img{display:block}", false),
        (LIMITED, "<p><img src=a.png></p>", "img{float:left}", false),
        (LIMITED, "<p><img src=a.png></p>", "p{display:flex}", false),
        (LIMITED, "<p><img src=a.png></p>", "img{vertical-align:middle}", false),
    ] {
        let html = format!("{doctype}<body><main class=h><h1>Words on a page</h1>{body}</main>");
        let page = page_of(html, css);
        let result = ask_of(&page, Some(".h"), Theme::Light).unwrap();
        let written = result["css"].as_str().unwrap();
        assert_eq!(written.contains("vertical-align: bottom"), stands, "{body} {css}: {written}");
        assert_eq!(result["summary"]["styledCoverage"], 100.0, "{body} {css}: {written}");
    }
}

#[test]
fn lines_without_own_text_have_the_height_of_quirks_mode() {
    const SMALL: &str = "small{font-size:10px}";
    for (doctype, body, css, is_said) in [
        (LIMITED, "<p class=x><small>Words</small></p>", SMALL, true),
        (LIMITED, "<p class=x><small>Words</small><br></p>", SMALL, true),
        (LIMITED, "<table><td class=x> <sub>Words</sub><i>Words</i> ", "", true),
        (LIMITED, "<p class=x><small>Words</small> <br> <small>Words</small></p>", SMALL, true),
        (LIMITED, "<div class=x><a href=/><i><small>Words</small></i></a></div>", SMALL, true),
        (LIMITED, "<div class=x><img src=a.png><img src=b.png></div>", "", true),
        (LIMITED, "<div class=x><img src=a.png height=3></div>", "", true),
        (LIMITED, "<div class=x><img src=a.png height=30></div>", "", false),
        (LIMITED, "<div class=x><button><svg viewBox='0 0 1 1'></svg></button></div>", "", true),
        (LIMITED, "<p>Words <b class=x><img src=a.png></b></p>", "b{display:inline-block}", true),
        (LIMITED, "<div class=x><label>Name</label><p>Words</p></div>", "label{line-height:1}", true),
        // The same height with the block's own text: a space between two elements is text.
        (LIMITED, "<div class=x><img src=a.png> <img src=b.png></div>", "", false),
        (LIMITED, "<p class=x><small>Words</small> <small>Words</small></p>", SMALL, false),
        (
            LIMITED,
            "<p class=x><small>Words</small> <i class=n>x</i> <small>Words</small></p>",
            "small{font-size:10px} .n{float:left}",
            false,
        ),
        (LIMITED, "<p class=x><small>Words</small><b> </b><small>Words</small></p>", SMALL, true),
        (LIMITED, "<p class=x><q><small>Words</small></q></p>", SMALL, true),
        (LIMITED, "<div class=x><font size=2><a href=/>One</a><br><br><a href=/>Two</a></font></div>", "", false),
        (LIMITED, "<p class=x><span></span><br><small>Words</small></p>", SMALL, false),
        (LIMITED, "<div class=x><img src=a.png><img src=b.png></div>", "img{vertical-align:-50%}", false),
        ("<!doctype html>", "<p class=x><small>Words</small></p>", SMALL, false),
        (LIMITED, "<p class=x><small>Words</small> and words</p>", SMALL, false),
        (LIMITED, "<p class=x><i>Words</i></p>", "", false),
        (LIMITED, "<p class=x><br><small>Words</small></p>", SMALL, false),
        (LIMITED, "<p class=x><small>Words</small></p>", "small{font-size:10px} p::after{content:'.'}", false),
        (LIMITED, "<p class=x><small>Words</small></p>", "small{font-size:10px;display:block}", false),
        (LIMITED, "<p class=x><small>Words</small></p>", "small{font-size:10px} p{display:flex}", false),
        (LIMITED, "<ul><li class=x><small>Words</small></ul>", SMALL, false),
        (LIMITED, "<pre class=x> <small>Words</small></pre>", SMALL, false),
    ] {
        for framework in [Framework::Html, Framework::Tailwind] {
            let html = format!("{doctype}<body><main class=h><h1>Words on a page</h1>{body}</main>");
            let page = page_of(html, css);
            let result = ask_for(&page, Some(".h"), Theme::Light, framework).unwrap();
            let written = format!("{}{}", result["css"], result["code"]);
            let says = written.contains("line-height: 0px") || written.contains("leading-0");
            assert_eq!(says, is_said, "{body} {css}: {written}");
            assert_eq!(result["summary"]["styledCoverage"], 100.0, "{body} {css}: {written}");
        }
    }
}

#[test]
fn margins_at_cell_edges_collapse_as_in_quirks_mode() {
    let cell = |inside: &str| format!("<table><tr><td>{inside}</td></tr></table>");
    for (doctype, inside, css, top, bottom) in [
        ("", "<p class=x>Words</p>", "", true, true),
        ("", "<a name=n></a> <pre class=x>Words</pre> <span></span>", "", true, true),
        ("", "<h2 class=x>Words</h2>", "", true, false),
        ("", "<div><blockquote class=x>Words</blockquote></div>", "", true, false),
        ("", "<i class=f>f</i><p class=x>Words</p>Words", ".f{float:left}", true, false),
        ("", "Words<div><p class=x>Words</p></div>", "", false, true),
        ("", "<p></p><p class=x>Words</p><p> </p>", "", true, true),
        ("", "<figure class=x>Words</figure>", "", false, false),
        ("", "<p class=x>Words</p>", "p{margin:16px 0}", false, false),
        ("", "<div><p class=x>Words</p></div>", "div{padding:1px}", false, false),
        ("", "<div><p class=x>Words</p></div>", "div{overflow:hidden}", false, false),
        ("", "<div><p class=x>Words</p></div>", "div{height:90px}", true, false),
        ("", "<p class=x>Words</p>", "td::before{content:'x'}", false, true),
        ("", "<p class=x>Words</p>", "td{display:block}", false, false),
        ("", "Words<p class=x>Words</p>Words", "", false, false),
        (LIMITED, "<p class=x>Words</p>", "", false, false),
        ("<!doctype html>", "<p class=x>Words</p>", "", false, false),
    ] {
        let html = format!("{doctype}<body><main class=h><h1>Words on a page</h1>{}</main>", cell(inside));
        let page = page_of(html, &format!("{css} .x{{color:#123456}}"));
        let result = ask_of(&page, Some(".h"), Theme::Light).unwrap();
        let written = result["css"].as_str().unwrap();
        let own = written.split("}\n").find(|rule| rule.contains("#123456")).unwrap();
        let all = own.contains("margin: 0") || own.contains("margin-block: 0");
        let has = |margin: &str| all || own.contains(&format!("{margin}: 0"));
        assert_eq!((has("margin-top"), has("margin-bottom")), (top, bottom), "{inside} {css}: {own}");
        assert_eq!(result["summary"]["styledCoverage"], 100.0, "{inside} {css}: {written}");
        let utilities = ask_for(&page, Some(".h"), Theme::Light, Framework::Tailwind).unwrap();
        assert_eq!(utilities["summary"]["styledCoverage"], 100.0, "{inside} {css}: {utilities}");
    }
}

#[test]
fn body_margins_collapse_as_in_quirks_mode() {
    for (doctype, is_said) in [("", true), ("<!doctype html>", false)] {
        let html = format!("{doctype}<body style='padding:8px;color:#123456'><p style='color:#654321'>Words</p>");
        let result = ask_of(&page_of(html, ""), Some("body"), Theme::Light).unwrap();
        let css = result["css"].as_str().unwrap();
        let own = css.split("}\n").find(|rule| rule.contains("#654321")).unwrap();
        assert_eq!(own.contains("margin-top: 0"), is_said, "{css}");
    }
}

#[test]
fn images_in_table_cells_stay_on_one_line_as_in_quirks_mode() {
    let pair = "<img src=a.png><img src=b.png>";
    for (doctype, inside, css, is_said) in [
        ("", pair, "", true),
        ("", pair, "img{display:block}", false),
        ("", pair, "td{width:90px}", false),
        ("", "<img src=a.png>", "", false),
        ("<!doctype html>", pair, "", false),
    ] {
        let html = format!("{doctype}<body><main class=h><h1>Words on a page</h1><table><td>{inside}</table></main>");
        let result = ask_of(&page_of(html, css), Some(".h"), Theme::Light).unwrap();
        let written = result["css"].as_str().unwrap();
        assert_eq!(written.matches("nowrap").count(), usize::from(is_said), "{inside} {css}: {written}");
        assert_eq!(result["summary"]["styledCoverage"], 100.0, "{inside} {css}: {written}");
    }
}

#[test]
fn alternative_texts_have_the_height_of_the_page() {
    for (alt, is_said) in [("alt='A logo'", true), ("alt", false), ("", false)] {
        let html = format!(
            "{LIMITED}<body><main class=h><h1>Words on a page</h1><p><img src=a.png {alt}><img src=b.png></p></main>"
        );
        let result = ask_of(&page_of(html, ""), Some(".h"), Theme::Light).unwrap();
        let written = result["css"].as_str().unwrap();
        assert!(written.contains("line-height: 0px;"), "{written}");
        assert_eq!(written.contains("line-height: normal;"), is_said, "{alt}: {written}");
    }
}

#[test]
fn monospace_alone_does_not_shrink_a_section() {
    let html = "<!doctype html><body><section class=h><h1>Title</h1><p>Copy of it</p></section>";
    let page = page_of(html, "body{font:16px monospace}");
    let code = ask_of(&page, Some(".h"), Theme::Light).unwrap();
    let css = code["css"].as_str().unwrap();
    assert!(css.contains("font-size: 16px"), "`monospace` is set smaller: {css}");
}
