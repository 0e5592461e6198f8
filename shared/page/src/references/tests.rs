use super::*;

const PAGE: &str = "https://a.test/dir/page?q";

fn page() -> Url {
    Url::parse(PAGE).unwrap()
}

fn sheets_of(html: &str) -> Vec<StylesheetReference> {
    let document = Document::parse(html);
    sheets(&document, &document.base_url(&page()).into())
}

/// Formats each stylesheet as `number source media alternate`.
fn stylesheet_lines(html: &str) -> Vec<String> {
    lines(sheets_of(html))
}

fn lines(sheets: Vec<StylesheetReference>) -> Vec<String> {
    let line = |sheet: StylesheetReference| {
        let number = sheet.element.map_or("-".to_owned(), |n| n.to_string());
        let source = match sheet.source {
            StylesheetSource::External(url) => url.to_string(),
            StylesheetSource::Inline(text) => format!("<{text}>"),
            StylesheetSource::Unread(url) => format!("!{url}"),
        };
        let alternate = if sheet.alternate { "alternate" } else { "" };
        [number.as_str(), &source, &sheet.media, alternate]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    };
    sheets.into_iter().map(line).collect()
}

#[test]
fn stylesheets_are_found_as_in_browsers() {
    let table: &[(&str, &[&str])] = &[
        ("<link rel=stylesheet href=a.css>", &["0 https://a.test/dir/a.css"]),
        ("<link rel='STYLESHEET nofollow' href=' /a.css '>", &["0 https://a.test/a.css"]),
        ("<base href=//cdn.test/x/><link rel=stylesheet href=a.css>", &["0 https://cdn.test/x/a.css"]),
        ("<style>a{}</style><link rel=stylesheet href=b>", &["0 <a{}>", "1 https://a.test/dir/b"]),
        ("<link rel=stylesheet href=a media=' print '>", &["0 https://a.test/dir/a print"]),
        ("<style media='(min-width:1px)'>a</style>", &["0 <a> (min-width:1px)"]),
        // counted, but not stylesheets
        ("<link rel=stylesheet><style>a</style>", &["1 <a>"]),
        ("<link rel=stylesheet href=''><style>a</style>", &["1 <a>"]),
        ("<link rel=stylesheet href=a type=text/less><style type=text/plain>x</style><style>a</style>", &["2 <a>"]),
        ("<link rel=stylesheet href='blob:x'><link rel=stylesheet href='javascript:1'>", &[]),
        ("<link rel=stylesheet href='data:text/css,a{}'>", &["0 data:text/css,a{}"]),
        ("<link rel=stylesheet href=a type='text/css; charset=x'>", &["0 https://a.test/dir/a"]),
        // not part of the page
        ("<noscript><link rel=stylesheet href=a></noscript><template><style>x</style></template>", &[]),
        ("<svg><style>a</style></svg>", &["0 <a>"]),
        (
            "<div><template shadowrootmode=open><style title=t>a</style></template></div><style>b</style>",
            &["0 <a>", "1 <b>"],
        ),
        // alternate and disabled stylesheets
        (
            "<link rel=stylesheet href=a title=A><link rel='alternate stylesheet' href=b title=B><link rel=stylesheet href=c>",
            &["0 https://a.test/dir/a", "1 https://a.test/dir/b alternate", "2 https://a.test/dir/c"],
        ),
        (
            "<style title=A>a</style><style title=B>b</style><style title=A>c</style>",
            &["0 <a>", "1 <b> alternate", "2 <c>"],
        ),
        (
            "<meta http-equiv=Default-Style content=B><style title=A>a</style><style title=B>b</style>",
            &["0 <a> alternate", "1 <b>"],
        ),
        ("<link rel=stylesheet href=a disabled>", &["0 !https://a.test/dir/a alternate"]),
        // applied by scripts
        ("<link rel=stylesheet href=a media=print onload=\"this.media='all'\">", &["0 https://a.test/dir/a"]),
        (
            "<link rel=preload as=style href=a onload=\"this.onload=null;this.rel='stylesheet'\"><style>b</style>",
            &["- https://a.test/dir/a", "0 <b>"],
        ),
        ("<link rel=preload as=style href=a>", &[]),
    ];
    for (html, expected) in table {
        assert_eq!(stylesheet_lines(html), *expected, "{html}");
    }
}

#[test]
fn stylesheets_without_scripts_include_noscript() {
    let table: &[(&str, &[&str])] = &[
        (
            "<style>a</style><noscript><link rel=stylesheet href=n media=print></noscript><style>b</style>",
            &["0 <a>", "- https://a.test/dir/n print", "1 <b>"],
        ),
        (
            "<noscript><p>Hi</p><style>n</style><style>m</style></noscript><style>a</style>",
            &["- <n>", "- <m>", "0 <a>"],
        ),
        // applied with scripts too
        (
            "<link rel=preload as=style href=a onload=\"this.rel='stylesheet'\"><noscript><link rel=stylesheet href=a></noscript>",
            &["- https://a.test/dir/a"],
        ),
        (
            "<link rel=stylesheet href=a media=print><noscript><link rel=stylesheet href=a></noscript>",
            &["0 https://a.test/dir/a print", "- https://a.test/dir/a"],
        ),
        // images are read as loaded
        ("<noscript><style>img.lazyload{display:none}</style></noscript>", &[]),
        ("<noscript><style>[data-lazy-src]{display:none!important}</style></noscript><style>a</style>", &["0 <a>"]),
        ("<noscript>&lt;style>a</noscript>", &[]),
    ];
    for (html, expected) in table {
        let document = Document::parse(html);
        let found = stylesheets_with_scripting_disabled(&document, &document.base_url(&page()).into());
        assert_eq!(lines(found), *expected, "{html}");
    }
}

#[test]
fn integrity_of_links_is_kept() {
    let html = "<link rel=stylesheet href=a integrity=' sha256-x  sha384-y '><link rel=stylesheet href=a integrity=' '>\
                <link rel=stylesheet href=a integrity=sha256-x crossorigin><style integrity=sha256-x></style>\
                <link rel=preload as=style href=a integrity=sha256-x onload=\"this.rel='stylesheet'\">";
    let asked: Vec<Option<(String, bool)>> = sheets_of(html)
        .into_iter()
        .map(|sheet| sheet.integrity.map(|asked| (asked.metadata, asked.with_cors)))
        .collect();
    let one = |cors| Some(("sha256-x".to_owned(), cors));
    assert_eq!(asked, [Some(("sha256-x  sha384-y".to_owned(), false)), None, one(true), None, one(false)]);
}

#[test]
fn imports_are_found_before_other_rules() {
    let table: &[(&str, &[&str])] = &[
        ("@import 'a.css';", &["a.css"]),
        ("@IMPORT url(a.css) screen;@import url('b.css') layer(x) supports(display:grid) print;", &["a.css", "b.css"]),
        ("/* c */ <!-- @charset 'x'; @layer a, b; @import \"a.css\";", &["a.css"]),
        ("@import 'a.css'; a{} @import 'b.css';", &["a.css"]),
        ("@layer a{} @import 'b.css';", &[]),
        ("@media print{@import 'b.css';}", &[]),
        ("@font-face{} @import 'b.css';", &[]),
        ("@namespace 'x'; @import 'b.css';", &[]),
        ("@import 'a.css'{} @import 'b.css';", &["b.css"]),
        ("@import; @import ''; @import foo; @import 'b.css'", &["b.css"]),
        ("@import 'a.css", &["a.css"]),
        ("@import url(a.css", &["a.css"]),
        ("@import '\\61.css';@import 'a.css';", &["a.css", "a.css"]),
        ("@import 'a.css?x#f';", &["a.css?x#f"]),
        ("/* @import 'x'; */", &[]),
        ("@import 'javascript:1'; @import 'file:///etc/passwd';", &[]),
        ("", &[]),
    ];
    let base = Url::parse("https://c.test/s/").unwrap();
    for (css, expected) in table {
        let expected: Vec<Url> = expected.iter().map(|name| base.join(name).unwrap()).collect();
        assert_eq!(imports(css, &base), expected, "{css}");
    }
}

#[test]
fn deep_nesting_in_a_stylesheet_does_not_overflow() {
    let css = format!("@import 'a.css'; @layer {};", "(".repeat(200_000));
    assert_eq!(imports(&css, &page()).len(), 1);
}

#[test]
fn meta_refresh_redirects_as_browsers_do() {
    for (content, expected) in [
        ("0;url=next", Some("https://a.test/dir/next")),
        ("0; URL = 'next' ", Some("https://a.test/dir/next")),
        ("0,\"next\"", Some("https://a.test/dir/next")),
        ("0 next", Some("https://a.test/dir/next")),
        ("3;url=//b.test/#x", Some("https://b.test/")),
        (";url=next", Some("https://a.test/dir/next")),
        ("0.9;url=next", Some("https://a.test/dir/next")),
        ("600;url=next", None),
        ("0;url=", None),
        ("5", None),
        ("0;url=?q", None),
        ("0;url=javascript:alert(1)", None),
        ("0;url=data:text/html,x", None),
        ("", None),
    ] {
        let html = format!("<meta http-equiv=Refresh content=\"{}\">", content.replace('"', "&quot;"));
        let found = meta_refresh(&Document::parse(&html), &page(), &page().into());
        assert_eq!(found.as_ref().map(Url::as_str), expected, "{content}");
    }
    let hidden = Document::parse("<noscript><meta http-equiv=refresh content='0;url=x'></noscript>");
    assert_eq!(meta_refresh(&hidden, &page(), &page().into()), None);
}

#[test]
fn manifest_is_found() {
    let document = Document::parse("<link rel=manifest href=/m.json>");
    assert_eq!(manifest(&document, &page().into()).unwrap().as_str(), "https://a.test/m.json");
}

#[test]
fn stylesheets_that_scripts_load_by_declaration_are_found() {
    let google = "https://fonts.googleapis.com/css?family=";
    let of = |script: &str| {
        let document = Document::parse(&format!("<head><style>a</style>{script}</head>"));
        lines(stylesheets_with_scripting_disabled(&document, &document.base_url(&page()).into()))
    };
    for (script, expected) in [
        (
            "<script>WebFont.load({ google: { families: [\"Open Sans:300,300italic\",\"Lato\"] }});</script>",
            format!("- {google}Open+Sans:300,300italic%7CLato"),
        ),
        (
            "<script>WebFontConfig={google:{families:['Noto Sans JP:regular,700:japanese,latin','Inter:']},classes:!1};(function(d){d.x()})(document)</script>",
            format!("- {google}Noto+Sans+JP:regular,700%7CInter&subset=japanese,latin"),
        ),
        (
            "<script>window.WebFontConfig = {typekit: {id: 'abc1def'}}</script>",
            "- https://use.typekit.net/abc1def.css".into(),
        ),
        (
            "<script>WebFont.load({custom:{families:['A'],urls:['fonts.css']}})</script>",
            "- https://a.test/dir/fonts.css".into(),
        ),
        (
            "<script>WebFont.load({custom:{families:['Satoshi'],urls:['https://api.fontshare.com/v2/css?f[]=satoshi@700']}})</script>",
            "- https://api.fontshare.com/v2/css?f[]=satoshi@700".into(),
        ),
        (
            "<script>(function(d){var config={kitId:'abc1def',scriptTimeout:3000},tk=d.createElement('script');\
             tk.src='https://use.typekit.net/'+config.kitId+'.js'})(document)</script>",
            "- https://use.typekit.net/abc1def.css".into(),
        ),
        (
            "<script>l.href='https://api.fontshare.com/v2/css?f[]=satoshi@700,400&display=swap';head.append(l)</script>",
            "- https://api.fontshare.com/v2/css?f[]=satoshi@700,400&display=swap".into(),
        ),
        (
            r#"<script type=rocketlazyloadscript>load("https:\/\/fonts.googleapis.com\/css2?family=Lato")</script>"#,
            "- https://fonts.googleapis.com/css2?family=Lato".into(),
        ),
        ("<script src=https://use.typekit.net/abc1def.js></script>", "- https://use.typekit.net/abc1def.css".into()),
        (
            "<script src=//kit.fontawesome.com/42da3837ad.js></script>",
            "- https://kit.fontawesome.com/42da3837ad.css".into(),
        ),
        ("<script src=https://fast.fonts.net/jsapi/a-b.js></script>", "- https://fast.fonts.net/cssapi/a-b.css".into()),
    ] {
        assert_eq!(of(script), ["0 <a>".to_owned(), expected], "{script}");
    }
    for script in [
        "<script>WebFont.load(config)</script>",
        "<script>WebFont.load({google:{families:names}})</script>",
        "<script>WebFont.load({custom:{urls:['javascript:1']},typekit:{id:'../x'}})</script>",
        "<script src=https://use.fontawesome.com/releases/v6.3.0/js/all.js></script>",
        "<script src=https://a.test/abc.js></script>",
        "<script>load('https://fonts.googleapis.com/css?family=' + names)</script>",
        "<script>connect('https://fonts.googleapis.com')</script>",
        "<script>list('a.test, https://fonts.googleapis.com/css?family=Lato')</script>",
        "<script type=application/json>{\"a\":\"https://fonts.googleapis.com/css?family=Lato\"}</script>",
    ] {
        assert_eq!(of(script), ["0 <a>"], "{script}");
    }
    // A stylesheet that the page links as well is requested once; a browser loads its scripts' stylesheets itself.
    let linked = format!(
        "<link rel=stylesheet href={google}Lato><script>WebFont.load({{google:{{families:['Lato']}}}})</script>"
    );
    assert_eq!(of(&linked).len(), 2);
    assert_eq!(sheets_of("<script>WebFont.load({google:{families:['Lato']}})</script>").len(), 0);
}
