use super::*;
use crate::test_support::{add_resource, external_sheet, page};
use limner_page::PageSnapshot;

/// Returns each reference as `source path [alt] [WxH] [descriptor] [type] [@media]`; paths are
/// relative to the page's origin.
fn reference_lines(page: &PageSnapshot) -> Vec<String> {
    collect(&PageView::new(page)).list.into_iter().map(format_reference).collect()
}

fn format_reference(reference: ImageReference) -> String {
    let source = match reference.origin {
        ImageOrigin::Image(source) => source.to_string(),
        other => format!("{other:?}"),
    };
    let path = reference.url.as_str().trim_start_matches("https://page.example").to_owned();
    let alt = reference.alt.map(|alt| format!("[{alt}]"));
    let size = match (reference.width, reference.height) {
        (None, None) => None,
        (width, height) => Some(format!("{}x{}", width.unwrap_or(0), height.unwrap_or(0))),
    };
    let media = reference.media.map(|media| format!("@{media}"));
    let parts = [Some(source), Some(path), alt, size, reference.descriptor, reference.media_type, media];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn check(table: &[(&str, &[&str])]) {
    for (html, expected) in table {
        assert_eq!(reference_lines(&page(html)), *expected, "{html}");
    }
}

#[test]
fn body_images_are_collected() {
    check(&[
        ("<img src=a.png alt='A picture' width=640 height='360px'>", &["img /dir/a.png [A picture] 640x360"]),
        ("<img src=' /a.png\n' width=50% height=auto>", &["img /a.png"]),
        ("<img src=''><img src='#x'><img><img src=index.html>", &[]),
        ("<img src=javascript:x><img src='data:text/html,x'><img src=blob:x><img src='http://['>", &[]),
        ("<img src='data:image/gif;base64,R0lGOD'>", &["img data:image/gif;base64,R0lGOD"]),
        ("<img src=a srcset='b 2x, c 3x' alt=''>", &["img /dir/a []", "srcset /dir/b [] 2x", "srcset /dir/c [] 3x"]),
        (
            "<picture><source srcset='a.avif 1x' type=image/avif media='(min-width:9px)' width=3 height=2>\
             <source srcset=b.webp><img src=c.png></picture><source srcset=d.png>",
            &["picture /dir/a.avif 3x2 1x image/avif @(min-width:9px)", "picture /dir/b.webp", "img /dir/c.png"],
        ),
        (
            "<picture><source srcset=a.avif> <source srcset=b.webp><img src=c.png alt=P></picture>",
            &["picture /dir/a.avif [P]", "picture /dir/b.webp [P]", "img /dir/c.png [P]"],
        ),
        ("<input type=IMAGE src=a.png alt=Go><input src=b.png>", &["img /dir/a.png [Go]"]),
        ("<video poster=a.jpg src=b.mp4><source src=c.webm></video>", &["poster /dir/a.jpg"]),
        (
            "<body background=a.gif><table background=b.gif><td background=c.gif>",
            &["img /dir/a.gif", "img /dir/b.gif", "img /dir/c.gif"],
        ),
        (
            "<object data=a.svg></object><object data=b type=image/png></object><object data=c.swf></object>\
             <object data=d.png type=text/html></object><embed src=e.svg><iframe src=f.svg></iframe>\
             <iframe src=g.html></iframe>",
            &["Object /dir/a.svg", "Object /dir/b image/png", "Embed /dir/e.svg", "Iframe /dir/f.svg"],
        ),
        (
            "<svg><image href=a.png width=4 height=3 /><image xlink:href=b.png /><use href='s.svg#i'/><use href='#i'/>\
             <feImage href=c.png /><rect filter='url(f.svg#b)' fill='url(#g)'/></svg>",
            &["img /dir/a.png 4x3", "img /dir/b.png", "Use /dir/s.svg#i", "img /dir/c.png", "SvgElement /dir/f.svg#b"],
        ),
        ("<image src=a.png>", &["img /dir/a.png"]),
        ("<template><img src=a.png></template>", &[]),
        ("<x-card><template shadowrootmode=open><img src=a.png></template></x-card>", &["img /dir/a.png"]),
        ("<base href='https://cdn.example/x/'><img src=a.png>", &["img https://cdn.example/x/a.png"]),
        ("<base href=/><img src='#'><img src='#x'><img src=' #'><img data-src='#' src=a.png>", &["img /a.png"]),
        ("<amp-img src=a.png srcset='b.png 2x'></amp-img>", &["img /dir/a.png", "srcset /dir/b.png 2x"]),
    ]);
}

#[test]
fn lazily_loaded_images_are_collected() {
    check(&[
        (
            "<img data-src=a.jpg data-srcset='b.jpg 1x, c.jpg 2x'>",
            &["img /dir/a.jpg", "srcset /dir/b.jpg 1x", "srcset /dir/c.jpg 2x"],
        ),
        ("<img data-lazy-src=a.jpg data-original=b.jpg alt=x>", &["img /dir/a.jpg [x]", "img /dir/b.jpg [x]"]),
        ("<img data-src='{{ url }}'><img data-src=true><img data-lazy=1.5>", &[]),
        ("<img data-thumb=left.jpg data-full=yes.please>", &["img /dir/left.jpg"]),
        (
            "<picture><source data-srcset='a.webp 1x' type=image/webp><img data-src=b.jpg></picture>",
            &["picture /dir/a.webp 1x image/webp", "img /dir/b.jpg"],
        ),
        ("<div data-bgset='a.jpg 400w, b.jpg 800w'></div>", &["css /dir/a.jpg 400w", "css /dir/b.jpg 800w"]),
        ("<div data-bg=a.jpg></div><div data-bg=dark></div><div data-bg='#fff'></div>", &["css /dir/a.jpg"]),
        ("<div data-setbg=img/a.jpg></div>", &["css /dir/img/a.jpg"]),
        ("<div data-background-image=\"url('a.jpg'), url(b.jpg)\"></div>", &["css /dir/a.jpg", "css /dir/b.jpg"]),
        (
            "<div data-hero-bg='url(a.jpg)' data-overlay-pattern='/p/01.png'></div>",
            &["css /dir/a.jpg", "css /p/01.png"],
        ),
        ("<div data-bg='linear-gradient(red,blue)'></div><div data-background='rgba(0,0,0,.5)'></div>", &[]),
        ("<section data-src=a.jpg></section><section data-src=page.html></section>", &["css /dir/a.jpg"]),
        (
            "<script data-src=a.jpg></script><iframe data-src=b.jpg></iframe><video data-poster=c.jpg data-src=d.mp4>",
            &["poster /dir/c.jpg"],
        ),
    ]);
}

/// The scripts of themes have names of their own: what an unknown attribute of an image, or one that is named after images,
/// holds is an image if it is a path to one.
#[test]
fn images_in_unknown_attributes_are_collected() {
    check(&[
        ("<img data-normal=/up/a.jpg data-runner-src=up/b.png>", &["img /up/a.jpg", "img /dir/up/b.png"]),
        (
            "<div data-vc-parallax-image=/up/a.jpg data-slide='https://b.test/c.webp?w=1'>",
            &["css /up/a.jpg", "css https://b.test/c.webp?w=1"],
        ),
        ("<img data-image-title=a.jpg data-name=/up/a.jpg data-share-image=/up/a.jpg data-x=a.jpg data-y=/up/a>", &[]),
        ("<img data-slides='/a.jpg,/b.jpg'><div data-images='/a.jpg|/b.jpg'></div><div data-srcset='/a.jpg 1x'>", &[]),
        ("<div data-target=/up/a.jpg data-image-link=/up/a.jpg data-cover=a.jpg data-photo=/page.html>", &[]),
    ]);
}

#[test]
fn lazily_loaded_file_names_may_have_any_character() {
    check(&[
        ("<img data-src='/up/WhatsApp Image (1)-sm.jpeg'>", &["img /up/WhatsApp%20Image%20(1)-sm.jpeg"]),
        (
            "<img data-original=/up/hero__large.jpg><img data-lazy-src='/up/a|b.jpg'>",
            &["img /up/hero__large.jpg", "img /up/a|b.jpg"],
        ),
        (
            "<img data-srcset='/up/set__1.jpg 1x, /up/set(2).jpg 2x'>",
            &["srcset /up/set__1.jpg 1x", "srcset /up/set(2).jpg 2x"],
        ),
        ("<div data-bg='/up/Apartment_(16)1.jpg'></div>", &["css /up/Apartment_(16)1.jpg"]),
        ("<div data-background='/up/slide__01 new.jpg'></div>", &["css /up/slide__01%20new.jpg"]),
        ("<div data-bg=\"url('a (1).jpg')\"></div>", &["css /dir/a%20(1).jpg"]),
        ("<section data-parallax-image=\"it's.jpg\"></section>", &["css /dir/it's.jpg"]),
    ]);
}

#[test]
fn templates_are_filled_with_the_widths_of_their_element() {
    check(&[
        (
            "<img data-src='/l_{width}x.jpg?v=1' data-widths='[180, 360]' alt=L>",
            &["img /l_180x.jpg?v=1 [L] 180w", "img /l_360x.jpg?v=1 [L] 360w"],
        ),
        ("<img data-src='/l.jpg?width=%7Bwidth%7D'>", &["img /l.jpg?width=1080 1080w"]),
        (
            "<div data-bg='/l_{width}x{height}.jpg' data-widths=200 data-aspectratio=2.0></div>",
            &["css /l_200x100.jpg 200w"],
        ),
        ("<img data-src='/l_{width}x{height}.jpg' data-widths=200>", &[]),
        ("<img data-src='{{ image | img_url }}' data-widths=200>", &[]),
    ]);
}

#[test]
fn attributes_with_json_settings_contain_images() {
    check(&[
        (
            r#"<section data-settings='{"slides":[{"url":"https:\/\/page.example\/a b.jpg","id":1}],"title":"t.jpg"}'></section>"#,
            &["css /a%20b.jpg"],
        ),
        (
            r#"<form data-product_variations='[{"image":{"url":"/v.jpg","srcset":"/v-1.jpg 100w, /v-2.jpg 200w","thumb_src":"/t.jpg"}}]'></form>"#,
            &["css /v.jpg", "css /v-1.jpg 100w", "css /v-2.jpg 200w", "poster /t.jpg"],
        ),
        (r#"<video-js data-setup='{"poster":"/p.jpg","sources":[{"src":"/f.mp4"}]}'></video-js>"#, &["poster /p.jpg"]),
        (r#"<x-gallery images='["/1.jpg","/2.jpg"]'></x-gallery>"#, &["css /1.jpg", "css /2.jpg"]),
        (r#"<div data-x='{"a":"/page.html","b":".jpg"}'></div>"#, &[]),
    ]);
}

#[test]
fn custom_elements_display_posters_and_images() {
    check(&[
        ("<model-viewer src=/c.glb poster=/c.webp></model-viewer>", &["poster /c.webp"]),
        ("<mux-player poster=/m></mux-player><media-poster src=/n></media-poster>", &["poster /m", "poster /n"]),
        ("<media-player src=/f.mp4 poster=/p.jpg></media-player>", &["poster /p.jpg"]),
        (
            "<amp-story poster-portrait-src=/a.jpg publisher-logo-src=/b.png></amp-story>",
            &["poster /a.jpg", "img /b.png"],
        ),
        ("<ion-img src=/a.png alt=A></ion-img><x-icon src=/i></x-icon>", &["img /a.png [A]"]),
        ("<img data-src-webp=/a.webp src=/a.png>", &["img /a.png", "img /a.webp"]),
        ("<div class=w-background-video data-poster-url=/p.jpg></div>", &["poster /p.jpg"]),
    ]);
}

#[test]
fn css_images_have_the_position_of_their_stylesheet() {
    check(&[
        ("<p style=\"background:url('a.png')\">", &["css /dir/a.png"]),
        ("<p style='color:red'><p style='background:url(a.png);background:none'>", &[]),
        (
            "<img src=1><style media=print>a{background:url(2)}</style><img src=3>",
            &["img /dir/1", "css /dir/2 @print", "img /dir/3"],
        ),
        (
            "<style>a{--font:url(a.woff2);--icon:url(b.svg);filter:url(c.svg#x)}</style>",
            &["css /dir/b.svg", "SvgElement /dir/c.svg#x"],
        ),
        ("<svg><style>a{fill:url(p.svg#x)}</style></svg>", &["SvgElement /dir/p.svg#x"]),
    ]);
    let mut external = page("<link rel=stylesheet href=/s/a.css><img src=b.png>");
    external.sheets.push(external_sheet(0, "https://page.example/s/a.css", "a{background:url(c.png)}"));
    assert_eq!(reference_lines(&external), ["css /s/c.png", "img /dir/b.png"]);
}

#[test]
fn noscript_is_parsed_as_without_scripting() {
    check(&[
        ("<img data-src=a.jpg><noscript><img src=a.jpg alt=x></noscript>", &["img /dir/a.jpg", "img /dir/a.jpg [x]"]),
        ("<noscript><style>a{background:url(a.png)}</style></noscript>", &["css /dir/a.png"]),
        ("<noscript>&lt;img src=a.png></noscript>", &[]),
    ]);
    let mut page = page("<head><noscript><link rel=stylesheet href=/x/a.css></noscript>");
    assert_eq!(missing_inner_stylesheets(&PageView::new(&page)), ["https://page.example/x/a.css"]);
    add_resource(&mut page, "https://page.example/x/a.css", "text/css", "a{background:url(a.png)}");
    assert_eq!(reference_lines(&page), ["css /x/a.png"]);
    assert!(missing_inner_stylesheets(&PageView::new(&page)).is_empty());
}

#[test]
fn documents_in_attributes_and_frames_are_read() {
    check(&[
        (
            "<iframe srcdoc=\"<style>a{background:url('/s.png')}</style><img src=a.png>\"></iframe>",
            &["css /s.png", "img /dir/a.png"],
        ),
        (
            "<iframe srcdoc=\"<base href=/x/><img src=a.png><iframe srcdoc='<img src=b.png>'></iframe>\"></iframe><img src=c.png>",
            &["img /x/a.png", "img /x/b.png", "img /dir/c.png"],
        ),
        ("<noscript><iframe srcdoc='<img src=a.png>'></iframe></noscript>", &["img /dir/a.png"]),
    ]);
    let mut frameset = page("<FRAMESET cols='20%,80%'><FRAME src=nav/nav.htm><frame src=index.html></FRAMESET>");
    let nav = "https://page.example/dir/nav/nav.htm";
    for operation in [limner_types::Operation::Images, limner_types::Operation::Videos] {
        assert_eq!(crate::test_support::required_subresources(operation, &frameset), [nav]);
    }
    add_resource(&mut frameset, nav, "text/html", "<link rel=stylesheet href=n.css><img src=pic.png>");
    assert_eq!(
        crate::test_support::required_subresources(limner_types::Operation::Images, &frameset),
        ["https://page.example/dir/nav/n.css"]
    );
    assert_eq!(reference_lines(&frameset), ["img /dir/nav/pic.png"]);
}

/// The expected URLs are those that Chromium requests.
#[test]
fn queries_are_in_the_encoding_of_the_page() {
    let mut cyrillic = page(
        "<img src='/p?n=\u{444}'><iframe srcdoc=\"<img src='/f?n=\u{444}'>\"></iframe><p style='background:url(/s?n=\u{444})'>",
    );
    cyrillic.encoding = "windows-1251".to_owned();
    assert_eq!(reference_lines(&cyrillic), ["img /p?n=%F4", "img /f?n=%D1%84", "css /s?n=%D1%84"]);
}

#[test]
fn link_images_are_collected() {
    check(&[
        ("<link rel='shortcut icon' href=/a.ico type=image/x-icon>", &["favicon /a.ico image/x-icon"]),
        (
            "<link rel=ICON href=a.png sizes='16x16 32x32' media='(prefers-color-scheme:dark)'>",
            &["favicon /dir/a.png 32x32 @(prefers-color-scheme:dark)"],
        ),
        ("<link rel=icon href=a.svg sizes=any>", &["favicon /dir/a.svg"]),
        ("<link rel=apple-touch-icon href=a.png sizes=180x180>", &["touch-icon /dir/a.png 180x180"]),
        ("<link rel=apple-touch-icon-precomposed href=a.png>", &["touch-icon /dir/a.png"]),
        ("<link rel='mask-icon' href=a.svg color=red>", &["mask-icon /dir/a.svg"]),
        (
            "<link rel=preload as=image href=a.png imagesrcset='b.png 1x, c.png 2x'>",
            &["preload /dir/a.png", "preload /dir/b.png 1x", "preload /dir/c.png 2x"],
        ),
        ("<link rel=preload as=font href=a.woff2><link rel=preload as=style href=a.css>", &[]),
        (
            "<link rel=prefetch as=image href=a.png><link rel=image_src href=b.png>",
            &["preload /dir/a.png", "preload /dir/b.png"],
        ),
        ("<link rel=stylesheet href=a.css><link rel=canonical href=/>", &[]),
    ]);
}

#[test]
fn metadata_images_are_collected() {
    check(&[
        (
            "<meta property=og:image content=/a.png><meta property=og:image:width content=1200>\
             <meta property=og:image:height content=630><meta property=og:image:alt content=Alt>\
             <meta property=og:image:type content=image/png><meta property=og:image content=/b.png>",
            &["og /a.png [Alt] 1200x630 image/png", "og /b.png"],
        ),
        ("<meta name=og:image:secure_url content=/a.png>", &["og /a.png"]),
        ("<meta name=twitter:image content=/a.png><meta name=twitter:image:alt content=T>", &["twitter /a.png [T]"]),
        ("<meta name='twitter:image:src' content='/a.png'>", &["twitter /a.png"]),
        (
            "<meta name=msapplication-TileImage content=/a.png><meta name=msapplication-TileColor content='#fff'>",
            &["favicon /a.png"],
        ),
        ("<meta itemprop=image content=/a.png><link itemprop=image href=/b.png>", &["og /a.png", "og /b.png"]),
        ("<meta property=og:image content=''><meta property=og:image><meta property=og:title content=/a.png>", &[]),
        ("<meta property=og:image:width content=9>", &[]),
    ]);
}

#[test]
fn manifest_images_are_collected() {
    let mut page = page("<link rel=manifest href=/app.webmanifest>");
    assert_eq!(
        crate::test_support::required_subresources(limner_types::Operation::Images, &page),
        ["https://page.example/app.webmanifest"]
    );
    let manifest = r#"{"icons":[{"src":"i/a.png","sizes":"192x192","type":"image/png"},{"src":""},{}],
        "screenshots":[{"src":"/s.png","label":"Home"}],"shortcuts":[{"icons":[{"src":"i/b.png"}]},7],"name":"x"}"#;
    add_resource(&mut page, "https://page.example/app.webmanifest", "", &format!("\u{feff}{manifest}"));
    assert!(crate::test_support::required_subresources(limner_types::Operation::Images, &page).is_empty());
    assert_eq!(
        reference_lines(&page),
        ["manifest /i/a.png 192x192 image/png", "manifest /s.png [Home]", "manifest /i/b.png"]
    );
    for broken in ["", "[]", "{\"icons\":{}}", "{", "null"] {
        add_resource(&mut page, "https://page.example/app.webmanifest", "", broken);
        assert!(reference_lines(&page).is_empty(), "{broken}");
    }
}

#[test]
fn files_of_many_elements_are_read_once() {
    let links = "<link rel=manifest href=m><noscript><link rel=stylesheet href=s></noscript>".repeat(2_000);
    let mut page = page(&links);
    let icons: Vec<String> = (0..5_000).map(|n| format!("{{\"src\":\"{n}.png\"}}")).collect();
    let manifest = format!("{{\"icons\":[{}]}}", icons.join(","));
    add_resource(&mut page, "https://page.example/dir/m", "", &manifest);
    let rules: String = (0..5_000).map(|n| format!("a{{background:url({n}.gif)}}")).collect();
    add_resource(&mut page, "https://page.example/dir/s", "text/css", &rules);
    assert_eq!(reference_lines(&page).len(), 10_000);
}

#[test]
fn hostile_pages_take_linear_time() {
    let inputs = [
        "<noscript><img src=a></noscript>".repeat(30_000),
        "<svg><use href='s.svg#a'/></svg>".repeat(30_000),
        format!("<img srcset='{}'>", "a 1x,".repeat(100_000)),
        format!("<img {}>", (0..2_000).map(|n| format!("data-a{n}=b.png ")).collect::<String>()),
        "<meta property=og:image content=a><link rel=manifest href=m>".repeat(20_000),
        format!("<p style='{}'>", "--x:url(a.png);".repeat(50_000)),
        "<noscript><style>a{background:url(a)}".repeat(20_000),
    ];
    for html in inputs {
        let start = std::time::Instant::now();
        for operation in [limner_types::Operation::Images, limner_types::Operation::Svg] {
            let page = page(&html);
            let _ = crate::test_support::required_subresources(operation, &page);
            let _ = crate::test_support::result(operation, &page);
        }
        let beginning: String = html.chars().take(24).collect();
        assert!(start.elapsed().as_secs() < 30, "{beginning}: {:?}", start.elapsed());
    }
}
