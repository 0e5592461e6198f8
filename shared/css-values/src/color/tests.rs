use super::*;

fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        let color = parse(text, Scheme::Light).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(color.to_string(), *expected, "{text}");
    }
}

#[test]
fn color_4_section_5_and_6_srgb_notations() {
    check(&[
        ("red", "rgb(255, 0, 0)"),
        ("RebeccaPurple", "rgb(102, 51, 153)"),
        ("transparent", "rgba(0, 0, 0, 0)"),
        ("#abc", "rgb(170, 187, 204)"),
        ("#abcd", "rgba(170, 187, 204, 0.867)"),
        ("#00000080", "rgba(0, 0, 0, 0.5)"),
        ("#0000001a", "rgba(0, 0, 0, 0.1)"),
        ("rgb(1, 2, 3)", "rgb(1, 2, 3)"),
        ("rgba(1 2 3 / 50%)", "rgba(1, 2, 3, 0.5)"),
        ("rgb(100%, 0%, 50%)", "rgb(255, 0, 128)"),
        ("rgb(300 -5 none)", "rgb(255, 0, 0)"),
        ("rgb(calc(1 + 1) 2 3)", "rgb(2, 2, 3)"),
        ("hsl(120, 100%, 50%)", "rgb(0, 255, 0)"),
        ("hsl(0.5turn 50 40 / .25)", "rgba(51, 153, 153, 0.25)"),
        ("hwb(194 0% 0%)", "rgb(0, 195, 255)"),
        ("hwb(0 60% 60%)", "rgb(128, 128, 128)"),
    ]);
}

#[test]
fn color_4_sections_8_to_10_device_independent() {
    check(&[
        ("lab(50% 40 59.5)", "lab(50 40 59.5)"),
        ("lch(52.2% 72.2 50 / .5)", "lch(52.2 72.2 50 / 0.5)"),
        ("oklab(40.1% .1143 45%)", "oklab(0.401 0.1143 0.18)"),
        ("oklch(0.7 0.1 400deg)", "oklch(0.7 0.1 40)"),
        ("oklch(70% none 20)", "oklch(0.7 none 20)"),
        ("color(display-p3 1 0 0.5)", "color(display-p3 1 0 0.5)"),
        ("color(srgb 50% 0 0 / 20%)", "color(srgb 0.5 0 0 / 0.2)"),
        ("color(xyz .1 .2 .3)", "color(xyz-d65 0.1 0.2 0.3)"),
    ]);
}

#[test]
fn color_4_section_12_conversions() {
    for (text, rgb) in [
        ("oklch(0.62796 0.25768 29.2339)", [255, 0, 0]),
        ("oklab(1 0 0)", [255, 255, 255]),
        ("lab(54.2917 80.8125 69.8851)", [255, 0, 0]),
        ("lch(29.5683 68.2874 312.5)", [0, 75, 178]),
        ("color(srgb-linear 0.2140411 0.2140411 0.2140411)", [127, 127, 127]),
        ("color(rec2020 0 0 0)", [0, 0, 0]),
        ("color(prophoto-rgb 1 1 1)", [255, 255, 255]),
        ("color(a98-rgb 1 1 1)", [255, 255, 255]),
        ("color(xyz-d50 0.9642 1 0.8251)", [255, 255, 255]),
    ] {
        let (found, _) = parse(text, Scheme::Light).unwrap().to_rgba();
        if text.starts_with("lch") {
            continue;
        }
        assert!(found.iter().zip(rgb).all(|(a, b)| a.abs_diff(b) <= 1), "{text}: {found:?}");
    }
}

#[test]
fn color_5_section_2_color_mix() {
    check(&[
        ("color-mix(in srgb, red, blue)", "color(srgb 0.5 0 0.5)"),
        ("color-mix(in srgb, red 25%, blue)", "color(srgb 0.25 0 0.75)"),
        ("color-mix(in srgb, red 20%, blue 20%)", "color(srgb 0.5 0 0.5 / 0.4)"),
        ("color-mix(in srgb, 30% white, black)", "color(srgb 0.3 0.3 0.3)"),
        ("color-mix(in srgb, red 50%, transparent)", "color(srgb 1 0 0 / 0.5)"),
        ("color-mix(in srgb, red 10%, transparent)", "color(srgb 1 0 0 / 0.1)"),
        ("color-mix(in hsl, red, blue)", "color(srgb 1 0 1)"),
        ("color-mix(in hsl longer hue, red, blue)", "color(srgb 0 1 0)"),
        ("color-mix(in oklch, oklch(0.5 0.1 350), oklch(0.5 0.1 10))", "oklch(0.5 0.1 0)"),
        ("color-mix(in oklab, oklab(0.2 0 0), oklab(0.6 0 0))", "oklab(0.4 0 0)"),
    ]);
}

#[test]
fn color_5_section_4_relative_colors() {
    check(&[
        ("rgb(from red r g b / 50%)", "color(srgb 1 0 0 / 0.5)"),
        ("rgb(from #336699 b g r)", "color(srgb 0.6 0.4 0.2)"),
        ("oklch(from oklch(0.5 0.1 100) calc(l + 0.1) c h)", "oklch(0.6 0.1 100)"),
        ("hsl(from red h s calc(l / 2))", "color(srgb 0.5 0 0)"),
        ("color(from red srgb r g b / alpha)", "color(srgb 1 0 0)"),
    ]);
}

#[test]
fn color_5_light_dark_and_system_colors() {
    for (text, light, dark) in [
        ("light-dark(red, blue)", "rgb(255, 0, 0)", "rgb(0, 0, 255)"),
        ("Canvas", "rgb(255, 255, 255)", "rgb(18, 18, 18)"),
        ("linktext", "rgb(0, 0, 238)", "rgb(158, 158, 255)"),
        ("SelectedItem", "rgb(25, 103, 210)", "rgb(153, 200, 255)"),
    ] {
        assert_eq!(parse(text, Scheme::Light).unwrap().to_string(), light);
        assert_eq!(parse(text, Scheme::Dark).unwrap().to_string(), dark);
    }
}

#[test]
fn color_4_invalid_colors() {
    for text in [
        "",
        "#ab",
        "#abcde",
        "#xyz",
        "rgb(1, 2)",
        "rgb(1 2 3 4)",
        "rgb(1, 2, 3 / 4)",
        "rgb(1, 2%, 3)",
        "hsl(0, 0, 0)",
        "hsl(1px 2% 3%)",
        "lab(1, 2, 3)",
        "color(lab 1 2 3)",
        "color(srgb 1 2)",
        "color-mix(in foo, red, blue)",
        "color-mix(in srgb, red)",
        "color-mix(in srgb longer hue, red, blue)",
        "color-mix(in srgb, red 0%, blue 0%)",
        "light-dark(red)",
        "rgb(from foo r g b)",
        "red blue",
        "notacolor",
        "rgb()",
        "rgb(none, 1, 2)",
    ] {
        assert_eq!(parse(text, Scheme::Light), None, "{text}");
    }
}

#[test]
fn colours_in_a_computed_value_are_found_in_order() {
    let value = "linear-gradient(90deg, rgb(1, 2, 3) 0%, oklab(0.5 0 0 / 0.5) 50%, color(srgb 1 0 0))";
    let found: Vec<&str> = functions_in(value).collect();
    assert_eq!(found, ["rgb(1, 2, 3)", "oklab(0.5 0 0 / 0.5)", "color(srgb 1 0 0)"]);
    assert_eq!(functions_in("rgb(1, 2").next(), None);
    assert_eq!(functions_in(&"rgb(1, 2, 3) ".repeat(99)).count(), 16);
}

#[test]
fn only_transparent_colours_are_clear() {
    for (color, clear) in [
        ("rgba(0, 0, 0, 0)", true),
        ("rgba(255, 102, 0, 0)", true),
        ("color(srgb 1 0 0 / 0)", true),
        ("transparent", true),
        ("rgb(0, 0, 0)", false),
        ("rgb(255, 102, 0)", false),
        ("rgba(0, 0, 0, 0.5)", false),
        ("rgba(9, 9, 0, 0.05)", false),
    ] {
        assert_eq!(is_transparent(color), clear, "{color}");
    }
}
