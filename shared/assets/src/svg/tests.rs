use crate::test_support::{add_resource, page, result};
use limner_page::PageSnapshot;
use limner_types::Operation;
use proptest::prelude::*;
use serde_json::{Value, json};

const XMLNS: &str = "xmlns=\"http://www.w3.org/2000/svg\"";

fn svgs(page: &PageSnapshot) -> Vec<Value> {
    let result = result(Operation::Svg, page);
    let svgs = result["svgs"].as_array().unwrap().clone();
    assert_eq!(result["count"], svgs.len());
    for code in svgs.iter().filter_map(|svg| svg["code"].as_str()) {
        assert_well_formed(code);
    }
    svgs
}

fn assert_well_formed(code: &str) {
    let parsed = roxmltree::Document::parse(code);
    assert!(parsed.is_ok(), "{:?}: {code}", parsed.err());
}

/// Returns the markup of the items, without the root's namespace.
fn codes(html: &str) -> Vec<String> {
    let items = svgs(&page(html));
    let codes = items.iter().filter_map(|item| item["code"].as_str());
    codes.map(|code| code.replace(&format!(" {XMLNS}"), "")).collect()
}

fn check(table: &[(&str, &str)]) {
    for (html, expected) in table {
        assert_eq!(codes(html), [*expected], "{html}");
    }
}

#[test]
fn markup_is_well_formed_xml() {
    check(
        &[
            ("<svg viewbox='0 0 1 1'><PATH d=M0></svg>", "<svg viewBox=\"0 0 1 1\"><path d=\"M0\"/></svg>"),
            (
                "<svg><path d='M0\n1'/><text>a&lt;b & c&nbsp;d</text></svg>",
                "<svg><path d=\"M0 1\"/><text>a&lt;b &amp; c\u{a0}d</text></svg>",
            ),
            (
                "<svg xmlns='x' xmlns:foo='y' foo:bar=1 @click=2 inkscape:label=3 a\"b=4><path/></svg>",
                "<svg><path/></svg>",
            ),
            ("<svg><!-- -- --><metadata><rdf:x/></metadata><sodipodi:namedview/><path/></svg>", "<svg><path/></svg>"),
            (
                "<svg><lineargradient id=g /><rect fill='currentColor'/></svg>",
                "<svg><linearGradient id=\"g\"/><rect fill=\"currentColor\"/></svg>",
            ),
            (
                "<svg><a xlink:href='#x' xml:space=preserve><path/></a></svg>",
                "<svg xmlns:xlink=\"http://www.w3.org/1999/xlink\"><a xlink:href=\"#x\" xml:space=\"preserve\"><path/></a></svg>",
            ),
            (
                "<svg><style>a>b{fill:red}<![CDATA[c<d{}]]></style><path/></svg>",
                "<svg><style>a>b{fill:red}c&lt;d{}</style><path/></svg>",
            ),
            (
                "<svg><foreignObject><p x:y=1>a<br>b<i></i><math><mi>x</mi></math></foreignObject></svg>",
                "<svg><foreignObject><p xmlns=\"http://www.w3.org/1999/xhtml\">a<br/>b<i></i>\
             <math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mi>x</mi></math></p></foreignObject></svg>",
            ),
            ("<svg><path/><svg><rect/></svg></svg>", "<svg><path/><svg><rect/></svg></svg>"),
            ("<svg><path", ""),
            ("<svg><path id=a /><rect id=a /></svg>", "<svg><path id=\"a\"/><rect/></svg>"),
        ][..9],
    );
    assert!(codes("<svg><path").is_empty());
    assert_eq!(codes("<svg><path id=a /><rect id=a /></svg>"), ["<svg><path id=\"a\"/><rect/></svg>"]);
}

#[test]
fn scripts_and_handlers_are_removed() {
    check(&[
        ("<svg onload=x ONCLICK=y><script>x</script><path onbegin=z /></svg>", "<svg><path/></svg>"),
        (
            "<svg><use href='data:image/svg+xml,&lt;svg id=x onload=alert(1)>&lt;/svg>#x'/><path/></svg>",
            "<svg><use/><path/></svg>",
        ),
        ("<svg><a href=' java\tscript:x'><path/></a></svg>", "<svg><a><path/></a></svg>"),
        ("<svg><a xlink:href='JAVASCRIPT:x'><path/></a></svg>", "<svg><a><path/></a></svg>"),
        ("<svg><a><set attributeName=href to='javascript:x'/><path/></a></svg>", "<svg><a><path/></a></svg>"),
        ("<svg><path><set attributename=onclick to=x /></path></svg>", "<svg><path></path></svg>"),
        ("<svg><path/><handler>x</handler><listener/></svg>", "<svg><path/></svg>"),
        ("<svg><path style='fill:url(javascript:x)'/></svg>", "<svg><path style=\"fill:url()\"/></svg>"),
        (
            "<svg><foreignObject><iframe srcdoc=x></iframe><object data=x></object><form action='javascript:x'></form></foreignObject></svg>",
            "<svg><foreignObject><form xmlns=\"http://www.w3.org/1999/xhtml\"></form></foreignObject></svg>",
        ),
    ]);
}

#[test]
fn use_elements_are_expanded() {
    let sprite = "<svg hidden><symbol id=s viewBox='0 0 9 9' fill=red><path/></symbol><g id=g><rect/></g></svg>";
    let table = [
        ("<svg><use href=#s></svg>", "<svg viewBox=\"0 0 9 9\"><g fill=\"red\"><path/></g></svg>"),
        (
            "<svg class=i><title>T</title><use xlink:href='#s' class=c /></svg>",
            "<svg class=\"i\" viewBox=\"0 0 9 9\"><title>T</title><g class=\"c\"><g fill=\"red\"><path/></g></g></svg>",
        ),
        (
            "<svg viewBox='0 0 1 1'><use href=#s></svg>",
            "<svg viewBox=\"0 0 1 1\"><svg viewBox=\"0 0 9 9\" fill=\"red\"><path/></svg></svg>",
        ),
        (
            "<svg><use href=#s x=1 y=2 width=3 height=4 transform=scale(2)><path/></svg>",
            "<svg><g transform=\"scale(2) translate(1 2)\"><svg viewBox=\"0 0 9 9\" fill=\"red\" width=\"3\" height=\"4\"><path/></svg></g></svg>",
        ),
        (
            "<svg><use href=#g x=50% /><path/></svg>",
            "<svg><svg x=\"50%\" overflow=\"visible\"><g id=\"g\"><rect/></g></svg><path/></svg>",
        ),
        ("<svg><use href=#g /><use href=#g /></svg>", "<svg><g id=\"g\"><rect/></g><g><rect/></g></svg>"),
        ("<svg><use href='/dir/index.html#g'/></svg>", "<svg><g id=\"g\"><rect/></g></svg>"),
        ("<svg><use href=#nowhere /></svg>", "<svg><use href=\"#nowhere\"/></svg>"),
        ("<svg><use href='other.svg#x'/></svg>", "<svg><use href=\"https://page.example/dir/other.svg#x\"/></svg>"),
        ("<svg><use/></svg>", "<svg><use/></svg>"),
    ];
    for (html, expected) in table {
        assert_eq!(codes(&format!("{html}{sprite}"))[0], expected, "{html}");
    }
}

#[test]
fn cycles_are_empty_and_entity_bombs_are_limited() {
    check(&[
        ("<svg><g id=a><use href=#a /><path/></g></svg>", "<svg><g id=\"a\"><path/></g></svg>"),
        ("<svg id=r><path/><use href=#r /></svg>", "<svg id=\"r\"><path/></svg>"),
    ]);
    let two = "<svg><symbol id=a><use href=#b /></symbol><symbol id=b><use href=#a /><path/></symbol></svg>\
               <svg viewBox='0 0 1 1'><use href=#a /></svg>";
    assert_eq!(codes(two), ["<svg viewBox=\"0 0 1 1\"><svg><svg><path/></svg></svg></svg>"]);
    let levels: String =
        (1..40).map(|n| format!("<g id=l{n}>{}</g>", format!("<use href='#l{}'/>", n - 1).repeat(10))).collect();
    let bomb = format!("<svg><defs><path id=l0 />{levels}</defs></svg><svg><use href=#l39 /></svg>");
    let start = std::time::Instant::now();
    let items = svgs(&page(&bomb));
    assert!(items.iter().all(|item| item["code"].as_str().unwrap().len() < 2 * 1024 * 1024));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn referenced_definitions_are_copied() {
    let defs = "<svg width=0><defs><linearGradient id=a href=#b /><linearGradient id=b><stop/></linearGradient>\
                <clipPath id=c><use href=#p /></clipPath><filter id=f><feImage href=#p /></filter><path id=p /></defs></svg>";
    for (html, expected) in [
        (
            "<svg><rect fill='url(#a)'/></svg>",
            "<svg><defs><linearGradient id=\"a\" href=\"#b\"/><linearGradient id=\"b\"><stop/></linearGradient></defs><rect fill=\"url(#a)\"/></svg>",
        ),
        (
            "<svg><rect style='clip-path:url(&quot;#c&quot;)'/></svg>",
            "<svg><defs><clipPath id=\"c\"><path id=\"p\"/></clipPath></defs><rect style=\"clip-path:url(&quot;#c&quot;)\"/></svg>",
        ),
        (
            "<svg><style>rect{filter:url(#f)}</style><rect/></svg>",
            "<svg><defs><filter id=\"f\"><feImage href=\"#p\"/></filter><path id=\"p\"/></defs><style>rect{filter:url(#f)}</style><rect/></svg>",
        ),
        (
            "<svg><rect fill='url(/dir/index.html#b)'/></svg>",
            "<svg><defs><linearGradient id=\"b\"><stop/></linearGradient></defs><rect fill=\"url(#b)\"/></svg>",
        ),
        (
            "<svg><linearGradient id=a /><rect fill='url(#a)' mask='url(#none)' filter='url(x.svg#y)'/></svg>",
            "<svg><linearGradient id=\"a\"/><rect fill=\"url(#a)\" mask=\"url(#none)\" filter=\"url(https://page.example/dir/x.svg#y)\"/></svg>",
        ),
    ] {
        assert_eq!(codes(&format!("{html}{defs}"))[0], expected, "{html}");
    }
}

#[test]
fn external_sprites_are_fetched_and_resolved() {
    let mut page = page("<svg viewBox='0 0 1 1'><use href='s.svg#a'/></svg><svg><use href='s.svg'/></svg>");
    let sprite = "https://page.example/dir/s.svg";
    assert_eq!(crate::test_support::required_subresources(Operation::Svg, &page), [sprite]);
    let text = "<?xml version='1.0'?><!DOCTYPE svg><svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 5 5'>\
                <symbol id='a'><use href='t.svg#b'/><rect fill='url(#g)'/><image href='i.png'/></symbol><linearGradient id='g'/><path/></svg>";
    add_resource(&mut page, sprite, "image/svg+xml", text);
    let second = "https://page.example/dir/t.svg";
    assert_eq!(crate::test_support::required_subresources(Operation::Svg, &page), [second]);
    add_resource(&mut page, second, "image/svg+xml", "<svg><circle id=b /></svg>");
    assert!(crate::test_support::required_subresources(Operation::Svg, &page).is_empty());
    let items = svgs(&page);
    let expected = format!(
        "<svg {XMLNS} viewBox=\"0 0 1 1\"><defs><linearGradient id=\"g\"/></defs><svg><circle id=\"b\"/><rect fill=\"url(#g)\"/>\
         <image href=\"https://page.example/dir/i.png\"/></svg></svg>"
    );
    assert_eq!(items[0]["code"], expected);
    assert_eq!(items[1], json!({"type": "file", "url": sprite, "source": "use", "count": 2}));
}

#[test]
fn svgs_with_graphics_are_listed() {
    for (html, expected) in [
        ("<svg></svg><svg class=chart><title>x</title></svg>", 0),
        ("<svg><defs><linearGradient id=a /></defs></svg>", 0),
        ("<svg><symbol id=a><path/></symbol></svg>", 1),
        ("<svg><symbol id=a><path/></symbol></svg><svg><use href=#a /></svg>", 1),
        ("<svg><symbol id=a><path/></symbol><symbol id=b><path/></symbol></svg><svg><use href=#a /></svg>", 2),
        ("<svg><defs><g id=a><path/></g></defs></svg><svg><use href=#a /></svg>", 1),
        ("<template><svg><path/></svg></template>", 0),
        ("<noscript><svg><path/></svg></noscript>", 1),
        ("<x-y><template shadowrootmode=open><svg><path/></svg></template></x-y>", 1),
        ("<svg><foreignObject><svg><path/></svg></foreignObject></svg>", 1),
    ] {
        assert_eq!(svgs(&page(html)).len(), expected, "{html}");
    }
}

#[test]
fn equal_markup_is_one_item() {
    let items =
        svgs(&page("<p><svg id=x width=9 onclick=a><path/></svg></p><svg width=9 id=x onclick=b><path/></svg>"));
    assert_eq!(items.len(), 2, "the order of attributes is markup");
    let items = svgs(&page("<p><svg width=9 onclick=a><path/></svg></p><svg width=9><path/></svg>"));
    let code = format!("<svg {XMLNS} width=\"9\"><path/></svg>");
    let expected = json!({"type": "inline", "code": code, "width": "9", "count": 2, "selector": "body > p > svg"});
    assert_eq!(items, [expected]);
}

#[test]
fn titles_are_accessible_names() {
    for (html, expected) in [
        ("<svg aria-label=L><title> A \n b </title><path/></svg>", Some("A b")),
        ("<svg aria-label=L><path/></svg>", Some("L")),
        ("<b id=n>Name</b><svg aria-labelledby='n'><path/></svg>", Some("Name")),
        ("<svg><use href=#s /></svg><svg><symbol id=s><title>S</title><path/></symbol></svg>", Some("S")),
        ("<svg><g><title>deeper</title></g><path/></svg>", None),
    ] {
        assert_eq!(svgs(&page(html))[0]["title"].as_str(), expected, "{html}");
    }
}

#[test]
fn markup_in_data_urls_is_listed() {
    for address in [
        "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' fill='red'><path/></svg>",
        "data:image/svg+xml,%3Csvg%20fill=%22red%22%3E%3Cpath/%3E%3C/svg%3E",
        "data:image/svg+xml;utf8,<svg fill='red'><path/></svg>",
        "data:image/svg+xml;base64,PHN2ZyBmaWxsPSJyZWQiPjxwYXRoLz48L3N2Zz4=",
    ] {
        for html in [
            format!("<img src=\"{address}\">"),
            format!("<object data=\"{address}\"></object>"),
            format!("<link rel=icon href=\"{address}\">"),
        ] {
            assert_eq!(codes(&html), ["<svg fill=\"red\"><path/></svg>"], "{html}");
        }
        // Images in stylesheets are listed by `/images`.
        for html in [
            format!("<style>a{{background:url(\"{address}\")}}</style>"),
            format!("<p style=\"background:url(&quot;{address}&quot;)\">"),
        ] {
            assert!(codes(&html).is_empty(), "{html}");
        }
    }
    // A placeholder of a lazily loaded image.
    assert!(codes("<img src='data:image/svg+xml,<svg viewBox=%220 0 4 3%22/>' data-src=a.jpg>").is_empty());
    for (shape, is_blank) in [
        ("<rect width='8' height='6' fill-opacity='0'/>", true),
        ("<g fill='red'><path fill='none' d='M0 0h9'/></g>", true),
        ("<rect opacity='0%'/>", true),
        ("<rect fill-opacity='0' stroke='red'/>", false),
        ("<rect fill-opacity='0'/><path d='M0 0h9'/>", false),
        ("<style>rect{fill-opacity:1}</style><rect fill-opacity='0'/>", false),
        ("<use href='%23a' fill='none'/>", false),
    ] {
        let image = format!("<img src=\"data:image/svg+xml,<svg>{shape}</svg>\">");
        assert_eq!(codes(&image).is_empty(), is_blank, "{shape}");
        assert!(!codes(&format!("<svg>{shape}</svg>")).is_empty(), "{shape}");
    }
    assert!(codes("<img src='data:image/svg+xml,nothing'><img src='data:image/png,<svg><path/></svg>'>").is_empty());
    let twice = svgs(&page(
        "<img src='data:image/svg+xml,<svg><g/><path/></svg>'><img src='data:image/svg+xml,<svg><g/><path/></svg>'>\
         <img src='data:image/svg+xml,<svg><g></g><path></path></svg>'>",
    ));
    assert_eq!(
        (twice.len(), twice[0]["count"].as_u64(), twice[0]["selector"].as_str()),
        (1, Some(3), Some("body > img:nth-of-type(1)"))
    );
}

#[test]
fn files_have_the_first_source_and_a_count() {
    let html = "<style>a{mask:url(a.svg#m)}b{filter:url(f.svg#x)}</style><img src='a.svg#y'><object data=a.svg></object>\
                <iframe src=b.svg></iframe><embed src=c.svg><img src=d.png><img src='e.php' srcset='g.svgz 2x'>\
                <object data=h type=image/svg+xml></object><link rel=icon href=i.svg>\
                <link rel=icon type=image/svg+xml href=j.png>";
    let items: Vec<(String, String, u64)> = svgs(&page(html))
        .iter()
        .map(|item| {
            let name = item["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            (name, item["source"].as_str().unwrap().to_owned(), item["count"].as_u64().unwrap())
        })
        .collect();
    let expected = [
        ("a.svg", "img", 3),
        ("f.svg", "css", 1),
        ("b.svg", "iframe", 1),
        ("c.svg", "embed", 1),
        ("g.svgz", "srcset", 1),
        ("h", "object", 1),
        ("i.svg", "favicon", 1),
    ];
    assert_eq!(items, expected.map(|(name, source, count)| (name.to_owned(), source.to_owned(), count)));
}

#[test]
fn many_distinct_svgs_take_linear_time() {
    let html: String = (0..20_000).map(|n| format!("<svg><path d='M{n}'/><use href='#s'/></svg>")).collect();
    let start = std::time::Instant::now();
    assert_eq!(svgs(&page(&format!("{html}<svg><symbol id=s><path/></symbol></svg>"))).len(), 20_000);
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

#[test]
fn large_shared_definitions_are_limited() {
    let giant = format!("<pattern id=p><path d='{}'/></pattern>", "M0 0".repeat(500_000));
    let users: String = (0..5_000).map(|n| format!("<svg><rect width={n} fill='url(#p)'/></svg>")).collect();
    let start = std::time::Instant::now();
    let result = result(Operation::Svg, &page(&format!("<svg>{giant}</svg>{users}")));
    assert_eq!(result["truncated"], true);
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

#[test]
fn icon_page_has_the_recorded_svgs() {
    let mut page = page(include_str!("../../tests/pages/icons.html"));
    let sprite =
        "<svg xmlns='http://www.w3.org/2000/svg'><symbol id='star' viewBox='0 0 5 5'><path d='M0 0z'/></symbol></svg>";
    add_resource(&mut page, "https://page.example/dir/sprite.svg", "image/svg+xml", sprite);
    insta::assert_json_snapshot!(result(Operation::Svg, &page));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_markup_gives_well_formed_xml(
        inner in "(?s)(</?(g|path|use|symbol|defs|style|title|svg|foreignObject|p|br|a|script|x:y|é)( (id=a|href=#a|xlink:href=#b|fill='url\\(#a\\)'|on|[a-z@:\"'=]{1,6}))*/?>|<!\\[CDATA\\[|]]>|&|<|.){0,30}"
    ) {
        let html = format!("<svg>{inner}</svg><svg id=b><rect/>{inner}</svg>");
        svgs(&page(&html));
    }
}

/// Returns the markup with the page's paint, without the root's namespace.
fn painted(css: &str, html: &str) -> Option<String> {
    let items = svgs(&page(&format!("<style>{css}</style>{html}")));
    Some(items.first()?.get("painted")?.as_str()?.replace(&format!(" {XMLNS}"), ""))
}

#[test]
fn paint_of_the_page_stays_with_the_drawing() {
    for (css, html, expected) in [
        (
            ":root{--brand:#c0ffee} .logo{color:#123456} .dot{fill:#ff8800;stroke:var(--brand)}",
            "<svg class=logo><circle class=dot r=4 /><path fill=currentColor /><rect style='fill:var(--brand)'/></svg>",
            "<svg class=\"logo\" style=\"color:#123456\"><circle class=\"dot\" r=\"4\" style=\"fill:#ff8800;stroke:#c0ffee\"/>\
             <path fill=\"currentColor\"/><rect style=\"fill:var(--brand);fill:#c0ffee\"/></svg>",
        ),
        // The nearest rule decides, not a rule of the same class elsewhere.
        (
            ".a path{fill:#ff0000} .b path{fill:#0000ff} .a .gone{display:none} .a{opacity:.2}",
            "<svg class=a><path/><g class=gone><path/></g><g class=b><path fill=green /></g></svg>",
            "<svg class=\"a\"><path style=\"fill:#ff0000\"/><g class=\"gone\" style=\"display:none\"><path style=\"fill:#ff0000\"/></g>\
             <g class=\"b\"><path fill=\"green\" style=\"fill:#0000ff\"/></g></svg>",
        ),
        // What the root inherits is said once, and what a rule takes from the text's colour needs that colour.
        (
            "a{color:teal;fill:currentColor} .i{stroke:currentColor}",
            "<a href=/><svg><path/><path class=i /></svg></a>",
            "<svg style=\"color:#008080;fill:currentcolor\"><path/><path class=\"i\" style=\"stroke:currentcolor\"/></svg>",
        ),
        (
            ".s{stop-color:#00ff00} .t{font-family:Inter;font-weight:700} text{fill:url(#g)}",
            "<svg><lineargradient id=g><stop class=s /></lineargradient><text class=t>A</text></svg>",
            "<svg><linearGradient id=\"g\"><stop class=\"s\" style=\"stop-color:#00ff00\"/></linearGradient>\
             <text class=\"t\" style=\"fill:url(#g);font-family:Inter;font-weight:700\">A</text></svg>",
        ),
        // A symbol has its own rules, and the place of its use the colour.
        (
            ".x{color:#112233} .x2{color:#445566} symbol path{stroke-width:3px}",
            "<svg class=x><use href=#s /></svg>\
             <div class=x2><svg hidden><symbol id=s><path stroke=currentColor /></symbol></svg></div>",
            "<svg class=\"x\" style=\"color:#112233\"><svg><path stroke=\"currentColor\" style=\"stroke-width:3px\"/></svg></svg>",
        ),
    ] {
        assert_eq!(painted(css, html).as_deref(), Some(expected), "{css}");
    }
}

#[test]
fn drawings_without_paint_of_the_page_are_given_once() {
    for (css, html) in [
        ("", "<svg><path fill=red /></svg>"),
        ("body{color:red}", "<svg><path fill=red /></svg>"),
        ("svg{width:9px}", "<svg><path style='fill:red'/></svg>"),
        ("path{fill:red}", "<img src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><path/></svg>\">"),
    ] {
        assert_eq!(painted(css, html), None, "{css} {html}");
    }
}
