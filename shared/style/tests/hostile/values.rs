//! Values that multiply, are cyclic, or are not finite numbers.

use super::{longest_value, page, paragraph};
use limner_page::Document;
use limner_style::color::{self, Scheme};
use limner_style::property::Longhand;
use limner_style::value::{parse_components, serialize};
use limner_style::{Environment, StyleIndex};
use proptest::prelude::*;
use std::fmt::Write;

#[test]
fn variables_that_multiply_are_bounded() {
    let mut css = ":root{--v0:red red red red red red red red;".to_owned();
    for n in 1..100 {
        let _ = write!(css, "--v{n}:var(--v{0}) var(--v{0}) var(--v{0}) var(--v{0});", n - 1);
    }
    css.push('}');
    for n in 0..2_000 {
        let _ = write!(
            css,
            ".c{n}{{--w{n}:var(--v{0}) var(--v{0});font-family:var(--w{n});box-shadow:var(--v{0})}}",
            n % 100
        );
    }
    css.push_str("p{color:var(--v99,blue);width:var(--v99);width:3px}");
    let html: String = (0..2_000).map(|n| format!("<i class=c{n}></i>")).collect();
    let page = page(&format!("{html}<p>x"), &css);
    assert!(longest_value(&page) < 100_000);
}

#[test]
fn variables_that_refer_to_each_other_are_invalid() {
    for (css, color) in [
        ("p{--a:var(--a);color:var(--a,blue)}", "rgb(0, 0, 255)"),
        ("p{--a:var(--b);--b:var(--a);color:var(--a,blue)}", "rgb(0, 0, 255)"),
        ("p{--a:var(--b);--b:var(--c);--c:var(--a);color:var(--b,blue)}", "rgb(0, 0, 255)"),
        ("p{--a:var(--no,var(--a));color:var(--a,blue)}", "rgb(0, 0, 255)"),
        ("p{--a:calc(var(--a) + 1px);color:var(--a,blue)}", "rgb(0, 0, 255)"),
        ("p{--a:var(--b);--b:var(--a);--c:var(--a,blue);color:var(--c)}", "rgb(0, 0, 255)"),
        (":root{--a:blue}p{--a:var(--a);color:var(--a,lime)}", "rgb(0, 255, 0)"),
        (":root{--a:var(--b,red);--b:blue}p{--b:var(--a);color:var(--b)}", "rgb(0, 0, 255)"),
        (
            "@property --a{syntax:'<color>';inherits:true;initial-value:blue}p{--a:var(--a);color:var(--a)}",
            "rgb(0, 0, 255)",
        ),
        (
            "@property --s{syntax:'<length>';inherits:true;initial-value:1px}p{--s:2em;font-size:var(--s);color:blue}",
            "rgb(0, 0, 255)",
        ),
    ] {
        assert_eq!(paragraph("", css)[0], color, "{css}");
    }
    let mut ring = "p{color:var(--r0,blue);".to_owned();
    for n in 0..10_000 {
        let _ = write!(ring, "--r{n}:var(--r{});", (n + 1) % 10_000);
    }
    assert_eq!(paragraph("", &ring)[0], "rgb(0, 0, 255)");
}

#[test]
fn values_nested_ten_thousand_deep_do_not_overflow() {
    for open in [
        "calc(",
        "min(",
        "max(1px,",
        "clamp(1px,",
        "round(",
        "sign(",
        "var(--no,",
        "env(no,",
        "attr(no,",
        "rgb(",
        "rgb(from ",
        "color-mix(in srgb,",
        "light-dark(",
        "oklch(from ",
        "linear-gradient(",
        "image-set(",
        "cross-fade(",
        "url(",
        "repeat(2,",
        "minmax(",
        "fit-content(",
        "counter(",
        "translate(",
        "cubic-bezier(",
        "(",
        "[",
        "{",
        "if(",
        "no(",
    ] {
        for name in [
            "width",
            "color",
            "background",
            "grid-template-columns",
            "transform",
            "transition",
            "font",
            "--x",
            "content",
            "no",
        ] {
            let deep = open.repeat(10_000);
            let css = format!("p{{color:blue;{name}:{deep}1px}}");
            assert_eq!(paragraph("", &css)[0], "rgb(0, 0, 255)", "{name}: {open}");
        }
    }
}

#[test]
fn calculations_without_a_finite_result_are_clamped() {
    for (value, width) in [
        ("calc(NaN * 1px)", "0px"),
        ("calc(1px / 0)", "3.35544e+07px"),
        ("calc(infinity * 1px)", "3.35544e+07px"),
        ("calc(-infinity * 1px)", "0px"),
        ("calc(-1 * infinity * 1em)", "0px"),
        ("1e999px", "3.35544e+07px"),
        ("99999999999999999999px", "3.35544e+07px"),
        ("min(NaN * 1px, 1px)", "0px"),
        ("max(infinity * 1px, 1px)", "3.35544e+07px"),
        ("clamp(1px, NaN * 1px, 2px)", "0px"),
        ("calc(1px - 4px)", "0px"),
        ("calc(1% - 4%)", "0%"),
    ] {
        assert_eq!(paragraph("", &format!("p{{width:{value}}}"))[1], width, "{value}");
    }
}

/// Values that are hard on one kind of parser or another.
const NUMBERS: &[&str] = &[
    "calc(NaN)",
    "calc(infinity)",
    "calc(-infinity)",
    "calc(1/0)",
    "1e999",
    "-1e999",
    "1e-999",
    "99999999999999999999",
    "-0",
    "+.0e-0",
    "calc(NaN * 1px)",
    "calc(infinity * 1px)",
    "calc(infinity * 1%)",
    "calc(-infinity * 1deg)",
    "calc(NaN * 1s)",
    "1e999px",
    "1e999%",
    "1e999deg",
    "1e999s",
    "1e39fr",
    "9e18",
    "4294967296",
    "-2147483649",
    "pow(10, 999)",
    "hypot(1e300px, 1e300px)",
    "mod(1, 0)",
    "log(0)",
    "sqrt(-1)",
];

#[test]
fn extreme_fonts_and_lines_have_finite_values() {
    for (style, sizes) in [
        ("font-size:1e9px", ["10000px", "normal"]),
        ("font-size:calc(infinity * 1px);line-height:2", ["10000px", "20000px"]),
        ("line-height:calc(infinity)", ["16px", "3.40282e+38px"]),
        ("line-height:calc(NaN)", ["16px", "0px"]),
        ("line-height:1e99px", ["16px", "3.35544e+07px"]),
    ] {
        let page = page(&format!("<p style='{style}'>x"), "");
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document);
        let (node, _) = document.elements_named("p").next().unwrap();
        let mut styles = index.styles(&Environment::default());
        let found = styles.get(node).unwrap();
        assert_eq!([Longhand::FontSize, Longhand::LineHeight].map(|longhand| found.get(longhand)), sizes, "{style}");
    }
}

#[test]
fn calculations_without_a_finite_result_are_clamped_in_every_property() {
    let mut css = String::new();
    for (at, number) in NUMBERS.iter().enumerate() {
        let _ = write!(css, ".n{at}{{");
        for longhand in Longhand::ALL {
            let _ = write!(css, "{}:{number};", longhand.name());
        }
        for shorthand in [
            "font",
            "background",
            "flex",
            "grid-area",
            "transition",
            "animation",
            "border",
            "margin",
            "inset",
            "columns",
        ] {
            let _ = write!(css, "{shorthand}:{number} {number};");
        }
        let colors =
            ["rgb(N N N / N)", "hsl(N N N)", "oklch(N N N / N)", "color(srgb N N N)", "color-mix(in lch, red N, blue)"];
        for (property, value) in
            ["color", "fill", "background-color", "border-top-color", "border-bottom-color"].iter().zip(colors)
        {
            let _ = write!(css, "{property}:{};", value.replace('N', number));
        }
        let _ = write!(
            css,
            "box-shadow:{number} {number} red;transform:scale({number}) rotate({number});filter:blur({number})}}"
        );
    }
    let html: String = (0..NUMBERS.len()).map(|at| format!("<i class=n{at}><b></b></i>")).collect();
    let page = page(&html, &css);
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document);
    let mut styles = index.styles(&Environment::default());
    for (node, element) in document.elements() {
        let style = styles.get(node).unwrap();
        for longhand in Longhand::ALL {
            let value = style.get(*longhand);
            let shown = value.to_ascii_lowercase();
            assert!(
                !shown.contains("nanpx") && !shown.contains("infinitypx") && !shown.contains("infpx"),
                "{}: {value} of {element:?}",
                longhand.name()
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// A valid colour stays the same colour when it is serialized and parsed again.
    #[test]
    fn colors_are_written_as_they_are_read(text in "(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\\((srgb |display-p3 |from red )?([0-9]{1,3}%?|none|[0-9.]{1,4}|[a-z]|-[0-9]{2})( |,)([0-9]{1,3}%?|none|g)( |,)([0-9]{1,3}%?|none|b)(( / |,)([0-9.]{1,4}%?|none))?\\)") {
        if let Some(color) = color::parse(&text, Scheme::Light) {
            let (hex, [.., alpha]) = (color.to_hex(), [0.0, color.alpha()]);
            prop_assert!(alpha.is_nan() || (0.0..=1.0).contains(&alpha), "{text}: {alpha}");
            let again = color::parse(&hex, Scheme::Light).unwrap();
            prop_assert_eq!(again.to_hex(), hex);
        }
    }

    /// The serialization of any value can be parsed again, and serializes to the same text.
    #[test]
    fn components_are_written_as_they_are_read(text in "[ -~\\x00é\n]{0,80}") {
        if let Some(components) = parse_components(&text) {
            let written = serialize(&components);
            let again = parse_components(&written);
            prop_assert!(again.is_some(), "{text:?} is written {written:?}");
            prop_assert_eq!(serialize(&again.unwrap()), written);
        }
    }

    #[test]
    fn arbitrary_values_have_bounded_results(name in proptest::sample::select(Longhand::ALL), value in "[ -~\\x00]{0,60}") {
        let css = format!("a{{{}:{value}}}", name.name());
        prop_assert!(longest_value(&page("<a>x", &css)) < 100_000);
    }
}
