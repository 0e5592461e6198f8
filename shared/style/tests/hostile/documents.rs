//! Markup that hides styles, or that is deep, wide or broken.

use super::{longest_value, page};
use limner_page::Document;
use limner_style::layout::NoLayout;
use limner_style::{Environment, StyleIndex, inspect};
use proptest::prelude::*;
use serde_json::Value;

#[test]
fn large_documents_are_styled() {
    let css = "*{color:red;--a:1}i>i{color:blue;--b:var(--a)}i+i{width:1px}i:empty,i:last-child{top:0}";
    for (name, html) in [
        ("deep", "<i>".repeat(20_000)),
        ("wide", "<i></i>".repeat(20_000)),
        ("deep and wide", format!("{}{}", "<i>".repeat(390), "<i></i>".repeat(5_000))),
        ("style attributes", "<i style='color:red;--c:var(--a);margin:1px 2px'></i>".repeat(5_000)),
        ("attributes", format!("<i {}>", (0..5_000).map(|n| format!("a{n}=x ")).collect::<String>())),
        ("classes", format!("<i class='{}'>", (0..50_000).map(|n| format!("c{n} ")).collect::<String>())),
        ("one long class", format!("<i class={}>", "c".repeat(500_000))),
        ("style elements", "<style>i{color:red}</style>".repeat(5_000)),
        ("one long style attribute", format!("<i style='{}'>", "color:red;".repeat(50_000))),
        ("shadow trees", "<i><template shadowrootmode=open><style>:host{color:red}</style><slot></slot></template><b></b></i>".repeat(1_000)),
        ("old attributes", "<table width=1e999 border=-1 bgcolor=chucknorris><td height=999999999999 align=x><font size=+99 color='\0'>".repeat(100)),
    ] {
        let page = page(&html, css);
        let report = inspect::report(&page, &Environment::default(), &NoLayout);
        let elements = report["elements"].as_array().unwrap();
        assert!(elements.len() > 2 && elements.iter().all(|row| row["style"]["color"].is_string()), "{name}");
    }
}

#[test]
fn paths_count_element_siblings() {
    let report =
        inspect::report(&page("<p>a<i></i>b<!-- --><b></b></p><p><u>", ""), &Environment::default(), &NoLayout);
    let paths: Vec<&str> =
        report["elements"].as_array().unwrap().iter().filter_map(|row| row["path"].as_str()).collect();
    let expected = [
        "html",
        "html/0head",
        "html/1body",
        "html/1body/0p",
        "html/1body/0p/0i",
        "html/1body/0p/1b",
        "html/1body/1p",
        "html/1body/1p/0u",
    ];
    assert_eq!(paths, expected);
}

/// Pieces that make interesting documents when they are joined.
const PIECES: &[&str] = &[
    "<div>",
    "</div>",
    "<p class=x>",
    "<a href=#>",
    "<b id=i hidden>",
    "<table>",
    "<tr><td width=9>",
    "<ul type=a>",
    "<li value=3>",
    "<svg fill=red>",
    "<foreignObject>",
    "<math>",
    "<template shadowrootmode=open>",
    "<template>",
    "<slot>",
    "<select>",
    "<option selected>",
    "<input type=checkbox checked>",
    "<details open>",
    "<dialog open>",
    "<style>",
    "</style>",
    "<style media='(width<500px)'>",
    "<noscript>",
    "<font size=7 color=red>",
    "<body text=lime>",
    "<html dir=rtl lang=ar>",
    "<img width=3 style='",
    "'>",
    "<i style=\"color:red;--v:",
    "\">",
    "color:red;",
    "p{color:red}",
    "::before{content:'x'}",
    ":host{display:flex}",
    "::slotted(b){color:lime}",
    ".x:hover{color:var(--v)}",
    "*{all:unset}",
    "x",
    "\0",
    "&#0;",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<frameset>",
    "<plaintext>",
    "<textarea>",
    "<iframe srcdoc='<p>'>",
    "é",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_documents_have_bounded_styles(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..80)) {
        let page = page(&pieces.concat(), ".x>*{color:blue}td{color:red}@media (prefers-color-scheme:dark){*{color:#fff}}");
        prop_assert!(longest_value(&page) < 100_000);
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document);
        let blocks: usize = document.elements().map(|(node, _)| index.declarations(node, None).len()).sum();
        prop_assert!(blocks > 0);
        let report = inspect::report(&page, &Environment::default(), &NoLayout);
        prop_assert!(report["elements"].as_array().is_some_and(|rows| rows.iter().all(|row| row["style"] != Value::Null)));
    }
}
