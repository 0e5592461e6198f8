//! Tests wrappers and empty elements without effect.

use super::{component, component_for, count, texts};
use limner_types::Framework;

/// Returns the markup in one line, without the section's own tags.
fn markup(body: &str, css: &str) -> String {
    let component = component(body, css);
    let code = component["code"].as_str().unwrap();
    let lines = code.lines().map(str::trim).collect::<String>();
    lines.split_once('>').unwrap().1.trim_end_matches("</section>").to_owned()
}

#[test]
fn wrappers_without_effect_are_removed() {
    for (body, css, left) in [
        ("<div><div><h1>A</h1></div></div><p>B</p>", "", "<h1>A</h1><p>B</p>"),
        ("<div><h1>A</h1><p>B</p></div>", "", "<h1>A</h1><p>B</p>"),
        ("<div></div><h1>A</h1><div> <!-- ad --> </div><p>B</p>", "", "<h1>A</h1><p>B</p>"),
        ("<h1><a class=anchor></a>A</h1>", "", "<h1>A</h1>"),
        ("<p>A <span class=icon></span> B</p>", "", "<p>A B</p>"),
        ("<p><span></span> A <b></b></p>", "", "<p>A</p>"),
        ("<p>A <span><img src=a.png alt=X></span></p>", "", "<p>A <img src=\"https://a.test/a.png\" alt=\"X\"></p>"),
        ("<div><a></a><div><b></b><div><h1>A</h1></div></div></div>", "", "<h1>A</h1>"),
        (
            "<div><img src=a.png alt=X> <img src=b.png alt=Y></div>",
            "",
            "<img src=\"https://a.test/a.png\" alt=\"X\"> <img src=\"https://a.test/b.png\" alt=\"Y\">",
        ),
    ] {
        assert_eq!(markup(body, css), left, "{body}");
    }
}

#[test]
fn wrappers_with_an_effect_are_kept() {
    for (body, css) in [
        // Marks up or groups its contents.
        ("<p>A <span>B</span></p>", ""),
        ("<div><h2>A</h2><p>B</p></div><div><h2>C</h2><p>D</p></div>", ""),
        // Has a role.
        ("<div role=\"note\"><h1>A</h1></div>", ""),
        // Separates lines.
        ("<p>A</p>B<div></div>C", ""),
        ("<article><h1>A</h1></article>", ""),
        ("<h1>A</h1><p></p><p>B</p>", ""),
        // Is an item, or its child would become one.
        ("<div><h1>A</h1></div><div></div><p>B</p>", "section{display:flex}"),
        ("<div><h1>A</h1></div><p>B</p>", "section{display:grid;gap:1px}"),
        ("<div><h1>A</h1></div><p>B</p>", "@media (min-width:700px){section{display:flex}}"),
        ("<div><h1>A</h1></div><p>B</p>", "section:hover{display:flex}"),
    ] {
        let kept = markup(body, css).replace(char::is_whitespace, "");
        assert_eq!(kept, body.replace(char::is_whitespace, ""), "{css}");
    }
}

#[test]
fn wrappers_that_descendants_depend_on_are_kept() {
    for (body, css) in [
        // A percentage of the parent's height.
        ("<div><img src=a.png alt=X></div>", "section{height:300px} img{height:50%}"),
        ("<div><h1>A</h1></div>", "section{height:300px} h1{min-height:calc(50% + 1px)}"),
        // `text-overflow` applies to lines of the element itself, not of its descendants.
        ("<div><a href=/>A</a></div>", "section{overflow:hidden;white-space:nowrap;text-overflow:ellipsis}"),
        ("<div><h1>A</h1></div><p>B</p>", "h1{float:left}"),
        ("<div><a href=/>A</a></div>", "section::before{content:'x'}"),
        ("<div><input type=checkbox></div><p>B</p>", "div:hover + p{color:red}"),
        ("<div><h1>A</h1></div><p>B</p>", "div:hover h1{color:red}"),
        ("<details><div><summary>A</summary></div>B</details>", ""),
        // Sticky within its wrapper.
        ("<div><nav>A</nav></div><p>B</p>", "nav{position:sticky;top:0} p{height:3000px}"),
        (
            "<div><a href=/><img src=a.png alt=X></a></div>",
            "section{height:300px} a::before{content:'';display:inline-block;height:100%}",
        ),
        ("<div><img src=a.png alt=X></div>", "section{height:300px} img{animation:k 1s} @keyframes k{to{height:100%}}"),
        ("<div><a href=/>A</a></div>", "section{unicode-bidi:plaintext}"),
        // Two in one line while the section is hovered.
        ("<div><h3 class=q>A</h3></div><div><h3 class=q>B</h3></div>", "section:hover .q{display:inline-block}"),
        ("<div><h3 class=q>A</h3></div><div><h3 class=q>B</h3></div>", "section:hover .q{float:left}"),
        // A parser would close the outer heading.
        ("<h1><div><h2>A</h2></div></h1>", ""),
        ("<ul><li><div><h2>A</h2></div></ul>", ""),
    ] {
        let kept = markup(body, css);
        assert!(!texts(&kept, "div").is_empty(), "{css} {kept}");
    }
}

#[test]
fn grouping_wrappers_are_kept_in_all_items() {
    let group = |n: u8| format!("<div><h3>T{n}</h3><p>D{n}</p></div>");
    let body = format!("<article>{}{}</article><article>{}</article>", group(1), group(2), group(3));
    assert_eq!(texts(&markup(&body, ""), "article > div"), ["T1D1", "T2D2", "T3D3"]);
}

#[test]
fn state_targets_are_found_after_pruning() {
    let body =
        "<div><div></div><h2><b></b><label><input type=checkbox> A</label></h2><div><p class=more>B</p></div></div>";
    let css = "label:hover{color:red} section:hover .more{color:blue} label:has(:checked){color:green}";
    let component = component_for(body, css, Framework::Tailwind);
    let code = component["code"].as_str().unwrap();
    assert_eq!(texts(code, "p[class~='group-hover:text-[#00f]']"), ["B"], "{code}");
    assert_eq!(count(code, "label[class^='hover:text-[#f00] has-']"), 1, "{code}");
    assert_eq!(texts(code, "div, b"), [""; 0], "{code}");
}

/// Returns the number of wrappers that are left, and the stylesheet.
fn merged(body: &str, css: &str) -> (usize, String) {
    let component = component(body, css);
    let code = component["code"].as_str().unwrap();
    (texts(code, "div").len(), component["css"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn declarations_move_to_an_only_child_that_looks_the_same() {
    for (body, css, declared) in [
        (
            "<div class=w><article class=c>A</article></div><p>B</p>",
            ".w{margin-bottom:8px} .c{color:red}",
            "margin-bottom: 8px",
        ),
        (
            "<div class=w><article class=c>A</article></div>",
            ".w{max-width:50em;margin:0 auto} .c{color:red}",
            "max-width: 50em",
        ),
        ("<div class=w><article class=c>A</article></div>", ".w{text-align:center}", "text-align: center"),
        ("<div class=w><article class=c>A</article></div>", ".w{padding:8px}", "padding: 8px"),
        (
            "<div class=w><article class=c>A</article></div>",
            ".w{background:red} .c{padding:8px}",
            "background-color: red",
        ),
        (
            "<div><article class=c>A</article></div><p>B</p>",
            "section{display:flex;align-items:center} .c{color:red}",
            "color: red",
        ),
        ("<div class=w><article class=c>A</article></div><p>B</p>", "section{display:grid} .w{order:1}", "order: 1"),
        ("<p>A</p><div class=w></div><p>B</p>", ".w{width:50%;margin:0 auto} p{color:red}", "color: red"),
        ("<h2><div>A</div></h2><p>B</p>", "p{color:red}", "color: red"),
    ] {
        let (left, sheet) = merged(body, css);
        assert_eq!(left, 0, "{css} {sheet}");
        assert!(sheet.contains(declared), "{css} {sheet}");
    }
}

#[test]
fn wrappers_that_look_different_without_their_box_are_kept() {
    let kept = "<div class=w><article class=c>A</article></div><p>B</p>";
    for css in [
        ".w{margin-top:8px} .c{margin-top:4px}",
        ".w{padding-top:8px} .c{margin-top:4px}",
        ".w{padding:8px} .c{background:red}",
        ".w{background:red} .c{margin:4px}",
        ".w{max-width:300px} .c{width:50%}",
        ".w{margin-left:1em} .c{font-size:20px}",
        ".w:hover{color:red}",
        ".w::before{content:'x'}",
        ".w{height:100px}",
        ".w{position:absolute;top:0}",
        ".w{position:relative;z-index:1} .c{position:relative;top:1px;z-index:2} p{position:absolute;top:0}",
        ".w{text-align:-webkit-center}",
        ".w{opacity:.5} .c{opacity:.5}",
        ".w{display:flex}",
        ".w{display:flex} .c{display:flex;width:50%}",
        "section{display:grid} .c{background:red}",
        "section{display:flex} .c{background:red}",
        "section{display:flex} .c{width:50%}",
        "section{display:flex;flex-direction:column;align-items:center} .c{max-width:50%}",
        "section{display:flex;flex-direction:column;min-height:500px} .w{flex-grow:1} .c{background:red}",
    ] {
        assert_eq!(merged(kept, css).0, 1, "{css}");
    }
    // One card has more in it than the others.
    let card = |more: &str| format!("<li><div class=w><article>A</article>{more}</div></li>");
    let list = format!("<ul>{}{}</ul>", card(""), card("<p>B</p>"));
    assert_eq!(merged(&list, ".w{margin-top:8px}").0, 2);
}

#[test]
fn nested_viewports_of_icons_are_one() {
    let icon = |inner: &str| format!("<p>A</p><svg width=20 viewBox='0 0 24 24'>{inner}</svg>");
    for (inner, left) in [
        ("<svg viewBox='0 0 24 24'><path d='M0 0h9'/></svg>", 1),
        ("<svg viewBox='0 0 12 12'><path d='M0 0h9'/></svg>", 2),
        ("<svg viewBox='0 0 24 24' x=2><path d='M0 0h9'/></svg>", 2),
        ("<svg viewBox='0 0 24 24' width=12><path d='M0 0h9'/></svg>", 2),
    ] {
        let component = component(&icon(inner), "");
        assert_eq!(count(component["code"].as_str().unwrap(), "svg"), left, "{inner}");
    }
    let component = component(&icon("<g><path d='M0 0h9'/></g><g fill=red><path d='M0 0h8'/></g>"), "");
    assert_eq!(count(component["code"].as_str().unwrap(), "g"), 1);
}

#[test]
fn links_have_neither_empty_ones_beside_them_nor_boxes_around_or_in_them() {
    let links = |body: &str, css: &str| {
        let component = component_for(body, css, Framework::Tailwind);
        let code = component["code"].as_str().unwrap();
        ["a", "span", "p"].map(|tag| count(code, tag))
    };
    let flex = "section{display:flex;gap:8px} a{color:red}";
    assert_eq!(links("<h2>A</h2><a href=/></a><h3>B</h3>", ""), [0, 0, 0]);
    assert_eq!(links("<h2>A</h2><a href=/ aria-label=Home></a><h3>B</h3>", ""), [1, 0, 0], "named");
    assert_eq!(links("<h2>A</h2><a href=/></a><h3>B</h3>", flex), [1, 0, 0], "between gaps");
    assert_eq!(links("<h2>A</h2><span><a href=/>B</a></span>", flex), [1, 0, 0]);
    assert_eq!(links("<h2>A</h2><span><a href=/>B</a></span>", "section{display:flex} a{padding:4px}"), [1, 1, 0]);
    assert_eq!(links("<h2>A</h2><a href=/><p>B</p></a>", "section{display:flex} p{margin:0}"), [1, 0, 0]);
    assert_eq!(links("<h2>A</h2><a href=/><p>B</p></a>", "section{display:flex}"), [1, 0, 1], "with margins");
}

#[test]
fn slides_that_only_scripts_show_are_left_out() {
    let words = |body: &str, css: &str| {
        let code = component(&format!("<h1>Words on a page</h1>{body}"), css);
        let text = code["code"].as_str().unwrap().to_owned();
        (text.contains("Second"), code["hint"].as_str().unwrap_or_default().contains("hidden until"))
    };
    const SLIDES: &str =
        "<div class=s><div class='slide on'><p>First</p></div><div class=slide><p>Second</p></div></div>";
    const TABS: &str = "<a href='#two'>Two</a><div><div class='pane on'><p>First</p></div><div class=pane id=two><p>Second</p></div></div>";
    const MENU: &str = "<div class=s><div class='box'><p>First</p></div><div class=drawer><p>Second</p></div></div>";
    for (body, css, is_there) in [
        (SLIDES, ".slide{display:none} .on{display:block}", false),
        (SLIDES, ".slide{display:none} .on{display:block} .s:hover .slide{display:block}", true),
        (SLIDES, ".slide{display:none} .on{display:block} @media(min-width:800px){.slide{display:block}}", true),
        (TABS, ".pane{display:none} .on{display:block}", true),
        (MENU, ".drawer{display:none}", true),
    ] {
        assert_eq!(words(body, css), (is_there, !is_there), "{body} with {css}");
    }
    let settings =
        component("<h1>Words on a page</h1><div class=d><textarea>{\"a\":1}</textarea></div>", ".d{display:none}");
    assert_eq!(count(settings["code"].as_str().unwrap(), "textarea"), 0, "{settings}");
}

#[test]
fn empty_boxes_that_show_nothing_are_removed() {
    for (body, css) in [
        ("<h1>A</h1><div class=e></div><p>B</p>", ".e{display:contents}"),
        ("<h1>A</h1><div class=e></div><p>B</p>", ".e{position:relative;min-height:1px;padding:0 15px}"),
    ] {
        assert_eq!(markup(body, css), "<h1>A</h1><p>B</p>", "{css}");
    }
    for css in [".e{min-height:20px}", ".e{padding:1px}", ".e{display:contents} .e::before{content:'x'}"] {
        assert!(markup("<h1>A</h1><div class=e></div><p>B</p>", css).contains("<div"), "{css}");
    }
}
