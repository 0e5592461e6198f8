//! Boxes that depend on their contents: table columns, controls, images, text in web fonts.

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
fn css_2_section_17_5_2_2_columns_share_the_surplus_by_their_contents() {
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

/// Expected numbers are Chromium's.
#[test]
fn css_tables_3_section_4_columns_of_any_table() {
    let area = |id: &str, width: u32| format!("<td id={id}><div style='width:{width}px;height:9px'></div>");
    let two = format!("<tr>{}{}", area("a", 100), area("b", 300));
    let spanning = |width: u32| format!("<tr><td colspan=2><div style='width:{width}px;height:9px'></div>{two}");
    let table = |style: &str, rows: &str| format!("<table style='border-spacing:0;{style}'>{rows}</table>");
    for (markup, a, b) in [
        // Spanning cells widen their columns in proportion.
        (table("width:800px", &spanning(200)), 200.0, 600.0),
        (table("", &spanning(600)), 150.0, 450.0),
        // Columns with specified widths.
        (
            format!(
                "<table style='border-spacing:0'><col style='width:30%'><col><tr>{}{}</table>",
                area("a", 30),
                area("b", 140)
            ),
            60.0,
            140.0,
        ),
        // No narrower than their contents, and no narrower than specified.
        (table("width:100px", &two), 100.0, 300.0),
        (format!("<div style='width:300px'>{}</div>", table("min-width:600px", &two)), 150.0, 450.0),
        // The available width depends on the table, or on another one.
        (format!("<div style='float:left;max-width:700px'>{}</div>", table("width:100%", &two)), 100.0, 300.0),
        (table("width:500px", &format!("<tr><td>{}", table("width:100%", &two))), 125.0, 375.0),
    ] {
        assert_eq!((width(&markup, "a"), width(&markup, "b")), (a, b), "{markup}");
    }
    let wide = "<table style='border-spacing:0;width:4000px'><tr><td id=a><div style='float:left;width:900px;height:1px'></div>
        <div style='float:left;width:900px;height:1px'></div><td id=b><div style='width:200px'></div></table>";
    assert_eq!((width(wide, "a"), width(wide, "b")), (3600.0, 400.0));
}

#[test]
fn rows_are_as_high_as_their_own_cells_and_as_wide_as_the_table() {
    let rows = "<table style='border-spacing:0'><tr id=a><td rowspan=2><div style='width:50px;height:30px'></div>
        <td><div style='width:100px;height:9px'></div><tr id=b><td><div style='width:100px;height:21px'></div></table>";
    for (id, y, height) in [("a", 0.0, 9.0), ("b", 9.0, 21.0)] {
        let found = rect(&body(rows), id);
        assert_eq!((found.x, found.y, found.width, found.height), (0.0, y, 150.0, height), "{id}");
    }
}

#[test]
fn html_section_15_5_5_details() {
    let closed =
        "<details id=x><summary style='margin-bottom:8px;height:20px;list-style:none'></summary><p>x</details>";
    assert_eq!(rect(&body(closed), "x").height, 28.0);
    assert_eq!(rect(&body("<div style='line-height:20px'><details id=x open></details></div>"), "x").height, 20.0);
}

#[test]
fn css_lists_3_markers_have_a_line() {
    for (style, height) in [("", 20.0), ("list-style:none", 0.0)] {
        let markup = format!("<ul style='line-height:20px'><li id=x style='{style}'></li></ul>");
        assert_eq!(rect(&body(&markup), "x").height, height, "{style}");
    }
}

#[test]
fn flexbox_1_section_4_5_replaced_items_keep_their_width() {
    for (item, expected) in [
        ("<video id=x></video>", 300.0),
        ("<video id=x style='max-width:50%'></video>", 150.0),
        ("<video id=x style='width:200px'></video>", 200.0),
    ] {
        let markup =
            format!("<div style='display:flex;width:300px;height:50px'>{item}<div style='width:450px'></div></div>");
        assert_eq!(width(&markup, "x"), expected, "{item}");
    }
}

#[test]
fn irregular_tables_keep_the_widths_of_the_engine() {
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
fn control_areas_have_no_aspect_ratio() {
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
fn clipping_controls_are_aligned_by_their_contents() {
    let row = |margin: &str| {
        let markup = format!(
            "<div id=x style='line-height:30px'>text<input type=range style='overflow:hidden;width:100%;height:20px;{margin}'></div>"
        );
        rect(&body(&markup), "x").height
    };
    // The lower margin contains the part below the line.
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
fn html_section_15_4_3_broken_images_show_their_alternative_text() {
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
fn canvas_shows_its_fallback_content_without_scripts() {
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
    // From the table: 0.363, 0.4775 and 0.5 em for a character.
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

/// Expected widths and heights are Chromium's.
#[track_caller]
fn sizes(markup: &str, expected: &[(&str, f32, f32)]) {
    let (document, boxes) = crate::laid_out(&body(markup));
    for (id, width, height) in expected {
        let rect = boxes.get(by_id(&document, id)).unwrap();
        let near = |a: f32, b: f32| (a - b).abs() < 0.6;
        assert!(near(rect.width, *width) && near(rect.height, *height), "{id}: {rect:?}, not {width} x {height}");
    }
}

#[test]
fn css_2_section_17_6_2_collapsed_borders() {
    let css = "<style>p{width:20px;height:10px;margin:0}table{border-collapse:collapse}td{padding:0;border:2px solid}
        #d td{border:0}#d tr{border-bottom:4px solid}#g td{border-width:1px}#g{border:6px solid}
        #k{padding:9px}#k td{padding:0 5px}</style>";
    let rows = "<table id=a><tr><td id=b><p><td><p><tr><td><p><td id=c><p></table>
        <table id=d><tr id=e><td><p><tr><td id=f><p></table>
        <table id=g><tr><td id=h rowspan=2><p><td id=j><p><tr><td id=i><p></table>
        <table id=k style='width:100px'><tr><td id=l></table>";
    sizes(
        &format!("{css}{rows}"),
        &[
            ("a", 46.0, 26.0),
            ("b", 22.0, 12.0),
            ("c", 22.0, 12.0),
            ("d", 20.0, 28.0),
            ("e", 20.0, 12.0),
            ("f", 20.0, 14.0),
            ("g", 53.0, 33.0),
            ("h", 23.5, 27.0),
            ("j", 23.5, 13.5),
            ("i", 23.5, 13.5),
            ("k", 100.0, 4.0),
            ("l", 98.0, 2.0),
        ],
    );
}

#[test]
fn css_tables_3_section_4_5_columns_between_their_narrowest_and_their_widest() {
    let css = "<style>ul{display:table;width:300px;padding:0;margin:0}li{display:table-cell;width:33%}
        i{display:inline-block;width:40px;height:9px}s,b{display:block;width:40px;height:9px}b{width:150px}
        table{border-spacing:0}</style>";
    // A third each does not fit: a column that needs more gets it, the others share the rest.
    sizes(
        &format!("{css}<ul><li id=a><s></s><li id=b><s></s><li id=c><b></b></ul>"),
        &[("a", 75.0, 9.0), ("b", 75.0, 9.0), ("c", 150.0, 9.0)],
    );
    // Between 40 + 40 and 160 + 40: the surplus goes to the column with more content.
    let four = "<i></i><wbr><i></i><wbr><i></i><wbr><i></i>";
    let table =
        format!("<div style='width:150px;line-height:0'><table><tr><td id=a>{four}<td id=b><i></i></table></div>");
    let (document, boxes) = crate::laid_out(&body(&format!("{css}{table}")));
    let [a, b] = ["a", "b"].map(|id| boxes.get(by_id(&document, id)).unwrap().width);
    assert!((a - 110.0).abs() < 1.0 && (b - 40.0).abs() < 1.0, "{a} {b}");
    // A length and a percentage.
    let given =
        "<table style='width:400px'><tr><td id=a style='width:50px'>x<td id=b style='width:50%'>x<td id=c>x</table>";
    let (document, boxes) = crate::laid_out(&body(&format!("{css}{given}")));
    let widths = ["a", "b", "c"].map(|id| boxes.get(by_id(&document, id)).unwrap().width);
    assert_eq!(widths, [50.0, 200.0, 150.0]);
}

#[test]
fn formatting_contexts_keep_their_padding_below_floats() {
    let css = "<style>i{float:left;width:50px;height:35px}div{padding:8px}section{display:flex}.r{display:flow-root}
        #b{display:inline-block}</style>";
    let markup = "<div id=a style='overflow:hidden'><i></i></div><div id=b><i></i></div><section><div id=c><i></i></div></section>
        <div class=r id=d><p style='margin:0;width:5px;height:5px'></p><i></i></div><div class=r><div id=e><i></i></div></div>";
    sizes(
        &format!("{css}{markup}"),
        &[("a", 1440.0, 51.0), ("b", 66.0, 51.0), ("c", 66.0, 51.0), ("d", 1440.0, 56.0), ("e", 1424.0, 16.0)],
    );
    // Other block formatting contexts contain floats as well; heights are Chromium's.
    for (declarations, height) in [
        ("contain:layout", 51.0),
        ("contain:paint", 51.0),
        ("contain:style", 16.0),
        ("container-type:inline-size", 51.0),
        ("align-content:start", 51.0),
        ("display:list-item;list-style:none", 16.0),
        ("display:flow-root list-item;list-style:none", 51.0),
    ] {
        let area = rect(&body(&format!("{css}<div id=a style='{declarations}'><i></i></div>")), "a");
        assert!((area.height - height).abs() < 0.6, "{declarations}: {area:?}");
    }
}

#[test]
fn css_contain_2_section_4_2_distant_content_has_its_intrinsic_size() {
    let section = |id: &str| {
        format!(
            "<section id={id} style='content-visibility:auto;contain-intrinsic-size:1px auto 700px'><div style='height:2000px'></div></section>"
        )
    };
    let markup = format!("{}{}{}", section("a"), section("b"), section("c"));
    sizes(&markup, &[("a", 1440.0, 2000.0), ("b", 1440.0, 2000.0), ("c", 1440.0, 700.0)]);
}

#[test]
fn controls_are_aligned_as_in_browsers() {
    let css = "<style>body{font:20px/30px Arial,sans-serif}progress{width:100%;height:10px;margin-bottom:10px;appearance:none;border:0}
        button{padding:4px 12px;border:0}svg{display:block}textarea{padding:10px;border:0;margin:0;height:50px;box-sizing:border-box}</style>";
    let markup = "<div id=a><progress></progress></div><div id=b><textarea></textarea></div>
        <div id=c><button><svg width=16 height=16></svg></button></div>";
    let (document, boxes) = crate::laid_out(&body(&format!("{css}{markup}")));
    for (id, height) in [("a", 30.0), ("b", 58.0), ("c", 30.0)] {
        let rect = boxes.get(by_id(&document, id)).unwrap();
        // The position of the line between the strut's edges depends on the font.
        assert!((rect.height - height).abs() <= 1.0, "{id}: {rect:?}, not {height} high");
    }
}

#[test]
fn lines_end_where_chromium_ends_them() {
    let lines = |text: &str| {
        let markup = format!("<p id=x style='margin:0;width:1px;line-height:10px;font-size:8px'>{text}</p>");
        rect(&body(&markup), "x").height / 10.0
    };
    for (text, expected) in [
        ("https://a.test/b/c", 1.0),
        ("and/or", 1.0),
        ("a|b", 1.0),
        ("2020-12-31", 3.0),
        ("well-known words", 3.0),
        ("-1", 1.0),
    ] {
        assert_eq!(lines(text), expected, "{text}");
    }
}

#[test]
fn html_section_4_8_4_3_images_have_the_size_of_the_selected_source() {
    let gif = |width: u8, height: u8| {
        let body = [b"GIF89a".as_slice(), &[width, 0, height, 0, 0x80, 0, 0]].concat();
        Resource { body, status: 200, ..Resource::default() }
    };
    let markup = "<picture><source media='(max-width: 600px)' srcset=tall.gif><img id=a src=wide.gif></picture>
        <img id=b src=wide.gif srcset='wide.gif 50w, tall.gif 900w' sizes='(max-width: 600px) 40px, 100px'>
        <img id=c srcset='wide.gif 2x'>";
    let mut page = page(&body(markup));
    for (name, resource) in [("wide", gif(200, 50)), ("tall", gif(50, 200))] {
        page.resources.insert(format!("https://a.test/{name}.gif"), resource);
    }
    let document = Document::parse(&page.html);
    for (width, expected) in [
        (1440.0, [(200.0, 50.0), (100.0, 400.0), (100.0, 25.0)]),
        (390.0, [(50.0, 200.0), (40.0, 10.0), (100.0, 25.0)]),
    ] {
        let boxes = LAYOUT.boxes(&page, &Environment { width, ..Environment::default() }).unwrap();
        for (id, (width, height)) in ["a", "b", "c"].into_iter().zip(expected) {
            let Rect { width: w, height: h, .. } = boxes.get(by_id(&document, id)).unwrap();
            assert_eq!((w, h), (width, height), "{id}");
        }
    }
}

#[test]
fn css_2_section_9_5_lines_begin_below_floats_that_leave_no_room() {
    let css = "<style>div{width:350px;line-height:20px}i{float:left;width:350px;height:100px;margin:0 20px 10px 0}p{margin:0}</style>";
    let words = "Words that would be squeezed beside it";
    // The paragraph extends behind the float, its text does not.
    let markup =
        format!("{css}<div><i></i><p id=a>{words}</p></div><div><i style='width:100px'></i><p id=b>{words}</p></div>");
    let (document, boxes) = crate::laid_out(&body(&markup));
    let [a, b] = ["a", "b"].map(|id| boxes.get(by_id(&document, id)).unwrap());
    assert!(a.y == 0.0 && a.height >= 130.0, "{a:?}");
    assert!(b.height <= 40.0, "{b:?}");
}

#[test]
fn css_2_section_9_4_2_boxes_of_empty_inline_boxes_keep_their_own_size() {
    let size = "width:50px;height:40px";
    for (markup, width, height) in [
        (format!("<div id=x style='{size}'><i></i></div>"), 50.0, 40.0),
        (format!("<div id=x style='{size}'> <i> <b></b> </i> </div>"), 50.0, 40.0),
        (format!("<div style='display:flex'><a id=x style='{size}'><i></i></a></div>"), 50.0, 40.0),
        (format!("<div id=x style='float:left;{size}'><i></i></div>"), 50.0, 40.0),
        ("<div id=x style='min-height:30px'><i></i></div>".to_owned(), 1440.0, 30.0),
        ("<div id=x><i></i></div>".to_owned(), 1440.0, 0.0),
        (
            "<div id=x><i><img width=20 height=10 style='width:20px;height:10px;vertical-align:top'></i></div>"
                .to_owned(),
            1440.0,
            18.0,
        ),
    ] {
        let found = rect(&body(&markup), "x");
        assert_eq!(found.width, width, "{markup}");
        // The height of a line of text depends on the fonts.
        assert!((found.height - height).abs() <= 3.0, "{markup}: {found:?}");
    }
}

#[test]
fn css_2_section_8_3_1_margins_collapse_through_empty_inline_boxes() {
    let markup = "<div id=x><div style='margin-bottom:20px'><i></i></div><div style='height:10px'></div></div>";
    assert_eq!(rect(&body(markup), "x").height, 10.0);
    const HIGH: &str = "<h2 style='margin:21px 0 13px;height:10px;font-size:16px'></h2>";
    for (inside, height) in [
        (format!("<span></span> <a name=x></a>{HIGH}"), 10.0),
        (format!("{HIGH}<span><i> </i></span>"), 10.0),
        (format!("{HIGH}<span></span>{HIGH}"), 41.0),
        (format!("{HIGH}<i style='position:absolute'></i>{HIGH}"), 41.0),
        (format!("<i style='display:inline-block;height:20px;width:1px;vertical-align:top'></i>{HIGH}"), 51.0),
    ] {
        assert_eq!(rect(&body(&format!("<div id=x>{inside}</div>")), "x").height, height, "{inside}");
    }
}

#[test]
fn tables_fit_between_percentage_paddings() {
    let area = |width: u32| format!("<div style='width:{width}px;height:9px'></div>");
    let markup = format!(
        "<div style='padding:0 calc((100% - 800px)/2)'><table style='width:100%;border-spacing:0'><tr><td id=a>{}<td id=b>{}</table></div>",
        area(100),
        area(300)
    );
    assert_eq!((width(&markup, "a"), width(&markup, "b")), (200.0, 600.0));
}

#[test]
fn css_2_section_17_4_captions_are_as_wide_as_their_table() {
    let row = "<tr><td><div style='width:100px;height:30px'></div>";
    let caption = "<caption id=c><div style='height:20px'></div>";
    let table = |style: &str| format!("<table id=x style='border-spacing:0;{style}'>{caption}{row}</table>");
    for (style, table_width) in [("", 100.0), ("width:400px", 400.0), ("width:50%", 720.0)] {
        let html = body(&table(style));
        let (caption, whole) = (rect(&html, "c"), rect(&html, "x"));
        assert_eq!((caption.width, caption.height), (table_width, 20.0), "{style}");
        assert_eq!((whole.width, whole.height), (table_width, 50.0), "{style}");
        assert_eq!(caption.y, 0.0, "{style}");
    }
    assert_eq!(rect(&body(&table("caption-side:bottom")), "c").y, 30.0);
    let shares = |rest: &str| {
        let cells = "<td id=a><div style='width:100px;height:9px'></div><td><div style='width:300px;height:9px'></div>";
        width(&format!("<table style='width:800px;border-collapse:collapse'>{rest}<tr>{cells}</table>"), "a")
    };
    assert_eq!(shares(caption), shares(""));
    let long = "<table id=x style='border-spacing:0'><caption>Words that take far more room than the only column does</caption>";
    assert_eq!(width(&format!("{long}{row}</table>"), "x"), 100.0);
}

#[test]
fn sizing_3_section_5_2_2_controls_of_percentage_width_let_columns_shrink() {
    let markup = "<div style='display:flex;flex-wrap:wrap;width:300px'><div id=x style='flex:1 0 0%;max-width:100%'>\
                  <input style='width:100%;box-sizing:border-box'></div><div style='flex:0 0 auto;width:180px'></div></div>";
    assert_eq!(width(markup, "x"), 120.0);
}

#[test]
fn css_2_section_17_5_2_1_fixed_layout_needs_a_width() {
    let area = |width: u32| format!("<div style='width:{width}px;height:9px'></div>");
    let cells = format!("<tr><td id=a>{}<td id=b>{}", area(30), area(90));
    let table = |style: &str| format!("<table style='border-spacing:0;table-layout:fixed;{style}'>{cells}</table>");
    for (style, a, b) in [("", 30.0, 90.0), ("width:200px", 100.0, 100.0)] {
        assert_eq!((width(&table(style), "a"), width(&table(style), "b")), (a, b), "{style}");
    }
    let rest = "<div style='display:table;table-layout:fixed;width:500px'>\
                <div style='display:table-cell;width:70px'></div>\
                <div id=x style='display:table-cell;width:100%;padding:0 5px'>a</div></div>";
    assert_eq!(width(rest, "x"), 430.0);
    let all = "<div style='display:table;table-layout:fixed;width:500px'><div style='display:table-cell'>a</div>\
               <div id=x style='display:table-cell;width:100%'>b</div></div>";
    assert_eq!(width(all, "x"), 500.0, "beside columns without a width");
}

#[test]
fn css_2_section_17_5_3_tables_are_at_least_as_high_as_specified() {
    let table = |style: &str| {
        let markup =
            format!("<table id=x style='border-spacing:0;{style}'><td><div style='height:30px'></div></table>");
        rect(&body(&markup), "x").height
    };
    let heights = ["height:0", "height:0;overflow:hidden", "height:50px", "height:40px;max-height:35px"].map(table);
    assert_eq!(heights, [30.0, 30.0, 50.0, 35.0]);
}

#[test]
fn sizing_3_boxes_at_most_as_wide_as_their_contents() {
    let inner = "<i style='display:inline-block;width:40px;height:5px'></i>";
    for limit in ["fit-content", "max-content"] {
        let column = format!(
            "<div style='display:flex;flex-direction:column'><div id=x style='max-width:{limit}'>{inner}</div></div>"
        );
        assert_eq!(width(&column, "x"), 40.0, "{limit}");
        assert_eq!(
            width(&format!("<div id=x style='max-width:{limit};width:100%'>{inner}</div>"), "x"),
            40.0,
            "{limit}"
        );
        let long =
            format!("<div id=x style='max-width:{limit};white-space:nowrap;margin-left:5px'>{inner}{inner}</div>");
        assert_eq!(width(&format!("<div style='width:60px'>{long}</div>"), "x"), 55.0, "{limit}");
    }
}

#[test]
fn controls_and_legends_in_grids_keep_their_width() {
    let field =
        |inside: &str| format!("<fieldset style='display:grid;width:200px;padding:0;border:0'>{inside}</fieldset>");
    assert_eq!(width(&field("<input id=x type=file style='width:clamp(10px,400px,100%)'>"), "x"), 200.0);
    assert_eq!(width(&field("<legend id=x><i style='display:inline-block;width:40px'></i></legend>"), "x"), 44.0);
    assert_eq!(width("<form style='display:grid;width:200px'><legend id=x>a</legend></form>", "x"), 200.0);
}

#[test]
fn css_fonts_4_local_font_faces_are_ignored() {
    let text = |face: &str, family: &str| {
        let style = format!("<style>@font-face{{font-family:Other;src:{face}}}span{{font-family:{family}}}</style>");
        width(&format!("{style}<span id=x>Words of some length</span>"), "x")
    };
    let own = text("local(Nothing)", "serif");
    assert_eq!(text("local(Nothing)", "Other, serif"), own);
    assert_ne!(text("url(other.woff2)", "Other, serif"), own);
}

#[test]
fn css_2_section_17_5_2_2_percentages_make_a_table_fill_its_container() {
    let addon = "<span id=a style='display:table-cell;width:1%'><i style='display:inline-block;width:40px'></i></span>";
    let group = format!("<div style='display:table' id=x><input style='float:left;width:100%' id=i>{addon}</div>");
    let widths = ["x", "a"].map(|id| width(&format!("<div style='width:500px'>{group}</div>"), id));
    assert_eq!(widths, [500.0, 40.0]);
    let divider = "<style>#x:before,#x:after{content:'';display:table-cell;width:50%}</style>\
                   <div style='width:500px'><h4 id=x style='display:table'>a</h4></div>";
    assert_eq!(width(divider, "x"), 500.0);
    let inset =
        format!("<div style='width:500px'>{}</div>", group.replace("id=x", "id=x style='margin:0 50px;display:table'"));
    assert_eq!(width(&inset.replacen("style='display:table' ", "", 1), "x"), 400.0);
    let small = "<style>#x:after{content:'';display:table-cell;width:10%}</style>\
                 <div style='width:500px'><div id=x style='display:table'><i style='display:inline-block;width:45px'></i></div></div>";
    assert!(width(small, "x") < 60.0, "a percentage that leaves enough");
    let plain = "<div style='width:500px'><div id=x style='display:table'><b style='display:table-cell;width:30px'></b></div></div>";
    assert_eq!(width(plain, "x"), 30.0);
}

#[test]
fn flexbox_1_section_9_4_columns_that_might_wrap_are_as_wide_as_their_container() {
    let inner = "<i style='display:inline-block;width:90px'></i> <i style='display:inline-block;width:90px'></i>";
    let column = "display:flex;flex-flow:column wrap";
    let nested = format!(
        "<div style='{column};width:100px'><div><div style='{column}'><div id=x>{inner}</div></div></div></div>"
    );
    assert_eq!(width(&nested, "x"), 100.0);
    let boxes = "<i style='width:20px;height:60px'></i><i id=x style='width:20px;height:60px'></i>";
    for around in ["position:absolute;inset:0", "height:100px", "max-height:100px"] {
        let page =
            format!("<div style='position:relative;height:100px'><div style='{column};{around}'>{boxes}</div></div>");
        assert!(rect(&body(&page), "x").x > 0.0, "the second is beside the first: {around}");
    }
}

#[test]
fn contents_of_noscript_take_no_room() {
    let style = "<style>noscript{display:block;padding:9px}</style>";
    let link = "<noscript><link rel=stylesheet href=/menu.css></noscript>";
    let markup =
        format!("{style}{link}{link}<noscript>Please enable scripts</noscript><p id=x style='margin:0'>First</p>");
    assert_eq!(rect(&body(&markup), "x").y, 0.0);
}
