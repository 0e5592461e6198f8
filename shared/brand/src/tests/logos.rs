//! Tests of choosing the site's logo.

use super::{PROSE, brand, brand_of};
use limner_page::WorkBudget;
use limner_test_pages::page;
use serde_json::{Value, json};

const HOME: &str = "https://page.example";

#[test]
fn primary_logo_is_the_best_candidate() {
    for (name, html, expected) in [
        ("in the header, linking home", "<header><a href='/'><img src=/l.svg width=120 height=32 alt=Acme></a></header>".to_owned(), json!("/l.svg")),
        ("by its name", "<div class=top><img class=site-logo src=/img/mark.png width=120 height=32></div>".to_owned(), json!("/img/mark.png")),
        (
            "not the icons beside it",
            "<header><a href='/'><img src=/logo.png width=120 height=32></a><a href=/cart><img src=/img/cart.png width=24 height=24></a></header>".to_owned(),
            json!("/logo.png"),
        ),
        (
            "one without the site's name, repeated in menu and footer",
            "<header><a><img class=site-logo src=/sgb.png alt=sgb width=170 height=60></a></header><div hidden><img class=site-logo src=/sgb.png alt=sgb></div>\
             <footer><img class=site-logo src=/sgb.png alt=sgb></footer>".to_owned(),
            json!("/sgb.png"),
        ),
        (
            "the file for an ordinary screen",
            "<header><a href='/'><img src=/logo-123x55.png srcset='/logo.png 1x, /logo-2x.png 2x' width=123 height=55></a></header>".to_owned(),
            json!("/logo.png"),
        ),
        (
            "the source of a picture that a browser shows",
            "<header><a href='/'><picture><source type=image/x-new srcset=/a.new><source type=image/webp srcset='/gen/300.webp 300w' sizes=180px>\
             <img src=/logo.png width=123 height=55></picture></a></header>".to_owned(),
            json!("/gen/300.webp"),
        ),
        (
            "the file for an ordinary screen, which needs no descriptor",
            "<header><a href='/'><img src=/logo-123x55.png srcset='/logo.png, /logo-2x.png 2x' width=123 height=55></a></header>".to_owned(),
            json!("/logo.png"),
        ),
        (
            "a file whose name ends in logo, not another one",
            "<header><img src=/view.png width=90 height=60><img src=/acmelogo.png width=90 height=60></header>".to_owned(),
            json!("/acmelogo.png"),
        ),
        (
            "inside of what has a name that ends in logo",
            "<header><img src=/view.png width=90 height=60><div class=imglogo><img src=/a.png width=90 height=60></div></header>".to_owned(),
            json!("/a.png"),
        ),
        (
            "at the top, with a name that ends in logo and a link to its owner",
            format!("<div style='height:80px'><a href='https://maker.example'><img class=t2__imglogo src=/a.png width=80 height=80></a></div><p>{PROSE}</p>"),
            json!("/a.png"),
        ),
        (
            "in a bar at the top that has no name, among other icons",
            "<div style='height:60px'><img src=/mint.svg alt='Acme' width=190 height=44>\
             <a href=https://x.com/m><img src=/a.svg width=28 height=28></a><a href=https://t.me/m><img src=/b.svg width=28 height=28></a>\
             <a href=https://discord.gg/m><img src=/c.svg width=28 height=28></a></div>".to_owned(),
            json!("/mint.svg"),
        ),
        (
            "not a drawing in such a bar",
            "<div style='height:60px'><button>Menu</button><span><svg width=40 height=40><path d='M0 0h9v9z'/></svg></span></div>".to_owned(),
            json!(null),
        ),
        (
            "not the icon of a contact bar",
            "<div class=nav><a href='/'><img src=/call.svg alt='Phone Icon' width=30 height=30></a><a href=/contact><img src=/mail.svg alt='Email Icon'></a></div>".to_owned(),
            json!(null),
        ),
        (
            "not those of customers",
            format!(
                "<main><section><h2>Trusted by</h2>{}</section></main>",
                (0..5).map(|n| format!("<img src=/logos/{n}-logo.svg width=90 height=30>")).collect::<String>()
            ),
            json!(null),
        ),
        (
            "one that has slides with pictures beside it",
            format!(
                "<div class=slides><section><a href='https://page.example/'><img class=demo-logo src=/acme-white.svg alt='Acme logo'></a><p>{PROSE}</p></section>\
                 {}</div>",
                (0..5).map(|n| format!("<section><h2>Slide {n}</h2><p>{PROSE}</p><img src=/{n}.png width=300 height=200></section>")).collect::<String>()
            ),
            json!("/acme-white.svg"),
        ),
        (
            "not those of partners, told with a text each",
            format!(
                "<main>{}</main>",
                ["Globex", "Initech", "Umbrella", "Hooli"]
                    .map(|name| format!("<div class=card><img class=card-logo src=/i/{name}-logo.svg alt='{name} logo' width=90 height=30><p>{PROSE}</p></div>"))
                    .concat()
            ),
            json!(null),
        ),
        (
            "an avatar that is called the site's logo, linking to its owner",
            format!(
                "<div class=bar><a class=nav_logo href='https://social.example/jane'><img src=/avatar.png alt='logo Acme' width=70 height=70></a></div>\
                 <p>{PROSE}</p><footer><div class=logo><a href='#'><img src=/mark.png alt='Acme Logo' width=50></a></div></footer>"
            ),
            json!("/avatar.png"),
        ),
        ("nor a catalogue in Italian", "<header><a href='https://other.example'><img class=catalogo src=/libri.jpg width=190 height=44></a></header>".to_owned(), json!(null)),
        ("not the flag of a language, named by its folder", "<header><nav><img src=/img/lang/rus.png width=24 height=16></nav></header>".to_owned(), json!(null)),
        (
            "one in the footer that two names say",
            "<footer><a href='#' class=footer-logo-wrapper><img class=footer-logo src=/ac-logo.png width=120 height=60></a></footer>".to_owned(),
            json!("/ac-logo.png"),
        ),
        (
            "one in the footer that has the site's name, and so has its file",
            format!("<h1>Acme</h1><p>{PROSE}</p><footer><img src=/acme.png alt=Acme width=200 height=60></footer>"),
            json!("/acme.png"),
        ),
        (
            "not a photo in the footer",
            format!("<h1>Acme</h1><p>{PROSE}</p><footer><img src=/acme.jpg alt=Acme width=900 height=600></footer>"),
            json!(null),
        ),
        (
            "in the first section, by the site's name and that of its file",
            format!("<nav><a href='#a'>Menu</a></nav><section><img src=/img/mark-logo.png alt=Acme width=300 height=180><p>{PROSE}</p></section>"),
            json!("/img/mark-logo.png"),
        ),
        (
            "not that of the theme in a header that is turned off",
            format!("<div id=header style='display:none'><div id=logo><a href='/'><img src=/wp-content/themes/nova/images/logo.png alt=Acme></a></div></div><p>{PROSE}</p>"),
            json!(null),
        ),
        (
            "that of the theme in a header that is shown",
            "<div id=header><div id=logo><a href='/'><img src=/wp-content/themes/nova/images/logo.png alt=Acme></a></div></div>".to_owned(),
            json!("/wp-content/themes/nova/images/logo.png"),
        ),
        (
            "declared by a business of a narrower kind",
            "<script type=application/ld+json>{\"@type\":\"RoofingContractor\",\"logo\":\"/roof-logo.png\"}</script><header>Acme</header>".to_owned(),
            json!("/roof-logo.png"),
        ),
        (
            "declared by reference to an image of the graph",
            "<script type=application/ld+json>{\"@graph\":[{\"@type\":\"Organization\",\"logo\":{\"@id\":\"https://page.example/#logo\"}},\
             {\"@type\":\"ImageObject\",\"@id\":\"https://page.example/#logo\",\"url\":\"/mark.png\"}]}</script><header>Acme</header>".to_owned(),
            json!("/mark.png"),
        ),
        (
            "not the page, to which a reference leads",
            "<script type=application/ld+json>{\"@type\":\"Organization\",\"logo\":{\"@id\":\"https://page.example/#logo\"}}</script><header>Acme</header>".to_owned(),
            json!(null),
        ),
        (
            "in the bar of the navigation, which has no name",
            "<div class=t1 style='height:90px'><div><img src=/f/4f2a.png width=150 height=60 alt=''><nav><a href='/a'>A</a></nav></div></div>".to_owned(),
            json!("/f/4f2a.png"),
        ),
        (
            "not a declared one whose URL has no slashes",
            "<script type=application/ld+json>{\"@type\":\"Organization\",\"logo\":\"http:files/logo2.png\"}</script><header>Acme</header>".to_owned(),
            json!(null),
        ),
        ("not a flag", "<header><nav><img class=flag src=/flags/de.svg width=24 height=16></nav></header>".to_owned(), json!(null)),
        (
            "not an avatar",
            "<header><button><img src=/users/jane.png width=32 height=32 style='border-radius:50%' alt=''></button></header>".to_owned(),
            json!(null),
        ),
        (
            "not a badge of a shop",
            "<header><a href='https://apps.apple.com/x'><img src=/img/app-store-badge.svg width=120 height=40></a></header>".to_owned(),
            json!(null),
        ),
        ("as a background", "<style>.logo{display:block;width:140px;height:40px;background:url(/i/logo@2x.png)}</style><div id=header><a class=logo href='#top'></a></div>".to_owned(), json!("/i/logo@2x.png")),
        (
            "declared",
            "<script type=application/ld+json>{\"@type\":\"Organization\",\"logo\":{\"@type\":\"ImageObject\",\"url\":\"/ld.png\",\"width\":600}}</script>".to_owned(),
            json!("/ld.png"),
        ),
        (
            "the shown copy of a declared one",
            "<script type=application/ld+json>{\"@type\":\"Organization\",\"logo\":\"/2024/mark-855x476.jpg\"}</script>\
             <header><a href='/about'><img src=/2022/mark.jpg width=150 height=80></a></header>"
                .to_owned(),
            json!("/2022/mark.jpg"),
        ),
        (
            "a declared one rather than another image",
            "<script type=application/ld+json>{\"@type\":\"Organization\",\"logo\":\"/2024/mark-855x476.jpg\"}</script>\
             <header><a href='/about'><img src=/2022/view.jpg width=150 height=80></a></header>"
                .to_owned(),
            json!("/2024/mark-855x476.jpg"),
        ),
        (
            "not the icon of an app that is declared for want of a logo",
            "<script type=application/ld+json>{\"@type\":\"Organization\",\"logo\":\"/up/android-chrome-512x512-1.png\"}</script>".to_owned(),
            json!(null),
        ),
        ("an icon that is a drawing stands in", "<link rel=icon href=/favicon.ico><link rel=icon href=/icon.svg>".to_owned(), json!("/icon.svg")),
        ("a small icon does not", "<link rel=icon href=/favicon.ico><link rel=apple-touch-icon href=/touch.png>".to_owned(), json!(null)),
        ("a preview image never", "<meta property=og:image content=/og.png>".to_owned(), json!(null)),
        (
            "not the stars of a rating beside the site's name",
            format!(
                "<header><a class=brand href='#'>Acme<div class=logo-stars>{}</div></a></header>",
                "<div><svg width=16 height=16><path d='M2 0l2 2'/><path d='M3 3h9'/></svg></div>".repeat(4)
            ),
            json!(null),
        ),
        (
            "not a declared one that is named the site's icon",
            "<script type=application/ld+json>{\"@type\":\"Organization\",\"logo\":\"/up/cropped-Acme-FavIcon-24.png\"}</script>".to_owned(),
            json!(null),
        ),
        ("not the example of a template", "<link rel=mask-icon href='path/to/icon.svg' color=blue>".to_owned(), json!(null)),
        ("not the icon of the build tool", "<link rel=icon type=image/svg+xml href=/vite.svg>".to_owned(), json!(null)),
        (
            "the first image of a page whose first section has no other name",
            "<section><div><img src=/LogoWorks-a.png width=221 height=135></div><div><h1>Houses</h1></div></section>".to_owned(),
            json!("/LogoWorks-a.png"),
        ),
        (
            "in a bar that only a designer's layer calls navigation",
            "<div class=framer-a1 data-framer-name=nav style='height:65px'><div><img src=/sN9x.png width=40 height=40></div>\
             <p><a href='#p'>Programme</a></p></div>".to_owned(),
            json!("/sN9x.png"),
        ),
        (
            "in a bar that two words call navigation",
            "<section class=top-nav style='height:120px'><img src=/a1.png width=100 height=100><a href='/rooms'>Rooms</a></section>".to_owned(),
            json!("/a1.png"),
        ),
        (
            "the one shown, not that of a panel which is closed",
            {
                let logo = |file: &str| format!("<a class=logo href='#' rel=home><img class=logo alt='Acme logo' src=/{file} width=90 height=30></a>");
                format!("<header><div hidden>{}</div>{}</header>", logo("theme-logo.svg"), logo("logo.svg"))
            },
            json!("/logo.svg"),
        ),
        (
            "what a script loads later",
            "<header><a href='/'><img class=logo src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' data-src=/late.svg width=90 height=30></a></header>".to_owned(),
            json!("/late.svg"),
        ),
    ] {
        let result = brand(&format!("<title>Acme</title>{html}<p>{PROSE}</p>"));
        let expected = expected.as_str().map_or(Value::Null, |path| json!(format!("{HOME}{path}")));
        assert_eq!(result["logo"], expected, "{name}: {:#}", result["logos"]);
    }
}

#[test]
fn svg_in_the_header_stays_the_logo_with_any_footer_name() {
    let html = "<div><header><a href='/' aria-label=Wanderbook><svg width=144 height=24 viewBox='0 0 144 24'>\
        <path d='M2 4l4 16 4-10 4 10 4-16M24 8h10v12H24z'/></svg></a></header>Find your next stay<img><img><h3>Partners</h3></div>";
    let result = brand(html);
    let logo = result["logo"].as_str().unwrap_or_default();
    assert!(logo.starts_with("data:image/svg+xml"), "{:#}", result["logos"]);
}

#[test]
fn inline_svgs_have_code_in_the_colors_of_the_page() {
    let html = format!(
        "<style>header a{{color:#c2410c}}.mark .dot{{fill:#0891b2}}</style><header><a href='/' aria-label='Acme home'>\
         <svg class=mark viewBox='0 0 90 30' width=90 height=30><title>Acme</title><path fill=currentColor d='M0 0h60v30H0z'/><circle class=dot r=9 /></svg></a>\
         <button><svg width=20 height=20><path d='M0 0h9'/></svg></button></header><p>{PROSE}</p>"
    );
    let result = brand(&html);
    assert!(result["logo"].as_str().unwrap().starts_with("data:image/svg+xml;base64,"), "{:#}", result["logos"]);
    let logo = &result["logos"][0];
    let code = logo["code"].as_str().unwrap();
    assert!(code.contains("color=\"#c2410c\"") && code.contains("circle.dot{fill:#0891b2;}"), "{code}");
    assert_eq!((&logo["alt"], &logo["width"], &logo["source"]), (&json!("Acme"), &json!(90), &json!("svg")));
    assert_eq!(result["colors"]["primary"], "#c2410c", "the dot is the smaller part");
}

#[test]
fn light_and_dark_variants_are_pairs() {
    for (name, html) in [
        (
            "a picture",
            "<header><a href='/'><picture><source media='(prefers-color-scheme: dark)' srcset=/logo-white.svg><img src=/logo.svg width=90 height=30></picture></a></header>",
        ),
        (
            "one shown, one hidden",
            "<style>.dark-only{display:none}@media (prefers-color-scheme:dark){.dark-only{display:inline}.light-only{display:none}}</style>\
             <header><a href='/'><img class=light-only src=/logo.svg width=90 height=30><img class=dark-only src=/logo-white.svg width=90 height=30></a></header>",
        ),
    ] {
        let result = brand(&format!("{html}<p>{PROSE}</p>"));
        assert_eq!(result["logo"], format!("{HOME}/logo.svg"), "{name}");
        let by_url = |path: &str| {
            let logos = result["logos"].as_array().unwrap();
            logos.iter().find(|logo| logo["url"] == format!("{HOME}{path}")).cloned().unwrap_or_default()
        };
        let (light, dark) = (by_url("/logo.svg"), by_url("/logo-white.svg"));
        assert_eq!(
            (&light["theme"], &dark["theme"]),
            (&json!("light"), &json!("dark")),
            "{name}: {:#}",
            result["logos"]
        );
        assert_eq!((&light["variant"], &dark["variant"]), (&dark["url"], &light["url"]), "{name}");
    }
}

#[test]
fn svg_files_are_fetched_and_provide_colors() {
    let html =
        format!("<header><a href='/'><img class=logo src=/logo.svg width=90 height=30></a></header><p>{PROSE}</p>");
    let mut page = page(&html);
    assert_eq!(crate::required_subresources(&page, &WorkBudget::default()), [format!("{HOME}/logo.svg")]);
    assert_eq!(brand_of(&page)["colors"]["primary"], json!(null));
    let svg = "<svg xmlns='http://www.w3.org/2000/svg'><style>.a{fill:#be123c}</style><path class='a' d='M0 0h60v30H0z'/><path d='M0 0h9'/></svg>";
    limner_test_pages::add_resource(&mut page, &format!("{HOME}/logo.svg"), "image/svg+xml", svg);
    assert_eq!(brand_of(&page)["colors"]["primary"], "#be123c");
}

/// An inline logo may be a part of a sprite file: without it, the logo would be an image that refers to another, which
/// no browser draws.
#[test]
fn sprites_are_fetched_and_provide_colors() {
    let html = format!(
        "<header><a href='/'><svg width=120 height=30 aria-label=Acme><use href='/parts.svg#acme'></use></svg></a>\
         <svg width=16 height=16><use href='/parts.svg#find'></use></svg></header><p>{PROSE}</p>"
    );
    let mut page = page(&html);
    assert_eq!(crate::required_subresources(&page, &WorkBudget::default()), [format!("{HOME}/parts.svg")]);
    let sprite = "<svg xmlns='http://www.w3.org/2000/svg'><symbol id='find' viewBox='0 0 9 9'><path d='M0 0h9v9z'/></symbol>\
        <symbol id='acme' viewBox='0 0 120 30'><path fill='#be123c' d='M0 0h30v30H0z'/><path fill='#222' d='M40 5h80v20H40z'/></symbol></svg>";
    limner_test_pages::add_resource(&mut page, &format!("{HOME}/parts.svg"), "image/svg+xml", sprite);
    let result = brand_of(&page);
    assert_eq!(result["colors"]["primary"], "#be123c", "{:#}", result["palette"]);
}

#[test]
fn every_candidate_is_listed_with_its_kind() {
    let html = "<link rel=icon href=/f.ico sizes='16x16 32x32'><link rel=apple-touch-icon href=/t.png sizes=180x180><link rel=mask-icon href=/m.svg color='#b91c1c'>\
        <meta property=og:image content=/og.png><header><a href='/'><img src=/logo.webp width=90 height=30></a></header>";
    let result = brand(html);
    let kinds: Vec<(&str, &str)> = result["logos"]
        .as_array()
        .unwrap()
        .iter()
        .map(|logo| (logo["type"].as_str().unwrap(), logo["format"].as_str().unwrap_or("-")))
        .collect();
    assert_eq!(kinds, [("logo", "webp"), ("mask-icon", "svg"), ("touch-icon", "png"), ("icon", "ico"), ("og", "png")]);
}
