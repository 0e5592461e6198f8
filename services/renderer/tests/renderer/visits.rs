//! Snapshots of visited pages.

use crate::support::{Kit, look_at};
use limner_page::{Document, SheetOwner};
use limner_renderer::VisitError;
use limner_testkit::{CannedResponse, OriginServer};
use limner_types::{ErrorCode, Operation, Screenshot, Theme};

const PAGE: &str = r#"<!DOCTYPE html><html lang=en><head><title>Shop</title>
<link rel=stylesheet href="http://cdn.test/linked.css" media="screen">
<style id=inline>h1 { color: red; color: oklch(0.6 0.2 30) }</style>
<style id=speedy></style>
</head><body><div id=app></div><x-card></x-card>
<script>
  speedy.sheet.insertRule('.made { color: rgb(1, 2, 3) }');
  document.getElementById('app').innerHTML = '<h1>Made by a script</h1><img src="/a.png">';
  const constructed = new CSSStyleSheet(); constructed.replaceSync('p { margin: 7px }');
  document.adoptedStyleSheets = [constructed];
  customElements.define('x-card', class extends HTMLElement {
    connectedCallback() {
      const root = this.attachShadow({ mode: 'closed' });
      root.innerHTML = '<style>b { top: 1px }</style><b>in the shade</b>';
      const own = new CSSStyleSheet(); own.replaceSync('b { left: 2px }'); root.adoptedStyleSheets = [own];
    }
  });
  fetch('/animation.json');
  new IntersectionObserver(seen => { if (seen[0].isIntersecting) document.getElementById('late').textContent = 'seen'; })
    .observe(document.body.appendChild(Object.assign(document.createElement('p'), { id: 'late', style: 'margin-top: 5000px' })));
</script></body></html>"#;

/// A picture of one pixel.
const PNG: &[u8] = include_bytes!("pixel.png");

#[tokio::test]
async fn page_is_read_as_its_scripts_left_it() {
    let kit = Kit::start().await;
    kit.site.on("/", CannedResponse::html(PAGE));
    kit.site.on(
        "/linked.css",
        CannedResponse::css("@import url(deep/imported.css) print; body { background: url(bg.png) }"),
    );
    kit.site.on("/deep/imported.css", CannedResponse::css("i { top: 3px }"));
    kit.site.on("/animation.json", CannedResponse::json("{}"));
    kit.site.on("/a.png", CannedResponse::new("image/png", "not a picture"));
    let page = kit.visit("/").await.unwrap();

    assert_eq!((page.url.as_str(), page.status, page.content_type.as_str()), ("http://site.test/", 200, "text/html"));
    assert!(page.html.starts_with("<!DOCTYPE html><html lang=\"en\">"), "{}", &page.html[..60]);
    for part in ["<h1>Made by a script</h1>", "<template shadowrootmode=", "in the shade", ">seen</p>"] {
        assert!(page.html.contains(part), "{part}: {}", page.html);
    }
    let shown: Vec<(SheetOwner, &str, String)> = page
        .sheets
        .iter()
        .map(|sheet| (sheet.owner, sheet.media.as_str(), sheet.text.clone().unwrap_or_default()))
        .collect();
    let expected = [
        (SheetOwner::Link, "screen", "@import url(deep/imported.css) print; body { background: url(bg.png) }"),
        (SheetOwner::Style, "", "h1 { color: red; color: oklch(0.6 0.2 30) }"),
        (SheetOwner::Style, "", ".made { color: rgb(1, 2, 3); }"),
        (SheetOwner::Style, "", "b { top: 1px }"),
        (SheetOwner::Style, "", "b { left: 2px; }"),
        (SheetOwner::Adopted, "", "p { margin: 7px; }"),
    ];
    assert_eq!(shown, expected.map(|(owner, media, text)| (owner, media, text.to_owned())));
    assert_eq!(page.sheets[0].base_url, "http://cdn.test/linked.css");
    assert_eq!(page.imports["http://cdn.test/deep/imported.css"].text, "i { top: 3px }");
    assert_eq!(page.network["http://site.test/animation.json"], "application/json");
    assert_eq!(Document::parse(&page.html).sheet_elements().len(), 5, "elements and stylesheets count alike");
    let agent = kit.site.requests()[0].header("user-agent").to_owned();
    assert!(agent.contains("compatible; Limner") && !agent.contains("Headless"), "{agent}");
}

#[tokio::test]
async fn theme_is_the_one_that_visitors_see() {
    let kit = Kit::start().await;
    for (path, head, theme) in [
        ("/plain", "", Theme::Light),
        ("/scheme", "<style>:root { color-scheme: dark }</style>", Theme::Dark),
        ("/both", "<style>:root { color-scheme: light dark }</style>", Theme::Light),
        (
            "/script",
            "<script>addEventListener('load', () => document.body.style.background = 'oklch(20% 0.02 250)')</script>",
            Theme::Dark,
        ),
        (
            "/cover",
            "<style>body { background: #000 } main { position: fixed; inset: 0; background: rgb(255 255 255 / 95%) }</style>",
            Theme::Light,
        ),
    ] {
        kit.site.on(
            path,
            CannedResponse::html(format!(
                "<!DOCTYPE html><title>t</title>{head}<main><p>Some words to read.</p></main>"
            )),
        );
        assert_eq!(kit.visit(path).await.unwrap().theme, Some(theme), "{path}");
    }
}

#[tokio::test]
async fn late_filling_pages_are_waited_for() {
    let kit = Kit::start().await;
    let fill = "document.body.innerHTML = '<h1>Late</h1><p>Some words to read.</p>'";
    let frames = format!("let n = 0; const next = () => ++n > 140 ? {fill} : requestAnimationFrame(next); next()");
    for (path, shown, script) in [
        ("/blank", "<div id=root></div>", format!("setTimeout(() => {fill}, 2400)")),
        ("/loading", "<div id=root><i class=spinner></i> Loading…</div>", format!("setTimeout(() => {fill}, 2400)")),
        ("/frames", "", frames),
    ] {
        kit.site.on(path, CannedResponse::html(format!("<!DOCTYPE html><body>{shown}<script>{script}</script>")));
        let page = kit.visit(path).await.unwrap();
        assert!(page.html.contains("<h1>Late</h1>"), "{path}: {}", page.html);
        assert_eq!(kit.count_of("limner_renderer_content_waits_total"), 1, "{path}");
    }
}

#[tokio::test]
async fn pages_with_content_are_not_waited_for() {
    let kit = Kit::start().await;
    let shadow = "customElements.define('my-app', class extends HTMLElement { connectedCallback() { \
                  this.attachShadow({ mode: 'open' }).innerHTML = '<h1>Inside</h1>' } })";
    for (path, html) in [
        ("/shadow", format!("<my-app></my-app><script>{shadow}</script>")),
        ("/painted", "<style>body{background:url(a.png);height:100vh}</style><div></div><script>1</script>".to_owned()),
        ("/picture", "<img src=a.png width=9 height=9><script>1</script>".to_owned()),
    ] {
        kit.site.on(path, CannedResponse::html(format!("<!DOCTYPE html><body>{html}")));
        kit.visit(path).await.unwrap();
        assert_eq!(kit.count_of("limner_renderer_content_waits_total"), 0, "{path}");
    }
}

const UNSCROLLED: &str = "limner_renderer_unscrolled_pages_total";

#[tokio::test]
async fn pages_on_which_nothing_reacts_are_not_scrolled() {
    let kit = Kit::start().await;
    let observer = "new IntersectionObserver(() => 0).observe(document.body)";
    for (path, html) in [
        ("/short", format!("<p>Few words.<img src=/a.png loading=lazy width=9 height=9><script>{observer}</script>")),
        ("/plain", "<p style='margin-top: 5000px'>Words.".to_owned()),
        ("/near", "<p>Words.<img src=/a.png loading=lazy width=9 height=9><p style='margin-top: 5000px'>Words.".to_owned()),
        (
            "/scripts",
            "<p style='margin-top: 5000px'>Words.<script>addEventListener('load', () => document.body.getBoundingClientRect())</script>"
                .to_owned(),
        ),
    ] {
        kit.site.on(path, CannedResponse::html(format!("<!DOCTYPE html><body>{html}")));
        kit.site.on("/a.png", CannedResponse::new("image/png", PNG));
        kit.visit(path).await.unwrap();
        assert_eq!(kit.count_of(UNSCROLLED), 1, "{path}");
    }
}

#[tokio::test]
async fn pages_that_may_react_are_scrolled() {
    let kit = Kit::start().await;
    let see = "const see = () => { document.title = 'seen' }; const moved = () => { if (scrollY > 0) see() };";
    let near = "document.querySelector('p').getBoundingClientRect().top < innerHeight";
    let inner = "<style>body { margin: 0 }</style><main style='height: 900px; overflow: auto'><p style='margin-top: 5000px'>Words.</main>";
    let shadow = "document.body.appendChild(document.createElement('x-a')).attachShadow({ mode: 'closed' }).innerHTML = \
                  '<style>:host { display: block; margin-top: 5000px }</style><img loading=lazy src=/late.png width=9 height=9>'";
    for (path, html, script) in [
        ("/lazy", "<img loading=lazy src=/late.png width=9 height=9 style='margin-top: 9000px'>", String::new()),
        (
            "/skipped",
            "<style>p + p { content-visibility: auto; margin-top: 9000px } i { background: url(/late.png) }</style>\
                      <p>Words.<p><i>More.</i>",
            String::new(),
        ),
        ("/shadow", "", shadow.to_owned()),
        ("/listener", "", "addEventListener('scroll', moved)".to_owned()),
        ("/document", "", "document.addEventListener('scrollend', see)".to_owned()),
        ("/handler", "", "window.onscroll = moved".to_owned()),
        ("/attribute", "", "document.body.setAttribute('onscroll', 'see()')".to_owned()),
        ("/inner", inner, "document.querySelector('main').onscroll = see".to_owned()),
        ("/polled", "", format!("setInterval(() => {{ if ({near}) see() }}, 20)")),
        ("/offset", "", "setInterval(moved, 20)".to_owned()),
    ] {
        let words = if html.is_empty() { "<p style='margin-top: 5000px'>Words." } else { html };
        kit.site.on(path, CannedResponse::html(format!("<!DOCTYPE html><body>{words}<script>{see}{script}</script>")));
        kit.site.on("/late.png", CannedResponse::new("image/png", PNG));
        let page = kit.visit(path).await.unwrap();
        assert_eq!(kit.count_of(UNSCROLLED), 0, "{path}");
        let is_loaded = page.network.contains_key("http://site.test/late.png");
        assert!(is_loaded || page.html.contains("<title>seen</title>"), "{path}: {}", page.html);
    }
}

#[tokio::test]
async fn non_pages_end_with_the_reason() {
    let kit = Kit::start().await;
    kit.site.on("/gone", CannedResponse::html("<h1>Gone</h1>").status(410));
    kit.site.on("/refused", CannedResponse::html("<h1>No</h1>").status(403));
    kit.site
        .on("/password", CannedResponse::html("<h1>Who?</h1>").status(401).header("www-authenticate", "Basic realm=x"));
    kit.site.on("/silent", CannedResponse::html("").status(404));
    kit.site.on("/silent-refusal", CannedResponse::html("").status(403));
    kit.site.on("/paper", CannedResponse::new("application/pdf", "%PDF-1.7"));
    kit.site.on("/file", CannedResponse::new("application/zip", "PK").header("content-disposition", "attachment"));
    kit.site.on("/empty", CannedResponse::html("<html><body></body></html>"));
    kit.site.on("/circle", CannedResponse::redirect("/circle"));
    kit.site.on("/inside", CannedResponse::redirect("http://127.0.0.2:9/"));
    kit.site.on(
        "/inside-late",
        CannedResponse::html("<p>Text of a page.<script>location = 'http://127.0.0.2:9/'</script>"),
    );
    for (url, code) in [
        ("http://site.test/gone", ErrorCode::TargetError),
        ("http://site.test/refused", ErrorCode::TargetBlocked),
        ("http://site.test/password", ErrorCode::TargetBlocked),
        ("http://site.test/silent", ErrorCode::TargetError),
        ("http://site.test/silent-refusal", ErrorCode::TargetBlocked),
        ("http://site.test/paper", ErrorCode::UnprocessableContent),
        ("http://site.test/file", ErrorCode::UnprocessableContent),
        ("http://site.test/empty", ErrorCode::TargetBlocked),
        ("http://site.test/circle", ErrorCode::TargetError),
        ("http://site.test/inside", ErrorCode::TargetUnreachable),
        ("http://site.test/inside-late", ErrorCode::TargetUnreachable),
        ("http://127.0.0.1:9/", ErrorCode::TargetUnreachable),
        ("https://site.test/", ErrorCode::TargetUnreachable),
    ] {
        let visited = kit.visit_for(url, Operation::Images).await.map(|page| page.url);
        assert_eq!(visited.as_ref().map_err(VisitError::code), Err(code), "{url}: {visited:?}");
    }
}

#[tokio::test]
async fn configured_ca_certificates_are_trusted() {
    for is_named in [true, false] {
        let site = OriginServer::start_tls(&["site.test"]).await;
        let authority = is_named.then(|| site.ca_pem().to_owned());
        let kit = Kit::start_on(site, |config| config.extra_ca_pem = authority).await;
        kit.site.on("/", CannedResponse::html("<p>Words behind a certificate of an authority of one's own."));
        let visited = kit.visit_for("https://site.test/", Operation::Images).await;
        match is_named {
            true => assert!(visited.unwrap().html.contains("Words behind")),
            false => assert_eq!(visited.unwrap_err().code(), ErrorCode::TargetUnreachable),
        }
    }
}

#[tokio::test]
async fn redirects_and_stylesheets_have_the_limits_of_a_static_read() {
    let kit = Kit::start_with(|config| (config.limits.redirects, config.limits.stylesheets) = (2, 1)).await;
    let links = "<link rel=stylesheet href=/a.css><link rel=stylesheet href=/b.css><p>A page that is found in the end.";
    for (path, reply) in [
        ("/3", CannedResponse::redirect("/2")),
        ("/2", CannedResponse::redirect("/1")),
        ("/1", CannedResponse::redirect("/0")),
        ("/0", CannedResponse::html(links)),
        ("/a.css", CannedResponse::new("text/css", "p { color: red }")),
        ("/b.css", CannedResponse::new("text/css", "p { color: blue }")),
    ] {
        kit.site.on(path, reply);
    }
    let page = kit.visit("/2").await.unwrap();
    assert_eq!((page.imports.len(), page.truncated), (1, true));
    assert_eq!(kit.visit("/3").await.unwrap_err().code(), ErrorCode::TargetError);
}

/// The network log has addresses without fragments.
#[tokio::test]
async fn stylesheets_whose_address_has_a_fragment_are_read() {
    let kit = Kit::start().await;
    let links = "<link rel=stylesheet href='/a.css?v=1#038;ver=2'><link rel=stylesheet href='/b.css#x' id=b><p>Words.\
                 <script>b.onload = () => b.sheet.insertRule('p { left: 1px }')</script>";
    kit.site.on("/", CannedResponse::html(links));
    kit.site.on("/a.css", CannedResponse::new("text/css", "p { color: red }"));
    kit.site.on("/b.css", CannedResponse::new("text/css", "p { top: 1px }"));
    let page = kit.visit("/").await.unwrap();
    let texts: Vec<&str> = page.sheets.iter().filter_map(|sheet| sheet.text.as_deref()).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts[0].contains("color: red") && texts[1].contains("top: 1px"), "{texts:?}");
}

#[tokio::test]
async fn tracks_of_videos_are_loaded_and_their_bytes_are_not() {
    const PAGE: &str = "<p>A video.<video id=video src=/film.mp4><track id=track default src=/words.vtt></video><script>\
        const note = (of, names) => names.map(name => of.addEventListener(name, () => document.body.append(`[${of.id} ${name}]`)));\
        note(track, ['load', 'error']); note(video, ['loadedmetadata', 'error'])</script>";
    let kit = Kit::start().await;
    kit.site.on("/", CannedResponse::html(PAGE));
    kit.site.on("/film.mp4", CannedResponse::new("video/mp4", vec![0; 5_000]));
    kit.site.on("/words.vtt", CannedResponse::new("text/vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n"));
    let page = kit.visit("/").await.unwrap();
    assert!(page.html.contains("[track load]") && page.html.contains("[video error]"), "{}", page.html);
    assert_eq!(page.network["http://site.test/film.mp4"], "video/mp4");
}

#[tokio::test]
async fn subresources_are_loaded_the_same_way() {
    let kit = Kit::start().await;
    kit.site.on("/", CannedResponse::html("<p>An icon.<svg><use href='/sprite.svg#i'/></svg>"));
    kit.site
        .on("/sprite.svg", CannedResponse::svg("<svg xmlns='http://www.w3.org/2000/svg'><symbol id=i></symbol></svg>"));
    let page = kit.visit_for("http://site.test/", Operation::Svg).await.unwrap();
    let sprite = &page.resources["http://site.test/sprite.svg"];
    assert_eq!((sprite.status, sprite.content_type.as_str()), (200, "image/svg+xml"));
    assert!(String::from_utf8_lossy(&sprite.body).contains("symbol"));
}

#[tokio::test]
async fn page_dimensions_do_not_depend_on_a_screenshot() {
    const MEASURES: &str = "<p>Words of a page.<img id=i srcset='/once.png 1x, /ten.png 0.1x, /twice.png 2x'><script>\
        addEventListener('load', () => document.body.append(JSON.stringify([devicePixelRatio, innerWidth, innerHeight, \
        screen.width, visualViewport.scale, visualViewport.width, matchMedia('(width: 1440px) and (device-width: 1440px)').matches, \
        document.documentElement.getBoundingClientRect().width, i.currentSrc])))</script>";
    let expected = r#"[1,1440,900,1440,1,1440,true,1440,"http://site.test/once.png"]"#;
    let kit = Kit::start().await;
    kit.site.on("/", CannedResponse::html(MEASURES));
    for page in [kit.visit("/").await.unwrap(), kit.visit_with_screenshot("/", Screenshot::Viewport).await.snapshot] {
        assert!(page.html.contains(expected), "{}", page.html);
    }
}

#[tokio::test]
async fn screenshots_show_the_page_as_visitors_see_it() {
    let kit = Kit::start().await;
    let page = "<style>body { margin: 0; background: rgb(10, 200, 30) } div { height: 9000px }</style><div>high</div>";
    kit.site.on("/", CannedResponse::html(page));
    let viewport = kit.visit_with_screenshot("/", Screenshot::Viewport).await.screenshot.unwrap();
    assert_eq!(look_at(&viewport), (1440, 900, [10, 200, 30]));
    let full = kit.visit_with_screenshot("/", Screenshot::Full).await.screenshot.unwrap();
    assert_eq!(look_at(&full), (1440, 9000, [10, 200, 30]));
}
