//! Tests `value_text`.

use super::*;

#[test]
fn opaque_colours_are_hex() {
    for (value, expected) in [
        ("rgb(255, 255, 255)", "#fff"),
        ("1px solid rgb(33, 37, 41)", "1px solid #212529"),
        (
            "rgba(0, 0, 0, 0.5) 0px 1px 2px 0px, rgb(1, 2, 3) 0px 0px",
            "rgba(0, 0, 0, 0.5) 0px 1px 2px 0px, #010203 0px 0px",
        ),
        ("rgb(var(--x))", "rgb(var(--x))"),
        ("rgb(1 2 3)", "rgb(1 2 3)"),
        ("none", "none"),
        ("\"rgb(0, 0, 0)\" rgb(0, 0, 0)", "\"rgb(0, 0, 0)\" #000"),
        (r#""\"rgb(0, 0, 0)""#, r#""\"rgb(0, 0, 0)""#),
        ("rgb(", "rgb("),
    ] {
        assert_eq!(rgb_to_hex(value), expected);
    }
}

#[test]
fn function_in_string_or_escape_is_not_found() {
    for (value, expected) in [
        ("F(x)", Some(0)),
        ("a f(x)", Some(2)),
        ("'f(' f(", Some(5)),
        (r#""\"f(" f("#, Some(7)),
        (r"\f(x)", None),
        ("\"f(x)", None),
        ("f", None),
        ("", None),
    ] {
        assert_eq!(find_function(value, "f("), expected, "{value}");
    }
}

#[test]
fn attr_in_content_is_replaced_by_the_attribute() {
    let attribute = |name: &str| (name == "data-tip").then_some("a \"b\"");
    for (value, expected) in [
        ("attr(data-tip)", r#""a \"b\"""#),
        ("\"(\" attr( data-tip ) \")\"", r#""(" "a \"b\"" ")""#),
        ("attr(title, \"x\")", "\"\""),
        ("\"attr(data-tip)\"", "\"attr(data-tip)\""),
        (r#""\"" attr(data-tip)"#, r#""\"" "a \"b\"""#),
        ("attr(", "attr("),
    ] {
        assert_eq!(with_attributes(value, &attribute), expected, "{value}");
    }
}

#[test]
fn relative_value_is_not_portable() {
    for (value, expected) in [
        ("1.5", true),
        ("1rem", true),
        ("clamp(1rem, 2vw, 3rem)", true),
        ("1.2em", false),
        ("calc(1ch + 2px)", false),
        ("150%", false),
        ("bolder", false),
        ("Helvetica, \"Item 2em\"", false),
        ("system-ui, emoji", true),
    ] {
        assert_eq!(is_portable(value), expected, "{value}");
    }
}
