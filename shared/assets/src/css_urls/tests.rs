use super::*;
use limner_page::snapshot::ImportedSheet;

const BASE: &str = "https://cdn.example/css/main.css";

fn sheet(text: &str, media: &str) -> Stylesheet {
    Stylesheet {
        base_url: BASE.to_owned(),
        media: media.to_owned(),
        text: Some(text.to_owned()),
        ..Stylesheet::default()
    }
}

/// Returns references relative to the base, with their details:
/// `path [descriptor] [type] [(media)]`.
fn reference_lines(text: &str) -> Vec<String> {
    let page = PageSnapshot::default();
    CssReader::new(&page).sheet(&sheet(text, "")).into_iter().map(format_reference).collect()
}

fn format_reference(reference: CssReference) -> String {
    let path = reference.url.as_str().trim_start_matches("https://cdn.example/css/").to_owned();
    let media = reference.media.map(|media| format!("@{media}"));
    [Some(path), reference.descriptor, reference.media_type, media].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[test]
fn references_in_values_are_found() {
    let table: &[(&str, &[&str])] = &[
        ("a{background:url(a.png)}", &["a.png"]),
        ("a{background:url( 'a b.png' ) no-repeat}", &["a%20b.png"]),
        ("a{BACKGROUND-IMAGE:URL(\"a.png\")}", &["a.png"]),
        ("a{background:u\\72l(a.png)}", &["a.png"]),
        ("a{background:url(../img/a.png)}", &["https://cdn.example/img/a.png"]),
        ("a{background:url(//b.example/a.png)}", &["https://b.example/a.png"]),
        ("a{background:url(a.png),linear-gradient(red,blue),url(b.png)}", &["a.png", "b.png"]),
        ("a{background:image-set('a.png' 1x,'b.png' 2x)}", &["a.png 1x", "b.png 2x"]),
        (
            "a{background:-webkit-image-set(url(a.avif) type('image/AVIF') 1x, url(b.png) 192dpi)}",
            &["a.avif 1x image/avif", "b.png 192dpi"],
        ),
        ("a{background:image-set('a.png' 2X type('image/png'),'b.png' 1px)}", &["a.png 2x image/png", "b.png"]),
        ("a{background:cross-fade(url(a.png),url(b.png),50%)}", &["a.png", "b.png"]),
        ("a{background-image:image('a.png',red)}", &["a.png"]),
        ("a{background:var(--x,url(a.png)) -o-thing}", &["a.png"]),
        ("a{--x:url(a.png)}", &["a.png"]),
        ("a{--x:{background:url(a.png)}}", &["a.png"]),
        ("a::before{content:url(a.png) / 'alt'}", &["a.png"]),
        ("li{list-style:square url(a.png)}", &["a.png"]),
        ("a{border-image:url(a.png) 30 round}", &["a.png"]),
        ("a{-webkit-mask:url(a.svg) center/contain no-repeat}", &["a.svg"]),
        ("a{mask-image:url(a.svg#m)}", &["a.svg#m"]),
        ("a{cursor:url(a.cur) 2 2,pointer}", &["a.cur"]),
        ("a{shape-outside:url(a.png)}", &["a.png"]),
        ("a{filter:url(f.svg#x) blur(2px)}", &["f.svg#x"]),
        ("a{filter:url(#x)}", &[]),
        ("a{background:url()}", &[]),
        ("a{background:url(a.png", &["a.png"]),
        ("a{background:url(a.png)!important}", &["a.png"]),
        // Dropped by all browsers.
        ("a{background:url(a.png) no-repeat\\9}", &[]),
        ("a{background:url(a .png)}", &[]),
        ("a{background:url(a.png)!ie}", &[]),
        ("a{*background:url(a.png)}", &[]),
        ("a{_background:url(a.png)}", &[]),
        ("a{-moz-border-image:url(a.png) 1}", &[]),
        ("a{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='a.png')}", &[]),
        ("a{background:url(a.png) url(b.png)}", &[]),
        ("a{background-image:url(a.png) no-repeat}", &[]),
        ("a{behavior:url(a.htc)}", &[]),
    ];
    for (css, expected) in table {
        assert_eq!(reference_lines(css), *expected, "{css}");
    }
}

#[test]
fn last_valid_declaration_of_a_block_counts() {
    let table: &[(&str, &[&str])] = &[
        ("a{background:url(a.png);background:url(a.svg),none}", &["a.svg"]),
        ("a{background:url(a.png);background-image:none}", &[]),
        ("a{background-image:url(a.png);background:red}", &[]),
        ("a{background:url(a.png);background:-moz-linear-gradient(red,blue)}", &["a.png"]),
        ("a{background:url(a.png);background:url(b.png) nonsense}", &["a.png"]),
        ("a{background:url(a.png)!important;background:url(b.png)}", &["a.png"]),
        ("a{background:url(a.png);background-color:red}", &["a.png"]),
        ("a{background:url(a.png)}a{background:url(b.png)}", &["a.png", "b.png"]),
        ("a{border-image:url(a.png) 1;border:0}", &[]),
        ("a{background:url(a.png);all:unset}", &[]),
        ("a{--x:url(a.png);--x:url(b.png)}", &["b.png"]),
        ("a{background:url(a.png);&:hover{background:none}}", &["a.png"]),
    ];
    for (css, expected) in table {
        assert_eq!(reference_lines(css), *expected, "{css}");
    }
}

#[test]
fn references_in_all_kinds_of_rules_are_found() {
    let table: &[(&str, &[&str])] = &[
        ("@media print{a{background:url(a.png)}}", &["a.png @print"]),
        ("@media (width>9px){@media print{a{background:url(a.png)}}}", &["a.png @(width>9px) and print"]),
        ("@media all{a{background:url(a.png)}}", &["a.png"]),
        ("@supports (x:y){@layer z{a{background:url(a.png)}}}", &["a.png"]),
        ("@container (width>9px){a{background:url(a.png)}}", &["a.png"]),
        ("@scope (.a){b{background:url(a.png)}}", &["a.png"]),
        ("@keyframes k{from{background:url(a.png)}50%{background:url(b.png)}}", &["a.png", "b.png"]),
        ("@page{background:url(a.png);@top-left{content:url(b.png)}}", &["a.png", "b.png"]),
        ("a{color:red;&:hover{background:url(a.png)}@media print{background:url(b.png)}}", &["a.png", "b.png @print"]),
        ("a{b:hover{background:url(a.png)}}", &["a.png"]),
        ("<!-- a{background:url(a.png)} -->", &["a.png"]),
        ("@charset 'x';@namespace svg url(http://ns);a{background:url(a.png)}", &["a.png"]),
        ("@font-face{font-family:x;src:url(a.woff2)}", &[]),
        ("@unknown{a{background:url(a.png)}}", &[]),
        ("@media print{background:url(a.png)}", &[]),
        ("}a{background:url(a.png)}b{background:url(b.png)}", &["b.png"]),
        ("a{color:red;}}b{background:url(b.png)}c{background:url(c.png)}", &["c.png"]),
        ("a{background:url(a.png)", &["a.png"]),
        ("/* url(a.png) */a{color:red}", &[]),
    ];
    for (css, expected) in table {
        assert_eq!(reference_lines(css), *expected, "{css}");
    }
}

#[test]
fn rules_under_an_overlong_condition_are_skipped() {
    let long = |length: usize| format!("({})", "x".repeat(length - 2));
    for (condition, count) in [(long(MAX_CONDITION_BYTES), 2), (long(MAX_CONDITION_BYTES + 1), 1)] {
        let css = format!("@media {condition}{{a{{background:url(a.png)}}}}b{{background:url(b.png)}}");
        assert_eq!(reference_lines(&css).len(), count);
    }
    let nested = format!("@media {}{{@media (y){{a{{background:url(a.png)}}}}}}", long(MAX_CONDITION_BYTES));
    assert_eq!(reference_lines(&nested), Vec::<String>::new());
}

#[test]
fn imports_have_their_own_base_and_condition() {
    let imported = |base: &str, text: &str| ImportedSheet { base_url: base.to_owned(), text: text.to_owned() };
    let mut page = PageSnapshot::default();
    let a = imported("https://other.example/deep/a.css", "@import 'b.css';a{background:url(a.png)}");
    let b = imported("https://other.example/deep/b.css", "@import url(a.css);b{background:url(b.png)}");
    page.imports.insert("https://cdn.example/css/a.css".to_owned(), a.clone());
    page.imports.insert("https://other.example/deep/a.css".to_owned(), a);
    page.imports.insert("https://other.example/deep/b.css".to_owned(), b);
    let text = "@import url(a.css) layer(x) supports(display:grid) print;@import 'missing.css';c{background:url(c.png)}\
                @import 'late.css';";
    let found: Vec<String> =
        CssReader::new(&page).sheet(&sheet(text, "screen")).into_iter().map(format_reference).collect();
    assert_eq!(
        found,
        [
            "https://other.example/deep/a.png @screen and print",
            "https://other.example/deep/b.png @screen and print",
            "https://other.example/deep/a.png @screen and print",
            "c.png @screen",
        ]
    );
}

#[test]
fn hostile_sheets_take_linear_time() {
    let inputs = [
        "a{".repeat(200_000),
        "@media x{".repeat(200_000),
        "a:b ".repeat(200_000),
        "url(".repeat(200_000),
        format!("a{{background:{}", "image-set(".repeat(100_000)),
        format!("a{{background:image-set({} {})", "'a'".repeat(100_000), "1x ".repeat(100_000)),
        format!("a{{background:image-set({} 1{})", "'a'".repeat(100_000), "x".repeat(1_000_000)),
        format!("a{{background:image-set({} type('{}'))", "'a'".repeat(100_000), "x".repeat(1_000_000)),
        format!("a{{{}}}", (0..100_000).map(|n| format!("--v{n}:url(a.png);")).collect::<String>()),
        format!("a{{{}}}", "background:url(a.png);".repeat(100_000)),
        "{}".repeat(300_000),
    ];
    for css in inputs {
        let start = std::time::Instant::now();
        let _ = reference_lines(&css);
        let beginning: String = css.chars().take(24).collect();
        assert!(start.elapsed().as_secs() < 10, "{beginning}: {:?}", start.elapsed());
    }
}
