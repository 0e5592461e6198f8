//! Tests the backgrounds behind a section, and the theme that follows from them.

use super::{ask_laid_out, ask_of, page_of};
use limner_page::{Document, PageSnapshot};
use limner_style::Environment;
use limner_style::layout::{Boxes, Layout, Rect};
use limner_types::Theme;
use serde_json::Value;

fn page(css: &str, head: &str) -> PageSnapshot {
    let html = format!(
        "<!doctype html><html><head>{head}</head><body><main><section class=h><h1>Words on a ground</h1><p>More of \
         them, so that there is something to read.</p></section></main></body></html>"
    );
    page_of(html, css)
}

fn code(css: &str, head: &str, theme: Theme) -> Value {
    ask_of(&page(css, head), Some(".h"), theme).unwrap()
}

#[test]
fn colours_without_blue_are_colours() {
    for (color, theme) in [
        ("#000", "dark"),
        ("#ff6600", "light"),
        ("red", "light"),
        ("#ffff00", "light"),
        ("#004000", "dark"),
        ("#0f7b3f", "dark"),
    ] {
        let result = code(&format!("body{{background:{color};color:#888}}"), "", Theme::Light);
        assert_eq!(result["theme"], theme, "{color}");
        let css = result["css"].as_str().unwrap();
        assert!(css.contains("background"), "{color} is behind the section: {css}");
    }
    let css = "body{background:#fff} @media (prefers-color-scheme:dark){body{background:#000;color:#fff}}";
    let dark = code(css, "", Theme::Dark);
    assert_eq!(dark["theme"], "dark");
    assert!(dark["css"].as_str().unwrap().contains("background"), "{dark}");
}

/// CSS Display 3 §2.5: an element with `display: contents` has no box, and so no background.
#[test]
fn element_without_a_box_paints_nothing_behind_a_section() {
    let result =
        code("body{background:#0c0c0c} main{display:contents;background:#fff} h1,p{color:#fff}", "", Theme::Light);
    assert_eq!(result["theme"], "dark");
    let css = result["css"].as_str().unwrap();
    assert!(css.contains("background-color: #0c0c0c"), "{css}");
}

#[test]
fn widths_compensating_for_a_margin_are_kept() {
    for (css, kept) in [
        (".h{margin-left:-.6em;width:calc(100% + .6em)}", true),
        (".h{margin:-8px 0 0 -1rem;width:calc(1rem + 100%)}", true),
        (".h{margin-left:-5%;width:110%}", true),
        (".h{margin-left:-1rem;width:calc(100% - 1rem)}", false),
        (".h{margin-left:-1rem}", false),
        (".h{margin-left:-1rem;width:50%}", false),
    ] {
        let result = code(css, "", Theme::Light);
        let written = result["css"].as_str().unwrap();
        assert_eq!(written.contains("margin-left: -"), kept, "{css}: {written}");
        assert!(!written.contains("margin-top: -"), "{css}: {written}");
    }
}

/// A component has the width of the window without the margins that leave a column for it.
#[test]
fn sections_breaking_out_of_their_column_have_the_width_of_the_window() {
    for css in [
        ".h{margin:0 calc(50% - 50vw)}",
        ".h{margin:0 calc(50% - 50vw);max-width:100vw}",
        ".h{margin:0 calc(50% - 50vw);width:100vw}",
    ] {
        let result = code(css, "", Theme::Light);
        let written = result["css"].as_str().unwrap();
        assert!(written.contains("width: 100vw") && !written.contains("50vw"), "{css}: {written}");
    }
}

/// A ground of several gradients has the colour of the opaque one, with a gleam of those above.
#[test]
fn gradients_behind_a_section_are_composited() {
    let css = "body{background:radial-gradient(circle at 20% 20%,rgba(255,255,255,.08),transparent 40%),\
               radial-gradient(circle at 80% 20%,rgba(45,212,191,.06),transparent 40%),\
               linear-gradient(160deg,#0a1020,#101a30);color:#f0f6ff}";
    let result = code(css, "", Theme::Light);
    assert_eq!(result["theme"], "dark", "{result}");
}

#[test]
fn translucent_backgrounds_are_composited() {
    for (css, theme, written) in [
        ("body{background:#fff} .h{background:rgba(0,0,0,.05)}", "light", None),
        (".h{background:#0001}", "light", None),
        ("body{background:#111;color:#fff} .h{background:rgba(255,255,255,.1)}", "dark", Some("#292929")),
        ("body{background:#fff} .h{background:linear-gradient(#000,#222);color:#fff}", "dark", None),
        ("body{background:linear-gradient(#000,#222);color:#fff}", "dark", Some("#111")),
        ("body{background:#111} main{background:rgba(255,255,255,.1)} .h{color:#fff}", "dark", Some("#292929")),
    ] {
        let result = code(css, "", Theme::Light);
        assert_eq!(result["theme"], theme, "{css}");
        let own = result["css"].as_str().unwrap();
        assert!(written.is_none_or(|color| own.contains(color)), "{css}: {own}");
    }
}

#[test]
fn glass_stays_translucent_in_every_theme() {
    let dark = "@media (prefers-color-scheme:dark){body{background:#0e0b1a} .h{background:rgb(14 11 26 / 85%)}}";
    for (css, glass) in [
        ("position:sticky;top:0;background:rgb(255 255 255 / 85%)", true),
        ("backdrop-filter:blur(8px);background:rgb(255 255 255 / 85%)", true),
        ("background:rgb(255 255 255 / 85%)", false),
    ] {
        let result = code(&format!("body{{background:#fff}} .h{{{css}}} {dark}"), "", Theme::Light);
        let own = result["css"].as_str().unwrap();
        assert_eq!(own.contains("rgb(14 11 26 / 85%)"), glass, "{css}: {own}");
    }
    let faint = code(
        "body{background:#111;color:#fff} .h{position:sticky;background:rgb(255 255 255 / 10%)}",
        "",
        Theme::Light,
    );
    assert!(faint["css"].as_str().unwrap().contains("#292929"), "{faint}");
}

#[test]
fn white_is_a_background_above_another_colour() {
    for (css, written) in [
        ("body{background:#ddd} main{background:#fff}", true),
        ("html{background:#000} body{background:#fff}", true),
        ("body{background:#fff} main{background:#fff}", false),
        ("html,main{background:#fff}", false),
        ("main{background:#fff}", false),
        ("body{background:#fff}", false),
    ] {
        let result = code(css, "", Theme::Light);
        let own = result["css"].as_str().unwrap();
        assert_eq!(own.contains("background-color: #fff;"), written, "{css}: {own}");
        assert_eq!(result["theme"], "light", "{css}");
    }
}

/// A layout in which every element is 100 pixels high except `main`.
#[derive(Debug)]
struct MainOf(f32);

impl Layout for MainOf {
    fn boxes(&self, page: &PageSnapshot, _: &Environment) -> Option<Boxes> {
        let document = Document::parse(&page.html);
        let main = document.elements().find(|(_, element)| element.name() == "main").map(|(node, _)| node.index());
        let height = |at| if Some(at) == main { self.0 } else { 100.0 };
        let all = (0..document.len()).map(|at| Some(Rect { x: 0.0, y: 0.0, width: 1_440.0, height: height(at) }));
        Some(Boxes::new(all.collect()))
    }
}

#[test]
fn ancestor_background_images_are_copied_if_position_independent() {
    const DARK: &str = "linear-gradient(rgba(0,0,0,.6),rgba(0,0,0,.6))";
    for (height, css, kept) in [
        (
            1e5,
            format!("body{{background:{DARK},url(a.jpg) center/cover fixed}}"),
            &["a.jpg", "auto, cover", "scroll, fixed"][..],
        ),
        (1e5, "body{background:#123 url(a.jpg)}".into(), &["a.jpg", "#123"]),
        (1e5, "body{background:#123 url(a.jpg) no-repeat fixed}".into(), &["a.jpg", "#123"]),
        // Fixed to an edge of the viewport, independent of the section's position.
        (1e5, "body{background:#123 url(a.jpg) repeat-x fixed}".into(), &["#123"]),
        (1e5, "main{background:url(a.jpg) 50%/cover no-repeat} body{background:#000}".into(), &["a.jpg", "#000"]),
        // The corner of a larger box.
        (1e5, "main{background:#123 url(a.jpg) no-repeat right bottom}".into(), &["#123"]),
        (105.0, "main{background:#123 url(a.jpg) no-repeat right bottom}".into(), &["a.jpg", "no-repeat", "#123"]),
        (105.0, "main{background:linear-gradient(#123,#456)}".into(), &["linear-gradient(#123"]),
        (1e5, "main{background:linear-gradient(#123,#456)}".into(), &["#2b3c4d"]),
        (1e5, "main{background:url(a.jpg) 0 0/100% auto}".into(), &[]),
        (20.0, "main{background:linear-gradient(#123,#456)}".into(), &["#2b3c4d"]),
        (0.0, "main{background:linear-gradient(#123,#456)}".into(), &["#2b3c4d"]),
        // A state changes the background, so the image is not copied.
        (1e5, "body{background:#123 url(a.jpg)} .h:hover{background:#fff}".into(), &["#123", "#fff"]),
        // The background is opaque.
        (105.0, "main{background:url(a.jpg)} .h{background:#fff}".into(), &[]),
        (105.0, "main{background:url(a.jpg)} .h{background:url(b.jpg)}".into(), &["b.jpg"]),
        (105.0, "body{background:url(a.jpg)} main{background:#eee}".into(), &["#eee"]),
        (105.0, "main{background:url(a.jpg) text}".into(), &[]),
    ] {
        let page = page(&css, "");
        let result = ask_laid_out(&page, Some(".h"), &MainOf(height));
        let own = result["css"].as_str().unwrap();
        assert!(kept.iter().all(|part| own.contains(part)), "{css}: {own}");
        let comes_along = kept.contains(&"a.jpg") || kept.iter().any(|part| part.contains("gradient"));
        assert_eq!(own.contains("a.jpg") || own.contains("gradient"), comes_along, "{css}: {own}");
        assert_eq!(result["summary"]["styledCoverage"], 100.0, "{css}: {own}");
    }
}

#[test]
fn scheme_in_metadata_is_a_declared_theme() {
    let meta = |content: &str| format!("<meta name=color-scheme content='{content}'>");
    for (head, css, theme) in
        [(meta("dark"), "", "dark"), (meta("light"), "", "light"), (meta("dark"), "body{background:#fff}", "dark")]
    {
        assert_eq!(code(css, &head, Theme::Light)["theme"], theme, "{head} {css}");
    }
    assert!(code("", "", Theme::Light)["theme"].is_null(), "no theme is declared");
    assert!(code("", &meta("dark"), Theme::Dark)["hint"].is_null(), "the page declares a dark theme");
}

#[test]
fn long_texts_are_truncated_to_the_result_limit() {
    let body: String = format!("<p>{}</p>", "x".repeat(1_000)).repeat(4_000);
    let page =
        PageSnapshot { url: "https://a.test/".into(), html: format!("<main>{body}</main>"), ..PageSnapshot::default() };
    let result = ask_of(&page, Some("main"), Theme::Light).unwrap();
    assert_eq!(result["summary"]["truncated"], true);
    assert!(result["code"].as_str().unwrap().len() < 4 << 20);
}

#[test]
fn negative_z_index_paints_above_ancestor_backgrounds() {
    let glow = ".h::before{content:'';position:absolute;z-index:-1}";
    let css = |rules: &str| code(rules, "", Theme::Light)["css"].as_str().unwrap().to_owned();
    assert!(css(&format!("body{{background:#123}} {glow}")).contains("isolation: isolate"));
    assert!(css(glow).contains("isolation: isolate"), "for any background of the host page");
    assert!(!css(&format!("body{{background:#123}} {}", glow.replace("-1", "1"))).contains("isolat"));
    // Above the ancestor's background, unless the ancestor is a stacking context. For each of these `main`s Chromium paints the
    // pseudo-element above the background of `main` where the last column is true, and below it where it is false.
    assert!(!css(&format!("main{{background:#123}} {glow}")).contains("isolat"));
    assert!(css(&format!("main{{background:#123;opacity:.9}} {glow}")).contains("isolation: isolate"));
    for (main, stacks) in [
        ("will-change:transform", true),
        ("will-change:top", false),
        ("contain:paint", true),
        ("contain:size", false),
        ("mask-image:linear-gradient(#000,#000)", true),
        ("transform-style:preserve-3d", true),
        ("z-index:0", false),
        ("display:inline;transform:rotate(1deg)", false),
    ] {
        let css = css(&format!("main{{background:#123;{main}}} {glow}"));
        assert_eq!(css.contains("isolation: isolate"), stacks, "{main}");
    }
    assert!(
        css(&format!("body{{display:flex}} main{{background:#123;z-index:0}} {glow}")).contains("isolation: isolate")
    );
    assert!(!css(&format!(".h{{background:#123}} {glow}")).contains("isolat"), "below its own background");
}

/// Backgrounds that elements of their own paint come along: behind the section by `z-index` or by their place.
#[test]
fn backgrounds_of_positioned_siblings_are_copied() {
    let written = |css: &str, before: &str| {
        let html = format!(
            "<!doctype html><body>{before}<main><section class=h><h1>Words on a ground</h1><p>More of them, so that \
             there is something to read.</p></section></main>"
        );
        let result = ask_of(&page_of(html, &format!("h1{{color:#fff}} {css}")), Some(".h"), Theme::Light).unwrap();
        (result["css"].as_str().unwrap().to_owned(), result["theme"].as_str().unwrap_or_default().to_owned())
    };
    const FIXED: &str = "position:fixed;inset:0;z-index:-1";
    for (css, before, parts) in [
        (format!(".g{{{FIXED};background:#112}}"), "<div class=g></div>", &["#112"][..]),
        (
            ".g{position:fixed;top:0;left:0;width:100%;height:100vh;background:url(/a.jpg) center/cover} main{position:relative}".to_owned(),
            "<div class=g></div>",
            &["https://a.test/a.jpg", "cover"],
        ),
        (
            format!(".g{{{FIXED};background:#000}} video{{width:100%;height:100%;object-fit:cover}}"),
            "<div class=g><video poster=/p.jpg muted></video></div>",
            &["https://a.test/p.jpg", "cover", "#000"],
        ),
        (format!("canvas{{{FIXED};background:#030712}}"), "<canvas></canvas>", &["#030712"]),
        (
            format!(".g{{{FIXED};background:url(/a.jpg) 50%/cover}} .v{{{FIXED};background:rgba(0,0,0,.6)}}"),
            "<div class=g></div><div class=v></div>",
            &["linear-gradient(", "https://a.test/a.jpg", "cover"],
        ),
        (
            format!("body{{background:#000}} .g{{{FIXED};background:url(/a.jpg) 50%/cover;opacity:.4}}"),
            "<div class=g></div>",
            &["linear-gradient(", "https://a.test/a.jpg", "cover"],
        ),
    ] {
        let (own, _) = written(&css, before);
        assert!(parts.iter().all(|part| own.contains(part)), "{css}: {own}");
    }
    assert_eq!(written(&format!(".g{{{FIXED};background:#112}}"), "<div class=g></div>").1, "dark");
    for (css, before) in [
        (format!(".g{{{FIXED};background:#112}} main{{background:#fff}}"), "<div class=g></div>"),
        (format!(".g{{{FIXED};background:#112}} .h{{background:#eee}}"), "<div class=g></div>"),
        (format!(".g{{{FIXED};background:#112;display:none}}"), "<div class=g></div>"),
        (format!(".g{{{FIXED};background:#112;bottom:auto;height:80px}}"), "<div class=g></div>"),
        (format!(".g{{{FIXED};background:#112}}"), "<div class=g><a href=/>Home</a></div>"),
        (
            ".g{position:fixed;inset:0;z-index:9;background:#112} main{position:relative}".to_owned(),
            "<div class=g>One</div>",
        ),
        (".g{position:absolute;inset:0;z-index:9;opacity:0;background:#112}".to_owned(), "<div class=g></div>"),
    ] {
        assert!(!written(&css, before).0.contains("#11"), "{css}: {before}");
    }
}
