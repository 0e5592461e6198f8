//! Tests flow-relative longhands in vertical writing modes. The expected values are Chromium's.

use super::value;

#[test]
fn logical_1_section_4_vertical_writing_modes() {
    for (mode, start, end, inline_start, inline_end) in [
        ("vertical-rl", "right", "left", "top", "bottom"),
        ("vertical-lr", "left", "right", "top", "bottom"),
        ("sideways-rl", "right", "left", "top", "bottom"),
        ("sideways-lr", "left", "right", "bottom", "top"),
        ("vertical-rl;direction:rtl", "right", "left", "bottom", "top"),
        ("sideways-lr;direction:rtl", "left", "right", "top", "bottom"),
        ("horizontal-tb;direction:rtl", "top", "bottom", "right", "left"),
    ] {
        let css = format!(
            "p{{writing-mode:{mode};padding-block:1px 2px;padding-inline:3px 4px;border-block-start:5px solid;\
             inset-inline-end:6px;margin-inline-start:7px}}"
        );
        for (property, expected) in [
            (format!("padding-{start}"), "1px"),
            (format!("padding-{end}"), "2px"),
            (format!("padding-{inline_start}"), "3px"),
            (format!("padding-{inline_end}"), "4px"),
            (format!("border-{start}-width"), "5px"),
            (inline_end.to_owned(), "6px"),
            (format!("margin-{inline_start}"), "7px"),
        ] {
            assert_eq!(value(&css, "<p id=x>", &property), expected, "{property} in {mode}");
        }
    }
}

#[test]
fn sizes_corners_and_axes_turn_with_the_writing_mode() {
    for (css, property, expected) in [
        ("inline-size:9px", "height", "9px"),
        ("block-size:9px", "width", "9px"),
        ("max-inline-size:9px", "max-height", "9px"),
        ("border-start-start-radius:9px", "border-top-right-radius", "9px"),
        ("border-start-end-radius:9px", "border-bottom-right-radius", "9px"),
        ("border-end-start-radius:9px", "border-top-left-radius", "9px"),
        ("border-end-end-radius:9px", "border-bottom-left-radius", "9px"),
        ("margin-top:9px", "margin-top", "9px"),
        ("width:9px", "width", "9px"),
        ("margin-block:inherit", "margin-right", "8px"),
    ] {
        let css = format!("div{{writing-mode:vertical-rl;margin-right:8px}} p{{{css}}}");
        assert_eq!(value(&css, "<div><p id=x>", property), expected, "{css}");
    }
    let own = "p{writing-mode:var(--mode);margin-block-start:9px;--mode:vertical-lr}";
    assert_eq!(value(own, "<p id=x>", "margin-left"), "9px");
}
