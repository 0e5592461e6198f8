//! Stylesheets: selection, order, and missing ones.

use crate::support::{Origin, short_limits};
use limner_fetcher::ReaderLimits;
use limner_page::{Degradation, SheetOwner};
use limner_testkit::CannedResponse;
use std::time::{Duration, Instant};

#[tokio::test]
async fn stylesheets_are_in_document_order_with_their_conditions() {
    let origin = Origin::with_page(
        "<base href=/css/><link rel=stylesheet href=slow.css media='(min-width: 1px)'><style media=print>b{}</style>\
         <link rel='alternate stylesheet' title=dark href=dark.css><link rel=stylesheet href=off.css disabled>\
         <link rel=stylesheet href=http://cdn.test/c.css><p>x",
    )
    .await;
    origin.site.on("/css/slow.css", CannedResponse::css("a{}").after(Duration::from_millis(150)));
    origin.site.on("/css/dark.css", CannedResponse::css("d{}"));
    origin.site.on("/c.css", CannedResponse::redirect("/moved/c.css")).on("/moved/c.css", CannedResponse::css("c{}"));
    let snapshot = origin.read("/").await.unwrap();
    let shown: Vec<_> = snapshot
        .sheets
        .iter()
        .map(|s| (s.element.unwrap(), s.text.as_deref(), s.media.as_str(), s.alternate, s.base_url.as_str()))
        .collect();
    assert_eq!(
        shown,
        [
            (0, Some("a{}"), "(min-width: 1px)", false, "http://site.test/css/slow.css"),
            (1, Some("b{}"), "print", false, "http://site.test/css/"),
            (2, Some("d{}"), "", true, "http://site.test/css/dark.css"),
            (3, None, "", true, "http://site.test/css/off.css"),
            (4, Some("c{}"), "", false, "http://cdn.test/moved/c.css"),
        ]
    );
    assert_eq!(snapshot.sheets[1].owner, SheetOwner::Style);
    assert_eq!(snapshot.sheets[4].href.as_deref(), Some("http://cdn.test/c.css"));
    assert_eq!(origin.site.count("/css/off.css"), 0, "disabled sheets are not read");
    assert_eq!(snapshot.degradation, None);
}

#[tokio::test]
async fn imports_are_followed_once_each_and_cycles_end() {
    let origin = Origin::with_page(
        "<link rel=stylesheet href=/a.css><link rel=stylesheet href=/a.css#again><style>@import 'in/line.css';</style><p>x",
    )
    .await;
    origin.site.on("/a.css", CannedResponse::css("@import 'b.css'; @import url(/a.css); @import 'missing.css';"));
    origin.site.on("/b.css", CannedResponse::css("@import 'a.css'; @import 'deep/c.css' layer(x) print; b{}"));
    origin.site.on("/deep/c.css", CannedResponse::css("@import 'd.css?1';"));
    origin.site.on("/deep/d.css", CannedResponse::css("@import '../b.css'; d{}"));
    origin.site.on("/in/line.css", CannedResponse::css("@import url('data:text/css,e{}');"));
    let snapshot = origin.read("/").await.unwrap();
    let found: Vec<_> = snapshot.imports.keys().map(String::as_str).collect();
    assert_eq!(
        found,
        [
            "data:text/css,e{}",
            "http://site.test/a.css",
            "http://site.test/b.css",
            "http://site.test/deep/c.css",
            "http://site.test/deep/d.css?1",
            "http://site.test/in/line.css",
        ]
    );
    assert_eq!(snapshot.imports["http://site.test/deep/d.css?1"].base_url, "http://site.test/deep/d.css?1");
    assert!(origin.site.counts().values().all(|count| *count == 1), "{:?}", origin.site.counts());
    assert_eq!(snapshot.sheets.iter().filter(|sheet| sheet.text.is_some()).count(), 3);
    assert_eq!(snapshot.degradation, None, "a stylesheet that browsers miss too is no loss");
}

#[tokio::test]
async fn stylesheet_defaults_to_its_referrers_encoding() {
    let origin = Origin::start().await;
    let html =
        b"<meta charset=gbk><link rel=stylesheet href=/plain.css><link rel=stylesheet href=/own.css><link rel=stylesheet href=/linked.css charset=windows-1251><p>x".to_vec();
    origin.site.on("/", CannedResponse::new("text/html", html));
    origin.site.on(
        "/plain.css",
        CannedResponse::new("text/css", b"@import 'import.css'; a::before{content:'\xc9\xe8'}".to_vec()),
    );
    origin.site.on("/import.css", CannedResponse::new("text/css", b"i::before{content:'\xbc\xc6'}".to_vec()));
    origin
        .site
        .on("/own.css", CannedResponse::new("text/css", b"@charset \"koi8-r\";a::before{content:'\xc4\xc1'}".to_vec()));
    origin.site.on("/linked.css", CannedResponse::new("text/css", b"a::before{content:'\xc4\xe0'}".to_vec()));
    let snapshot = origin.read("/").await.unwrap();
    assert!(snapshot.sheets[0].text.as_ref().unwrap().contains('设'));
    assert!(snapshot.imports["http://site.test/import.css"].text.contains('计'));
    assert!(snapshot.sheets[1].text.as_ref().unwrap().contains("да"));
    assert!(snapshot.sheets[2].text.as_ref().unwrap().contains("Да"), "the link declares the encoding");
}

#[tokio::test]
async fn slow_stylesheet_is_left_out() {
    let origin = Origin::with_limits(short_limits()).await;
    origin
        .site
        .on("/", CannedResponse::html("<link rel=stylesheet href=/slow.css><link rel=stylesheet href=/a.css><p>x"));
    origin.site.on("/a.css", CannedResponse::css("a{}"));
    for reply in
        [CannedResponse::silent(), CannedResponse::stalled("text/css", "a{"), CannedResponse::css("b{}").status(503)]
    {
        origin.site.on("/slow.css", reply);
        let snapshot = origin.read("/").await.unwrap();
        assert_eq!(snapshot.degradation, Some(Degradation::MissingStyles));
        let texts: Vec<_> = snapshot.sheets.iter().map(|sheet| sheet.text.as_deref()).collect();
        assert_eq!(texts, [None, Some("a{}")]);
    }
}

#[tokio::test]
async fn stylesheets_missing_in_browsers_are_no_degradation() {
    let origin = Origin::with_page(
        "<!doctype html><link rel=stylesheet href=/404.css><link rel=stylesheet href=/text.css>\
         <link rel=stylesheet href=http://10.1.2.3/private.css><link rel=stylesheet href=http://nowhere.invalid/s.css><p>x",
    )
    .await;
    origin.site.on("/text.css", CannedResponse::new("text/plain", "a{}"));
    let snapshot = origin.read("/").await.unwrap();
    assert_eq!(snapshot.sheets.len(), 4);
    assert!(snapshot.sheets.iter().all(|sheet| sheet.text.is_none()));
    assert_eq!(snapshot.degradation, None);
}

#[tokio::test]
async fn stylesheet_with_an_integrity_mismatch_is_left_out() {
    let good = "sha384-m4Zcd9m9Kerya2aMKZ9CuL1yv7QLjdpmEo79GaQCk1uO2U4trsxWuyqSJsOzpOru";
    let origin = Origin::with_page(&format!(
        "<!doctype html><link rel=stylesheet href=/a.css integrity='{good}'><link rel=stylesheet href=/b.css integrity='{good}'>\
         <link rel=stylesheet href=http://cdn.test/c.css integrity='{good}' crossorigin>\
         <link rel=stylesheet href=http://cdn.test/d.css integrity='{good}'>\
         <link rel=stylesheet href=http://cdn.test/d.css#again integrity=undefined>\
         <link rel=stylesheet href=/a.css integrity='sha256-AAAA'><link rel=stylesheet href='data:text/css,c' integrity='{good}'><p>x"
    ))
    .await;
    for path in ["/a.css", "/c.css", "/d.css"] {
        origin.site.on(path, CannedResponse::css("a{}"));
    }
    origin.site.on("/b.css", CannedResponse::css("b{} @import 'more.css';"));
    let snapshot = origin.read("/").await.unwrap();
    let texts: Vec<_> = snapshot.sheets.iter().map(|sheet| sheet.text.as_deref()).collect();
    // Without CORS a cross-origin file cannot be checked, and browsers block it.
    assert_eq!(texts, [Some("a{}"), None, Some("a{}"), None, Some("a{}"), None, None]);
    assert_eq!(origin.site.count("/more.css"), 0, "a stylesheet that is left out imports nothing");
    assert_eq!(snapshot.degradation, None);
}

#[tokio::test]
async fn file_with_many_integrity_links_is_digested_once() {
    let links: String =
        (0..20_000).map(|n| format!("<link rel=stylesheet href=/a.css integrity='sha512-{n}'>")).collect();
    let origin = Origin::with_page(&format!("<!doctype html>{links}<p>x")).await;
    origin.site.on("/a.css", CannedResponse::css(format!("a{{}}{}", " ".repeat(4_000_000))));
    let began = Instant::now();
    let snapshot = origin.read("/").await.unwrap();
    assert!(snapshot.sheets.iter().all(|sheet| sheet.text.is_none()));
    // One digest takes some milliseconds; one per link would take minutes.
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[tokio::test]
async fn quirks_mode_accepts_any_same_origin_text_as_css() {
    let origin =
        Origin::with_page("<link rel=stylesheet href=/a><link rel=stylesheet href=http://cdn.test/a><p>x").await;
    origin.site.on("/a", CannedResponse::new("text/plain", "a{}"));
    let snapshot = origin.read("/").await.unwrap();
    let texts: Vec<_> = snapshot.sheets.iter().map(|sheet| sheet.text.as_deref()).collect();
    assert_eq!(texts, [Some("a{}"), None]);
}

#[tokio::test]
async fn hundred_and_first_sheet_is_left_out() {
    let origin = Origin::start().await;
    let links: String = (0..101).map(|n| format!("<link rel=stylesheet href=/{n}.css>")).collect();
    origin.site.on("/", CannedResponse::html(format!("{links}<p>x")));
    origin.site.fallback(|_| CannedResponse::css("a{}"));
    let snapshot = origin.read("/").await.unwrap();
    assert_eq!(snapshot.sheets.len(), 101);
    assert_eq!(snapshot.sheets.iter().filter(|sheet| sheet.text.is_some()).count(), 100);
    assert!(snapshot.sheets[100].text.is_none());
    assert_eq!((snapshot.truncated, snapshot.degradation), (true, Some(Degradation::Truncated)));
}

#[tokio::test]
async fn chain_of_imports_without_end_ends_at_the_limit() {
    let origin = Origin::with_page("<style>@import '/0';</style><p>x").await;
    origin.site.fallback(|request| {
        let number: usize = request.path.trim_start_matches('/').parse().unwrap_or_default();
        CannedResponse::css(format!("@import '/{}';", number + 1))
    });
    let snapshot = origin.read("/").await.unwrap();
    assert_eq!(snapshot.imports.len(), 100);
    assert_eq!(snapshot.degradation, Some(Degradation::Truncated));
}

#[tokio::test]
async fn total_size_of_stylesheets_is_limited() {
    let origin = Origin::start().await;
    let most = ReaderLimits::default().css_bytes;
    origin
        .site
        .on("/", CannedResponse::html("<link rel=stylesheet href=/big.css><link rel=stylesheet href=/small.css><p>x"));
    origin.site.on("/small.css", CannedResponse::css("b{}"));
    origin.site.on("/big.css", CannedResponse::css(vec![b' '; most - 3]));
    let snapshot = origin.read("/").await.unwrap();
    assert_eq!(css_bytes(&snapshot), most);
    assert_eq!((snapshot.truncated, snapshot.degradation), (false, None));

    origin.site.on("/big.css", CannedResponse::endless("text/css", "a{}\n".repeat(1_000)));
    let snapshot = origin.read("/").await.unwrap();
    assert!(css_bytes(&snapshot) <= most && css_bytes(&snapshot) > most / 2);
    assert_eq!((snapshot.truncated, snapshot.degradation), (true, Some(Degradation::Truncated)));
}

fn css_bytes(snapshot: &limner_page::PageSnapshot) -> usize {
    snapshot.sheets.iter().filter_map(|sheet| sheet.text.as_deref()).map(str::len).sum()
}
