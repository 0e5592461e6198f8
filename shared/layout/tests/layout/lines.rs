//! Lines and the boxes on them. These tests do not depend on the installed fonts.

use crate::rect;

/// Builds a page with text of a known height, and the given markup.
fn page_of(markup: &str) -> String {
    format!("<!doctype html><style>body{{margin:0;font:14px/22px serif}}td{{padding:0}}</style><body>{markup}")
}

#[track_caller]
fn height(markup: &str) -> f32 {
    rect(&page_of(markup), "x").height
}

#[test]
fn css_2_section_10_8_1_lines_have_equal_heights_in_items_and_cells() {
    for inline in [
        "<span style='display:inline-flex;height:32px;align-items:center'>a</span>",
        "<span style='display:inline-flex;padding:4px;font-size:12px;line-height:16px'><b>a</b></span> a",
        "<span style='display:inline-grid;height:36px;place-items:center'>a</span>",
        "<span style='display:inline-block;height:32px;line-height:32px;width:50px'>a</span>",
        "<button style='height:32px;padding:4px;line-height:22px'>a</button>",
        "<div style='display:inline-block'><ul style='display:flex;margin:0'><li style='padding:3px'>a</ul></div>",
        "<span style='display:inline-flex;align-items:center'><span style='display:block'>\
         <span style='display:inline-flex;height:24px;align-items:center'>a</span></span></span>",
        "<label style='display:inline-flex'><i style='position:relative'><i style='position:absolute'>a</i></i>b</label>",
    ] {
        let alone = height(&format!("<div id=x>{inline}</div>"));
        for around in ["flex", "grid", "flex;flex-direction:column", "inline-flex"] {
            let item = format!("<div style='display:{around};align-items:start'><div id=x>{inline}</div></div>");
            assert_eq!(height(&item), alone, "{around}: {inline}");
        }
        assert_eq!(height(&format!("<table><td id=x>{inline}</table>")), alone, "a cell: {inline}");
    }
}

#[test]
fn positioned_descendants_of_boxes_on_lines_keep_their_containing_block() {
    let inline = "<span style='display:inline-flex;height:60px;align-items:end'>a\
                  <i id=x style='position:absolute;top:0;height:5px'></i></span>";
    let item = format!("<div style='height:50px'></div><div style='display:flex'><div>{inline}</div></div>");
    assert_eq!(rect(&page_of(&item), "x").y, 0.0);
}

#[test]
fn css_2_section_9_4_2_empty_boxes_make_lines() {
    for (inline, expected) in [
        ("<i style='display:inline-block'></i>", 22.0),
        ("<i style='display:inline-block;width:10px'></i>", 22.0),
        ("<a> <i style='display:inline-block;margin:0 4px'></i> </a>", 22.0),
        ("<i style='margin:0 4px'></i>", 22.0),
        ("<i style='padding-left:4px;line-height:32px'></i>", 32.0),
        ("<i></i>", 0.0),
        ("<i style='display:inline-block;position:absolute'></i>", 0.0),
    ] {
        assert_eq!(height(&format!("<div id=x>{inline}</div>")), expected, "{inline}");
    }
    let widths =
        ["<i style='display:inline-block;width:90px'></i>", "<i style='display:inline-block;width:150px'></i>"];
    for inline in widths {
        assert_eq!(height(&format!("<div id=x style='width:90px'>{inline}</div>")), 22.0, "{inline}");
    }
}

#[test]
fn css_2_section_8_3_margins_above_and_below_inline_boxes_are_without_effect() {
    let inline = "<span style='margin:-10px 0'><div style='height:30px'></div></span>";
    assert_eq!(height(&format!("<div id=x style='padding:1px'>{inline}</div>")), 32.0);
}

#[test]
fn css_2_section_9_5_floats_do_not_break_lines_beside_blocks() {
    let cleared = "<style>#x:after{content:'';display:table;clear:both}</style>";
    let float = "<i style='float:right;width:3px;height:5px'></i>";
    for inside in [format!("a {float}"), format!("a {float} b"), format!("{float} a"), format!("<b>a</b>{float}")] {
        assert_eq!(height(&format!("{cleared}<div id=x>{inside}</div>")), 22.0, "{inside}");
        assert_eq!(height(&format!("<div id=x>{inside}<p style='margin:0'>b</div>")), 44.0, "{inside}");
        assert_eq!(height(&format!("<div id=x style='overflow:hidden;padding:1px'>{inside}</div>")), 24.0, "{inside}");
        assert_eq!(height(&format!("<div style='display:flex'><div id=x>{inside}</div></div>")), 22.0, "{inside}");
    }
}

#[test]
fn boxes_wider_than_their_line_add_no_empty_line() {
    let wide = "<i style='display:inline-block;width:110px;height:20px;vertical-align:top'></i>";
    for (inside, expected) in [
        (wide.to_owned(), 22.0),
        (format!("a {wide}"), 44.0),
        (format!("a{wide} "), 44.0),
        (format!("a {wide} {wide}"), 66.0),
        (format!("a {wide} b"), 66.0),
        ("a <input style='width:100%;height:10px;padding:5px;border:0;vertical-align:top'>".to_owned(), 44.0),
    ] {
        assert_eq!(
            height(&format!("<div id=x style='width:100px;padding:0 9px'>{inside}</div>")),
            expected,
            "{inside}"
        );
    }
}

#[test]
fn floats_after_text_keep_percentage_heights_and_move_nothing() {
    let float = "<i id=x style='float:right;width:50px;height:50%'></i>";
    assert_eq!(height(&format!("<div style='height:200px'>a {float} b<div>c</div></div>")), 100.0);
    let placed = "<i id=x style='position:absolute;width:9px;height:9px'></i>";
    let page = format!("<div style='position:relative'>{placed} a <b style='float:right'>9</b><ul><li>s</ul></div>");
    assert_eq!(rect(&page_of(&page), "x").y, 0.0);
}

#[test]
fn edges_of_empty_boxes_break_no_line() {
    let word = "<b style='display:inline-block;width:60px;height:9px'></b>";
    assert_eq!(height(&format!("<div id=x style='width:66px'><i style='margin-right:4px'></i>{word}</div>")), 22.0);
}

#[test]
fn css_text_3_section_4_lines_that_are_not_broken() {
    let box_of = |display: &str| format!("<a style='display:{display};width:80px'>a</a>");
    for display in ["inline-block", "inline-flex"] {
        let two = format!("{}\n{}", box_of(display), box_of(display));
        assert_eq!(
            height(&format!("<div id=x style='width:100px;white-space:nowrap'>\n{two}</div>")),
            22.0,
            "{display}"
        );
        assert_eq!(height(&format!("<div id=x style='width:100px'>\n{two}</div>")), 44.0, "{display}");
    }
}
