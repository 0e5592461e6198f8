//! Boxes that depend on what is in them: columns of tables, controls, pictures, text in web fonts.

use crate::{LAYOUT, by_id, page, rect};
use limner_page::{Document, Resource};
use limner_style::Environment;
use limner_style::layout::{Layout, Rect};

fn body(markup: &str) -> String {
    format!("<!doctype html><style>body{{margin:0}}td,th{{padding:0}}</style><body>{markup}")
}

fn width(markup: &str, id: &str) -> f32 {
    rect(&body(markup), id).width
}

#[test]
fn css_2_section_17_5_2_2_columns_share_what_is_left_by_their_contents() {
    let area = |width: u32| format!("<div style='width:{width}px;height:9px'></div>");
    let (narrow, wide) = (area(100), area(300));
    let table = |style: &str, first: &str, second: &str| {
        format!("<table style='border-spacing:0;{style}'><tr><td id=a>{first}<td id=b>{second}</table>")
    };
    for (markup, a, b) in [
        (table("width:800px", &narrow, &wide), 200.0, 600.0),
        (table("width:100%", &narrow, &wide), 360.0, 1080.0),
        (
            format!("<div style='width:600px;padding:0 50px'>{}</div>", table("width:100%", &narrow, &wide)),
            150.0,
            450.0,
        ),
        (table("", &narrow, &wide), 100.0, 300.0),
        (table("width:800px;table-layout:fixed", &narrow, &wide), 400.0, 400.0),
    ] {
        assert_eq!((width(&markup, "a"), width(&markup, "b")), (a, b), "{markup}");
    }
    let given = "<table style='width:800px;border-spacing:0'><tr><td id=a style='width:25%'>x<td id=b style='width:75%'>y</table>";
    assert_eq!((width(given, "a"), width(given, "b")), (200.0, 600.0));
}

#[test]
fn tables_that_are_irregular_are_left_alone() {
    for rows in [
        "<tr><td colspan=2>x<tr><td>y<td>z",
        "<tr><td>x<tr><td>y<td>z",
        "<tr>",
        "",
        "<caption>x",
        "<tr><td><table><tr><td>x",
    ] {
        let markup = format!("<table id=a style='width:800px'>{rows}</table>");
        assert_eq!(width(&markup, "a"), 800.0, "{markup}");
    }
}

#[test]
fn areas_of_controls_keep_no_ratio() {
    for (markup, width, height) in [
        ("<textarea id=x rows=4 style='width:100px;height:80px;padding:0;border:0'></textarea>", 100.0, 80.0),
        ("<input type=checkbox id=x style='width:30px'>", 30.0, 13.0),
        ("<video id=x width=640 height=360 style='max-width:100px'></video>", 100.0, 360.0),
        ("<video width=5 height=5></video><video id=x width=640 height=360 style='max-width:9px'></video>", 9.0, 360.0),
    ] {
        let found = rect(&body(markup), "x");
        assert_eq!((found.width, found.height), (width, height), "{markup}");
    }
    let lines = |style: &str| {
        rect(
            &body(&format!("<textarea id=x rows=4 style='line-height:20px;border:0;padding:0;{style}'></textarea>")),
            "x",
        )
    };
    assert_eq!((lines("").height, lines("width:500px").height), (80.0, 80.0));
}

#[test]
fn controls_stand_on_the_line_with_their_contents_even_when_they_clip() {
    let row = |margin: &str| {
        let markup = format!(
            "<div id=x style='line-height:30px'>text<input type=range style='overflow:hidden;width:100%;height:20px;{margin}'></div>"
        );
        rect(&body(&markup), "x").height
    };
    // The margin below holds what hangs below the line.
    assert_eq!(row("margin:0 0 40px") - row("margin:0 0 30px"), 10.0);
    assert!(row("margin:0 0 40px") < row("margin:0") + 40.0);
}

#[test]
fn html_section_15_3_13_field_sets_keep_margins_inside() {
    let markup = "<fieldset id=x style='border:0;padding:0;margin:0'><p style='margin:0 0 7px;height:10px'></fieldset>";
    assert_eq!(rect(&body(markup), "x").height, 17.0);
}

fn with_picture(markup: &str, resource: Resource) -> Rect {
    let html = body(markup);
    let mut page = page(&html);
    page.resources.insert("https://a.test/a.gif".into(), resource);
    let boxes = LAYOUT.boxes(&page, &Environment::default()).unwrap();
    boxes.get(by_id(&Document::parse(&html), "x")).unwrap()
}

#[test]
fn html_section_15_4_3_pictures_that_are_not_there_show_their_text() {
    let missing = || Resource { status: 404, ..Resource::default() };
    let there = || Resource {
        status: 200,
        content_type: "image/gif".into(),
        body: b"GIF89a\x20\x00\x10\x00\x80\x00\x00".to_vec(),
        ..Resource::default()
    };
    let picture = "<img id=x src=a.gif alt='Some text in its place'>";
    let shown = with_picture(picture, there());
    assert_eq!((shown.width, shown.height), (32.0, 16.0));
    let instead = with_picture(picture, missing());
    assert!(instead.width > 60.0 && instead.height > 10.0, "{instead:?}");
    let silent = with_picture("<img id=x src=a.gif alt='' style='display:block'>", missing());
    assert_eq!((silent.width, silent.height), (0.0, 0.0));
}

#[test]
fn without_scripts_a_canvas_shows_its_contents() {
    let html = body("<canvas id=x style='display:block'><p style='margin:0;height:7px'></canvas>");
    for (scripting, height) in [(true, 150.0), (false, 7.0)] {
        let environment = Environment { scripting, ..Environment::default() };
        let boxes = LAYOUT.boxes(&page(&html), &environment).unwrap();
        let found = boxes.get(by_id(&Document::parse(&html), "x")).unwrap();
        assert_eq!(found.height, height, "scripting: {scripting}");
    }
}

#[test]
fn text_in_web_fonts_is_as_wide_and_high_as_theirs() {
    let face = |family: &str| format!("<style>@font-face{{font-family:'{family}';src:url(x.woff2)}}</style>");
    let text = |family: &str| {
        let shown =
            "<p style='margin:0;font:20px FAMILY'><span id=x>The quick brown fox jumps over the lazy dog</span>";
        rect(&body(&format!("{}{}", face(family), shown.replace("FAMILY", &format!("\"{family}\"")))), "x").width
    };
    // By the table, 0.363, 0.4775 and 0.5 em for a character.
    let (oswald, inter, poppins) = (text("Oswald"), text("Inter"), text("Poppins"));
    assert!((inter / oswald - 0.4775 / 0.363).abs() < 0.08, "{oswald} {inter}");
    assert!((poppins / inter - 0.5 / 0.4775).abs() < 0.03, "{inter} {poppins}");
    let line = "<p id=x style='margin:0;font-family:Inter'>x";
    assert_eq!(rect(&body(&format!("{}{line}", face("Inter"))), "x").height, 20.0, "15.5 and 3.86, each rounded");
}

#[test]
fn icons_are_as_wide_as_they_are_high() {
    let icons = "<style>@font-face{font-family:'Material Icons';src:url(x.woff2)}i{font:24px 'Material Icons'}</style>";
    for (markup, width) in [
        ("<i id=x>arrow_drop_down</i>", 24.0),
        ("<style>i::before{content:'\\f00c'}</style><i id=x></i>", 24.0),
        (
            "<style>i::before{content:'\\f00c'}</style><i id=x style='display:block;float:left;font-size:40px'></i>",
            40.0,
        ),
    ] {
        assert_eq!(rect(&body(&format!("{icons}{markup}")), "x").width, width, "{markup}");
    }
}
