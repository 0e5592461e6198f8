//! Page backgrounds, and the texts that are legible on them.

use super::{PROSE, brand, brand_of};
use limner_test_pages::page;
use limner_types::Theme;
use serde_json::{Value, json};

/// Returns background, theme and text of a page.
fn theme_colors(html: &str) -> [Value; 3] {
    let result = brand(html);
    [&result["colors"]["background"], &result["theme"], &result["colors"]["text"]].map(Clone::clone)
}

#[test]
fn text_color_is_judged_by_the_background_behind_it() {
    for (name, html, expected) in [
        (
            "all of it on a sheet",
            format!(
                "<style>body{{background:#333;color:#333}}.page{{background:#fff;width:900px}}.note{{color:#145eeb}}</style>\
                 <div class=page><p>{PROSE}{PROSE}</p><p class=note>A note</p></div>"
            ),
            json!("#333333"),
        ),
        (
            "in cards on a dark page",
            format!(
                "<style>body{{background:#1a1a2e;color:#222}}.c{{background:#fff;width:600px}}</style><div class=c>{PROSE}</div>\
                 <div style='height:900px'></div>"
            ),
            json!("#222222"),
        ),
        (
            "on a picture",
            format!(
                "<style>body{{color:#fff}}.h{{min-height:900px;background:url(x.jpg) center/cover}}</style><div class=h>{PROSE}</div>"
            ),
            json!("#ffffff"),
        ),
        (
            "little of it on a picture",
            format!(
                "<style>body{{color:#fff}}p{{color:#222}}.h{{height:500px;background:url(x.jpg) center/cover}}</style><div class=h>Lamps</div>\
                 <p>{PROSE}{PROSE}</p>"
            ),
            json!("#222222"),
        ),
        (
            "dark sections on a white page",
            format!(
                "<style>p{{color:#444}}.d{{background:#111;color:#fff}}</style><div class=d>{PROSE}{PROSE}</div><p>{PROSE}</p>"
            ),
            json!("#444444"),
        ),
        (
            "much of it in dark sections, and nearly as much on the ground",
            format!(
                "<style>body{{color:#fff}}p{{color:#222}}.d{{background:#111}}</style><div class=d>{PROSE}{PROSE}{PROSE}</div><p>{PROSE}{PROSE}</p>"
            ),
            json!("#222222"),
        ),
        (
            "a few words that can be read are not the text",
            format!(
                "<style>body{{background:#333;color:#333}}.note{{color:#9bf}}</style><p>{PROSE}</p><p class=note>A note</p>"
            ),
            json!(null),
        ),
    ] {
        let [_, _, text] = theme_colors(&html);
        assert_eq!(text, expected, "{name}");
    }
}

#[test]
fn patterns_do_not_replace_the_background() {
    for (background, ground, theme) in [
        ("#fff radial-gradient(#e5e7eb 1px,transparent 1px) 0 0/16px 16px", "#ffffff", "light"),
        ("#0f172a radial-gradient(#334155 1px,transparent 1px) 0 0/20px 20px", "#0f172a", "dark"),
        (
            "linear-gradient(#e5e7eb 1px,transparent 1px) 0 0/24px 24px,linear-gradient(90deg,#e5e7eb 1px,transparent 1px) 0 0/24px 24px",
            "#ffffff",
            "light",
        ),
        ("linear-gradient(#000,#000) 0 100%/100% 2px no-repeat", "#ffffff", "light"),
        ("linear-gradient(#000,#000) right calc(100% - 10px)/50px 20px no-repeat", "#ffffff", "light"),
        ("linear-gradient(#101014,#111116)", "#101014", "dark"),
    ] {
        for element in ["body", ".page"] {
            let html = format!(
                "<style>body{{margin:0}}{element}{{background:{background};min-height:900px}}</style><div class=page><h1>Hello</h1></div>"
            );
            let [found, reads, _] = theme_colors(&html);
            assert_eq!((found, reads), (json!(ground), json!(theme)), "{element} {background}");
        }
    }
}

#[test]
fn fading_heroes_do_not_decide_the_theme() {
    for (background, theme) in [
        ("linear-gradient(180deg,transparent 80%,#111)", "light"),
        ("linear-gradient(180deg,#111,#111 80%,transparent)", "dark"),
        ("linear-gradient(#000,#000) 0 100%/100% 2px no-repeat", "light"),
    ] {
        let html = format!(
            "<style>html,body{{margin:0;background:#fff}}.hero{{height:850px;background:{background}}}</style><div class=hero></div>"
        );
        let result = brand(&html);
        // The background shows on enough of the page, or the page as a whole decides.
        assert_eq!(result["theme"], theme, "{background}: {}", result["evidence"]["theme"]);
    }
}

#[test]
fn first_screen_decides_the_theme() {
    for (page, screen, theme) in [("#fff", "#0c0c0c", "dark"), ("#0c0c0c", "#fff", "light")] {
        let html = format!(
            "<style>body{{margin:0;background:{page}}}.hero{{background:{screen};height:800px}}.rest{{height:6000px}}</style>\
             <div class=hero></div><div class=rest></div>"
        );
        let [background, found, _] = theme_colors(&html);
        assert_eq!([background, found], [page, theme].map(|value| json!(value.replace("#fff", "#ffffff"))), "{screen}");
    }
}

#[test]
fn images_of_the_canvas_cover_the_whole_page() {
    for (body, expected) in [
        ("color:#fff;background:url(x.jpg) center/cover", ["dark", "#ffffff"]),
        ("color:#222;background:url(x.jpg) center/cover", ["light", "#222222"]),
        ("color:#222;background:url(tile.png)", ["light", "#222222"]),
        ("color:#222;background:url(x.jpg) center/cover no-repeat", ["light", "#222222"]),
    ] {
        let [_, theme, text] = theme_colors(&format!("<style>body{{margin:0;{body}}}</style><p>{PROSE}</p>"));
        assert_eq!([theme, text], expected.map(|value| json!(value)), "{body}");
    }
}

#[test]
fn pseudo_element_boxes_are_painted() {
    let page = "<h1>Acme</h1><div style='height:2000px'></div>";
    for (css, expected) in [
        (
            "body{color:#fff}body::before{content:'';position:fixed;inset:0;z-index:-1;background:#1e1b4b}",
            ["#1e1b4b", "dark", "#ffffff"],
        ),
        (
            "body{color:#222}body::before{content:'';position:fixed;inset:0;z-index:-1;background:#1e1b4b;opacity:.03}",
            ["#ffffff", "light", "#222222"],
        ),
        (
            "body{color:#222}body::before{position:fixed;inset:0;z-index:-1;background:#1e1b4b}",
            ["#ffffff", "light", "#222222"],
        ),
        (
            "body{color:#222}.all{background:#fff}.all::after{content:'';position:absolute;inset:0;z-index:-1;background:#1e1b4b}",
            ["#ffffff", "light", "#222222"],
        ),
        (
            "body{color:#222}.all{position:relative}.all::after{content:'';position:absolute;inset:0;background:#1e1b4b;transform:scaleX(0)}",
            ["#ffffff", "light", "#222222"],
        ),
        (
            "body{margin:0;color:#fff}.all{position:relative;isolation:isolate}\
             .all::after{content:'';position:absolute;left:0;top:0;width:100%;height:100%;z-index:-1;background:linear-gradient(#101014,#111116)}",
            ["#101014", "dark", "#ffffff"],
        ),
        // Above the background of a stacking context, below that of another box.
        (
            // `will-change: transform` establishes a stacking context in Chromium, `will-change: top` does not.
            "body{margin:0;color:#fff}.all{position:relative;background:#fff;will-change:transform}\
             .all::after{content:'';position:absolute;inset:0;z-index:-1;background:#101014}",
            ["#101014", "dark", "#ffffff"],
        ),
        (
            "body{margin:0;color:#222}.all{position:relative;background:#fff;will-change:top}\
             .all::after{content:'';position:absolute;inset:0;z-index:-1;background:#101014}",
            ["#ffffff", "light", "#222222"],
        ),
        // As large as their containing block, which need not be positioned.
        (
            "body{color:#222}h1{width:90px;height:40px;contain:layout}h1::after{content:'';position:absolute;inset:0;background:#101014}",
            ["#ffffff", "light", "#222222"],
        ),
        (
            "body{color:#222}h1{width:90px;height:40px;filter:blur(0)}h1::after{content:'';position:fixed;inset:0;background:#101014}",
            ["#ffffff", "light", "#222222"],
        ),
    ] {
        let html = format!("<style>{css}</style><div class=all>{page}</div>");
        assert_eq!(theme_colors(&html), expected.map(|value| json!(value)), "{css}");
    }
}

#[test]
fn pseudo_element_boxes_fill_buttons() {
    for (before, expected) in [
        ("inset:0;background:#0a7", json!("#00aa77")),
        ("inset:0;background:linear-gradient(#0a7,#097)", json!("#00aa77")),
        ("inset:0;background:#0a7;transform:translateX(-100%)", json!(null)),
        ("left:0;bottom:0;width:100%;height:2px;background:#0a7", json!(null)),
    ] {
        let html = format!(
            "<style>.btn{{position:relative;border:0;padding:12px 24px;background:#eee;width:160px;height:48px}}\
             .btn::before{{content:'';position:absolute;z-index:-1;{before}}}.btn{{z-index:0}}</style><p>{PROSE}</p><button class=btn>Start now</button>"
        );
        assert_eq!(brand(&html)["colors"]["primary"], expected, "{before}");
    }
}

#[test]
fn thin_patterns_are_not_primary_colors() {
    let html = format!(
        "<style>main{{min-height:900px;background:radial-gradient(#003300 1px,transparent 1px) 0 0/20px 20px}}</style><main>{PROSE}</main>"
    );
    assert_eq!(brand(&html)["colors"]["primary"], json!(null));
}

#[test]
fn white_is_not_a_primary_color() {
    let tools = |style: &str| {
        format!(
            "<style>body{{margin:0;background:#333;color:#eee}}button{{border:0;padding:12px 24px;{style}}}</style><h1>Editor</h1>\
             <button>Open file</button><button>Save file</button><button>Close file</button>"
        )
    };
    assert_eq!(brand(&tools("background:#fff;color:#111"))["colors"]["primary"], json!(null));
    let dark = tools("background:#111;color:#fff").replace("background:#333", "background:#fff");
    assert_eq!(brand(&dark)["colors"]["primary"], json!("#111111"));
}

#[test]
fn images_without_text_are_as_dark_as_what_is_around_them() {
    let page = |sheet: &str| {
        brand(&format!(
            "<style>html{{background:#fff}}body{{margin:0}}main{{{sheet}}}video{{display:block;width:1440px;height:900px}}</style>\
             <main><video src=/film.mp4></video><p>{PROSE}</p><div style='height:1800px'></div></main>"
        ))
    };
    assert_eq!(page("background:#000;color:#fff")["theme"], "dark");
    assert_eq!(page("background:#eee;color:#000")["theme"], "light");
}

#[test]
fn browser_reads_are_dark_by_colors_or_images() {
    for (background, browser, expected) in [
        ("url(/photo.jpg) center/cover", Theme::Light, "dark"),
        ("#0c0c0c", Theme::Light, "dark"),
        ("#fff", Theme::Dark, "dark"),
        ("#7a7a7a", Theme::Light, "light"),
    ] {
        let html = format!(
            "<style>body{{margin:0;background:#fff}}main{{height:900px;color:#fff;background:{background}}}</style><main><h1>Acme</h1></main>"
        );
        let mut page = page(&html);
        page.theme = Some(browser);
        assert_eq!(brand_of(&page)["theme"], expected, "{background} {browser:?}");
    }
}
