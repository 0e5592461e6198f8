//! Gradients and the values that Chromium computes for them.

use super::{P, value};

fn check(table: &[(&str, &str)]) {
    for (gradient, expected) in table {
        let css = format!("p{{background-image:{gradient}}}");
        assert_eq!(value(&css, P, "background-image"), *expected, "{gradient}");
    }
}

/// Checks the part before `red, blue`, as declared and as computed.
fn check_lines(name: &str, table: &[(&str, &str)]) {
    for (line, expected) in table {
        let css = format!("p{{background-image:{name}({line}red,blue)}}");
        let expected = match *expected {
            "none" => "none".to_owned(),
            line => format!("{name}({line}rgb(255, 0, 0), rgb(0, 0, 255))"),
        };
        assert_eq!(value(&css, P, "background-image"), expected, "{line}");
    }
}

#[test]
fn images_4_section_3_1_linear_gradients() {
    check_lines(
        "linear-gradient",
        &[
            ("to bottom left,", "to left bottom, "),
            ("to right top,", "to right top, "),
            ("to top,", "to top, "),
            ("to bottom,", ""),
            ("0,", "0deg, "),
            (".25turn,", "90deg, "),
            (".5turn,", ""),
            ("540deg,", "540deg, "),
            ("in oklch,", "in oklch, "),
            ("in oklch to right,", "to right in oklch, "),
            ("to right in hsl longer hue,", "to right in hsl longer hue, "),
            ("90deg in srgb,", "90deg, "),
        ],
    );
}

#[test]
fn images_4_section_3_2_radial_gradients() {
    check_lines(
        "radial-gradient",
        &[
            ("ellipse at center,", ""),
            ("ellipse farthest-corner at 50% 50%,", ""),
            ("circle at 50%,", "circle, "),
            ("farthest-side circle,", "circle farthest-side, "),
            ("closest-corner,", "closest-corner, "),
            ("at top,", "at 50% 0%, "),
            ("at left,", "at 0% 50%, "),
            ("at 10px bottom,", "at 10px 100%, "),
            ("at right 10px top 20%,", "at calc(100% - 10px) 20%, "),
            ("circle at bottom right,", "circle at 100% 100%, "),
            ("200px circle at 50% 70%,", "200px at 50% 70%, "),
            ("10% 20px ellipse,", "10% 20px, "),
            ("100% 225% at 100% 0%,", "100% 225% at 100% 0%, "),
            ("calc(10px + 1em) at calc(50% + 1px) 0,", "26px at calc(50% + 1px) 0px, "),
            ("circle in oklch,", "circle in oklch, "),
            ("50%,", "none"),
            ("circle 10%,", "none"),
            ("circle 1px 2px,", "none"),
            ("at bottom right 10px,", "none"),
        ],
    );
}

#[test]
fn images_4_section_3_3_conic_gradients() {
    check_lines(
        "conic-gradient",
        &[
            ("from 45deg,", "from 45deg, "),
            ("from 0deg at 50% 50%,", ""),
            ("from .25turn at left top,", "from 90deg at 0% 0%, "),
            ("at 10px 20%,", "at 10px 20%, "),
            ("from 45deg in hsl,", "from 45deg in hsl, "),
        ],
    );
    check(&[(
        "repeating-conic-gradient(red 0 25%,blue .5turn)",
        "repeating-conic-gradient(rgb(255, 0, 0) 0deg, rgb(255, 0, 0) 25%, rgb(0, 0, 255) 180deg)",
    )]);
}

#[test]
fn images_4_section_3_4_color_stops() {
    check(&[
        ("linear-gradient(red 0,blue 100%)", "linear-gradient(rgb(255, 0, 0) 0px, rgb(0, 0, 255) 100%)"),
        (
            "linear-gradient(red 0 10px,30%,10px blue)",
            "linear-gradient(rgb(255, 0, 0) 0px, rgb(255, 0, 0) 10px, 30%, rgb(0, 0, 255) 10px)",
        ),
        (
            "linear-gradient(red calc(10px + 10%),blue 1em)",
            "linear-gradient(rgb(255, 0, 0) calc(10% + 10px), rgb(0, 0, 255) 16px)",
        ),
        ("linear-gradient(in oklab,oklch(50% .1 20),blue)", "linear-gradient(oklch(0.5 0.1 20), rgb(0, 0, 255))"),
        (
            "linear-gradient(in srgb,oklch(50% .1 20),blue)",
            "linear-gradient(in srgb, oklch(0.5 0.1 20), rgb(0, 0, 255))",
        ),
        // A hint stands between two stops.
        ("linear-gradient(to top,30%,red,blue)", "none"),
        ("radial-gradient(circle,30%,red 55%,blue)", "none"),
        ("linear-gradient(red,blue,30%)", "none"),
        ("linear-gradient(red,20%,30%,blue)", "none"),
    ]);
}

#[test]
fn compatibility_section_4_1_prefixed_gradients() {
    check_lines(
        "-webkit-linear-gradient",
        &[
            ("", "top, "),
            ("left,", "left, "),
            ("top left,", "left top, "),
            ("0,", "0deg, "),
            ("270deg,", "270deg, "),
            ("to right,", "none"),
            ("to bottom left,", "none"),
        ],
    );
    check_lines(
        "-webkit-radial-gradient",
        &[
            ("", "center, "),
            ("center,", "50% 50%, "),
            ("circle,", "center, circle cover, "),
            ("top left,circle closest-side,", "0% 0%, circle closest-side, "),
            ("center top,ellipse,", "50% 0%, ellipse cover, "),
            ("50% 10px,10px 20px,", "50% 10px, 10px 20px, "),
        ],
    );
}

#[test]
fn compatibility_section_4_2_first_gradients() {
    let (from, to) = ("from(rgb(255, 0, 0))", "to(rgb(0, 0, 255))");
    for (arguments, expected) in [
        ("linear,left top,right bottom,from(red),to(blue)", format!("linear, 0% 0%, 100% 100%, {from}, {to}")),
        ("linear,0 0,0 100%,color-stop(0%,red),color-stop(1,blue)", format!("linear, 0 0, 0 100%, {from}, {to}")),
        (
            "linear,left center,10 0,from(red),color-stop(50%,blue)",
            format!("linear, 0% 50%, 10 0, {from}, color-stop(0.5, rgb(0, 0, 255))"),
        ),
        (
            "radial,center center,0,50% 50%,460,from(red),to(blue)",
            format!("radial, 50% 50%, 0, 50% 50%, 460, {from}, {to}"),
        ),
    ] {
        check(&[(&format!("-webkit-gradient({arguments})"), &format!("-webkit-gradient({expected})"))]);
    }
    check(&[
        ("-webkit-gradient(linear,top left,bottom left,from(red),to(blue))", "none"),
        ("-webkit-gradient(radial,50% 50%,0px,50% 50%,100px,from(red),to(blue))", "none"),
    ]);
}

#[test]
fn backgrounds_3_section_2_3_one_value_for_each_image() {
    const TWO: &str = "p{background-image:linear-gradient(red,red),none;";
    for (css, property, expected) in [
        (TWO, "background-size", "auto, auto"),
        (TWO, "background-position-x", "0%, 0%"),
        (&format!("{TWO}background-size:1px,2px,3px"), "background-size", "1px auto, 2px auto"),
        (
            &format!("{TWO}background-position:calc(1px + 1%) 0"),
            "background-position-x",
            "calc(1% + 1px), calc(1% + 1px)",
        ),
        ("p{background-size:0 100%,100%", "background-size", "0px 100%"),
        ("p{mask-image:linear-gradient(red,red),linear-gradient(red,red)", "mask-repeat", "repeat, repeat"),
        ("p{mask-repeat:repeat-x,repeat-y", "mask-repeat", "repeat-x"),
    ] {
        assert_eq!(value(css, P, property), expected, "{css}");
    }
}
