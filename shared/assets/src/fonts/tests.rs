use crate::test_support::media_pages::{PAGE, answer, items, page, with_css};
use limner_page::snapshot::ImportedSheet;
use limner_page::{PageSnapshot, Stylesheet};
use limner_types::Operation::Fonts;
use proptest::prelude::*;
use serde_json::{Value, json};

fn faces(css: &str) -> Vec<Value> {
    items(Fonts, &with_css("<p>text</p>", css))
}

/// Returns the only face of a rule with these declarations besides family and source.
fn face(declarations: &str) -> Value {
    let found = faces(&format!("@font-face{{font-family:F;src:url(a.woff2);{declarations}}}"));
    assert_eq!(found.len(), 1, "{declarations}");
    found[0].clone()
}

#[test]
fn descriptors_are_parsed_like_in_browsers() {
    for (descriptor, values) in [
        (
            "weight",
            &[
                ("font-weight:normal", "400"),
                ("font-weight:bold", "700"),
                ("font-weight:100 900", "100 900"),
                ("font-weight:900 100", "100 900"),
                ("font-weight:400.5", "400.5"),
                ("font-weight:auto", "auto"),
                ("font-weight:1200", "400"),
                ("font-weight:0", "400"),
                ("font-weight:normal bold", "400"),
                ("font-weight:lighter", "400"),
                ("font-weight:100 200 300", "400"),
                ("font-weight:700 !important", "400"),
                ("font-weight:700;font-weight:foo", "700"),
                ("FONT-WEIGHT:700", "700"),
            ][..],
        ),
        (
            "style",
            &[
                ("", "normal"),
                ("font-style:ITALIC", "italic"),
                ("font-style:oblique", "oblique"),
                ("font-style:oblique 14deg", "oblique 14deg"),
                ("font-style:oblique 0deg 20deg", "oblique 0deg 20deg"),
                ("font-style:oblique 20deg 0deg", "oblique 0deg 20deg"),
                ("font-style:oblique 0.025turn", "oblique 9deg"),
                ("font-style:oblique 91deg", "normal"),
                ("font-style:oblique 0", "normal"),
                ("font-style:left italic", "normal"),
            ],
        ),
        (
            "stretch",
            &[
                ("font-stretch:condensed", "condensed"),
                ("font-stretch:75%", "75%"),
                ("font-stretch:125% 75%", "75% 125%"),
                ("font-width:62.5%", "62.5%"),
                ("font-stretch:-1%", ""),
                ("font-stretch:condensed expanded", ""),
            ],
        ),
        ("display", &[("font-display:swap", "swap"), ("font-display:SWAP", "swap"), ("font-display:foo", "")]),
        (
            "unicodeRange",
            &[
                ("unicode-range:U+26", "U+26"),
                ("unicode-range:u+0025-00ff, u+4??", "U+25-FF, U+400-4FF"),
                ("unicode-range:U+0-10FFFF", "U+0-10FFFF"),
                ("unicode-range:U+110000", ""),
                ("unicode-range:U+30-20", ""),
                ("unicode-range:U+??????", ""),
                ("unicode-range:U+1F????", ""),
                ("unicode-range:U+26,", ""),
                ("unicode-range:U+26 U+27", ""),
                ("unicode-range:U+26, foo", ""),
                ("unicode-range:U+26;unicode-range:nonsense", "U+26"),
            ],
        ),
    ] {
        for (declaration, expected) in values {
            assert_eq!(face(declaration)[descriptor].as_str().unwrap_or(""), *expected, "{declaration}");
        }
    }
}

/// Returns `src` in short form: `url:format+tech` or `local name`.
fn src(value: &str) -> Option<String> {
    let found = faces(&format!("@font-face{{font-family:F;src:{value}}}"));
    let entry = |entry: &Value| match entry["local"].as_str() {
        Some(name) => format!("local {name}"),
        None => {
            let tech = entry["tech"]
                .as_array()
                .map(|list| list.iter().map(|t| format!("+{}", t.as_str().unwrap())).collect::<String>());
            let url = entry["url"].as_str().unwrap().replace("https://www.site.test/dir/", "");
            format!("{url}:{}{}", entry["format"].as_str().unwrap_or("?"), tech.unwrap_or_default())
        }
    };
    found.first().map(|face| face["src"].as_array().unwrap().iter().map(entry).collect::<Vec<_>>().join(" "))
}

#[test]
fn sources_are_parsed_like_in_browsers() {
    for (value, expected) in [
        ("url(a.woff2)", Some("a.woff2:woff2")),
        ("url(a.eot)", Some("a.eot:embedded-opentype")),
        ("url(a.eot?#iefix) format(\"embedded-opentype\"), url(a.woff) format(\"woff\")", Some("a.woff:woff")),
        ("url(a.svg#x) format(\"svg\")", None),
        ("url(a.svg#x)", Some("a.svg:svg")),
        ("url(a) format(\"woff2-variations\")", Some("a:woff2+variations")),
        ("url(a) format(woff2) tech(variations)", Some("a:woff2+variations")),
        ("url(a.ttf) tech(palettes, color-COLRv1)", Some("a.ttf:truetype+palettes+color-colrv1")),
        ("url(a) format(\"woff2 supports variations\")", None),
        ("url(a) format(\"woff2\") tech(\"variations\")", None),
        ("url(a) format(\"woff2\", \"woff\")", None),
        ("url(a) format(woff2-variations)", None),
        ("url(a) format(woff2) tech(features-graphite)", None),
        ("url(a) tech(variations) format(woff)", None),
        ("url(a.ttc) format(collection)", Some("a.ttc:collection")),
        ("URL(a) FORMAT(\"WOFF\")", Some("a:woff")),
        ("local(Foo  Bar), url(a.woff)", Some("local Foo Bar a.woff:woff")),
        ("local('☺'), local(Bar)", Some("local ☺ local Bar")),
        ("local(), url(a.woff)", Some("a.woff:woff")),
        ("local(inherit), url(a.woff)", Some("a.woff:woff")),
        ("local(\"A\" \"B\"), url(a.woff)", Some("a.woff:woff")),
        ("foo, url(a.woff)", Some("a.woff:woff")),
        ("url(a.woff),,url(b.otf),", Some("a.woff:woff b.otf:opentype")),
        ("url(a.woff) url(b.woff)", None),
        ("url(a.woff) format(bogus), url(b.woff)", Some("b.woff:woff")),
        ("url(a.woff) format()", None),
        ("url(\"a.woff\" foo)", None),
        ("url(a b.woff), url(c.woff)", Some("c.woff:woff")),
        ("url(a.woff) !important", None),
        ("url(\"\"), url(a.woff)", Some("a.woff:woff")),
        ("url(\"\")", None),
        ("var(--x)", None),
        ("inherit", None),
        ("url(data:font/woff2;base64,AAAA)", Some("data:font/woff2;base64,AAAA:woff2")),
        (
            "url(data:application/x-font-ttf;charset=utf-8;base64,AAAA)",
            Some("data:application/x-font-ttf;charset=utf-8;base64,AAAA:truetype"),
        ),
        // The later descriptor is invalid, so the earlier one is used.
        ("url(a.eot);src:url(a.eot?#iefix) format('embedded-opentype')", Some("a.eot:embedded-opentype")),
        ("url(a.eot);src:url(b.woff)", Some("b.woff:woff")),
    ] {
        assert_eq!(src(value).as_deref(), expected, "{value}");
    }
}

#[test]
fn font_face_rules_are_validated() {
    for (css, expected) in [
        ("@font-face{font-family:N;src:url(a)}", 1),
        ("@FONT-FACE{FONT-FAMILY:N;SRC:url(a)}", 1),
        ("@font-face{src:url(a)}", 0),
        ("@font-face{font-family:N}", 0),
        ("@font-face{}", 0),
        ("@font-face x{font-family:N;src:url(a)}", 0),
        ("@font-face{font-family:N !important;src:url(a)}", 0),
        ("@font-face{font-family:serif;src:url(a)}", 0),
        ("@font-face{font-family:\"serif\";src:url(a)}", 1),
        ("@font-face{font-family:Foo, Bar;src:url(a)}", 0),
        ("@font-face{font-family:inherit;src:url(a)}", 0),
        ("@font-face{font-family:foo 3;src:url(a)}", 0),
        ("@font-face{font-family:Foo inherit;src:url(a)}", 1),
        (".a{@font-face{font-family:N;src:url(a)}}", 0),
        (".a{@media all{@font-face{font-family:N;src:url(a)}}}", 0),
        ("@page{@font-face{font-family:N;src:url(a)}}", 0),
        ("@keyframes a{@font-face{font-family:N;src:url(a)}}", 0),
        ("@foo{@font-face{font-family:N;src:url(a)}}", 0),
        ("@scope(.a){@font-face{font-family:N;src:url(a)}}", 1),
        ("@starting-style{@font-face{font-family:N;src:url(a)}}", 1),
        ("@layer a{@font-face{font-family:N;src:url(a)}}", 1),
        ("@layer a;@font-face{font-family:N;src:url(a)}", 1),
        ("@container (width>1px){@font-face{font-family:N;src:url(a)}}", 1),
        ("@supports (foo:bar){@font-face{font-family:N;src:url(a)}}", 1),
        ("@media print{@font-face{font-family:N;src:url(a)}}", 1),
        ("@font-face{font-family:N;src:url(a.woff", 1),
        ("@font-face{font-family:N;color:red;src:url(a);foo;bar{}}", 1),
        ("a{}}@font-face{font-family:N;src:url(a)}", 0),
        ("<!--@font-face{font-family:N;src:url(a)}-->", 1),
        ("@font-face{font-family:N;src:url(a)}@font-face{font-family:N;src:url(a)}", 1),
        ("@font-face{font-family:N;src:url(a)}@font-face{font-family:N;src:url(a);font-weight:700}", 2),
    ] {
        assert_eq!(faces(css).len(), expected, "{css}");
    }
}

#[test]
fn variable_fonts_list_their_axes() {
    let axis = |tag: &str, min: i64, max: i64| json!({ "tag": tag, "min": min, "max": max });
    for (declarations, expected) in [
        ("font-weight:400", Value::Null),
        ("font-weight:100 900", json!({ "axes": [axis("wght", 100, 900)] })),
        ("font-weight:400 400", Value::Null),
        (
            "font-stretch:75% 125%;font-style:oblique 0deg 12deg",
            json!({ "axes": [axis("wdth", 75, 125), axis("slnt", -12, 0)] }),
        ),
        ("src:url(a) format('woff2-variations')", json!({ "axes": [] })),
        ("src:url(a) tech(variations);font-variation-settings:'opsz' 14", json!({ "axes": [axis("opsz", 14, 14)] })),
    ] {
        assert_eq!(face(declarations)["variable"], expected, "{declarations}");
    }
}

fn sheet(href: &str, text: &str) -> Stylesheet {
    Stylesheet {
        href: Some(href.to_owned()),
        base_url: href.to_owned(),
        text: Some(text.to_owned()),
        ..Stylesheet::default()
    }
}

#[test]
fn google_stylesheet_urls_give_axes() {
    let href = "https://fonts.googleapis.com/css2?family=Inter:ital,opsz,wght@0,14..32,100..900;1,14..32,100..900&family=Roboto&display=swap";
    let css = "@font-face{font-family:'Inter';font-style:normal;font-weight:100 900;font-display:swap;src:url(https://fonts.gstatic.com/s/inter/v1/a.woff2) format('woff2');unicode-range:U+0000-00FF}\
        @font-face{font-family:Roboto;src:url(https://fonts.gstatic.com/s/roboto/v1/b.woff2) format('woff2')}";
    let page = PageSnapshot { sheets: vec![sheet(href, css)], ..page("<p style='font-family:Inter'>x</p>") };
    let found = items(Fonts, &page);
    let axes = json!([{ "tag": "wght", "min": 100, "max": 900 }, { "tag": "opsz", "min": 14, "max": 32 }]);
    assert_eq!(
        (&found[0]["variable"]["axes"], &found[0]["source"], &found[0]["sheet"]),
        (&axes, &json!("google"), &json!(href))
    );
    assert_eq!(
        (&found[0]["used"], &found[1]["used"], &found[1]["variable"]),
        (&json!(true), &json!(false), &Value::Null)
    );
}

#[test]
fn files_in_sheets_of_font_services_are_classified() {
    for (href, file, source) in [
        ("https://use.typekit.net/abc1def.css", "https://use.typekit.net/af/1/l?subset_id=2&fvd=n4", "adobe"),
        ("https://fonts.bunny.net/css?family=abel:400", "https://fonts.bunny.net/abel/files/abel-400.woff2", "cdn"),
    ] {
        let css = format!(
            "@import url('https://p.typekit.net/p.css?s=1&k=abc1def');\
             @font-face{{font-family:'abel';src:url('{file}') format('woff2');font-display:auto;font-style:normal;font-weight:400}}"
        );
        let page = PageSnapshot { sheets: vec![sheet(href, &css)], ..page("<p style='font-family:abel'>x</p>") };
        let found = items(Fonts, &page);
        assert_eq!(found.len(), 1, "{href}: the tracking stylesheet declares no font");
        let expected = (&json!(file), &json!("woff2"), &json!(source), &json!(true));
        assert_eq!((&found[0]["url"], &found[0]["format"], &found[0]["source"], &found[0]["used"]), expected, "{href}");
    }
}

#[test]
fn imported_sheets_come_first_and_once() {
    let rule = |family: &str| format!("@font-face{{font-family:{family};src:url({family}.woff2)}}");
    let main = format!("@import 'a.css';@import url(b.css#x) print;{}", rule("Main"));
    let mut page = with_css("", &main);
    page.sheets.push(sheet("https://www.site.test/dir/other.css", "@import 'a.css';"));
    // The second one was redirected.
    let imported = [
        ("a.css", "https://www.site.test/dir/a.css", format!("@import 'b.css';@import 'a.css#x';{}", rule("A"))),
        ("b.css", "https://cdn.test/x/b.css", rule("B")),
    ];
    for (name, base_url, text) in imported {
        let sheet = ImportedSheet { base_url: base_url.to_owned(), text };
        page.imports.insert(format!("https://www.site.test/dir/{name}"), sheet);
    }
    let found = items(Fonts, &page);
    let read: Vec<(&str, &str)> =
        found.iter().map(|f| (f["family"].as_str().unwrap(), f["url"].as_str().unwrap())).collect();
    let expected = [
        ("B", "https://cdn.test/x/B.woff2"),
        ("A", "https://www.site.test/dir/A.woff2"),
        ("Main", "https://www.site.test/dir/Main.woff2"),
    ];
    assert_eq!(read, expected);
}

/// Returns whether the families A and B are used by a page with this body and these rules.
fn used_families(body: &str, css: &str) -> (bool, bool) {
    let css = format!("@font-face{{font-family:A;src:url(a.woff2)}}@font-face{{font-family:B;src:url(b.woff2)}}{css}");
    let answer = answer(Fonts, &with_css(body, &css));
    let of = |index: usize| answer["families"][index]["used"].as_bool().unwrap();
    (of(0), of(1))
}

#[test]
fn first_available_family_of_text_is_used() {
    for (body, css, expected) in [
        ("<p>x</p>", "p{font-family:A,serif}", (true, false)),
        ("<p>x</p>", "p{font-family:a}", (true, false)),
        ("<p>x</p>", "p{font:12px/1 B}", (false, true)),
        ("<p>x</p>", "p{font-family:A,B}", (true, false)),
        ("<p>x</p>", "p{font-family:serif,A}", (false, false)),
        ("<p>x</p>", "p{font-family:Missing,A}", (true, false)),
        ("<p>x</p>", "h1{font-family:A}", (false, false)),
        ("<p>x</p>", "p::before{font-family:A}", (false, false)),
        ("<p>x</p>", "p::before{content:'x';font-family:A}", (true, false)),
        ("<p title=x></p>", "p::after{content:attr(title);font-family:A}", (true, false)),
        ("<p>x</p>", "p{font-family:A}p{font-family:B}", (false, true)),
        ("<p>x</p>", "body{font-family:A}p{font-family:B}", (false, true)),
        ("<p>x</p>", "p{font-family:A;display:none}", (false, false)),
        ("<input value=x>", "input{font-family:A}", (true, false)),
        ("<p>x</p>", "@media (max-width:600px){p{font-family:A}}", (false, false)),
        ("<p>x</p>", "@media print{p{font-family:A}}", (false, false)),
        ("<p>x</p>", "@media (min-width:1px){p{font-family:A}}", (true, false)),
        ("<p>x</p>", "body{p{font-family:A}}", (true, false)),
        ("<p>x</p>", "p{&:not(.x){font-family:B}}", (false, true)),
        ("<p>x</p>", ":root{--f:A}p{font-family:var(--f)}", (true, false)),
        ("<p>x</p>", "p{font-family:var(--f,B)}", (false, true)),
        ("<p>x</p>", ":root{--f:var(--f)}p{font-family:var(--f)}", (false, false)),
        ("<p style='font-family:A'>x</p>", "", (true, false)),
        ("<p style='font: 1em B !important'>x</p>", "", (false, true)),
        ("<font face=A>x</font>", "", (true, false)),
        ("<svg><text font-family=B>x</text></svg>", "", (false, true)),
        ("", "p{font-family:A}", (false, false)),
        ("<p> </p>", "p{font-family:A}", (false, false)),
        ("<p>&nbsp;</p>", "p{font-family:A}", (true, false)),
        (
            "<div><p>x</p></div>",
            "div{container-type:inline-size}@container(min-width:100px){p{font-family:A}}",
            (true, false),
        ),
        (
            "<div><p>x</p></div>",
            "div{container-type:inline-size;width:90px}@container(min-width:100px){p{font-family:A}}",
            (false, false),
        ),
        ("<p>x</p>", "p::first-letter{font-family:A}", (true, false)),
        ("<p><b>x</b> y</p>", "p::first-line{font-family:A}b{font-family:B}", (true, true)),
        ("<p></p>", "p::first-letter{font-family:A}", (false, false)),
        ("<p><b>x</b></p>", "b::first-letter{font-family:A}", (false, false)),
        ("<input placeholder=x>", "::placeholder{font-family:A}", (true, false)),
        ("<input placeholder=x value=y>", "::placeholder{font-family:A}input{font-family:B}", (false, true)),
        ("<textarea placeholder=x></textarea>", "::placeholder{font-family:A}", (true, false)),
    ] {
        assert_eq!(used_families(body, css), expected, "{body} {css}");
    }
}

#[test]
fn generated_and_default_texts_use_fonts() {
    for (body, css, expected) in [
        ("<q></q>", "q{font-family:A}", (true, false)),
        ("<q>x</q>", "q::before{font-family:A}", (true, false)),
        ("<q>x</q>", "q{quotes:none}q::before{font-family:A}", (false, false)),
        ("<ol><li></ol>", "li{font-family:A}", (true, false)),
        ("<ol><li>x</ol>", "li::marker{font-family:A}", (true, false)),
        ("<ol><li>x</ol>", "ol{list-style:none}li::marker{font-family:A}", (false, false)),
        ("<ul><li></ul>", "li{font-family:A}", (false, false)),
        ("<ul><li></ul>", "li{list-style:'→'}li::marker{font-family:A}", (true, false)),
        ("<ul><li></ul>", "li::marker{font-family:A;content:'x'}", (true, false)),
        ("<p>x</p>", "p::marker{font-family:A;content:'x'}", (false, false)),
        ("<input type=submit>", "input{font-family:A}", (true, false)),
        ("<input type=button>", "input{font-family:A}", (false, false)),
        ("<input type=FILE>", "input{font-family:A}::file-selector-button{font-family:B}", (true, true)),
        ("<input type=date>", "input{font-family:A}", (true, false)),
        ("<input>", "input{font-family:A}", (false, false)),
        ("<input type=checkbox value=x>", "input{font-family:A}", (false, false)),
        ("<data value=x></data>", "data{font-family:A}", (false, false)),
        ("<meter value=1>x</meter>", "meter{font-family:A}", (false, false)),
        ("<progress><b>x</b></progress>", "b{font-family:A}", (false, false)),
        ("<details><summary>x</summary><p>y</p></details>", "summary{font-family:A}p{font-family:B}", (true, false)),
        ("<details open><p>y</p></details>", "details{font-family:A}p{font-family:B}", (true, true)),
        ("<details><b>y</b><summary></summary>x</details>", "details{font-family:A}b{font-family:B}", (false, false)),
        (
            "<details><div><summary>x</summary></div></details>",
            "details{font-family:serif}summary{font-family:B}",
            (false, false),
        ),
        ("<div>x<p>y</p></div>", "div{font-family:A;content-visibility:hidden}p{font-family:B}", (false, false)),
        ("<div>x<p>y</p></div>", "div{font-family:A;content-visibility:auto}p{font-family:B}", (true, true)),
    ] {
        assert_eq!(used_families(body, css), expected, "{body} {css}");
    }
}

#[test]
fn last_of_equal_faces_is_used() {
    for (css, expected) in [
        ("@font-face{font-family:A;src:url(a.eot)}@font-face{font-family:A;src:url(b.woff2)}", vec![false, true]),
        ("@font-face{font-family:A;src:url(a)}@font-face{font-family:A;src:local(x)}", vec![true, true]),
        (
            "@font-face{font-family:A;src:url(a)}@font-face{font-family:A;src:url(b);unicode-range:U+78}",
            vec![true, true],
        ),
        (
            "@font-face{font-family:A;src:url(a);unicode-range:U+78}@font-face{font-family:A;src:url(b)}",
            vec![false, true],
        ),
        (
            "@font-face{font-family:A;src:url(a)}@font-face{font-family:A;src:url(b);font-stretch:75%}",
            vec![true, false],
        ),
        (
            "p{font-stretch:condensed}@font-face{font-family:A;src:url(a)}@font-face{font-family:A;src:url(b);font-stretch:75%}",
            vec![false, true],
        ),
        (
            "p{font-stretch:80%}@font-face{font-family:A;src:url(a);font-stretch:90%}@font-face{font-family:A;src:url(b);font-stretch:50%}",
            vec![false, true],
        ),
    ] {
        let found = items(Fonts, &with_css("<p>xy</p>", &format!("p{{font-family:A}}{css}")));
        let used: Vec<bool> = found.iter().map(|face| face["used"].as_bool().unwrap()).collect();
        assert_eq!(used, expected, "{css}");
    }
}

#[test]
fn subsets_with_rendered_characters_are_used() {
    let css = "@font-face{font-family:A;src:url(cyrillic);unicode-range:U+400-4FF}@font-face{font-family:A;src:url(latin);unicode-range:U+0-FF}\
        @font-face{font-family:B;src:url(all)}p{font-family:A,B}";
    for (text, expected) in [
        ("abc", [false, true, false]),
        ("жук", [true, false, false]),
        ("a жук", [true, true, false]),
        ("a ☃", [false, true, true]),
    ] {
        let found = items(Fonts, &with_css(&format!("<p>{text}</p>"), css));
        let used: Vec<bool> = found.iter().map(|face| face["used"].as_bool().unwrap()).collect();
        assert_eq!(used, expected, "{text}");
    }
}

#[test]
fn closest_weight_and_style_of_text_are_used() {
    let css = "@font-face{font-family:A;src:url(r)}@font-face{font-family:A;src:url(b);font-weight:700}\
        @font-face{font-family:A;src:url(i);font-style:italic}body{font-family:A}";
    for (body, expected) in [
        ("<p>x", [true, false, false]),
        ("<b>x", [false, true, false]),
        ("<em>x", [false, false, true]),
        ("<p>x<b>y", [true, true, false]),
        ("<p style='font-weight:600'>x", [false, true, false]),
        ("<b><i>x", [false, false, true]),
    ] {
        let found = items(Fonts, &with_css(body, css));
        let used: Vec<bool> = found.iter().map(|face| face["used"].as_bool().unwrap()).collect();
        assert_eq!(used, expected, "{body}");
    }
}

#[test]
fn faces_are_grouped_by_family() {
    let css = "@font-face{font-family:'My Font';src:url(b.woff2);font-weight:700}@font-face{font-family:other;src:local(x)}\
        @font-face{font-family:my font;src:url(i.woff2);font-style:italic}@font-face{font-family:My Font;src:url(b.woff2),url(b.woff);font-weight:100 900}";
    let answer = answer(Fonts, &with_css("<p>x</p>", css));
    let expected = json!([
        { "family": "My Font", "weights": ["100 900", "400", "700"], "styles": ["normal", "italic"], "files": 3, "used": false },
        { "family": "other", "weights": ["400"], "styles": ["normal"], "files": 0, "used": false }
    ]);
    assert_eq!(answer["families"], expected);
}

#[test]
fn preloaded_font_files_are_marked() {
    let html = "<link rel=preload as=font type=font/woff2 href=a.woff2 crossorigin><link rel=preload as=font href=other.ttf>\
        <link rel=preload as=style href=x.css><link rel='preload' as=font href=a.woff2>";
    let answer = answer(
        Fonts,
        &with_css(html, "@font-face{font-family:F;src:url(a.woff2)}@font-face{font-family:G;src:url(g)}"),
    );
    let expected = json!([
        { "url": "https://www.site.test/dir/a.woff2", "format": "woff2", "family": "F" },
        { "url": "https://www.site.test/dir/other.ttf", "format": "truetype" }
    ]);
    assert_eq!(answer["preloads"], expected);
    assert_eq!((&answer["fonts"][0]["preload"], &answer["fonts"][1]["preload"]), (&json!(true), &Value::Null));
}

#[test]
fn faces_list_their_conditions_and_sources() {
    let css = "@media print{@media (color){@font-face{font-family:P;src:url(p.woff2)}}}@font-face{font-family:L;src:local(x)}\
        @font-face{font-family:D;src:local(y),url(data:font/woff2;base64,AA)}";
    let found = faces(css);
    let read: Vec<_> =
        found.iter().map(|f| (f["source"].as_str().unwrap(), f["media"].as_str(), f["format"].as_str())).collect();
    let expected = [
        ("self-hosted", Some("print and (color)"), Some("woff2")),
        ("local", None, None),
        ("data", None, Some("woff2")),
    ];
    assert_eq!(read, expected);
    assert_eq!(found[1]["url"], Value::Null);
}

#[test]
fn font_result_has_the_documented_shape() {
    let css = "@font-face{font-family:Inter;src:local('Inter'),url(/f/inter.woff2) format('woff2') tech(variations);font-weight:100 900;font-display:swap;unicode-range:U+0-FF}p{font-family:Inter}";
    let page = PageSnapshot { sheets: vec![sheet("https://www.site.test/f/x.css", css)], ..page("<p>text</p>") };
    assert_eq!(page.url, PAGE);
    insta::assert_json_snapshot!(answer(Fonts, &page));
}

#[test]
fn million_faces_are_capped() {
    let one_kind = "@font-face{font-family:F;src:url(a)}".repeat(300_000);
    assert_eq!(faces(&one_kind).len(), 1);
    let many: String = (0..150_000).map(|n| format!("@font-face{{font-family:F{n};src:url(a)}}")).collect();
    let answer = answer(Fonts, &with_css("<p>x</p>", &many));
    assert_eq!(answer["truncated"], json!(true));
    assert!(serde_json::to_vec(&answer).unwrap().len() < 16 * 1024 * 1024);
}

#[test]
fn hostile_stylesheets_take_bounded_time() {
    for css in [
        "@media a{".repeat(100_000),
        "a{".repeat(100_000),
        "@font-face{src:".repeat(100_000),
        format!("@font-face{{font-family:F;src:{}}}", "url(a),".repeat(200_000)),
        format!("@font-face{{font-family:F;src:url(a);unicode-range:{}}}", "U+0-1,".repeat(200_000)),
        format!("p{{font-family:{}}}", "var(".repeat(200_000)),
        format!(":root{{--a:var(--b) var(--b);--b:var(--a) var(--a)}}{}", "p{font-family:var(--a)}".repeat(10_000)),
    ] {
        faces(&css);
    }
}

#[test]
fn faces_under_an_overlong_condition_truncate_the_result() {
    for (length, count, truncated) in [(4_000, json!(1), Value::Null), (5_000, json!(0), json!(true))] {
        let condition = "x".repeat(length);
        let css = format!("@media ({condition}){{@font-face{{font-family:F;src:url(a.woff2)}}}}");
        let answer = answer(Fonts, &with_css("<p>text</p>", &css));
        assert_eq!((&answer["count"], &answer["truncated"]), (&count, &truncated), "{length}");
    }
}

proptest! {
    #[test]
    fn arbitrary_stylesheets_do_not_panic_the_font_reader(css in "[@a-z{}();:,'\"\\\\! U+?0-9&>.-]{0,200}", value in ".{0,60}") {
        faces(&css);
        faces(&format!("@font-face{{font-family:{value};src:url({value}),local({value})}}p{{font:{value};font-family:{value}}}"));
    }
}
