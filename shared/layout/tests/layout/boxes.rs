//! Box geometry by CSS rules. These tests do not depend on the installed fonts.

use crate::{by_id, laid_out, laid_out_in, page, rect};
use limner_layout::BlitzLayout;
use limner_style::Environment;
use limner_style::layout::Layout;

/// Puts a rule for `body` and the given markup into a page.
fn body(markup: &str) -> String {
    format!("<!doctype html><style>body{{margin:0}}</style><body>{markup}")
}

#[track_caller]
fn assert_size(markup: &str, width: f32, height: f32) {
    let found = rect(&body(markup), "x");
    assert_eq!((found.width, found.height), (width, height), "{markup}");
}

#[test]
fn css_2_section_10_widths_and_heights() {
    for (markup, width, height) in [
        ("<div id=x style='height:10px'>", 1440.0, 10.0),
        ("<div id=x style='width:50%;height:2em'>", 720.0, 32.0),
        ("<div id=x style='width:100px;padding:5px;border:1px solid'>", 112.0, 12.0),
        ("<div id=x style='width:100px;padding:5px;border:1px solid;box-sizing:border-box'>", 100.0, 12.0),
        ("<div id=x style='width:calc(100% - 40px);max-width:10vw;height:1px'>", 144.0, 1.0),
        ("<div id=x style='margin:0 20px;height:1px'>", 1400.0, 1.0),
        ("<div id=x style='float:left'><div style='width:30px;height:3px'>", 30.0, 3.0),
        ("<div style='height:40px'><div id=x style='height:50%'>", 1440.0, 20.0),
        (
            "<div style='position:relative;width:200px;height:100px'><div id=x style='position:absolute;inset:10px'>",
            180.0,
            80.0,
        ),
    ] {
        assert_size(markup, width, height);
    }
}

#[test]
fn flexbox_and_grid_items_have_their_sizes() {
    for (markup, width, height) in [
        (
            "<div style='display:flex;width:300px'><div id=x style='flex:1;height:5px'></div><div style='flex:2'>",
            100.0,
            5.0,
        ),
        (
            "<div style='display:flex;gap:10px;width:100px'><p style='width:30px'></p><p id=x style='flex:1;margin:0;height:1px'>",
            60.0,
            1.0,
        ),
        (
            "<div style='display:grid;grid-template-columns:repeat(3,1fr);gap:30px'><div id=x style='height:7px'>",
            460.0,
            7.0,
        ),
        (
            "<div style='display:grid;grid-template:10px 20px / 1fr 2fr;width:90px'><i></i><i></i><i></i><i id=x>",
            60.0,
            20.0,
        ),
        ("<div style='display:-webkit-box;width:100px'><div id=x style='width:20px;height:2px'>", 20.0, 2.0),
    ] {
        assert_size(markup, width, height);
    }
}

/// Expected numbers are Chromium's.
#[test]
fn values_4_section_5_percentages_with_many_digits_fit_as_in_browsers() {
    for (share, count, fits) in [
        ("16.66667%", 6, true),
        ("16.666666666%", 6, true),
        ("14.28572%", 7, true),
        ("33.334%", 3, true),
        ("calc(16.66667% + 0px)", 6, true),
        ("8.33333%", 12, true),
        ("16.67%", 6, false),
        ("34%", 3, false),
    ] {
        for (line, item) in [
            ("display:flex;flex-wrap:wrap", format!("flex:0 0 {share}")),
            ("display:flex;flex-wrap:wrap", format!("flex:1 0 {share};max-width:{share}")),
            ("", format!("float:left;width:{share}")),
        ] {
            let items = format!("<p style='margin:0;height:10px;{item}'></p>").repeat(count - 1);
            let markup = body(&format!(
                "<div style='width:1200px;{line}'>{items}<p id=a style='margin:0;height:10px;{item}'></p></div>"
            ));
            let last = rect(&markup, "a");
            let first_line = if fits { 0.0 } else { 10.0 };
            assert!((last.y - first_line).abs() < 0.1, "{share} {line} {item}: {last:?}");
            let is_as_wide = !fits || (last.width - 1200.0 / count as f32).abs() < 0.1;
            assert!(is_as_wide, "{share} {line} {item}: {last:?}");
        }
    }
}

#[test]
fn images_3_section_4_replaced_elements() {
    for (markup, width, height) in [
        ("<img id=x width=40 height=20>", 40.0, 20.0),
        ("<img id=x width=400 height=200 style='max-width:100px;height:auto'>", 100.0, 50.0),
        ("<img id=x width=400 height=200 style='width:100%;height:auto;display:block'>", 1440.0, 720.0),
        ("<img id=x src=unknown.png>", 0.0, 0.0),
        ("<video id=x>", 300.0, 150.0),
        ("<video id=x style='width:100px'>", 100.0, 50.0),
        ("<iframe id=x>", 304.0, 154.0),
        ("<svg id=x width=24 height=24>", 24.0, 24.0),
        ("<svg id=x viewBox='0 0 20 10'>", 1440.0, 720.0),
        ("<svg id=x viewBox='0 0 20 10' style='height:10px'>", 20.0, 10.0),
        ("<svg id=x viewBox='0 0 20 10' style='width:10px'>", 10.0, 5.0),
        ("<div style='display:flex'><svg id=x viewBox='0 0 20 10' width=40></svg></div>", 40.0, 20.0),
    ] {
        assert_size(markup, width, height);
    }
}

#[test]
fn css_2_section_17_tables() {
    let cell = "<td style='padding:0;width:50px;height:10px'>";
    for (markup, width, height) in [
        (format!("<table id=x style='border-spacing:0'><tr>{cell}</td>{cell}</table>"), 100.0, 10.0),
        (format!("<table style='border-spacing:0'><tr id=x>{cell}</td>{cell}</table>"), 100.0, 10.0),
        (format!("<table style='border-spacing:0'><tbody id=x><tr>{cell}<tr>{cell}</table>"), 50.0, 20.0),
        (
            format!(
                "<table style='border-spacing:0'><tr><td id=x colspan=2 style='padding:0'><tr>{cell}</td>{cell}</table>"
            ),
            100.0,
            0.0,
        ),
        ("<div style='display:table-cell;width:60px;height:6px' id=x>".into(), 60.0, 6.0),
        ("<div style='display:table;width:80px' id=x><div style='display:table-cell;height:8px'>".into(), 80.0, 8.0),
    ] {
        assert_size(&markup, width, height);
    }
}

#[test]
fn controls_are_as_wide_as_their_contents() {
    let at = |markup: &str| rect(&body(markup), "x");
    for markup in [
        "<button id=x style='display:block'>Send",
        "<select id=x style='display:block'><option>One",
        "<input id=x style='display:block'>",
    ] {
        let found = at(markup);
        assert!(found.width > 10.0 && found.width < 500.0, "{markup}: {found:?}");
        assert!(found.height > 10.0 && found.height < 60.0, "{markup}: {found:?}");
    }
    assert_eq!(at("<input type=checkbox id=x>").width, 13.0);
    assert!(at("<input size=40 id=x>").width > at("<input size=10 id=x>").width);
    assert!(at("<textarea rows=9 id=x></textarea>").height > at("<textarea id=x></textarea>").height);
    assert_eq!(at("<div style='display:flex;flex-direction:column;width:300px'><button id=x>Send").width, 300.0);
}

#[test]
fn elements_without_boxes_have_none() {
    let (document, boxes) = laid_out(&body(
        "<p id=none style='display:none'><i id=inside></i></p><p id=contents style='display:contents'><b id=kept>x</b></p>
         <details><summary id=summary>s</summary><p id=closed>x</details><script id=script></script>",
    ));
    for (id, has_box) in [
        ("none", false),
        ("inside", false),
        ("contents", false),
        ("kept", true),
        ("summary", true),
        ("closed", false),
        ("script", false),
    ] {
        assert_eq!(boxes.get(by_id(&document, id)).is_some(), has_box, "#{id}");
    }
    assert!(boxes.by_node().iter().zip(0..).all(|(rect, _)| rect.is_none_or(|rect| rect.width >= 0.0)));
}

#[test]
fn positions_are_relative_to_the_page() {
    for (markup, x, y) in [
        ("<p style='margin:0;height:30px'></p><div id=x style='margin-left:7px;height:1px'>", 7.0, 30.0),
        ("<div style='padding:10px'><div id=x style='position:relative;left:5px;top:2px;height:1px'>", 15.0, 12.0),
        (
            "<div style='margin:20px;position:relative'><div id=x style='position:absolute;left:3px;top:4px'>",
            23.0,
            24.0,
        ),
        ("<div style='height:99px'></div><div id=x style='position:fixed;left:1px;top:2px'>", 1.0, 2.0),
        ("<div id=x style='width:100px;height:100px;transform:translate(-50%,10px)'>", -50.0, 10.0),
        (
            "<div style='width:100px;height:100px;transform:scale(2);transform-origin:0 0'><div id=x style='margin-left:10px;height:1px'>",
            20.0,
            0.0,
        ),
    ] {
        let found = rect(&body(markup), "x");
        assert_eq!((found.x, found.y), (x, y), "{markup}");
    }
    assert_size("<div id=x style='width:100px;height:50px;transform:rotate(90deg)'>", 50.0, 100.0);
}

#[test]
fn inline_boxes_hold_their_text() {
    let (document, boxes) = laid_out(&body(
        "<p style='font-size:20px'>before <a id=a style='padding:0 10px'>link <b id=b>bold</b></a> <i id=i></i></p>",
    ));
    let at = |id| boxes.get(by_id(&document, id)).unwrap();
    let (a, b) = (at("a"), at("b"));
    assert!(a.x > 20.0 && a.width > b.width + 20.0, "{a:?} {b:?}");
    assert!(b.x > a.x && b.x + b.width <= a.x + a.width && b.height > 10.0, "{a:?} {b:?}");
    assert!(boxes.get(by_id(&document, "i")).is_none_or(|rect| rect.width == 0.0));
}

#[test]
fn css_pseudo_4_generated_boxes_take_room() {
    let of =
        |rules: &str| rect(&format!("<!doctype html><style>{rules}</style><div id=x style='float:left'></div>"), "x");
    assert_eq!(of("#x::before{content:'';display:block;width:40px;height:30px}").width, 40.0);
    assert!(of("#x::after{content:'text'}").width > 10.0);
    assert_eq!(of("#x::after{content:none;width:40px}").width, 0.0);
}

#[test]
fn shadow_trees_are_laid_out_at_their_slots() {
    let html = body(
        "<x-card style='display:block'><template shadowrootmode=open><div id=frame style='padding:10px'><slot></slot></div>
         </template><p id=light style='margin:0;height:5px'></p><p slot=none id=lost></x-card>",
    );
    let (document, boxes) = laid_out(&html);
    assert_eq!(boxes.get(by_id(&document, "frame")).unwrap().height, 25.0);
    assert_eq!(boxes.get(by_id(&document, "light")).unwrap().x, 10.0);
    assert!(boxes.get(by_id(&document, "lost")).is_none());
}

#[test]
fn environments_are_laid_out_separately() {
    let html = "<!doctype html><style>body{margin:0}main{height:1px}@media (width<500px){main{width:100px}}
        @media (prefers-color-scheme:dark){main{height:2px}}main:hover{height:3px}</style><main id=x>";
    let narrow = Environment { width: 390.0, ..Environment::default() };
    let dark = Environment { scheme: limner_style::color::Scheme::Dark, ..Environment::default() };
    for (environment, width, height) in
        [(Environment::default(), 1440.0, 1.0), (narrow, 100.0, 1.0), (dark, 1440.0, 2.0)]
    {
        let (document, boxes) = laid_out_in(html, &environment);
        let found = boxes.get(by_id(&document, "x")).unwrap();
        assert_eq!((found.width, found.height), (width, height), "{environment:?}");
    }
}

#[test]
fn layout_is_deterministic() {
    let html = body(&"<div style='float:left;padding:3px'>some text <b>and more</b> of it</div>".repeat(50));
    let first = laid_out(&html).1;
    let other = BlitzLayout::new(1).boxes(&page(&html), &Environment::default()).unwrap();
    assert_eq!(first, other);
}

/// Expected numbers are Chromium's.
#[test]
fn css_2_section_10_8_1_inline_blocks_stand_on_their_last_line() {
    let markup =
        "<div style='line-height:20px'><div style='display:inline-block;width:60px'>a<div>b</div><div>c</div></div><div
        id=x style='display:inline-block;width:20px'>d</div></div>";
    let found = rect(&body(markup), "x");
    assert_eq!((found.x, found.y, found.width, found.height), (60.0, 40.0, 20.0, 20.0));
}

/// Expected numbers are Chromium's.
#[test]
fn css_2_section_9_5_text_avoids_floats_and_borders_do_not() {
    for (after, y, height) in [
        ("<h2 id=x style='margin:0;font-size:16px'>text</h2>", 0.0, 70.0),
        ("<section id=x><p style='margin:0'>text</p></section>", 0.0, 70.0),
        ("<section><p id=x style='margin:0'>text</p></section>", 0.0, 70.0),
        ("<section id=x><div style='height:30px'></div></section>", 0.0, 30.0),
        ("<svg id=x style='display:block' width=40 height=30></svg>", 50.0, 30.0),
        (
            "<table id=x style='border-spacing:0'><td style='padding:0;height:30px'><div style='width:20px'></div></table>",
            50.0,
            30.0,
        ),
    ] {
        let float = "<div style='float:left;width:100%;height:50px'></div>";
        let found = rect(&body(&format!("<div style='width:300px;line-height:20px'>{float}{after}</div>")), "x");
        assert_eq!((found.y, found.height), (y, height), "{after}");
    }
}

/// Expected numbers are Chromium's.
#[test]
fn file_controls_are_as_high_as_their_button() {
    for (style, height) in [("line-height:24px;font-size:16px", 25.0), ("line-height:40px;font-size:16px", 40.0)] {
        let markup = format!("<input type=file id=x style='display:block;border:0;padding:0;{style}'>");
        assert_eq!(rect(&body(&markup), "x").height, height, "{style}");
    }
}

#[test]
fn values_4_section_6_1_1_ch_matches_the_measured_font() {
    let digits = "0".repeat(40);
    for family in ["sans-serif", "serif", "monospace", "'No Such Font', sans-serif", "'No Such Font'"] {
        let style = format!("font:20px {family};position:absolute");
        let markup = body(&format!("<p id=a style=\"{style};width:40ch\"></p><p id=b style=\"{style}\">{digits}</p>"));
        let (by_unit, by_text) = (rect(&markup, "a").width, rect(&markup, "b").width);
        assert!((by_unit - by_text).abs() < 1.0, "{family}: {by_unit} {by_text}");
    }
}
