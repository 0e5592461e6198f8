//! Tests of metadata, fonts, profiles, confidence.

use super::{PROSE, brand, brand_of};
use limner_page::{Degradation, Document, PageSnapshot, WorkBudget};
use limner_page_view::PageView;
use limner_style::Environment;
use limner_style::layout::{Boxes, Layout, Rect};
use limner_test_pages::{add_resource, page, request};
use limner_types::Operation;
use serde_json::{Value, json};

#[test]
fn metadata_sources_have_precedence() {
    for (html, field, expected) in [
        ("<title>\n Acme &amp; Sons </title><meta property=og:title content=Other>", "title", json!("Acme & Sons")),
        ("<meta property=og:title content='From OG'>", "title", json!("From OG")),
        ("<svg><title>Icon</title></svg>", "title", json!(null)),
        ("<meta name=Description content=' Two\n words '>", "description", json!("Two words")),
        ("<meta name=description content=''><meta property=og:description content=OG>", "description", json!("OG")),
        (
            "<meta name=application-name content=App><meta property=og:site_name content=Site>",
            "siteName",
            json!("Site"),
        ),
        (
            "<script type=application/ld+json>{\"@graph\":[{\"@type\":\"WebSite\",\"name\":\"Caf&eacute; &amp; Bar\"}]}</script>",
            "siteName",
            json!("Café & Bar"),
        ),
        (
            "<html lang=de-AT><script type=application/ld+json>[{\"@type\":\"WebSite\",\"name\":\"Acme World\",\"inLanguage\":\"en\"},\
             {\"@type\":\"WebSite\",\"inLanguage\":\"de\",\"name\":[{\"@language\":\"en\",\"@value\":\"Acme\"},{\"@language\":\"de\",\"@value\":\"Akme\"}]}]</script>",
            "siteName",
            json!("Akme"),
        ),
        ("<title>Page | Acme</title>", "siteName", json!(null)),
        (
            "<script type=application/ld+json>{\"@type\":\"Product\",\"name\":\"Fjell 45\",\"brand\":{\"@type\":\"Brand\",\"name\":\"Fjell\"},\
             \"manufacturer\":[{\"@type\":\"Organization\",\"name\":\"Fjell AS\"}]}</script>",
            "siteName",
            json!(null),
        ),
        (
            "<script type=application/ld+json>[{\"@type\":\"Product\",\"brand\":{\"@type\":\"Brand\",\"name\":\"Fjell\"}},\
             {\"@type\":\"Brand\",\"name\":\"Nordgear\"}]</script>",
            "siteName",
            json!("Nordgear"),
        ),
        ("<meta name=theme-color content='#FFF'>", "themeColor", json!("#ffffff")),
        (
            "<meta name=theme-color media='(prefers-color-scheme: dark)' content=black><meta name=theme-color media='(prefers-color-scheme: light)' content=white>",
            "themeColor",
            json!("#ffffff"),
        ),
        ("<meta name=theme-color content='var(--x)'>", "themeColor", json!(null)),
        ("<meta property=og:image content='/og.png#x'>", "ogImage", json!("https://page.example/og.png")),
        ("<meta name=twitter:image content=tw.png>", "ogImage", json!("https://page.example/dir/tw.png")),
        ("<meta property=og:image content='javascript:x'>", "ogImage", json!(null)),
    ] {
        assert_eq!(brand(html)[field], expected, "{html}");
    }
}

#[test]
fn manifest_is_fetched_and_read() {
    let html = "<link rel=manifest href=/app.webmanifest>";
    let mut page = page(html);
    assert_eq!(crate::required_subresources(&page, &WorkBudget::default()), ["https://page.example/app.webmanifest"]);
    let manifest = "{\"name\":\" \",\"short_name\":\"Acme\",\"theme_color\":\"teal\",\"icons\":[{\"src\":\"i.png\",\"sizes\":\"512x512\"}],\
        \"screenshots\":[{\"src\":\"s.png\"}],\"shortcuts\":[{\"icons\":[{\"src\":\"c.png\",\"sizes\":\"96x96\"}]}]}";
    add_resource(&mut page, "https://page.example/app.webmanifest", "application/manifest+json", manifest);
    assert!(crate::required_subresources(&page, &WorkBudget::default()).is_empty());
    let result = brand_of(&page);
    assert_eq!((&result["siteName"], &result["themeColor"]), (&json!("Acme"), &json!("#008080")));
    let logos: Vec<&str> = result["logos"].as_array().unwrap().iter().filter_map(|logo| logo["url"].as_str()).collect();
    assert_eq!((logos, &result["logos"][0]["type"]), (vec!["https://page.example/i.png"], &json!("manifest")));
    assert_eq!(result["logo"], json!(null));
    let generated = manifest.replace("\" \"", "\"App\"").replace("Acme", "App");
    add_resource(&mut page, "https://page.example/app.webmanifest", "application/manifest+json", &generated);
    assert_eq!(brand_of(&page)["siteName"], json!(null), "the name of a generator");
}

#[test]
fn fonts_are_assigned_to_roles() {
    let code = format!("<pre><code>{}</code></pre>", "let words = 1; ".repeat(9));
    for (css, body, primary, mono, heading) in [
        (
            "body{font-family:__Inter_a1b2c3,__Inter_Fallback_a1b2c3}h1{font-family:Fraunces}",
            "",
            "Inter",
            json!(null),
            json!("Fraunces"),
        ),
        (
            "body{font-family:Lato}h1{font-family:Lato}code{font-family:'JetBrains Mono',monospace}",
            code.as_str(),
            "Lato",
            json!("JetBrains Mono"),
            json!(null),
        ),
        ("body{font-family:Lato}", code.as_str(), "Lato", json!(null), json!(null)),
        (
            "body{font-family:Lato}",
            "<div class=md-copyright__highlight>Copyright 2024 Acme</div><p>Some <span class=highlight>words</span></p>",
            "Lato",
            json!(null),
            json!(null),
        ),
        (
            "body{font-family:Lato}.highlight{font-family:Hack}pre{font-family:inherit}",
            "<div class=highlight><div>lamps.rs, the whole of it</div><pre>let a = 1;</pre></div>",
            "Lato",
            json!("Hack"),
            json!(null),
        ),
        (
            "body{font-family:Lato}i{font-family:'Font Awesome 6 Free'}",
            "<i>abcdefghijklmnopqrstuvwxyz</i>",
            "Lato",
            json!(null),
            json!(null),
        ),
        (
            "body{font-family:Lato}.fragment{font-family:Hack}",
            "<div class=fragment><div class=line><span class=keyword>let</span> words = 1; and many more of them, more than of prose</div>\
             <div class=line>let words = 1; and many more of them, more than of prose, so that they would win by their number alone</div></div>",
            "Lato",
            json!("Hack"),
            json!(null),
        ),
        (
            "body{font-family:Lato}.fragment{font-family:Hack}",
            "<ul><li class=fragment>Step</ul><div class=fragment><p>One more</p></div>",
            "Lato",
            json!(null),
            json!(null),
        ),
        (
            "body{font-family:Lato}h1{display:none}h2{font-family:Bitter}",
            "<h2><a href=/1>First</a></h2>",
            "Lato",
            json!(null),
            json!("Bitter"),
        ),
        ("body{font:16px/1.5 ui-sans-serif,system-ui,sans-serif}", "", "system-ui", json!(null), json!(null)),
        ("", "", "Times New Roman", json!(null), json!(null)),
    ] {
        let fonts = &brand(&format!("<style>{css}</style><h1>Acme lamps</h1><p>{PROSE}</p>{body}"))["fonts"];
        assert_eq!((&fonts["primary"], &fonts["mono"], &fonts["heading"]), (&json!(primary), &mono, &heading), "{css}");
    }
}

#[test]
fn type_styles_are_read_by_element() {
    let html = format!(
        "<style>body{{font:16px/1.5 Lato}}h1{{font-size:48px;line-height:1.1;letter-spacing:-.02em;font-weight:800}}small{{font-size:12px}}</style>\
         <h1>Acme <em>lamps</em></h1><p>{PROSE}</p><small>Small words at the end of it</small>"
    );
    let typography = &brand(&html)["typography"];
    assert_eq!(
        typography["h1"],
        json!({"fontFamily": "Lato", "fontSize": "48px", "fontWeight": "800", "lineHeight": "52.8px", "letterSpacing": "-0.96px"})
    );
    assert_eq!(typography["body"]["lineHeight"], "24px");
    assert_eq!(typography["scale"], json!([12, 16, 48]));
    assert_eq!(typography["h2"], json!(null));
    let html =
        format!("<style>small{{font-size:.833333em}}</style><p>{PROSE}</p><small>Small words at the end</small>");
    let typography = &brand(&html)["typography"];
    assert_eq!(typography["small"]["fontSize"], "13.3333px");
    assert_eq!(typography["scale"], json!([13.3333, 16]), "sizes have the same format in both");
}

#[test]
fn linked_headings_are_headings() {
    for (html, expected) in [
        ("<h2><a href=/1>First post</a></h2>", json!([40, null, null])),
        ("<h2><span><a href=/1><b>First post</b></a></span></h2>", json!([40, null, null])),
        ("<a href=/1><h2>First post</h2></a>", json!([40, null, null])),
        ("<p><a href=/1>First post</a></p>", json!([null, 16, null])),
        ("<h2><a class=btn href=/1>Start</a></h2>", json!([null, null, 40])),
        ("<h2><button style='font-size:1em'>Start</button></h2>", json!([null, null, 40])),
    ] {
        let typography = &brand(&format!("<style>h2{{font-size:40px}}</style><p>{PROSE}</p>{html}"))["typography"];
        let size = |element: &str| typography[element]["fontSize"].as_str()?.trim_end_matches("px").parse::<u32>().ok();
        assert_eq!(json!([size("h2"), size("link"), size("button")]), expected, "{html}");
    }
}

fn profiles(html: &str) -> Vec<(String, String)> {
    let result = brand(&format!("<title>Acme – lamps</title>{html}"));
    let text = |social: &Value, name: &str| social[name].as_str().unwrap_or_default().to_owned();
    result["socials"].as_array().unwrap().iter().map(|social| (text(social, "platform"), text(social, "url"))).collect()
}

#[test]
fn profiles_are_those_of_the_site_only() {
    let icon = "<svg width=20 height=20><path d='M0 0h9'/></svg>";
    for (html, expected) in [
        (format!("<footer><a href='https://github.com/acmelamps'>{icon}</a></footer>"), vec!["https://github.com/acmelamps"]),
        (format!("<footer><ul class=social><li><a href='https://twitter.com/foo?lang=en'>{icon}</a></ul></footer>"), vec!["https://x.com/foo"]),
        (format!("<article><p>{PROSE} <a href='https://twitter.com/someone'>said so</a></p></article>"), vec![]),
        ("<p>Find us on <a href='https://twitter.com/acme'>Twitter</a></p>".to_owned(), vec!["https://x.com/acme"]),
        (
            format!("<div class=share><a href='https://www.facebook.com/sharer/sharer.php?u=x'>{icon}</a><a href='https://t.me/share/url?url=x'>{icon}</a></div>"),
            vec![],
        ),
        ("<link rel=me href='https://social.acme.example/@acme'>".to_owned(), vec!["https://social.acme.example/@acme"]),
        (
            "<script type=application/ld+json>{\"@type\":\"Organization\",\"sameAs\":[\"https://www.linkedin.com/company/acme/\",\"https://en.wikipedia.org/wiki/Acme\"]}</script>".to_owned(),
            vec!["https://www.linkedin.com/company/acme"],
        ),
        (
            format!(
                "<script type=application/ld+json>{{\"@type\":\"Organization\",\"sameAs\":[\"https://www.facebook.com/acme.old\"]}}</script>\
                 <footer><ul class=social><li><a href='https://www.facebook.com/acmelamps'>{icon}</a></ul></footer>"
            ),
            vec!["https://www.facebook.com/acmelamps"],
        ),
        (
            "<script type=application/ld+json>{\"@type\":\"Organization\",\"sameAs\":[\"https://www.facebook.com/shopify\"]}</script>".to_owned(),
            vec![],
        ),
        ("<footer>Made by <a href='https://github.com/jane'>Jane</a></footer>".to_owned(), vec![]),
        (
            "<header><a href='https://github.com/acme/lamps'>GitHub</a></header><p><a href='https://github.com/acme/lamps/issues'>issues</a></p>".to_owned(),
            vec!["https://github.com/acme/lamps"],
        ),
        ("<p>Read <a href='https://github.com/acme/catalog#readme'>the catalog</a></p>".to_owned(), vec![]),
        (format!("<footer><nav aria-label='Follow us'><a href='https://discord.gg/abc'>{icon}</a></nav></footer>"), vec!["https://discord.gg/abc"]),
        (
            "<footer><a href='https://twitter.com/wahabank'>تويتر</a><a href='https://www.snapchat.com/add/wahabank'>سناب شات</a></footer>".to_owned(),
            vec!["https://x.com/wahabank", "https://www.snapchat.com/add/wahabank"],
        ),
        ("<footer><a class=tw href='https://twitter.com/wahabank'></a></footer>".to_owned(), vec!["https://x.com/wahabank"]),
        ("<footer><p>Made by <span><a href='https://twitter.com/jane'>Jane</a></span></p></footer>".to_owned(), vec![]),
        ("<footer><a rel=author href='https://twitter.com/jane'>Jane</a></footer>".to_owned(), vec![]),
        ("<header><a href='https://www.linkedin.com/in/jane'><img src=/me.png></a></header>".to_owned(), vec!["https://www.linkedin.com/in/jane"]),
        ("<footer><a href='https://www.linkedin.com/in/jane'>Jane</a><a href='https://github.com/jane/theme'>Theme</a></footer>".to_owned(), vec![]),
        (format!("<article><header><a href='https://twitter.com/jane'>Jane</a></header><p>{PROSE}</p></article>"), vec![]),
        ("<footer><a href='https://twitter.com/intent/tweet?url=x'>تويتر</a></footer>".to_owned(), vec![]),
        (
            "<footer><p>Sponsors</p><div><a href='https://twitter.com/globex'><img src=a.png></a><a href='https://twitter.com/hooli'><img src=b.png></a>\
             <a href='https://twitter.com/umbra'><img src=c.png></a></div></footer>".to_owned(),
            vec![],
        ),
        (
            "<footer><p>Join the community</p><div><a href='https://twitter.com/lampers'><img src=a.png></a><a href='https://youtube.com/@lampers'><img src=b.png></a>\
             <a href='https://www.instagram.com/lampers'><img src=c.png></a></div></footer>".to_owned(),
            vec!["https://x.com/lampers", "https://www.youtube.com/@lampers", "https://www.instagram.com/lampers"],
        ),
        (
            "<footer><ul><li><a href='https://x.com/k'>X</a><li><a href='https://discord.gg/k'>Discord</a></ul></footer>".to_owned(),
            vec!["https://x.com/k", "https://discord.gg/k"],
        ),
        (
            "<div class=framer-foot><a href='https://twitter.com/voltline'><p>Twitter</p></a><a href='https://discord.gg/voltline'><p>Discord</p></a></div>".to_owned(),
            vec!["https://x.com/voltline", "https://discord.gg/voltline"],
        ),
        ("<footer><a href='https://discord.gg/k'>Discord</a></footer>".to_owned(), vec![]),
        (
            "<header><a href='https://discord.gg/k'>Join Discord</a></header><p><a href='https://discord.gg/k'>Let me in</a></p>".to_owned(),
            vec!["https://discord.gg/k"],
        ),
        (
            format!("<div class=row><a href='https://twitter.com/lampers'>{icon}</a><a href='https://www.tiktok.com/@bulbs'>{icon}</a></div><p>{PROSE}</p>"),
            vec!["https://x.com/lampers", "https://www.tiktok.com/@bulbs"],
        ),
        (
            ["jane", "john"].map(|name| format!(
                "<div class=card><h3>{name}</h3><div><a href='https://twitter.com/{name}'>{icon}</a><a href='https://www.instagram.com/{name}'>{icon}</a></div></div>"
            )).concat(),
            vec![],
        ),
        (
            format!("<div><h3>Jane</h3><div><a href='https://twitter.com/jane1'>{icon}</a><a href='https://www.linkedin.com/in/jane2'>{icon}</a></div></div>"),
            vec![],
        ),
        (
            format!("<div class=row><a href='https://twitter.com/lampers'>{icon}</a><a href='https://www.tiktok.com/@bulbs'>{icon}</a><a href=/cart>{icon}</a></div>"),
            vec![],
        ),
        (format!("<p>{PROSE} <a href='https://x.com/k'>X</a> <a href='https://discord.gg/k'>Discord</a></p>"), vec![]),
        (
            "<header><a style='display:block;width:32px;height:32px;background:url(/fb.svg)' href='https://web.facebook.com/people/Glow/42/'></a></header>\
             <footer><a href='https://www.facebook.com/people/Glow/42'>Facebook</a></footer>".to_owned(),
            vec!["https://web.facebook.com/people/Glow/42"],
        ),
    ] {
        let found: Vec<String> = profiles(&html).into_iter().map(|(_, url)| url).collect();
        assert_eq!(found, expected, "{html}");
    }
}

/// Builders place each icon on its own: only the boxes form a row.
#[test]
fn icons_beside_each_other_on_the_page_are_a_row() {
    /// Gives the links that have a place its box.
    #[derive(Debug)]
    struct Places;
    impl Layout for Places {
        fn boxes(&self, page: &PageSnapshot, _: &Environment) -> Option<Boxes> {
            let document = Document::parse(&page.html);
            let whole = Rect { x: 0.0, y: 0.0, width: 1440.0, height: 1000.0 };
            let mut boxes = vec![Some(whole); document.len()];
            for (node, element) in document.elements() {
                if let Some(x) = element.attr("data-x").and_then(|x| x.parse().ok()) {
                    boxes[node.index()] = Some(Rect { x, y: 900.0, width: 28.0, height: 28.0 });
                }
            }
            Some(Boxes::new(boxes))
        }
    }
    let three = ["x.com/lampers", "www.tiktok.com/@bulbs", "de.linkedin.com/company/glow"];
    for (addresses, step, expected) in [
        (&three[..], 40, 3),
        (&["x.com/jane", "www.tiktok.com/@bulbs", "x.com/john"][..], 40, 0),
        (&three[..2], 40, 0),
        (&three[..], 400, 0),
    ] {
        let icon = |(number, address): (usize, &&str)| {
            let link = format!("<a data-x={} href='https://{address}'><img src=/{number}.svg></a>", 80 + step * number);
            format!("<div>{link}</div><div><a href='/{number}'>More</a></div>")
        };
        let icons: String = addresses.iter().enumerate().map(icon).collect();
        let page = page(&format!("<title>Acme</title><div>{icons}<p>{PROSE}</p></div>"));
        let view = PageView::with_layout(&page, &Places);
        let extraction = crate::extract(&view, &request(Operation::Brand)).unwrap();
        let result: Value = serde_json::from_slice(&extraction.body).unwrap();
        assert_eq!(result["socials"].as_array().map(Vec::len), Some(expected), "{addresses:?} {step}");
    }
}

#[test]
fn platforms_have_one_profile_each() {
    let html = "<footer class=social><a href='https://github.com/jane'>Jane</a><a href='https://github.com/acme'>GitHub</a>\
        <a href='https://www.youtube.com/@acme'>YouTube</a></footer>";
    let expected = [("github", "https://github.com/acme"), ("youtube", "https://www.youtube.com/@acme")];
    assert_eq!(profiles(html), expected.map(|(platform, url)| (platform.to_owned(), url.to_owned())));
}

#[test]
fn declarations_raise_confidence() {
    let poor = format!("<p>{PROSE}</p>");
    let better = format!(
        "<title>Acme</title><meta property=og:site_name content=Acme><style>body{{color:#222;background:#fff;font-family:Lato}}</style><p>{PROSE}</p>"
    );
    let rich = format!(
        "{better}<meta name=theme-color content='#b91c1c'><header style='background:#b91c1c;height:90px'><a href='/'><img itemprop=logo alt='Acme logo' src=logo.svg width=90 height=30></a></header>"
    );
    let confidence = |html: &str| brand(html)["confidence"].as_f64().unwrap();
    let rising = [confidence(&poor), confidence(&better), confidence(&rich)];
    assert!(rising.is_sorted() && rising[0] < 0.35 && rising[2] > 0.75, "{rising:?}");
    let mut degraded = page(&rich);
    degraded.degradation = Some(Degradation::MissingStyles);
    assert!(brand_of(&degraded)["confidence"].as_f64().unwrap() < rising[2]);
}

#[test]
fn theme_follows_what_covers_the_first_screen() {
    let hero = "<section style='height:900px;background:#111;color:#fff'><h1>Hello</h1></section>";
    let light = format!("{hero}<main style='height:2000px'>{PROSE}</main>");
    let card = format!(
        "<style>body{{background:#111;color:#eee}}</style><div style='background:#fff;height:500px'>{PROSE}</div>"
    );
    // Chromium's mean luma of the 1440 x 900 screenshot: 0.10, 0.10, 0.58.
    for (html, expected) in [
        (light.as_str(), "dark"),
        (hero, "dark"),
        (&format!("{card}<main style='height:700px'>{PROSE}</main>"), "light"),
    ] {
        assert_eq!(brand(html)["theme"], expected, "{html}");
    }
}

#[test]
fn profile_is_the_one_with_a_name_like_that_on_another_platform() {
    let link = |address: &str, label: &str| format!("<a href='https://{address}'>{label}</a> ");
    let (bot, channel) = (link("t.me/annabloggs", "Telegram"), link("t.me/beacon_channel", "Telegram"));
    for (instagram, expected) in [("beacon_agency", "beacon_channel"), ("sunny_agency", "annabloggs")] {
        let instagram = link(&format!("instagram.com/{instagram}"), "Instagram");
        let html = format!("<p>{PROSE}</p><footer>{bot}{bot}{instagram}{channel}</footer>");
        let result = brand(&html);
        let mut socials = result["socials"].as_array().into_iter().flatten();
        let telegram = socials.find(|social| social["platform"] == "telegram").unwrap();
        assert_eq!(telegram["handle"], expected, "{html}");
    }
}

#[test]
fn people_are_not_related_by_their_first_name() {
    let icon = |address: &str| format!("<a href='https://{address}'><svg width=20 height=20></svg></a> ");
    let (jane, martina) = (icon("www.linkedin.com/in/janedoe"), icon("www.linkedin.com/in/martina-roe"));
    let photos = icon("instagram.com/martina_photos");
    let result = brand(&format!("<p>{PROSE}</p><footer>{jane}{jane}{martina}{photos}</footer>"));
    let handles: Vec<&str> =
        result["socials"].as_array().unwrap().iter().map(|social| social["handle"].as_str().unwrap()).collect();
    assert_eq!(handles, ["janedoe", "martina_photos"]);
}

#[test]
fn last_block_with_a_copyright_notice_is_a_footer() {
    let profiles = "<a href=https://www.instagram.com/someoneelse>Instagram</a>";
    for (notice, expected) in [("<p>© 2026 Acme</p>", 1), ("<p>Bye</p>", 0)] {
        let html = format!(
            "<div style='height:2000px'>{PROSE}</div><div class=end style='height:200px'>{profiles}{notice}</div>"
        );
        assert_eq!(brand(&html)["socials"].as_array().map(Vec::len), Some(expected), "{notice}");
    }
}

#[test]
fn profiles_in_lists_and_footers_with_names_of_templates_are_found() {
    let youtube = "https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv";
    let facebook = "https://www.facebook.com/profile.php?id=100092639811240";
    let cyrillic = "https://www.facebook.com/Кухня-Онлайн-Бізнесу-Для-Усіх-Наших-Клієнтів-151968038632399/";
    let footer = |class: &str| {
        format!(
            "<section class='{class}'><div class=links><a href='{facebook}'>Facebook</a></div><p>Our office is in the old \
             harbour.</p></section>"
        )
    };
    for (html, is_found) in [
        (
            format!("<header><ul class='noLightbox social_bookmarks'><li><a href={youtube}>Youtube</a></ul></header>"),
            true,
        ),
        (format!("<div class=lightbox><ul class=social><li><a href={youtube}>Youtube</a></ul></div>"), false),
        (footer("home-one-footer-style"), true),
        (footer("footer-2"), true),
        (footer("home-one-style"), false),
        (footer("footer-card"), false),
        (format!("<footer><a href='{cyrillic}'><svg></svg></a></footer>"), true),
    ] {
        let page = format!("<!doctype html><title>Kettle</title><main><h1>Kettle</h1><p>Tea.</p></main>{html}");
        assert_eq!(brand(&page)["socials"].as_array().map(Vec::len), Some(usize::from(is_found)), "{html}");
    }
}
